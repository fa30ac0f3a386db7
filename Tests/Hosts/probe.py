"""What the probe (probe.lv2) sends to its outputs."""

import array

PROBE = "urn:portative:test:probe"


def expect_signal(channels, frames_of_messages):
    """Fails unless the recording has the messages on these frames, and all bits of the noise from the first one on."""
    left, right = channels
    found = [frame for frame, sample in enumerate(left) if sample]
    expected = sorted({frame for frame in frames_of_messages if frame < len(left)})
    wrong = sorted(set(found) ^ set(expected))
    assert not wrong, f"messages are missing or in other places: {len(wrong)} frames, from {wrong[:5]} on"
    begin = expected[0]
    assert not any(right[:begin]), "noise before the first message"
    noise = array.array("I", map(_noise, range(len(right) - begin)))
    bits = array.array("I", right[begin:].tobytes())
    assert bits == noise, "the noise has other bits"


def _noise(frame):
    bits = (frame * 0x9E3779B97F4A7C15 + 0x7F4A7C15) & 0xFFFFFFFFFFFFFFFF
    bits ^= bits >> 29
    bits = bits * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    bits ^= bits >> 32
    return bits & 0x807FFFFF | 1 + (bits >> 33) % 128 << 23
