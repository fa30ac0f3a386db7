"""The parameters, presets, files and state of a connection's unit."""

from __future__ import annotations

import ctypes
import dataclasses
import os
from collections.abc import Mapping

from . import _library
from ._handle import Handle
from .._errors import HostError

_SYMBOLS = {"none": "", "decibels": "dB", "milliseconds": "ms", "seconds": "s", "hertz": "Hz", "percent": "%"}
_UNITS = {value: _SYMBOLS.get(word, word) for word, value in _library.HEADER.words("portative_parameter_unit", "PORTATIVE_UNIT_").items()}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a unit: a value between ``minimum`` and ``maximum``.

    Attributes:
        identifier: As in "reverb.room"; the same in every version of the unit.
        name: For users.
        unit: "dB", "ms", "s", "beats", "Hz", "%", "cents", "semitones", "index", "toggle" or "".
        value_names: The names of the whole numbers from ``minimum`` on; empty for a number.
    """

    identifier: str
    name: str
    minimum: float
    maximum: float
    default: float
    unit: str
    value_names: tuple[str, ...]


class Parameters(Handle):
    """Reads and sets what a unit renders with, by requests to the node."""

    _parameters: dict[str, Parameter]
    _index: dict[str, int]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by their identifiers."""
        return dict(self._parameters)

    def _read_parameters(self) -> None:
        listed = {}
        handle = self._library.portative_connection_parameters(self._handle)
        for index in range(self._library.portative_parameters_count(handle) if handle else 0):
            read = self._library.portative_parameters_get(handle, index).contents
            identifier = _library.text(read.identifier)
            listed[identifier] = Parameter(
                identifier, _library.text(read.name), read.minimum, read.maximum, read.default_value,
                _UNITS.get(read.unit, ""), _library.texts(read.value_names, read.value_name_count),
            )  # fmt: skip
        self._parameters = listed
        self._index = {identifier: index for index, identifier in enumerate(listed)}

    def values(self) -> dict[str, float]:
        """The values of the parameters at the end of the last cycle."""
        with self._use(self._request), _library.Failure() as failure:
            array = (ctypes.c_float * len(self._parameters))()
            failure.check(self._library.portative_connection_get_values(self._handle, array, len(array), failure.handle), failed=-1)
            return dict(zip(self._parameters, array))

    def set(self, values: Mapping[str, float]) -> None:
        """Sets parameters from the next cycle on: all, or none if one is unknown or out of its range."""
        array = (_library.HEADER.structures["portative_value"] * len(values))()
        for entry, (identifier, value) in zip(array, values.items()):
            entry.identifier, entry.value = identifier.encode(), value
        with self._use(self._request), _library.Failure() as failure:
            failure.check(self._library.portative_connection_set_parameters(self._handle, array, len(array), failure.handle), failed=-1)

    def presets(self) -> list[str]:
        """The names of the unit's presets."""
        with self._use(self._request), _library.Failure() as failure:
            handle = failure.check(self._library.portative_connection_presets(self._handle, failure.handle))
            try:
                count = self._library.portative_presets_count(handle)
                return [_library.text(self._library.portative_presets_get(handle, i).contents.name) for i in range(count)]
            finally:
                self._library.portative_presets_free(handle)

    def use_preset(self, preset: int | str) -> None:
        """Sets the parameters of a preset from the next cycle on: by its index in :meth:`presets`, or by its name."""
        if isinstance(preset, str):
            names = self.presets()
            if preset not in names:
                raise HostError("noSuchPreset", f"the unit has no preset {preset!r}")
            preset = names.index(preset)
        with self._use(self._request), _library.Failure() as failure:
            failure.check(self._library.portative_connection_use_preset(self._handle, preset, failure.handle), failed=-1)

    def set_file(self, identifier: str, path: str | os.PathLike[str]) -> None:
        """Replaces a file that the unit plays, such as "soundfont", from the next cycle on."""
        with self._use(self._request), _library.Failure() as failure:
            name = os.fsencode(os.path.abspath(path))
            failure.check(self._library.portative_connection_set_file(self._handle, identifier.encode(), name, None, failure.handle), failed=-1)

    def save_state(self) -> str:
        """The unit's parameters, channels and files, as JSON."""
        with self._use(self._request), _library.Failure() as failure:
            return _library.owned_text(failure.check(self._library.portative_connection_save_state(self._handle, failure.handle)))

    def restore_state(self, state: str) -> None:
        """Restores what :meth:`save_state` returned, from the next cycle on."""
        with self._use(self._request), _library.Failure() as failure:
            data = state.encode(errors="surrogateescape")
            failure.check(self._library.portative_connection_restore_state(self._handle, data, failure.handle), failed=-1)
