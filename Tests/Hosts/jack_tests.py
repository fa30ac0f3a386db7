"""The plugins in jalv."""

import html
import os
import pathlib
import re
import urllib.parse
import urllib.request
import xml.etree.ElementTree

import audio
import midi
import notes
import probe
from jack import Jalv
from support import INSTRUMENT, Tests, wait_for

tests = Tests()


@tests()
def jalv_delivers_messages_on_their_frames_and_changes_no_bit(workspace):
    workspace.add_probe()
    events = midi.dense_song()
    for cycle in 64, 1024:
        with Jalv(workspace, probe.PROBE, cycle=cycle) as jalv:
            channels = jalv.render(events, events[-1][0] + 1)
        probe.expect_signal(channels, [frame for frame, _ in events])


def render(workspace, events, frames, *, cycle=256, prefix=(), **controls):
    """Plays the messages with the instrument in jalv, and returns the channels.

    jalv 1.6 does not report that JACK renders without a deadline, so the control port is set from the beginning.
    """
    with Jalv(workspace, INSTRUMENT, {"freewheel": 1, **controls}, cycle, prefix) as jalv:
        # JACK waits for a cycle for up to 5 s, and a node may need more to start.
        wait_for(workspace.node, "a node that jalv plays", 60)
        return jalv.render(events, frames)


@tests(limit=180)
def jalv_renders_the_bits_of_render(workspace):
    workspace.add_portative()
    events = midi.dense_song()
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames))
    for cycle in 64, 256, 1024:
        audio.expect_equal(render(workspace, events, frames, cycle=cycle), expected, f"cycles of {cycle} frames")


@tests()
def notes_begin_on_their_frames_in_jalv(workspace):
    workspace.add_portative()
    events, frames = midi.onset_song(256)
    # FluidSynth's reverb never becomes silent.
    channels = render(workspace, events, events[-1][0] + midi.RATE, reverb_on=0, chorus_on=0)
    return notes.expect_exact_onsets(channels, frames)


def show(workspace, **environment):
    """Shows the second of two instances in a browser that only notes what it is given, and returns who has started that.

    `environment` is that of the first instance, which starts the node.
    """
    browser, opened = workspace.folder / "xdg-open", workspace.folder / "opened.html"
    browser.write_text(f'#!/bin/sh\n(cat "$1"; echo "$BROWSER") > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o700)
    workspace.environment.update(PATH=f"{workspace.folder}:{os.environ['PATH']}", **environment)
    workspace.add_portative()
    with Jalv(workspace, INSTRUMENT) as jalv:
        wait_for(jalv.ports, "jalv's ports", 60)
        wait_for(lambda: workspace.hosts() == 1, "the first host")
        second = workspace.start("second", "jalv", "-s", "-x", "-n", "second", INSTRUMENT, BROWSER="plugin")
        wait_for(opened.exists, "the page")
        page = html.unescape(opened.read_text())
        link = re.search(r"url=(http://127\.0\.0\.1:\d+)/#([0-9a-f]{32})&port=([^&]*)&host=(\d+)\"", page)
        assert link and urllib.parse.unquote(link[3]) == "Portative: General MIDI", page
        with urllib.request.urlopen(link[1]) as panel:
            assert b"preset-search" in panel.read(), "no panel"
        assert workspace.hosts() == 2
        # With a window, one SIGTERM does not end jalv. The server would wait for one that is killed.
        wait_for(lambda: second.terminate() or second.poll() is not None, "the end of jalv")
        workspace.end(second)
    return page.split()[-1]


@tests()
def showing_a_plugin_opens_the_page_of_what_it_plays(workspace):
    opener = show(workspace, BROWSER="node")
    assert opener == "node", opener


@tests()
def a_plugin_opens_the_page_that_its_node_cannot(workspace):
    opener = show(workspace)
    assert opener == "plugin", opener


@tests(limit=180)
def control_ports_act_as_the_options_of_render(workspace):
    workspace.add_portative()
    events = midi.dense_song(3, 100)
    frames = events[-1][0] + midi.RATE
    default = audio.read(workspace.render(events, frames))
    for control, option in ("reverb_on", "--reverb=off"), ("chorus_on", "--chorus=off"):
        expected = audio.read(workspace.render(events, frames, [option]))
        assert audio.first_difference(default, expected) is not None, f"{option} has no effect"
        audio.expect_equal(render(workspace, events, frames, **{control: 0}), expected, control)
    softer = render(workspace, events, frames, gain=-20)
    # The product of two floats differs by at most 2^-24 of it, and all are less than 1.
    assert all(abs(b - a * 0.1) < 2 ** -24 for pair in zip(default, softer) for a, b in zip(*pair)), "the wrong gain"


@tests()
def the_plugin_and_its_node_open_no_socket_of_the_network(workspace):
    workspace.add_portative()
    with Jalv(workspace, INSTRUMENT, {"freewheel": 1}) as jalv:
        node = wait_for(workspace.node, "a node that jalv plays", 60)
        jalv.render(midi.dense_song(2, 50), 2 * midi.RATE)
        for process in jalv.process.pid, node:
            tables = [(pathlib.Path(f"/proc/{process}/net") / name).read_text().splitlines()[1:]
                      for name in ("tcp", "tcp6", "udp", "udp6")]
            inodes = {line.split()[9] for table in tables for line in table}
            own = {os.readlink(link) for link in pathlib.Path(f"/proc/{process}/fd").iterdir()}
            assert own, "the process has descriptors"
            sockets = own & {f"socket:[{inode}]" for inode in inodes}
            assert not sockets, f"process {process} has {sockets}"


@tests()
def a_disabled_plugin_is_silent(workspace):
    workspace.add_portative()
    events = midi.dense_song(2, 50)
    channels = render(workspace, events, events[-1][0], enabled=0)
    peak = max(max(map(abs, channel)) for channel in channels)
    assert peak == 0, f"the peak is {peak}"


@tests(limit=300)
def valgrind_finds_no_error_of_the_plugin(workspace):
    workspace.add_portative()
    # Valgrind cannot read the debugging information of recent compilers.
    for library in workspace.plugins.glob("portative.lv2/*.so"):
        original = library.resolve()
        library.unlink()
        workspace.run("objcopy", "--strip-debug", original, library)
    events = midi.dense_song(2, 50)
    report = workspace.folder / "valgrind.xml"
    prefix = ["valgrind", "--xml=yes", f"--xml-file={report}", "--num-callers=40", "--leak-check=no"]
    channels = render(workspace, events, events[-1][0], cycle=1024, prefix=prefix)
    assert not audio.is_silent(channels), "silence"
    errors = xml.etree.ElementTree.parse(report).findall("error")
    ours = [error for error in errors if culprit(error).endswith("portative.so")]
    assert not ours, "\n\n".join(
        "\n".join([error.findtext("what") or error.findtext("xwhat/text")] + [
            f"  {frame.findtext('fn')} in {frame.findtext('obj')}" for frame in error.iter("frame")])
        for error in ours[:3])
    return f"{len(errors)} errors of other libraries"


def culprit(error):
    """Returns the library of the innermost function, except for those that copy or allocate for others.

    Swift's runtime has a library of its own in debug builds. It jumps on values that are not initialized where it makes
    metadata.
    """
    libraries = (frame.findtext("obj", "") for frame in error.iter("frame"))
    return next((name for name in libraries if "vgpreload" not in name and "libc.so" not in name), "")
