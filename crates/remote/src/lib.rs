//! Remote caches, through OpenDAL (decision D29).
//!
//! `open` makes a [`raddle_driver::cache::Store`] of a URL. `address` reads the URL and the
//! credentials of the environment, `engine` asks the server. Nothing is sent before the first request.
//!
//! **API boundary.** No type of OpenDAL and of the async runtime leaves this crate, and no other crate
//! has an async runtime. **Invariant.** A request returns within its time limit, whatever the server
//! does; no message contains credentials.
//!
//! Without the feature `engines`, which `make` and the tests of the other crates do without, the crate
//! is empty.
#![forbid(unsafe_code)]

#[cfg(feature = "engines")]
mod address;
#[cfg(feature = "engines")]
mod engine;

#[cfg(feature = "engines")]
pub use address::AddressError;
#[cfg(feature = "engines")]
pub use engine::{Opened, open};
