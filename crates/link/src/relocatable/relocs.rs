//! Relocations as objects have them.
//!
//! Numbers are those of `ptxas -c` 13.0.88. Where they differ from an executable's: addresses of functions are *unified* on sm_90, a
//! constant's relocation fills in the bank too, and what objects add to a shared variable's address contains the window's base.

use std::collections::BTreeMap;

use raddle_cubin::model::Reloc;
use raddle_cubin::reloc;
use raddle_cubin::unit::{Function, RelocKind, Relocation};
use raddle_target::{Isa, Native};

use super::{Kept, Patchable, Role, Writer, padded};
use crate::LinkError;
use crate::resolve::Body;

/// All relocations, by section.
pub(super) type All = BTreeMap<Patchable, Vec<Reloc>>;

/// R_CUDA_UNIFIED, R_CUDA_UNIFIED32_LO_32, R_CUDA_UNIFIED32_HI_32.
const UNIFIED: (u32, u32, u32) = (102, 112, 113);
/// R_CUDA_CONST_FIELD19_40 and R_CUDA_CONST_FIELD21_38.
const CONST_FIELD: (u32, u32) = (64, 66);
/// R_CUDA_ABS16_32.
const CONST_IMMEDIATE: u32 = 59;

/// The code of a function: where the linker fills in a bank, it has to be 0.
pub(super) fn code(f: &Function, native: &Native) -> Vec<u8> {
    let mut code = padded(f, native);
    for r in f.relocations.iter().filter(|r| r.kind == RelocKind::ConstOffset) {
        if let Some(word) = code.get_mut(r.offset as usize..).and_then(|b| b.first_chunk_mut::<16>()) {
            *word = (u128::from_le_bytes(*word) & !(0x1f << 54)).to_le_bytes();
        }
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
    let frame = w.frame.1.iter().zip(&w.texts).map(|(&offset, text)| Reloc {
        offset,
        number: 2,
        symbol: w.numbers.get(&text.def).copied().unwrap_or(0),
        addend: 0,
    });
    out.insert(Patchable::Frame, frame.collect());
    out.retain(|_, list| !list.is_empty());
    for list in out.values_mut() {
        // ptxas lists the last place first.
        list.sort_by_key(|r| std::cmp::Reverse(r.offset));
    }
    Ok(out)
}

fn one(w: &Writer<'_, '_>, user: crate::resolve::DefId, r: &Relocation, base: u64) -> Result<Reloc, LinkError> {
    let unit = w.program.def(user).unit;
    let name = || w.program.units[unit].symbols.name(r.symbol).unwrap_or_default().to_owned();
    let symbol = w
        .symbol_of(unit, r.symbol)
        .ok_or_else(|| LinkError::Undefined { user: w.name(user).to_owned(), name: name() })?;
    let hopper = w.native.isa >= Isa::Sm90;
    let target = w.program.lookup(unit, r.symbol);
    // The address of the code that follows is not one that a pointer to a function has.
    let is_function = target != Some(user) && w.is_function(unit, r.symbol);
    let unified = hopper && is_function;
    let mut addend = r.addend;
    let number = match r.kind {
        RelocKind::Abs64 | RelocKind::Generic64 if unified => UNIFIED.0,
        RelocKind::Generic64 if is_function => reloc::number(RelocKind::Abs64, 90),
        RelocKind::Abs32Lo if unified => UNIFIED.1,
        RelocKind::Abs32Hi if unified => UNIFIED.2,
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
        RelocKind::AddressSlot | RelocKind::AddressSlotImm | RelocKind::CallRel | RelocKind::CodeOffset32 => {
            let (user, kind, offset) = (w.name(user).to_owned(), r.kind, r.offset);
            return Err(LinkError::Kind { user, kind, offset, name: name() });
        }
    };
    Ok(Reloc { offset: base + u64::from(r.offset), number, symbol, addend })
}

/// Those of a section that go to its table with addends, or without: sm_90 has all in the former, sm_8x only those whose addend is
/// not 0 (ptxas 13.0.88 output).
pub(super) fn of(all: &All, section: Patchable, addends: bool, rela: bool) -> Vec<Reloc> {
    let list = all.get(&section).map_or(&[][..], |list| list);
    list.iter().filter(|r| (rela || r.addend != 0) == addends).copied().collect()
}

impl Patchable {
    /// The section.
    pub(super) fn role(self) -> Role {
        match self {
            Patchable::Text(n) => Role::Text(n),
            Patchable::GlobalInit => Role::GlobalInit,
            Patchable::Const => Role::Const,
            Patchable::Frame => Role::Frame,
        }
    }
}
