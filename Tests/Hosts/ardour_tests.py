"""The plugins in Ardour."""

import os
import shutil
import signal
import time

import audio
import midi
import notes
import probe
from ardour import Session
from support import FLUIDSYNTH, FLUIDSYNTH_STATE, INSTRUMENT, OTHER_SOUNDFONT, ROOT, Tests, wait_for

tests = Tests()


@tests()
def Ardour_delivers_messages_on_their_frames_and_changes_no_bit(workspace):
    workspace.add_probe()
    events = midi.dense_song()
    session = Session(workspace, events, probe.PROBE)
    channels = session.export(events[-1][0] + 1)
    probe.expect_signal(channels, [frame for frame, _ in events])


@tests(limit=600)
def an_export_of_the_demo_has_the_bits_of_render(workspace):
    expect_bits_of_render(workspace, midi.read(ROOT / "SoundFonts/demo.mid"))


@tests(limit=300)
def an_export_of_a_dense_song_has_the_bits_of_render(workspace):
    expect_bits_of_render(workspace, midi.dense_song())


def expect_bits_of_render(workspace, events):
    """Compares exports in several cycles with files of the messages that Ardour delivers, which are not the song's."""
    workspace.add_probe()
    workspace.add_portative()
    frames = events[-1][0] + midi.RATE
    program = next(event for event in events if event[1][0] >> 4 == 0xC)
    for cycle in 64, 256, 1024:
        recording = Session(workspace, events, probe.PROBE, name=f"probe-{cycle}", cycle=cycle)
        recording.export(frames)
        delivered = recording.delivered(program, frames)
        session = Session(workspace, events, INSTRUMENT, name=f"session-{cycle}", cycle=cycle)
        channels = session.export(frames)
        audio.expect_equal(channels, audio.read(workspace.render(delivered, frames)), f"cycles of {cycle} frames")
    return f"{len(delivered)} messages, {frames / midi.RATE:.1f} s"


@tests()
def notes_begin_on_their_frames_in_Ardour(workspace):
    workspace.add_portative()
    events, frames = midi.onset_song(256)
    preset = workspace.add_preset(INSTRUMENT, {"reverb_on": 0, "chorus_on": 0})
    channels = Session(workspace, events, INSTRUMENT, preset=preset).export(events[-1][0] + midi.RATE)
    return notes.expect_exact_onsets(channels, frames)


@tests(limit=180)
def tracks_with_the_same_plugin_sound_together(workspace):
    workspace.add_portative()
    events = midi.dense_song(4, 200)
    frames = events[-1][0] + midi.RATE
    alone = Session(workspace, events, INSTRUMENT, name="alone").export(frames)
    together = Session(workspace, events, INSTRUMENT, name="together", tracks=4).export(frames)
    # Sums of two and of four equal numbers have no rounding, whichever order Ardour adds in; sums of three may have.
    for channel, single in zip(together, alone):
        assert max(abs(sample - 4 * one) for sample, one in zip(channel, single)) < 1e-6, "not four times the sound"


@tests(limit=300)
def Ardour_compensates_the_latency_of_an_effect(workspace):
    """A track whose sound passes an effect of 480 frames sounds together with one without it."""
    expect_twice_the_sound(workspace, tracks=2, effect="urn:portative:musicEffect:ltnt:Test")


@tests(limit=300)
def Ardour_compensates_the_latency_of_an_effect_on_a_bus(workspace):
    """A track's sound is together with that which it sends through an effect of 480 frames."""
    expect_twice_the_sound(workspace, bus="urn:portative:musicEffect:ltnt:Test")


def expect_twice_the_sound(workspace, **options):
    """Compares sessions with these options with one of a track alone."""
    workspace.add_portative()
    workspace.add_node("latent-node")
    workspace.portative("lv2", "install", "--folder", workspace.plugins)
    events, _ = midi.onset_song(256)
    events, frames = events[:20], events[20][0]
    preset = workspace.add_preset(INSTRUMENT, {"reverb_on": 0, "chorus_on": 0})
    alone = Session(workspace, events, INSTRUMENT, name="alone", preset=preset).export(frames)
    for cycle in 64, 1024:
        session = Session(workspace, events, INSTRUMENT, name=f"both-{cycle}", preset=preset, cycle=cycle, **options)
        both = session.export(frames)
        for channel, single in zip(both, alone):
            error = max(abs(sample - 2 * one) for sample, one in zip(channel, single))
            assert error < 1e-6, f"in cycles of {cycle} frames, they are not together: {error}"


