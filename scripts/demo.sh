#!/usr/bin/env bash
# Shows the thread from end to end on a machine without a GPU: compiles a module of eight kernels, concurrently, looks at what
# came out, and runs one of them both as PTX (interpreter) and as our machine code (simulator).
# MEASURE=1 records the time as a figure.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
out=target/demo
mkdir -p "$out"

"${CARGO:-cargo}" build --quiet --release --package raddle-cli
raddle=target/release/raddle
module=tests/corpus/modules/eight/nvcc.ptx

show() { printf '\n$ %s\n' "$*"; "$@"; }

show "$raddle" compile "$module" --arch sm_90 -j 2 -v -o "$out/eight.cubin"
show "$raddle" info "$out/eight.cubin"

# The numbers 0 to 99, as 32-bit integers: their Collatz steps are counted.
for i in $(seq 0 99); do printf "\\$(printf %03o "$i")\\0\\0\\0"; done >"$out/x.bin"
launch=(--kernel collatz --grid 2 --block 64 --arg "in:$out/x.bin")
show "$raddle" run "$module" "${launch[@]}" --arg "out:$out/interpreter.bin:400" --arg s32:100
show "$raddle" run "$out/eight.cubin" "${launch[@]}" --arg "out:$out/simulator.bin:400" --arg s32:100 --stats
cmp "$out/interpreter.bin" "$out/simulator.bin"
printf '\nThe interpreter of the PTX and the simulator of our machine code agree; steps of 0 to 19:\n'
od -An -v -td4 -w80 -N80 "$out/simulator.bin"

if [ "${MEASURE:-0}" = 1 ]; then
    "${CARGO:-cargo}" xtask measured demo.seconds "$((SECONDS - started))" "MEASURE=1 make demo" "release build included if it was not there"
fi
