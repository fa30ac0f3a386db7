"""A server with a panel, in folders of its own."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PORTATIVE", str(ROOT / ".build/debug/portative"))

CONFIGURATION = """
{ ports: [
    { name: "Portative: Stage", subtype: "stag", zones: [
      { keys: "..B3", preset: "Fretless Bass" },
      { keys: "C4..", preset: "Grand Piano" },
      { keys: "C4..", preset: "Slow Strings", level: -9 } ] },
    { name: "Portative: General MIDI", subtype: "gmsy" },
    { name: "Portative: Echo", subtype: "echo", unit: "delay" } ],
  scenes: [
    { name: "Verse", ports: { "Portative: Stage": { preset: "Grand Piano" } } },
    { name: "Chorus", ports: { "Portative: Stage": { zones: [
      { preset: "Grand Piano" }, { keys: "C4..", preset: "Slow Strings", level: -6 }] } } },
    { name: "Organ solo", ports: { "Portative: Stage": { preset: "Church Organ" } } } ],
  setList: ["Verse", "Chorus", "Verse", "Organ solo"] }
"""


def wait_for(condition, what, seconds=float(os.environ.get("PANEL_WAIT", 60))):
    """Returns the first true result of a condition."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what}")


class Server:
    def __init__(self, *options, configuration=CONFIGURATION, audio="null"):
        self.audio, self.configuration = audio, configuration
        self.folder = tempfile.TemporaryDirectory(prefix="portative-panel-")
        root = pathlib.Path(self.folder.name)
        for name in ("run", "state", "config/portative", "data"):
            (root / name).mkdir(mode=0o700, parents=True)
        self.file = root / "config/portative/config.json"
        self.file.write_text(configuration)
        # Its path is in the log, and so in the pictures.
        soundfont = root / "Portative.sf2"
        soundfont.symlink_to(ROOT / "SoundFonts/Portative.sf2")
        self.environment = {
            **os.environ, "HOME": str(root), "XDG_RUNTIME_DIR": str(root / "run"),
            "XDG_STATE_HOME": str(root / "state"), "XDG_CONFIG_HOME": str(root / "config"),
            "XDG_DATA_HOME": str(root / "data"),
            "PORTATIVE_SOUNDFONT": str(soundfont),
        }
        self.options = options
        self.process = None
        self.start()

    def renew(self):
        """Forgets what was chosen, set and saved."""
        self.stop()
        self.file.write_text(self.configuration)
        self.start()

    def start(self):
        self.log = open(pathlib.Path(self.folder.name) / "log", "a+")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--panel", "--audio", self.audio, "--midi", "none", *self.options],
            stderr=self.log, stdin=subprocess.DEVNULL, env=self.environment)
        self.link = wait_for(self.find_link, "the link of the panel")

    def find_link(self):
        if self.process.poll() is not None:
            self.log.seek(0)
            raise AssertionError("the server has ended:\n" + self.log.read())
        result = self.run("serve", "--panel-link", check=False)
        return result.stdout.strip()

    def run(self, *arguments, check=True, seconds=60):
        return subprocess.run([PROGRAM, *arguments], env=self.environment, check=check,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)
        self.log.close()

    def close(self):
        self.stop()
        self.folder.cleanup()
