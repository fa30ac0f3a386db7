"""Songs in the forms that Python programs have."""

from __future__ import annotations

import dataclasses
import io
import os
from collections.abc import Iterable, Mapping
from typing import IO, Any, Protocol, Union, cast

import numpy as np
import numpy.typing as npt

from . import _library
from ._errors import MissingSongError, SongError

#: The type of an array of notes: times in seconds.
NOTE = np.dtype([("start", "f8"), ("end", "f8"), ("channel", "u1"), ("key", "u1"), ("velocity", "u1")])

_NAMES = ("start", "end", "channel", "key", "velocity")

#: Notes and messages as the library takes them.
C_NOTE = _library.HEADER.array_type("portative_song_note")
C_MESSAGE = _library.HEADER.array_type("portative_song_message")


class MidoFile(Protocol):
    """An object of mido."""

    tracks: Any

    def save(self, filename: Any = ..., file: Any = ...) -> Any: ...


class PrettyMIDIFile(Protocol):
    """An object of pretty_midi."""

    instruments: Any

    def write(self, midi_file: Any) -> Any: ...


class SymusicScore(Protocol):
    """An object of symusic."""

    @property
    def tempos(self) -> Any: ...

    def dumps_midi(self) -> Any: ...


class Table(Protocol):
    """A table of pandas."""

    def to_records(self, index: bool = ...) -> Any: ...


#: A path, the bytes of a MIDI file, a file object, notes, or an object of mido, pretty_midi or symusic.
Song = Union[
    str, "os.PathLike[str]", bytes, bytearray, memoryview, "IO[bytes]", "npt.NDArray[Any]", Iterable[Any], Table, MidoFile,
    PrettyMIDIFile, SymusicScore,
]  # fmt: skip


@dataclasses.dataclass
class Events:
    """Notes and messages with times in seconds.

    Attributes:
        notes: Of the type :data:`C_NOTE`.
        messages: Of the type :data:`C_MESSAGE`.
        instruments: For each note, the index of its instrument in an object; -1 without one.
        indices: For each note, its index in the list or in the instrument.
        score: The bytes of a MIDI file with the tempos, time signatures, texts and names of tracks; None without them.
    """

    notes: npt.NDArray[Any]
    messages: npt.NDArray[Any]
    instruments: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]
    score: bytes | None = None


def notes(rows: Iterable[Any] | npt.NDArray[Any] | Table) -> npt.NDArray[Any]:
    """Makes an array of notes.

    Args:
        rows: (start, end, key, velocity) or (start, end, key, velocity, channel) for each note, or mappings or a table with
            these names; times in seconds, the channel from 0 to 15.

    Returns:
        A structured array with the type :data:`NOTE`, of the shape (notes,).

    >>> notes([(0, 0.5, 60, 100), (0.5, 1, 64, 90, 9)])["channel"].tolist()
    [0, 9]
    """
    records: Any = getattr(rows, "to_records", None)
    listable: Any = rows if records is None else records(index=False)
    return _notes(listable)


