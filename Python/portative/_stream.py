"""A song while it is rendered."""

from __future__ import annotations

import json
from collections.abc import Callable
from ctypes import c_char_p
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _labels, _library
from ._rendering import Stem
from ._songs import OpenSong, Song

if TYPE_CHECKING:
    Array = npt.NDArray[np.float32]


class Stream:
    """A rendering of the library, to be used by ``with``.

    Attributes:
        channels: Left and right of the mix, then of each stem.
        frames: The number of frames so far.
    """

    def __init__(self, synthesizer: int, rate: int, song: Song, options: list[bytes], labels: bool, frames: int) -> None:
        """Begins to render at most so many frames; 0 is the whole song."""
        self._library = _library.library()
        self._rate = rate
        self._audio: Array = np.empty((0, 0), np.float32)
        self.frames = 0
        with OpenSong(song) as opened, _library.Failure() as failure:
            self._events = opened.events
            array = (c_char_p * len(options))(*options)
            self._handle = failure.check(
                self._library.portative_synthesizer_render(synthesizer, opened.handle, array, len(options), frames, labels, failure.handle)
            )
        self.channels: int = self._library.portative_rendering_channels(self._handle)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.portative_rendering_free(self._handle)

    def read(self, memory: Array, *, stride: int, capacity: int) -> int:
        """Renders the next frames of all channels, and returns their number: fewer than ``capacity`` only at the end."""
        with _library.Failure() as failure:
            count: int = failure.check(
                self._library.portative_rendering_read(self._handle, memory.ctypes.data, stride, capacity, failure.handle), failed=-1
            )
        self.frames += count
        return count

    def read_all(self, step: int, out: Array | None, progress: Callable[[float], object] | None) -> Array:
        """Renders everything, and returns the mix. ``out`` receives it, and zeros after its end."""
        limit = self._library.portative_rendering_limit(self._handle) if out is None else out.shape[1]
        direct = out if self.channels == 2 else None
        # Pages that are not written to take no memory.
        memory = np.empty(self.channels * limit, np.float32) if direct is None else direct.reshape(-1)
        while self._read_next(memory, limit, step):
            if progress is not None:
                progress(self.frames / self._rate)
        done = self.frames
        if out is None:
            for channel in range(1, self.channels):
                memory[channel * done : (channel + 1) * done] = memory[channel * limit : channel * limit + done]
            memory.resize(self.channels * done, refcheck=False)
            self._audio = memory.reshape(self.channels, done)
            return self._audio[:2]
        self._audio = memory.reshape(self.channels, limit)
        if direct is None:
            out[:] = self._audio[:2]
        out[:, done:] = 0
        self._audio = self._audio[:, :done]
        return out

    def _read_next(self, memory: Array, limit: int, step: int) -> int:
        if self.frames < limit:
            return self.read(memory[self.frames :], stride=limit, capacity=min(step, limit - self.frames))
        # The call that finds no frame left completes the labels and the report.
        return self.read(np.empty(self.channels, np.float32), stride=1, capacity=1)

    def drain(self, step: int) -> None:
        """Renders everything, and keeps nothing."""
        rest = np.empty(self.channels * step, np.float32)
        while self.read(rest, stride=step, capacity=step) > 0:
            pass

    def stems(self) -> list[Stem]:
        """The stems, after :meth:`read_all`."""
        described = _library.json_object(self._library.portative_rendering_stems(self._handle))
        return [
            Stem(
                stem["kind"], stem["name"], self._audio[2 + 2 * i : 4 + 2 * i], stem.get("number"), stem.get("port"),
                (stem["bank"], stem["program"]) if "bank" in stem else None,
            )
            for i, stem in enumerate(described)
        ]  # fmt: skip

    def notes(self, labels: _labels.Labels | None) -> list[Array]:
        """The sound of each labelled note, if the stems are notes."""
        if labels is None or not any(stem.kind == "dry" for stem in self.stems()):
            return []
        sounds = []
        for note in labels.notes["note"]:
            length = self._library.portative_rendering_note_audio(self._handle, note, None, 0)
            sounds.append(np.empty((2, length), np.float32))
            self._library.portative_rendering_note_audio(self._handle, note, sounds[-1].ctypes.data, length)
        return sounds

    def report(self) -> dict[str, Any]:
        with _library.Failure() as failure:
            report: dict[str, Any] = _library.json_object(
                failure.check(self._library.portative_rendering_report(self._handle, failure.handle))
            )
        return report

    def labels(self, frames: int) -> _labels.Labels | None:
        """The labels of audio that is so many frames long; None if there are none."""
        texts = _library.text(self._library.portative_rendering_texts(self._handle))
        if not texts:
            return None
        notes = self._table("notes", _labels.C_NOTE_LABEL)
        written = self._table("written", np.dtype("i4"))
        made = np.empty(len(notes), _labels.NOTE_LABEL)
        for name in _labels.C_NOTE_LABEL.names or ():
            made[name] = notes[name]
        made["return_of"], made["port"] = self._table("returns", np.dtype("i4")), self._table("note_ports", np.dtype("u1"))
        made["instrument"], made["index"] = -1, written
        if self._events is not None:
            made["instrument"], made["index"] = self._events.instruments[written], self._events.indices[written]
        return _labels.Labels(
            made, self._table("tempos", _labels.TEMPO_LABEL), self._table("beats", _labels.BEAT_LABEL),
            self._table("messages", _labels.MESSAGE_LABEL), json.loads(texts), self._rate, frames,
            self._library.portative_rendering_start(self._handle),
        )  # fmt: skip

    def _table(self, name: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        function = getattr(self._library, f"portative_rendering_{name}")
        array = np.empty(function(self._handle, None, 0), dtype)
        function(self._handle, array.ctypes.data, len(array))
        return array
