"""Damaged files, wrong types, long lives: errors of one family, no crash, no growth."""

import contextlib
import gc
import random

import numpy as np
import pytest

import galvani

SAMPLES = galvani.samples()
SMALL = {name: file for name, file in SAMPLES.items() if len(file) < 100_000}


def use(document):
    """Everything that can be done to a document; what it refuses is an error of ours."""
    asked = [
        document.info,
        document.validate,
        document.dump,
        document.write,
        lambda: document.clips,
        lambda: document.sample(0, [0, 1e9, -1]),
        lambda: document.skin(0, 1.0),
        document.mesh,
        document.image,
        document.to_glb,
        lambda: document.render(size=(16, 16)),
        lambda: list(document.members.values()),
        lambda: galvani.diff(document, document),
    ]
    for ask in asked:
        with contextlib.suppress(galvani.Error):
            ask()


def with_code(caught):
    error = caught.value
    assert error.code and "." in error.code
    assert isinstance(error.path, str) and isinstance(error.message, str) and isinstance(error.help, str)
    assert error.offset is None or error.offset >= 0
    assert error.file in str(error)


def test_nothing_and_garbage_are_refused_with_a_code():
    dice = random.Random(7)
    for length in (0, 1, 2, 3, 4, 15, 64, 1000):
        with pytest.raises(galvani.Error) as caught:
            galvani.open(dice.randbytes(length))
        with_code(caught)
    for format_ in ("nres", "rsli", "msh", "texm", "lgp", "ff7-pack", "ff7-skeleton", "ff7-p", "ff7-tex",
                    "mdx", "blp", "dds", "gltf"):
        for _ in range(20):
            with contextlib.suppress(galvani.Error):
                use(galvani.open(dice.randbytes(300), format=format_))


@pytest.mark.parametrize("name", sorted(SMALL))
def test_truncated_and_damaged_files_are_opened_or_refused(name):
    file, dice = SMALL[name], random.Random(name)
    own = name.rsplit("/", 1)[-1]
    cuts = {int(len(file) * part / 12) for part in range(1, 12)} | {len(file) - 1}
    damaged = [file[:cut] for cut in sorted(cuts)]
    for _ in range(6):
        broken = bytearray(file)
        broken[dice.randrange(len(file))] ^= 1 << dice.randrange(8)
        damaged.append(bytes(broken))
    for bytes_ in damaged:
        with contextlib.suppress(galvani.Error):
            use(galvani.open(bytes_, name=own))


def test_a_lost_file_has_a_code_and_a_place(tmp_path):
    with pytest.raises(galvani.Unreadable) as caught:
        galvani.open(tmp_path / "nowhere.mdx")
    with_code(caught)
    assert caught.value.code == "file.not-found"
    assert caught.value.file == str(tmp_path / "nowhere.mdx")
    with pytest.raises(galvani.Unreadable):
        galvani.open(tmp_path)
    (tmp_path / "empty.mdx").touch()
    with pytest.raises(galvani.Unreadable) as caught:
        galvani.open(tmp_path / "empty.mdx")
    assert caught.value.code == "file.empty"


def test_a_truncated_file_says_where():
    with pytest.raises(galvani.Unreadable) as caught:
        galvani.open(SAMPLES["walker.msh"][:20], format="msh")
    with_code(caught)


def test_strictly_what_is_kept_otherwise_is_refused():
    broken = SAMPLES["lantern.mdx"][:-5]
    findings = galvani.open(broken, name="lantern.mdx").validate()
    assert any(finding.severity == "error" for finding in findings)
    with pytest.raises(galvani.Unreadable):
        galvani.open(broken, name="lantern.mdx", strict=True)


def lantern():
    return galvani.open(SAMPLES["lantern.mdx"], name="lantern.mdx")


