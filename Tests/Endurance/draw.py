#!/usr/bin/env python3
"""Draws what a soak has written: draw.py FIGURES.jsonl PICTURE.svg

Each row is a figure over virtual time. The grey line is the regression over the second half, whose growth is limited.
"""

import json
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 900, 110, 90, 60, 50
# Field, title, factor, and whether its growth is limited.
ROWS = [
    ("kilobytes", "memory in MB", 1 / 1024, True),
    ("descriptors", "file descriptors", 1, True),
    ("threads", "threads", 1, True),
    ("notes", "notes so far", 1, False),
    ("hosts", "hosts so far", 1, False),
    ("pages", "pages of the panel so far", 1, False),
    ("devices", "sound devices so far", 1, False),
    ("servers", "servers so far", 1, False),
]


def regression(points):
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    variance = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / variance if variance else 0
    return lambda x: mean_y + slope * (x - mean_x)


def row(top, points, title, is_limited):
    hours = points[-1][0] or 1
    highest = max(y for _, y in points) * 1.1 or 1

    def place(x, y):
        return f"{LEFT + x / hours * WIDTH:.1f},{top + HEIGHT - y / highest * HEIGHT:.1f}"

    def line(points, color, width):
        path = " ".join(place(x, y) for x, y in points)
        return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'

    parts = [f'<text x="{LEFT}" y="{top - 10}">{title}: {points[0][1]:.0f} to {points[-1][1]:.0f}</text>']
    for part in range(3):
        value = highest * part / 2
        parts.append(line([(0, value), (hours, value)], "#ddd", 1))
        parts.append(f'<text x="{LEFT - 8}" y="{top + HEIGHT * (2 - part) / 2 + 4}" text-anchor="end">{value:.0f}</text>')
    for part in range(7):
        parts.append(f'<text x="{LEFT + WIDTH * part / 6}" y="{top + HEIGHT + 16}" text-anchor="middle">'
                     f"{hours * part / 6:.1f} h</text>")  # fmt: skip
    parts.append(line(points, "#15607a", 1.5))
    half = points[len(points) // 2 :]
    if is_limited and len(half) > 2:
        trend = regression(half)
        parts.append(line([(x, trend(x)) for x in (half[0][0], half[-1][0])], "#888", 3))
    return parts


def main():
    with open(sys.argv[1]) as file:
        figures = [json.loads(line) for line in file]
    last = figures[-1]
    parts = [f'<text x="{LEFT}" y="24" font-size="16">{last["hours"]:.1f} h in {last["step"]} steps: devices played for '
             f'{last["played"]:.1f} h, the machine slept for {last["asleep"]:.1f} h</text>']  # fmt: skip
    for index, (name, title, factor, is_limited) in enumerate(ROWS):
        points = [(figure["hours"], figure[name] * factor) for figure in figures]
        parts += row(TOP + index * (HEIGHT + GAP), points, title, is_limited)
    width, height = LEFT + WIDTH + 40, TOP + len(ROWS) * (HEIGHT + GAP)
    with open(sys.argv[2], "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
                   'font-size="12"><rect width="100%" height="100%" fill="white"/>\n'
                   + "\n".join(parts) + "\n</svg>\n")  # fmt: skip


main()
