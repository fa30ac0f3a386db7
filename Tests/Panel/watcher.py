"""A client of the panel that is no browser: sees what the server reports to pages."""

import json
import re

from websocket import create_connection

from server import wait_for


class Watcher:
    def __init__(self, link):
        address, secret = re.fullmatch(r"http://(.*)/#(.*)", link).groups()
        self.socket = create_connection(f"ws://{address}/control", timeout=60)
        self.send(1, "panel.open", secret=secret)
        self.send(2, "panel.watch", isOn=True)

    def send(self, number, method, **parameters):
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))

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
