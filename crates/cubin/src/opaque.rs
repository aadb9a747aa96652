//! Which sections stay bytes in the model, and what those bytes are: the whole list.
//!
//! Problem: a reader that carries whatever it does not understand can write any file back byte for byte and know nothing of it.
//! Strategy: a payload without a typed form must be in [`LIST`], by the beginning of its section's name; what is not is shown as
//! `unlisted`, and tests over the corpus of ptxas' and nvlink's files (13.0.88) refuse it.
//!
//! Invariant: nobody decides by this list how a section is read or written; it says what was read.

use crate::model::{Payload, Section};

/// What the bytes of a section are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// Instruction words: `raddle-sass` decodes them.
    Code,
    /// Initial contents of variables, constant banks and parameters.
    Data,
    /// DWARF: [`crate::lines`] reads the line tables among it.
    Debug,
    /// Notes of the tool and of the architecture.
    Note,
    /// What a relocation does, one constant table in all files.
    Action,
    /// A second form of code and tables for a driver's finalizer (`Mercury`), from sm_100 on: carried as it is.
    Finalizer,
    /// Section numbers of symbols beyond 16 bits.
    Indices,
}

/// Beginnings of section names with what such sections hold.
pub const LIST: &[(&str, Opaque)] = &[
    (".text.", Opaque::Code),
    (".nv.constant", Opaque::Data),
    (".nv.global.init", Opaque::Data),
    (".debug_", Opaque::Debug),
    (".nv_debug_", Opaque::Debug),
    (".note.nv.", Opaque::Note),
    (".nv.rel.action", Opaque::Action),
    (".nv.capmerc.", Opaque::Finalizer),
    (".nv.merc.", Opaque::Finalizer),
    (".symtab_shndx", Opaque::Indices),
];

impl Opaque {
    /// What the bytes of a section of this name are, `None` for one that is not in [`LIST`].
    pub fn of(name: &str) -> Option<Opaque> {
        LIST.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, opaque)| opaque)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Opaque::Code => "code",
            Opaque::Data => "data",
            Opaque::Debug => "debug",
            Opaque::Note => "note",
            Opaque::Action => "action",
            Opaque::Finalizer => "finalizer",
            Opaque::Indices => "indices",
        }
    }
}

/// What [`contents`] says of bytes that are not in the list.
pub const UNLISTED: &str = "unlisted";

/// What is in a section: the form of a typed payload, else the entry of [`LIST`], else [`UNLISTED`].
pub fn contents(section: &Section) -> &'static str {
    match &section.payload {
        Payload::Null => "null",
        Payload::Reserve(_) => "memory",
        Payload::Strings(_) => "strings",
        Payload::Symbols => "symbols",
        Payload::Attributes(_) => "attributes",
        Payload::Relocations(_) => "relocations",
        Payload::Pairs(_) => "pairs",
        Payload::Bytes(_) => Opaque::of(&section.name).map_or(UNLISTED, Opaque::name),
    }
}
