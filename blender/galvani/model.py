"""What a scene remembers of the model that it shows: its own files, and how it was asked for."""

import base64
import json

import galvani

# What the glTF of a model says beyond glTF; it travels in the scene as a custom property.
TEXT = "galvani"

# How the model was asked for.
SETTINGS = "galvani_settings"


class NoModel(Exception):
    """The scene shows no model of a game."""


def record(scene):
    """What the model's glTF said of it."""
    text = scene.get(TEXT)
    if not isinstance(text, str):
        raise NoModel("This scene shows no model that Galvani imported")
    return json.loads(text)


def has_model(scene):
    return isinstance(scene.get(TEXT), str)


def files(scene):
    """The model's files by their names, its own first."""
    rows = record(scene)["files"]
    return {row["name"]: base64.b64decode(row["base64"]) for row in rows if "base64" in row}


def base(scene):
    """The model as it was imported."""
    all_files = files(scene)
    if not all_files:
        raise NoModel("This scene has the model's motions, but not its files; import it again")
    own = next(iter(all_files))
    return galvani.open(all_files[own], name=own, format=record(scene)["format"], beside=all_files)


def remember(scene, settings):
    scene[SETTINGS] = json.dumps(settings)


def settings(scene):
    return json.loads(scene.get(SETTINGS, "{}"))


def clips(scene):
    """Names that glTF has for the model's clips, with what else is known of them."""
    return {row["animation"]: row for row in record(scene)["clips"] if "animation" in row}
