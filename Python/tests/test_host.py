"""Ports of a real node: portative serve."""

import contextlib
import fractions
import gc
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import FONT, ROOT, SONG, phrase

import portative
from portative import host

PROGRAM = pathlib.Path(os.environ.get("PORTATIVE_PROGRAM", ROOT / ".build/release/portative"))
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the command is not built")
INSTRUMENT = "Portative: General MIDI"


@contextlib.contextmanager
def serve(name):
    """Runs a node until the end of the block."""
    log = pathlib.Path(os.environ["XDG_RUNTIME_DIR"], f"{name}.log")
    with open(log, "wb") as file:
        process = subprocess.Popen(
            [PROGRAM, "serve", "--soundfont", FONT, "--name", name, "--audio", "none", "--midi", "none", "--no-panel"],
            stdout=file, stderr=file,
        )  # fmt: skip
    try:
        end = time.monotonic() + 30
        while len(host.ports(node=name)) < 6:
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module", autouse=True)
def runtime_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setenv("XDG_DATA_DIRS", str(folder / "none"))
        yield folder


@pytest.fixture(scope="module")
def node(runtime_folder):
    with serve("test") as process:
        yield process


@pytest.fixture
def own_node(runtime_folder):
    """A node that the test may harm."""
    with serve("harmed") as process:
        yield process


def events_of(path, rate):
    """The channel messages of a MIDI file, and its System Exclusive messages, with frames by exact fractions."""
    mido = pytest.importorskip("mido")
    file = mido.MidiFile(path)
    now, tempo, listed, exclusive = fractions.Fraction(0), 500_000, [], []
    for message in mido.merge_tracks(file.tracks):
        now += fractions.Fraction(message.time * tempo, file.ticks_per_beat * 1_000_000)
        if message.type == "set_tempo":
            tempo = message.tempo
        elif not message.is_meta:
            frame, data = int(now * rate + fractions.Fraction(1, 2)), message.bytes()
            if message.type == "sysex":
                exclusive.append((frame, message))
            else:
                listed.append((frame, *data, *[0] * (3 - len(data))))
    return np.array(listed, host.EVENT), exclusive


@pytest.mark.parametrize(("rate", "maximum_frames"), [(48000, 4096), (44100, 64), (96000, 1000), (8000, 65536), (22050, 117)])
def test_one_sound_notes_have_the_samples_of_render(node, rate, maximum_frames):
    rendering = portative.Synthesizer(FONT, rate=rate).render(phrase(16))
    with host.connect(INSTRUMENT, rate=rate, maximum_frames=maximum_frames) as port:
        audio = port.play(host.events(phrase(16), rate), rendering.audio.shape[1])
        assert port.statistics["late_notes"] == 0
    assert np.abs(audio).max() > 0.01
    assert np.array_equal(audio, rendering.audio)


def test_one_sound_a_song_has_the_samples_of_render(node, demo):
    events, exclusive = events_of(SONG, 48000)
    assert exclusive
    with host.connect(INSTRUMENT) as port:
        for frame, message in exclusive:
            port.schedule(message, frame)
        audio = port.play(events, demo.audio.shape[1])
    assert np.array_equal(audio, demo.audio)


def test_cycle_messages_act_on_their_frames_however_cycles_are_cut(node):
    alone = portative.Synthesizer(FONT).render([(0, 0.5, 60, 100)], labels=False).audio
    for cuts in ([10000], [1, 63, 64, 1000, 8872], [4096, 4096, 1808]):
        with host.connect(INSTRUMENT) as port:
            port.schedule([0x90, 60, 100], offset=0)
            parts = [port.render(count) for count in cuts]
            audio = np.concatenate(parts, axis=1)
            assert np.array_equal(audio, alone[:, :10000])
    # The dry part of a note that begins later is shifted.
    with host.connect(INSTRUMENT) as port:
        port.set({"reverb.on": 0, "chorus.on": 0})
        port.schedule(b"\x90\x3c\x64", offset=5000)
        audio = port.render(15000)
    dry = portative.Synthesizer(FONT, reverb=False, chorus=False).render([(0, 0.5, 60, 100)], labels=False).audio
    assert not audio[:, :5000].any() and np.array_equal(audio[:, 5000:], dry[:, :10000])


