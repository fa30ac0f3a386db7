"""Compares songs that `portative render` changes with an independent calculation, with the audio of every note, and with
changed files.

usage: changes.py PROGRAM FOLDER --soundfont FONT [--random N] [--seconds S] SONG...

Each song is transposed, slowed down or sped up, by parts and from a place within it, at several rates. For each of these
changes:

- The notes are those of the parts played, their keys are moved except in rhythm parts, and their onsets and key releases
  are those of a tempo map in exact fractions.
- Onset and release are as in the stem of each note, of a font that plays a level, and what is not played is silent.
- The audio, with exact and with stock timing, has the bits of a file whose keys, ticks and parts are changed.
"""

import copy
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import floor

import numpy as np

import check
import midi

# Semitones, tempo, parts, beginning, and frames per second.
CHANGES = [
    (-2, "50%", None, None, 48000),
    (7, "96bpm", None, None, 44100),
    (0, "125%", "--mute drums", "seconds", 96000),
    (-2, "96bpm", "--only first", "bar", 48000),
    (7, "125%", "--mute first", None, 44100),
    (-2, "50%", "--only drums", "bar", 96000),
    (7, None, "--mute drums", "seconds", 44100),
    (-2, "125%", "--only first", None, 96000),
    (7, "50%", "--mute first", "seconds", 48000),
]


