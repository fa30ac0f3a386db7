"""Compares the labels of 500 files of several origins with an independent reader of MIDI files and a tempo map in exact fractions."""

import pathlib
import random
import sys

import pytest
from conftest import FONT, ROOT, SONG

import portative

sys.path.insert(0, str(ROOT / "Tests/Labels"))
import check
import midi

OPENTTD = pathlib.Path("/usr/share/games/openttd/baseset/openmsx")


def by_mido(path, seed):
    mido = pytest.importorskip("mido")
    chance = random.Random(seed)
    file = mido.MidiFile(type=chance.choice([0, 1]), ticks_per_beat=chance.choice([48, 480, 960, 10080]))
    for number in range(1 if file.type == 0 else 4):
        track = file.add_track()
        for _ in range(40):
            if number == 0 and chance.random() < 0.1:
                track.append(mido.MetaMessage("set_tempo", tempo=chance.randint(200_000, 900_000), time=chance.randrange(300)))
            kind = chance.choice(["note_on", "note_on", "note_off"])
            message = mido.Message(kind, channel=number, note=chance.randint(50, 60), velocity=chance.randrange(128))
            track.append(message.copy(time=chance.randrange(200)))
    file.save(path)


def by_pretty_midi(path, seed):
    pretty_midi = pytest.importorskip("pretty_midi")
    chance = random.Random(seed)
    song = pretty_midi.PrettyMIDI(resolution=chance.choice([220, 480]), initial_tempo=chance.uniform(60, 200))
    for program in range(3):
        instrument = pretty_midi.Instrument(10 * program, is_drum=program == 2)
        for _ in range(30):
            start = chance.uniform(0, 6)
            note = pretty_midi.Note(chance.randint(1, 127), chance.randint(40, 80), start, start + chance.uniform(0.01, 1))
            instrument.notes.append(note)
        song.instruments.append(instrument)
    song.write(str(path))


def by_symusic(path, seed):
    symusic = pytest.importorskip("symusic")
    chance = random.Random(seed)
    song = symusic.Score(chance.choice([96, 480]))
    song.tempos.append(symusic.Tempo(0, chance.uniform(60, 200)))
    for program in range(3):
        track = symusic.Track(program=program)
        for _ in range(30):
            track.notes.append(symusic.Note(chance.randrange(3000), chance.randint(1, 500), chance.randint(40, 80), chance.randint(1, 127)))
        song.tracks.append(track)
    song.dump_midi(path)



WRITERS = {"random": check.random_song, "mido": by_mido, "pretty_midi": by_pretty_midi, "symusic": by_symusic}


@pytest.mark.parametrize("origin", WRITERS)
def test_onsets_and_releases_are_those_of_exact_fractions(origin, tmp_path):
    path, notes = tmp_path / "song.mid", 0
    for rate in (16000, 44100, 48000):
        synthesizer = portative.Synthesizer(FONT, rate=rate, reverb=False, chorus=False, tail="exact")
        for seed in range(39):
            WRITERS[origin](path, seed + rate)
            labels = synthesizer.labels(path)
            notes += check.check_onsets(midi.Song(path.read_bytes()), labels.to_dict(), f"{origin} {seed} at {rate}")
    assert notes > 3000


def test_onsets_and_releases_of_songs_of_others_are_those_of_exact_fractions():
    synthesizer = portative.Synthesizer(FONT, rate=8000, reverb=False, chorus=False, tail="exact")
    paths = [SONG, *sorted(OPENTTD.glob("*.mid"))]
    notes = 0
    for path in paths:
        notes += check.check_onsets(midi.Song(path.read_bytes()), synthesizer.labels(path).to_dict(), path.name)
    assert notes > 1000 * len(paths)
