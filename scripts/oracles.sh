#!/usr/bin/env bash
# Installs the oracles of scripts/oracles.lock into ${RADDLE_ORACLES:-~/.cache/raddle/oracles}/site, once.
#
# The folder appears whole or not at all: everything is installed beside it and renamed. A stamp holds the hash of the
# lock file, so that a changed lock installs again. Two of these at once are serialised by a lock.
set -euo pipefail
cd "$(dirname "$0")/.."

root="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}"
lock=scripts/oracles.lock
want=$(sha256sum "$lock" | cut -d' ' -f1)
tools="cu13/bin/ptxas cu13/bin/nvcc cu13/bin/nvlink cu13/bin/cuobjdump cu13/bin/nvdisasm cuda_nvcc/bin/ptxas"

complete() {
    for tool in $tools; do [ -x "$1/nvidia/$tool" ] || return 1; done
    [ -x "$1/bin/ninja" ] && [ -x "$1/bin/maturin" ] && [ -x "$1/bin/z3" ]
}
fresh() { complete "$root/site" && [ "$(cat "$root/stamp" 2>/dev/null)" = "$want" ]; }

mkdir -p "$root"
exec 9>"$root/.lock"
flock 9
if fresh; then
    echo "oracles: $root/site is up to date"
    exit 0
fi

# A pip that works: the system's, or one in a throw-away environment.
scripts/packages.sh python3=python3
staging=$(mktemp -d "$root/staging.XXXXXX")
trap 'rm -rf "$staging"' EXIT
if python3 -m pip --version >/dev/null 2>&1; then
    python=python3
else
    python3 -m venv "$staging/venv" >/dev/null 2>&1 || {
        rm -rf "$staging/venv"
        scripts/packages.sh no-such-command=python3-venv
        python3 -m venv "$staging/venv"
    }
    python="$staging/venv/bin/python3"
fi

echo "oracles: installing into $root/site (about 240 MB to download)"
"$python" -m pip install --quiet --disable-pip-version-check --no-input --root-user-action=ignore \
    --only-binary=:all: --no-deps --require-hashes --requirement "$lock" --target "$staging/site"
chmod +x "$staging"/site/nvidia/*/bin/* "$staging"/site/bin/* 2>/dev/null || true
complete "$staging/site" || { echo "oracles: a tool is missing after the installation" >&2; exit 1; }

# Where an older set exists, it makes room by a rename, so that a reader never sees half of one.
if [ -e "$root/site" ]; then mv "$root/site" "$staging/old"; fi
mv "$staging/site" "$root/site"
echo "$want" >"$root/stamp"
echo "oracles: installed"
