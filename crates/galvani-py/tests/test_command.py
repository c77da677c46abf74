"""Each verb says the same as the command, of every sample."""

import io
import json

import numpy as np
import pytest
from conftest import ask, ask_json
from PIL import Image

import galvani

# An edit for each format that has some.
EDITS = {
    "nres": ("rename", 0, "OTHER.BIN"),
    "rsli": ("remove", 0),
    "lgp": ("rename", 0, "other"),
    "msh": ("set-position", "hull", 4, 1, 2.5, -3),
    "ff7-pack": ("reverse", 0),
    "mdx": ("rename-sequence", 0, "Other"),
    "wear": ("add-row", "materials", "OTHER"),
}


def dicts(findings):
    return [finding.to_dict() for finding in findings]


def clips_of(document):
    try:
        return document.clips
    except galvani.Error:
        return []


def is_animated(path):
    """Whether the command has poses of a file."""
    return b"no-poses" not in ask("sample", path, "--json", codes=(0, 1))


def test_info(sample):
    assert galvani.open(sample).info() == ask_json("info", sample)["files"][0]


def test_validate(sample):
    rows = ask_json("validate", sample)["files"]
    assert [row.to_dict() for row in galvani.validate_many(sample)] == rows
    findings = galvani.open(sample).validate()
    assert dicts(findings) == [found for row in rows for found in row["diagnostics"]]
    rows = ask_json("validate", "--pedantic", sample)["files"]
    found = dicts(galvani.open(sample).validate(pedantic=True))
    assert found == [found for row in rows for found in row["diagnostics"]]


def test_dump(sample):
    assert galvani.open(sample).dump() == ask_json("dump", sample)


def test_write_and_save(sample, tmp_path):
    document = galvani.open(sample)
    assert document.write() == sample.read_bytes()
    out = tmp_path / "out"
    assert document.save(out) == []
    assert out.read_bytes() == sample.read_bytes()


def test_edit(sample, tmp_path):
    document = galvani.open(sample)
    if document.format not in EDITS:
        pytest.skip("nothing to edit it by")
    words = EDITS[document.format]
    before = document.write()
    out = tmp_path / sample.name
    told = ask_json("edit", sample, *words, "-o", out)["files"][0]
    assert dicts(document.edit(*words)) == told["findings"]
    assert document.write() == out.read_bytes() != before
    changes = ask_json("diff", sample, out)
    assert changes == {"equal": False, "changes": galvani.diff(sample, out)}
    assert galvani.diff(sample, document) == changes["changes"]
    assert document.edits == 1
    document.undo()
    assert document.write() == before
    document.redo()
    assert document.write() == out.read_bytes()
    assert document.name == str(sample)


