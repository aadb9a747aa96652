//! Multicast memory: stores and reductions reach every replica, `LDGMC` combines them.
//!
//! `multimem.st` and `multimem.red` have no instructions of their own: they are `STG` and `REDG`,
//! and the address tells ("ptxas 13.0.88 output").

use super::block::{Block, Exec, Global};
use super::exec_atom::update;
use super::exec_mem::lanes;
use super::uop::{Access, AtomOp, AtomType, Uop};
use super::warp::Warp;
use crate::float::{F32, Mode, add, to_float};
use smallvec::SmallVec;

/// Lanes and the addresses they access.
type Places = SmallVec<[(usize, u64); 32]>;

impl Warp {
    /// Lane and address of each access of the lanes of `m`: one of each replica, if the address is
    /// one of multicast memory.
    pub fn places(&self, a: &Access, size: usize, m: u32, g: &Global<'_>) -> Exec<Places> {
        let mut places = Places::new();
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            if g.multicast {
                places.extend(g.mem.replicas(addr, size).into_iter().map(|addr| (l, addr)));
            } else {
                places.push((l, addr));
            }
        }
        Ok(places)
    }

    /// The same for an atomic operation: one with a result accesses no multicast memory.
    pub fn atomic_places(&self, a: &Access, size: usize, (m, returns): (u32, bool), g: &Global<'_>) -> Exec<Places> {
        if !returns {
            return self.places(a, size, m, g);
        }
        lanes(m).map(|l| Ok((l, self.address(&a.addr, l)?))).collect()
    }

    /// Runs `LDGMC`.
    pub fn load_reduce(
        &mut self,
        u: &Uop,
        m: u32,
        (a, op, ty, vec, wide): (&Access, AtomOp, AtomType, u8, bool),
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let size = usize::from(a.size);
        let total = size * usize::from(vec);
        let pc = self.splits[self.cur].pc;
        for l in lanes(m) {
            let addr = self.address(&a.addr, l)?;
            let mut replicas: SmallVec<[(u128, u128); 4]> = SmallVec::new();
            for addr in g.mem.replicas(addr, total) {
                let t = self.locate(a, addr, total, l, "read", blk, g)?;
                let actor = self.actor(l, true, pc, blk, g);
                self.note(&t, total, false, "read", &actor, addr, blk, g)?;
                self.acquire(&t, addr, blk, g);
                g.stats.global_read += total as u64;
                let (seg, off) = (t.segment(blk, g), t.offset());
                replicas.push(seg.load(off, total));
            }
            if u.d == 255 {
                continue;
            }
            for i in 0..usize::from(vec) {
                let mask = u128::MAX >> (128 - 8 * size);
                let part = |v: u128| v >> (8 * size * i) & mask;
                let values: SmallVec<[u128; 4]> = replicas.iter().map(|r| part(r.0)).collect();
                let undef = replicas.iter().any(|r| part(r.1) != 0);
                let v = combine(op, ty, wide, &values);
                for j in 0..size / 4 {
                    let d = u.d + (i * size / 4 + j) as u8;
                    self.put_lane(d, l, (v >> (32 * j)) as u32);
                    self.taint(d, l, if undef { u32::MAX } else { 0 });
                }
            }
        }
        Ok(())
    }
}

/// Combines the values of an element, in the order of the devices.
fn combine(op: AtomOp, ty: AtomType, wide: bool, values: &[u128]) -> u128 {
    let (AtomType::F(format, lanes, _), true) = (ty, wide) else {
        return values[1..].iter().fold(values[0], |x, &y| update(op, ty, x, y));
    };
    let w = format.bits();
    (0..u32::from(lanes)).fold(0, |out, n| {
        let single = |v: &u128| to_float(format, &F32, (v >> (w * n)) as u64 & ((1 << w) - 1), Mode::RN, false);
        let sum = values[1..].iter().fold(single(&values[0]), |x, y| add(&F32, x, single(y), Mode::RN));
        out | u128::from(to_float(&F32, format, sum, Mode::RN, false)) << (w * n)
    })
}
