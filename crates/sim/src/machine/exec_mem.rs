//! Loads, stores and constant loads. Atomic operations are in [`super::exec_atom`].
//!
//! Each lane's access is checked individually: defined address, natural alignment, bounds of the
//! allocation, order with other threads' accesses. Accesses take place at issue, in lane order;
//! register hazards are left to the tracker.

use super::block::{Block, Exec, Global, LaneFailure};
use super::object::{Place, RANK_SHIFT};
use super::uop::{Access, Addr, Kind, MemSpace, Uop};
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::launch::OnFinding;
use crate::mem::{Actor, AllocId, Conflict, Segment, Space, generic};

/// The target of one lane's access.
pub enum Target {
    Global(AllocId, usize),
    Shared(usize),
    /// Shared memory of another block of the cluster, by rank.
    Remote(usize, usize),
    Local(usize, usize),
}

impl Target {
    /// Returns the offset in its segment.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        let (Target::Global(_, off) | Target::Shared(off) | Target::Remote(_, off) | Target::Local(_, off)) = *self;
        off
    }

    /// Returns its segment.
    #[inline(always)]
    pub fn segment<'a>(&self, blk: &'a mut Block, g: &'a mut Global<'_>) -> &'a mut Segment {
        match *self {
            Target::Global(id, _) => &mut g.mem.alloc_mut(id).seg,
            Target::Shared(_) => &mut blk.shared,
            Target::Remote(rank, _) => blk.shared_of(rank),
            Target::Local(thread, _) => &mut blk.local[thread],
        }
    }

    /// Returns the place, if it is in shared memory.
    pub fn place(&self, blk: &Block) -> Option<Place> {
        match *self {
            Target::Shared(offset) => Some(Place { rank: blk.rank, offset }),
            Target::Remote(rank, offset) => Some(Place { rank, offset }),
            Target::Global(..) | Target::Local(..) => None,
        }
    }
}

impl Warp {
    pub fn address(&self, a: &Addr, lane: usize) -> Exec<u64> {
        let base = if a.base == 255 {
            0
        } else {
            let undef = if a.wide { self.reg_undef(a.base | 1, lane) } else { 0 };
            if self.reg_undef(a.base, lane) | undef != 0 {
                return Err(LaneFailure::new(lane, FailureKind::UndefinedAddress));
            }
            let lo = u64::from(self.reg(a.base)[lane]) << a.scale;
            if a.wide { u64::from(self.reg(a.base | 1)[lane]) << 32 | lo } else { lo }
        };
        let mut uniform = 0;
        if a.ubase != 63 {
            let hi = (a.ubase | 1) & 63;
            let undef = self.ureg_undef[a.ubase as usize] | if a.uwide { self.ureg_undef[hi as usize] } else { 0 };
            if undef != 0 {
                return Err(LaneFailure::new(lane, FailureKind::UndefinedAddress));
            }
            uniform = u64::from(self.uregs[a.ubase as usize]);
            if a.uwide {
                uniform |= u64::from(self.uregs[hi as usize]) << 32;
            }
        }
        let sum = base.wrapping_add(uniform).wrapping_add(a.offset as i64 as u64);
        Ok(if a.wide || a.uwide { sum } else { sum & 0xffff_ffff })
    }

