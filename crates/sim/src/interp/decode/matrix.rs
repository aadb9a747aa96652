//! Decodes matrix instructions.

use super::super::code::*;
use super::super::matrix::{
    Arithmetic, Element, Fragment, Machine, MatrixOp, Multiply, Operand as Registers, Product, Role, Scheme, Shape,
    Sparse, Transfer,
};
use super::{Decoded, Decoder, int};
use crate::float::IntType;
use raddle_ptx::{Mod, Op, Operand, Ty};

/// Types of D, A, B and C.
struct Types {
    d: Ty,
    a: Ty,
    b: Ty,
    c: Ty,
}

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn matrix(&mut self, op: Op) -> Decoded<bool> {
        match op {
            Op::Mma => self.mma()?,
            Op::WmmaMma => self.wmma()?,
            Op::WmmaLoad => self.transfer(true)?,
            Op::WmmaStore => self.transfer(false)?,
            Op::Ldmatrix => {
                let [d, address] = self.exactly()?;
                self.eight_by_eight()?;
                let address = self.address(address)?;
                let dst = self.elements(d).into_iter().map(|x| self.target(x)).collect::<Decoded<Vec<_>>>()?;
                self.whole(MatrixOp::Load { address, dst, transposed: self.has(Mod::Trans) });
            }
            Op::Stmatrix => {
                let [address, src] = self.exactly()?;
                self.eight_by_eight()?;
                let address = self.address(address)?;
                let src = self.sources(src, Ty::B32)?;
                self.whole(MatrixOp::Store { address, src, transposed: self.has(Mod::Trans) });
            }
            Op::Movmatrix => {
                let [d, src] = self.exactly()?;
                let (dst, src) = (self.target(d)?, self.source(src, Ty::B32)?);
                self.whole(MatrixOp::Transpose { dst, src });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn eight_by_eight(&self) -> Decoded<()> {
        if self.has(Mod::M8n8) && self.ty(0)? == Ty::B16 { Ok(()) } else { Err("form for sm_100".into()) }
    }

    /// Appends an instruction at which all lanes meet, and only at this one.
    fn whole(&mut self, op: MatrixOp) {
        let members = self.constant(u64::from(u32::MAX));
        let meeting = self.meeting_here();
        self.push(Kind::Warp(Box::new(WarpSync { op: SyncOp::Matrix(Box::new(op)), members, meeting })));
    }

    /// Returns a number of this instruction alone.
    fn meeting_here(&mut self) -> u32 {
        let next = self.meetings.len() as u32;
        let here = format!("{:?} of {:?}", self.inst, self.function.id);
        *self.meetings.entry(here).or_insert(next)
    }

    /// The registers of a fragment with elements of `ty`, several of which share a register of 32 bits.
    fn sources(&mut self, operand: Operand, ty: Ty) -> Decoded<Vec<Row>> {
        let ty = if matches!(ty, Ty::F32 | Ty::F64) { ty } else { Ty::B32 };
        self.elements(operand).into_iter().map(|x| self.source(x, ty)).collect()
    }

    fn shape(&self) -> Decoded<Shape> {
        let found = self.body.mods(self.inst()).iter().find_map(|m| Shape::parse(m.name()));
        found.ok_or_else(|| "shape".into())
    }

    /// The generation of tensor cores.
    fn machine(&self) -> Decoded<Machine> {
        let sm = self.layout.sm;
        Machine::of_sm(sm).ok_or_else(|| format!("the tensor cores of sm_{sm} are not modelled"))
    }

    fn mma(&mut self) -> Decoded<()> {
        if self.has(Mod::BlockScale) || self.has(Mod::KindF8f6f4) {
            return Err("form for sm_100".into());
        }
        let shape = self.shape()?;
        let types = Types { d: self.ty(0)?, a: self.ty(1)?, b: self.ty(2)?, c: self.ty(3)? };
        let by_rows: Vec<bool> = self
            .body
            .mods(self.inst())
            .iter()
            .filter(|m| matches!(m, Mod::Row | Mod::Col))
            .map(|&m| m == Mod::Row)
            .collect();
        let [a_by_rows, b_by_rows] = by_rows[..] else { return Err("layouts".into()) };
        let quads = types.a == Ty::F16 && shape.m == 8;
        let schemes = if quads {
            let quads = |major| Scheme::Quads { major };
            [quads(!a_by_rows), quads(b_by_rows), quads(false)]
        } else {
            [Scheme::Plain; 3]
        };
        let product = match types.a {
            Ty::F16 | Ty::Bf16 | Ty::Tf32 | Ty::E4m3 | Ty::E5m2 => {
                let half = types.d == Ty::F16;
                let machine = self.machine()?;
                let widen = types.c == Ty::F16 && (!half || quads && machine > Machine::Turing);
                match quads && machine > Machine::Turing {
                    true => Product { arithmetic: Arithmetic::Scalar { half }, widen, narrow: half },
                    false => Product { widen, ..Product::plain(tensor(machine, &types, half)?) },
                }
            }
            _ => self.exact(&types)?,
        };
        let operands = self.operands();
        let [d, a, b, c, rest @ ..] = operands.as_slice() else { return Err("operands".into()) };
        let mut multiply = self.multiply(shape, &types, schemes, product, [*d, *a, *b, *c])?;
        if self.has(Mod::Sp) || self.has(Mod::SpOrderedMetadata) {
            let [metadata, Operand::Imm(selector)] = rest else { return Err("selector".into()) };
            let metadata = self.source(*metadata, Ty::B32)?;
            let sparse = Sparse {
                element: multiply.a.fragment.element,
                registers: multiply.a.rows.len() as u32,
                selector: selector.bits as u32,
                ordered: self.has(Mod::SpOrderedMetadata),
            };
            multiply.sparse = Some((metadata, sparse));
        }
        check(&multiply)?;
        self.whole(MatrixOp::Multiply(Box::new(multiply)));
        Ok(())
    }

    fn wmma(&mut self) -> Decoded<()> {
        let shape = self.shape()?;
        let types = match *self.body.types(self.inst()) {
            [d, c] => Types { d, a: Ty::F16, b: Ty::F16, c },
            [d, a, b, c] => Types { d, a, b, c },
            _ => return Err("types".into()),
        };
        let product = match types.a {
            Ty::F16 | Ty::Bf16 | Ty::Tf32 if self.has(Mod::Satfinite) => {
                return Err(".satfinite of floating-point types".into());
            }
            Ty::F16 | Ty::Bf16 | Ty::Tf32 => {
                // Mixed types of C and D: ptxas 13.0.88 multiplies with binary32 and converts.
                let half = types.d == Ty::F16 && types.c == Ty::F16;
                let mut arithmetic = tensor(self.machine()?, &types, half)?;
                if let Arithmetic::Tensor { rule, a: Element::Tf32, .. } = &mut arithmetic {
                    // ptxas 13.0.88 makes two products of m16n8k4 of each half.
                    rule.block = rule.block.min(4);
                }
                Product { arithmetic, widen: !half && types.c == Ty::F16, narrow: !half && types.d == Ty::F16 }
            }
            _ => self.exact(&types)?,
        };
        let operands = self.exactly()?;
        let multiply = self.multiply(shape, &types, [scheme_of_wmma(shape); 3], product, operands)?;
        check(&multiply)?;
        self.whole(MatrixOp::Multiply(Box::new(multiply)));
        Ok(())
    }

    /// The products that are the same on all machines.
    fn exact(&self, types: &Types) -> Decoded<Product> {
        let integer = |ty| match ty {
            Ty::S4 => Ok(IntType { bits: 4, signed: true }),
            Ty::U4 => Ok(IntType { bits: 4, signed: false }),
            Ty::S8 | Ty::U8 => int(ty),
            _ => Err(format!("type .{}", ty.name())),
        };
        Ok(Product::plain(match types.a {
            Ty::F64 => Arithmetic::Double(self.mode()),
            Ty::B1 => Arithmetic::Bits { xor: self.has(Mod::Xor) },
            _ => {
                let saturate = self.has(Mod::Satfinite);
                Arithmetic::Integer { a: integer(types.a)?, b: integer(types.b)?, saturate }
            }
        }))
    }

    fn multiply(
        &mut self,
        shape: Shape,
        types: &Types,
        [of_a, of_b, of_c]: [Scheme; 3],
        product: Product,
        [d, a, b, c]: [Operand; 4],
    ) -> Decoded<Multiply> {
        let fragment = |role, ty, scheme| fragment(role, shape, ty, scheme);
        let rows = self.elements(d).into_iter().map(|x| self.target(x)).collect::<Decoded<Vec<_>>>()?;
        Ok(Multiply {
            product,
            d: Registers { fragment: fragment(Role::C, types.d, of_c)?, rows },
            a: Registers { fragment: fragment(Role::A, types.a, of_a)?, rows: self.sources(a, types.a)? },
            b: Registers { fragment: fragment(Role::B, types.b, of_b)?, rows: self.sources(b, types.b)? },
            c: Registers { fragment: fragment(Role::C, types.c, of_c)?, rows: self.sources(c, types.c)? },
            sparse: None,
        })
    }

    /// `wmma.load` and `wmma.store`.
    fn transfer(&mut self, load: bool) -> Decoded<()> {
        let shape = self.shape()?;
        let ty = self.ty(0)?;
        let by_rows = self.has(Mod::Row);
        let role = if self.has(Mod::A) {
            Role::A
        } else if self.has(Mod::B) {
            Role::B
        } else {
            Role::C
        };
        let fragment = fragment(role, shape, ty, scheme_of_wmma(shape))?;
        let operands = self.operands();
        let [first, second, rest @ ..] = operands.as_slice() else { return Err("operands".into()) };
        let (registers, address) = if load { (*first, *second) } else { (*second, *first) };
        let address = self.address(address)?;
        let stride = match rest {
            [] => {
                let (rows, columns) = fragment.extent();
                self.constant(u64::from(if by_rows { columns } else { rows }))
            }
            [stride] => self.source(*stride, Ty::U32)?,
            _ => return Err("operands".into()),
        };
        let rows = if load {
            self.elements(registers).into_iter().map(|x| self.target(x)).collect::<Decoded<Vec<_>>>()?
        } else {
            self.sources(registers, ty)?
        };
        let transfer = Transfer { operand: Registers { fragment, rows }, address, stride, by_rows };
        covers(&transfer.operand, 0)?;
        let transfer = Box::new(transfer);
        self.whole(if load { MatrixOp::LoadFragment(transfer) } else { MatrixOp::StoreFragment(transfer) });
        Ok(())
    }
}

fn scheme_of_wmma(shape: Shape) -> Scheme {
    if shape.m == 8 && shape.n == 8 { Scheme::Plain } else { Scheme::Tiles }
}

fn fragment(role: Role, shape: Shape, ty: Ty, scheme: Scheme) -> Decoded<Fragment> {
    let element = match ty {
        Ty::B1 => 1,
        Ty::S4 | Ty::U4 => 4,
        Ty::S8 | Ty::U8 | Ty::E4m3 | Ty::E5m2 => 8,
        Ty::F16 | Ty::Bf16 => 16,
        Ty::Tf32 | Ty::F32 | Ty::S32 => 32,
        Ty::F64 => 64,
        _ => return Err(format!("type .{}", ty.name())),
    };
    Ok(Fragment { role, shape, register: element.max(32), element, scheme })
}

fn tensor(machine: Machine, types: &Types, half: bool) -> Decoded<Arithmetic> {
    let element = |ty| match ty {
        Ty::F16 => Ok(Element::F16),
        Ty::Bf16 => Ok(Element::Bf16),
        Ty::Tf32 => Ok(Element::Tf32),
        Ty::E4m3 => Ok(Element::E4m3),
        Ty::E5m2 => Ok(Element::E5m2),
        _ => Err(format!("type .{}", ty.name())),
    };
    Arithmetic::tensor(machine, element(types.a)?, element(types.b)?, half)
        .ok_or_else(|| format!("no tensor core of {machine:?} has .{}", types.a.name()))
}

/// Checks the number of registers of all operands.
fn check(multiply: &Multiply) -> Decoded<()> {
    let a = if multiply.sparse.is_some() { 1 } else { 0 };
    [(&multiply.a, a), (&multiply.b, 0), (&multiply.c, 0), (&multiply.d, 0)]
        .into_iter()
        .try_for_each(|(operand, halves)| covers(operand, halves))
}

/// Checks that registers hold the whole matrix, halved this many times, once or several times.
fn covers(operand: &Registers, halves: u32) -> Decoded<()> {
    let (rows, columns) = operand.fragment.extent();
    let held = operand.rows.len() as u32 * operand.fragment.elements() * 32;
    let all = (rows * columns) >> halves;
    if held >= all && held.is_multiple_of(all) { Ok(()) } else { Err(format!("{} registers", operand.rows.len())) }
}
