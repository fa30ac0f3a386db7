"""Compares the labels of `portative render` with an independent calculation and with the audio of every note.

usage: check.py PORTATIVE FOLDER [--soundfont FONT] [--random N] [--seconds S] SONG...

For each song: the onset of every note is compared with a tempo map in exact fractions. Then the notes are distributed
over tracks so that each is alone in its stem for as long as it sounds, and what is found in the stem is compared with
the label: its first and last audible frame with the SoundFont given, and with one that plays a level, its onset and
its release.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import levelfont
import midi

RATE = 48000
THRESHOLD = np.float32(3.1622777e-5)
CHOKED, STOLEN, SILENCED, UNMAPPED = 3, 4, 5, 6


def render(program, folder, song, *options, rate=RATE):
    """Renders a song; returns its labels and the stems by track."""
    out = os.path.join(folder, "out.wav")
    shutil.rmtree(os.path.join(folder, "out.stems"), ignore_errors=True)
    command = [program, "render", "--rate", str(rate), "--reverb", "off", "--chorus", "off", "--bits", "32f", "--overwrite"]
    command += ["--labels", os.path.join(folder, "out.npz"), *options, "-o", out, song]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    stems = {}
    if os.path.isdir(os.path.join(folder, "out.stems")):
        for name in sorted(os.listdir(os.path.join(folder, "out.stems"))):
            if name[0].isdigit():
                stems[int(name.split(" ")[0]) - 1] = os.path.join(folder, "out.stems", name)
    return dict(np.load(os.path.join(folder, "out.npz"))), stems


def samples(path):
    """The samples of a float WAV file, as frames × 2."""
    with open(path, "rb") as file:
        head = file.read(4096)
    place = head.index(b"data") + 8
    return np.memmap(path, np.float32, "r", place).reshape(-1, 2)


def is_on(event):
    return event[0] & 0xF0 == 0x90 and event[2] > 0


def is_off(event):
    return event[0] & 0xF0 == 0x80 or event[0] & 0xF0 == 0x90 and event[2] == 0


def distribute(song, notes, keeps, path, rate=RATE, unlabelled=False, limit=127):
    """Writes the song with each note in a track in which it does not meet another note.

    Beyond `limit` tracks, notes share the first. Notes without a label are in the first, or left out.
    """
    merged = song.merged()
    ends = []
    tracks = [[]]
    track_of = {}
    number = 0
    by_number = {int(n["note"]): n for n in notes}
    for tick, _, event in merged:
        if event[0] < 0xF0 and is_on(event):
            note = by_number.get(number)
            number += 1
            place = (event[0] & 15, event[1])
            if note is None:
                track_of[place] = 0
                if unlabelled:
                    tracks[0].append((tick, event))
                continue
            last = max(int(note["silence"]), int(note["sound_release"])) if note["silence"] > -(2**62) else 2**62
            free = [i for i, end in enumerate(ends) if end < note["onset"]]
            if not free and len(ends) == limit:
                track_of[place] = 0
                continue
            if not free:
                ends.append(0)
                tracks.append([])
                free = [len(ends) - 1]
            ends[free[0]] = last + rate // 2
            track_of[place] = 1 + free[0]
            tracks[1 + free[0]].append((tick, event))
        elif event[0] < 0xF0 and is_off(event):
            tracks[track_of.get((event[0] & 15, event[1]), 0)].append((tick, event))
        elif keeps(event):
            tracks[0].append((tick, event))
    midi.write(path, song.division, tracks)


class Failure(Exception):
    pass


def compare(what, found, expected, notes, name):
    found, expected = np.asarray(found), np.asarray(expected)
    wrong = np.nonzero(found != expected)[0]
    if len(wrong):
        i = wrong[0]
        raise Failure(f"{name}: {what} of {len(wrong)} of {len(notes)} notes differ: {found[i]} instead of {expected[i]}: {notes[i]}")


def check_onsets(song, labels, name, speed=1):
    """The onsets and key releases against exact fractions."""
    frame, start = song.frames(int(labels["sample_rate"]), speed), int(labels["start"])
    onsets, releases, down = [], {}, {}
    for tick, _, event in song.merged():
        if event[0] >= 0xF0:
            continue
        place = (event[0] & 15, event[1])
        if is_on(event):
            if place in down:
                releases[down[place]] = frame(tick)
            down[place] = len(onsets)
            onsets.append(frame(tick))
        elif is_off(event) and place in down:
            releases[down.pop(place)] = frame(tick)
        elif event[0] & 0xF0 == 0xB0 and event[1] in (120, *range(123, 128)):
            for other in [p for p in down if p[0] == place[0]]:
                releases[down.pop(other)] = frame(tick)
    notes = labels["notes"]
    if max(notes["note"], default=-1) >= len(onsets):
        raise Failure(f"{name}: note {max(notes['note'])} is labelled, but it has {len(onsets)} notes")
    compare("onsets", notes["onset"], [onsets[n] - start for n in notes["note"]], notes, name)
    some = [i for i, n in enumerate(notes) if int(n["note"]) in releases]
    compare("key releases", notes["key_release"][some], [releases[int(n)] - start for n in notes["note"][some]], notes[some], name)
    return len(notes)


def separate(labels, stems):
    """The notes whose stem is silent before them, and is not used again before they are: (note, audio, end)."""
    notes = labels["notes"]
    for track, path in stems.items():
        audio = samples(path)
        mine = np.sort(notes[notes["track"] == track], order="onset")
        for note, end in zip(mine, np.append(mine["onset"][1:], len(audio))):
            onset = int(note["onset"])
            if onset >= 0 and note["silence"] > -(2**62) and note["silence"] <= end and not audio[max(onset - 64, 0) : onset].any():
                yield note, audio, int(end)


def check_sound(labels, stems, name):
    """The first and last audible frame in each note's own stem."""
    count = 0
    for note, audio, end in separate(labels, stems):
        count += 1
        onset = int(note["onset"])
        audible = np.nonzero(np.abs(audio[onset:end]).max(axis=1, initial=0) >= THRESHOLD)[0]
        if len(audible) == 0:
            compare("silence", [note["silence"]], [onset], [note], name)
        else:
            compare("first audible frame", [note["audible"]], [onset + audible[0]], [note], name)
            compare("silence", [note["silence"]], [onset + audible[-1] + 1], [note], name)
    return count


