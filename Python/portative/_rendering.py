"""Rendered songs."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import struct
from collections.abc import Iterator
from typing import IO, Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from . import _display
from ._labels import Labels, columns


@dataclasses.dataclass(frozen=True)
class Stem:
    """A part of a rendered song, without effects unless it consists of them.

    Attributes:
        kind: "channel", "track", "dry" (all notes), "wet" (reverb and chorus) or "rest" (what belongs to no other stem).
        name: From the song or the SoundFont, or by its number, from 1. Several stems can have the same name.
        audio: float32 of the shape (2, frames).
        number: The ``channel`` or ``track`` of its labels, from 0; None for other kinds.
        port: The ``port`` of the labels of a channel; None for other kinds.
        preset: The bank and program of the first note of a channel; None for other kinds.
    """

    kind: str
    name: str
    audio: npt.NDArray[np.float32]
    number: int | None = None
    port: int | None = None
    preset: tuple[int, int] | None = None

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        return f"Stem({self.kind}{number} {self.name!r}, {self.audio.shape[1]} frames)"


class Rendering:
    """A rendered song. A notebook plays it, and shows its notes and levels.

    Attributes:
        audio: float32 of the shape (2, frames), full scale ±1, not clipped.
        stems: The stems in the order of their numbers; empty unless the synthesizer has the option ``stems``. The last one has
            the kind "wet" or "rest". They add up to the audio.
        notes: With ``stems="note"``, the dry sound of each note of ``labels``: float32 of the shape (2, frames), which begins
            at frame ``max(onset, 0)`` of the audio; without frames if the note made no sound. They add up to the stem "dry".
        labels: When each note begins and ends; None with ``timing="stock"`` or ``labels=False``.
        report: What ``portative render --report`` says of a song.
        provenance: What determines the samples besides the song: the versions, the SoundFont with its hash, and the options.
        options: The options of this song: those that were given with it, with ``start`` and ``stop`` as ``from_`` and ``to``.
        rate: Frames per second.
    """

    def __init__(
        self, audio: npt.NDArray[np.float32], stems: list[Stem], labels: Labels | None, report: dict[str, Any], rate: int,
        provenance: dict[str, Any] | None = None, notes: list[npt.NDArray[np.float32]] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.audio, self.stems, self.labels, self.report, self.rate = audio, stems, labels, report, rate
        self.provenance = provenance or {}
        self.notes = notes or []
        self.options = options or {}

    def __repr__(self) -> str:
        return f"Rendering({self.duration:.2f} s, {self.rate} Hz, {len(self.stems)} stems)"

    def _repr_html_(self) -> str:
        return _display.html(self.audio, self.rate, self.labels)

    @property
    def duration(self) -> float:
        """The length of the audio in seconds."""
        return float(self.audio.shape[1] / self.rate)

    def mono(self) -> npt.NDArray[np.float32]:
        """The mean of both channels: float32 of the shape (frames,)."""
        mean: npt.NDArray[np.float32] = self.audio.mean(axis=0, dtype=np.float32)
        return mean

    def stem(self, kind: str, number: int | None = None, port: int | None = None) -> Stem:
        """Returns the stem of a kind, with a number of the labels.

        Raises:
            KeyError: If there is none.
        """
        for stem in self.stems:
            if stem.kind == kind and stem.number == number and (port is None or stem.port == port):
                return stem
        raise KeyError(f"there is no stem {kind!r} with the number {number}: there are {self.stems}")

    def save(self, target: str | os.PathLike[str] | IO[bytes], format: str | None = None) -> None:
        """Writes the audio, or audio and labels (``npz``), to a file or a file object.

        A file appears under its name only when it is complete.

        Args:
            target: A path, or a file object that is open for writing bytes.
            format: "wav" (32-bit floats), "npz", or "flac" (24 bits), which needs the package soundfile; None for the ending
                of the path.

        Raises:
            ValueError: If the format is unknown, or the audio too long for it.
            ImportError: If soundfile is needed and missing.
        """
        if format is None:
            name = os.fspath(target) if isinstance(target, (str, os.PathLike)) else ""
            format = os.path.splitext(name)[1][1:].lower()
        write = {"wav": self._write_wav, "npz": self._write_npz, "flac": self._write_flac}.get(format)
        if write is None:
            raise ValueError(f"the format must be wav, npz or flac, or the path end so, but was {format!r}")
        with _opened(target) as file:
            write(file)

    def to_row(self, format: str | None = None) -> dict[str, Any]:
        """Returns audio and labels as plain arrays, numbers and texts: a row for packages that write datasets.

        The names are those of :meth:`Labels.to_dict`, and the types are the same for all songs. Without labels, there are
        only ``audio``, ``sample_rate``, ``frames``, ``options`` and ``provenance``.

        Args:
            format: None for samples, or "wav" or "flac" for the bytes of such a file, as :meth:`save` writes it.

        Returns:
            A dict of ``audio``: the channels as a list of arrays of float32, or bytes; ``notes``, ``tempos``, ``beats`` and
            ``messages``: dicts of an array for each field; ``sample_rate``, ``frames`` and ``start``: int; ``endings``: list of
            str; and ``texts``, ``options`` and ``provenance``: JSON, because what is in these differs from song to song.

        Raises:
            ValueError: If the format is unknown, or the audio too long for it.
            ImportError: If soundfile is needed and missing.
        """
        audio: Any = list(self.audio)
        if format is not None:
            buffer = io.BytesIO()
            self.save(buffer, format)
            audio = buffer.getvalue()
        row: dict[str, Any] = {"audio": audio, "sample_rate": self.rate, "frames": self.audio.shape[1]}
        if self.labels is not None:
            for name, value in self.labels.to_dict().items():
                row[name] = columns(value) if value.dtype.names else value.tolist()
            row["texts"] = json.dumps(self.labels.texts)
        row["options"] = json.dumps(self.options, default=_plain)
        row["provenance"] = json.dumps(self.provenance)
        return row

    def _write_npz(self, file: IO[bytes]) -> None:
        np.savez(file, audio=self.audio, **(self.labels.to_dict() if self.labels else {}))

    def _write_wav(self, file: IO[bytes]) -> None:
        size = self.audio.nbytes
        if size > 0xFFFF_FF00:
            raise ValueError(f"a WAV file has at most 4 GiB, but the audio has {size} bytes: save it as npz")
        file.write(b"RIFF" + struct.pack("<I", size + 50) + b"WAVEfmt " + struct.pack("<IHHIIHHH", 18, 3, 2, self.rate, 8 * self.rate, 8, 32, 0))
        file.write(b"fact" + struct.pack("<II", 4, self.audio.shape[1]) + b"data" + struct.pack("<I", size))
        file.write(np.ascontiguousarray(self.audio.T).data)

    def _write_flac(self, file: IO[bytes]) -> None:
        try:
            import soundfile
        except ImportError:
            raise ImportError("FLAC files need the package soundfile: pip install soundfile, or save as wav") from None
        soundfile.write(cast(BinaryIO, file), self.audio.T, self.rate, format="FLAC", subtype="PCM_24")


def _plain(option: Any) -> Any:
    """The value of an option that is no type of JSON: a number of NumPy, or a path."""
    return option.item() if isinstance(option, np.generic) else os.fspath(option)


@contextlib.contextmanager
def _opened(target: str | os.PathLike[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    """Opens a file that gets its name at the end, if it is not open yet."""
    if not isinstance(target, (str, os.PathLike)):
        yield target
        return
    name = os.fspath(target)
    partial = f"{name}.{os.getpid()}.partial"
    try:
        with open(partial, "wb") as file:
            yield file
        os.replace(partial, name)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
