"""Random changes of songs, and options of the command that make them."""

import numpy as np
import pytest
from conftest import FONT, SONG, phrase

import portative

WHOLE = portative.Augmentation(
    seed=5, transpose=(-3, 3), tempo=(0.9, 1.1), velocity=(0.8, 1.2), gain=(-6, 0), room=(0.1, 0.9), parameters={"chorus.level": (0.5, 2)},
    pan=(-40, 40), programs={"1": ["0:0", "0:40"]}, drop=0.1, jitter=0.01,
)  # fmt: skip


def test_the_same_seed_and_index_draw_the_same_options_and_others_differ():
    assert WHOLE.options(3) == WHOLE.options(3) != WHOLE.options(4)
    assert WHOLE.options(3) != portative.Augmentation(seed=6, transpose=(-3, 3)).options(3)
    # A field that is added does not change the others.
    assert portative.Augmentation(seed=5, transpose=(-3, 3)).options(3)["transpose"] == WHOLE.options(3)["transpose"]


def test_what_is_drawn_fills_its_range():
    drawn = [WHOLE.options(i) for i in range(300)]
    assert {options["transpose"] for options in drawn} == set(range(-3, 4))
    for name, least, greatest in (("tempo", 0.9, 1.1), ("velocity", 0.8, 1.2), ("gain", -6, 0)):
        values = [options[name] for options in drawn]
        assert least <= min(values) < least + 0.1 * (greatest - least) and greatest - 0.1 * (greatest - least) < max(values) <= greatest
    assert {int(pan.split("=")[1]) for options in drawn for pan in options["pan"].split(",")} == set(range(-40, 41))
    assert {options["program"] for options in drawn} == {"1=0:0", "1=0:40"}
    assert len({options["seed"] for options in drawn}) == 300
    assert {WHOLE.choose(i, "abc") for i in range(50)} == set("abc")


def test_labels_are_those_of_the_changed_song(synthesizer, demo):
    augmentation = portative.Augmentation(seed=2, transpose=(5, 5), tempo=(0.5, 0.5), drop=0.25)
    rendering = synthesizer.render(augmentation.part(SONG, 0, stop=20))
    # The song is twice as long.
    written = demo.labels.notes[demo.labels.notes["onset"] < 10 * 48000 - 1]
    notes = rendering.labels.notes
    assert 0.65 * len(written) < len(notes) < 0.85 * len(written)
    by_index = {int(note["index"]): note for note in demo.labels.notes}
    for note in notes:
        old = by_index[int(note["index"])]
        assert note["key"] - old["key"] == (0 if note["channel"] == 9 else 5) and abs(note["onset"] - 2 * old["onset"]) <= 1
    assert rendering.options["transpose"] == 5 and rendering.options["to"] == "20" and rendering.options["drop"] == 0.25


def test_notes_are_moved_with_their_samples():
    dry = portative.Synthesizer(FONT, reverb=False, chorus=False)
    rows = [(0.5 + i, 0.9 + i, 60 + i, 100) for i in range(5)]
    moved = dry.render(rows, jitter=0.05, seed=3)
    shifts = moved.labels.notes["onset"] - [int((0.5 + i) * 48000) for i in range(5)]
    assert len(set(shifts)) == 5 and np.abs(shifts).max() <= 2400 and np.abs(shifts).max() > 100
    exact = [(start + shift / 48000, end + shift / 48000, *rest) for (start, end, *rest), shift in zip(rows, shifts)]
    assert np.array_equal(dry.render(exact).audio[:, : 5 * 48000], moved.audio[:, : 5 * 48000])


def test_a_pan_moves_the_sound_to_its_side():
    synthesizer = portative.Synthesizer(FONT, reverb=False, chorus=False)
    for pan, side in ((-64, 0), (63, 1)):
        options = portative.Augmentation(pan=(pan, pan)).options(0)
        levels = np.abs(synthesizer.render(phrase(), **options).audio).max(axis=1)
        assert levels[side] > 0 and levels[1 - side] < levels[side] / 5


def test_rooms_and_programs_are_played(synthesizer):
    options = WHOLE.options(0)
    rendering = synthesizer.render([(*row, 0) for row in phrase()], **options)
    program = int(options["program"].split(":")[1])
    assert set(rendering.labels.notes["program"]) == {program} and rendering.audio.any()


@pytest.mark.parametrize("field", [{"transpose": (3, -3)}, {"tempo": (0, 1)}, {"gain": (1,)}])
def test_ranges_that_are_none_are_refused(field):
    with pytest.raises(ValueError, match=next(iter(field))):
        portative.Augmentation(**field)
