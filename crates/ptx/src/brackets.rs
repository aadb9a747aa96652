//! Operands in brackets with several parts, `[handle, {coordinates}]`, of textures, surfaces and
//! tensors, and what follows them (ptxas 13.0.88).

use crate::body::{Tag, Word};
use crate::errors::{E0123, Finding};
use crate::form::compatible;
use crate::parse::{Opnd, Parser};
use crate::shapes::coordinates;
use crate::table::{Mod, Op};
use crate::tree::{Referent, Shape, SymId};
use crate::ty::{Space, Ty, TyClass};
use raddle_diag::quote;

/// What queries ask samplers for, where they are not parts of textures.
const OF_SAMPLERS: &[Mod] =
    &[Mod::AddrMode0, Mod::AddrMode1, Mod::AddrMode2, Mod::FilterMode, Mod::ForceUnnormalizedCoords];

/// Whether a type is that of a texture, sampler or surface.
fn is_opaque(ty: Ty) -> bool {
    matches!(ty, Ty::Texref | Ty::Samplerref | Ty::Surfref)
}

impl Parser<'_, '_, '_> {
    /// The name in an operand, and its type.
    fn named_type(&self, opnd: &Opnd) -> Option<(&str, Ty)> {
        let at = opnd.word.payload();
        let sym = match opnd.word.tag() {
            Tag::Symbol => at,
            Tag::SymbolOff | Tag::AddrSym => self.body.words[at as usize].0,
            _ => return None,
        };
        let sym = self.body.syms.get(SymId::from_u32(sym))?;
        let ty = match sym.referent {
            Referent::Global(id) => self.outline.globals[id].var.meant_type(),
            Referent::Param(n) => self.outline.funcs[self.func].params.get(n as usize)?.ty,
            Referent::Var(id) => self.body.vars[id].ty,
            _ => return None,
        };
        Some((&sym.name, ty))
    }

    /// The texture, sampler or surface that an operand names.
    pub(crate) fn opaque(&self, opnd: &Opnd) -> Option<(&str, Ty)> {
        self.named_type(opnd).filter(|(_, ty)| is_opaque(*ty))
    }

    /// Whether an address has an offset.
    fn has_offset(&self, opnd: &Opnd) -> bool {
        match opnd.word.tag() {
            Tag::AddrRegOff => true,
            Tag::AddrSym => {
                let at = opnd.word.payload() as usize;
                self.body.words[at + 1..at + 3] != [Word(0); 2]
            }
            _ => false,
        }
    }

    fn members<'o>(&'o self, opnd: &'o Opnd) -> &'o [Opnd] {
        match opnd.word.tag() {
            Tag::Vec | Tag::Bracket => &self.items[opnd.first as usize..][..opnd.count as usize],
            _ => std::slice::from_ref(opnd),
        }
    }
}

/// Checks the operands of an instruction of textures or surfaces.
pub(crate) fn texture(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let independent = p.outline.is_texmode_independent();
    let wanted = match shape.op {
        Op::Txq if independent && shape.mods.iter().any(|m| OF_SAMPLERS.contains(m)) => Ty::Samplerref,
        Op::Tex | Op::Tld4 | Op::Txq => Ty::Texref,
        _ => Ty::Surfref,
    };
    let is_bracket = |o: &Opnd| matches!(o.word.tag(), Tag::Bracket | Tag::AddrReg | Tag::AddrSym | Tag::AddrRegOff);
    let Some(n) = p.opnds.iter().position(is_bracket) else { return Ok(()) };
    let wrong = |text: String| Err((E0123, n, text));
    let opnd = &p.opnds[n];
    if matches!(shape.op, Op::Txq | Op::Suq) {
        if opnd.word.tag() == Tag::Bracket {
            return wrong(format!("'{}' takes one name or register in brackets", shape.dotted));
        }
        return handle(p, shape, opnd, Some(wanted)).or_else(wrong);
    }
    let parts = p.members(opnd);
    let most = if wanted == Ty::Texref { 3 } else { 2 };
    if opnd.word.tag() != Tag::Bracket || parts.len() > most {
        let sampler = if most == 3 { ", with a sampler between them where it has one of its own" } else { "" };
        let what = if most == 3 { "texture" } else { "surface" };
        return wrong(format!("expected a {what} and coordinates in brackets{sampler}"));
    }
    let (handles, last) = parts.split_at(parts.len() - 1);
    handle(p, shape, &handles[0], Some(wanted)).or_else(wrong)?;
    if let Some(sampler) = handles.get(1) {
        handle(p, shape, sampler, independent.then_some(Ty::Samplerref)).or_else(wrong)?;
        let cube = shape.mods.iter().any(|m| matches!(m, Mod::Cube | Mod::Acube));
        if cube && !independent {
            let text = "a cube map has a sampler of its own with '.target texmode_independent' only";
            return wrong(text.to_owned());
        }
    }
    place(p, shape, &last[0]).or_else(wrong)?;
    if wanted == Ty::Texref { behind(p, shape, n + 1) } else { Ok(()) }
}

