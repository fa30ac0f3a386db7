"""A package that is tried by a task of judges.py, and how its samples are compared."""

import ast
import inspect
import os
import sys
import textwrap

import numpy as np

import packages

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Labels"))
import levelfont
import midi  # noqa: F401 (for judges.py)

RATE = 48000
FOLDER = os.path.dirname(os.path.abspath(__file__))


class Candidate:
    """A package, and what a task needs to try it."""

    def __init__(self, name, font, song, instrument, folder):
        self.kind, self.font, self.song, self.instrument, self.folder = (
            packages.PACKAGES[name],
            font,
            song,
            instrument,
            folder,
        )
        self.name = name
        self.level = os.path.join(folder, "level.sf2")
        # A SoundFont whose notes have one level from their first frame on.
        levelfont.write(self.level)

    def make(self, font=None, rate=RATE):
        """The package with a SoundFont, or if it plays none, with the instrument."""
        return self.kind((font or self.font) if self.kind.plays_soundfonts else self.instrument, rate)

    def has(self, method):
        return hasattr(self.kind, method)

    def yes(self, *methods):
        """ "yes", or with glue if one of the methods has more than two statements."""
        return "yes (glue)" if any(lines(getattr(self.kind, method)) > 2 for method in methods) else "yes"

    def command(self, what):
        """The command that does `what` for this package in a process of its own."""
        return [
            sys.executable,
            os.path.join(FOLDER, "tasks.py"),
            "--one",
            what,
            self.name,
            self.font,
            self.song,
            self.instrument,
        ]

    def path(self, name):
        return os.path.join(self.folder, name)


def lines(function):
    """The number of statements of a method and of what it calls in packages.py, without imports and `with` lines."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    skipped = (ast.Import, ast.With, ast.FunctionDef)
    count = sum(isinstance(node, ast.stmt) and not isinstance(node, skipped) for node in ast.walk(tree))
    count -= ast.get_docstring(tree.body[0]) is not None
    if function is not packages.read_wave and "read_wave(" in inspect.getsource(function):
        count += lines(packages.read_wave)
    if count > 8:
        raise ValueError(f"{function.__qualname__} has {count} statements: more than glue")
    return count


def flat(audio):
    """The first channel of samples, as floats."""
    return np.atleast_2d(audio)[0].astype(float)


def alike(a, b):
    """Whether two sounds are of one instrument: the levels of sixths of octaves, to the loudest, differ by less than 4 dB.

    The same instrument differs by at most 2 dB, as the chorus is in another phase, and another one by 14 dB or more.
    """
    size = min(len(a), len(b))
    if not a[:size].any() or not b[:size].any():
        return False
    edges = np.unique((40 * 2 ** (np.arange(54) / 6) * size / RATE).astype(int))
    levels = []
    for sound in (a, b):
        energy = np.abs(np.fft.rfft(sound[:size] * np.hanning(size))) ** 2
        decibels = 10 * np.log10(np.add.reduceat(energy, edges[edges < len(energy)])[:-1] + 1e-20)
        levels.append(decibels - decibels.max())
    return np.mean(np.abs(levels[0] - levels[1])[np.maximum(*levels) > -40]) < 4


def onsets(audio, expected, rate):
    """The frames on which notes begin, each searched from 0.1 s before the expected one."""
    audio = np.abs(flat(audio))
    found = []
    for frame in expected:
        begin = max(frame - rate // 10, 0)
        window = audio[begin : frame + rate // 5]
        if not window.any():
            return None
        found.append(begin + int(np.argmax(window > window.max() / 2)))
    return found
