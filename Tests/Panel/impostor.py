"""A program that listens where a server did, and keeps what pages send."""

import base64
import hashlib
import json
import re
import socket
import threading


class Impostor:
    """Answers as a server would that does not know the secret. A context manager."""

    def __init__(self, link):
        host, port = re.match(r"http://([\d.]+):(\d+)/", link).groups()
        self.messages = []
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind((host, int(port)))
        self.listener.listen()
        self.connections = []

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Wakes the thread that waits in accept().
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                part = connection.recv(4096)
                if not part:
                    return
                head += part
            key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)
            if not key:
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return connection.close()
            # Source: RFC 6455, section 1.3.
            accept = base64.b64encode(hashlib.sha1(key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            while True:
                message = self.receive(connection)
                self.messages.append(message)
                answer = json.dumps({"id": message["id"], "result": {"number": "0" * 32, "code": "0" * 64}}).encode()
                connection.sendall(bytes([0x81, 126]) + len(answer).to_bytes(2, "big") + answer)
        except (OSError, ValueError):
            pass

    def receive(self, connection):
        """A short masked message of text."""
        head = connection.recv(2, socket.MSG_WAITALL)
        if len(head) < 2 or head[0] != 0x81:
            raise OSError("the page has gone")
        count = head[1] & 127
        if count == 126:
            count = int.from_bytes(connection.recv(2, socket.MSG_WAITALL), "big")
        mask = connection.recv(4, socket.MSG_WAITALL)
        text = connection.recv(count, socket.MSG_WAITALL)
        return json.loads(bytes(byte ^ mask[i % 4] for i, byte in enumerate(text)))
