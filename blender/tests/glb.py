"""Just as much of a .glb as tests want to know."""

import json
import struct

import numpy as np


class Glb:
    """A file with its text and its bytes."""

    def __init__(self, file):
        (length,) = struct.unpack_from("<I", file, 12)
        self.text = json.loads(file[20 : 20 + length])
        self.rest = file[20 + length :]

    def names(self):
        return [node["name"] for node in self.text["nodes"]]

    def values(self, accessor, width):
        """The numbers of an accessor of single-precision values."""
        row = self.text["accessors"][accessor]
        view = self.text["bufferViews"][row["bufferView"]]
        start = 8 + view.get("byteOffset", 0) + row.get("byteOffset", 0)
        return np.frombuffer(self.rest, np.float32, row["count"] * width, start)

    def key_times(self, animation):
        """The times at which a clip has keys, but for those at which a rotation lies between two: there Blender blends its parts."""
        samplers = animation["samplers"]
        all_times, turns = set(), []
        for channel in animation["channels"]:
            times = self.values(samplers[channel["sampler"]]["input"], 1)
            all_times.update(times.tolist())
            if channel["target"]["path"] == "rotation":
                turns.append(set(times.tolist()))
        def is_between(time):
            return any(min(times) < time < max(times) and time not in times for times in turns)

        return sorted(time for time in all_times if not is_between(time))

    def without_clips(self):
        """The same file as nothing moves in it."""
        text = json.dumps({key: value for key, value in self.text.items() if key != "animations"}).encode()
        text += b" " * (-len(text) % 4)
        length = 20 + len(text) + len(self.rest)
        return struct.pack("<4sIIII", b"glTF", 2, length, len(text), 0x4E4F534A) + text + self.rest
