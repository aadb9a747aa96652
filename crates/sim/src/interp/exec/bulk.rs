//! Bulk copies and reductions (PTX ISA 9.0, 9.7.9.25.4), and the proxy fence that they need.
//!
//! A copy reads its source and writes its destination at one moment, or at two, between its issue
//! and its completion. From the issue on the destination is undefined. Accesses that are not
//! ordered with it are findings ([`Regions`](super::super::asynchrony::Regions)); so are bytes that
//! a thread wrote without a proxy fence before the issue.

use super::super::asynchrony::{Bulk, Ground, Places, Region, Role, Signal, Span, Transfer};
use super::super::code::{Address, Row};
use super::super::cta::{Cta, Effect, Pending};
use super::super::place::{RANK_SHIFT, SharedPlace};
use super::super::warp::lanes;
use super::access::{ASYNC_PROXY, Access, Accessor, Site};
use super::{Group, Machine, Step, fault};
use crate::failure::{Failure, FailureKind};
use crate::launch::OnFinding;
use crate::mem::{Actor, Segment, Space, Stamp};
use std::ops::Range;

/// Alignment of addresses and sizes (PTX ISA 9.0, 9.7.9.25.4.1).
const ALIGN: usize = 16;

impl Machine<'_, '_> {
    fn segment_of<'a>(&'a mut self, cta: &'a mut Cta, ground: Ground) -> &'a mut Segment {
        match ground {
            Ground::Global(id) => &mut self.mem.alloc_mut(id).seg,
            Ground::Shared { rank, .. } => &mut cta.blocks[rank].shared,
        }
    }

    /// Returns the memory of an access and its offset there; none for local memory.
    fn memory(cta: &Cta, site: Site) -> Option<(Ground, usize)> {
        Some(match site {
            Site::Global(id, offset) => (Ground::Global(id), offset),
            Site::Shared(place) => (Machine::ground(cta, place), place.offset),
            Site::Local(_) => return None,
        })
    }

    /// Returns the shared memory of a place.
    pub(super) fn ground(cta: &Cta, place: SharedPlace) -> Ground {
        Ground::Shared { index: cta.blocks[place.block].index, rank: place.block }
    }

    /// Reports a finding of an asynchronous operation, as races are.
    pub(super) fn finding(&mut self, lane: usize, text: String) -> Step<()> {
        match self.launch.races {
            OnFinding::Error => return fault(lane, FailureKind::Asynchrony(text)),
            OnFinding::Warn => self.warn(text),
            OnFinding::Off => {}
        }
        Ok(())
    }

