"""Songs of pretty_midi and symusic: each instrument plays alone, on a channel of its own, as ``PrettyMIDI.fluidsynth`` plays it.

The times of notes and messages are those of the object, in seconds, and not rounded to ticks.
"""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import SongError
from ._songs import C_MESSAGE, C_NOTE, Events

# The channels of each port that are not for percussion.
_MELODIC = [channel for channel in range(16) if channel != 9]
_MOST_PORTS = 128
# A note is at least this long, in seconds: less than a frame at any rate.
_SHORTEST = 1e-9


def events(song: Any, module: str) -> Events:
    """The notes and messages of an object of pretty_midi or symusic.

    Raises:
        SongError: If it has too many instruments.
    """
    reader = _PrettyMIDI(song) if module == "pretty_midi" else _Symusic(song)
    return _Writer(reader).events


class _PrettyMIDI:
    """Reads an object of pretty_midi."""

    def __init__(self, song: Any) -> None:
        self._song = song
        self.instruments = song.instruments

    def score(self) -> tuple[bytes, int]:
        """A MIDI file without notes, and the index of the track of the first instrument."""
        shell = copy.copy(self._song)
        shell.instruments = []
        for instrument in self.instruments:
            empty = copy.copy(instrument)
            empty.notes, empty.pitch_bends, empty.control_changes = [], [], []
            shell.instruments.append(empty)
        buffer = io.BytesIO()
        shell.write(buffer)
        return buffer.getvalue(), 1

    def notes(self, instrument: Any) -> npt.NDArray[Any]:
        return _array([(note.start, note.end, note.pitch, note.velocity) for note in instrument.notes], 4)

    def messages(self, instrument: Any) -> list[tuple[npt.NDArray[Any], int, Any, Any]]:
        bends = _array([(bend.time, bend.pitch) for bend in instrument.pitch_bends], 2)
        changes = _array([(change.time, change.number, change.value) for change in instrument.control_changes], 3)
        return [_bends(bends[:, 0], bends[:, 1]), (changes[:, 0], 0xB0, changes[:, 1], changes[:, 2])]


