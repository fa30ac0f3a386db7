"""Compares what a short song costs in Python and in the command, which also writes its files.

usage: short_songs.py PROGRAM SOUNDFONT [--rate 16000] [--jobs 1] [SONGS [ROUNDS]]

Songs of 12 notes in 2 s, on as many threads as jobs. The two take turns; it prints the milliseconds of processor time
and of wall time for each song, start included, the median of the rounds.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from compare import number

IN_PYTHON = """
import pathlib, sys
import portative
synthesizer = portative.Synthesizer(sys.argv[1], rate=int(sys.argv[2]))
paths = sorted(pathlib.Path(sys.argv[3]).iterdir())
for rendering in synthesizer.render_many(paths, jobs=int(sys.argv[4]), labels=sys.argv[5] == "labels"):
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


def write_songs(folder, count):
    """Writes songs, and returns their paths."""
    paths = [os.path.join(folder, f"{index:06}.mid") for index in range(count)]
    for index, path in enumerate(paths):
        with open(path, "wb") as file:
            file.write(song(index))
    return paths


def cost(command):
    """Runs a program, and returns its processor and wall time in seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("font")
    parser.add_argument("--rate", default="16000")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("songs", type=int, nargs="?", default=10000)
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        songs = os.path.join(folder, "songs")
        os.mkdir(songs)
        count = len(write_songs(songs, options.songs))
        render = [options.program, "render", "--quiet", "--overwrite", "--soundfont", options.font, "--rate", options.rate, "--bits", "32f",
                  "--jobs", options.jobs, "-d", os.path.join(folder, "audio"), songs]  # fmt: skip
        python = [sys.executable, "-c", IN_PYTHON, options.font, options.rate, songs, options.jobs]
        ways = {
            "Python, audio": [*python, "audio"],
            "Python, audio and labels": [*python, "labels"],
            "the command, audio": render,
            "the command, audio and labels": [*render, "--labels", "npz"],
        }
        costs = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, command in ways.items():
                costs[name].append(cost(command))
    for name, values in costs.items():
        processor, wall = (statistics.median(value) / count * 1e3 for value in zip(*values))
        print(f"{name}: {processor:.2f} ms of processor time, {wall:.2f} ms of wall time for each of {count} songs")


if __name__ == "__main__":
    main()