    /// Fails if an access is not ordered after the operations that use its memory.
    #[cold]
    pub(super) fn not_in_flight(
        &mut self,
        cta: &Cta,
        by: Accessor,
        access: Access,
        strong: bool,
        kind: &'static str,
    ) -> Step<()> {
        let role = match kind {
            "read" => Role::Source,
            "atomic" if strong => Role::Reduced,
            _ => Role::Target,
        };
        let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, strong);
        let Some((ground, offset)) = Machine::memory(cta, access.site) else { return Ok(()) };
        let Some(region) = self.regions.conflict(ground, &(offset..offset + access.size), role, &actor) else {
            return Ok(());
        };
        let text = format!("{kind} of {} {:#x}, which {}", access.space, access.addr, self.using(region));
        self.finding(by.lane, format!("{text}: the access is not ordered after a wait for it"))
    }

    /// Describes the operation that uses a region.
    fn using(&self, region: &Region) -> String {
        let (block, thread, place) = (region.thread >> 10, region.thread & 1023, self.program.place(region.place));
        let verb = if region.role == Role::Source { "read" } else { "write" };
        format!("an asynchronous operation may still {verb}, issued by thread {thread} of block {block} at {place}")
    }

    /// Reads a number of bytes, a multiple of 16.
    fn size(&self, cta: &Cta, by: Accessor, row: Row) -> Step<usize> {
        let frame = &cta.warps[by.warp].frames[by.frame];
        if frame.get_undef(row, by.lane) != 0 {
            return fault(by.lane, FailureKind::UndefinedOperand("the size of the copy"));
        }
        let size = frame.get(row, by.lane) as u32;
        if !(size as usize).is_multiple_of(ALIGN) {
            let text = format!("a bulk operation of {size} bytes, which is not a multiple of {ALIGN}");
            return fault(by.lane, FailureKind::Asynchrony(text));
        }
        Ok(size as usize)
    }

    /// Runs `cp.async.bulk.prefetch`: only its operands matter.
    pub(super) fn prefetch(&self, cta: &Cta, by: Accessor, at: &Address, bytes: Row) -> Step<()> {
        let size = self.size(cta, by, bytes)?;
        self.range(cta, by, at, (size, ALIGN), "read").map(|_| ())
    }

    /// Issues a copy or reduction.
    pub(super) fn bulk(&mut self, cta: &mut Cta, by: Accessor, bulk: &Bulk) -> Step<()> {
        let size = self.size(cta, by, bulk.bytes)?;
        let from = self.range(cta, by, &bulk.from, (size, ALIGN), "read")?;
        let to = self.range(cta, by, &bulk.to, (size, ALIGN), "write")?;
        self.writable(by.lane, to)?;
        let mut signals = Vec::new();
        if let Some(at) = &bulk.object {
            let object = self.object(cta, by, at, "atomic")?;
            if !matches!(to.site, Site::Shared(place) if place.block == object.block) {
                let text = "the mbarrier object of a bulk operation is not in the block of its destination";
                return fault(by.lane, FailureKind::Asynchrony(text.into()));
            }
            signals.push(object);
        }
        if size == 0 {
            return Ok(());
        }
        let targets = match bulk.multicast {
            Some(mask) => self.multicast(cta, by, mask, to, &mut signals)?,
            None => vec![to],
        };
        let number = self.regions.number();
        let role = if bulk.reduce.is_some() { Role::Reduced } else { Role::Target };
        let from = self.issue(cta, by, from, Role::Source, (number, true))?;
        let mut spans = Vec::new();
        for to in targets {
            spans.extend(self.issue(cta, by, to, role, (number, true))?);
        }
        let (reduce, one) = bulk.reduce.map_or((None, ALIGN), |(op, bytes)| (Some(op), bytes));
        let transfer = Transfer { number, from, to: spans, bytes: size, one, reduce, fill: 0, taken: None };
        self.begin(cta, by, transfer, signals);
        Ok(())
    }

    /// Begins a transfer; without signals it is part of the thread's bulk group.
    pub(super) fn begin(&mut self, cta: &mut Cta, by: Accessor, mut transfer: Transfer, signals: Vec<SharedPlace>) {
        if transfer.taken.is_none() && self.order.now_and_then(4) {
            transfer.taken = Some(self.taken(cta, &transfer));
        }
        if signals.is_empty() {
            cta.warps[by.warp].bulk[by.lane].open.push(transfer.number);
        }
        let effect = Effect::Transfer(transfer);
        cta.pending.push(Pending { warp: by.warp, lane: by.lane, place: by.pc, signals, effect });
    }

    /// Returns the destinations of a multicast: the place of the first one in each block of a mask
    /// of ranks. Each has its own mbarrier object.
    pub(super) fn multicast(
        &self,
        cta: &Cta,
        by: Accessor,
        mask: Row,
        to: Access,
        signals: &mut Vec<SharedPlace>,
    ) -> Step<Vec<Access>> {
        let frame = &cta.warps[by.warp].frames[by.frame];
        if frame.get_undef(mask, by.lane) & 0xffff != 0 {
            return fault(by.lane, FailureKind::UndefinedOperand("the mask of blocks"));
        }
        let mask = frame.get(mask, by.lane) as u32 & 0xffff;
        let count = cta.blocks.len();
        if mask == 0 || mask >> count != 0 {
            let text = format!("a multicast to the blocks {mask:#06x} of a cluster of {count}");
            return fault(by.lane, FailureKind::Asynchrony(text));
        }
        let (Site::Shared(place), Some(&object)) = (to.site, signals.first()) else { return Ok(vec![to]) };
        let ranks: Vec<usize> = lanes(mask).collect();
        *signals = ranks.iter().map(|&block| SharedPlace { block, ..object }).collect();
        let mut targets = Vec::new();
        for block in ranks {
            self.runs(cta, by.lane, block)?;
            let site = Site::Shared(SharedPlace { block, ..place });
            let addr = to.addr & ((1 << RANK_SHIFT) - 1) | (block as u64) << RANK_SHIFT;
            targets.push(Access { site, addr, ..to });
        }
        Ok(targets)
    }

    /// Checks source or destination of an operation, adds its region, and returns its place. With
    /// the number of the operation: whether it is one of the async proxy.
    pub(super) fn issue(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        access: Access,
        role: Role,
        (number, proxy): (u64, bool),
    ) -> Step<Option<Span>> {
        let (ground, range) = self.begin_access(cta, by, access, role, proxy)?;
        let places = Places::From(range.start);
        let actor = cta.warps[by.warp].actor(by.lane, self.now, by.pc, false);
        self.regions.add(Region::new(number, (ground, range), role, &actor));
        Ok(Some(Span { ground, places }))
    }

    /// Checks bytes that an operation reads or writes against all earlier accesses. A destination
    /// is undefined from here on.
    pub(super) fn begin_access(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        access: Access,
        role: Role,
        proxy: bool,
    ) -> Step<(Ground, Range<usize>)> {
        let lane = by.lane;
        let Some((ground, offset)) = Machine::memory(cta, access.site) else {
            let text = format!("a bulk operation on {} memory", access.space);
            return fault(lane, FailureKind::Asynchrony(text));
        };
        let range = offset..offset + access.size;
        let kind = if role == Role::Source { "asynchronous read" } else { "asynchronous write" };
        self.not_an_object(cta, lane, access, kind)?;
        let actor = cta.warps[by.warp].actor(lane, self.now, by.pc, role == Role::Reduced);
        if self.launch.races != OnFinding::Off {
            let segment = self.segment_of(cta, ground);
            if let Some(conflict) = segment.conflict(offset, access.size, &actor, role != Role::Source) {
                self.race(lane, access, kind, conflict)?;
            }
            let unfenced = if proxy { self.unfenced(cta, access.space, ground, &range) } else { None };
            if let Some((there, write)) = unfenced {
                let at = access.addr + (there - offset) as u64;
                let (block, thread) = (write.thread() >> 10, write.thread() & 1023);
                let write =
                    format!("written by thread {thread} of block {block} at {}", self.program.place(write.place()));
                let text = format!("{kind} of {} {at:#x}, {write}, without fence.proxy.async between", access.space);
                self.finding(lane, text)?;
            }
            if let Some(region) = self.regions.conflict(ground, &range, role, &actor) {
                let text = format!("{kind} of {} {:#x}, which {}", access.space, access.addr, self.using(region));
                self.finding(lane, format!("{text}: the access is not ordered after a wait for it"))?;
            }
        }
        if role == Role::Target {
            let segment = self.segment_of(cta, ground);
            segment.forget(offset, access.size);
            for at in range.clone().step_by(ALIGN) {
                segment.store(at, ALIGN.min(range.end - at), 0, u128::MAX);
            }
        }
        Ok((ground, range))
    }

    /// Returns a write of the range, with its offset, that no proxy fence has made visible.
    fn unfenced(
        &mut self,
        cta: &mut Cta,
        space: Space,
        ground: Ground,
        range: &Range<usize>,
    ) -> Option<(usize, Stamp)> {
        let mut writes: Vec<(usize, Stamp)> = self
            .segment_of(cta, ground)
            .last_writes(range.start, range.len())
            .filter(|(_, w)| w.time() != 0 && w.place() & ASYNC_PROXY == 0)
            .collect();
        writes.dedup_by_key(|(_, write)| *write);
        let fences = &self.fences[usize::from(space == Space::Global)];
        writes.into_iter().find(|(_, write)| {
            let visible = |fence: &Actor| write.time() <= fence.now && write.ordered_before(fence);
            !(fences.get(&write.thread()).is_some_and(visible) || fences.values().any(visible))
        })
    }

    /// Runs `fence.proxy.async`.
    pub(super) fn fence_proxy(&mut self, cta: &Cta, w: usize, pc: u32, spaces: [bool; 2], mask: u32) {
        for lane in lanes(mask) {
            let actor = cta.warps[w].actor(lane, self.now, pc, false);
            for (fences, _) in self.fences.iter_mut().zip(spaces).filter(|(_, covers)| *covers) {
                fences.insert(actor.thread, actor);
            }
        }
    }

    /// Reads the source of a transfer.
    fn taken(&mut self, cta: &mut Cta, transfer: &Transfer) -> (Vec<u8>, Vec<u8>) {
        let Some(from) = &transfer.from else { return Default::default() };
        let segment = self.segment_of(cta, from.ground);
        let (mut bytes, mut undef) = (Vec::new(), Vec::new());
        let one = transfer.one;
        for at in (0..transfer.bytes).step_by(one) {
            let (value, unknown) = match from.places.offset(at, one) {
                Some(offset) => segment.load(offset, one),
                None => (transfer.fill.into(), 0),
            };
            bytes.extend_from_slice(&value.to_le_bytes()[..one]);
            undef.extend_from_slice(&unknown.to_le_bytes()[..one]);
        }
        (bytes, undef)
    }

    /// A transfer takes effect: its bytes are written, then counted.
    pub(super) fn transfer(&mut self, cta: &mut Cta, lane: usize, op: Transfer, signals: &[SharedPlace]) -> Step<()> {
        let (bytes, undef) = match op.taken.clone() {
            Some(taken) => taken,
            None => self.taken(cta, &op),
        };
        if matches!(op.from, Some(Span { ground: Ground::Global(_), .. })) {
            self.outcome.stats.global_read += op.bytes as u64;
        }
        let mufu = self.mufu;
        for to in &op.to {
            if let Ground::Shared { rank, .. } = to.ground
                && cta.warps.iter().any(|warp| warp.live() != 0)
            {
                self.runs(cta, lane, rank)?;
            }
            let space = match to.ground {
                Ground::Global(_) => Space::Global,
                Ground::Shared { .. } => Space::Shared,
            };
            if space == Space::Global {
                self.outcome.stats.global_written += op.bytes as u64;
            }
            // Without a tensor, subnormals are kept in global memory as in shared memory, although the manual
            // says that they are flushed (PTX ISA 9.0, `cp.reduce.async.bulk`; an H100).
            let memory = if matches!(to.places, Places::From(_)) { Space::Shared } else { space };
            let segment = self.segment_of(cta, to.ground);
            let one = op.one;
            for at in (0..op.bytes).step_by(one) {
                // What is outside of a tensor is not written.
                let Some(offset) = to.places.offset(at, one) else { continue };
                let (mut value, mut unknown) = (word(&bytes[at..at + one]), word(&undef[at..at + one]));
                if let Some(reduction) = op.reduce {
                    let (old, old_unknown) = segment.load(offset, one);
                    value = reduction.combine(memory, old, value, mufu).unwrap_or(value);
                    unknown = if unknown | old_unknown != 0 { u128::MAX } else { 0 };
                }
                segment.store(offset, one, value, unknown);
            }
        }
        let phase = |at: &SharedPlace| cta.objects.get(at).map_or(0, |object| object.state.phase());
        let counted: Vec<Signal> = signals.iter().map(|at| (Machine::ground(cta, *at), at.offset, phase(at))).collect();
        self.regions.signal(op.number, &counted);
        for &at in signals {
            self.change(cta, lane, at, |object| object.complete(op.bytes as u32))?;
        }
        Ok(())
    }

    /// Commits the bulk groups of lanes.
    pub(super) fn commit_bulk(cta: &mut Cta, w: usize, mask: u32) {
        for lane in lanes(mask) {
            let groups = &mut cta.warps[w].bulk[lane];
            let group = std::mem::take(&mut groups.open);
            groups.groups.push_back(group);
        }
    }

    /// Waits until at most `left` bulk groups are pending, or only their sources are read.
    pub(super) fn wait_bulk(
        &mut self,
        cta: &mut Cta,
        w: usize,
        group: &Group,
        (left, read): (usize, bool),
        mask: u32,
    ) -> Step<()> {
        for lane in lanes(mask) {
            let groups = &mut cta.warps[w].bulk[lane].groups;
            let over = groups.len().saturating_sub(left);
            let numbers: Vec<u64> = groups.range(..over).flatten().copied().collect();
            if !read {
                groups.drain(..over);
            }
            let actor = cta.warps[w].actor(lane, self.now, group.pc | ASYNC_PROXY, false);
            for number in numbers {
                self.settle_bulk(cta, number, read)?;
                for region in self.regions.take(number, read) {
                    // From here on it is an access of this thread.
                    let segment = self.segment_of(cta, region.ground);
                    let actor = Actor { strong: region.role == Role::Reduced, ..actor };
                    for range in region.ranges() {
                        if region.role == Role::Target {
                            segment.forget(range.start, range.len());
                        }
                        segment.note(range.start, range.len(), &actor, region.role != Role::Source);
                    }
                }
            }
        }
        Ok(())
    }

    /// An operation must have taken effect, or have read its source.
    fn settle_bulk(&mut self, cta: &mut Cta, number: u64, read: bool) -> Step<()> {
        let of = |p: &Pending| matches!(&p.effect, Effect::Transfer(t) if t.number == number);
        let Some(index) = cta.pending.iter().position(of) else { return Ok(()) };
        if !read || self.order.now_and_then(2) {
            let pending = cta.pending.remove(index);
            return self.take_effect(cta, pending);
        }
        if let Effect::Transfer(transfer) = &cta.pending[index].effect
            && transfer.taken.is_none()
        {
            let taken = self.taken(cta, &transfer.clone());
            if let Effect::Transfer(transfer) = &mut cta.pending[index].effect {
                transfer.taken = Some(taken);
            }
        }
        Ok(())
    }

    /// All threads of a cluster have ended: what is left takes effect. Shared memory must not be in
    /// use any more.
    pub fn ended(&mut self, cta: &mut Cta) -> Result<(), Failure> {
        while let Some(index) = cta.pending.iter().position(|p| matches!(p.effect, Effect::Transfer(_))) {
            self.land(cta, index)?;
        }
        let blocks: Vec<u64> = cta.blocks.iter().map(|block| block.index).collect();
        let Some(region) = self.regions.end(&blocks) else { return Ok(()) };
        let text = format!("a block ends, whose shared memory {}: nothing has waited for it", self.using(&region));
        let of = |warp: &&super::Warp| {
            warp.at[0].cta_index as u32 == region.thread >> 10 && warp.index == region.thread >> 5 & 31
        };
        let lane = (region.thread & 31) as usize;
        let Some(warp) = cta.warps.iter().find(of) else { return Ok(()) };
        self.finding(lane, text).map_err(|fault| self.failure(warp, region.place, fault.lane, fault.kind))
    }
}

/// Returns up to 16 bytes as a word.
fn word(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
}
