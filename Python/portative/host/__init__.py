"""Plays the ports of nodes: messages and audio go in, audio comes out, as NumPy arrays.

A node is a process that publishes instruments and effects, such as ``portative serve``::

    with portative.host.connect("General MIDI") as port:
        port.schedule([0xC0, 19])                   # acts at the first frame of the next cycle
        port.schedule([0x90, 60, 100], offset=17)
        audio = port.render(48000)                  # float32, (2, 48000)

Every message acts on its frame, and the audio has the bits of :meth:`portative.Synthesizer.render`.
"""

from ._connection import Connection, connect
from ._events import EVENT, Transport, events
from ._parameters import Parameter
from ._ports import Port, ports

__all__ = ["EVENT", "Connection", "Parameter", "Port", "Transport", "connect", "events", "ports"]
