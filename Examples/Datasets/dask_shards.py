#!/usr/bin/env python3
"""Renders a folder of songs to shards of training data (shards.py) with Dask:

    dask_shards.py OUT FOLDER SOUNDFONT

The workers are processes of this machine; hand Client the address of a scheduler for those of others, which must see the
same folders.
"""

import os
import sys

from dask.distributed import Client, LocalCluster, as_completed

import portative
import shards


def main(out, folder, soundfont):
    # It is sent as its options, with which a worker makes its own.
    synthesizer = portative.Synthesizer(os.path.abspath(soundfont), rate=16000)
    with LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.upload_file(shards.__file__)
        futures = [
            client.submit(shards.render_shard, synthesizer, os.path.abspath(folder), songs, path, retries=2)
            for path, songs in shards.missing(out, folder).items()
        ]
        for future in as_completed(futures):
            print(future.result(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