    /// Runs loads, stores and atomics in the lanes of `m`. `Ok(false)`: it is another instruction.
    pub fn exec_mem(&mut self, u: &Uop, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
        match u.kind {
            Kind::Load(a) => self.load(u, m, &a, blk, g)?,
            Kind::Store(a) => self.store(u, m, &a, blk, g)?,
            Kind::Atom { access, op, ty, vec, returns } => self.atom(u, m, (&access, op, ty, vec, returns), blk, g)?,
            Kind::LoadReduce { access, op, ty, vec, wide } => {
                self.load_reduce(u, m, (&access, op, ty, vec, wide), blk, g)?;
            }
            Kind::Ldc { size, signed, bank } => self.ldc(u, m, (size, signed, bank), g)?,
            Kind::Uldc { size } => {
                for i in 0..size / 4 {
                    self.put_ureg(u.d + i, (u.s[0].imm >> (32 * i)) as u32, 0);
                }
            }
            Kind::UldcAt { size, signed, bank } => {
                let l = m.trailing_zeros() as usize & 31;
                if self.src_undef(&u.s[0], l) != 0 {
                    return Err(LaneFailure::new(l, FailureKind::UndefinedAddress));
                }
                let offset = i64::from(u.s[1].imm as u32 as i32) + i64::from(self.fetch(&u.s[0])[l] as i32);
                let v = constant(g, bank, offset, size).map_err(|kind| LaneFailure::new(l, kind))?;
                let v = extended(v, size, signed);
                for i in 0..size.div_ceil(4) {
                    self.put_ureg(u.d + i, (v >> (32 * i)) as u32, 0);
                }
            }
            Kind::Fence { gpu } => {
                self.block_fence = g.now;
                if gpu {
                    self.fence = g.now;
                }
            }
            Kind::Qspc(space) => {
                let mut v = 0;
                for l in lanes(m) {
                    let addr = match u.s[0] {
                        s if s.from == super::uop::From::Imm => s.imm,
                        s => self.fetch64(&s, l),
                    };
                    let (at, off) = generic(addr.wrapping_add(u.s[1].imm));
                    let rank = (off >> RANK_SHIFT) as usize;
                    let is = match (at, space) {
                        (Space::Shared, MemSpace::Shared) => rank == blk.rank,
                        (Space::Shared, MemSpace::Cluster) => rank < blk.cluster.blocks.len(),
                        (Space::Local, MemSpace::Local) | (Space::Global, MemSpace::Global) => true,
                        _ => false,
                    };
                    v |= u32::from(is) << l;
                    self.put_lane(u.d, l, u32::from(is));
                }
                self.put_pred(u.pd, m, v, 0);
            }
            Kind::Discard(a) => {
                for l in lanes(m) {
                    let addr = self.address(&a.addr, l)?;
                    self.undefine(&a, (addr, 128), l, blk, g)?;
                }
            }
            Kind::Texture(_) => self.exec_texture(u, m, blk, g)?,
            _ => return self.exec_copy(u, m, blk, g),
        }
        Ok(true)
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what one lane's access is, taken apart: it is called once a lane")]
    pub fn locate(
        &self,
        a: &Access,
        addr: u64,
        size: usize,
        lane: usize,
        what: &'static str,
        blk: &Block,
        g: &Global<'_>,
    ) -> Exec<Target> {
        self.locate_range(a.space, addr, (size, size), lane, what, blk, g)
    }

    /// [`Warp::locate`] of a range of bytes with an alignment.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what one lane's access is, taken apart: it is called once a lane")]
    pub fn locate_range(
        &self,
        space: MemSpace,
        addr: u64,
        (size, align): (usize, usize),
        lane: usize,
        what: &'static str,
        blk: &Block,
        g: &Global<'_>,
    ) -> Exec<Target> {
        let mates = matches!(space, MemSpace::Generic | MemSpace::Cluster);
        let (space, off) = match space {
            MemSpace::Global => (Space::Global, addr),
            MemSpace::Shared | MemSpace::Cluster => (Space::Shared, addr),
            MemSpace::Local => (Space::Local, addr),
            MemSpace::Generic => generic(addr),
        };
        if addr & (align as u64 - 1) != 0 {
            let kind = FailureKind::Misaligned { access: what, space, addr, size: size as u32 };
            return Err(LaneFailure::new(lane, kind));
        }
        let found = match space {
            Space::Global => g.mem.find(off, size).map(|(id, off)| Target::Global(id, off)),
            Space::Shared => {
                let (rank, off) = ((off >> RANK_SHIFT) as usize, off & ((1 << RANK_SHIFT) - 1));
                if off < u64::from(g.shared_base) || !blk.shared.contains(off, size) {
                    None
                } else if rank == blk.rank {
                    Some(Target::Shared(off as usize))
                } else if mates && rank < blk.cluster.blocks.len() {
                    blk.cluster.runs(rank).map_err(|kind| LaneFailure::new(lane, kind))?;
                    Some(Target::Remote(rank, off as usize))
                } else {
                    None
                }
            }
            Space::Local => {
                let thread = (self.index as usize) * 32 + lane;
                let seg = blk.local.get(thread);
                let off = off.wrapping_sub(u64::from(blk.local_low));
                seg.filter(|s| s.contains(off, size)).map(|_| Target::Local(thread, off as usize))
            }
        };
        found.ok_or_else(|| {
            let near = match space {
                Space::Global => g.mem.describe(addr),
                Space::Shared => {
                    let own = blk.rank << RANK_SHIFT;
                    format!(", the block has {:#x} to {:#x}", own + g.shared_base as usize, own + blk.shared.len())
                }
                Space::Local => {
                    let size = blk.local.first().map_or(0, |s| s.len());
                    format!(", the thread has {:#x} to {:#x}", blk.local_low, blk.local_low as usize + size)
                }
            };
            LaneFailure::new(lane, FailureKind::OutOfBounds { access: what, space, addr, size: size as u32, near })
        })
    }

    pub fn actor(&self, lane: usize, strong: bool, pc: u32, blk: &Block, g: &Global<'_>) -> Actor {
        Actor {
            thread: blk.index << 10 | self.index << 5 | lane as u32,
            now: g.now,
            block_sync: self.block_sync.max(self.block_acquired),
            warp_sync: self.warp_sync(g.now),
            acquired: self.acquired,
            place: pc,
            strong,
        }
    }

    /// Records an access for race checking.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the facts of one access")]
    pub fn note(
        &self,
        t: &Target,
        size: usize,
        write: bool,
        what: &'static str,
        actor: &Actor,
        addr: u64,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        blk.not_an_object(t, size, addr, what, actor)?;
        if g.races == OnFinding::Off {
            return Ok(());
        }
        if !g.regions.is_empty() {
            self.not_in_flight(t, size, (what, addr), actor, blk, g)?;
        }
        self.record(t, (addr, size), write, what, actor, blk, g)
    }

    /// [`Warp::note`] of an access that may be one to an mbarrier object.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the facts of one access")]
    pub fn record(
        &self,
        t: &Target,
        (addr, size): (u64, usize),
        write: bool,
        what: &'static str,
        actor: &Actor,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        if g.races == OnFinding::Off {
            return Ok(());
        }
        let space = match t {
            Target::Global(..) => Space::Global,
            Target::Shared(_) | Target::Remote(..) => Space::Shared,
            Target::Local(..) => return Ok(()),
        };
        match t.segment(blk, g).note(t.offset(), size, actor, write) {
            Some(c) => race(c, (space, addr), what, (actor.thread & 31) as usize, g),
            None => Ok(()),
        }
    }

    /// Makes bytes of memory undefined. The range is aligned to its size.
    fn undefine(
        &self,
        a: &Access,
        (addr, size): (u64, usize),
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let t = self.locate(a, addr, size, lane, "write", blk, g)?;
        self.check_writable(&t, addr, size, lane, g)?;
        let actor = self.actor(lane, true, self.splits[self.cur].pc, blk, g);
        self.note(&t, size, true, "write", &actor, addr, blk, g)?;
        let (seg, off) = (t.segment(blk, g), t.offset());
        for at in (off..off + size).step_by(8) {
            seg.store(at, 8, 0, u128::MAX);
        }
        Ok(())
    }

    fn load(&mut self, u: &Uop, m: u32, a: &Access, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let size = usize::from(a.size);
        let pc = self.splits[self.cur].pc;
        if self.load_together(u, m, a, blk, g)? {
            return Ok(());
        }
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            let t = self.locate(a, addr, size, l, "read", blk, g)?;
            let strong = a.strong || blk.is_word(&t, size);
            let actor = self.actor(l, strong, pc, blk, g);
            self.note(&t, size, false, "read", &actor, addr, blk, g)?;
            if strong {
                self.acquire(&t, addr, blk, g);
            }
            if matches!(t, Target::Global(..)) {
                g.stats.global_read += size as u64;
            }
            let (seg, off) = (&*t.segment(blk, g), t.offset());
            if size == 4 {
                let (v, undef) = seg.load32(off);
                self.put_lane(u.d, l, v);
                self.taint(u.d, l, undef);
                continue;
            }
            let (mut v, mut undef) = seg.load(off, size);
            if a.signed && size < 4 {
                let shift = 128 - 8 * size as u32;
                v = (((v << shift) as i128) >> shift) as u128;
                undef = (((undef << shift) as i128) >> shift) as u128;
            }
            if u.d == 255 {
                continue;
            }
            for i in 0..size.div_ceil(4) {
                self.put_lane(u.d + i as u8, l, (v >> (32 * i)) as u32);
                self.taint(u.d + i as u8, l, (undef >> (32 * i)) as u32);
            }
        }
        Ok(())
    }

