"""shapes.py FILE : what f3d covers of a model. Standard input has requests, each with the size of a picture, the name of a clip, a time in
seconds, and where it is seen from: the place, what it looks at, what is up, and how many degrees it sees from top to bottom. For each comes
the alpha of all pixels, in hex.
"""

import json
import sys

import f3d

f3d.Log.set_verbose_level(f3d.Log.VerboseLevel.QUIET)
engine = f3d.Engine.create_egl()
# Blended surfaces from the farthest on, and nothing beside the model.
engine.options.update({"render.effect.blending.mode": "ddp", "ui.loader_progress": False})
engine.scene.add(sys.argv[1])
clips, camera, shapes, shown = engine.scene.animation.get_names(), engine.window.camera, [], None
for request in json.load(sys.stdin):
    clip = request["clip"]
    if clip is not None:
        # Which clip is played is settled when the file is read.
        if clip != shown:
            engine.options["scene.animation.indices"] = [clips.index(clip)]
            engine.scene.clear()
            engine.scene.add(sys.argv[1])
            shown = clip
        engine.scene.animation.load_time(request["time"])
    engine.window.size = request["size"]
    camera.position, camera.focal_point = request["at"], request["towards"]
    camera.view_up, camera.view_angle = request["up"], request["angle"]
    image = engine.window.render_to_image(True)
    rows = [image.content[y * image.width * 4 :][: image.width * 4][3::4] for y in range(image.height)]
    # f3d begins at the bottom.
    shapes.append(b"".join(reversed(rows)).hex())
print(json.dumps(shapes))
