//! PTX interpreter and SASS simulator: the means by which code is shown to be right without a GPU.
//!
//! Shared by both: the launch description ([`launch`]), the memory model with bounds, undefined bits and race
//! shadow ([`mem`]), typed failures ([`failure`]) and counters ([`stats`]). Nothing here knows the compiler.
#![forbid(unsafe_code)]

pub mod failure;
pub mod float;
pub mod hazard_flow;
pub mod hazard_static;
pub mod interp;
pub mod issue;
pub mod launch;
pub mod machine;
pub mod mem;
pub mod mufu;
mod space;
pub mod stats;
pub mod system;
mod undefined;
