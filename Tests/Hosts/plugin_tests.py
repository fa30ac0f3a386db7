"""LV2 plugins as ports: the same song has the same bits in every host, and a plugin whose process is killed plays again."""

import json
import os
import pathlib
import signal
import sys

import audio
import midi
import probe
from ardour import Session
from ardour_tests import steady_song
from clap_plugin_tests import Host
from graph import Graph
from support import BUILD, ROOT, Tests, descendants, wait_for

tests = Tests()

# Of Debian's mda-lv2. Its sound does not depend on what it has played before, and depends on the lengths of cycles only where a voice
# falls silent: after the song, whose pedals hold all notes.
PIANO = "http://drobilla.net/plugins/mda/Piano"
PORT = {"name": "Test: Piano", "subtype": "pian", "manufacturer": "Test", "lv2": PIANO}
URI = "urn:portative:instrument:pian:Test"

PYTHON = """
import json, sys
import numpy, portative.host
events, frames = json.load(open(sys.argv[1])), int(sys.argv[2])
with portative.host.connect("Test: Piano", maximum_frames=1000) as connection:
    parts, at = [], 0
    for begin in range(0, frames, 48000):
        while at < len(events) and events[at][0] < begin + 48000:
            connection.schedule(bytes.fromhex(events[at][1]), events[at][0] - begin)
            at += 1
        parts.append(connection.render(min(48000, frames - begin)))
numpy.concatenate(parts, axis=1).T.astype("<f4").tofile(sys.argv[3])
"""


def configure(workspace):
    """Makes the piano the only port of Portative's node."""
    folder = pathlib.Path(workspace.environment["XDG_CONFIG_HOME"], "portative")
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"ports": [PORT]}))


def plugin_process():
    """Returns the process of the plugin, or None."""
    for process in descendants(os.getpid()):
        try:
            words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:3] == [b"node", b"--lv2"]:
            return process
    return None


@tests(limit=600)
def a_song_on_a_plugin_has_the_same_bits_in_Ardour_CLAP_C_and_Python_hosts_and_in_files(workspace):
    configure(workspace)
    workspace.add_probe()
    # Installs the port's manifest and plugins.
    clap = Host(workspace)
    events = midi.dense_song(6, 200)
    frames = events[-1][0]
    program = next(event for event in events if event[1][0] >> 4 == 0xC)
    recording = Session(workspace, events, probe.PROBE, name="recording")
    recording.export(frames)
    # Ardour changes messages: the others play what it delivers.
    delivered = recording.delivered(program, frames)
    song = workspace.folder / "song.mid"
    midi.write(song, delivered, frames)
    options = ["--rate", midi.RATE, "--bits", "32f", "--tail", "exact"]

    def file(name, *words):
        output = workspace.folder / f"{name}.wav"
        workspace.portative(*words, *options, "-o", output, song)
        return audio.read(output)

    expected = file("render", "render", "--quiet", "--instrument", f"lv2:{PIANO}")

    def expect(channels, host):
        length = min(frames, len(channels[0]), len(expected[0]))
        assert length >= frames - 64, f"{host}: {length} frames of {frames}"
        audio.expect_equal([channel[:length] for channel in channels], [channel[:length] for channel in expected], host)

    expect(file("plugin", "play", "--node", f"lv2:{PIANO}"), "play --node lv2:")
    for cycle in 64, 1024:
        expect(Session(workspace, events, URI, name=f"piano-{cycle}", cycle=cycle).export(frames), f"Ardour, {cycle} frames")
    lines = [f"event {frame} {message.hex(' ')}" for frame, message in delivered]
    expect(clap.render(URI, frames / midi.RATE, lines, block=1000), "CLAP")
    workspace.end_nodes()
    server = workspace.start("serve", BUILD / "portative", "serve", "--midi", "none", "--audio", "none")
    wait_for(lambda: workspace.status(), "the server")
    expect(file("port", "play", "--node", "Test: Piano"), "play --node")
    list_path, raw, script = (workspace.folder / name for name in ("events.json", "python.f32", "play.py"))
    list_path.write_text(json.dumps([[frame, message.hex()] for frame, message in delivered]))
    script.write_text(PYTHON)
    workspace.run(sys.executable, script, list_path, frames, raw, PYTHONPATH=str(ROOT / "Python"),
                  PORTATIVE_LIBRARY=str(BUILD / "libportative-c.so"))
    expect(audio.read_raw(raw, 2), "Python")
    output = workspace.folder / "example.wav"
    workspace.run(sys.executable, ROOT / "Examples/host.py", "pian", song, output, midi.RATE, 256)
    expect(audio.read(output), "the host from the protocol's page")
    expect_phrase_of_example(workspace, options)
    workspace.end(server)
    return f"{len(delivered)} messages, {frames / midi.RATE:.1f} s"


