#!/usr/bin/env bash
# Shows remote execution on this machine: starts BuildGrid with two workers from their packages, compiles modules with it, kills one
# worker on the way, shows the timeline, and compares the bytes with those of a build without an engine.
#
# PROFILE is that of the build, by default quick. PROGRAM is the one that workers get, of this checkout; by default the same
# one, without symbols.
set -euo pipefail
cd "$(dirname "$0")/.."
out=target/demo-remote
mkdir -p "$out"
profile=${PROFILE:-quick}
case $profile in dev) raddle=target/debug/raddle ;; *) raddle=target/$profile/raddle ;; esac

scripts/packages.sh pg_ctlcluster=postgresql
scripts/callers.sh engine
"${CARGO:-cargo}" build --profile "$profile" --package raddle-cli --features remote
python="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/callers-engine/bin/python"

# What workers fetch is smaller without symbols.
strip -o "$out/raddle" "${PROGRAM:-$raddle}"
sent=(--remote-program "$out/raddle")

show() { printf '\n$ %s\n' "$*"; "$@"; }

# The engine reads commands, one a line, and ends with its input.
coproc engine { exec "$python" scripts/test-engine.py --workers 2 2>"$out/engine.log"; }
read -r url folder <&"${engine[0]}"
echo "BuildGrid with two workers: $url ($folder)"
tell() { echo "$*" >&"${engine[1]}"; read -r answer <&"${engine[0]}"; echo "$*: $answer"; }

show "$raddle" doctor --remote "$url" "${sent[@]}"

# Kernels of Triton, which take long enough to be worth sending, become one program.
modules=()
for name in dot_scaled_e2m1 tma_persistent_fp16_ws attn_fwd_full_fp8e5 attn_ptr_causal matmul_bf16 elemwise_math_bf16 sort dropout \
    layernorm_bwd_dx layernorm_fwd_fp32 argmax softmax_fp16_4096; do
    modules+=("tests/corpus/producers/triton390/sm80_$name.ptx")
done
build=("$raddle" compile --arch sm_80 -j 1 "${modules[@]}")

printf '\n$ %s --remote %s ...\n' "${build[*]}" "$url"
"${build[@]}" -o "$out/remote.cubin" --remote "$url" "${sent[@]}" -v --timings "$out/timeline.json" --report "$out/report.html" 2>"$out/build.log" &
pid=$!
sleep 1
tell stop worker 1
wait "$pid" || { cat "$out/build.log"; exit 1; }
cat "$out/build.log"

"$python" - "$out/timeline.json" <<'EOF'
import json, sys
events = [event for event in json.load(open(sys.argv[1]))["traceEvents"] if event.get("ph") == "X"]
remote = [event for event in events if event.get("cat") == "remote"]
print(f"\nThe timeline ({sys.argv[1]}; --report made a page of it), kernels that were elsewhere:")
for event in sorted(remote, key=lambda event: event["ts"])[:40]:
    print(f"{event['ts'] / 1e3:9.1f} ms {event['dur'] / 1e3:8.1f} ms  {event['name'][:40]:40} {event.get('args', {})}")
EOF

printf '\nWithout an engine:\n'
show "${build[@]}" -o "$out/alone.cubin"
cmp "$out/remote.cubin" "$out/alone.cubin"
echo "The same bytes."
