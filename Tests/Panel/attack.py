"""Attacks a panel on this machine: attack.py LINK NAME COUNT. Prints what was done, and ends when standard input ends.

requests: sends COUNT damaged requests, each on a connection of its own
fragments: an admitted page sends COUNT empty fragments of a message
pings: an admitted page sends COUNT pings
silent: opens COUNT connections that send nothing, and 1,000 more per second
sockets: the same with WebSockets
secrets: the same with WebSockets that send a wrong secret
"""

import json
import random
import re
import select
import socket
import sys
import time

from watcher import Watcher

LINK, NAME, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOST, PORT = re.match(r"http://([\d.]+):(\d+)/", LINK).groups()
UPGRADE = (f"GET /control HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()


def is_over():
    """Whether standard input has ended."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def connect():
    return socket.create_connection((HOST, int(PORT)), 20)


def damaged(request, source):
    request = bytearray(request)
    for _ in range(source.randrange(1, 7)):
        place = source.randrange(max(1, len(request)))
        kind = source.randrange(4)
        if kind == 0 and request:
            request[place % len(request)] = source.randrange(256)
        elif kind == 1:
            del request[place:]
        elif kind == 2:
            request[place:place] = bytes([source.randrange(256)]) * source.choice([1, 1, 5000])
        else:
            request[place:place] = request[place:place + 40]
    return bytes(request)


def send_requests():
    source = random.Random(1)
    for _ in range(COUNT):
        with connect() as connection:
            try:
                connection.sendall(damaged(source.choice([UPGRADE, b"GET / HTTP/1.1\r\nHost: " + HOST.encode() + b"\r\n\r\n"]), source))
            except OSError:
                pass
    return f"{COUNT} requests"


def open_page():
    connection = Watcher(LINK).socket.sock
    connection.setblocking(False)
    return connection


def send_frames(first, others):
    """Sends empty frames as fast as the panel takes them."""
    connection = open_page()
    sent, closed = 0, 0
    rest = bytes([first, 0x80]) + bytes(4)
    while sent < COUNT:
        rest = rest or (bytes([others, 0x80]) + bytes(4)) * 100
        readable, writable, _ = select.select([connection], [connection], [], 20)
        try:
            if readable and not connection.recv(65_536):
                raise OSError("closed")
            if writable:
                count = connection.send(rest)
                rest = rest[count:]
                sent += count / 6
        except OSError:
            closed += 1
            connection = open_page()
            rest = bytes([first, 0x80]) + bytes(4)
    return f"{COUNT} frames, {closed} pages closed"


def crowd(act):
    def client():
        connection = connect()
        try:
            act(connection)
        except OSError:
            pass
        return connection
    first = [client() for _ in range(COUNT)]
    late, total = [], 0
    begin = time.monotonic()
    while not is_over() and time.monotonic() < begin + 60:
        for _ in range(10):
            try:
                late.append(client())
            except OSError:
                pass
        del late[:-500]
        total += 10
        time.sleep(max(0, begin + total / 1000 - time.monotonic()))
    return f"{len(first)} connections and {total / (time.monotonic() - begin):.0f} per second"


def frame(message):
    data = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(data)]) + bytes(4) + data


def send_secret(connection):
    connection.sendall(UPGRADE)
    connection.recv(4096)
    connection.sendall(frame({"id": 1, "method": "panel.hello", "params": {"number": "0" * 16}}))
    connection.recv(4096)
    connection.sendall(frame({"id": 2, "method": "panel.open", "params": {"code": "0" * 64}}))


print({
    "requests": send_requests,
    "fragments": lambda: send_frames(0x01, 0x00),
    "pings": lambda: send_frames(0x89, 0x89),
    "silent": lambda: crowd(lambda connection: None),
    "sockets": lambda: crowd(lambda connection: connection.sendall(UPGRADE)),
    "secrets": lambda: crowd(send_secret),
}[NAME](), flush=True)
