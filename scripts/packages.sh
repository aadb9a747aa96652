#!/usr/bin/env bash
# Makes sure that the given commands exist: installs their Debian packages when run as root on a system with apt-get,
# otherwise names what is missing and fails. Usage: scripts/packages.sh COMMAND=PACKAGE...
set -euo pipefail

missing=()
for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null 2>&1 || missing+=("${pair#*=}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing: ${missing[*]}" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || {
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    }
else
    echo "missing: please install ${missing[*]}" >&2
    exit 1
fi