def test_members(sample, tmp_path):
    document = galvani.open(sample)
    done = ask("list", sample, "--json", codes=(0, 1))
    if b'"error"' in done or b'"diagnostics"' in done:
        with pytest.raises(galvani.Refused):
            document.members
        return
    members = json.loads(done)["files"][0]["members"]
    assert len(document.members) == len(members)
    ask("extract", sample, "-o", tmp_path / "out")
    written = sorted(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert sorted(document.members.values()) == written
    for i, (name, member) in enumerate(document.members.items()):
        assert member == document.members[name.lower()] == document.members.get(name)
        assert member == document.members[f"#{i}"] == dict(document.members)[name]
    assert "no such member" not in document.members
    assert document.members.get("no such member") is None
    with pytest.raises(KeyError):
        document.members["no such member"]


def test_sample(sample):
    document = galvani.open(sample)
    if not is_animated(sample):
        with pytest.raises(galvani.Refused) as caught:
            document.sample(times=[0])
        assert caught.value.code == "file.no-poses"
        return
    clips = document.clips
    assert clips
    for clip in clips:
        whole = [0.0, clip.duration // 3, clip.duration // 2, clip.duration]
        for space in ("local", "model"):
            times = sorted(set(whole))
            if document.format == "ff7-a" and space == "model":
                continue
            compare_poses(document, sample, clip, times, space)


def compare_poses(document, path, clip, times, space):
    words = [word for time in times for word in ("--time", repr(time))]
    if document.format != "ff7-a":
        words += ["--space", space]
    rows = ask_json("sample", path, "--clip", f"#{clip.index}", *words)["samples"]
    poses = document.sample(clip, times, space)
    assert poses.clip.name == clip.name
    counts = (len(times), len(poses.names))
    shapes = [poses.translation.shape, poses.rotation.shape, poses.scale.shape, poses.matrix.shape]
    assert shapes == [(*counts, 3), (*counts, 4), (*counts, 3), (*counts, 4, 4)]
    assert {array.dtype for array in (poses.translation, poses.matrix)} == {np.dtype("float32")}
    if document.format == "msh":
        nodes = [rows[i * counts[1] : (i + 1) * counts[1]] for i in range(counts[0])]
    else:
        nodes = [row.get("nodes") or row["bones"] for row in rows]
    for key, array in (("rotation", poses.rotation), ("translation", poses.translation),
                       ("position" if document.format == "msh" else "none", poses.translation),
                       ("scale", poses.scale), ("matrix", poses.matrix.reshape(*counts, 16))):
        if nodes[0] and nodes[0][0].get(key) is not None:
            said = np.array([[node[key] for node in row] for row in nodes], dtype=np.float32)
            np.testing.assert_array_equal(array, said)
    # In any order, and each as often as it is asked for.
    shuffled = [times[-1], times[0], times[-1]]
    again = document.sample(clip, shuffled, space)
    assert again.times.tolist() == shuffled
    places = [times.index(time) for time in shuffled]
    np.testing.assert_array_equal(again.matrix, poses.matrix[places])


def test_glb_and_back(sample, tmp_path):
    document = galvani.open(sample)
    out = tmp_path / "out.glb"
    done = ask("convert", sample, "-o", out, "--json", codes=(0, 1))
    if b'"refused": []' not in done:
        with pytest.raises(galvani.Refused):
            document.to_glb()
        return
    lost = []
    assert document.to_glb(findings=lost) == out.read_bytes()
    assert dicts(lost) == ask_json("convert", sample, "-o", out, "--force")["files"][0]["findings"]
    # What is a text comes back as a new one, if that is asked for: a glTF does not keep how words were spelled.
    if document.format in ("gltf", "mdl") or document.format.startswith("ff7") and document.format != "ff7-skeleton":
        return
    back = galvani.from_gltf(out)
    assert back.format == document.format
    assert next(iter(back.files.values())) == document.write()
    assert back.open().write() == document.write()
    back = galvani.from_gltf(out, base=document)
    assert next(iter(back.files.values())) == document.write()
    back.save(tmp_path / "back")
    name = next(iter(back.files))
    assert (tmp_path / "back" / name).read_bytes() == document.write()


def test_image(sample, tmp_path):
    document = galvani.open(sample)
    out = tmp_path / "out.png"
    done = ask("convert", sample, "-o", out, "--to", "png", "--json", codes=(0, 1))
    if b'"refused": []' not in done:
        with pytest.raises(galvani.Refused):
            document.image()
        return
    np.testing.assert_array_equal(document.image(), np.array(Image.open(out).convert("RGBA")))


def test_render(sample, tmp_path):
    document = galvani.open(sample)
    out = tmp_path / "out.png"
    words = ["--size", "48x40", "--view", "30,10", "--time", "0.25", "--background", "#102030", "--wire"]
    done = ask("render", sample, "-o", out, *words, "--json", codes=(0, 1))
    asked = {"time": 0.25, "size": (48, 40), "view": (30, 10), "background": "#102030", "wire": True}
    if b'"refused": []' not in done:
        with pytest.raises(galvani.Refused):
            document.render(**asked)
        return
    png = document.render(to="png", **asked)
    assert png == out.read_bytes()
    np.testing.assert_array_equal(document.render(**asked), np.array(Image.open(io.BytesIO(png)).convert("RGBA")))


def test_moving_pictures(folder, tmp_path):
    lantern = galvani.open(folder / "lantern.mdx")
    for kind in ("gif", "apng"):
        out = tmp_path / f"out.{kind}"
        ask("render", folder / "lantern.mdx", "-o", out, "--size", "32x32", "--fps", "5", "--clip", "Walk")
        assert lantern.render("Walk", to=kind, size=(32, 32), fps=5) == out.read_bytes()


def test_operations():
    for row in ask_json("edit", "--list")["formats"]:
        assert galvani.operations(row["format"]) == row


def test_from_gltf_of_anything(folder, tmp_path):
    for to, name in (("msh", "mill.msh"), ("mdx:800", "mill.mdx"), ("ff7", None)):
        out = tmp_path / to.replace(":", "")
        if name is None:
            ask("convert", folder / "windmill.glb", "--to", to, "-o", f"{out}/")
            continue
        ask("convert", folder / "windmill.glb", "--to", to, "-o", out.with_name(name))
        made = galvani.from_gltf(folder / "windmill.glb", to, stem="mill")
        assert made.files[name] == out.with_name(name).read_bytes()
        assert made.open().clips
        assert {finding.file for finding in made.findings} <= {name}


def test_a_member_is_addressed_as_in_the_command(folder):
    path = f"{folder}/frog.lgp/zgda"
    pack, archive = galvani.open(path), galvani.open(folder / "frog.lgp")
    assert pack.info() == ask_json("info", path)["files"][0]
    assert archive.documents["ZGDA"].info() == pack.info()
    inner = galvani.open(folder / "depot.rlb").documents["swatches.rlb"]
    assert list(inner.documents) == list(inner.members)
    for name in inner.members:
        path = f"{folder}/depot.rlb/swatches.rlb/{name}"
        with pytest.raises(galvani.Unreadable) as unknown:
            galvani.open(path)
        assert unknown.value.code == "file.unknown-format"
