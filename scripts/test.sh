#!/usr/bin/env bash
# Runs all tests, prints every counted skip and a closing line with the totals.
# Arguments go to `cargo test`. REQUIRE_ALL=1 turns skips into failures. MEASURE=1 records the time as a figure.
# Without arguments the largest test program runs beside all others, each on as many threads as there are cores: one
# after another they would leave cores idle at the end of each.
set -uo pipefail
cd "$(dirname "$0")/.."

skips="$PWD/target/skips.log"
output="$PWD/target/test.log"
mkdir -p target
: >"$skips"
export RADDLE_SKIP_LOG="$skips"

# Under nohup SIGHUP is ignored, and in the background of a script SIGINT and SIGQUIT are: by everything that is started, and by what the
# tests kill with them.
reset=()
env --default-signal=HUP,INT,QUIT true 2>/dev/null && reset=(env --default-signal=HUP,INT,QUIT)

# What a later build could reuse takes time to write, which a first build does not get back.
[ -d "${CARGO_TARGET_DIR:-target}/debug" ] || export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"

cargo_test() {
    "${reset[@]}" "${CARGO:-cargo}" test --workspace "$@" 2>&1
}

# All tests, in two halves; the output of the first comes after that of the second.
halves() {
    cargo_test --no-run || return
    local first="$PWD/target/test-whole.log" failed=0 runner
    runner="CARGO_TARGET_$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')_RUNNER"
    echo "     Running tests/tests/all.rs beside the tests that follow (target/test-whole.log)"
    cargo_test --no-fail-fast --test whole >"$first" &
    local pid=$!
    trap 'kill "$pid" 2>/dev/null' EXIT
    export "$runner=$PWD/scripts/but-whole.sh"
    cargo_test --no-fail-fast || failed=$?
    wait "$pid" || failed=$?
    cat "$first"
    return "$failed"
}

started=$SECONDS
if [ $# -eq 0 ]; then halves; else cargo_test --no-fail-fast "$@"; fi | tee "$output"
status=${PIPESTATUS[0]}
elapsed=$((SECONDS - started))

if [ -s "$skips" ]; then
    echo
    echo "skipped tests, by reason (REQUIRE_ALL=1 makes them fail):"
    cut -f3 "$skips" | sort | uniq -c | sort -rn
fi
echo
awk -v skipped="$(wc -l <"$skips")" -v elapsed="$elapsed" -v status="$status" '
    /^test result:/ { passed += $4; failed += $6; ignored += $8 }
    END {
        # A run that ended with an error although no test failed did not build, or died.
        if (status != 0 && failed == 0) failed = 1
        printf "%d skips counted, %d s\n", skipped, elapsed
        printf "test result: %s. %d passed; %d failed; %d ignored\n", failed ? "FAILED" : "ok", passed, failed, ignored
        printf "%d passed, %d failed\n", passed, failed
    }' "$output"
if [ "$status" -eq 0 ] && [ "${MEASURE:-0}" = 1 ]; then
    minutes=$(awk -v s="$elapsed" 'BEGIN { printf "%.1f", s / 60 }')
    "${CARGO:-cargo}" xtask measured test.minutes "$minutes" "REQUIRE_ALL=${REQUIRE_ALL:-0} MEASURE=1 make test" "compiling included"
fi
exit "$status"
