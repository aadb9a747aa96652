//! Matrix multiply-accumulate across a warp (PTX ISA 9.0, 9.7.14).

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::verify::mma_pieces;
use raddle_ir::{Mma, MmaShape, MmaTy, Op as I, Sat, Value, Width};
use raddle_ptx::{InstId, Mod, Operand, Ty};

impl Lower<'_> {
    /// Lowers `mma.sync` with A by rows and B by columns: every operand as its 32-bit pieces.
    pub(crate) fn mma(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let types = body.types(inst);
        if !has(Mod::Row) || !has(Mod::Col) || has(Mod::Sp) || has(Mod::SpOrderedMetadata) || has(Mod::BlockScale) {
            return not_yet();
        }
        let shape = match body.mods(inst).iter().find_map(|m| shape_of(*m)) {
            Some(shape) => shape,
            None => return not_yet(),
        };
        let [d, a, b, c] = types[..] else { return not_yet() };
        if d != c {
            return unsupported("different types of C and D");
        }
        let (d, a, b) = (element(d)?, element(a)?, element(b)?);
        let sat = if has(Mod::Satfinite) { Sat::Yes } else { Sat::No };
        let mma = Mma { shape, d, a, b, sat };
        let (pieces_a, pieces_b, pieces_d) = mma_pieces(&mma);
        let mut args: Vec<Value> = Vec::with_capacity(pieces_a + pieces_b + pieces_d);
        for (index, want) in [(1, pieces_a), (2, pieces_b), (3, pieces_d)] {
            let before = args.len();
            for part in self.parts(body.operand(inst, index)) {
                self.push_pieces(part, &mut args)?;
            }
            if args.len() - before != want {
                return unsupported(format!("{} registers for operand {index}, {want} expected", args.len() - before));
            }
        }
        let results = self.emit_many(I::Mma(mma), &args, &vec![Width::B32; pieces_d]);
        let parts = self.parts(body.operand(inst, 0));
        if d == MmaTy::F64 {
            for (part, halves) in parts.into_iter().zip(results.chunks_exact(2)) {
                let v = self.emit(I::Pack, halves, Width::B64);
                self.set_operand(Some(part), v)?;
            }
            return Ok(());
        }
        for (part, v) in parts.into_iter().zip(results) {
            self.set_operand(Some(part), v)?;
        }
        Ok(())
    }

    fn push_pieces(&mut self, part: Operand, out: &mut Vec<Value>) -> Result<(), Reason> {
        let wide = match part {
            Operand::Reg(reg) => self.reg_width(reg.as_u32())? == Width::B64,
            _ => false,
        };
        if !wide {
            out.push(self.value(part, Ty::B32)?);
            return Ok(());
        }
        let v = self.value(part, Ty::B64)?;
        out.extend(self.emit_many(I::Unpack, &[v], &[Width::B32, Width::B32]));
        Ok(())
    }
}

fn shape_of(m: Mod) -> Option<MmaShape> {
    Some(match m {
        Mod::M16n8k4 => MmaShape::M16n8k4,
        Mod::M16n8k8 => MmaShape::M16n8k8,
        Mod::M16n8k16 => MmaShape::M16n8k16,
        Mod::M16n8k32 => MmaShape::M16n8k32,
        Mod::M16n8k64 => MmaShape::M16n8k64,
        Mod::M8n8k4 => MmaShape::M8n8k4,
        Mod::M8n8k16 => MmaShape::M8n8k16,
        _ => return None,
    })
}

fn element(ty: Ty) -> Result<MmaTy, Reason> {
    Ok(match ty {
        Ty::F16 => MmaTy::F16,
        Ty::Bf16 => MmaTy::Bf16,
        Ty::Tf32 => MmaTy::Tf32,
        Ty::F32 => MmaTy::F32,
        Ty::F64 => MmaTy::F64,
        Ty::S8 => MmaTy::S8,
        Ty::U8 => MmaTy::U8,
        Ty::S32 => MmaTy::S32,
        _ => return unsupported(format!("type .{}", ty.name())),
    })
}
