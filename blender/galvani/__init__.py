"""Galvani in Blender: models of old games from its own menus, and back into their own files."""

from . import archives, exporting, importing, panels, report, sequences

PARTS = (report, sequences, archives, importing, exporting, panels)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
