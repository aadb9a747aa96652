//! PTX interpreter and SASS simulator, which check code without a GPU.
//!
//! Both share the launch description ([`launch`]), the memory model with bounds, undefined bits and
//! a race shadow ([`mem`]), typed failures ([`failure`]) and counters ([`stats`]). Nothing here
//! depends on the compiler.
#![forbid(unsafe_code)]

pub mod failure;
pub mod float;
pub mod hazard_check;
pub mod interp;
pub mod issue;
pub mod launch;
pub mod machine;
pub mod mem;
pub mod mufu;
pub mod mutation_check;
mod space;
pub mod stats;
pub mod system;
pub mod texture;
mod undefined;
