"""Sequences of MDX: what they are called, where they lie on the model's timeline and how they play, in a small panel."""

import bpy
import numpy as np
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import PropertyGroup, Scene, UIList

class SequenceRow(PropertyGroup):
    """A sequence as it is to be."""

    start: IntProperty(name="Start", description="Its first millisecond on the model's timeline")
    end: IntProperty(name="End", description="Its last millisecond on the model's timeline")
    looping: BoolProperty(name="Loop", description="Whether it begins again behind its end")
    speed: FloatProperty(name="Speed", description="How fast the model walks while it plays")
    # What chooses among variations: the games have one of two numbers for it.
    rarity: FloatProperty(
        name="Rarity",
        description="Rarity in Warcraft III: how seldom it is chosen; frequency in World of Warcraft: how often",
    )
    chosen_by: StringProperty(options={"HIDDEN"})


class GALVANI_UL_sequences(UIList):
    """Sequences with their ranges."""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _name):
        layout.prop(item, "name", text="", emboss=False, icon="ACTION")
        layout.label(text=f"{item.start} – {item.end}")


def fill(scene, document):
    """Lists the sequences of a model."""
    scene.galvani_sequences.clear()
    if document.format != "mdx":
        return
    for found in document.info()["sequences"]:
        row = scene.galvani_sequences.add()
        row.name, row.start, row.end = found["name"], found["start"], found["end"]
        row.looping, row.speed = found["looping"], found["move_speed"]
        row.chosen_by, row.rarity = choice(found)


def choice(found):
    """The field by which a sequence is chosen among its variations, and its number."""
    said = found[found["reading"]]
    field = "rarity" if "rarity" in said else "frequency"
    return field, said[field]


def differs(number, was):
    """Whether a number of the panel, which has single precision as the file has, is another one."""
    return np.float32(number).tobytes() != np.float32(was).tobytes()


def steps(scene, before):
    """What makes the sequences what the panel has; `before` is the model as it was imported."""
    for index, (row, was) in enumerate(zip(scene.galvani_sequences, before.info()["sequences"])):
        if row.name != was["name"]:
            yield ("rename-sequence", f"#{index}", row.name)
        if row.start != was["start"]:
            yield ("move-sequence", f"#{index}", row.start)
        length, before_length = row.end - row.start, was["end"] - was["start"]
        if length != before_length:
            yield ("retime-sequence", f"#{index}", length / before_length if before_length else 1)
        field, number = choice(was)
        if row.looping != was["looping"]:
            yield ("set-sequence", f"#{index}", "loop", str(int(row.looping)))
        for name, value, before_value in (("speed", row.speed, was["move_speed"]), (field, row.rarity, number)):
            if differs(value, before_value):
                yield ("set-sequence", f"#{index}", name, f"{value:.9g}")


def apply(scene, made):
    """Changes the sequences of the files that were made; what that cost."""
    if not scene.galvani_sequences:
        return []
    wanted = list(steps(scene, made.open(made.old, made.own)))
    if not wanted:
        return []
    document = made.open(made.files, made.own)
    findings = document.edit(wanted)
    made.files[made.own] = document.write()
    return findings


def draw(layout, scene):
    layout.template_list(
        "GALVANI_UL_sequences", "", scene, "galvani_sequences", scene, "galvani_sequence", rows=4
    )
    if 0 <= scene.galvani_sequence < len(scene.galvani_sequences):
        row = scene.galvani_sequences[scene.galvani_sequence]
        for name in ("name", "start", "end", "looping", "speed"):
            layout.prop(row, name)
        layout.prop(row, "rarity", text=row.chosen_by.capitalize())


CLASSES = (SequenceRow, GALVANI_UL_sequences)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    Scene.galvani_sequences = CollectionProperty(type=SequenceRow)
    Scene.galvani_sequence = IntProperty()


def unregister():
    del Scene.galvani_sequences, Scene.galvani_sequence
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
