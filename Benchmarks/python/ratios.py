"""Compares the processor time of packages in turns: on a machine that others use too, each sees the same load.

usage: ratios.py SOUNDFONT PACKAGES [--rate 44100] [--rounds 5] [--short N] SONG...

PACKAGES are names of packages.py, separated by semicolons; ratios are to the first. Each has a process that is started
once, so neither Python's start nor what it loads once counts. In each round, each renders all songs, or N short ones
of short_songs.py. It prints the median of the rounds, and the lowest and highest ratio.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

from packages import PACKAGES


def work(name, font, rate):
    """Renders the lists of paths of standard input, and answers with the processor time of each."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    package = PACKAGES[name](font, rate)
    for line in sys.stdin:
        begin, frames = time.process_time(), 0
        for path in json.loads(line):
            frames += np.shape(package.render(path))[-1]
        print(json.dumps([time.process_time() - begin, frames / package.rate]), file=answers, flush=True)


def main():
    if sys.argv[1] == "--work":
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("font")
    parser.add_argument("packages", type=lambda text: text.split(";"))
    parser.add_argument("--rate", default="44100")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--short", type=int, default=0)
    parser.add_argument("songs", nargs="*")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.short:
            from short_songs import write_songs

            options.songs += write_songs(folder, options.short)
        workers = {
            name: subprocess.Popen(
                [sys.executable, __file__, "--work", name, options.font, options.rate],
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )
            for name in options.packages
        }  # fmt: skip
        times = {name: [] for name in workers}
        for _ in range(options.rounds):
            for name, worker in workers.items():
                print(json.dumps(options.songs), file=worker.stdin, flush=True)
                times[name].append(json.loads(worker.stdout.readline()))
        for worker in workers.values():
            worker.stdin.close()
            worker.wait()
    first = [processor for processor, _ in times[options.packages[0]]]
    print(f"{len(options.songs)} songs, {options.rounds} rounds in turn, {options.rate} Hz\n")
    print(
        "| package | processor time for each song | audio | × real time | processor time to the first |\n|---|---|---|---|---|"
    )
    for name, rounds in times.items():
        processor, seconds = statistics.median(p for p, _ in rounds), rounds[0][1]
        ratios = sorted(p / f for (p, _), f in zip(rounds, first))
        print(
            f"| {name} | {processor / len(options.songs) * 1e3:.2f} ms | {seconds:.0f} s | {seconds / processor:.0f} | "
            f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) |"
        )


if __name__ == "__main__":
    main()
