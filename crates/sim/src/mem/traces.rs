//! What functions of the driver leave behind.

use super::AllocId;
use std::collections::BTreeMap;

/// What functions of the driver leave behind.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// What was printed.
    pub printed: Vec<u8>,
    /// Memory of the heap by address.
    pub(crate) heap: BTreeMap<u64, (AllocId, u64)>,
    /// Bytes of the heap in use.
    pub(crate) used: u64,
    /// Allocations made so far.
    pub(crate) allocations: u64,
}
