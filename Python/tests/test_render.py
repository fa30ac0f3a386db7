import io
import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import FONT, ROOT, SONG, phrase

import portative


def test_the_samples_are_those_of_the_command(demo, tmp_path, program):
    raw = tmp_path / "demo.raw"
    labels = tmp_path / "demo.npz"
    subprocess.run(
        [program, "render", "--soundfont", FONT, "--raw", "--bits", "32f", "--labels", labels, "--label-messages", "-o", raw, SONG],
        check=True, capture_output=True,
    )  # fmt: skip
    audio = np.fromfile(raw, np.float32).reshape(-1, 2).T
    assert np.array_equal(audio, demo.audio)
    written = np.load(labels)
    assert written["frames"] == demo.audio.shape[1]
    for name in ("notes", "tempos", "beats", "messages"):
        mine = getattr(demo.labels, name)
        assert len(written[name]) == len(mine) > 0
        for field in written[name].dtype.names:
            assert np.array_equal(written[name][field], mine[field]), (name, field)


def test_onsets_are_the_nearest_frames_of_the_times(synthesizer):
    notes = phrase(200)
    labels = synthesizer.render(notes).labels
    expected = sorted(int(np.floor(start * 48000 + 0.5)) for start, *_ in notes)
    assert labels.notes["onset"].tolist() == expected


def test_a_note_is_in_the_audio_from_its_onset_on(synthesizer):
    dry = portative.Synthesizer(FONT, reverb=False, chorus=False)
    alone = dry.render([(0, 0.2, 60, 100)]).audio
    for frame in (1, 63, 64, 1000, 47999):
        audio = dry.render([(frame / 48000, frame / 48000 + 0.2, 60, 100)]).audio
        assert not audio[:, :frame].any()
        length = 48 * 100
        assert np.array_equal(audio[:, frame : frame + length], alone[:, :length])


def test_paths_bytes_and_objects_give_the_same_samples(synthesizer, demo):
    data = SONG.read_bytes()
    for song in (str(SONG), data, bytearray(data), memoryview(data)):
        assert np.array_equal(synthesizer.render(song).audio, demo.audio)


def test_mido_objects_give_the_samples_of_their_file(synthesizer, demo):
    mido = pytest.importorskip("mido")
    assert np.array_equal(synthesizer.render(mido.MidiFile(SONG)).audio, demo.audio)


def sorted_notes(labels):
    return np.sort(labels.notes, order=["onset", "key", "program"])


@pytest.mark.parametrize("module", ["pretty_midi", "symusic"])
def test_objects_that_were_read_give_the_samples_of_their_file(synthesizer, demo, module):
    library = pytest.importorskip(module)
    rendering = synthesizer.render(library.PrettyMIDI(str(SONG)) if module == "pretty_midi" else library.Score(str(SONG)))
    assert np.array_equal(rendering.audio, demo.audio)
    assert np.abs(rendering.labels.beats["frame"] - demo.labels.beats["frame"]).max() <= 1
    names = [text["text"] for text in rendering.labels.texts if text.get("kind") == "trackName"]
    assert {"Bass", "Harp", "Flute"} <= set(names)


@pytest.mark.parametrize("rate", [44100, 48000, 22050])
def test_times_of_objects_are_not_rounded_to_ticks(rate):
    library = pytest.importorskip("pretty_midi")
    song = library.PrettyMIDI(resolution=24, initial_tempo=33)
    chance = np.random.default_rng(rate)
    for i in range(40):
        instrument = library.Instrument(program=i)
        # Each on a key of its own, so that none ends another.
        for key, (start, end, _, velocity) in enumerate(phrase(10, i), start=50):
            instrument.notes.append(library.Note(velocity, key, start, end))
        instrument.control_changes.append(library.ControlChange(10, 64, chance.uniform(0, 2)))
        instrument.pitch_bends.append(library.PitchBend(-8192, chance.uniform(0, 2)))
        song.instruments.append(instrument)
    labels = portative.Synthesizer(FONT, rate=rate).render(song).labels
    assert len(labels) == 400
    for label in labels.notes:
        note = song.instruments[label["instrument"]].notes[label["index"]]
        assert (label["key"], label["velocity"], label["program"]) == (note.pitch, note.velocity, label["instrument"])
        assert label["onset"] == np.floor(note.start * rate + 0.5) and label["key_release"] == np.floor(note.end * rate + 0.5)
    for message in labels.messages[labels.messages["status"] & 0xF0 == 0xB0]:
        change = song.instruments[message["track"] - 1].control_changes[0]
        assert message["frame"] == np.floor(change.time * rate + 0.5)


