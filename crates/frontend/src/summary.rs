//! The symbols of an IR module and the references between them: what the plan of its parts needs to
//! know.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Index of a symbol in its [`Summary`].
pub type SymbolId = u32;

/// All symbols of a module that has been linked, after phase I.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Sorted by name; names are unique.
    pub symbols: Vec<Symbol>,
    /// The words of its inline assembly outside of functions; none if it has no such assembly.
    pub assembly: BTreeSet<String>,
}

impl Summary {
    /// Whether its inline assembly outside of functions names a symbol: it may define it, or refer to
    /// it.
    pub fn assembly_names_symbols(&self) -> bool {
        self.symbols.iter().any(|symbol| self.assembly.contains(&symbol.name))
    }
}

/// A function, variable or alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Function, variable or alias.
    pub kind: Kind,
    /// Its linkage.
    pub linkage: Linkage,
    /// Its visibility outside of the output.
    pub visibility: Visibility,
    /// Instructions of a function, bytes of a variable; 0 for declarations and aliases.
    pub size: u64,
    /// Parts with kernels of a greater priority are compiled first: the number in the function
    /// attribute `"raddle-priority"`, 0 without one. It changes the order of work, never the output.
    pub priority: u16,
    /// Whether equal copies of it may be used in place of it: a constant whose address has no
    /// meaning (`unnamed_addr`), or a function whose address is not taken.
    pub copyable: bool,
    /// Symbols that its body or initial value refers to, ascending; without declarations of
    /// intrinsics.
    pub uses: Vec<Use>,
}

/// A reference from one symbol to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Use {
    /// The symbol that is referred to.
    pub symbol: SymbolId,
    /// The number of direct calls.
    pub calls: u32,
    /// Whether its address is used other than for direct calls.
    pub address: bool,
}

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A kernel.
    Kernel,
    /// A device function.
    Function,
    /// A variable, in an address space of NVPTX.
    Variable(Space),
    /// Another name for the one symbol in `uses`.
    Alias,
}

/// The address space of a variable (LLVM, User Guide for NVPTX).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// 0 or 1: one per program.
    Global,
    /// 3: one per block.
    Shared,
    /// 4: one per program, read-only.
    Constant,
    /// 5, or any other.
    Other,
}

/// The linkage of a symbol (LLVM Language Reference, Linkage Types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Linkage {
    /// Defined, and visible to other objects.
    External,
    /// Defined; one of several equal definitions, the others may be dropped.
    Weak,
    /// Defined, not visible to other objects: `internal` or `private`.
    Internal,
    /// Defined without an initial value; definitions of one name are merged.
    Common,
    /// Declared only.
    Declaration,
}

/// The visibility of a symbol (LLVM Language Reference, Visibility Styles).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Visibility {
    /// Default.
    Default,
    /// Hidden.
    Hidden,
    /// Protected.
    Protected,
}

impl Symbol {
    /// Whether the module contains its definition.
    pub fn is_defined(&self) -> bool {
        self.linkage != Linkage::Declaration
    }
}
