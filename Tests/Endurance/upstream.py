#!/usr/bin/env python3
"""Writes the SoundFonts of the reports in Documentation/Upstream.md, and a song of one note:

upstream.py FOLDER
"""

import pathlib
import struct
import sys

import soundfonts

MODULATION_ENVELOPE_TO_PITCH, KEY, COARSE_TUNE, FINE_TUNE = 7, 46, 51, 52


def font(points=64, end=None, loop=(0, 64), gap=46, generators=(), modulators=()):
    """A font of one zone with one square wave, which loops: its points, and `gap` points of silence after them."""
    wave = [12_000 if point % 64 < 32 else -12_000 for point in range(points)] + [0] * gap
    zone = [*generators, (54, 1 if loop else 0), (53, 0)]
    made = soundfonts.SoundFont.__new__(soundfonts.SoundFont)
    made.info = [(b"ifil", struct.pack("<HH", 2, 1)), (b"isng", b"EMU8000\0"), (b"INAM", b"Report\0\0")]
    made.samples = [(b"smpl", struct.pack(f"<{len(wave)}h", *wave))]
    start, stop = loop or (0, 0)
    header = struct.pack("<20sIIIIIBbHH", b"Square", 0, end or points, start, stop, 44_100, 60, 0, 0, 1)
    made.tables = {
        b"phdr": [struct.pack("<20sHHHIII", name, 0, 0, bag, 0, 0, 0) for name, bag in [(b"Report", 0), (b"EOP", 1)]],
        b"pbag": [struct.pack("<HH", index, 0) for index in (0, 1)],
        b"pmod": [bytes(10)],
        b"pgen": [struct.pack("<HH", 41, 0), bytes(4)],
        b"inst": [struct.pack("<20sH", name, bag) for name, bag in [(b"Square", 0), (b"EOI", 1)]],
        b"ibag": [struct.pack("<HH", 0, 0), struct.pack("<HH", len(zone), len(modulators))],
        b"imod": [*(struct.pack("<HHhHH", *modulator) for modulator in modulators), bytes(10)],
        b"igen": [*(struct.pack("<HH", *generator) for generator in zone), bytes(4)],
        b"shdr": [header, struct.pack("<20sIIIIIBbHH", b"EOS", *[0] * 9)],
    }
    return made.encoded()


def song():
    """A note of half a second, on the key 100."""
    track = bytes([0, 0x90, 100, 100, 96, 0x80, 100, 0, 0, 0xFF, 0x2F, 0])
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track


FONTS = {
    # The velocity modulates a generator that does not exist.
    "destination": font(modulators=[(2, 200, 500, 0, 0)]),
    "end": font(end=65, loop=None, gap=0),
    "loop": font(loop=(62, 64), gap=0),
    "early": font(loop=(0, 2)),
    "key": font(generators=[(KEY, 25_336)]),
    # Each value is legal.
    "pitch": font(generators=[(MODULATION_ENVELOPE_TO_PITCH, 12_000), (COARSE_TUNE, 120), (FINE_TUNE, 99)]),
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "note.mid").write_bytes(song())
    for name, data in FONTS.items():
        (folder / f"{name}.sf2").write_bytes(data)


main()