def test_ports_are_listed_and_named(node):
    listed = {port.name: port for port in host.ports()}
    assert listed[INSTRUMENT].subtype == "gmsy" and listed[INSTRUMENT].process_id == node.pid
    assert [port.type for port in host.ports("delay")] == ["effect"]
    assert {port.type for port in host.ports(type="instrument")} == {"instrument"}
    assert host.ports(node="none") == []
    with host.connect(listed[INSTRUMENT]) as port:
        assert port.port.node == "test" and port.state == "initialized" and port.latency == 0
        assert "General MIDI" in repr(port)


def test_parameters_presets_and_state(node):
    with host.connect(INSTRUMENT) as port:
        assert port.parameters["reverb.room"].maximum == 1
        port.set({"reverb.room": 0.75})
        port.render(64)
        assert port.values()["reverb.room"] == 0.75
        state = port.save_state()
        port.schedule_parameter("reverb.room", 0.25, offset=10, ramp=20)
        port.render(64)
        assert port.values()["reverb.room"] == 0.25
        port.restore_state(state)
        port.render(64)
        assert port.values()["reverb.room"] == 0.75
        names = port.presets()
        assert len(names) > 1
        port.use_preset(names[-1])
        port.set_file("soundfont", FONT)
        for code, call in {
            "badParameter": lambda: port.set({"reverb.room": 2.0}),
            "outOfRange": lambda: port.schedule_parameter("reverb.room", float("nan")),
            "noSuchPreset": lambda: port.use_preset(100_000),
            "badState": lambda: port.restore_state("{}"),
            "unusableFile": lambda: port.set_file("soundfont", __file__),
            "malformed": lambda: port.schedule(b"\x90\x3c"),
        }.items():
            with pytest.raises(portative.HostError) as raised:
                call()
            assert raised.value.code == code, raised.value
        with pytest.raises(portative.HostError, match="reverb.room"):
            port.schedule_parameter("room", 1)
        assert port.render(64).shape == (2, 64)


def test_the_transport_reaches_the_unit_on_its_frame(node):
    with host.connect("Portative: Metronome") as port:
        port.set_transport(host.Transport(beat=-1 / 3, tempo=60, meter=(4, 4), is_playing=True))
        audio = port.render(4096 * 5)[0]
        # A cycle without a transport has no click: what follows is set in each cycle.
        assert not audio.any()
        port.initialize()
        blocks = []
        for i in range(5):
            port.set_transport(host.Transport(beat=-1 / 3 + i * 4096 / 48000, tempo=60, meter=(4, 4), is_playing=True))
            blocks.append(port.render(4096)[0])
        audio = np.concatenate(blocks)
    assert not audio[:16000].any() and audio[16000:16100].any()
    with pytest.raises(ValueError, match="tempo"):
        host.Transport(beat=1)._structure()


def test_an_effect_receives_audio(node):
    impulse = np.zeros((2, 9000), np.float32)
    impulse[:, 100] = 0.5
    with host.connect("Portative: Delay", input_channels=2, maximum_frames=256) as port:
        audio = port.render(input=impulse)
        assert audio.shape == (2, 9000) and not audio[:, :100].any() and audio.any()
        # The channels of an input need not be contiguous.
        again = port.render(64, input=np.zeros((64, 2), np.float32).T)
        assert again.shape == (2, 64)
        for bad in (impulse[:1], impulse.astype(np.float64), [[0.0]], impulse[:, :5]):
            with pytest.raises(ValueError, match="input must"):
                port.render(9000, input=bad)


def test_out_receives_the_audio(node):
    with host.connect(INSTRUMENT) as port:
        out = np.full((2, 5000), 9, np.float32)
        # Without notes, reverb and chorus are all but silent.
        assert port.render(out=out) is out and np.abs(out).max() < 1e-6
        for bad in (np.zeros((2, 5000)), np.zeros((5000, 2), np.float32).T, np.zeros((1, 5000), np.float32), [0.0], np.zeros((2, 9999), np.float32)[:, ::2]):
            with pytest.raises(ValueError, match="out must"):
                port.render(5000, out=bad)
        with pytest.raises(ValueError, match="EVENT"):
            port.play(np.zeros(3), 100)
        with pytest.raises(ValueError, match="0 or more"):
            port.play(np.array([(-1, 0x90, 60, 100)], host.EVENT), 100)
        with pytest.raises(ValueError, match="frames must"):
            port.render(-1)


