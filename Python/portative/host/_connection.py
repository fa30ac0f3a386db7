"""A connection to a port."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import math
import os
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _library
from ._events import EVENT, Transport
from ._ports import Port, component, find
from .._errors import ConnectionLost, HostError

_STATES = ("open", "initialized", "parked", "lost")
_UNITS = ("", "dB", "ms", "s", "beats", "Hz", "%", "cents", "semitones", "index", "toggle")
_REFUSALS = {
    1: ("fifoFull", "the FIFO is full: schedule the rest after the next cycle"),
    2: ("tooLong", "a System Exclusive message has at most 65520 bytes without F0 and F7"),
    3: ("malformed", "the bytes are not one complete MIDI message"),
    4: ("unknownParameter", "the unit has no such parameter"),
    5: ("outOfRange", "the value is out of the parameter's range"),
}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a unit: a value between ``minimum`` and ``maximum``.

    Attributes:
        identifier: As in "reverb.room"; the same in every version of the unit.
        name: For users.
        unit: "dB", "ms", "s", "beats", "Hz", "%", "cents", "semitones", "index", "toggle" or "".
        value_names: The names of the whole numbers from ``minimum`` on; empty for a number.
    """

    identifier: str
    name: str
    minimum: float
    maximum: float
    default: float
    unit: str
    value_names: tuple[str, ...]


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
    initialization = _library.Initialization(
        ctypes.sizeof(_library.Initialization), rate, input_channels, channels, maximum_frames, is_offline, 0, 0, 0, stall_limit
    )
    return Connection(port, initialization, host, wait)


