//! Special registers: `S2R`, `CS2R`, or a word of constant bank 0 that the driver fills.
//!
//! Offsets and formulas that are not facts of a target are "ptxas 13.0.88 output" of one `mov`
//! each; those of clusters exist on sm_90 only.

use raddle_ir::{Kind, Special, Value};
use raddle_sass::row::{File, SlotRole};

use super::{Part, Pd, Pred, Ra, Rb, Rc, Select, imm};
use crate::mir::{MKind, MOp, V};
use crate::sass::{self, tokens as t};

/// Numbers of special registers ("nvdisasm 13.5.37" names of S2R's operand).
pub(super) mod sr {
    pub const LANEID: u8 = 0;
    pub const VIRTCFG: u8 = 2;
    pub const VIRTID: u8 = 3;
    pub const TID_X: u8 = 33;
    pub const CTAID_X: u8 = 37;
    pub const SMEMSZ: u8 = 50;
    pub const EQMASK: u8 = 56;
    pub const LTMASK: u8 = 57;
    pub const LEMASK: u8 = 58;
    pub const GTMASK: u8 = 59;
    pub const GEMASK: u8 = 60;
    pub const VIRTUALSMID: u8 = 67;
    pub const CLOCKLO: u8 = 80;
    pub const CLOCKHI: u8 = 81;
    pub const GLOBALTIMERLO: u8 = 82;
    pub const GLOBALTIMERHI: u8 = 83;
    pub const PM0: u8 = 100;
    pub const CGA_CTAID: u8 = 136;
}

/// Offsets in constant bank 0.
mod bank {
    pub const GRIDID: u16 = 0x30;
    /// The end of the kernel's parameters, below sm_90.
    pub const PARAM_END: u16 = 0x12c;
    pub const NSMID: u16 = 0x10c;
    pub const SYSTEM_SHARED: u16 = 0x114;
    pub const AGGR_LIMIT: u16 = 0x13c;
    pub const EXPLICIT_CLUSTER: u16 = 0x140;
    pub const CLUSTER_NCTAID: u16 = 0x144;
    /// Reciprocals of the three above, as f32.
    pub const CLUSTER_INVERSE: u16 = 0x150;
    pub const NCLUSTERID: u16 = 0x15c;
    pub const CLUSTER_NCTARANK: u16 = 0x188;
}

