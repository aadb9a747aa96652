#!/usr/bin/env bash
# Formatting, lints, documentation, licences, freshness of what is generated.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"

"$cargo" fmt --all --check
"$cargo" clippy --quiet --workspace --all-targets -- -D warnings
# What is off by default: remote caches and remote execution.
"$cargo" clippy --quiet --package raddle-remote --package raddle-cli --features raddle-remote/engines,raddle-remote/execution,raddle-cli/remote --all-targets -- -D warnings
# The models of the task queue must go on building; `cargo campaign loom` explores them.
RUSTFLAGS="--cfg loom -D warnings" "$cargo" check --quiet --package raddle-jobs --test loom --target-dir target/loom
# Module headers may point to private modules: they are written for people who read the source.
RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" "$cargo" doc --quiet --workspace --no-deps --document-private-items
scripts/deny.sh
scripts/package.sh
"$cargo" xtask figures --check
"$cargo" xtask drop-in --check
"$cargo" xtask scale --check
echo "lint: ok"
