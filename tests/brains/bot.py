#!/usr/bin/env python3
"""A brain in a few lines: JSON objects in, JSON objects out. It plays Flood-It (the most cells at
once) and Connect-4 (wins, or stops a win, or plays near the middle)."""

import json
import sys


def flood(board, start, colour):
    """The cells of the flooded region after a move."""
    rows, cols = len(board), len(board[0])
    old = board[start[1]][start[0]]
    region, frontier = {(start[0], start[1])}, [(start[0], start[1])]
    while frontier:
        x, y = frontier.pop()
        for nx, ny in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= nx < cols and 0 <= ny < rows and (nx, ny) not in region:
                if board[ny][nx] in (old, colour):
                    region.add((nx, ny))
                    frontier.append((nx, ny))
    return len(region)


def wins(board, disc, column):
    """Whether a disc dropped into this column makes four in a row."""
    cells = {(x, y): c for y, row in enumerate(board) for x, c in enumerate(row)}
    free = [y for y in range(len(board)) if cells[column, y] == "."]
    if not free:
        return False
    x, y = column, max(free)
    cells[x, y] = disc
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            k = 1
            while cells.get((x + sign * k * dx, y + sign * k * dy)) == disc:
                run, k = run + 1, k + 1
        if run >= 4:
            return True
    return False


def choose(position):
    board, legal = position["board"], position["legal"]
    if position["game"] == "flood":
        return max(legal, key=lambda colour: flood(board, position["start"], colour))
    own, other = ("X", "O") if position["to_move"] == "first" else ("O", "X")
    for disc in (own, other):
        for move in legal:
            if wins(board, disc, int(move, 36) - 1):
                return move
    middle = (len(board[0]) + 1) / 2
    return min(legal, key=lambda move: abs(int(move, 36) - middle))


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "version": 1, "name": "bot.py", "games": ["flood", "connect4"]}
    elif message["type"] == "position":
        answer = {"id": message["id"], "move": choose(message), "note": "by bot.py"}
    else:
        continue
    print(json.dumps(answer), flush=True)
