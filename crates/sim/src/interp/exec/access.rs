//! Loads, stores and atomics on the shared memory model.

use super::super::alu::Alu;
use super::super::bits::mask;
use super::super::code::*;
use super::super::cta::Cta;
use super::super::place::SharedPlace;
use super::super::warp::{Frame, Warp, lanes};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::launch::OnFinding;
use crate::mem::{AllocId, Conflict, Segment, Space, generic};
use smallvec::SmallVec;

/// The bit of a recorded access's place that marks it as one of the async proxy.
pub(super) const ASYNC_PROXY: u32 = 1 << 28;

/// Most bytes that `st.bulk` clears (PTX ISA 9.0, 9.7.9.13).
const MOST_CLEARED: u64 = 1 << 24;

/// Most warnings that are kept.
const WARNINGS: usize = 100;

/// The target of an access.
#[derive(Clone, Copy)]
pub(super) enum Site {
    Global(AllocId, usize),
    Shared(SharedPlace),
    Local(usize),
}

/// A lane that accesses memory: its warp, the step, and its frame.
#[derive(Clone, Copy)]
pub(super) struct Accessor {
    pub(super) warp: usize,
    pub(super) lane: usize,
    pub(super) pc: u32,
    pub(super) frame: usize,
}

impl Accessor {
    pub(super) fn new(warp: usize, lane: usize, group: &Group) -> Accessor {
        Accessor { warp, lane, pc: group.pc, frame: group.frame }
    }
}

/// One access of one lane.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) site: Site,
    pub(super) space: Space,
    pub(super) addr: u64,
    pub(super) size: usize,
}

impl Machine<'_, '_> {
    /// Resolves an address and checks definedness, alignment and bounds.
    #[inline]
    pub(super) fn site(
        &self,
        cta: &Cta,
        by: Accessor,
        address: &Address,
        size: usize,
        access: &'static str,
    ) -> Step<Access> {
        self.range(cta, by, address, (size, size), access)
    }

    /// [`Machine::site`] of a size in bytes with another alignment, a power of two.
    #[inline]
    pub(super) fn range(
        &self,
        cta: &Cta,
        by: Accessor,
        address: &Address,
        (size, align): (usize, usize),
        access: &'static str,
    ) -> Step<Access> {
        let (warp, lane) = (&cta.warps[by.warp], by.lane);
        let frame = &warp.frames[by.frame];
        if frame.get_undef(address.base, lane) != 0 {
            return fault(lane, FailureKind::UndefinedAddress);
        }
        let addr = frame.get(address.base, lane).wrapping_add(address.offset as u64);
        let addr = if address.narrow { addr & mask(32) } else { addr };
        let (space, addr) = match address.window {
            Window::Generic => generic(addr),
            Window::Global | Window::Const | Window::Param => (Space::Global, addr),
            Window::Shared | Window::Cluster => (Space::Shared, addr),
            Window::Local => (Space::Local, addr),
        };
        if addr & (align as u64 - 1) != 0 {
            return fault(lane, FailureKind::Misaligned { access, space, addr, size: size as u32 });
        }
        let site = match space {
            Space::Global => self.mem.find(addr, size).map(|(id, offset)| Site::Global(id, offset)),
            Space::Shared => self.shared_site(cta, by, (addr, size), address.window)?,
            Space::Local => warp.local[lane].contains(addr, size).then_some(Site::Local(addr as usize)),
        };
        match site {
            Some(site) => Ok(Access { site, space, addr, size }),
            None => {
                let near = if space == Space::Global { self.mem.describe(addr) } else { String::new() };
                fault(lane, FailureKind::OutOfBounds { access, space, addr, size: size as u32, near })
            }
        }
    }

