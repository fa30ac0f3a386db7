"""Compares the build for arm64, under QEMU, with that for amd64, and prints a table of what has the same bits.

usage: check.py FOLDER AMD64 ARM64 [CHECKS]: the folder with the C programs of Tests/Arm64/run, and those of the two builds.
CHECKS is a regular expression: only the checks with such a name.

Dry sound and labels must have the same bits. FluidSynth's filter, reverb and chorus are compiled with fused multiply-add on
arm64: there the greatest difference of a sample has a limit, which each check states. Every check can fail: the first one shows
that different songs and a sample that differs by one bit are noticed.
"""

import array
import ctypes
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import wave

WORK, AMD64, ARM64 = (pathlib.Path(argument) for argument in sys.argv[1:4])
CHECKS = re.compile(sys.argv[4] if len(sys.argv) > 4 else "")
BUILDS = {"amd64": AMD64, "arm64": ARM64}
ROOT = pathlib.Path(__file__).resolve().parents[2]
FONT = ROOT / "SoundFonts/Portative.sf2"
OTHER_FONT = pathlib.Path("/usr/share/sounds/sf2/TimGM6mb.sf2")
DEMO = ROOT / "SoundFonts/demo.mid"
PYTHON = "/opt/python-arm64/usr/bin/python3"
DRY = ("--reverb", "off", "--chorus", "off")
REVERB_LIMIT = -140
# Notes of this song have a preset with a resonant filter, whose last bits differ: the greatest difference, dry and with reverb,
# which adds up what is fed into it. Seen were -156.5 and -114.2 dB.
FILTERED = {"random song 3": (-150, -110)}
rows = []


class Failed(Exception):
    """A check that does not hold, with what was found."""


def expect(condition, text):
    if not condition:
        raise Failed(text)


def check(name):
    """Runs the function below at once, and adds what it returns to the table."""

    def run(function):
        if not CHECKS.search(name):
            return
        began = time.monotonic()
        try:
            result, passed = function(), True
        except (Failed, subprocess.SubprocessError, OSError) as error:
            result, passed = f"{type(error).__name__}: {error}", False
            if isinstance(error, subprocess.CalledProcessError) and error.stderr:
                result += "\n" + error.stderr.decode(errors="replace")[-2000:]
        rows.append((name, result, passed))
        print(f"{'ok  ' if passed else 'FAIL'}  {name}: {result} ({time.monotonic() - began:.0f} s)", flush=True)

    return run


def call(*arguments, timeout=600, **environment):
    """Runs a program to its end, and returns its standard output."""
    result = subprocess.run([str(a) for a in arguments], check=True, capture_output=True, timeout=timeout,
                            env={**os.environ, **environment}, cwd=WORK)  # fmt: skip
    return result.stdout


def render(architecture, song, output, *options, font=FONT):
    path = WORK / architecture / output
    path.parent.mkdir(exist_ok=True)
    call(BUILDS[architecture] / "portative", "render", "--quiet", "--soundfont", font, *options, "-o", path, song)
    return path


def both(song, output, *options, font=FONT):
    return [render(architecture, song, output, *options, font=font) for architecture in BUILDS]


def floats(path):
    samples = array.array("f")
    samples.frombytes(path.read_bytes())
    return samples


def difference(one, other):
    """The greatest difference of two samples in dB of full scale: -inf if they are equal."""
    expect(len(one) == len(other), f"{len(one)} and {len(other)} samples")
    expect(any(one), "silence")
    greatest = max(map(lambda a, b: abs(a - b), one, other))
    return 20 * math.log10(greatest) if greatest else -math.inf


def equal(one, other):
    expect(one.stat().st_size > 1000, f"{one.name} is empty")
    expect(one.read_bytes() == other.read_bytes(), f"the bytes of {one.name} differ")


