# What the files of checks share; read in before them, in the guest, by /bin/sh.

# check NAME COMMAND...: one line for the runner.
check() {
    check_name=$1
    shift
    if "$@"; then echo "CHECK $check_name OK"; else echo "CHECK $check_name FAIL"; fi
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
    wait_until=$(($(date +%s) + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt $wait_until ] || return 1
        sleep 0.2
    done
}

kibitzer() { "$KIBITZER" "$@"; }

# field FILE KEY: the value of a key in the last JSON object of a file; of the first object that
# has it with `first`.
field() {
    python3 - "$1" "$2" "${3:-last}" <<'PY'
import json, sys
found = [o for o in (json.loads(l) for l in open(sys.argv[1]) if l.startswith("{")) if sys.argv[2] in o]
value = found[0 if sys.argv[3] == "first" else -1][sys.argv[2]] if found else None
print(json.dumps(value) if isinstance(value, (list, dict)) else value)
PY
}

# states FILE: the states that a camera went through, in order.
states() { sed -n 's/^{"at".*"state":"\([a-z]*\)".*/\1/p' "$1" | tr '\n' ' '; }
