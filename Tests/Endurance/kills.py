#!/usr/bin/env python3
"""Kills processes at random times, and checks what remains: kills.py PROGRAM [--count N] [--seed S] [KIND ...]

KIND is players (hosts of one server), plugins (hosts of its LV2 plugin, while they play), pages (clients of its panel),
members (portative-link, the server's member of a Link session), renderers (the processes in which render works), or
servers. Kills of hosts and nodes of the library are in Tests/Nodes/NodeServerTests/KillTests.swift.
"""

import argparse
import random
import sys

sys.dont_write_bytecode = True

from clients import pages, players, plugins
from user import User
from workers import members, renderers, servers

KINDS = {kind.__name__: kind for kind in (players, plugins, pages, members, renderers, servers)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    for kind in options.kinds or KINDS:
        source = random.Random(f"{options.seed} {kind}")
        with User(options.program) as user:
            result = KINDS[kind](user, options.count, source)
        print(f"{options.count} {kind} were killed: {result}", flush=True)


main()