def test_the_program_of_the_guide_runs(node):
    guide = ROOT / "Documentation/Hosting.md"
    (program,) = re.findall(r"```python\n(.*?)```", guide.read_text(), re.DOTALL)
    names = {}
    exec(compile(program, str(guide), "exec"), names)
    assert names["audio"].shape == (2, 96000) and names["audio"].any()


def test_what_cannot_be_connected_is_refused(node):
    with pytest.raises(portative.HostError, match="portative serve") as raised:
        host.connect("None")
    assert raised.value.code == "noSuchPort" and pickle.loads(pickle.dumps(raised.value)).code == "noSuchPort"
    with pytest.raises(portative.HostError) as raised:
        host.connect(INSTRUMENT, channels=3)
    assert raised.value.code == "unsupportedFormat"
    with pytest.raises(portative.HostError) as raised:
        host.connect(host.Port("x", "test", "instrument", "none", "Ptvo"), wait=0)
    assert raised.value.code == "launchFailed"
    for options in ({"rate": 1}, {"channels": 65}, {"maximum_frames": 0}, {"stall_limit": float("nan")}, {"wait": -1}):
        with pytest.raises(ValueError, match="must be"):
            host.connect(INSTRUMENT, **options)


def test_a_full_fifo_refuses_and_what_it_accepted_sounds(node):
    with host.connect(INSTRUMENT) as port:
        count = 0
        with pytest.raises(portative.HostError) as raised:
            while True:
                port.schedule([0x90, 60 + count % 12, 1], offset=100)
                count += 1
        assert raised.value.code == "fifoFull" and count > 100
        assert port.render(4096).any()
        port.schedule([0x90, 60, 1])
        # Any number of messages fits into a song.
        many = np.array([(i % 50_000, 0xB0, 7, 100) for i in range(100_000)], host.EVENT)
        port.play(many, 50_000)
        with pytest.raises(portative.HostError, match="frame 7"):
            port.play(np.array([(7, 0xB0, 7, 100)] * 100_000, host.EVENT), 50_000)


@pytest.mark.parametrize("offline", [True, False])
def test_a_node_that_is_killed_while_it_renders_raises(own_node, offline):
    port = host.connect(INSTRUMENT, node="harmed", is_offline=offline)
    timer = threading.Timer(0.3, own_node.kill)
    began = time.monotonic()
    timer.start()
    with pytest.raises(portative.ConnectionLost, match="ended"):
        while True:
            try:
                port.schedule([0x90, 60, 100])
                port.render(48000)
            except portative.HostError as error:
                # On a busy machine, many cycles are late.
                if error.code != "parked" or offline:
                    raise
                port.initialize()
    assert time.monotonic() - began < 60
    assert port.state == "lost"
    for call in (lambda: port.render(64), lambda: port.schedule([0x90, 1, 1]), port.values, port.initialize, port.save_state):
        with pytest.raises(portative.ConnectionLost):
            call()
    port.close()


def test_a_node_that_hangs_raises_and_can_be_used_again(own_node):
    with host.connect(INSTRUMENT, node="harmed", stall_limit=0.5) as port:
        port.render(64)
        os.kill(own_node.pid, signal.SIGSTOP)
        try:
            with pytest.raises(portative.HostError) as raised:
                # The process stops within some cycles.
                while True:
                    port.render(4096)
            assert raised.value.code == "stalled"
            with pytest.raises(portative.HostError) as raised:
                port.render(4096)
            assert raised.value.code == "parked" and port.state == "parked"
        finally:
            os.kill(own_node.pid, signal.SIGCONT)
        port.initialize()
        port.schedule([0x90, 60, 100])
        assert port.render(4096).any()


