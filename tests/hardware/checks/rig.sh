# The whole rig: a Tetris that a webcam sees (on a virtual camera) is played through relays on a USB
# serial line. The board hangs at the other end of the cable that the host holds.
echo "PLAN 5"
wait_for 10 [ -e /dev/ttyUSB1 ]
near= far=
for line in /dev/ttyUSB0 /dev/ttyUSB1; do
    serial=$(cat /sys/class/tty/${line#/dev/}/device/../../serial 2>/dev/null)
    [ "$serial" = ONE ] && near=$line || far=$line
done
echo "relays at $near, board at $far"
check two-lines [ -n "$near" ] && [ -n "$far" ]

# Emulated, this machine is slow: a small picture, a slow game.
kibitzer target tetris --start --next --level 1 --speed=-50 --seed 7 --window 480x360 \
    --camera /dev/video10 --camera-size 480x360 --rate "${RATE:-5}" --board /mnt/board >game 2>game.log &
game=$!
wait_for 120 [ -e /mnt/board ]
python3 "$FOLDER/checks/bridge.py" "$far" /mnt/board &
bridge=$!
cat >rig.toml <<TOML
version = 1
[source]
camera = "LoopOne"
size = [480, 360]
rate = ${RATE:-5}
[game]
name = "tetris"
[board]
cols = 10
rows = 20
[hands]
kind = "adr2200"
port = "$near"
[hands.relays]
Left = 0
Right = 1
Up = 2
space = 3
r = 4
TOML
timeout -s INT 150 "$KIBITZER" play ./rig.toml --pieces 3 --journal /mnt/journal.db >played 2>&1
ended=$?
tail -40 played
check board-is-found grep -q 'found a 10x20 board' played
kill $bridge $game
sleep 1
cat game.log
tail -3 game
line=$(tail -1 game)
pieces=$(echo "$line" | awk '{print $2}') rows=$(echo "$line" | awk '{print $4}')
presses=$(echo "$line" | awk '{print $(NF - 1)}')
echo "FIGURE played in the guest: $line"
check keys-arrived [ "${presses:-0}" -gt 5 ]
check pieces-were-placed [ "${pieces:-0}" -ge 3 ]
check play-says-so [ "$ended" = 0 ]
