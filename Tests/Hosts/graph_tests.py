"""The ports of portative serve in JACK's graph."""

import audio
import midi
import notes
from graph import Graph
from jackserver import Server
from support import Tests, wait_for

tests = Tests()

METRONOME = {"name": "Test: Metronome", "subtype": "clic", "unit": "metronome"}

DRY = {"reverb": False, "chorus": False}
STAGE = {"name": "Test: Stage", "subtype": "stag", **DRY}


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
def a_metronome_clicks_on_the_frames_of_the_beats(workspace):
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
        clicks = onsets(channels[0])
        assert clicks == expected, f"cycles of {cycle}: clicks on {clicks} instead of {expected}"
    return f"{len(expected)} clicks"


def onsets(channel):
    """Returns the frames on which sound begins after silence."""
    found, silence = [], 1000
    for frame, sample in enumerate(channel):
        if sample and silence >= 1000:
            found.append(frame)
        silence = 0 if sample else silence + 1
    return found


@tests(limit=180)
def ports_return_when_the_server_does(workspace):
    events, frames = midi.onset_song(256)
    with Graph(workspace, [STAGE], 256) as graph:
        graph.wait()
        workspace.kill(graph.server.process)
        wait_for(lambda: "the sound has stopped" in workspace.log("serve"), "the loss is reported")
        graph.server = Server(workspace, 1024)
        wait_for(lambda: "1024 frames" in workspace.log("serve"), "the port returns", 60)
        channels = graph.render("Test Stage", events, events[-1][0] + midi.RATE)
    return notes.expect_exact_onsets(channels, frames)