@pytest.mark.parametrize("unit", ["tick", "quarter", "second"])
def test_scores_in_each_unit_are_played(unit):
    library = pytest.importorskip("symusic")
    score = library.Score(480)
    score.tempos.append(library.Tempo(0, qpm=60))
    score.tempos.append(library.Tempo(960, qpm=120))
    track = library.Track(program=5)
    for tick in (0, 480, 960, 1440):
        track.notes.append(library.Note(tick, 240, 60, 100))
    track.pedals.append(library.Pedal(0, 480))
    score.tracks.append(track)
    labels = portative.Synthesizer(FONT, rate=8000).render(score.to(unit)).labels
    assert labels.notes["onset"].tolist() == [0, 8000, 16000, 20000] and set(labels.notes["program"]) == {5}
    assert labels.notes["sound_release"].tolist() == [8000, 12000, 18000, 22000]
    assert [(beat["frame"], beat["beat"]) for beat in labels.beats[:4]] == [(0, 1), (8000, 2), (16000, 3), (20000, 4)]


@pytest.mark.parametrize("module", ["mido", "pretty_midi"])
def test_objects_of_classes_that_inherit_are_played(synthesizer, demo, module):
    library = pytest.importorskip(module)
    name = "MidiFile" if module == "mido" else "PrettyMIDI"
    own = type("Own", (getattr(library, name),), {})
    assert np.array_equal(synthesizer.render(own(str(SONG))).audio, demo.audio)


def test_open_files_give_the_samples_of_their_bytes(synthesizer, demo):
    with open(SONG, "rb") as file:
        assert np.array_equal(synthesizer.render(file).audio, demo.audio)
    with open(SONG, encoding="latin-1") as file, pytest.raises(portative.SongError, match="'rb'"):
        synthesizer.render(file)
    with pytest.raises(portative.SongError, match="MIDI file"):
        synthesizer.render(io.BytesIO(b"MThd"))


def test_tables_of_notes_are_played(synthesizer):
    pandas = pytest.importorskip("pandas")
    rows = phrase()
    table = pandas.DataFrame(rows, columns=["start", "end", "key", "velocity"])
    assert np.array_equal(synthesizer.render(table).audio, synthesizer.render(rows).audio)


def programs(module, count):
    """A song of an instrument for each program, of which each plays alone for a second."""
    library = pytest.importorskip(module)
    if module == "pretty_midi":
        song = library.PrettyMIDI()
        for i in range(count):
            instrument = library.Instrument(program=i % 128, is_drum=i == 3)
            instrument.notes.append(library.Note(100, 60, i, i + 0.5))
            song.instruments.append(instrument)
        return song
    song = library.Score(480)
    for i in range(count):
        track = library.Track(program=i % 128, is_drum=i == 3)
        track.notes.append(library.Note(960 * i, 480, 60, 100))
        song.tracks.append(track)
    return song


