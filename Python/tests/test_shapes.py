"""Labels and audio in the shapes that other packages take."""

import base64
import io
import re
import wave

import numpy as np
import pytest
from conftest import FONT, SONG, phrase

import portative

ROWS = [(0.1, 0.3, 60, 100), (0.2, 0.4, 64, 50, 3), (1.0, 1.5, 38, 90, 9)]


def test_stems_have_the_numbers_of_their_labels():
    rendering = portative.Synthesizer(FONT, stems="channel").render(SONG)
    for stem in rendering.stems[:-1]:
        notes = rendering.labels.notes[rendering.labels.notes["channel"] == stem.number]
        assert stem.kind == "channel" and stem.port == 0 and len(notes) > 0
        if stem.number != 9:
            assert stem.preset == (notes["bank"][0], notes["program"][0])
        # Before the first note, the stem is silent; in the note, it sounds.
        onset, audible = notes["onset"][0], notes["audible"][0]
        assert not stem.audio[:, :onset].any() and stem.audio[:, audible].any()
        assert rendering.stem("channel", stem.number) is stem
    with pytest.raises(KeyError):
        rendering.stem("channel", 15)


def test_stems_of_one_name_are_apart():
    library = pytest.importorskip("pretty_midi")
    song = library.PrettyMIDI()
    for i in range(3):
        instrument = library.Instrument(program=0, name="wet" if i == 2 else "Piano")
        instrument.notes.append(library.Note(100, 60 + i, i, i + 0.5))
        song.instruments.append(instrument)
    rendering = portative.Synthesizer(FONT, stems="track").render(song)
    assert [(stem.kind, stem.name, stem.number) for stem in rendering.stems] == [
        ("track", "Piano", 1), ("track", "Piano", 2), ("track", "wet", 3), ("wet", "wet", None)
    ]  # fmt: skip
    assert set(rendering.labels.notes["track"]) == {1, 2, 3}


def test_intervals_and_pitches_are_those_of_mir_eval(synthesizer):
    labels = synthesizer.render(ROWS).labels
    assert np.allclose(labels.intervals(), [[0.1, 0.3], [0.2, 0.4], [1.0, 1.5]], atol=1 / 48000)
    assert np.allclose(labels.pitches(), [261.6256, 329.6276, 73.4162], atol=1e-3)
    transcription = pytest.importorskip("mir_eval.transcription")
    for until in ("key_release", "sound_release", "silence"):
        transcription.validate(labels.intervals(until), labels.pitches(), labels.intervals(until), labels.pitches())
        scores = transcription.precision_recall_f1_overlap(labels.intervals(until), labels.pitches(), labels.intervals(until), labels.pitches())
        assert scores == (1, 1, 1, 1)


@pytest.mark.parametrize("start", [0, 3.3, 20, 41.7])
def test_labels_of_parts_are_usable_without_a_thought(synthesizer, start):
    mir_eval = pytest.importorskip("mir_eval")
    part = synthesizer.render(SONG, start=start, stop=start + 1, tail="exact")
    labels = part.labels
    assert labels.frames == 48000 and np.abs(labels.to_columns()["silence"]).max() < 10**9
    for until in ("key_release", "sound_release", "silence"):
        intervals = labels.intervals(until)
        assert len(intervals) == len(labels.pitches()) > 0 and intervals.min() >= 0 and intervals.max() <= 1
        mir_eval.util.validate_intervals(intervals)
        assert labels.piano_roll(100, until=until).shape == (128, 100)
    assert (labels.notes["audible"] <= labels.notes["silence"]).all() and (labels.notes["silence"] <= labels.frames).all()


def test_beats_have_two_conventions():
    mido = pytest.importorskip("mido")
    pretty_midi = pytest.importorskip("pretty_midi")
    file = mido.MidiFile()
    track = mido.MidiTrack()
    track += [
        mido.MetaMessage("set_tempo", tempo=500_000), mido.MetaMessage("time_signature", numerator=6, denominator=8),
        mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=480 * 3),
        mido.MetaMessage("time_signature", numerator=3, denominator=4),
        mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=480 * 3),
        mido.MetaMessage("lyrics", text="la", time=0),
    ]  # fmt: skip
    file.tracks.append(track)
    data = io.BytesIO()
    file.save(file=data)
    labels = portative.Synthesizer(FONT, tail="exact").render(data.getvalue()).labels
    judge = pretty_midi.PrettyMIDI(io.BytesIO(data.getvalue()))
    assert np.allclose(labels.beat_times(), [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5])
    assert np.allclose(labels.beat_times(compound=True), [0, 0.75, 1.5, 2, 2.5])
    assert np.allclose(labels.beat_times(compound=True), judge.get_beats()[:5])
    assert np.allclose(labels.downbeat_times(), judge.get_downbeats()[:2])
    assert labels.lyrics == [(3.0, "la")]


