"""Small SoundFonts, and mutations of them that keep to the structure of the format."""

import struct

# The size of a record of each table. Source: SoundFont Technical Specification 2.04, section 7.
RECORDS = {
    b"phdr": 38, b"pbag": 4, b"pmod": 10, b"pgen": 4, b"inst": 22, b"ibag": 4, b"imod": 10, b"igen": 4, b"shdr": 46,
}  # fmt: skip
# Generators with an index, a range, offsets into samples, and sample modes.
TELLING_GENERATORS = [0, 1, 2, 3, 4, 12, 41, 43, 44, 45, 46, 47, 50, 51, 52, 53, 54, 56, 57, 58]
EDGES = [0, 1, 2, 7, 8, 31, 32, 63, 64, 127, 128, 255, 256, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF]
LONG_EDGES = EDGES + [0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF]


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def chunks(data):
    """Returns the chunks of a list as pairs of name and content; what follows an impossible size is dropped."""
    found, position = [], 0
    while position + 8 <= len(data):
        size = struct.unpack_from("<I", data, position + 4)[0]
        if position + 8 + size > len(data):
            break
        found.append((data[position : position + 4], data[position + 8 : position + 8 + size]))
        position += 8 + size + size % 2
    return found


class SoundFont:
    """The parts of a file: bytes of INFO and samples, and tables as lists of records."""

    def __init__(self, data):
        lists = chunks(data[12:])
        self.info = chunks(lists[0][1][4:])
        self.samples = chunks(lists[1][1][4:])
        self.tables = {
            name: [content[i : i + RECORDS[name]] for i in range(0, len(content), RECORDS[name])]
            for name, content in chunks(lists[2][1][4:])
        }

    def encoded(self):
        tables = b"".join(chunk(name, b"".join(records)) for name, records in self.tables.items())
        parts = b"".join(
            chunk(b"LIST", kind + content)
            for kind, content in [
                (b"INFO", b"".join(chunk(*part) for part in self.info)),
                (b"sdta", b"".join(chunk(*part) for part in self.samples)),
                (b"pdta", tables),
            ]
        )
        return chunk(b"RIFF", b"sfbk" + parts)


def sample(random, frames):
    return struct.pack(f"<{frames}h", *(random.randrange(-20000, 20000) for _ in range(frames)))


def small(random):
    """A font with melodic presets and a drum kit, layers, loops, stereo pairs, envelopes and modulators."""
    frames, gap, count = 300, 46, 4
    font = SoundFont.__new__(SoundFont)
    font.info = [(b"ifil", struct.pack("<HH", 2, 4)), (b"isng", b"EMU8000\0"), (b"INAM", b"Small\0")]
    font.samples = [(b"smpl", b"".join(sample(random, frames) + bytes(2 * gap) for _ in range(count)))]
    tables = {name: [] for name in RECORDS}
    for index in range(count):
        start = index * (frames + gap)
        kind, link = [(1, 0), (4, 2), (2, 1), (1, 0)][index]
        tables[b"shdr"].append(
            struct.pack(
                "<20sIIIIIBbHH", b"Sample %d" % index, start, start + frames, start + 20, start + frames - 20,
                44100, 60, 0, link, kind,
            )  # fmt: skip
        )
    tables[b"shdr"].append(struct.pack("<20sIIIIIBbHH", b"EOS", 0, 0, 0, 0, 0, 0, 0, 0, 0))
    instruments = [[0, 3], [1, 2], [0], [3, 1, 2]]
    for number, layers in enumerate(instruments):
        tables[b"inst"].append(struct.pack("<20sH", b"Instrument %d" % number, len(tables[b"ibag"])))
        for layer, index in enumerate(layers):
            tables[b"ibag"].append(struct.pack("<HH", len(tables[b"igen"]), len(tables[b"imod"])))
            zone = [(43, 0x7F00), (54, (0, 1, 3)[layer]), (34, 0xE0C0), (38, 0xF000), (8, 9000), (17, 200 * layer)]
            zone += [(57, number)] if number == 3 else []
            tables[b"igen"] += [struct.pack("<HH", *pair) for pair in zone + [(53, index)]]
            tables[b"imod"].append(struct.pack("<HHhHH", 0x0081, 6, 50, 0, 0))
    for name, size in [(b"ibag", b"igen"), (b"pbag", b"pgen")]:
        if name == b"pbag":
            for number in range(len(instruments)):
                bank = 128 if number == 3 else 0
                program = 0 if number == 3 else number
                record = struct.pack("<20sHHHIII", b"Preset %d" % number, program, bank, len(tables[name]), 0, 0, 0)
                tables[b"phdr"].append(record)
                tables[name].append(struct.pack("<HH", len(tables[size]), len(tables[b"pmod"])))
                tables[size] += [struct.pack("<HH", 44, 0x7F00), struct.pack("<HH", 41, number)]
                tables[b"pmod"].append(struct.pack("<HHhHH", 0x0502, 48, 100, 0, 0))
        mods = b"imod" if name == b"ibag" else b"pmod"
        tables[name].append(struct.pack("<HH", len(tables[size]), len(tables[mods])))
        tables[size].append(bytes(4))
        tables[mods].append(bytes(10))
    tables[b"phdr"].append(struct.pack("<20sHHHIII", b"EOP", 0, 0, len(tables[b"pbag"]) - 1, 0, 0, 0))
    tables[b"inst"].append(struct.pack("<20sH", b"EOI", len(tables[b"ibag"]) - 1))
    font.tables = tables
    return font


