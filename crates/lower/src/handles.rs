//! Handles of textures, samplers and surfaces: values, names that the driver binds, and queries.
//!
//! A handle is a number, and a bit that tells what it is of ("ptxas 13.0.88 output"). Extents are
//! in the header of a texture; other fields are in tables of the driver, one row for each number.

use crate::build::Lower;
use crate::globals::bound_type;
use crate::reason::{Reason, not_yet, unsupported};
use crate::wmma::access;
use raddle_ir::{Cond, Mty, Op as I, Sign, Space, TexBound, TexTable, Value, Width};
use raddle_ptx::{Base, InstId, Mod, Op, Operand, Referent, SymId, Ty};

/// Bits of a handle that tell what it is of.
const TEXTURE_BIT: u32 = 61;
const SAMPLER_BIT: u32 = 62;
const SURFACE_BIT: u32 = 63;

/// Offsets of fields in rows of the driver's tables (ptxas 13.0.88 output).
const UNIFIED_FIELDS: &[(Mod, i32)] = &[
    (Mod::ForceUnnormalizedCoords, 0),
    (Mod::AddrMode0, 0xc),
    (Mod::AddrMode1, 0x10),
    (Mod::AddrMode2, 0x14),
    (Mod::FilterMode, 0x18),
    (Mod::NormalizedCoords, 0x1c),
    (Mod::ChannelDataType, 0x20),
    (Mod::ChannelOrder, 0x24),
    (Mod::ArraySize, 0x28),
    (Mod::NumMipmapLevels, 0x2c),
    (Mod::NumSamples, 0x30),
];
const INDEPENDENT_FIELDS: &[(Mod, i32)] = &[
    (Mod::NormalizedCoords, 0xc),
    (Mod::ChannelDataType, 0x10),
    (Mod::ChannelOrder, 0x14),
    (Mod::ArraySize, 0x18),
    (Mod::NumMipmapLevels, 0x1c),
    (Mod::NumSamples, 0x20),
];
const SAMPLER_FIELDS: &[(Mod, i32)] = &[
    (Mod::AddrMode0, 0),
    (Mod::AddrMode1, 4),
    (Mod::AddrMode2, 8),
    (Mod::FilterMode, 0xc),
    (Mod::ForceUnnormalizedCoords, 0x10),
];
const SURFACE_FIELDS: &[(Mod, i32)] =
    &[(Mod::ChannelDataType, 0xc), (Mod::ChannelOrder, 0x10), (Mod::MemoryLayout, 0x14), (Mod::ArraySize, 0x1c)];

/// The bit of a handle that tells what it is of.
fn bit_of(bound: TexBound) -> u32 {
    match bound {
        TexBound::Texture => TEXTURE_BIT,
        TexBound::Sampler => SAMPLER_BIT,
        TexBound::Surface => SURFACE_BIT,
    }
}

