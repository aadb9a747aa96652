//! Loads, stores, atomics and constant loads.
//!
//! Each lane's access is checked on its own: defined address, natural alignment, bounds of the allocation, order with
//! other threads' accesses. Accesses happen at issue, in lane order; hazards on the registers are the tracker's.

use super::block::{Block, Exec, Global, Trouble};
use super::uop::{Access, Addr, AtomOp, AtomType, Kind, MemSpace, Uop};
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::float::{self, Mode};
use crate::launch::Check;
use crate::mem::{Actor, AllocId, Space, generic};

/// Where one lane's access goes.
enum Target {
    Global(AllocId, usize),
    Shared(usize),
    Local(usize, usize),
}

impl Warp {
    fn address(&self, a: &Addr, lane: usize) -> Exec<u64> {
        let base = if a.base == 255 {
            0
        } else {
            let undef = if a.wide { self.reg_undef(a.base | 1, lane) } else { 0 };
            if self.reg_undef(a.base, lane) | undef != 0 {
                return Err(Trouble::new(lane, FailureKind::UndefinedAddress));
            }
            let lo = u64::from(self.reg(a.base)[lane]) << a.scale;
            if a.wide { u64::from(self.reg(a.base | 1)[lane]) << 32 | lo } else { lo }
        };
        let mut uniform = 0;
        if a.ubase != 63 {
            let hi = (a.ubase | 1) & 63;
            let undef = self.ureg_undef[a.ubase as usize] | if a.uwide { self.ureg_undef[hi as usize] } else { 0 };
            if undef != 0 {
                return Err(Trouble::new(lane, FailureKind::UndefinedAddress));
            }
            uniform = u64::from(self.uregs[a.ubase as usize]);
            if a.uwide {
                uniform |= u64::from(self.uregs[hi as usize]) << 32;
            }
        }
        let sum = base.wrapping_add(uniform).wrapping_add(a.offset as i64 as u64);
        Ok(if a.wide || a.uwide { sum } else { sum & 0xffff_ffff })
    }