def differ(one, other, limit):
    """Requires that no sample of two raw files differs by more than a limit in dB."""
    greatest = difference(floats(one), floats(other))
    expect(greatest <= limit, f"differs by {greatest:.1f} dB")
    return "bit-equal" if greatest == -math.inf else f"differs by at most {greatest:.1f} dB"


class SoundFileInfo(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), *((name, ctypes.c_int) for name in ("rate", "channels", "format", "sections", "seekable"))]


sound_files = ctypes.CDLL("libsndfile.so.1")
sound_files.sf_open.restype = ctypes.c_void_p
sound_files.sf_readf_float.restype = ctypes.c_int64


def decoded(path):
    """The samples of an audio file, decoded on amd64."""
    info = SoundFileInfo()
    file = sound_files.sf_open(str(path).encode(), 0x10, ctypes.byref(info))
    expect(file, f"libsndfile does not read {path.name}")
    samples, block = array.array("f"), (ctypes.c_float * (8192 * info.channels))()
    while count := sound_files.sf_readf_float(ctypes.c_void_p(file), block, ctypes.c_int64(8192)):
        samples.frombytes(memoryview(block).cast("B")[: count * info.channels * 4])
    sound_files.sf_close(ctypes.c_void_p(file))
    return samples


def quantity(value):
    result = [value & 0x7F]
    while value := value >> 7:
        result.append(value & 0x7F | 0x80)
    return bytes(reversed(result))


def random_song(seed):
    """A song of 12 s with notes, programs, bends, pedals and controllers on all channels."""
    source = random.Random(seed)
    events = [(0, bytes([0xC0 | channel, source.randrange(128)])) for channel in range(16)]
    for _ in range(300):
        tick, channel, key = source.randrange(11000), source.randrange(16), source.randrange(30, 100)
        events.append((tick, bytes([0x90 | channel, key, source.randrange(1, 128)])))
        events.append((tick + source.randrange(5, 900), bytes([0x80 | channel, key, 64])))
    for _ in range(200):
        tick, channel = source.randrange(11000), source.randrange(16)
        controller = source.choice((1, 7, 10, 11, 64, 66, 71, 74, 91, 93))
        events.append((tick, source.choice((bytes([0xB0 | channel, controller, source.randrange(128)]),
                                            bytes([0xE0 | channel, source.randrange(128), source.randrange(128)])))))  # fmt: skip
    events += [(12000, bytes([0xB0 | channel, 64, 0])) for channel in range(16)]
    track, now = b"\x00\xff\x51\x03\x07\xa1\x20", 0
    for tick, message in sorted(events, key=lambda event: event[0]):
        track += quantity(tick - now) + message
        now = tick
    track += b"\x00\xff\x2f\x00"
    path = WORK / f"random-{seed}.mid"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 500) + b"MTrk" + struct.pack(">I", len(track)) + track)
    return path


RAW = ("--raw", "--bits", "32f")
SONGS = {"demo": DEMO, **{f"random song {seed}": random_song(seed) for seed in range(1, 5)}}


@check("the checks notice a difference")
def _():
    one, other = (render("amd64", SONGS[f"random song {n}"], f"notice-{n}.raw", *RAW, *DRY) for n in (1, 2))
    for changed in (other.read_bytes(), bytes([one.read_bytes()[0] ^ 1]) + one.read_bytes()[1:]):
        other.write_bytes(changed)
        try:
            equal(one, other)
        except Failed:
            continue
        raise Failed("other bytes are not noticed")
    samples = floats(one)
    louder = array.array("f", samples)
    louder[1000] += 2e-7
    expect(REVERB_LIMIT < difference(samples, louder) < -130, "another sample is not noticed")
    return "yes"


for machine in BUILDS:

    @check(f"the program is of {machine}")
    def _():
        number = struct.unpack("<H", (BUILDS[machine] / "portative").read_bytes()[18:20])[0]
        expect(number == {"amd64": 62, "arm64": 183}[machine], f"it is of machine {number}")
        return call(BUILDS[machine] / "portative", "--version").decode().splitlines()[0]


