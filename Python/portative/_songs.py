"""Songs in the forms that Python programs have."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from typing import Any, Union

import numpy as np

from . import _library
from ._errors import SongError

#: The type of an array of notes: times in seconds.
NOTE = np.dtype([("start", "f8"), ("end", "f8"), ("channel", "u1"), ("key", "u1"), ("velocity", "u1")])

_NAMES = ("start", "end", "channel", "key", "velocity")

_SONG_NOTE = _library.HEADER.array_type("portative_song_note")

#: A path, the bytes of a MIDI file, notes, or an object of mido, pretty_midi or symusic.
Song = Union[str, os.PathLike, bytes, bytearray, memoryview, np.ndarray, Iterable, Any]


def notes(rows: Iterable[Any] | np.ndarray) -> np.ndarray:
    """Makes an array of notes.

    Args:
        rows: (start, end, key, velocity) or (start, end, key, velocity, channel) for each note, or mappings with these
            names; times in seconds, the channel from 0 to 15.

    Returns:
        A structured array with the type :data:`NOTE`, of the shape (notes,).

    >>> notes([(0, 0.5, 60, 100), (0.5, 1, 64, 90, 9)])["channel"].tolist()
    [0, 9]
    """
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


def _column(column: np.ndarray, name: str) -> np.ndarray:
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


def open_song(song: Song) -> int:
    """Returns a handle of a song, which must be freed."""
    library = _library.library()
    with _library.Failure() as failure:
        if isinstance(song, (str, os.PathLike)):
            return failure.check(library.portative_song_read(os.fsencode(song), failure.handle))
        data = _bytes(song)
        if data is not None:
            return failure.check(library.portative_song_decode(data, len(data), b"bytes", failure.handle))
        rows = notes(song)
        array = np.zeros(len(rows), _SONG_NOTE)
        for name in _NAMES:
            array[name] = rows[name]
        return failure.check(library.portative_song_create(array.ctypes.data, len(array), None, 0, failure.handle))


def _bytes(song: Any) -> bytes | None:
    """The bytes of a MIDI file; None for notes."""
    if isinstance(song, bytes):
        return song
    if isinstance(song, (bytearray, memoryview)):
        return bytes(song)
    module = type(song).__module__.split(".")[0]
    if module == "mido":
        buffer = io.BytesIO()
        song.save(file=buffer)
        return buffer.getvalue()
    if module == "pretty_midi":
        buffer = io.BytesIO()
        song.write(buffer)
        return _with_ports(buffer.getvalue())
    if module == "symusic":
        return _with_ports(bytes(song.to("tick").dumps_midi() if hasattr(song, "to") else song.dumps_midi()))
    if isinstance(song, np.ndarray) or isinstance(song, Iterable):
        return None
    raise SongError(
        f"a song must be a path, bytes, notes, or an object of mido, pretty_midi or symusic, but was of the type {type(song).__name__}"
    )


def _with_ports(data: bytes) -> bytes:
    """Gives each instrument a channel of its own.

    pretty_midi and symusic write a track for each instrument, and use fifteen channels for any number of them. Here, the
    second instrument of a channel is on a second port (FF 21), and so on. Drums of one kit stay together.
    """
    tracks: list[tuple[int, int, int]] = []  # begin, end and port
    programs: dict[int, list[int]] = {}  # for each channel, the program of each port
    position = 8 + int.from_bytes(data[4:8], "big")
    while position + 8 <= len(data):
        begin = position + 8
        end = begin + int.from_bytes(data[position + 4 : begin], "big")
        instrument = _instrument(data, begin, end)
        port = -1
        if instrument is not None:
            channel, program = instrument
            used = programs.setdefault(channel, [])
            if channel != 9 or program not in used:
                used.append(program)
            port = used.index(program) if channel == 9 else len(used) - 1
            if port > 127:
                raise SongError(f"a song must have at most 128 instruments for each of its channels, but channel {channel + 1} has more")
        tracks.append((begin, end, port))
        position = end
    if all(port < 1 for _, _, port in tracks):
        return data
    parts = [data[: 8 + int.from_bytes(data[4:8], "big")]]
    for begin, end, port in tracks:
        event = b"" if port < 0 else bytes([0, 0xFF, 0x21, 1, port])
        parts += [b"MTrk", (len(event) + end - begin).to_bytes(4, "big"), event, data[begin:end]]
    return b"".join(parts)


def _instrument(data: bytes, position: int, end: int) -> tuple[int, int] | None:
    """The channel and the program of a track; None if it has no notes."""

    def length() -> int:
        nonlocal position
        value = 0
        while True:
            byte = data[position]
            position += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    status = program = 0
    while position < end:
        length()
        if data[position] >= 0xF0:
            position += 2 if data[position] == 0xFF else 1
            count = length()
            position += count
            continue
        if data[position] >= 0x80:
            status = data[position]
            position += 1
        if status & 0xF0 == 0xC0:
            program = data[position]
        elif status & 0xF0 == 0x90:
            return status & 0x0F, program
        position += 1 if status & 0xE0 == 0xC0 else 2
    return None
