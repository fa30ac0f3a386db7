"""The C library portative, through ctypes: portative/host.h describes its functions."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p
from typing import Any

from .. import _library
from .._errors import ConnectionLost, HostError
from .._header import Header

_NAME = "libportative.so.0"


HEADER = Header("common.h", "host.h")


def make(name: str, **values: Any) -> Any:
    """Makes a structure of the library with its size, and with the given values."""
    structure = HEADER.structures[f"portative_{name}"]
    if structure._fields_[0][0] == "size":
        values["size"] = ctypes.sizeof(structure)
    return structure(**values)


def word(enumeration: str, value: int) -> str:
    """Returns the name of a constant: "tooLong"; its number if the header has no such constant."""
    return _WORDS[f"portative_{enumeration}"].get(value, str(value))


_WORDS = {name: {value: word for word, value in HEADER.words(name).items()} for name in HEADER.enumerations}

_loaded: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """The library, which the first call loads.

    Raises:
        LibraryError: If it cannot be loaded, with what to install.
    """
    global _loaded
    if _loaded is None:
        _loaded = _library.load(_NAME, "PORTATIVE_LIBRARY", HEADER, "Install it with make install-library")
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
