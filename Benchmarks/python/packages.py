"""The packages that render MIDI to arrays, each in the way that its documentation shows.

A package has a class. A method exists where the package has a way; its lines are what a user writes. A package is
imported when its class is used, so that those of other classes may be missing.
"""

import io
import os
import tempfile
import threading
import wave

import numpy as np


def read_wave(path):
    """Returns the samples of a 16-bit WAV file or file object as (channels, frames)."""
    with wave.open(path) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16).reshape(-1, file.getnchannels()).T


class Package:
    """What packages have in common.

    Attributes:
        rate: The frames per second of `render`. A package that cannot choose it replaces it.
        soundfont: The path of the SoundFont; for hosts of plug-ins, of the plug-in.
    """

    module = None
    #: Whether it plays a SoundFont. Without, it plays the instrument that is given in its place.
    plays_soundfonts = True

    def __init__(self, soundfont, rate=48000):
        self.soundfont, self.rate = soundfont, rate
        self.open()

    def open(self):
        """Imports the package, and makes what renders all songs."""

    def render(self, path):
        """Returns the samples of a MIDI file as the package gives them: (channels, frames) or (frames,)."""
        raise NotImplementedError

    def render_sum(self, path):
        """Returns the whole song at the level at which tracks add up to it, if that is not the one of `render`."""
        return self.render(path)


class Portative(Package):
    module = "portative"
    options = {}

    def open(self):
        import portative

        self.synthesizer = portative.Synthesizer(self.soundfont, rate=self.rate, **self.options)

    def render(self, path):
        return self.synthesizer.render(path).audio

    def render_object(self, song):
        return self.synthesizer.render(song).audio

    def render_tracks(self, path):
        rendering = self.synthesizer.render(path, stems="track")
        return [stem.audio for stem in rendering.stems]

    def labels(self, path):
        notes = self.synthesizer.labels(path).notes
        return notes["onset"], notes["sound_release"], notes["silence"]


class PortativeDry(Portative):
    options = {"reverb": False, "chorus": False}


class PrettyMIDI(Package):
    module = "pretty_midi"

    def open(self):
        import pretty_midi

        self.PrettyMIDI = pretty_midi.PrettyMIDI

    def render(self, path):
        return self.PrettyMIDI(path).fluidsynth(self.rate, synthesizer=self.soundfont)

    def render_object(self, song):
        return song.fluidsynth(self.rate, synthesizer=self.soundfont, normalize=False) * len(song.instruments)

    def render_sum(self, path):
        return self.render_object(self.PrettyMIDI(path))

    def render_tracks(self, path):
        song = self.PrettyMIDI(path)
        return [instrument.fluidsynth(self.rate, synthesizer=self.soundfont) / 2**15 for instrument in song.instruments]

    def labels(self, path):
        notes = sorted(
            (note for instrument in self.PrettyMIDI(path).instruments for note in instrument.notes),
            key=lambda note: note.start,
        )
        return (
            np.round([note.start * self.rate for note in notes]),
            np.round([note.end * self.rate for note in notes]),
            None,
        )


class PrettyMIDIOneSynth(PrettyMIDI):
    """pretty_midi with a synthesizer that is made once, so that songs do not load the SoundFont again."""

    def open(self):
        import fluidsynth

        super().open()
        self.synthesizer = fluidsynth.Synth(samplerate=self.rate)
        self.synthesizer.sfload(self.soundfont)

    def render(self, path):
        return self.PrettyMIDI(path).fluidsynth(synthesizer=self.synthesizer, sfid=1)


class Symusic(Package):
    module = "symusic"

    def open(self):
        import symusic

        self.Score = symusic.Score
        self.synthesizer = symusic.Synthesizer(self.soundfont, sample_rate=self.rate, quality=4)

    def render(self, path):
        return np.asarray(self.synthesizer.render(self.Score(path), stereo=True))

    def render_object(self, song):
        return np.asarray(self.synthesizer.render(song, stereo=True))

    def render_tracks(self, path):
        score, audio = self.Score(path), []
        for track in score.tracks:
            alone = score.copy()
            alone.tracks = [track]
            audio.append(self.render_object(alone))
        return audio

    def labels(self, path):
        tracks, ends = self.Score(path).to("second").tracks, []
        notes = sorted(((note, track) for track in tracks for note in track.notes), key=lambda pair: pair[0].time)
        for note, track in notes:
            ends.append(
                max(
                    [note.end, *(p.time + p.duration for p in track.pedals if p.time <= note.end < p.time + p.duration)]
                )
            )
        return np.round([note.time * self.rate for note, _ in notes]), np.round(np.array(ends) * self.rate), None


