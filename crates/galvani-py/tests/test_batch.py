"""Many files: all cores, told of, ended by whoever wants, and without the lock of Python."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import galvani

SAMPLES = galvani.samples()


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A folder of many files, some of which take their time."""
    folder = tmp_path_factory.mktemp("many")
    for i in range(300):
        (folder / f"{i:03}.mdx").write_bytes(SAMPLES["lantern.mdx"])
        (folder / f"{i:03}.lgp").write_bytes(SAMPLES["frog.lgp"])
    return folder


def test_rows_come_by_path_and_progress_is_told(many):
    told = []
    rows = galvani.validate_many(sorted(many.glob("00*.mdx")), progress=lambda done, all: told.append((done, all)))
    assert [row.path for row in rows] == sorted(str(path) for path in many.glob("00*.mdx"))
    assert told[-1] == (10, 10)
    assert told == sorted(told)
    assert {(row.format, row.readable, row.errors, row.warnings) for row in rows} == {("mdx", True, 0, 0)}
    assert galvani.validate_many(many / "000.mdx")[0].findings == []
    assert galvani.validate_many([]) == []


def test_findings_are_never_exceptions(tmp_path):
    (tmp_path / "a.mdx").write_bytes(SAMPLES["lantern.mdx"][:-5])
    (tmp_path / "b.mdx").write_bytes(b"")
    rows = galvani.validate_many([tmp_path / "a.mdx", tmp_path / "b.mdx", tmp_path / "c.mdx"])
    assert [row.readable for row in rows] == [True, False, False]
    assert [row.findings[-1].code for row in rows[1:]] == ["file.empty", "file.not-found"]
    assert rows[0].errors > 0 and rows[0].findings[0].file == rows[0].path


class Enough(Exception):
    pass


def test_what_progress_raises_ends_the_batch(many):
    def stop(done, _):
        if done >= 3:
            raise Enough

    start = time.monotonic()
    with pytest.raises(Enough):
        galvani.validate_many(many, progress=stop)
    assert time.monotonic() - start < 20


def test_ctrl_c_ends_a_batch(many):
    script = """
        import signal, sys, time, galvani
        # Whoever runs the tests in the background may have told them to pass over Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            galvani.validate_many(sys.argv[1:] * 50, progress=lambda done, all: print(done, flush=True))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
    """
    asked = [sys.executable, "-c", textwrap.dedent(script), str(many)]
    batch = subprocess.Popen(asked, stdout=subprocess.PIPE, text=True)
    assert batch.stdout.readline()
    os.kill(batch.pid, signal.SIGINT)
    said = batch.communicate(timeout=30)[0]
    assert said.endswith("interrupted\n") and batch.returncode == 7


def test_a_batch_that_is_killed_leaves_nothing_behind(many):
    before = sorted(many.iterdir())
    asked = [sys.executable, "-c", "import sys, galvani; print(1, flush=True); galvani.validate_many(sys.argv[1:] * 50)"]
    batch = subprocess.Popen([*asked, str(many)], stdout=subprocess.PIPE)
    assert batch.stdout.readline()
    time.sleep(0.2)
    batch.kill()
    assert batch.wait(timeout=30) == -signal.SIGKILL
    assert sorted(many.iterdir()) == before


def test_others_go_on_while_something_is_done():
    """Python counts on while a picture is drawn: the longest stop is a part of it only."""
    walker = galvani.open(SAMPLES["walker.msh"], name="walker.msh")
    moments, done = [], threading.Event()

    def draw():
        walker.render(size=(1500, 1500))
        done.set()

    start = time.monotonic()
    worker = threading.Thread(target=draw)
    worker.start()
    while not done.is_set():
        moments.append(time.monotonic())
        time.sleep(0.001)
    worker.join()
    taken = time.monotonic() - start
    stops = [b - a for a, b in zip([start, *moments], moments, strict=False)]
    assert len(moments) > 5 and max(stops) < max(taken / 2, 0.2), (taken, max(stops))


def test_one_document_serves_several_threads():
    document = galvani.open(SAMPLES["lantern.mdx"], name="lantern.mdx")
    wanted = document.sample("Walk", range(100)).matrix.tobytes()
    wrong = []

    def work():
        for _ in range(20):
            if document.sample("Walk", range(100)).matrix.tobytes() != wanted:
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
