"""LV2 plugins of Debian as ports in the panel, driven as a user would: parameters, presets, recordings and takes."""

import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile

from browser import Browser
from case import PanelCase
from server import Server, wait_for

CONFIGURATION = """
{ ports: [
    { name: "Test: FM", subtype: "fmfm", lv2: "http://drobilla.net/plugins/mda/DX10" },
    { name: "Test: Plate", subtype: "plat", lv2: "urn:dragonfly:plate" } ] }
"""


class PluginTests(PanelCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="portative-browser-")
        cls.server = Server(configuration=CONFIGURATION)
        cls.browser = Browser(cls.folder.name)

    def setUp(self):
        self.browser.resize(1280, 900)
        # The page remembers a port, and the reverberator has no presets, for which the browser waits.
        self.browser.driver.get(self.server.link)
        self.browser.script("localStorage.clear()")
        self.browser.open(self.server.link)
        self.browser.view("play")

    def processes(self):
        """The processes of the plugin: that which plays, and one for the page that has asked what the port has before it played."""
        children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(self.server.process.pid)], capture_output=True, text=True).stdout
        return re.findall(r"(\d+) portative node --lv2 http", children)

    def value(self, parameter):
        """What the page shows as the value of a parameter."""
        return self.browser.script("return document.getElementById(arguments[0])?.getAttribute('aria-valuetext')", f"p-{parameter}")

    def test_parameters_have_groups_units_and_names_of_values(self):
        self.browser.view("edit")
        wait_for(lambda: "Envelope" in self.browser.text("#parameters"), "the group")
        self.choose_port("Test: Plate")
        wait_for(lambda: self.value("decay") == "0.40 s", "a time in seconds")
        self.assertEqual(self.value("low-cut"), "200.0 Hz")
        algorithm = self.browser.one("#p-algorithm")
        self.assertEqual([option.text for option in algorithm.find_elements("css selector", "option")], ["Simple", "Nested", "Tank"])
        self.server.run("set", "Plate", "algorithm=Tank", "decay=2")
        wait_for(lambda: self.value("decay") == "2.00 s", "a change elsewhere")
        if folder := os.environ.get("PANEL_PICTURES"):
            self.browser.driver.save_screenshot(f"{folder}/plugin.png")

    def test_a_preset_changes_parameters(self):
        self.browser.one("#preset-search").send_keys("sitar")
        before = self.server.run("info", "--settings", "FM").stdout
        self.browser.one("#preset-list .choose").click()
        wait_for(lambda: self.server.run("info", "--settings", "FM").stdout != before, "the preset is chosen")
        wait_for(lambda: "Sitar" in self.browser.text("#now-name"), "its name")

    def play(self):
        """Plays three notes, each until the port has it."""
        self.browser.one("#keys").click()
        for key, number in ("a", 48), ("s", 50), ("d", 52):
            self.browser.keys(f"+{key}")
            self.held(number)
            self.browser.keys(f"-{key}")
        self.held()

    def expect_sound(self, file):
        data = file.read_bytes()
        samples = data[data.index(b"data") + 8:]
        self.assertGreater(max(abs(value) for value, in struct.iter_unpack("<f", samples[:len(samples) // 4 * 4])), 0.001)

    def test_what_a_plugin_plays_is_recorded_and_in_the_take_with_its_sound(self):
        folder = pathlib.Path(self.server.folder.name) / "data/portative/recordings"
        self.browser.one("#record").click()
        wait_for(lambda: "peak" in self.browser.text("#record-state"), "the recording has begun")
        self.play()
        wait_for(lambda: self.browser.page("return status?.recording?.seconds ?? 0") > 1.2, "a second")
        self.browser.one("#record").click()
        self.expect_sound(wait_for(lambda: list(folder.glob("*.wav")), "the file")[0])
        take = folder.parent / "take.wav"
        self.server.run("take", "FM", "-o", str(take.with_suffix(".mid")), "--audio", str(take), seconds=240)
        self.expect_sound(take)

    def test_a_plugin_whose_process_is_killed_sounds_again(self):
        self.play()
        processes = self.processes()
        for process in processes:
            os.kill(int(process), signal.SIGKILL)
        log = pathlib.Path(self.server.folder.name) / "log"
        sentence = rf"Test: FM: the process ({'|'.join(processes)}) of the plugin was ended by signal 9; it is started again"
        wait_for(lambda: re.search(sentence, log.read_text()), "a sentence in the log")
        self.browser.view("monitor")
        # A note of a percussive sound is over before the page reads a level.
        wait_for(lambda: self.browser.page("""server.notify('panel.midi', { bytes: [0x90, 60, 127] });
            return Math.max(...(meters.rows.get('Test: FM')?.level ?? [0]))""") > 0.003, "sound")
        self.browser.page("server.notify('panel.release', {})")
