"""Renders as a training loop does, for a time: training.py SOUNDFONT SECONDS [SONGS]

Two workers render songs, and parts of the demo song with random options. The parent receives their audio and renders too, and after each epoch the workers end and others
start; SECONDS for each way in which processes start. It fails if nothing comes for a minute, if a sample differs, or if
memory or the number of descriptors grows. Then it renders SONGS short songs in this process, whose memory must not grow.
"""

import dataclasses
import gc
import hashlib
import multiprocessing
import os
import pathlib
import queue
import sys
import threading
import time

import numpy as np

import portative

SEEDS = 40
EPOCH_SECONDS = 4
# Of pools and fragments: what grows with each song exceeds it within the shortest run.
ALLOWED_BYTES = 24 << 20


def song(seed):
    chance = np.random.default_rng(seed)
    starts = np.sort(chance.uniform(0, 2, 12))
    return [(start, start + chance.uniform(0.05, 0.6), int(chance.integers(40, 80)), int(chance.integers(20, 127))) for start in starts]


AUGMENTATION = portative.Augmentation(seed=1, transpose=(-3, 3), tempo=(0.9, 1.1), gain=(-6, 0), pan=(-30, 30), drop=0.1, jitter=0.01)


def item(seed, font):
    """A song, or a part of the demo song, which lies beside the SoundFont, with random options."""
    if seed % 2 == 0:
        return song(seed)
    part = AUGMENTATION.part(pathlib.Path(font).with_name("demo.mid"), seed, start=1.5 * seed, stop=1.5 * seed + 4)
    return dataclasses.replace(part, options={**part.options, "lead": 2, "tail": "exact"})


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def digest(rendering):
    return hashlib.sha256(rendering.audio.tobytes() + rendering.labels.notes.tobytes()).hexdigest()


def work(synthesizer, font, tasks, results):
    for seed in iter(tasks.get, None):
        rendering = synthesizer.render(item(seed, font))
        results.put((seed, rendering.audio, digest(rendering), resident(), descriptors()))


def epoch(context, synthesizer, font, expected, end):
    """Returns the number of songs, and the greatest memory and number of descriptors of a worker."""
    tasks, results = context.Queue(), context.Queue()
    workers = [context.Process(target=work, args=(synthesizer, font, tasks, results), daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    sent = received = memory = files = 0
    while received < sent or time.monotonic() < end:
        while sent - received < 4 and time.monotonic() < end:
            tasks.put(sent % SEEDS)
            sent += 1
        try:
            seed, audio, found, resident_bytes, open_files = results.get(timeout=60)
        except queue.Empty:
            sys.exit(f"no worker has answered for a minute: {[worker.exitcode for worker in workers]}")
        if found != expected[seed] or audio.dtype != np.float32:
            sys.exit(f"the samples of song {seed} differ")
        received += 1
        memory, files = max(memory, resident_bytes), max(files, open_files)
    for _ in workers:
        tasks.put(None)
    for worker in workers:
        worker.join(60)
        if worker.exitcode != 0:
            sys.exit(f"a worker ended with {worker.exitcode}")
        worker.close()
    for channel in (tasks, results):
        channel.close()
        channel.join_thread()
    return received, memory, files


def train(method, font, seconds):
    context = multiprocessing.get_context(method)
    synthesizer = portative.Synthesizer(font, rate=16000)
    expected = [digest(synthesizer.render(item(seed, font))) for seed in range(SEEDS)]
    stop = threading.Event()

    def render():
        # Processes are forked while this thread renders.
        while not stop.is_set():
            synthesizer.render(song(7))

    thread = threading.Thread(target=render)
    thread.start()
    begin = time.monotonic()
    total, epochs = 0, []
    try:
        while time.monotonic() < begin + seconds or len(epochs) < 3:
            songs, memory, files = epoch(context, synthesizer, font, expected, time.monotonic() + EPOCH_SECONDS)
            total += songs
            gc.collect()
            epochs.append((resident(), memory, descriptors(), files))
    finally:
        stop.set()
        thread.join()
    own, workers, files, worker_files = zip(*epochs)
    report = f"{method}: {total} songs in {time.monotonic() - begin:.0f} s, {len(epochs)} epochs"
    third = max(1, len(epochs) // 3)
    for name, values in (("this process", own), ("workers", workers)):
        growth = max(values[-third:]) - max(values[:third])
        report += f"; {name} {values[-1] / 1e6:.0f} MB, grown by {growth / 1e6:.1f} MB"
        if growth > ALLOWED_BYTES:
            sys.exit(f"{report}: the memory grows")
    # The first epoch opens what multiprocessing keeps, such as the fork server's socket.
    for name, counts in (("this process", files[1:]), ("workers", worker_files[1:])):
        report += f"; {name} {counts[-1]} descriptors"
        if max(counts) > counts[0] + 2:
            sys.exit(f"{report}: their number grows: {counts}")
    print(report, flush=True)


def many(font, count):
    synthesizer = portative.Synthesizer(font, rate=16000)
    songs = [song(seed) for seed in range(SEEDS)]
    sizes = []
    begin, processor = time.monotonic(), time.process_time()
    for index in range(count):
        synthesizer.render(songs[index % SEEDS])
        if index % (count // 10) == count // 10 - 1:
            sizes.append(resident())
    growth = max(sizes[5:]) - max(sizes[:5])
    print(
        f"{count} songs in {time.monotonic() - begin:.0f} s, {(time.process_time() - processor) / count * 1e3:.2f} ms of processor time "
        f"each; {sizes[-1] / 1e6:.0f} MB, grown by {growth / 1e6:.1f} MB; {descriptors()} descriptors"
    )
    if growth > ALLOWED_BYTES:
        sys.exit("the memory grows")


if __name__ == "__main__":
    font, seconds = sys.argv[1], float(sys.argv[2])
    for method in ("fork", "forkserver", "spawn"):
        train(method, font, seconds)
    many(font, int(sys.argv[3]) if len(sys.argv) > 3 else 1000)
