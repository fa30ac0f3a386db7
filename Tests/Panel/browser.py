"""A headless Chromium that is used as a user would."""

import os
import pathlib

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from server import wait_for

# Notes when a key of the page was sent, so that a test can measure the time until the server has it.
HOOK = """
  window.sockets = [];
  window.frames60 = [];
  const Original = WebSocket;
  window.WebSocket = class extends Original {
    constructor(...values) { super(...values); window.sockets.push(this); }
  };
  addEventListener("load", () => {
    const frame = (time) => { window.frames60.push(time); if (window.frames60.length > 600) window.frames60.shift(); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  });
"""

# The modules of the page whose exports tests use.
MODULES = ("page", "server", "zones", "parameters", "keyboard", "monitor", "takes", "play", "sound", "now", "stage", "recordings",
           "song", "undo", "audition")


class Browser:
    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", f"--user-data-dir={folder}/profile"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.add_experimental_option("prefs", {
            "download.default_directory": f"{folder}/downloads", "download.prompt_for_download": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.downloads = pathlib.Path(folder) / "downloads"
        self.driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=HOOK)
        self.resize(1280, 900)

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def resize(self, width, height, dark=True, mobile=False, still=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=mobile)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def script(self, text, *values):
        return self.driver.execute_script(text, *values)

    def page(self, text, *values):
        """Runs a script for which the exports of the page's modules are variables."""
        modules = ", ".join(f"import('/{name}.js')" for name in MODULES)
        scopes = " ".join(f"with (modules[{index}])" for index in range(len(MODULES)))
        return self.script(f"return Promise.all([{modules}]).then((modules) => {{"
                           f"{scopes} return (function () {{ {text} }}).apply(null, arguments); }})", *values)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def open(self, link):
        self.driver.get("about:blank")
        self.driver.get(link)
        self.wait_until_connected()

    def wait_until_connected(self):
        wait_for(lambda: self.script("return document.querySelector('#connection')?.className.includes('good') "
                                     "&& document.querySelectorAll('#preset-list li').length > 0"),
                 "the page is connected")

    def click(self, selector):
        """Scrolls to an element, away from the bar and the keyboard, and clicks it."""
        def is_clicked():
            try:
                element = self.one(selector)
                self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
                element.click()
            except StaleElementReferenceException:
                return False  # The page has replaced the element meanwhile.
            return True

        wait_for(is_clicked, f"{selector} can be clicked")

    def view(self, name):
        self.one(f"#tab-{name}").click()

    def keys(self, *steps):
        """Presses ("+a") and releases ("-a") computer keys."""
        actions = ActionChains(self.driver)
        for step in steps:
            (actions.key_down if step[0] == "+" else actions.key_up)(step[1:])
        actions.perform()

    def touch(self, kind, *points):
        """Sends the touches of several fingers, as a touch screen does."""
        self.command("Input.dispatchTouchEvent", type=kind,
                     touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def drag(self, selector, begin, end):
        """Drags the mouse from one place of an element to another, as fractions of its size."""
        box = self.script("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'}); "
                          "const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]", selector)
        x, y = ([box[0] + part[0] * box[2] for part in (begin, end)],
                [box[1] + part[1] * box[3] for part in (begin, end)])
        for kind, index, buttons in (("mouseMoved", 0, 0), ("mousePressed", 0, 1), ("mouseMoved", 1, 1), ("mouseReleased", 1, 0)):
            self.command("Input.dispatchMouseEvent", type=kind, x=x[index], y=y[index],
                         button="none" if kind == "mouseMoved" else "left", buttons=buttons, clickCount=1)

    def errors(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def close(self):
        self.driver.quit()
