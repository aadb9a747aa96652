//! Texture lookups and surface accesses ("ptxas 13.0.88 output").
//!
//! From sm_90 on handles are in uniform registers: a pair, texture and sampler, or one of a surface;
//! [`crate::expand`] has arranged that the active lanes agree on them. Before, they are in a
//! register: texture and sampler in one word.

use raddle_cubin::unit::RelocKind;
use raddle_ir::{
    Op, Sign, Surf, SurfCache, SurfClamp, SurfData, SurfOp, SurfRed, SurfTy, SurfUnit, Sym, Tex, TexBound, TexCompare,
    TexDim, TexKind, TexMissing, TexOffset, TexSample, TexTable, Value,
};
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use super::{Imm, Imm2, Part, Pd, Ra, Rb, Rc, Rd, Select, imm};
use crate::mir::{MKind, MOp, MReloc, MTarget, Regs, V};
use crate::sass::{self, Mnemonic, tokens as t};

/// Bits of the word of a texture and its sampler that number the texture.
const TEXTURE_BITS: u32 = 20;
/// Truth table of `a & b`.
const AND: u32 = 0xc0;
/// Truth table of `(a & c) | (b & ~c)`.
const MERGE: u32 = 0xe2;
/// The extents among the fields of a texture header.
const EXTENTS: u32 = 0;