def test_wrong_types_are_type_errors():
    document = lantern()
    for wrong in (
        lambda: galvani.open(5),
        lambda: galvani.open(None),
        lambda: galvani.open(),
        lambda: galvani.open(b"x", name=3),
        lambda: galvani.open(b"x", reading=1),
        lambda: document.edit(5),
        lambda: document.edit("rename-sequence", object(), "x"),
        lambda: document.sample(1.5, [0]),
        lambda: document.sample(0, object()),
        lambda: document.render(size="large"),
        lambda: document.to_glb(fps=object()),
        lambda: galvani.diff(document, 5),
        lambda: galvani.validate_many(5),
        lambda: document.save(5),
        lambda: galvani.Document(),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_wrong_words_are_requests_that_make_no_sense():
    document = lantern()
    for wrong in (
        lambda: galvani.open(b"x", format="exe"),
        lambda: galvani.open(b"x", reading="perhaps"),
        lambda: galvani.open(b"x", reading={"nothing": "auto"}),
        lambda: galvani.open(SAMPLES["lantern.mdx"], colour="red"),
        lambda: document.edit("explode"),
        lambda: document.edit("rename-sequence", "Stand"),
        lambda: document.edit("rename-sequence", "Stand", "a", "b"),
        lambda: document.edit([{"op": "rename-sequence", "sequence": 0, "title": "x"}]),
        lambda: document.edit([("rename-sequence", 0, "x")], 3),
        lambda: document.sample("Stand", [0], space="far"),
        lambda: document.sample("Stand", [0], colour="red"),
        lambda: document.to_glb(colour="red"),
        lambda: document.render(size=(0, 1)),
        lambda: document.render(fit="page"),
        lambda: document.render(zoom=0),
        lambda: document.render(time=float("nan")),
        lambda: document.render(background="blue"),
        lambda: document.render(to="bmp"),
        lambda: galvani.from_gltf(SAMPLES["windmill.glb"], "obj"),
        lambda: galvani.operations("exe"),
    ):
        with pytest.raises(galvani.BadRequest) as caught:
            wrong()
        with_code(caught)


def test_what_a_file_does_not_allow_is_refused():
    stripes = galvani.open(SAMPLES["stripes.texm"], name="stripes.texm")
    for wrong in (
        lambda: stripes.members,
        lambda: lantern().sample("Nobody", [0]),
        lambda: lantern().sample("Stand", [float("nan")]),
        lambda: lantern().to_glb(fps=-1),
        lambda: lantern().render(view="nowhere"),
        lambda: stripes.documents,
        lambda: stripes.to_glb(),
        lambda: stripes.skin(),
        lambda: lantern().image(),
        lambda: lantern().edit("remove-sequence", "all"),
        lambda: galvani.from_gltf(SAMPLES["windmill.glb"]),
        lambda: galvani.diff(stripes, lantern()),
    ):
        with pytest.raises(galvani.Error) as caught:
            wrong()
        with_code(caught)
    assert issubclass(galvani.Refused, galvani.Error)
    with pytest.raises(galvani.Refused):
        galvani.open(SAMPLES["lantern.mdx"], name="lantern.mdx", limit_memory=1000)


def test_edits_are_all_done_or_none():
    document = lantern()
    before = document.write()
    with pytest.raises(galvani.Error):
        document.edit([("rename-sequence", 0, "Other"), ("rename-sequence", "Nobody", "x")])
    assert document.write() == before and document.edits == 0
    with pytest.raises(IndexError):
        document.undo()
    with pytest.raises(IndexError):
        document.redo()
    for number in range(5):
        document.edit([{"op": "rename-sequence", "sequence": 0, "name": f"Wait {number}"}])
    for _ in range(5):
        document.undo()
    assert document.write() == before
    for _ in range(5):
        document.redo()
    assert document.clips[0].name == "Wait 4"
    document.undo()
    document.edit("rename-sequence", 0, "Another way")
    with pytest.raises(IndexError):
        document.redo()


def test_arrays_outlive_their_document_and_are_its_callers():
    document = lantern()
    poses, vertices = document.sample("Walk", [0, 100]), document.skin("Walk", 100)
    matrix, kept = poses.matrix, poses.matrix.copy()
    image = galvani.open(SAMPLES["stripes.texm"], name="stripes.texm").image()
    pixels = image.copy()
    del document, poses
    gc.collect()
    _ = [lantern().sample("Walk", [0, 100]) for _ in range(20)]
    np.testing.assert_array_equal(matrix, kept)
    np.testing.assert_array_equal(image, pixels)
    assert np.isfinite(vertices).all()
    matrix[...] = 0
    np.testing.assert_array_equal(lantern().sample("Walk", [0, 100]).matrix, kept)


def test_members_outlive_their_archive():
    pack = galvani.open(SAMPLES["frog.lgp"], name="frog.lgp").documents["zgda"]
    gc.collect()
    assert pack.sample(0, [0], space="model").matrix.shape[0] == 1


def test_a_changed_member_goes_back_into_its_archive():
    archive = galvani.open(SAMPLES["frog.lgp"], name="frog.lgp")
    pack = archive.documents["zgda"]
    pack.edit("reverse", 0)
    archive.members["zgda"] = pack
    assert archive.members["zgda"] == pack.write() != galvani.open(SAMPLES["frog.lgp"]).members["zgda"]
    archive.undo()
    assert archive.write() == SAMPLES["frog.lgp"]


def test_bytes_of_every_kind_are_taken():
    file = SAMPLES["lantern.mdx"]
    for bytes_ in (file, bytearray(file), memoryview(file), memoryview(bytearray(file))[:]):
        assert galvani.open(bytes_).write() == file


def test_times_of_every_kind_are_taken():
    document = lantern()
    wanted = document.sample("Walk", [0.0, 50.0, 100.0]).matrix
    for times in (range(0, 101, 50), (0, 50, 100), np.array([0, 50, 100]), np.array([0, 50, 100], np.float32),
                  np.arange(0, 200)[0:101:50]):
        np.testing.assert_array_equal(document.sample("Walk", times).matrix, wanted)
    np.testing.assert_array_equal(document.sample("Walk", 50).matrix, wanted[1:2])
    assert document.sample("Walk", []).matrix.shape[0] == 1


def held():
    """Bytes that this process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def test_a_thousand_opens_do_not_grow():
    def once():
        for name in ("lantern.mdx", "walker.msh", "frog.lgp", "stripes.texm"):
            document = galvani.open(SAMPLES[name], name=name)
            document.info()
            document.validate()
            if document.clips:
                document.sample(0, [0, 1])
                document.skin(0, 1)
        with contextlib.suppress(galvani.Error):
            galvani.open(b"nothing")

    for _ in range(200):
        once()
    gc.collect()
    before = held()
    for _ in range(1000):
        once()
    gc.collect()
    assert held() - before < 4 << 20, f"{held() - before} bytes more are held"