    /// Reads a data operand of up to 16 bytes: source `i` and the following registers.
    pub fn data(&self, u: &Uop, i: usize, size: usize, lane: usize) -> (u128, u128) {
        match u.s[i].from {
            super::uop::From::Reg(255) | super::uop::From::Imm => (u128::from(u.s[i].imm), 0),
            super::uop::From::UReg(n) => (self.uregs[n as usize].into(), self.ureg_undef[n as usize].into()),
            super::uop::From::Reg(n) => {
                let (mut v, mut t) = (0, 0);
                for j in 0..size.div_ceil(4) {
                    let r = n + j as u8;
                    v |= u128::from(self.reg(r)[lane]) << (32 * j);
                    t |= u128::from(self.reg_undef(r, lane)) << (32 * j);
                }
                (v, t)
            }
        }
    }

    fn store(&mut self, u: &Uop, m: u32, a: &Access, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let size = usize::from(a.size);
        let pc = self.splits[self.cur].pc;
        if self.store_together(u, m, a, blk, g)? {
            return Ok(());
        }
        for (l, addr) in self.places(a, size, m, g)? {
            let t = self.locate(a, addr, size, l, "write", blk, g)?;
            self.check_writable(&t, addr, size, l, g)?;
            let (v, undef) = self.data(u, 1, size, l);
            let actor = self.actor(l, a.strong, pc, blk, g);
            if !self.writes_the_same(&t, (v, undef), size, &actor, blk) {
                self.note(&t, size, true, "write", &actor, addr, blk, g)?;
            }
            if a.strong {
                self.release(&t, addr, false, blk, g);
            }
            if matches!(t, Target::Global(..)) {
                g.stats.global_written += size as u64;
            }
            blk.end_word(&t, size);
            let (seg, off) = (t.segment(blk, g), t.offset());
            if size == 4 {
                seg.store32(off, v as u32, undef as u32);
            } else {
                seg.store(off, size, v, undef);
            }
        }
        Ok(())
    }

