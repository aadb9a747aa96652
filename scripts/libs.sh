#!/usr/bin/env bash
# Makes the libraries of the C interfaces: scripts/libs.sh [--archive FILE] FOLDER
#
# FOLDER/lib gets a shared and a static library for each file of crates/capi/exports, FOLDER/include the headers.
# All are made of one archive, which cargo builds with all optimisations; tests give the one that was built with them.
# A file of exports is a version script of the linker: the symbols that it names are the only visible ones.
set -euo pipefail
archive=
if [ "${1:-}" = --archive ]; then
    archive=$(realpath "$2")
    shift 2
fi
out=$(realpath -m "${1:?usage: scripts/libs.sh [--archive FILE] FOLDER}")
cd "$(dirname "$0")/.."

if [ -z "$archive" ]; then
    # cargo names the archive that it made, or has made before, among other files.
    archive=$("${CARGO:-cargo}" build --package raddle-capi --lib --release --message-format=json-render-diagnostics |
        grep -o '"[^"]*/libraddle_capi[^"/]*\.a"' | tail -n 1 | tr -d '"')
fi
[ -f "$archive" ] || { echo "libs: there is no archive" >&2; exit 1; }

mkdir -p "$out/lib" "$out/include"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME SONAME STATIC: the version script is exports/NAME.map.
library() {
    local map="crates/capi/exports/$1.map" symbols
    symbols=$(sed -n '/global:/,/local:/s/^ *\([A-Za-z_][A-Za-z0-9_]*\);$/\1/p' "$map")
    # Nothing of an archive is linked unless it is asked for.
    local wanted
    wanted=$(printf -- '-Wl,--undefined=%s ' $symbols)
    # shellcheck disable=SC2086
    cc -shared -o "$work/$2" $wanted -Wl,-soname,"$2" -Wl,--version-script="$map" -Wl,--gc-sections -Wl,--as-needed \
        -Wl,-z,relro,-z,now -Wl,--strip-debug -Wl,-z,noexecstack "$archive" -lgcc_s -lpthread -lm -ldl -lrt -lc
    mv "$work/$2" "$out/lib/$2"
    ln -sf "$2" "$out/lib/${2%.so.*}.so"
    # One object of everything that the symbols need, with no other visible symbol: it may be linked with other code
    # in Rust.
    # shellcheck disable=SC2086
    ld -r --gc-sections $(printf -- '--undefined=%s ' $symbols) --strip-debug -o "$work/$1.o" "$archive"
    printf '%s\n' $symbols >"$work/$1.symbols"
    objcopy --keep-global-symbols="$work/$1.symbols" --remove-section=.llvmbc --remove-section=.llvmcmd "$work/$1.o"
    rm -f "$work/$3"
    ar rcsD "$work/$3" "$work/$1.o"
    mv "$work/$3" "$out/lib/$3"
}

# Each is linked by one thread: all at once.
made=()
library nvptxcompiler libnvptxcompiler.so.13 libnvptxcompiler_static.a & made+=($!)
library nvJitLink libnvJitLink.so.13 libnvJitLink_static.a & made+=($!)
library nvfatbin libnvfatbin.so.13 libnvfatbin_static.a & made+=($!)
library raddle libraddle.so.0 libraddle_static.a & made+=($!)
for one in "${made[@]}"; do
    wait "$one"
done
cp crates/capi/include/*.h "$out/include/"