class PyFluidSynth(Package):
    module = "fluidsynth"

    def open(self):
        import fluidsynth

        self.Synth = fluidsynth.Synth

    def render(self, path):
        with tempfile.TemporaryDirectory() as folder:
            synthesizer = self.Synth(samplerate=self.rate)
            synthesizer.sfload(self.soundfont, 1)
            synthesizer.midi2audio(path, os.path.join(folder, "a.wav"))
            synthesizer.delete()
            return read_wave(os.path.join(folder, "a.wav"))


class Midi2Audio(Package):
    module = "midi2audio"

    def open(self):
        import midi2audio

        self.synthesizer = midi2audio.FluidSynth(self.soundfont, self.rate)

    def render(self, path):
        with tempfile.TemporaryDirectory() as folder:
            self.synthesizer.midi_to_audio(path, os.path.join(folder, "a.wav"))
            return read_wave(os.path.join(folder, "a.wav"))


class Pedalboard(Package):
    module = "pedalboard"
    plays_soundfonts = False

    def open(self):
        import mido
        import pedalboard

        self.mido, self.plugin = mido, pedalboard.load_plugin(self.soundfont)

    def render(self, path):
        song, now, messages = self.mido.MidiFile(path), 0, []
        for message in song:
            now += message.time
            if not message.is_meta:
                messages.append(message.copy(time=now))
        # It refuses to reset a plug-in on another thread.
        is_main = threading.current_thread() is threading.main_thread()
        return self.plugin(messages, duration=now + 2, sample_rate=self.rate, reset=is_main)


class DawDreamer(Package):
    module = "dawdreamer"
    plays_soundfonts = False

    def open(self):
        import dawdreamer

        self.engine = dawdreamer.RenderEngine(self.rate, 512)
        self.plugin = self.engine.make_plugin_processor("instrument", self.soundfont)
        self.engine.load_graph([(self.plugin, [])])

    def render(self, path):
        import mido

        if not self.plugin.load_midi(path):
            raise ValueError(f"{path}: load_midi returned False")
        self.engine.render(mido.MidiFile(path).length + 2)
        return self.engine.get_audio()


class TinySoundFont(Package):
    module = "tinysoundfont"

    def open(self):
        import tinysoundfont

        self.tinysoundfont = tinysoundfont

    def render(self, path):
        synthesizer = self.tinysoundfont.Synth(samplerate=self.rate)
        sequencer, font = self.tinysoundfont.Sequencer(synthesizer), synthesizer.sfload(self.soundfont)
        for channel in range(16):
            synthesizer.program_select(channel, font, 0, 0, channel == 9)
        sequencer.midi_load(path, persistent=False)
        frames = round((max(event.t for event in sequencer.events) + 2) * self.rate)
        return np.frombuffer(synthesizer.generate(frames), np.float32).reshape(-1, 2).T


class MidiRenderer(Package):
    module = "midirenderer"

    def open(self):
        import midirenderer

        # Its only one.
        self.midirenderer, self.rate = midirenderer, 48000
        with open(self.soundfont, "rb") as file:
            self.data = file.read()

    def render(self, path):
        with open(path, "rb") as file:
            return read_wave(io.BytesIO(self.midirenderer.render_wave_from(self.data, file.read())))


#: The packages by the names that tables show.
PACKAGES = {
    "portative": Portative,
    "portative, without effects": PortativeDry,
    "pretty_midi": PrettyMIDI,
    "pretty_midi, one Synth": PrettyMIDIOneSynth,
    "symusic": Symusic,
    "pyfluidsynth": PyFluidSynth,
    "midi2audio": Midi2Audio,
    "pedalboard": Pedalboard,
    "DawDreamer": DawDreamer,
    "tinysoundfont": TinySoundFont,
    "midirenderer": MidiRenderer,
}
