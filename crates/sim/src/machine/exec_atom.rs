//! Atomic operations, and the ordering of strong accesses.
//!
//! Lanes act one after another, lowest first: hardware may use any order, so a result that depends
//! on it differs from the reference for some seed or launch. Facts: PTX ISA 9.0, `atom`, `red`;
//! ptxas 13.0.88 output for the forms.

use super::block::{Block, Exec, Global, Release};
use super::exec_mem::Target;
use super::uop::{Access, AtomOp, AtomType, Uop};
use super::warp::Warp;
use crate::float::{self, Mode};
use crate::launch::OnFinding;

impl Warp {
    /// Runs an atomic operation in the lanes of `m`, one after another.
    pub fn atom(
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
        let mut unwritten = false;
        for (l, addr) in self.atomic_places(a, total, (m, returns), g)? {
            let t = self.locate(a, addr, total, l, "atomic", blk, g)?;
            if u.pd != 7 && !Self::has_atomic(&t, ty) {
                self.put_pred(u.pd, 1 << l, 0, 0);
                continue;
            }
            self.check_writable(&t, addr, total, l, g)?;
            let actor = self.actor(l, true, pc, blk, g);
            self.note(&t, total, true, "atomic", &actor, addr, blk, g)?;
            self.acquire(&t, addr, blk, g);
            self.release(&t, addr, true, blk, g);
            let (b, tb) = self.data(u, 1, total, l);
            let (c, tc) = self.data(u, 2, total, l);
            if matches!(t, Target::Global(..)) {
                g.stats.global_read += total as u64;
                g.stats.global_written += total as u64;
            }
            let (seg, off) = (t.segment(blk, g), t.offset());
            let (mut done, mut open) = (true, false);
            for i in 0..usize::from(vec) {
                let at = off + i * size;
                let (old, told) = seg.load(at, size);
                let mask = if size == 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
                let pick = |v: u128| v >> (8 * size * i) & mask;
                unwritten |= told & mask == mask && op != AtomOp::Exch;
                let (b, c, undef) = (pick(b), pick(c), told | pick(tb) | pick(tc));
                let (new, undef) = match op {
                    AtomOp::Cas | AtomOp::Cast => {
                        let unknown = (told | pick(tb)) & mask;
                        done = (old ^ b) & !unknown & mask == 0;
                        open = done && unknown != 0;
                        match (done, open) {
                            (false, _) => (old, told),
                            (true, false) => (c, pick(tc)),
                            // Memory that was never written: it is unknown whether it is exchanged,
                            // so its value afterwards and the old value are undefined. The
                            // interpreter does the same.
                            (true, true) => (c, mask),
                        }
                    }
                    AtomOp::Exch => (b, pick(tb)),
                    _ => (update(op, ty, old, b), if undef != 0 { mask } else { 0 }),
                };
                seg.store(at, size, new & mask, undef & mask);
                if returns && u.d != 255 {
                    let (v, t) = match (op, open) {
                        (AtomOp::Cast, _) => (u128::from(done), if open { u128::MAX } else { 0 }),
                        _ => (old, told),
                    };
                    for j in 0..size.div_ceil(4) {
                        let d = u.d + (i * size / 4 + j) as u8;
                        self.put_lane(d, l, (v >> (32 * j)) as u32);
                        self.taint(d, l, (t >> (32 * j)) as u32);
                    }
                }
            }
            self.put_pred(u.pd, 1 << l, !0, 0);
        }
        if unwritten && !g.unwritten.contains(&pc) {
            g.unwritten.push(pc);
        }
        Ok(())
    }

    /// Whether the hardware has an atomic operation for this type and place. If the instruction has
    /// a predicate result, ptxas 13.0.88 falls back to a loop or plain accesses without it: floats
    /// in shared memory, anything in local memory.
    fn has_atomic(t: &Target, ty: AtomType) -> bool {
        match t {
            Target::Global(..) => true,
            Target::Shared(_) | Target::Remote(..) => !matches!(ty, AtomType::F(..)),
            Target::Local(..) => false,
        }
    }

    fn key(t: &Target, addr: u64, blk: &Block) -> Option<(u32, u64)> {
        match *t {
            Target::Global(..) => Some((0, addr >> 2)),
            Target::Shared(off) => Some((blk.index + 1, off as u64 >> 2)),
            Target::Remote(rank, off) => Some((blk.cluster.blocks[rank].index + 1, off as u64 >> 2)),
            Target::Local(..) => None,
        }
    }

    /// Applies the ordering effects of a strong read.
    pub fn acquire(&mut self, t: &Target, addr: u64, blk: &Block, g: &Global<'_>) {
        if g.races == OnFinding::Off {
            return;
        }
        if let Some(release) = Self::key(t, addr, blk).and_then(|k| g.releases.get(&k)) {
            self.acquired = self.acquired.max(release.all);
            if release.block == blk.index {
                self.block_acquired = self.block_acquired.max(release.inside);
            }
        }
    }

    /// Applies the ordering effects of a strong write, which makes its thread's fenced accesses
    /// visible to readers; an atomic operation continues the release it read from.
    pub fn release(&self, t: &Target, addr: u64, rmw: bool, blk: &Block, g: &mut Global<'_>) {
        if g.races == OnFinding::Off {
            return;
        }
        let block = blk.index;
        if let Some(k) = Self::key(t, addr, blk) {
            let own = Release { all: self.fence, block, inside: self.block_fence };
            let release = g.releases.entry(k).or_insert(own);
            let old = if rmw { *release } else { own };
            let inside = if old.block == block { old.inside.max(own.inside) } else { own.inside };
            *release = Release { all: own.all.max(old.all), block, inside };
        }
    }
}

/// The new value of an atomic read-modify-write (PTX ISA 9.0, `atom`).
pub fn update(op: AtomOp, ty: AtomType, old: u128, b: u128) -> u128 {
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
