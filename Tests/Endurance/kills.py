#!/usr/bin/env python3
"""Kills processes at random times, and checks what remains: kills.py PROGRAM [--count N] [--seed S] [KIND ...]

KIND is players (hosts of one server), pages (clients of its panel), renderers (the processes in which render works), or
servers. Kills of hosts and nodes of the library are in Tests/Nodes/NodeServerTests/KillTests.swift.
"""

import argparse
import base64
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ["players", "pages", "renderers", "servers"]
# What a process may use more after all kills than after the first fifth of them.
MORE_KILOBYTES, MORE_DESCRIPTORS, MORE_THREADS = 4096, 2, 2


def wait_for(condition, what, seconds=60):
    limit = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > limit:
            sys.exit(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return result


class User:
    """A user's folders, and the programs that use them."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix="portative-kills-")
        self.root = pathlib.Path(self.folder.name)
        for name in ("run", "state", "config", "data"):
            (self.root / name).mkdir(mode=0o700)
        self.environment = {
            **os.environ, "HOME": str(self.root), "XDG_RUNTIME_DIR": str(self.root / "run"),
            "XDG_STATE_HOME": str(self.root / "state"), "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_DATA_HOME": str(self.root / "data"), "PORTATIVE_SOUNDFONT": str(ROOT / "SoundFonts/Portative.sf2"),
        }  # fmt: skip

    def start(self, *arguments):
        return subprocess.Popen([self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip

    def output(self, *arguments):
        return subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True).stdout

    def serve(self):
        server = self.start("serve", "--audio", "none", "--midi", "none", "--panel")
        wait_for(lambda: server.poll() is not None or self.is_served(), "the server")
        if server.poll() is not None:
            sys.exit(f"the server ended with {server.returncode}")
        return server

    def is_served(self):
        return "127.0.0.1" in self.output("panel")

    def song(self, length):
        """A song of whole notes."""
        notes = b"".join(bytes([0, 0x90, 60 + i % 12, 90, 0x83, 0x60, 0x80, 60 + i % 12, 0]) for i in range(length))
        track = notes + bytes([0, 0xFF, 0x2F, 0])
        path = self.root / f"{length}.mid"
        header = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480)
        path.write_bytes(header + b"MTrk" + struct.pack(">I", len(track)) + track)
        return str(path)


def holdings(process):
    folder = pathlib.Path(f"/proc/{process.pid}")
    memory = int(re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())[1])
    return memory, len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir()))


def kill_clients(user, count, source, client):
    """Starts and kills clients of one server, which must have its resources back."""
    server = user.serve()
    before = None
    for index in range(count):
        client(source)
        if server.poll() is not None:
            sys.exit(f"the server ended with {server.returncode} after {index + 1} kills")
        if index == count // 5:
            time.sleep(2)
            before = holdings(server)
    limits = [a + b for a, b in zip(before, (MORE_KILOBYTES, MORE_DESCRIPTORS, MORE_THREADS))]
    wait_for(lambda: all(a <= b for a, b in zip(holdings(server), limits)), f"{holdings(server)} back to {before}")
    after = holdings(server)
    if not user.is_served():
        sys.exit("the server does not answer")
    server.terminate()
    if server.wait(20) not in (0, -signal.SIGTERM):
        sys.exit(f"the server ended with {server.returncode}")
    return f"{before} to {after} (kB, descriptors, threads)"


def players(user, count, source):
    song = user.song(2000)

    def client(source):
        player = user.start("play", "--audio", "none", "-n", "Portative: General MIDI", song)
        time.sleep(source.uniform(0, 0.3))
        player.kill()
        player.wait()

    return kill_clients(user, count, source, client)


def pages(user, count, source):
    link = None

    def send(page, message):
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        page.sendall(b"\x81" + size + bytes(4) + data)

    def client(source):
        nonlocal link
        link = link or re.search(r"http://([\d.]+):(\d+)/\S*#(\S+)", user.output("panel"))
        address, port, secret = link.groups()
        secret = re.search(r"[\w-]{16,}", secret)[0]
        page = socket.create_connection((address, int(port)), 20)
        key = base64.b64encode(bytes(16)).decode()
        page.sendall((f"GET /control HTTP/1.1\r\nHost: {address}:{port}\r\nOrigin: http://{address}:{port}\r\n"
                      f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                      "Sec-WebSocket-Version: 13\r\n\r\n").encode())  # fmt: skip
        answer = page.recv(4096)
        if b" 101 " not in answer:
            sys.exit(f"the page was refused: {answer[:300]}")
        send(page, {"id": 1, "method": "panel.open", "params": {"secret": secret}})
        answer = page.recv(4096)
        if b'"result"' not in answer:
            sys.exit(f"the panel was not opened: {answer[:300]}")
        component = {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}
        send(page, {"id": 2, "method": "panel.play", "params": {"component": component}})
        for key in range(60, 60 + source.randrange(1, 8)):
            send(page, {"method": "panel.midi", "params": {"bytes": [0x90, key, 90]}})
        time.sleep(source.uniform(0, 0.05))
        # As the kernel ends the connections of a killed process that has not read everything.
        page.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        page.close()

    return kill_clients(user, count, source, client)


def renderers(user, count, source):
    """Kills the processes in which songs are rendered; each song must be in the report."""
    songs = [user.song(20 + index) for index in range(40)]
    kills = runs = 0
    audio = user.root / "audio"
    while kills < count:
        report = user.root / "report.json"
        shutil.rmtree(audio, ignore_errors=True)
        run = user.start("render", "--overwrite", "-d", str(audio), "--report", str(report), *songs)
        runs += 1
        # Whoever is killed while it loads a SoundFont that has not played is taken for unable to.
        wait_for(lambda: run.poll() is not None or (audio.exists() and any(audio.iterdir())), "the first song")
        while run.poll() is None and kills < count:
            # Long enough for a process to begin with songs: one that dies three times before ends the run.
            time.sleep(source.uniform(0.3, 1.2))
            try:
                children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
                for child in children:
                    os.kill(int(child), signal.SIGKILL)
                    kills += 1
            except (FileNotFoundError, ProcessLookupError):
                pass
        run.wait(600)
        if run.returncode == -signal.SIGKILL and len(list(audio.iterdir())) == len(songs):
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
        player = user.start("play", "--audio", "none", "--patience", "1", "-n", "Portative: General MIDI", song)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for kind in options.kinds or KINDS:
        source = random.Random(f"{options.seed} {kind}")
        result = globals()[kind](User(options.program), options.count, source)
        print(f"{options.count} {kind} were killed: {result}", flush=True)


main()