impl Select<'_> {
    /// Reads a word of bank 0.
    fn driver_word(&mut self, at: u16) -> V {
        self.emit1(sass::mov(), &[(Rb, MOp::cbank(0, i32::from(at)))])
    }

    /// Reads a 32-bit special register by `S2R`, which has a long latency.
    fn s2r(&mut self, number: u8) -> V {
        self.emit1(sass::s2r(), &[(SlotRole::Misc, MOp::new(MKind::Special(number)))])
    }

    /// `%envreg`.
    pub(super) fn env_reg(&mut self, n: u8, r: Value) {
        let base = if self.hopper() { 0x40 } else { 0x88 };
        let v = self.driver_word(base + 4 * u16::from(n));
        self.set_regs(r, &[v]);
    }

    pub(super) fn special(&mut self, s: Special, r: Value) {
        use Special as S;
        let bank = &self.native.cbank;
        let axis = |of: &[S; 3]| of.iter().position(|x| *x == s).map(|n| 4 * n as u16);
        let cbank = match s {
            S::NtidX | S::NtidY | S::NtidZ => axis(&[S::NtidX, S::NtidY, S::NtidZ]).map(|at| bank.ntid + at),
            S::NctaidX | S::NctaidY | S::NctaidZ => {
                axis(&[S::NctaidX, S::NctaidY, S::NctaidZ]).map(|at| bank.nctaid + at)
            }
            S::SharedWindowHi => Some(bank.shared_window + 4),
            S::LocalWindowLo => Some(bank.local_window),
            S::LocalWindowHi => Some(bank.local_window + 4),
            // At this offset for all targets in the table.
            S::DynamicSmem => Some(bank.dynamic_shared.unwrap_or(0x2c)),
            S::NsmId => Some(bank::NSMID),
            S::ReservedSmemEnd => Some(if self.hopper() { 0x68 } else { 0x120 }),
            S::ReservedSmemPart => Some(if self.hopper() { 0x6c } else { 0x124 }),
            S::ClusterNctaidX | S::ClusterNctaidY | S::ClusterNctaidZ if self.hopper() => {
                axis(&[S::ClusterNctaidX, S::ClusterNctaidY, S::ClusterNctaidZ]).map(|at| bank::CLUSTER_NCTAID + at)
            }
            S::NclusterIdX | S::NclusterIdY | S::NclusterIdZ if self.hopper() => {
                axis(&[S::NclusterIdX, S::NclusterIdY, S::NclusterIdZ]).map(|at| bank::NCLUSTERID + at)
            }
            S::ClusterNctaRank if self.hopper() => Some(bank::CLUSTER_NCTARANK),
            S::ExplicitCluster if self.hopper() => Some(bank::EXPLICIT_CLUSTER),
            _ => None,
        };
        if let Some(offset) = cbank {
            let v = self.driver_word(offset);
            return self.set_regs(r, &[v]);
        }
        let wide = match s {
            S::GridId => Some(bank::GRIDID),
            S::ConstWindow => Some(bank.const_window),
            S::ParamWindow if self.hopper() => Some(0x198),
            S::GraphExec => Some(if self.hopper() { 0x190 } else { 0x130 }),
            _ => None,
        };
        if let Some(at) = wide {
            let v = [self.driver_word(at), self.driver_word(at + 4)];
            return self.set_regs(r, &v);
        }
        let s2r = match s {
            S::TidX => sr::TID_X,
            S::TidY => sr::TID_X + 1,
            S::TidZ => sr::TID_X + 2,
            S::CtaidX => sr::CTAID_X,
            S::CtaidY => sr::CTAID_X + 1,
            S::CtaidZ => sr::CTAID_X + 2,
            S::LaneId => sr::LANEID,
            S::SmId => sr::VIRTUALSMID,
            S::ReservedSmemCap if !self.hopper() => sr::SMEMSZ,
            S::LanemaskEq => sr::EQMASK,
            S::LanemaskLt => sr::LTMASK,
            S::LanemaskLe => sr::LEMASK,
            S::LanemaskGt => sr::GTMASK,
            S::LanemaskGe => sr::GEMASK,
            S::GlobalTimerLo => sr::GLOBALTIMERLO,
            S::GlobalTimerHi => sr::GLOBALTIMERHI,
            S::ClusterCtaRank if self.hopper() => sr::CGA_CTAID,
            _ => return self.computed_special(s, r),
        };
        let v = self.s2r(s2r);
        self.set_regs(r, &[v]);
    }

    /// Special registers that need more than one read.
    fn computed_special(&mut self, s: Special, r: Value) {
        use Special as S;
        let part = match s {
            S::Clock | S::ClockHi => {
                let number = if s == S::Clock { sr::CLOCKLO } else { sr::CLOCKHI };
                Part::Reg(
                    self.emit1(sass::cs2r(t::CounterSize::N32), &[(SlotRole::Misc, MOp::new(MKind::Special(number)))]),
                )
            }
            S::Pm0 | S::Pm1 | S::Pm2 | S::Pm3 | S::Pm4 | S::Pm5 | S::Pm6 | S::Pm7 => {
                let all = [S::Pm0, S::Pm1, S::Pm2, S::Pm3, S::Pm4, S::Pm5, S::Pm6, S::Pm7];
                // Each counter has a low and a high half.
                let number = sr::PM0 + 2 * all.iter().position(|x| *x == s).unwrap_or(0) as u8;
                Part::Reg(
                    self.emit1(sass::cs2r(t::CounterSize::N32), &[(SlotRole::Misc, MOp::new(MKind::Special(number)))]),
                )
            }
            S::ParamWindow => {
                // The address of bank 0, and the offset of parameters in it.
                let bank = [Part::Reg(self.driver_word(0x40)), Part::Reg(self.driver_word(0x44))];
                let first = self.first_param();
                let v = self.add64(&bank, &[first, Part::Imm(0)]);
                return self.set(r, &v);
            }
            S::Clock64 | S::GlobalTimer => {
                let number = if s == S::Clock64 { sr::CLOCKLO } else { sr::GLOBALTIMERLO };
                let v = self.emit_wide(
                    2,
                    sass::cs2r(t::CounterSize::None),
                    &[(SlotRole::Misc, MOp::new(MKind::Special(number)))],
                );
                return self.set_regs(r, &v);
            }
            // Bits 8 to 14 of VIRTID, 8 to 15 of VIRTCFG.
            S::WarpId => self.field_of(sr::VIRTID, 7),
            S::NwarpId if self.hopper() => self.field_of(sr::VIRTCFG, 8),
            S::NwarpId => Part::Imm(self.native.limits.warps_per_sm),
            S::TotalSmem => self.total_shared(),
            S::ReservedSmem if self.hopper() => Part::Imm(0),
            S::ReservedSmem => self.total_shared(),
            S::ReservedSmemCap => Part::Imm(0x400),
            S::AggrSmem if self.hopper() => {
                let (all, most) = (self.s2r(sr::SMEMSZ), self.driver_word(bank::AGGR_LIMIT));
                let given = [(Ra, MOp::reg(all)), (Rb, MOp::reg(most)), (super::Pp, Pred::Known(true).op())];
                Part::Reg(self.emit1(sass::vimnmx(t::Unsigned::U32), &given))
            }
            S::ClusterIdX | S::ClusterIdY | S::ClusterIdZ if self.hopper() => {
                let axis = [S::ClusterIdX, S::ClusterIdY, S::ClusterIdZ].iter().position(|x| *x == s).unwrap_or(0);
                self.cluster_id(axis as u8).1
            }
            S::ClusterCtaidX | S::ClusterCtaidY | S::ClusterCtaidZ if self.hopper() => {
                let all = [S::ClusterCtaidX, S::ClusterCtaidY, S::ClusterCtaidZ];
                let axis = all.iter().position(|x| *x == s).unwrap_or(0);
                let (cta, cluster) = self.cluster_id(axis as u8);
                let size = Part::Reg(self.driver_word(bank::CLUSTER_NCTAID + 4 * axis as u16));
                let first = self.mad32(size, cluster, Part::Imm(0));
                self.sub32(cta, first)
            }
            _ => return self.refuse(),
        };
        self.set(r, &[part]);
    }

    /// The offset of parameters in bank 0, below sm_90. A function does not know its kernel: the
    /// word with the end of the kernel's parameters tells the two offsets apart ("ptxas 13.0.88
    /// output").
    fn first_param(&mut self) -> Part {
        let bank = &self.native.cbank;
        if self.f.kind == Kind::Kernel {
            return Part::Imm(bank.params_at(self.f.many_params).into());
        }
        let [few, many] = [false, true].map(|many| u32::from(bank.params_at(many)));
        let end = self.driver_word(bank::PARAM_END);
        let p = self.m.vreg(File::Pred);
        self.emit(
            sass::isetp(t::IntCmp::Gt, t::Unsigned::U32),
            &[(Pd, MOp::reg(p)), (Ra, MOp::reg(end)), (Rb, imm(many))],
        );
        let (a, b) = (self.op(Part::Imm(many)), self.op(Part::Imm(few)));
        Part::Reg(self.emit1(sass::sel(), &[(Ra, a), (Rb, b), (super::Pp, MOp::reg(p))]))
    }

    /// Reads a field of `bits` bits from bit 8 on of a special register.
    fn field_of(&mut self, number: u8, bits: u32) -> Part {
        let v = self.s2r(number);
        let x = self.emit1(sass::shf_r_hi(t::Int32::U32), &[(Ra, MOp::zero()), (Rb, imm(8)), (Rc, MOp::reg(v))]);
        Part::Reg(self.emit1(sass::sgxt(t::Wrap::None, t::Unsigned::U32), &[(Ra, MOp::reg(x)), (Rb, imm(bits))]))
    }

    /// The CTA's shared memory without that reserved by the system.
    fn total_shared(&mut self) -> Part {
        let (all, system) = (self.s2r(sr::SMEMSZ), self.driver_word(bank::SYSTEM_SHARED));
        self.sub32(Part::Reg(all), Part::Reg(system))
    }

    /// CTA index and cluster index on an axis: the former divided by the cluster size.
    fn cluster_id(&mut self, axis: u8) -> (Part, Part) {
        let cta = self.s2r(sr::CTAID_X + axis);
        let number = self.emit1(sass::i2fp(t::Int32::U32, t::RoundZero::None), &[(Rb, MOp::reg(cta))]);
        let inverse = self.driver_word(bank::CLUSTER_INVERSE + 4 * u16::from(axis));
        let quotient = self.emit1(
            sass::fmul(t::Ftz::None, t::Round::None, t::Sat::None),
            &[(Ra, MOp::reg(number)), (Rb, MOp::reg(inverse))],
        );
        let cluster =
            self.emit1(sass::f2i(t::Ftz::None, t::IntResult::U32, t::RoundInt::Trunc), &[(Rb, MOp::reg(quotient))]);
        (Part::Reg(cta), Part::Reg(cluster))
    }
}
