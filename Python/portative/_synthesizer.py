"""The synthesizer."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from collections import deque
from ctypes import c_char_p
from typing import Any

import numpy as np

from . import _labels, _library
from ._errors import OptionError
from ._rendering import Rendering
from ._songs import Song, open_song

# The frames that are rendered between two checks for Ctrl-C.
_STEP = 1 << 16


class Synthesizer:
    """Renders songs with a SoundFont, on exact frames.

    A synthesizer may be used by any number of threads at a time, and after a fork; a pickled one is its options, with which
    the other process makes its own. The SoundFont is loaded once in each process, and shared with forked ones.

    Args:
        soundfont: The path of an SF2 or SF3 file; None for the same one that the command ``portative render`` finds.
        rate: Frames per second: 8000 to 96 000.
        options: Options of ``portative render`` that do not concern files, with underscores: ``gain=-3``, ``reverb=False``,
            ``chorus=False``, ``stems="channel"``, ``tail="exact"``, ``max_tail=5``, ``timing="stock"``, ``max_length=60``,
            ``transpose=2``, ``tempo=0.8``, ``mute="drums"``, ``from_="bar9"``.

    Raises:
        OptionError: If an option is unknown or invalid.
        SoundFontError: If the SoundFont is missing or unusable.
        LibraryError: If a library is missing.

    >>> synthesizer = Synthesizer(rate=44100, reverb=False)
    >>> rendering = synthesizer.render([(0.0, 0.5, 60, 100), (0.5, 1.0, 64, 100)])
    >>> rendering.labels.notes["onset"].tolist()
    [0, 22050]
    """

    def __init__(self, soundfont: str | os.PathLike[str] | None = None, rate: int = 48000, **options: Any) -> None:
        self._open(soundfont, rate, options)

    def _open(self, soundfont: str | os.PathLike[str] | None, rate: int, options: dict[str, Any]) -> None:
        self._is_exact = options.get("timing", "exact") == "exact"
        self._keeps_notes = options.get("stems") == "note"
        self._state = (None if soundfont is None else os.fspath(soundfont), rate, dict(options))
        arguments = [b"--rate=" + str(rate).encode()]
        if soundfont is not None:
            arguments.append(b"--soundfont=" + os.fsencode(soundfont))
        for name, value in options.items():
            if value is None:
                continue
            # `from` is a keyword of Python, so it is written `from_`.
            option = "--" + name.removesuffix("_").replace("_", "-")
            if isinstance(value, bool) and name.startswith("no_"):
                if value:
                    arguments.append(option.encode())
                continue
            if isinstance(value, bool):
                value = "on" if value else "off"
            if not isinstance(value, (str, int, float, os.PathLike)):
                raise OptionError(f"{option} must be a text, a number or a Boolean, but was of the type {type(value).__name__}")
            arguments.append(f"{option}={value}".encode(errors="surrogateescape"))
        library = _library.library()
        with _library.Failure() as failure:
            array = (c_char_p * len(arguments))(*arguments)
            self._handle = failure.check(library.portative_synthesizer_create(array, len(arguments), failure.handle))
        self._finalizer = weakref.finalize(self, library.portative_synthesizer_free, self._handle)
        # At the end of the process the system frees everything, and threads may still render.
        self._finalizer.atexit = False

    def __getstate__(self) -> tuple[Any, ...]:
        return self._state

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._open(*state)

    def __repr__(self) -> str:
        soundfont, rate, options = self._state
        values = [repr(soundfont), f"rate={rate}", *(f"{name}={value!r}" for name, value in options.items())]
        return f"Synthesizer({', '.join(values)})"

    @property
    def rate(self) -> int:
        """Frames per second."""
        return self._state[1]

    @property
    def soundfont(self) -> str:
        """The path of the SoundFont."""
        return _library.text(_library.library().portative_synthesizer_soundfont(self._handle))

    def render(
        self, song: Song, *, labels: bool = True, out: np.ndarray | None = None, progress: Callable[[float], object] | None = None
    ) -> Rendering:
        """Renders a song. The interpreter's lock is released meanwhile.

        Args:
            song: A path, the bytes of a MIDI file, notes (see :func:`portative.notes`), or an object of mido, pretty_midi or
                symusic.
            labels: Whether to label the notes.
            out: Receives the audio of the mix: float32, C-contiguous, of the shape (2, frames). If it is shorter than the song,
                the song ends there; the rest of a longer one is 0.
            progress: Called with the number of seconds rendered so far, about once for each second. What it raises ends the
                rendering.

        Returns:
            The audio, the labels and the report. With ``out``, ``audio`` is that array.

        Raises:
            SongError: If the song cannot be read.
            ValueError: If ``out`` has another type, shape or order.
        """
        if out is not None:
            _check(out)
        with _Stream(self, song, labels) as stream:
            channels = stream.channels
            limit = stream.limit if out is None else out.shape[1]
            direct = out if channels == 2 else None
            # Pages that are not written to take no memory.
            memory = np.empty(channels * limit, np.float32) if direct is None else direct.reshape(-1)
            done = 0
            while done < limit:
                count = stream.read(memory[done:], stride=limit, capacity=min(_STEP, limit - done))
                done += count
                if progress is not None:
                    progress(done / self.rate)
                if count == 0:
                    break
            if direct is not None:
                direct[:, done:] = 0
                all_audio = direct[:]
            else:
                for channel in range(1, channels):
                    memory[channel * done : (channel + 1) * done] = memory[channel * limit : channel * limit + done]
                memory.resize(channels * done, refcheck=False)
                all_audio = memory.reshape(channels, done)
            if done == limit:
                stream.drain()
            audio = all_audio[:2] if out is None else out
            if out is not None and direct is None:
                out[:, :done] = all_audio[:2]
                out[:, done:] = 0
            stems = [(name, all_audio[2 + 2 * i : 4 + 2 * i]) for i, name in enumerate(stream.stems())]
            song_labels = stream.labels(done) if labels and self._is_exact else None
            alone = stream.notes(song_labels.notes) if song_labels and self._keeps_notes else []
            return Rendering(audio, stems, song_labels, stream.report(), self.rate, alone)

    def blocks(self, song: Song, frames: int = 1 << 16) -> Iterator[np.ndarray]:
        """Renders a song block by block, in bounded memory.

        Args:
            song: As in :meth:`render`.
            frames: The length of a block; the last one is shorter.

        Yields:
            float32 of the shape (channels, frames): left and right of the mix, then of each stem.
        """
        if frames < 1:
            raise ValueError(f"frames must be 1 or more, but was {frames}")
        with _Stream(self, song, False) as stream:
            while True:
                block = np.empty((stream.channels, frames), np.float32)
                count = stream.read(block.reshape(-1), stride=frames, capacity=frames)
                if count:
                    yield block if count == frames else block[:, :count].copy()
                if count < frames:
                    return

    def render_many(self, songs: Iterable[Song], *, jobs: int | None = None, labels: bool = True, errors: str = "raise") -> Iterator[Any]:
        """Renders songs on several threads, in their order and in bounded memory: at most ``jobs`` finished songs wait.

        Args:
            songs: See :meth:`render`. An iterator is read as songs are rendered.
            jobs: The number of threads; None for one for each processor that the process may use.
            errors: "raise" raises the exception of a song that fails; "return" yields it.

        Yields:
            A :class:`Rendering` for each song.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors must be 'raise' or 'return', but was {errors!r}")
        jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
        if jobs < 1:
            raise ValueError(f"jobs must be 1 or more, but was {jobs}")
        waiting: deque[Future[Rendering]] = deque()
        source = iter(songs)
        stop = threading.Event()

        def check(_: float) -> None:
            if stop.is_set():
                raise InterruptedError("the iterator was closed")

        pool = ThreadPoolExecutor(jobs, thread_name_prefix="portative")
        try:
            while True:
                while len(waiting) < 2 * jobs:
                    try:
                        song = next(source)
                    except StopIteration:
                        break
                    waiting.append(pool.submit(self.render, song, labels=labels, progress=check))
                if not waiting:
                    return
                future = waiting.popleft()
                if errors == "return" and (error := future.exception()) is not None:
                    yield error
                else:
                    yield future.result()
                del future
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


