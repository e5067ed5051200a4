#!/usr/bin/env python3
"""Boots the guest that bed.sh has built, once for each file of checks that is named, and runs the
checks in it with the kibitzer binary of this checkout.

    run.py [--list] [CHECKS...]          all files in checks/ but common.sh, where none is named

The guest prints `CHECK name OK` or `CHECK name FAIL ...` for each check, `FIGURE ...` for what was
measured, and `PLAN n` for how many checks there are: a guest that dies halfway has failed. It has
two serial lines over USB that are one cable: what is written into one comes out of the other, so
that a program in the guest can be the device at the far end. `@host unplug` and `@host plug` in its
output pull the first one out and put it back.

Ends with 0 only when every check of every file was OK. qemu emulates all of the guest (no KVM is
needed), which is 10 to 20 times slower than the machine itself.
"""
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BED = os.environ.get("BED", os.path.expanduser("~/.cache/kibitzer/testbed"))
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.expanduser("~/.cache/kibitzer/target"))
KIBITZER = os.environ.get("KIBITZER", f"{TARGET}/debug/kibitzer")
# A guest that has not ended by then is killed, in seconds.
LIMIT = float(os.environ.get("LIMIT", "900"))


def media(folder):
    """Pictures for the cameras, as raw bytes, and what kibitzer reads in them as files."""
    golden = f"{ROOT}/tests/golden"
    for name, source in (("flood", "target"),):
        picture = f"{folder}/{name}.png"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", f"{golden}/{source}.png",
                        "-vf", "scale=484:-2:flags=neighbor,pad=640:480:80:24:0x404048",
                        picture], check=True)
        for suffix, pixels in (("yuyv", "yuyv422"), ("nv12", "nv12"), ("grey", "gray")):
            subprocess.run(["ffmpeg", "-loglevel", "error", "-i", picture, "-f", "rawvideo",
                            "-pix_fmt", pixels, f"{folder}/{name}.{suffix}"], check=True)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", picture, "-q:v", "2",
                        f"{folder}/{name}.jpg"], check=True)
        with open(f"{folder}/{name}.json", "w") as out:
            subprocess.run([KIBITZER, "look", picture, "--game", name, "--json"], check=True,
                           stdout=out)


class Guest:
    """One boot."""

    def __init__(self, checks, folder):
        self.folder = folder
        for name in ("one", "two"):
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(f"{folder}/{name}")
            listener.listen(1)
            setattr(self, name, listener)
        self.ends = {}
        # The first process is added to what bed.sh has packed.
        packed = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], input=b"init\n", cwd=HERE,
                                check=True, stdout=subprocess.PIPE).stdout
        with open(f"{folder}/initrd", "wb") as out:
            base = open(f"{BED}/initrd", "rb").read()
            out.write(base + b"\0" * (-len(base) % 4) + packed)
        words = (
            f"console=ttyS0 quiet panic=-1 tsc=reliable no_timer_check mitigations=off "
            f"checks={checks} folder={HERE} kibitzer={KIBITZER} media={folder}"
        )
        self.qemu = subprocess.Popen(
            ["qemu-system-x86_64", "-M", "pc", "-accel", "tcg,thread=multi", "-smp", "2",
             "-cpu", "max", "-m", "2048", "-kernel", f"{BED}/kernel", "-initrd", f"{folder}/initrd",
             "-append", words, "-nodefaults", "-display", "none", "-serial", "stdio",
             "-no-reboot", "-net", "none",
             "-qmp", f"unix:{folder}/qmp,server=on,wait=off",
             "-virtfs", "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap",
             "-device", "piix3-usb-uhci,id=uhci",
             "-chardev", f"socket,id=one,path={folder}/one,reconnect=1",
             "-chardev", f"socket,id=two,path={folder}/two,reconnect=1",
             "-device", "usb-serial,bus=uhci.0,chardev=one,id=ser0,serial=ONE",
             "-device", "usb-serial,bus=uhci.0,chardev=two,id=ser1,serial=TWO"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for name, other in (("one", "two"), ("two", "one")):
            threading.Thread(target=self.carry, args=(name, other), daemon=True).start()
        self.qmp = None

    def carry(self, name, other):
        """Carries bytes from one serial line to the other."""
        while True:
            try:
                self.ends[name], _ = getattr(self, name).accept()
                while data := self.ends[name].recv(4096):
                    if other in self.ends:
                        self.ends[other].sendall(data)
            except OSError:
                if self.qemu.poll() is not None:
                    return

    def tell(self, command, **arguments):
        """One command of qemu's own protocol."""
        if self.qmp is None:
            line = socket.socket(socket.AF_UNIX)
            line.connect(f"{self.folder}/qmp")
            self.qmp = line.makefile("rw")
            self.qmp.readline()
            self.tell("qmp_capabilities")
        self.qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if "return" in answer or "error" in answer:
                return answer

    def act(self, what):
        """What the guest asks its host for."""
        if what == "unplug":
            self.tell("device_del", id="ser0")
        elif what == "plug":
            self.tell("device_add", driver="usb-serial", bus="uhci.0", chardev="one", id="ser0",
                      serial="ONE")


def run(checks):
    """Runs one file of checks; gives how many were OK, failed, and are missing."""
    began = time.time()
    plan, good, bad, done, figures = None, [], [], False, []
    with tempfile.TemporaryDirectory(prefix="kibitzer.") as folder:
        media(folder)
        guest = Guest(checks, folder)
        killer = threading.Timer(LIMIT, guest.qemu.kill)
        killer.start()
        for raw in guest.qemu.stdout:
            line = raw.decode("utf8", "replace").rstrip()
            # vivid complains about a late frame, which is usual here.
            if not line or "schedule_timeout: wrong timeout" in line:
                continue
            print(f"{time.time() - began:7.1f}  {line}", flush=True)
            words = line.split(maxsplit=2)
            if words[0] == "@host":
                guest.act(words[1])
            elif words[0] == "PLAN":
                plan = int(words[1])
            elif words[0] == "FIGURE":
                figures.append(line)
            elif words[0] == "CHECK" and len(words) == 3:
                (good if words[2] == "OK" else bad).append(words[1])
            elif line.startswith("GUEST done"):
                done = True
        guest.qemu.wait()
        killer.cancel()
    missing = 1 if plan is None or not done else max(0, plan - len(good) - len(bad))
    print(f"{checks}: {len(good)} OK, {len(bad)} failed, {missing} missing, "
          f"{time.time() - began:.0f} s" + (f"; failed: {', '.join(bad)}" if bad else ""))
    return len(good), len(bad), missing, figures


def main():
    names = sorted(n for n in os.listdir(f"{HERE}/checks") if n.endswith(".sh") and n != "common.sh")
    if sys.argv[1:] == ["--list"]:
        print("\n".join(names))
        return 0
    wanted = [n if n.endswith(".sh") else n + ".sh" for n in sys.argv[1:]] or names
    for name in wanted:
        if name not in names:
            print(f"there are no checks {name}; there are: {', '.join(names)}", file=sys.stderr)
            return 2
    if not os.path.exists(KIBITZER):
        print(f"{KIBITZER} is missing: make build", file=sys.stderr)
        return 2
    subprocess.run([f"{HERE}/bed.sh"], check=True)
    results = [run(name) for name in wanted]
    good, bad, missing = (sum(r[i] for r in results) for i in range(3))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    for figure in (f for r in results for f in r[3]):
        print(figure)
    print(f"hardware: {good} OK, {bad} failed, {missing} missing; "
          f"{used.ru_utime + used.ru_stime:.0f} s of CPU")
    return 0 if good and not bad and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
