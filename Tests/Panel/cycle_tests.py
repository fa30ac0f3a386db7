"""What pages, and who attacks the panel, cost a host: its late cycles and its round trips with and without them, in turn.
CYCLE_ROUNDS=20 for more."""

import json
import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import threading
import unittest

from server import PROGRAM, Server, wait_for
from watcher import Watcher

PAGES = 8
ROUNDS = int(os.environ.get("CYCLE_ROUNDS", 3))
SECONDS = 4
PLAYED_BY_PAGES = {"type": "instrument", "subtype": "stag", "manufacturer": "Ptvo"}


def song():
    """A Standard MIDI File with 40 notes per second, of which 8 sound at a time; 192 ticks are a second."""
    step = 192 / 40
    keys = [36 + (index * 7) % 60 for index in range(40 * SECONDS)]
    events = sorted([(round(index * step), 0x90, key, 90) for index, key in enumerate(keys)]
                    + [(round((index + 8) * step), 0x80, key, 0) for index, key in enumerate(keys)])
    body, last = b"", 0
    for tick, *message in events:
        body += bytes([tick - last, *message])
        last = tick
    body += b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(body)) + body


class Page(threading.Thread):
    """A page that sees all reports of the status, plays another port than the host, and asks for the report of all ports:
    150 messages per second."""

    def __init__(self, link):
        super().__init__(daemon=True)
        self.is_over = threading.Event()
        self.answers = 0
        self.watcher = Watcher(link)
        self.watcher.send(3, "hello", protocol={"minimum": 2, "maximum": 2}, features=[], peer={"name": "Panel", "processID": 0})
        self.watcher.send(4, "panel.play", component=PLAYED_BY_PAGES)
        self.start()

    def run(self):
        key = 36
        while not self.is_over.wait(0.02):
            for status, velocity in ((0x90, 80), (0x80, 0)):
                self.watcher.socket.send(json.dumps({"method": "panel.midi", "params": {"bytes": [status, key, velocity]}}))
            self.watcher.send(5, "report", offset=0)
            # Between answers are reports of the status.
            while "id" not in json.loads(self.watcher.socket.recv()):
                pass
            self.answers += 1
            key = 36 + (key - 35) % 60

    def end(self):
        self.is_over.set()
        self.join(60)
        self.watcher.close()


class Attack(threading.Thread):
    """Sends to a panel, from a process of its own, until it is ended. See attack.py."""

    def __init__(self, link, name, count):
        super().__init__(daemon=True)
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).parent / "attack.py"), link, name, str(count)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.result = ""
        self.start()

    def run(self):
        self.result = self.process.stdout.read().strip()

    def end(self):
        self.process.stdin.close()
        self.join(120)
        self.process.stdout.close()
        self.process.wait(20)


def holdings(process):
    """The resident memory in kB, and the open descriptors of a process."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]), len(os.listdir(f"/proc/{process}/fd"))


class CycleTests(unittest.TestCase):
    def test_a_host_plays_on_beside_attacks(self):
        server = Server(audio="none")
        try:
            path = pathlib.Path(server.folder.name) / "song.mid"
            path.write_bytes(song())
            quiet = [self.play(server, path)]
            # The first attack fills the library's pools.
            before = None
            crowds = ("silent", "sockets", "secrets")
            attacked = []
            for name, count in (("requests", 20_000), ("fragments", 300_000), ("pings", 100_000), ("silent", 600),
                                ("sockets", 600), ("secrets", 600)):
                attack = Attack(server.link, name, count)
                runs = []
                while not runs or attack.is_alive() and name not in crowds:
                    runs.append(self.play(server, path))
                    # The owner is let in meanwhile.
                    Watcher(server.link).close()
                attack.end()
                self.assertTrue(attack.result, f"the attack {name} has ended")
                attacked += runs
                quiet.append(self.play(server, path))
                late, cycles = (sum(run[key] for run in runs) for key in ("lateCycles", "cycles"))
                memory, descriptors = holdings(server.process.pid)
                print(f"\n{name}: {attack.result}; {late} of {cycles} cycles late; {memory} kB, {descriptors} descriptors", end="")
                before = before or (memory, descriptors)
            wait_for(lambda: holdings(server.process.pid)[1] <= before[1] + 2, "descriptors are closed")
            # Less than the smallest leak per request, message or connection would be.
            self.assertLess(holdings(server.process.pid)[0], before[0] + 20_000, "kB")
            for runs, name in ((quiet, "without attacks"), (attacked, "with attacks")):
                late, cycles = (sum(run[key] for run in runs) for key in ("lateCycles", "cycles"))
                print(f"\n{name}: {late} of {cycles} cycles late, round trips: longest {max(run['roundTripLongest'] for run in runs):.0f} us", end="")
            print()
        finally:
            server.close()

    def test_a_host_plays_on_beside_pages(self):
        # No device, because the null device would render all the time, and more notes would be more to render.
        server = Server(audio="none")
        try:
            path = pathlib.Path(server.folder.name) / "song.mid"
            path.write_bytes(song())
            results = {False: [], True: []}
            for turn in range(ROUNDS):
                for has_pages in (False, True) if turn % 2 else (True, False):
                    pages = [Page(server.link) for _ in range(PAGES if has_pages else 0)]
                    try:
                        results[has_pages].append(self.play(server, path))
                    finally:
                        for page in pages:
                            page.end()
                    for page in pages:
                        self.assertGreater(page.answers, 10, "the pages were served")
        finally:
            server.close()
        for has_pages, name in ((False, "without pages"), (True, f"with {PAGES} pages")):
            runs = results[has_pages]
            cycles, late = (sum(run[key] for run in runs) for key in ("cycles", "lateCycles"))
            print(f"\n{name}: {late} of {cycles} cycles late, round trips: median {statistics.median(run['roundTripMedian'] for run in runs):.0f} us, "
                  f"99 % within {statistics.median(run['roundTrip99th'] for run in runs):.0f} us, "
                  f"longest {max(run['roundTripLongest'] for run in runs):.0f} us", end="")
            # The times depend on the load of the machine: they are figures, not limits.
            self.assertGreater(cycles, ROUNDS * SECONDS * 48_000 / 256)
        print()

    def play(self, server, path):
        """Plays the song on a port in real time, and returns the statistics of its cycles."""
        result = subprocess.run(
            [PROGRAM, "play", "--node", "General MIDI", "--audio", "none", "--cycle", "256", "--json", str(path)],
            env=server.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=180)
        self.assertEqual(result.returncode, 0, result.stderr)
        return next(line["cycles"] for line in map(json.loads, result.stdout.splitlines()) if "cycles" in line)


if __name__ == "__main__":
    unittest.main()
