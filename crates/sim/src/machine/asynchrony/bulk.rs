//! Bulk copies and reductions: `UBLKCP`, `UBLKRED`, `UBLKPF`; the checks of all asynchronous
//! operations at their issue.

use super::super::async_op::Bulk;
use super::super::block::{Block, Exec, Global, LaneFailure};
use super::super::exec_mem::{Target, lanes, race};
use super::super::object::{Place, RANK_SHIFT};
use super::super::operand::Addr;
use super::super::options::MemSpace;
use super::super::pending::{Places, Span, Transfer};
use super::super::warp::Warp;
use super::exec::refuse;
use crate::failure::FailureKind;
use crate::launch::OnFinding;
use crate::mem::regions::{ASYNC_PROXY, Ground, Region, Role};
use crate::mem::{Actor, Segment, Space, Stamp};

/// Alignment of addresses and sizes (PTX ISA 9.0, 9.7.9.25.4.1).
const ALIGN: usize = 16;

/// Bytes that an operation reads or writes.
pub struct Range {
    pub target: Target,
    pub addr: u64,
    pub size: usize,
}

/// Returns a memory.
pub fn memory<'a>(ground: Ground, blk: &'a mut Block, g: &'a mut Global<'_>) -> &'a mut Segment {
    match ground {
        Ground::Global(id) => &mut g.mem.alloc_mut(id).seg,
        Ground::Shared { rank, .. } => blk.shared_of(rank),
    }
}

impl Range {
    /// Returns the memory; none for local memory.
    fn ground(&self, blk: &Block) -> Option<Ground> {
        match self.target {
            Target::Global(id, _) => Some(Ground::Global(id)),
            Target::Shared(_) => Some(blk.cluster.ground(blk.rank)),
            Target::Remote(rank, _) => Some(blk.cluster.ground(rank)),
            Target::Local(..) => None,
        }
    }

    fn space(&self) -> Space {
        match self.target {
            Target::Global(..) => Space::Global,
            Target::Shared(_) | Target::Remote(..) => Space::Shared,
            Target::Local(..) => Space::Local,
        }
    }
}

impl Warp {
    /// Reads a uniform register.
    pub(super) fn uniform(&self, n: u8, lane: usize, what: &'static str) -> Exec<u32> {
        if self.ureg_undef[usize::from(n)] != 0 {
            return Err(LaneFailure::new(lane, FailureKind::UndefinedOperand(what)));
        }
        Ok(self.uregs[usize::from(n)])
    }

    /// Reads an address in a uniform register pair.
    pub(super) fn uniform_address(&self, n: u8, lane: usize) -> Exec<u64> {
        const WHAT: &str = "the address of an asynchronous operation";
        let high = if n == 63 { 63 } else { n | 1 };
        Ok(u64::from(self.uniform(high, lane, WHAT)?) << 32 | u64::from(self.uniform(n, lane, WHAT)?))
    }

    /// The address of an object in a uniform register.
    pub(super) fn uniform_object(n: u8) -> Addr {
        Addr { base: 255, wide: false, ubase: n, uwide: false, offset: 0, scale: 0 }
    }