    /// Whether a store to shared memory only repeats a store of another thread that is not ordered
    /// with it. `STS` is also what `st.relaxed` becomes: such stores are no race.
    fn writes_the_same(&self, t: &Target, (v, undef): (u128, u128), size: usize, actor: &Actor, blk: &Block) -> bool {
        let Target::Shared(off) = *t else { return false };
        let Some(conflict) = blk.shared.conflict(off, size, actor, true) else { return false };
        let mask = u128::MAX >> (128 - 8 * size);
        conflict.was_write && undef & mask == 0 && blk.shared.load(off, size) == (v & mask, 0)
    }

    pub fn check_writable(&self, t: &Target, addr: u64, size: usize, lane: usize, g: &Global<'_>) -> Exec {
        let Target::Global(id, _) = *t else { return Ok(()) };
        let alloc = g.mem.alloc(id);
        if alloc.writable {
            return Ok(());
        }
        Err(LaneFailure::new(lane, FailureKind::ReadOnly { name: alloc.name.clone(), addr, size: size as u32 }))
    }

    fn ldc(&mut self, u: &Uop, m: u32, (size, signed, bank): (u8, bool, u8), g: &Global<'_>) -> Exec {
        let index = self.fetch(&u.s[0]);
        let bad = self.src_undef_lanes(&u.s[0]) & m;
        if bad != 0 {
            return Err(LaneFailure::new(bad.trailing_zeros() as usize, FailureKind::UndefinedAddress));
        }
        let base = i64::from(u.s[1].imm as u32 as i32);
        for l in lanes(m) {
            // The upper half of a bank can also be addressed by negative offsets. ptxas 13.0.88
            // adds 64 KiB to an index first; only for parameters on sm_90 it assumes that sums wrap
            // at the size of a bank. Our code never does.
            let sum = base + i64::from(index[l] as i32);
            let offset = if base < 0 && sum < 0 { sum + (1 << 16) } else { sum };
            let v = constant(g, bank, offset, size).map_err(|kind| LaneFailure::new(l, kind))?;
            let v = extended(v, size, signed);
            self.put_lane(u.d, l, v as u32);
            if size == 8 && u.d != 255 {
                self.put_lane(u.d + 1, l, (v >> 32) as u32);
            }
        }
        Ok(())
    }
}

