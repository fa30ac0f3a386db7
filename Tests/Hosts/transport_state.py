#!/usr/bin/env python3
"""Prints the state of a JACK server's transport: stopped or rolling, the frame, and the bits of what else is valid."""

import ctypes
import struct

jack = ctypes.CDLL("libjack.so.0")
jack.jack_client_open.restype = ctypes.c_void_p
NO_START = 1
client = ctypes.c_void_p(jack.jack_client_open(b"transport-state", NO_START, None))
assert client.value, "there is no JACK server"
position = ctypes.create_string_buffer(1024)
state = jack.jack_transport_query(client, position)
# jack_position_t is packed: unique_1, usecs, frame_rate, frame, valid, …
_, _, _, frame, valid = struct.unpack_from("=QQIII", position)
print({0: "stopped", 1: "rolling", 3: "starting"}.get(state, state), frame, valid)
jack.jack_client_close(client)
