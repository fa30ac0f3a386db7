"""The synthesizer."""

from __future__ import annotations

import dataclasses
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from ctypes import c_char_p
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from . import _library
from ._errors import Error, MissingSoundFontError, OptionError, SoundFontError
from ._labels import Labels
from ._options import Options, arguments
from ._rendering import Rendering
from ._songs import Song
from ._stream import Stream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    Array = npt.NDArray[np.float32]

#: A time of a song: seconds, or a text such as "bar12" or "bar12:3", its third beat.
Position = Union[int, float, str, "np.integer[Any]", "np.floating[Any]"]

Result = TypeVar("Result")

# The frames that are rendered between two checks for Ctrl-C.
_STEP = 1 << 16


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a song, or a song with options of its own, for :meth:`Synthesizer.render_many`.

    Attributes:
        song: See :meth:`Synthesizer.render`, as are the others.
        start: The time at which it begins.
        stop: The time at which it ends.
        options: Options for this song.
    """

    song: Song
    start: Position | None = None
    stop: Position | None = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def all_options(self) -> dict[str, Any]:
        """The options, with the times as ``from_`` and ``to``."""
        texts = {name: _position(value, place) for name, value, place in (("from_", self.start, "start"), ("to", self.stop, "stop"))}
        return {**self.options, **{name: text for name, text in texts.items() if text is not None}}


class Synthesizer:
    """Renders songs with a SoundFont, on exact frames.

    A synthesizer may be used by any number of threads at a time, and after a fork; a pickled one is its options, with which
    the other process makes its own. The SoundFont is loaded once in each process, and shared with forked ones. ``close``,
    also at the end of ``with``, frees it, when no rendering uses it any more.

    Args:
        soundfont: The path of an SF2 or SF3 file; None for the same one that the command ``portative render`` finds.
        rate: Frames per second: 8000 to 96 000.
        options: Options of ``portative render`` that do not concern files, with underscores: ``gain=-3``, ``reverb=False``,
            ``chorus=False``, ``stems="channel"``, ``tail="exact"``, ``max_tail=5``, ``timing="stock"``, ``max_length=60``,
            ``transpose=2``, ``tempo=0.8``, ``mute="drums"``, ``from_="bar9"``.

    Raises:
        OptionError: If an option is unknown or invalid.
        SoundFontError: If the SoundFont is missing (:class:`MissingSoundFontError`) or unusable.
        LibraryError: If a library is missing.

    >>> synthesizer = Synthesizer(rate=44100, reverb=False)
    >>> rendering = synthesizer.render([(0.0, 0.5, 60, 100), (0.5, 1.0, 64, 100)])
    >>> rendering.labels.notes["onset"].tolist()
    [0, 22050]
    """

    def __init__(
        self, soundfont: str | os.PathLike[str] | None = None, rate: int | np.integer[Any] = 48000, **options: Unpack[Options]
    ) -> None:
        self._open(soundfont, rate, dict(options))

    def _open(self, soundfont: str | os.PathLike[str] | None, rate: int | np.integer[Any], options: dict[str, Any]) -> None:
        if int(rate) != rate:
            raise OptionError(f"rate must be a whole number of frames per second, but was {rate}")
        self._state = (None if soundfont is None else os.fspath(soundfont), int(rate), options)
        given = [b"--rate=" + str(int(rate)).encode(), *arguments(options)]
        if soundfont is not None:
            given.append(b"--soundfont=" + os.fsencode(soundfont))
        library = _library.library()
        try:
            with _library.Failure() as failure:
                array = (c_char_p * len(given))(*given)
                self._handle = failure.check(library.portative_synthesizer_create(array, len(given), failure.handle))
        except SoundFontError as error:
            if soundfont is not None and not os.path.lexists(soundfont):
                raise MissingSoundFontError(str(error)) from None
            raise
        self._provenance: dict[str, Any] | None = None
        self._finalizer = weakref.finalize(self, library.portative_synthesizer_free, self._handle)
        # At the end of the process the system frees everything, and threads may still render.
        self._finalizer.atexit = False

    def close(self) -> None:
        """Frees the SoundFont, unless another synthesizer or a rendering uses it. The synthesizer cannot be used afterwards."""
        self._finalizer()

    def __enter__(self) -> Synthesizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        return _library.text(_library.library().portative_synthesizer_soundfont(self._open_handle))

    @property
    def provenance(self) -> dict[str, Any]:
        """What determines the samples besides the songs: the versions of the libraries, the SoundFont with the XXH3 hash of its
        file, and the options. As the head of a report of ``portative render``.
        """
        if (found := self._provenance) is None:
            with _library.Failure() as failure:
                function = _library.library().portative_synthesizer_provenance
                found = self._provenance = dict(_library.json_object(failure.check(function(self._open_handle, failure.handle))))
        return found

    @property
    def _open_handle(self) -> int:
        if not self._finalizer.alive:
            raise ValueError("the synthesizer is closed")
        handle: int = self._handle
        return handle

    def _stream(self, part: Part, labels: bool, frames: int = 0) -> Stream:
        return Stream(self._open_handle, self.rate, part.song, arguments(part.all_options()), labels, frames)

    def render(
        self, song: Song | Part, *, start: Position | None = None, stop: Position | None = None, labels: bool = True,
        out: Array | None = None, progress: Callable[[float], object] | None = None, **options: Unpack[Options],
    ) -> Rendering:  # fmt: skip
        """Renders a song, or a part of it. The interpreter's lock is released meanwhile.

        Args:
            song: A path, the bytes of a MIDI file, an open file, notes (see :func:`portative.notes`), or an object of mido,
                pretty_midi or symusic. Times in seconds are not rounded to ticks, and each instrument of pretty_midi and
                symusic plays alone, on a channel of its own.
            start: Where the audio begins, with what sounds then: seconds of the song as it is played, "bar12", or "bar12:3" for its
                third beat. None is the beginning.
            stop: Where the song ends, in the same way. Its tail follows; with ``tail="exact"`` it has none.
            labels: Whether to label the notes.
            out: Receives the audio of the mix: float32, C-contiguous, of the shape (2, frames). If it is shorter than the song,
                the song ends there; the rest of a longer one is 0.
            progress: Called with the number of seconds rendered so far, about once for each second. What it raises ends the
                rendering.
            options: Options for this song, which replace those of the synthesizer.

        Returns:
            The audio, the labels and the report. With ``out``, ``audio`` is that array.

        Raises:
            SongError: If the song is missing (:class:`MissingSongError`) or cannot be read.
            OptionError: If an option is unknown or invalid.
            ValueError: If ``out`` has another type, shape or order.
        """
        if out is not None:
            _check(out)
        part = _part(song, start, stop, options)
        with self._stream(part, labels, 0 if out is None else out.shape[1]) as stream:
            audio = stream.read_all(_STEP, out, progress)
            rendered_labels = stream.labels(audio.shape[1] if out is None else stream.frames)
            alone = stream.notes(rendered_labels)
            return Rendering(
                audio if out is None else out, stream.stems(), rendered_labels, stream.report(), self.rate, self.provenance, alone,
                part.all_options(),
            )  # fmt: skip

    def labels(
        self, song: Song | Part, *, start: Position | None = None, stop: Position | None = None, **options: Unpack[Options]
    ) -> Labels:
        """Labels a song, as :meth:`render` does, without keeping its audio. It takes as long as rendering, because the sound of each
        note is measured.

        Raises:
            OptionError: With ``timing="stock"``, in which there are no labels.
        """
        with self._stream(_part(song, start, stop, options), True) as stream:
            stream.drain(_STEP)
            labels = stream.labels(stream.frames)
        if labels is None:
            raise OptionError("timing must be 'exact' for labels, but was 'stock'")
        return labels

    def blocks(
        self, song: Song | Part, frames: int = 1 << 16, *, start: Position | None = None, stop: Position | None = None,
        **options: Unpack[Options],
    ) -> Iterator[Array]:  # fmt: skip
        """Renders a song block by block, in bounded memory.

        Args:
            song: As in :meth:`render`, as are ``start``, ``stop`` and ``options``.
            frames: The length of a block; the last one is shorter.

        Yields:
            float32 of the shape (channels, frames): left and right of the mix, then of each stem.
        """
        if frames < 1:
            raise ValueError(f"frames must be 1 or more, but was {frames}")
        with self._stream(_part(song, start, stop, options), False) as stream:
            while True:
                block = np.empty((stream.channels, frames), np.float32)
                count = stream.read(block.reshape(-1), stride=frames, capacity=frames)
                if count:
                    yield block if count == frames else block[:, :count].copy()
                if count < frames:
                    return

    @overload
    def render_many(
        self, songs: Iterable[Song | Part], *, jobs: int | None = None, labels: bool = True, errors: Literal["raise"] = "raise"
    ) -> Renderings[Rendering]: ...

    @overload
    def render_many(
        self, songs: Iterable[Song | Part], *, jobs: int | None = None, labels: bool = True, errors: Literal["return"]
    ) -> Renderings[Rendering | Error]: ...

    def render_many(
        self, songs: Iterable[Song | Part], *, jobs: int | None = None, labels: bool = True, errors: Literal["raise", "return"] = "raise"
    ) -> Any:
        """Renders songs on several threads, in their order and in bounded memory: at most ``jobs`` finished songs wait.

        Args:
            songs: See :meth:`render`; :class:`Part` for a part of a song, or options of its own. An iterator is read as songs are
                rendered.
            jobs: The number of threads; None for one for each processor that the process may use.
            errors: "raise" raises the :class:`Error` of a song that fails; "return" yields it. Its ``index`` is that of the song. Other
                exceptions are always raised.

        Returns:
            An iterator of a :class:`Rendering` for each song, whose length is that of ``songs``, if these have one.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors must be 'raise' or 'return', but was {errors!r}")
        jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
        if jobs < 1:
            raise ValueError(f"jobs must be 1 or more, but was {jobs}")
        length = len(songs) if isinstance(songs, Sized) else None
        return Renderings(self._render_many(iter(songs), jobs, labels, errors == "return"), length)

    def _render_many(self, songs: Iterator[Song | Part], jobs: int, labels: bool, returns_errors: bool) -> Generator[Rendering | Error, None, None]:
        waiting: deque[tuple[int, Future[Rendering]]] = deque()
        stop = threading.Event()

        def check(_: float) -> None:
            if stop.is_set():
                raise InterruptedError("the iterator was closed")

        numbered = enumerate(songs)
        pool = ThreadPoolExecutor(jobs, thread_name_prefix="portative")
        try:
            while True:
                while len(waiting) < 2 * jobs and (following := next(numbered, None)) is not None:
                    index, song = following
                    waiting.append((index, pool.submit(self.render, song, labels=labels, progress=check)))
                if not waiting:
                    return
                index, future = waiting.popleft()
                error = future.exception()
                if isinstance(error, Error):
                    error.index = index
                    if returns_errors:
                        yield error
                        continue
                yield future.result()
                del future
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


