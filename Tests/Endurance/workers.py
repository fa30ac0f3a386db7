"""Kills of the processes in which songs are rendered, of servers, and of members of Link sessions."""

import json
import os
import shutil
import signal
import sys
import time

from record import ROOT
from user import Holdings, children, wait_for


def renderers(user, count, source):
    """Kills the processes in which songs are rendered; each song must be in the report."""
    songs = [user.song(20 + index) for index in range(40)]
    kills = runs = 0
    audio = user.root / "audio"
    while kills < count:
        report = user.root / "report.json"
        shutil.rmtree(audio, ignore_errors=True)
        with open(user.root / "errors", "w") as errors:
            run = user.start("render", "--overwrite", "-d", str(audio), "--report", str(report), *songs, errors=errors)
        runs += 1
        # Whoever is killed while it loads a SoundFont that has not played is taken for unable to.
        wait_for(lambda: run.poll() is not None or (audio.exists() and any(audio.iterdir())), "the first song")
        while run.poll() is None and kills < count:
            # Long enough for a process to begin with songs: one that dies three times before ends the run.
            time.sleep(source.uniform(0.3, 1.2))
            try:
                for child in children(run):
                    os.kill(child, signal.SIGKILL)
                    kills += 1
            except (FileNotFoundError, ProcessLookupError):
                pass
        run.wait(600)
        messages = (user.root / "errors").read_text()
        refused = sum(f"cannot render '{song}'" in messages for song in songs)
        if run.returncode == -signal.SIGKILL and len(list(audio.iterdir())) + refused == len(songs):
            continue  # Killed while it wrote the report.
        if run.returncode not in (0, 1):
            sys.exit(f"render ended with {run.returncode} after {kills} kills")
        entries = json.loads(report.read_text())
        found = sorted(entry["index"] for entry in entries["songs"] + entries["errors"])
        if found != list(range(len(songs))):
            sys.exit(f"run {runs} after {kills} kills, status {run.returncode}: the report has the songs {found}")
    return f"{runs} runs of {len(songs)} songs, all reported"


def servers(user, count, source):
    """Kills servers, while a player connects; the next one must start."""
    song = user.song(2000)
    for index in range(count):
        server = user.serve()
        player = user.start("play", "--audio", "none", "--timeout", "1", "-n", "Portative: General MIDI", song)
        time.sleep(source.uniform(0, 0.3))
        server.kill()
        server.wait()
        player.kill()
        player.wait()
    server = user.serve()
    left = sorted(path.name for path in (user.root / "run/portative").iterdir())
    server.terminate()
    server.wait(20)
    return f"the next one serves; files while it runs: {', '.join(left)}"


def members(user, count, source):
    """Kills portative-link, the server's member of a Link session; another one must join it."""
    user.environment["PATH"] = f"{ROOT / '.build'}:{user.environment['PATH']}"
    server = user.serve("--audio", "null", "--link")
    holdings = Holdings(server)
    last = None
    for index in range(count):
        # One that ends within 5 s is started later each time.
        member = wait_for(lambda: next((child for child in children(server) if child != last), None),
                          f"another member after {index} kills")  # fmt: skip
        time.sleep(5 + source.uniform(0, 0.3))
        os.kill(member, signal.SIGKILL)
        last = member
        holdings.step(index, count)
    wait_for(lambda: [child for child in children(server) if child != last], "the last member")
    result = holdings.check()
    user.end(server)
    return result
