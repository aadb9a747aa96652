//! Bytes on their way to shared memory: what an asynchronous copy has read and not yet written.

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
    /// Begins: the destination has undefined bits until it arrives, so that a program that reads too soon shows.
    pub fn begin(to: &mut Segment, offset: usize, size: usize, value: u128, undef: u128) -> Flight {
        to.store(offset, size, 0, u128::MAX);
        Flight { offset, size, value, undef }
    }

    /// Arrives.
    pub fn arrive(&self, to: &mut Segment) {
        to.store(self.offset, self.size, self.value, self.undef);
    }
}
