"""What is public says what it does, with an example that is true, and the types of the stubs are those of the wheel."""

import doctest
import inspect
import subprocess
import sys

import pytest

import galvani

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    """Everything public, by its name."""
    yield "galvani", galvani
    for name in galvani.__all__:
        thing = getattr(galvani, name)
        if not (inspect.isroutine(thing) or inspect.isclass(thing)):
            continue
        yield name, thing
        for own, member in vars(thing).items() if inspect.isclass(thing) else ():
            if not own.startswith("_"):
                yield f"{name}.{own}", member


def texts():
    return [pytest.param(name, thing.__doc__, id=name) for name, thing in documented()]


@pytest.mark.parametrize(("name", "text"), texts())
def test_examples_are_true(name, text):
    assert text, f"{name} says nothing"
    assert "\n>>> " not in text or "galvani." in text
    test = doctest.DocTestParser().get_doctest(text, {"galvani": galvani}, name, name, 0)
    told = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert result.failed == 0, "".join(told)


def test_what_does_something_has_an_example():
    functions = [galvani.open, galvani.diff, galvani.from_gltf, galvani.validate_many, galvani.samples]
    methods = ["validate", "dump", "edit", "undo", "sample", "mesh", "skin", "joints", "image", "render", "to_glb"]
    for thing in functions + [getattr(galvani.Document, name) for name in methods]:
        assert ">>> " in thing.__doc__, thing


def test_the_stubs_are_those_of_the_wheel():
    words = [sys.executable, "-m", "mypy.stubtest", "galvani", "--ignore-missing-stub", "--ignore-disjoint-bases"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_version_is_told():
    assert galvani.__version__.count(".") == 2
