# A virtual camera (v4l2loopback) fed with pictures of boards: it is read, freezes, hangs, goes away.
echo "PLAN 13"
feed() { python3 "$FOLDER/checks/feed.py" "$@" & }

kibitzer cameras LoopOne --seconds 2 --json >unfed
check unfed-is-told grep -q 'no program feeds' unfed

feed /dev/video10 640x480 10 YUYV "$MEDIA/flood.yuyv" noise
feeder=$!
fed() { v4l2-ctl -d /dev/video10 --all | grep -q 'Video Capture$'; }
wait_for 10 fed
kibitzer look camera:LoopOne --game flood --json >board
check board-is-read eval '[ "$(field board found)" = True ] && [ "$(field board board)" = "$(field "$MEDIA/flood.json" board)" ]'
echo "read $(field board board) quality $(field board quality)"
cat >turned.toml <<'TOML'
version = 1
[source]
camera = "video10"
rotate = 180
mirror = true
[game]
name = "flood"
TOML
# Turned by 180 degrees and mirrored the board stands on its head, left and right as they are.
kibitzer look camera: --profile ./turned.toml --annotate turned.png >/dev/null
convert "$MEDIA/flood.png" -flip upside.png
apart=$(compare -metric MAE turned.png upside.png null: 2>&1 | sed 's/.*(\(.*\))/\1/')
echo "FIGURE turned picture differs by $apart from what it should be"
check turned awk "BEGIN {exit !($apart < 0.05)}"

# Pictures that come as JPEG, as most webcams send large ones.
feed /dev/video11 640x480 5 MJPG "$MEDIA/flood.jpg"
jpegs=$!
fed_too() { v4l2-ctl -d /dev/video11 --all | grep -q 'Video Capture$'; }
wait_for 10 fed_too
kibitzer look camera:LoopTwo --game flood --json >board
check board-in-jpeg eval '[ "$(field board found)" = True ] && [ "$(field board board)" = "$(field "$MEDIA/flood.json" board)" ]'
kill $jpegs

# A profile of it: there is nothing to lock, and the camera is remembered.
kibitzer calibrate --camera LoopOne --game flood --name fed --into /mnt >calibrated 2>&1
cat calibrated
check calibrated grep -q '^7x5 cells, quality' calibrated
check camera-is-remembered grep -q 'calibrated_with = "/dev/video10"' fed.toml

# A run is told what is wrong with its camera, and goes on by itself.
kibitzer watch --camera LoopOne --game flood --journal watch.db >watched 2>watch.log &
watch=$!
sees() { grep -q "$1" watched; }
check watched wait_for 40 sees 'board'
kill -STOP $feeder
check watch-is-told wait_for 30 sees 'the source is a camera that gives no pictures'
kill -CONT $feeder
kill -TERM $watch
wait $watch
cat watched

kibitzer cameras LoopOne --seconds 75 --json >run 2>run.log &
run=$!
now() { states run | grep -q "$1 \$"; }
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
check nobody-feeds-it wait_for 40 now refusing
wait $run
states run
cat run.log
