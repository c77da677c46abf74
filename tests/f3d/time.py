"""time.py FILE SIDE CORES ROUNDS : how many nanoseconds f3d takes to draw a model so often on so many cores, each time from a little farther
around, and to hand over the pixels.
"""

import os
import sys
import time

file, (side, cores, rounds) = sys.argv[1], map(int, sys.argv[2:])
# Without a graphics card llvmpipe draws, with a thread for each core that it is told of.
os.environ["LP_NUM_THREADS"] = str(cores)
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])

import f3d  # noqa: E402

f3d.Log.set_verbose_level(f3d.Log.VerboseLevel.QUIET)
engine = f3d.Engine.create_egl()
engine.options.update({"ui.loader_progress": False})
engine.window.size = side, side
engine.scene.add(file)


def draw():
    engine.window.camera.azimuth(1)
    return engine.window.render_to_image(True).content


draw()
start = time.perf_counter_ns()
for _ in range(rounds):
    draw()
print(time.perf_counter_ns() - start)