def check_level(labels, stems, delay, name):
    """The onset and the release in the stem of each note of a font that plays a level."""
    count = 0
    for note, audio, end in separate(labels, stems):
        if note["ending"] in (CHOKED, STOLEN, UNMAPPED) or note["audible"] < -(2**62):
            continue
        count += 1
        onset = int(note["onset"])
        before = max(onset - 64, 0)
        sound = audio[before:end, 0]
        compare("the onset in the stem", [before + int(np.argmax(sound != 0)) - delay], [onset], [note], name)
        # The level is constant from 128 frames on, twice as many above 48 kHz, until the block in which the release begins.
        settled, end = onset + 128 * (1 + (labels["sample_rate"] > RATE)), int(note["silence"])
        if settled + 128 > end:
            continue
        fallen = np.nonzero(audio[settled:end, 0] < audio[settled, 0] * np.float32(0.999))[0]
        falls = settled + int(fallen[0]) if len(fallen) else end
        # FluidSynth lets a note sound for at least 10 ms, unless a message ends all sound.
        release = int(note["sound_release"])
        latest = max(release, onset + int(labels["sample_rate"]) // 100)
        earliest = release if note["ending"] == SILENCED else latest
        if earliest > settled and not earliest <= falls <= latest + 128:
            raise Failure(f"{name}: the sound falls at {falls}, but is released at {release}: {note}")
    return count


def random_song(path, seed):
    """Writes a song of notes, pedals and tempo changes at any ticks."""
    chance = random.Random(seed)
    division = chance.choice([1, 24, 96, 120, 192, 384, 480, 960, 1023, 15360, 32767])
    length = division * 8
    tempo = [(tick, b"\xff\x51" + chance.randint(150_000, 900_000).to_bytes(3, "big")) for tick in sorted(chance.randrange(length) for _ in range(chance.randrange(6)))]
    events = []
    for _ in range(chance.randint(1, 60)):
        tick, channel, key = chance.randrange(length), chance.choice([0, 0, 1, 9]), chance.randint(40, 52)
        events.append((tick, bytes([0x90 | channel, key, chance.randint(1, 127)])))
        events.append((tick + chance.randint(1, max(2, division * 2)), bytes([0x80 | channel, key, 64])))
    for _ in range(chance.randrange(16)):
        number = chance.choice([64, 64, 64, 66, 66, 121, 123, 120])
        events.append((chance.randrange(length), bytes([0xB0 | chance.choice([0, 1]), number, chance.choice([0, 127])])))
    midi.write(path, division, [tempo, sorted(events, key=lambda e: e[0])])


def level_delay(program, folder, font, rate=RATE):
    """The number of silent frames at the beginning of each note."""
    path = os.path.join(folder, "one.mid")
    midi.write(path, 480, [[(0, b"\x90\x3c\x64"), (960, b"\x80\x3c\x40")]])
    _, stems = render(program, folder, path, "--soundfont", font, "--stems", "track", rate=rate)
    return int(np.argmax(samples(stems[0])[:, 0] != 0))


def is_plain(event):
    """Whether an event other than a note chooses when or in which part notes sound, but not how they sound."""
    controllers = (64, 66, 120, 121, 123)
    return event[:2] in (b"\xff\x51", b"\xff\x58") or event[0] & 0xF0 == 0xB0 and event[1] in controllers or midi.is_rhythm_part(event)


def write_plain(song, path):
    """Writes the notes of a song without what changes their level, and returns that song."""
    midi.write(path, song.division, [[e for e in events if e[1][0] & 0xE0 == 0x80 or is_plain(e[1])] for events in song.tracks])
    with open(path, "rb") as file:
        return midi.Song(file.read())


def check(program, folder, path, font, level, delay, seconds):
    name = os.path.basename(path)
    with open(path, "rb") as file:
        song = midi.Song(file.read())
    limits = ["--to", str(seconds)] if seconds else []
    labels, _ = render(program, folder, path, "--soundfont", font)
    notes = check_onsets(song, labels, name)
    labels, _ = render(program, folder, path, "--soundfont", font, *limits)
    apart = os.path.join(folder, "apart.mid")
    distribute(song, labels["notes"], lambda event: True, apart)
    own, stems = render(program, folder, apart, "--soundfont", font, "--stems", "track", *limits)
    heard, labelled = check_sound(own, stems, name), len(own["notes"])
    plain = os.path.join(folder, "plain.mid")
    song = write_plain(song, plain)
    labels, _ = render(program, folder, plain, "--soundfont", level, *limits)
    distribute(song, labels["notes"], is_plain, apart)
    own, stems = render(program, folder, apart, "--soundfont", level, "--stems", "track", *limits)
    check_sound(own, stems, name)
    return notes, heard, labelled, check_level(own, stems, delay, name), len(own["notes"])


def read_options(seconds):
    """Returns the options of the command line; `seconds` is the default of --seconds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--soundfont", required=True)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=seconds)
    parser.add_argument("songs", nargs="*")
    return parser.parse_intermixed_args()


def songs_of(options, folder, write):
    """Returns the songs of the command line, and those that `write` makes of seeds."""
    random = [os.path.join(folder, f"random-{seed}.mid") for seed in range(options.random)]
    for seed, path in enumerate(random):
        write(path, seed)
    return options.songs + random


def main():
    options = read_options(seconds=20)
    failures, totals = 0, np.zeros(5, int)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        level = os.path.join(folder, "level.sf2")
        levelfont.write(level)
        delay = level_delay(options.program, folder, level)
        songs = songs_of(options, folder, random_song)
        for path in songs:
            try:
                totals += check(options.program, folder, path, options.soundfont, level, delay, options.seconds)
            except Failure as failure:
                failures += 1
                print(failure, file=sys.stderr)
    print(
        f"{len(songs)} songs, {failures} failed: {totals[0]} onsets as in exact fractions; as in their own stems, the sound "
        f"of {totals[1]} of {totals[2]} notes, and onset and release of {totals[3]} of {totals[4]} notes of one level"
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
