#!/usr/bin/env python3
"""Renders a folder of songs to shards of training data with Dask:

    shards.py OUT FOLDER SOUNDFONT

A shard is an .npz file of some songs: for each, its audio and its labels as `portative render --labels FILE.npz` names
them, with a number before each name; `names` has the paths and `errors` what is wrong with songs that failed. A shard that
exists is not made again: a run that was ended continues where it was. The workers are processes of this machine; hand
Client the address of a scheduler for those of others, which must see the same folders.
"""

import os
import sys
from pathlib import Path

import numpy as np
from dask.distributed import Client, LocalCluster, as_completed

import portative

SONGS_PER_SHARD = 8


def render_shard(synthesizer, folder, songs, path):
    """Writes a shard, on a worker. Dask may do this twice, even at once: the bytes are equal, and appear together."""
    arrays, errors = {}, []
    for index, name in enumerate(songs):
        try:
            rendering = synthesizer.render(os.path.join(folder, name))
        except portative.SongError as error:
            errors.append(str(error))
            continue
        errors.append("")
        arrays[f"{index}.audio"] = rendering.audio
        arrays.update({f"{index}.{key}": array for key, array in rendering.labels.to_dict().items()})
    partial = f"{path}.{os.getpid()}.partial"
    with open(partial, "wb") as file:
        np.savez(file, names=np.array(songs), errors=np.array(errors), **arrays)
    os.replace(partial, path)
    return path, [f"{name}: {error}" for name, error in zip(songs, errors) if error]


def main(out, folder, soundfont):
    songs = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.mid"))
    os.makedirs(out, exist_ok=True)
    shards = {
        os.path.join(out, f"{number:05}.npz"): songs[first : first + SONGS_PER_SHARD]
        for number, first in enumerate(range(0, len(songs), SONGS_PER_SHARD))
    }
    # It is sent as its options. Each process loads its SoundFont once.
    synthesizer = portative.Synthesizer(os.path.abspath(soundfont), rate=16000)
    with LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        futures = [
            client.submit(render_shard, synthesizer, os.path.abspath(folder), names, os.path.abspath(path), retries=2)
            for path, names in shards.items()
            if not os.path.exists(path)
        ]
        for future in as_completed(futures):
            path, errors = future.result()
            print("\n".join([path, *errors]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
