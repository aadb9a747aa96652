//! Which symbols are in which part of a program.

use crate::summary::SymbolId;
use serde::{Deserialize, Serialize};

/// The parts of a program, and the symbols whose linkage changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The parts, in a fixed order.
    pub parts: Vec<Part>,
    /// Symbols that were internal and are visible between parts, ascending.
    pub promoted: Vec<SymbolId>,
}

/// A set of roots with what they need: one module of phase II.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name: that of its first kernel, or of its first symbol.
    pub name: String,
    /// Its symbols, ascending.
    pub symbols: Vec<(SymbolId, Role)>,
    /// IR instructions to optimise.
    pub cost: u64,
}

/// What a part does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The one definition in the program, with the linkage it had or as promoted.
    Defined,
    /// A local copy of a definition.
    Copied,
    /// A declaration of a definition in another part, or of a symbol that nothing defines.
    Declared,
}
