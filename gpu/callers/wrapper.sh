#!/bin/bash
# Stands in the place of a tool, and starts it: @TOOL@. run.py puts the path of the tool in, and names the copy ptxas or nvlink.
# Each call adds one line to $CALLERS_LOG: exit code, seconds, arguments. The input of a call that fails is kept in
# $CALLERS_FAILED, with what the tool said.
tool=@TOOL@
case " $* " in
*" --version "* | *" -V "* | *" --help "* | *" --list-version "*) exec "$tool" "$@" ;;
esac
said=$(mktemp)
start=${EPOCHREALTIME/./}
"$tool" "$@" 2>"$said"
code=$?
printf '%s %s.%06d %s\n' "$code" $(((${EPOCHREALTIME/./} - start) / 1000000)) \
    $(((${EPOCHREALTIME/./} - start) % 1000000)) "${0##*/} $*" >>"${CALLERS_LOG:-/dev/null}"
cat "$said" >&2
if [ $code != 0 ] && [ -n "${CALLERS_FAILED:-}" ]; then
    mkdir -p "$CALLERS_FAILED"
    for word in "$@"; do
        case $word in
        *.ptx) kept=$CALLERS_FAILED/${CALLERS_NAME:-program}-$$.ptx && cp "$word" "$kept" ;;
        -*) ;;
        *) [ -f "$word" ] && [ "${kept:-}" = "" ] && [ "$(head -c 4 "$word" | tr -d '\0')" != $'\x7fELF' ] &&
            kept=$CALLERS_FAILED/${CALLERS_NAME:-program}-$$.ptx && cp "$word" "$kept" ;;
        esac
    done
    { echo "$code: ${0##*/} $*" && head -n 20 "$said"; } >"$CALLERS_FAILED/${CALLERS_NAME:-program}-$$.log"
fi
rm -f "$said"
exit $code
