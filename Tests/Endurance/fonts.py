#!/usr/bin/env python3
"""Renders songs with mutated SoundFonts and with mutated MIDI files, in batches of the program itself:

fonts.py PROGRAM FOLDER [--fonts N] [--songs N] [--seed S] [--batch N]

Fails if a batch does not report each song, once, or ends by a signal. Inputs that FluidSynth did not survive are
copied to FOLDER/found.
"""

import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys

import soundfonts

BUNDLED = pathlib.Path(__file__).resolve().parents[2] / "SoundFonts"


def number(value):
    """A number of a MIDI file, of variable length."""
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))


def song():
    """Plays all presets of the small SoundFont, over the keyboard, with controllers that modulate."""
    events = []
    for program in range(4):
        for channel in (0, 9):
            events += [(0, [0xC0 | channel, program]), (0, [0xB0 | channel, 1, 90]), (0, [0xE0 | channel, 0, 100])]
            for key in range(0, 128, 16):
                events.append((0, [0x90 | channel, key, 1 + (37 * key + 50) % 127]))
            events.append((0, [0xB0 | channel, 5, 20]))
            for index, key in enumerate(range(0, 128, 16)):
                events.append((0 if index else 24, [0x80 | channel, key, 0]))
    track = b"".join(number(delta) + bytes(message) for delta, message in events) + bytes([0, 0xFF, 0x2F, 0])
    return b"MThd" + (6).to_bytes(4, "big") + bytes([0, 0, 0, 1, 0, 96]) + b"MTrk" + len(track).to_bytes(4, "big") + track


def mutate_song(source, data):
    data = bytearray(data)
    for _ in range(source.choice([1, 1, 2, 4, 16])):
        place = source.randrange(len(data))
        action = source.randrange(5)
        if action == 0:
            data[place] = source.choice([0, 1, 0x7F, 0x80, 0xF0, 0xF7, 0xFF, source.randrange(256)])
        elif action == 1:
            data[place] ^= 1 << source.randrange(8)
        elif action == 2:
            del data[place : place + source.randrange(1, 9)]
        elif action == 3:
            data[place:place] = data[source.randrange(len(data)) :][: source.randrange(1, 40)]
        else:
            data[place:place] = bytes(source.randrange(256) for _ in range(source.randrange(1, 5)))
        data = data or bytearray(1)
    return bytes(data)


class Batches:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.found = folder / "found"
        self.found.mkdir(parents=True, exist_ok=True)
        self.counts = collections.Counter()

    def render(self, kind, files, manifest):
        """Renders a batch, and checks that each song is in the report once."""
        work, report = self.folder / "audio", self.folder / "report.json"
        lines = self.folder / "batch.jsonl"
        lines.write_text("".join(json.dumps(line) + "\n" for line in manifest))
        command = [self.program, "render", "--quiet", "--overwrite", "--to", "5", "--max-tail", "2",
                   "--max-stall", "20", "--rate", "22050", "--manifest", lines, "-d", work, "--report", report]  # fmt: skip
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
        if result.returncode not in (0, 1, 3, 5):
            sys.exit(f"the batch ended with {result.returncode}: {result.stderr[-2000:]}")
        entries = json.loads(report.read_text())
        indices = sorted(entry["index"] for entry in entries["songs"] + entries["errors"])
        if indices != list(range(len(manifest))):
            sys.exit(f"{len(manifest) - len(set(indices))} songs are missing from the report")
        self.counts[f"{kind} rendered"] += len(entries["songs"])
        for error in entries["errors"]:
            message = error["message"]
            isFault = "was ended by" in message or "made no progress" in message or "ended the process" in message
            self.counts[f"{kind} that FluidSynth did not survive" if isFault else f"{kind} refused"] += 1
            if isFault:
                shutil.copy(files[error["index"]], self.found)
                print(message, flush=True)
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--fonts", type=int, default=1000)
    parser.add_argument("--songs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=500)
    options = parser.parse_args()
    inputs = options.folder / "inputs"
    shutil.rmtree(options.folder, ignore_errors=True)
    inputs.mkdir(parents=True)
    batches = Batches(options.program, options.folder)
    base = soundfonts.small(random.Random(0)).encoded()
    small, plain = options.folder / "small.sf2", options.folder / "plain.mid"
    small.write_bytes(base)
    plain.write_bytes(song())
    demo = (BUNDLED / "demo.mid").read_bytes()[:6000]
    for kind, count in [("fonts", options.fonts), ("songs", options.songs)]:
        for start in range(0, count, options.batch):
            files, manifest = [], []
            for index in range(start, min(start + options.batch, count)):
                source = random.Random(f"{options.seed} {kind} {index}")
                file = inputs / f"{options.seed}-{index}.{'sf2' if kind == 'fonts' else 'mid'}"
                isFont = kind == "fonts"
                file.write_bytes(
                    soundfonts.mutate(source, base) if isFont else mutate_song(source, source.choice([song(), demo]))
                )
                files.append(file)
                manifest.append({"input": str(plain if isFont else file), "soundfont": str(file if isFont else small),
                                 "output": f"{index}.wav"})  # fmt: skip
            batches.render(kind, files, manifest)
            for file in files:
                file.unlink()
    for name, count in sorted(batches.counts.items()):
        print(f"{count} {name}")


main()
