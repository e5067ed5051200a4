#!/bin/sh
# Builds the machine that the hardware tests boot: a kernel of Debian with the drivers of real
# cameras and USB serial lines, and a first root with nothing but busybox and those drivers (run.py
# adds init to it). The rest of the guest is the root of this machine, shared with it read-only, so
# that the program and its libraries run there as they are.
#
# Everything lies below $BED (usually ~/.cache/kibitzer/testbed). Packages of the guest are unpacked
# there, never installed; nothing is loaded into the kernel of this machine. Done once, about a
# minute; after that it returns at once.
set -eu

BED=${BED:-$HOME/.cache/kibitzer/testbed}
HERE=$(cd "$(dirname "$0")" && pwd)

image=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-/{print $2; exit}')
version=${image#linux-image-}
[ -n "$version" ] || { echo "bed: no package linux-image-amd64 known: run apt-get update" >&2; exit 1; }

# What has been built is used again until one of these changes.
mark="$version $(sha256sum <"$HERE/bed.sh" | cut -c1-16)"
if [ "$(cat "$BED/built" 2>/dev/null)" = "$mark" ]; then
    exit 0
fi
echo "bed: building the guest with Linux $version in $BED"
rm -rf "$BED"
mkdir -p "$BED/debs" "$BED/root/bin" "$BED/root/drivers"

# The headers are needed to build v4l2loopback, which Debian ships as source.
(cd "$BED/debs" && apt-get -o APT::Sandbox::User=root download "$image" busybox-static \
    v4l2loopback-dkms "linux-headers-$version" "linux-headers-${version%-amd64}-common" \
    linux-kbuild-6.1 >"$BED/download.log" 2>&1) || { cat "$BED/download.log" >&2; exit 1; }
for deb in "$BED"/debs/*.deb; do
    dpkg-deb -x "$deb" "$BED/unpacked"
done
rm -rf "$BED/debs"

# The Makefiles of the headers name their place by absolute paths.
headers=$BED/unpacked/usr/src/linux-headers-$version
sed -i "s|/usr/src/|$BED/unpacked/usr/src/|g; s|/usr/lib/linux-kbuild|$BED/unpacked/usr/lib/linux-kbuild|g" \
    "$headers/Makefile" "$headers/.kernelvariables" 2>/dev/null || true
loopback=$BED/loopback
cp -r "$BED"/unpacked/usr/src/v4l2loopback-* "$loopback"
make -s -C "$headers" M="$loopback" modules >"$BED/loopback.log" 2>&1 ||
    { tail -20 "$BED/loopback.log" >&2; echo "bed: v4l2loopback was not built" >&2; exit 1; }

# Drivers in the order in which they are loaded, what they need before them.
depmod -b "$BED/unpacked" "$version"
for driver in 9pnet_virtio virtio_pci 9p vivid ftdi_sio uhci_hcd; do
    modprobe -d "$BED/unpacked" -S "$version" --show-depends "$driver"
done | awk '$1 == "insmod" && !seen[$2]++ {print $2}' >"$BED/drivers"
: >"$BED/root/drivers/order"
while read -r file; do
    cp "$file" "$BED/root/drivers/"
    basename "$file" >>"$BED/root/drivers/order"
done <"$BED/drivers"
cp "$loopback/v4l2loopback.ko" "$BED/root/drivers/"
strip --strip-debug "$BED"/root/drivers/*.ko

cp "$BED/unpacked/bin/busybox" "$BED/root/bin/"
(cd "$BED/root" && find . | cpio -o -H newc --quiet | gzip -1) >"$BED/initrd"

# qemu starts an unpacked kernel without the guest having to unpack it, which is slow there.
python3 - "$BED/unpacked/boot/vmlinuz-$version" "$BED/kernel" <<'PY'
import lzma, sys
packed = open(sys.argv[1], "rb").read()
start = packed.index(b"\xfd7zXZ\0")
open(sys.argv[2], "wb").write(lzma.LZMADecompressor().decompress(packed[start:]))
PY
rm -rf "$BED/unpacked" "$BED/root" "$loopback"
echo "$mark" >"$BED/built"
echo "bed: built, $(du -sh "$BED" | cut -f1)"
