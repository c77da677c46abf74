"""The extension: what it imports stands where the sampler has it, and what was not changed comes back byte for byte."""

import json
import subprocess
import sys
from pathlib import Path

import bpy
import galvani
import numpy as np
import pytest
import shown
from glb import Glb

# How far Blender may be from the sampler, of the model's size.
NEAR = 1e-5

# Times of keys that are looked at in a clip.
TIMES = 24

# Whether an action can be that of several things.
SLOTS = bpy.app.version >= (4, 4)

# Every model that ships, by the file that people would choose.
MODELS = ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "frog.lgp/zgaa", "frog/zgaa", "boat.hrc"]


def import_model(path, **words):
    assert bpy.ops.import_scene.galvani(filepath=str(path), **words) == {"FINISHED"}
    return galvani.open(path)


def export(path, **words):
    assert bpy.ops.export_scene.galvani(filepath=str(path), **words) == {"FINISHED"}


def findings():
    return [row.code for row in bpy.context.window_manager.galvani_findings]


def actions(clip):
    """The actions of a clip: one, or before Blender 4.4, which has no slots, one for each thing that moves."""
    animated = [thing.animation_data for thing in bpy.context.scene.objects if thing.animation_data]
    tracks = [track for data in animated for track in data.nla_tracks if track.name == clip]
    found = {strip.action for track in tracks for strip in track.strips}
    assert found and (len(found) == 1 or not SLOTS)
    return sorted(found, key=lambda action: action.name)


def rate():
    return bpy.context.scene.render.fps / bpy.context.scene.render.fps_base


