#!/usr/bin/env python3
"""Writes pictures into a virtual camera (v4l2loopback), paced.

    feed.py DEVICE WIDTHxHEIGHT RATE FORMAT FILE [noise]

FILE holds one raw picture (or several) of FORMAT (YUYV, NV12, GREY, MJPG as one JPEG file). With
`noise` a few bytes differ each time, as a sensor's do; without it the picture repeats itself bit for
bit, as a camera's that hangs; SIGUSR1 changes from one to the other. It ends with the signal that
ends it.
"""
import fcntl
import os
import random
import signal
import struct
import sys
import time

VIDIOC_S_FMT = 0xC0D05605
OUTPUT, NONE, SRGB = 2, 1, 8

device, size, rate, letters, path = sys.argv[1:6]
noise = sys.argv[6:] == ["noise"]
width, height = map(int, size.split("x"))
data = open(path, "rb").read()
per_picture = {"YUYV": width * height * 2, "NV12": width * height * 3 // 2, "GREY": width * height}
length = per_picture.get(letters, len(data))
stride = {"YUYV": width * 2}.get(letters, width)
pictures = [bytearray(data[i:i + length]) for i in range(0, len(data), length)]

pix = struct.pack("<IIIIIIII", width, height, int.from_bytes(letters.encode(), "little"), NONE,
                  0 if letters == "MJPG" else stride, length, SRGB, 0)
while True:
    line = os.open(device, os.O_RDWR)
    try:
        request = struct.pack("<II", OUTPUT, 0) + pix.ljust(200, b"\0")
        fcntl.ioctl(line, VIDIOC_S_FMT, bytearray(request))
        break
    except OSError:
        # Whoever watched the one who fed it before has to let go first, and so do we.
        os.close(line)
        time.sleep(0.2)


def change(*_):
    global noise
    noise = not noise


signal.signal(signal.SIGUSR1, change)
due = time.monotonic()
count = 0
while True:
    picture = pictures[count % len(pictures)]
    if noise and letters != "MJPG":
        # Brightness only: the low bit of some of it.
        step = 2 if letters == "YUYV" else 1
        for _ in range(200):
            picture[random.randrange(width * height) * step] ^= 1
    os.write(line, picture)
    count += 1
    due += 1 / float(rate)
    time.sleep(max(0.0, due - time.monotonic()))
