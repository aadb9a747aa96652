#!/bin/sh
# Makes the objects of `raddle compile ... --emit-units DIR`, in that folder, with this many processes at
# once: `sh .../xargs.sh 8`. RADDLE is the program, by default the one on PATH.
seq "$(wc -l < commands)" | xargs -P "${1:-4}" -I{} sh -c 'sed -n "{}p" commands | sh'