    /// Finds the bytes of an operation.
    pub(super) fn bytes_at(
        &self,
        (global, n): (bool, u8),
        (size, align): (usize, usize),
        (lane, what): (usize, &'static str),
        blk: &Block,
        g: &Global<'_>,
    ) -> Exec<Range> {
        let (addr, space) = if global {
            (self.uniform_address(n, lane)?, MemSpace::Global)
        } else {
            (self.uniform(n, lane, "the address of an asynchronous operation")?.into(), MemSpace::Cluster)
        };
        let target = self.locate_range(space, addr, (size, align), lane, what, blk, g)?;
        Ok(Range { target, addr, size })
    }

    pub(super) fn bulk_prefetch(&self, (at, size): (u8, u8), lane: usize, blk: &Block, g: &Global<'_>) -> Exec {
        let bytes = self.bulk_size(size, lane)?;
        self.bytes_at((true, at), (bytes, ALIGN), (lane, "read"), blk, g).map(|_| ())
    }

    fn bulk_size(&self, n: u8, lane: usize) -> Exec<usize> {
        Ok((self.uniform(n, lane, "the size of an asynchronous operation")? & 0xffff) as usize * ALIGN)
    }

    /// Issues a copy or reduction.
    pub(super) fn bulk(&mut self, bulk: &Bulk, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let size = self.bulk_size(bulk.size, lane)?;
        let from = self.bytes_at((bulk.from_global, bulk.from), (size, ALIGN), (lane, "read"), blk, g)?;
        let to = self.bytes_at((bulk.to_global, bulk.to), (size, ALIGN), (lane, "write"), blk, g)?;
        if from.target.place(blk).is_some_and(|place| place.rank != blk.rank) {
            return refuse(lane, "the source of a bulk operation is in another block".into());
        }
        self.check_writable(&to.target, to.addr, size, lane, g)?;
        let mut signals = Vec::new();
        if !bulk.to_global {
            let object = self.object(&Self::uniform_object((bulk.to + 1) & 63), (true, "atomic"), lane, blk, g)?;
            if to.target.place(blk).map(|place| place.rank) != Some(object.rank) {
                let text = "the mbarrier object of a bulk operation is not in the block of its destination";
                return refuse(lane, text.into());
            }
            signals.push(object);
        }
        if size == 0 {
            return Ok(());
        }
        let targets = if bulk.multicast {
            let mask = self.uniform(bulk.size, lane, "the mask of blocks")? >> 16;
            self.multicast(mask, to, &mut signals, lane, blk)?
        } else {
            vec![to]
        };
        let number = g.regions.number();
        let role = if bulk.reduce.is_some() { Role::Reduced } else { Role::Target };
        let from = Some(self.issue(&from, Role::Source, (number, true), lane, blk, g)?);
        let mut spans = Vec::new();
        for to in &targets {
            spans.push(self.issue(to, role, (number, true), lane, blk, g)?);
        }
        let bytes = bulk.reduce.map_or(ALIGN, |reduce| reduce.2.into());
        let reduce = bulk.reduce.map(|(op, ty, _)| (op, ty));
        let transfer = Transfer { number, from, to: spans, units: size / bytes, bytes, reduce, fill: 0, taken: None };
        self.begin(transfer, signals, lane, blk, g)
    }

    /// Returns the destinations of a multicast: the place of the first one in each block of a mask
    /// of ranks. Each has its own object.
    pub(super) fn multicast(
        &self,
        mask: u32,
        to: Range,
        signals: &mut Vec<Place>,
        lane: usize,
        blk: &Block,
    ) -> Exec<Vec<Range>> {
        let count = blk.cluster.blocks.len();
        if mask == 0 || mask >> count != 0 {
            return refuse(lane, format!("a multicast to the blocks {mask:#06x} of a cluster of {count}"));
        }
        let (Some(place), Some(&object)) = (to.target.place(blk), signals.first()) else { return Ok(vec![to]) };
        let ranks: Vec<usize> = lanes(mask).collect();
        *signals = ranks.iter().map(|&rank| Place { rank, ..object }).collect();
        let mut targets = Vec::new();
        for rank in ranks {
            blk.cluster.runs(rank).map_err(|kind| LaneFailure::new(lane, kind))?;
            let offset = place.offset;
            let target = if rank == blk.rank { Target::Shared(offset) } else { Target::Remote(rank, offset) };
            let addr = to.addr & ((1 << RANK_SHIFT) - 1) | (rank as u64) << RANK_SHIFT;
            targets.push(Range { target, addr, size: to.size });
        }
        Ok(targets)
    }

    /// Checks source or destination of an operation, adds its region, and returns its place. With
    /// the number of the operation: whether it is one of the asynchronous proxy.
    pub(super) fn issue(
        &self,
        range: &Range,
        role: Role,
        (number, proxy): (u64, bool),
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Span> {
        let ground = self.begin_access(range, role, proxy, lane, blk, g)?;
        let first = range.target.offset();
        let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
        g.regions.add(Region::new(number, (ground, first..first + range.size), role, &actor));
        Ok(Span { ground, places: Places::Row(first) })
    }

    /// Checks bytes that an operation reads or writes against all earlier accesses. A destination
    /// is undefined from here on.
    pub fn begin_access(
        &self,
        range: &Range,
        role: Role,
        proxy: bool,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Ground> {
        let (space, addr, size, offset) = (range.space(), range.addr, range.size, range.target.offset());
        let Some(ground) = range.ground(blk) else {
            return refuse(lane, format!("an asynchronous operation on {space} memory"));
        };
        let kind = if role == Role::Source { "asynchronous read" } else { "asynchronous write" };
        let actor = self.actor(lane, role == Role::Reduced, self.splits[self.cur].pc, blk, g);
        blk.not_an_object(&range.target, size, addr, kind, &actor)?;
        if g.races != OnFinding::Off {
            if let Some(conflict) = memory(ground, blk, g).conflict(offset, size, &actor, role != Role::Source) {
                race(conflict, (space, addr), kind, lane, g)?;
            }
            let hidden = if proxy { unfenced(space, ground, offset..offset + size, blk, g) } else { None };
            if let Some((there, write)) = hidden {
                let at = addr + (there - offset) as u64;
                let by = Block::thread_text(write.thread());
                let written = format!("written by {by} at instruction {}", write.place());
                self.finding(lane, format!("{kind} of {space} {at:#x}, {written}, without a proxy fence between"), g)?;
            }
            self.not_used(ground, offset..offset + size, role, (space, addr, kind), &actor, g)?;
        }
        if role == Role::Target {
            let segment = memory(ground, blk, g);
            segment.forget(offset, size);
            for at in (offset..offset + size).step_by(ALIGN) {
                segment.store(at, ALIGN.min(offset + size - at), 0, u128::MAX);
            }
        }
        Ok(ground)
    }

    /// Fails if bytes are used by an operation that the thread does not know to be done.
    fn not_used(
        &self,
        ground: Ground,
        range: std::ops::Range<usize>,
        role: Role,
        (space, addr, kind): (Space, u64, &'static str),
        actor: &Actor,
        g: &mut Global<'_>,
    ) -> Exec {
        let Some(region) = g.regions.conflict(ground, &range, role, actor) else { return Ok(()) };
        let using = using(region);
        let text = format!("{kind} of {space} {addr:#x}, which {using}: the access is not ordered after a wait for it");
        self.finding(Block::lane_of(actor), text, g)
    }

    /// Fails if an access is not ordered after the operations that use its memory.
    #[cold]
    pub fn not_in_flight(
        &self,
        t: &Target,
        size: usize,
        (what, addr): (&'static str, u64),
        actor: &Actor,
        blk: &Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let role = match what {
            "read" => Role::Source,
            "atomic" if actor.strong => Role::Reduced,
            _ => Role::Target,
        };
        let (ground, space) = match *t {
            Target::Global(id, _) => (Ground::Global(id), Space::Global),
            Target::Shared(_) => (blk.cluster.ground(blk.rank), Space::Shared),
            Target::Remote(rank, _) => (blk.cluster.ground(rank), Space::Shared),
            Target::Local(..) => return Ok(()),
        };
        self.not_used(ground, t.offset()..t.offset() + size, role, (space, addr, what), actor, g)
    }
}

/// Describes the operation that uses a region.
pub fn using(region: &Region) -> String {
    let verb = if region.role == Role::Source { "read" } else { "write" };
    let by = Block::thread_text(region.thread);
    format!("an asynchronous operation may still {verb}, issued by {by} at instruction {}", region.place)
}

/// Returns a write of the range, with its offset, that no fence has made visible to the
/// asynchronous proxy.
fn unfenced(
    space: Space,
    ground: Ground,
    range: std::ops::Range<usize>,
    blk: &mut Block,
    g: &mut Global<'_>,
) -> Option<(usize, Stamp)> {
    let writes = memory(ground, blk, g).last_writes(range.start, range.len());
    let mut writes: Vec<(usize, Stamp)> =
        writes.filter(|(_, w)| w.time() != 0 && w.place() & ASYNC_PROXY == 0).collect();
    writes.dedup_by_key(|(_, write)| *write);
    let fences = &g.fences[usize::from(space == Space::Global)];
    writes.into_iter().find(|(_, write)| {
        let visible = |fence: &Actor| write.time() <= fence.now && write.ordered_before(fence);
        !(fences.get(&write.thread()).is_some_and(visible) || fences.values().any(visible))
    })
}
