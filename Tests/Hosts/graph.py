"""portative serve in the graph of a JACK server or of PipeWire, without a sound device."""

import json
import pathlib

from jackserver import Server
from support import BUILD, SOUNDFONT, wait_for


class Graph:
    """A server of JACK, and of the ports of a configuration, each a JACK client.

    `Server` is the class of the server.
    """

    def __init__(self, workspace, ports, cycle=256, Server=Server, soundfont=SOUNDFONT):
        self.workspace, self.count = workspace, len(ports)
        self.configuration = workspace.folder / "config.json"
        self.configuration.write_text(json.dumps({"soundfont": str(soundfont), "ports": ports}))
        self.server = Server(workspace, cycle)
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.server.end()

    def forget_connections(self):
        """Removes the stored connections of the ports."""
        pathlib.Path(self.workspace.environment["XDG_STATE_HOME"], "portative/jack.json").unlink(missing_ok=True)

    def start(self):
        """Starts the ports."""
        self.process = self.workspace.start(
            "serve", *self.server.prefix, BUILD / "portative", "serve", "--audio", "jack", "--midi", "none", "--no-panel", "--config",
            self.configuration)

    def stop(self):
        """Ends the ports, and returns what they have logged."""
        self.workspace.end(self.process)
        return self.workspace.log("serve")

    def wait(self):
        """Waits until all ports are in the graph, because JACK refuses a client while it admits others."""
        self.wait_for_log("sound: jack", self.count)

    def wait_for_log(self, text, count=1, seconds=60):
        """Waits until the ports have logged a text as often as `count`."""
        wait_for(lambda: self.workspace.log("serve").count(text) >= count, f"'{text}' in the log", seconds)

    def follow(self, client, song, frames):
        """Returns what `Server.follow` does for a client's outputs."""
        self.wait()
        return self.server.follow(song, frames, [f"{client}:out_left", f"{client}:out_right"])

    def ports(self, client=""):
        """Returns the names of the JACK ports of a client, or of all."""
        return [name for name in self.workspace.run("jack_lsp").splitlines() if name.startswith(client)]

    def wait_for_player(self):
        """Waits until the player of `begin` is connected."""
        wait_for(lambda: "connected" in self.workspace.log("player"), "the player's connections", 60)

    def answers(self, client, events, frames):
        """Plays as `render`, and returns the messages that the client sends, with their frames, and the channels."""
        midi_input, left, right, midi_output = (
            f"{client}:{port}" for port in ("midi_in", "out_left", "out_right", "midi_out"))
        self.wait()
        return self.server.answers(events, frames, midi_input, [left, right], midi_output)

    def render(self, client, events, frames):
        """Plays the messages at their frames without a deadline, and returns the channels."""
        names = [f"{client}:{port}" for port in ("midi_in", "out_left", "out_right")]
        self.wait()
        return self.server.render(events, frames, names[0], names[1:])
