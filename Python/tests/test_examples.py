"""The programs of Examples/Datasets."""

import importlib.util
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import FONT, ROOT, SONG

import portative

EXAMPLES = ROOT / "Examples/Datasets"
pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="without the examples")


PATH = str(pathlib.Path(portative.__file__).parents[1])
# Without these, Ray would report its use to its makers, and join a cluster that runs on this machine.
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATH, "RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": "local"}


def run(name, *arguments):
    command = [sys.executable, EXAMPLES / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_batches_have_the_samples_and_keys_of_their_songs(method):
    batches = example("batches")
    synthesizer = portative.Synthesizer(FONT, rate=8000)
    expected = batches.pieces(synthesizer, SONG)
    if method == "spawn":
        # A worker that is spawned finds the functions of the program that runs, which here is the test.
        lines = run("batches.py", FONT, SONG)
        assert len(lines) == len(expected) // 8 and "keys (8, 128, 200)" in lines[0]
        return
    made = list(batches.batches([SONG] * 3, synthesizer, size=4, method=method))
    assert len(made) == 3 * len(expected) // 4
    audio, keys = made[0]
    assert all(np.array_equal(a, e) for a, (e, _) in zip(audio, expected))
    assert all(np.array_equal(k, e) for k, (_, e) in zip(keys, expected)) and keys.any()


@pytest.fixture(params=["dask_shards.py", "ray_shards.py"])
def program(request):
    pytest.importorskip("ray" if request.param == "ray_shards.py" else "distributed")
    return request.param


@pytest.fixture
def songs(tmp_path):
    folder = tmp_path / "songs"
    (folder / "deep").mkdir(parents=True)
    for number in range(8):
        # A note of a quarter.
        track = bytes([0, 0x90, 60 + number, 100, 0x83, 0x60, 0x80, 60 + number, 0, 0, 0xFF, 0x2F, 0])
        (folder / f"{number}.mid").write_bytes(b"MThd" + struct.pack(">IHHH4sI", 6, 0, 1, 480, b"MTrk", len(track)) + track)
    shutil.copy(SONG, folder / "3.mid")
    (folder / "deep/bad.mid").write_bytes(b"no song")
    return folder


def test_shards_have_the_arrays_of_their_songs_and_are_made_once(program, songs, tmp_path):
    out = tmp_path / "out"
    lines = run(program, out, songs, FONT)
    assert sorted(path.name for path in out.iterdir()) == ["00000.npz", "00001.npz"]
    assert any(line.startswith("deep/bad.mid: ") for line in lines)
    shard = np.load(out / "00000.npz")
    synthesizer = portative.Synthesizer(FONT, rate=16000)
    rendering = synthesizer.render(SONG)
    assert shard["names"].tolist() == [f"{number}.mid" for number in range(8)] and not any(shard["errors"])
    assert np.array_equal(shard["3.audio"], rendering.audio)
    assert np.array_equal(shard["3.notes"]["onset"], rendering.labels.notes["onset"])
    # Whichever program makes a shard, its bytes are the same.
    shards = example("shards")
    for path, names in shards.missing(tmp_path / "own", songs).items():
        shards.render_shard(synthesizer, songs, names, path)
        assert pathlib.Path(path).read_bytes() == (out / pathlib.Path(path).name).read_bytes()
    (out / "00001.npz").unlink()
    before = (out / "00000.npz").stat().st_mtime_ns
    assert [line for line in run(program, out, songs, FONT) if line.endswith(".npz")] == [str(out / "00001.npz")]
    assert (out / "00000.npz").stat().st_mtime_ns == before


def descendants(process):
    """The processes that a process has started, and those that these have started."""
    parents = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of the program, in parentheses, may contain spaces.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found = [process]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found[1:]


def has_synthesizer(process):
    try:
        return "libportative-render" in pathlib.Path(f"/proc/{process}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_that_is_killed_loses_no_shard(program, songs, tmp_path):
    numbers = [*range(8), *range(10, 18)]
    for number in numbers:
        shutil.copy(SONG, songs / f"{number}.mid")
    out = tmp_path / "out"
    command = [sys.executable, EXAMPLES / program, out, songs, FONT]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=ENVIRONMENT) as running:
        deadline = time.monotonic() + 120
        while not (workers := [process for process in descendants(running.pid) if has_synthesizer(process)]):
            assert running.poll() is None and time.monotonic() < deadline, "no worker began to render"
            time.sleep(0.01)
        assert not list(out.glob("*.npz"))
        os.kill(workers[0], signal.SIGKILL)
        printed, log = running.communicate(timeout=240)
    assert running.returncode == 0, log
    paths = [out / f"{number:05}.npz" for number in range(3)]
    assert sorted(out.iterdir()) == paths
    assert sorted(line for line in printed.splitlines() if line.endswith(".npz")) == [str(path) for path in paths]
    rendering = portative.Synthesizer(FONT, rate=16000).render(SONG)
    made = set()
    for path in paths:
        shard = np.load(path)
        for index, (name, error) in enumerate(zip(shard["names"], shard["errors"])):
            assert error or np.array_equal(shard[f"{index}.audio"], rendering.audio)
            made.add((str(name), bool(error)))
    assert made == {*((f"{number}.mid", False) for number in numbers), ("deep/bad.mid", True)}


def test_ray_data_feeds_a_loop_with_the_samples_of_the_parts(songs, tmp_path):
    pytest.importorskip("ray")
    (program,) = re.findall(r"```python\n(.*?)```", (EXAMPLES / "README.md").read_text(), re.DOTALL)
    paths = [str(songs / name) for name in ("deep/bad.mid", "3.mid")]
    source = f"""import numpy as np
paths, soundfont = {paths!r}, {str(FONT)!r}
{program}
np.savez({str(tmp_path / "batch.npz")!r}, **{{**batch, "path": batch["path"].astype(str)}})
def render_row(part):
    return {{**part, **synthesizer.render(part["path"], start=part["begin"], stop=part["begin"] + 4).to_row("wav")}}
ray.data.from_items([{{"path": paths[1], "begin": 10.0}}]).map(render_row).write_parquet({str(tmp_path / "out")!r})
"""
    (tmp_path / "loop.py").write_text(source)
    assert any("bad.mid" in line for line in run(tmp_path / "loop.py"))
    batch = np.load(tmp_path / "batch.npz")
    made = sorted(zip(batch["path"].tolist(), batch["begin"].tolist()))
    assert made == [(paths[1], 0), (paths[1], 10)]
    synthesizer = portative.Synthesizer(FONT, rate=16000)
    for begin, audio, roll in zip(batch["begin"], batch["audio"], batch["roll"]):
        rendering = synthesizer.render(SONG, start=begin, stop=begin + 4, tail="exact")
        assert np.array_equal(audio, rendering.audio)
        assert np.array_equal(roll, rendering.labels.piano_roll(100)) and roll.any()
    (row,) = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "out").to_pylist()
    expected = synthesizer.render(SONG, start=10, stop=14)
    assert row["audio"] == expected.to_row("wav")["audio"]
    assert row["notes"]["onset"] == expected.labels.notes["onset"].tolist()
