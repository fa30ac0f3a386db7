"""How many songs use what a package ignores, and how far that changes their sound.

usage: ignored.py SOUNDFONT PACKAGE [--random N] SONG...

It finds what the package ignores as compare.py does. A song uses such a respect if a channel with notes has a message
of it whose value is not the one that a channel begins with. How far that is heard is measured with FluidSynth without
effects, which plays the song with and without these messages: in how many windows of 50 ms the level of a side differs
by 3 dB or more, when the levels of the songs are equal. In the same way the package is compared with FluidSynth, which
plays the song, and without these messages, which shows what else differs. N random songs are those of Tests/Labels.
"""

import argparse
import os
import sys
import tempfile

import mido
import numpy as np

import packages
from compare import RESPECTS, same, write

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Labels"))
import check

RATE = 48000


def controller(number, initial):
    return lambda message: message.type == "control_change" and message.control == number and message.value != initial


#: The respects of compare.py that a message of mido can be, each with what finds such a message.
USES = {
    "volume (CC 7)": controller(7, 100),
    "expression during a note (CC 11)": controller(11, 127),
    "pan (CC 10)": controller(10, 64),
    "sustain pedal (CC 64)": controller(64, 0),
    "sostenuto pedal (CC 66)": controller(66, 0),
    "pitch bend": lambda message: message.type == "pitchwheel" and message.pitch,
    "modulation (CC 1)": controller(1, 0),
    "channel pressure": lambda message: message.type == "aftertouch" and message.value,
}


class DryFluidSynth(packages.PyFluidSynth):
    def open(self):
        super().open()
        kind = self.Synth
        self.Synth = lambda **settings: kind(**settings, **{"synth.reverb.active": 0, "synth.chorus.active": 0})


def ignored_respects(package, folder):
    found = []
    for respect in USES:
        paths = [os.path.join(folder, name) for name in ("a.mid", "b.mid")]
        for path, events in zip(paths, RESPECTS[respect]):
            write(path, events)
        if same(*map(package.render, paths)):
            found.append(respect)
    return found


def uses(path, respects):
    """The respects that a song uses, and the song without messages of them."""
    song, used = mido.MidiFile(path, clip=True), set()
    channels = {m.channel for track in song.tracks for m in track if m.type == "note_on" and m.velocity}
    for track in song.tracks:
        for index, message in enumerate(track):
            for respect in respects:
                if USES[respect](message):
                    used |= {respect} if message.channel in channels else set()
                    track[index] = mido.MetaMessage("text", time=message.time)
    return used, song


def difference(audio, other):
    """The share of the windows in which the level of a side differs by 3 dB or more."""
    size, window = min(audio.shape[1], other.shape[1]), RATE // 20
    levels = []
    for samples in (audio, other):
        squares = samples[:, : size // window * window].astype(float).reshape(2, -1, window) ** 2
        # In dB to the level of the song. What is 50 dB below it is silence.
        levels.append(10 * np.log10(np.maximum(squares.mean(axis=2) / squares.mean(), 1e-5)))
    loud = np.maximum(*levels).max(axis=0) > -40
    return np.mean(np.abs(levels[0] - levels[1]).max(axis=0)[loud] >= 3)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("font")
    parser.add_argument("package")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("songs", nargs="*")
    options = parser.parse_intermixed_args()
    package, fluidsynth = packages.PACKAGES[options.package](options.font, RATE), DryFluidSynth(options.font, RATE)
    with tempfile.TemporaryDirectory() as folder:
        respects = ignored_respects(package, folder)
        print(f"{options.package} ignores {', '.join(respects)}\n")
        for seed in range(options.random):
            options.songs.append(os.path.join(folder, f"random-{seed}.mid"))
            check.random_song(options.songs[-1], seed)
        columns = [
            "FluidSynth without these messages",
            f"{options.package} and FluidSynth",
            f"{options.package} and FluidSynth without these messages",
        ]
        print(f"| song | uses | {' | '.join(columns)} |\n|---|---|---|---|---|")
        plain, results = os.path.join(folder, "plain.mid"), []
        for path in options.songs:
            used, song = uses(path, respects)
            song.save(plain)
            whole, bare, other = fluidsynth.render(path), fluidsynth.render(plain), package.render(path)
            results.append((used, difference(whole, bare), difference(whole, other), difference(bare, other)))
            texts = [f"{share:.1%}" for share in results[-1][1:]]
            print(f"| {os.path.basename(path)} | {', '.join(sorted(used)) or '–'} | {' | '.join(texts)} |", flush=True)
    print(f"\n{sum(bool(used) for used, *_ in results)} of {len(results)} songs use what it ignores")
    for respect in respects:
        print(f"{sum(respect in used for used, *_ in results)}: {respect}")
    for place, column in enumerate(columns, 1):
        shares = np.array([result[place] for result in results])
        print(
            f"{column}: 3 dB or more off in {np.median(shares):.1%} of the windows (median), "
            f"and in 5 % or more of {np.sum(shares >= 0.05)} songs"
        )


if __name__ == "__main__":
    main()
