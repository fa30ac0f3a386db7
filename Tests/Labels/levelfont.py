"""Writes a SoundFont whose notes have one level from their first frame to their release."""

import struct


def _chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)


def _list(name, data):
    return _chunk(b"LIST", name + data)


def write(path, rate=48000):
    frames = 1000
    samples = struct.pack(f"<{frames + 46}h", *([16384] * frames + [0] * 46))

    def name(text):
        return text.encode().ljust(20, b"\0")

    presets = [(0, 0), (0, 128)]
    headers = b"".join(name("Level") + struct.pack("<HHHIII", program, bank, i, 0, 0, 0) for i, (program, bank) in enumerate(presets))
    headers += name("EOP") + struct.pack("<HHHIII", 0, 0, len(presets), 0, 0, 0)
    bags = b"".join(struct.pack("<HH", i, 0) for i in range(len(presets) + 1))
    instrument = struct.pack("<Hh", 41, 0)
    # 54: loop; 56: no key tracking; 53: the sample, which comes last.
    zone = struct.pack("<HhHhHh", 54, 1, 56, 0, 53, 0)
    sample = name("Level") + struct.pack("<IIIIIBbHH", 0, frames, 8, frames - 8, rate, 60, 0, 0, 1)
    hydra = [
        (b"phdr", headers), (b"pbag", bags), (b"pmod", bytes(10)),
        (b"pgen", instrument * len(presets) + bytes(4)),
        (b"inst", name("Level") + struct.pack("<H", 0) + name("EOI") + struct.pack("<H", 1)),
        (b"ibag", struct.pack("<HHHH", 0, 0, 3, 0)), (b"imod", bytes(10)), (b"igen", zone + bytes(4)),
        (b"shdr", sample + name("EOS") + bytes(26)),
    ]
    info = _chunk(b"ifil", struct.pack("<HH", 2, 1)) + _chunk(b"isng", b"EMU8000\0") + _chunk(b"INAM", b"Level\0")
    body = _list(b"INFO", info) + _list(b"sdta", _chunk(b"smpl", samples))
    body += _list(b"pdta", b"".join(_chunk(*chunk) for chunk in hydra))
    with open(path, "wb") as file:
        file.write(_chunk(b"RIFF", b"sfbk" + body))
