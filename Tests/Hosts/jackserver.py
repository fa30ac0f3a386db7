"""A JACK server of its own without a sound device."""

import os
import pathlib
import subprocess

import audio
import midi
from support import wait_for


class Server:
    """A server that waits for its clients in every cycle, for up to 5 s, unless `options` are others."""

    # The command that runs a program with the library of the server.
    prefix = ()

    def __init__(self, workspace, cycle, rate=midi.RATE, options=("-S", "-t", "5000")):
        self.workspace = workspace
        self.name = f"portative-test-{os.getpid()}"
        workspace.environment.update(JACK_DEFAULT_SERVER=self.name, JACK_NO_AUDIO_RESERVATION="1")
        self.tool = workspace.compile("jack-render", "jack-render.c", "-O2", "-ljack", "-lpthread")
        self.process = workspace.start(
            "jackd", "jackd", "-n", self.name, "-r", *options, "-d", "dummy", "-r", rate, "-p", cycle, "-C", "0",
            "-P", "0")
        workspace.run("jack_wait", "--wait", "--timeout", "30")

    def ports(self, client):
        """Returns the names of a client's MIDI input and two audio outputs, or None until they exist."""
        midi_inputs, outputs, name, properties = [], [], "", ""
        for line in self.workspace.run("jack_lsp", "--type", "--properties").splitlines():
            if not line[:1].isspace():
                name = line
            elif "properties:" in line:
                properties = line
            elif name.startswith(f"{client}:") and "midi" in line and "input" in properties:
                midi_inputs.append(name)
            elif name.startswith(f"{client}:") and "audio" in line and "output" in properties:
                outputs.append(name)
        return (midi_inputs[0], *outputs) if midi_inputs and len(outputs) == 2 else None

    def render(self, events, frames, midi_input, outputs):
        """Plays the messages at their frames without a deadline, and returns the channels."""
        return self._run(midi_input, outputs, self._write(events), frames)

    def answers(self, events, frames, midi_input, outputs, midi_output):
        """Plays the messages as `render` does, and returns those of an output, with their frames, and the channels."""
        path = self.workspace.folder / "answers"
        channels = self._run(midi_input, outputs, self._write(events), frames, "-m", midi_output, path)
        answers = [line.split() for line in path.read_text().splitlines()]
        return [(int(frame), bytes.fromhex(message)) for frame, message in answers], channels

    def begin(self, events, frames, midi_input, outputs, is_free=True):
        """Begins to do as `render`, or, unless `is_free`, in real time, and returns the process, which is to be ended."""
        path = self.workspace.folder / "abandoned"
        return self.workspace.start("player", self.tool, midi_input, *outputs, self._write(events), frames, path,
                                    *([] if is_free else [path]))

    def _write(self, events):
        path = self.workspace.folder / "events"
        path.write_text("".join(f"{frame} {message.hex()}\n" for frame, message in events))
        return path

    def record(self, frames, outputs):
        """Starts the transport, and returns the channels from then on."""
        return self._run("-", outputs, "-", frames)

    def follow(self, song, frames, outputs):
        """Starts the transport with a timebase master, whose arguments `song` has.

        Returns the channels from then on, and the changes of the transport: (frame, frame of the song, rolls).
        """
        tool = self.workspace.compile("jack-timebase", "jack-timebase.c", "-O2", "-ljack", "-lm")
        master = self.workspace.start("timebase", tool, *song)
        wait_for(lambda: "ready" in self.workspace.log("timebase"), "the timebase master")
        channels = self.record(frames, outputs)
        self.workspace.end(master)
        lines = self.workspace.log("timebase").splitlines()[1:]
        changes = [tuple(map(int, line.split())) for line in lines]
        begin = next(time for time, _, rolls in changes if rolls)
        return channels, [(time - begin, frame, rolls) for time, frame, rolls in changes if time >= begin]

    def _run(self, midi_input, outputs, events, frames, *options):
        path = self.workspace.folder / "recording"
        self.workspace.run(self.tool, *options, midi_input, *outputs, events, frames, path)
        return audio.read_raw(path, 2)

    def end(self):
        try:
            self.workspace.end(self.process, 5)
        except subprocess.TimeoutExpired:
            self.workspace.kill(self.process)
        # A server that is killed leaves its shared memory.
        for left in pathlib.Path("/dev/shm").glob(f"jack*{self.name}*"):
            left.unlink(missing_ok=True)
