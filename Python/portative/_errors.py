"""Exceptions. Their messages are those of the command ``portative``, with Python's names."""

from __future__ import annotations

import re
from typing import Any


class Error(Exception):
    """A song could not be rendered, or a port not played.

    Attributes:
        index: In :meth:`Synthesizer.render_many`, the index of the song, from 0; otherwise None.
    """

    index: int | None = None

    @staticmethod
    def of(code: int, message: str) -> Error:
        return {2: OptionError, 3: SongError, 5: SoundFontError}.get(code, Error)(_with_names(message))


def _with_names(message: str) -> str:
    """Writes options as Python does: ``--fade-out`` as ``fade_out``. Names of files are in quotation marks."""
    return re.sub(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)(?=[\s:;,.)]|$)", lambda match: argument_name(match[1]), message)


def argument_name(option: str) -> str:
    """The name in Python of an option of the command, without its dashes."""
    name = option.replace("-", "_")
    # A word of Python.
    return "from_" if name == "from" else name


class OptionError(Error, ValueError):
    """An option or an argument is invalid."""


class SongError(Error, ValueError):
    """A song cannot be read, or a note has invalid values."""


class MissingSongError(SongError, FileNotFoundError):
    """There is no file with this name."""


class SoundFontError(Error):
    """The SoundFont is missing or unusable."""


class MissingSoundFontError(SoundFontError, FileNotFoundError):
    """There is no SoundFont with this name."""


class LibraryError(Error, ImportError):
    """The library portative-render, or a library that it needs, is missing."""


class HostError(Error):
    """A port could not be found, connected or played.

    Attributes:
        code: Names the reason, as ``portative_error_code`` in ``portative/common.h`` lists it, such as "portInUse"; or
            "noSuchPort", "fifoFull", "parked", "stalled" or "forked".
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self))


class ConnectionLost(HostError, ConnectionError):
    """The connection has ended, and every further call fails: the node has ended, or the connection was closed."""
