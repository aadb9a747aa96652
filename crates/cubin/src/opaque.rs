//! The complete list of sections that stay bytes in the model, and their content.
//!
//! Problem: a reader that copies everything it does not understand can write any file back byte for
//! byte and understand nothing of it. Strategy: a payload without a typed form must be in [`LIST`],
//! by the prefix of its section's name; any other is shown as `unlisted`, and tests over the corpus
//! of ptxas' and nvlink's files (13.0.88) reject it.
//!
//! Invariant: reading and writing do not depend on this list; it only describes what was read.

use crate::model::{Payload, Section};

/// The content of a section's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// Instruction words: `raddle-sass` decodes them.
    Code,
    /// Initial contents of variables, constant banks and parameters.
    Data,
    /// DWARF, including the line tables that [`crate::lines`] reads.
    Debug,
    /// Notes of the tool and of the architecture.
    Note,
    /// Rules for relocations: one constant table in all files.
    Action,
    /// A second form of code and tables for a driver's finalizer (`Mercury`), from sm_100 on;
    /// copied unchanged.
    Finalizer,
    /// Section numbers of symbols that do not fit in 16 bits.
    Indices,
}

/// Prefixes of section names and the content of such sections.
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
    /// The content of a section with this name, `None` if it is not in [`LIST`].
    pub fn of(name: &str) -> Option<Opaque> {
        LIST.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, opaque)| opaque)
    }

    /// Its name in listings.
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

/// The result of [`contents`] for bytes that are not in the list.
pub const UNLISTED: &str = "unlisted";

/// The content of a section: the form of a typed payload, else the entry of [`LIST`], else
/// [`UNLISTED`].
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
