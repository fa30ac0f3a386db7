"""The tasks of judges.py that concern how a package runs, not what it plays."""

import hashlib
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import mido
import numpy as np

import packages
from candidate import FOLDER, RATE


def digest(package, path):
    return hashlib.sha256(np.ascontiguousarray(package.render(path)).tobytes()).hexdigest()


IN_PROCESS = """
import os, sys
sys.path.insert(0, sys.argv[1])
import judges_of_runs, packages
package = packages.PACKAGES[sys.argv[2]](sys.argv[3], judges_of_runs.RATE)
print("\\n" + judges_of_runs.digest(package, sys.argv[4]), flush=True)
os._exit(0)
"""
# Made on the main thread, where hosts of plug-ins want it.
IN_THREADS = """
import concurrent.futures, os, sys
sys.path.insert(0, sys.argv[1])
import judges_of_runs, packages
made = [packages.PACKAGES[sys.argv[2]](sys.argv[3], judges_of_runs.RATE) for _ in range(4)]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print("\\n" + "\\n".join(pool.map(lambda package: judges_of_runs.digest(package, sys.argv[4]), made)), flush=True)
# Hosts of plug-ins may crash as they end.
os._exit(0)
"""


def same_bits(candidate):
    """The same bits each time, from four threads and from another process."""
    package = candidate.make()
    first = digest(package, candidate.song)
    if digest(package, candidate.song) != first:
        return "no: a second rendering differs"
    font, faults = candidate.font if candidate.kind.plays_soundfonts else candidate.instrument, []
    for name, program in (("another process", IN_PROCESS), ("threads", IN_THREADS)):
        command = [sys.executable, "-c", program, FOLDER, candidate.name, font, candidate.song]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=400)
        except subprocess.TimeoutExpired:
            faults.append(f"{name}: hangs")
            continue
        found = set(re.findall(r"^[0-9a-f]{64}$", done.stdout, re.M))
        if done.returncode:
            errors = re.findall(r"^\w+(?:Error|Exception)\b", done.stderr, re.M)
            faults.append(f"{name}: {errors[-1] if errors else 'crash'}")
        elif found != {first}:
            faults.append(f"{name}: other samples")
    return f"partly: {', '.join(faults)}" if faults else candidate.yes("render")


def damage(data, index):
    """A damaged MIDI file: empty, text, cut, with other bytes, or with another length of a chunk."""
    chance = random.Random(index)
    if index == 0:
        return b""
    if index == 1:
        return b"This is a text, and no song.\n" * 50
    if index % 3 == 0:
        return data[: chance.randrange(1, len(data))]
    damaged = bytearray(data)
    if index % 3 == 1:
        for _ in range(8):
            damaged[chance.randrange(len(data))] = chance.randrange(256)
    else:
        damaged[chance.choice([4, 5, 8, 9, 10, 11, 12, 13, 18, 19, 20])] ^= chance.randrange(1, 256)
    return bytes(damaged)


def is_long(path):
    """Whether a damaged file is a song of over 20 minutes, which may take its time."""
    try:
        return mido.MidiFile(path, clip=True).length > 1200
    except Exception:
        return False


def render_damaged(candidate):
    """Renders the paths of standard input, and says what became of each."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    package = candidate.make()
    print("ready", file=answers, flush=True)
    for path in sys.stdin:
        try:
            package.render(path.strip())
            outcome = "audio"
        except Exception as error:
            outcome = f"error: {error}"
        print(json.dumps(outcome), file=answers, flush=True)


def damaged_files(candidate):
    """Damaged files give an error or sound, and no crash."""
    with open(candidate.song, "rb") as file:
        data = file.read()
    worker, crashes, hangs, silent = None, 0, 0, 0
    path, count, index = candidate.path("damaged.mid"), 0, -1
    while count < 60:
        index += 1
        with open(path, "wb") as file:
            file.write(damage(data, index))
        if is_long(path):
            continue
        count += 1
        if worker is None:
            worker = subprocess.Popen(
                candidate.command("damaged"),
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            worker.stdout.readline()
        # With the programs that it has started.
        alarm = threading.Timer(60, os.killpg, (worker.pid, signal.SIGKILL))
        alarm.start()
        print(path, file=worker.stdin, flush=True)
        answer = worker.stdout.readline()
        late = not alarm.is_alive()
        alarm.cancel()
        if not answer:
            worker.wait()
            worker = None
            hangs += late
            crashes += not late
        elif index < 2:
            silent += json.loads(answer) == "audio"
        if hangs == 2:
            break
    if worker:
        worker.stdin.close()
        worker.wait()
    faults = [f"{crashes} of {count} crash"] * bool(crashes) + [f"{hangs} of {count} take over a minute"] * bool(hangs)
    if faults:
        return f"{'no' if crashes else 'partly'}: {', '.join(faults)}"
    return "partly: no error for an empty file or a text" if silent else "yes"


def speed(candidate):
    """300 times faster than the song plays, on one processor."""
    if not candidate.kind.plays_soundfonts:
        return "no SoundFont to compare with"
    package = packages.PortativeDry(candidate.font, RATE) if candidate.name == "portative" else candidate.make()
    best = 0
    for _ in range(3):
        begin = processor_time()
        frames = np.shape(package.render(candidate.song))[-1]
        best = max(best, frames / package.rate / (processor_time() - begin))
    text = f"{best:.0f} ×" + (" without effects" if candidate.name == "portative" else "")
    return f"yes: {text}" if best >= 300 else f"no: {text}"


def processor_time():
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
