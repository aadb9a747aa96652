//! Unit objects to cubins: the only writer of executables.
#![forbid(unsafe_code)]
