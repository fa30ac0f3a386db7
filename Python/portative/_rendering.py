"""Rendered songs."""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np

from ._labels import Labels


class Rendering:
    """A rendered song.

    Attributes:
        audio: float32 of the shape (2, frames), full scale ±1, not clipped.
        stems: For each stem its name and float32 of the shape (2, frames), in the order of their numbers; empty unless the
            synthesizer has the option ``stems``. The last one is "wet" or "rest". They add up to the audio.
        notes: With ``stems="note"``, the dry sound of each note of ``labels``: float32 of the shape (2, frames), which begins
            at frame ``max(onset, 0)`` of the audio; without frames if the note made no sound. They add up to the stem "dry".
        labels: When each note begins and ends; None with ``timing="stock"``.
        report: What ``portative render --report`` says of a song.
        rate: Frames per second.
    """

    def __init__(
        self, audio: np.ndarray, stems: list[tuple[str, np.ndarray]], labels: Labels | None, report: dict[str, Any], rate: int,
        notes: list[np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        self.audio, self.stems, self.labels, self.report, self.rate = audio, stems, labels, report, rate
        self.notes: list[np.ndarray] = notes or []

    def __repr__(self) -> str:
        return f"Rendering({self.audio.shape[1] / self.rate:.2f} s, {self.rate} Hz, {len(self.stems)} stems)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the audio to a WAV file of 32-bit floats, or audio and labels to an .npz file, by the ending of the path.

        The file appears under its name only when it is complete.
        """
        name = os.fspath(path)
        partial = f"{name}.{os.getpid()}.partial"
        try:
            if name.endswith(".npz"):
                with open(partial, "wb") as file:
                    np.savez(file, audio=self.audio, **(self.labels.to_dict() if self.labels else {}))
            elif name.endswith(".wav"):
                with open(partial, "wb") as file:
                    size = self.audio.nbytes
                    if size > 0xFFFF_FF00:
                        raise ValueError(f"a WAV file has at most 4 GiB, but the audio has {size} bytes: save it as .npz")
                    file.write(b"RIFF" + struct.pack("<I", size + 50) + b"WAVEfmt " + struct.pack("<IHHIIHHH", 18, 3, 2, self.rate, 8 * self.rate, 8, 32, 0))
                    file.write(b"fact" + struct.pack("<II", 4, self.audio.shape[1]) + b"data" + struct.pack("<I", size))
                    np.ascontiguousarray(self.audio.T).tofile(file)
            else:
                raise ValueError(f"the path must end in .wav or .npz, but was {name!r}")
            os.replace(partial, name)
        finally:
            if os.path.exists(partial):
                os.unlink(partial)
