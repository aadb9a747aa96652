//! Bytes that an asynchronous copy has read and not yet written to shared memory.

use super::Segment;

/// One access of an asynchronous copy, between its issue and its arrival.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    offset: usize,
    size: usize,
    value: u128,
    undef: u128,
}

impl Flight {
    /// Begins: the destination is undefined until it arrives, so that too early reads are detected.
    pub fn begin(to: &mut Segment, offset: usize, size: usize, value: u128, undef: u128) -> Flight {
        to.store(offset, size, 0, u128::MAX);
        Flight { offset, size, value, undef }
    }

    /// Completes the access.
    pub fn arrive(&self, to: &mut Segment) {
        to.store(self.offset, self.size, self.value, self.undef);
    }
}
