"""C headers, from which this package takes the structures, constants and functions of its libraries."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np

_FOLDER = Path(__file__).parent / "include"

_TYPES: dict[str, Any] = {
    "void": None, "bool": ctypes.c_bool, "int": ctypes.c_int, "float": ctypes.c_float, "double": ctypes.c_double,
    "size_t": ctypes.c_size_t, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "uint8_t": ctypes.c_uint8,
    "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
}  # fmt: skip


class Address(ctypes.c_void_p):
    """The type of an argument that is a pointer: an address, bytes, an array or a pointer, or what it shall point to."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        if isinstance(value, (ctypes.Structure, ctypes.c_int32)):
            return ctypes.byref(value)
        return ctypes.c_void_p.from_param(value)


class Header:
    """What headers declare, but for functions that take functions.

    Attributes:
        enumerations: The constants of each enumeration with their values.
        structures: The types of the structures by their names.
        functions: The type of the result and those of the arguments of each function.
    """

    def __init__(self, *names: str) -> None:
        self.enumerations: dict[str, dict[str, int]] = {}
        self.structures: dict[str, Any] = {}
        self.functions: dict[str, tuple[Any, list[Any]]] = {}
        text = "".join((_FOLDER / name).read_text() for name in names)
        text = re.sub(r"/\*.*?\*/|//[^\n]*|^#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
        for name, body in re.findall(r"enum (\w+) \{(.*?)\}", text, re.DOTALL):
            self.enumerations[name] = {constant: int(value) for constant, value in re.findall(r"(\w+) = (\d+)", body)}
        for name, body in re.findall(r"struct (\w+) \{(.*?)\}", text, re.DOTALL):
            fields = re.findall(r"([^;]+?)(\w+)(?:\[(\d+)\])?;", body)
            types = [(field, self._type(kind) * int(count) if count else self._type(kind)) for kind, field, count in fields]
            self.structures[name] = type(name, (ctypes.Structure,), {"_fields_": types})
        for result, name, body in re.findall(r"^(\w[\w *]*?)(\w+)\(([^;{}()]*)\);", text, re.MULTILINE):
            arguments = [] if body == "void" else [re.sub(r"\w+$", "", argument.strip()) for argument in body.split(",")]
            self.functions[name] = (self._type(result), [self._type(kind, Address) for kind in arguments])

    def _type(self, text: str, pointer: Any = None) -> Any:
        """The type of a result or of a field; with ``pointer``, that of an argument."""
        words = text.replace("*", " * ").split()
        stars = words.count("*")
        name = next(word for word in words if word not in ("const", "struct", "*"))
        if stars == 0:
            return ctypes.c_int if name in self.enumerations else _TYPES[name]
        if name == "char":
            # A text that is not constant has to be freed.
            single = ctypes.c_char_p if "const" in words else ctypes.c_void_p
            return single if stars == 1 else pointer or ctypes.POINTER(single)
        if pointer is None and stars == 1 and name in self.structures:
            return ctypes.POINTER(self.structures[name])
        return pointer or ctypes.c_void_p

    def array_type(self, structure: str) -> np.dtype:
        """The type of an array of a structure."""
        return np.dtype([(name, np.dtype(kind)) for name, kind in self.structures[structure]._fields_])

    def words(self, enumeration: str, prefix: str = "PORTATIVE_") -> dict[str, int]:
        """The values of an enumeration by the names of its constants without their prefix: "musicEffect"."""
        constants = self.enumerations[enumeration]
        words = {name[len(prefix) :].title().replace("_", ""): value for name, value in constants.items()}
        return {word[0].lower() + word[1:]: value for word, value in words.items()}
