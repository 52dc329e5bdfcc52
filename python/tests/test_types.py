"""The stubs say what the module has: mypy's stubtest, where mypy is installed; and the Python side passes mypy."""
import pathlib
import subprocess
import sys

import pytest

import apart

HERE = pathlib.Path(apart.__file__).parent


def run(*command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=HERE.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs():
    pytest.importorskip("mypy")
    # Newer ones ask for a decorator that older ones do not know.
    known = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--help"], capture_output=True, text=True).stdout
    newer = ["--ignore-disjoint-bases"] if "--ignore-disjoint-bases" in known else []
    run("mypy.stubtest", "apart._apart", "--ignore-missing-stub", *newer)


def test_sources():
    pytest.importorskip("mypy")
    run("mypy", "--strict", "--no-error-summary", "-p", "apart")


def test_marked_as_typed():
    assert (HERE / "py.typed").exists()