@pytest.mark.parametrize("module", ["pretty_midi", "symusic"])
@pytest.mark.parametrize("count", [15, 40])
def test_each_instrument_of_an_object_plays_its_own_program(synthesizer, module, count):
    labels = synthesizer.render(programs(module, count)).labels
    # The SoundFont has one kit, which plays those that it lacks.
    assert labels.notes["program"].tolist() == [0 if i == 3 else i for i in range(count)]
    assert set(labels.notes["port"]) == set(range(-(-count // 15)))
    drums = labels.notes["channel"] == 9
    assert drums.tolist() == [i == 3 for i in range(count)]


def test_drum_instruments_do_not_end_each_other(synthesizer):
    library = pytest.importorskip("pretty_midi")
    song = library.PrettyMIDI()
    for i in range(3):
        drums = library.Instrument(program=0, is_drum=True)
        drums.notes.append(library.Note(100, 38, 0.001 * i, 0.5))
        song.instruments.append(drums)
    labels = synthesizer.render(song).labels
    assert labels.notes["port"].tolist() == [0, 1, 2] and set(labels.notes["ending"]) == {portative.Ending.RELEASED}


def test_more_instruments_than_ports_are_refused_with_the_limit(synthesizer):
    with pytest.raises(portative.SongError, match="128"):
        synthesizer.render(programs("pretty_midi", 15 * 128 + 2))


def test_stems_add_up_to_the_audio():
    rendering = portative.Synthesizer(FONT, stems="channel").render(SONG)
    assert len(rendering.stems) > 3 and rendering.stems[-1].kind == "wet"
    total = np.sum([stem.audio for stem in rendering.stems], axis=0, dtype=np.float64)
    assert np.abs(total - rendering.audio).max() < 1e-6


def test_superposition_the_notes_add_up_to_the_dry_stem():
    notes = [*phrase(30), *((start + 2.1, end + 2.1, *rest) for start, end, *rest in phrase(30))]
    rendering = portative.Synthesizer(FONT, stems="note").render(notes)
    assert [stem.kind for stem in rendering.stems] == ["dry", "wet"] and len(rendering.notes) == len(rendering.labels) == 60
    # As the engine adds: in units of 2^-40, so that no addition rounds.
    total = np.zeros(rendering.audio.shape, np.int64)
    for note, sound in zip(rendering.labels.notes, rendering.notes):
        part = sound[:, : total.shape[1] - note["onset"]]
        total[:, note["onset"] : note["onset"] + part.shape[1]] += np.rint(part.astype(np.float64) * 2.0**40).astype(np.int64)
    assert np.array_equal((total * 2.0**-40).astype(np.float32), rendering.stems[0].audio) and total.any()
    dry = portative.Synthesizer(FONT, reverb=False, chorus=False)
    start, end, key, velocity = notes[7]
    alone = dry.render([(0, end - start, key, velocity)]).audio
    index = int(np.nonzero(rendering.labels.notes["onset"] == int(start * 48000 + 0.5))[0][0])
    # Before the key is released, which is on the note's own grid.
    frames = int((end - start) * 48000) - 64
    assert np.array_equal(rendering.notes[index][:, :frames], alone[:, :frames])


def test_blocks_are_the_parts_of_the_audio(synthesizer, demo):
    for frames in (1, 1000, 4096, 100_000):
        blocks = []
        for block in synthesizer.blocks(SONG, frames):
            blocks.append(block)
            if sum(b.shape[1] for b in blocks) > 200_000 or len(blocks) > 2000:
                break
        audio = np.concatenate(blocks, axis=1)
        assert np.array_equal(audio, demo.audio[:, : audio.shape[1]])
    assert sum(b.shape[1] for b in synthesizer.blocks(SONG)) == demo.audio.shape[1]


def test_out_receives_the_audio_and_zeros(synthesizer, demo):
    frames = demo.audio.shape[1]
    for length in (1, 100_000, frames, frames + 50_000):
        out = np.full((2, length), 9, np.float32)
        rendering = synthesizer.render(SONG, out=out)
        count = min(length, frames)
        assert rendering.audio is out
        assert np.array_equal(out[:, :count], demo.audio[:, :count]) and not out[:, count:].any()
        # The song ends with the array, as do its labels and its report.
        assert rendering.labels.frames == rendering.report["frames"] == count
        expected = demo.labels.notes[demo.labels.notes["onset"] < length]
        for name in ("onset", "key", "program", "index"):
            assert np.array_equal(rendering.labels.notes[name], expected[name])
        assert np.array_equal(rendering.labels.notes["silence"], np.minimum(expected["silence"], count))


@pytest.mark.parametrize(
    "out", [np.zeros((2, 9)), np.zeros((3, 9), np.float32), np.zeros(9, np.float32), np.zeros((9, 2), np.float32).T, [1.0], np.zeros((2, 18), np.float32)[:, ::2]]
)
def test_unusable_arrays_are_refused(synthesizer, out):
    with pytest.raises(ValueError, match="out must"):
        synthesizer.render(SONG, out=out)


@pytest.mark.parametrize(
    ("song", "message"),
    [
        (b"", "MIDI file"), (b"MThd" + bytes(9), "MIDI file"), ("/none.mid", "No such file"), (7, "type int"), (None, "NoneType"),
        ([(0, float("nan"), 60, 1)], "0 to 86400 seconds"), ([(-1, 1, 60, 1)], "0 to 86400 seconds"),
        ([(float("inf"), 1, 60, 1)], "0 to 86400"), ([(1, 1, 60, 1)], "after its start"), ([(0, 1, 128, 1)], "0 to 127"),
        ([(0, 1, 60, 0)], "1 to 127"), ([(0, 1, 60, 1, 16)], "0 to 15"), ([(0, 1, 60.5, 1)], "whole numbers"),
        ([(0, 1, float("nan"), 1)], "whole numbers"), ([(0, 1, "x", 1)], "numbers"), ([5], "must be (start"),
        (np.zeros((2, 2), [("start", "f8"), ("end", "f8"), ("key", "i4"), ("velocity", "i4")]), "one dimension"),
        (np.zeros(2, [("start", "f8")]), "needs the fields"),
    ],
)  # fmt: skip
def test_unusable_songs_are_refused(synthesizer, song, message):
    with pytest.raises(portative.SongError) as raised:
        synthesizer.render(song)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rate": 7999}, portative.OptionError), ({"gain": float("nan")}, portative.OptionError), ({"tune": 1}, portative.OptionError),
        ({"stems": "notes"}, portative.OptionError), ({"bits": 16}, portative.OptionError), ({"gain": [1]}, portative.OptionError),
        ({"soundfont": __file__}, portative.SoundFontError), ({"soundfont": "/none.sf2"}, portative.SoundFontError),
    ],
)  # fmt: skip
def test_unusable_options_are_refused(options, error):
    with pytest.raises(error) as raised:
        portative.Synthesizer(**({"soundfont": FONT} | options))
    assert len(str(raised.value)) > 20


@pytest.mark.parametrize(("library", "reason"), [("/none.so", "no such file"), ("libm.so.6", "another version")])
def test_a_library_that_cannot_be_used_is_an_error_with_the_remedy(library, reason):
    code = f"""
import os, portative
from portative import host
for name, call in (("PORTATIVE_RENDER_LIBRARY", portative.Synthesizer), ("PORTATIVE_LIBRARY", host.ports)):
    os.environ[name] = {library!r}
    try: call()
    except portative.LibraryError as error: assert {reason!r} in str(error) and name in str(error), error
    else: raise SystemExit("no error")
"""
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_an_empty_song_is_empty(synthesizer):
    rendering = synthesizer.render([])
    assert rendering.audio.shape == (2, 0) and len(rendering.labels) == 0


def test_a_song_without_tempo_has_no_beats(synthesizer):
    labels = synthesizer.render(phrase()).labels
    assert len(labels.beats) == len(labels.tempos) == 0


def test_songs_are_changed_as_by_the_command(demo):
    changed = portative.Synthesizer(FONT, transpose=-2, mute="drums", velocity=0.5).render(SONG).labels.notes
    played = demo.labels.notes[demo.labels.notes["channel"] != 9]
    assert len(played) < len(demo.labels.notes)
    assert np.array_equal(changed["onset"], played["onset"])
    assert np.array_equal(changed["key"] + 2, played["key"])
    assert np.array_equal(changed["velocity"], np.maximum(1, np.floor(played["velocity"] * 0.5 + 0.5)))


def test_a_range_of_bars_at_half_the_speed_has_twice_the_frames(demo):
    part = portative.Synthesizer(FONT, from_="bar5", to="bar7", tempo=0.5, fade_out=0.5).render(SONG)
    bars = demo.labels.beats[demo.labels.beats["beat"] == 1]["frame"]
    assert abs(part.audio.shape[1] - 2 * (bars[6] - bars[4])) <= 1
    assert np.abs(part.audio[:, -1]).max() < 1e-4


def test_stock_timing_has_no_labels():
    assert portative.Synthesizer(FONT, timing="stock").render(phrase()).labels is None


def test_synthesizers_pickle_as_their_options(synthesizer):
    other = pickle.loads(pickle.dumps(portative.Synthesizer(FONT, rate=22050, gain=-3, reverb=False)))
    assert other.rate == 22050 and "gain=-3" in repr(other)
    rendering = pickle.loads(pickle.dumps(other.render(phrase())))
    assert np.array_equal(rendering.audio, other.render(phrase()).audio)


def test_saved_files_have_the_samples(demo, tmp_path):
    demo.save(tmp_path / "a.wav")
    data = (tmp_path / "a.wav").read_bytes()
    assert np.array_equal(np.frombuffer(data[58:], np.float32).reshape(-1, 2).T, demo.audio)
    demo.save(tmp_path / "a.npz")
    saved = np.load(tmp_path / "a.npz")
    assert np.array_equal(saved["audio"], demo.audio) and np.array_equal(saved["notes"], demo.labels.notes)
    with pytest.raises(ValueError, match="wav, npz or flac"):
        demo.save(tmp_path / "a.mp3")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.npz", "a.wav"]


def test_the_piano_roll_has_the_notes(synthesizer):
    labels = synthesizer.render([(0.1, 0.3, 60, 100), (0.2, 0.4, 64, 50)]).labels
    roll = labels.piano_roll(100)
    assert roll.shape[0] == 128 and roll[60, 10:30].tolist() == [100] * 20 and roll[60, 30] == 0 and roll[64, 20] == 50
    assert (labels.piano_roll(100, until="silence")[60] > 0).sum() > 20


def test_what_progress_raises_ends_the_rendering(synthesizer):
    class Stop(Exception):
        pass

    def stop(seconds):
        raise Stop

    with pytest.raises(Stop):
        synthesizer.render(SONG, progress=stop)


def test_a_missing_library_is_explained():
    code = "import portative\ntry: portative.Synthesizer()\nexcept portative.LibraryError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PORTATIVE_RENDER_LIBRARY": "/none.so", "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])},
    )  # fmt: skip
    assert "libfluidsynth3" in done.stdout


def test_the_options_of_songs_are_those_of_the_command(program):
    text = (pathlib.Path(portative.__file__).parent / "_options.py").read_text()
    fields = re.search(r"class Options.*?\n\n(.*?)\n\n", text, re.DOTALL).group(1)
    known = {"--" + name.removesuffix("_").replace("_", "-") for name in re.findall(r"^ +(\w+): ", fields, re.MULTILINE)}
    help = subprocess.run([program, "render", "--help"], check=True, capture_output=True, text=True).stdout
    offered = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help, re.MULTILINE))
    # Those of files, of lists of songs and of other instruments.
    others = """--align --beside --bits --compare --dereference --directory --dry-run --effect --format --help --image --image-style --instrument --jobs --json
        --labels --manifest --max-stall --merge --no-one-file-system --normalize --output --overwrite --quiet --rate --raw --refuse --report
        --resume --shard --soundfont --strict --verbose"""
    assert known == offered - set(others.split())
