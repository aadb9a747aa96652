//! Matrix multiply-accumulate across a warp (PTX ISA 9.0, 9.7.14).

use crate::build::Lower;
use crate::mma_quads::is_quads;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::verify::mma_pieces;
use raddle_ir::{Mma, MmaKind, MmaShape, MmaTy, Op as I, Rnd, Sat, Value, Width};
use raddle_ptx::{InstId, Mod, Operand, Ty};

impl Lower<'_> {
    /// Lowers `mma.sync` with A by rows and B by columns: every operand as its 32-bit pieces.
    pub(crate) fn mma(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let types = body.types(inst);
        if is_quads(body.mods(inst), types) {
            let [d, _, _, c] = types[..] else { return not_yet() };
            return self.mma_quads(inst, mma_type(d)?, mma_type(c)?);
        }
        if has(Mod::BlockScale) {
            return unsupported("products with block scales, which sm_120a and later have, are not generated yet");
        }
        if !has(Mod::Row) || !has(Mod::Col) {
            return not_yet();
        }
        let shape = match body.mods(inst).iter().find_map(|m| shape_of(*m)) {
            Some(shape) => shape,
            None => return not_yet(),
        };
        let [d, a, b, c] = types[..] else { return not_yet() };
        let fragments = [a, b, c];
        if d != c {
            return unsupported("different types of C and D");
        }
        let (d, a, b) = (mma_type(d)?, mma_type(a)?, mma_type(b)?);
        let kind = self.kind(inst)?;
        let mma = Mma { shape, d, a, b, sat: self.clamping(inst), rnd: self.mma_rounding(inst), kind };
        let (pieces_a, pieces_b, pieces_d) = mma_pieces(&mma);
        let mut args: Vec<Value> = Vec::with_capacity(pieces_a + pieces_b + pieces_d);
        for (index, want) in [(1, pieces_a), (2, pieces_b), (3, pieces_d)] {
            let before = args.len();
            for part in self.parts(body.operand(inst, index)) {
                self.push_pieces(part, fragments[index - 1], &mut args)?;
            }
            if args.len() - before != want {
                return unsupported(format!("{} registers for operand {index}, {want} expected", args.len() - before));
            }
        }
        if kind.selector().is_some() {
            args.push(self.operand(inst, 4, Ty::B32)?);
        }
        let results = self.emit_many(I::Mma(mma), &args, &vec![Width::B32; pieces_d]);
        let parts = self.parts(body.operand(inst, 0));
        self.set_pieces(&parts, &results)
    }

    /// Whether integer results are clamped.
    pub(crate) fn clamping(&self, inst: InstId) -> Sat {
        if self.input.body.has(inst, Mod::Satfinite) { Sat::Yes } else { Sat::No }
    }

    /// Rounding of f64.
    pub(crate) fn mma_rounding(&self, inst: InstId) -> Rnd {
        let modes = [(Mod::Rz, Rnd::Rz), (Mod::Rm, Rnd::Rm), (Mod::Rp, Rnd::Rp)];
        modes.iter().find(|(m, _)| self.input.body.has(inst, *m)).map_or(Rnd::Rn, |mode| mode.1)
    }

    /// What a product combines how.
    fn kind(&self, inst: InstId) -> Result<MmaKind, Reason> {
        let body = self.input.body;
        if body.has(inst, Mod::Sp) || body.has(inst, Mod::SpOrderedMetadata) {
            let Some(Operand::Imm(selector)) = body.operand(inst, 5) else {
                return unsupported("a selector of metadata that is not a literal");
            };
            let kind = usize::try_from(selector.bits).ok().and_then(|n| MmaKind::SPARSE.get(n));
            return kind.copied().ok_or_else(|| Reason("a selector of metadata above 3".into()));
        }
        Ok(if body.has(inst, Mod::Xor) {
            MmaKind::Xor
        } else if body.has(inst, Mod::And) {
            MmaKind::And
        } else {
            MmaKind::Dense
        })
    }

    /// Adds a register or a constant of a fragment of `ty` to a list of values of 32 bits.
    pub(crate) fn push_pieces(&mut self, part: Operand, ty: Ty, out: &mut Vec<Value>) -> Result<(), Reason> {
        let (wide, bits) = match part {
            Operand::Reg(reg) if self.reg_width(reg.as_u32())? == Width::B64 => (true, Ty::B64),
            Operand::Reg(_) => (false, Ty::B32),
            _ if matches!(ty, Ty::F32 | Ty::F64) => (ty == Ty::F64, ty),
            _ => (false, Ty::B32),
        };
        let v = self.value(part, bits)?;
        if !wide {
            out.push(v);
            return Ok(());
        }
        out.extend(self.emit_many(I::Unpack, &[v], &[Width::B32, Width::B32]));
        Ok(())
    }

    /// Writes values of 32 bits to registers of 32 bits, or two each to registers of 64.
    pub(crate) fn set_pieces(&mut self, parts: &[Operand], values: &[Value]) -> Result<(), Reason> {
        let each = if values.len() == 2 * parts.len() { 2 } else { 1 };
        for (&part, pieces) in parts.iter().zip(values.chunks_exact(each)) {
            let v = match *pieces {
                [one] => one,
                _ => self.emit(I::Pack, pieces, Width::B64),
            };
            self.set_operand(Some(part), v)?;
        }
        Ok(())
    }

    /// Lowers `movmatrix`.
    pub(crate) fn movmatrix(&mut self, inst: InstId) -> Result<(), Reason> {
        let a = self.operand(inst, 1, Ty::B32)?;
        let v = self.emit(I::MovMatrix, &[a], Width::B32);
        self.set(inst, v)
    }
}

fn shape_of(m: Mod) -> Option<MmaShape> {
    Some(match m {
        Mod::M16n8k4 => MmaShape::M16n8k4,
        Mod::M16n8k8 => MmaShape::M16n8k8,
        Mod::M16n8k16 => MmaShape::M16n8k16,
        Mod::M16n8k32 => MmaShape::M16n8k32,
        Mod::M16n8k64 => MmaShape::M16n8k64,
        Mod::M16n8k128 => MmaShape::M16n8k128,
        Mod::M16n8k256 => MmaShape::M16n8k256,
        Mod::M8n8k4 => MmaShape::M8n8k4,
        Mod::M8n8k16 => MmaShape::M8n8k16,
        Mod::M8n8k32 => MmaShape::M8n8k32,
        Mod::M8n8k128 => MmaShape::M8n8k128,
        _ => return None,
    })
}

/// The element type of a PTX type.
pub(crate) fn mma_type(ty: Ty) -> Result<MmaTy, Reason> {
    Ok(match ty {
        Ty::F16 => MmaTy::F16,
        Ty::Bf16 => MmaTy::Bf16,
        Ty::Tf32 => MmaTy::Tf32,
        Ty::F32 => MmaTy::F32,
        Ty::F64 => MmaTy::F64,
        Ty::E4m3 => MmaTy::E4m3,
        Ty::E5m2 => MmaTy::E5m2,
        Ty::S8 => MmaTy::S8,
        Ty::U8 => MmaTy::U8,
        Ty::S4 => MmaTy::S4,
        Ty::U4 => MmaTy::U4,
        Ty::B1 => MmaTy::B1,
        Ty::S32 => MmaTy::S32,
        _ => return unsupported(format!("type .{}", ty.name())),
    })
}