class Change:
    """What one of the changes means for a song, calculated from its file, and the options for it."""

    def __init__(self, song, transposition, tempo, parts, beginning, rate):
        notes = note_ons(song)
        self.rhythm, self.rate, self.options = song.rhythm_parts(), rate, []
        self.transposition = transposition
        if transposition:
            self.options += ["--transpose", str(transposition)]
        self.speed = Fraction(1)
        if tempo:
            self.options += ["--tempo", tempo]
            self.speed = self.read(tempo, song, notes[0][0])
        channels = self.channels = {event[0] & 15 for _, event in notes}
        if parts and len(channels) > 1:
            option, part = parts.split()
            # A song without rhythm parts, or with nothing else, has a first channel.
            first = notes[0][1][0] & 15
            named = channels & self.rhythm if part == "drums" and 0 < len(channels & self.rhythm) < len(channels) else {first}
            self.channels = named if option == "--only" else channels - named
            self.options += [option, "drums" if named != {first} else str(first + 1)]
        frame = song.frames(rate, self.speed)
        last = notes[-1][0]
        self.start, self.seconds = 0, Fraction(0)
        if beginning == "seconds":
            self.seconds = Fraction(frame(last) * 50 // rate, 100)
            self.start = floor(self.seconds * rate + Fraction(1, 2))
            self.options += ["--from", str(float(self.seconds))]
        elif beginning == "bar":
            number = 5 if song.bar(5) < last else 2
            self.start = frame(song.bar(number))
            self.seconds = Fraction(self.start, rate)
            self.options += ["--from", f"bar{number}"]

    @staticmethod
    def read(tempo, song, first):
        """A speed, to a millionth: a percentage, or a tempo at the first note."""
        if tempo.endswith("%"):
            return Fraction(int(tempo[:-1]), 100)
        at_first = [tempo for tick, tempo in song.tempos() if tick <= first][-1]
        return Fraction(round(Fraction(int(tempo[:-3]) * at_first, 60)), 1_000_000)

    def part(self, seconds):
        """The options for some seconds from the beginning."""
        return [*self.options, "--to", f"{float(self.seconds) + seconds:.6f}"]

    def key(self, event):
        return event[1] + (0 if event[0] & 15 in self.rhythm else self.transposition)

    def played(self, song):
        """The song without the notes of parts that are not played. Their note-offs stay: stock timing ends calls there."""

        def is_played(event):
            return not check.is_on(event) or event[0] & 15 in self.channels

        rest = copy.copy(song)
        rest.tracks = [[(tick, event) for tick, event in events if is_played(event)] for events in song.tracks]
        return rest

    def write(self, song, path):
        """Writes a file that has the changes, or returns `None` if its ticks cannot have the speed."""
        division, scale = song.division * self.speed.numerator, self.speed.denominator
        if division > 32767 or max((events[-1][0] for events in song.tracks if events), default=0) * scale >= 2**28:
            return None

        def changed(event):
            if event[0] & 0xE0 == 0x80 or event[0] & 0xF0 == 0xA0:
                return event[:1] + bytes([self.key(event)]) + event[2:]
            return event

        tracks = self.played(song).tracks
        midi.write(path, division, [[(tick * scale, changed(event)) for tick, event in events] for events in tracks])
        return path


def note_ons(song):
    return [(tick, event) for tick, _, event in song.merged() if event[0] < 0xF0 and check.is_on(event)]


def check_notes(song, change, labels, name):
    """The onsets, the keys, and which notes are labelled. Notes are numbered without those that are not played."""
    played = change.played(song)
    check.compare("the beginning", [labels["start"]], [change.start], [change.options], name)
    check.check_onsets(played, labels, name, change.speed)
    notes, ons, frame = labels["notes"], note_ons(played), song.frames(change.rate, change.speed)
    check.compare("keys", notes["key"], [change.key(ons[n][1]) for n in notes["note"]], notes, name)
    check.compare("channels", notes["channel"], [ons[n][1][0] & 15 for n in notes["note"]], notes, name)
    later = {n for n, (tick, _) in enumerate(ons) if frame(tick) >= change.start}
    missing = later - set(map(int, notes["note"]))
    if missing or len(set(notes["note"])) < len(notes):
        raise check.Failure(f"{name}: of {len(later)} notes, {len(missing)} are not labelled, such as {min(missing, default='none')}")
    return len(notes)


def audio(program, folder, song, rate, *options):
    """The bytes of a render."""
    out = os.path.join(folder, "bits.raw")
    command = [program, "render", "--quiet", "--format", "raw", "--bits", "32f", "--rate", str(rate), "--overwrite", *options, "-o", out, song]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    with open(out, "rb") as file:
        return file.read()


def random_song(path, seed):
    """Writes a song as for the check of labels. In every second one, a GS message makes channel 2 a rhythm part."""
    check.random_song(path, seed)
    if seed % 2:
        with open(path, "rb") as file:
            song = midi.Song(file.read())
        song.tracks[0].insert(0, (0, bytes.fromhex("f04110421240121501 18f7")))
        midi.write(path, song.division, song.tracks)


def check_bits(program, folder, path, changed, change, font, seconds, name):
    """The audio against that of a changed file."""
    for timing in ("exact", "stock"):
        common = ["--timing", timing, "--soundfont", font]
        plain = ["--from", f"{float(change.seconds):.9f}"] if change.start else []
        limit = change.part(seconds)[-2:]
        found = audio(program, folder, path, change.rate, *common, *change.part(seconds))
        expected = audio(program, folder, changed, change.rate, *common, *plain, *limit)
        if found != expected:
            raise check.Failure(f"{name}: with {timing} timing, the audio differs from that of a changed file")


def check_change(program, folder, path, terms, font, level, delays, seconds):
    """The numbers of notes, of notes in the part rendered into stems, compared and all, and of renders with the bits of a
    changed file."""
    with open(path, "rb") as file:
        song = midi.Song(file.read())
    change = Change(song, *terms)
    name = f"{os.path.basename(path)} {' '.join(change.options)} --rate {change.rate}"
    labels, _ = check.render(program, folder, path, "--soundfont", level, *change.options, rate=change.rate)
    count = check_notes(song, change, labels, name)

    plain, apart = os.path.join(folder, "plain.mid"), os.path.join(folder, "apart.mid")
    simple, part = check.write_plain(song, plain), change.part(seconds)
    labels, _ = check.render(program, folder, plain, "--soundfont", level, *part, rate=change.rate)
    numbers = [n for n, (_, event) in enumerate(note_ons(simple)) if event[0] & 15 in change.channels]
    labels["notes"]["note"] = np.array(numbers)[labels["notes"]["note"]]
    check.distribute(simple, labels["notes"], check.is_plain, apart, change.rate, True)
    labels, stems = check.render(program, folder, apart, "--soundfont", level, "--stems", "track", *part, rate=change.rate)
    if len(labels["notes"]) and not stems:
        raise check.Failure(f"{name}: there are notes, but no stems")
    check.check_sound(labels, stems, name)
    heard = check.check_level(labels, stems, delays[change.rate], name)
    for track, stem in stems.items():
        if track not in labels["notes"]["track"] and np.abs(check.samples(stem)).max() >= check.THRESHOLD:
            raise check.Failure(f"{name}: track {track + 1} has no note that is played, but sounds")

    changed = change.write(song, os.path.join(folder, "changed.mid"))
    if changed:
        check_bits(program, folder, path, changed, change, font, seconds, name)
    return count, heard, len(labels["notes"]), 2 if changed else 0


def main():
    options = check.read_options(seconds=10)
    failures, totals = 0, np.zeros(4, int)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        level = os.path.join(folder, "level.sf2")
        check.levelfont.write(level)
        delays = {rate: check.level_delay(options.program, folder, level, rate) for rate in {c[-1] for c in CHANGES}}
        songs = check.songs_of(options, folder, random_song)
        for path in songs:
            for terms in CHANGES:
                try:
                    totals += check_change(options.program, folder, path, terms, options.soundfont, level, delays, options.seconds)
                except check.Failure as failure:
                    failures += 1
                    print(failure, file=sys.stderr)
    print(
        f"{len(songs)} songs in {len(CHANGES)} changes each, {failures} failed: onsets and keys of {totals[0]} notes as in exact "
        f"fractions; onset and release in their own stems of {totals[1]} of {totals[2]} notes; {totals[3]} renders with the bits of "
        "a changed file"
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