    /// Loads, stores and atomics in the lanes of `m`. `Ok(false)`: not one of them.
    pub fn exec_mem(&mut self, u: &Uop, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
        match u.kind {
            Kind::Load(a) => self.load(u, m, &a, blk, g)?,
            Kind::Store(a) => self.store(u, m, &a, blk, g)?,
            Kind::Atom { access, op, ty, vec, returns } => self.atom(u, m, (&access, op, ty, vec, returns), blk, g)?,
            Kind::Ldc { size, signed, bank } => self.ldc(u, m, (size, signed, bank), g)?,
            Kind::Uldc { size } => {
                for i in 0..size / 4 {
                    self.put_ureg(u.d + i, (u.s[0].imm >> (32 * i)) as u32, 0);
                }
            }
            Kind::UldcAt { size, signed, bank } => {
                let l = m.trailing_zeros() as usize & 31;
                if self.src_undef(&u.s[0], l) != 0 {
                    return Err(Trouble::new(l, FailureKind::UndefinedAddress));
                }
                let offset = i64::from(u.s[1].imm as u32 as i32) + i64::from(self.fetch(&u.s[0])[l] as i32);
                let v = constant(g, bank, offset, size).map_err(|kind| Trouble::new(l, kind))?;
                let v = extended(v, size, signed);
                for i in 0..size.div_ceil(4) {
                    self.put_ureg(u.d + i, (v >> (32 * i)) as u32, 0);
                }
            }
            Kind::Fence { gpu } => {
                // A fence of the block orders the block only, which barriers do here already.
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
                    let is = matches!(
                        (generic(addr).0, space),
                        (Space::Shared, MemSpace::Shared)
                            | (Space::Local, MemSpace::Local)
                            | (Space::Global, MemSpace::Global)
                    );
                    v |= u32::from(is) << l;
                    self.put_lane(u.d, l, u32::from(is));
                }
                self.put_pred(u.pd, m, v, 0);
            }
            Kind::CacheHint => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what one lane's access is, taken apart: it is called once a lane")]
    fn locate(
        &self,
        a: &Access,
        addr: u64,
        size: usize,
        lane: usize,
        what: &'static str,
        blk: &Block,
        g: &Global<'_>,
    ) -> Exec<Target> {
        let (space, off) = match a.space {
            MemSpace::Global => (Space::Global, addr),
            MemSpace::Shared => (Space::Shared, addr),
            MemSpace::Local => (Space::Local, addr),
            MemSpace::Generic => generic(addr),
        };
        if addr & (size as u64 - 1) != 0 {
            let kind = FailureKind::Misaligned { access: what, space, addr, size: size as u32 };
            return Err(Trouble::new(lane, kind));
        }
        let found = match space {
            Space::Global => g.mem.find(off, size).map(|(id, off)| Target::Global(id, off)),
            Space::Shared => (off >= u64::from(g.shared_base) && blk.shared.contains(off, size))
                .then_some(Target::Shared(off as usize)),
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
                Space::Shared => format!(", the block has {:#x} to {:#x}", g.shared_base, blk.shared.len()),
                Space::Local => {
                    let size = blk.local.first().map_or(0, |s| s.len());
                    format!(", the thread has {:#x} to {:#x}", blk.local_low, blk.local_low as usize + size)
                }
            };
            Trouble::new(lane, FailureKind::OutOfBounds { access: what, space, addr, size: size as u32, near })
        })
    }

    fn actor(&self, lane: usize, strong: bool, pc: u32, blk: &Block, g: &Global<'_>) -> Actor {
        Actor {
            thread: blk.index << 10 | self.index << 5 | lane as u32,
            now: g.now,
            block_sync: self.block_sync,
            warp_sync: self.warp_sync(g.now),
            acquired: self.acquired,
            place: pc,
            strong,
        }
    }

    /// Notes an access for race checking.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the facts of one access")]
    fn note(
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
        if g.races == Check::Off {
            return Ok(());
        }
        let (conflict, space) = match *t {
            Target::Global(id, off) => (g.mem.alloc_mut(id).seg.note(off, size, actor, write), Space::Global),
            Target::Shared(off) => (blk.shared.note(off, size, actor, write), Space::Shared),
            Target::Local(..) => return Ok(()),
        };
        let Some(c) = conflict else { return Ok(()) };
        let lane = (actor.thread & 31) as usize;
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
                c.earlier.place()
            ),
            near: if space == Space::Global { g.mem.describe(addr) } else { String::new() },
        };
        if g.races == Check::Warn {
            if g.warnings.len() < 100 {
                g.warnings.push(kind.to_string());
            }
            return Ok(());
        }
        Err(Trouble::new(lane, kind))
    }

    fn load(&mut self, u: &Uop, m: u32, a: &Access, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let size = usize::from(a.size);
        let pc = self.splits[self.cur].pc;
        if !a.strong && g.races == Check::Off && a.space != MemSpace::Generic && self.load_plain(u, m, a, blk, g) {
            return Ok(());
        }
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            let t = self.locate(a, addr, size, l, "read", blk, g)?;
            let actor = self.actor(l, a.strong, pc, blk, g);
            self.note(&t, size, false, "read", &actor, addr, blk, g)?;
            if a.strong {
                self.acquire(&t, addr, blk.index, g);
            }
            let seg = match t {
                Target::Global(id, _) => {
                    g.stats.global_read += size as u64;
                    &g.mem.alloc(id).seg
                }
                Target::Shared(_) => &blk.shared,
                Target::Local(thread, _) => &blk.local[thread],
            };
            let (Target::Global(_, off) | Target::Shared(off) | Target::Local(_, off)) = t;
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

    /// Loads of whole words from one allocation, defined and in bounds in all lanes: the common case without the
    /// questions asked lane by lane. False: nothing was done, take the long way.
    fn load_plain(&mut self, u: &Uop, m: u32, a: &Access, blk: &Block, g: &mut Global<'_>) -> bool {
        let size = usize::from(a.size);
        let hi = a.addr.base | 1;
        let undef = |n: u8| n != 255 && self.src_undef_lanes(&super::uop::Src::reg(n)) & m != 0;
        if size < 4 || m == 0 || u.d == 255 || undef(a.addr.base) || a.addr.wide && undef(hi) {
            return false;
        }
        let mut at = [0u64; 32];
        for l in lanes(m) {
            match self.address(&a.addr, l) {
                Ok(v) if v & (size as u64 - 1) == 0 => at[l] = v,
                _ => return false,
            }
        }
        let first = at[m.trailing_zeros() as usize];
        let (seg, base) = match a.space {
            MemSpace::Global => match g.mem.find(first, size) {
                Some((id, off)) => (&g.mem.alloc(id).seg, first - off as u64),
                None => return false,
            },
            MemSpace::Shared if first >= u64::from(g.shared_base) => (&blk.shared, 0),
            _ => return false,
        };
        let low = if a.space == MemSpace::Shared { u64::from(g.shared_base) } else { base };
        if !lanes(m).all(|l| at[l] >= low && seg.contains(at[l] - base, size)) {
            return false;
        }
        for l in lanes(m) {
            let off = (at[l] - base) as usize;
            for i in 0..size / 4 {
                let (v, t) = seg.load32(off + 4 * i);
                self.put_lane(u.d + i as u8, l, v);
                self.taint(u.d + i as u8, l, t);
            }
        }
        if a.space == MemSpace::Global {
            g.stats.global_read += size as u64 * u64::from(m.count_ones());
        }
        true
    }

    /// A data operand of up to 16 bytes: source `i` and the registers behind it.
    fn data(&self, u: &Uop, i: usize, size: usize, lane: usize) -> (u128, u128) {
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
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            let t = self.locate(a, addr, size, l, "write", blk, g)?;
            self.check_writable(&t, addr, size, l, g)?;
            let actor = self.actor(l, a.strong, pc, blk, g);
            self.note(&t, size, true, "write", &actor, addr, blk, g)?;
            if a.strong {
                self.release(&t, addr, false, blk.index, g);
            }
            let (v, undef) = self.data(u, 1, size, l);
            let seg = match t {
                Target::Global(id, _) => {
                    g.stats.global_written += size as u64;
                    &mut g.mem.alloc_mut(id).seg
                }
                Target::Shared(_) => &mut blk.shared,
                Target::Local(thread, _) => &mut blk.local[thread],
            };
            let (Target::Global(_, off) | Target::Shared(off) | Target::Local(_, off)) = t;
            if size == 4 {
                seg.store32(off, v as u32, undef as u32);
            } else {
                seg.store(off, size, v, undef);
            }
        }
        Ok(())
    }

    fn check_writable(&self, t: &Target, addr: u64, size: usize, lane: usize, g: &Global<'_>) -> Exec {
        let Target::Global(id, _) = *t else { return Ok(()) };
        let alloc = g.mem.alloc(id);
        if alloc.writable {
            return Ok(());
        }
        Err(Trouble::new(lane, FailureKind::ReadOnly { name: alloc.name.clone(), addr, size: size as u32 }))
    }

    fn atom(
        &mut self,
        u: &Uop,
        m: u32,
        (a, op, ty, vec, returns): (&Access, AtomOp, AtomType, u8, bool),
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let size = usize::from(a.size);
        let total = size * usize::from(vec);
        let pc = self.splits[self.cur].pc;
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            let t = self.locate(a, addr, total, l, "atomic", blk, g)?;
            if u.pd != 7 && !Self::has_atomic(&t, ty) {
                self.put_pred(u.pd, 1 << l, 0, 0);
                continue;
            }
            self.check_writable(&t, addr, total, l, g)?;
            let actor = self.actor(l, true, pc, blk, g);
            self.note(&t, total, true, "atomic", &actor, addr, blk, g)?;
            self.acquire(&t, addr, blk.index, g);
            self.release(&t, addr, true, blk.index, g);
            let (b, tb) = self.data(u, 1, total, l);
            let (c, tc) = self.data(u, 2, total, l);
            let seg = match t {
                Target::Global(id, _) => {
                    g.stats.global_read += total as u64;
                    g.stats.global_written += total as u64;
                    &mut g.mem.alloc_mut(id).seg
                }
                Target::Shared(_) => &mut blk.shared,
                Target::Local(thread, _) => &mut blk.local[thread],
            };
            let (Target::Global(_, off) | Target::Shared(off) | Target::Local(_, off)) = t;
            let mut done = true;
            for i in 0..usize::from(vec) {
                let at = off + i * size;
                let (old, told) = seg.load(at, size);
                let mask = if size == 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
                let pick = |v: u128| v >> (8 * size * i) & mask;
                let (b, c, undef) = (pick(b), pick(c), told | pick(tb) | pick(tc));
                let (new, undef) = match op {
                    AtomOp::Cas | AtomOp::Cast => {
                        done = old == b;
                        (if done { c } else { old }, if done { pick(tc) } else { told })
                    }
                    AtomOp::Exch => (b, pick(tb)),
                    _ => (update(op, ty, old, b), if undef != 0 { mask } else { 0 }),
                };
                if matches!(op, AtomOp::Cas | AtomOp::Cast) && (told | pick(tb)) & mask != 0 {
                    return Err(Trouble::new(
                        l,
                        FailureKind::UndefinedOperand("the comparison of an atomic operation"),
                    ));
                }
                seg.store(at, size, new & mask, undef & mask);
                if returns && u.d != 255 {
                    let (v, t) = if op == AtomOp::Cast { (u128::from(done), 0) } else { (old, told) };
                    for j in 0..size.div_ceil(4) {
                        let d = u.d + (i * size / 4 + j) as u8;
                        self.put_lane(d, l, (v >> (32 * j)) as u32);
                        self.taint(d, l, (t >> (32 * j)) as u32);
                    }
                }
            }
            self.put_pred(u.pd, 1 << l, !0, 0);
        }
        Ok(())
    }

    /// Whether the hardware has an atomic operation at this place. Where the instruction has a predicate result, ptxas
    /// 13.0.88 falls back on a loop or plain accesses without it: floats in shared memory, anything in local memory.
    fn has_atomic(t: &Target, ty: AtomType) -> bool {
        match t {
            Target::Global(..) => true,
            Target::Shared(_) => !matches!(ty, AtomType::F(..)),
            Target::Local(..) => false,
        }
    }

    fn key(t: &Target, addr: u64, block: u32) -> Option<(u32, u64)> {
        match t {
            Target::Global(..) => Some((0, addr >> 2)),
            Target::Shared(off) => Some((block + 1, *off as u64 >> 2)),
            Target::Local(..) => None,
        }
    }

    fn acquire(&mut self, t: &Target, addr: u64, block: u32, g: &Global<'_>) {
        if let Some(&time) = Self::key(t, addr, block).and_then(|k| g.releases.get(&k)) {
            self.acquired = self.acquired.max(time);
        }
    }

    /// A strong write makes what its thread had fenced visible to whoever reads it; an atomic operation continues the
    /// release it read from.
    fn release(&self, t: &Target, addr: u64, rmw: bool, block: u32, g: &mut Global<'_>) {
        if let Some(k) = Self::key(t, addr, block) {
            let time = g.releases.entry(k).or_insert(0);
            *time = if rmw { self.fence.max(*time) } else { self.fence };
        }
    }

    fn ldc(&mut self, u: &Uop, m: u32, (size, signed, bank): (u8, bool, u8), g: &Global<'_>) -> Exec {
        let index = self.fetch(&u.s[0]);
        let bad = self.src_undef_lanes(&u.s[0]) & m;
        if bad != 0 {
            return Err(Trouble::new(bad.trailing_zeros() as usize, FailureKind::UndefinedAddress));
        }
        let base = i64::from(u.s[1].imm as u32 as i32);
        for l in lanes(m) {
            let offset = base + i64::from(index[l] as i32);
            let v = constant(g, bank, offset, size).map_err(|kind| Trouble::new(l, kind))?;
            let v = extended(v, size, signed);
            self.put_lane(u.d, l, v as u32);
            if size == 8 && u.d != 255 {
                self.put_lane(u.d + 1, l, (v >> 32) as u32);
            }
        }
        Ok(())
    }
}

