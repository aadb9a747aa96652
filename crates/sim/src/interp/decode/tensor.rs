//! Decodes tensor instructions in tile and im2col mode, and `tensormap.replace`.

use super::super::asynchrony::{Direction, Element, Field, Operation, Tensor};
use super::super::code::*;
use super::{Decoded, Decoder};
use raddle_ptx::{Base, Mod, Op, Operand, Ty};

/// The types of each reduction (PTX ISA 9.0, `cp.reduce.async.bulk`).
const REDUCTIONS: &[(&[Mod], &[Element])] = &[
    (
        &[Mod::Add],
        &[Element::U32, Element::S32, Element::U64, Element::F16, Element::F32, Element::F32Ftz, Element::Bf16],
    ),
    (&[Mod::Min, Mod::Max], &[Element::U32, Element::S32, Element::U64, Element::S64, Element::F16, Element::Bf16]),
    (&[Mod::Inc, Mod::Dec], &[Element::U32]),
    (&[Mod::And, Mod::Or, Mod::Xor], &[Element::U32, Element::S32, Element::U64, Element::S64]),
];

const fn ty(element: Element) -> Ty {
    match element {
        Element::U8 => Ty::U8,
        Element::U16 => Ty::U16,
        Element::U32 => Ty::U32,
        Element::S32 => Ty::S32,
        Element::U64 => Ty::U64,
        Element::S64 => Ty::S64,
        Element::F16 => Ty::F16,
        Element::F32 | Element::F32Ftz => Ty::F32,
        Element::F64 => Ty::F64,
        Element::Bf16 => Ty::Bf16,
    }
}

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn tensor(&mut self, op: Op) -> Decoded<bool> {
        let operation = match op {
            Op::CpAsyncBulkTensor | Op::CpReduceAsyncBulkTensor | Op::CpAsyncBulkPrefetchTensor => {
                Operation::Tensor(self.tensor_copy(op)?)
            }
            Op::TensormapReplace => {
                let (at, field, value) = self.field()?;
                Operation::Replace { at, field, value }
            }
            _ => return self.wgmma(op),
        };
        self.push(Kind::Asynchronous(Box::new(operation)));
        Ok(true)
    }

    /// Decodes `fence.proxy.tensormap::generic.acquire`, which is a fence, too.
    pub(super) fn map_fence(&mut self) -> Decoded<()> {
        let [at, _] = self.exactly()?;
        let at = self.address_in(at, Window::Generic, false)?;
        self.push(Kind::Fence);
        self.push(Kind::Asynchronous(Box::new(Operation::MapFence(at))));
        Ok(())
    }

    fn tensor_copy(&mut self, op: Op) -> Decoded<Tensor> {
        let odd = |m: &Mod| ["im2col::", "tile::", "cta_group"].iter().any(|name| m.name().starts_with(name));
        if let Some(m) = self.body.mods(self.inst()).iter().copied().find(odd) {
            return Err(format!(".{}", m.name()));
        }
        let operands = self.operands();
        let load = op == Op::CpAsyncBulkTensor && !self.has(Mod::BulkGroup);
        let mut offsets = None;
        let (boxed, direction) = match *operands.as_slice() {
            [to, boxed, object, ref rest @ ..] if load => {
                let rest = match rest {
                    [of, rest @ ..] if self.has(Mod::Im2col) => {
                        offsets = Some(*of);
                        rest
                    }
                    rest => rest,
                };
                let window = if self.has(Mod::SharedCta) { Window::Shared } else { Window::Cluster };
                let multicast = match (self.has(Mod::MulticastCluster), rest.first()) {
                    (true, Some(&mask)) => Some(self.source(mask, Ty::U16)?),
                    _ => None,
                };
                let (to, object) = (self.address_in(to, window, false)?, self.address_in(object, window, false)?);
                (boxed, Direction::Load { to, object, multicast })
            }
            [boxed, ref rest @ ..] if op == Op::CpAsyncBulkPrefetchTensor => {
                offsets = rest.first().copied().filter(|_| self.has(Mod::Im2col));
                (boxed, Direction::Prefetch)
            }
            [boxed, from, ..] => {
                let reduce = (op == Op::CpReduceAsyncBulkTensor).then(|| self.reductions());
                (boxed, Direction::Store { from: self.address_in(from, Window::Shared, false)?, reduce })
            }
            _ => return Err("operands".into()),
        };
        let Operand::Bracket(parts) = boxed else { return Err("tensor operand".into()) };
        let parts = self.body.list(parts).to_vec();
        let [map, Operand::Vec(at)] = *parts.as_slice() else { return Err("tensor operand".into()) };
        let map = match map {
            Operand::Reg(reg) => Operand::Addr(Base::Reg(reg), 0),
            Operand::Symbol(sym, offset) => Operand::Addr(Base::Sym(sym), offset),
            other => other,
        };
        let map = self.address_in(map, Window::Generic, false)?;
        let at = self.body.list(at).to_vec();
        let at = at.into_iter().map(|x| self.source(x, Ty::S32)).collect::<Decoded<Vec<_>>>()?;
        let columns = match offsets {
            Some(Operand::Vec(list)) => {
                let list = self.body.list(list).to_vec();
                Some(list.into_iter().map(|x| self.source(x, Ty::U16)).collect::<Decoded<Vec<_>>>()?)
            }
            Some(_) => return Err("offsets".into()),
            None if self.has(Mod::Im2colNoOffs) => Some(Vec::new()),
            None => None,
        };
        Ok(Tensor { map, at, columns, direction })
    }

    /// Returns the reduction of each element type.
    fn reductions(&self) -> Vec<Option<AtomOp>> {
        let row = REDUCTIONS.iter().find(|(mods, _)| mods.iter().any(|&m| self.has(m)));
        let types = row.map_or(&[][..], |(_, types)| types);
        let op = |&element: &Element| self.atom_op(ty(element)).ok().filter(|_| types.contains(&element));
        Element::ALL.iter().map(op).collect()
    }

    fn field(&mut self) -> Decoded<(Address, Field, Row)> {
        let operands = self.operands();
        let (at, ord, value) = match *operands.as_slice() {
            [at, value] => (at, 0, value),
            [at, Operand::Imm(ord), value] => (at, ord.bits as usize, value),
            _ => return Err("operands".into()),
        };
        let fields = [
            (Mod::GlobalAddress, Field::GlobalAddress),
            (Mod::Rank, Field::Rank),
            (Mod::BoxDim, Field::BoxDim(ord)),
            (Mod::GlobalDim, Field::GlobalDim(ord)),
            (Mod::GlobalStride, Field::GlobalStride(ord)),
            (Mod::ElementStride, Field::ElementStride(ord)),
            (Mod::Elemtype, Field::ElementType),
            (Mod::InterleaveLayout, Field::Interleave),
            (Mod::SwizzleMode, Field::Swizzle),
            (Mod::FillMode, Field::Fill),
        ];
        let field = fields.into_iter().find(|(m, _)| self.has(*m)).ok_or("field")?.1;
        let at = self.address(at)?;
        Ok((at, field, self.source(value, Ty::B64)?))
    }
}
