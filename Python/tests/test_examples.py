"""The programs of Examples/Datasets."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import FONT, ROOT, SONG

import portative

EXAMPLES = ROOT / "Examples/Datasets"
pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="without the examples")


def run(name, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])}
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, timeout=280, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_batches_have_the_samples_and_keys_of_their_songs(method):
    spec = importlib.util.spec_from_file_location("batches", EXAMPLES / "batches.py")
    example = importlib.util.module_from_spec(spec)
    sys.modules["batches"] = example
    spec.loader.exec_module(example)
    synthesizer = portative.Synthesizer(FONT, rate=8000)
    expected = example.pieces(synthesizer, SONG)
    if method == "spawn":
        # A worker that is spawned finds the functions of the program that runs, which here is the test.
        lines = run("batches.py", FONT, SONG)
        assert len(lines) == len(expected) // 8 and "keys (8, 128, 200)" in lines[0]
        return
    made = list(example.batches([SONG] * 3, synthesizer, size=4, method=method))
    assert len(made) == 3 * len(expected) // 4
    audio, keys = made[0]
    assert all(np.array_equal(a, e) for a, (e, _) in zip(audio, expected))
    assert all(np.array_equal(k, e) for k, (_, e) in zip(keys, expected)) and keys.any()


def test_shards_have_the_arrays_of_their_songs_and_are_made_once(tmp_path):
    pytest.importorskip("distributed")
    songs, out = tmp_path / "songs", tmp_path / "out"
    (songs / "deep").mkdir(parents=True)
    for number in range(8):
        shutil.copy(SONG, songs / f"{number}.mid")
    (songs / "deep/bad.mid").write_bytes(b"no song")
    lines = run("shards.py", out, songs, FONT)
    assert sorted(path.name for path in out.iterdir()) == ["00000.npz", "00001.npz"]
    assert any(line.startswith("deep/bad.mid: ") for line in lines)
    shard = np.load(out / "00000.npz")
    rendering = portative.Synthesizer(FONT, rate=16000).render(SONG)
    assert shard["names"][0] == "0.mid" and np.array_equal(shard["3.audio"], rendering.audio)
    assert np.array_equal(shard["3.notes"]["onset"], rendering.labels.notes["onset"])
    (out / "00001.npz").unlink()
    before = (out / "00000.npz").stat().st_mtime_ns
    assert [line for line in run("shards.py", out, songs, FONT) if line.endswith(".npz")] == [str(out / "00001.npz")]
    assert (out / "00000.npz").stat().st_mtime_ns == before
