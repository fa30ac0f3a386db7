"""A host of the instrument's LV2 plugin: that of Tests/Hosts."""

import json
import re
import subprocess
import sys

from record import ROOT

INSTRUMENT = "urn:portative:instrument:gmsy:Ptvo"


class PluginHost:
    """Installs the bundles of the running node's plugins for a user, and compiles the host."""

    def __init__(self, user):
        self.user = user
        bundles = user.root / "lv2"
        user.output("serve", "--quiet", "--midi", "none", "--install")
        user.output("lv2", "install", "--folder", str(bundles))
        for path in bundles.glob("*/portative.json"):
            for plugin in json.loads(path.read_text())["plugins"]:
                if plugin["uri"] == INSTRUMENT:
                    self.bundle, self.plugin = path.parent, plugin
                    break
        if not hasattr(self, "plugin"):
            sys.exit(f"no bundle in {bundles} has {INSTRUMENT}")
        self.binary = re.search(
            r"lv2:binary\s+<(?:file://)?([^>]*)>", (self.bundle / "manifest.ttl").read_text())[1]
        self.program = user.root / "lv2host"
        sources = sorted((ROOT / "Tests/Hosts/lv2host").glob("*.c"))
        subprocess.run(
            ["gcc", "-std=gnu11", "-O1", "-o", self.program, *sources, "-lm", "-lpthread"], check=True)

    def play(self):
        """Starts the host, and waits until its instrument sounds."""
        parameters = len(self.plugin["parameters"]["parameters"])
        process = subprocess.Popen(
            [self.program, self.bundle / self.binary, f"{self.bundle}/", INSTRUMENT,
             str(self.plugin["inputChannels"]), str(self.plugin["outputChannels"]), str(parameters), "play_on"],
            env=self.user.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)  # fmt: skip
        if process.stdout.readline() != b"it sounds\n":
            sys.exit(f"the plugin's host ended with {process.wait()}")
        return process
