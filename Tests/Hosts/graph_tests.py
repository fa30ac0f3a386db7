"""The ports of portative serve in JACK's graph."""

import functools
import os
import signal
import time

import audio
import midi
import notes
from graph import Graph
from jackserver import Server
from support import LARGE_SOUNDFONT, Tests, wait_for

tests = Tests()

METRONOME = {"name": "Test: Metronome", "subtype": "clic", "unit": "metronome"}

DRY = {"reverb": False, "chorus": False}
STAGE = {"name": "Test: Stage", "subtype": "stag", **DRY}
CHAIN = {"name": "Test: Chain", "subtype": "chai", "unit": "chain", "type": "musicEffect", "nodes": ["Test: Latent"]}
DRY_OPTIONS = ["--reverb=off", "--chorus=off"]
MULTI = {"name": "Test: Multi", "subtype": "mult", "unit": "multi-synth"}
WET = {"name": "Test: Wet", "subtype": "wet "}


@tests(limit=180)
def notes_begin_on_their_frames_in_the_graph(workspace):
    for cycle in 64, 256, 1024:
        events, frames = midi.onset_song(cycle)
        with Graph(workspace, [STAGE], cycle) as graph:
            channels = graph.render("Test Stage", events, events[-1][0] + midi.RATE)
        remark = notes.expect_exact_onsets(channels, frames)
    return remark


@tests(limit=180)
def a_song_has_the_bits_of_render_in_the_graph(workspace):
    events = midi.dense_song()
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames, ["--reverb=off", "--chorus=off"]))
    for cycle in 64, 1024:
        with Graph(workspace, [STAGE, {**STAGE, "name": "Test: Other", "subtype": "othr"}], cycle) as graph:
            channels = graph.render("Test Stage", events, frames)
        audio.expect_equal(channels, expected, f"cycles of {cycle} frames")


@tests(limit=180)
def a_song_with_reverb_and_chorus_has_the_bits_of_render_in_the_graph(workspace):
    """Whatever was played before it: with and without a deadline, on a port and on one whose programs are set."""
    events = midi.dense_song()
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames, []))
    dry = audio.read(workspace.render(events, frames, ["--reverb=off", "--chorus=off"]))
    assert audio.first_difference(expected, dry) is not None, "the song has no effects"
    before = [(1000, bytes([0xC0, 48])), (2000, bytes([0x90, 60, 100])), (2000, bytes([0xB0, 93, 100]))]
    for cycle in 64, 1024:
        with Graph(workspace, [WET], cycle) as graph:
            graph.wait()
            ports = names("Test Wet")
            player = graph.server.begin(before, midi.RATE, *ports, is_free=False)
            player.wait(60)
            for repetition in 1, 2:
                channels = graph.render("Test Wet", events, frames)
                audio.expect_equal(channels, expected, f"cycles of {cycle} frames, repetition {repetition}")


@tests(limit=300)
def each_MIDI_channel_of_a_multi_synth_has_outputs_of_its_own_in_the_graph(workspace):
    """They have the bits of renderings of the channel alone, and the effects have the last pair."""
    events = midi.dense_song()
    frames = events[-1][0] + midi.RATE
    all_, dry = (audio.read(workspace.render(events, frames, options)) for options in ([], DRY_OPTIONS))

    def play(output, cycle):
        with Graph(workspace, [MULTI], cycle) as graph:
            # The recorder would be connected again with what it has recorded before.
            graph.forget_connections()
            graph.wait()
            outputs = [port for port in graph.ports("Test Multi:") if not port.endswith("midi_in")]
            assert len(outputs) == 34 and "Test Multi:out_left" not in outputs, outputs
            ports = [f"Test Multi:{output}_{side}" for side in ("left", "right")]
            return graph.server.render(events, frames, "Test Multi:midi_in", ports)

    for cycle in 64, 1024:
        for channel in 0, 2:
            own = [event for event in events if event[1][0] >= 0xF0 or event[1][0] & 15 == channel]
            expected = audio.read(workspace.render(own, frames, DRY_OPTIONS))
            audio.expect_equal(
                play(f"channel_{channel + 1}", cycle), expected, f"channel {channel + 1} in cycles of {cycle} frames")
        for wet, *others in zip(play("effects", cycle), dry, all_):
            error = max(abs(a + b - c) for a, b, c in zip(wet, *others))
            assert error < 1e-6, f"the effects differ by {error} from the rest in cycles of {cycle} frames"


@tests(limit=180)
def a_song_has_the_bits_of_render_with_a_large_soundfont(workspace):
    """Its samples are read when a program is first played, in the middle of the song, and not all are kept."""
    events = midi.dense_song()
    events += [(frame, bytes([0xC0 | channel, 127 - 7 * channel])) for channel, frame in enumerate(range(96000, 384000, 24000))]
    events = sorted(events, key=lambda event: event[0])
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames, [], LARGE_SOUNDFONT))
    for cycle in 64, 1024:
        with Graph(workspace, [WET], cycle, soundfont=LARGE_SOUNDFONT) as graph:
            channels = graph.render("Test Wet", events, frames)
        audio.expect_equal(channels, expected, f"cycles of {cycle} frames")


