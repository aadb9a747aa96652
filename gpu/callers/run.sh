#!/bin/bash
# Runs real programs that call ptxas, on a GPU of sm_90: with NVIDIA's ptxas, and with Raddle in its place.
#
#   bash run.sh [SECONDS [RADDLE]]
#
# SECONDS (150) is the time after which no program is started. RADDLE is the program; without it raddle.xz beside this script
# is unpacked. $OUT gets callers.jsonl (a line for each program and variant), calls.txt (each call of ptxas and nvlink), and
# failed-ptx.tar.xz (inputs that Raddle refused, with what it said).
set -u
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-150}
export OUT=${OUT:-/tmp/callers-out}
work=${CALLERS_WORK:-/tmp/callers}
mkdir -p "$OUT" "$work/bin"

raddle=${2:-}
if [ -z "$raddle" ]; then
    raddle=$work/bin/raddle
    python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), open(sys.argv[2], "wb"))' \
        "$here/raddle.xz" "$raddle" && chmod +x "$raddle"
    if [ -f "$here/libnvJitLink.xz" ]; then
        python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), open(sys.argv[2], "wb"))' \
            "$here/libnvJitLink.xz" "$work/bin/libnvJitLink.so.13"
    fi
fi
"$raddle" --version || { echo "callers: raddle does not run here" >&2; exit 1; }
python=${CALLERS_PYTHON:-python3}
exec "$python" "$here/drive.py" --raddle "$raddle" --work "$work" --seconds "$seconds" ${CALLERS_ONLY:+--only "$CALLERS_ONLY"}
