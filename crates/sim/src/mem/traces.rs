//! Results of driver functions.

use super::AllocId;
use std::collections::BTreeMap;

/// Results of driver functions.
#[derive(Clone, Debug, Default)]
pub struct DriverResults {
    /// Printed text.
    pub printed: Vec<u8>,
    /// Heap memory by address.
    pub(crate) heap: BTreeMap<u64, (AllocId, u64)>,
    /// Heap bytes in use.
    pub(crate) used: u64,
    /// Allocations made so far.
    pub(crate) allocations: u64,
}