for name, song in SONGS.items():

    @check(f"render, {name}, dry")
    def _():
        paths = both(song, "dry.raw", *RAW, *DRY)
        if name not in FILTERED:
            equal(*paths)
            return "bit-equal"
        return differ(*paths, FILTERED[name][0])

    @check(f"render, {name}, reverb and chorus")
    def _():
        return differ(*both(song, "wet.raw", *RAW), FILTERED.get(name, (None, REVERB_LIMIT))[1])


@check("render, random song 1, dry, TimGM6mb")
def _():
    # Many of its presets have a filter.
    return differ(*both(SONGS["random song 1"], "other.raw", *RAW, *DRY, font=OTHER_FONT), REVERB_LIMIT)


@check("render, random song 1, dry, 44 100 Hz, a part")
def _():
    equal(*both(SONGS["random song 1"], "part.raw", *RAW, *DRY, "--rate", "44100", "--from", "3", "--to", "7"))
    return "bit-equal"


@check("render, random song 1, dry, stock timing")
def _():
    equal(*both(SONGS["random song 1"], "stock.raw", *RAW, *DRY, "--timing", "stock"))
    return "bit-equal"


for kind in ("jsonl", "csv", "npz", "mid"):

    @check(f"labels, {kind}")
    def _():
        paths = []
        for architecture in BUILDS:
            path = WORK / architecture / f"labels.{kind}"
            render(architecture, SONGS["random song 1"], "labelled.raw", *RAW, *DRY, "--labels", path)
            paths.append(path)
        equal(*paths)
        return "bit-equal"


@check("stems add up to the mix, 16 bits")
def _():
    mix = render("arm64", SONGS["random song 1"], "mix.wav", "--stems", "channel", "--bits", "16")
    stems = sorted(mix.with_suffix(".stems").glob("*.wav"))
    expect(len(stems) > 10, f"{len(stems)} stems")

    def samples(path):
        with wave.open(str(path)) as file:
            return array.array("h", file.readframes(file.getnframes()))

    total = [sum(column) for column in zip(*map(samples, stems), strict=True)]
    expect(total == list(samples(mix)) and any(total), "the sum is not the mix")
    return f"{len(stems)} stems, exactly"


@check("stems, dry ones, 32-bit float")
def _():
    names = []
    for architecture in BUILDS:
        render(architecture, SONGS["random song 2"], "parts.wav", "--stems", "channel", "--bits", "32f")
        names.append(sorted(path.name for path in (WORK / architecture / "parts.stems").iterdir()))
    expect(names[0] == names[1] and len(names[0]) > 2, f"{names}")
    for name in names[0]:
        if name != "wet.wav":
            equal(*(WORK / architecture / "parts.stems" / name for architecture in BUILDS))
    return f"{len(names[0]) - 1} stems bit-equal"


for extension, options in (("wav", ("--bits", "16")), ("wav", ("--bits", "24")), ("wav", ("--bits", "32f")), ("flac", ()),
                           ("aiff", ()), ("au", ()), ("w64", ()), ("rf64", ()), ("ogg", ()), ("opus", ()), ("mp3", ())):  # fmt: skip

    @check(" ".join(("format", extension, *options)))
    def _():
        one, other = both(SONGS["random song 1"], f"format.{extension}", *options, *DRY)
        if one.read_bytes() == other.read_bytes():
            expect(any(decoded(one)), "silence")
            return "bit-equal"
        greatest = difference(decoded(one), decoded(other))
        lossy = extension in ("ogg", "opus", "mp3")
        # The samples before encoding are equal, but encoders for arm64 round, and so decide, differently: -39.6 dB was seen.
        expect(greatest <= (-30 if lossy else -math.inf), f"differs by {greatest:.1f} dB")
        return "the samples are equal, not the file" if greatest == -math.inf else f"differs by at most {greatest:.1f} dB"


@check("normalized to -16 LUFS, dry")
def _():
    equal(*both(SONGS["random song 2"], "loud.wav", *DRY, "--normalize", "-16LUFS"))
    return "bit-equal"