@pytest.mark.skipif(not (ROOT / "Examples/live.py").exists(), reason="without the examples")
def test_the_live_example_plays_on_after_a_node_that_hung_and_one_that_ended(tmp_path, monkeypatch):
    # A folder of its own: the example takes any node with the port.
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])}
    command = [sys.executable, ROOT / "Examples/live.py", "General MIDI"]
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(serve("live"))
        player = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment))
        stack.callback(player.kill)
        stack.enter_context(contextlib.closing(player.stdout))
        timer = threading.Timer(120, player.kill)
        stack.callback(timer.cancel)
        timer.start()

        def wait_for(pattern):
            assert any(re.search(pattern, line) for line in player.stdout), f"the example ended without {pattern!r}"

        wait_for(f"'{INSTRUMENT}' of node 'live' \\(process {first.pid}\\) plays$")
        first.send_signal(signal.SIGSTOP)
        wait_for("^late: ")
        wait_for("^parked: .*consecutive")
        first.send_signal(signal.SIGCONT)
        wait_for(f"process {first.pid}\\) plays again$")
        first.kill()
        first.wait()
        wait_for("^lost: the node has ended$")
        second = stack.enter_context(serve("live"))
        wait_for(f"process {second.pid}\\) plays again$")
        player.send_signal(signal.SIGINT)
        assert player.wait(30) == 0


def test_a_connection_in_real_time_that_rests_is_parked_and_can_be_initialized_again(node):
    with host.connect(INSTRUMENT, is_offline=False) as port:
        end = time.monotonic() + 30
        while port.state != "parked":
            assert time.monotonic() < end
            time.sleep(0.1)
        for call in (lambda: port.render(64), lambda: port.schedule([0x90, 60, 100])):
            with pytest.raises(portative.HostError, match="initialize") as raised:
                call()
            assert raised.value.code == "parked"
        port.initialize()
        assert port.state == "initialized"


def test_closing_ends_what_other_threads_wait_for(node):
    port = host.connect(INSTRUMENT)
    results = []

    def render():
        try:
            while True:
                port.schedule([0x90, 60, 100])
                port.render(48000)
        except portative.ConnectionLost:
            results.append("lost")

    threads = [threading.Thread(target=render) for _ in range(3)]
    closers = [threading.Thread(target=port.close) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    for thread in closers:
        thread.start()
    for thread in [*closers, *threads]:
        thread.join(20)
        assert not thread.is_alive()
    assert results == ["lost"] * 3
    port.close()
    assert port.state == "lost"
    with pytest.raises(portative.ConnectionLost, match="closed"):
        port.render(64)


def test_connections_leave_no_descriptors_and_no_hosts(node):
    def descriptors():
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    host.connect(INSTRUMENT).close()
    before = descriptors()
    for i in range(80):
        port = host.connect(INSTRUMENT)
        port.render(64)
        if i % 2:
            port.close()
        del port
    with pytest.raises(portative.HostError):
        host.connect(INSTRUMENT, channels=3)
    assert descriptors() == before


def test_a_forked_process_has_connections_of_its_own(node):
    port = host.connect(INSTRUMENT)
    port.schedule([0x90, 60, 100])
    expected = port.render(4096)
    for _ in range(5):
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            try:
                for call in (lambda: port.render(64), lambda: port.values(), port.initialize):
                    try:
                        call()
                        os._exit(1)
                    except portative.HostError as error:
                        assert error.code == "forked"
                port.close()
                with host.connect(INSTRUMENT) as other:
                    other.schedule([0x90, 60, 100])
                    assert np.array_equal(other.render(4096), expected)
                del port
                gc.collect()
                os._exit(0)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
    assert port.render(4096).any()
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(port)
    port.close()


def test_a_process_that_ends_while_it_renders_does_not_crash(node):
    code = f"""
import sys, threading, time
from portative import host
port = host.connect({INSTRUMENT!r})
begun = threading.Event()
def render():
    while True:
        port.schedule([0x90, 60, 100]); port.render(48000); begun.set()
threading.Thread(target=render, daemon=True).start()
begun.wait()
sys.exit(7)
"""
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])}
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment)
    assert process.returncode == 7, process.stderr
