#!/usr/bin/env bash
# Makes what a user installs without Rust: scripts/dist.sh [--profile NAME] [--no-libs] [FOLDER]
#
# FOLDER (target/dist) gets a tarball, a Debian package where dpkg-deb is, and SHA256SUMS. In both are the command, the
# libraries with NVIDIA's C interfaces and their headers, manual pages, completions, the documentation, a bill of
# materials (CycloneDX) and the licences of everything that is linked. At the end both are unpacked and tried.
#
# The same commit gives the same bytes in any folder, at any time: paths are mapped, times are SOURCE_DATE_EPOCH (the
# commit's), the maintainer of the Debian package is MAINTAINER (the commit's author). scripts/reproducible.sh proves it.
# Another profile than release is for checks: its paths are not mapped.
set -euo pipefail
profile=release
libs=1
while :; do
    case "${1:-}" in
    --profile) profile="$2"; shift 2 ;;
    --no-libs) libs=0; shift ;;
    *) break ;;
    esac
done
out=$(realpath -m "${1:-$(dirname "$0")/../target/dist}")
cd "$(dirname "$0")/.."
cargo="${CARGO:-cargo}"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC
umask 022

fail() { echo "dist: $*" >&2; exit 1; }

# Build ----------------------------------------------------------------------------------------------------------------
target="${CARGO_TARGET_DIR:-target}"
if [ "$profile" = release ]; then
    # Other flags than a developer's build has: a folder of their own, so that neither is built again for the other.
    target="$target/dist-build"
    sysroot=$(rustc --print sysroot)
    # In this variable a path may have blanks.
    CARGO_ENCODED_RUSTFLAGS=$(printf -- '--remap-path-prefix=%s\x1f' "$PWD=/raddle" \
        "${CARGO_HOME:-$HOME/.cargo}=/cargo" "$sysroot=/rust")
    export CARGO_ENCODED_RUSTFLAGS="${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}"
fi
packages=(--package raddle-cli)
[ $libs = 0 ] || packages+=(--package raddle-capi)
"$cargo" build --locked --profile "$profile" --target-dir "$target" "${packages[@]}"
unset CARGO_ENCODED_RUSTFLAGS
built="$target/${profile/#dev/debug}"

version=$("$built/raddle" -V | cut -d' ' -f2)
machine=$(uname -m)
name="raddle-$version-$machine-linux"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/$name"

# Tree -----------------------------------------------------------------------------------------------------------------
doc="$tree/share/doc/raddle"
mkdir -p "$tree/bin" "$doc" "$tree/share/bash-completion/completions" "$tree/share/zsh/site-functions" \
    "$tree/share/fish/vendor_completions.d"
