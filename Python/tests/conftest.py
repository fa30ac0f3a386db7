"""Helpers of the tests."""

import os
import pathlib
import re

import numpy as np
import pytest

import portative

ROOT = pathlib.Path(os.environ.get("PORTATIVE_ROOT", pathlib.Path(__file__).parents[2]))
FONT = ROOT / "SoundFonts/Portative.sf2"
SONG = ROOT / "SoundFonts/demo.mid"
GUIDE = ROOT / "Documentation/Datasets.md"


@pytest.fixture(scope="session")
def synthesizer():
    return portative.Synthesizer(FONT)


@pytest.fixture(scope="session")
def demo(synthesizer):
    return synthesizer.render(SONG)


@pytest.fixture(scope="session")
def program():
    """The path of the command, if it is built."""
    path = os.environ.get("PORTATIVE_PROGRAM", ROOT / ".build/release/portative")
    if not pathlib.Path(path).exists():
        pytest.skip("the command is not built")
    return path


@pytest.fixture(autouse=True)
def soundfont(monkeypatch):
    """What doctests play with."""
    monkeypatch.setenv("PORTATIVE_SOUNDFONT", str(FONT))


def phrase(count=12, seed=0):
    """Notes at any times."""
    chance = np.random.default_rng(seed)
    starts = np.sort(chance.uniform(0, 2, count))
    return [(start, start + chance.uniform(0.05, 0.6), int(chance.integers(40, 80)), int(chance.integers(20, 127))) for start in starts]


def guide_programs():
    """The Python of the guide, by the headings above it."""
    sections = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    return {heading: re.findall(r"```python\n(.*?)```", text, re.DOTALL) for heading, text in sections}


def resident_bytes():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
