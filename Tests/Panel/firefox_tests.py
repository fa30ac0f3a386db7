"""The web panel in Firefox: that the page plays, edits and connects again there as well.

Firefox is driven through Marionette, its own protocol, because Debian has no geckodriver."""

import os
import tempfile
import unittest
import warnings

from marionette_driver.by import By
from marionette_driver.keys import Keys
from marionette_driver.marionette import ActionSequence, Marionette

from server import Server, wait_for
from watcher import Watcher


class FirefoxTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The driver opens many sockets, and closes them late.
        warnings.filterwarnings("ignore", category=ResourceWarning, module="marionette_driver")
        cls.folder = tempfile.TemporaryDirectory(prefix="portative-firefox-")
        cls.server = Server()
        cls.browser = Marionette(
            bin=os.environ.get("FIREFOX", "/usr/bin/firefox-esr"), headless=True, gecko_log=f"{cls.folder.name}/log",
            workspace=cls.folder.name, socket_timeout=120, startup_timeout=180)
        cls.browser.start_session()
        cls.browser.timeout.script = 60
        cls.browser.timeout.page_load = 120

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.browser.cleanup()
        # Its profile is removed now, and not while Python ends.
        cls.browser = None
        cls.server.close()
        cls.folder.cleanup()

    def setUp(self):
        self.server.run("set", "Stage", "zones=")
        self.browser.navigate("about:blank")
        self.browser.navigate(self.server.link)
        self.wait_until_connected()

    def script(self, text):
        return self.browser.execute_script(text)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def wait_until_connected(self):
        wait_for(lambda: self.script("return document.querySelector('#connection').className.includes('good')"
                                     " && document.querySelectorAll('#preset-list li').length > 0"), "the page is connected")

    def plays(self, press, release, condition):
        """Checks what the server reports to another client while something is pressed, and after it."""
        watcher = Watcher(self.server.link)
        try:
            press()
            watcher.held("Portative: Stage", condition, "the port plays")
            release()
            watcher.held("Portative: Stage", lambda keys: not keys, "the notes have ended")
        finally:
            watcher.close()

    def test_keys_of_the_computer_play_and_release(self):
        keyboard = lambda: ActionSequence(self.browser, "key", "keyboard")
        self.one("#tab-play").click()
        self.plays(keyboard().key_down("a").key_down("d").perform, keyboard().key_up("a").key_up("d").perform,
                   lambda keys: keys == {48, 52})

    def test_the_mouse_plays(self):
        mouse = lambda: ActionSequence(self.browser, "pointer", "mouse", {"pointerType": "mouse"})
        x, y = self.script("const b = document.querySelector('#keys').getBoundingClientRect();"
                           "return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height * 0.95)]")
        self.plays(mouse().pointer_move(x, y).pointer_down(button=0).perform, mouse().pointer_up(button=0).perform,
                   lambda keys: len(keys) == 1)

    def test_parameters_and_zones_are_edited(self):
        self.one("#tab-edit").click()
        wait_for(lambda: self.script("return document.querySelector(\"[id='p-gain']\") !== null"), "the parameters")
        before = float(self.server.run("info", "Stage", "gain").stdout)
        self.one("[id='p-gain']").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        wait_for(lambda: float(self.server.run("info", "Stage", "gain").stdout) < before, "the gain is lower")
        self.one("#zone-list .zone summary").click()
        self.one("[aria-label='Velocity curve of zone 1']").send_keys("hard")
        self.one("[aria-label='Notes of zone 1']").send_keys("mono")
        wait_for(lambda: '"hard"' in (zones := self.server.run("info", "Stage", "zones").stdout) and '"mono"' in zones, "the zone")

    def test_every_view_draws_what_it_shows(self):
        for view, canvas in (("play", "#keys"), ("edit", "#zone-bars"), ("monitor", "#meters canvas")):
            self.one(f"#tab-{view}").click()
            wait_for(lambda: self.script(f"""
                const canvas = document.querySelector('{canvas}');
                if (!canvas || canvas.width === 0) return false;
                return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);"""), view)
            self.assertLessEqual(self.script("return document.scrollingElement.scrollWidth - innerWidth"), 0)

    def test_the_server_is_restarted(self):
        self.server.stop()
        wait_for(lambda: "Trying again" in self.one("#notice").text, "the page says that the server has stopped")
        self.server.start()
        self.wait_until_connected()
        self.assertFalse(self.one("#notice").is_displayed())


if __name__ == "__main__":
    unittest.main()
