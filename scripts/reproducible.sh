#!/usr/bin/env bash
# Makes the distribution twice, with the libraries, from the committed files, in two folders, and compares every byte.
# MEASURE=1 records the figure. Arguments go to scripts/dist.sh. It builds twice with all optimisations: a quarter of an
# hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
MAINTAINER="${MAINTAINER:-$(git log -1 --format='%an <%ae>')}"
export SOURCE_DATE_EPOCH MAINTAINER
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for folder in "$work/a" "$work/another folder/b"; do
    mkdir -p "$folder/source"
    git archive HEAD | tar -x -C "$folder/source"
    # The second run has another time and another user's mask.
    (
        cd "$folder/source"
        unset CARGO_TARGET_DIR
        [ "$folder" = "$work/a" ] || umask 077
        scripts/dist.sh "$@" "$folder/out"
    )
    # Room for the second build.
    rm -rf "$folder/source/target"
done
differences=0
while read -r file; do
    cmp "$work/a/out/$file" "$work/another folder/b/out/$file" || differences=$((differences + 1))
done < <(cd "$work" && { ls a/out && ls "another folder/b/out"; } | sort -u)
echo "reproducible: $differences files differ"
if [ "${MEASURE:-0}" = 1 ]; then
    "${CARGO:-cargo}" xtask measured package.reproducible "$differences" "MEASURE=1 scripts/reproducible.sh${*:+ $*}" \
        "tarball, Debian package and their hashes, made in two folders"
fi
[ "$differences" = 0 ]
