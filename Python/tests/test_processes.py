import concurrent.futures
import gc
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import FONT, SONG, phrase, resident_bytes

import portative


def digest(synthesizer, seed):
    return synthesizer.render(phrase(seed=seed)).report["hash"]


def work(arguments):
    return digest(*arguments)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_give_the_same_samples(synthesizer, method):
    expected = [digest(synthesizer, seed) for seed in range(8)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(work, [(synthesizer, seed) for seed in range(8)]).get(60) == expected


def test_a_child_that_is_forked_while_threads_render_can_render(synthesizer):
    """A lock that another thread holds during the fork would never be released in the child."""
    expected = digest(synthesizer, 1)
    stop = threading.Event()

    def render():
        while not stop.is_set():
            synthesizer.render(phrase(seed=3))
            portative.Synthesizer(FONT, rate=44100)

    threads = [threading.Thread(target=render) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(30):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                os._exit(0 if synthesizer.render(phrase(seed=1)).report["hash"] == expected else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_threads_share_a_synthesizer(synthesizer):
    expected = [digest(synthesizer, seed) for seed in range(16)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: digest(synthesizer, seed), range(16))) == expected


def test_many_songs_come_in_their_order(synthesizer):
    expected = [digest(synthesizer, seed) for seed in range(12)]
    for jobs in (1, 2, 5):
        songs = (phrase(seed=seed) for seed in range(12))
        assert [r.report["hash"] for r in synthesizer.render_many(songs, jobs=jobs)] == expected


def test_a_song_that_fails_raises_or_is_returned(synthesizer):
    songs = [phrase(), b"not a song", phrase()]
    with pytest.raises(portative.SongError):
        list(synthesizer.render_many(songs, jobs=2))
    results = list(synthesizer.render_many(songs, jobs=2, errors="return"))
    assert [type(r) for r in results] == [portative.Rendering, portative.SongError, portative.Rendering]


def test_an_iterator_that_is_closed_ends_its_threads(synthesizer):
    before = threading.active_count()
    iterator = synthesizer.render_many((SONG for _ in range(1000)), jobs=2)
    next(iterator)
    iterator.close()
    assert threading.active_count() == before


def test_the_songs_of_an_iterator_are_read_as_they_are_needed(synthesizer):
    read = []

    def songs():
        for seed in range(100):
            read.append(seed)
            yield phrase(seed=seed)

    iterator = synthesizer.render_many(songs(), jobs=2)
    for _ in range(3):
        next(iterator)
    assert len(read) <= 8
    iterator.close()


def test_memory_does_not_grow(synthesizer):
    def render(count):
        for rendering in synthesizer.render_many((phrase(seed=i % 7) for i in range(count)), jobs=2):
            del rendering
        gc.collect()
        return resident_bytes()

    render(200)
    before = render(200)
    after = render(1000)
    assert after - before < 30_000_000


@pytest.mark.parametrize("ending", ["exit", "interrupt", "daemon"])
def test_a_process_that_ends_while_it_renders_does_not_crash(ending):
    code = f"""
import sys, threading, time, portative
synthesizer = portative.Synthesizer({str(FONT)!r})
begun = threading.Event()
def render():
    while True:
        synthesizer.render({str(SONG)!r}, progress=lambda _: begun.set())
if {ending!r} == "interrupt":
    def announce():
        begun.wait(); print("begun", flush=True)
    threading.Thread(target=announce, daemon=True).start()
    try: render()
    except KeyboardInterrupt: print("interrupted"); sys.exit(7)
for _ in range(2): threading.Thread(target=render, daemon=True).start()
begun.wait()
if {ending!r} == "daemon": del synthesizer
sys.exit(7)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(pathlib.Path(portative.__file__).parents[1])})
    if ending == "interrupt":
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 7, errors


def test_the_interpreter_runs_while_a_song_renders(synthesizer):
    """The interpreter's lock is released: another thread counts meanwhile."""
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    synthesizer.render(SONG)
    done.set()
    thread.join()
    assert counted > 20
