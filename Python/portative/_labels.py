"""Labels: when the notes of rendered audio begin, are released and fall silent."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._library import HEADER

if TYPE_CHECKING:
    import jams
    import pandas
    import pretty_midi
    import pyarrow

#: A note as the library describes it.
C_NOTE_LABEL = HEADER.array_type("portative_note_label")
#: The type of :attr:`Labels.notes`. Frames count from the first frame of the audio.
NOTE_LABEL = np.dtype([*C_NOTE_LABEL.descr, ("return_of", "i4"), ("port", "u1"), ("instrument", "i4"), ("index", "i4")])
TEMPO_LABEL = HEADER.array_type("portative_tempo_label")
BEAT_LABEL = HEADER.array_type("portative_beat_label")
MESSAGE_LABEL = HEADER.array_type("portative_message_label")

Until = Literal["key_release", "sound_release", "silence"]


class Ending(enum.IntEnum):
    """How a note ended."""

    RELEASED = 0
    RETRIGGERED = 1
    CONTINUED = 2
    CHOKED = 3
    STOLEN = 4
    SILENCED = 5
    UNMAPPED = 6
    SHARED = 7


class Labels:
    """What is known about rendered audio.

    Attributes:
        notes: A structured array of the shape (notes,) with the type :data:`NOTE_LABEL`, in the order of the onsets.
            ``onset`` is the frame at which the note begins, negative if it began before the audio; ``key_release`` that at
            which its key is released, and ``sound_release`` that from which no pedal holds it either; ``audible`` and
            ``silence`` are the first frame of its dry sound of at least -90 dBFS, and the one after the last: equal if it
            has none, and ``silence`` is ``frames`` if the audio ends before. A key that is not released in the audio, as at the
            end of a part, is released at its end.
            ``return_of`` is the note that a monophonic channel returns to, without a note-on, and -1 for others. ``port`` is
            the port of the song, from 0, which has sixteen channels of its own. ``instrument`` is the index of the instrument
            of an object of pretty_midi or symusic, and -1 for other songs; ``index`` is that of the note in the instrument, or
            in the list of notes, or among all notes of a file.
        tempos: A structured array of the shape (tempos,): ``frame``, ``microseconds_per_quarter``.
        beats: A structured array of the shape (beats,): ``frame``, ``bar``, ``beat``, ``numerator``, ``denominator``.
        messages: A structured array of the shape (messages,) of controllers, programs, bends and pressure: ``frame``,
            ``track``, ``status``, ``data1``, ``data2``, ``port``.
        texts: Lyrics, markers, names and other texts, and key signatures: a dict for each, as the lines of
            ``portative render --labels FILE.jsonl`` with the types "text" and "key".
        rate: Frames per second.
        frames: The length of the audio.
        start: The frame of the song at which the audio begins.
    """

    def __init__(
        self, notes: npt.NDArray[Any], tempos: npt.NDArray[Any], beats: npt.NDArray[Any], messages: npt.NDArray[Any],
        texts: list[dict[str, Any]], rate: int, frames: int, start: int = 0,
    ) -> None:  # fmt: skip
        self.notes, self.tempos, self.beats, self.messages, self.texts = notes, tempos, beats, messages, texts
        self.rate, self.frames, self.start = rate, frames, start

    def __len__(self) -> int:
        return len(self.notes)

    def __repr__(self) -> str:
        return f"Labels({len(self.notes)} notes, {len(self.beats)} beats, {self.frames} frames of {self.rate} Hz)"

    @property
    def heard(self) -> npt.NDArray[Any]:
        """The notes that are in the audio: without those that made no sound, or fell silent or were to begin outside of it."""
        notes = self.notes
        is_heard = (notes["ending"] != Ending.UNMAPPED) & (notes["silence"] > np.maximum(notes["audible"], 0))
        heard: npt.NDArray[Any] = notes[is_heard & (notes["onset"] < self.frames)]
        return heard

    def intervals(self, until: Until = "key_release") -> npt.NDArray[np.float64]:
        """The notes of :attr:`heard` in seconds, as mir_eval takes them: within the audio, each longer than 0.

        Args:
            until: The end of a note: "key_release", "sound_release" or "silence".

        Returns:
            float64 of the shape (notes, 2): onset and end.
        """
        _check(until)
        notes = self.heard
        begins = np.maximum(notes["onset"], 0)
        ends = np.maximum(np.minimum(notes[until], self.frames), begins + 1)
        return np.column_stack([begins, ends]) / self.rate

    def pitches(self) -> npt.NDArray[np.float64]:
        """The frequencies of the keys of :attr:`heard` in hertz, as mir_eval takes them: float64 of the shape (notes,)."""
        hertz: npt.NDArray[np.float64] = 440 * 2.0 ** ((self.heard["key"].astype(np.float64) - 69) / 12)
        return hertz

    def beat_times(self, *, compound: bool = False) -> npt.NDArray[np.float64]:
        """The beats in seconds.

        Args:
            compound: The convention for 6/8, 9/8, 12/8 and the like, whose numerator is above 3 and a multiple of it: False
                counts each note of the denominator, as :attr:`beats` does, and True every third, as
                ``pretty_midi.PrettyMIDI.get_beats``.
        """
        beats = self.beats
        if compound:
            is_compound = (beats["numerator"] > 3) & (beats["numerator"] % 3 == 0)
            beats = beats[~is_compound | (beats["beat"] % 3 == 1)]
        return _seconds(beats["frame"], self.rate)

    def downbeat_times(self) -> npt.NDArray[np.float64]:
        """The first beats of the bars, in seconds."""
        return _seconds(self.beats["frame"][self.beats["beat"] == 1], self.rate)

    @property
    def lyrics(self) -> list[tuple[float, str]]:
        """The syllables with their times in seconds."""
        return [(text["frame"] / self.rate, text["text"]) for text in self.texts if text.get("kind") == "lyric"]

    def piano_roll(
        self, frames_per_second: float = 100.0, *, until: Until = "key_release", channel: int | None = None
    ) -> npt.NDArray[np.uint8]:
        """Returns the velocities of the notes over time.

        Args:
            frames_per_second: Columns per second.
            until: The end of a note: "key_release", "sound_release" or "silence".
            channel: Only the notes of a channel, from 0 to 15; None for all.

        Returns:
            uint8 of the shape (128, columns). A note fills the columns whose beginning it reaches, at least one.
        """
        _check(until)
        roll = np.zeros((128, int(np.ceil(self.frames * frames_per_second / self.rate))), np.uint8)
        notes = self.heard
        if channel is not None:
            notes = notes[notes["channel"] == channel]
        firsts = np.maximum(notes["onset"], 0) * frames_per_second // self.rate
        lasts = np.maximum(firsts + 1, np.ceil(notes[until] * frames_per_second / self.rate))
        for key, velocity, first, last in zip(notes["key"], notes["velocity"], firsts.astype(int), lasts.astype(int)):
            part = roll[key, first:last]
            np.maximum(part, velocity, out=part)
        return roll

    def to_dict(self) -> dict[str, Any]:
        """The arrays by name, as ``numpy.savez`` takes them; ``portative render --labels FILE.npz`` has the same names."""
        return {
            "notes": self.notes, "tempos": self.tempos, "beats": self.beats, "messages": self.messages,
            "sample_rate": np.int64(self.rate), "start": np.int64(self.start), "frames": np.int64(self.frames),
            "endings": np.array([ending.name.lower() for ending in Ending]),
        }  # fmt: skip

    def to_columns(self) -> dict[str, npt.NDArray[Any]]:
        """The fields of the notes as arrays of their own, for ``pandas.DataFrame`` and ``pyarrow.table``."""
        return columns(self.notes)

    def to_dataframe(self) -> pandas.DataFrame:
        """The notes as a table of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame(self.to_columns())

    def to_arrow(self) -> pyarrow.Table:
        """The notes as a table of pyarrow, which must be installed."""
        import pyarrow

        return pyarrow.table(self.to_columns())

    def to_pretty_midi(self, until: Until = "key_release") -> pretty_midi.PrettyMIDI:
        """The notes of :attr:`heard` as an object of pretty_midi, which must be installed: an instrument for each preset of each
        channel. Times begin with the audio. Of controllers and bends it has none.
        """
        import pretty_midi

        song = pretty_midi.PrettyMIDI(resolution=960)
        instruments: dict[tuple[int, ...], Any] = {}
        for note, (begin, end) in zip(self.heard, self.intervals(until)):
            is_drum = int(note["bank"]) == 128 or (int(note["bank"]) < 0 and int(note["channel"]) == 9)
            place = tuple(int(note[name]) for name in ("port", "channel", "bank", "program"))
            if place not in instruments:
                instruments[place] = pretty_midi.Instrument(max(0, int(note["program"])), is_drum)
                song.instruments.append(instruments[place])
            instruments[place].notes.append(pretty_midi.Note(int(note["velocity"]), int(note["key"]), float(begin), float(end)))
        return song

    def to_jams(self, until: Until = "key_release") -> jams.JAMS:
        """The notes of :attr:`heard` (``note_midi``), the beats (``beat``, with their number in the bar), the tempos (``tempo``, in
        quarter notes per minute) and the syllables (``lyrics``), as an object of jams, which must be installed.
        """
        import jams

        file = jams.JAMS()
        file.file_metadata.duration = duration = self.frames / self.rate
        notes = jams.Annotation("note_midi", duration=duration)
        for note, (begin, end) in zip(self.heard, self.intervals(until)):
            notes.append(time=float(begin), duration=float(end - begin), value=float(note["key"]), confidence=1.0)
        beats = jams.Annotation("beat", duration=duration)
        for beat in self.beats:
            beats.append(time=float(beat["frame"] / self.rate), duration=0.0, value=int(beat["beat"]), confidence=1.0)
        tempos = jams.Annotation("tempo", duration=duration)
        times = [*np.maximum(self.tempos["frame"] / self.rate, 0).tolist(), duration]
        for tempo, begin, end in zip(self.tempos, times, times[1:]):
            value = 60e6 / float(tempo["microseconds_per_quarter"])
            tempos.append(time=begin, duration=max(0.0, end - begin), value=value, confidence=1.0)
        lyrics = jams.Annotation("lyrics", duration=duration)
        for time, text in self.lyrics:
            lyrics.append(time=time, duration=0.0, value=text, confidence=1.0)
        for annotation in (notes, beats, tempos, lyrics):
            if len(annotation.data):
                file.annotations.append(annotation)
        return file


def columns(table: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """The fields of a structured array as arrays of their own."""
    return {name: np.ascontiguousarray(table[name]) for name in table.dtype.names or ()}


def _check(until: str) -> None:
    if until not in ("key_release", "sound_release", "silence"):
        raise ValueError(f"until must be key_release, sound_release or silence, but was {until!r}")


def _seconds(frames: npt.NDArray[Any], rate: int) -> npt.NDArray[np.float64]:
    seconds: npt.NDArray[np.float64] = frames / rate
    return seconds
