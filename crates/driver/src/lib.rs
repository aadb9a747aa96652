//! Options, plan, the per-kernel loop, finalize: parallelism and error policy live here.
//!
//! Start reading at [`compile`]: the whole compilation is one screen there; [`mod@unit`] is the path of one kernel,
//! [`key`] what makes two of them the same.
#![deny(unsafe_code)]

mod budget;
pub mod cache;
pub mod codes;
pub mod compile;
pub mod consensus;
pub mod cost;
mod dwarf;
mod externs;
pub mod fallback;
pub mod fault;
mod functions;
pub mod history;
pub mod input;
pub mod isolated;
pub mod key;
pub mod link;
pub mod link_ptx;
pub mod map;
pub mod mode;
pub mod nearest;
pub mod options;
pub mod output;
pub mod plan;
mod pragmas;
mod reproduce;
pub mod resume;
pub mod slots;
pub mod split;
pub mod unit;
mod units;
pub mod unpack;
pub mod unverified;

/// What the command needs of this machine: CPUs available, signals, the defaults of the pool.
pub mod host {
    pub use raddle_jobs::timeline::{Timeline, peak_resident, resident};
    pub use raddle_jobs::{
        CancelToken, Chaos, Config, Running, bounds, cpus, jobserver, memory, panics, restart, server, signals,
    };
}
