#!/usr/bin/env bash
# Runs the examples of examples/farm on Slurm, Ray and Dask themselves, each on this machine alone: a module is written as
# units, the farm compiles them, and the output is that of a build without it. Tests run the same examples without these
# programs, which are large.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
scripts/packages.sh slurmctld=slurmctld slurmd=slurmd sbatch=slurm-client munged=munge
python=${RADDLE_ORACLES:-$HOME/.cache/raddle/oracles}/farms
if [ ! -x "$python/bin/ray" ]; then
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet dask==2026.8.0 distributed==2026.8.0 ray==2.60.0
fi
"${CARGO:-cargo}" build --package raddle-cli
export RADDLE=$here/target/debug/raddle

work=$(mktemp -d)
started=()
end() {
    for process in "${started[@]}"; do
        kill "$process" 2>"$work/end" || true
    done
    wait
    rm -rf "$work"
}
trap end EXIT
chmod 755 "$work"
module=$here/tests/corpus/modules/eight/nvcc.ptx
"$RADDLE" compile "$module" -o "$work/alone.cubin"

# NAME COMMAND...: in the folder of the units.
compare() {
    local name=$1 began=$SECONDS
    shift
    "$RADDLE" compile "$module" --emit-units "$work/$name"
    (cd "$work/$name" && "$@" >"$work/$name.log" 2>&1) || { cat "$work/$name.log"; exit 1; }
    # An object that is missing or not used is a warning.
    said=$("$RADDLE" compile "$module" --units "$work/$name" -o "$work/$name.cubin" 2>&1)
    [ -z "$said" ] || { echo "$name: $said" >&2; exit 1; }
    cmp "$work/alone.cubin" "$work/$name.cubin"
    echo "$name: $(wc -l <"$work/$name/commands") kernels, the same bytes, $((SECONDS - began)) s"
}

compare dask "$python/bin/python" "$here/examples/farm/dask_farm.py"
compare ray "$python/bin/python" "$here/examples/farm/ray_farm.py"

# Slurm with one node, which is this machine, and ports of its own.
host=$(hostname -s)
mkdir -m 711 "$work/munge"
mkdir "$work/state" "$work/spool"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
cat >"$work/slurm.conf" <<END
ClusterName=raddle
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" 2>"$work/munged.log" &
started+=($!)
for program in slurmctld slurmd; do
    "$program" -D 2>"$work/$program.log" &
    started+=($!)
done
for _ in $(seq 100); do
    [ "$(timeout 5 sinfo --noheader --format=%t 2>"$work/sinfo.log")" != idle ] || break
    sleep 0.3
done
compare slurm sh -c "sbatch --wait --array=1-\$(wc -l < commands) '$here/examples/farm/slurm.sh'"
