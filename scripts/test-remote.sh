#!/usr/bin/env bash
# Tests remote caches and remote execution against real servers: redis-server, nginx and PostgreSQL of the system, moto's
# server of S3, BuildGrid and buildbox-casd from their packages.
# A missing server is a counted skip, with REQUIRE_ALL=1 a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"

if [ "${REQUIRE_ALL:-0}" = 1 ] || [ "$(id -u)" -eq 0 ]; then
    scripts/packages.sh redis-server=redis-server nginx=nginx-light bazel=bazel-bootstrap pg_ctlcluster=postgresql \
        openssl=openssl bwrap=bubblewrap
    scripts/callers.sh remote
    scripts/callers.sh engine
fi
mkdir -p target
# After `make test` only its last step is left to be built.
scripts/static.sh dev
export RADDLE_STATIC="$PWD/target/static/raddle"
export RADDLE_SKIP_LOG="$PWD/target/skips-remote.log"
: >"$RADDLE_SKIP_LOG"
"$cargo" test --package raddle-remote --features engines,execution
"$cargo" test --package raddle-cli --features remote --test remote
# The demonstration, with what has been built.
if [ "${REQUIRE_ALL:-0}" = 1 ] || [ "$(id -u)" -eq 0 ]; then
    PROFILE=dev PROGRAM=$RADDLE_STATIC scripts/demo-remote.sh
fi
if [ -s "$RADDLE_SKIP_LOG" ]; then
    echo "skipped tests, by reason (REQUIRE_ALL=1 makes them fail):"
    cut -f3 "$RADDLE_SKIP_LOG" | sort | uniq -c
fi
echo "$(wc -l <"$RADDLE_SKIP_LOG") skips counted"
