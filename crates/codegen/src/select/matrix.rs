//! Matrix products, and the instructions that move their fragments.

use raddle_ir::{Mma, MmaKind, MmaShape, MmaTy, Rnd, Sat, Space, Value};
use raddle_sass::SlotRole::Rx;

use super::{Imm, Part, Ra, Rb, Rc, Select, SlotRole, imm};
use crate::mir::MOp;
use crate::sass::{self, Mnemonic, tokens as t};

impl Select<'_> {
    pub(super) fn mma(&mut self, m: Mma, args: &[Value], results: &[Value]) {
        let (a, b, c) = raddle_ir::verify::mma_pieces(&m);
        let Some(name) = product(&m, self.hopper()) else { return self.refuse() };
        let parts: Vec<Part> = args.iter().map(|&v| self.part(v)).collect();
        self.whole_warp();
        let (x, y) = (self.regs(&parts[..a]), self.regs(&parts[a..a + b]));
        let of_c = &parts[a + b..a + b + c];
        let z = if of_c.iter().all(|p| matches!(p, Part::Imm(0))) { MOp::zero() } else { self.regs(of_c) };
        let mut given = vec![(Ra, x), (Rb, y), (Rc, z)];
        if let (Some(selector), Some(&metadata)) = (m.kind.selector(), parts.get(a + b + c)) {
            let metadata = MOp::reg(self.reg(metadata));
            given.extend([(Rx, metadata), (Imm, imm(selector.into()))]);
        }
        let d = self.emit_wide(c, name, &given);
        for (&r, v) in results.iter().zip(d) {
            self.set_regs(r, &[v]);
        }
    }

    pub(super) fn movmatrix(&mut self, a: Value, result: Value) {
        self.whole_warp();
        let a = self.part(a);
        let a = MOp::reg(self.reg(a));
        let v = self.emit1(sass::movm(), &[(Ra, a)]);
        self.set_regs(result, &[v]);
    }

    pub(super) fn ldmatrix(&mut self, n: u8, transposed: u8, a: Value, results: &[Value]) {
        self.whole_warp();
        let a = self.addr(a, Space::Shared, 0);
        let (matrix, count) = matrices(n, transposed);
        let v = self.emit_wide(usize::from(n), sass::ldsm(matrix, count), &[(SlotRole::Addr, a)]);
        for (&r, v) in results.iter().zip(v) {
            self.set_regs(r, &[v]);
        }
    }

    pub(super) fn stmatrix(&mut self, n: u8, transposed: u8, args: &[Value]) {
        self.whole_warp();
        let a = self.addr(args[0], Space::Shared, 0);
        let parts: Vec<Part> = args[1..].iter().map(|&v| self.part(v)).collect();
        let value = self.regs(&parts);
        let (matrix, count) = matrices(n, transposed);
        self.emit(sass::stsm(matrix, count), &[(SlotRole::Addr, a), (Rb, value)]);
    }
}

fn matrices(n: u8, transposed: u8) -> (t::Matrix, t::Matrices) {
    let count = match n {
        1 => t::Matrices::None,
        2 => t::Matrices::N2,
        _ => t::Matrices::N4,
    };
    (if transposed == 1 { t::Matrix::Mt88 } else { t::Matrix::M88 }, count)
}

/// The instruction of a product; `None` if the machine has none.
fn product(m: &Mma, hopper: bool) -> Option<Mnemonic> {
    let sparse = m.kind.selector().is_some();
    let single = m.d == MmaTy::F32;
    let brain = if m.a == MmaTy::Bf16 { t::Brain::Bf16 } else { t::Brain::None };
    let sat = if m.sat == Sat::Yes { t::Sat::Sat } else { t::Sat::None };
    Some(match (m.a, sparse) {
        (MmaTy::F16 | MmaTy::Bf16, false) if single => sass::hmma_f32(shape_16(m.shape)?, brain),
        (MmaTy::F16, false) => sass::hmma_f16(shape_16(m.shape)?),
        (MmaTy::Tf32, false) if m.shape == MmaShape::M16n8k4 => sass::hmma_tf32(t::ShapeTf32::N1684),
        (MmaTy::Tf32, false) if m.shape == MmaShape::M16n8k8 => sass::hmma_tf32(t::ShapeTf32::N1688),
        (MmaTy::F16 | MmaTy::Bf16, true) if single => sass::hmma_sp_f32(sparse_16(m.shape)?, brain),
        (MmaTy::F16, true) => sass::hmma_sp_f16(sparse_16(m.shape)?),
        (MmaTy::Tf32, true) => sass::hmma_sp_tf32(shape_16(m.shape)?),
        (MmaTy::S8 | MmaTy::U8, false) => sass::imma(shape_8(m.shape)?, byte(m.a), byte(m.b), sat),
        (MmaTy::S4 | MmaTy::U4, false) if !hopper => sass::imma_4(shape_4(m.shape)?, nibble(m.a), nibble(m.b), sat),
        (MmaTy::S8 | MmaTy::U8, true) => sass::imma_sp(sparse_8(m.shape)?, byte(m.a), byte(m.b), sat),
        (MmaTy::S4 | MmaTy::U4, true) if !hopper => sass::imma_sp_4(sparse_4(m.shape)?, nibble(m.a), nibble(m.b), sat),
        (MmaTy::E4m3 | MmaTy::E5m2, false) if !hopper => {
            let (shape, a, b) = (shape_quarter(m.shape)?, quarter(m.a), quarter(m.b));
            if single { sass::qmma_f32(shape, a, b) } else { sass::qmma_f16(shape, a, b) }
        }
        (MmaTy::E4m3 | MmaTy::E5m2, true) if single && !hopper => sass::qmma_sp_f32(quarter(m.a), quarter(m.b)),
        (MmaTy::B1, _) if m.kind == MmaKind::And => sass::bmma(shape_1(m.shape)?, t::BitOp::And),
        (MmaTy::B1, _) if !hopper => sass::bmma(shape_1(m.shape)?, t::BitOp::Xor),
        (MmaTy::F64, _) if hopper => sass::dmma(shape_64(m.shape)?, round(m.rnd)),
        (MmaTy::F64, _) if m.shape == MmaShape::M8n8k4 => sass::dmma_884(round(m.rnd)),
        _ => return None,
    })
}

