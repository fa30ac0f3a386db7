#!/usr/bin/env python3
"""Renders songs with several versions of FluidSynth, which must choose the same presets and leave out nothing in silence:

corpus.py PROGRAM FOLDER [--suite SUITE]... [--soundfont FILE] [--songs N] [--seed S]

FOLDER has MIDI files, at any depth. SUITE is a Debian suite whose FluidSynth is used besides the installed one (trixie
and unstable; none for no other). Fails if

- labels, substituted presets, repairs or messages without effect differ between the versions;
- a song that mido reads has System Exclusive messages of unknown meaning, or controllers without one, that the report
  does not list;
- a song with several ports is played with fewer.

Files that neither reads are counted. Nothing of the songs is kept.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import mido

TESTS = pathlib.Path(__file__).resolve().parents[1]
ENDINGS = {".mid", ".midi", ".kar", ".rmi"}
BATCH = 64

# Controllers to which neither FluidSynth nor its default modulators respond.
UNUSED = set(range(102, 120))


def render(command, songs, folder, soundfont):
    """Renders a batch, and returns the reports and labels by song."""
    manifest = folder / "manifest"
    manifest.write_text("".join(json.dumps({"input": str(song), "output": f"{i}.raw"}) + "\n" for i, song in enumerate(songs)))
    audio, report = folder / "audio", folder / "report.json"
    options = ["--rate", "22050", "--reverb", "off", "--chorus", "off", "--labels", "jsonl"]
    if soundfont:
        options += ["--soundfont", soundfont]
    subprocess.run([*command, "render", "--quiet", "--format", "raw", *options, "--report", report, "-d", audio, "--manifest", manifest],
                   stderr=subprocess.DEVNULL, check=False)
    results = {}
    for song in json.loads(report.read_text())["songs"]:
        labels = pathlib.Path(song["output"]).with_suffix(".jsonl").read_text()
        notes = [json.loads(line) for line in labels.splitlines() if '"type":"note"' in line]
        results[song["input"]] = (song, [
            {name: note[name] for name in ("note", "port", "channel", "bank", "program", "key", "onset", "keyRelease")}
            for note in notes])
    subprocess.run(["rm", "-r", "--", audio], check=True)
    return results


class Contents:
    """What mido finds in a song."""

    def __init__(self, path, seconds):
        self.kinds = collections.Counter()
        self.unknown_sysex = 0
        self.unused_controllers = collections.Counter()
        ports = set()
        song = mido.MidiFile(path, clip=True)
        for track in song.tracks:
            # A track without a port of its own plays on the first.
            port = 0
            for message in track:
                if message.type == "midi_port":
                    port = message.port
                elif message.type == "note_on" and message.velocity:
                    ports.add(port)
        self.ports = len(ports)
        if song.type == 2:
            return
        now = 0
        for message in song:
            now += message.time
            if now > seconds:
                break
            if message.type == "sysex":
                kind = self.meaning(message.data)
                self.kinds[kind] += 1
                self.unknown_sysex += kind == "unknown"
            elif message.type == "control_change" and message.control in UNUSED and message.value:
                self.unused_controllers[message.control] += 1

    @staticmethod
    def meaning(data):
        if len(data) > 5 and data[0] == 0x41 and data[2] == 0x42 and data[3] == 0x12:
            return "GS"
        if len(data) > 5 and data[0] == 0x43 and data[1] & 0xF0 == 0x10 and data[2] == 0x4C:
            return "XG"
        if len(data) > 3 and data[0] == 0x7E and data[2] in (8, 9):
            return "GM"
        if len(data) > 3 and data[0] == 0x7F and data[2] in (4, 8):
            return "universal"
        return "unknown"


def unreported(song, contents):
    """The faults of a report, as texts."""
    ignored = song.get("ignored", [])
    listed = sum(entry["count"] for entry in ignored if entry["category"] == "sysex")
    if listed < contents.unknown_sysex:
        yield f"{contents.unknown_sysex} SysEx messages of unknown meaning, but {listed} in the report"
    for controller, count in contents.unused_controllers.items():
        listed = sum(entry["count"] for entry in ignored if entry["kind"] == f"CC {controller}")
        # The marks of loops are no controllers without effect.
        if listed < count and "loop" not in song:
            yield f"{count} x CC {controller}, but {listed} in the report"
    ports = len(song.get("ports", [])) or 1
    if ports < contents.ports:
        yield f"{contents.ports} ports, but {ports} are played"


def differences(first, other):
    """What differs between the results of two versions."""
    for name in ("missingPresets", "ignored", "repairs", "ports", "notes"):
        if first[0].get(name) != other[0].get(name):
            yield name
    if first[1] != other[1]:
        differing = sum(a != b for a, b in zip(first[1], other[1])) + abs(len(first[1]) - len(other[1]))
        yield f"labels of {differing} notes"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--suite", action="append")
    parser.add_argument("--soundfont")
    parser.add_argument("--songs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    suites = [suite for suite in arguments.suite or ["trixie", "unstable"] if suite != "none"]
    program = os.path.abspath(arguments.program)
    commands = {"installed": [program]} | {suite: [TESTS / "FluidSynths/run", suite, program] for suite in suites}

    songs = sorted(path.resolve() for path in arguments.folder.rglob("*") if path.suffix.lower() in ENDINGS)
    if arguments.songs and arguments.songs < len(songs):
        songs = sorted(random.Random(arguments.seed).sample(songs, arguments.songs))
    if not songs:
        sys.exit(f"no MIDI files in {arguments.folder}")
    counts, kinds, failed = collections.Counter(), collections.Counter(), 0
    for start in range(0, len(songs), BATCH):
        batch = songs[start : start + BATCH]
        results = {}
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                results[name] = render(command, batch, pathlib.Path(folder), arguments.soundfont)
        for song in map(str, batch):
            first = results["installed"].get(song)
            faults = []
            for name in suites:
                other = results[name].get(song)
                if (first is None) != (other is None):
                    faults.append(f"rendered only without or only with {name}")
                elif first:
                    faults += [f"{name}: {difference}" for difference in differences(first, other)]
            if first is None:
                counts["not rendered"] += 1
            else:
                counts["rendered"] += 1
                counts["notes"] += len(first[1])
                kinds["several ports"] += len(first[0].get("ports", [])) > 1
                try:
                    contents = Contents(song, first[0]["seconds"])
                except Exception:  # mido refuses many damaged files, with as many exceptions.
                    counts["not read by mido"] += 1
                else:
                    kinds.update(contents.kinds.keys())
                    faults += unreported(first[0], contents)
            failed += bool(faults)
            for fault in faults:
                print(f"{song}: {fault}", flush=True)
        print(f"{min(start + BATCH, len(songs))} of {len(songs)}: {dict(counts)}; songs with {dict(kinds)}", flush=True)
    if failed:
        sys.exit(f"{failed} songs failed")


if __name__ == "__main__":
    main()
