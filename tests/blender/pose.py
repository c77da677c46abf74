"""python pose.py < REQUEST : how Blender shows a glTF file, on standard output.

A request is {"file", "fps", "poses": [[name of a clip, seconds], ...]}; the answer has "clips", the names of all of them,
and "poses" with one entry each: "nodes", by the name in the file, where objects and the heads of bones are; "meshes", by
the name of the object, where the vertices are. Everything is in glTF's axes.
"""

import json
import os
import struct
import sys
import tempfile

import bpy

# Blender's own words go to standard error; the answer is all that standard output has.
answer_to = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def in_gltf(place):
    return [place[0], place[2], -place[1]]


def load(file, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True)


def without_clips(file):
    """The same file as nothing moves in it: what has clips is imported as the first of them has it."""
    with open(file, "rb") as of:
        glb = of.read()
    (length,) = struct.unpack_from("<I", glb, 12)
    text = json.loads(glb[20 : 20 + length])
    text.pop("animations", None)
    text = json.dumps(text).encode()
    text += b" " * (-len(text) % 4)
    rest = glb[20 + length :]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    with tempfile.NamedTemporaryFile(suffix=".glb", delete=False) as still:
        still.write(head + text + rest)
    return still.name


def movable():
    """Everything that a clip may move, by the names of its object and itself."""
    for thing in bpy.data.objects:
        yield (thing.name, None), thing
        for bone in thing.pose.bones if thing.pose else ():
            yield (thing.name, bone.name), bone


def places_at_rest(file, fps):
    still = without_clips(file)
    load(still, fps)
    os.remove(still)
    return {names: thing.matrix_basis.copy() for names, thing in movable()}


def tracks_of(thing):
    return thing.animation_data.nla_tracks if thing.animation_data else ()


def play(clip, rest):
    for names, thing in movable():
        thing.matrix_basis = rest[names]
    for thing in bpy.data.objects:
        if not thing.animation_data:
            continue
        thing.animation_data.action = None
        for track in tracks_of(thing):
            track.mute = True
            if track.name == clip:
                strip = track.strips[0]
                thing.animation_data.action = strip.action
                thing.animation_data.action_slot = strip.action_slot


def pose(clip, time, rest):
    play(clip, rest)
    frame = time * bpy.context.scene.render.fps
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    nodes, meshes = {}, {}
    for thing in bpy.data.objects:
        shown = thing.evaluated_get(graph)
        nodes[thing.name] = in_gltf(shown.matrix_world.translation)
        for bone in shown.pose.bones if shown.pose else ():
            nodes[bone.name] = in_gltf((shown.matrix_world @ bone.matrix).translation)
        if thing.type == "MESH":
            mesh = shown.to_mesh()
            meshes[thing.name] = [in_gltf(shown.matrix_world @ vertex.co) for vertex in mesh.vertices]
            shown.to_mesh_clear()
    return {"nodes": nodes, "meshes": meshes}


request = json.load(sys.stdin)
rest = places_at_rest(request["file"], request["fps"])
load(request["file"], request["fps"])
clips = sorted({track.name for thing in bpy.data.objects for track in tracks_of(thing)})
poses = [pose(clip, time, rest) for clip, time in request["poses"]]
json.dump({"clips": clips, "poses": poses}, answer_to)
answer_to.flush()
# The module's own end is none of our business.
os._exit(0)