impl Select<'_> {
    pub(super) fn texture(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        match *op {
            Op::Tex(tex) => self.lookup(tex, args, results),
            Op::TexExtent(axis) => self.extent(axis, args, results[0]),
            Op::TexHandle(bound, sym) => self.bound(bound, sym, results[0]),
            Op::TexRow(table, size) => self.row(table, size, args[0], results[0]),
            Op::SurfLoad(surf) => self.surface_load(surf, args, results),
            Op::SurfStore(surf) => self.surface_store(surf, args),
            Op::SurfRed(red) => self.surface_reduction(red, args),
            _ => self.refuse(),
        }
    }

    /// The word behind the parameters with a handle. Before sm_90 that of a sampler has its number
    /// above the bits of a texture's, as both linkers let the driver write it.
    fn bound(&mut self, bound: TexBound, sym: Sym, r: Value) {
        let kind = match bound {
            TexBound::Texture => RelocKind::TextureWord,
            TexBound::Sampler => RelocKind::SamplerWord,
            TexBound::Surface => RelocKind::SurfaceWord,
        };
        let reloc = MReloc { kind, of: MTarget::Sym(sym), addend: 0 };
        let d = self.m.vreg(File::Gpr);
        self.emit_full(sass::mov(), &[(Rd, MOp::reg(d)), (Rb, MOp::cbank(0, 0))], Some(reloc));
        let d = match bound {
            TexBound::Sampler if !self.hopper() => {
                let number = [(Ra, MOp::zero()), (Rb, imm(TEXTURE_BITS)), (Rc, MOp::reg(d))];
                self.emit1(sass::shf_r_hi(t::Int32::U32), &number)
            }
            _ => d,
        };
        self.set_regs(r, &[d]);
    }

    /// Table + number * size of a row. The driver knows that size.
    fn row(&mut self, table: TexTable, size: Sym, handle: Value, r: Value) {
        let place = match table {
            TexTable::Unified | TexTable::Independent => 0,
            TexTable::Samplers => 1,
            TexTable::Surfaces => 2,
        };
        let reloc = MReloc { kind: RelocKind::RowSize, of: MTarget::Sym(size), addend: 0 };
        let bytes = self.m.vreg(File::Gpr);
        self.emit_full(sass::mov(), &[(Rd, MOp::reg(bytes)), (Rb, imm(0))], Some(reloc));
        let handle = self.part(handle);
        let (handle, mask) = (MOp::reg(self.reg(handle)), imm((1 << TEXTURE_BITS) - 1));
        let number = Part::Reg(self.emit1(sass::lop3(), &[(Ra, handle), (Rb, mask), (Imm, imm(AND))]));
        let at = i32::from(self.native.cbank.texture_tables) + 8 * place;
        let start = [0, 4].map(|half| Part::Reg(self.emit1(sass::mov(), &[(Rb, MOp::cbank(0, at + half))])));
        let address = self.mad_wide(Sign::U, number, Part::Reg(bytes), &start);
        self.set(r, &address);
    }

    /// The word of a texture and its sampler, before sm_90.
    pub(super) fn joined_handle(&mut self, handles: &[Value]) -> Part {
        let texture = self.part(handles[0]);
        let Some(&sampler) = handles.get(1) else { return texture };
        let sampler = self.part(sampler);
        let sampler = MOp::reg(self.reg(sampler));
        let by = imm(TEXTURE_BITS);
        let high = self.emit1(sass::shf_l(), &[(Ra, sampler), (Rb, by), (Rc, MOp::zero())]);
        let texture = MOp::reg(self.reg(texture));
        let mask = imm((1 << TEXTURE_BITS) - 1);
        let given = [(Ra, texture), (Rb, mask), (Rc, MOp::reg(high)), (Imm, imm(MERGE))];
        Part::Reg(self.emit1(sass::lop3(), &given))
    }

    /// The uniform registers of a texture and its sampler.
    fn uniform_handles(&mut self, handles: &[Value]) -> MOp {
        let mut given = self.uniform(handles);
        if let (1, MKind::Regs(registers)) = (handles.len(), &mut given.kind) {
            let none = self.m.vreg(File::Ugpr);
            self.emit(sass::umov(), &[(Rd, MOp::reg(none)), (Imm, imm(0))]);
            registers.push(none);
        }
        given
    }

    /// Registers of parts, as one operand; `RZ` for none.
    fn list(&mut self, parts: &[Part]) -> MOp {
        if parts.is_empty() { MOp::zero() } else { self.regs(parts) }
    }

    fn lookup(&mut self, tex: Tex, args: &[Value], results: &[Value]) {
        if tex.kind == TexKind::Quad {
            return self.quad_lookup(tex, args, results);
        }
        let (handles, rest) = args.split_at(tex.handles());
        let parts: Vec<Part> = rest.iter().map(|&v| self.part(v)).collect();
        let (first, second) = parts.split_at(tex.arguments().0);
        let (mut first, mut second) = (first.to_vec(), second.to_vec());
        let hopper = self.hopper();
        let mut given: SmallVec<[(SlotRole, MOp); 8]> = SmallVec::new();
        if hopper {
            given.extend([(Rc, self.uniform_handles(handles)), (Imm2, imm(0))]);
        } else {
            let handle = self.joined_handle(handles);
            if tex.kind == TexKind::Gradient { first.insert(0, handle) } else { second.insert(0, handle) }
        }
        given.push((Ra, self.list(&first)));
        given.push((Rb, self.list(&second)));
        let (dim, _) = dimension(tex.dim);
        given.push((SlotRole::Misc, imm(dim)));
        given.push((Imm, imm(tex.mask.into())));
        let channels = tex.mask.count_ones() as usize;
        let d: SmallVec<[V; 4]> = (0..channels).map(|_| self.m.vreg(File::Gpr)).collect();
        given.push((Rd, MOp::regs(&d[..channels.min(2)])));
        if channels > 2 {
            given.push((SlotRole::Re, MOp::regs(&d[2..])));
        }
        let missing = (tex.missing == TexMissing::Yes).then(|| self.m.vreg(File::Pred));
        given.extend(missing.map(|p| (Pd, MOp::reg(p))));
        self.emit(lookup_name(tex, hopper), &given);
        for (&r, v) in results.iter().zip(&d) {
            self.set_regs(r, &[*v]);
        }
        if let (Some(p), Some(&r)) = (missing, results.last()) {
            self.set_pred(r, super::Pred::Reg(p, false));
        }
    }

    fn extent(&mut self, axis: u8, args: &[Value], result: Value) {
        let level = self.part(args[1]);
        let mut given: SmallVec<[(SlotRole, MOp); 8]> = SmallVec::new();
        let hopper = self.hopper();
        if hopper {
            given.extend([(Rc, self.uniform_handles(&args[..1])), (Imm2, imm(0))]);
            given.push((Ra, self.regs(&[level])));
        } else {
            let handle = self.part(args[0]);
            given.push((Ra, self.regs(&[handle, level])));
        }
        let d = self.m.vreg(File::Gpr);
        given.extend([(SlotRole::Misc, imm(EXTENTS)), (Imm, imm(1 << axis)), (Rd, MOp::reg(d))]);
        self.emit(sass::txq(if hopper { t::InRegister::None } else { t::InRegister::B }), &given);
        self.set_regs(result, &[d]);
    }

    /// The operands of a surface access: address and handle; returns the words of data.
    fn surface(&mut self, dim: TexDim, args: &[Value], given: &mut Vec<(SlotRole, MOp)>) -> Vec<Part> {
        let count = raddle_ir::verify::surface_args(dim);
        let parts: Vec<Part> = args[1..].iter().map(|&v| self.part(v)).collect();
        let (at, data) = parts.split_at(count - 1);
        let base: Regs = at.iter().map(|&p| self.reg(p)).collect();
        given.push((SlotRole::Addr, MOp::new(MKind::Addr { base, phys: None, desc: None, offset: 0 })));
        if self.hopper() {
            given.extend([(Rc, self.uniform(&args[..1])), (Imm2, imm(0))]);
        } else {
            let handle = self.part(args[0]);
            given.push((Rc, MOp::reg(self.reg(handle))));
        }
        data.to_vec()
    }

    fn surface_load(&mut self, surf: Surf, args: &[Value], results: &[Value]) {
        let mut given = Vec::new();
        self.surface(surf.dim, args, &mut given);
        let Some(size) = size_of(surf.data) else { return self.refuse() };
        let (cache, order) = caching(surf.cache);
        let name = sass::suld(dimension(surf.dim).1, cache, size, order, outside(surf.clamp));
        let d = self.emit_wide(surf.data.words(), name, &given);
        for (&r, v) in results.iter().zip(d) {
            self.set_regs(r, &[v]);
        }
    }

    fn surface_store(&mut self, surf: Surf, args: &[Value]) {
        let mut given = Vec::new();
        let data = self.surface(surf.dim, args, &mut given);
        given.push((Rb, self.regs(&data)));
        let (cache, order) = caching(surf.cache);
        let (dim, outside) = (dimension(surf.dim).1, outside(surf.clamp));
        let name = match (size_of(surf.data), surf.data) {
            (Some(size), _) => sass::sust(dim, cache, size, order, outside),
            (None, SurfData::C1) => sass::sust_p(dim, cache, order, t::SurfChannels::R, outside),
            (None, SurfData::C2) => sass::sust_p(dim, cache, order, t::SurfChannels::Rg, outside),
            (None, _) => sass::sust_p(dim, cache, order, t::SurfChannels::None, outside),
        };
        self.emit(name, &given);
    }

    fn surface_reduction(&mut self, red: SurfRed, args: &[Value]) {
        let mut given = Vec::new();
        let data = self.surface(red.dim, args, &mut given);
        given.push((Rb, self.regs(&data)));
        let bytes = if red.unit == SurfUnit::Bytes { t::SurfBytes::Ba } else { t::SurfBytes::None };
        let op = match red.op {
            SurfOp::Add => t::SurfOp::Add,
            SurfOp::Min => t::SurfOp::Min,
            SurfOp::Max => t::SurfOp::Max,
            SurfOp::And => t::SurfOp::And,
            SurfOp::Or => t::SurfOp::Or,
        };
        let ty = match red.ty {
            SurfTy::U32 => t::SurfType::None,
            SurfTy::S32 => t::SurfType::S32,
            SurfTy::U64 => t::SurfType::U64,
            SurfTy::S64 => t::SurfType::S64,
            SurfTy::Own32 => t::SurfType::Sd32,
            SurfTy::Own64 => t::SurfType::Sd64,
        };
        self.emit(sass::sured(bytes, dimension(red.dim).1, op, ty, outside(red.clamp)), &given);
    }
}

