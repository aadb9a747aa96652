#!/usr/bin/env bash
# Makes the Python wheel: scripts/wheel.sh [--profile NAME] FOLDER
#
# It has the module for every Python from 3.10 on. maturin is that of `make oracles`.
set -euo pipefail
profile=release
if [ "${1:-}" = --profile ]; then
    profile="$2"
    shift 2
fi
out=$(realpath -m "${1:?usage: scripts/wheel.sh [--profile NAME] FOLDER}")
cd "$(dirname "$0")/.."
maturin="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/site/bin/maturin"
[ -x "$maturin" ] || { echo "wheel: maturin is not installed (make oracles)" >&2; exit 1; }

mkdir -p "$out"
"$maturin" build --quiet --locked --manifest-path python/Cargo.toml --profile "$profile" --out "$out"
