#!/usr/bin/env python3
"""Runs a part of all attacks: run.py PROGRAM [--part K/N] [KIND ...]

Each kind has a number of inputs. Part K of N has its K-th Nth of them, and no other: the number of an input is its seed. A
piece, a kind's inputs in a part, is recorded in results.jsonl with its resources, its finds or its failure. What has passed
at this commit is skipped; what has failed is run again. At the end, the table of Documentation/Endurance.md is written.
"""

import argparse
import collections
import dataclasses
import datetime
import pathlib
import platform
import random
import re
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True

import clients
import files
import library
import panel
import record
import workers
from user import User

Kind = collections.namedtuple("Kind", ["total", "what", "run"])


@dataclasses.dataclass
class Piece:
    """The inputs of a kind in a part, and what is counted, found and used while they are run."""

    name: str
    inputs: range
    program: pathlib.Path
    folder: pathlib.Path
    counts: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    found: list = dataclasses.field(default_factory=list)
    resources: str = ""

    def source(self, number):
        """The random generator of an input."""
        return random.Random(f"{self.name} {number}")


def on_user(attack):
    """A kind whose programs have the folders of a user of their own."""

    def run(piece):
        with User(piece.program) as user:
            piece.resources = attack(user, piece)

    return run


def kills(function):
    def attack(user, piece):
        result = function(user, len(piece.inputs), piece.source(piece.inputs.start))
        piece.counts["kills"] += len(piece.inputs)
        return result

    return on_user(attack)


# Of a hundred mutated songs, five cannot be read. More than a million are rendered.
KINDS = {
    "songs": Kind(1_100_000, "mutated MIDI files, the first second rendered", files.songs),
    "fonts": Kind(100_000, "mutated SoundFonts that play", files.fonts),
    "page-requests": Kind(100_000, "malformed HTTP requests to the panel", on_user(panel.requests)),
    "page-messages": Kind(100_000, "malformed messages of an admitted page", on_user(panel.messages)),
    "node-messages": Kind(1_000_000, "malformed messages to a node", library.tests("random messages do no harm")),
    "unit-messages": Kind(1_000_000, "malformed messages about a unit", library.tests("UnitNonsenseTests")),
    "host-messages": Kind(1_000_000, "malformed messages to a host", library.tests("HostNonsenseTests")),
    "node-cycles": Kind(1_000_000, "cycles of a node while a host scribbles", library.tests("ScribbleTests.*a node")),
    "host-cycles": Kind(1_000_000, "cycles of a host while a node scribbles", library.tests("ScribbleTests.*a host")),
    "node-memory": Kind(1_000_000, "cycles whose memory is random, beside other hosts", library.tests(r"\.NonsenseTests")),
    "faults": Kind(100, "repetitions of all other fault tests", library.tests(
        r"\.(NodeFaultTests|HostFaultTests)|does not read its answers", is_counting=False)),
    "players": Kind(1000, "kills of players", kills(clients.players)),
    "plugins": Kind(1000, "kills of hosts of the LV2 plugin", kills(clients.plugins)),
    "pages": Kind(1000, "aborted connections of pages", kills(clients.pages)),
    "members": Kind(1000, "kills of `portative-link`", kills(workers.members)),
    "renderers": Kind(1000, "kills of the processes that render", kills(workers.renderers)),
    "servers": Kind(1000, "kills of servers", kills(workers.servers)),
    "hosts": Kind(1000, "kills of hosts of the library", library.tests("KillTests.*a node has")),
    "nodes": Kind(1000, "kills of nodes of the library", library.tests("KillTests.*a host has")),
}  # fmt: skip


def part(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"must be K/N with K from 1 to N, as 3/20, but was '{text}'")
    return int(match[1]), int(match[2])


def run(piece):
    """Runs a piece, and returns the failure or None."""
    try:
        KINDS[piece.name].run(piece)
    except SystemExit as failure:
        return str(failure)
    except Exception as failure:
        traceback.print_exc()
        return repr(failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--part", type=part, default=(1, 20), metavar="K/N")
    options = parser.parse_intermixed_args()
    if unknown := [name for name in options.kinds if name not in KINDS]:
        parser.error(f"KIND must be one of {', '.join(KINDS)}, but was '{unknown[0]}'")
    number, parts = options.part
    commit = record.commit()
    fluidsynth = subprocess.run([options.program, "--version"], check=True, capture_output=True, text=True).stdout
    hasFailed = False
    for name in options.kinds or KINDS:
        total = KINDS[name].total
        inputs = range(total * (number - 1) // parts, total * number // parts)
        piece = Piece(name, inputs, options.program, record.ROOT / ".build/endurance")
        same = [result for result in record.results() if result["commit"] == commit and not commit.endswith("+")]
        if not inputs or record.is_covered(name, inputs, same):
            print(f"{name} {number}/{parts}: {'passed before at ' + commit if inputs else 'has no input'}", flush=True)
            continue
        begin = time.monotonic()
        failure = run(piece)
        seconds = round(time.monotonic() - begin)
        record.append({
            "kind": name, "part": f"{number}/{parts}", "first": inputs.start, "count": len(inputs), "commit": commit,
            "fluidsynth": re.search(r"FluidSynth (\S+)", fluidsynth)[1], "machine": platform.machine(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M"), "seconds": seconds,
            "counts": piece.counts, "resources": piece.resources, "found": piece.found, "failure": failure,
        })  # fmt: skip
        hasFailed = hasFailed or failure is not None
        summary = ", ".join(f"{count} {what}" for what, count in sorted(piece.counts.items()))
        print(f"{name} {number}/{parts}, inputs {inputs.start} to {inputs.stop - 1}: {failure or 'passed'}; {summary}; "
              f"{piece.resources}; {seconds} s", flush=True)  # fmt: skip
    record.write_table(KINDS)
    sys.exit(hasFailed)


main()
