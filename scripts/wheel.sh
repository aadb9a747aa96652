#!/usr/bin/env bash
# Makes the Python wheel: scripts/wheel.sh [--profile NAME] [--programs FOLDER] FOLDER
#
# It has the module for every Python from 3.10 on, and what is in the folder of programs: executables in bin, shared
# libraries in lib. `python -m raddle path NAME` names them, and the program under the names of the tools. maturin is that of `make oracles`.
set -euo pipefail
profile=release
programs=
while :; do
    case "${1:-}" in
    --profile) profile="$2" ;;
    --programs) programs=$(realpath "$2") ;;
    *) break ;;
    esac
    shift 2
done
out=$(realpath -m "${1:?usage: scripts/wheel.sh [--profile NAME] [--programs FOLDER] FOLDER}")
cd "$(dirname "$0")/.."
maturin="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/site/bin/maturin"
[ -x "$maturin" ] || { echo "wheel: maturin is not installed (make oracles)" >&2; exit 1; }

# maturin takes what is in the package; two of these at once are serialised.
mkdir -p target "$out"
exec 9>target/wheel.lock
flock 9
package=python/raddle
trap 'rm -rf "$package/bin" "$package/lib"' EXIT
rm -rf "$package/bin" "$package/lib"
if [ -n "$programs" ]; then
    mkdir "$package/bin" "$package/lib"
    # A wheel has no links: each file once, without debug information.
    find "$programs/bin" -maxdepth 1 -type f -perm -u+x -exec cp {} "$package/bin" \;
    find "$programs/lib" -maxdepth 1 -type f -name 'lib*.so.*' -exec cp {} "$package/lib" \;
    find "$package/bin" "$package/lib" -type f -exec strip --strip-debug {} +
fi
"$maturin" build --quiet --locked --manifest-path python/Cargo.toml --profile "$profile" --out "$out"

# maturin chooses the tag by the module alone: the programs and libraries must not need a newer glibc than it promises.
wheel=$(ls -t "$out"/raddle-*.whl | head -n 1)
promised=$(sed -nE 's/.*manylinux_2_([0-9]+)_.*/\1/p' <<<"$wheel")
if [ -n "$promised" ] && [ -n "$programs" ]; then
    for file in "$package"/bin/* "$package"/lib/*; do
        needed=$(objdump -T "$file" | grep -oE 'GLIBC_2\.[0-9]+' | sort -t. -k2 -n | tail -n 1 || true)
        [ -z "$needed" ] || [ "${needed#GLIBC_2.}" -le "$promised" ] || {
            echo "wheel: ${file##*/} needs $needed, the tag of the wheel promises 2.$promised" >&2
            exit 1
        }
    done
fi