fn lookup_name(tex: Tex, hopper: bool) -> Mnemonic {
    let b = if hopper { t::InRegister::None } else { t::InRegister::B };
    let offset = if tex.offset == TexOffset::Yes { t::Aoffi::Aoffi } else { t::Aoffi::None };
    let compare = if tex.compare == TexCompare::Yes { t::Dc::Dc } else { t::Dc::None };
    let sample = if tex.sample == TexSample::Yes { t::Ms::Ms } else { t::Ms::None };
    let gather = |channel| sass::tld4(channel, b, offset, compare);
    match tex.kind {
        TexKind::Quad => sass::tex_quad(b, offset, compare),
        TexKind::Sample => sass::tex(b, t::TexLevel::Ll, offset, compare),
        TexKind::Fetch => sass::tld(b, t::TldLevel::Ll, offset, sample, t::Cl::Cl),
        TexKind::FetchBase => sass::tld(b, t::TldLevel::Lz, offset, sample, t::Cl::None),
        TexKind::Gradient => sass::txd(b, offset),
        TexKind::GatherR => gather(t::Gathered::R),
        TexKind::GatherG => gather(t::Gathered::G),
        TexKind::GatherB => gather(t::Gathered::B),
        TexKind::GatherA => gather(t::Gathered::A),
    }
}

/// The number of the dimensions of a texture, and the token of those of a surface.
pub(super) fn dimension(dim: TexDim) -> (u32, t::SurfDim) {
    match dim {
        TexDim::D1 => (0, t::SurfDim::N1d),
        TexDim::D2 => (1, t::SurfDim::N2d),
        TexDim::D3 => (2, t::SurfDim::N3d),
        // Surfaces have no cubes.
        TexDim::Cube => (3, t::SurfDim::N3d),
        TexDim::A1 => (4, t::SurfDim::N1dArray),
        TexDim::A2 => (5, t::SurfDim::N2dArray),
        TexDim::ACube => (7, t::SurfDim::N2dArray),
    }
}

fn outside(clamp: SurfClamp) -> t::SurfOutside {
    match clamp {
        SurfClamp::Trap => t::SurfOutside::Trap,
        SurfClamp::Clamp => t::SurfOutside::None,
        SurfClamp::Zero => t::SurfOutside::Ign,
    }
}

fn caching(cache: SurfCache) -> (t::SurfEf, t::SurfOrder) {
    match cache {
        SurfCache::Near => (t::SurfEf::None, t::SurfOrder::StrongSm),
        SurfCache::Far => (t::SurfEf::None, t::SurfOrder::StrongSys),
        SurfCache::Stream => (t::SurfEf::Ef, t::SurfOrder::StrongSm),
    }
}

/// The size of an access by bytes.
fn size_of(data: SurfData) -> Option<t::SurfSize> {
    match data {
        SurfData::B8 => Some(t::SurfSize::U8),
        SurfData::B16 => Some(t::SurfSize::U16),
        SurfData::B32 => Some(t::SurfSize::None),
        SurfData::B64 => Some(t::SurfSize::N64),
        SurfData::B128 => Some(t::SurfSize::N128),
        SurfData::C1 | SurfData::C2 | SurfData::C4 => None,
    }
}
