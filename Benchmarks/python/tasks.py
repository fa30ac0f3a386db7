"""Gives packages twelve tasks of a researcher who makes audio from MIDI, and prints a table of what they did.

usage: tasks.py SOUNDFONT SONG [--instrument VST3] [--packages A;B] [--tasks A;B]

`judges.py` has the tasks: each gives a package songs, and judges the samples that it returns. A cell is

yes           the result is right, with a call or two of the package.
yes (glue)    it is right, with a few more lines by the user, at most eight, around calls that the package documents.
              They are the methods of packages.py, or for the tracks of a package without them, `tracks_by_mido`.
partly: …     some of it is right, or as right as the text says.
no: …         the result is wrong, or the package has no way.
not run: …    the package is missing here, or needs what was not given.

Hosts of plug-ins play no SoundFont. VST3 is the instrument Probe for them (the folder `probe`), whose samples show
which messages arrive on which frames: they are judged by what they pass on. Each cell has a process of its own, with a
time limit. The speed is that of SONG, by processor time.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import warnings

import packages

COLUMNS = [
    "portative",
    "pretty_midi",
    "symusic",
    "pyfluidsynth",
    "midi2audio",
    "pedalboard",
    "DawDreamer",
    "tinysoundfont",
    "midirenderer",
]
#: Seconds for a cell.
LIMIT = 900


def one(what, name, font, song, instrument):
    """A cell, in a process of its own; its answer is the last line."""
    import candidate
    import judges
    import judges_of_runs

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        tried = candidate.Candidate(name, font, song, instrument, folder)
        if what == "damaged":
            judges_of_runs.render_damaged(tried)
            return
        print("\n" + getattr(judges, what)(tried), flush=True)
    # Hosts of plug-ins may crash as they end; the answer is complete.
    os._exit(0)


def cell(what, name, options):
    kind = packages.PACKAGES[name]
    if importlib.util.find_spec(kind.module) is None:
        return "not run: not installed"
    if not kind.plays_soundfonts and not options.instrument:
        return "not run: no instrument"
    command = [sys.executable, __file__, "--one", what, name, options.font, options.song, options.instrument]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"no: takes over {LIMIT // 60} minutes"
    if done.returncode < 0:
        return f"no: ended by signal {-done.returncode}"
    if done.returncode:
        errors = re.findall(r"^\w+(?:Error|Exception)\b.*", done.stderr, re.M)
        return f"no: {errors[-1] if errors else 'fails'}"
    return done.stdout.strip().splitlines()[-1]


def version(name):
    """The version of a package, by the module that it contains."""
    module = packages.PACKAGES[name].module
    for distribution in importlib.metadata.packages_distributions().get(module, [module]):
        try:
            return importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            continue
    # Not installed, but on the path of modules.
    return getattr(importlib.import_module(module), "__version__", "")


def main():
    if sys.argv[1] == "--one":
        one(*sys.argv[2:])
        return
    import judges

    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("font")
    parser.add_argument("song")
    parser.add_argument("--instrument", default="")
    parser.add_argument("--packages", type=lambda text: text.split(";"), default=COLUMNS)
    parser.add_argument("--tasks", type=lambda text: text.split(";"), default=[task.__name__ for task in judges.TASKS])
    options = parser.parse_intermixed_args()
    print(
        "| task | "
        + " | ".join(f"{name} {version(name)}" for name in options.packages)
        + " |\n|"
        + "---|" * (1 + len(options.packages))
    )
    for task in judges.TASKS:
        if task.__name__ in options.tasks:
            title = task.__doc__.splitlines()[0].rstrip(".")
            print(
                f"| {title} | " + " | ".join(cell(task.__name__, name, options) for name in options.packages) + " |",
                flush=True,
            )


if __name__ == "__main__":
    main()
