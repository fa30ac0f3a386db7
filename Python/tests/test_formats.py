"""Rows of datasets, and the programs of "Formats of datasets" in Documentation/Datasets.md with what they write."""

import importlib
import io
import json
import pathlib

import numpy as np
import pytest
from conftest import FONT, GUIDE, SONG, guide_programs, phrase

import portative

FRAMES = 4 * 16000
EXACT = {"tail": "exact"}
# An index that is missing here is that of a song that fails.
SONGS = {
    0: portative.Part([], 0, 4, EXACT),  # without frames and notes: only the types of its arrays tell what they contain
    2: portative.Part(SONG, 2, 6, EXACT),
    3: portative.Part(SONG, 20, 24, {**EXACT, "transpose": np.int64(-2), "tempo": np.float32(0.9)}),
    5: portative.Part([*phrase(), (0.5, 5.0, 90, 100)], 0, 4, EXACT),
    6: portative.Part(phrase(), 0, 4, EXACT),  # ends before the others
}
PARTS = [SONGS.get(index, portative.Part(b"no song")) for index in range(7)]
TABLES = ("notes", "tempos", "beats", "messages")


@pytest.fixture(scope="module")
def renderings():
    with portative.Synthesizer(FONT, rate=16000) as synthesizer:
        return {index: synthesizer.render(song) for index, song in SONGS.items()}


def run(format, needed, folder, monkeypatch):
    """Runs the guide's program of a format with all songs, and returns its names."""
    for package in needed:
        pytest.importorskip(package)
    monkeypatch.chdir(folder)
    rows, *programs = guide_programs()["Formats of datasets"]
    (program,) = (program for program in programs if f"import {format}\n" in program)
    names = {"portative": portative, "np": np, "paths": [], "synthesizer": portative.Synthesizer(FONT, rate=16000)}
    # The first program that needs these imports them.
    names.update({name: importlib.import_module(name) for name in ("io", "itertools", *needed)})
    exec(compile(rows, str(GUIDE), "exec"), names)
    names["parts"] = PARTS
    exec(compile(program, str(GUIDE), "exec"), names)
    return names


def check(row, rendering):
    """What was read has the values of a rendering, also if the types of arrays were lost."""
    assert row["sample_rate"] == 16000 and row["start"] == rendering.labels.start
    assert row["frames"] == rendering.audio.shape[1] == rendering.labels.frames
    for table in TABLES:
        expected = getattr(rendering.labels, table)
        assert set(row[table]) == set(expected.dtype.names)
        assert all(np.array_equal(values, expected[name]) for name, values in row[table].items())
    assert list(row["endings"]) == [ending.name.lower() for ending in portative.Ending]
    assert json.loads(row["texts"]) == rendering.labels.texts
    assert json.loads(row["provenance"]) == rendering.provenance
    assert json.loads(row["options"]) == pytest.approx(rendering.options)


def check_wav(data, rendering):
    import soundfile

    samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    assert rate == 16000 and np.array_equal(samples.T, rendering.audio)


def test_songs_of_the_tests_have_what_datasets_must_bear(renderings):
    notes = [len(rendering.labels.notes) for rendering in renderings.values()]
    assert notes[0] == 0 and len(set(notes)) > 3
    frames = [rendering.audio.shape[1] for rendering in renderings.values()]
    assert frames[0] == 0 and frames[1:4] == [FRAMES] * 3 and 0 < frames[4] < FRAMES
    assert (renderings[2].labels.notes["onset"] < 0).any()
    assert all(renderings[index].audio.any() for index in (2, 3, 5, 6))


def test_rows_have_the_samples_labels_and_options_of_their_renderings(renderings):
    for rendering in renderings.values():
        row = rendering.to_row()
        check(row, rendering)
        assert np.array_equal(row["audio"], rendering.audio)
        assert all(channel.dtype == np.float32 for channel in row["audio"])
        assert type(row["frames"]) is type(row["start"]) is int
        for table in TABLES:
            types = {name: values.dtype for name, values in row[table].items()}
            assert types == {name: kind for name, (kind, _) in getattr(rendering.labels, table).dtype.fields.items()}


