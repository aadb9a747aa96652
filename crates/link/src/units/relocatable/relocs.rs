//! Makes the relocations of an object.
//!
//! Numbers are those of `ptxas -c` 13.0.88. Differences from an executable: addresses of functions
//! are *unified* on sm_90, a constant's relocation fills in the bank too, and the addend of a
//! shared variable's address includes the window's base.

use std::collections::BTreeMap;

use raddle_cubin::reloc;
use raddle_cubin::unit::{Function, RelocKind, Relocation};
use raddle_target::{Isa, Native};

use super::super::cubin::SLOT;
use super::super::frame::Frames;
use super::super::image::{Patchable, Pending, Role, Sym};
use super::super::resolve::{Body, DefId};
use super::super::sections::{CLEARED, OFFSET};
use super::super::text::pad;
use super::Object;
use super::variables::VariablePlace;
use super::with_executable_kernels::{is_slot, named};
use crate::LinkError;

/// All relocations, by section.
pub(super) type All<'a> = BTreeMap<Patchable, Vec<Pending<'a>>>;

/// R_CUDA_64: addresses of code and of CIEs in debug information.
pub(super) const ADDRESS: u32 = 2;
/// R_CUDA_UNIFIED, R_CUDA_UNIFIED32_LO_32, R_CUDA_UNIFIED32_HI_32.
const UNIFIED: (u32, u32, u32) = (102, 112, 113);
/// R_CUDA_FUNC_DESC_64, R_CUDA_FUNC_DESC32_LO_32, R_CUDA_FUNC_DESC32_HI_32: the driver's descriptor
/// of a kernel, for launches.
const DESCRIPTOR: (u32, u32, u32) = (35, 62, 63);
/// R_CUDA_CONST_FIELD19_40 and R_CUDA_CONST_FIELD21_38.
const CONST_FIELD: (u32, u32) = (64, 66);
/// R_CUDA_ABS16_32.
const CONST_IMMEDIATE: u32 = 59;

/// The code of a function: an operand whose bank the linker fills in must have bank 0.
pub(super) fn code(f: &Function, native: &Native) -> Vec<u8> {
    let mut code = padded(f, native);
    for r in f
        .relocations
        .iter()
        .filter(|r| matches!(r.kind, RelocKind::ConstOffset | RelocKind::PoolOffset) || is_slot(r.kind))
    {
        if let Some(word) = code.get_mut(r.offset as usize..).and_then(|b| b.first_chunk_mut::<16>()) {
            *word = (u128::from_le_bytes(*word) & !(0x1f << 54)).to_le_bytes();
        }
    }
    code
}

/// Code with the padding of every text section.
fn padded(f: &Function, native: &Native) -> Vec<u8> {
    let mut code = f.code.clone();
    if !f.padded {
        pad(&mut code, native.isa);
    }
    code
}

/// Makes all relocations.
///
/// # Errors
/// [`LinkError::Undefined`] and [`LinkError::Kind`].
pub(super) fn all<'a>(w: &Object<'_, 'a>) -> Result<All<'a>, LinkError> {
    let mut out = All::new();
    for (n, text) in w.texts.iter().enumerate() {
        let list = text.functions[0].0.relocations.iter().map(|r| one(w, text.def, r, 0));
        out.insert(Patchable::Text(n), list.collect::<Result<Vec<_>, _>>()?);
    }
    for (&def, &(kept, at)) in &w.variables.places {
        let Body::Data(d) = w.program.def(def).body else { continue };
        let section = match kept {
            VariablePlace::GlobalInit => Patchable::GlobalInit,
            VariablePlace::Const => Patchable::Const,
            VariablePlace::Global | VariablePlace::Shared | VariablePlace::Common => continue,
        };
        for r in &d.relocations {
            let reloc = one(w, def, r, at)?;
            out.entry(section).or_default().push(reloc);
        }
    }
    let slots = w.slot_users.iter().enumerate().map(|(n, &(unit, symbol))| Pending {
        offset: SLOT * n as u64,
        number: ADDRESS,
        symbol: w.symbol_of(unit, symbol).unwrap_or(Sym::Null),
        addend: 0,
    });
    out.insert(Patchable::Slots, slots.collect());
    let of_text = |text: usize, offset: u64, number: u32| Pending {
        offset,
        number,
        symbol: Sym::Def(w.texts[text].def),
        addend: 0,
    };
    let own = Sym::Section(Role::Frame);
    let frame = w.frame.addresses.iter().zip(&w.frame.common).enumerate().flat_map(|(n, (&at, &common))| {
        let entry = Pending { offset: at - Frames::FIELD, number: ADDRESS, symbol: own, addend: common as i64 };
        [entry, of_text(n, at, ADDRESS), of_text(n, at + Frames::FIELD, CLEARED)]
    });
    out.insert(Patchable::Frame, frame.collect());
    if let Some(lines) = &w.lines {
        for (section, places) in [(Patchable::Line, &lines.source), (Patchable::PtxLine, &lines.ptx)] {
            out.insert(section, places.addresses.iter().map(|&(n, offset)| of_text(n, offset, ADDRESS)).collect());
        }
        let symbol = Sym::Section(Role::DebugStrings);
        let names = lines.names_at.iter().map(|&offset| Pending { offset, number: OFFSET, symbol, addend: 0 });
        out.entry(Patchable::Line).or_default().extend(names);
    }
    for number in 0..w.debug.len() {
        out.insert(Patchable::Debug(number), w.debug_relocs(number));
    }
    Ok(out)
}

