"""Messages with frames, and the transport of a song."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from . import _library
from .._songs import notes

#: The type of an array of channel messages: the frame at which each acts, and its bytes.
EVENT = np.dtype([("frame", "i8"), ("status", "u1"), ("data1", "u1"), ("data2", "u1")])

_PROVIDES = _library.HEADER.words("portative_provision", "PORTATIVE_PROVIDES_")

# Times are compared in these ticks, as where the library makes a song of notes.
_TICKS_PER_SECOND = 31_752_000_000


def events(song: Any, rate: int = 48000) -> np.ndarray:
    """Makes messages of notes, with the frames and the order that :meth:`portative.Synthesizer.render` gives them.

    Args:
        song: Notes, as :func:`portative.notes` takes them.
        rate: Frames per second.

    Returns:
        A structured array with the type :data:`EVENT`, of the shape (2 * notes,).

    >>> events([(0, 0.5, 60, 100)], rate=44100).tolist()
    [(0, 144, 60, 100), (22050, 128, 60, 64)]
    """
    rows = notes(song)
    count = len(rows)
    made = np.zeros(2 * count, EVENT)
    times = np.concatenate([rows["end"], rows["start"]])
    if not np.all((times >= 0) & (times <= 86400)):
        raise ValueError(f"times must be 0 to 86400 seconds, but one was {times[~((times >= 0) & (times <= 86400))][0]}")
    ticks = [int(np.floor(time * _TICKS_PER_SECOND + 0.5)) for time in times]
    made["frame"] = [(2 * tick * rate + _TICKS_PER_SECOND) // (2 * _TICKS_PER_SECOND) for tick in ticks]
    made["status"][:count], made["status"][count:] = 0x80 | rows["channel"], 0x90 | rows["channel"]
    made["data1"] = np.tile(rows["key"], 2)
    made["data2"][:count], made["data2"][count:] = 64, rows["velocity"]
    # A note that is released at a time precedes one that begins then.
    return made[np.argsort(np.array(ticks, np.int64), kind="stable")]


@dataclasses.dataclass(frozen=True)
class Transport:
    """The state of a song at the first frame of a cycle. What is None is not provided to the node.

    Attributes:
        beat: The position in quarter notes since the beginning of the song. Needs ``tempo``.
        tempo: Quarter notes per minute.
        tempo_slope: The increase of the tempo from each frame to the next.
        meter: The time signature, such as (3, 4).
        bar_start: The position at which the current bar began, in quarter notes.
        is_playing: Whether the song plays. If not, ``beat`` does not advance.
        is_recording: Whether the song is recorded.
        loop: The first position that is repeated and the first that is not played, in quarter notes.
        song_frame: The position in the song in frames.
    """

    beat: float | None = None
    tempo: float | None = None
    tempo_slope: float = 0.0
    meter: tuple[int, int] | None = None
    bar_start: float = 0.0
    is_playing: bool | None = None
    is_recording: bool = False
    loop: tuple[float, float] | None = None
    song_frame: int | None = None

    def _structure(self) -> Any:
        made = _library.make("transport")
        if self.beat is not None:
            if self.tempo is None:
                raise ValueError("a transport with a beat needs a tempo")
            made.provides |= _PROVIDES["beat"]
            made.beat, made.tempo, made.tempo_slope = self.beat, self.tempo, self.tempo_slope
        if self.meter is not None:
            made.provides |= _PROVIDES["meter"]
            (made.meter_count, made.meter_unit), made.bar_start = self.meter, self.bar_start
        if self.is_playing is not None:
            made.provides |= _PROVIDES["state"]
            made.is_playing, made.is_recording = self.is_playing, self.is_recording
        if self.loop is not None:
            made.provides |= _PROVIDES["loop"]
            made.is_looping, (made.loop_start, made.loop_end) = True, self.loop
        if self.song_frame is not None:
            made.provides |= _PROVIDES["songFrame"]
            made.song_frame = self.song_frame
        return made
