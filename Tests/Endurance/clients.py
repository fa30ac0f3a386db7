"""Kills of clients of a server, which must have its resources back."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import socket
import struct
import sys
import time

from plugin import PluginHost
from user import Holdings


def kill_clients(user, count, source, client):
    """Starts and kills clients of one server, which must have its resources back."""
    server = user.serve()
    holdings = Holdings(server)
    for index in range(count):
        client(source)
        holdings.step(index, count)
    result = holdings.check()
    user.end(server)
    return result


def kill_soon(process, source):
    time.sleep(source.uniform(0, 0.3))
    process.kill()
    process.wait()


def players(user, count, source):
    song = user.song(2000)

    def client(source):
        kill_soon(user.start("play", "--audio", "none", "-n", "Portative: General MIDI", song), source)

    return kill_clients(user, count, source, client)


def plugins(user, count, source):
    """Kills hosts of the instrument's LV2 plugin while they play."""
    host = None

    def client(source):
        nonlocal host
        host = host or PluginHost(user)
        kill_soon(host.play(), source)

    return kill_clients(user, count, source, client)


def pages(user, count, source):
    link = None

    def send(page, message):
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        page.sendall(b"\x81" + size + bytes(4) + data)

    def client(source):
        nonlocal link
        link = link or re.search(r"http://([\d.]+):(\d+)/\S*#(\S+)", user.output("serve", "--panel-link"))
        address, port, secret = link.groups()
        secret = re.search(r"[\w-]{16,}", secret)[0]
        page = socket.create_connection((address, int(port)), 20)
        key = base64.b64encode(bytes(16)).decode()
        page.sendall((f"GET /control HTTP/1.1\r\nHost: {address}:{port}\r\nOrigin: http://{address}:{port}\r\n"
                      f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                      "Sec-WebSocket-Version: 13\r\n\r\n").encode())  # fmt: skip
        answer = page.recv(4096)
        if b" 101 " not in answer:
            sys.exit(f"the page was refused: {answer[:300]}")
        number = secrets.token_hex(16)
        send(page, {"id": 1, "method": "panel.hello", "params": {"number": number}})
        greeting = json.loads(page.recv(4096)[4:])["result"]
        text = f"portative panel page\n{address}:{port}\n{number}\n{greeting['number']}"
        code = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
        send(page, {"id": 1, "method": "panel.open", "params": {"code": code}})
        answer = page.recv(4096)
        if b'"result"' not in answer:
            sys.exit(f"the panel was not opened: {answer[:300]}")
        component = {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}
        send(page, {"id": 2, "method": "panel.play", "params": {"component": component}})
        for key in range(60, 60 + source.randrange(1, 8)):
            send(page, {"method": "panel.midi", "params": {"bytes": [0x90, key, 90]}})
        time.sleep(source.uniform(0, 0.05))
        # As the kernel ends the connections of a killed process that has not read everything.
        page.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        page.close()

    return kill_clients(user, count, source, client)
