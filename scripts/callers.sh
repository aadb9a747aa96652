#!/usr/bin/env bash
# Installs the callers of scripts/callers.lock into ${RADDLE_ORACLES:-~/.cache/raddle/oracles}/callers, once: a virtual
# environment of Python. It appears whole or not at all; a stamp holds the hash of the lock file.
set -euo pipefail
cd "$(dirname "$0")/.."

root="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}"
lock=scripts/callers.lock
want=$(sha256sum "$lock" | cut -d' ' -f1)
mkdir -p "$root"
exec 9>"$root/.callers.lock"
flock 9
if [ "$(cat "$root/callers/stamp" 2>/dev/null)" = "$want" ]; then
    echo "callers: $root/callers is up to date"
    exit 0
fi

scripts/packages.sh python3=python3
# A virtual environment knows its own path: it is made in its place, and the stamp comes last.
rm -rf "$root/callers"
python3 -m venv "$root/callers" >/dev/null 2>&1 || {
    rm -rf "$root/callers"
    scripts/packages.sh no-such-command=python3-venv
    python3 -m venv "$root/callers"
}
echo "callers: installing into $root/callers (about 250 MB to download)"
"$root/callers/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary=:all: \
    --requirement "$lock"
echo "$want" >"$root/callers/stamp"
echo "callers: installed"
