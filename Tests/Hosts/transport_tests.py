"""JACK's transport and portative, as another client sees them."""

import sys

from graph import Graph
from support import TESTS, Tests, wait_for

tests = Tests()

STAGE = {"name": "Test: Stage", "subtype": "stag", "reverb": False, "chorus": False}


def state(workspace):
    """Returns the state of JACK's transport, its frame, and whether a timebase master gives its bars."""
    BBT = 0x10
    word, frame, valid = workspace.run(sys.executable, TESTS / "transport_state.py").split()
    return word, int(frame), int(valid) & BBT != 0


@tests(limit=120)
def remote_moves_the_transport_of_jack(workspace):
    def remote(*words):
        return workspace.portative("remote", *words)

    with Graph(workspace, [STAGE]) as graph:
        graph.wait()
        assert state(workspace) == ("stopped", 0, False)
        remote("start")
        wait_for(lambda: state(workspace)[0] == "rolling", "the transport rolls")
        wait_for(lambda: state(workspace)[1] > 0, "the transport advances")
        remote("play")
        wait_for(lambda: state(workspace)[0] == "stopped", "the transport stops")
        remote("rewind")
        wait_for(lambda: state(workspace)[:2] == ("stopped", 0), "the transport is at the start")
        refused = workspace.portative("remote", "jump", "8", status=1)
        assert "cannot do this now" in refused, refused
        refused = workspace.portative("remote", "record", status=1)
        assert "does not support this command" in refused, refused
        # A master of 120 beats per minute.
        master = workspace.start("master", "jack_transport")
        master.stdin.write(b"master\n")
        master.stdin.flush()
        wait_for(lambda: state(workspace)[2], "a timebase master")
        remote("jump", "8")
        wait_for(lambda: state(workspace)[:2] == ("stopped", 8 * 24000), "the transport is at beat 8")


@tests(limit=120)
def patchbays_show_the_names_of_ports(workspace):
    with Graph(workspace, [STAGE]) as graph:
        graph.wait()
        shown = workspace.run("jack_property", "-l")
        for name in "Test: Stage", "MIDI", "Left", "Right":
            assert f"value: {name}" in shown, shown
        graph.stop()
        assert "Test: Stage" not in workspace.run("jack_property", "-l"), "the names outlive the client"
