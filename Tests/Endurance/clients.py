"""Kills of clients of a server, which must have its resources back."""

import socket
import struct
import time

from panel import INSTRUMENT, Panel, send
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
    panel = None

    def client(source):
        nonlocal panel
        panel = panel or Panel(user)
        page = panel.page()
        send(page, {"id": 2, "method": "panel.play", "params": {"component": INSTRUMENT}})
        for key in range(60, 60 + source.randrange(1, 8)):
            send(page, {"method": "panel.midi", "params": {"bytes": [0x90, key, 90]}})
        time.sleep(source.uniform(0, 0.05))
        # As the kernel ends the connections of a killed process that has not read everything.
        page.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        page.close()

    return kill_clients(user, count, source, client)
