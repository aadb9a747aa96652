//! Decodes conversions (PTX ISA 9.0, 9.7.9.21 and 22) and video instructions.

use super::super::alu::Alu;
use super::super::code::*;
use super::super::fpu::{Fpu, FpuOp};
use super::super::video::{Second, Select, Video, VideoOp};
use super::{Decoded, Decoder, float, int};
use crate::float::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, Format, IntType};
use raddle_ptx::{Mod, Op, Operand, Part, Ty};

/// Returns the format of one value of a packed pair.
fn pair(ty: Ty) -> Option<&'static Format> {
    Some(match ty {
        Ty::F16x2 => &F16,
        Ty::Bf16x2 => &BF16,
        Ty::E4m3x2 => &E4M3,
        Ty::E5m2x2 => &E5M2,
        Ty::E2m3x2 => &E2M3,
        Ty::E3m2x2 => &E3M2,
        Ty::E2m1x2 => &E2M1,
        _ => return None,
    })
}

impl Decoder<'_> {
    pub(super) fn cvt(&mut self) -> Decoded<()> {
        let (to, from) = (self.ty(0)?, self.ty(1)?);
        if self.has(Mod::Rs) || self.body.types(self.inst()).len() > 2 {
            return Err("form of cvt".into());
        }
        let operands = self.operands();
        let (d, a, b) = match *operands.as_slice() {
            [d, a] => (d, a, None),
            [d, a, b] => (d, a, Some(b)),
            _ => return Err("operands".into()),
        };
        let dst = self.target(d)?;
        let width = u32::from(self.row_bits(dst));
        let a = self.source(a, from)?;
        let mut mode = self.mode();
        if from == Ty::F32 && to == Ty::F16 {
            // `.ftz` does not affect f16 results (ptxas 13.0.88 output: the same code with it and
            // without).
            mode.ftz = false;
        }
        let (satfinite, relu) = (self.has(Mod::Satfinite), self.has(Mod::Relu));
        let integral = [Mod::Rni, Mod::Rzi, Mod::Rmi, Mod::Rpi].into_iter().any(|m| self.has(m));
        let fpu = |op, format| Alu::Fpu(Fpu { op, format, mode, lanes: 1 });
        if let Some(target) = pair(to) {
            if let Some(b) = b {
                let (format, _) = float(from)?;
                let b = self.source(b, from)?;
                self.alu(fpu(FpuOp::CvtPack2 { to: target, satfinite, relu }, format), dst, &[a, b]);
                return Ok(());
            }
            let format = pair(from).ok_or_else(|| format!("cvt from .{}", from.name()))?;
            self.alu(fpu(FpuOp::CvtPair { to: target, satfinite, relu }, format), dst, &[a]);
            return Ok(());
        }
        if b.is_some() {
            return Err("form of cvt".into());
        }
        let alu = match (to.is_float(), from.is_float()) {
            (false, false) => return self.cvt_int(int(to)?, int(from)?, width, dst, a),
            (false, true) => fpu(FpuOp::ToInt { to: int(to)?, bits: width }, float(from)?.0),
            (true, false) => fpu(FpuOp::FromInt { from: int(from)? }, float(to)?.0),
            (true, true) if to == Ty::Tf32 => fpu(FpuOp::Tf32 { satfinite, relu }, &F32),
            (true, true) => {
                let (target, format) = (float(to)?.0, float(from)?.0);
                if to == from && integral {
                    fpu(FpuOp::Integral, format)
                } else if to == from && !mode.ftz && !mode.sat && !relu && !satfinite {
                    Alu::Mov
                } else {
                    fpu(FpuOp::Cvt { to: target, satfinite, relu }, format)
                }
            }
        };
        self.alu(alu, dst, &[a]);
        Ok(())
    }

    /// Integer to integer: read as `from`, truncated or clamped to `to`, extended to the register.
    fn cvt_int(&mut self, to: IntType, from: IntType, width: u32, dst: Row, a: Row) -> Decoded<()> {
        if self.has(Mod::Sat) {
            self.alu(Alu::ClampInt { from, to, bits: width }, dst, &[a]);
        } else if to.bits <= from.bits {
            self.alu(Alu::Extend { from: to, to: width }, dst, &[a]);
        } else {
            self.alu(Alu::Extend { from, to: to.bits }, dst, &[a]);
            if to.signed && width > to.bits {
                self.alu(Alu::Extend { from: to, to: width }, dst, &[dst]);
            }
        }
        Ok(())
    }

    pub(super) fn cvt_pack(&mut self) -> Decoded<()> {
        let (to, from) = (self.ty(0)?, int(self.ty(1)?)?);
        // Types as small as two bits.
        let to = IntType { bits: to.bits(), signed: to.is_signed() };
        let operands = self.operands();
        let (d, a, b, c) = match *operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some(c)),
            _ => return Err("operands".into()),
        };
        let src =
            [self.source(a, Ty::S32)?, self.source(b, Ty::S32)?, c.map_or(Ok(ZERO), |c| self.source(c, Ty::B32))?];
        let dst = self.target(d)?;
        self.alu(Alu::CvtPack { from, to, shift: 2 * to.bits }, dst, &src);
        Ok(())
    }

    /// Decodes video instructions; returns false for others.
    pub(super) fn video(&mut self) -> Decoded<bool> {
        let op = self.body.op(self.inst());
        let (operation, lanes) = match op {
            Op::Vadd => (VideoOp::Add, 1),
            Op::Vsub => (VideoOp::Sub, 1),
            Op::Vabsdiff => (VideoOp::AbsDiff, 1),
            Op::Vmin => (VideoOp::Min, 1),
            Op::Vmax => (VideoOp::Max, 1),
            Op::Vshl => (VideoOp::Shl, 1),
            Op::Vshr => (VideoOp::Shr, 1),
            Op::Vadd2 => (VideoOp::Add, 2),
            Op::Vsub2 => (VideoOp::Sub, 2),
            Op::Vabsdiff2 => (VideoOp::AbsDiff, 2),
            Op::Vmin2 => (VideoOp::Min, 2),
            Op::Vmax2 => (VideoOp::Max, 2),
            Op::Vavrg2 => (VideoOp::Average, 2),
            Op::Vadd4 => (VideoOp::Add, 4),
            Op::Vsub4 => (VideoOp::Sub, 4),
            Op::Vabsdiff4 => (VideoOp::AbsDiff, 4),
            Op::Vmin4 => (VideoOp::Min, 4),
            Op::Vmax4 => (VideoOp::Max, 4),
            Op::Vavrg4 => (VideoOp::Average, 4),
            Op::Vset2 => (VideoOp::Set(self.relation(Ty::S32)?.1), 2),
            Op::Vset4 => (VideoOp::Set(self.relation(Ty::S32)?.1), 4),
            Op::Vset => (VideoOp::Set(self.relation(Ty::S32)?.1), 1),
            _ => return Ok(false),
        };
        let types = self.body.types(self.inst()).to_vec();
        let set = matches!(operation, VideoOp::Set(_));
        // `vset` has source types only; its result is unsigned.
        let signed = |n: usize| types.get(n).is_some_and(|ty| ty.is_signed());
        let (d_signed, a_signed, b_signed) = match types.len() {
            2 if set => (false, signed(0), signed(1)),
            _ => (signed(0), signed(1), signed(2)),
        };
        let operands = self.operands();
        let (d, a, b, c) = match *operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some(c)),
            _ => return Err("operands".into()),
        };
        let unit = 32 / lanes;
        let (a_row, a) = self.selected(a, unit, if lanes == 2 { 0x10 } else { 0x3210 }, a_signed)?;
        let (b_row, b) = self.selected(b, unit, if lanes == 2 { 0x32 } else { 0x7654 }, b_signed)?;
        let (dst, write, merge, d_bits) = self.written(d, lanes)?;
        let b = if lanes == 1 && b.bits == 32 { Select { units: 0, ..b } } else { b };
        let a = if lanes == 1 && a.bits == 32 { Select { units: 0, ..a } } else { a };
        let second = if self.has(Mod::Add) {
            Second::Add
        } else if lanes == 1 && self.has(Mod::Min) {
            Second::Min
        } else if lanes == 1 && self.has(Mod::Max) {
            Second::Max
        } else if merge {
            Second::Merge
        } else {
            Second::None
        };
        let video = Video {
            op: operation,
            lanes,
            d: IntType { bits: d_bits, signed: d_signed },
            a,
            b,
            write,
            sat: self.has(Mod::Sat),
            second,
            wrap: self.has(Mod::Wrap),
        };
        let c = c.map_or(Ok(ZERO), |c| self.source(c, Ty::B32))?;
        self.alu(Alu::Video(video), dst, &[a_row, b_row, c]);
        Ok(true)
    }

    /// Returns a source with its selector; `all` is the implied selector.
    pub(super) fn selected(&mut self, operand: Operand, unit: u32, all: u16, signed: bool) -> Decoded<(Row, Select)> {
        Ok(match operand {
            Operand::RegPart(reg, Part::Bytes(units, _), false) => (self.row(reg)?, Select { units, bits: 8, signed }),
            Operand::RegPart(reg, Part::Halves(units, _), false) => {
                (self.row(reg)?, Select { units: u16::from(units), bits: 16, signed })
            }
            other => (self.source(other, Ty::B32)?, Select { units: all, bits: unit, signed }),
        })
    }

    /// Returns the destination: its row, the lanes written, whether a part is merged, width of a
    /// unit.
    fn written(&mut self, operand: Operand, lanes: u32) -> Decoded<(Row, u8, bool, u32)> {
        let set = |units: u16, count: u8| (0..count).fold(0u8, |all, i| all | 1 << (units >> (4 * i) & 7));
        Ok(match operand {
            Operand::RegPart(reg, Part::Bytes(units, count), false) => {
                (self.row(reg)?, set(units, count), lanes == 1, 8)
            }
            Operand::RegPart(reg, Part::Halves(units, count), false) => {
                (self.row(reg)?, set(u16::from(units), count), lanes == 1, 16)
            }
            other => (self.target(other)?, 0xf, false, 32 / lanes),
        })
    }
}