class Connection:
    """A connection to a port of a node; :func:`connect` makes it.

    Any threads may use it: cycles and requests of several threads run one after another. It ends with :meth:`close`, at the
    end of a ``with`` block, when nothing refers to it any more, and when the node ends. It belongs to the process that made
    it, and cannot be pickled: a forked or other process connects by itself.

    A connection that is not offline is parked when no cycle is rendered for 2 s, or when the node is late too often: the node
    frees what it renders with, and :meth:`initialize` prepares it again.
    """

    def __init__(self, port: Port, initialization: _library.Initialization, host: str, wait: float) -> None:
        self._library = _library.library()
        self._process = os.getpid()
        self._initialization = initialization
        # The first is taken for what render threads call, the second for requests, both to free the connection.
        self._cycle, self._request = threading.RLock(), threading.RLock()
        self._closing = threading.Lock()
        self._pointers = (ctypes.c_void_p * initialization.output_channels)()
        self._inputs = (ctypes.c_void_p * max(1, initialization.input_channels))()
        made = component(port)
        owner = self._library.portative_host_create(host.encode(errors="surrogateescape"), None, None)
        try:
            with _library.Failure() as failure:
                self._handle = failure.check(self._library.portative_host_connect(owner, made, wait, failure.handle))
        finally:
            self._library.portative_host_free(owner)
        self._finalizer = weakref.finalize(self, _free, self._library, self._handle, self._process)
        # At the end of the process the system closes everything, and threads may still render.
        self._finalizer.atexit = False
        actual = self._library.portative_connection_port(self._handle).contents
        process = ctypes.c_int32()
        node = _library.text(self._library.portative_connection_node(self._handle, process))
        #: The port.
        self.port = dataclasses.replace(
            port, name=_library.text(actual.name), version=_library.text(actual.version), node=node,
            tags=_library.texts(actual.tags, actual.tag_count), process_id=process.value,
        )  # fmt: skip
        try:
            self.initialize()
        except BaseException:
            self.close()
            raise

    # ---- Life

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connection({self.port.name!r} of {self.port.node!r}, {self.rate} Hz)"

    def __reduce__(self) -> Any:
        raise TypeError("a connection belongs to its process and cannot be pickled: connect again in the other process")

    def close(self) -> None:
        """Releases the port. A thread that waits for a cycle gets :class:`portative.ConnectionLost`. May be called again."""
        if os.getpid() != self._process:
            return
        with self._closing:
            if not self._finalizer.alive:
                return
            # Ends the cycle that another thread waits for, which holds a lock.
            self._library.portative_connection_close(self._handle)
            with self._cycle, self._request:
                self._finalizer()

    def initialize(self) -> None:
        """Prepares the node for rendering, again after the connection was parked. Notes, scheduled messages and the values of
        parameters are lost."""
        with self._use(self._cycle, self._request), _library.Failure() as failure:
            self._library.portative_connection_uninitialize(self._handle)
            failure.check(self._library.portative_connection_initialize(self._handle, self._initialization, failure.handle), failed=-1)
            self._parameters = self._read_parameters()
            self._index = {identifier: index for index, identifier in enumerate(self._parameters)}

    @contextlib.contextmanager
    def _use(self, *locks: threading.RLock) -> Iterator[None]:  # type: ignore[valid-type]
        # Before the locks: another thread may have held them during the fork.
        if os.getpid() != self._process:
            raise HostError("forked", "a connection belongs to the process that made it: connect again in this one")
        with contextlib.ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            if not self._finalizer.alive:
                raise ConnectionLost("connectionLost", "the connection was closed")
            yield

    # ---- Properties

    @property
    def rate(self) -> int:
        """Frames per second."""
        return self._initialization.sample_rate

    @property
    def maximum_frames(self) -> int:
        """The length of the longest cycle."""
        return self._initialization.maximum_frames

    @property
    def state(self) -> str:
        """The state: "open", "initialized", "parked" or "lost"."""
        try:
            with self._use(self._request):
                status = _library.Status(ctypes.sizeof(_library.Status))
                self._library.portative_connection_get_status(self._handle, status)
                return _STATES[status.state]
        except ConnectionLost:
            return "lost"

    @property
    def latency(self) -> int:
        """The number of frames from a message or from input to the output."""
        with self._use(self._request):
            return self._library.portative_connection_latency(self._handle)

    @property
    def tail(self) -> int | None:
        """The number of frames for which the unit may sound after its input ends; None if it is unknown."""
        with self._use(self._request):
            tail = self._library.portative_connection_tail(self._handle)
        return None if tail < 0 else tail

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since the connection was initialized: ``cycles``, ``late_cycles``, ``late_notes``, ``invalid_samples`` and
        others of ``portative_statistics`` in ``portative/host.h``; ``longest_round_trip`` in nanoseconds."""
        with self._use(self._cycle):
            read = _library.Statistics(ctypes.sizeof(_library.Statistics))
            self._library.portative_connection_get_statistics(self._handle, read)
        return {name: getattr(read, name) for name, *_ in read._fields_ if name not in ("size", "reserved")}

    # ---- Cycles

    def schedule(self, message: bytes | Sequence[int] | Any, offset: int = 0) -> None:
        """Schedules a MIDI message.

        Args:
            message: The bytes of one complete message, or an object with ``bytes()``, such as one of mido.
            offset: The frame at which it acts, from the first frame of the next call of :meth:`render`. A message beyond the
                next cycle is held until its cycle.

        Raises:
            HostError: With the code "fifoFull" if no more messages fit before the next cycle; "malformed" if the bytes are
                not a message.
        """
        data = bytes(message.bytes()) if hasattr(message, "bytes") else bytes(message)
        with self._use(self._cycle):
            self._accept(self._library.portative_connection_schedule(self._handle, offset, data, len(data)))

    def schedule_parameter(self, identifier: str, value: float, *, offset: int = 0, ramp: int = 0) -> None:
        """Schedules a change of a parameter.

        Args:
            identifier: One of :attr:`parameters`.
            value: In its range.
            offset: As in :meth:`schedule`.
            ramp: The number of frames of a linear ramp from the present value; 0 for an immediate change.
        """
        if identifier not in self._index:
            raise HostError("badParameter", f"the unit has no parameter {identifier!r}, but {', '.join(self._index) or 'none'}")
        with self._use(self._cycle):
            index = self._index[identifier]
            status = self._library.portative_connection_schedule_parameter(self._handle, offset, index, value, ramp)
            if status == 5:
                parameter = self._parameters[identifier]
                raise HostError(
                    "outOfRange", f"{identifier} must be {parameter.minimum:g} to {parameter.maximum:g}, but was {value:g}"
                )
            self._accept(status)

    def set_transport(self, transport: Transport, offset: int = 0) -> None:
        """Sets the transport of the next cycle from a frame on. A cycle without a call has none."""
        structure = transport._structure()
        with self._use(self._cycle):
            self._accept(self._library.portative_connection_set_transport(self._handle, offset, structure))

    def render(self, frames: int | None = None, *, input: np.ndarray | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """Renders the next frames, in as many cycles as they need. The interpreter's lock is released meanwhile.

        Args:
            frames: The number of frames; None for the length of ``out`` or of ``input``, or :attr:`maximum_frames`.
            input: float32 of the shape (input channels, frames).
            out: Receives the audio: float32, C-contiguous, of the shape (channels, frames).

        Returns:
            float32 of the shape (channels, frames), full scale ±1. A late cycle of a connection that is not offline is
            silence.

        Raises:
            ConnectionLost: If the node ends, or another thread closes the connection.
            HostError: With the code "parked" if the connection was parked, "stalled" if the node made no progress.
            ValueError: If an array has another type, shape or order.
        """
        channels, inputs = self._initialization.output_channels, self._initialization.input_channels
        if frames is None:
            given = out if out is not None else input
            frames = self.maximum_frames if given is None else np.shape(given)[-1] if np.ndim(given) else 0
        out = _output(out, channels, frames)
        if input is not None:
            _check(input, "input", inputs, frames)
            input = np.ascontiguousarray(input)
        begin = 0
        while begin < frames:
            count = min(self.maximum_frames, frames - begin)
            with self._use(self._cycle):
                self._render(out, input, begin, count)
            begin += count
        return out

    def play(self, events: np.ndarray, frames: int, *, out: np.ndarray | None = None) -> np.ndarray:
        """Plays messages, any number of them, and renders the next frames.

        Args:
            events: A structured array with the type :data:`EVENT`. ``frame`` counts from the first frame that is rendered;
                messages of the same frame act in their order.
            frames: The number of frames. Later messages are not played.
            out: As in :meth:`render`.

        Returns:
            float32 of the shape (channels, frames).
        """
        if not isinstance(events, np.ndarray) or events.dtype.names != EVENT.names or events.ndim != 1:
            raise ValueError(f"events must be an array of one dimension with the type portative.host.EVENT, but was {events!r:.80}")
        if len(events) and events["frame"].min() < 0:
            raise ValueError(f"the frames of events must be 0 or more, but one was {events['frame'].min()}")
        out = _output(out, self._initialization.output_channels, frames)
        events = events[np.argsort(events["frame"], kind="stable")]
        events = events[: np.searchsorted(events["frame"], frames)]
        begin = next = 0
        with self._use(self._cycle):
            while begin < frames:
                end = min(begin + self.maximum_frames, frames)
                while next < len(events) and events["frame"][next] < end:
                    if not self._schedule(events[next], begin):
                        # What does not fit follows in a cycle of its own.
                        end = int(events["frame"][next])
                        break
                    next += 1
                if end == begin:
                    raise HostError("fifoFull", f"more messages act at frame {begin} than the FIFO holds")
                self._render(out, None, begin, end - begin)
                begin = end
        return out

    def _schedule(self, event: np.void, begin: int) -> bool:
        """Schedules one of :data:`EVENT`. Returns False if it does not fit."""
        # Programs and channel pressure have one byte of data.
        size = 2 if 0xC0 <= event["status"] < 0xE0 else 3
        data = bytes([event["status"], event["data1"], event["data2"]])[:size]
        status = self._library.portative_connection_schedule(self._handle, int(event["frame"]) - begin, data, size)
        if status != 1:
            self._accept(status)
        return status != 1

    def _render(self, out: np.ndarray, input: np.ndarray | None, begin: int, count: int) -> None:
        _point(self._pointers, out, begin)
        inputs = self._initialization.input_channels if input is not None else 0
        if input is not None:
            _point(self._inputs, input, begin)
        status = self._library.portative_connection_render(
            self._handle, count, 0, self._inputs if inputs else None, inputs, self._pointers
        )
        if status == 0 or (status == 1 and not self._initialization.is_offline):
            return
        if status == 1:
            raise HostError("stalled", f"the node made no progress for {self._initialization.stall_limit:g} s")
        self._refuse()

    def received(self) -> list[tuple[int, bytes]]:
        """The messages that the node sent in the last cycle, as (offset, bytes): what keyboards played into the port."""
        event = _library.Event()
        listed = []
        with self._use(self._cycle):
            for index in range(self._library.portative_connection_received_count(self._handle)):
                self._library.portative_connection_get_received(self._handle, index, event)
                if event.system_exclusive:
                    data = b"\xf0" + ctypes.string_at(event.system_exclusive, event.system_exclusive_count) + b"\xf7"
                else:
                    data = bytes(event.message)
                    data = data[: 2 if 0xC0 <= data[0] < 0xE0 else 3 if data[0] < 0xF0 else _SYSTEM_LENGTHS.get(data[0], 1)]
                listed.append((event.offset, data))
        return listed

    def _accept(self, status: int) -> None:
        if status == 6:
            self._refuse()
        if status:
            raise HostError(*_REFUSALS.get(status, ("refused", f"the message was refused with the status {status}")))

    def _refuse(self) -> None:
        status = _library.Status(ctypes.sizeof(_library.Status))
        self._library.portative_connection_get_status(self._handle, status)
        text = _library.owned_text(self._library.portative_connection_status_text(self._handle))
        if _STATES[status.state] == "lost":
            raise ConnectionLost("connectionLost", text)
        raise HostError("parked", f"{text}: call initialize() to render again")

    # ---- Requests

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by their identifiers."""
        return dict(self._parameters)

    def _read_parameters(self) -> dict[str, Parameter]:
        listed = {}
        handle = self._library.portative_connection_parameters(self._handle)
        for index in range(self._library.portative_parameters_count(handle) if handle else 0):
            read = self._library.portative_parameters_get(handle, index).contents
            identifier = _library.text(read.identifier)
            listed[identifier] = Parameter(
                identifier, _library.text(read.name), read.minimum, read.maximum, read.default_value,
                _UNITS[read.unit] if read.unit < len(_UNITS) else "", _library.texts(read.value_names, read.value_name_count),
            )  # fmt: skip
        return listed

    def values(self) -> dict[str, float]:
        """The values of the parameters at the end of the last cycle."""
        with self._use(self._request), _library.Failure() as failure:
            array = (ctypes.c_float * len(self._parameters))()
            failure.check(self._library.portative_connection_get_values(self._handle, array, len(array), failure.handle), failed=-1)
            return dict(zip(self._parameters, array))

    def set(self, values: Mapping[str, float]) -> None:
        """Sets parameters from the next cycle on: all, or none if one is unknown or out of its range."""
        array = (_library.Value * len(values))()
        for entry, (identifier, value) in zip(array, values.items()):
            entry.identifier, entry.value = identifier.encode(), value
        with self._use(self._request), _library.Failure() as failure:
            failure.check(self._library.portative_connection_set_parameters(self._handle, array, len(array), failure.handle), failed=-1)

    def presets(self) -> list[str]:
        """The names of the unit's presets."""
        with self._use(self._request), _library.Failure() as failure:
            handle = failure.check(self._library.portative_connection_presets(self._handle, failure.handle))
            try:
                count = self._library.portative_presets_count(handle)
                return [_library.text(self._library.portative_presets_get(handle, i).contents.name) for i in range(count)]
            finally:
                self._library.portative_presets_free(handle)

    def use_preset(self, preset: int | str) -> None:
        """Sets the parameters of a preset from the next cycle on: by its index in :meth:`presets`, or by its name."""
        if isinstance(preset, str):
            names = self.presets()
            if preset not in names:
                raise HostError("noSuchPreset", f"the unit has no preset {preset!r}")
            preset = names.index(preset)
        with self._use(self._request), _library.Failure() as failure:
            failure.check(self._library.portative_connection_use_preset(self._handle, preset, failure.handle), failed=-1)

    def set_file(self, identifier: str, path: str | os.PathLike[str]) -> None:
        """Replaces a file that the unit plays, such as "soundfont", from the next cycle on."""
        with self._use(self._request), _library.Failure() as failure:
            name = os.fsencode(os.path.abspath(path))
            failure.check(self._library.portative_connection_set_file(self._handle, identifier.encode(), name, None, failure.handle), failed=-1)

    def save_state(self) -> str:
        """The unit's parameters, channels and files, as JSON."""
        with self._use(self._request), _library.Failure() as failure:
            return _library.owned_text(failure.check(self._library.portative_connection_save_state(self._handle, failure.handle)))

    def restore_state(self, state: str) -> None:
        """Restores what :meth:`save_state` returned, from the next cycle on."""
        with self._use(self._request), _library.Failure() as failure:
            data = state.encode(errors="surrogateescape")
            failure.check(self._library.portative_connection_restore_state(self._handle, data, failure.handle), failed=-1)


# System messages with data bytes.
_SYSTEM_LENGTHS = {0xF1: 2, 0xF2: 3, 0xF3: 2}


def _free(library: ctypes.CDLL, handle: int, process: int) -> None:
    # In a forked process, this would end the connection of the process that made it.
    if os.getpid() == process:
        library.portative_connection_free(handle)


def _point(pointers: Any, array: np.ndarray, frame: int) -> None:
    address = array.ctypes.data + 4 * frame
    for channel in range(array.shape[0]):
        pointers[channel] = address + channel * array.strides[0]


def _output(out: np.ndarray | None, channels: int, frames: int) -> np.ndarray:
    if frames < 0:
        raise ValueError(f"frames must be 0 or more, but was {frames}")
    if out is None:
        return np.empty((channels, frames), np.float32)
    _check(out, "out", channels, frames)
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writeable: pass numpy.ascontiguousarray(out), or another array")
    return out


def _check(array: np.ndarray, name: str, channels: int, frames: int) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.float32:
        raise ValueError(f"{name} must be an array of float32, but was {getattr(array, 'dtype', type(array).__name__)}")
    if array.shape != (channels, frames):
        raise ValueError(f"{name} must have the shape ({channels}, {frames}), but has {array.shape}")
