"""qtractor, a sequencer, on a JACK server of its own without a sound device. It needs the ALSA sequencer."""

import base64
import signal
import xml.etree.ElementTree
import zlib

import midi
from jackserver import Server
from support import wait_for

# Messages at multiples of this many frames keep them: at this tempo it is one tick of a session.
TICK = 15
TICKS_PER_BEAT = 960
TEMPO = 60 * midi.RATE / TICK / TICKS_PER_BEAT

SESSION = """<!DOCTYPE qtractor-session>
<session name="session" version="0.9.30">
  <properties>
    <directory>{folder}</directory>
    <sample-rate>{rate}</sample-rate>
    <tempo>{tempo}</tempo>
    <ticks-per-beat>{ticks}</ticks-per-beat>
    <beats-per-bar>4</beats-per-bar>
    <beat-divisor>2</beat-divisor>
  </properties>
  <devices>
    <audio-engine>
      <audio-bus mode="duplex" name="Master"><channels>{bus_channels}</channels><auto-connect>0</auto-connect></audio-bus>
    </audio-engine>
    <midi-engine><midi-bus mode="duplex" name="Master"/></midi-engine>
  </devices>
  <tracks>
    <track name="Song" type="midi">
      <properties>
        <input-bus>Master</input-bus>
        <output-bus>Master</output-bus>
        <midi-channel>{channel}</midi-channel>
      </properties>
      <clips>
        <clip name="song">
          <properties><start>0</start><offset>0</offset><length>{length}</length></properties>
          <midi-clip><filename>song.mid</filename><track-channel>{channel}</track-channel></midi-clip>
        </clip>
      </clips>
      <plugins>
        <plugin type="{type}">
          <filename>{plugin}</filename>
          <index>0</index>
          <activated>1</activated>
          <params>{params}</params>
        </plugin>
      </plugins>
    </track>
  </tracks>
</session>
"""


def write_song(path, events):
    """Writes messages, whose frames are multiples of TICK, to a file, and returns the length of a clip of it."""
    assert all(frame % TICK == 0 for frame, _ in events), "a message between two ticks"
    ticks = [(frame // TICK, message) for frame, message in events]
    end = ticks[-1][0] + midi.RATE // TICK
    midi.write(path, ticks, end, TICKS_PER_BEAT, round(60e6 / TEMPO))
    return end * TICK


def write_session(folder, events, plugin, *, controls={}, channel=0, bus_channels=2, type="LV2"):
    """Writes a session with a track on which the plugin plays the messages of a channel, and returns its path.

    The plugin is a URI, or for the type CLAP a file, whose first plugin is meant. `controls` has the values of control ports of LV2
    by their names, and `bus_channels` is the number of outputs.
    """
    folder.mkdir()
    # qtractor looks for the name if the index is of another port or of none.
    params = "".join(f'<param name="{name}" index="{1000 + index}">{value}</param>'
                     for index, (name, value) in enumerate(controls.items()))
    path = folder / "session.qtr"
    path.write_text(SESSION.format(
        folder=folder, rate=midi.RATE, tempo=TEMPO, ticks=TICKS_PER_BEAT, type=type, plugin=plugin, params=params,
        channel=channel, bus_channels=bus_channels, length=write_song(folder / "song.mid", events)))
    return path


def plugin_state(text):
    """Returns the state of the plugin in a saved session: Turtle, which qtractor compresses."""
    config = xml.etree.ElementTree.fromstring(text).find(".//plugin/configs/config[@key='urn:qtractor:state#key']")
    assert config is not None, "the session has no state of the plugin"
    # qUncompress's format: four bytes with the length, and zlib's stream.
    return zlib.decompress(base64.b64decode(config.text)[4:]).decode()


class Qtractor:
    """A session in qtractor. It keeps its windows in memory."""

    def __init__(self, workspace, session, cycle=4096):
        self.workspace, self.session = workspace, session
        self.server = Server(workspace, cycle)
        self.process = workspace.start("qtractor", "qtractor", session, QT_QPA_PLATFORM="offscreen")
        wait_for(self._has_outputs, "qtractor's outputs", 180)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends qtractor without saving, and the server."""
        if self.process in self.workspace.processes:
            self.workspace.kill(self.process)
        self.server.end()

    def _has_outputs(self):
        assert self.process.poll() is None, f"qtractor ended:\n{self.workspace.log('qtractor')}"
        return "Qtractor:Master/out_1" in self.workspace.run("jack_lsp")

    def record(self, frames, outputs):
        """Starts the transport, which qtractor follows some cycles later, and returns what it plays from then on.

        `outputs` are two numbers from 1 on.
        """
        return self.server.record(frames, [f"Qtractor:Master/out_{number}" for number in outputs])

    def save(self):
        """Saves the session as a session manager does (LADISH level 1), and returns what the file contains."""
        before = self.session.stat().st_mtime_ns
        self.process.send_signal(signal.SIGUSR1)
        wait_for(lambda: self.session.stat().st_mtime_ns > before and "</session>" in self.session.read_text(),
                 "the saved session", 60)
        return self.session.read_text()
