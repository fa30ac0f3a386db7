#!/usr/bin/env python3
"""Plays a MIDI file on a port of a running node and writes a WAV file of 32-bit floats.

    host.py gmsy demo.mid demo.wav             # the instrument with the subtype 'gmsy'
    host.py gmsy demo.mid demo.wav 44100 256   # at another rate, in cycles of at most 256 frames

A complete host in the standard library of Python, written from Documentation/Protocol.md. It renders offline: as fast
as the node can, each note on its exact frame. The file ends three seconds after the song.
"""

import array
import ctypes
import fcntl
import json
import math
import mmap
import os
import platform
import select
import socket
import stat
import struct
import sys

CHANNELS, TAIL = 2, 3
LONGEST_LATENCY = 1_920_000


# Discovery

def runtime_folder():
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if base.startswith("/"):
        return base + "/portative"
    login = f"/run/user/{os.geteuid()}"
    return login + "/portative" if os.path.isdir(login) else f"/tmp/portative-{os.geteuid()}"


def open_file(path):
    """Opens a file that another program may have made, without waiting; returns None if it is not a regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    return None


def running_nodes():
    """Yields the record of each running node: a dictionary with 'name', 'processID' and 'ports'."""
    folder = runtime_folder()
    for name in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
        if not name.endswith(".lock") or name.startswith("."):
            continue
        lock = open_file(f"{folder}/{name}")
        if lock is None:
            continue
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                continue  # Nobody holds the lock: the node does not run.
            except BlockingIOError:
                pass
        record = open_file(f"{folder}/{name[:-5]}.json")
        if record is None:
            continue
        with record:
            try:
                node = json.loads(record.read(1 << 20))
            except (ValueError, RecursionError):
                continue  # It is damaged, or just being written.
        if isinstance(node, dict) and node.get("name") == name[:-5] and isinstance(node.get("ports"), list):
            yield node


def find_port(subtype):
    for node in running_nodes():
        for port in node["ports"]:
            component = {key: port[key] for key in ("type", "subtype", "manufacturer") if key in port}
            if component.get("subtype") == subtype and len(component) == 3:
                return f"{runtime_folder()}/{node['name']}.socket", component
    sys.exit(f"host.py: no running node publishes '{subtype}': start one, for instance with 'portative serve'")


# The control socket

class ProtocolError(Exception):
    pass


def printable(text):
    """Text of a node without the control characters that could change what a terminal shows."""
    return "".join(character if character.isprintable() else "?" for character in text)


def require(condition, claim):
    """Nodes are not trusted: what a host uses of their answers, it checks."""
    if not condition:
        raise ProtocolError(f"the node claims {claim}, which is impossible: use another version of it")


class Control:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(path)
        self.id = 0

    def request(self, method, descriptor=None, **params):
        """Sends a request and returns its result. Ignores notifications that arrive meanwhile."""
        self.id += 1
        packet = json.dumps({"id": self.id, "method": method, "params": params}).encode()
        try:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor or 0]))
            self.socket.sendmsg([packet], [] if descriptor is None else [rights])
        except BrokenPipeError:
            pass  # The node has closed the connection. It may have sent the reason before.
        while True:
            try:
                packet = self.socket.recv(65_536)
            except ConnectionResetError:
                continue  # There may be packets before the end.
            if not packet:
                raise ProtocolError("the node has closed the connection")
            try:
                message = json.loads(packet)
            except (ValueError, RecursionError):
                raise ProtocolError("the node sends what is not a message") from None
            if "error" in message and message.get("id") in (self.id, None):
                raise ProtocolError(printable(message["error"]["message"]))
            if "result" in message and message["id"] == self.id:
                return message["result"]

    def check(self):
        """Raises an error if the node has ended."""
        poll = select.poll()
        poll.register(self.socket, 0)
        if poll.poll(0):
            raise ProtocolError("the node has ended")


# Shared memory: see segment.h

MAGIC, VERSION, SLOTS = 0x76697461746F7250, 4, 4096
TO_NODE, AUDIO = 5056, 136_128
POSTED, FRAME_COUNT, POSITION, HOST_TIME, PROCESSOR, ANSWERED = 64, 68, 72, 80, 88, 128
TO_NODE_WRITTEN, TO_NODE_READ, TO_HOST_WRITTEN, PROGRESS = 192, 256, 320, 332
TO_HOST_READ, INVALID_OUTPUT = 384, 388
CHANNEL, SYSEX, SYSTEM = 1, 2, 3
FUTEX_WAIT, FUTEX_WAKE = 0, 1


class Segment:
    """The memory that the host shares with the node."""

    def __init__(self, maximum_frames):
        self.stride = (maximum_frames * 4 + 63) & ~63
        self.size = (AUDIO + CHANNELS * self.stride + 4095) & ~4095
        self.descriptor = os.memfd_create("portative", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, self.size)
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, seals)
        self.memory = mmap.mmap(self.descriptor, self.size)
        struct.pack_into("=QIIIII", self.memory, 0, MAGIC, VERSION, self.size, maximum_frames, CHANNELS, 0)
        self.written = 0
        self.number = 0
        self.position = 0

    def word(self, offset):
        return ctypes.c_uint32.from_buffer(self.memory, offset)

    def write(self, frame, message):
        """Writes an event. The caller must have checked that there is room."""
        data = b""
        if message[0] == 0xF0:
            kind, data, head = SYSEX, message[1:-1], b"\0\0\0"
        else:
            kind, head = (CHANNEL if message[0] < 0xF0 else SYSTEM), message.ljust(3, b"\0")
        slots = struct.pack("=qIB3s", frame, len(data), kind, head) + data
        for start in range(0, len(slots), 16):
            offset = TO_NODE + self.written % SLOTS * 16
            self.memory[offset:offset + 16] = slots[start:start + 16].ljust(16, b"\0")
            self.written += 1

    def room(self, message):
        read = self.word(TO_NODE_READ).value
        used = (self.written - read) & 0xFFFF_FFFF
        slots = 1 + (len(message) - 2 + 15) // 16 if message[0] == 0xF0 else 1
        return slots <= SLOTS - used

    def render(self, frames, control):
        """Renders a cycle and returns its channels."""
        struct.pack_into("=I", self.memory, FRAME_COUNT, frames)
        struct.pack_into("=qqi", self.memory, POSITION, self.position, 0, -1)
        self.number = (self.number + 1) & 0xFFFF_FFFF
        # The system call orders these stores before whatever the node does when it wakes.
        self.word(TO_NODE_WRITTEN).value = self.written & 0xFFFF_FFFF
        self.word(POSTED).value = self.number
        futex(self.word(POSTED), FUTEX_WAKE, 2**31 - 1)
        self.await_answer(control)
        # This host does not use the events of the node: it marks them as read.
        self.word(TO_HOST_READ).value = self.word(TO_HOST_WRITTEN).value
        self.position += frames
        starts = [AUDIO + channel * self.stride for channel in range(CHANNELS)]
        return [self.valid(array.array("f", self.memory[start:start + frames * 4])) for start in starts]

    def valid(self, samples):
        """Replaces infinite and NaN samples by 0, and counts them."""
        if math.isfinite(sum(samples)):
            return samples
        invalid = self.word(INVALID_OUTPUT)
        invalid.value += sum(not math.isfinite(sample) for sample in samples)
        return array.array("f", (sample if math.isfinite(sample) else 0 for sample in samples))

    def await_answer(self, control):
        """Waits for the cycle as long as the node makes progress."""
        stalled, progress = 0, None
        while True:
            seen = self.word(ANSWERED).value
            if seen == self.number:
                return
            stalled = stalled + 1 if progress == self.word(PROGRESS).value else 0
            if stalled == 100:
                raise ProtocolError("the node has made no progress for 10 s")
            progress = self.word(PROGRESS).value
            futex(self.word(ANSWERED), FUTEX_WAIT, seen, 0.1)
            if stalled:
                control.check()


LIBC = ctypes.CDLL(None, use_errno=True)
SYS_FUTEX = {"x86_64": 202, "aarch64": 98, "riscv64": 98}[platform.machine()]


def futex(word, operation, value, seconds=None):
    timeout = None
    if seconds is not None:
        timeout = (ctypes.c_long * 2)(int(seconds), int(seconds % 1 * 1e9))
    LIBC.syscall(SYS_FUTEX, ctypes.byref(word), operation, ctypes.c_uint32(value), timeout)


# Standard MIDI Files

def read_song(path, rate):
    """Returns the channel and System Exclusive messages of a MIDI file, as (frame, bytes) in their order, and the frame
    at which the song ends."""
    data = open(path, "rb").read()
    if data[:4] != b"MThd":
        sys.exit(f"host.py: '{path}' is not a Standard MIDI File")
    length, _, count, division = struct.unpack(">IHHH", data[4:14])
    position, events = 8 + length, []
    for track in range(count):
        size = struct.unpack(">I", data[position + 4:position + 8])[0]
        events += read_track(data[position + 8:position + 8 + size], track)
        position += 8 + size
    events.sort(key=lambda event: event[:2])  # By tick, then by track; the sort is stable.
    song, tick, time, tempo, frame = [], 0, 0, 500_000, 0
    scale = division * 1_000_000
    for event_tick, _, message in events:
        time += (event_tick - tick) * tempo
        tick = event_tick
        frame = (2 * time * rate + scale) // (2 * scale)  # The nearest frame, or the later one of two.
        if message[0] != 0xFF:
            song.append((frame, message))
        elif len(message) > 1:
            tempo = int.from_bytes(message[1:], "big")
    return song, frame


def read_track(data, track):
    """Yields (tick, track, message): channel messages, whole System Exclusive messages, FF with a tempo, and FF at the
    end."""
    position, tick, status = 0, 0, 0

    def number():
        nonlocal position
        value = 0
        while True:
            byte = data[position]
            position += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    while position < len(data):
        tick += number()
        if data[position] >= 0x80:
            status = data[position]
            position += 1
        if status == 0xFF:
            kind = data[position]
            position += 1
            length = number()
            if kind == 0x51:
                yield tick, track, b"\xFF" + data[position:position + length]
            position = len(data) if kind == 0x2F else position + length
        elif status in (0xF0, 0xF7):
            length = number()
            content = data[position:position + length]
            position += length
            if status == 0xF0 and content.endswith(b"\xF7"):
                yield tick, track, b"\xF0" + content
        else:
            length = 1 if status & 0xE0 == 0xC0 else 2
            yield tick, track, bytes([status]) + data[position:position + length]
            position += length
    yield tick, track, b"\xFF"


# The host

def main():
    if len(sys.argv) not in range(4, 7):
        sys.exit("usage: host.py SUBTYPE SONG.mid OUTPUT.wav [RATE [FRAMES]]")
    subtype, source, target = sys.argv[1:4]
    rate, maximum_frames = [int(text) for text in sys.argv[4:]] + [48_000, 1024][len(sys.argv) - 4:]
    song, end = read_song(source, rate)
    end += TAIL * rate
    path, component = find_port(subtype)
    control = Control(path)
    peer = {"name": "host.py", "processID": os.getpid()}
    hello = control.request("hello", protocol={"minimum": 2, "maximum": 2}, features=[], peer=peer)
    require(hello["protocol"] == 2, f"version {hello['protocol']} of the protocol")
    port = control.request("open", component=component)["port"]
    require(component.items() <= port.items(), "to have opened another port")
    segment = Segment(maximum_frames)
    unit = control.request(
        "initialize", segment.descriptor, sampleRate=rate, inputChannels=0, outputChannels=CHANNELS,
        maximumFrames=maximum_frames, isOffline=True, priority=0)
    require(0 <= unit["latency"] <= LONGEST_LATENCY, f"a latency of {unit['latency']} frames")
    os.close(segment.descriptor)

    audio = array.array("f")
    next_event = 0
    while segment.position < end:
        frames = min(maximum_frames, end - segment.position)
        while next_event < len(song) and song[next_event][0] < segment.position + frames:
            frame, message = song[next_event]
            if not segment.room(message):
                break
            segment.write(frame, message)
            next_event += 1
        cycle = array.array("f", bytes(4 * CHANNELS * frames))
        for channel, samples in enumerate(segment.render(frames, control)):
            cycle[channel::CHANNELS] = samples
        audio.extend(cycle)
    control.request("uninitialize")
    write_wave(target, rate, audio.tobytes())


def write_wave(path, rate, samples):
    header = struct.pack("<HHIIHH", 3, CHANNELS, rate, rate * CHANNELS * 4, CHANNELS * 4, 32)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<I", 16))
        file.write(header + b"data" + struct.pack("<I", len(samples)) + samples)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ProtocolError) as error:
        sys.exit(f"host.py: {error}")
