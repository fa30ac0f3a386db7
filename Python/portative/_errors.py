"""Exceptions. Their messages are those of the command ``portative render``."""

from __future__ import annotations


class Error(Exception):
    """A song could not be rendered."""

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
