"""The plugins in a host that breaks LV2's rules: the C files of lv2host, which state what must happen."""

import json
import re
import xml.etree.ElementTree

from support import BUILD, INSTRUMENT, ROOT, TESTS, Tests

tests = Tests()

EFFECT = "urn:portative:effect:dely:Ptvo"


LATENT = "urn:portative:musicEffect:ltnt:Test"
LEVEL = "urn:portative:instrument:levl:Test"


def add(name, plugin=INSTRUMENT, limit=180):
    def test(workspace):
        workspace.add_portative()
        return play(workspace, name, plugin, limit)
    test.__name__ = f"the_plugin_survives_{name}"
    tests(limit)(test)


def play(workspace, name, plugin, limit=180):
    """Runs a test of the host, and returns what it has measured."""
    sources = sorted(TESTS.glob("lv2host/*.c"))
    host = workspace.compile("lv2host", sources[0], *sources[1:], "-O1", "-fsanitize=address,undefined",
                             "-fno-sanitize-recover", "-lm", "-lpthread")
    bundle, description = find(workspace, plugin)
    binary = re.search(r"lv2:binary\s+<(?:file://)?([^>]*)>", (bundle / "manifest.ttl").read_text())[1]
    # Swift's runtime keeps what it has allocated.
    output = workspace.run(
        host, bundle / binary, f"{bundle}/", plugin, description["inputChannels"], description["outputChannels"],
        len(description["parameters"]["parameters"]), name, timeout=limit, ASAN_OPTIONS="detect_leaks=0")
    # The plugin's log precedes what the host has measured.
    return output.splitlines()[-1] if output else None


def find(workspace, uri):
    """Returns the bundle of a plugin, and the plugin's description."""
    for path in workspace.plugins.glob("*/portative.json"):
        for plugin in json.loads(path.read_text())["plugins"]:
            if plugin["uri"] == uri:
                return path.parent, plugin
    raise AssertionError(f"no bundle has {uri}")


for name in (
    "zero_frames", "more_frames_than_promised", "events_beyond_the_cycle", "garbage_atoms", "a_full_output_buffer",
    "parameters_out_of_range", "unconnected_ports", "states_that_cannot_be_read", "truncated_states", "save_before_run",
    "cleanup_without_activate", "unusable_hosts", "twenty_instances", "cycles_of_one_frame",
):
    add(name)
add("one_memory_for_input_and_output", EFFECT)


def add_plugin(workspace, node):
    """Installs the plugin of a node of this folder."""
    workspace.add_node(node)
    workspace.portative("lv2", "install", "--folder", workspace.plugins)


@tests()
def the_latency_of_a_unit_is_reported_and_exact(workspace):
    add_plugin(workspace, "latent-node")
    play(workspace, "latency_of_the_unit", LATENT)


@tests()
def what_a_unit_sends_is_written_on_its_frame(workspace):
    add_plugin(workspace, "latent-node")
    play(workspace, "midi_output_of_the_unit", LATENT)


@tests()
def the_names_of_presets_and_drums_are_a_document(workspace):
    workspace.add_portative()
    text = play(workspace, "names_of_presets_and_drums", INSTRUMENT)
    document = xml.etree.ElementTree.fromstring(text)
    sets = {names.get("Name"): names for names in document.iter("ChannelNameSet")}
    patches = {kind: {patch.get("ProgramChange"): patch.get("Name") for patch in names.iter("Patch")} for kind, names in sets.items()}
    assert patches["Presets"]["0"] and len(patches["Presets"]) == 128, patches["Presets"]
    assert patches["Drums"]["0"], patches["Drums"]
    assigned = {channel.get("Channel"): channel.get("NameSet") for channel in document.iter("ChannelNameSetAssign")}
    assert len(assigned) == 16 and [number for number, name in assigned.items() if name == "Drums"] == ["10"], assigned
    notes = {note.get("Number"): note.get("Name") for note in document.iter("Note")}
    assert notes["35"] == "Bass Drum 2" and notes["38"] == "Snare 1", notes
    return f"{len(patches['Presets'])} presets, {len(patches['Drums'])} drum kits, {len(notes)} drums"


@tests()
def controls_move_evenly_through_the_cycles_in_which_they_change(workspace):
    add_plugin(workspace, "level-node")
    play(workspace, "controls_that_change", LEVEL)


@tests()
def a_message_sets_a_parameter_on_its_frame(workspace):
    add_plugin(workspace, "level-node")
    play(workspace, "parameters_that_messages_set", LEVEL)
