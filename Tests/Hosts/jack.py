"""jalv, a JACK host of one LV2 plugin, on a server of its own without a sound device."""

import pathlib
import tempfile

from jackserver import Server
from support import wait_for, write_preset


class Jalv:
    """A plugin in jalv, with values of control ports, and properties of its state in Turtle.

    `prefix` is a command that runs jalv, such as valgrind.
    """

    def __init__(self, workspace, plugin, controls={}, cycle=256, prefix=(), state=""):
        self.workspace = workspace
        arguments = []
        if controls or state:
            # The option -c refuses ports that are not to be shown to users.
            folder = pathlib.Path(tempfile.mkdtemp(dir=workspace.folder)) / "state"
            write_preset(folder / "state.ttl", "", plugin, controls, state)
            arguments = ["-l", folder]
        self.server = Server(workspace, cycle)
        self.process = workspace.start("jalv", *prefix, "jalv", "-i", "-x", "-n", "plugin", *arguments, plugin)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends jalv as its console does, and the server."""
        self.quit()
        self.server.end()

    def quit(self):
        """Ends jalv by SIGTERM, on which it frees the plugin, and returns what it has written."""
        self.workspace.end(self.process, 60)
        return self.workspace.log("jalv")

    def ports(self):
        """Returns the names of the MIDI input and the audio outputs, or None until they exist."""
        assert self.process.poll() is None, f"jalv ended:\n{self.workspace.log('jalv')}"
        return self.server.ports("plugin")

    def render(self, events, frames):
        """Plays the messages at their frames without a deadline, and returns the channels."""
        midi_input, *outputs = wait_for(self.ports, "jalv's ports", 60)
        return self.server.render(events, frames, midi_input, outputs)
