# python trip.py < REQUEST : takes a glTF through Blender: imported, perhaps changed, exported again.
#
# The request is {"file": path, "out": path, "fps": frames a second, or null for Blender's own, "edit": null or
# {"object": name, "clip": name, "frame": frame, "degrees": about the X axis}}; the answer is the names of the clips.
import json
import os
import sys

import bpy


def curves(action):
    """Every curve of an action, whether it has slots or not."""
    if getattr(action, "layers", None):
        for layer in action.layers:
            for strip in layer.strips:
                for bag in strip.channelbags:
                    yield from ((bag, curve) for curve in bag.fcurves)
    else:
        yield from ((None, curve) for curve in action.fcurves)


def turn(name, clip, frame, degrees):
    """Turns an object about its own X axis at the key of a clip that stands at a frame."""
    from mathutils import Quaternion
    from math import radians

    action = next(action for action in bpy.data.actions if action.name.startswith(clip))
    slots = {slot.handle: slot.name_display for slot in action.slots}
    parts = {}
    for bag, curve in curves(action):
        is_own = slots.get(bag.slot_handle) == name if bag else True
        if is_own and curve.data_path.endswith("rotation_quaternion"):
            parts[curve.array_index] = curve
    at = lambda curve: min(curve.keyframe_points, key=lambda point: abs(point.co.x - frame))
    points = [at(parts[i]) for i in range(4)]
    turned = Quaternion([point.co.y for point in points]) @ Quaternion((1, 0, 0), radians(degrees))
    for point, value in zip(points, turned):
        point.co.y = value
    for curve in parts.values():
        curve.update()


def main():
    request = json.load(sys.stdin)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if request["fps"]:
        bpy.context.scene.render.fps = request["fps"]
    silent = os.dup(1)
    os.dup2(2, 1)  # Blender talks on standard output.
    bpy.ops.import_scene.gltf(filepath=request["file"], disable_bone_shape=True)
    if request["edit"]:
        edit = request["edit"]
        turn(edit["object"], edit["clip"], edit["frame"], edit["degrees"])
    bpy.ops.export_scene.gltf(filepath=request["out"], export_format="GLB", export_extras=True)
    os.dup2(silent, 1)
    print(json.dumps([action.name for action in bpy.data.actions]))
    sys.stdout.flush()
    os._exit(0)  # Some versions fall over when they end.


main()
