"""Writes waves of four components as a progressive JPEG, which our own writer does not make."""

import sys

from PIL import Image

WIDTH, HEIGHT = 38, 21

image = Image.new("CMYK", (WIDTH, HEIGHT))
for y in range(HEIGHT):
    for x in range(WIDTH):
        image.putpixel((x, y), (x * 6, y * 12, (x + y) * 4, 255 - x * 3))
image.save(sys.argv[1], "JPEG", quality=90, progressive=True, subsampling=0)
