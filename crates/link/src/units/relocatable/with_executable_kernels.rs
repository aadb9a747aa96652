//! Parts of an object that only kernels compiled for executables have.
//!
//! Their code takes addresses of variables from constant bank 4: the object has such a bank, which
//! the linker of objects keeps together with its relocations. Their shared memory is already
//! placed: a section gives its size. Their branch tables are filled in here, since no function
//! follows them in their sections of code.

use std::collections::BTreeMap;

use raddle_cubin::unit::{Function, RelocKind, SymbolId};

use super::super::cubin::SLOT;
use super::super::image::Text;
use super::super::resolve::{DefId, Program};
use crate::{BANK_BYTES, LinkError};

/// The referent of a relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named<'a> {
    /// A definition in this object.
    Here(DefId),
    /// A symbol that is defined elsewhere.
    Undefined(&'a str),
}

/// Whether a relocation is the offset of an address in constant bank 4.
pub(super) fn is_slot(kind: RelocKind) -> bool {
    matches!(kind, RelocKind::AddressSlot | RelocKind::AddressSlotImm)
}

/// Whether the code generator has placed shared memory for a function.
pub(super) fn has_own_shared(f: &Function) -> bool {
    f.shared.size > 0 || f.shared.dynamic
}

/// The constant pool of a function: branch tables with offsets in its section of code.
pub(super) fn pool(program: &Program<'_>, def: DefId, f: &Function) -> Result<Vec<u8>, LinkError> {
    let mut out = f.constants.bytes.clone();
    let unit = program.def(def).unit;
    for r in &f.constants.relocations {
        let name = || program.units[unit].symbols.name(r.symbol).unwrap_or_default().to_owned();
        let user = || program.def(def).name.to_owned();
        let mine = r.kind == RelocKind::CodeOffset32 && program.lookup(unit, r.symbol) == Some(def);
        let place = out.get_mut(r.offset as usize..).and_then(|b| b.first_chunk_mut::<4>());
        let (Some(place), true, Ok(value)) = (place, mine, u32::try_from(r.addend)) else {
            return Err(LinkError::Kind { user: user(), kind: r.kind, offset: r.offset, name: name() });
        };
        *place = value.to_le_bytes();
    }
    Ok(out)
}

/// Offsets in constant bank 4 by referent, and the symbols that referred to each first.
pub(super) type Slots<'a> = (BTreeMap<Named<'a>, u64>, Vec<(usize, SymbolId)>);

/// Assigns a slot in constant bank 4 to each variable whose address code takes from there.
///
/// # Errors
/// [`LinkError::TooMuch`] for more addresses than fit in the bank.
pub(super) fn slots<'a>(program: &Program<'a>, texts: &[Text<'a>]) -> Result<Slots<'a>, LinkError> {
    let (mut slots, mut users) = (BTreeMap::new(), Vec::new());
    for text in texts {
        let unit = program.def(text.def).unit;
        for r in text.functions[0].0.relocations.iter().filter(|r| is_slot(r.kind)) {
            if let Some(named) = named(program, unit, r.symbol)
                && !slots.contains_key(&named)
            {
                slots.insert(named, SLOT * users.len() as u64);
                users.push((unit, r.symbol));
            }
        }
    }
    let size = SLOT * users.len() as u64;
    if size > BANK_BYTES {
        let (user, what) = ("module".to_owned(), "address slots");
        return Err(LinkError::TooMuch { user, what, size, limit: BANK_BYTES });
    }
    Ok((slots, users))
}

/// The referent of a unit's symbol.
pub(super) fn named<'a>(program: &Program<'a>, unit: usize, symbol: SymbolId) -> Option<Named<'a>> {
    if let Some(def) = program.lookup(unit, symbol) {
        return Some(Named::Here(def));
    }
    program.units[unit].symbols.name(symbol).map(Named::Undefined)
}
