//! Benchmarks, side by side with the peers where they are installed.
#![forbid(unsafe_code)]
