"""The cycles of a connection: messages in, audio out."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _library
from ._arrays import check, output_array, set_pointers
from ._events import EVENT, Transport
from ._parameters import Parameters
from ._ports import Port
from .._errors import HostError


def _length(status: int) -> int:
    """The length of a message that is not System Exclusive."""
    if status >= 0xF0:
        return {0xF1: 2, 0xF2: 3, 0xF3: 2}.get(status, 1)
    # Programs and channel pressure have one byte of data.
    return 2 if 0xC0 <= status < 0xE0 else 3


class Cycles(Parameters):
    """Schedules messages and renders."""

    def __init__(self, port: Port, initialization: Any, host: str, wait: float) -> None:
        super().__init__(port, initialization, host, wait)
        self._pointers = (ctypes.c_void_p * initialization.output_channels)()
        self._inputs = (ctypes.c_void_p * max(1, initialization.input_channels))()

    @property
    def rate(self) -> int:
        """Frames per second."""
        return int(self._initialization.sample_rate)

    @property
    def maximum_frames(self) -> int:
        """The length of the longest cycle."""
        return int(self._initialization.maximum_frames)

    @property
    def latency(self) -> int:
        """The number of frames from a message or from input to the output."""
        with self._use(self._request):
            return int(self._library.portative_connection_latency(self._handle))

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
            read = _library.make("statistics")
            self._library.portative_connection_get_statistics(self._handle, read)
        return {name: getattr(read, name) for name, *_ in read._fields_ if name not in ("size", "reserved")}

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
        # An object with `bytes()`, as of mido.
        own: Any = getattr(message, "bytes", None)
        data = bytes(message) if own is None else bytes(own())
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
            if _library.word("schedule_status", status) == "outOfRange":
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
            frames = self.maximum_frames if given is None else int(np.shape(given)[-1]) if np.ndim(given) else 0
        total: int = frames
        out = output_array(out, channels, total)
        if input is not None:
            check(input, "input", inputs, total)
            input = np.ascontiguousarray(input)
        begin = 0
        while begin < total:
            count = min(self.maximum_frames, total - begin)
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
        out = output_array(out, self._initialization.output_channels, frames)
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
        data = bytes([event["status"], event["data1"], event["data2"]])[: _length(event["status"])]
        status = self._library.portative_connection_schedule(self._handle, int(event["frame"]) - begin, data, len(data))
        if _library.word("schedule_status", status) == "full":
            return False
        self._accept(status)
        return True

    def _render(self, out: np.ndarray, input: np.ndarray | None, begin: int, count: int) -> None:
        set_pointers(self._pointers, out, begin)
        inputs = self._initialization.input_channels if input is not None else 0
        if input is not None:
            set_pointers(self._inputs, input, begin)
        status = self._library.portative_connection_render(
            self._handle, count, 0, self._inputs if inputs else None, inputs, self._pointers
        )
        status = _library.word("render_status", status)
        if status == "rendered" or (status == "late" and not self._initialization.is_offline):
            return
        if status == "late":
            raise HostError("stalled", f"the node made no progress for {self._initialization.stall_limit:g} s")
        self._refuse()

    def received(self) -> list[tuple[int, bytes]]:
        """The messages that the node sent in the last cycle, as (offset, bytes): what keyboards played into the port."""
        event = _library.make("event")
        listed = []
        with self._use(self._cycle):
            for index in range(self._library.portative_connection_received_count(self._handle)):
                self._library.portative_connection_get_received(self._handle, index, event)
                if event.system_exclusive:
                    data = b"\xf0" + ctypes.string_at(event.system_exclusive, event.system_exclusive_count) + b"\xf7"
                else:
                    data = bytes(event.message)
                    data = data[: _length(data[0])]
                listed.append((event.offset, data))
        return listed
