"""The plugins in qtractor, which needs the ALSA sequencer: these tests run in the rig."""

import re

import audio
import midi
from qtractor import TICK, Qtractor, plugin_state, write_session, write_song
from support import BUILD, INSTRUMENT, Tests, wait_for

tests = Tests()

MULTI_OUTPUT = "urn:portative:instrument:gmmo:Ptvo"
# The plugin waits for the node in every cycle: an emulated machine is too slow for a deadline. Without reverb and
# chorus, the sound of a note does not depend on its place in the song.
CONTROLS = {"Freewheel": 1, "Reverb": 0, "Chorus": 0}
OPTIONS = ["--reverb=off", "--chorus=off"]
# The first note. qtractor follows the transport some cycles late, and may then begin in the middle of the song.
LEAD = 2 * midi.RATE // TICK * TICK
# The distance of the notes, which is no multiple of 64 or of a cycle, and their length.
DISTANCE, LENGTH = 1093 * TICK, 500 * TICK


def song(*settings, channel=0, count=12):
    """Returns messages that set a channel shortly before the first note, and notes; and the frames of the notes.

    Each note begins at another offset in blocks of 64 frames.
    """
    events = [(LEAD + TICK * (index - 200), message) for index, message in enumerate(settings)]
    frames = [LEAD + DISTANCE * note for note in range(count)]
    for frame in frames:
        events += [(frame, bytes([0x90 | channel, 60, 127])), (frame + LENGTH, bytes([0x80 | channel, 60, 64]))]
    return events, frames


def from_first_sound(channels, frames):
    """Returns the frames from the first sound on. The cycle in which qtractor begins is not known."""
    first = audio.first_sound(channels, 0, len(channels[0]))
    assert first is not None, "silence"
    return [channel[first:first + frames] for channel in channels]


def hosts(workspace):
    """Returns the processes that play ports of a node."""
    return [port["host"]["processID"] for status in workspace.status() for port in status["ports"] if "host" in port]


def play(qtractor, frames, outputs=(1, 2)):
    """Plays a song in a session whose plugin has connected, and returns the channels from the first note on."""
    wait_for(lambda: qtractor.process.pid in hosts(qtractor.workspace), "a node that qtractor plays", 120)
    channels = qtractor.record(frames[-1] + 2 * DISTANCE, outputs)
    return from_first_sound(channels, frames[-1] - frames[0] + DISTANCE)


@tests(limit=600)
def a_session_in_qtractor_has_the_bits_of_render_also_when_it_is_opened_again(workspace):
    workspace.add_portative()
    # Five semitones up (RPN 2), which qtractor does not keep itself.
    tuning = [bytes([0xB0, number, value]) for number, value in ((101, 0), (100, 2), (6, 69))]
    program = bytes([0xC0, 19])
    events, frames = song(program, *tuning)
    # qtractor sets volume and pan of its mixer's strip, and ends notes one frame early.
    delivered = [(0, bytes([0xB0, 7, 127]))] + [
        (frame - 1 if message[0] == 0x80 else frame, message) for frame, message in events]
    rendered = audio.read(workspace.render(delivered, frames[-1] + 2 * DISTANCE, OPTIONS))
    expected = from_first_sound(rendered, frames[-1] - frames[0] + DISTANCE)

    session = write_session(workspace.folder / "session", events, INSTRUMENT, controls=CONTROLS)
    with Qtractor(workspace, session) as qtractor:
        audio.expect_equal(play(qtractor, frames), expected, "the session")
        state = plugin_state(qtractor.save())
    assert "<urn:portative:state>" in state, f"the session has no state of the unit:\n{state}"

    untuned, _ = song(program)
    write_song(session.parent / "song.mid", untuned)
    with Qtractor(workspace, session) as qtractor:
        audio.expect_equal(play(qtractor, frames), expected, "the session that was opened again, without its tuning")


@tests(limit=600)
def a_session_with_the_CLAP_plugin_has_the_bits_of_render(workspace):
    """qtractor tells CLAP plugins of no export, so the plugin has the deadline of a long cycle."""
    workspace.add_portative()
    library = workspace.folder / "portative.clap"
    library.symlink_to(BUILD / "libportative-clap.so")
    events, frames = song(bytes([0xC0, 19]), count=4)
    delivered = [(0, bytes([0xB0, 7, 127]))] + [
        (frame - 1 if message[0] == 0x80 else frame, message) for frame, message in events]
    rendered = audio.read(workspace.render(delivered, frames[-1] + 2 * DISTANCE, OPTIONS))
    expected = from_first_sound(rendered, frames[-1] - frames[0] + DISTANCE)
    session = write_session(workspace.folder / "session", events, library, type="CLAP")
    with Qtractor(workspace, session, cycle=8192) as qtractor:
        wait_for(lambda: qtractor.process.pid in hosts(workspace), "a node that qtractor plays", 120)
        # As the plugin's window does.
        workspace.portative("set", "General MIDI", "reverb.on=off", "chorus.on=off")
        audio.expect_equal(play(qtractor, frames), expected, "the session")
        text = qtractor.save()
    assert re.search(r'<plugin type="CLAP">', text), "qtractor has no CLAP plugin"
    # The order of the attributes changes from run to run.
    values = {re.search('name="([^"]*)"', attributes)[1]: value
              for attributes, value in re.findall("<param ([^>]*)>([^<]*)<", text)}
    assert values["Reverb"] == values["Chorus"] == "0", f"the session has other values: {values}"


@tests(limit=300)
def a_bus_of_qtractor_has_all_outputs_of_the_plugin(workspace):
    workspace.add_portative()
    channel = 2
    events, frames = song(bytes([0xC0 | channel, 19]), channel=channel, count=2)
    session = write_session(
        workspace.folder / "session", events, MULTI_OUTPUT, controls=CONTROLS, channel=channel, bus_channels=34)
    with Qtractor(workspace, session) as qtractor:
        # The outputs 1 and 2 are of the first channel, and 5 and 6 of the third.
        first, third = play(qtractor, frames, outputs=(1, 5))
    assert not any(first), "the first channel sounds"
    assert any(third[DISTANCE:]), "the second note is silent"