def mutate_record(random, records, size):
    """Changes one field of one record, or drops, repeats or exchanges records."""
    index = random.randrange(len(records))
    action = random.randrange(8)
    if action == 0 and len(records) > 1:
        del records[index]
    elif action == 1:
        records.insert(index, random.choice(records))
    elif action == 2:
        other = random.randrange(len(records))
        records[index], records[other] = records[other], records[index]
    else:
        record = bytearray(records[index])
        if size == 4 and action < 6:
            value = random.choice([random.choice(EDGES), random.randrange(65536)])
            kind = random.choice(TELLING_GENERATORS) if random.random() < 0.5 else struct.unpack_from("<H", record)[0]
            record = bytearray(struct.pack("<HH", kind, value))
        elif len(record) >= 4 and size >= 38 and action < 6:
            place = random.randrange(20, len(record) - 3)
            struct.pack_into("<I", record, place, random.choice(LONG_EDGES))
        elif record:
            place = random.randrange(max(1, len(record) - 1))
            struct.pack_into("<H", record.ljust(2, b"\0"), place, random.choice(EDGES)) if len(record) > 1 else None
        records[index] = bytes(record)


def mutate(random, data):
    """Returns the bytes of a font with one to four faults. Most keep a structure that a reader enters deeply."""
    font = SoundFont(data)
    for _ in range(random.choice([1, 1, 1, 2, 2, 3, 4])):
        kind = random.random()
        if kind < 0.8:
            name = random.choice(list(RECORDS))
            if font.tables.get(name):
                mutate_record(random, font.tables[name], RECORDS[name])
        elif kind < 0.85:
            name, samples = font.samples[0]
            cut = random.randrange(len(samples) + 1)
            font.samples[0] = (name, samples[:cut])
        elif kind < 0.9:
            font.tables.pop(random.choice(list(font.tables)))
        elif kind < 0.93:
            font.samples.append((b"sm24", bytes(random.randrange(2000))))
        elif kind < 0.96:
            font.info[0] = (b"ifil", struct.pack("<HH", random.choice([1, 2, 3, 4]), random.randrange(5)))
        else:
            encoded = bytearray(font.encoded())
            for _ in range(random.randrange(1, 4)):
                encoded[random.randrange(len(encoded))] = random.randrange(256)
            return bytes(encoded)
        if not font.tables:
            break
    return font.encoded()
