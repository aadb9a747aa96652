#!/usr/bin/env bash
# Shows remote execution on this machine: starts BuildGrid with two workers from their packages, compiles modules with it, kills one
# worker on the way, and shows the timeline. Then the same build with nothing to compile, and one without an engine: the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
out=target/demo-remote
mkdir -p "$out"
raddle=target/quick/raddle

scripts/packages.sh pg_ctlcluster=postgresql
scripts/callers.sh engine
"${CARGO:-cargo}" build --profile quick --package raddle-cli --features remote
python="${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/callers-engine/bin/python"

show() { printf '\n$ %s\n' "$*"; "$@"; }

# The engine reads commands, one a line, and ends with its input.
coproc engine { exec "$python" scripts/test-engine.py --workers 2 2>"$out/engine.log"; }
read -r url folder <&"${engine[0]}"
echo "BuildGrid with two workers: $url ($folder)"
tell() { echo "$*" >&"${engine[1]}"; read -r answer <&"${engine[0]}"; echo "$*: $answer"; }

show "$raddle" doctor --remote "$url"

# Kernels that are worth sending: of eight, and of libraries.
modules=(tests/corpus/modules/eight/nvcc.ptx)
while IFS= read -r module; do modules+=("$module"); done < <(find tests/corpus/producers/nvcc -name '*.ptx' | sort)
build=("$raddle" compile -c --arch sm_90 -j 1 "${modules[@]}")

rm -rf "$out/objects" "$out/alone"
mkdir -p "$out/objects" "$out/alone"
printf '\n$ %s --remote %s\n' "${build[*]}" "$url"
"${build[@]}" --out-dir "$out/objects" --remote "$url" -v --timings "$out/timeline.json" --report "$out/report.html" 2>"$out/build.log" &
pid=$!
sleep 2
tell stop worker 1
wait "$pid"
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
show "${build[@]}" --out-dir "$out/alone"
diff -r "$out/objects" "$out/alone"
echo "The same bytes."
