//! Multicast memory (PTX ISA 9.0, 9.7.9.16 to 9.7.9.18: `multimem`).
//!
//! A multicast buffer has addresses and no bytes: each of its addresses stands for one byte of every
//! device of a group, a *replica*. `multimem` instructions take such addresses: a store writes all
//! replicas, a reduction changes all, a load combines them. Any other access to one is undefined in
//! PTX; here it is out of bounds. An ordinary buffer is the multicast buffer of one device.

use super::{Alloc, AllocId, Memory, Segment};
use smallvec::{SmallVec, smallvec};

/// What a multicast buffer stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multicast {
    /// The allocation with the replicas, one after another.
    pub memory: AllocId,
    /// Number of replicas.
    pub devices: u32,
    /// Bytes of a replica.
    pub size: u64,
}

impl Memory {
    /// Adds a multicast buffer for `devices` replicas of equal size, which `memory` holds one after
    /// another.
    pub fn add_multicast(&mut self, name: impl Into<String>, memory: AllocId, devices: u32) -> AllocId {
        let size = self.alloc(memory).seg.len() as u64 / u64::from(devices.max(1));
        let id = self.add_segment(name, Segment::defined(Vec::new()), true);
        self.alloc_mut(id).multicast = Some(Multicast { memory, devices, size });
        id
    }

    /// Whether there is a multicast buffer.
    pub fn has_multicast(&self) -> bool {
        self.allocs().iter().any(|alloc| alloc.multicast.is_some())
    }

    /// Returns the addresses that `bytes` bytes at this one stand for: one in each replica, or
    /// itself.
    pub fn replicas(&self, addr: u64, bytes: usize) -> SmallVec<[u64; 4]> {
        let within = |alloc: &&Alloc| {
            let inside = |m: &Multicast| m.size.checked_sub(bytes as u64).is_some_and(|most| addr - alloc.base <= most);
            addr >= alloc.base && alloc.multicast.as_ref().is_some_and(inside)
        };
        match self.allocs().iter().find(within) {
            Some(&Alloc { base, multicast: Some(Multicast { memory, devices, size }), .. }) => {
                let first = self.base(memory) + (addr - base);
                (0..u64::from(devices)).map(|n| first + n * size).collect()
            }
            _ => smallvec![addr],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stands_for_one_of_every_replica() {
        let mut mem = Memory::new();
        let memory = mem.add("m", vec![0; 24], true);
        let id = mem.add_multicast("c", memory, 3);
        let (at, to) = (mem.base(id), mem.base(memory));
        assert_eq!(mem.replicas(at + 4, 4).as_slice(), [to + 4, to + 12, to + 20]);
        assert_eq!(mem.replicas(at + 8, 4).as_slice(), [at + 8], "behind the end");
        assert_eq!(mem.replicas(to, 4).as_slice(), [to]);
        assert!(mem.find(at, 1).is_none() && mem.has_multicast());
    }
}
