"""Ardour without a screen: a session of MIDI tracks with a plugin each, exported or played in real time."""

import pathlib
import re
import sys

import audio
import midi
from support import TESTS, wait_for

FORMAT = "f9d3c2a0-0000-4000-8000-706f72746101"
PRESET = "f9d3c2a0-0000-4000-8000-706f72746102"

# Ardour counts musical time in this many ticks per quarter.
TICKS = 1920
# And time in this many parts of a second.
SECOND = 282240000


class Ardour:
    """Jobs of Ardour's Lua interpreter in the private home of a workspace."""

    def __init__(self, workspace):
        self.workspace = workspace
        # Without AVX-512 (only FTZ, DAZ, SSE and SSE2): Ardour before 8.6 writes past its export buffers (its commit
        # d023ea0d77).
        workspace.environment["ARDOUR_FPU_FLAGS"] = "15"
        _configure(pathlib.Path(workspace.environment["XDG_CONFIG_HOME"], "ardour7"))

    def command(self, **parts):
        job = self.workspace.folder / "job.lua"
        job.write_text("return " + _lua({"rate": midi.RATE, "cycle": 256, "settle": 0.5, "format": PRESET, **parts}))
        return ["ardour7-lua", TESTS / "ardour-job.lua", job]

    def run(self, **parts):
        """Runs a job to its end; fails if it failed."""
        output = self.workspace.run(*self.command(**parts))
        assert "job: done" in output, f"Ardour:\n{output}"
        return output

    def list(self, uris):
        """Returns the names by which Ardour lists plugins; fails if it does not list all."""
        output = self.run(folder=self.workspace.folder / "listing", list=uris)
        return re.findall(r"^listed:\s+\S+\s+(.*)$", output, re.MULTILINE)


class Session:
    """A session with MIDI tracks, each of which an instance of the plugin plays: `tracks` of the same `events`, or one of each
    of the `songs`.

    A generator is on an audio track, without a song. `effect` is a plugin behind the instrument of the last track, and `bus` one on a bus to which that track sends. `automation` has the index of a control port, and its points of a frame and a value. A jump has two points at a frame.
    """

    def __init__(self, workspace, events, plugin, name="session", preset=None, cycle=256, settle=0.5, tracks=1,
                 automation=None, songs=None, effect=None, bus=None, is_generator=False):
        songs = songs or [events] * tracks
        self.ardour = Ardour(workspace)
        self.workspace = workspace
        self.settings = {"folder": workspace.folder / name, "cycle": cycle, "settle": settle}
        self.ardour.run(**self.settings, create={"uri": plugin, "preset": preset, "tracks": len(songs), "effect": effect, "bus": bus, "is_generator": is_generator})
        if not is_generator:
            _insert(self.settings["folder"], songs)
        if automation:
            _automate(self.settings["folder"], *automation)

    def export(self, frames, name="export", save=False, silence=False, before=None):
        """Opens the session, exports the frames from the beginning and returns the channels.

        `before` is called when the session is open, before it is exported.

        `save` saves the session afterwards. Under load, one of about 90 exports of Ardour contains no messages. A
        silent one is therefore exported again, unless silence is expected. `log` has Ardour's output afterwards.
        """
        folder = self.workspace.folder / "exports"
        for _ in range(2):
            part = {"folder": folder, "name": name, "frames": frames, "save": save}
            if before:
                self.log = self._run_export(part, before)
            else:
                self.log = self.ardour.run(**self.settings, export=part)
            channels = audio.read(folder / f"{name}.wav")
            if silence or not audio.is_silent(channels):
                break
            print("    an export was silent", file=sys.stderr)
        return channels

    def _run_export(self, part, before):
        ready, go = self.workspace.folder / "ready", self.workspace.folder / "go"
        for path in ready, go:
            path.unlink(missing_ok=True)
        process = self.workspace.start("export", *self.ardour.command(
            **self.settings, export={**part, "ready": ready, "go": go}))
        wait_for(lambda: ready.exists() or process.poll() is not None, "the open session", 60)
        before()
        go.touch()
        process.wait(300)
        self.workspace.processes.remove(process)
        log = self.workspace.log("export")
        assert process.returncode == 0 and "job: done" in log, f"Ardour failed:\n{log}"
        return log

    def delivered(self, known, frames):
        """Returns what the last export delivered to the probe from the song's beginning on.

        `known` is a message of the song with its frame, which is not delivered before.
        """
        lines = self.workspace.probe_log.read_text().rpartition("instantiate")[2].splitlines()
        messages = [(int(words[1]), bytes.fromhex(words[2])) for words in map(str.split, lines) if words[0] == "midi"]
        start = next(frame for frame, message in messages if message == known[1]) - known[0]
        return [(frame - start, message) for frame, message in messages if 0 <= frame - start < frames]

    def set_tempos(self, tempos):
        """Sets the tempos and meters: (frame, quarter notes per minute, beats, type), each at the beginning of a bar.

        A tempo of two numbers goes evenly from the first to the second, which is that of the next.
        """
        texts, meters, quarters, bar = [], [], 0.0, 1
        for index, (frame, tempo, beats, kind) in enumerate(tempos):
            first, last = tempo if isinstance(tempo, tuple) else (tempo, tempo)
            place = f'sclock="{SECOND * frame // midi.RATE}" quarters="{round(quarters)}:0" bbt="{bar}|1|0"'
            texts.append(f'<Tempo npm="{first}" enpm="{last}" note-type="4" type="Tempo::{"Constant" if first == last else "Ramp"}" '
                         f'active="1" locked-to-meter="0" continuing="0" omega="0" {place}/>')
            meters.append(f'<Meter note-value="{kind}" divisions-per-bar="{beats}" {place}/>')
            if index + 1 < len(tempos):
                length = (tempos[index + 1][0] - frame) / midi.RATE / 60 * first
                quarters, bar = quarters + length, bar + round(length * kind / 4 / beats)
        path = self.settings["folder"] / "session.ardour"
        text, count = re.subn(r"(?s)<Tempos>.*</Meters>", f"<Tempos>{''.join(texts)}</Tempos><Meters>{''.join(meters)}</Meters>",
                              path.read_text())
        assert count == 1, "Ardour's session has no tempos"
        path.write_text(text)

    def play(self):
        """Starts playing in real time from the beginning."""
        return Player(self)

    def lead(self):
        """Opens the session on the workspace's JACK server, of whose transport it is the timebase master, and waits until it is."""
        path = self.settings["folder"] / "session.ardour"
        text = path.read_text()
        assert 'name="external-sync" value="0"' in text
        path.write_text(text.replace('name="external-sync" value="0"', 'name="external-sync" value="1"'))
        ready = self.workspace.folder / "ready"
        ready.unlink(missing_ok=True)
        process = self.workspace.start("lead", *self.ardour.command(**self.settings, backend="JACK", lead={"ready": ready}))
        wait_for(lambda: ready.exists() or process.poll() is not None, "Ardour, which leads", 60)
        assert process.poll() is None, f"Ardour ended:\n{self.workspace.log('lead')}"
        return process