@tests(limit=180)
def a_song_has_the_bits_of_render_after_the_cycles_became_longer(workspace):
    events = midi.dense_song()
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames, ["--reverb=off", "--chorus=off"]))
    with Graph(workspace, [STAGE], 64) as graph:
        graph.wait()
        workspace.run("jack_bufsize", 1024)
        channels = graph.render("Test Stage", events, frames)
        log = graph.stop()
    audio.expect_equal(channels, expected, "cycles of 1024 instead of 64 frames")
    assert "the sound device is lost" not in log, log


@tests(limit=180)
def a_metronome_clicks_on_its_frames_after_a_jump(workspace):
    """With a change of tempo and meter after two bars, and a return to the second bar."""
    change = 8 * 24000
    # The recorder may miss the first cycle, so no beat is there.
    song = [12000, "0:120:4:4", f"{change}:150:3:4", f"@{change + 100000}:{4 * 24000}"]
    beats = [24000 * beat for beat in range(8)] + [change + 19200 * beat for beat in range(60)]
    frames = 600000
    for cycle in 64, 256, 1024:
        with Graph(workspace, [METRONOME], cycle) as graph:
            channels, changes = graph.follow("Test Metronome", song, frames)
        assert len([True for _, _, rolls in changes if rolls]) == 2, f"the transport changed {changes}"
        expected = []
        for index, (time, frame, rolls) in enumerate(changes):
            end = changes[index + 1][0] if index + 1 < len(changes) else frames
            if rolls:
                expected += [time + beat - frame for beat in beats if 0 <= beat - frame < min(end, frames) - time]
        clicks = audio.onsets(channels[0])
        assert clicks == expected, f"cycles of {cycle}: clicks on {clicks} instead of {expected}"
    return f"{len(expected)} clicks"


@tests(limit=180)
def messages_of_a_chain_are_on_their_frames_in_the_graph(workspace):
    """The node of the chain answers each channel message on its frame with one that is an octave higher."""
    workspace.add_node("latent-node")
    events = midi.dense_song()
    expected = [(frame, bytes([message[0], message[1] + 12 & 127]) + message[2:])
                for frame, message in events if message[0] < 0xF0]
    for cycle in 64, 256, 1024:
        with Graph(workspace, [CHAIN, STAGE], cycle) as graph:
            answers, _ = graph.answers("Test Chain", events, events[-1][0] + midi.RATE)
            assert not graph.ports("Test Stage:midi_out"), "the output of a unit that sends nothing"
        different = [pair for pair in zip(answers, expected) if pair[0] != pair[1]]
        assert not different, f"cycles of {cycle}: {different[0][0]} instead of {different[0][1]}"
        assert len(answers) == len(expected), f"cycles of {cycle}: {len(answers)} messages instead of {len(expected)}"
    return f"{len(expected)} messages in cycles of each length"


@tests(limit=180)
def a_port_whose_name_exists_gets_a_number_and_sounds(workspace):
    events, frames = midi.onset_song(256)
    with Graph(workspace, [STAGE], 256) as graph:
        graph.wait()
        graph.stop()
        for number in range(2):
            workspace.start(f"metronome {number}", "jack_metro", "--name", "Test Stage", "--bpm", 120)
            wait_for(lambda: len(graph.ports("Test Stage")) == number + 1, "the metronome", 60)
        graph.start()
        graph.wait()
        assert "Test Stage-02:midi_in" in graph.ports(), graph.ports()
        assert "as 'Test Stage-02'" in workspace.log("serve"), workspace.log("serve")
        notes.expect_exact_onsets(graph.render("Test Stage-02", events, events[-1][0] + midi.RATE), frames)
        assert len(graph.ports("Test Stage:")) == 1, "the other program's port"


@tests(limit=180)
def ports_return_when_the_server_does(workspace):
    """The server is killed in a cycle, and returns with longer cycles and at another rate."""
    events, frames = midi.onset_song(1024)
    end = events[-1][0] + midi.RATE
    with Graph(workspace, [STAGE, METRONOME], 256) as graph:
        for rate, cycle in (midi.RATE, 1024), (44100, 64), (32000, 512):
            graph.wait()
            # Without a deadline, the server is always in a cycle.
            player = graph.server.begin(events, 1000 * midi.RATE, *names("Test Stage"))
            graph.wait_for_player()
            lost, began = (workspace.log("serve").count(text) for text in ("the sound device is lost", f"{cycle} frames"))
            workspace.kill(graph.server.process)
            player.wait(60)
            # The same sentence of two ports is logged once.
            graph.wait_for_log("the sound device is lost", lost + 1)
            graph.server = Server(workspace, cycle, rate)
            graph.wait_for_log(f"{rate} Hz, {cycle} frames", began + 2)
            notes.expect_exact_onsets(graph.render("Test Stage", events, end), frames)


