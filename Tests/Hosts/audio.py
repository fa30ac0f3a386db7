"""Audio files of 32-bit floats. Channels are arrays."""

import array
import struct


def read(path):
    """Returns the channels of a WAV file."""
    data = path.read_bytes()
    at, channels = 12, None
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        if name == b"fmt ":
            code, channels = struct.unpack("<HH", data[at + 8:at + 12])
            if code == 0xFFFE:
                code = struct.unpack("<H", data[at + 32:at + 34])[0]
            assert code == 3, f"{path} has samples of format {code} instead of floats"
        if name == b"data":
            samples = array.array("f", data[at + 8:at + 8 + size])
            return [samples[channel::channels] for channel in range(channels)]
        at += 8 + size + size % 2
    raise AssertionError(f"{path} has no audio")


def read_raw(path, channels):
    """Returns the channels of a file of interleaved samples."""
    samples = array.array("f", path.read_bytes())
    return [samples[channel::channels] for channel in range(channels)]


def is_silent(channels):
    return not any(any(channel) for channel in channels)


def first_difference(channels, others):
    """Returns the first frame at which two recordings have different bits or one has ended, or None."""
    assert len(channels) == len(others), f"{len(channels)} and {len(others)} channels"
    firsts = []
    for channel, other in zip(channels, others):
        # Bytes, as a NaN is not equal to itself and 0 is equal to -0.
        bits, other_bits = channel.tobytes(), other.tobytes()
        if bits != other_bits:
            pairs = zip(array.array("I", bits), array.array("I", other_bits))
            end = min(len(channel), len(other))
            firsts.append(next((frame for frame, (a, b) in enumerate(pairs) if a != b), end))
    return min(firsts, default=None)


def expect_equal(channels, others, what):
    """Fails if two recordings differ in a bit or in length, or if they are silent."""
    assert not is_silent(others), f"{what}: silence"
    frame = first_difference(channels, others)
    if frame is None:
        return
    lengths = len(channels[0]), len(others[0])
    values = [tuple(channel[frame] for channel in side) for side in (channels, others) if frame < len(side[0])]
    differing = sum(a != b for a, b in zip(channels[0], others[0]))
    raise AssertionError(f"{what}: differs from frame {frame} on: {values}; {differing} differ; lengths {lengths}")


def first_sound(channels, start, end):
    """Returns the first frame of a range with a sample other than zero, or None."""
    return next((frame for frame in range(start, min(end, len(channels[0]))) if any(c[frame] for c in channels)), None)


def onsets(channel):
    """Returns the frames on which sound begins after silence."""
    found, silence = [], 1000
    for frame, sample in enumerate(channel):
        if sample and silence >= 1000:
            found.append(frame)
        silence = 0 if sample else silence + 1
    return found