class Player:
    """A session that plays in real time."""

    def __init__(self, session):
        self.workspace = session.workspace
        self.levels_path, self.stop_path = self.workspace.folder / "levels", self.workspace.folder / "stop"
        self.process = self.workspace.start("play", *session.ardour.command(
            **session.settings, play={"levels": self.levels_path, "stop": self.stop_path}))

    def levels(self):
        """Returns the frames reached so far, and the highest level up to each since the one before, in dBFS."""
        assert self.process.poll() is None, f"Ardour ended:\n{self.workspace.log('play')}"
        if not self.levels_path.exists():
            return []
        lines = self.levels_path.read_text().split("\n")[:-1]
        return [(int(frame), float(level)) for frame, level in map(str.split, lines)]

    def stop(self):
        """Ends Ardour as a user does, and returns what it has written to its log."""
        self.stop_path.touch()
        self.process.wait(60)
        log = self.workspace.log("play")
        assert self.process.returncode == 0 and "job: done" in log, f"Ardour failed:\n{log}"
        return log


def _lua(value):
    if value is None or isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(map(_lua, value)) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_lua(item)}" for key, item in value.items()) + "}"
    return f"[==[{value}]==]"


def _configure(folder):
    """Writes Ardour's settings, and a format and preset of its export: 32-bit floats without a date."""
    exports = folder / "export"
    exports.mkdir(parents=True, exist_ok=True)
    # Without the resampler of its ports, which delays by 16 frames. With it, about one of 40 exports is 16 frames late.
    (folder / "config").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<Ardour><Config><Option name="port-resampler-quality" value="0"/></Config>'
        # For sessions that follow JACK's transport.
        '<TransportMasters current="JACK Transport"><TransportMaster type="Engine" name="JACK Transport"/>'
        '<TransportMaster type="MTC" name="MTC"/></TransportMasters></Ardour>')
    trim = ('<Trim enabled="false"/><Add enabled="false">'
            '<Duration format="Timecode" hours="0" minutes="0" seconds="0" frames="0"/></Add>')
    (exports / "test.format").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<ExportFormatSpecification name="test" id="{FORMAT}" with-cue="false" with-toc="false" with-mp4chaps="false" command=""
    analyse="false" soundcloud-upload="false">
  <Encoding id="F_WAV" type="T_Sndfile" extension="wav" name="WAV" has-sample-format="true" channel-limit="256"/>
  <SampleRate rate="SR_Session"/>
  <SRCQuality quality="SRC_SincBest"/>
  <EncodingOptions>
    <Option name="sample-format" value="SF_Float"/>
    <Option name="dithering" value="D_None"/>
    <Option name="tag-metadata" value="false"/>
    <Option name="tag-support" value="false"/>
    <Option name="broadcast-info" value="false"/>
  </EncodingOptions>
  <Processing>
    <Normalize enabled="false" loudness="no" dbfs="0" lufs="-23" dbtp="-1"/>
    <Silence><Start>{trim}</Start><End>{trim}</End></Silence>
  </Processing>
