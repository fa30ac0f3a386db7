"""Pages of a server's panel, and what pages send that is malformed."""

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

from files import mutate_bytes
from user import Holdings

INSTRUMENT = {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo"}
TEXT, CLOSE = 1, 8


class Panel:
    """The panel of a user's server."""

    def __init__(self, user):
        link = re.search(r"http://([\d.]+):(\d+)/\S*#(\S+)", user.output("serve", "--panel-link"))
        self.address, self.port = link[1], int(link[2])
        self.secret = re.search(r"[\w-]{16,}", link[3])[0]
        self.host = f"{self.address}:{self.port}"

    def connection(self):
        try:
            return socket.create_connection((self.address, self.port), 20)
        except ConnectionRefusedError:
            sys.exit("the panel's server accepts no connections")

    def upgrade(self):
        """The request of a WebSocket."""
        key = base64.b64encode(bytes(16)).decode()
        return (f"GET /control HTTP/1.1\r\nHost: {self.host}\r\nOrigin: http://{self.host}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()  # fmt: skip

    def page(self):
        """Opens a page, which has proved that it knows the secret."""
        page = self.connection()
        page.sendall(self.upgrade())
        answer = page.recv(4096)
        if b" 101 " not in answer:
            sys.exit(f"the page was refused: {answer[:300]}")
        number = secrets.token_hex(16)
        send(page, {"id": 1, "method": "panel.hello", "params": {"number": number}})
        greeting = json.loads(page.recv(4096)[4:])["result"]
        text = f"portative panel page\n{self.host}\n{number}\n{greeting['number']}"
        code = hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
        send(page, {"id": 1, "method": "panel.open", "params": {"code": code}})
        answer = page.recv(4096)
        if b'"result"' not in answer:
            sys.exit(f"the panel was not opened: {answer[:300]}")
        return page


class Page:
    """A page that plays the instrument."""

    def __init__(self, panel):
        self.requests = 10
        self.received = b""
        self.socket = panel.page()
        send(self.socket, {"id": 2, "method": "panel.play", "params": {"component": INSTRUMENT}})

    def exchange(self, data):
        """Sends bytes and requests, and returns whether the server answers the last one, or closes the page.

        So the server has read the bytes. The first request may end a message that the bytes have begun.
        """
        self.requests += 2
        limit = time.monotonic() + 20
        try:
            self.socket.sendall(data + b"".join(
                frame(b'{"id":%d,"method":"panel.wiring"}' % (self.requests + i)) for i in range(2)))  # fmt: skip
            while True:
                kind, content = self.receive()
                if kind == CLOSE:
                    return False
                if kind == TEXT and json.loads(content).get("id") == self.requests + 1:
                    return True
                if time.monotonic() > limit:
                    sys.exit(f"a page got no answer within 20 s after {data}")
        except ConnectionError:
            return False

    def receive(self):
        """Receives a frame, and returns its kind and content."""

        def take(count):
            while len(self.received) < count:
                if not (part := self.socket.recv(65536)):
                    raise ConnectionError
                self.received += part
            taken, self.received = self.received[:count], self.received[count:]
            return taken

        head, size = take(2)
        if size >= 126:
            size = int.from_bytes(take(2 if size == 126 else 8), "big")
        return head & 15, take(size)


def frame(data, head=0x81):
    """A frame of a WebSocket, whose mask is zero."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
    return bytes([head]) + size + bytes(4) + data


def send(page, message):
    page.sendall(frame(json.dumps(message).encode()))


def requests(user, piece):
    """Sends malformed HTTP requests, each on a connection of its own."""
    server = user.serve()
    panel = Panel(user)
    holdings = Holdings(server)
    host = f"Host: {panel.host}\r\n".encode()
    valid = [
        b"GET / HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /panel.js HTTP/1.1\r\n" + host + b"Range: bytes=5-100\r\nIf-None-Match: \"x\"\r\n\r\n",
        b"HEAD /icon.svg HTTP/1.1\r\n" + host + b"Accept-Encoding: gzip, br\r\nConnection: close\r\n\r\n",
        panel.upgrade(), panel.upgrade() + frame(b'{"id":1,"method":"panel.hello","params":{"number":"0123456789abcdef"}}'),
        b"POST /panel.js HTTP/1.0\r\nContent-Length: 99999999999\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + host + b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    ]  # fmt: skip
    for index, number in enumerate(piece.inputs):
        source = piece.source(number)
        with panel.connection() as client:
            try:
                client.sendall(mutate_bytes(source, source.choice(valid)))
                # Those that wait for an answer let the server come to its end with the request.
                if number % 8 == 0:
                    client.shutdown(socket.SHUT_WR)
                    client.recv(4096)
            except (ConnectionError, TimeoutError):
                piece.counts["connections that the server closed"] += 1
        holdings.step(index, len(piece.inputs))
        piece.counts["requests"] += 1
    panel.page().close()
    result = holdings.check()
    user.end(server)
    return result


def messages(user, piece):
    """Sends malformed messages and frames as a page that knows the secret, which is opened again whenever it is closed."""
    server = user.serve("--audio", "null")
    panel = Panel(user)
    holdings = Holdings(server)
    valid = [json.dumps({"id": 2, "method": method, "params": parameters}).encode() for method, parameters in [
        ("panel.play", {"component": INSTRUMENT}), ("panel.watch", {"isOn": True}), ("panel.wiring", {}),
        ("panel.wire", {"keyboard": "20:0", "port": "p", "isConnected": True}), ("panel.restartSound", {}),
        ("panel.saveTake", {"component": INSTRUMENT, "from": 1, "to": 2.5}), ("panel.record", {"isOn": False}),
        ("panel.recordings", {"offset": 0}), ("panel.renameRecording", {"recording": "takes/a.mid", "name": "b"}),
        ("panel.trimRecording", {"recording": "a.wav", "from": 0, "to": 1}), ("panel.soundFonts", {}),
        ("panel.deleteRecording", {"recording": "a.wav"}), ("panel.renderSong", {"format": "wav"}),
        ("panel.linkRecording", {"recording": "a.wav", "part": "audio", "isForPlaying": True}),
        ("panel.audition", {"component": INSTRUMENT, "index": 1}), ("report", {"offset": 0}), ("parameters", {"offset": 0}),
        ("setParameters", {"values": {"reverb.level": 0.5, "gain": 1e300}}), ("values", {}), ("presets", {"offset": 0}),
        ("usePreset", {"index": 3}), ("zones", {"component": INSTRUMENT}), ("scenes", {}), ("chooseScene", {"name": "a"}),
        ("setZones", {"component": INSTRUMENT, "zones": [{"keys": "0-127", "transpose": 12}]}), ("song", {}),
        ("loadSong", {"path": "/dev/null"}), ("commandSong", {"command": "start"}), ("learnControl", {"parameter": "gain"}),
        ("transpose", {"semitones": 12}), ("controls", {}), ("panic", {}), ("describe", {}), ("saveState", {}),
    ]] + [  # fmt: skip
        b'{"method":"panel.midi","params":{"bytes":[144,60,100]}}', b'{"method":"panel.release"}',
        b'{"method":"panel.midi","params":{"bytes":[240,65,16,66,18,64,0,127,0,65,247]}}',
    ]
    # Each function has been used before its memory is measured.
    page = Page(panel)
    for message in valid:
        page.exchange(frame(message))
    for index, number in enumerate(piece.inputs):
        source = piece.source(number)
        data = mutate_bytes(source, source.choice(valid))[:65535]
        if not page.exchange(frame(data, 0x81 if source.random() < 0.8 else source.randrange(256))):
            page = Page(panel)
            piece.counts["pages"] += 1
        holdings.step(index, len(piece.inputs))
        piece.counts["messages"] += 1
    page.socket.close()
    panel.page().close()
    result = holdings.check()
    user.end(server)
    return result
