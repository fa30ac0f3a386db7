"""A client of the panel that is no browser: sees what the server reports to pages."""

import hashlib
import hmac
import json
import re
import secrets

from websocket import create_connection

from server import wait_for


def code(side, key, address, page, server):
    """What a side sends to prove that it knows a key."""
    text = f"portative panel {side}\n{address}\n{page}\n{server}"
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


class Watcher:
    def __init__(self, link):
        address, secret = re.fullmatch(r"http://(.*)/#(.*)", link).groups()
        self.socket = create_connection(f"ws://{address}/control", timeout=60)
        number = secrets.token_hex(16)
        self.send(1, "panel.hello", number=number)
        greeting = json.loads(self.socket.recv())["result"]
        if greeting["code"] != code("server", secret, address, number, greeting["number"]):
            raise AssertionError("another server listens there")
        self.send(1, "panel.open", code=code("page", secret, address, number, greeting["number"]))
        self.send(2, "panel.watch", isOn=True)

    def send(self, identifier, method, **parameters):
        self.socket.send(json.dumps({"id": identifier, "method": method, "params": parameters}))

    def keys(self, port):
        """The next report about the keys of a port; a report comes when something has changed."""
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "panel.status":
                return next(set(item["keys"]) for item in message["params"]["ports"] if item["name"] == port)

    def held(self, port, condition, what):
        wait_for(lambda: condition(self.keys(port)), what)

    def close(self):
        self.socket.close()
