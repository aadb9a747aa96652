#!/usr/bin/env bash
# Shows the thread from end to end on a machine without a GPU: compiles a module of eight kernels, concurrently, looks at what
# came out, and runs one of them both as PTX (interpreter) and as our machine code (simulator). Then three modules, one with a kernel
# that only ptxas can compile yet, become one program whose kernels run.
# MEASURE=1 records the time as a figure.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
out=target/demo
mkdir -p "$out"

# Without optimisation it builds in half the time.
raddle=target/quick/raddle
ptxas="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/site/nvidia/cu13/bin/ptxas"
figure=demo.seconds
if [ ! -x "$raddle" ]; then
    echo "Building raddle, once: two minutes on two cores. cargo says what it is at."
    figure=demo.cold
fi
download=
if [ ! -x "$ptxas" ]; then
    echo "Meanwhile ptxas is downloaded for the third module (about 240 MB)."
    scripts/oracles.sh >"$out/oracles.log" 2>&1 &
    download=$!
fi
"${CARGO:-cargo}" build --profile quick --package raddle-cli
[ -z "$download" ] || wait "$download" || cat "$out/oracles.log"
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

# Three modules become one program. ptxas is needed for the third alone: the switch for tests makes
# an instruction of it one that Raddle has no code for.
parts=tests/corpus/demo
show "$raddle" compile -c "$parts/fill.ptx" --arch sm_90 -o "$out/fill.o"
show "$raddle" compile -c "$parts/mix.ptx" --arch sm_90 -o "$out/mix.o"
objects=("$out/fill.o" "$out/mix.o")
if [ -x "$ptxas" ]; then
    show env RADDLE_FAULT=unsupported:pmevent "$raddle" compile -c "$parts/digits.ptx" --arch sm_90 --fallback="ptxas:$ptxas" -o "$out/digits.o"
    objects+=("$out/digits.o")
else
    printf '\nptxas could not be installed: the third module, whose kernel is left to ptxas, is left out.\n'
fi
show "$raddle" link "${objects[@]}" -o "$out/program.cubin" -v
show "$raddle" run "$out/program.cubin" --kernel fill --grid 2 --block 64 --arg "out:$out/filled.bin:512" --arg u32:128
show "$raddle" run "$out/program.cubin" --kernel sums --grid 2 --block 64 --arg "in:$out/filled.bin" --arg "out:$out/sums.bin:8"
printf 'The sums of two blocks of 64 numbers, by a kernel of the second module from what one of the first left:\n'
od -An -v -tu4 "$out/sums.bin"
if [ "${#objects[@]}" = 3 ]; then
    show "$raddle" run "$out/program.cubin" --kernel digits --grid 1 --block 64 --arg "out:$out/digits.bin:256" --arg u32:64 --arg u32:6
    printf 'Six digits of each number in reverse, by the kernel of ptxas:\n'
    od -An -v -tu4 -w80 -N80 "$out/digits.bin"
fi

printf '\nThis raddle was built quickly, without optimisation. `cargo install --path crates/cli --locked` makes the fast one, with all optimisations: some minutes.\n'

if [ "${MEASURE:-0}" = 1 ]; then
    "${CARGO:-cargo}" xtask measured "$figure" "$((SECONDS - started))" "MEASURE=1 make demo" ""
fi