</ExportFormatSpecification>
""")
    (exports / "test.preset").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<ExportPreset id="{PRESET}" name="test">
  <ExportFormat id="{FORMAT}"/>
  <ExportFilename>
    <Folder relative="1" path="export"/>
    <Field name="label" enabled="0"/>
    <Field name="session" enabled="0"/>
    <Field name="snapshot" enabled="0"/>
    <Field name="timespan" enabled="1"/>
    <Field name="revision" enabled="0"/>
    <Field name="time" enabled="0" value="T_None"/>
    <Field name="date" enabled="0" value="D_None"/>
  </ExportFilename>
</ExportPreset>
""")


def _insert(folder, songs):
    """Adds the messages of each song to a saved session, as a region of a MIDI file on a track.

    Each track has a file of its own: Ardour delivers the controllers at the beginning of a shared one to one track only.
    The session gets a tempo at which one of Ardour's ticks is one frame. In other tempos it moves messages to ticks.
    """
    tempo = 60 * midi.RATE / TICKS
    end = max(events[-1][0] for events in songs) + TICKS
    files = folder / "interchange" / folder.name / "midifiles"
    files.mkdir(parents=True, exist_ok=True)

    path = folder / "session.ardour"
    text = path.read_text()
    playlist = r'(<Playlist [^>]*name="track[^>]*)/>'
    last = int(re.search(r'id-counter="(\d+)"', text)[1])
    sources = [last + 1 + index for index in range(len(songs))]
    for source, events in zip(sources, songs):
        midi.write(files / f"{source}.mid", events, end, TICKS, round(60e6 / tempo))
    unused = iter(sources)

    def region(match):
        source = next(unused)
        return (
            f'{match[1]}><Region name="song" muted="0" opaque="1" locked="0" video-locked="0" automatic="0" '
            f'whole-file="0" import="0" external="0" sync-marked="0" left-of-split="0" right-of-split="0" hidden="0" '
            f'position-locked="0" valid-transients="0" start="b0" length="b{end}@b0" sync-position="b0" '
            f'ancestral-start="b0" ancestral-length="b0@b0" stretch="1" shift="1" layering-index="0" tags="" '
            f'contents="0" time-domain="BeatTime" id="{source + len(sources)}" type="midi" first-edit="nothing" '
            f'source-0="{source}" master-source-0="{source}"/></Playlist>')

    # Ardour interpolates controllers with messages of its own unless they are discrete.
    def discrete(events):
        names = sorted(set(_controls(events)))
        return "".join(f'<InterpolationStyle parameter="{name}" style="Discrete"/>' for name in names)

    replacements = [
        (r'id-counter="\d+"', f'id-counter="{last + 100}"'),
        (r'npm="120" enpm="120"', f'npm="{tempo}" enpm="{tempo}"'),
        (r"<Sources ?/>", "<Sources>" + "".join(
            f'<Source name="{source}.mid" take-id="" type="midi" flags="" id="{source}" origin="">'
            f"{discrete(events)}</Source>" for source, events in zip(sources, songs)) + "</Sources>"),
        (playlist, region),
    ]
    for pattern, replacement in replacements:
        text, count = re.subn(pattern, replacement, text)
        assert count, f"Ardour's session has no {pattern}"
    path.write_text(text)


def _controls(events):
    """Returns Ardour's names of what the messages control."""
    for _, message in events:
        kind, channel = message[0] >> 4, message[0] & 15
        if kind == 0xA:
            yield f"midi-note-pressure-{channel}-{message[1]}"
        if kind == 0xB:
            yield f"midicc-{channel}-{message[1]}"
        if kind == 0xD:
            yield f"midi-channel-pressure-{channel}"
        if kind == 0xE:
            yield f"midi-pitch-bender-{channel}"


def _automate(folder, port, points):
    """Adds points to the automation of a control port in a saved session, in which a tick is a frame."""
    path = folder / "session.ardour"
    events = "".join(f"b{frame} {value}\n" for frame, value in points)
    text, count = re.subn(rf'(<AutomationList automation-id="parameter-{port}" [^>]*)state="Off"/>',
                          rf'\1state="Play"><events>{events}</events></AutomationList>', path.read_text())
    assert count == 1, f"{count} control ports have the index {port}"
    path.write_text(text)
