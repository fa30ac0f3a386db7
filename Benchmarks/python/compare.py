"""Compares packages that render MIDI to arrays: the same songs, SoundFont and machine, one process for each package.

usage: compare.py SOUNDFONT SONG...

It prints the length of the rendered audio, the wall and processor time, the peak memory, and what a package ignores: a
song that differs in one respect is rendered twice, and the respect is ignored if the samples are equal.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

from packages import PACKAGES

RATE = 48000
JOBS = "portative, render_many(jobs=2)"
NAMES = ["portative", "portative, without effects", JOBS, "pretty_midi", "symusic", "tinysoundfont", "midirenderer"]


def number(value):
    data = [value & 127]
    while value := value >> 7:
        data.insert(0, value & 127 | 128)
    return bytes(data)


def write(path, events):
    body = b""
    last = 0
    for tick, event in [*sorted(events, key=lambda event: event[0]), (1920, b"\xff\x2f\x00")]:
        body += number(tick - last) + event
        last = tick
    with open(path, "wb") as file:
        file.write(b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x01\xe0MTrk" + len(body).to_bytes(4, "big") + body)


NOTE = [(480, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40")]
# Each respect: the events of two songs that FluidSynth plays differently.
RESPECTS = {
    "volume (CC 7)": ([(0, b"\xb0\x07\x20"), *NOTE], NOTE),
    "expression during a note (CC 11)": ([(700, b"\xb0\x0b\x10"), *NOTE], NOTE),
    "pan (CC 10)": ([(0, b"\xb0\x0a\x10"), *NOTE], NOTE),
    "sustain pedal (CC 64)": ([(0, b"\xb0\x40\x7f"), *NOTE], NOTE),
    "sostenuto pedal (CC 66)": ([(600, b"\xb0\x42\x7f"), *NOTE], NOTE),
    "pitch bend": ([(700, b"\xe0\x00\x60"), *NOTE], NOTE),
    "bend range (RPN 0)": (
        [(0, b"\xb0\x65\x00"), (0, b"\xb0\x64\x00"), (0, b"\xb0\x06\x0c"), (100, b"\xe0\x00\x60"), *NOTE], [(100, b"\xe0\x00\x60"), *NOTE],
    ),
    "modulation (CC 1)": ([(0, b"\xb0\x01\x7f"), *NOTE], NOTE),
    "channel pressure": ([(0, b"\xd0\x7f"), *NOTE], NOTE),
    "reverb send (CC 91)": ([(0, b"\xb0\x5b\x7f"), *NOTE], [(0, b"\xb0\x5b\x00"), *NOTE]),
    "chorus send (CC 93)": ([(0, b"\xb0\x5d\x7f"), *NOTE], [(0, b"\xb0\x5d\x00"), *NOTE]),
    "tempo changes": ([(240, b"\xff\x51\x03\x0f\x42\x40"), *NOTE], NOTE),
    "onset one frame later": ([(481, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40"), (0, b"\xff\x51\x03\x00\x27\x11")], [(480, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40"), (0, b"\xff\x51\x03\x00\x27\x11")]),
}  # fmt: skip


def same(a, b):
    return a.shape == b.shape and np.array_equal(a, b)


def measure(name, font, songs):
    package = PACKAGES["portative" if name == JOBS else name](font, RATE)
    result = {"seconds": 0.0, "failed": 0, "ignores": []}
    begin = time.perf_counter(), time.process_time()
    if name == JOBS:
        result["seconds"] = sum(rendering.duration for rendering in package.synthesizer.render_many(songs, jobs=2))
    else:
        for song in songs:
            try:
                result["seconds"] += package.render(song).shape[-1] / package.rate
            except Exception as error:
                result["failed"] += 1
                print(f"{name}: {song}: {error}", file=sys.stderr)
    result["wall"] = time.perf_counter() - begin[0]
    result["processor"] = time.process_time() - begin[1]
    result["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if "," not in name:
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, n) for n in ("a.mid", "b.mid")]
            for respect, events in RESPECTS.items():
                for path, listed in zip(paths, events):
                    write(path, listed)
                try:
                    if same(*(package.render(path) for path in paths)):
                        result["ignores"].append(respect)
                except Exception as error:
                    result["ignores"].append(f"{respect} (fails: {error})")
    return result


def main():
    if sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], sys.argv[3], sys.argv[4:])))
        return
    print("| package | audio | wall time | × real time | processor time | peak memory | ignores |\n|---|---|---|---|---|---|---|")
    for name in NAMES:
        done = subprocess.run([sys.executable, __file__, "--one", name, *sys.argv[1:]], capture_output=True, text=True)
        if done.returncode:
            print(f"| {name} | failed: {done.stderr.strip().splitlines()[-1]} | | | | | |", flush=True)
            continue
        result = json.loads(done.stdout.splitlines()[-1])
        failed = f", {result['failed']} failed" if result["failed"] else ""
        print(
            f"| {name} | {result['seconds']:.0f} s{failed} | {result['wall']:.1f} s | {result['seconds'] / result['wall']:.0f} | "
            f"{result['processor']:.1f} s | {result['memory']:.0f} MB | {', '.join(result['ignores']) or '–'} |", flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
