#!/usr/bin/env python3
"""A brain that packs TripleX levels: JSON objects in, JSON objects out. With an argument it
misbehaves: `lie` leaves a square free, `hang` never answers, `crash` dies, `refuse` says that there is
no packing, `anonymous` gives no numbers."""

import json
import sys
import time


def ways(figure):
    """The squares of a figure in each way it may lie."""
    rows = figure.split("/")
    cells = {(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c in "xo"}
    found = set()
    for _ in range(2):
        for _ in range(4):
            left, top = min(x for x, _ in cells), min(y for _, y in cells)
            found.add(tuple(sorted((y - top, x - left) for x, y in cells)))
            if "o" not in figure:
                return found
            cells = {(-y, x) for x, y in cells}
        cells = {(-x, y) for x, y in cells}
    return found


def pack(board, figures):
    """Covers the first free square in every way, and so on; the board, or None."""
    free = [(y, x) for y, row in enumerate(board) for x, c in enumerate(row) if c == "."]
    if not free:
        return board
    for figure in set(figures):
        for way in ways(figure):
            cells = [(free[0][0] + y, free[0][1] + x - way[0][1]) for y, x in way]
            if set(cells) <= set(free):
                rest = list(figures)
                rest.remove(figure)
                letter = chr(ord("A") + len(rest) % 26)
                marked = [list(row) for row in board]
                for y, x in cells:
                    marked[y][x] = letter
                done = pack(["".join(row) for row in marked], rest)
                if done:
                    return done
    return None


fault = sys.argv[1] if len(sys.argv) > 1 else ""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "version": 1, "games": ["triplex"]}
    elif message["type"] == "position":
        packed = pack(message["board"], message["figures"])
        answer = {"id": message["id"], "move": "/".join(packed or [])}
        if fault == "lie":
            answer["move"] = answer["move"][:-1] + "."
        if fault == "hang":
            time.sleep(1000)
        if fault == "crash":
            sys.exit("out of paper")
        if fault == "refuse":
            answer = {"id": message["id"], "error": "it cannot be packed"}
        if fault == "anonymous":
            del answer["id"]
    else:
        continue
    print(json.dumps(answer), flush=True)
