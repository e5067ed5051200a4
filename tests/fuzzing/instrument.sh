#!/bin/sh
# Stands between cargo and rustc (RUSTC_WRAPPER): compiles the project itself so that the fuzzer
# sees which branches were taken, and everything else as usual.
case " $* " in
*" --crate-name kibitzer "* | *" --crate-name kibitzer_fuzzing "*)
    exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
        -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing
    ;;
*) exec "$@" ;;
esac
