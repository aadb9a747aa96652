//! Options, plan, the per-kernel loop, finalize: parallelism and error policy live here.
#![forbid(unsafe_code)]
