"""python trip.py < REQUEST : takes a glTF through Blender: imported, perhaps changed, exported again.

A request is {"file", "out", "fps": frames a second, or null for Blender's own, "edit": null or {"object": name, "clip": name,
"frame": frame, "degrees": about the X axis}}; standard output has the names of the clips.
"""

import json
import os
import sys
from math import radians

import bpy
from mathutils import Quaternion

answer_to = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def rotation(action, name):
    """The four curves by which an action turns an object."""
    slots = {slot.handle: slot.name_display for slot in action.slots}
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    own = [curve for bag in bags if slots[bag.slot_handle] == name for curve in bag.fcurves]
    return {curve.array_index: curve for curve in own if curve.data_path.endswith("rotation_quaternion")}


def turn(name, clip, frame, degrees):
    """Turns an object about its own X axis at the key of a clip that stands next to a frame."""
    action = next(action for action in bpy.data.actions if action.name.startswith(clip))
    parts = rotation(action, name)
    points = [min(parts[i].keyframe_points, key=lambda point: abs(point.co.x - frame)) for i in range(4)]
    turned = Quaternion([point.co.y for point in points]) @ Quaternion((1, 0, 0), radians(degrees))
    for point, value in zip(points, turned):
        point.co.y = value
    for curve in parts.values():
        curve.update()


request = json.load(sys.stdin)
bpy.ops.wm.read_factory_settings(use_empty=True)
if request["fps"]:
    bpy.context.scene.render.fps = request["fps"]
bpy.ops.import_scene.gltf(filepath=request["file"], disable_bone_shape=True)
if request["edit"]:
    edit = request["edit"]
    turn(edit["object"], edit["clip"], edit["frame"], edit["degrees"])
bpy.ops.export_scene.gltf(filepath=request["out"], export_format="GLB", export_extras=True)
json.dump([action.name for action in bpy.data.actions], answer_to)
answer_to.flush()
os._exit(0)
