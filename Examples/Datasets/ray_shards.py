#!/usr/bin/env python3
"""Renders a folder of songs to shards of training data (shards.py) with Ray:

    ray_shards.py OUT FOLDER SOUNDFONT

The workers are processes of this machine, or of the cluster that RAY_ADDRESS names, which must see the same folders. Ray
repeats the shard of a worker that is killed.
"""

import os
import sys

import ray

import portative
import shards


def main(out, folder, soundfont):
    # Without an address, Ray would look for a cluster that was started on this machine, and wait for one that has ended.
    ray.init(os.environ.get("RAY_ADDRESS", "local"), runtime_env={"py_modules": [shards.__file__]})
    # It is sent once, as its options, with which a worker makes its own.
    synthesizer = ray.put(portative.Synthesizer(os.path.abspath(soundfont), rate=16000))
    render_shard = ray.remote(max_retries=2)(shards.render_shard)
    waiting = [
        render_shard.remote(synthesizer, os.path.abspath(folder), songs, path)
        for path, songs in shards.missing(out, folder).items()
    ]
    while waiting:
        done, waiting = ray.wait(waiting)
        print(ray.get(done[0]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
