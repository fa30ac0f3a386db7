"""Labels: when the notes of rendered audio begin, are released and fall silent."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ._library import HEADER

#: Stands for an unknown frame.
NO_FRAME = np.iinfo(np.int64).min

#: A note as the library describes it.
C_NOTE_LABEL = HEADER.array_type("portative_note_label")
#: The type of :attr:`Labels.notes`. Frames count from the first frame of the audio.
NOTE_LABEL = np.dtype([*C_NOTE_LABEL.descr, ("return_of", "i4"), ("port", "u1")])
TEMPO_LABEL = HEADER.array_type("portative_tempo_label")
BEAT_LABEL = HEADER.array_type("portative_beat_label")
MESSAGE_LABEL = HEADER.array_type("portative_message_label")


class Ending(enum.IntEnum):
    """How a note ended."""

    RELEASED = 0
    RETRIGGERED = 1
    CONTINUED = 2
    CHOKED = 3
    STOLEN = 4
    SILENCED = 5
    UNMAPPED = 6


def note_labels(notes: np.ndarray, *, returns: np.ndarray, ports: np.ndarray) -> np.ndarray:
    """Notes of the type :data:`NOTE_LABEL`."""
    labels = np.empty(len(notes), NOTE_LABEL)
    for name in C_NOTE_LABEL.names or ():
        labels[name] = notes[name]
    labels["return_of"], labels["port"] = returns, ports
    return labels


class Labels:
    """What is known about rendered audio.

    Attributes:
        notes: A structured array of the shape (notes,) with the type :data:`NOTE_LABEL`, in the order of the onsets.
            ``onset`` is the frame at which the note begins, ``key_release`` that at which its key is released, and
            ``sound_release`` that from which no pedal holds it either; ``audible`` and ``silence`` are the first frame of its
            dry sound of at least -90 dBFS, and the one after the last. :data:`NO_FRAME` stands for an unknown frame.
            ``return_of`` is the note that a monophonic channel returns to, without a note-on, and -1 for others. ``port`` is
            the port of the song, from 0, which has sixteen channels of its own.
        tempos: A structured array of the shape (tempos,): ``frame``, ``microseconds_per_quarter``.
        beats: A structured array of the shape (beats,): ``frame``, ``bar``, ``beat``, ``numerator``, ``denominator``.
        messages: A structured array of the shape (messages,) of controllers, programs, bends and pressure: ``frame``,
            ``track``, ``status``, ``data1``, ``data2``, ``port``.
        rate: Frames per second.
        frames: The length of the audio.
    """

    def __init__(self, notes: np.ndarray, tempos: np.ndarray, beats: np.ndarray, messages: np.ndarray, rate: int, frames: int) -> None:
        self.notes, self.tempos, self.beats, self.messages = notes, tempos, beats, messages
        self.rate, self.frames = rate, frames

    def __len__(self) -> int:
        return len(self.notes)

    def __repr__(self) -> str:
        return f"Labels({len(self.notes)} notes, {len(self.beats)} beats, {self.frames} frames of {self.rate} Hz)"

    def piano_roll(self, frames_per_second: float = 100.0, *, until: str = "key_release", channel: int | None = None) -> np.ndarray:
        """Returns the velocities of the notes over time.

        Args:
            frames_per_second: Columns per second.
            until: The end of a note: "key_release", "sound_release" or "silence".
            channel: Only the notes of a channel, from 0 to 15; None for all.

        Returns:
            uint8 of the shape (128, columns). A note fills the columns whose beginning it reaches, at least one.
        """
        if until not in ("key_release", "sound_release", "silence"):
            raise ValueError(f"until must be key_release, sound_release or silence, but was {until!r}")
        columns = int(np.ceil(self.frames * frames_per_second / self.rate))
        roll = np.zeros((128, columns), np.uint8)
        for note in self.notes:
            if channel is not None and note["channel"] != channel:
                continue
            end = self.frames if note[until] == NO_FRAME else int(note[until])
            first = max(0, int(note["onset"] * frames_per_second // self.rate))
            last = max(first + 1, int(np.ceil(end * frames_per_second / self.rate)))
            part = roll[note["key"], first:last]
            np.maximum(part, note["velocity"], out=part)
        return roll

    def to_dict(self) -> dict[str, Any]:
        """The arrays by name, as ``numpy.savez`` takes them; ``portative render --labels FILE.npz`` has the same names."""
        return {
            "notes": self.notes, "tempos": self.tempos, "beats": self.beats, "messages": self.messages,
            "sample_rate": np.int64(self.rate), "frames": np.int64(self.frames),
            "endings": np.array([ending.name.lower() for ending in Ending]),
        }  # fmt: skip
