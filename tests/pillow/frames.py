"""How Pillow plays a file: how often (0 is for ever), and for each picture how many milliseconds it is shown, its size and its pixels as
RGBA in hex."""

import json
import sys

from PIL import Image, ImageSequence

with Image.open(sys.argv[1]) as image:
    frames = [
        {
            "shown": frame.info["duration"],
            "width": frame.width,
            "height": frame.height,
            "pixels": frame.convert("RGBA").tobytes().hex(),
        }
        for frame in ImageSequence.Iterator(image)
    ]
    # A GIF says nothing where it plays once.
    json.dump({"rounds": image.info.get("loop", 1), "frames": frames}, sys.stdout)
