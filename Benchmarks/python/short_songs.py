"""Compares what a short song costs in Python and in the command, which also writes its files.

usage: short_songs.py PROGRAM SOUNDFONT [SONGS [ROUNDS]]

Songs of 12 notes in 2 s, at 16 kHz, on one thread each. The two take turns; it prints the milliseconds of processor time
and of wall time for each song, start included, the median of the rounds.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from compare import number

RATE = 16000

IN_PYTHON = """
import pathlib, sys
import portative
synthesizer = portative.Synthesizer(sys.argv[1], rate=int(sys.argv[2]))
for path in sorted(pathlib.Path(sys.argv[3]).iterdir()):
    rendering = synthesizer.render(path)
    rendering.audio, rendering.labels
"""


def song(seed):
    """Returns a MIDI file in which a tick lasts a millisecond."""
    chance = np.random.default_rng(seed)
    events = []
    for start in chance.integers(0, 2000, 12):
        key, velocity = int(chance.integers(40, 80)), int(chance.integers(20, 127))
        events += [(int(start), bytes([0x90, key, velocity])), (int(start + chance.integers(50, 600)), bytes([0x80, key, 0]))]
    track, last = b"", 0
    for tick, event in sorted(events):
        track += number(tick - last) + event
        last = tick
    track += b"\0\xff\x2f\0"
    return b"MThd" + bytes([0, 0, 0, 6, 0, 0, 0, 1, 1, 0xF4]) + b"MTrk" + len(track).to_bytes(4, "big") + track


def cost(command):
    """Runs a program, and returns its processor and wall time in seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - begin


def main():
    program, font = sys.argv[1:3]
    count, rounds = [int(text) for text in sys.argv[3:]] + [10000, 3][len(sys.argv) - 3 :]
    with tempfile.TemporaryDirectory() as folder:
        songs = os.path.join(folder, "songs")
        os.mkdir(songs)
        for index in range(count):
            with open(os.path.join(songs, f"{index:06}.mid"), "wb") as file:
                file.write(song(index))
        render = [program, "render", "--quiet", "--overwrite", "--soundfont", font, "--rate", str(RATE), "--bits", "32f",
                  "--jobs", "1", "-d", os.path.join(folder, "audio"), songs]  # fmt: skip
        ways = {
            "Python, audio and labels": [sys.executable, "-c", IN_PYTHON, font, str(RATE), songs],
            "the command, audio": render,
            "the command, audio and labels": [*render, "--labels", "npz"],
        }
        costs = {name: [] for name in ways}
        for _ in range(rounds):
            for name, command in ways.items():
                costs[name].append(cost(command))
    for name, values in costs.items():
        processor, wall = (statistics.median(value) / count * 1e3 for value in zip(*values))
        print(f"{name}: {processor:.2f} ms of processor time, {wall:.2f} ms of wall time for each of {count} songs")


if __name__ == "__main__":
    main()
