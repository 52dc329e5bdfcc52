"""Every public name has a docstring with an example, and every example runs: docstrings, the guide, the programs."""
import doctest
import inspect
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import apart
import apart.trimesh

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

#: What a query answers with is shown by the example of the query, and what a module has by its own.
ANSWERS = {"Approach", "Array", "Body", "Contact", "Mesh", "SceneContact", "ScenePair", "ShapeInfo", "Slope", "Span",
           "Step", "Twist", "Witness", "trimesh"}


def documented():
    yield "apart", apart
    for name in apart.__all__:
        yield name, getattr(apart, name)
    for owner in (apart.Shape, apart.Scene, apart.Motion, apart.trimesh.CollisionManager):
        for name, member in vars(owner).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, (classmethod, staticmethod))):
                yield f"{owner.__name__}.{name}", getattr(owner, name)
    yield "CollisionManager", apart.trimesh.CollisionManager


def run(name, text, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert failed == 0, f"{name}: {failed} of {tried} examples differ"
    return tried


@pytest.mark.parametrize("name,what", list(documented()), ids=lambda x: x if isinstance(x, str) else "")
def test_docstrings(name, what):
    text = inspect.getdoc(what)
    assert text, f"{name} has no docstring"
    tried = run(name, text, {"apart": apart, "np": np})
    assert tried > 0 or name in ANSWERS, f"{name} has no example"


@pytest.mark.parametrize("name,least", [("README.md", 2), ("docs/python.md", 20)])
def test_pages(name, least):
    page = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert run(name, "\n".join(blocks), {}) >= least


@pytest.mark.parametrize("program", sorted((ROOT / "python" / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples(program, tmp_path):
    done = subprocess.run([sys.executable, str(program), str(tmp_path)], capture_output=True, text=True, timeout=300)
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert done.stdout
