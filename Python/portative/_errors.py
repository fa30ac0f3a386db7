"""Exceptions. Their messages are those of the command ``portative``."""

from __future__ import annotations


class Error(Exception):
    """A song could not be rendered, or a port not played."""

    @staticmethod
    def of(code: int, message: str) -> Error:
        return {2: OptionError, 3: SongError, 5: SoundFontError}.get(code, Error)(message)


class OptionError(Error, ValueError):
    """An option or an argument is invalid."""


class SongError(Error, ValueError):
    """A song cannot be read, or a note has invalid values."""


class SoundFontError(Error):
    """The SoundFont is missing or unusable."""


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

    def __reduce__(self) -> tuple[type[HostError], tuple[str, str]]:
        return type(self), (self.code, str(self))


class ConnectionLost(HostError, ConnectionError):
    """The connection has ended, and every further call fails: the node has ended, or the connection was closed."""
