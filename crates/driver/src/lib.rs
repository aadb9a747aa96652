//! From a request to a report: files, threads and the order of work are here and nowhere below.
//!
//! ```text
//! compile ─► program   modules, units, what stays a function
//!         ─► session   units on the pool ─► unit   one of them, from text to object
//!         ─► finish    objects to an executable or to objects
//! link, split, serve stand on compile; request and report are data
//! ```
//!
//! Start reading at [`mod@compile`]: the whole compilation is one screen there. A module here uses only modules that do not use it; a test
//! keeps it so.
#![deny(unsafe_code)]

mod arguments;
pub mod asked;
pub mod cache;
pub mod codes;
mod collect;
pub mod compile;
pub mod consensus;
pub mod fault;
mod finish;
pub mod input;
pub mod key;
pub mod link;
pub mod link_ptx;
pub mod map;
pub mod nearest;
pub mod options;
pub mod output;
pub mod program;
pub mod progress;
pub mod ptxas;
pub mod report;
mod reproduce;
pub mod request;
pub mod resume;
pub mod serve;
mod session;
pub mod slots;
pub mod split;
mod unit;
pub mod unpack;
pub mod unverified;
mod whole;
mod workers;

/// What the command needs of this machine: CPUs available, signals, the defaults of the pool.
pub mod host {
    pub use raddle_jobs::timeline::{Timeline, peak_resident, resident};
    pub use raddle_jobs::{
        CancelToken, Chaos, Config, Running, bounds, cpus, jobserver, memory, panics, restart, server, signals,
    };
}
