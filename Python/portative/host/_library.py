"""The C library portative, through ctypes: portative/host.h describes its functions."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32
from ctypes import c_uint64, c_void_p
from typing import Any

from .. import _library
from .._errors import ConnectionLost, HostError

_NAME = "libportative.so.0"


class Port(Structure):
    _fields_ = [
        ("size", c_uint32), ("type", c_int), ("subtype", c_char_p), ("manufacturer", c_char_p), ("name", c_char_p),
        ("version", c_char_p), ("icon", c_char_p), ("tags", POINTER(c_char_p)), ("tag_count", c_uint32),
        ("node_count", c_uint32), ("nodes", POINTER(c_char_p)),
    ]  # fmt: skip


class Component(Structure):
    _fields_ = [
        ("size", c_uint32), ("process_id", c_int32), ("port", POINTER(Port)), ("node", c_char_p), ("manifest", c_char_p),
        ("last_use", c_double),
    ]  # fmt: skip


class Query(Structure):
    _fields_ = [("size", c_uint32), ("type", c_int), ("subtype", c_char_p), ("manufacturer", c_char_p), ("name", c_char_p)]


class Initialization(Structure):
    _fields_ = [
        ("size", c_uint32), ("sample_rate", c_uint32), ("input_channels", c_uint32), ("output_channels", c_uint32),
        ("maximum_frames", c_uint32), ("is_offline", c_bool), ("priority", c_int32), ("late_limit", c_uint32),
        ("deadline_fraction", c_double), ("stall_limit", c_double),
    ]  # fmt: skip


class Status(Structure):
    _fields_ = [("size", c_uint32), ("state", c_int), ("park_reason", c_int), ("loss_reason", c_int)]


class Event(Structure):
    _fields_ = [
        ("offset", c_uint32), ("system_exclusive_count", c_uint32), ("system_exclusive", c_void_p), ("message", c_uint8 * 3),
        ("reserved", c_uint8 * 5),
    ]  # fmt: skip


class Transport(Structure):
    _fields_ = [
        ("provides", c_uint32), ("is_playing", c_bool), ("is_recording", c_bool), ("is_looping", c_bool), ("reserved", c_uint8),
        ("meter_count", c_uint16), ("meter_unit", c_uint16), ("reserved_too", c_uint32), ("beat", c_double), ("tempo", c_double),
        ("tempo_slope", c_double), ("bar_start", c_double), ("loop_start", c_double), ("loop_end", c_double),
        ("song_frame", c_int64), ("reserved_three", c_uint64),
    ]  # fmt: skip


class Statistics(Structure):
    _fields_ = [
        ("size", c_uint32), ("reserved", c_uint32), ("cycles", c_uint64), ("late_cycles", c_uint64), ("received_events", c_uint64),
        ("late_events", c_uint64), ("malformed_events", c_uint64), ("refused_events", c_uint64), ("late_notes", c_uint64),
        ("invalid_samples", c_uint64), ("invalid_input_samples", c_uint64), ("longest_round_trip", c_int64),
    ]  # fmt: skip


class Parameter(Structure):
    _fields_ = [
        ("size", c_uint32), ("unit", c_int), ("identifier", c_char_p), ("name", c_char_p), ("minimum", c_float),
        ("maximum", c_float), ("default_value", c_float), ("scale", c_int), ("value_names", POINTER(c_char_p)),
        ("value_name_count", c_uint32),
    ]  # fmt: skip


class Value(Structure):
    _fields_ = [("identifier", c_char_p), ("value", c_float), ("reserved", c_uint32)]


class Preset(Structure):
    _fields_ = [("size", c_uint32), ("value_count", c_uint32), ("name", c_char_p), ("values", POINTER(Value))]


_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "portative_version": (c_char_p, []),
    "portative_free_string": (None, [c_void_p]),
    "portative_error_create": (c_void_p, []),
    "portative_error_free": (None, [c_void_p]),
    "portative_error_code": (c_char_p, [c_void_p]),
    "portative_error_message": (c_char_p, [c_void_p]),
    "portative_components_create": (c_void_p, [POINTER(Query), c_int]),
    "portative_components_free": (None, [c_void_p]),
    "portative_components_count": (c_uint32, [c_void_p]),
    "portative_components_get": (POINTER(Component), [c_void_p, c_uint32]),
    "portative_host_create": (c_void_p, [c_char_p, c_char_p, c_char_p]),
    "portative_host_free": (None, [c_void_p]),
    "portative_host_connect": (c_void_p, [c_void_p, POINTER(Component), c_double, c_void_p]),
    "portative_connection_free": (None, [c_void_p]),
    "portative_connection_close": (None, [c_void_p]),
    "portative_connection_port": (POINTER(Port), [c_void_p]),
    "portative_connection_node": (c_char_p, [c_void_p, POINTER(c_int32)]),
    "portative_connection_initialize": (c_int, [c_void_p, POINTER(Initialization), c_void_p]),
    "portative_connection_uninitialize": (None, [c_void_p]),
    "portative_connection_get_status": (None, [c_void_p, POINTER(Status)]),
    "portative_connection_status_text": (c_void_p, [c_void_p]),
    "portative_connection_latency": (c_int64, [c_void_p]),
    "portative_connection_tail": (c_int64, [c_void_p]),
    "portative_connection_schedule": (c_int, [c_void_p, c_int64, c_char_p, c_uint32]),
    "portative_connection_schedule_parameter": (c_int, [c_void_p, c_int64, c_uint32, c_float, c_uint32]),
    "portative_connection_set_transport": (c_int, [c_void_p, c_uint32, POINTER(Transport)]),
    "portative_connection_render": (c_int, [c_void_p, c_uint32, c_int64, c_void_p, c_uint32, c_void_p]),
    "portative_connection_received_count": (c_uint32, [c_void_p]),
    "portative_connection_get_received": (c_bool, [c_void_p, c_uint32, POINTER(Event)]),
    "portative_connection_get_statistics": (None, [c_void_p, POINTER(Statistics)]),
    "portative_connection_parameters": (c_void_p, [c_void_p]),
    "portative_parameters_count": (c_uint32, [c_void_p]),
    "portative_parameters_get": (POINTER(Parameter), [c_void_p, c_uint32]),
    "portative_connection_get_values": (c_int32, [c_void_p, POINTER(c_float), c_uint32, c_void_p]),
    "portative_connection_set_parameters": (c_int, [c_void_p, POINTER(Value), c_uint32, c_void_p]),
    "portative_connection_presets": (c_void_p, [c_void_p, c_void_p]),
    "portative_presets_free": (None, [c_void_p]),
    "portative_presets_count": (c_uint32, [c_void_p]),
    "portative_presets_get": (POINTER(Preset), [c_void_p, c_uint32]),
    "portative_connection_use_preset": (c_int, [c_void_p, c_uint32, c_void_p]),
    "portative_connection_set_file": (c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_void_p]),
    "portative_connection_save_state": (c_void_p, [c_void_p, c_void_p]),
    "portative_connection_restore_state": (c_int, [c_void_p, c_char_p, c_void_p]),
}

_loaded: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """The library, which the first call loads.

    Raises:
        LibraryError: If it cannot be loaded, with what to install.
    """
    global _loaded
    if _loaded is None:
        _loaded = _library.load(_NAME, "PORTATIVE_LIBRARY", _FUNCTIONS, "Install it with make install-library")
    return _loaded


class Failure(_library.CallFailure):
    """Receives the reason of a failed call of this library."""

    def __init__(self) -> None:
        super().__init__(library(), "portative_error_")

    def error(self, code: Any, message: str) -> Exception:
        reason = text(code)
        return (ConnectionLost if reason == "connectionLost" else HostError)(reason, message)


def text(value: bytes | None) -> str:
    return "" if value is None else value.decode(errors="surrogateescape")


def owned_text(pointer: Any) -> str:
    """Returns a string of the library, and frees it."""
    if not pointer:
        return ""
    try:
        return text(ctypes.cast(pointer, c_char_p).value)
    finally:
        library().portative_free_string(pointer)


def texts(array: Any, count: int) -> tuple[str, ...]:
    return tuple(text(array[i]) for i in range(count))