/// `size` bytes of a constant bank, aligned as their size asks for.
fn constant(g: &Global<'_>, bank: u8, offset: i64, size: u8) -> Result<u64, FailureKind> {
    let bytes = g.banks.get(usize::from(bank)).map_or(&[][..], |b| b);
    let range = usize::try_from(offset).ok().and_then(|o| bytes.get(o..o + usize::from(size)));
    let Some(range) = range else {
        return Err(FailureKind::ConstantBank { bank: bank.into(), offset, size: bytes.len() as u32 });
    };
    if offset & i64::from(size - 1) != 0 {
        let (space, addr) = (Space::Global, offset as u64);
        return Err(FailureKind::Misaligned { access: "read", space, addr, size: size.into() });
    }
    Ok(range.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b)))
}

/// The low `size` bytes of a value, extended to 64 bits by sign or with zeros.
pub fn extended(v: u64, size: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(size.min(8));
    if signed { ((v << shift) as i64 >> shift) as u64 } else { v << shift >> shift }
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

/// The new value of an atomic read-modify-write (PTX ISA 9.0, `atom`).
fn update(op: AtomOp, ty: AtomType, old: u128, b: u128) -> u128 {
    match ty {
        AtomType::F(format, lanes, ftz) => {
            let w = format.bits();
            let mask = (1u128 << w) - 1;
            (0..u32::from(lanes)).fold(0, |r, i| {
                let (x, y) = ((old >> (w * i) & mask) as u64, (b >> (w * i) & mask) as u64);
                let mode = Mode { ftz, ..Mode::RN };
                let v = match op {
                    AtomOp::Min | AtomOp::Max => {
                        let how = float::MinMax { max: op == AtomOp::Max, ftz, ..float::MinMax::default() };
                        float::min_max(format, x, y, how)
                    }
                    _ => float::add(format, x, y, mode),
                };
                r | u128::from(v) << (w * i)
            })
        }
        AtomType::U(n) | AtomType::S(n) => {
            let signed = matches!(ty, AtomType::S(_));
            let shift = 64 - 8 * u32::from(n.min(8));
            let (x, y) = (old as u64, b as u64);
            let less = if signed { ((x << shift) as i64) < ((y << shift) as i64) } else { x < y };
            u128::from(match op {
                AtomOp::Add => x.wrapping_add(y),
                AtomOp::Min => {
                    if less {
                        x
                    } else {
                        y
                    }
                }
                AtomOp::Max => {
                    if less {
                        y
                    } else {
                        x
                    }
                }
                AtomOp::Inc => {
                    if x >= y {
                        0
                    } else {
                        x + 1
                    }
                }
                AtomOp::Dec => {
                    if x == 0 || x > y {
                        y
                    } else {
                        x - 1
                    }
                }
                AtomOp::And => x & y,
                AtomOp::Or => x | y,
                AtomOp::Xor => x ^ y,
                AtomOp::Exch | AtomOp::Cas | AtomOp::Cast => y,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomic_updates() {
        let u = AtomType::U(4);
        assert_eq!(update(AtomOp::Inc, u, 5, 5), 0);
        assert_eq!(update(AtomOp::Inc, u, 4, 5), 5);
        assert_eq!(update(AtomOp::Dec, u, 0, 7), 7);
        assert_eq!(update(AtomOp::Dec, u, 9, 7), 7);
        assert_eq!(update(AtomOp::Min, AtomType::S(4), 0xffff_ffff, 3), 0xffff_ffff);
        assert_eq!(update(AtomOp::Min, u, 0xffff_ffff, 3), 3);
        assert_eq!(update(AtomOp::Max, AtomType::S(8), u128::from(u64::MAX), 3), 3);
        let half = AtomType::F(&float::F16, 2, false);
        assert_eq!(update(AtomOp::Add, half, 0x3c00_4000, 0x3c00_3c00), 0x4000_4200);
    }
}
