#!/bin/sh
# Runs a program that cargo has built, but not the largest test program: `scripts/test.sh` runs it beside the others.
case "$1" in
*/whole-*) exit 0 ;;
esac
exec "$@"
