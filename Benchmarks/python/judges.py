"""Twelve tasks of a researcher who makes audio from MIDI: each gives a package songs, and judges its samples.

`tasks.py` runs them and says what the answers mean. The first line of a task's documentation is its name in the table.
"""

import random

import numpy as np

import packages
from candidate import RATE, alike, flat, midi, onsets
from compare import RESPECTS, same, write
from judges_of_runs import damaged_files, same_bits, speed


def float_array(candidate):
    """A float array of a MIDI file, stereo, at 16 kHz."""
    package = candidate.make(rate=16000)
    audio = package.render(candidate.song)
    if not candidate.kind.plays_soundfonts:
        return "no: plays plug-ins, no SoundFont" if audio.any() else "no: silence"
    faults = []
    if not flat(audio).any():
        return "no: silence"
    if audio.ndim == 1:
        faults.append("mono")
    if audio.dtype.kind != "f":
        faults.append("16 bits")
    if package.rate != 16000:
        faults.append(f"{package.rate // 1000} kHz only")
    return f"partly: {', '.join(faults)}" if faults else candidate.yes("render")


def exact_onset(candidate):
    """A note on its exact frame."""
    package = candidate.make(candidate.level)
    # A tick is a frame: 10 ms for a quarter of a hundredth of the rate.
    ticks = [4800 + k * (9600 + 1) for k in range(80)]
    events = [(0, b"\xff\x51\x00\x27\x10")]
    for tick in ticks:
        events += [(tick, b"\x90\x3c\x64"), (tick + 2400, b"\x80\x3c\x40")]
    midi.write(candidate.path("a.mid"), package.rate // 100, [events])
    found = onsets(package.render(candidate.path("a.mid")), ticks, package.rate)
    if found is None:
        return "no: silence"
    wrong = max(abs((frame - found[0]) - (tick - ticks[0])) for frame, tick in zip(found, ticks))
    if wrong == 1:
        return "partly: up to 1 frame off"
    return f"no: up to {wrong} frames off" if wrong else candidate.yes("render")


def exact_tempo(candidate):
    """Clicks over ten minutes with 200 tempos, against exact fractions."""
    package = candidate.make(candidate.level)
    chance, tick, first, clicks = random.Random(1), 0, [], []
    for _ in range(200):
        first.append((tick, b"\xff\x51" + chance.randrange(300_000, 900_000).to_bytes(3, "big")))
        clicks.append(tick + 960)
        tick += 5 * 480 + chance.randrange(1, 48)
    second = [event for click in clicks for event in ((click, b"\x90\x3c\x64"), (click + 120, b"\x80\x3c\x40"))]
    midi.write(candidate.path("a.mid"), 480, [first, second])
    with open(candidate.path("a.mid"), "rb") as file:
        place = midi.Song(file.read()).frames(package.rate)
    expected = [place(click) for click in clicks]
    found = onsets(package.render(candidate.path("a.mid")), expected, package.rate)
    if found is None:
        return "no: clicks are missing"
    wrong = max(abs((frame - found[0]) - (tick - expected[0])) for frame, tick in zip(found, expected))
    if not wrong:
        return candidate.yes("render")
    text = f"{wrong} frame{'s' if wrong > 1 else ''}" if wrong <= 64 else f"{wrong / package.rate * 1e3:.0f} ms"
    return f"{'partly' if wrong <= 64 else 'no'}: up to {text} off"


def controllers(candidate):
    """Pedals, bends and their range, volume, expression, pan, modulation, pressure, sends."""
    package = candidate.make()
    ignored, total = [], 0
    for respect, pair in RESPECTS.items():
        if respect.startswith(("tempo", "onset")):
            continue
        total += 1
        for name, events in zip("ab", pair):
            write(candidate.path(f"{name}.mid"), events)
        if same(*(package.render(candidate.path(f"{name}.mid")) for name in "ab")):
            ignored.append(respect.split(" (")[0])
    if not ignored:
        return candidate.yes("render") + ("" if candidate.kind.plays_soundfonts else ": all reach the plug-in")
    if len(ignored) > 5:
        return f"no: ignores {len(ignored)} of {total}"
    return f"partly: ignores {', '.join(ignored)}"


PROGRAMS = [0, 4, 6, 11, 13, 16, 19, 22, 24, 30, 33, 40, 46, 48, 52, 56, 61, 65, 73, 80]


def instruments(candidate, chosen):
    """An object of pretty_midi, or for symusic its own, whose instruments play in turn."""
    if candidate.name == "symusic":
        import symusic

        score = symusic.Score(480)
        score.tempos.append(symusic.Tempo(0, qpm=120))
        for index in chosen:
            track = symusic.Track(program=PROGRAMS[index])
            track.notes.append(symusic.Note(index * 4800, 960, 60, 100))
            score.tracks.append(track)
        return score
    import pretty_midi

    song = pretty_midi.PrettyMIDI()
    for index in chosen:
        instrument = pretty_midi.Instrument(PROGRAMS[index])
        instrument.notes.append(pretty_midi.Note(100, 60, index * 5.0, index * 5.0 + 1))
        song.instruments.append(instrument)
    return song


def many_instruments(candidate):
    """20 instruments of an object of pretty_midi or symusic."""

    def render(chosen):
        song = instruments(candidate, chosen)
        if candidate.has("render_object"):
            return flat(package.render_object(song))
        song.write(candidate.path("a.mid"))
        return flat(package.render(candidate.path("a.mid")))

    if not candidate.kind.plays_soundfonts:
        return "no: by a file of 16 channels"
    package = candidate.make()
    together, wrong = render(range(20)), 0
    for index in range(20):
        place = slice(5 * package.rate * index, 5 * package.rate * index + package.rate)
        wrong += not alike(together[place], render([index])[place])
    if not wrong:
        return candidate.yes("render_object") if candidate.has("render_object") else "yes (glue)"
    return (
        f"no: {wrong} of 20 are wrong" if candidate.has("render_object") else f"no: by a file, {wrong} of 20 are wrong"
    )


def second_port(candidate, package):
    """Whether a channel of a second port has a program of its own."""
    parts = []
    for name, port, other in (("a.mid", [(0, b"\xff\x21\x01")], 0), ("b.mid", [], 1)):
        midi.write(candidate.path(name), 480, [
            [(0, b"\xc0\x00"), (0, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40"), (7680, b"\x90\x3c\x64"), (8640, b"\x80\x3c\x40")],
            [*port, (0, bytes([0xC0 | other, 48])), (3840, bytes([0x90 | other, 60, 100])), (4800, bytes([0x80 | other, 60, 64]))],
        ])  # fmt: skip
        audio = flat(package.render(candidate.path(name)))
        parts.append([audio[second * package.rate : (second + 1) * package.rate] for second in (0, 4, 8)])
    return all(alike(a, b) for a, b in zip(*parts))


def drum_part(candidate, package):
    """Whether a GS message makes channel 11 play percussion."""
    sounds = []
    for channel, message in ((9, []), (10, [(0, b"\xf0\x41\x10\x42\x12\x40\x1a\x15\x02\x0f\xf7")])):
        events = [(0, b"\xf0\x41\x10\x42\x12\x40\x00\x7f\x00\x41\xf7")]
        events += [(48, event) for _, event in message]
        events += [(480, bytes([0x90 | channel, 38, 100])), (960, bytes([0x80 | channel, 38, 64]))]
        midi.write(candidate.path("a.mid"), 480, [events])
        sounds.append(flat(package.render(candidate.path("a.mid"))))
    return alike(*sounds)


def master_volume(candidate, package):
    """Whether a universal message lowers the level of a note."""
    levels = []
    for message in ([], [(0, b"\xf0\x7f\x7f\x04\x01\x00\x20\xf7")]):
        midi.write(candidate.path("a.mid"), 480, [[*message, (480, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40")]])
        levels.append(np.abs(flat(package.render(candidate.path("a.mid")))).max())
    return 0 < levels[1] < levels[0] / 2


def system_messages(candidate):
    """A second port (32 channels), a GS drum part, the master volume."""
    if not candidate.kind.plays_soundfonts:
        return "no: left to the plug-in, with 16 channels"
    package = candidate.make()
    parts = {"ports": second_port, "drum part": drum_part, "master volume": master_volume}
    missing = [name for name, works in parts.items() if not works(candidate, package)]
    if not missing:
        return candidate.yes("render")
    return "no" if len(missing) == len(parts) else f"partly: no {', no '.join(missing)}"


def tracks_by_mido(candidate, package, path):
    """Each track in a file of its own, with the meta messages of all: what a user of a package without tracks does."""
    import mido

    song, audio = mido.MidiFile(path), []
    for track in song.tracks:
        others = [
            mido.MidiTrack(m if m.is_meta else mido.MetaMessage("text", time=m.time) for m in t)
            for t in song.tracks
            if t is not track
        ]
        if any(message.type == "note_on" for message in track):
            mido.MidiFile(type=1, ticks_per_beat=song.ticks_per_beat, tracks=[*others, track]).save(
                candidate.path("alone.mid")
            )
            audio.append(package.render(candidate.path("alone.mid")))
    return audio


def tracks_alone(candidate):
    """Each track alone, and all of them add up to the song."""
    conductor = [(0, b"\xff\x51\x07\xa1\x20"), (960, b"\xff\x51\x06\x1a\x80")]
    tracks = [conductor]
    for channel, program, key in ((0, 0, 60), (1, 48, 67), (2, 33, 36), (9, 0, 38)):
        events = [(0, bytes([0xC0 | channel, program]))]
        for k in range(8):
            events += [
                (480 * k, bytes([0x90 | channel, key + k % 3, 80])),
                (480 * k + 360, bytes([0x80 | channel, key + k % 3, 64])),
            ]
        tracks.append(events)
    midi.write(candidate.path("song.mid"), 480, tracks)
    package = candidate.make()
    if candidate.has("render_tracks"):
        parts, answer = package.render_tracks(candidate.path("song.mid")), candidate.yes("render_tracks")
    else:
        parts, answer = tracks_by_mido(candidate, package, candidate.path("song.mid")), "yes (glue)"
    whole = package.render_sum(candidate.path("song.mid"))
    scale = 1 / 32768 if whole.dtype.kind == "i" else 1
    whole = np.atleast_2d(whole) * scale
    total = np.zeros((len(whole), max(whole.shape[1], *(np.shape(part)[-1] for part in parts))))
    for part in parts:
        total[:, : np.shape(part)[-1]] += np.atleast_2d(part) * scale
    total[:, : whole.shape[1]] -= whole
    # One step of 16 bits for each part is rounding.
    if np.abs(total).max() <= (len(parts) + 1) / 32768:
        return answer
    fault = 20 * np.log10(np.abs(total).max() / np.abs(whole).max())
    return f"{'partly' if fault < -20 else 'no'}: the sum differs by {fault:.0f} dB"


def labels(candidate):
    """Onset, release by the pedal and end of the sound of each note."""
    if not candidate.has("labels"):
        return "no"
    tempos = [(0, b"\xff\x51\x07\xa1\x21"), (777, b"\xff\x51\x05\x16\x15"), (1500, b"\xff\x51\x0b\x16\x15")]
    notes = [(k * 331, k * 331 + 200, 40 + k) for k in range(12)]
    events = [(0, b"\xb0\x40\x7f"), (2000, b"\xb0\x40\x00")]
    for start, end, key in notes:
        events += [(start, bytes([0x90, key, 100])), (end, bytes([0x80, key, 64]))]
    path = candidate.path("a.mid")
    midi.write(path, 480, [tempos, sorted(events, key=lambda event: event[0])])
    with open(path, "rb") as file:
        place = midi.Song(file.read()).frames(RATE)
    package = candidate.make()
    starts, ends, silent = package.labels(path)
    faults = []
    if wrong := np.abs(starts - [place(start) for start, _, _ in notes]).max():
        faults.append(f"onsets up to {wrong:.0f} frames off")
    if np.abs(ends - [place(max(end, 2000)) for _, end, _ in notes]).max() > 1:
        faults.append("no pedal")
    if silent is None:
        faults.append("no end of the sound")
    elif candidate.name == "portative":
        dry = np.abs(packages.PortativeDry(candidate.font, RATE).render(path)).max(axis=0)
        # -90 dB, above which the last note sounds as its label says.
        if silent.max() != 1 + np.flatnonzero(dry >= 10**-4.5)[-1]:
            faults.append("another end of the sound")
    return f"partly: {', '.join(faults)}" if faults else candidate.yes("labels")


def plug_in(candidate):
    """An instrument that is a VST3 plug-in."""
    write(candidate.path("a.mid"), [(480, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40")])
    try:
        package = candidate.kind(candidate.instrument, RATE)
        audio = np.atleast_2d(package.render(candidate.path("a.mid")))
    except Exception:
        return "no"
    # The level of the impulse that the instrument makes of the note-on.
    return candidate.yes("render") if audio.dtype.kind == "f" and audio[-1].max() == 100 / 128 else "no"


TASKS = [
    float_array, exact_onset, exact_tempo, controllers, many_instruments, system_messages, tracks_alone, labels, same_bits, damaged_files,
    speed, plug_in,
]  # fmt: skip
