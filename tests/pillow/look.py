"""What Pillow sees in pictures: for each file its size and its pixels as RGBA in hex, one JSON list for all."""

import json
import sys

from PIL import Image, JpegImagePlugin

rows = []
for path in sys.argv[1:]:
    with Image.open(path) as image:
        if isinstance(image, JpegImagePlugin.JpegImageFile):
            # Pillow takes four components for inks and inverts them; this is what the stream holds.
            pixels = bytes(255 - byte for byte in image.tobytes())
        else:
            pixels = image.convert("RGBA").tobytes()
        rows.append({"width": image.width, "height": image.height, "mode": image.mode, "pixels": pixels.hex()})
json.dump(rows, sys.stdout)
