"""Reads and writes MIDI files, and places ticks on frames with exact fractions: independent of Portative's code."""

from collections import Counter
from fractions import Fraction
from itertools import groupby
from math import ceil, floor


class Song:
    """The events of a file: `tracks` has lists of (tick, bytes), where meta and SysEx bytes keep their first byte."""

    def __init__(self, data):
        if data[:4] != b"MThd":
            raise ValueError("not a MIDI file")
        length = int.from_bytes(data[4:8], "big")
        self.format, count, self.division = (int.from_bytes(data[8 + i : 10 + i], "big") for i in (0, 2, 4))
        if self.division & 0x8000 or self.format == 2:
            raise ValueError("time code and format 2 are not supported here")
        self.tracks = []
        place = 8 + length
        while place + 8 <= len(data) and len(self.tracks) < count:
            size = int.from_bytes(data[place + 4 : place + 8], "big")
            if data[place : place + 4] == b"MTrk":
                self.tracks.append(list(_events(data[place + 8 : place + 8 + size])))
            place += 8 + size

    def merged(self):
        """All events as (tick, track, bytes), in the order of a sequencer.

        The note-off of a note that its track began at an earlier tick comes before the note-ons of its key.
        """
        rows = [(tick, track, i, event) for track, events in enumerate(self.tracks) for i, (tick, event) in enumerate(events)]
        rows = [(tick, track, event) for tick, track, _, event in sorted(rows, key=lambda row: row[:3])]
        earlier, ordered = Counter(), []
        for _, group in groupby(rows, key=lambda row: row[0]):
            begun, first, group_order = Counter(), {}, []
            for index, (tick, track, event) in enumerate(group):
                key = (event[0] & 15, event[1]) if event[0] & 0xE0 == 0x80 else None
                place = (index, 1)
                if key and event[0] & 0x10 and event[2]:
                    first.setdefault(key, index)
                    begun[track, key] += 1
                elif key and earlier[track, key]:
                    earlier[track, key] -= 1
                    place = (first.get(key, index), 0 if key in first else 1)
                elif key and begun[track, key]:
                    begun[track, key] -= 1
                group_order.append((place, index, (tick, track, event)))
            earlier += begun
            ordered += [row for *_, row in sorted(group_order, key=lambda entry: entry[:2])]
        return ordered

    def tempos(self):
        """The tempos in microseconds per quarter note, each with its tick."""
        changes = [(tick, event) for tick, _, event in self.merged() if event[:2] == b"\xff\x51" and len(event) == 5]
        return [(0, 500_000)] + [(tick, int.from_bytes(event[2:5], "big")) for tick, event in changes]

    def frames(self, rate, speed=1):
        """A function from ticks to frames: the nearest frame, the later of two equally near."""
        tempos = self.tempos()
        starts, time = [], Fraction(0)
        for (tick, tempo), (following, _) in zip(tempos, tempos[1:] + [(None, None)]):
            starts.append((tick, time, Fraction(tempo, 1_000_000 * self.division) / speed))
            if following is not None:
                time += (following - tick) * starts[-1][2]

        def frame(tick):
            start, begin, length = [s for s in starts if s[0] <= tick][-1]
            return floor((begin + (tick - start) * length) * rate + Fraction(1, 2))

        return frame

    def bar(self, number):
        """The tick at which a bar begins, counted from 1. A time signature begins a bar."""
        start, first, length = 0, 1, Fraction(4 * self.division)
        for tick, _, event in self.merged():
            if event[:2] == b"\xff\x58":
                bars = ceil((tick - start) / length)
                if first + bars > number:
                    break
                start, first = tick, first + bars
                length = Fraction(event[2] * 4 * self.division, 2 ** event[3])
        return start + (number - first) * length

    def rhythm_parts(self):
        """The channels that play percussion: channel 10, and what GS messages choose before the first note."""
        channels, has_notes = {9}, False
        for _, _, event in self.merged():
            has_notes |= event[0] & 0xF0 == 0x90
            if is_rhythm_part(event):
                if has_notes:
                    raise ValueError("a rhythm part after the first note is not supported here")
                part = event[6] & 15
                channel = 9 if part == 0 else part - 1 if part < 10 else part
                (channels.add if event[8] else channels.discard)(channel)
        return channels


def is_rhythm_part(event):
    """Whether a GS message chooses if a part plays percussion."""
    return len(event) > 8 and event[:2] == b"\xf0\x41" and event[3:6] == b"\x42\x12\x40" and event[6] & 0xF0 == 0x10 and event[7] == 0x15


def _number(data, place):
    value = 0
    while True:
        value = value << 7 | data[place] & 127
        place += 1
        if data[place - 1] < 128:
            return value, place


def _events(data):
    place, tick, status = 0, 0, 0
    while place < len(data):
        delta, place = _number(data, place)
        tick += delta
        if data[place] & 128:
            status = data[place]
            place += 1
        if status == 0xFF:
            kind = data[place]
            length, place = _number(data, place + 1)
            yield tick, bytes([0xFF, kind]) + data[place : place + length]
            place += length
            if kind == 0x2F:
                return
        elif status in (0xF0, 0xF7):
            length, place = _number(data, place)
            yield tick, bytes([status]) + data[place : place + length]
            place += length
        else:
            length = 1 if status & 0xF0 in (0xC0, 0xD0) else 2
            yield tick, bytes([status]) + data[place : place + length]
            place += length


def _encoded(value):
    data = [value & 127]
    while value := value >> 7:
        data.insert(0, value & 127 | 128)
    return bytes(data)


def write(path, division, tracks):
    """Writes a file of format 1. `tracks` has lists of (tick, bytes), sorted by tick."""
    data = b"MThd" + (6).to_bytes(4, "big") + b"".join(n.to_bytes(2, "big") for n in (1, len(tracks), division))
    for events in tracks:
        body, last = b"", 0
        for tick, event in [e for e in events if e[1][:2] != b"\xff\x2f"]:
            body += _encoded(tick - last)
            last = tick
            if event[0] == 0xFF:
                body += event[:2] + _encoded(len(event) - 2) + event[2:]
            elif event[0] in (0xF0, 0xF7):
                body += event[:1] + _encoded(len(event) - 1) + event[1:]
            else:
                body += event
        body += b"\x00\xff\x2f\x00"
        data += b"MTrk" + len(body).to_bytes(4, "big") + body
    with open(path, "wb") as file:
        file.write(data)
