//! Remote caches, and engines of remote execution (decision D29).
//!
//! `open` makes a [`raddle_driver::cache::Store`] of a URL, through OpenDAL: `address` reads the URL and the
//! credentials of the environment, `engine` asks the server. `execution` is a client of the Remote
//! Execution API: units that are compiled elsewhere, and a cache on such a server. `runtime` is where all of
//! it happens. Nothing is sent before the first request.
//!
//! **API boundary.** No type of OpenDAL, of gRPC and of the async runtime leaves this crate, and no other
//! crate has an async runtime. **Invariant.** A request of a cache returns within its time limit, whatever
//! the server does; no message contains credentials.
//!
//! Without the features `engines` (OpenDAL) and `execution` (gRPC), which `make` and the tests of the other
//! crates do without, the crate is empty.
#![forbid(unsafe_code)]

#[cfg(feature = "engines")]
mod address;
#[cfg(feature = "engines")]
mod engine;
#[cfg(feature = "execution")]
pub mod execution;
#[cfg(any(feature = "engines", feature = "execution"))]
mod runtime;

#[cfg(feature = "engines")]
pub use address::AddressError;
#[cfg(feature = "engines")]
pub use engine::{Opened, open};
