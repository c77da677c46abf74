"""python make.py < REQUEST : a model made in Blender from nothing, on standard output the names of its clips.

A request is {"out": path}: two boxes, one bent by an arm of two bones that waves, one that hangs on nothing and turns.
"""

import json
import os
import sys
from math import radians

import bpy

answer_to = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def painted(thing, name, color):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = color
    thing.data.materials.append(material)


def arm():
    bpy.ops.object.armature_add(location=(0, 0, 0))
    rig = bpy.context.object
    rig.name = "Rig"
    bpy.ops.object.mode_set(mode="EDIT")
    lower = rig.data.edit_bones[0]
    lower.name, lower.head, lower.tail = "Lower", (0, 0, 0), (0, 0, 1)
    upper = rig.data.edit_bones.new("Upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def bent_box(rig):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 1), scale=(0.4, 0.4, 2))
    box = bpy.context.object
    box.name = "Arm"
    painted(box, "Skin", (0.8, 0.3, 0.2, 1))
    bpy.ops.object.transform_apply(location=True, scale=True)
    for name in ("Lower", "Upper"):
        group = box.vertex_groups.new(name=name)
        own = [v.index for v in box.data.vertices if (v.co.z > 1) == (name == "Upper")]
        group.add(own, 0.75, "REPLACE")
        group.add([v.index for v in box.data.vertices if v.index not in own], 0.25, "REPLACE")
    box.parent = rig
    box.modifiers.new("Armature", "ARMATURE").object = rig


def wave(rig):
    rig.animation_data_create().action = bpy.data.actions.new("Stand")
    bone = rig.pose.bones["Upper"]
    bone.rotation_mode = "QUATERNION"
    for frame, angle in ((0, 0), (12, 40), (24, 0)):
        bone.rotation_quaternion = (1, 0, 0, 0)
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (radians(angle), 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)


def top():
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(2, 0, 0.5))
    box = bpy.context.object
    box.name = "Top"
    painted(box, "Wood", (0.2, 0.6, 0.3, 1))
    box.animation_data_create().action = bpy.data.actions.new("Death")
    for frame, angle in ((0, 0), (10, 180), (20, 300)):
        box.rotation_euler = (0, 0, radians(angle))
        box.keyframe_insert("rotation_euler", frame=frame)


request = json.load(sys.stdin)
bpy.ops.wm.read_factory_settings(use_empty=True)
rig = arm()
bent_box(rig)
wave(rig)
top()
bpy.ops.export_scene.gltf(filepath=request["out"], export_format="GLB", export_extras=True)
json.dump([action.name for action in bpy.data.actions], answer_to)
answer_to.flush()
os._exit(0)
