//! Matrix products of a warpgroup (PTX ISA 9.0, 9.7.15). What a wait completes is known from
//! [`crate::pending`]. Where a register is accessed before such a wait, each product is waited for at
//! once, as by ptxas 13.0.88 (C7511, C7517). `wgmma.fence` orders registers, which are values here:
//! code generation places its own where registers are final.

use crate::build::Lower;
use crate::mma::mma_type;
use crate::pending::Pending;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{MmaKind, Op as I, Sat, Unsupported, Value, Wgmma, WgmmaLeft, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// The first instruction that accesses a register of a pending product.
    pub(crate) fn early_use(&self, pending: &Pending) -> Option<Unsupported> {
        let (inst, reg, product) = pending.first_early()?;
        let body = self.input.body;
        let line = (self.input.line)(body.insts[product].offset);
        let name = body.reg_name(raddle_ptx::Reg::from_u32(reg));
        let why = format!(
            "it accesses register {name}, which the wgmma.mma_async of line {line} uses: no wgmma.wait_group covers it \
             before"
        );
        Some(self.input.unsupported(inst, Reason(why)))
    }

    /// Lowers `wgmma`.
    pub(crate) fn wgmma(&mut self, inst: InstId) -> Result<(), Reason> {
        match self.input.body.op(inst) {
            Op::WgmmaMmaAsync => self.wgmma_product(inst),
            Op::WgmmaCommitGroup => {
                self.emit_many(I::WgmmaCommit, &[], &[]);
                Ok(())
            }
            Op::WgmmaWaitGroup => self.wgmma_wait(inst),
            // Registers are values.
            _ => Ok(()),
        }
    }

    fn wgmma_wait(&mut self, inst: InstId) -> Result<(), Reason> {
        let Some(Operand::Imm(left)) = self.input.body.operand(inst, 0) else { return not_yet() };
        let completed = self.pending.completed(inst).cloned().unwrap_or_default();
        let all = completed.accumulators.iter().chain(&completed.left);
        let args = all.map(|&reg| self.read_word(reg)).collect::<Result<Vec<Value>, _>>()?;
        let count = completed.accumulators.len();
        // More groups than a counter holds are never pending.
        let op = I::WgmmaWait(left.bits.min(7) as u8, count as u16);
        let results = self.emit_many(op, &args, &vec![Width::B32; count]);
        for (&reg, &value) in completed.accumulators.iter().zip(&results) {
            self.assign(reg, value);
        }
        Ok(())
    }

    /// Reads a register that must have 32 bits.
    fn read_word(&mut self, reg: u32) -> Result<Value, Reason> {
        let value = self.read(reg)?;
        if self.f.width(value) == Width::B32 { Ok(value) } else { unsupported("a register that has not 32 bits") }
    }

    fn wgmma_product(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let [d, a, b] = body.types(inst)[..] else { return not_yet() };
        let columns =
            body.mods(inst).iter().find_map(|m| m.name().strip_prefix("m64n")?.split('k').next()?.parse().ok());
        let Some(columns) = columns else { return not_yet() };
        let operands = body.operands(inst);
        let [of_d, of_a, of_b, ref rest @ ..] = *operands.as_slice() else { return not_yet() };
        let (left, mut args) = match of_a {
            Operand::Vec(_) => (WgmmaLeft::Registers, Vec::new()),
            _ => (WgmmaLeft::Shared, vec![self.value(of_a, Ty::B64)?]),
        };
        if left == WgmmaLeft::Registers {
            for part in self.parts(Some(of_a)) {
                args.push(self.value(part, Ty::B32)?);
            }
        }
        args.push(self.value(of_b, Ty::B64)?);
        let (kind, rest) = match rest {
            [metadata, Operand::Imm(selector), rest @ ..] if has(Mod::Sp) => {
                args.push(self.value(*metadata, Ty::B32)?);
                let kind = usize::try_from(selector.bits).ok().and_then(|n| MmaKind::SPARSE.get(n));
                (kind.copied().ok_or_else(|| Reason("a selector of metadata above 1".into()))?, rest)
            }
            rest if a == Ty::B1 => (MmaKind::And, rest),
            rest => (MmaKind::Dense, rest),
        };
        let [scale, immediates @ ..] = rest else { return not_yet() };
        args.push(self.value(*scale, Ty::Pred)?);
        let value = |n: usize| match immediates.get(n) {
            Some(Operand::Imm(imm)) => imm.bits as i32,
            _ => i32::from(n < 2),
        };
        let turned_b = if left == WgmmaLeft::Registers { 2 } else { 3 };
        let mut marks = 0;
        let turned = |n: usize| immediates.len() > 2 && value(n) == 1;
        let conditions = [
            (value(0) == -1, Wgmma::NEGATED_A),
            (value(1) == -1, Wgmma::NEGATED_B),
            (left == WgmmaLeft::Shared && turned(2), Wgmma::TURNED_A),
            (turned(turned_b), Wgmma::TURNED_B),
        ];
        conditions.iter().filter(|c| c.0).for_each(|c| marks |= c.1);
        let sat = if has(Mod::Satfinite) { Sat::Yes } else { Sat::No };
        let m = Wgmma { columns, d: mma_type(d)?, a: mma_type(a)?, b: mma_type(b)?, sat, kind, left, marks };
        let parts = self.parts(Some(of_d));
        for &part in &parts {
            args.push(self.value(part, Ty::B32)?);
        }
        if parts.len() != m.pieces() {
            return unsupported(format!("{} registers for D, {} expected", parts.len(), m.pieces()));
        }
        let words = vec![Width::B32; parts.len()];
        let mut results = self.emit_many(I::Wgmma(m), &args, &words);
        if self.serial_products.is_some() {
            self.emit_many(I::WgmmaCommit, &[], &[]);
            let read = if left == WgmmaLeft::Registers { &args[..4] } else { &[] };
            let waited = [&results[..], read].concat();
            results = self.emit_many(I::WgmmaWait(0, parts.len() as u16), &waited, &words);
        }
        for (&part, &v) in parts.iter().zip(&results) {
            self.set_operand(Some(part), v)?;
        }
        Ok(())
    }
}
