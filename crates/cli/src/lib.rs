//! The raddle command.
#![forbid(unsafe_code)]
