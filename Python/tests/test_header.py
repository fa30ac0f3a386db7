"""What the package reads of the C headers is what a C compiler does."""

import ctypes
import shutil
import subprocess

import pytest

import portative
from portative import _header
from portative import _library as render
from portative.host import _library as host


def constants(header):
    return {name: value for values in header.enumerations.values() for name, value in values.items()}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize(("header", "file"), [(render.HEADER, "render.h"), (host.HEADER, "host.h")])
def test_structures_and_constants_are_those_of_the_compiler(header, file, tmp_path):
    facts = {f"sizeof({name})": ctypes.sizeof(structure) for name, structure in header.structures.items()}
    for name, structure in header.structures.items():
        for field, *_ in structure._fields_:
            facts[f"offsetof({name}, {field})"] = getattr(structure, field).offset
            facts[f"sizeof((({name} *)0)->{field})"] = getattr(structure, field).size
    facts.update(constants(header))
    source = tmp_path / "facts.c"
    source.write_text(
        f'#include "{file}"\n' + "".join(f'_Static_assert({fact} == {value}, "{fact}");\n' for fact, value in facts.items())
    )
    subprocess.run(["gcc", "-std=c11", "-fsyntax-only", "-Werror", f"-I{_header._FOLDER}", source], check=True)
    assert len(facts) > 30


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize(("header", "file"), [(render.HEADER, "render.h"), (host.HEADER, "host.h")])
def test_functions_are_those_of_the_compiler(header, file, tmp_path):
    # The compiler writes the declarations that it has read, each on a line.
    source, written = tmp_path / "functions.c", tmp_path / "functions.txt"
    source.write_text(f'#include "{file}"\n')
    subprocess.run(["gcc", "-fsyntax-only", "-aux-info", written, f"-I{_header._FOLDER}", source], check=True)
    lines = [line for line in written.read_text().splitlines() if " portative_" in line or "*portative_" in line]
    declared = {}
    for line in lines:
        declaration = line.split("*/", 1)[1]
        name = declaration.split("(")[0].split()[-1].lstrip("*")
        if declaration.count("(") == 1:
            parameters = declaration.split("(")[1].split(")")[0]
            declared[name] = 0 if parameters == "void" else parameters.count(",") + 1
    assert {name: len(arguments) for name, (_, arguments) in header.functions.items()} == declared


def test_the_endings_of_notes_are_those_of_the_library():
    words = render.HEADER.words("portative_note_ending")
    assert {ending.name.lower(): ending.value for ending in portative.Ending} == words