/// Checks a name or register of a texture, sampler or surface; `wanted` is the type of a name.
fn handle(p: &Parser<'_, '_, '_>, shape: &Shape, opnd: &Opnd, wanted: Option<Ty>) -> Result<(), String> {
    if p.has_offset(opnd) {
        return Err(String::from("a texture, sampler or surface is named without an offset"));
    }
    match opnd.word.tag() {
        Tag::AddrReg | Tag::Reg if compatible(opnd.ty, Ty::U64, false) => Ok(()),
        Tag::AddrSym | Tag::Symbol => {
            let (name, ty) = p.named_type(opnd).unwrap_or(("", Ty::B8));
            let kind = wanted.unwrap_or(Ty::Samplerref).name();
            match wanted {
                Some(wanted) if ty == wanted => Ok(()),
                None if is_opaque(ty) => Ok(()),
                _ if is_opaque(ty) => {
                    Err(format!("{} is a .{}, '{}' takes a .{kind}", quote(name), ty.name(), shape.op))
                }
                _ => Err(format!("{} is no .{kind}", quote(name))),
            }
        }
        _ => Err(String::from("a texture or surface is a name or a 64-bit register")),
    }
}

/// Checks coordinates: those of textures have the last type of the instruction, those of surfaces
/// are integers.
fn place(p: &Parser<'_, '_, '_>, shape: &Shape, opnd: &Opnd) -> Result<(), String> {
    let ty = match shape.op {
        Op::Tex | Op::Tld4 => shape.types.last().copied().unwrap_or(Ty::F32),
        _ => Ty::S32,
    };
    let list = p.members(opnd);
    let least = coordinates(shape);
    if opnd.word.tag() == Tag::Vec && (list.len() < least || !matches!(list.len(), 1 | 2 | 4)) {
        return Err(format!("expected a vector of {least} coordinates, found one of {}", list.len()));
    }
    let registers = || list.iter().filter(|o| o.word.tag() == Tag::Reg && o.width == 1);
    if registers().any(|o| o.ty.bits() != ty.bits()) {
        return Err(format!("coordinates are registers of {} bits", ty.bits()));
    }
    let array = [Mod::A1d, Mod::A2d, Mod::Acube, Mod::A2dms].iter().any(|m| shape.mods.contains(m));
    if array && list.first().is_some_and(|o| o.word.tag() == Tag::Reg && o.ty.is_float()) {
        return Err(String::from("the index of an array of textures is a .u32"));
    }
    // One untyped register leaves the whole vector untyped.
    if !ty.is_float() && registers().next().is_some() && registers().all(|o| o.ty.is_float()) {
        return Err(format!("coordinates are .{} here", ty.name()));
    }
    Ok(())
}

/// The operands of a lookup behind its level or derivatives; `next` is the first behind brackets.
fn optional(shape: &Shape, next: usize) -> usize {
    let has = |m: Mod| shape.mods.contains(&m);
    next + if has(Mod::Level) {
        1
    } else if has(Mod::Grad) {
        2
    } else {
        0
    }
}

/// Whether a scalar is an offset and no reference value: a whole number, or a register of integers
/// where nothing is compared.
fn is_offset(shape: &Shape, opnd: &Opnd) -> bool {
    let floats = shape.types.last().is_none_or(|ty| ty.is_float());
    match opnd.word.tag() {
        Tag::SmallInt | Tag::Int => true,
        Tag::Reg if opnd.width == 1 => {
            matches!(opnd.ty.class(), TyClass::Signed | TyClass::Unsigned) || !floats && !opnd.ty.is_float()
        }
        _ => false,
    }
}

/// Whether a lookup has one offset at most.
fn has_one_offset(shape: &Shape) -> bool {
    shape.mods.iter().any(|m| matches!(m, Mod::N1d | Mod::A1d))
}

