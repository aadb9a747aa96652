#!/usr/bin/env bash
# Licences, bans and sources of all dependencies, as deny.toml says, by cargo-deny.
#
# An installed cargo-deny is used. With REQUIRE_ALL=1 a missing one is built once (about two minutes) into
# ${RADDLE_TOOLS:-~/.cache/raddle/tools}; otherwise its absence is said, and the tidy test alone reads the licences.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"
version=0.20.2
tools="${RADDLE_TOOLS:-$HOME/.cache/raddle/tools}"
export PATH="$tools/bin:$PATH"

if ! "$cargo" deny --version >/dev/null 2>&1; then
    if [ "${REQUIRE_ALL:-0}" != 1 ]; then
        echo "deny: cargo-deny is not installed; the tidy test alone reads the licences (REQUIRE_ALL=1 installs it)"
        exit 0
    fi
    echo "deny: installing cargo-deny $version into $tools"
    mkdir -p "$tools"
    staging=$(mktemp -d "$tools/staging.XXXXXX")
    trap 'rm -rf "$staging"' EXIT
    # It runs for seconds: a build without optimisation is the shortest way.
    CARGO_TARGET_DIR="$staging" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
        "$cargo" install --quiet --locked --root "$tools" "cargo-deny@$version"
fi
"$cargo" deny --log-level error check bans licenses sources