class Renderings(Iterator[Result]):
    """What :meth:`Synthesizer.render_many` returns. ``close``, also at the end of ``with``, ends it."""

    def __init__(self, source: Generator[Result, None, None], length: int | None) -> None:
        self._source, self._length = source, length

    def __next__(self) -> Result:
        return next(self._source)

    def __len__(self) -> int:
        if self._length is None:
            raise TypeError("the songs have no length")
        return self._length

    def close(self) -> None:
        """Ends the songs that are being rendered."""
        self._source.close()

    def __enter__(self) -> Renderings[Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _part(song: Song | Part, start: Position | None, stop: Position | None, options: Mapping[str, Any]) -> Part:
    if not isinstance(song, Part):
        return Part(song, start, stop, options)
    return Part(
        song.song, song.start if start is None else start, song.stop if stop is None else stop, {**song.options, **options}
    )


def _position(value: Position | None, name: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise OptionError(f"{name} must be a number of seconds or a text such as 'bar12', but was {value!r}")
    if not 0 <= value < float("inf"):
        raise OptionError(f"{name} must be 0 seconds or more, but was {value}")
    return np.format_float_positional(float(value), trim="-")


def _check(out: npt.NDArray[Any]) -> None:
    if not isinstance(out, np.ndarray) or out.dtype != np.float32:
        raise ValueError(f"out must be an array of float32, but was {getattr(out, 'dtype', type(out).__name__)}")
    if out.ndim != 2 or out.shape[0] != 2 or out.shape[1] == 0:
        raise ValueError(f"out must have the shape (2, frames) with 1 frame or more, but has {out.shape}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writeable: pass numpy.ascontiguousarray(out), or another array")
