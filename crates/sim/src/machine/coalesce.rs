//! Loads and stores of a whole warp at once.
//!
//! Problem: checking each lane's access is most of the cost of a load. Strategy: nearly always all
//! lanes access one allocation (or shared memory), aligned and in bounds, with defined addresses:
//! that is checked for all of them together, then values are moved as arrays. Everything else takes
//! the slow path, lane by lane ([`super::exec_mem`]), which also reports failures.

use super::block::{Block, Exec, Global};
use super::exec_mem::{lanes, race};
use super::object::RANK_SHIFT;
use super::uop::{Access, Addr, From, MemSpace, Src, Uop};
use super::warp::{Lanes, Warp, each};
use crate::launch::OnFinding;
use crate::mem::{AllocId, Segment, Space, generic};

/// One segment and an offset per lane; inactive lanes have that of the first active one.
struct Together {
    /// Global memory, else shared.
    global: Option<AllocId>,
    /// Address of the segment's first byte.
    base: u64,
    off: Lanes,
    /// Whether all lanes are active and adjacent.
    row: bool,
}

impl Together {
    fn segment<'a>(&self, blk: &'a Block, g: &'a Global<'_>) -> &'a Segment {
        match self.global {
            Some(id) => &g.mem.alloc(id).seg,
            None => &blk.shared,
        }
    }

    fn segment_mut<'a>(&self, blk: &'a mut Block, g: &'a mut Global<'_>) -> &'a mut Segment {
        match self.global {
            Some(id) => &mut g.mem.alloc_mut(id).seg,
            None => &mut blk.shared,
        }
    }
}

impl Warp {
    /// Returns the addresses of all lanes; `None` if one of `m` is undefined.
    fn addresses(&self, a: &Addr, m: u32) -> Option<[u64; 32]> {
        let undef = |n: u8| self.src_undef_lanes(&Src::reg(n)) & m;
        if undef(a.base) != 0 || a.wide && undef(a.base | 1) != 0 {
            return None;
        }
        let mut add = i64::from(a.offset) as u64;
        if a.ubase != 63 {
            let s = Src { from: From::UReg(a.ubase), ..Src::default() };
            if (if a.uwide { self.src64_undef_lanes(&s) } else { self.src_undef_lanes(&s) }) != 0 {
                return None;
            }
            let value = self.fetch64(&s, 0);
            add = add.wrapping_add(if a.uwide { value } else { value & 0xffff_ffff });
        }
        let lo = self.reg(a.base);
        if a.wide {
            let hi = self.reg(a.base | 1);
            return Some(each(|l| (u64::from(hi[l]) << 32 | u64::from(lo[l]) << a.scale).wrapping_add(add)));
        }
        let mask = if a.uwide { u64::MAX } else { 0xffff_ffff };
        Some(each(|l| (u64::from(lo[l]) << a.scale).wrapping_add(add) & mask))
    }

    /// [`Warp::together`] for all lanes adjacent in global memory, the first one lowest: only the
    /// ends are checked. Returns `None` otherwise, or if that is not easily decided.
    fn side_by_side(&self, a: &Access, m: u32, g: &Global<'_>) -> Option<Together> {
        let size = u32::from(a.size);
        let plain = a.space == MemSpace::Global && a.addr.wide && a.addr.scale == 0 && a.addr.base != 255;
        if m != !0 || !plain || self.src64_undef_lanes(&Src::reg(a.addr.base)) != 0 {
            return None;
        }
        let (lo, hi) = (self.reg(a.addr.base), self.reg(a.addr.base | 1));
        let mut wrong = 0;
        for l in 0..32 {
            wrong |= lo[l] ^ lo[0].wrapping_add(l as u32 * size) | hi[l] ^ hi[0];
        }
        lo[0].checked_add(31 * size).filter(|_| wrong == 0)?;
        let first = self.addresses(&a.addr, 1)?[0];
        let (id, off) = g.mem.find(first, 32 * size as usize)?;
        let off = u32::try_from(off).ok().filter(|off| off % size == 0 && off.checked_add(32 * size).is_some())?;
        Some(Together {
            global: Some(id),
            base: first - u64::from(off),
            off: each(|l| off + l as u32 * size),
            row: true,
        })
    }

    /// Finds the one segment that all lanes of `m` access; returns `None` if there is none, or if a
    /// lane's access is invalid.
    fn together(&self, a: &Access, m: u32, blk: &Block, g: &Global<'_>) -> Option<Together> {
        let size = usize::from(a.size);
        if let Some(t) = self.side_by_side(a, m, g) {
            return Some(t);
        }
        let mut at = self.addresses(&a.addr, m)?;
        let first = at[m.trailing_zeros() as usize & 31];
        let (space, within) = match a.space {
            MemSpace::Global => (Space::Global, first),
            MemSpace::Shared => (Space::Shared, first),
            MemSpace::Local | MemSpace::Cluster => return None,
            MemSpace::Generic => generic(first),
        };
        let (global, base, low) = match space {
            Space::Global => {
                let (id, off) = g.mem.find(within, size)?;
                (Some(id), first - off as u64, 0)
            }
            Space::Shared => {
                if within >> RANK_SHIFT != blk.rank as u64 {
                    return None;
                }
                (None, first - (within & ((1 << RANK_SHIFT) - 1)), u64::from(g.shared_base))
            }
            Space::Local => return None,
        };
        if m != !0 {
            at = each(|l| if m & 1 << l != 0 { at[l] } else { first });
        }
        let len = match global {
            Some(id) => g.mem.alloc(id).seg.len(),
            None => blk.shared.len(),
        } as u64;
        let last = len.checked_sub(size as u64)?;
        let (mut bits, mut outside) = (0, false);
        for a in at {
            let off = a.wrapping_sub(base);
            bits |= off;
            outside |= off < low || off > last;
        }
        let whole = !outside && bits & (size as u64 - 1) == 0 && last <= u64::from(u32::MAX);
        whole.then(|| Together { global, base, off: each(|l| at[l].wrapping_sub(base) as u32), row: false })
    }