fn one<'a>(w: &Object<'_, 'a>, user: DefId, r: &Relocation, base: u64) -> Result<Pending<'a>, LinkError> {
    let unit = w.program.def(user).unit;
    let name = || w.program.units[unit].symbols.name(r.symbol).unwrap_or_default().to_owned();
    let mut symbol = w
        .symbol_of(unit, r.symbol)
        .ok_or_else(|| LinkError::Undefined { user: w.name(user).to_owned(), name: name() })?;
    let hopper = w.native.isa >= Isa::Sm90;
    let target = w.program.lookup(unit, r.symbol);
    // The address of the following code is not the address of a function.
    let is_function = target != Some(user) && w.is_function(unit, r.symbol);
    let unified = hopper && is_function;
    let mut addend = r.addend;
    let slot = named(w.program, unit, r.symbol).and_then(|named| w.slots.get(&named).copied());
    let slots = Sym::Section(Role::Slots);
    let is_kernel = w.is_descriptor(user, r);
    let number = match r.kind {
        RelocKind::Abs64 | RelocKind::Generic64 if is_kernel => DESCRIPTOR.0,
        RelocKind::Abs32Lo if is_kernel => DESCRIPTOR.1,
        RelocKind::Abs32Hi if is_kernel => DESCRIPTOR.2,
        RelocKind::Abs64 | RelocKind::Generic64 if unified => UNIFIED.0,
        RelocKind::Generic64 if is_function => reloc::number(RelocKind::Abs64, 90),
        RelocKind::Abs32Lo if unified => UNIFIED.1,
        RelocKind::Abs32Hi if unified => UNIFIED.2,
        RelocKind::PoolOffset => {
            symbol = Sym::Pool(user);
            CONST_FIELD.1
        }
        RelocKind::TextureWord | RelocKind::SamplerWord | RelocKind::SurfaceWord | RelocKind::ConstOffset if hopper => {
            CONST_FIELD.1
        }
        RelocKind::TextureWord | RelocKind::SamplerWord | RelocKind::SurfaceWord | RelocKind::ConstOffset => {
            CONST_FIELD.0
        }
        RelocKind::ConstOffsetImm => CONST_IMMEDIATE,
        RelocKind::TextureWordImm | RelocKind::SamplerWordImm | RelocKind::SurfaceWordImm => CONST_IMMEDIATE,
        RelocKind::SharedImm | RelocKind::SharedOffset => {
            addend += i64::from(w.native.shared_base);
            reloc::number(r.kind, w.sm)
        }
        RelocKind::Abs64 | RelocKind::Generic64 | RelocKind::Abs32Lo | RelocKind::Abs32Hi | RelocKind::CallAbs => {
            reloc::number(r.kind, if hopper { 90 } else { 80 })
        }
        RelocKind::AddressSlot | RelocKind::AddressSlotImm if slot.is_some() => {
            // It refers to the section with the addresses.
            (symbol, addend) = (slots, addend + slot.unwrap_or(0) as i64);
            match r.kind {
                RelocKind::AddressSlotImm => CONST_IMMEDIATE,
                _ if hopper => CONST_FIELD.1,
                _ => CONST_FIELD.0,
            }
        }
        RelocKind::RowSize | RelocKind::TextureIndex | RelocKind::SurfaceIndex => reloc::number(r.kind, w.sm),
        kind if kind.byte().is_some() => {
            let (byte, generic) = kind.byte().unwrap_or_default();
            let first = match generic && !is_function {
                _ if is_kernel => reloc::DESCRIPTOR_BYTE,
                _ if unified => reloc::UNIFIED_BYTE,
                true => reloc::GENERIC_BYTE,
                false => reloc::ABS_BYTE,
            };
            first + byte
        }
        _ => {
            let (user, kind, offset) = (w.name(user).to_owned(), r.kind, r.offset);
            return Err(LinkError::Kind { user, kind, offset, name: name() });
        }
    };
    Ok(Pending { offset: base + u64::from(r.offset), number, symbol, addend })
}
