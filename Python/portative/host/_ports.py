"""Ports that a program can connect to."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Any

from . import _library
from .._errors import HostError

_TYPES = _library.HEADER.words("portative_port_type")
_ANY_TYPE = _TYPES.pop("anyType")


@dataclasses.dataclass(frozen=True)
class Port:
    """A port of a node.

    Attributes:
        name: As in "Portative: General MIDI".
        node: The name of the node that offers it.
        type: "instrument", "effect", "musicEffect" or "generator".
        subtype: Four characters, such as "gmsy".
        manufacturer: Four characters, such as "Ptvo".
        version: As in "1.0.0".
        tags: Search terms.
        inputs: The least and the greatest number of input channels; None if they depend on other ports.
        outputs: The same for output channels.
        process_id: The process that publishes the port; None while no process does, and connecting starts it.
    """

    name: str
    node: str
    type: str
    subtype: str
    manufacturer: str
    version: str = ""
    tags: tuple[str, ...] = ()
    process_id: int | None = None
    inputs: tuple[int, int] | None = None
    outputs: tuple[int, int] | None = None


def ports(name: str | None = None, *, type: str | None = None, node: str | None = None) -> list[Port]:
    """Lists the ports of nodes that run or can be started, sorted by maker and name.

    Args:
        name: Only ports with this name: "Maker: Name", or the part after the colon.
        type: Only "instrument", "effect", "musicEffect" or "generator".
        node: Only ports of the node with this name.

    Raises:
        LibraryError: If the library is missing.
    """
    if type is not None and type not in _TYPES:
        raise ValueError(f"type must be one of {', '.join(_TYPES)}, but was {type!r}")
    query = _library.make("query", type=_TYPES[type] if type else _ANY_TYPE)
    query.name = None if name is None else name.encode(errors="surrogateescape")
    library = _library.library()
    components = library.portative_components_create(query, 0)
    try:
        found = [_port(library.portative_components_get(components, i).contents) for i in range(library.portative_components_count(components))]
    finally:
        library.portative_components_free(components)
    return [port for port in found if node is None or port.node == node]


def _port(component: Any) -> Port:
    port = component.port.contents
    return Port(
        _library.text(port.name), _library.text(component.node), _library.word("port_type", port.type), _library.text(port.subtype),
        _library.text(port.manufacturer), _library.text(port.version), _library.texts(port.tags, port.tag_count),
        component.process_id or None,
        (port.minimum_inputs, port.maximum_inputs) if port.maximum_outputs else None,
        (port.minimum_outputs, port.maximum_outputs) if port.maximum_outputs else None,
    )  # fmt: skip


def find(name: str, node: str | None) -> Port:
    """Returns the port with a name: of the nodes that run, if there are any.

    Raises:
        HostError: With the code "noSuchPort", if there is none or if there are several.
    """
    found = ports(name, node=node)
    found = [port for port in found if port.process_id is not None] or found
    if len(found) == 1:
        return found[0]
    where = "" if node is None else f" of the node {node!r}"
    if not found:
        raise HostError("noSuchPort", f"there is no port {name!r}{where}: start a node, for instance with 'portative serve'")
    names = ", ".join(f"{port.name!r} of {port.node!r}" for port in found)
    raise HostError("noSuchPort", f"{name!r}{where} is the name of several ports: {names}. Pass one of portative.host.ports()")


def component(port: Port) -> Any:
    described = _library.make("port", type=_TYPES[port.type])
    described.subtype, described.manufacturer = port.subtype.encode(), port.manufacturer.encode()
    made = _library.make("component")
    made.port, made.node = ctypes.pointer(described), port.node.encode(errors="surrogateescape")
    return made