/// Checks derivatives, offsets and the reference value.
fn behind(p: &Parser<'_, '_, '_>, shape: &Shape, next: usize) -> Result<(), Finding> {
    let first = optional(shape, next);
    if shape.mods.contains(&Mod::Grad)
        && let Some(n) = (next..first).find(|&n| p.opnds.get(n).is_some_and(|o| o.word.tag() != Tag::Vec))
    {
        return Err((E0123, n, String::from("derivatives are vectors")));
    }
    let floats = shape.types.last().is_none_or(|ty| ty.is_float());
    for (n, opnd) in p.opnds.iter().enumerate().skip(first).filter(|(_, o)| o.word.tag() != Tag::Vec) {
        let text = if is_offset(shape, opnd) {
            match has_one_offset(shape) {
                true => continue,
                false => format!("offsets of '{}' are a vector", shape.dotted),
            }
        } else if shape.mods.contains(&Mod::N3d) {
            String::from("a texture of three dimensions has no comparison")
        } else if !floats {
            String::from("a lookup at whole numbers has no comparison")
        } else {
            continue;
        };
        return Err((E0123, n, text));
    }
    Ok(())
}

/// Writes an offset that is a scalar as the vector of one that it is (PTX ISA 9.0, 9.7.10.3: "a
/// singleton tuple").
pub(crate) fn join_offset(p: &mut Parser<'_, '_, '_>, shape: &Shape) {
    let Some(at) = p.opnds.iter().position(|o| o.word.tag() == Tag::Bracket) else { return };
    if shape.op != Op::Tex || !has_one_offset(shape) {
        return;
    }
    for n in optional(shape, at + 1)..p.opnds.len() {
        let opnd = p.opnds[n];
        if is_offset(shape, &opnd)
            && let Ok(list) = p.finish_list(p.place(&opnd).0, Tag::Vec, &[opnd])
        {
            p.opnds[n] = Opnd { end: opnd.end, ..list };
        }
    }
}

/// Checks `[map, {coordinates}]` of an operation on tensors.
pub(crate) fn tensor(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let load = shape.op == Op::CpAsyncBulkTensor && !shape.mods.contains(&Mod::BulkGroup);
    let n = usize::from(load);
    let Some(opnd) = p.opnds.get(n) else { return Ok(()) };
    let parts = p.members(opnd);
    let wrong = |text: String| Err((E0123, n, text));
    let ([map, place], Tag::Bracket) = (parts, opnd.word.tag()) else {
        return wrong(String::from("expected a tensor map and a vector of coordinates in brackets"));
    };
    if p.has_offset(map) {
        return wrong(String::from("the address of a tensor map has no offset here"));
    }
    match map.word.tag() {
        Tag::AddrReg if matches!(map.ty.bits(), 32 | 64) => {}
        Tag::AddrSym if p.opaque(map).is_none() && map.space == Some(Space::Global) => {}
        Tag::AddrSym => {
            return wrong(String::from("a tensor map is named in .global; elsewhere a register has its address"));
        }
        _ => return wrong(String::from("a tensor map is a name in .global or a 64-bit register")),
    }
    let dims = coordinates(shape);
    if place.word.tag() != Tag::Vec {
        return wrong(format!("expected a vector of {dims} coordinates, found {}", p.describe(place)));
    }
    let list = p.members(place);
    if list.len() != dims {
        return wrong(format!("'{}' takes {dims} coordinates, found {}", shape.dotted, list.len()));
    }
    let offsets = n + if load { 2 } else { 1 };
    if shape.mods.iter().any(|m| matches!(m, Mod::Im2col | Mod::Im2colW | Mod::Im2colW128))
        && p.opnds.get(offsets).is_some_and(|o| o.word.tag() != Tag::Vec)
    {
        return Err((E0123, offsets, String::from("offsets of im2col mode are a vector in braces")));
    }
    let registers = || list.iter().filter(|o| o.word.tag() == Tag::Reg);
    let floats = registers().next().is_some() && registers().all(|o| o.ty.is_float());
    let sinks = list.iter().any(|o| o.word.tag() == Tag::Sink);
    if floats || sinks || registers().any(|o| o.ty.bits() != 32 || o.width != 1) {
        return wrong(String::from("coordinates of a tensor are .s32"));
    }
    Ok(())
}
