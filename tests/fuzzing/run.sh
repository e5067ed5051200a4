#!/bin/sh
# Fuzzes every parser for so many seconds each (SECONDS_EACH, 600 by default), two at a time, or
# only those named as arguments. It begins with corpus/ and with what earlier runs kept in the
# target folder's fuzz/TARGET; what makes a parser panic, hang or eat memory is kept there and told.
set -eu
cd "$(dirname "$0")"
each=${SECONDS_EACH:-600}
out=${CARGO_TARGET_DIR:-$HOME/.cache/kibitzer/target}/fuzz
RUSTC_WRAPPER=$PWD/instrument.sh CARGO_TARGET_DIR=$out cargo build --quiet
program=$out/debug/kibitzer-fuzzing
targets=$*
[ -n "$targets" ] || targets=$("$program" --targets)

one() {
    mkdir -p "$out/$1/corpus" "corpus/$1"
    cd "$out/$1"
    if KIBITZER_FUZZ=$1 "$program" corpus "$OLDPWD/corpus/$1" -max_total_time="$each" -timeout=20 \
        -rss_limit_mb=3000 -print_final_stats=1 >log 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
        edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' log | tail -1)
        echo "$1: $runs inputs, $edges edges, nothing found"
    else
        echo "$1: FAILED, see $out/$1"
        tail -25 log
        return 1
    fi
}

status=0
set -- $targets
while [ $# -gt 0 ]; do
    first=$1
    second=${2:-}
    shift
    (one "$first") &
    a=$!
    b=
    if [ -n "$second" ]; then
        shift
        (one "$second") &
        b=$!
    fi
    wait $a || status=1
    [ -z "$b" ] || wait $b || status=1
done
exit $status
