#!/usr/bin/env python3
"""Plays a phrase in real time until SIGINT. It plays on after late cycles, after the connection was parked, and when the node
has ended and runs again.

    live.py "General MIDI"

It has no sound device: a clock asks for each cycle as a device would. A host with one calls `port.render` in its callback, in
cycles that are long enough for Python: 1024 frames are 21 ms. Examples/c/live.c is the same in C.
"""

import os
import sys
import time

import portative.host

RATE, FRAMES, STEP = 48000, 1024, 12000
KEYS = [60, 64, 67, 72, 76, 72, 67, 64]


def schedule_phrase(port, position):
    """Schedules the notes that begin and end in a cycle."""
    step = -(-position // STEP)
    if (offset := step * STEP - position) < FRAMES:
        port.schedule([0x80, KEYS[(step - 1) % len(KEYS)], 64], offset)
        port.schedule([0x90, KEYS[step % len(KEYS)], 100], offset)


class Player:
    """Renders cycles, and prints what happens to them."""

    def __init__(self, name):
        self.name = name
        self.port = None
        self.has_played = self.plays = False
        self.late = 0

    def connect(self):
        """Connects to the port. Returns whether that was possible."""
        try:
            self.port = portative.host.connect(self.name, rate=RATE, maximum_frames=FRAMES, is_offline=False)
        except portative.HostError as error:
            print(f"cannot connect: {error}")
            return False
        self.late = 0
        return True

    def render(self, position):
        """Renders a cycle: silence if the node is late, parked or lost."""
        try:
            schedule_phrase(self.port, position)
            audio = self.port.render(FRAMES)
        except portative.ConnectionLost as error:
            print(error)
            self.port.close()
            self.port, self.plays = None, False
            return None
        except portative.HostError as error:
            # The node is there, but was late too often, or this program did not render for two seconds.
            print(error)
            self.plays = False
            self.initialize()
            return None
        self.print_cycle()
        return audio

    def initialize(self):
        """Prepares the node again. Waits for a node that is stopped, and loses the connection if that takes too long."""
        try:
            self.port.initialize()
            self.late = 0
        except portative.HostError as error:
            print(f"cannot initialize: {error}")
            self.port.close()
            self.port = None

    def print_cycle(self):
        late = self.port.statistics["late_cycles"]
        if late > self.late:
            if self.plays:
                print("late: the node does not answer in time")
            self.late, self.plays = late, False
        elif not self.plays:
            port = self.port.port
            again = " again" if self.has_played else ""
            print(f"{port.name!r} of node {port.node!r} (process {port.process_id}) plays{again}")
            self.has_played = self.plays = True


def request_priority():
    """Asks for realtime priority, which a limit of the system may refuse."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(70))
    except PermissionError as error:
        print(f"without realtime priority: {error}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: live.py NAME")
    sys.stdout.reconfigure(line_buffering=True)
    request_priority()
    player = Player(sys.argv[1])
    next_cycle, position = time.monotonic(), 0
    while True:
        if player.port is None and not player.connect():
            time.sleep(0.5)
            continue
        player.render(position)
        position += FRAMES
        # After a wait for the node, the clock begins again.
        next_cycle = max(next_cycle + FRAMES / RATE, time.monotonic() - FRAMES / RATE)
        time.sleep(max(0, next_cycle - time.monotonic()))


try:
    main()
except KeyboardInterrupt:
    pass
