//! Decodes `wgmma`, and finds the instructions that touch its registers.

use super::super::asynchrony::Operation;
use super::super::code::*;
use super::super::matrix::{Arithmetic, Element, Machine, Product, Shape, Sparse};
use super::super::wgmma::{Left, Major, Wgmma, WgmmaOp, sign};
use super::{Decoded, Decoder, int};
use crate::float::{BF16, E4M3, E5M2, F16, F32};
use raddle_ptx::{Base, InstId, Mod, Op, Operand, Part, Reg, Ty};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn wgmma(&mut self, op: Op) -> Decoded<bool> {
        let operation = match op {
            Op::WgmmaFence => WgmmaOp::Fence,
            Op::WgmmaMmaAsync => WgmmaOp::Multiply(Rc::new(self.multiply_async()?)),
            Op::WgmmaCommitGroup => WgmmaOp::Commit,
            Op::WgmmaWaitGroup => {
                let [Operand::Imm(left)] = self.exactly()? else { return Err("operands".into()) };
                WgmmaOp::Wait(left.bits as usize)
            }
            _ => return Ok(false),
        };
        self.aligned();
        self.push(Kind::Asynchronous(Box::new(Operation::Wgmma(operation))));
        Ok(true)
    }

    fn multiply_async(&mut self) -> Decoded<Wgmma> {
        let shape = self.body.mods(self.inst()).iter().find_map(|m| Shape::parse(m.name())).ok_or("shape")?;
        let [d_ty, a_ty, b_ty] = [0, 1, 2].map(|n| self.ty(n));
        let (d_ty, a_ty, b_ty) = (d_ty?, a_ty?, b_ty?);
        let product = self.warpgroup_product(d_ty, a_ty, b_ty)?;
        let operands = self.operands();
        let [d, a, b, ref rest @ ..] = *operands.as_slice() else { return Err("operands".into()) };
        let d = self.elements(d).into_iter().map(|x| self.target(x)).collect::<Decoded<Vec<_>>>()?;
        let (element, result) =
            (if a_ty == Ty::Tf32 { 32 } else { a_ty.bits() }, if d_ty == Ty::F16 { 16 } else { 32 });
        let (meta, rest) = match (self.has(Mod::Sp), rest) {
            (true, [metadata, Operand::Imm(selector), rest @ ..]) => {
                (Some((self.source(*metadata, Ty::B32)?, selector.bits as u32)), rest)
            }
            (true, _) => return Err("selector".into()),
            (false, rest) => (None, rest),
        };
        let [scale_d, immediates @ ..] = rest else { return Err("operands".into()) };
        let scale_d = self.pred_source(*scale_d)?;
        let value = |n: usize| match immediates.get(n) {
            Some(Operand::Imm(imm)) => imm.bits as i32,
            _ => i32::from(n < 2),
        };
        let in_registers = matches!(a, Operand::Vec(_));
        let major = |n: usize| if value(n) == 1 && immediates.len() > 2 { Major::Other } else { Major::K };
        let left = match in_registers {
            true => {
                Left::Registers(self.elements(a).into_iter().map(|x| self.source(x, Ty::B32)).collect::<Decoded<_>>()?)
            }
            false => Left::Shared(self.source(a, Ty::B64)?, major(2)),
        };
        let b_major = major(if in_registers { 2 } else { 3 });
        let sparse = meta.map(|(row, selector)| (row, Sparse { element, registers: 4, selector, ordered: false }));
        let sign = match a_ty {
            Ty::F16 => sign(&F16),
            Ty::Bf16 => sign(&BF16),
            Ty::Tf32 => sign(&F32),
            Ty::E4m3 => sign(&E4M3),
            Ty::E5m2 => sign(&E5M2),
            _ => 0,
        };
        let op = Wgmma {
            shape,
            product,
            element,
            result,
            d,
            a: left,
            b: self.source(b, Ty::B64)?,
            b_major,
            sparse,
            scale_d,
            negated: [value(0) == -1, value(1) == -1],
            sign,
        };
        let held = op.d.len() as u32 * 32 * 128;
        if held != 64 * shape.n * result || in_registers && op.a_rows().len() != 4 {
            return Err("number of registers".into());
        }
        Ok(op)
    }

    fn warpgroup_product(&self, d: Ty, a: Ty, b: Ty) -> Decoded<Product> {
        let element = |ty| {
            Ok(match ty {
                Ty::F16 => Element::F16,
                Ty::Bf16 => Element::Bf16,
                Ty::Tf32 => Element::Tf32,
                Ty::E4m3 => Element::E4m3,
                Ty::E5m2 => Element::E5m2,
                _ => return Err(format!("type .{}", ty.name())),
            })
        };
        Ok(Product::plain(match a {
            Ty::B1 => Arithmetic::Bits { xor: false },
            Ty::S8 | Ty::U8 => Arithmetic::Integer { a: int(a)?, b: int(b)?, saturate: self.has(Mod::Satfinite) },
            _ => {
                let sm = self.layout.sm;
                let machine =
                    Machine::of_sm(sm).ok_or_else(|| format!("the tensor cores of sm_{sm} are not modelled"))?;
                let found = Arithmetic::warpgroup(machine, element(a)?, element(b)?, d == Ty::F16);
                found.ok_or_else(|| format!("no tensor core of {machine:?} has wgmma of .{}", a.name()))?
            }
        }))
    }

    /// Lists the registers of each instruction that `wgmma` also uses, with their names.
    pub(super) fn watch_products(&mut self) {
        let of = |inst: InstId| self.body.op(inst) == Op::WgmmaMmaAsync;
        let mut used = FxHashSet::default();
        for (inst, _) in self.body.insts.iter().filter(|(inst, _)| of(*inst)) {
            for operand in self.body.operands(inst).into_iter().take(2) {
                if let Operand::Vec(_) = operand {
                    self.registers(operand, &mut |reg, _| {
                        used.insert(reg);
                    });
                }
            }
        }
        if used.is_empty() {
            return;
        }
        for (inst, _) in self.body.insts.iter().filter(|(inst, _)| !of(*inst)) {
            let mut rows = Vec::new();
            for operand in self.body.operands(inst) {
                self.registers(operand, &mut |reg, component| {
                    if used.contains(&reg)
                        && let Ok(row) = self.row(reg)
                    {
                        rows.push((Row(row.0 + component), self.body.reg_name(reg)));
                    }
                });
            }
            if !rows.is_empty() {
                self.function.watched.insert(self.starts[inst.as_u32() as usize], rows);
            }
        }
    }

    /// Calls a function with each register of an operand, and the component of a vector.
    fn registers(&self, operand: Operand, f: &mut dyn FnMut(Reg, u32)) {
        // Brackets contain vectors, and nothing is deeper.
        let mut work = vec![operand];
        while let Some(operand) = work.pop() {
            match operand {
                Operand::Reg(reg) | Operand::Neg(reg) | Operand::Sum(reg, _) | Operand::Addr(Base::Reg(reg), _) => {
                    f(reg, 0);
                }
                Operand::RegPart(reg, Part::Component(c), _) => f(reg, c.into()),
                Operand::RegPart(reg, ..) => f(reg, 0),
                Operand::Vec(list) | Operand::Bracket(list) | Operand::Args(list) => work.extend(self.body.list(list)),
                _ => {}
            }
        }
    }
}
