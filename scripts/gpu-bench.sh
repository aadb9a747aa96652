#!/bin/sh
# Builds a folder that times our code beside that of ptxas -O3 on a GPU: scripts/gpu-bench.sh RADDLE PTXAS SOURCES OUT
# SOURCES holds PTX of other projects' programs (nvcc); lines of gpu/bench.txt whose source is missing are left out.
# There: ./bench bench.txt speed.jsonl
set -eu
raddle=$1 ptxas=$2 sources=$3 out=$4
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
cc -O2 -o "$out/bench" "$root/gpu/bench.c" -ldl
: >"$out/bench.txt"
number=0
grep -v '^#' "$root/gpu/bench.txt" | while read -r source kernel rest; do
    ptx=$root/tests/corpus/kernels/$source/nvcc.ptx
    test -f "$ptx" || ptx=$sources/$source
    if ! test -f "$ptx"; then
        echo "left out: no $source" >&2
        continue
    fi
    number=$((number + 1))
    ours=ours$number.cubin theirs=ptxas$number.cubin
    "$raddle" compile "$ptx" --arch sm_90 -O 3 -e "$kernel" -o "$out/$ours"
    # The same module for ptxas, which takes one entry by name too.
    "$ptxas" -O3 -arch=sm_90 -e "$kernel" "$ptx" -o "$out/$theirs"
    name=$(echo "$source" | sed 's/^HeCBench__src__//; s/-cuda__.*//').$kernel
    echo "$name $kernel $ours $theirs $rest" >>"$out/bench.txt"
done
echo "$out: $(wc -l <"$out/bench.txt") kernels"
