# A virtual camera (v4l2loopback) fed with pictures of boards: it is read, freezes, hangs, goes away.
echo "PLAN 8"
feed() { python3 "$FOLDER/checks/feed.py" "$@" & }

kibitzer cameras LoopOne --seconds 2 --json >unfed
check unfed-is-told grep -q 'no program feeds' unfed

feed /dev/video10 640x480 10 YUYV "$MEDIA/connect4.yuyv" noise
feeder=$!
fed() { v4l2-ctl -d /dev/video10 --all | grep -q 'Video Capture$'; }
wait_for 10 fed
kibitzer look camera:LoopOne --game connect4 --json >board
check board-is-read eval '[ "$(field board found)" = True ] && [ "$(field board board)" = "$(field "$MEDIA/connect4.json" board)" ]'
echo "read $(field board board) quality $(field board quality)"
cat >turned.toml <<'TOML'
version = 1
[source]
camera = "video10"
rotate = 180
mirror = true
[game]
name = "connect4"
TOML
# Turned by 180 degrees and mirrored the board stands on its head, left and right as they are.
kibitzer look camera: --profile ./turned.toml --annotate turned.png >/dev/null
convert "$MEDIA/connect4.png" -flip upside.png
apart=$(compare -metric MAE turned.png upside.png null: 2>&1 | sed 's/.*(\(.*\))/\1/')
echo "FIGURE turned picture differs by $apart from what it should be"
check turned awk "BEGIN {exit !($apart < 0.05)}"

kibitzer cameras LoopOne --seconds 75 --json >run 2>run.log &
run=$!
now() { states run | grep -q "$1 \$"; }
not_now() { ! now "$1"; }
wait_for 30 now live
kill -USR1 $feeder
check frozen wait_for 30 now frozen
kill -USR1 $feeder
check thawed wait_for 30 now live
kill -STOP $feeder
check hanging wait_for 30 now hanging
kill -CONT $feeder
check goes-on wait_for 30 now live
kill $feeder
wait_for 30 not_now live
feed /dev/video10 640x480 10 YUYV "$MEDIA/connect4.yuyv" noise
feeder=$!
check fed-again wait_for 30 now live
wait $run
states run
cat run.log
kill $feeder
