"""Renders MIDI songs to NumPy arrays, with the exact frames at which notes begin, are released and fall silent.

>>> import portative
>>> rendering = portative.Synthesizer().render([(0.0, 0.25, 69, 100)])
>>> rendering.audio.shape[0], rendering.audio.dtype.name
(2, 'float32')
"""

from ._augmentation import Augmentation
from ._errors import (
    ConnectionLost, Error, HostError, LibraryError, MissingSongError, MissingSoundFontError, OptionError, SongError, SoundFontError,
)  # fmt: skip
from ._labels import BEAT_LABEL, MESSAGE_LABEL, NOTE_LABEL, TEMPO_LABEL, Ending, Labels
from ._options import Options
from ._rendering import Rendering, Stem
from ._songs import NOTE, Song, notes
from ._synthesizer import Part, Position, Renderings, Synthesizer

__version__ = "1.0.0"

__all__ = [
    "Augmentation", "BEAT_LABEL", "MESSAGE_LABEL", "NOTE", "NOTE_LABEL", "TEMPO_LABEL", "ConnectionLost", "Ending", "Error", "HostError", "Labels",
    "LibraryError", "MissingSongError", "MissingSoundFontError", "OptionError", "Options", "Part", "Position", "Rendering", "Renderings",
    "Song", "SongError", "SoundFontError", "Stem", "Synthesizer", "notes",
]  # fmt: skip
