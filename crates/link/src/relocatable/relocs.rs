//! Relocations as objects have them.
//!
//! Numbers are those of `ptxas -c` 13.0.88. Where they differ from an executable's: addresses of functions are *unified* on sm_90, a
//! constant's relocation fills in the bank too, and what objects add to a shared variable's address contains the window's base.

use std::collections::BTreeMap;

use raddle_cubin::model::Reloc;
use raddle_cubin::reloc;
use raddle_cubin::unit::{Function, RelocKind, Relocation};
use raddle_target::{Isa, Native};

use super::mixed::{SLOT, is_slot};
use super::{Kept, Patchable, Role, Writer};
use crate::LinkError;
use crate::frame::Frames;
use crate::patch;
use crate::resolve::{Body, DefId};

/// All relocations, by section.
pub(super) type All = BTreeMap<Patchable, Vec<Reloc>>;

/// R_CUDA_64 and R_CUDA_32: addresses in debug information, of code and of common entries of frames; places in `.debug_str`.
const ADDRESS: u32 = 2;
const OFFSET: u32 = 1;
/// R_CUDA_UNUSED_CLEAR64: 0 once the function is dropped.
const CLEARED: u32 = 73;
/// R_CUDA_UNIFIED, R_CUDA_UNIFIED32_LO_32, R_CUDA_UNIFIED32_HI_32.
const UNIFIED: (u32, u32, u32) = (102, 112, 113);
/// R_CUDA_FUNC_DESC_64, R_CUDA_FUNC_DESC32_LO_32, R_CUDA_FUNC_DESC32_HI_32: what the driver keeps of a kernel, for who launches it.
const DESCRIPTOR: (u32, u32, u32) = (35, 62, 63);
/// R_CUDA_CONST_FIELD19_40 and R_CUDA_CONST_FIELD21_38.
const CONST_FIELD: (u32, u32) = (64, 66);
/// R_CUDA_ABS16_32.
const CONST_IMMEDIATE: u32 = 59;

/// The code of a function: where the linker fills in a bank, it has to be 0.
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

/// Code with the end that every text section has.
fn padded(f: &Function, native: &Native) -> Vec<u8> {
    let mut code = f.code.clone();
    if !f.padded {
        patch::pad(&mut code, native.isa);
    }
    code
}

/// Makes all relocations; symbols and sections are planned.
pub(super) fn all(w: &Writer<'_, '_>) -> Result<All, LinkError> {
    let mut out = All::new();
    for (n, text) in w.texts.iter().enumerate() {
        let list = text.function.relocations.iter().map(|r| one(w, text.def, r, 0)).collect::<Result<Vec<_>, _>>()?;
        out.insert(Patchable::Text(n), list);
    }
    for (&def, &(kept, at)) in &w.variables.places {
        let Body::Data(d) = w.program.def(def).body else { continue };
        let section = match kept {
            Kept::GlobalInit => Patchable::GlobalInit,
            Kept::Const => Patchable::Const,
            Kept::Global | Kept::Shared | Kept::Common => continue,
        };
        for r in &d.relocations {
            let reloc = one(w, def, r, at)?;
            out.entry(section).or_default().push(reloc);
        }
    }
    let slots = w.slot_users.iter().enumerate().map(|(n, &(unit, symbol))| Reloc {
        offset: SLOT * n as u64,
        number: ADDRESS,
        symbol: w.symbol_of(unit, symbol).unwrap_or(0),
        addend: 0,
    });
    out.insert(Patchable::Slots, slots.collect());
    let of_text = |text: usize, offset: u64, number: u32| {
        let symbol = w.numbers.get(&w.texts[text].def).copied().unwrap_or(0);
        Reloc { offset, number, symbol, addend: 0 }
    };
    let own = w.section_numbers.get(&Role::Frame).copied().unwrap_or(0);
    let frame = w.frame.addresses.iter().zip(&w.frame.common).enumerate().flat_map(|(n, (&at, &common))| {
        let entry = Reloc { offset: at - Frames::FIELD, number: ADDRESS, symbol: own, addend: common as i64 };
        [entry, of_text(n, at, ADDRESS), of_text(n, at + Frames::FIELD, CLEARED)]
    });
    out.insert(Patchable::Frame, frame.collect());
    if let Some(lines) = &w.lines {
        for (section, places) in [(Patchable::Line, &lines.source), (Patchable::PtxLine, &lines.ptx)] {
            out.insert(section, places.addresses.iter().map(|&(n, offset)| of_text(n, offset, ADDRESS)).collect());
        }
        let symbol = w.section_numbers.get(&Role::DebugStrings).copied().unwrap_or(0);
        let names = lines.names_at.iter().map(|&offset| Reloc { offset, number: OFFSET, symbol, addend: 0 });
        out.entry(Patchable::Line).or_default().extend(names);
    }
    for role in w.debug.roles() {
        if let Role::Dwarf(number) = role {
            out.insert(Patchable::Dwarf(number), w.debug_relocs(number));
        }
    }
    out.retain(|_, list| !list.is_empty());
    for list in out.values_mut() {
        // ptxas lists the last place first.
        list.sort_by_key(|r| std::cmp::Reverse(r.offset));
    }
    Ok(out)
}

