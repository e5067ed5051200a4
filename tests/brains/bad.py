#!/usr/bin/env python3
"""Brains that misbehave: bad.py PROTOCOL FAULT.

Protocols: jsonl, piskvork, connect4-line. Faults, at the first move that is asked for:
hang, crash-start (before anything), crash (at the second move), lie (an illegal move), slow (it
answers after twice its time), twice (it answers everything a second time, wrongly), flood (lines
without end), endless (a line without end), babble (what is no answer), close (it closes its output
and stays), deaf (it does not read at all), stay (it plays, but ignores every signal, the end of its
input and every farewell, as does a child of its own), none (it plays)."""

import json
import os
import signal
import subprocess
import sys
import time

protocol, fault = sys.argv[1:3]
asked = 0


def forever():
    while True:
        time.sleep(1000)


def say(line):
    print(line, flush=True)


def answer(good, lie, limit):
    """Answers a question for a move, or misbehaves."""
    global asked
    asked += 1
    if fault == "hang":
        forever()
    if fault == "crash" and asked == 2:
        print("out of ideas", file=sys.stderr)
        os._exit(3)
    if fault == "lie":
        good = lie
    if fault == "slow":
        time.sleep(2 * limit)
    if fault == "flood":
        junk = {"jsonl": '{"type":"junk"}\n', "piskvork": "MESSAGE junk\n"}.get(protocol, "time 1\n")
        while True:
            sys.stdout.write(junk * 1000)
    if fault == "endless":
        while True:
            sys.stdout.write("x" * 100_000)
    if fault == "babble":
        good = "let me see"
    if fault == "close":
        sys.stdout.flush()
        os.close(1)
        forever()
    if fault == "twice":
        # In one piece: the second is there as soon as the first.
        os.write(1, f"{good}\n{lie}\n".encode())
        return
    say(good)


def jsonl():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(json.dumps({"type": "hello", "version": 1}))
        elif message["type"] == "position":
            moves = message.get("legal") or [
                f"{x},{y}" for y, row in enumerate(message["board"]) for x, c in enumerate(row) if c == "."
            ]
            lie = {"flood": message["board"][0][0], "tetris": "9,9", "gomoku": "99,0"}
            move = lambda m: json.dumps({"id": message["id"], "move": m})
            answer(move(moves[0]), move(lie.get(message["game"], "0")), message["time_ms"] / 1000)


def piskvork():
    size, stones, limit = 0, [], 0.0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            size, stones = int(rest), []
            say("OK")
        elif word == "RESTART":
            stones = []
            say("OK")
        elif word == "INFO" and rest.startswith("timeout_turn"):
            limit = int(rest.split()[1]) / 1000
        elif word == "TAKEBACK":
            stones.remove(rest)
            say("OK")
        elif word == "END":
            break
        elif word == "BOARD":
            stones = []
        elif word in ("BEGIN", "TURN", "DONE"):
            if word == "TURN":
                stones.append(rest)
            free = [f"{x},{y}" for y in range(size) for x in range(size) if f"{x},{y}" not in stones]
            lie = stones[0] if stones else "-1,0"
            if fault not in ("lie", "babble"):
                stones.append(free[0])
            answer(free[0], lie, limit)
        elif word.count(",") == 2:
            stones.append(word.rsplit(",", 1)[0])


def connect4_line():
    limit = 0.0
    for line in sys.stdin:
        line = line.strip()
        if line.startswith("time"):
            limit = int(line.split()[1]) / 1000
        elif line == "quit":
            break
        else:
            free = [c for c in "4352617" if line.count(c) < 6]
            answer(free[0] + " 0", "9 0", limit)


if fault == "crash-start":
    print("Traceback: no weights", file=sys.stderr)
    sys.exit(1)
if fault == "deaf":
    forever()
if fault == "stay":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time, signal\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(1000)"])
    print("child", child.pid, file=sys.stderr, flush=True)
{"jsonl": jsonl, "piskvork": piskvork, "connect4-line": connect4_line}[protocol]()
if fault == "stay":
    forever()
