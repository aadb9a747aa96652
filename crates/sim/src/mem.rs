//! The memory model of interpreter and simulator.
//!
//! Global memory is a list of allocations. Each has its own window of 4 GiB of the address space,
//! so an address finds its allocation without a search, there is an unmapped gap around each, and
//! every second one crosses a 4 GiB boundary (which reveals a lost carry in address arithmetic).
//! Shared and local memory are single [`Segment`]s that belong to a block or a thread.
//!
//! Each byte has a mask of its *undefined bits*: memory that was never written. Undefined bits may
//! be copied and computed with; only their use in an address, a decision, or memory that the host
//! reads is a failure.
//!
//! For race checking each word (each byte once there are sub-word accesses) keeps its last writer
//! and reader. Order is decided by time stamps: an access is ordered before one of another thread
//! if a barrier of both, an acquired release, or (within one warp) a convergence point lies
//! between. The check may miss a race; every race it reports is one.

mod flight;
mod multicast;
mod race;
pub mod regions;
mod segment;
mod textures;
pub mod traces;

pub use crate::space::Space;
pub use flight::Flight;
pub use multicast::Multicast;
pub use race::{Actor, Conflict, Stamp};
pub use segment::Segment;
pub use textures::{Bound, Handle, Textures};
use traces::DriverResults;

use crate::failure::FailureKind;
use crate::texture::Texture;
use crate::texture::file::File;

/// Generic addresses with these upper 32 bits are shared memory; the lower 32 are the shared
/// address.
pub const SHARED_WINDOW_HI: u32 = 0x7e00;
/// Generic addresses with these upper 32 bits are local memory; the lower 32 are the local address.
pub const LOCAL_WINDOW_HI: u32 = 0x7d00;
/// Upper 32 bits of the first allocation's window.
const GLOBAL_HI: u64 = 0x7f01;
/// Largest distance of an allocation's start before its window's 4 GiB boundary.
const SLACK: u64 = 0x1_0000;

/// Resolves a generic address to a space and the address within it.
#[inline]
pub fn generic(addr: u64) -> (Space, u64) {
    match (addr >> 32) as u32 {
        SHARED_WINDOW_HI => (Space::Shared, addr & 0xffff_ffff),
        LOCAL_WINDOW_HI => (Space::Local, addr & 0xffff_ffff),
        _ => (Space::Global, addr),
    }
}

/// Index of an allocation in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AllocId(u32);

/// One allocation of global memory.
#[derive(Clone, Debug)]
pub struct Alloc {
    /// Its name in messages: `argument 2`, a symbol.
    pub name: String,
    /// First address.
    pub base: u64,
    /// Whether kernels may write to it.
    pub writable: bool,
    /// Contents.
    pub seg: Segment,
    /// What it stands for, if it is a multicast buffer.
    pub multicast: Option<Multicast>,
}

/// Global memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    allocs: Vec<Alloc>,
    /// Results of driver functions: printed text, the heap.
    pub traces: DriverResults,
    /// Textures and surfaces; their texels are allocations.
    pub textures: Textures,
}

impl Memory {
    /// Creates memory without allocations.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds an allocation with defined contents.
    pub fn add(&mut self, name: impl Into<String>, data: Vec<u8>, writable: bool) -> AllocId {
        self.add_segment(name, Segment::defined(data), writable)
    }

    /// Adds an allocation.
    pub fn add_segment(&mut self, name: impl Into<String>, seg: Segment, writable: bool) -> AllocId {
        let i = self.allocs.len() as u64;
        let boundary = (GLOBAL_HI + i) << 32;
        let base = if i.is_multiple_of(2) { boundary - 0x100 } else { boundary + 0x1000 };
        self.allocs.push(Alloc { name: name.into(), base, writable, seg, multicast: None });
        AllocId(i as u32)
    }

    /// Adds a texture with the contents of its file, read-only for kernels unless `writable`.
    pub fn add_texture(&mut self, name: &str, file: File, writable: bool) -> Option<AllocId> {
        let texels = file.texels.map(|bytes| self.add(format!("texture {name}"), bytes, writable));
        let (shape, sampler) = (file.shape, file.sampler);
        let texture = Texture { name: name.to_owned(), shape, sampler, sampler_alone: texels.is_none() };
        self.textures.add(Bound { texture, texels });
        texels
    }

    /// Returns the first address of an allocation.
    pub fn base(&self, id: AllocId) -> u64 {
        self.allocs[id.0 as usize].base
    }

    /// Returns an allocation.
    pub fn alloc(&self, id: AllocId) -> &Alloc {
        &self.allocs[id.0 as usize]
    }

    /// Returns an allocation, mutably.
    pub fn alloc_mut(&mut self, id: AllocId) -> &mut Alloc {
        &mut self.allocs[id.0 as usize]
    }

    /// Returns all allocations, oldest first.
    pub fn allocs(&self) -> &[Alloc] {
        &self.allocs
    }

    /// Returns allocation and offset of `size` bytes at `addr`, if they are inside one.
    #[inline]
    pub fn find(&self, addr: u64, size: usize) -> Option<(AllocId, usize)> {
        let i = (addr.wrapping_add(SLACK) >> 32).wrapping_sub(GLOBAL_HI);
        let alloc = self.allocs.get(usize::try_from(i).ok()?)?;
        let off = addr.wrapping_sub(alloc.base);
        alloc.seg.contains(off, size).then_some((AllocId(i as u32), off as usize))
    }

