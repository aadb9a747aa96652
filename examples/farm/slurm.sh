#!/bin/sh
# Makes the objects of `raddle compile ... --emit-units DIR` as a job array of Slurm, in that folder, which
# all nodes see:
#
#   sbatch --wait --array=1-$(wc -l < commands) .../slurm.sh
#
# Each task is one kernel. RADDLE is the program on the nodes, by default the one on PATH.
#SBATCH --job-name=raddle
#SBATCH --cpus-per-task=1
#SBATCH --output=/dev/null
sed -n "${SLURM_ARRAY_TASK_ID}p" commands | sh