def test_pretty_midi_has_the_notes_as_labelled(synthesizer):
    pytest.importorskip("pretty_midi")
    labels = synthesizer.render(SONG, stop=10).labels
    song = labels.to_pretty_midi("sound_release")
    found = sorted((note.start, note.end, note.pitch, note.velocity) for instrument in song.instruments for note in instrument.notes)
    heard = labels.heard
    expected = sorted(
        (begin, end, int(note["key"]), int(note["velocity"])) for note, (begin, end) in zip(heard, labels.intervals("sound_release"))
    )
    assert found == expected
    assert {(instrument.program, instrument.is_drum) for instrument in song.instruments} == {
        (int(note["program"]), int(note["bank"]) == 128) for note in heard
    }
    again = synthesizer.render(song).labels
    assert np.array_equal(np.sort(again.notes["onset"]), np.sort(heard["onset"]))


def test_jams_are_valid(synthesizer):
    pytest.importorskip("jams")
    file = synthesizer.render(SONG, stop=5).labels.to_jams()
    file.validate(strict=True)
    assert [annotation.namespace for annotation in file.annotations][:3] == ["note_midi", "beat", "tempo"]
    assert len(file.annotations[0].data) == len(synthesizer.render(SONG, stop=5).labels.heard)


def test_tables_have_a_row_for_each_note(synthesizer):
    labels = synthesizer.render(ROWS).labels
    frame = pytest.importorskip("pandas") and labels.to_dataframe()
    table = pytest.importorskip("pyarrow") and labels.to_arrow()
    assert frame["onset"].tolist() == table["onset"].to_pylist() == labels.notes["onset"].tolist()
    assert set(frame.columns) == set(table.column_names) == set(labels.notes.dtype.names)


def test_notes_carry_the_index_of_the_list(synthesizer):
    rows = phrase(50)
    order = np.random.default_rng(3).permutation(50)
    labels = synthesizer.render([rows[i] for i in order]).labels
    assert [rows[order[i]][2] for i in labels.notes["index"]] == labels.notes["key"].tolist()
    assert set(labels.notes["instrument"]) == {-1}
    # Also when others are not played.
    mixed = [(*row, 9 if i % 3 else 0) for i, row in enumerate(rows)]
    drums = synthesizer.render(mixed, only="drums").labels.notes
    assert sorted(drums["index"].tolist()) == [i for i in range(50) if i % 3]


def test_labels_need_no_audio(synthesizer, demo):
    labels = synthesizer.labels(SONG)
    assert np.array_equal(labels.notes, demo.labels.notes) and labels.frames == demo.labels.frames
    with pytest.raises(portative.OptionError, match="timing"):
        synthesizer.labels(SONG, timing="stock")


def test_every_ending_has_a_name_and_saved_labels_have_the_fields_of_the_command(demo, tmp_path):
    assert [ending.name for ending in portative.Ending][-2:] == ["UNMAPPED", "SHARED"]
    demo.save(tmp_path / "a.npz")
    saved = np.load(tmp_path / "a.npz")
    assert set(saved) == {"audio", "notes", "tempos", "beats", "messages", "sample_rate", "start", "frames", "endings"}
    assert saved["endings"].tolist()[-1] == "shared"


def test_files_and_file_objects_receive_the_audio(demo, tmp_path):
    buffer = io.BytesIO()
    demo.save(buffer, format="wav")
    demo.save(tmp_path / "A.WAV")
    assert buffer.getvalue() == (tmp_path / "A.WAV").read_bytes()
    with pytest.raises(ValueError, match="format"):
        demo.save(io.BytesIO())
    soundfile = pytest.importorskip("soundfile")
    demo.save(tmp_path / "a.flac")
    samples, rate = soundfile.read(tmp_path / "a.flac", dtype="float32")
    assert rate == 48000 and np.abs(samples.T - np.clip(demo.audio, -1, 1)).max() < 2**-22


def test_a_notebook_plays_and_shows_a_rendering(synthesizer):
    rendering = synthesizer.render(ROWS)
    html = rendering._repr_html_()
    sound = re.search(r'src="data:audio/wav;base64,([^"]+)"', html)
    with wave.open(io.BytesIO(base64.b64decode(sound[1]))) as file:
        assert file.getnframes() == rendering.audio.shape[1] and file.getnchannels() == 2
    assert html.count("<rect") == 1 + len(ROWS) and "<polygon" in html
    assert "<svg" in synthesizer.render([])._repr_html_()
    assert np.allclose(rendering.mono(), rendering.audio.mean(axis=0), atol=1e-6) and rendering.duration == rendering.audio.shape[1] / 48000