def expect_phrase_of_example(workspace, options):
    """Compares what the example of a host in C plays with a file of its notes."""
    library, phrase, song, output = (
        workspace.folder / name for name in ("libportative.so.0", "phrase.wav", "phrase.mid", "phrase-file.wav"))
    library.symlink_to(BUILD / "libportative-c.so")
    host = workspace.compile("example", ROOT / "Examples/c/host.c", f"-I{ROOT / 'Sources/C/CPortative'}", library,
                             f"-Wl,-rpath,{workspace.folder}")
    workspace.run(host, phrase, "Test: Piano")
    played = audio.read(phrase)
    events = []
    for note, key in enumerate((60, 64, 67, 72, 76, 72, 67, 64)):
        frame = note * midi.RATE * 3 // 10
        events += [(frame, bytes([0x90, key, 100])), (frame + midi.RATE // 4, bytes([0x80, key, 64]))]
    midi.write(song, events, len(played[0]))
    # In the cycles of the example, because voices fall silent.
    workspace.portative("play", "--node", f"lv2:{PIANO}", "--cycle", 256, *options, "-o", output, song)
    expected = audio.read(output)
    audio.expect_equal(played, [channel[:len(played[0])] for channel in expected], "the example in C")


@tests(limit=180)
def a_plugin_in_the_graph_has_the_bits_of_render_also_after_its_process_was_killed(workspace):
    events = midi.dense_song(4, 100)
    frames = events[-1][0]
    song, output = workspace.folder / "song.mid", workspace.folder / "song.wav"
    midi.write(song, events, frames)
    workspace.portative("render", "--quiet", "--instrument", f"lv2:{PIANO}", "--rate", midi.RATE, "--bits", "32f", "--tail", "exact",
                        "-o", output, song)
    expected = [channel[:frames] for channel in audio.read(output)]
    with Graph(workspace, [PORT], 256) as graph:
        audio.expect_equal(graph.render("Test Piano", events, frames), expected, "the first time")
        first = wait_for(plugin_process, "the plugin's process")
        os.kill(first, signal.SIGKILL)
        graph.wait_for_log(f"the process {first} of the plugin was ended by signal 9; it is started again")
        wait_for(lambda: plugin_process() not in (None, first), "a new process")
        wait_for(lambda: audio.first_difference(graph.render("Test Piano", events, frames), expected) is None,
                 "the same bits again", 60)


@tests(limit=180)
def Ardour_continues_without_the_process_of_a_plugin_and_the_sound_returns(workspace):
    configure(workspace)
    workspace.add_portative()
    player = Session(workspace, steady_song(), URI).play()
    wait_for(lambda: any(level > -60 for _, level in player.levels()), "sound", 60)
    started_at, node, killed = len(player.levels()), workspace.node(), set()
    # A process is started again at once, and then after longer and longer pauses: of half a second, one level shows the silence.
    while not any(level < -100 for _, level in player.levels()[started_at:]):
        process = plugin_process()
        if process and process not in killed:
            killed.add(process)
            os.kill(process, signal.SIGKILL)
    returned_at = len(player.levels())
    wait_for(lambda: any(level > -60 for _, level in player.levels()[returned_at:]), "the sound's return", 30)
    assert workspace.node() == node, "Portative's node has ended, too"
    levels = player.levels()
    player.stop()
    frames = [frame for frame, _ in levels]
    assert all(a < b for a, b in zip(frames[started_at:], frames[started_at + 1:])), "Ardour's transport stopped"
    sound = next(frame for frame, level in levels[returned_at:] if level > -60)
    return f"killed {len(killed)} times, sound {(sound - frames[returned_at]) / midi.RATE:.1f} s after the silence"
