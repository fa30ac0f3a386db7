"""Runs the models of this folder through all executions that C11's memory model permits, with herd7 (Debian's herdtools7).

usage: check.py HERD7

A model is a program in C with the atomics of a part of Portative, and the outcome that must not be. @NAME:ORDER@ is an order
or a fence. With all of them, the outcome must be impossible, without a data race. Without any one of them, it must be
possible: so each of them is needed, and the check can fail. The lines `source:` must be in the files that they name.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERD = sys.argv[1]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMMENT = re.compile(r"\(\*.*?\*\)\n?", re.S)
TOKEN = re.compile(r"@(\w+):([^@]*)@")
failed = []


# RC11, and C11 as it was first, which permits more.
MODELS = ("rc11.cat", "c11_orig.cat")


def executions(text, model=MODELS[0]):
    """Returns whether the outcome is possible, whether there is a data race, and the number of executions."""
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:
        # herd7 reads braces in comments as those of the program.
        file.write(COMMENT.sub("", text))
        file.flush()
        output = subprocess.run([HERD, "-model", model, file.name], capture_output=True, text=True, timeout=600)
    found = re.search(r"^Observation \S+ (Never|Sometimes|Always) (\d+) (\d+)", output.stdout, re.M)
    if not found:
        sys.exit(f"herd7 does not understand the model:\n{text}\n{output.stdout}{output.stderr}")
    return found[1] != "Never", "Flag" in output.stdout, int(found[2]) + int(found[3])


for path in sorted(HERE.glob("*.litmus")):
    text = path.read_text()
    for file, line in re.findall(r"^\(\* source: (\S+): (.*) \*\)$", text, re.M):
        if line not in (ROOT / file).read_text():
            failed.append(f"{path.stem}: {file} has no longer: {line}")
    for model in MODELS:
        possible, races, count = executions(TOKEN.sub(r"\2", text), model)
        if possible or races:
            failed.append(f"{path.stem}, {model}: {'the outcome is possible' if possible else 'there is a data race'}")
    tokens = TOKEN.findall(text)
    needed = []
    for name, order in tokens:
        weaker = "" if "fence" in order else "memory_order_relaxed"
        changed = TOKEN.sub(lambda token: weaker if token[1] == name else token[2], text)
        possible, races, _ = executions(changed)
        if possible or races:
            needed.append(name)
        else:
            failed.append(f"{path.stem}: nothing changes without '{name}'")
    print(f"{path.stem:20} {count:4} executions, {len(needed)} of {len(tokens)} orders needed: {', '.join(needed)}", flush=True)

for text in failed:
    print(f"FAILED: {text}", file=sys.stderr)
print(f"test-memory-model: {'failed' if failed else 'passed'}")
sys.exit(1 if failed else 0)
