"""The same questions for each host: on which frames does the metronome click?"""

import math

import audio
import midi
from ardour import Session
from graph import Graph
from jack import Jalv
from support import Tests, wait_for
from transport_tests import state

tests = Tests()

METRONOME = "urn:portative:generator:metr:Ptvo"
PORT = {"name": "Test: Metronome", "subtype": "clic", "unit": "metronome"}
OUTPUTS = ["Test Metronome:out_left", "Test Metronome:out_right"]
CYCLES = 64, 256, 1024

# Tempos and meters: (frame, quarter notes per minute, beats, type), each at the beginning of a bar.
SONGS = {
    "in_4_4": [(0, 120, 4, 4)],
    "in_7_8": [(0, 60, 7, 8)],
    "in_6_8": [(0, 90, 6, 8)],
    "in_3_2": [(0, 150, 3, 2)],
    # After a bar, at a place that Ardour gives in ticks only.
    "after_a_change_of_tempo_in_7_8": [(0, 60, 7, 8), (168000, 50, 7, 8)],
    "after_a_change_of_meter_and_tempo": [(0, 120, 4, 4), (96000, 150, 3, 4)],
    "after_a_change_from_4_4_to_6_8": [(0, 120, 4, 4), (96000, 120, 6, 8)],
}
LENGTH = 288000


def beats(song):
    """Returns the frames of the beats of a song."""
    found = []
    for index, (begin, tempo, _, kind) in enumerate(song):
        end = song[index + 1][0] if index + 1 < len(song) else LENGTH
        length = 60 * midi.RATE / tempo * 4 / kind
        found += [begin + round(number * length) for number in range(math.ceil((end - begin) / length - 1e-9))]
    return [frame for frame in found if frame < LENGTH]


class InArdour:
    """The plugin on a track of Ardour."""

    name = "in_Ardour"

    @staticmethod
    def clicks(workspace, song, cycle):
        session = Session(workspace, [], METRONOME, name=f"click-{cycle}", cycle=cycle, is_generator=True)
        session.set_tempos(song)
        return audio.onsets(session.export(LENGTH)[0])


def arguments(song):
    """Returns the song for jack-timebase, whose tempo is in beats of the meter, as that of JACK's example is."""
    return [0] + [f"{frame}:{tempo * kind / 4}:{upper}:{kind}" for frame, tempo, upper, kind in song]


class InJalv:
    """The plugin in jalv, which follows JACK's transport."""

    name = "in_jalv"

    @staticmethod
    def clicks(workspace, song, cycle):
        with Jalv(workspace, METRONOME, {"freewheel": 1}, cycle) as jalv:
            outputs = [f"plugin:{name}" for name in ("out_left", "out_right")]
            wait_for(lambda: set(outputs) <= set(workspace.run("jack_lsp").splitlines()), "jalv's ports", 60)
            wait_for(workspace.status, "a node", 60)
            channels, _ = jalv.server.follow(arguments(song), LENGTH, outputs)
        return audio.onsets(channels[0])


class InTheGraph:
    """A port of portative in JACK's graph."""

    name = "in_the_graph"

    @staticmethod
    def clicks(workspace, song, cycle):
        with Graph(workspace, [PORT], cycle) as graph:
            channels, _ = graph.follow("Test Metronome", arguments(song), LENGTH)
        return audio.onsets(channels[0])


class BesideArdour:
    """A port of portative in JACK's graph, whose timebase master is Ardour."""

    name = "beside_Ardour"

    @staticmethod
    def clicks(workspace, song, cycle):
        session = Session(workspace, [], "urn:ardour:a-delay", name=f"lead-{cycle}", cycle=cycle, is_generator=True)
        session.set_tempos(song)
        with Graph(workspace, [PORT], cycle) as graph:
            graph.wait()
            leader = session.lead()
            wait_for(lambda: state(workspace)[2], "the timebase master", reason=lambda: workspace.log("lead")[-4000:])
            channels = graph.server.record(LENGTH, OUTPUTS)
            # The server waits for clients that are killed.
            graph.stop()
            graph.server.end()
        workspace.kill(leader)
        return audio.onsets(channels[0])


# For each host: the lengths of cycles, and the greatest error in frames after a change, of which Ardour and jalv give the place in ticks.
# Ardour 7.3 gives JACK the first tempo and meter only, and in 3/2 its beats go back.
HOSTS = [(InArdour, (64, 1024), 8), (InJalv, (256,), 15), (InTheGraph, (256,), 0), (BesideArdour, (256,), None)]


def add(host, cycles, later, name, song):
    def test(workspace):
        if host in (InArdour, InJalv):
            workspace.add_portative()
        expected, change = beats(song), song[1][0] if len(song) > 1 else LENGTH
        figures = []
        for cycle in cycles:
            clicks = [click for click in host.clicks(workspace, song, cycle) if click < LENGTH - 100]
            # The recorder may miss the first cycle of JACK's transport.
            if clicks[0] <= cycle:
                clicks[0] = 0
            assert len(clicks) == len(expected), f"cycles of {cycle}: clicks on {clicks} instead of {expected}"
            errors = [click - frame for click, frame in zip(clicks, expected)]
            wrong = [(frame, error) for frame, error in zip(expected, errors) if abs(error) > (0 if frame <= change else later)]
            assert not wrong, f"cycles of {cycle}: beats with errors {wrong}"
            figures.append(f"cycles of {cycle}: errors up to {max(map(abs, errors))} frames")
        return "\n".join(figures)

    test.__name__ = f"a_metronome_clicks_on_its_frames_{host.name}_{name}"
    tests(limit=300)(test)


for row in HOSTS:
    for name, song in SONGS.items():
        if row[2] is not None or len(song) == 1 and name != "in_3_2":
            add(*row, name, song)
