"""What the tests of the panel in Chromium share."""

import json
import pathlib
import re
import tempfile
import unittest

import axe_core_python
from selenium.webdriver.support.ui import Select

from browser import Browser
from server import Server, wait_for

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


class PanelCase(unittest.TestCase):
    """A server and a browser for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="portative-browser-")
        cls.server = Server()
        cls.browser = Browser(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.resize(1280, 900)
        # A scene that an earlier test has chosen has other zones.
        if "current" in json.loads(self.server.run("scene", "--json").stdout.splitlines()[0]):
            self.server.renew()
        self.browser.open(self.server.link)
        self.browser.script("localStorage.clear()")
        self.server.run("set", "Stage", "zones=")
        self.browser.open(self.server.link)

    def tearDown(self):
        # A page on purpose without a server reports that it cannot connect.
        errors = [entry for entry in self.browser.errors()
                  if "ERR_CONNECTION_REFUSED" not in entry["message"] and "WebSocket" not in entry["message"]
                  and "/none - " not in entry["message"]]
        self.assertEqual(errors, [])

    def port(self, name="Stage"):
        rows = [json.loads(line) for line in self.server.run("list", "--status", "--json").stdout.splitlines()]
        return next(port for row in rows for port in row.get("ports", [row])
                    if name in json.dumps(port.get("port", port)))

    def notes(self, name="Stage"):
        """The notes that the port's units have played."""
        text = json.dumps(self.port(name))
        return sum(int(value) for value in re.findall(r'"name": "notes", "value": (\d+)', text)
                   + re.findall(r'"value": (\d+), "name": "notes"', text))

    def sounding(self):
        return set(self.browser.page("return [...remoteKeys]"))

    def held(self, *keys):
        wait_for(lambda: self.sounding() == set(keys), f"the port plays {keys}, but {self.sounding()}", 20)

    def choose_port(self, name):
        Select(self.browser.one("#port")).select_by_visible_text(name)
        wait_for(lambda: self.browser.page("return port.name") == name and not self.browser.all("#preset-list.busy"), "the port is chosen")

    def recordings(self):
        return self.browser.page("return [...document.querySelectorAll('.recording .recording-text p:first-child')].map((p) => p.textContent)")

    def row(self, name):
        """Waits until a recording is listed."""
        wait_for(lambda: name in self.recordings(), f"{name} is listed, but {self.recordings()}")

    def press(self, label):
        self.browser.click(f'button[aria-label="{label}"]')

    def check_with_axe(self, state):
        """Checks what is shown with axe-core: all rules, and so contrasts, names and roles."""
        self.browser.script(AXE)
        results = self.browser.driver.execute_async_script(
            "const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then(done, (e) => done({ violations: [{ id: `${e}`, impact: 'serious', nodes: [] }] }))")
        self.assertEqual([(state, item["id"], item["impact"], [node["html"][:120] for node in item["nodes"]][:3]) for item in results["violations"]], [])

    def small_targets(self):
        """What is smaller than a finger, of what is shown."""
        return self.browser.script("""
          return [...document.querySelectorAll("button, select, input, summary")].filter((part) => part.offsetParent && getComputedStyle(part).visibility === "visible")
            .map((part) => [part.id || part.className || part.outerHTML.slice(0, 60), part.getBoundingClientRect().width, part.getBoundingClientRect().height])
            .filter(([, width, height]) => width < 43.9 || height < 43.9)""")
