"""The bundles that `portative lv2 install` writes."""

import json
import pathlib

from ardour import Ardour
from support import SYSTEM_PLUGINS, Tests

tests = Tests()


@tests()
def the_bundles_are_valid_by_all_schemas(workspace):
    workspace.add_portative()
    folders = [folder for path in SYSTEM_PLUGINS.split(":") for folder in pathlib.Path(path).glob("*")]
    schemas = [path for folder in folders if is_schema(folder) for path in folder.glob("*.ttl")]
    assert len(schemas) > 20, f"only {len(schemas)} schemas are installed"
    bundles = list(workspace.plugins.glob("*/*.ttl"))
    output = workspace.run("sord_validate", *schemas, *bundles)
    assert "error:" not in output, output
    return f"{len(bundles)} files"


def is_schema(bundle):
    text = "".join(path.read_text() for path in bundle.glob("*.ttl"))
    return bundle.name == "schemas.lv2" or "lv2:Specification" in text or "owl:Ontology" in text


@tests()
def lilv_loads_each_plugin(workspace):
    workspace.add_portative()
    plugins = described_plugins(workspace)
    listed = set(workspace.run("lv2ls").split())
    for uri, channels in plugins.items():
        assert uri in listed, f"lilv does not list {uri}"
        output = workspace.run("lv2info", uri)
        assert "error" not in output.lower(), output
        assert output.count("#AudioPort") == channels, f"{uri} does not have {channels} audio ports:\n{output}"
    return f"{len(plugins)} plugins"


@tests()
def Ardour_lists_each_plugin(workspace):
    workspace.add_portative()
    names = Ardour(workspace).list(list(described_plugins(workspace)))
    assert "Portative: General MIDI" in names, names


def described_plugins(workspace):
    """Returns the URI of each plugin in the bundles' descriptions, with its number of audio channels."""
    plugins = {}
    for path in workspace.plugins.glob("*/portative.json"):
        for plugin in json.loads(path.read_text())["plugins"]:
            plugins[plugin["uri"]] = plugin["inputChannels"] + plugin["outputChannels"]
    assert len(plugins) >= 6, f"the bundles describe only {len(plugins)} plugins"
    return plugins
