"""A connection to a port."""

from __future__ import annotations

import math
from typing import Any

from . import _library
from ._cycles import Cycles
from ._ports import Port, find


def connect(
    port: str | Port, *, rate: int = 48000, channels: int = 2, input_channels: int = 0, maximum_frames: int = 4096,
    is_offline: bool = True, stall_limit: float = 10.0, node: str | None = None, host: str = "Python", wait: float = 5.0,
) -> Connection:  # fmt: skip
    """Connects to a port, and prepares it for rendering. If its node does not run but can be started, it is.

    Args:
        port: A name, such as "General MIDI", or one of :func:`ports`.
        rate: Frames per second: 8000 to 192 000.
        channels: Outputs: 1 to 64.
        input_channels: Inputs of an effect: 0 to 64.
        maximum_frames: The length of the longest cycle: 1 to 65 536. The audio does not depend on it.
        is_offline: Whether to wait for the node as long as it makes progress. Otherwise a cycle that takes longer than nine
            tenths of its duration is silence, and counted in :attr:`Connection.statistics`.
        stall_limit: Offline, the longest wait without progress, in seconds.
        node: The name of the node, if several have the port.
        host: How users of the node see this program.
        wait: The longest wait for a node to start, in seconds.

    Raises:
        HostError: If there is no such port, another host has it, or its node cannot be started or does not support the format.
        LibraryError: If the library is missing.
    """
    if isinstance(port, str):
        port = find(port, node)
    for name, value, least, most in (
        ("rate", rate, 8000, 192_000), ("channels", channels, 1, 64), ("input_channels", input_channels, 0, 64),
        ("maximum_frames", maximum_frames, 1, 65_536),
    ):  # fmt: skip
        if not least <= value <= most:
            raise ValueError(f"{name} must be {least} to {most}, but was {value}")
    if not (math.isfinite(stall_limit) and stall_limit > 0 and math.isfinite(wait) and wait >= 0):
        raise ValueError(f"stall_limit must be more than 0 s and wait 0 s or more, but were {stall_limit} and {wait}")
    initialization = _library.make(
        "initialization", sample_rate=rate, input_channels=input_channels, output_channels=channels, maximum_frames=maximum_frames,
        is_offline=is_offline, stall_limit=stall_limit,
    )  # fmt: skip
    return Connection(port, initialization, host, wait)


class Connection(Cycles):
    """A connection to a port of a node; :func:`connect` makes it.

    Any threads may use it: cycles and requests of several threads run one after another. It ends with :meth:`close`, at the
    end of a ``with`` block, when nothing refers to it any more, and when the node ends. It belongs to the process that made
    it, and cannot be pickled: a forked or other process connects by itself.

    A connection that is not offline is parked when no cycle is rendered for 2 s, or when the node is late too often: the node
    frees what it renders with, and :meth:`initialize` prepares it again.
    """

    def __init__(self, port: Port, initialization: Any, host: str, wait: float) -> None:
        super().__init__(port, initialization, host, wait)
        try:
            self.initialize()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connection({self.port.name!r} of {self.port.node!r}, {self.rate} Hz)"

    def __reduce__(self) -> Any:
        raise TypeError("a connection belongs to its process and cannot be pickled: connect again in the other process")

    def initialize(self) -> None:
        """Prepares the node for rendering, again after the connection was parked. Notes, scheduled messages and the values of
        parameters are lost."""
        with self._use(self._cycle, self._request), _library.Failure() as failure:
            self._library.portative_connection_uninitialize(self._handle)
            failure.check(self._library.portative_connection_initialize(self._handle, self._initialization, failure.handle), failed=-1)
            self._read_parameters()