class Node:
    """A program that publishes ports, in a runtime folder of its own."""

    def __init__(self, name, *arguments, manifest=None, **environment):
        self.folder = WORK / f"run-{name}"
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("run", "data", "state", "config"):
            (self.folder / part).mkdir(mode=0o700, parents=True)
        if manifest:
            (self.folder / "data/portative/nodes").mkdir(parents=True)
            shutil.copy(manifest, self.folder / "data/portative/nodes")
        self.environment = {
            "XDG_RUNTIME_DIR": str(self.folder / "run"), "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_STATE_HOME": str(self.folder / "state"), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_DATA_DIRS": str(self.folder), **environment,
        }  # fmt: skip
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen([str(a) for a in arguments], stdout=self.log, stderr=self.log, cwd=WORK,
                                        env={**os.environ, **self.environment})  # fmt: skip

    def wait_for(self, ports):
        """Waits until a number of ports is published, for up to 60 s."""
        for _ in range(1200):
            files = (self.folder / "run/portative").glob("*.json")
            if sum(path.read_text().count('"subtype"') for path in files) >= ports:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Failed(f"the node does not start: {(self.folder / 'log').read_text()[-1000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()


def server(architecture):
    configuration = WORK / "server.json"
    configuration.write_text('{ ports: [{ name: "Test: Synth", subtype: "syn1" }] }')
    return Node(f"server-{architecture}", BUILDS[architecture] / "portative", "serve", "--config", configuration, "--midi", "none",
                "--audio", "none", "--name", "test", "--no-panel", PORTATIVE_SOUNDFONT=str(FONT))  # fmt: skip


for node, host in (("arm64", "arm64"), ("arm64", "amd64"), ("amd64", "arm64")):
    for cycle in ("1024", "random"):

        @check(f"node {node}, host {host}, cycles of {cycle} frames, dry")
        def _():
            song = SONGS["random song 4"]
            expected = render("amd64", song, "expected.raw", *RAW, *DRY)
            played = WORK / "played.raw"
            with server(node) as running:
                running.wait_for(1)
                call(BUILDS[host] / "portative", "play", "--quiet", "--node", "Synth", "--set", "reverb.on=off", "--set",
                     "chorus.on=off", "--cycle", cycle, "--timeout", "60", *RAW, "-o", played, song, **running.environment)  # fmt: skip
            equal(expected, played)
            return "bit-equal with render of amd64"


for node, host in (("arm64", "arm64"), ("arm64", "amd64"), ("amd64", "arm64")):

    @check(f"C node {node}, C host {host}: samples, events, errors")
    def _():
        programs = {architecture: WORK / architecture for architecture in BUILDS}
        path = {architecture: {"LD_LIBRARY_PATH": str(WORK / architecture / "lib")} for architecture in BUILDS}
        with Node("c", programs[node] / "Clients-node", **path[node]) as running:
            running.wait_for(2)
            call(programs[host] / "Clients-host", timeout=120, **{**running.environment, **path[host]})
            expect(running.process.wait(30) == 0, f"the node fails: {(running.folder / 'log').read_text()[-1000:]}")
        return "all as expected"

    @check(f"C example node {node}, C example host {host}")
    def _():
        expected, played = WORK / "expected.wav", WORK / "played.wav"
        for first, second, output in (("amd64", "amd64", expected), (node, host, played)):
            with Node("saw", WORK / first / "c-synth", LD_LIBRARY_PATH=str(WORK / first / "lib")) as running:
                running.wait_for(1)
                call(WORK / second / "c-host", output, "Example: Saw", timeout=120,
                     **{**running.environment, "LD_LIBRARY_PATH": str(WORK / second / "lib")})  # fmt: skip
        equal(expected, played)
        return "bit-equal with amd64"


@check("offline C library: songs, blocks, notes, stems, forked children")
def _():
    began = time.monotonic()
    call(WORK / "arm64/render", FONT, DEMO, timeout=1200, LD_LIBRARY_PATH=str(WORK / "arm64/lib"))
    return f"all as expected, in {time.monotonic() - began:.0f} s"


PLUGIN_TESTS = ("zero_frames", "events_beyond_the_cycle", "garbage_atoms", "unconnected_ports", "save_before_run", "cycles_of_one_frame")


@check("LV2: bundles, lv2_lib_descriptor, " + ", ".join(PLUGIN_TESTS))
def _():
    manifest, configuration = ROOT / "nodes/portative.json", WORK / "empty.json"
    configuration.write_text("{}")
    with Node("lv2", ARM64 / "portative", "serve", "--config", configuration, "--midi", "none", "--audio", "none", "--no-panel",
              manifest=manifest, PORTATIVE_SOUNDFONT=str(FONT)) as running:  # fmt: skip
        running.wait_for(manifest.read_text().count("subtype"))
        bundles = []
        for architecture in BUILDS:
            folder = WORK / f"lv2-{architecture}"
            call(BUILDS[architecture] / "portative", "lv2", "install", "--folder", folder, "--library",
                 ARM64 / "libportative-lv2.so", "portative", **running.environment)  # fmt: skip
            files = sorted(path for path in folder.rglob("*") if path.suffix in (".ttl", ".json"))
            expect(len(files) > 2, f"{len(files)} files")
            bundles.append({str(path.relative_to(folder)): path.read_text().replace(str(folder), "") for path in files})
        expect(bundles[0] == bundles[1], "the bundles of amd64 and arm64 differ")
        description = json.loads(next((WORK / "lv2-arm64").glob("*/portative.json")).read_text())
        plugin = next(p for p in description["plugins"] if p["inputChannels"] == 0 and p["outputChannels"] == 2)
        bundle = next((WORK / "lv2-arm64").iterdir())
        for name in PLUGIN_TESTS:
            call(WORK / "arm64/lv2host", ARM64 / "libportative-lv2.so", f"{bundle}/", plugin["uri"], plugin["inputChannels"],
                 plugin["outputChannels"], len(plugin["parameters"]["parameters"]), name, **running.environment)  # fmt: skip
    return f"{len(PLUGIN_TESTS)} tests of the host, and {len(description['plugins'])} plugins as on amd64"


@check("Python package, dry samples and labels")
def _():
    song, raw = SONGS["random song 4"], WORK / "arm64/python.raw"
    program = (
        "import platform, sys, portative\n"
        "assert platform.machine() == 'aarch64', platform.machine()\n"
        "synthesizer = portative.Synthesizer(sys.argv[1], reverb=False, chorus=False)\n"
        "rendering = synthesizer.render(sys.argv[2])\n"
        "rendering.audio.T.tofile(sys.argv[3])\n"
        "print(len(rendering.labels.notes))\n"
    )
    notes = call(PYTHON, "-c", program, FONT, song, raw, PYTHONHOME="/usr", PYTHONDONTWRITEBYTECODE="1",
                 PYTHONPATH=f"{ROOT / 'Python'}:/opt/python-arm64/usr/lib/python3/dist-packages",
                 PORTATIVE_RENDER_LIBRARY=str(WORK / "arm64/lib/libportative-render.so.0"))  # fmt: skip
    expect(int(notes) > 250, f"{notes} notes")
    equal(render("amd64", song, "python.raw", *RAW, *DRY), raw)
    return f"bit-equal, labels of {int(notes)} notes"


width = max(len(name) for name, _, _ in rows)
print(f"\n{'check':{width}}  result")
for name, result, passed in rows:
    print(f"{name:{width}}  {'' if passed else 'FAILED: '}{result.splitlines()[0]}")
failed = [name for name, _, passed in rows if not passed]
print(f"\ntest-arm64: {len(rows) - len(failed)} of {len(rows)} passed")
sys.exit(1 if failed or not rows else 0)
