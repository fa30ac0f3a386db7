"""The CLAP plugins, in the host that checks CLAP plugins: claphost."""

import array
import json

import audio
import midi
from clap_tests import compile_host
from support import BUILD, OTHER_SOUNDFONT, Tests

tests = Tests()

INSTRUMENT = "urn:portative:instrument:gmsy:Ptvo"
LEVEL = "urn:portative:instrument:levl:Test"


class Host:
    def __init__(self, workspace, node=None):
        self.workspace = workspace
        workspace.add_portative()
        if node:
            workspace.add_node(node)
            workspace.portative("lv2", "install", "--folder", workspace.plugins)
        self.program = compile_host(workspace)
        self.library = workspace.folder / "portative.clap"
        self.library.symlink_to(BUILD / "libportative-clap.so")

    def run(self, *arguments, status=0):
        return self.workspace.run(self.program, self.library, *arguments, status=status, timeout=400)

    def list(self):
        return json.loads(self.run("list"))

    def render(self, plugin, seconds, events, *options, block=512):
        """Renders events without a deadline; returns the channels and what the host has measured."""
        output, lines = self.workspace.folder / "output.f32", self.workspace.folder / "events"
        lines.write_text("\n".join(events) + "\n")
        result = json.loads(self.run(
            "render", seconds, output, "--plugin", plugin, "--offline", "--rate", midi.RATE, "--block", block,
            "--events", lines, *options).splitlines()[-1])
        samples = array.array("f", output.read_bytes())
        return [samples[channel::result["channels"]] for channel in range(result["channels"])]


@tests(limit=500)
def every_check_passes_with_the_CLAP_instrument(workspace):
    return Host(workspace).run("--plugin", INSTRUMENT).splitlines()[-1]


@tests(limit=300)
def a_song_in_a_CLAP_host_has_the_bits_of_render(workspace):
    host, events = Host(workspace), midi.dense_song()
    frames = events[-1][0] + midi.RATE
    expected = audio.read(workspace.render(events, frames))
    lines = [f"event {frame} {message.hex(' ')}" for frame, message in events]
    for block in 64, 1000, 8192:
        channels = host.render(INSTRUMENT, frames / midi.RATE, lines, block=block)
        audio.expect_equal([channel[:frames] for channel in channels], expected, f"cycles of {block} frames")
    return f"{len(events)} messages, {frames / midi.RATE:.1f} s"


@tests()
def a_value_in_a_CLAP_host_acts_on_its_frame(workspace):
    host = Host(workspace, "level-node")
    level = next(plugin for plugin in host.list() if plugin["id"] == LEVEL)["params"][0]["id"]
    changes = [(0, 0.25), (1, 0.5), (777, 0.125), (4096, 1.0), (4097, 0.0), (9999, 0.75)]
    lines = [f"param {frame} {level} {value}" for frame, value in changes]
    for block in 1, 100, 8192:
        left, right = host.render(LEVEL, 0.25, lines, block=block)
        assert left == right
        for frame, sample in enumerate(left):
            expected = [value for start, value in changes if start <= frame][-1]
            assert sample == expected, f"frame {frame} is {sample} instead of {expected} in cycles of {block}"


@tests()
def a_CLAP_state_keeps_SoundFont_values_and_programs(workspace):
    host = Host(workspace)
    state = workspace.folder / "state"
    notes = ["event 1000 90 3c 64", "event 20000 80 3c 40"]
    parameters = {parameter["name"]: parameter["id"] for plugin in host.list() if plugin["id"] == INSTRUMENT
                  for parameter in plugin["params"]}
    settings = ["event 0 c0 30", f"param 0 {parameters['Gain']} -6", f"param 0 {parameters['Reverb']} 0"]
    first = host.render(INSTRUMENT, 1, settings + notes, "--save", state)
    workspace.end_nodes()
    audio.expect_equal(host.render(INSTRUMENT, 1, notes, "--load", state), first, "the restored state")
    other = host.render(INSTRUMENT, 1, notes, "--preset", f"0 {OTHER_SOUNDFONT} 0:48", "--save", state)
    assert audio.first_difference(other, first) is not None, "the SoundFont of the configuration is played"
    audio.expect_equal(host.render(INSTRUMENT, 1, notes, "--load", state), other, "the restored SoundFont")


@tests()
def the_list_of_CLAP_plugins_follows_the_installed_ports(workspace):
    host = Host(workspace)
    before = {plugin["id"] for plugin in host.list()}
    workspace.add_node("level-node")
    workspace.portative("lv2", "install", "--folder", workspace.plugins)
    assert {plugin["id"] for plugin in host.list()} == before | {LEVEL}
    workspace.portative("lv2", "remove", "--folder", workspace.plugins, "level-node")
    assert {plugin["id"] for plugin in host.list()} == before

