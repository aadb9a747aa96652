//! SSA to machine code: select, allocate, schedule, emit.
#![forbid(unsafe_code)]
