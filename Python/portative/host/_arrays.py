"""Arrays of samples as C functions take them."""

from __future__ import annotations

from typing import Any

import numpy as np


def set_pointers(pointers: Any, array: np.ndarray, frame: int) -> None:
    """Makes pointers to the samples of the channels from a frame on."""
    address = array.ctypes.data + 4 * frame
    for channel in range(array.shape[0]):
        pointers[channel] = address + channel * array.strides[0]


def output_array(out: np.ndarray | None, channels: int, frames: int) -> np.ndarray:
    """Returns an array that C functions can write: the given one, or a new one."""
    if frames < 0:
        raise ValueError(f"frames must be 0 or more, but was {frames}")
    if out is None:
        return np.empty((channels, frames), np.float32)
    check(out, "out", channels, frames)
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writeable: pass numpy.ascontiguousarray(out), or another array")
    return out


def check(array: np.ndarray, name: str, channels: int, frames: int) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.float32:
        raise ValueError(f"{name} must be an array of float32, but was {getattr(array, 'dtype', type(array).__name__)}")
    if array.shape != (channels, frames):
        raise ValueError(f"{name} must have the shape ({channels}, {frames}), but has {array.shape}")
