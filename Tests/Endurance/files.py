"""Mutated SoundFonts and MIDI files, which are rendered in batches by the program itself."""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import soundfonts
from record import ROOT


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


def mutate_bytes(source, data):
    """Changes, drops, repeats and inserts some bytes."""
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


SMALL = soundfonts.small(random.Random(0)).encoded()
PLAIN = song()
DEMO = (ROOT / "SoundFonts/demo.mid").read_bytes()[:6000]
BATCH = 1000


def songs(piece):
    """The first second of mutated songs, with a small SoundFont."""

    def files(source):
        return {"input": mutate_bytes(source, source.choice([PLAIN, DEMO])), "soundfont": SMALL}

    render(piece, files, ["--to", "1", "--tail", "exact", "--rate", "11025"])


def fonts(piece):
    """A song that plays all presets of each mutated SoundFont."""

    def files(source):
        return {"input": PLAIN, "soundfont": soundfonts.mutate(source, SMALL)}

    render(piece, files, ["--to", "5", "--max-tail", "2", "--rate", "22050"])


def render(piece, files, options):
    """Renders batches. Each song must be in the report of its batch, once, and no batch may end by a signal.

    Inputs that FluidSynth did not survive are copied to the folder found.
    """
    endings = {"input": "mid", "soundfont": "sf2"}
    with tempfile.TemporaryDirectory(prefix="portative-files-") as folder:
        folder = pathlib.Path(folder)
        for start in range(piece.inputs.start, piece.inputs.stop, BATCH):
            numbers = range(start, min(start + BATCH, piece.inputs.stop))
            with (folder / "manifest.jsonl").open("w") as manifest:
                for number in numbers:
                    line = {"output": f"{number}.wav"}
                    for name, data in files(piece.source(number)).items():
                        line[name] = f"{folder}/{'same' if data in (PLAIN, SMALL) else number}.{endings[name]}"
                        pathlib.Path(line[name]).write_bytes(data)
                    manifest.write(json.dumps(line) + "\n")
            result = subprocess.run(
                [piece.program, "render", "--quiet", "--overwrite", "--max-stall", "20", *options,
                 "--manifest", manifest.name, "-d", folder / "audio", "--report", folder / "report.json"],
                stderr=subprocess.PIPE, text=True, errors="replace")  # fmt: skip
            if result.returncode not in (0, 1, 3, 5):
                sys.exit(f"the batch from input {start} ended with {result.returncode}: {result.stderr[-2000:]}")
            report = json.loads((folder / "report.json").read_text())
            if sorted(entry["index"] for entry in report["songs"] + report["errors"]) != list(range(len(numbers))):
                sys.exit(f"the report of the batch from input {start} has not each song once")
            piece.counts["rendered"] += len(report["songs"])
            for error in report["errors"]:
                check(piece, error["message"], numbers[error["index"]], folder)
            for path in [*folder.glob("*.mid"), *folder.glob("*.sf2")]:
                path.unlink()
            shutil.rmtree(folder / "audio", ignore_errors=True)


def check(piece, message, number, folder):
    if not any(words in message for words in ("was ended by", "made no progress", "ended the process")):
        piece.counts["refused"] += 1
        return
    piece.found.append(f"{number}: {message}")
    found = piece.folder / "found"
    found.mkdir(parents=True, exist_ok=True)
    for path in folder.glob(f"{number}.*"):
        shutil.copy(path, found / f"{piece.name}-{path.name}")
