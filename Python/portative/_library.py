"""The C library portative-render, through ctypes: portative/render.h describes its functions."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import c_char_p
from pathlib import Path
from typing import Any

from ._errors import Error, LibraryError
from ._header import Header

_NAME = "libportative-render.so.0"
_INSTALL = "apt install libfluidsynth3 libsndfile1 libebur128-1 libxxhash0"

HEADER = Header("render.h")


def load(name: str, variable: str, header: Header, remedy: str) -> ctypes.CDLL:
    """Loads a library: the one that the environment names, the one in the package, or the system's.

    Raises:
        LibraryError: If it cannot be loaded, with what to install.
    """
    named = os.environ.get(variable)
    reasons = []
    for path in [named] if named else [str(Path(__file__).parent / "lib" / name), name]:
        if "/" in path and not Path(path).exists():
            reasons.append(f"{path}: no such file")
            continue
        try:
            loaded = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
            continue
        missing = [function for function in header.functions if not hasattr(loaded, function)]
        if missing:
            reasons.append(f"{path} has no {missing[0]}, so it is of another version than this package")
            continue
        for function, (result, arguments) in header.functions.items():
            getattr(loaded, function).restype, getattr(loaded, function).argtypes = result, arguments
        return loaded
    raise LibraryError(f"{name} cannot be loaded: {'; '.join(reasons)}. {remedy}, or name it in {variable}")


_loaded: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """The library, which the first call loads.

    Raises:
        LibraryError: If it cannot be loaded, with what to install.
    """
    global _loaded
    if _loaded is None:
        _loaded = load(_NAME, "PORTATIVE_RENDER_LIBRARY", HEADER, f"Install the libraries that it needs ({_INSTALL})")
    return _loaded


class CallFailure:
    """Receives the reason of a failed call. A subclass makes the exception."""

    def __init__(self, library: ctypes.CDLL, prefix: str) -> None:
        """Uses the functions of the library whose names begin with ``prefix``."""
        self._free, self._code, self._message = (getattr(library, prefix + name) for name in ("free", "code", "message"))
        self.handle = getattr(library, prefix + "create")()

    def __enter__(self) -> CallFailure:
        return self

    def __exit__(self, *_: object) -> None:
        self._free(self.handle)

    def check(self, result: Any, *, failed: int | None = None) -> Any:
        """Returns the result of a call, or raises the reason why it failed."""
        if result != failed:
            return result
        message: bytes = self._message(self.handle) or b""
        raise self.error(self._code(self.handle), message.decode(errors="surrogateescape"))

    def error(self, code: Any, message: str) -> Exception:
        """Returns the exception for an error of the library."""
        raise NotImplementedError


class Failure(CallFailure):
    """Receives the reason of a failed call of this library."""

    def __init__(self) -> None:
        super().__init__(library(), "portative_render_error_")

    def error(self, code: Any, message: str) -> Exception:
        return Error.of(code, message)


def text(pointer: Any) -> str:
    """Returns a string of the library, and frees it."""
    if not pointer:
        return ""
    try:
        return ctypes.cast(pointer, c_char_p).value.decode(errors="surrogateescape")  # type: ignore[union-attr]
    finally:
        library().portative_render_free_string(pointer)


def json_object(pointer: Any) -> Any:
    """Returns what a string of the library stands for in JSON, and frees it."""
    return json.loads(text(pointer))
