"""The folder of the sources is the working folder, as the examples expect; random numbers have a seed."""
import os
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.chdir(ROOT)


@pytest.fixture
def random():
    return np.random.default_rng(1988)


@pytest.fixture(autouse=True)
def in_sources(monkeypatch):
    monkeypatch.chdir(ROOT)
