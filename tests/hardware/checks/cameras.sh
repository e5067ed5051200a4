# A camera with a driver of its own (vivid): listed, opened in each format, set, unplugged, failing,
# taken by another program, forbidden.
echo "PLAN 20"

# What is there.
kibitzer cameras --json >list
check listed grep -q '"card":"vivid-000-vid-cap".*"format":"YUYV"' list
check controls-listed grep -q '"control":"gain"' list
kibitzer cameras nonesuch >/dev/null 2>none
check missing-lists-what-there-is grep -q 'no camera "nonesuch"; there are:.*vivid' none

# A still in each packing: the driver's colour bars, from left to right.
bars() {
    for x in 40 120 200 280 360 440 520 600; do
        convert "$1" -crop 2x2+$x+40 -resize 1x1 -depth 8 rgb:- | od -An -tu1
    done | tr -s ' \n' ' '
}
near() { # near TOLERANCE BARS BARS
    # shellcheck disable=SC2086 # lists of numbers
    set -- "$1" $2 $3
    most=$1
    shift
    for i in $(seq 24); do
        eval "d=\$((\${$i} - \${$((i + 24))}))"
        [ "${d#-}" -le "$most" ] || { echo "not near: $*"; return 1; }
    done
}
still() { # still FORMAT OPTIONS...
    format=$1
    shift
    kibitzer cameras vivid --seconds 3 --size 640x360 --rate 15 --format "$format" "$@" --json \
        --save "$format.png" >"$format"
    [ "$(field "$format" size)" = "[640, 360]" ] && field "$format" format | grep -q "^$format 640x360"
}
check still-yuyv still YUYV --control gain=77 --control zoom=3
check gain-read-back grep -q '"asked":"77","control":"gain","refused":null,"value":77' YUYV
check zoom-refused grep -q '"control":"zoom","refused":"the camera does not have it"' YUYV
check still-rgb still RGB3
check still-nv12 still NV12
check still-grey still GREY
true_bars=$(bars RGB3.png) yuyv_bars=$(bars YUYV.png) nv12_bars=$(bars NV12.png)
echo "bars as RGB: $true_bars"
echo "bars as YUYV:$yuyv_bars"
check same-colours-yuyv near 10 "$true_bars" "$yuyv_bars"
check same-colours-nv12 near 10 "$true_bars" "$nv12_bars"

# One run through what befalls a camera.
kibitzer cameras vivid --seconds 45 --size 640x360 --rate 15 --json >run 2>run.log &
run=$!
live() { [ "$(states run | wc -w)" -ge "$1" ] && states run | grep -q "live $"; }
check works wait_for 20 live 1
kibitzer cameras vivid --seconds 2 --json >second
check busy-is-told grep -q '"state":"busy".*resource busy' second
v4l2-ctl -d /dev/video0 -c disconnect=1
check unplugged-and-back wait_for 20 live 3
v4l2-ctl -d /dev/video0 -c inject_fatal_streaming_error=1
check failing-and-back wait_for 20 live 5
v4l2-ctl -d /dev/video0 -c inject_v4l2_buf_flag_error=1 -c percentage_of_dropped_buffers=30
sleep 3
v4l2-ctl -d /dev/video0 -c percentage_of_dropped_buffers=0
wait $run
states run
cat run.log
tail -1 run
check damage-and-loss-are-counted eval '[ "$(field run damaged)" -ge 1 ] && [ "$(field run missed)" -ge 3 ]'
echo "FIGURE camera of 15 pictures a second: $(field run rate), $(field run delay_ms) ms old, $(field run missed) missed"

# Calibrating lets it settle and locks what it has chosen; there is no board to be found.
cat >settle.toml <<'TOML'
version = 1
[source]
camera = "vivid"
size = [640, 360]
rate = 15
[game]
name = "flood"
TOML
v4l2-ctl -d /dev/video0 -c gain_automatic=1
kibitzer calibrate ./settle.toml --name settled --into /mnt >settled 2>&1
cat settled
check gain-is-locked grep -q '^locked: gain [0-9]*$' settled
check automatic-gain-is-off eval "v4l2-ctl -d /dev/video0 -C gain_automatic | grep -q ': 0'"
check flicker-is-measured grep -q '^flicker [0-9.]* %' settled

# Without the right to open it.
chmod 000 /dev/video0
setpriv --bounding-set=-dac_override,-dac_read_search "$KIBITZER" cameras vivid --seconds 1 --json >denied
check denied-is-told grep -q '"state":"denied"' denied
cat denied
chmod 600 /dev/video0
