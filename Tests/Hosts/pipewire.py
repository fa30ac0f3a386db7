"""A PipeWire daemon of its own with a sink without a device, and WirePlumber."""

import json
import pathlib

import audio
from support import wait_for

SINK = "Test-Sink"
CONFIGURATION = """
context.properties = {
  default.clock.rate = 48000
  default.clock.allowed-rates = [ 44100 48000 ]
  default.clock.quantum = %d
  default.clock.min-quantum = 32
  default.clock.max-quantum = 8192
}
context.objects = [ {
  factory = adapter
  args = {
    factory.name = support.null-audio-sink
    node.name = Test-Sink
    media.class = Audio/Sink
    audio.position = [ FL FR ]
    object.linger = true
    priority.driver = 1000
  }
} ]
"""


class PipeWire:
    """The daemons. `prefix` is the command that runs a program with PipeWire's library for JACK."""

    prefix = ("pw-jack",)

    def __init__(self, workspace, cycle):
        self.workspace = workspace
        folder = pathlib.Path(workspace.environment["XDG_CONFIG_HOME"], "pipewire/pipewire.conf.d")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "test.conf").write_text(CONFIGURATION % cycle)
        self.tool = workspace.compile("jack-render", "jack-render.c", "-O2", "-ljack", "-lpthread")
        self.start()

    def start(self):
        """Starts the daemons, and waits for the sink."""
        self.processes = [self.workspace.start("pipewire", "pipewire")]
        wait_for(self._answers, "PipeWire's answer")
        self.processes.append(self.workspace.start("wireplumber", "dbus-run-session", "wireplumber"))
        wait_for(lambda: f"{SINK}:playback_FR" in self.workspace.run("pw-link", "--input"), "PipeWire's sink")

    def _answers(self):
        """Returns whether the daemon answers, which it does a moment after its socket exists."""
        try:
            return self.workspace.run("pw-cli", "info", "0")
        except AssertionError:
            return False

    def kill(self):
        """Kills PipeWire; WirePlumber then ends."""
        self.workspace.kill(self.processes.pop(0))
        self.end()

    def end(self):
        for process in reversed(self.processes):
            self.workspace.end(process)
        self.processes = []

    def sink(self):
        """Returns the number of the sink."""
        return next(entry["id"] for entry in json.loads(self.workspace.run("pw-dump"))
                    if entry["type"].endswith(":Node") and entry["info"]["props"].get("node.name") == SINK)

    def add_sink(self):
        """Adds a sink, Later-Sink."""
        self.workspace.run("pw-cli", "create-node", "adapter", "{ factory.name=support.null-audio-sink "
                           "node.name=Later-Sink media.class=Audio/Sink audio.position=[FL FR] object.linger=true }")

    def links(self, output):
        """Returns the names of the ports to which an output is linked."""
        found, name = [], ""
        for line in self.workspace.run("pw-link", "--output", "--links").splitlines():
            if not line.startswith(" "):
                name = line
            elif name == output and "|->" in line:
                found.append(line.split("|-> ")[1])
        return found

    def set(self, **settings):
        """Changes settings of the graph, such as force_quantum=64."""
        for name, value in settings.items():
            self.workspace.run("pw-metadata", "-n", "settings", "0", f"clock.{name.replace('_', '-')}", value)

    def ports(self, client):
        """Returns the names of a client's ports in PipeWire's graph, with their direction and format."""
        objects = json.loads(self.workspace.run("pw-dump"))
        nodes = [entry["id"] for entry in objects if entry["type"].endswith(":Node")
                 and entry["info"]["props"].get("node.name") == client]
        ports = [entry["info"]["props"] for entry in objects if entry["type"].endswith(":Port")]
        return {(port["port.name"], port["port.direction"], port.get("format.dsp", ""))
                for port in ports if port["node.id"] in nodes}

    def play(self, events, frames, midi_input, outputs):
        """Plays the messages at their frames in real time, and returns the channels and the frames that are missing.

        The machine may be too slow for some cycles, and PipeWire does not wait.
        """
        return self.finish(self.begin(events, frames, midi_input, outputs))

    def begin(self, events, frames, midi_input, outputs):
        """Begins to play as `play` does, and returns the process."""
        path = self.workspace.folder / "events"
        path.write_text("".join(f"{frame} {message.hex()}\n" for frame, message in events))
        self.recording, self.gaps = self.workspace.folder / "recording", self.workspace.folder / "gaps"
        return self.workspace.start("player", *self.prefix, self.tool, midi_input, *outputs, path, frames,
                                    self.recording, self.gaps)

    def finish(self, process):
        """Waits for the end of `begin`, and returns what `play` does."""
        process.wait(240)
        self.workspace.processes.remove(process)
        assert process.returncode == 0, f"jack-render failed:\n{self.workspace.log('player')}"
        gaps = [tuple(map(int, line.split())) for line in self.gaps.read_text().splitlines()]
        return audio.read_raw(self.recording, 2), gaps