impl Lower<'_> {
    /// The lower word of the handle of a texture, sampler or surface.
    pub(crate) fn handle(&mut self, operand: Operand) -> Result<Value, Reason> {
        let operand = match operand {
            Operand::Addr(Base::Sym(sym), 0) | Operand::Symbol(sym, 0) => return Ok(self.bound(sym)?.0),
            Operand::Addr(Base::Reg(reg), 0) => Operand::Reg(reg),
            Operand::Reg(_) => operand,
            _ => return not_yet(),
        };
        let wide = self.value(operand, Ty::B64)?;
        Ok(self.resize(wide, Width::B32, Sign::U))
    }

    /// The handle of a name that the driver binds, and the bit of its kind.
    fn bound(&mut self, sym: SymId) -> Result<(Value, u32), Reason> {
        let referent = self.input.body.syms[sym].referent;
        if let Referent::Param(n) = referent
            && let Some((bound, sym)) = self.f.params.get(n as usize).and_then(|p| p.opaque)
        {
            return Ok((self.emit(I::TexHandle(bound, sym), &[], Width::B32), bit_of(bound)));
        }
        let Referent::Global(id) = referent else { return not_yet() };
        let var = &self.input.outline.globals[id].var;
        let Some(bound) = bound_type(var.meant_type()) else { return unsupported("a variable as a texture") };
        if bound == TexBound::Sampler && self.input.outline.globals[id].init.is_some() {
            return unsupported(format!("the initial value of the sampler {}, which a program has to bind", var.name));
        }
        let (f, name) = (&mut self.f, &var.name);
        let sym = *self.symbols.entry(referent).or_insert_with(|| f.symbols.push(name.to_string()));
        Ok((self.emit(I::TexHandle(bound, sym), &[], Width::B32), bit_of(bound)))
    }

    /// Whether a name is of a texture, sampler or surface.
    pub(crate) fn is_opaque(&self, sym: SymId) -> bool {
        let ty = match self.input.body.syms[sym].referent {
            Referent::Global(id) => self.input.outline.globals[id].var.meant_type(),
            Referent::Param(n) => self.input.outline.funcs[self.input.func].params[n as usize].ty,
            _ => return false,
        };
        bound_type(ty).is_some()
    }

    /// The handle of a name that the driver binds as a value: its word, and the bit of its kind.
    pub(crate) fn bound_value(&mut self, sym: SymId) -> Result<Value, Reason> {
        let (word, bit) = self.bound(sym)?;
        let high = self.constant(1 << (bit - 32), Width::B32);
        Ok(self.emit(I::Pack, &[word, high], Width::B64))
    }

    /// Tells by a bit of a handle what it is of.
    pub(crate) fn is_type(&mut self, inst: InstId) -> Result<(), Reason> {
        let handle = self.operand(inst, 1, Ty::B64)?;
        let bit = match self.input.body.types(inst).first() {
            Some(Ty::Texref) => TEXTURE_BIT,
            Some(Ty::Samplerref) => SAMPLER_BIT,
            _ => SURFACE_BIT,
        };
        let mask = self.constant(1 << bit, Width::B64);
        let kind = self.emit(I::And, &[handle, mask], Width::B64);
        let zero = self.constant(0, Width::B64);
        let p = self.icmp(Cond::Ne, Sign::U, kind, zero);
        self.set(inst, p)
    }

    pub(crate) fn texture_query(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let axis = [Mod::Width, Mod::Height, Mod::Depth].iter().position(|&m| body.has(inst, m));
        let Some(axis) = axis else { return self.field(inst) };
        let Some(at) = body.operand(inst, 1) else { return unsupported("a missing operand") };
        let handle = self.handle(at)?;
        let level = match body.operand(inst, 2) {
            Some(level) => self.value(level, Ty::B32)?,
            None => self.constant(0, Width::B32),
        };
        let value = self.emit(I::TexExtent(axis as u8), &[handle, level], Width::B32);
        self.set(inst, value)
    }

    /// Reads a field of a texture, sampler or surface from a table of the driver.
    fn field(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let Some(at) = body.operand(inst, 1) else { return unsupported("a missing operand") };
        let handle = self.handle(at)?;
        let independent = self.input.outline.is_texmode_independent();
        let (table, fields) = match (body.op(inst), independent) {
            (Op::Suq, _) => (TexTable::Surfaces, SURFACE_FIELDS),
            (_, false) => (TexTable::Unified, UNIFIED_FIELDS),
            (_, true) if SAMPLER_FIELDS.iter().any(|f| body.has(inst, f.0)) => (TexTable::Samplers, SAMPLER_FIELDS),
            (_, true) => (TexTable::Independent, INDEPENDENT_FIELDS),
        };
        let Some(&(_, offset)) = fields.iter().find(|f| body.has(inst, f.0)) else {
            return unsupported("a texture has no memory layout: ptxas reads another field");
        };
        let size = self.symbol(table.row_size(), 0);
        let row = self.emit(I::TexRow(table, size), &[handle], Width::B64);
        let value = self.emit(I::Load(access(Space::Global, Mty::B32, 1, offset)), &[row], Width::B32);
        self.set(inst, value)
    }
}
