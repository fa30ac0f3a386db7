"""Compares the build for arm64, under QEMU, with that for amd64, and prints a table of what has the same bits.

usage: check.py FOLDER AMD64 ARM64 [CHECKS]: the folder with the C programs of Tests/Arm64/run, and those of the two builds.
CHECKS is a regular expression: only the checks with such a name.

Dry sound and labels must have the same bits. FluidSynth's reverb and chorus use fused multiply-add on arm64, and its filter is
compiled with -ffast-math, so there the greatest difference of a sample has a limit, which each check states. Every check can
fail: the first one shows that different songs and a sample that differs by one bit are noticed.

Run it on a machine without other load: a node gives a host 2 s of real time for its first message, also under QEMU.
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
import struct
import subprocess
import sys
import time
import wave

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Hosts"))
import midi  # noqa: E402
from support import OTHER_SOUNDFONT, ROOT, SOUNDFONT, Workspace, adopt_orphans, wait_for  # noqa: E402

WORK, AMD64, ARM64 = (pathlib.Path(argument) for argument in sys.argv[1:4])
CHECKS = re.compile(sys.argv[4] if len(sys.argv) > 4 else "")
BUILDS = {"amd64": AMD64, "arm64": ARM64}
DEMO = ROOT / "SoundFonts/demo.mid"
PYTHON = "/opt/python-arm64/usr/bin/python3"
DRY = ("--reverb", "off", "--chorus", "off")
REVERB_LIMIT = -140
# Notes of these songs have presets with a resonant filter, whose last bits differ: the greatest difference, dry and with reverb,
# which adds up what is fed into it. Seen were -153.0 and -111.7 dB.
FILTERED = ("random song 2", "random song 3")
FILTER_LIMIT, FILTER_REVERB_LIMIT = -150, -110
rows = []
adopt_orphans()


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def check(name):
    """Runs the function below at once, and adds what it returns to the table."""

    def run(function):
        if not CHECKS.search(name):
            return
        began = time.monotonic()
        try:
            result, passed = function(), True
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
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


def render(architecture, song, output, *options, font=SOUNDFONT):
    path = WORK / architecture / output
    path.parent.mkdir(exist_ok=True)
    call(BUILDS[architecture] / "portative", "render", "--quiet", "--soundfont", font, *options, "-o", path, song)
    return path


def both(song, output, *options, font=SOUNDFONT):
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


def mean_difference(one, other):
    """The difference of two sounds as a root mean square, in dB of full scale."""
    expect(len(one) == len(other), f"{len(one)} and {len(other)} samples")
    return 10 * math.log10(sum(map(lambda a, b: (a - b) ** 2, one, other)) / len(one))


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
    path = WORK / f"random-{seed}.mid"
    midi.write(path, sorted(events, key=lambda event: event[0]), 12000, division=500)
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
        except AssertionError:
            continue
        raise AssertionError("other bytes are not noticed")
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
        return differ(*paths, FILTER_LIMIT)

    @check(f"render, {name}, reverb and chorus")
    def _():
        return differ(*both(song, "wet.raw", *RAW), FILTER_REVERB_LIMIT if name in FILTERED else REVERB_LIMIT)


@check("render, random song 1, dry, TimGM6mb")
def _():
    # Many of its presets have a filter.
    return differ(*both(SONGS["random song 1"], "other.raw", *RAW, *DRY, font=OTHER_SOUNDFONT), REVERB_LIMIT)


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
        render(architecture, SONGS["random song 4"], "parts.wav", "--stems", "channel", "--bits", "32f")
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
        samples = [decoded(path) for path in (one, other)]
        greatest = difference(*samples)
        if extension not in ("ogg", "opus", "mp3"):
            expect(greatest == -math.inf, f"differs by {greatest:.1f} dB")
            return "the samples are equal, not the file"
        # The samples before encoding are equal, but encoders for arm64 round, and so decide, differently. Neither file may be
        # farther from these samples than the other. The distances were -49.1 to -50.3 dB, and differed by 0.02 dB; the song has
        # -27.9 dB.
        source = floats(render("amd64", SONGS["random song 1"], "source.raw", *RAW, *DRY))
        errors = [mean_difference(source, each) for each in samples]
        text = f"differs by at most {greatest:.1f} dB; from the source by {errors[0]:.2f} and {errors[1]:.2f} dB on average"
        expect(max(errors) < -45 and abs(errors[0] - errors[1]) < 0.05, text)
        return text


@check("normalized to -16 LUFS, dry")
def _():
    equal(*both(SONGS["random song 4"], "loud.wav", *DRY, "--normalize", "-16LUFS"))
    return "bit-equal"


def start_node(workspace, ports, *command, **environment):
    """Starts a program, and waits until it has published a number of ports."""
    process = workspace.start("node", *command, **environment)

    def are_published():
        expect(process.poll() is None, f"the node has ended: {workspace.log('node')[-1000:]}")
        files = pathlib.Path(workspace.environment["XDG_RUNTIME_DIR"], "portative").glob("*.json")
        return sum(path.read_text().count('"subtype"') for path in files) >= ports

    wait_for(are_published, f"{ports} ports of the node", 60)
    return process


def start_server(workspace, architecture):
    configuration = workspace.folder / "server.json"
    configuration.write_text('{ ports: [{ name: "Test: Synth", subtype: "syn1" }] }')
    start_node(workspace, 1, BUILDS[architecture] / "portative", "serve", "--config", configuration, "--midi", "none",
               "--audio", "none", "--name", "test", "--no-panel", PORTATIVE_SOUNDFONT=str(SOUNDFONT))  # fmt: skip


for node, host in (("arm64", "arm64"), ("arm64", "amd64"), ("amd64", "arm64")):
    for cycle in ("1024", "random"):

        @check(f"node {node}, host {host}, cycles of {cycle} frames, dry")
        def _():
            song = SONGS["random song 4"]
            expected = render("amd64", song, "expected.raw", *RAW, *DRY)
            played = WORK / "played.raw"
            with Workspace() as workspace:
                start_server(workspace, node)
                workspace.run(BUILDS[host] / "portative", "play", "--quiet", "--node", "Synth", "--set", "reverb.on=off", "--set",
                              "chorus.on=off", "--cycle", cycle, "--timeout", "60", *RAW, "-o", played, song)  # fmt: skip
            equal(expected, played)
            return "bit-equal with render of amd64"


for node, host in (("arm64", "arm64"), ("arm64", "amd64"), ("amd64", "arm64")):

    @check(f"C node {node}, C host {host}: samples, events, errors")
    def _():
        libraries = {architecture: {"LD_LIBRARY_PATH": str(WORK / architecture / "lib")} for architecture in BUILDS}
        with Workspace() as workspace:
            running = start_node(workspace, 2, WORK / node / "Clients-node", **libraries[node])
            workspace.run(WORK / host / "Clients-host", **libraries[host])
            expect(running.wait(30) == 0, f"the node fails: {workspace.log('node')[-1000:]}")
        return "all as expected"

    @check(f"C example node {node}, C example host {host}")
    def _():
        expected, played = WORK / "expected.wav", WORK / "played.wav"
        for first, second, output in (("amd64", "amd64", expected), (node, host, played)):
            with Workspace() as workspace:
                start_node(workspace, 1, WORK / first / "c-synth", LD_LIBRARY_PATH=str(WORK / first / "lib"))
                workspace.run(WORK / second / "c-host", output, "Example: Saw", LD_LIBRARY_PATH=str(WORK / second / "lib"))
        equal(expected, played)
        return "bit-equal with amd64"


@check("offline C library: songs, blocks, notes, stems, forked children")
def _():
    began = time.monotonic()
    call(WORK / "arm64/render", SOUNDFONT, DEMO, timeout=1200, LD_LIBRARY_PATH=str(WORK / "arm64/lib"))
    return f"all as expected, in {time.monotonic() - began:.0f} s"


PLUGIN_TESTS = ("zero_frames", "events_beyond_the_cycle", "garbage_atoms", "unconnected_ports", "save_before_run", "cycles_of_one_frame")


@check("LV2: bundles, lv2_lib_descriptor, " + ", ".join(PLUGIN_TESTS))
def _():
    manifest = ROOT / "nodes/portative.json"
    with Workspace() as workspace:
        workspace.manifest().parent.mkdir(parents=True)
        shutil.copy(manifest, workspace.manifest())
        configuration = workspace.folder / "empty.json"
        configuration.write_text("{}")
        start_node(workspace, manifest.read_text().count("subtype"), ARM64 / "portative", "serve", "--config", configuration,
                   "--midi", "none", "--audio", "none", "--no-panel", PORTATIVE_SOUNDFONT=str(SOUNDFONT))  # fmt: skip
        bundles = []
        for architecture in BUILDS:
            folder = WORK / f"lv2-{architecture}"
            workspace.run(BUILDS[architecture] / "portative", "lv2", "install", "--folder", folder, "--library",
                          ARM64 / "libportative-lv2.so", "portative")  # fmt: skip
            files = sorted(path for path in folder.rglob("*") if path.suffix in (".ttl", ".json"))
            expect(len(files) > 2, f"{len(files)} files")
            bundles.append({str(path.relative_to(folder)): path.read_text().replace(str(folder), "") for path in files})
        expect(bundles[0] == bundles[1], "the bundles of amd64 and arm64 differ")
        description = json.loads(next((WORK / "lv2-arm64").glob("*/portative.json")).read_text())
        plugin = next(p for p in description["plugins"] if p["inputChannels"] == 0 and p["outputChannels"] == 2)
        bundle = next((WORK / "lv2-arm64").iterdir())
        for name in PLUGIN_TESTS:
            workspace.run(WORK / "arm64/lv2host", ARM64 / "libportative-lv2.so", f"{bundle}/", plugin["uri"],
                          plugin["inputChannels"], plugin["outputChannels"], len(plugin["parameters"]["parameters"]), name)  # fmt: skip
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
    notes = call(PYTHON, "-c", program, SOUNDFONT, song, raw, PYTHONHOME="/usr", PYTHONDONTWRITEBYTECODE="1",
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
