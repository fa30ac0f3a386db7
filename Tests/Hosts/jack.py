"""jalv, a JACK host of one LV2 plugin, on a server of its own without a sound device."""

import os
import pathlib
import subprocess
import tempfile

import audio
import midi
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
        self.server = f"portative-test-{os.getpid()}"
        workspace.environment.update(JACK_DEFAULT_SERVER=self.server, JACK_NO_AUDIO_RESERVATION="1")
        self.tool = workspace.compile("jack-render", "jack-render.c", "-O2", "-ljack", "-lpthread")
        self.jackd = workspace.start(
            "jackd", "jackd", "-n", self.server, "-r", "-S", "-t", "5000", "-d", "dummy", "-r", midi.RATE, "-p", cycle,
            "-C", "0", "-P", "0")
        workspace.run("jack_wait", "--wait", "--timeout", "30")
        self.process = workspace.start("jalv", *prefix, "jalv", "-i", "-x", "-n", "plugin", *arguments, plugin)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends jalv as its console does, and the server."""
        self.quit()
        self.workspace.processes.remove(self.jackd)
        self.jackd.terminate()
        try:
            self.jackd.wait(5)
        except subprocess.TimeoutExpired:
            self.jackd.kill()
            self.jackd.wait()
        # A server that is killed leaves its shared memory.
        for left in pathlib.Path("/dev/shm").glob(f"jack*{self.server}*"):
            left.unlink(missing_ok=True)

    def quit(self):
        """Ends jalv by SIGTERM, on which it frees the plugin, and returns what it has written."""
        if self.process in self.workspace.processes:
            self.workspace.processes.remove(self.process)
            self.process.terminate()
            self.process.wait(60)
        return self.workspace.log("jalv")

    def ports(self):
        """Returns the names of the MIDI input and the audio outputs, or None until they exist."""
        assert self.process.poll() is None, f"jalv ended:\n{self.workspace.log('jalv')}"
        midi_inputs, outputs, name, properties = [], [], "", ""
        for line in self.workspace.run("jack_lsp", "--type", "--properties").splitlines():
            if not line[:1].isspace():
                name = line
            elif "properties:" in line:
                properties = line
            elif name.startswith("plugin:") and "midi" in line and "input" in properties:
                midi_inputs.append(name)
            elif name.startswith("plugin:") and "audio" in line and "output" in properties:
                outputs.append(name)
        return (midi_inputs[0], *outputs) if midi_inputs and len(outputs) == 2 else None

    def render(self, events, frames):
        """Plays the messages at their frames without a deadline, and returns the channels."""
        folder = self.workspace.folder
        ports = wait_for(self.ports, "jalv's ports", 60)
        lines = (f"{frame} {message.hex()}\n" for frame, message in events)
        (folder / "events").write_text("".join(lines))
        self.workspace.run(self.tool, *ports, folder / "events", frames, folder / "recording")
        return audio.read_raw(folder / "recording", 2)
