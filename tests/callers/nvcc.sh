#!/usr/bin/env bash
# Runs the steps of `nvcc ARGUMENTS` as `nvcc --dryrun` lists them, with other tools in the place of ptxas, nvlink and
# fatbinary. nvcc puts its own folder in front of PATH, so that a folder in PATH does not suffice.
#
#   tests/callers/nvcc.sh NVCC LINKS ARGUMENTS...
#
# LINKS is a folder made by `raddle install --into LINKS`; the steps run in the current folder.
set -euo pipefail
nvcc=$1 links=$2
shift 2

steps=$("$nvcc" --dryrun "$@" 2>&1)
while IFS= read -r line; do
    case $line in
    '#$ '*) step=${line#'#$ '} ;;
    *) echo "$line" >&2 && continue ;;
    esac
    case $step in
    PATH=*) export PATH="$links:${step#PATH=}" ;;
    CICC_PATH=* | LD_LIBRARY_PATH=* | TOP=*) export "${step?}" ;;
    # Other variables are in the steps already.
    [A-Z_]*=*) ;;
    # The steps remove files that some tools write and others do not.
    'rm '*) eval "$step" 2>/dev/null || true ;;
    *) eval "$step" || { echo "failed: $step" >&2 && exit 1; } ;;
    esac
done <<<"$steps"
