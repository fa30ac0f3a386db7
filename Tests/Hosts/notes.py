"""Checks of the notes of `midi.onset_song`."""

import audio
import midi


def expect_exact_onsets(channels, frames):
    """Fails unless all notes sound the same from their frames on, after silence."""
    windows = {}
    for frame in frames:
        before, after = frame - midi.NOTE_LENGTH // 2, frame + midi.NOTE_LENGTH
        windows.setdefault(tuple(channel[before:after].tobytes() for channel in channels), []).append(frame)
    errors = onset_errors(channels, frames)
    assert None not in errors, "a note is silent"
    # The first sample of the attack is zero.
    assert len(windows) == 1 and set(errors) <= {0, 1}, \
        f"{len(windows)} different notes; first sound {min(errors)} to {max(errors)} frames after the note's frame"
    return f"first sound {errors[0]} frames after the note's frame"


def complete(frames, gaps):
    """Returns the frames of the notes that are recorded completely, with the note before them and its end."""
    return [frame for frame in frames
            if not any(begin < frame + midi.NOTE_LENGTH and end > frame - 2 * midi.NOTE_DISTANCE for begin, end in gaps)]


def onset_errors(channels, frames):
    """Returns for each note how many frames after its frame it sounds at first, or None if it does not."""
    firsts = (audio.first_sound(channels, frame - 4096, frame + midi.NOTE_LENGTH) for frame in frames)
    return [None if first is None else first - frame for first, frame in zip(firsts, frames)]
