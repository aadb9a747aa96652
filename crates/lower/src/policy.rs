//! Cache policies and cache lines: `createpolicy`, `createpolicy.cvt`, `discard`, `applypriority`
//! (PTX ISA 9.0, 9.7.9.15 to 9.7.9.19).
//!
//! A policy is a 64-bit descriptor whose lower half is zero ("ptxas 13.0.88 output" for all
//! priorities and fractions).

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{Cond, Cty, CvtRnd, Ftz, Mufu, Op as I, Sat, Sign, Space, Value, Width};
use raddle_ptx::{ImmKind, InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// Lowers the instructions of this family.
    pub(crate) fn policy(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        match body.op(inst) {
            Op::Createpolicy if body.has(inst, Mod::Fractional) => self.fractional_policy(inst),
            Op::Createpolicy if body.has(inst, Mod::Range) => self.range_policy(inst),
            // A policy made by the driver is used unchanged ("ptxas 13.0.88 output").
            Op::CreatepolicyCvt => {
                let v = self.operand(inst, 1, Ty::B64)?;
                self.set(inst, v)
            }
            Op::Discard | Op::Applypriority => {
                let at = self.flat(inst, 0, Space::Global)?;
                let op = if body.op(inst) == Op::Discard { I::DiscardLine } else { I::DemoteLine };
                self.emit_many(op, &[at], &[]);
                Ok(())
            }
            _ => not_yet(),
        }
    }

    /// Returns the bits of primary and secondary priority.
    fn priorities(&self, inst: InstId) -> u64 {
        let mut named = self.input.body.mods(inst).iter().filter_map(|m| {
            Some(match m {
                Mod::L2EvictUnchanged => 0,
                Mod::L2EvictFirst => 1,
                Mod::L2EvictLast => 2,
                Mod::L2EvictNormal => 3,
                _ => return None,
            })
        });
        let (primary, secondary) = (named.next().unwrap_or(0), named.next().unwrap_or(0));
        primary << 25 | secondary << 24
    }

    fn fractional_policy(&mut self, inst: InstId) -> Result<(), Reason> {
        let fraction = match self.input.body.operand(inst, 1) {
            None => 1.0,
            Some(Operand::Imm(imm)) => match imm.kind {
                ImmKind::F32 => f64::from(f32::from_bits(imm.bits as u32)),
                ImmKind::F64 => f64::from_bits(imm.bits),
                ImmKind::Int => imm.bits as f64,
            },
            Some(_) => return unsupported("a fraction that is not a literal"),
        };
        // Sixteenths, rounded up, less one.
        let sixteenths = (fraction * 16.0).ceil().clamp(1.0, 16.0) as u64 - 1;
        let high = 0x1000_0000 | self.priorities(inst) | sixteenths << 20;
        let v = self.constant(high << 32, Width::B64);
        self.set(inst, v)
    }

    /// The range from `a` on: its blocks have 2^(max(ceil(log2 total) - 7, 12)) bytes; first block,
    /// number of blocks.
    fn range_policy(&mut self, inst: InstId) -> Result<(), Reason> {
        let w = Width::B32;
        let a = self.flat(inst, 1, Space::Global)?;
        let (primary, total) = (self.operand(inst, 2, Ty::U32)?, self.operand(inst, 3, Ty::U32)?);
        let constant = |l: &mut Self, n: u64| l.constant(n, w);
        let as_float = self.emit(I::Cvt(Cty::F32, Cty::U32, CvtRnd::Rn, Ftz::No, Sat::No), &[total], w);
        let log = self.emit(I::Mufu(Mufu::Lg2), &[as_float], w);
        let log = self.emit(I::Cvt(Cty::U32, Cty::F32, CvtRnd::Rpi, Ftz::No, Sat::No), &[log], w);
        let (seven, twelve, one) = (constant(self, 7), constant(self, 12), constant(self, 1));
        let shift = self.emit(I::Sub, &[log, seven], w);
        let shift = self.emit(I::Max(Sign::S), &[shift, twelve], w);
        let block = self.emit(I::Shl, &[one, shift], w);
        let reach = self.emit(I::Add, &[primary, block], w);
        let reach = self.emit(I::Sub, &[reach, one], w);
        let reach = self.resize(reach, Width::B64, Sign::U);
        let end = self.emit(I::Add, &[a, reach], Width::B64);
        let first = self.emit(I::Shr(Sign::U), &[a, shift], Width::B64);
        let last = self.emit(I::Shr(Sign::U), &[end, shift], Width::B64);
        let blocks = self.emit(I::Sub, &[last, first], Width::B64);
        let most = self.constant(0x7f, Width::B64);
        let blocks = self.emit(I::Min(Sign::U), &[blocks, most], Width::B64);
        let field = |l: &mut Self, v: Value, mask: u64, at: u64| {
            let v = l.resize(v, w, Sign::U);
            let (mask, at) = (l.constant(mask, w), l.constant(at, w));
            let v = l.emit(I::And, &[v, mask], w);
            l.emit(I::Shl, &[v, at], w)
        };
        let scale = self.emit(I::Sub, &[shift, twelve], w);
        let fields = [field(self, scale, 0xf, 20), field(self, first, 0x7f, 12), field(self, blocks, 0x7f, 5)];
        let mut high = constant(self, 0x1800_0000 | self.priorities(inst));
        for part in fields {
            high = self.emit(I::Or, &[high, part], w);
        }
        // An empty range.
        let (zero, none) = (constant(self, 0), constant(self, 0x1800_0000));
        let empty = self.icmp(Cond::Eq, Sign::U, total, zero);
        let high = self.emit(I::Select, &[empty, none, high], w);
        let v = self.emit(I::Pack, &[zero, high], Width::B64);
        self.set(inst, v)
    }
}