fn shape_16(shape: MmaShape) -> Option<t::Shape16> {
    match shape {
        MmaShape::M16n8k16 => Some(t::Shape16::N16816),
        MmaShape::M16n8k8 => Some(t::Shape16::N1688),
        _ => None,
    }
}

fn sparse_16(shape: MmaShape) -> Option<t::ShapeSparse> {
    match shape {
        MmaShape::M16n8k16 => Some(t::ShapeSparse::N16816),
        MmaShape::M16n8k32 => Some(t::ShapeSparse::N16832),
        _ => None,
    }
}

fn shape_8(shape: MmaShape) -> Option<t::Shape8> {
    match shape {
        MmaShape::M8n8k16 => Some(t::Shape8::N8816),
        MmaShape::M16n8k16 => Some(t::Shape8::N16816),
        MmaShape::M16n8k32 => Some(t::Shape8::N16832),
        _ => None,
    }
}

fn shape_4(shape: MmaShape) -> Option<t::Shape4> {
    match shape {
        MmaShape::M8n8k32 => Some(t::Shape4::N8832),
        MmaShape::M16n8k32 => Some(t::Shape4::N16832),
        MmaShape::M16n8k64 => Some(t::Shape4::N16864),
        _ => None,
    }
}

fn sparse_8(shape: MmaShape) -> Option<t::ShapeSparse8> {
    match shape {
        MmaShape::M16n8k32 => Some(t::ShapeSparse8::N16832),
        MmaShape::M16n8k64 => Some(t::ShapeSparse8::N16864),
        _ => None,
    }
}

fn sparse_4(shape: MmaShape) -> Option<t::ShapeSparse4> {
    match shape {
        MmaShape::M16n8k64 => Some(t::ShapeSparse4::N16864),
        MmaShape::M16n8k128 => Some(t::ShapeSparse4::N168128),
        _ => None,
    }
}

fn shape_quarter(shape: MmaShape) -> Option<t::ShapeQuarter> {
    match shape {
        MmaShape::M16n8k16 => Some(t::ShapeQuarter::N16816),
        MmaShape::M16n8k32 => Some(t::ShapeQuarter::N16832),
        _ => None,
    }
}

fn shape_1(shape: MmaShape) -> Option<t::Shape1> {
    match shape {
        MmaShape::M8n8k128 => Some(t::Shape1::N88128),
        MmaShape::M16n8k128 => Some(t::Shape1::N168128),
        MmaShape::M16n8k256 => Some(t::Shape1::N168256),
        _ => None,
    }
}

fn shape_64(shape: MmaShape) -> Option<t::Shape64> {
    match shape {
        MmaShape::M8n8k4 => Some(t::Shape64::N8x8x4),
        MmaShape::M16n8k4 => Some(t::Shape64::N16x8x4),
        MmaShape::M16n8k8 => Some(t::Shape64::N16x8x8),
        MmaShape::M16n8k16 => Some(t::Shape64::N16x8x16),
        _ => None,
    }
}

fn byte(ty: MmaTy) -> t::Byte {
    if ty == MmaTy::S8 { t::Byte::S8 } else { t::Byte::U8 }
}

fn nibble(ty: MmaTy) -> t::Nibble {
    if ty == MmaTy::S4 { t::Nibble::S4 } else { t::Nibble::U4 }
}

fn quarter(ty: MmaTy) -> t::Float8 {
    if ty == MmaTy::E4m3 { t::Float8::E4m3 } else { t::Float8::E5m2 }
}

fn round(rnd: Rnd) -> t::Round {
    match rnd {
        Rnd::Rz => t::Round::Rz,
        Rnd::Rm => t::Round::Rm,
        Rnd::Rp => t::Round::Rp,
        Rnd::Rn | Rnd::Rna => t::Round::None,
    }
}