    /// Whether a lane's store to shared memory repeats what is there: `STS` is also what
    /// `st.relaxed` becomes, and two such stores are no race.
    fn repeats(&self, t: &Together, lane: usize, size: usize, values: Option<u8>, blk: &Block) -> bool {
        let Some(first) = values else { return false };
        let value = (0..size.div_ceil(4)).fold(0, |v, i| v | u128::from(self.reg(first + i as u8)[lane]) << (32 * i));
        blk.shared.load(t.off[lane] as usize, size) == (value & u128::MAX >> (128 - 8 * size), 0)
    }

    /// Records the accesses of all lanes for race checking; `values` is the first register of what
    /// they store.
    fn note_together(
        &self,
        t: &Together,
        m: u32,
        a: &Access,
        values: Option<u8>,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let (write, what) = (values.is_some(), if values.is_some() { "write" } else { "read" });
        if g.races == OnFinding::Off {
            return Ok(());
        }
        let size = usize::from(a.size);
        let mut actor = self.actor(0, a.strong, self.splits[self.cur].pc, blk, g);
        let first = actor.thread;
        for l in lanes(m) {
            actor.thread = first | l as u32;
            let conflict = t.segment_mut(blk, g).note(t.off[l] as usize, size, &actor, write);
            if let Some(c) = conflict {
                if write && c.was_write && t.global.is_none() && self.repeats(t, l, size, values, blk) {
                    continue;
                }
                let space = if t.global.is_some() { Space::Global } else { Space::Shared };
                race(c, (space, t.base + u64::from(t.off[l])), what, l, g)?;
            }
        }
        Ok(())
    }

    /// Loads from one segment for all lanes. Returns false, without a change, for the slow path.
    pub fn load_together(&mut self, u: &Uop, m: u32, a: &Access, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
        let size = usize::from(a.size);
        if u.d == 255 || a.strong && g.races != OnFinding::Off || blk.cluster.watched || !g.regions.is_empty() {
            return Ok(false);
        }
        let Some(t) = self.together(a, m, blk, g) else { return Ok(false) };
        self.note_together(&t, m, a, None, blk, g)?;
        let seg = t.segment(blk, g);
        for i in 0..size.div_ceil(4) {
            let (mut v, mut undef) = seg.gather(&t.off, size, 4 * i);
            if a.signed && size < 4 {
                let shift = 32 - 8 * size as u32;
                let extend = |v: Lanes| each(|l| ((v[l] << shift) as i32 >> shift) as u32);
                (v, undef) = (extend(v), undef.map(extend));
            }
            self.put(u.d + i as u8, m, &v);
            if let Some(undef) = undef {
                for l in lanes(m) {
                    self.taint(u.d + i as u8, l, undef[l]);
                }
            }
        }
        if t.global.is_some() {
            g.stats.global_read += size as u64 * u64::from(m.count_ones());
        }
        Ok(true)
    }

    /// Stores defined values to one segment for all lanes. Returns false, without a change, for the
    /// slow path.
    pub fn store_together(&mut self, u: &Uop, m: u32, a: &Access, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
        let size = usize::from(a.size);
        if a.strong && g.races != OnFinding::Off || blk.cluster.watched || !g.regions.is_empty() || g.multicast {
            return Ok(false);
        }
        let words = size.div_ceil(4);
        let From::Reg(n) = u.s[1].from else { return Ok(false) };
        let undef = |i: usize| n != 255 && self.src_undef_lanes(&Src::reg(n + i as u8)) & m != 0;
        if n == 255 || (0..words).any(undef) {
            return Ok(false);
        }
        let Some(t) = self.together(a, m, blk, g) else { return Ok(false) };
        if t.global.is_some_and(|id| !g.mem.alloc(id).writable) {
            return Ok(false);
        }
        if g.races != OnFinding::Off && t.global.is_none() && overlap(&t.off, m) {
            return Ok(false);
        }
        self.note_together(&t, m, a, Some(n), blk, g)?;
        match (t.row, words) {
            (true, 1) if size == 4 => t.segment_mut(blk, g).put_row(t.off[0] as usize, [self.reg(n)]),
            (true, 2) => t.segment_mut(blk, g).put_row(t.off[0] as usize, [self.reg(n), self.reg(n + 1)]),
            _ => {
                for i in 0..words {
                    t.segment_mut(blk, g).scatter(&t.off, m, size, 4 * i, self.reg(n + i as u8));
                }
            }
        }
        if t.global.is_some() {
            g.stats.global_written += size as u64 * u64::from(m.count_ones());
        }
        Ok(true)
    }
}

/// Whether two lanes of `m` have the same offset.
fn overlap(off: &Lanes, m: u32) -> bool {
    let mut at: Vec<u32> = lanes(m).map(|l| off[l]).collect();
    at.sort_unstable();
    at.windows(2).any(|pair| pair[0] == pair[1])
}