fn one(w: &Writer<'_, '_>, user: DefId, r: &Relocation, base: u64) -> Result<Reloc, LinkError> {
    let unit = w.program.def(user).unit;
    let name = || w.program.units[unit].symbols.name(r.symbol).unwrap_or_default().to_owned();
    let mut symbol = w
        .symbol_of(unit, r.symbol)
        .ok_or_else(|| LinkError::Undefined { user: w.name(user).to_owned(), name: name() })?;
    let hopper = w.native.isa >= Isa::Sm90;
    let target = w.program.lookup(unit, r.symbol);
    // The address of the code that follows is not one that a pointer to a function has.
    let is_function = target != Some(user) && w.is_function(unit, r.symbol);
    let unified = hopper && is_function;
    let mut addend = r.addend;
    let slot = w.named(unit, r.symbol).and_then(|named| w.slots.get(&named).copied());
    let slots = w.section_numbers.get(&Role::Slots).copied().unwrap_or(0);
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
            symbol = w.pool_numbers.get(&user).copied().unwrap_or(0);
            CONST_FIELD.1
        }
        RelocKind::ConstOffset if hopper => CONST_FIELD.1,
        RelocKind::ConstOffset => CONST_FIELD.0,
        RelocKind::ConstOffsetImm => CONST_IMMEDIATE,
        RelocKind::SharedImm | RelocKind::SharedOffset => {
            addend += i64::from(w.native.shared_base);
            reloc::number(r.kind, w.options.target.sm)
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
        RelocKind::AddressSlot | RelocKind::AddressSlotImm | RelocKind::CallRel | RelocKind::CodeOffset32 => {
            let (user, kind, offset) = (w.name(user).to_owned(), r.kind, r.offset);
            return Err(LinkError::Kind { user, kind, offset, name: name() });
        }
    };
    Ok(Reloc { offset: base + u64::from(r.offset), number, symbol, addend })
}

impl Writer<'_, '_> {
    /// Those of a section that go to its table with addends, or without: sm_90 has all in the former, sm_8x only those whose addend is
    /// not 0 and most of debug information (ptxas 13.0.88 output).
    pub(super) fn relocs_of(&self, all: &All, section: Patchable, addends: bool) -> Vec<Reloc> {
        let list = all.get(&section).map_or(&[][..], |list| list);
        let with_addend = |r: &&Reloc| self.format.rela || r.addend != 0 || matches!(r.number, OFFSET | CLEARED);
        list.iter().filter(|r| with_addend(r) == addends).copied().collect()
    }
}

impl Patchable {
    /// The section.
    pub(super) fn role(self) -> Role {
        match self {
            Patchable::Text(n) => Role::Text(n),
            Patchable::GlobalInit => Role::GlobalInit,
            Patchable::Slots => Role::Slots,
            Patchable::Const => Role::Const,
            Patchable::Line => Role::Line,
            Patchable::PtxLine => Role::PtxLine,
            Patchable::Dwarf(number) => Role::Dwarf(number),
            Patchable::Frame => Role::Frame,
        }
    }
}
