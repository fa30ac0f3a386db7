"""A user's folders and programs, and what a process uses."""

import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from record import ROOT

# What a process may use more after all inputs than after the first fifth of them: a tenth, or as many kilobytes,
# descriptors and threads.
MORE = (1024, 2, 2)


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
        self.processes = []
        for name in ("run", "state", "config", "data"):
            (self.root / name).mkdir(mode=0o700)
        # With one arena, the allocator's memory does not depend on the threads that happened to allocate at the same time.
        self.environment = {
            **os.environ, "MALLOC_ARENA_MAX": "1", "HOME": str(self.root), "XDG_RUNTIME_DIR": str(self.root / "run"),
            "XDG_STATE_HOME": str(self.root / "state"), "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_DATA_HOME": str(self.root / "data"), "PORTATIVE_SOUNDFONT": str(ROOT / "SoundFonts/Portative.sf2"),
        }  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()

    def start(self, *arguments, errors=subprocess.DEVNULL):
        process = subprocess.Popen([self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=errors)  # fmt: skip
        self.processes = [other for other in self.processes if other.poll() is None] + [process]
        return process

    def output(self, *arguments):
        return subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True).stdout

    def serve(self, *options):
        server = self.start("serve", "--midi", "none", "--panel", *(options or ("--audio", "none")))
        wait_for(lambda: server.poll() is not None or self.is_served(), "the server")
        if server.poll() is not None:
            sys.exit(f"the server ended with {server.returncode}")
        return server

    def end(self, server):
        """Ends a server, which must still serve."""
        if not self.is_served():
            sys.exit("the server does not answer")
        server.terminate()
        if server.wait(20) not in (0, -signal.SIGTERM):
            sys.exit(f"the server ended with {server.returncode}")

    def is_served(self):
        return "127.0.0.1" in self.output("serve", "--panel-link")

    def song(self, length):
        """A song of whole notes."""
        notes = b"".join(bytes([0, 0x90, 60 + i % 12, 90, 0x83, 0x60, 0x80, 60 + i % 12, 0]) for i in range(length))
        track = notes + bytes([0, 0xFF, 0x2F, 0])
        path = self.root / f"{length}.mid"
        header = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480)
        path.write_bytes(header + b"MTrk" + struct.pack(">I", len(track)) + track)
        return str(path)


class Holdings:
    """What a process uses: kB, descriptors and threads, after the first fifth of the inputs and after all."""

    def __init__(self, process):
        self.process = process
        self.before = None

    def step(self, index, count):
        if self.process.poll() is not None:
            sys.exit(f"the server ended with {self.process.returncode} after {index + 1} inputs")
        if index == count // 5:
            time.sleep(2)
            self.before = holdings(self.process)

    def check(self):
        """Waits until the process has its resources back."""
        limits = [before + max(before // 10, more) for before, more in zip(self.before, MORE)]
        wait_for(lambda: all(a <= b for a, b in zip(holdings(self.process), limits)),
                 f"{holdings(self.process)} back to {self.before}")  # fmt: skip
        return f"{self.before} to {holdings(self.process)} (kB, descriptors, threads)"


def holdings(process):
    if process.poll() is not None:
        sys.exit(f"the server ended with {process.returncode}")
    folder = pathlib.Path(f"/proc/{process.pid}")
    memory = int(re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())[1])
    return memory, len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir()))


def children(process):
    """The processes that the first thread of a process, or another one, has started."""
    found = []
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except FileNotFoundError:
            pass
    return found
