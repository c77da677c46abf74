"""Blender with the extension, installed from its .zip as people install it, and the files that ship with Galvani."""

import os
import sys

import bpy
import pytest

# How the tests ended.
ENDED = pytest.StashKey[int]()

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


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Blender 4.2 as a module falls when Python takes itself down, after everything was said."""
    if bpy.app.version < (4, 3):
        sys.stdout.flush()
        os._exit(config.stash[ENDED])


def pytest_sessionfinish(session, exitstatus):
    session.config.stash[ENDED] = int(exitstatus)
