"""The options of ``portative render`` in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from ._errors import OptionError

if TYPE_CHECKING:
    from typing_extensions import TypedDict

    Number = Union[int, float, "np.integer[Any]", "np.floating[Any]"]
    Switch = Union[bool, "np.bool_", Literal["on", "off"]]

    class Options(TypedDict, total=False):
        """Options of a song. ``portative render --help`` explains them."""

        gain: Number
        timing: Literal["exact", "stock"]
        polyphony: int | np.integer[Any]
        reverb: Switch
        reverb_engine: str
        chorus: Switch
        bank_style: Literal["auto", "gs", "gm", "gm2", "xg", "mma", "library"]
        no_embedded: bool
        set: str
        tail: Number | Literal["silence", "exact", "bar"]
        max_tail: Number
        transpose: int | np.integer[Any]
        tempo: Number | str
        only: str
        mute: str
        program: str
        pan: str
        velocity: Number | str
        drop: Number
        jitter: Number
        seed: int | np.integer[Any]
        from_: Number | str
        to: Number | str
        lead: Number
        fade_in: Number
        fade_out: Number
        loops: int | np.integer[Any]
        fade: Number
        max_length: Number | Literal["none"]
        stems: Literal["channel", "track", "note"]
        label_messages: bool

else:
    Options = dict


def arguments(options: Mapping[str, Any]) -> list[bytes]:
    """The options as those of the command. An option that is None is left out.

    Raises:
        OptionError: If a value is no text, number or Boolean.
    """
    made = []
    for name, value in options.items():
        # `from` is a keyword of Python, so it is written `from_`.
        option = "--" + name.removesuffix("_").replace("_", "-")
        if isinstance(value, np.generic):
            value = value.item()
        if value is None:
            continue
        if isinstance(value, bool) and (name.startswith("no_") or name == "label_messages"):
            if value:
                made.append(option.encode())
            continue
        if isinstance(value, bool):
            value = "on" if value else "off"
        if not isinstance(value, (str, int, float, os.PathLike)):
            raise OptionError(f"{name} must be a text, a number or a Boolean, but was of the type {type(value).__name__}")
        if isinstance(value, float) and np.isfinite(value):
            # Without an exponent.
            value = np.format_float_positional(value, trim="-")
        made.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}".encode(errors="surrogateescape"))
    return made
