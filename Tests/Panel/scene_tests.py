"""A scene of LV2 plugins and SoundFonts of Debian, which pages play like keyboards; each page has a part."""

import array
import cmath
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import threading
import unittest
import wave

from websocket import WebSocketException

from server import Server, wait_for
from watcher import Watcher

RATE = 48000
FLUID = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
PLUGINS = {
    "Organ": ("b_synth", "http://gareus.org/oss/lv2/b_synth"),
    "Zyn": ("ZynAddSubFX.lv2", "http://zynaddsubfx.sourceforge.net"),
    "Sampler": ("samplv1.lv2", "http://samplv1.sourceforge.net/lv2"),
}
# The key of each part. None has a frequency among the harmonics of another.
KEYS = {"Organ": 40, "Zyn": 53, "Sampler": 67, "Bundled": 73, "Fluid": 87}
# The amplitudes of a tone that is heard, and of one that is not.
HEARD, SILENT = 0.003, 0.0006


def frequency(key):
    return 440 * 2 ** ((key - 69) / 12)


def subtype(name):
    return name[:3].lower() + "x"


def configuration(tone):
    def port(name):
        settings = {"name": f"Test: {name}", "subtype": subtype(name)}
        if name in PLUGINS:
            settings["lv2"] = PLUGINS[name][1]
        if name == "Sampler":
            settings["files"] = {"p101-sample-file": tone}
        if name == "Fluid":
            settings["soundfont"] = FLUID
        return settings

    def zone(name):
        first = KEYS[name] // 12 * 12
        return {"keys": [first, first + 11], **({} if name in PLUGINS else {"preset": "Flute", "level": 9})}

    scene = {"name": "All", "ports": {f"Test: {name}": {"zones": [zone(name)]} for name in KEYS}}
    return json.dumps({"ports": [port(name) for name in KEYS], "scenes": [scene]})


def write_tone(path):
    """Writes a minute of a tone, which a sampler plays with key 60."""
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        step = 2 * math.pi * frequency(60) / RATE
        file.writeframes(array.array("h", (int(8000 * math.sin(step * frame)) for frame in range(60 * RATE))).tobytes())


INSTALLED = [f"/usr/lib/lv2/{bundle}/manifest.ttl" for bundle, _ in PLUGINS.values()] + [FLUID]


@unittest.skipUnless(all(map(os.path.exists, INSTALLED)), "needs Debian's setbfree, zynaddsubfx-lv2, samplv1-lv2 and fluid-soundfont-gm")
class SceneTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="portative-scene-")
        folder = pathlib.Path(cls.folder.name)
        write_tone(str(folder / "tone.wav"))
        cls.server = Server("--period", "1024", "--record", str(folder / "live.wav"), configuration=configuration(str(folder / "tone.wav")))
        cls.addClassCleanup(cls.end)
        cls.server.run("scene", "All")
        cls.pages = {}
        for name in KEYS:
            page = cls.pages[name] = Watcher(cls.server.link)
            manufacturer = "LV2 " if name in PLUGINS else "Ptvo"
            page.send(3, "panel.play", component={"type": "instrument", "subtype": subtype(name), "manufacturer": manufacturer})
            # A page that reads nothing is ended.
            threading.Thread(target=cls.read, args=(page,), daemon=True).start()
        cls.recording = wait_for(lambda: [*folder.glob("*live.wav*.partial")], "the recording")[0]

    @classmethod
    def end(cls):
        cls.server.close()
        cls.folder.cleanup()

    @staticmethod
    def read(page):
        try:
            while page.socket.recv():
                pass
        except (OSError, WebSocketException):
            pass

    def send(self, name, status):
        message = {"method": "panel.midi", "params": {"bytes": [status, KEYS[name], 100]}}
        self.pages[name].socket.send(json.dumps(message))

    def amplitudes(self):
        """The amplitude of the tone of each part in the last half of a second of the recording."""
        data = self.recording.read_bytes()
        begin = data.index(b"data") + 8
        frames = (len(data) - begin) // 8
        count = RATE // 2
        if frames < count:
            return dict.fromkeys(KEYS, 0)
        first = begin + 8 * (frames - count)
        left = [value[0] for value in struct.iter_unpack("<ff", data[first:first + 8 * count])]
        # A Hann window suppresses other tones.
        left = [value * (1 - math.cos(2 * math.pi * index / count)) for index, value in enumerate(left)]
        result = {}
        for name, key in KEYS.items():
            turn, sum = cmath.exp(-2j * math.pi * frequency(key) / RATE), 0
            for value in reversed(left):
                sum = sum * turn + value
            result[name] = 2 * abs(sum) / count
        return result

    def hear(self, *names):
        """Waits until these parts are heard, and no others."""
        def is_so():
            heard = self.amplitudes()
            return all(heard[name] > HEARD if name in names else heard[name] < SILENT for name in KEYS)

        try:
            wait_for(is_so, "the tones")
        except AssertionError as error:
            raise AssertionError(f"only {names} should be heard, but the amplitudes are {self.amplitudes()}") from error

    def kill(self, name):
        children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(self.server.process.pid)], capture_output=True, text=True).stdout
        # The plugin that plays, and one for a page that has asked what the port has.
        for process in re.findall(rf"(\d+) portative node --lv2 {re.escape(PLUGINS[name][1])}", children):
            os.kill(int(process), signal.SIGKILL)

    def test_each_part_sounds_and_a_plugin_that_is_killed_is_silent_alone_and_returns(self):
        for name in KEYS:
            self.send(name, 0x90)
            self.hear(name)
            self.send(name, 0x80)
            self.hear()
        for name in KEYS:
            self.send(name, 0x90)
        self.hear(*KEYS)
        for name in PLUGINS:
            self.kill(name)
            self.hear(*(other for other in KEYS if other != name))
            wait_for(lambda: self.play_again(name), f"{name} plays again")
            self.hear(*KEYS)

    def play_again(self, name):
        self.send(name, 0x80)
        self.send(name, 0x90)
        try:
            return wait_for(lambda: self.amplitudes()[name] > HEARD, name, 3)
        except AssertionError:
            return False
