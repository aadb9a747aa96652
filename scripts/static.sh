#!/usr/bin/env bash
# Builds a program for workers of remote execution, linked statically: it needs no loader and no C library where it runs.
#
#   scripts/static.sh [PROFILE]     target/static/raddle, by default with all optimisations (the profile `release`)
#
# It is `raddle` of this version without optional features. LLVM IR is no work for it: it loads no library.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"
profile=${1:-release}
case $profile in dev) folder=debug ;; *) folder=$profile ;; esac
program="${CARGO_TARGET_DIR:-target}/$folder/raddle"

# The flags are for the last step alone, so that what it is made of is that of the other program, and most often there already.
"$cargo" rustc --profile "$profile" --package raddle-cli --bin raddle -- \
    -C target-feature=+crt-static -C relocation-model=static
mkdir -p target/static
strip -o target/static/raddle.new "$program"
mv target/static/raddle.new target/static/raddle
# In its place the other program again.
"$cargo" build --quiet --profile "$profile" --package raddle-cli --bin raddle
if readelf --program-headers target/static/raddle | grep -q INTERP; then
    echo "static: the program needs a loader" >&2
    exit 1
fi
echo "target/static/raddle: $(stat -c %s target/static/raddle) bytes"
