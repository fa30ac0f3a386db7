"""Shards of training data, which dask_shards.py and ray_shards.py make on their workers.

A shard is an .npz file of some songs: for each, its audio and its labels as `portative render --labels FILE.npz` names
them, with a number before each name; `names` has the paths and `errors` what is wrong with songs that failed. A shard that
exists is not made again: a run that was ended continues where it was.
"""

import os
from pathlib import Path

import numpy as np

import portative

SONGS_PER_SHARD = 8


def missing(out, folder):
    """The shards that are still to be made: absolute paths, and the songs of each, relative to the folder."""
    songs = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.mid"))
    shards = {
        os.path.abspath(os.path.join(out, f"{number:05}.npz")): songs[first : first + SONGS_PER_SHARD]
        for number, first in enumerate(range(0, len(songs), SONGS_PER_SHARD))
    }
    return {path: names for path, names in shards.items() if not os.path.exists(path)}


def render_shard(synthesizer, folder, songs, path):
    """Writes a shard, on a worker, and returns its path and what is wrong with songs that failed, as lines.

    A scheduler may do this twice, even at once: the bytes are equal, and appear together.
    """
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
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = f"{path}.{os.getpid()}.partial"
    with open(partial, "wb") as file:
        np.savez(file, names=np.array(songs), errors=np.array(errors), **arrays)
    os.replace(partial, path)
    return "\n".join([path, *(f"{name}: {error}" for name, error in zip(songs, errors) if error)])