def _notes(rows: Iterable[Any] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    if isinstance(rows, np.ndarray) and rows.dtype.names:
        missing = {"start", "end", "key", "velocity"} - set(rows.dtype.names)
        if missing:
            raise SongError(f"an array of notes needs the fields start, end, key and velocity, but has no {', '.join(sorted(missing))}")
        if rows.ndim != 1:
            raise SongError(f"an array of notes must have one dimension, but has the shape {rows.shape}")
        columns = {name: rows[name] for name in _NAMES if name in rows.dtype.names}
        count = len(rows)
    else:
        listed = [_row(row, index) for index, row in enumerate(rows)]
        count = len(listed)
        columns = {name: np.array([row[i] for row in listed]) for i, name in enumerate(("start", "end", "key", "velocity", "channel"))}
    made = np.zeros(count, NOTE)
    for name, column in columns.items():
        made[name] = _column(column, name)
    return made


def _row(row: Any, index: int) -> tuple[Any, ...]:
    if isinstance(row, Mapping):
        try:
            return row["start"], row["end"], row["key"], row["velocity"], row.get("channel", 0)
        except KeyError as error:
            raise SongError(f"note {index} needs start, end, key and velocity, but has no {error}") from None
    try:
        values = tuple(row)
    except TypeError:
        values = ()
    if len(values) not in (4, 5):
        raise SongError(f"note {index} must be (start, end, key, velocity) or (start, end, key, velocity, channel), but was {row!r}")
    return values if len(values) == 5 else (*values, 0)


def _column(column: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if column.size == 0:
        return column.astype("f8")
    if column.dtype.kind not in "iufb":
        raise SongError(f"the {name} of notes must be numbers, but was {column.flat[0]!r}")
    if name in ("start", "end"):
        return column
    is_valid = (column >= 0) & (column <= 127) & (column == np.floor(column))
    if not np.all(is_valid):
        raise SongError(f"the {name} of notes must be whole numbers from 0 to 127, but was {column[~is_valid][0]}")
    return column


class OpenSong:
    """A song of the library, to be used by ``with``.

    Attributes:
        handle: The handle of the song.
        events: Of what it was made; None for a MIDI file.
    """

    def __init__(self, song: Song) -> None:
        self._library = _library.library()
        self.handle, self.events = self._open(song)

    def __enter__(self) -> OpenSong:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.portative_song_free(self.handle)

    def _open(self, song: Song) -> tuple[int, Events | None]:
        if isinstance(song, (str, os.PathLike)):
            return self._read(song), None
        module = object_module(song)
        if module in ("pretty_midi", "symusic"):
            # Imports nothing of these packages.
            from . import _objects

            events = _objects.events(song, module)
            return self._create(events), events
        data = _bytes(song, module)
        if data is not None:
            return self._decode(data), None
        rows = notes(cast("Iterable[Any]", song))
        array = np.zeros(len(rows), C_NOTE)
        for name in _NAMES:
            array[name] = rows[name]
        events = Events(array, np.zeros(0, C_MESSAGE), np.full(len(rows), -1, np.int32), np.arange(len(rows), dtype=np.int32))
        return self._create(events), events

    def _read(self, path: str | os.PathLike[str]) -> int:
        try:
            with _library.Failure() as failure:
                handle: int = failure.check(self._library.portative_song_read(os.fsencode(path), failure.handle))
                return handle
        except SongError as error:
            if not os.path.lexists(path):
                raise MissingSongError(str(error)) from None
            raise

    def _decode(self, data: bytes) -> int:
        with _library.Failure() as failure:
            handle: int = failure.check(self._library.portative_song_decode(data, len(data), b"bytes", failure.handle))
            return handle

    def _create(self, events: Events) -> int:
        score = None if events.score is None else self._decode(events.score)
        try:
            with _library.Failure() as failure:
                handle: int = failure.check(
                    self._library.portative_song_create(
                        events.notes.ctypes.data, len(events.notes), events.messages.ctypes.data, len(events.messages), score,
                        failure.handle,
                    )
                )  # fmt: skip
                return handle
        finally:
            self._library.portative_song_free(score)


def object_module(song: Any) -> str | None:
    """Which of the packages mido, pretty_midi and symusic has the class of an object, or one from which it inherits."""
    for kind in type(song).__mro__:
        module = kind.__module__.split(".")[0]
        if (module, kind.__name__) in (("mido", "MidiFile"), ("pretty_midi", "PrettyMIDI")):
            return module
        if module == "symusic" and kind.__name__.startswith("Score"):
            return module
    return None


def _bytes(song: Any, module: str | None) -> bytes | None:
    """The bytes of a MIDI file; None for notes."""
    if isinstance(song, bytes):
        return song
    if isinstance(song, (bytearray, memoryview)):
        return bytes(song)
    if module == "mido":
        buffer = io.BytesIO()
        song.save(file=buffer)
        return buffer.getvalue()
    if hasattr(song, "read"):
        data = song.read()
        if not isinstance(data, bytes):
            raise SongError(f"a file object must return bytes, but returned {type(data).__name__}: open the file with mode 'rb'")
        return data
    if isinstance(song, (np.ndarray, Iterable)) and not isinstance(song, Mapping):
        return None
    raise SongError(
        "a song must be a path, bytes, a file object, notes, or an object of mido, pretty_midi or symusic, but was of the type "
        f"{type(song).__name__}"
    )