class _Stream:
    """A rendering of the library."""

    def __init__(self, synthesizer: Synthesizer, song: Song, labels: bool) -> None:
        self._library = _library.library()
        self._rate = synthesizer.rate
        handle = open_song(song)
        try:
            with _library.Failure() as failure:
                self._handle = failure.check(self._library.portative_synthesizer_render(synthesizer._handle, handle, labels, failure.handle))
        finally:
            self._library.portative_song_free(handle)
        self.channels: int = self._library.portative_rendering_channels(self._handle)
        self.limit: int = self._library.portative_rendering_limit(self._handle)

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.portative_rendering_free(self._handle)

    def read(self, memory: np.ndarray, *, stride: int, capacity: int) -> int:
        with _library.Failure() as failure:
            return failure.check(
                self._library.portative_rendering_read(self._handle, memory.ctypes.data, stride, capacity, failure.handle), failed=-1
            )

    def drain(self) -> None:
        """Renders what does not fit, so that the labels and the report are complete."""
        rest = np.empty(self.channels * 4096, np.float32)
        while self.read(rest, stride=4096, capacity=4096) > 0:
            pass

    def stems(self) -> list[str]:
        return [_library.text(self._library.portative_rendering_stem(self._handle, i)) for i in range((self.channels - 2) // 2)]

    def notes(self, labels: np.ndarray) -> list[np.ndarray]:
        """The sound of each labelled note."""
        sounds = []
        for note in labels["note"]:
            length = self._library.portative_rendering_note_audio(self._handle, note, None, 0)
            sounds.append(np.empty((2, length), np.float32))
            self._library.portative_rendering_note_audio(self._handle, note, sounds[-1].ctypes.data, length)
        return sounds

    def report(self) -> dict[str, Any]:
        with _library.Failure() as failure:
            return json.loads(_library.text(failure.check(self._library.portative_rendering_report(self._handle, failure.handle))))

    def labels(self, frames: int) -> _labels.Labels | None:
        def table(name: str, dtype: np.dtype) -> np.ndarray:
            function = getattr(self._library, f"portative_rendering_{name}")
            array = np.empty(function(self._handle, None, 0), dtype)
            function(self._handle, array.ctypes.data, len(array))
            return array

        notes = _labels.note_labels(
            table("notes", _labels.C_NOTE_LABEL), returns=table("returns", np.dtype("i4")), ports=table("note_ports", np.dtype("u1"))
        )
        return _labels.Labels(
            notes, table("tempos", _labels.TEMPO_LABEL), table("beats", _labels.BEAT_LABEL),
            table("messages", _labels.MESSAGE_LABEL), self._rate, frames,
        )  # fmt: skip


def _check(out: np.ndarray) -> None:
    if not isinstance(out, np.ndarray) or out.dtype != np.float32:
        raise ValueError(f"out must be an array of float32, but was {getattr(out, 'dtype', type(out).__name__)}")
    if out.ndim != 2 or out.shape[0] != 2:
        raise ValueError(f"out must have the shape (2, frames), but has {out.shape}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writeable: pass numpy.ascontiguousarray(out), or another array")