@tests(limit=180)
def sound_continues_after_the_ports_were_stopped_for_longer_than_the_time_out(workspace):
    """JACK's server disconnects or skips the clients of a process that does not answer."""
    events, frames = midi.onset_song(256)
    end = events[-1][0] + midi.RATE
    for options in ["-S"], []:
        with Graph(workspace, [STAGE], 256, impatient(500, *options)) as graph:
            graph.wait()
            for seconds in 1, 7:
                os.kill(graph.process.pid, signal.SIGSTOP)
                time.sleep(seconds)
                os.kill(graph.process.pid, signal.SIGCONT)
                wait_for(lambda: "Test Stage:midi_in" in graph.ports(), "the port", 60)
                notes.expect_exact_onsets(graph.render("Test Stage", events, end), frames)


@tests(limit=180)
def sound_continues_after_the_server_was_stopped(workspace):
    events, frames = midi.onset_song(256)
    with Graph(workspace, [STAGE], 256) as graph:
        graph.wait()
        for seconds in 1, 12:
            os.kill(graph.server.process.pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(graph.server.process.pid, signal.SIGCONT)
            wait_for(lambda: "Test Stage:midi_in" in graph.ports(), "the port", 60)
            channels = graph.render("Test Stage", events, events[-1][0] + midi.RATE)
            notes.expect_exact_onsets(channels, frames)


FAULTS = ["0:4:4:1920", "nan:4:4:1920", "inf:4:4:1920", "-inf:4:4:1920", "-120:4:4:1920", "1e300:4:4:1920",
          "120:0:4:1920", "120:nan:4:1920", "120:-3:4:1920", "120:1e30:4:1920", "120:4:0:1920", "120:4:nan:1920",
          "120:4:-4:1920", "120:4:4:0", "120:4:4:nan", "120:4:4:-1920", "120:4:4:1e-300", "nan:nan:nan:nan"]


@tests(limit=180)
def a_metronome_clicks_again_after_absurd_positions(workspace):
    """Each fault lasts for a beat, from the middle of a beat, and one beat is between two faults."""
    beat = 24000
    song = [12000, "0:120:4:4"]
    song += [f"!{(2 * number + 1) * beat + beat // 2}:{(2 * number + 2) * beat + beat // 2}:{fault}"
             for number, fault in enumerate(FAULTS)]
    frames = (2 * len(FAULTS) + 4) * beat
    events, onsets_of_notes = midi.onset_song(256)
    with Graph(workspace, [METRONOME, STAGE], 256) as graph:
        channels, changes = graph.follow("Test Metronome", song, frames)
        start = changes[0][1]
        clicks = [frame + start for frame in audio.onsets(channels[0])]
        during = [click for click in clicks if _is_faulty(click, beat)]
        expected = [index * beat for index in range(1, (frames + start) // beat + 1)]
        expected = [frame for frame in expected if not _is_faulty(frame, beat) and frame < frames + start]
        clicks = [click for click in clicks if not _is_faulty(click, beat)]
        assert clicks == expected, f"clicks on {clicks} instead of {expected}"
        assert graph.process.poll() is None, "the ports have ended"
        channels = graph.render("Test Stage", events, events[-1][0] + midi.RATE)
    notes.expect_exact_onsets(channels, onsets_of_notes)
    return f"{len(clicks)} clicks between {len(FAULTS)} faults, {len(during)} during them"


def _is_faulty(frame, beat):
    """Whether a frame is in one of the faults, or within a cycle of one."""
    number, offset = divmod(frame - beat - beat // 2 + 256, 2 * beat)
    return 0 <= number < len(FAULTS) and offset <= beat + 512


@tests(limit=180)
def sound_continues_when_connected_programs_are_killed(workspace):
    events, frames = midi.onset_song(256)
    with Graph(workspace, [STAGE], 256, impatient(500)) as graph:
        graph.wait()
        for _ in range(5):
            player = graph.server.begin(events, 1000 * midi.RATE, *names("Test Stage"), is_free=False)
            graph.wait_for_player()
            workspace.kill(player)
            wait_for(lambda: "recorder:left" not in graph.ports(), "the end of the recorder", 60)
        # Connections to ports that are gone are remembered, and not made.
        graph.stop()
        graph.start()
        graph.wait()
        assert graph.ports("recorder") == []
        channels = graph.render("Test Stage", events, events[-1][0] + midi.RATE)
        log = graph.stop()
    notes.expect_exact_onsets(channels, frames)
    assert "the sound device is lost" not in log, log


def impatient(milliseconds, *options):
    """Returns the class of servers that wait for a client no longer than this."""
    return functools.partial(Server, options=("-t", milliseconds, *options))


def names(client):
    """Returns the MIDI input of a client, and its outputs."""
    return f"{client}:midi_in", [f"{client}:out_left", f"{client}:out_right"]