@tests(limit=1500)
def twelve_tracks_sound_the_same_in_every_cycle_again_reopened_and_after_a_crash(workspace):
    """But for the rounding of sums, because Ardour adds tracks in an order that changes. Those of one track have equal bits."""
    workspace.add_portative()
    songs, frames = demo_tracks(12, seconds=15)
    expected, processes, largest = None, set(), 0
    for cycle in 64, 256, 1024, 4096, 8192:
        session = Session(workspace, None, INSTRUMENT, name=f"twelve-{cycle}", cycle=cycle, songs=songs, settle=2)

        def crash():
            node = workspace.node()
            os.kill(node, signal.SIGKILL)
            wait_for(lambda: workspace.node() not in (None, node), "a new node")
            # All twelve are played by it, and their settings have returned.
            wait_for(lambda: workspace.hosts() == 12, "twelve connections")
            time.sleep(2)
            processes.add(node)

        def compare(name, before=None):
            nonlocal expected, largest
            channels = session.export(frames, name, save=name == "first", before=before)
            expected = expected or channels
            error = max(abs(a - b) for both in zip(channels, expected) for a, b in zip(*both))
            assert error < 1e-6, f"'{name}' in cycles of {cycle} frames differs by {error}"
            largest = max(largest, error)

        compare("first")
        compare("again")
        compare("crashed", crash)
        workspace.end_nodes()
        compare("reopened")
    assert len(processes) == 5
    return f"20 exports of {frames / midi.RATE:.0f} s, {sum(map(len, songs))} messages, differences up to {largest:.1e}"


def demo_tracks(count, seconds):
    """Returns the messages of the first channels of the demo's beginning, and its frames.

    Each begins with the controllers that the demo sets later: a session keeps those with which an export has ended.
    """
    frames = seconds * midi.RATE
    events = [event for event in midi.read(ROOT / "SoundFonts/demo.mid") if event[0] < frames]
    songs = []
    for channel in range(count):
        own = [event for event in events if event[1][0] < 0xF0 and event[1][0] & 15 == channel]
        controllers = midi.CONTROLLERS.items()
        songs.append([(0, bytes([0xB0 | channel, number, value])) for number, value in controllers] + own)
    return songs, frames


@tests()
def the_notes_of_another_synthesizer_in_Ardour_are_measured(workspace):
    events, frames = midi.onset_song(256)
    preset = workspace.add_preset(FLUIDSYNTH, {"rev_enable": 0, "chorus_enable": 0}, FLUIDSYNTH_STATE)
    session = Session(workspace, events, FLUIDSYNTH, preset=preset, settle=1)
    errors = notes.onset_errors(session.export(events[-1][0] + midi.RATE), frames)
    return f"{FLUIDSYNTH}: first sound {min(errors)} to {max(errors)} frames after the note's frame"


@tests(limit=180)
def a_session_that_is_reopened_and_saved_exports_the_same_bits(workspace):
    session, frames, first = saved_session(workspace)
    audio.expect_equal(session.export(frames, "second", save=True), first, "the reopened session")
    # The node that keeps the plugin's settings has ended.
    workspace.end_nodes()
    audio.expect_equal(session.export(frames, "third"), first, "the session with a new node")


def saved_session(workspace):
    """Returns a session with the instrument that was exported and saved, the length of its song, and the sound."""
    workspace.add_portative()
    events = midi.dense_song(4, 200)
    frames = events[-1][0] + midi.RATE
    session = Session(workspace, events, INSTRUMENT)
    return session, frames, session.export(frames, "first", save=True)


@tests(limit=300)
def a_session_keeps_its_SoundFont(workspace):
    workspace.add_portative()
    folder = workspace.folder / "My Fonts"
    folder.mkdir()
    font = folder / "Für Élise.sf2"
    shutil.copy(OTHER_SOUNDFONT, font)
    preset = workspace.add_preset(INSTRUMENT, {}, f'<urn:portative:file:soundfont> "{font}"^^atom:Path')
    events = midi.dense_song(4, 200)
    frames = events[-1][0] + midi.RATE
    session = Session(workspace, events, INSTRUMENT, preset=preset)
    first = session.export(frames, "first", save=True)
    other = Session(workspace, events, INSTRUMENT, name="other").export(frames)
    assert audio.first_difference(first, other) is not None, "the SoundFont of the configuration is played"
    workspace.end_nodes()
    audio.expect_equal(session.export(frames, "second", save=True), first, "the reopened session")

    # Without the SoundFont, Ardour saves the session once more.
    hidden = workspace.folder / "hidden.sf2"
    font.rename(hidden)
    workspace.end_nodes()
    assert audio.is_silent(session.export(frames, "without", save=True, silence=True)), "sound without the SoundFont"
    lines = [line for line in session.log.splitlines() if "portative" in line.lower()]
    assert len(lines) == 1 and str(font) in lines[0], "the log does not say once what is missing:\n" + "\n".join(lines)
    hidden.rename(font)
    audio.expect_equal(session.export(frames, "again", save=True), first, "after the SoundFont's return")

    # On another machine, it is among the user's SoundFonts.
    fonts = workspace.folder / "data_home" / "soundfonts"
    fonts.mkdir()
    font.rename(fonts / font.name)
    workspace.end_nodes()
    audio.expect_equal(session.export(frames, "moved"), first, "with the SoundFont in another folder")
    return lines[0]


