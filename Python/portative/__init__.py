"""Renders MIDI songs to NumPy arrays, with the exact frames at which notes begin, are released and fall silent.

>>> import portative
>>> rendering = portative.Synthesizer().render([(0.0, 0.25, 69, 100)])
>>> rendering.audio.shape[0], rendering.audio.dtype.name
(2, 'float32')
"""

from ._errors import ConnectionLost, Error, HostError, LibraryError, OptionError, SongError, SoundFontError
from ._labels import BEAT_LABEL, MESSAGE_LABEL, NO_FRAME, NOTE_LABEL, TEMPO_LABEL, Ending, Labels
from ._rendering import Rendering
from ._songs import NOTE, Song, notes
from ._synthesizer import Synthesizer

__version__ = "1.0.0"

__all__ = [
    "BEAT_LABEL", "MESSAGE_LABEL", "NOTE", "NOTE_LABEL", "NO_FRAME", "TEMPO_LABEL", "ConnectionLost", "Ending", "Error", "HostError",
    "Labels", "LibraryError", "OptionError", "Rendering", "Song", "SongError", "SoundFontError", "Synthesizer", "notes",
]  # fmt: skip
