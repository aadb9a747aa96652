//! Compiles a request to a report. Files, threads and the order of work are handled here and in no
//! crate below.
//!
//! ```text
//! compile ─► program   modules, units, functions not inlined
//!         ─► session   units on the pool ─► unit   one of them, from text to object
//!         ─► finish    objects to an executable or to objects
//! link, split, serve use compile; request and report are data
//! ```
//!
//! Start reading at [`mod@compile`], which shows the whole compilation on one screen. Modules here
//! do not depend on each other in circles; a test checks it.
#![deny(unsafe_code)]

mod ahead;
mod arguments;
pub mod cache;
pub mod codes;
mod collect;
pub mod collected;
pub mod compile;
pub mod consensus;
mod early;
pub mod emitted;
pub mod engine;
pub mod exec;
pub mod fault;
mod finish;
pub mod input;
pub mod ir;
pub mod key;
mod known;
pub mod link;
pub mod link_inputs;
mod link_ir;
pub mod link_options;
pub mod link_ptx;
pub mod llvm;
pub mod map;
pub mod modes;
pub mod nearest;
pub mod nvjitlink;
pub mod options;
mod origin;
pub mod output;
pub mod program;
pub mod progress;
pub mod ptxas;
pub mod remote;
mod repeated;
pub mod report;
mod reproduce;
pub mod request;
pub mod resume;
pub mod serve;
mod session;
pub mod slots;
pub mod split;
mod texts;
mod unchanged;
mod unit;
pub mod unpack;
pub mod usage;
mod whole_module;
mod workers;

/// Properties of this machine that the command needs: available CPUs, signals, pool defaults.
pub mod host {
    pub use raddle_jobs::timeline::{Timeline, peak_resident, resident};
    pub use raddle_jobs::{
        CancelToken, Chaos, Config, Running, bounds, cpus, jobserver, lock, memory, panics, restart, server, shared,
        signals,
    };
}
