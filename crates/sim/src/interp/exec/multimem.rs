//! Accesses to multicast memory: every replica is accessed, in the order of the devices.

use super::super::code::*;
use super::super::cta::Cta;
use super::access::{Access, Accessor, Site, settle};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::float::{F32, Format, Mode, add, to_float};
use crate::mem::Space;
use smallvec::SmallVec;

impl Machine<'_, '_> {
    pub fn multimem(&mut self, cta: &mut Cta, w: usize, group: &Group, m: &Multimem, mask: u32) -> Step<()> {
        self.now += 1;
        cta.effects += 1;
        let one = m.bytes as usize;
        let loads = matches!(m.how, Multicast::LoadReduce(..));
        let strong = m.order.strong || loads || matches!(m.how, Multicast::Reduce(_));
        let kind = match m.how {
            Multicast::Store => "write",
            Multicast::LoadReduce(..) => "read",
            Multicast::Reduce(_) => "atomic",
        };
        for lane in self.order.atomic(mask) {
            let by = Accessor::new(w, lane, group);
            let places = self.replicas(cta, by, &m.address, one * m.rows.len(), kind)?;
            self.ordered(&mut cta.warps[w], lane, m.order);
            for &place in &places {
                if !loads {
                    self.writable(lane, place)?;
                }
                self.watch(cta, by, place, strong, kind)?;
            }
            for (i, &row) in m.rows.iter().enumerate() {
                let Some(row) = row else { continue };
                let frame = &cta.warps[w].frames[group.frame];
                let (b, b_undef) = (u128::from(frame.get(row, lane)), u128::from(frame.get_undef(row, lane)));
                let mut replicas: SmallVec<[(u128, u128); 4]> = SmallVec::new();
                for &Access { site, .. } in &places {
                    let (segment, offset) = self.segment(cta, w, lane, site);
                    replicas.push(segment.load(offset + i * one, one));
                }
                let all = u128::MAX >> (128 - 8 * one);
                if let Multicast::LoadReduce(op, wide) = m.how {
                    let undef = if replicas.iter().any(|r| r.1 & all != 0) { all } else { 0 };
                    let values: SmallVec<[u128; 4]> = replicas.iter().map(|r| r.0).collect();
                    let value = match wide {
                        Some((format, halves)) => sum_in_f32(format, halves, &values),
                        // As in shared memory: no subnormal is flushed ("ptxas 13.0.88 output" has
                        // no FTZ).
                        None => values[1..]
                            .iter()
                            .fold(values[0], |x, &y| op.combine(Space::Shared, x, y, self.mufu).unwrap_or(x)),
                    };
                    cta.warps[w].frames[group.frame].set(row, lane, value as u64, undef as u64);
                    continue;
                }
                for (&Access { site, .. }, (old, old_undef)) in places.iter().zip(replicas) {
                    let (new, undef) = match m.how {
                        Multicast::Reduce(op) => {
                            let undef = if (old_undef | b_undef) & all != 0 { all } else { 0 };
                            (op.combine(Space::Global, old, b, self.mufu).unwrap_or(b), undef)
                        }
                        _ => (b, b_undef),
                    };
                    let (segment, offset) = self.segment(cta, w, lane, site);
                    segment.store(offset + i * one, one, new & all, undef & all);
                }
            }
        }
        if loads {
            let frame = &mut cta.warps[w].frames[group.frame];
            m.rows.iter().flatten().for_each(|&row| settle(frame, row));
        }
        Ok(())
    }

    /// Resolves an address to one access of every replica.
    fn replicas(
        &self,
        cta: &Cta,
        by: Accessor,
        address: &Address,
        size: usize,
        kind: &'static str,
    ) -> Step<SmallVec<[Access; 4]>> {
        let lane = by.lane;
        let frame = &cta.warps[by.warp].frames[by.frame];
        if frame.get_undef(address.base, lane) != 0 {
            return fault(lane, FailureKind::UndefinedAddress);
        }
        let addr = frame.get(address.base, lane).wrapping_add(address.offset as u64);
        let space = Space::Global;
        if addr & (size as u64 - 1) != 0 {
            return fault(lane, FailureKind::Misaligned { access: kind, space, addr, size: size as u32 });
        }
        let mut places = SmallVec::new();
        for addr in self.mem.replicas(addr, size) {
            let Some((id, offset)) = self.mem.find(addr, size) else {
                let near = self.mem.describe(addr);
                let size = size as u32;
                return fault(lane, FailureKind::OutOfBounds { access: kind, space, addr, size, near });
            };
            places.push(Access { site: Site::Global(id, offset), space, addr, size });
        }
        Ok(places)
    }
}

/// The sum of this many values in each word, which is computed in binary32 and rounded at the end.
fn sum_in_f32(format: &'static Format, halves: u32, words: &[u128]) -> u128 {
    let bits = format.bits();
    (0..halves).fold(0, |out, n| {
        let part = |word: &u128| (word >> (bits * n)) as u64 & ((1 << bits) - 1);
        let wide = |word| to_float(format, &F32, part(word), Mode::RN, false);
        let sum = words[1..].iter().fold(wide(&words[0]), |sum, word| add(&F32, sum, wide(word), Mode::RN));
        out | u128::from(to_float(&F32, format, sum, Mode::RN, false)) << (bits * n)
    })
}
