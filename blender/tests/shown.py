"""How Blender shows what was imported: where objects, bones and vertices are, in glTF's axes."""

import os
import tempfile

import bpy
import numpy as np
from glb import Glb


def in_gltf(place):
    return (place[0], place[2], -place[1])


def movable():
    """Everything that a clip may move, by the names of its object and itself."""
    for thing in bpy.context.scene.objects:
        yield (thing.name, None), thing
        for bone in thing.pose.bones if thing.pose else ():
            yield (thing.name, bone.name), bone


def tracks_of(thing):
    return thing.animation_data.nla_tracks if thing.animation_data else ()


def at_rest(glb, fps):
    """Where everything is in the same model without its clips: what has some is imported as the first of them has it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = fps
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "still.glb")
        with open(path, "wb") as file:
            file.write(Glb(glb).without_clips())
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    rest = {names: thing.matrix_basis.copy() for names, thing in movable()}
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return rest


def play(clip, rest):
    """Shows a clip and nothing else."""
    for names, thing in movable():
        thing.matrix_basis = rest[names]
    for thing in bpy.context.scene.objects:
        if not thing.animation_data:
            continue
        thing.animation_data.action = None
        for track in tracks_of(thing):
            track.mute = True
            if track.name == clip:
                strip = track.strips[0]
                thing.animation_data.action = strip.action
                if hasattr(strip, "action_slot"):
                    thing.animation_data.action_slot = strip.action_slot


def pose(seconds):
    """Where nodes and vertices are: by the names of objects and bones, and of objects."""
    scene = bpy.context.scene
    frame = seconds * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    nodes, meshes = {}, {}
    for thing in scene.objects:
        seen = thing.evaluated_get(graph)
        nodes[thing.name] = in_gltf(seen.matrix_world.translation)
        for bone in seen.pose.bones if seen.pose else ():
            nodes[bone.name] = in_gltf((seen.matrix_world @ bone.matrix).translation)
        if thing.type == "MESH":
            mesh = seen.to_mesh()
            places = [in_gltf(seen.matrix_world @ vertex.co) for vertex in mesh.vertices]
            meshes[owner(thing.name)] = np.array(places)
            seen.to_mesh_clear()
    return nodes, meshes


def owner(name):
    """The node that a mesh belongs to, whatever carries it."""
    for part in ("_shown", "_mesh", "_LOD0"):
        if name.endswith(part):
            return owner(name[: -len(part)])
    return name
