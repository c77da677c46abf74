"""The command, which is asked the same as the wheel, and the files that ship with it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMMAND = os.environ.get("GALVANI_COMMAND", str(ROOT / "target/debug/galvani"))


def ask(*words, codes=(0,)):
    """What the command prints."""
    asked = [COMMAND, *map(str, words)]
    done = subprocess.run(asked, capture_output=True, check=False)
    assert done.returncode in codes, (asked, done.returncode, done.stderr.decode())
    return done.stdout


def ask_json(*words, codes=(0,)):
    return json.loads(ask(*words, "--json", codes=codes))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The samples on disk."""
    folder = tmp_path_factory.mktemp("samples")
    ask("samples", folder)
    return folder


def sample_names():
    """The names of all samples, known before there is a folder."""
    import galvani

    return sorted(galvani.samples())


@pytest.fixture(params=sample_names())
def sample(request, folder):
    """The path of each sample in turn."""
    return folder / request.param
