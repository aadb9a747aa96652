#!/usr/bin/env bash
# Builds a program for workers of remote execution, linked statically: it needs no loader and no C library where it runs.
#
#   scripts/static.sh [PROFILE]     target/static/raddle, by default with all optimisations (the profile `release`)
#
# It is `raddle` of this version without optional features. LLVM IR is no work for it: it loads no library.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-release}
triple=$("${RUSTC:-rustc}" -vV | sed -n 's/^host: //p')

# The flags are for the program alone, not for what runs while it is built: so the target is named.
variable="CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$triple")_RUSTFLAGS"
env "$variable=-C target-feature=+crt-static -C relocation-model=static" \
    "${CARGO:-cargo}" build --profile "$profile" --package raddle-cli --target "$triple"
case $profile in dev) folder=debug ;; *) folder=$profile ;; esac
mkdir -p target/static
strip -o target/static/raddle.new "target/$triple/$folder/raddle"
mv target/static/raddle.new target/static/raddle
if readelf --program-headers target/static/raddle | grep -q INTERP; then
    echo "static: the program needs a loader" >&2
    exit 1
fi
echo "target/static/raddle: $(stat -c %s target/static/raddle) bytes"
