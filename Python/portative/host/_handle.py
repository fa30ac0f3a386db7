"""The connection of the C library, which one object owns."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from . import _library
from ._ports import Port, component
from .._errors import ConnectionLost, HostError

_REFUSALS = {
    "full": "the FIFO is full: schedule the rest after the next cycle",
    "tooLong": "a System Exclusive message has at most 65520 bytes without F0 and F7",
    "malformed": "the bytes are not one complete MIDI message",
    "unknownParameter": "the unit has no such parameter",
    "outOfRange": "the value is out of the parameter's range",
}


class Handle:
    """Opens a connection, closes it once, and keeps other threads and forked processes from using it then."""

    def __init__(self, port: Port, initialization: Any, host: str, wait: float) -> None:
        self._library = _library.library()
        self._process = os.getpid()
        self._initialization = initialization
        # The first is taken for what render threads call, the second for requests, both to free the connection.
        self._cycle, self._request = threading.RLock(), threading.RLock()
        self._closing = threading.Lock()
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

    @contextlib.contextmanager
    def _use(self, *locks: contextlib.AbstractContextManager[Any]) -> Iterator[None]:
        # Before the locks: another thread may have held them during the fork.
        if os.getpid() != self._process:
            raise HostError("forked", "a connection belongs to the process that made it: connect again in this one")
        with contextlib.ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            if not self._finalizer.alive:
                raise ConnectionLost("connectionLost", "the connection was closed")
            yield

    @property
    def state(self) -> str:
        """The state: "open", "initialized", "parked" or "lost"."""
        try:
            with self._use(self._request):
                return self._read_state()
        except ConnectionLost:
            return "lost"

    def _read_state(self) -> str:
        status = _library.make("connection_status")
        self._library.portative_connection_get_status(self._handle, status)
        return _library.word("connection_state", status.state)

    def _accept(self, status: int) -> None:
        reason = _library.word("schedule_status", status)
        if reason == "notRunning":
            self._refuse()
        if reason in _REFUSALS:
            raise HostError("fifoFull" if reason == "full" else reason, _REFUSALS[reason])
        if reason != "accepted":
            raise HostError("refused", f"the message was refused with the status {status}")

    def _refuse(self) -> None:
        state = self._read_state()
        text = _library.owned_text(self._library.portative_connection_status_text(self._handle))
        if state == "lost":
            raise ConnectionLost("connectionLost", text)
        raise HostError("parked", f"{text}: call initialize() to render again")


def _free(library: ctypes.CDLL, handle: int, process: int) -> None:
    # In a forked process, this would end the connection of the process that made it.
    if os.getpid() == process:
        library.portative_connection_free(handle)