@pytest.mark.parametrize("name", MODELS)
def test_bones_and_vertices_are_where_the_sampler_has_them(folder, name):
    document = galvani.open(folder / name)
    glb = document.to_glb()
    known, clips = Glb(glb), document.clips
    names, rest = known.names(), shown.at_rest(glb, round(clips[0].rate))
    import_model(folder / name)
    mesh, met = document.mesh(), 0
    size = np.linalg.norm(np.ptp(mesh.vertices, axis=0))
    for animation in known.text["animations"]:
        clip = next(one for one in clips if one.index == animation["extras"]["galvani_clip"])
        shown.play(animation["name"], rest)
        times = known.key_times(animation)
        for time in times[:: max(1, len(times) // TIMES)] + times[-1:]:
            nodes, meshes = shown.pose(time)
            joints = document.joints(clip, time * clip.rate)
            for node, matrix in zip(names, joints):
                if node in nodes:
                    off = np.linalg.norm(matrix[:3, 3] - nodes[node])
                    assert off <= NEAR * max(size, 1), (name, clip, time, node, off)
                    met += 1
            vertices = document.skin(clip, time * clip.rate)
            for node, first, count in mesh.parts:
                wanted = vertices[first : first + count]
                # What is hidden is a point.
                if node in meshes and np.ptp(meshes[node], axis=0).max() > NEAR * size:
                    apart = np.linalg.norm(meshes[node][:, None] - wanted[None], axis=2)
                    assert apart.min(axis=1).max() <= NEAR * max(size, 1), (name, clip, time, node)
                    met += 1
    assert met > 50, met


@pytest.mark.parametrize("name", MODELS)
def test_what_was_not_changed_comes_back_byte_for_byte(folder, name, tmp_path):
    document = import_model(folder / name)
    out = tmp_path / Path(name).name
    export(out)
    assert out.read_bytes() == document.write()
    assert not bpy.context.window_manager.galvani_changes
    for path in tmp_path.iterdir():
        if path != out and (folder / "frog" / path.name).exists():
            assert path.read_bytes() == (folder / "frog" / path.name).read_bytes()


@pytest.mark.parametrize("name", MODELS)
def test_blenders_own_frame_rate_does_no_harm(folder, name, tmp_path):
    document = import_model(folder / name)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 24, 1
    out = tmp_path / Path(name).name
    # Keys stay on their frames, so that everything now goes slower or faster: Blender's doing, and not a change of ours.
    model = galvani.open(folder / name)
    glb = tmp_path / "plain.glb"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    glb.write_bytes(model.to_glb())
    bpy.ops.import_scene.gltf(filepath=str(glb), disable_bone_shape=True)
    assert bpy.context.scene.render.fps == 24
    bpy.ops.export_scene.gltf(filepath=str(glb), export_format="GLB", export_extras=True)
    back = galvani.from_gltf(glb, base=model)
    assert next(iter(back.files.values())) == document.write()
    assert out.parent.exists()


@pytest.mark.parametrize(
    ("name", "fps"),
    [("walker.msh", 15), ("lantern.mdx", 1000), ("lantern-wow.mdx", 1000), ("frog/zgaa", 15), ("boat.hrc", 30)],
)
def test_frame_rate_range_and_actions_are_those_of_the_model(folder, name, fps):
    document = import_model(folder / name)
    scene, clips = bpy.context.scene, document.clips
    assert rate() == fps == clips[0].rate
    assert scene.frame_start == 0
    assert scene.frame_end == max(round(clip.duration) for clip in clips)
    found = [(clip, action) for clip in clips for action in actions(clip.name)]
    assert len(bpy.data.actions) == len(found)
    for clip, action in found:
        assert action.use_frame_range and action.use_cyclic == clip.looping
        assert (action.frame_start, round(action.frame_end)) == (0, round(clip.duration))
        assert not SLOTS or action.name == clip.name


def test_events_are_markers(folder):
    import_model(folder / "lantern.mdx")
    record = json.loads(bpy.context.scene["galvani"])
    wanted = [(row["animation"], one["name"], round(one["time"] * 1000)) for row in record["clips"]
              for one in row.get("events", [])]
    assert wanted
    for clip, event, frame in wanted:
        for action in actions(clip):
            assert (event, frame) in [(marker.name, marker.frame) for marker in action.pose_markers]


def test_textures_are_found(folder):
    import_model(folder / "lantern.mdx")
    images = [image for image in bpy.data.images if image.size[0] > 1]
    assert len(images) >= 2


def curves(action):
    if not SLOTS:
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def test_a_moved_key_changes_its_own_bytes_and_no_others(folder, tmp_path):
    document = import_model(folder / "walker.msh")
    moving = [one for action in actions("timeline") for one in curves(action) if one.data_path.endswith("location")]
    curve = next(one for one in moving if one.array_index == 0)
    points = curve.keyframe_points
    point = points[len(points) // 2]
    frame = point.co.x
    point.co.y += 0.25
    curve.update()
    out = tmp_path / "walker.msh"
    export(out)
    new, old = out.read_bytes(), document.write()
    assert len(new) == len(old)
    places = [at for at in range(len(new)) if new[at] != old[at]]
    # The place of one key, whose axes Blender may have turned: three numbers that stand together, and none else.
    assert places and places[-1] - places[0] < 12, places
    changes = galvani.diff(folder / "walker.msh", out)
    assert len({row["path"].rpartition("[")[0] for row in changes}) == 1, changes
    assert max(row["distance"] for row in changes) == pytest.approx(0.25, abs=1e-3), changes
    told = [row.path for row in bpy.context.window_manager.galvani_changes]
    assert told == [f"walker.msh: {row['path']}" for row in changes]
    assert frame == round(frame)


def test_changes_and_findings_are_shown_before_anything_is_written(folder, tmp_path):
    import_model(folder / "lantern.mdx")
    assert bpy.ops.galvani.validate() == {"FINISHED"}
    assert not bpy.context.window_manager.galvani_changes
    row = bpy.context.scene.galvani_sequences[0]
    row.name = "Wait"
    assert bpy.ops.galvani.validate() == {"FINISHED"}
    told = [row.path for row in bpy.context.window_manager.galvani_changes]
    assert told and all("sequences[" in path for path in told), told
    assert not list(tmp_path.iterdir())


def test_sequences_are_edited_in_their_panel(folder, tmp_path):
    before = import_model(folder / "lantern.mdx").info()["sequences"]
    rows = bpy.context.scene.galvani_sequences
    assert [(row.name, row.start, row.end) for row in rows] == [(r["name"], r["start"], r["end"]) for r in before]
    last = len(rows) - 1
    rows[last].name, rows[last].start, rows[last].end = "Fall", rows[last].start + 500, rows[last].end + 1500
    out = tmp_path / "lantern.mdx"
    export(out)
    after = galvani.open(out).info()["sequences"]
    assert (after[last]["name"], after[last]["start"]) == ("Fall", before[last]["start"] + 500)
    assert after[last]["end"] == before[last]["end"] + 1500
    assert after[:last] == before[:last]


@pytest.mark.parametrize(("name", "field"), [("lantern.mdx", "rarity"), ("lantern-wow.mdx", "frequency")])
def test_how_sequences_play_is_edited_in_their_panel(folder, tmp_path, name, field):
    document = import_model(folder / name)
    before, rows = document.info()["sequences"], bpy.context.scene.galvani_sequences
    assert [row.looping for row in rows] == [was["looping"] for was in before]
    assert [row.chosen_by for row in rows] == [field] * len(before)
    row, was = rows[1], before[1]
    row.looping, row.speed, row.rarity = not row.looping, 270.1, 7
    out = tmp_path / name
    export(out)
    after = galvani.open(out).info()["sequences"]
    assert after[1]["looping"] != was["looping"]
    assert after[1]["move_speed"] == pytest.approx(270.1)
    assert after[1][after[1]["reading"]][field] == 7
    assert after[:1] + after[2:] == before[:1] + before[2:]
    # Nothing else than these three fields has changed.
    assert len(out.read_bytes()) == len(document.write())
    told = {row.path for row in bpy.context.window_manager.galvani_changes}
    assert len(told) == 3 and all(f"sequences[{was['name']}]" in path for path in told), told


def test_ids_are_kept(folder):
    document = import_model(folder / "lantern.mdx")
    ids = {node["id"] if "id" in node else node["index"] for node in document.info()["nodes"]}
    assert len(ids) == len(document.info()["nodes"])
    kept = [thing for _, thing in shown.movable() if any(key.startswith("galvani_") for key in thing.keys())]
    assert kept


def test_an_archive_lists_its_members_with_pictures(folder):
    assert bpy.ops.import_scene.galvani(filepath=str(folder / "frog.lgp")) == {"FINISHED"}
    manager = bpy.context.window_manager
    archive = galvani.open(folder / "frog.lgp")
    assert [member.name for member in manager.galvani_members] == list(archive.members)
    assert not bpy.context.scene.objects
    manager.galvani_member = [member.name for member in manager.galvani_members].index("zgaa")
    parts = __import__("importlib").import_module("bl_ext.user_default.galvani.archives")
    pixels = parts.thumbnail(manager, manager.galvani_member)
    assert pixels.shape == (96, 96, 4) and pixels.any()
    assert bpy.ops.galvani.import_member() == {"FINISHED"}
    assert bpy.context.scene.objects


def test_a_model_goes_back_into_its_archive(folder, tmp_path):
    archive = tmp_path / "frog.lgp"
    archive.write_bytes((folder / "frog.lgp").read_bytes())
    import_model(archive / "zgaa")
    export(archive / "zgaa")
    assert archive.read_bytes() == (folder / "frog.lgp").read_bytes()


def test_a_second_model_gets_a_scene_of_its_own(folder, tmp_path):
    import_model(folder / "walker.msh")
    document = import_model(folder / "lantern.mdx")
    assert bpy.context.scene.name == "lantern.mdx" and rate() == 1000
    export(tmp_path / "lantern.mdx")
    assert (tmp_path / "lantern.mdx").read_bytes() == document.write()


def test_what_cannot_be_read_is_told(folder, tmp_path):
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"oops")
    with pytest.raises(RuntimeError, match="file.unknown-format"):
        bpy.ops.import_scene.galvani(filepath=str(broken))
    assert findings() == ["file.unknown-format"]
    assert not bpy.ops.export_scene.galvani.poll()


def test_the_manifest_is_valid():
    """Blender's own check of extensions, which comes with the module."""
    tool = Path(bpy.utils.resource_path("LOCAL")) / "scripts/addons_core/bl_pkg/cli/blender_ext.py"
    assert tool.exists()
    from conftest import EXTENSION

    done = subprocess.run([sys.executable, str(tool), "validate", EXTENSION], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "FATAL" not in done.stdout + done.stderr, done.stdout + done.stderr


def test_it_goes_away_without_a_trace():
    name = "bl_ext.user_default.galvani"
    bpy.ops.preferences.addon_disable(module=name)
    assert not hasattr(bpy.types, "IMPORT_SCENE_OT_galvani")
    assert not hasattr(bpy.types.Scene, "galvani_sequences")
    bpy.ops.preferences.addon_enable(module=name)
    assert hasattr(bpy.types, "IMPORT_SCENE_OT_galvani")