@tests(limit=180)
def Ardour_continues_without_its_node_and_the_sound_returns(workspace):
    workspace.add_portative()
    player = Session(workspace, steady_song(), INSTRUMENT).play()
    wait_for(lambda: any(level > -60 for _, level in player.levels()), "sound", 60)
    started_at = len(player.levels())

    def wait_for_sound(since):
        wait_for(lambda: any(level > -60 for _, level in player.levels()[since:]), "the sound's return", 60)

    # The next node is started so soon that hardly a level shows the silence.
    first = workspace.node()
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: workspace.node() not in (None, first), "a new node")
    wait_for_sound(len(player.levels()))

    # No other node can be started.
    manifest = workspace.manifest()
    hidden = manifest.rename(manifest.with_suffix(".hidden"))
    second, killed_at = workspace.node(), len(player.levels())
    os.kill(second, signal.SIGKILL)
    wait_for(lambda: any(level < -100 for _, level in player.levels()[killed_at:]), "silence of the killed node")
    returned_at = len(player.levels())
    hidden.rename(manifest)
    wait_for_sound(returned_at)
    assert workspace.node() not in (None, first, second), "the plugin plays no new node"

    levels = player.levels()
    player.stop()
    frames = [frame for frame, _ in levels]
    stops = [frame for frame, next_frame in zip(frames[started_at:], frames[started_at + 1:]) if next_frame <= frame]
    assert not stops, f"Ardour's transport stopped at the frames {stops}"
    sound = next(frame for frame, level in levels[returned_at:] if level > -60)
    return f"sound about {(sound - frames[returned_at]) / midi.RATE:.1f} s after the node's return"


@tests(limit=180)
def a_port_is_free_within_a_second_after_Ardour_was_killed(workspace):
    workspace.add_portative()
    player = Session(workspace, steady_song(), INSTRUMENT).play()
    wait_for(lambda: any(level > -60 for _, level in player.levels()), "sound", 60)
    assert workspace.node(), "no node says that a host plays it"
    workspace.kill(player.process)
    killed = time.monotonic()
    while True:
        # The status is at least as old as the program that asks for it.
        asked = time.monotonic()
        if workspace.node() is None:
            break
        assert asked < killed + 1, "the port is not free after a second"
    assert workspace.status(), "the node has ended, too"
    return f"free after at most {time.monotonic() - killed:.2f} s"


def steady_song():
    """Returns a minute of notes, with never more than a tenth of a second of silence."""
    events = [(0, bytes([0xC0, 16]))]
    for note in range(240):
        frame = note * midi.RATE // 4
        events += [(frame, bytes([0x90, 60, 100])), (frame + midi.RATE // 5, bytes([0x80, 60, 64]))]
    return events


@tests(limit=180)
def a_plugin_without_its_node_is_silent_and_keeps_its_state(workspace):
    session, frames, expected = saved_session(workspace)

    manifest = workspace.manifest()
    text = manifest.read_text()
    manifest.unlink()
    workspace.end_nodes()
    assert audio.is_silent(session.export(frames, "without", save=True, silence=True)), "sound without a node"
    lines = [line for line in session.log.splitlines() if "portative" in line.lower()]
    assert len(lines) == 1, f"{len(lines)} lines in the log instead of one:\n" + "\n".join(lines)

    manifest.write_text(text)
    audio.expect_equal(session.export(frames, "again"), expected, "after the node's return")
    return lines[0]


@tests(limit=600)
def automation_in_Ardour_has_no_steps(workspace):
    workspace.add_portative()
    workspace.add_node("level-node")
    workspace.portative("lv2", "install", "--folder", workspace.plugins)
    rate = midi.RATE
    # A ramp of two seconds, and a jump back on one frame.
    points = [(0, 0.0), (rate // 2, 0.0), (rate * 5 // 2, 1.0), (rate * 5 // 2 + 1, 0.25), (rate * 4, 0.25)]
    # The first port after those that every plugin has and two outputs.
    automation = 7, points
    figures = []
    for cycle in 16, 64, 256, 1024, 8192:
        session = Session(workspace, [(0, b"\xb0\x07\x64")], "urn:portative:instrument:levl:Test", cycle=cycle,
                          name=f"automation-{cycle}", automation=automation)
        level = session.export(rate * 3)[0]
        slope = 1 / (2 * rate)
        ramp = range(rate // 2, rate * 5 // 2)
        error = max(abs(level[frame] - (frame - rate // 2) * slope) for frame in ramp)
        step = max(abs(level[frame + 1] - level[frame]) for frame in ramp if frame + 1 in ramp)
        values = len({level[frame] for frame in ramp})
        back = next(frame for frame in range(rate * 5 // 2, rate * 3) if abs(level[frame] - 0.25) < 1e-3) - rate * 5 // 2
        assert values > 80_000, f"the ramp of {len(ramp)} frames has only {values} values in cycles of {cycle}"
        assert step < 8 * slope, f"a step in cycles of {cycle} is as high as {step / slope:.1f} frames of the ramp"
        assert error < (cycle + 1) * slope, f"cycles of {cycle} are {error / slope:.0f} frames late"
        figures.append(f"cycles of {cycle}: {values} values, largest step {step:.6f} ({step / slope:.1f} frames of the ramp), "
                       f"at most {error / slope:.0f} frames late; the jump has ended after {back} frames")
    return "\n".join(figures)