    #[inline]
    pub(super) fn segment<'a>(
        &'a mut self,
        cta: &'a mut Cta,
        w: usize,
        lane: usize,
        site: Site,
    ) -> (&'a mut Segment, usize) {
        match site {
            Site::Global(id, offset) => (&mut self.mem.alloc_mut(id).seg, offset),
            Site::Shared(place) => (&mut cta.blocks[place.block].shared, place.offset),
            Site::Local(offset) => (&mut cta.warps[w].local[lane], offset),
        }
    }

    /// Records an access for race checking.
    #[inline]
    pub(super) fn watch(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        access: Access,
        strong: bool,
        kind: &'static str,
    ) -> Step<()> {
        let lane = by.lane;
        if !cta.objects.is_empty() {
            self.not_an_object(cta, lane, access, kind)?;
        }
        if !self.regions.is_empty() {
            self.not_in_flight(cta, by, access, strong, kind)?;
        }
        self.note(cta, by, access, strong, kind)
    }

    /// Records an access for race checking that may be one of an mbarrier object.
    pub(super) fn note(
        &mut self,
        cta: &mut Cta,
        by: Accessor,
        access: Access,
        strong: bool,
        kind: &'static str,
    ) -> Step<()> {
        let Accessor { warp: w, lane, pc, .. } = by;
        if self.launch.races == OnFinding::Off || access.space == Space::Local {
            return Ok(());
        }
        let actor = cta.warps[w].actor(lane, self.now, pc, strong);
        let write = kind != "read";
        let (segment, offset) = self.segment(cta, w, lane, access.site);
        match segment.note(offset, access.size, &actor, write) {
            None => Ok(()),
            Some(conflict) => self.race(lane, access, kind, conflict),
        }
    }

    #[cold]
    pub(super) fn race(&mut self, lane: usize, access: Access, kind: &'static str, conflict: Conflict) -> Step<()> {
        let earlier = conflict.earlier;
        let what = if conflict.was_write { "write" } else { "read" };
        let (block, thread) = (earlier.thread() >> 10, earlier.thread() & 1023);
        let place = self.program.place(earlier.place() & !ASYNC_PROXY);
        let near = if access.space == Space::Global { self.mem.describe(access.addr) } else { String::new() };
        let earlier = format!("{what} by thread {thread} of block {block} at {place}");
        let race = FailureKind::Race { space: access.space, addr: access.addr, access: kind, earlier, near };
        if self.launch.races == OnFinding::Error {
            return fault(lane, race);
        }
        self.warn(race.to_string());
        Ok(())
    }

    pub(super) fn warn(&mut self, text: String) {
        if self.outcome.warnings.len() < WARNINGS {
            self.outcome.warnings.push(text);
        }
    }

    /// Warns, once per instruction, of an atomic operation on memory that was never written.
    #[cold]
    fn unwritten(&mut self, pc: u32) {
        if !self.unwritten.contains(&pc) {
            self.unwritten.push(pc);
            self.warn(format!(
                "an atomic operation computes with memory that nothing was written to at {}",
                self.program.place(pc)
            ));
        }
    }

    /// Ordering effects of an access, before and after it.
    pub(super) fn ordered(&mut self, warp: &mut Warp, lane: usize, order: Order) {
        if order.release {
            self.released = self.now;
        }
        if order.strong {
            // A strong read may see a strong write after a fence.
            warp.acquired[lane] = warp.acquired[lane].max(self.released);
        }
    }

    pub fn fence(&mut self, mask: u32) {
        if mask != 0 {
            self.released = self.now;
            self.now += 1;
        }
    }

    pub fn load(&mut self, cta: &mut Cta, w: usize, group: &Group, load: &Load, mask: u32) -> Step<()> {
        self.now += 1;
        // Other clusters may have written what a loop waits for.
        cta.effects +=
            u64::from(self.others && !matches!(load.address.window, Window::Local | Window::Shared | Window::Cluster));
        let one = load.bytes as usize;
        let size = one * load.dst.len();
        for lane in lanes(mask) {
            let by = Accessor::new(w, lane, group);
            let access = self.site(cta, by, &load.address, size, "read")?;
            if access.space == Space::Global {
                self.outcome.stats.global_read += size as u64;
            }
            if !load.constant {
                self.ordered(&mut cta.warps[w], lane, load.order);
                self.watch(cta, by, access, load.order.strong, "read")?;
            } else if !self.regions.is_empty() {
                self.not_in_flight(cta, by, access, false, "read")?;
            }
            for (i, dst) in load.dst.iter().enumerate() {
                let Some(dst) = *dst else { continue };
                let (segment, offset) = self.segment(cta, w, lane, access.site);
                let at = offset + i * one;
                let (word, undef) = match one {
                    4 => {
                        let (word, undef) = segment.load32(at);
                        (u128::from(word), u128::from(undef))
                    }
                    _ => segment.load(at, one),
                };
                let frame = &mut cta.warps[w].frames[group.frame];
                if one == 16 {
                    frame.set(Row(dst.0 + 1), lane, (word >> 64) as u64, (undef >> 64) as u64);
                }
                let (mut word, mut undef) = (word as u64, undef as u64);
                if let Some((from, to)) = load.extend {
                    let extend = Alu::Extend { from, to };
                    if undef != 0 {
                        undef = extend.undefined([word, 0, 0, 0], [undef, 0, 0, 0], to, self.mufu);
                    }
                    word = extend.eval([word, 0, 0, 0], self.mufu);
                }
                frame.set(dst, lane, word, undef);
            }
        }
        // Rows that were undefined may be fully defined now.
        let frame = &mut cta.warps[w].frames[group.frame];
        for dst in load.dst.iter().flatten() {
            settle(frame, *dst);
        }
        Ok(())
    }

    pub fn store(&mut self, cta: &mut Cta, w: usize, group: &Group, store: &Store, mask: u32) -> Step<()> {
        self.now += 1;
        cta.effects += u64::from(store.address.window != Window::Local);
        let one = store.bytes as usize;
        let size = one * store.src.len();
        for lane in lanes(mask) {
            let by = Accessor::new(w, lane, group);
            let access = self.site(cta, by, &store.address, size, "write")?;
            self.writable(lane, access)?;
            if access.space == Space::Global {
                self.outcome.stats.global_written += size as u64;
            }
            if !store.private {
                self.ordered(&mut cta.warps[w], lane, store.order);
                self.watch(cta, by, access, store.order.strong, "write")?;
            }
            for (i, &src) in store.src.iter().enumerate() {
                let frame = &cta.warps[w].frames[group.frame];
                let (word, undef) = wide(frame, src, lane, one);
                let (segment, offset) = self.segment(cta, w, lane, access.site);
                let at = offset + i * one;
                match one {
                    4 => segment.store32(at, word as u32, undef as u32),
                    _ => segment.store(at, one, word, undef),
                }
            }
        }
        Ok(())
    }

    /// `st.bulk` (PTX ISA 9.0, 9.7.9.13): zeros in shared memory.
    pub(super) fn clear(
        &mut self,
        cta: &mut Cta,
        w: usize,
        group: &Group,
        (at, size): (&Address, Row),
        mask: u32,
    ) -> Step<()> {
        self.now += 1;
        cta.effects += 1;
        for lane in lanes(mask) {
            let by = Accessor::new(w, lane, group);
            let frame = &cta.warps[w].frames[group.frame];
            if frame.get_undef(size, lane) != 0 {
                return fault(lane, FailureKind::UndefinedOperand("the number of bytes"));
            }
            let bytes = frame.get(size, lane);
            if bytes > MOST_CLEARED || !bytes.is_multiple_of(8) {
                return fault(lane, FailureKind::Asynchrony(format!("st.bulk of {bytes} bytes")));
            }
            if bytes == 0 {
                continue;
            }
            let access = self.range(cta, by, at, (bytes as usize, 8), "write")?;
            if !matches!(access.site, Site::Shared(_)) {
                let text = format!("st.bulk to {} {:#x}, not to shared memory", access.space, access.addr);
                return fault(lane, FailureKind::Asynchrony(text));
            }
            self.watch(cta, by, access, false, "write")?;
            let (segment, offset) = self.segment(cta, w, lane, access.site);
            (0..bytes as usize).step_by(8).for_each(|n| segment.store(offset + n, 8, 0, 0));
        }
        Ok(())
    }

    pub(super) fn writable(&self, lane: usize, access: Access) -> Step<()> {
        match access.site {
            Site::Global(id, _) if !self.mem.alloc(id).writable => {
                let name = self.mem.alloc(id).name.clone();
                fault(lane, FailureKind::ReadOnly { name, addr: access.addr, size: access.size as u32 })
            }
            _ => Ok(()),
        }
    }

    pub fn atomic(&mut self, cta: &mut Cta, w: usize, group: &Group, atomic: &Atomic, mask: u32) -> Step<()> {
        self.now += 1;
        cta.effects += 1;
        let one = atomic.bytes as usize;
        let size = one * atomic.b.len();
        let mut unwritten = false;
        for lane in self.order.atomic(mask) {
            let by = Accessor::new(w, lane, group);
            let access = self.site(cta, by, &atomic.address, size, "atomic")?;
            self.writable(lane, access)?;
            if access.space == Space::Global {
                self.outcome.stats.global_read += size as u64;
                self.outcome.stats.global_written += size as u64;
            }
            self.ordered(&mut cta.warps[w], lane, atomic.order);
            self.watch(cta, by, access, true, "atomic")?;
            // All sources are read before the first result is written: they may be the same
            // registers.
            let frame = &cta.warps[w].frames[group.frame];
            let sources: SmallVec<[(u128, u128); 8]> = atomic.b.iter().map(|&b| wide(frame, b, lane, one)).collect();
            for (i, (b, b_undef)) in sources.into_iter().enumerate() {
                let frame = &cta.warps[w].frames[group.frame];
                let (c, c_undef) = wide(frame, atomic.c, lane, one);
                let mufu = self.mufu;
                let (segment, offset) = self.segment(cta, w, lane, access.site);
                let at = offset + i * one;
                let (old, old_undef) = segment.load(at, one);
                let all = u128::MAX >> (128 - 8 * one);
                let spoiled = if old_undef | b_undef != 0 { all } else { 0 };
                unwritten |= old_undef & all == all && !matches!(atomic.op, AtomOp::Exch);
                let (new, new_undef) = match atomic.op {
                    AtomOp::Exch => (b, b_undef),
                    // Memory that was never written: a defined bit may exclude the exchange;
                    // otherwise it is unknown.
                    AtomOp::Cas if (old ^ b) & !(old_undef | b_undef) & all != 0 => (old, old_undef),
                    AtomOp::Cas if spoiled != 0 => (c, all),
                    AtomOp::Cas if old == b => (c, c_undef),
                    AtomOp::Cas => (old, old_undef),
                    op => (op.combine(access.space, old, b, mufu).unwrap_or(b), spoiled),
                };
                segment.store(at, one, new, new_undef);
                if let Some(Some(dst)) = atomic.dst.get(i) {
                    let frame = &mut cta.warps[w].frames[group.frame];
                    frame.set(*dst, lane, old as u64, old_undef as u64);
                    if one == 16 {
                        frame.set(Row(dst.0 + 1), lane, (old >> 64) as u64, (old_undef >> 64) as u64);
                    }
                }
            }
        }
        if unwritten {
            self.unwritten(group.pc);
        }
        let frame = &mut cta.warps[w].frames[group.frame];
        for dst in atomic.dst.iter().flatten() {
            settle(frame, *dst);
        }
        Ok(())
    }
}

/// Reads a source of up to 16 bytes.
fn wide(frame: &Frame, row: Row, lane: usize, bytes: usize) -> (u128, u128) {
    let (word, undef) = (u128::from(frame.get(row, lane)), u128::from(frame.get_undef(row, lane)));
    if bytes < 16 || row == ZERO {
        return (word, undef);
    }
    let high = Row(row.0 + 1);
    (word | u128::from(frame.get(high, lane)) << 64, undef | u128::from(frame.get_undef(high, lane)) << 64)
}

/// Checks whether a row still has undefined bits.
pub(super) fn settle(frame: &mut Frame, row: Row) {
    let row = row.0 as usize;
    if frame.tainted[row] {
        frame.tainted[row] = frame.undef[row].iter().any(|&u| u != 0);
    }
}
