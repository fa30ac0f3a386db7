"""What `make endurance` has run: a line of results.jsonl for each piece, and the table of Documentation/Endurance.md."""

import collections
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = pathlib.Path(__file__).with_name("results.jsonl")
PAGE = ROOT / "Documentation/Endurance.md"
BEGIN, END = "<!-- Written by make endurance. -->\n", "<!-- Until here. -->\n"
# What is attacked. A change of a test alone does not begin the count again.
SOURCES = ["Sources", "Link", "Package.swift"]


def commit():
    """The last commit that changed what is attacked, with a plus sign if the checkout differs from it."""

    def git(*arguments):
        command = ["git", *arguments, "--", *SOURCES]
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    return git("log", "-1", "--abbrev=8", "--format=%h") + ("+" if git("status", "--porcelain") else "")


def results():
    return [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []


def append(result):
    with PATH.open("a") as file:
        file.write(json.dumps(result, ensure_ascii=False) + "\n")


def covered(kind, records):
    """The ranges of inputs that have passed, joined where they touch."""
    passed = sorted((r["first"], r["first"] + r["count"]) for r in records if r["kind"] == kind and not r["failure"])
    ranges = []
    for first, end in passed:
        if ranges and first <= ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], end)
        else:
            ranges.append([first, end])
    return ranges


def is_covered(kind, inputs, records):
    return any(first <= inputs.start and inputs.stop <= end for first, end in covered(kind, records))


def grouped(number):
    return f"{number:,}".replace(",", " ")


def row(name, kind, records):
    own = [record for record in records if record["kind"] == name]
    passed = [record for record in own if not record["failure"]]
    run = sum(end - first for first, end in covered(name, records))
    counts = collections.Counter()
    for record in passed:
        counts.update(record["counts"])
    counted = ", ".join(f"{grouped(count)} {what}" for what, count in sorted(counts.items()))
    commits = "; ".join(sorted({f"{r['commit']} with FluidSynth {r['fluidsynth']}, {r['machine']}" for r in passed}))
    found = sum(len(record["found"]) for record in own) or ""
    return (f"| `{name}` | {kind.what} | {grouped(run)} of {grouped(kind.total)} | {counted} | {commits} | {found} |\n")


def failures(records):
    """The failures whose inputs have not passed since, each as a line of a list."""
    for place, record in enumerate(records):
        inputs = range(record["first"], record["first"] + record["count"])
        if record["failure"] and not is_covered(record["kind"], inputs, records[place + 1 :]):
            yield (f"- `{record['kind']}` {record['part']}, from input {grouped(inputs.start)}, at {record['commit']} on "
                   f"{record['date']}: {record['failure'].splitlines()[0][:300]}\n")


def write_table(kinds):
    records = results()
    rows = "".join(row(name, kind, records) for name, kind in kinds.items())
    failed = "".join(failures(records))
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    table = ("| kind | what | inputs | counted | at | found |\n|---|---|---|---|---|---|\n" + rows
             + (f"\nFailed, and not passed since:\n\n{failed}" if failed else ""))
    PAGE.write_text(before + BEGIN + table + END + after)
