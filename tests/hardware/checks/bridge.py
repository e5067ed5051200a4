#!/usr/bin/env python3
"""Joins two serial lines, so that a program at the one is the device at the other.

    bridge.py LINE LINE
"""
import os
import select
import sys
import termios
import tty

ends = []
for name in sys.argv[1:3]:
    end = os.open(name, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(end)
    speed = termios.tcgetattr(end)
    speed[4] = speed[5] = termios.B9600
    termios.tcsetattr(end, termios.TCSANOW, speed)
    ends.append(end)
while True:
    for end in select.select(ends, [], [])[0]:
        os.write(ends[1 - ends.index(end)], os.read(end, 256))
