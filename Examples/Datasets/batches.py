#!/usr/bin/env python3
"""Feeds a training loop with pieces of songs that two processes render meanwhile:

    batches.py SOUNDFONT SONG.mid...

A batch is a pair of arrays: audio, float32 (pieces, 2, frames), and the keys that sound, bool (pieces, 128, columns).
A loader of another library works in the same way: the synthesizer may be given to its workers, whichever way it starts
them, and each loads the SoundFont once.
"""

import collections
import concurrent.futures
import multiprocessing
import random
import sys

import numpy as np

import portative

SECONDS = 4
COLUMNS_PER_SECOND = 50


def pieces(synthesizer, path):
    """Renders a song, and cuts it into pieces of equal length."""
    rendering = synthesizer.render(path)
    keys = rendering.labels.piano_roll(COLUMNS_PER_SECOND, until="sound_release") > 0
    frames, columns = SECONDS * rendering.rate, SECONDS * COLUMNS_PER_SECOND
    count = rendering.audio.shape[1] // frames
    return [
        (rendering.audio[:, i * frames : (i + 1) * frames], keys[:, i * columns : (i + 1) * columns])
        for i in range(count)
    ]


def batches(paths, synthesizer, *, size=8, workers=2, method="spawn", seed=0):
    """Yields batches of `size` pieces, in an order that the seed determines. At most two songs per worker wait."""
    shuffled = random.Random(seed).sample(list(paths), len(paths))
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(workers, context) as pool:
        waiting = collections.deque(pool.submit(pieces, synthesizer, path) for path in shuffled[: 2 * workers])
        kept = []
        for index in range(len(shuffled)):
            kept += waiting.popleft().result()
            if index + 2 * workers < len(shuffled):
                waiting.append(pool.submit(pieces, synthesizer, shuffled[index + 2 * workers]))
            while len(kept) >= size:
                audio, keys = zip(*kept[:size])
                del kept[:size]
                yield np.stack(audio), np.stack(keys)


if __name__ == "__main__":
    made = portative.Synthesizer(sys.argv[1], rate=16000)
    for audio, keys in batches(sys.argv[2:], made):
        # A training step.
        print(f"audio {audio.shape}, level {np.sqrt(np.mean(audio**2)):.3f}; keys {keys.shape}, {keys.mean():.1%} sound")