/// Reads `size` bytes of a constant bank, aligned to their size.
fn constant(g: &Global<'_>, bank: u8, offset: i64, size: u8) -> Result<u64, FailureKind> {
    let bytes = g.banks.get(usize::from(bank)).map_or(&[][..], |b| b);
    let range = usize::try_from(offset).ok().and_then(|o| bytes.get(o..o + usize::from(size)));
    let Some(range) = range else {
        return Err(FailureKind::DriverConstants { bank: bank.into(), offset, size: bytes.len() as u32 });
    };
    if offset & i64::from(size - 1) != 0 {
        let (space, addr) = (Space::Global, offset as u64);
        return Err(FailureKind::Misaligned { access: "read", space, addr, size: size.into() });
    }
    Ok(range.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b)))
}

/// Extends the low `size` bytes of a value to 64 bits by sign or with zeros.
pub fn extended(v: u64, size: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(size.min(8));
    if signed { ((v << shift) as i64 >> shift) as u64 } else { v << shift >> shift }
}

/// Reports a race: as a failure or a warning, depending on the launch.
pub fn race(c: Conflict, (space, addr): (Space, u64), what: &'static str, lane: usize, g: &mut Global<'_>) -> Exec {
    let t = c.earlier.thread();
    let [x, y, z] = g.block.unflatten(u64::from(t & 0x3ff));
    let [cx, cy, cz] = g.grid.unflatten(u64::from(t >> 10));
    let kind = FailureKind::Race {
        space,
        addr,
        access: what,
        earlier: format!(
            "{} by block ({cx},{cy},{cz}) thread ({x},{y},{z}) at instruction {}",
            if c.was_write { "write" } else { "read" },
            c.earlier.place() & !crate::mem::regions::ASYNC_PROXY
        ),
        near: if space == Space::Global { g.mem.describe(addr) } else { String::new() },
    };
    if g.races == OnFinding::Warn {
        if g.warnings.len() < 100 {
            g.warnings.push(kind.to_string());
        }
        return Ok(());
    }
    Err(LaneFailure::new(lane, kind))
}

/// The lanes of a mask, lowest first.
pub fn lanes(mut m: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (m != 0).then(|| {
            let l = m.trailing_zeros() as usize;
            m &= m - 1;
            l
        })
    })
}
