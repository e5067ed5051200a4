#!/usr/bin/env python3
"""A small bot of the Tetris Bot Protocol: it puts each piece where it lies lowest and leaves the
fewest holes. It keeps its own board and queue by `play` and `new_piece`, complains on stderr when
it is told something out of order, and sends messages and fields that no host knows.

Arguments: `hold` suggests another piece first, `tuck` a move under an overhang or in the air first,
`refuse` does not play by the rules, `garbage` says what is no message, `outside` lies."""

import json
import sys

NORTH = {
    "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "I": [(-1, 0), (0, 0), (1, 0), (2, 0)],
    "S": [(-1, 0), (0, 0), (0, 1), (1, 1)],
    "Z": [(-1, 1), (0, 1), (0, 0), (1, 0)],
    "L": [(-1, 0), (0, 0), (1, 0), (1, 1)],
    "J": [(-1, 1), (-1, 0), (0, 0), (1, 0)],
    "T": [(-1, 0), (0, 0), (1, 0), (0, 1)],
}
TURNED = {
    "north": lambda x, y: (x, y),
    "east": lambda x, y: (y, -x),
    "south": lambda x, y: (-x, -y),
    "west": lambda x, y: (-y, x),
}


def cells(location):
    turned = TURNED[location["orientation"]]
    offsets = [turned(x, y) for x, y in NORTH[location["type"]]]
    return [(location["x"] + x, location["y"] + y) for x, y in offsets]


def free(board, at):
    return all(0 <= x < 10 and y >= 0 and (y >= 40 or board[y][x] is None) for x, y in at)


def drops(board, piece):
    """All straight drops, the best first."""
    found = []
    for orientation in TURNED:
        for x in range(10):
            location = {"type": piece, "orientation": orientation, "x": x, "y": 38}
            if not free(board, cells(location)):
                continue
            while free(board, cells(dict(location, y=location["y"] - 1))):
                location = dict(location, y=location["y"] - 1)
            at = cells(location)
            holes = sum(
                1 for cx, cy in at for y in range(cy) if board[y][cx] is None and (cx, y) not in at
            )
            found.append((holes * 4 + sum(y for _, y in at), location))
    return [{"location": location, "spin": "none"} for _, location in sorted(found, key=lambda f: f[0])]


def put(board, move):
    for x, y in cells(move["location"]):
        if not free(board, [(x, y)]):
            print("a piece was put on the pile", file=sys.stderr)
        board[y][x] = move["location"]["type"]
    left = [row for row in board if None in row]
    return left + [[None] * 10 for _ in range(40 - len(left))]


def say(**message):
    print(json.dumps(message), flush=True)


modes, board, queue = sys.argv[1:], None, []
say(type="info", name="small bot", version="1", author="tests", features=["randomizer"], colour="blue")
for line in sys.stdin:
    message = json.loads(line)
    what = message["type"]
    print("told", line.strip(), file=sys.stderr)
    if what == "rules":
        say(type="weather", text="a message that nobody knows")
        say(type="error", reason="unsupported_rules") if "refuse" in modes else say(type="ready")
    elif what == "start":
        board, queue = message["board"], message["queue"]
        assert message["hold"] is None and len(board) == 40 and all(len(r) == 10 for r in board)
    elif what == "suggest":
        moves = drops(board, queue[0])
        if "hold" in modes:
            other = "T" if queue[0] != "T" else "I"
            moves = drops(board, other)[:1] + moves
        if "tuck" in modes:
            air = dict(moves[0]["location"], y=moves[0]["location"]["y"] + 1)
            moves = [{"location": air, "spin": "full"}] + moves
        if "outside" in modes:
            moves = [{"location": dict(moves[0]["location"], x=12), "spin": "none"}]
        if "garbage" in modes:
            print("I would put it there", flush=True)
        say(type="suggestion", moves=moves, move_info={"nodes": len(moves), "extra": "none"})
    elif what == "play":
        assert message["move"]["location"]["type"] == queue[0]
        board, queue = put(board, message["move"]), queue[1:]
    elif what == "new_piece":
        queue.append(message["piece"])
    elif what == "quit":
        break