class _Symusic:
    """Reads a score of symusic."""

    def __init__(self, song: Any) -> None:
        self._song = song
        self.instruments = song.tracks
        # "symusic.core.Tick" or "Tick", by version.
        self._kind = str(song.ttype).split(".")[-1]
        tempos = song.tempos.numpy()
        order = np.argsort(tempos["time"], kind="stable")
        self._places, self._lengths = tempos["time"][order].astype(self._type), tempos["mspq"][order].astype(self._type)
        if len(self._places) == 0 or self._places[0] > 0:
            self._places, self._lengths = np.append([0], self._places), np.append([500_000], self._lengths)
        # The times of the tempos, in microseconds of a tick or of a quarter note: exact for ticks.
        self._times: npt.NDArray[Any] = np.append([0], np.cumsum(np.diff(self._places) * self._lengths[:-1])).astype(self._type)

    @property
    def _type(self) -> type:
        return np.int64 if self._kind == "Tick" else np.float64

    def score(self) -> tuple[bytes, int]:
        shell = self._song.to("tick").copy()
        for track in shell.tracks:
            for events in (track.notes, track.controls, track.pitch_bends, track.pedals):
                events.clear()
        return bytes(shell.dumps_midi()), 0

    def _seconds(self, places: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        if self._kind == "Second":
            return places.astype(np.float64)
        places = places.astype(self._type)
        index = np.maximum(np.searchsorted(self._places, places, side="right") - 1, 0)
        times = self._times[index] + (places - self._places[index]) * self._lengths[index]
        per_quarter = self._song.ticks_per_quarter if self._kind == "Tick" else 1
        seconds: npt.NDArray[np.float64] = times / (per_quarter * 1e6)
        return seconds

    def notes(self, instrument: Any) -> npt.NDArray[Any]:
        arrays = instrument.notes.numpy()
        columns = [self._seconds(arrays["time"]), self._seconds(arrays["time"] + arrays["duration"]), arrays["pitch"], arrays["velocity"]]
        return np.column_stack(columns).astype(np.float64)

    def messages(self, instrument: Any) -> list[tuple[npt.NDArray[Any], int, Any, Any]]:
        bends, controls, pedals = (
            getattr(instrument, name).numpy() for name in ("pitch_bends", "controls", "pedals")
        )  # fmt: skip
        ends = self._seconds(pedals["time"] + pedals["duration"])
        return [
            _bends(self._seconds(bends["time"]), bends["value"]),
            (self._seconds(controls["time"]), 0xB0, controls["number"], controls["value"]),
            (self._seconds(pedals["time"]), 0xB0, 64, 127),
            (ends, 0xB0, 64, 0),
        ]


class _Writer:
    """Gives each instrument a channel, and collects its notes and messages."""

    def __init__(self, reader: _PrettyMIDI | _Symusic) -> None:
        self._notes: list[npt.NDArray[Any]] = []
        self._messages: list[npt.NDArray[Any]] = []
        melodic = drums = 0
        score, first = reader.score()
        for index, instrument in enumerate(reader.instruments):
            if instrument.is_drum:
                port, channel = drums, 9
                drums += 1
            else:
                port, channel = melodic // 15, _MELODIC[melodic % 15]
                melodic += 1
            if port >= _MOST_PORTS:
                raise SongError(
                    f"a song can have at most {15 * _MOST_PORTS} melodic and {_MOST_PORTS} drum instruments, "
                    f"but instrument {index} is the {'drum' if instrument.is_drum else 'melodic'} one after these"
                )
            self._add(reader, instrument, (first + index, port, channel))
        # Instruments and the places of notes in them.
        counts = [len(notes) for notes in self._notes]
        self.events = Events(
            np.concatenate([np.zeros(0, C_NOTE), *self._notes]), np.concatenate([np.zeros(0, C_MESSAGE), *self._messages]),
            np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            np.concatenate([np.zeros(0, np.int32), *(np.arange(count, dtype=np.int32) for count in counts)]), score,
        )  # fmt: skip

    def _add(self, reader: _PrettyMIDI | _Symusic, instrument: Any, place: tuple[int, int, int]) -> None:
        track, port, channel = place
        rows = reader.notes(instrument)
        notes = np.zeros(len(rows), C_NOTE)
        notes["start"], notes["end"] = rows[:, 0], np.maximum(rows[:, 1], rows[:, 0] + _SHORTEST)
        notes["key"], notes["velocity"] = _data(rows[:, 2], "the pitch of a note"), _data(rows[:, 3], "the velocity of a note")
        notes["channel"], notes["port"], notes["track"] = channel, port, track
        self._notes.append(notes)
        program = (np.zeros(1), 0xC0, np.array([instrument.program]), 0)
        for times, status, data1, data2 in [program, *reader.messages(instrument)]:
            messages = np.zeros(len(times), C_MESSAGE)
            # Messages before the song act at its beginning.
            messages["time"], messages["status"] = np.maximum(times, 0), status | channel
            messages["data1"] = _data(np.asarray(data1), f"a number or value of instrument {instrument.name!r}")
            messages["data2"] = _data(np.asarray(data2), f"a value of instrument {instrument.name!r}")
            messages["port"], messages["track"] = port, track
            self._messages.append(messages)


def _array(rows: list[Any], columns: int) -> npt.NDArray[Any]:
    return np.array(rows, np.float64).reshape(len(rows), columns)


def _bends(times: npt.NDArray[Any], values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int, Any, Any]:
    bends = np.clip(np.asarray(values).astype(np.int64) + 8192, 0, 16383)
    return times, 0xE0, bends & 0x7F, bends >> 7


def _data(values: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    wrong = (values < 0) | (values > 127)
    if np.any(wrong):
        raise SongError(f"{name} must be 0 to 127, but was {np.ravel(values)[np.ravel(wrong)][0]:g}")
    return values
