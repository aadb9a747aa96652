//! `cp.async` and its groups (PTX ISA 9.0, 9.7.9.25.3).
//!
//! A copy reads its source at once, which is one of the orders the manual allows; its destination
//! is undefined until the thread has waited for the copy's group, so that too early reads are
//! detected.

use super::super::code::Copy;
use super::super::cta::Cta;
use super::super::warp::lanes;
use super::access::Accessor;
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::mem::Flight;

impl Machine<'_, '_> {
    /// Runs `cp.async` in the lanes of `mask`.
    pub fn copy(&mut self, cta: &mut Cta, w: usize, group: &Group, copy: &Copy, mask: u32) -> Step<()> {
        self.now += 1;
        cta.effects += 1;
        for lane in lanes(mask) {
            let bytes = copy.bytes as usize;
            let by = Accessor::new(w, lane, group);
            let frame = &cta.warps[w].frames[group.frame];
            let valid = match (copy.source_bytes, copy.ignore) {
                (None, None) => bytes,
                (Some(row), _) if frame.get_undef(row, lane) != 0 => {
                    return fault(lane, FailureKind::UndefinedOperand("the number of source bytes"));
                }
                (Some(row), _) => (frame.get(row, lane) as usize).min(bytes),
                (_, Some(p)) if frame.pred_undefined(p) >> lane & 1 != 0 => {
                    return fault(lane, FailureKind::UndefinedOperand("the predicate"));
                }
                (_, Some(p)) => bytes * usize::from(frame.pred(p) >> lane & 1 == 0),
            };
            let (mut value, mut undef) = (0, 0);
            if valid > 0 {
                let from = self.site(cta, by, &copy.from, bytes, "read")?;
                self.watch(cta, by, from, false, "read")?;
                self.outcome.stats.global_read += valid as u64;
                let (segment, offset) = self.segment(cta, w, lane, from.site);
                (value, undef) = segment.load(offset, valid);
            }
            let to = self.site(cta, by, &copy.to, bytes, "write")?;
            self.watch(cta, by, to, false, "write")?;
            let (segment, offset) = self.segment(cta, w, lane, to.site);
            let flight = Flight::begin(segment, offset, bytes, value, undef);
            cta.warps[w].copies[lane].add(flight);
        }
        Ok(())
    }
}