strip -o "$tree/bin/raddle" "$built/raddle"
if [ $libs = 1 ]; then
    scripts/libs.sh --archive "$built/libraddle_capi.a" "$tree"
    strip --strip-unneeded "$tree"/lib/*.so.*
fi
# Programs that look for the tools by name find them in a folder of links; its place in PATH is the user's choice.
mkdir -p "$tree/lib/raddle/bin"
for tool in ptxas nvlink fatbinary cuobjdump nvdisasm clang-nvlink-wrapper llvm-bitcode-linker; do
    ln -s ../../../bin/raddle "$tree/lib/raddle/bin/$tool"
done
"$tree/bin/raddle" man --into "$tree/share/man/man1"
"$tree/bin/raddle" completions bash >"$tree/share/bash-completion/completions/raddle"
"$tree/bin/raddle" completions zsh >"$tree/share/zsh/site-functions/_raddle"
"$tree/bin/raddle" completions fish >"$tree/share/fish/vendor_completions.d/raddle.fish"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$doc/"
# Where the links of README.md lead.
mkdir "$doc/docs"
cp docs/*.md docs/*.svg "$doc/docs/"
"$cargo" xtask bill "$doc"
rust_notes="$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html"
[ ! -f "$rust_notes" ] || cp "$rust_notes" "$doc/rust-COPYRIGHT.html"
find "$tree" -type f -exec chmod 0644 {} +
find "$tree" -type d -exec chmod 0755 {} +
chmod 0755 "$tree/bin/raddle"

# A tar file whose bytes are those of names, contents and modes alone.
pack() {
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$1" -cf - "$2"
}

rm -rf "$out"
mkdir -p "$out"
pack "$work" "$name" | gzip -9n >"$out/$name.tar.gz"

# Debian package -------------------------------------------------------------------------------------------------------
deb=
if command -v dpkg-deb >/dev/null; then
    arch=$(dpkg --print-architecture)
    # Whoever made the commit answers for its package, unless somebody else does.
    maintainer="${MAINTAINER:-$(git log -1 --format='%an <%ae>')}"
    [[ "$maintainer" =~ ^[^\<\>]+\ \<[^@\ ]+@[^@\ ]+\>$ ]] || fail "'$maintainer' is no maintainer: MAINTAINER='NAME <ADDRESS>'"
    deb="$out/raddle_${version}_$arch.deb"
    root="$work/deb"
    mkdir -p "$root/DEBIAN" "$root/usr"
    cp -a "$tree/bin" "$tree/share" "$tree/lib" "$root/usr/"
    # Libraries with the names of NVIDIA's stay out of the folders of the dynamic linker.
    if [ $libs = 1 ]; then
        mkdir -p "$root/usr/include"
        mv "$root"/usr/lib/lib* "$root/usr/lib/raddle/"
        cp -a "$tree/include" "$root/usr/include/raddle"
    fi
    mkdir -p "$root/usr/share/zsh/vendor-completions"
    mv "$root/usr/share/zsh/site-functions/_raddle" "$root/usr/share/zsh/vendor-completions/"
    rmdir "$root/usr/share/zsh/site-functions"
    find "$root/usr/share/man" -type f -exec gzip -9n {} +
    rm "$root"/usr/share/doc/raddle/LICENSE-*
    printf 'raddle (%s) unstable; urgency=medium\n\n  * CHANGELOG.md says what is in it.\n\n -- %s  %s\n' "$version" \
        "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/raddle/changelog.gz"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: raddle\n\n'
        printf 'Files: *\nCopyright: 2026 The Raddle authors\nLicense: MIT or Apache-2.0\n'
        printf 'Comment: third-party-licences.txt has the licences of what is linked.\n\nLicense: MIT\n'
        sed -e '1,4d' -e 's/^$/./' -e 's/^/ /' LICENSE-MIT
        printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
    } >"$root/usr/share/doc/raddle/copyright"
    # The newest symbols of glibc that the command and the libraries need.
    glibc=$(find "$root/usr/bin" "$root/usr/lib" -type f ! -name '*.a' -exec objdump -T {} + |
        grep -o 'GLIBC_[0-9.]*' | cut -d_ -f2 | sort -V | tail -n 1)
    {
        printf 'Package: raddle\nVersion: %s\nArchitecture: %s\n' "$version" "$arch"
        printf 'Maintainer: %s\n' "$maintainer"
        printf 'Installed-Size: %s\n' "$(du -sk --apparent-size "$root/usr" | cut -f1)"
        printf 'Depends: libc6 (>= %s), libgcc-s1\nSuggests: libllvm19\nSection: devel\nPriority: optional\n' "$glibc"
        printf 'Description: open, parallel compiler for NVIDIA device code\n'
        printf ' Raddle compiles PTX and LLVM IR to cubins, every kernel concurrently, links\n'
        printf ' them, and runs kernels in a simulator. The folder /usr/lib/raddle/bin has it\n'
        printf ' under the names of ptxas, nvlink, fatbinary, cuobjdump and nvdisasm.\n'
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -printf '%P\0' | sort -z | sed -z 's|^|usr/|' | xargs -0 md5sum >DEBIAN/md5sums)
    # Its times are at most SOURCE_DATE_EPOCH; older ones would be those of this machine.
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
fi
(cd "$out" && sha256sum -- * >SHA256SUMS)

# Trial ----------------------------------------------------------------------------------------------------------------
# What is below a prefix compiles a kernel under both of its names, runs it, and its library is linked and called.
try() {
    local prefix="$1" lib="$2" include="$3"
    "$prefix/bin/raddle" compile tests/corpus/kernels/collatz/nvcc.ptx --arch sm_90 --history off -o "$work/a.cubin"
    RADDLE_PTXAS=off "$prefix/lib/raddle/bin/ptxas" -arch=sm_90 tests/corpus/kernels/collatz/nvcc.ptx -o "$work/b.cubin"
    for i in 1 7 27; do printf "\\$(printf %03o "$i")\\0\\0\\0"; done >"$work/x.bin"
    for cubin in a b; do
        "$prefix/bin/raddle" run "$work/$cubin.cubin" --block 32 --arg "in:$work/x.bin" --arg "out:$work/y.bin:12" --arg s32:3
        [ "$(od -An -v -td4 "$work/y.bin" | tr -s ' ')" = " 0 16 111" ] || fail "a kernel computes something else"
    done
    [ $libs = 1 ] || return 0
    printf '#include <nvPTXCompiler.h>\nint main(void) { unsigned a, b; return nvPTXCompilerGetVersion(&a, &b); }\n' >"$work/t.c"
    cc -I"$include" "$work/t.c" -o "$work/t" -L"$lib" -lnvptxcompiler -Wl,-rpath,"$lib"
    "$work/t" || fail "a library does not work"
}
mkdir "$work/unpacked"
tar -xzf "$out/$name.tar.gz" -C "$work/unpacked"
prefix="$work/unpacked/$name"
try "$prefix" "$prefix/lib" "$prefix/include"
if [ -n "$deb" ]; then
    dpkg-deb -x "$deb" "$work/installed"
    try "$work/installed/usr" "$work/installed/usr/lib/raddle" "$work/installed/usr/include/raddle"
    (cd "$work/installed" && dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./md5sums | md5sum --quiet --check)
    # Only faults; what it would like besides is for a package that Debian itself has.
    ! command -v lintian >/dev/null || lintian --fail-on error --tag-display-limit 0 \
        --suppress-tags "${LINTIAN_SUPPRESS:-no-changelog,malformed-contact}" "$deb"
fi
(cd "$out" && sha256sum --quiet --check SHA256SUMS && cat SHA256SUMS)
