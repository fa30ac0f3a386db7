"""Random changes of songs, with a seed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ._songs import Song
from ._synthesizer import Part, Position

if TYPE_CHECKING:
    from ._options import Options

Item = TypeVar("Item")


@dataclasses.dataclass(frozen=True)
class Augmentation:
    """Draws options of ``portative render`` for each song of a dataset. The same seed and index draw the same ones again.

    A range is (least, greatest). A field that is None changes nothing, and draws nothing: the others stay the same without it.

    Attributes:
        seed: 0 or more.
        transpose: Semitones; whole numbers, of which each is equally probable. Drums are not transposed.
        tempo: Factors, as 0.9 to 1.1, whose logarithm is drawn.
        velocity: Factors, in the same way.
        gain: Decibels.
        room: The size of the reverb's room, 0 to 1: the parameter ``reverb.room``.
        parameters: Ranges of other parameters of the instrument, by their names.
        pan: How far each channel is moved, to the left where negative; 64 is from the middle to one side. Whole numbers.
        programs: For channels from 1, as in ``{"1": ["0:0", "0:4", "violin"]}``, the presets of which one plays.
        drop: The probability with which a note is left out.
        jitter: Seconds by which a note is moved at most, earlier or later.

    >>> augmentation = Augmentation(seed=1, transpose=(-3, 3), tempo=(0.9, 1.1), drop=0.05)
    >>> augmentation.options(7) == augmentation.options(7)
    True
    >>> -3 <= augmentation.options(7)["transpose"] <= 3
    True
    """

    seed: int = 0
    transpose: tuple[int, int] | None = None
    tempo: tuple[float, float] | None = None
    velocity: tuple[float, float] | None = None
    gain: tuple[float, float] | None = None
    room: tuple[float, float] | None = None
    parameters: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)
    pan: tuple[int, int] | None = None
    programs: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    drop: float | None = None
    jitter: float | None = None

    def __post_init__(self) -> None:
        ranges = {name: getattr(self, name) for name in ("transpose", "tempo", "velocity", "gain", "room", "pan")}
        for name, bounds in {**ranges, **self.parameters}.items():
            if bounds is not None and (len(bounds) != 2 or not bounds[0] <= bounds[1]):
                raise ValueError(f"{name} must be (least, greatest), but was {bounds!r}")
            if bounds is not None and name in ("tempo", "velocity") and bounds[0] <= 0:
                raise ValueError(f"{name} must be factors above 0, but was {bounds!r}")

    def options(self, index: int) -> Options:
        """Returns the options of the song with this index."""
        drawn: dict[str, Any] = {}
        if self.transpose is not None:
            drawn["transpose"] = self._whole(index, "transpose", self.transpose)
        for name in ("tempo", "velocity"):
            if (bounds := getattr(self, name)) is not None:
                logarithms = math.log(bounds[0]), math.log(bounds[1])
                # With the digits that the option keeps.
                drawn[name] = round(math.exp(self._between(index, name, logarithms)), 4)
        if self.gain is not None:
            drawn["gain"] = round(self._between(index, "gain", self.gain), 2)
        rooms = {} if self.room is None else {"reverb.room": self.room}
        values = [
            f"{name}={self._between(index, name, bounds):.4f}" for name, bounds in sorted({**self.parameters, **rooms}.items())
        ]
        if values:
            drawn["set"] = ",".join(values)
        if self.pan is not None:
            bounds = self.pan
            drawn["pan"] = ",".join(f"{channel}={self._whole(index, f'pan {channel}', bounds)}" for channel in range(1, 17))
        chosen = [f"{channel}={self.choose(index, presets, channel)}" for channel, presets in sorted(self.programs.items())]
        if chosen:
            drawn["program"] = ",".join(chosen)
        for name in ("drop", "jitter"):
            if getattr(self, name) is not None:
                drawn[name] = getattr(self, name)
                drawn["seed"] = int(self._draw(index, "notes") * 2**31)
        made: Options = drawn  # type: ignore[assignment]
        return made

    def part(self, song: Song, index: int, *, start: Position | None = None, stop: Position | None = None) -> Part:
        """Returns a song, or a part of it, with the options of this index, for :meth:`Synthesizer.render`. Times are those of
        the song as it is played.
        """
        return Part(song, start, stop, self.options(index))

    def choose(self, index: int, items: Sequence[Item], purpose: str = "") -> Item:
        """Returns one of several items for this index, such as a synthesizer with one of several SoundFonts.

        Args:
            purpose: A name. Each draws on its own.
        """
        return items[int(self._draw(index, f"choose {purpose}") * len(items))]

    def _between(self, index: int, purpose: str, bounds: tuple[float, float]) -> float:
        return bounds[0] + self._draw(index, purpose) * (bounds[1] - bounds[0])

    def _whole(self, index: int, purpose: str, bounds: tuple[int, int]) -> int:
        least, greatest = bounds
        return least + min(int(self._draw(index, purpose) * (greatest - least + 1)), greatest - least)

    def _draw(self, index: int, purpose: str) -> float:
        """A number from 0 up to 1, which depends on nothing else."""
        return float(np.random.default_rng([self.seed, index, *purpose.encode()]).random())
