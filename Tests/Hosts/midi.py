"""Songs as lists of (frame, message) in frame order, and Standard MIDI Files of them."""

import fractions
import random
import struct

RATE = 48000


def read(path):
    """Returns the messages of a file at their frames: the nearest ones, a half rounded up. Meta events are left out."""
    data = path.read_bytes()
    header, _, tracks, division = struct.unpack(">IHHH", data[4:14])
    events, tempos, at = [], [(0, 500000)], 8 + header
    for _ in range(tracks):
        end = at + 8 + struct.unpack(">I", data[at + 4:at + 8])[0]
        at, tick, status = at + 8, 0, 0
        while at < end:
            delta, at = _number(data, at)
            tick += delta
            if data[at] >= 0x80:
                status = data[at]
                at += 1
            if status == 0xFF:
                kind = data[at]
                size, at = _number(data, at + 1)
                if kind == 0x51:
                    tempos.append((tick, int.from_bytes(data[at:at + size], "big")))
            elif status in (0xF0, 0xF7):
                size, at = _number(data, at)
                events.append((tick, (b"\xf0" if status == 0xF0 else b"") + data[at:at + size]))
            else:
                size = 1 if status >> 4 in (0xC, 0xD) else 2
                events.append((tick, bytes([status]) + data[at:at + size]))
            at += size
    return _frames(sorted(events, key=lambda event: event[0]), sorted(tempos, key=lambda tempo: tempo[0]), division)


def _number(data, at):
    """Reads a number of variable length; returns it and where it ends."""
    value = 0
    while True:
        value, at = value << 7 | data[at] & 127, at + 1
        if data[at - 1] < 128:
            return value, at


def _frames(events, tempos, division):
    result, time, since, tempo, next_tempo = [], 0, 0, 500000, 0
    for tick, message in events:
        while next_tempo < len(tempos) and tempos[next_tempo][0] <= tick:
            time += (tempos[next_tempo][0] - since) * tempo
            since, tempo = tempos[next_tempo]
            next_tempo += 1
        exact = fractions.Fraction((time + (tick - since) * tempo) * RATE, division * 1000000)
        result.append((int(exact + fractions.Fraction(1, 2)), message))
    return result


def write(path, events, end, division=RATE // 2, tempo=500000):
    """Writes a file of one track in which the events' frames are the ticks, and which ends at the tick `end`.

    By default, a tick lasts exactly one frame.
    """
    track, since = bytearray(b"\0\xff\x51\x03" + tempo.to_bytes(3, "big")), 0
    for tick, message in events:
        track += _digits(tick - since)
        track += b"\xf0" + _digits(len(message) - 1) + message[1:] if message[0] == 0xF0 else message
        since = tick
    track += _digits(end - since) + b"\xff\x2f\0"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, division)
                     + b"MTrk" + struct.pack(">I", len(track)) + track)


def _digits(value):
    digits = [value & 127]
    while value := value >> 7:
        digits.insert(0, value & 127 | 128)
    return bytes(digits)


# Controllers with their values at the beginning.
CONTROLLERS = {1: 0, 7: 100, 10: 64, 11: 127, 64: 0, 91: 40, 93: 20}


def dense_song(seconds=10, notes=600):
    """Returns a song on twelve channels with programs, controllers, bends, pressure and a SysEx message.

    It sets the channels at the beginning, so that it sounds the same after it has been played.
    """
    chance = random.Random(7)
    end = seconds * RATE
    events = []
    for channel in range(12):
        events += [(0, bytes([0xB0 | channel, number, value])) for number, value in CONTROLLERS.items()]
        events += [(0, bytes([0xE0 | channel, 0, 64])), (0, bytes([0xD0 | channel, 0]))]
        events.append((0, bytes([0xC0 | channel, chance.randrange(112)])))
    for _ in range(notes):
        frame, channel, key = chance.randrange(1000, end - RATE), chance.randrange(12), chance.randrange(36, 90)
        events.append((frame, bytes([0x90 | channel, key, chance.randrange(40, 127)])))
        events.append((frame + chance.randrange(500, RATE), bytes([0x80 | channel, key, 64])))
    for _ in range(notes // 4):
        frame, channel = chance.randrange(1000, end), chance.randrange(12)
        events.append((frame, chance.choice([
            bytes([0xB0 | channel, chance.choice(list(CONTROLLERS)), chance.randrange(128)]),
            bytes([0xE0 | channel, chance.randrange(128), chance.randrange(128)]),
            bytes([0xD0 | channel, chance.randrange(128)]),
            bytes([0xC0 | channel, chance.randrange(112)]),
        ])))
    # An identity request, which has no effect that lasts. Ardour loses SysEx messages before the first note.
    events.append((end // 2, bytes.fromhex("f07e7f0601f7")))
    return sorted(events, key=lambda event: event[0])


# The notes of `onset_song` are this far apart: longer than one sounds.
NOTE_DISTANCE = 16384
NOTE_LENGTH = 8000


def onset_song(cycle):
    """Returns a song of dry notes, and the frames of those that should sound the same.

    Each of 64 notes begins at another offset in cycles of this length and at another offset in blocks of 64 frames. One
    note is played before them.
    """
    events = [(0, bytes([0xB0, 91, 0])), (0, bytes([0xB0, 93, 0])), (0, bytes([0xC0, 115]))]
    frames = [NOTE_DISTANCE]
    for note in range(64):
        frames.append(NOTE_DISTANCE * (note + 2) + note * (cycle // 64) // 64 * 64 + 37 * note % 64)
    for frame in frames:
        events += [(frame, bytes([0x90, 60, 127])), (frame + NOTE_LENGTH, bytes([0x80, 60, 64]))]
    return events, frames[1:]
