"""The ports of portative serve in PipeWire's graph, through its library for JACK."""

import json
import pathlib
import time

import midi
import notes
from graph import Graph
from pipewire import SINK, PipeWire
from support import Tests, wait_for

tests = Tests()

STAGE = {"name": "Test: Stage", "subtype": "stag", "reverb": False, "chorus": False}
PORTS = ["Test Stage:midi_in", "Test Stage:out_left", "Test Stage:out_right"]
DELAY = {"name": "Test: Echo", "subtype": "echo", "unit": "delay"}


def linked(server, output, port):
    """Returns whether an output of the stage is linked to a port."""
    return port in server.links(f"Test Stage:{output}")


@tests(limit=240)
def notes_begin_on_their_frames_in_PipeWire(workspace):
    remarks = []
    for cycle in 64, 256, 1024:
        events, frames = midi.onset_song(cycle)
        with Graph(workspace, [STAGE], cycle, PipeWire) as graph:
            graph.wait()
            # PipeWire does not wait for its clients: on a busy machine, cycles are missing.
            for _ in range(3):
                channels, gaps = graph.server.play(events, events[-1][0] + midi.RATE, PORTS[0], PORTS[1:])
                if len(complete := notes.complete(frames, gaps)) >= 8:
                    break
        assert len(complete) >= 8, f"cycles of {cycle} frames: {len(gaps)} gaps; only {len(complete)} notes are complete"
        notes.expect_exact_onsets(channels, complete)
        remarks.append(f"cycles of {cycle} frames: {len(complete)} complete notes, {len(gaps)} gaps")
    return "\n".join(remarks)


@tests(limit=120)
def ports_and_connections_appear_in_PipeWire(workspace):
    with Graph(workspace, [STAGE, DELAY], 256, PipeWire) as graph:
        graph.wait()
        audio, midi_format = "32 bit float mono audio", "8 bit raw midi"
        outputs = {("out_left", "out", audio), ("out_right", "out", audio)}
        inputs = {("in_left", "in", audio), ("in_right", "in", audio)}
        stage = outputs | {("midi_in", "in", midi_format)}
        wait_for(lambda: graph.server.ports("Test Stage") == stage, "the ports of the stage")
        wait_for(lambda: graph.server.ports("Test Echo") >= outputs | inputs, "the ports of the echo")
        wait_for(lambda: linked(graph.server, "out_left", f"{SINK}:playback_FL"), "the usual link")
        wait_for(lambda: linked(graph.server, "out_right", f"{SINK}:playback_FR"), "the usual link")
        # What the user changes returns with the ports.
        workspace.run("pw-link", "--disconnect", PORTS[1], f"{SINK}:playback_FL")
        workspace.run("pw-link", PORTS[1], "Test Echo:in_left")
        links = {("out_left", "Test Echo:in_left"), ("out_right", f"{SINK}:playback_FR")}
        wait_for(lambda: stored(workspace, "Test: Stage") == links, "the stored links")
        graph.stop()
        graph.start()
        graph.wait()
        wait_for(lambda: linked(graph.server, "out_left", "Test Echo:in_left"), "the changed link")
        assert not linked(graph.server, "out_left", f"{SINK}:playback_FL")


def stored(workspace, client):
    """Returns the links that the server has stored for a client: its ports, and those of others."""
    path = pathlib.Path(workspace.environment["XDG_STATE_HOME"], "portative/jack.json")
    clients = json.loads(path.read_text())["clients"] if path.exists() else []
    return {(link["port"], link["other"]) for entry in clients if entry["name"] == client for link in entry["connections"]}


@tests(limit=120)
def ports_are_connected_to_a_sink_that_appears_later(workspace):
    with Graph(workspace, [STAGE], 256, PipeWire) as graph:
        graph.stop()
        sink = graph.server.sink()
        workspace.run("pw-cli", "destroy", sink)
        graph.start()
        graph.wait_for_log("Test: Stage: published")
        wait_for(lambda: graph.server.ports("Test Stage"), "the port")
        assert graph.server.links(PORTS[1]) == []
        graph.server.add_sink()
        wait_for(lambda: linked(graph.server, "out_left", "Later-Sink:playback_FL"), "the link to the left")
        wait_for(lambda: linked(graph.server, "out_right", "Later-Sink:playback_FR"), "the link to the right")
        assert not linked(graph.server, "out_right", "Later-Sink:playback_FL")


