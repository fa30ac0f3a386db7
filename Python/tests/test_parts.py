"""Parts of songs, and options of one song."""

import numpy as np
import pytest
from conftest import FONT, SONG, phrase

import portative


def test_a_part_has_the_samples_of_that_part_of_the_song(synthesizer, demo):
    part = synthesizer.render(SONG, start=7.25, stop=9.5, tail="exact")
    first = int(7.25 * 48000)
    assert np.array_equal(part.audio, demo.audio[:, first : first + part.audio.shape[1]]) and part.duration == 2.25
    assert part.labels.start == first
    inside = demo.labels.notes[(demo.labels.notes["onset"] >= first) & (demo.labels.notes["onset"] < 9.5 * 48000)]
    begun = part.labels.notes[part.labels.notes["onset"] >= 0]
    assert np.array_equal(begun["onset"] + first, inside["onset"]) and np.array_equal(begun["index"], inside["index"])
    # What began before and still sounds.
    earlier = part.labels.notes[part.labels.notes["onset"] < 0]
    assert len(earlier) > 0 and (earlier["silence"] > 0).all()


def test_parts_begin_at_bars_and_beats(synthesizer, demo):
    beats = demo.labels.beats
    for start, bar, beat in (("bar5", 5, 1), ("bar5:3", 5, 3)):
        frame = beats["frame"][(beats["bar"] == bar) & (beats["beat"] == beat)][0]
        assert synthesizer.render(SONG, start=start, stop="bar6").labels.start == frame


@pytest.mark.parametrize("value", [np.float32(1.5), np.float64(1.5), 1.5, "1.5", "0:01.5"])
def test_times_may_be_of_any_type_of_number(synthesizer, value):
    assert synthesizer.render(SONG, start=value, stop=np.int64(2), tail="exact").audio.shape[1] == 24000


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), True, [1], "bar0", "x"])
def test_times_outside_of_songs_are_refused(synthesizer, value):
    with pytest.raises(portative.OptionError):
        synthesizer.render(SONG, start=value)


def test_options_of_a_song_replace_those_of_the_synthesizer(demo):
    made = portative.Synthesizer(FONT, transpose=12, gain=-6)
    assert np.array_equal(made.render(SONG, transpose=0, gain=0, stop=2, tail="exact").audio, demo.audio[:, :96000])
    with pytest.raises(portative.OptionError, match="soundfont"):
        made.render(SONG, soundfont="/none.sf2")
    with pytest.raises(portative.OptionError) as raised:
        made.render(SONG, fade_out=-1)
    assert "fade_out" in str(raised.value) and "--" not in str(raised.value)


def test_messages_name_options_as_python_does_and_files_as_they_are(synthesizer, tmp_path):
    with pytest.raises(portative.SongError, match="more than max_length 2:00: .* raise that limit, or use to$"):
        synthesizer.render([(0, 200, 60, 100)], max_length=120)
    path = tmp_path / "--fade-out.mid"
    path.write_bytes(b"x")
    with pytest.raises(portative.SongError, match="--fade-out.mid"):
        synthesizer.render(path)


def test_numbers_of_numpy_are_options(demo):
    options = {"gain": np.float32(-3), "polyphony": np.int64(64), "reverb": np.bool_(False)}
    plain = portative.Synthesizer(FONT, gain=-3, polyphony=64, reverb=False).render(phrase())
    made = portative.Synthesizer(FONT, rate=np.int64(48000), **options)
    assert np.array_equal(made.render(phrase()).audio, plain.audio) and made.rate == 48000


def test_parts_of_many_songs_are_rendered_in_their_order(synthesizer, demo):
    parts = [portative.Part(SONG, i, i + 0.5, {"tail": "exact"}) for i in range(6)] + [portative.Part(SONG, stop=3, options={"transpose": 12})]
    renderings = synthesizer.render_many(parts, jobs=3)
    assert len(renderings) == 7
    for i, rendering in enumerate(renderings):
        if i < 6:
            assert np.array_equal(rendering.audio, demo.audio[:, 48000 * i : 48000 * i + 24000])
    assert rendering.labels.notes["key"][0] == demo.labels.notes["key"][0] + 12


def test_errors_of_songs_are_returned_with_their_index(synthesizer):
    results = list(synthesizer.render_many([phrase(), b"x", "/none.mid", phrase()], errors="return"))
    assert [type(result) for result in results] == [portative.Rendering, portative.SongError, portative.MissingSongError, portative.Rendering]
    assert [result.index for result in results[1:3]] == [1, 2]
    with pytest.raises(portative.SongError) as raised:
        list(synthesizer.render_many([phrase(), b"x"]))
    assert raised.value.index == 1


def test_other_exceptions_are_not_returned(synthesizer):
    class Broken:
        def read(self):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        list(synthesizer.render_many([phrase(), Broken()], errors="return"))

    def songs():
        yield phrase()
        raise KeyError("songs")

    with pytest.raises(KeyError):
        list(synthesizer.render_many(songs(), errors="return"))


def test_missing_files_are_also_errors_of_the_system(synthesizer, tmp_path):
    with pytest.raises(FileNotFoundError):
        synthesizer.render(tmp_path / "none.mid")
    with pytest.raises(FileNotFoundError):
        portative.Synthesizer(tmp_path / "none.sf2")
    with pytest.raises(portative.SongError) as raised:
        synthesizer.render(tmp_path)
    assert not isinstance(raised.value, FileNotFoundError)


def test_a_closed_synthesizer_says_so():
    with portative.Synthesizer(FONT) as made:
        rendering = made.render(phrase())
    assert rendering.audio.any()
    with pytest.raises(ValueError, match="closed"):
        made.render(phrase())
    made.close()


def test_the_provenance_names_what_determines_the_samples(demo):
    other = portative.Synthesizer(FONT, gain=-3)
    assert demo.provenance["soundFont"]["hash"] == other.provenance["soundFont"]["hash"]
    assert len(demo.provenance["soundFont"]["hash"]) == 32 and demo.provenance["portative"] == portative.__version__
    assert demo.provenance["library"]["version"][0].isdigit() and other.provenance["settings"]["gain"] == -3


def test_a_lead_leaves_labels_and_dry_sound_as_they_are():
    synthesizer = portative.Synthesizer(FONT, rate=44100, stems="channel")
    part, exact = (synthesizer.render(SONG, start=30, stop=31, tail="exact", **options) for options in ({"lead": 2}, {}))
    assert (part.labels.notes == exact.labels.notes).all() and part.audio.shape == exact.audio.shape
    for one, other in zip(part.stems, exact.stems):
        assert (one.audio == other.audio).all() == (one.kind != "wet")