    /// Describes the surroundings of `addr`, as text that begins with a comma, or empty.
    pub fn describe(&self, addr: u64) -> String {
        let i = (addr.wrapping_add(SLACK) >> 32).wrapping_sub(GLOBAL_HI);
        let Some(alloc) = usize::try_from(i).ok().and_then(|i| self.allocs.get(i)) else {
            return String::new();
        };
        let (off, len) = (addr.wrapping_sub(alloc.base) as i64, alloc.seg.len() as i64);
        let name = &alloc.name;
        if let Some(multicast) = alloc.multicast {
            let size = multicast.size;
            return format!(", at byte {off} of the multicast buffer {name} ({size} bytes), which takes only multimem");
        }
        if off < 0 {
            format!(", {} byte(s) before {name} ({len} bytes)", -off)
        } else if off >= len {
            format!(", {} byte(s) behind the end of {name} ({len} bytes)", off - len)
        } else {
            format!(", at byte {off} of {name} ({len} bytes)")
        }
    }

    /// Returns the contents of an allocation for the host: a failure if a byte has undefined bits.
    pub fn read_back(&self, id: AllocId) -> Result<&[u8], FailureKind> {
        let alloc = self.alloc(id);
        match alloc.seg.first_undefined() {
            None => Ok(alloc.seg.bytes()),
            Some(i) => Err(FailureKind::UndefinedOutput { name: alloc.name.clone(), offset: i as u64 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actor(thread: u32, now: u32) -> Actor {
        Actor { thread, now, ..Actor::default() }
    }

    #[test]
    fn addresses_find_their_allocation_and_gaps_do_not() {
        let mut mem = Memory::new();
        let ids: Vec<_> = (0..4).map(|i| mem.add(format!("b{i}"), vec![0; 1000], true)).collect();
        for &id in &ids {
            let base = mem.base(id);
            assert_eq!(base % 256, 0);
            assert_eq!(mem.find(base, 4), Some((id, 0)));
            assert_eq!(mem.find(base + 999, 1), Some((id, 999)));
            for bad in [base + 997, base - 1, base + 1000] {
                assert_eq!(mem.find(bad, 4), None);
            }
        }
        assert_eq!(mem.find(0, 1), None);
        assert_eq!(mem.find(u64::MAX, 1), None);
        assert_eq!(mem.describe(mem.base(ids[1]) + 1003), ", 3 byte(s) behind the end of b1 (1000 bytes)");
        assert_eq!(mem.describe(mem.base(ids[0]) - 4), ", 4 byte(s) before b0 (1000 bytes)");
        assert_ne!(mem.base(ids[0]) >> 32, (mem.base(ids[0]) + 999) >> 32);
    }

    #[test]
    fn undefined_bits_follow_stores() {
        let mut seg = Segment::undefined(8);
        seg.store(0, 2, 0xabcd, 0x000f);
        assert_eq!(seg.load(0, 4), (0xabcd, 0xffff_000f));
        seg.store32(4, 7, 0);
        assert_eq!(seg.load32(4), (7, 0));
        assert_eq!(seg.first_undefined(), Some(0));
        let mut mem = Memory::new();
        let id = mem.add_segment("o", seg, true);
        assert_eq!(mem.read_back(id), Err(FailureKind::UndefinedOutput { name: "o".into(), offset: 0 }));
    }

    #[test]
    fn two_threads_writing_one_byte_race_unless_ordered() {
        let fresh = || Segment::defined(vec![0; 16]);
        let mut seg = fresh();
        assert_eq!(seg.note(4, 4, &actor(0, 1), true), None);
        assert_eq!(seg.note(4, 4, &actor(0, 2), true), None, "one thread with itself");
        let c = seg.note(5, 1, &actor(1, 3), true).expect("sub-word write by another thread");
        assert_eq!((c.earlier.thread(), c.was_write, c.offset), (0, true, 5));
        assert_eq!(seg.note(8, 1, &actor(2, 3), true), None, "another byte");

        let mut seg = fresh();
        seg.note(0, 4, &actor(0, 1), true);
        let after_barrier = Actor { block_sync: 1, ..actor(1, 2) };
        assert_eq!(seg.note(0, 4, &after_barrier, false), None);
        let other_block = Actor { block_sync: 1, ..actor(1 << 10, 3) };
        assert!(seg.note(0, 4, &other_block, false).is_some(), "a barrier orders one block only");
        let acquired = Actor { acquired: 1, ..actor(1 << 10, 3) };
        assert_eq!(seg.note(0, 4, &acquired, false), None);
    }

    #[test]
    fn readers_race_with_a_later_writer_even_if_the_last_reader_is_the_writer() {
        let mut seg = Segment::defined(vec![0; 4]);
        assert_eq!(seg.note(0, 4, &actor(40, 1), false), None);
        assert_eq!(seg.note(0, 4, &actor(0, 2), false), None);
        assert!(seg.note(0, 4, &actor(0, 3), true).is_some());
        let mut seg = Segment::defined(vec![0; 4]);
        seg.note(0, 4, &actor(1, 1), false);
        seg.note(0, 4, &actor(0, 1), false);
        let converged = Actor { warp_sync: 1, ..actor(0, 2) };
        assert_eq!(seg.note(0, 4, &converged, true), None, "one warp, a convergence point between");
    }

    #[test]
    fn strong_accesses_do_not_race_with_each_other() {
        let strong = |t, now| Actor { strong: true, ..actor(t, now) };
        let mut seg = Segment::defined(vec![0; 4]);
        assert_eq!(seg.note(0, 4, &strong(0, 1), true), None);
        assert_eq!(seg.note(0, 4, &strong(1, 2), true), None);
        assert!(seg.note(0, 4, &actor(2, 3), false).is_some());
    }
}
