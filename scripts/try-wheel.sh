#!/usr/bin/env bash
# Runs the commands of README.md that compile flash attention of Triton and run it in the simulator, as they stand there, in a
# clean environment: scripts/try-wheel.sh [FOLDER]
#
# FOLDER (target/wheel) has the wheel (make wheel). Everything else comes from pip's index. Nothing of the user's is used but
# the settings of pip: neither packages, caches nor variables of Raddle or Triton.
set -euo pipefail
cd "$(dirname "$0")/.."
wheels=$(realpath "${1:-target/wheel}")
fail() { echo "try-wheel: $*" >&2; exit 1; }

readarray -t commands < <(sed -n '/^## Kernels of Triton/,/^## /s/^\$ //p' README.md)
[ "${#commands[@]}" = 2 ] || fail "README.md has ${#commands[@]} commands, not two"
[ "$(find "$wheels" -maxdepth 1 -name 'raddle-*.whl' | wc -l)" = 1 ] || fail "$wheels has not one wheel (make wheel)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
python3 -m venv "$work/venv"
for name in $(compgen -e); do
    case $name in RADDLE_* | TRITON_* | PYTHON* | XDG_*) unset "$name" ;; esac
done
export HOME="$work/home" PATH="$work/venv/bin:$PATH" VIRTUAL_ENV="$work/venv"
for command in "${commands[@]}"; do
    echo "$ $command"
    # The only word that differs is the folder of the wheel.
    bash -euc "${command//target\/wheel/\"$wheels\"}" | tee "$work/out"
done
# The last one says what it compiled, for each architecture; it fails where a result is wrong or the code is not ours.
for arch in sm_80 sm_90; do
    grep -qE "^attention for $arch: [0-9]+ bytes by Raddle, off by " "$work/out" || fail "no attention for $arch"
done