def test_rows_of_files_have_the_bytes_that_are_saved(renderings, tmp_path):
    rendering = renderings[2]
    rendering.save(tmp_path / "a.wav")
    assert rendering.to_row("wav")["audio"] == (tmp_path / "a.wav").read_bytes()
    with pytest.raises(ValueError, match="'mp3'"):
        rendering.to_row("mp3")
    pytest.importorskip("soundfile")
    rendering.save(tmp_path / "a.flac")
    assert rendering.to_row("flac")["audio"] == (tmp_path / "a.flac").read_bytes()


def test_rows_without_labels_have_the_audio_and_paths_as_texts(synthesizer):
    rendering = synthesizer.render(phrase(), labels=False, only=pathlib.Path("1"))
    row = rendering.to_row()
    assert set(row) == {"audio", "sample_rate", "frames", "options", "provenance"}
    assert np.array_equal(row["audio"], rendering.audio) and json.loads(row["options"]) == {"only": "1"}


def test_webdataset_reads_back_all_songs_but_those_that_failed(renderings, tmp_path, monkeypatch, capsys):
    names = run("webdataset", ["webdataset", "soundfile"], tmp_path, monkeypatch)
    samples = list(names["webdataset"].WebDataset("parts-000000.tar", shardshuffle=False).decode())
    assert [int(sample["__key__"]) for sample in samples] == list(renderings)
    assert [sample["json"]["index"] for sample in samples] == list(renderings)
    for sample, rendering in zip(samples, renderings.values()):
        check(sample["json"], rendering)
        check_wav(sample["wav"], rendering)
    assert np.array_equal(names["audio"].T, renderings[6].audio)
    assert names["onsets"] == renderings[6].labels.notes["onset"].tolist()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1", "4"]


def test_zarr_reads_back_all_songs_but_those_that_failed(renderings, tmp_path, monkeypatch):
    zarr = run("zarr", ["zarr"], tmp_path, monkeypatch)["zarr"]
    root = zarr.open_group("parts.zarr", mode="r")
    assert root.attrs["provenance"] == renderings[2].provenance
    assert root["audio"].shape == (7, 2, FRAMES)
    assert root["notes"].shape[0] == sum(len(rendering.labels) for rendering in renderings.values())
    for index in range(7):
        first, last = root["spans"][index]
        if index not in renderings:
            assert first == last and not root["audio"][index].any()
            continue
        rendering = renderings[index]
        frames = rendering.audio.shape[1]
        audio, notes = root["audio"][index], root["notes"][first:last]
        assert np.array_equal(audio[:, :frames], rendering.audio) and not audio[:, frames:].any()
        assert root.attrs["fields"] == list(rendering.labels.notes.dtype.names)
        assert len(notes) == len(rendering.labels)
        for column, field in enumerate(root.attrs["fields"]):
            assert np.array_equal(notes[:, column], rendering.labels.notes[field])


def test_parquet_reads_back_all_songs_but_those_that_failed(renderings, tmp_path, monkeypatch):
    names = run("pyarrow.parquet", ["pyarrow.parquet", "soundfile"], tmp_path, monkeypatch)
    table = names["pyarrow"].parquet.read_table("parts.parquet")
    assert table["index"].to_pylist() == list(renderings)
    for row, rendering in zip(table.to_pylist(), renderings.values()):
        check(row, rendering)
        check_wav(row["audio"], rendering)
    # The types are those of the labels, though the first song has no notes.
    fields = {field.name: str(field.type.value_type) for field in table.schema.field("notes").type}
    assert fields == {name: str(portative.NOTE_LABEL[name]) for name in portative.NOTE_LABEL.names}
    assert names["onsets"] == renderings[6].labels.notes["onset"].tolist()


def test_datasets_reads_back_all_songs_but_those_that_failed(renderings, tmp_path, monkeypatch):
    names = run("datasets", ["datasets"], tmp_path, monkeypatch)
    made = names["dataset"]
    assert made["index"][:] == list(renderings)
    for row, rendering in zip(made.with_format("numpy"), renderings.values()):
        check(row, rendering)
        assert row["audio"].dtype == np.float32 and np.array_equal(row["audio"], rendering.audio)
    assert np.array_equal(names["audio"], renderings[0].audio)
    # As files, which the feature Audio describes.
    library = names["datasets"]
    wavs = library.Dataset.from_generator(names["rows"], gen_kwargs={"format": "wav"}, cache_dir="cache")
    wavs = wavs.cast_column("audio", library.Audio(decode=False))
    rendering = renderings[3]
    assert wavs[2]["audio"]["bytes"] == rendering.to_row("wav")["audio"]
