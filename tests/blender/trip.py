"""python trip.py < REQUEST : takes a glTF through Blender: imported, perhaps changed, exported again.

A request is {"file", "out", "fps": frames a second, or null for Blender's own, "edit": null or what is done to one key, {"node",
"clip", "time": seconds, "degrees": about its own X axis, or "move": along it}}; standard output has the names of the clips.
"""

import json
import os
import sys
from math import radians

import bpy
from mathutils import Quaternion

answer_to = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def curves(clip, node, what):
    """The curves by which a clip moves an object or a bone, by their numbers."""
    action = next(action for action in bpy.data.actions if action.name == clip)
    slots = {slot.handle: slot.name_display for slot in action.slots}
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    paths = {(node, what)} | {(slot, f'pose.bones["{node}"].{what}') for slot in slots.values()}
    all = [(slots[bag.slot_handle], curve) for bag in bags for curve in bag.fcurves]
    return {curve.array_index: curve for slot, curve in all if (slot, curve.data_path) in paths}


def points(parts, time):
    """The keys that stand next to a time, one of every curve."""
    frame = time * bpy.context.scene.render.fps
    return [min(parts[i].keyframe_points, key=lambda point: abs(point.co.x - frame)) for i in sorted(parts)]


def put(parts, keys, values):
    for key, value in zip(keys, values):
        key.co.y = value
    for curve in parts.values():
        curve.update()


def turn(edit):
    parts = curves(edit["clip"], edit["node"], "rotation_quaternion")
    keys = points(parts, edit["time"])
    by = Quaternion((1, 0, 0), radians(edit["degrees"]))
    put(parts, keys, Quaternion([key.co.y for key in keys]) @ by)


def move(edit):
    parts = curves(edit["clip"], edit["node"], "location")
    keys = points(parts, edit["time"])
    put(parts, keys, [keys[0].co.y + edit["move"], keys[1].co.y, keys[2].co.y])


request = json.load(sys.stdin)
bpy.ops.wm.read_factory_settings(use_empty=True)
if request["fps"]:
    bpy.context.scene.render.fps = request["fps"]
bpy.ops.import_scene.gltf(filepath=request["file"], disable_bone_shape=True)
if request["edit"]:
    (turn if "degrees" in request["edit"] else move)(request["edit"])
bpy.ops.export_scene.gltf(filepath=request["out"], export_format="GLB", export_extras=True)
json.dump([action.name for action in bpy.data.actions], answer_to)
answer_to.flush()
os._exit(0)
