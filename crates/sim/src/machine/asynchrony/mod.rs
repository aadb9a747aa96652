//! Asynchronous operations, the objects that count them, and clusters, as the instructions of
//! sm_80 to sm_90a ask for them.
//!
//! Facts: ptxas 13.0.88 output for the instructions and their order; PTX ISA 9.0, 9.7.13.15
//! (mbarrier), 9.7.9.25 (bulk copies) and 5.5 (tensors) for the meaning of what they implement.
//! Nothing here is confirmed on hardware.
//!
//! An operation takes effect at a moment between its issue and the completion that a thread
//! observes: any moment, chosen by the seed, or as late as possible ([`super::Completion::Late`]).
//! From its issue on its destination is undefined, and an access that is not ordered after a wait
//! for it is a finding ([`crate::mem::regions`]); so are bytes that a thread wrote without a proxy
//! fence before the issue.

mod bulk;
mod cluster;
mod exec;
mod land;
mod older;
mod parks;
mod registers;
mod select;
mod tensor;
mod tensor_map;
mod word;

pub use bulk::{Range, using};
pub use parks::describe;
pub use select::select;
