#!/usr/bin/env python3
"""Renders a library with Dask, some songs at a time, and prints what came of each, as lines of JSON:

    dask_map.py OUT FOLDER [OPTION of portative render…]

The workers are processes of this machine. For those of others, hand Client another cluster, such as
dask-jobqueue's SLURMCluster, or a scheduler's address; they must see the same folders.
"""

import json
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed

# A call loads the SoundFont once for all its songs; with a worker that is lost, one call is.
SONGS_PER_CALL = 20
ENDINGS = (".mid", ".midi", ".kar", ".rmi", ".smf")


def render(songs, folder, out, options):
    """Renders some songs of a folder, on a worker. Returns a dictionary for each.

    Dask may do this twice, even on two workers at once: equal songs give equal bytes, and files
    appear whole or not at all.
    """
    manifest = "".join(json.dumps({"input": song}) + "\n" for song in songs)
    # One processor, as there is a worker for each.
    call = ["portative", "render", "--json", "--jobs", "1", "--manifest", "-", "-d", out, *options]
    done = subprocess.run(call, cwd=folder, input=manifest, capture_output=True, text=True)
    # 3: some of the songs are unusable, and their results say so. Everything else may be no fault of
    # theirs, and Dask tries again.
    if done.returncode not in (0, 3):
        raise RuntimeError(f"portative render failed with {done.returncode}: {done.stderr}")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return [result for result in told if "song" in result or "error" in result]


def main(out, folder, *options):
    out, folder = Path(out).resolve(), Path(folder).resolve()
    songs = sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix.lower() in ENDINGS
    )
    calls = [songs[i : i + SONGS_PER_CALL] for i in range(0, len(songs), SONGS_PER_CALL)]
    with LocalCluster(threads_per_worker=1) as cluster, Client(cluster) as client:
        futures = client.map(
            render, calls, folder=str(folder), out=str(out), options=options, retries=2
        )
        code = 0
        for future in as_completed(futures):
            for result in future.result():
                print(json.dumps(result), flush=True)
                code = result.get("error", {}).get("exitCode", code)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
