#!/usr/bin/env bash
# Packs the crates that are published, as `cargo publish` would: scripts/package.sh [--build]
#
# Without an option it packs them and looks at what is in each: seconds. With --build it also builds the command and
# the library from the packed crates alone, in an empty folder, and compiles and runs a kernel with the command.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"
root=$PWD

fail() { echo "package: $*" >&2; exit 1; }

mapfile -t manifests < <(grep -L '^publish = false' crates/*/Cargo.toml)
names=()
for manifest in "${manifests[@]}"; do
    names+=("$(sed -n '0,/^name = /s/^name = "\(.*\)"/\1/p' "$manifest")")
done
version=$(sed -n '0,/^version = /s/^version = "\(.*\)"/\1/p' Cargo.toml)

out=target/packed
rm -rf "$out"
# Nothing is asked of a registry: the crates are in none yet, and all others were downloaded for a build.
"$cargo" package --quiet --offline --no-verify --allow-dirty --target-dir "$out" "${names[@]/#/--package=}" 2>"$root/target/package.log" ||
    { cat target/package.log >&2; fail "cargo package fails"; }
# Tests and examples need the data of the whole repository. Any other warning is a fault.
if grep -v '^warning: ignoring \(test\|example\) ' target/package.log >&2; then
    fail "cargo package warns"
fi

for name in "${names[@]}"; do
    crate="$out/package/$name-$version.crate"
    [ -f "$crate" ] || fail "there is no $crate"
    # With the times of now: those in a package are the same for all contents, and cargo compares times.
    tar -xzmf "$crate" -C "$out"
    folder="$out/$name-$version"
    for file in README.md LICENSE-MIT LICENSE-APACHE src; do
        [ -s "$folder/$file" ] || fail "$name: no $file is packed"
    done
    for field in description license readme keywords categories; do
        grep -q "^$field = " "$folder/Cargo.toml" || fail "$name: no $field"
    done
    ! grep -q '^path = "\.\./\|^\[dependencies.raddle-filetest' "$folder/Cargo.toml" || fail "$name needs a path"
done
cp "$out"/package/*.crate "$out/"
(cd "$out" && du -ch ./*.crate | tail -n 1 | sed "s/total/in ${#names[@]} packed crates/")
[ "${1:-}" = --build ] || exit 0

# What a user's cargo does, from these files in the place of a registry's.
work="$root/$out/alone"
mkdir "$work"
{
    printf '[workspace]\nresolver = "3"\nmembers = ["raddle-cli-%s", "raddle-%s"]\n[patch.crates-io]\n' "$version" "$version"
    for name in "${names[@]}"; do
        mv "$out/$name-$version" "$work/"
        # Members of a workspace are found without a patch.
        printf '%s = { path = "%s" }\n' "$name" "$name-$version"
    done
} >"$work/Cargo.toml"
# The versions of this repository; what is not needed falls out.
cp Cargo.lock "$work/"
(cd "$work" && CARGO_TARGET_DIR="$root/target/packed-build" "$cargo" build --quiet --offline --package raddle-cli --package raddle)
raddle="target/packed-build/debug/raddle"
"$raddle" --version | grep -q "^raddle $version" || fail "the packed command does not say its version"
"$raddle" compile tests/corpus/kernels/collatz/nvcc.ptx --arch sm_90 --history off -o "$work/k.cubin"
for i in 1 7 27; do printf "\\$(printf %03o "$i")\\0\\0\\0"; done >"$work/x.bin"
"$raddle" run "$work/k.cubin" --block 32 --arg "in:$work/x.bin" --arg "out:$work/y.bin:12" --arg s32:3
[ "$(od -An -v -td4 "$work/y.bin" | tr -s ' ')" = " 0 16 111" ] || fail "a kernel computes something else"
echo "package: the packed command compiles and runs a kernel"
