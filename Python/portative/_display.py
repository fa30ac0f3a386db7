"""What a notebook shows of a rendering: a player, the notes and the levels."""

from __future__ import annotations

import base64
import io
import wave
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._labels import Labels

_WIDTH, _ROLL, _LEVELS = 900, 180, 60
# Longer audio is shown without a player: a notebook would keep all of it.
_LONGEST_SECONDS = 600
_MOST_NOTES = 5000
# A color for each channel.
_COLORS = ["#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#eeca3b", "#9d755d"]


def html(audio: npt.NDArray[np.float32], rate: int, labels: Labels | None) -> str:
    """An HTML element of its own, without scripts."""
    parts = []
    if 0 < audio.shape[1] <= _LONGEST_SECONDS * rate:
        sound = base64.b64encode(_wav(audio, rate)).decode()
        parts.append(f'<audio controls style="width:{_WIDTH}px" src="data:audio/wav;base64,{sound}"></audio>')
    height = _LEVELS + (_ROLL if labels is not None else 0)
    shapes = (_roll(labels) if labels is not None else []) + _levels(audio, height - _LEVELS)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}">'
    parts.append(f'{picture}<rect width="100%" height="100%" fill="#f8f8f8"/>{"".join(shapes)}</svg>')
    return "<div>" + "<br>".join(parts) + "</div>"


def _wav(audio: npt.NDArray[np.float32], rate: int) -> bytes:
    """16-bit samples, softer if they would be clipped."""
    peak = max(1.0, float(np.abs(audio).max()))
    samples = np.rint(audio.T * (32767 / peak)).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def _roll(labels: Labels) -> list[str]:
    notes = labels.heard
    if len(notes) == 0 or labels.frames == 0:
        return []
    lowest, highest = int(notes["key"].min()) - 1, int(notes["key"].max()) + 1
    row, column = _ROLL / (highest - lowest + 1), _WIDTH / labels.frames
    step = max(1, -(-len(notes) // _MOST_NOTES))
    return [_note(note, row, column, highest) for note in notes[::step]]


def _note(note: Any, row: float, column: float, highest: int) -> str:
    begin, end = max(0, int(note["onset"])), int(note["sound_release"])
    return (
        f'<rect x="{begin * column:.1f}" y="{(highest - int(note["key"])) * row:.1f}" width="{max(1.0, (end - begin) * column):.1f}" '
        f'height="{row:.1f}" fill="{_COLORS[int(note["channel"]) % len(_COLORS)]}" fill-opacity="{0.3 + 0.7 * int(note["velocity"]) / 127:.2f}"/>'
    )


def _levels(audio: npt.NDArray[np.float32], top: int) -> list[str]:
    frames = audio.shape[1]
    if frames == 0:
        return []
    borders = np.linspace(0, frames, min(_WIDTH, frames), endpoint=False).astype(int)
    peaks = np.minimum(1, np.maximum.reduceat(np.abs(audio).max(axis=0), borders))
    middle, x = top + _LEVELS / 2, _WIDTH / len(borders)
    upper = [f"{i * x:.1f},{middle - peak * _LEVELS / 2:.1f}" for i, peak in enumerate(peaks)]
    lower = [f"{i * x:.1f},{middle + peak * _LEVELS / 2:.1f}" for i, peak in reversed(list(enumerate(peaks)))]
    return [f'<polygon points="{" ".join(upper + lower)}" fill="#888"/>']
