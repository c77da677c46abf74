"""Blender with the extension, installed from its .zip as people install it, and the files that ship with Galvani."""

import os

import bpy
import pytest

# What was built: `blender/build.py` says where it is.
EXTENSION = os.environ["GALVANI_EXTENSION"]

bpy.ops.extensions.package_install_files(filepath=EXTENSION, repo="user_default", enable_on_install=True)
assert hasattr(bpy.types, "IMPORT_SCENE_OT_galvani"), "the extension is not enabled"

import galvani  # noqa: E402 - the wheel inside the extension, which is there from here on


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The samples on disk."""
    folder = tmp_path_factory.mktemp("samples")
    for name, file in galvani.samples().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file)
    return folder


@pytest.fixture(autouse=True)
def empty():
    """Every test begins with nothing in Blender, at Blender's own frame rate."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert bpy.context.scene.render.fps == 24
