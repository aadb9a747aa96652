//! Task pool, GNU make job tokens, cancellation and the timeline of tasks.
#![forbid(unsafe_code)]