# An organ, which does not decay.
CHORD = [(0, bytes([0xC0, 16]))] + [(24000, bytes([0x90, key, 100])) for key in (48, 60, 67)]


def expect_sound(workspace, channels, gaps):
    """Expects no silence other than that of cycles that PipeWire leaves out for all, and returns how much that is."""
    log, status = workspace.log("serve"), workspace.status()
    assert "the sound device is lost" not in log, log
    begin = 48000
    silent = sum(1 for frame in range(begin, len(channels[0])) if not channels[0][frame] and not channels[1][frame])
    missing = sum(max(0, end - max(begin, first)) for first, end in gaps)
    assert silent - missing < 100, f"{silent} silent frames, of which {missing} are missing: {gaps}"
    late = [value for value in status[0]["ports"][0]["rendering"]["unit"] if value["name"] == "late notes"]
    assert late == [{"name": "late notes", "value": 0}], status
    return f"{missing} of {len(channels[0])} frames are missing"


@tests(limit=120)
def held_notes_go_on_while_the_quantum_changes(workspace):
    with Graph(workspace, [STAGE], 256, PipeWire) as graph:
        graph.wait()
        player = graph.server.begin(CHORD, 12 * midi.RATE, PORTS[0], PORTS[1:])
        graph.wait_for_player()
        for quantum in 64, 512, 2048, 32, 8192, 256:
            graph.server.set(force_quantum=quantum)
            wait_for(lambda: f"cycles of {quantum} frames" in workspace.log("player"), f"cycles of {quantum} frames")
            # Long enough to be heard.
            time.sleep(0.7)
        return expect_sound(workspace, *graph.server.finish(player))


@tests(limit=120)
def held_notes_go_on_while_other_programs_connect_ports(workspace):
    with Graph(workspace, [STAGE], 64, PipeWire) as graph:
        graph.wait()
        graph.server.add_sink()
        ports = f"{SINK}:monitor_FL", "Later-Sink:playback_FL"
        player = graph.server.begin(CHORD, 12 * midi.RATE, PORTS[0], PORTS[1:])
        graph.wait_for_player()
        changes = 0
        while player.poll() is None:
            workspace.run("pw-link", *ports)
            workspace.run("pw-link", "--disconnect", *ports)
            changes += 2
        return f"{changes} changes; " + expect_sound(workspace, *graph.server.finish(player))


@tests(limit=120)
def ports_return_at_another_rate_of_PipeWire(workspace):
    with Graph(workspace, [STAGE], 256, PipeWire) as graph:
        graph.wait()
        graph.server.set(force_rate=44100)
        graph.wait_for_log("JACK's sample rate has changed")
        graph.wait_for_log("the sound device has returned: jack: 44100 Hz")
        wait_for(lambda: linked(graph.server, "out_left", f"{SINK}:playback_FL"), "the usual link")
        channels, _ = graph.server.play([(4410, bytes([0x90, 60, 100]))], 44100, PORTS[0], PORTS[1:])
    assert any(channels[0]), "silence"


@tests(limit=120)
def ports_return_when_PipeWire_does(workspace):
    with Graph(workspace, [STAGE], 256, PipeWire) as graph:
        graph.wait()
        graph.server.kill()
        graph.wait_for_log("the sound device is lost")
        graph.server.start()
        graph.wait_for_log("the sound device has returned: jack: 48000 Hz")
        wait_for(lambda: linked(graph.server, "out_left", f"{SINK}:playback_FL"), "the usual link")
        channels, _ = graph.server.play([(4800, bytes([0x90, 60, 100]))], 48000, PORTS[0], PORTS[1:])
    assert any(channels[0]), "silence"
