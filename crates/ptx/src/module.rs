//! The outline of a module: everything outside function bodies.

use crate::tree::{FuncId, GlobalId, Variable};
use raddle_entity::{FxHashMap, PrimaryMap};
use raddle_target::{PtxVersion, Target};
use std::ops::Range;

/// A module without its bodies: the result of one scan over its text (D2).
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// `.version`; 0.0 if it is missing (an error).
    pub version: Option<PtxVersion>,
    /// The architecture of `.target`, if known.
    pub target: Option<&'static Target>,
    /// The options in `.target`: `texmode_independent`, `debug`, ..., in order.
    pub target_options: Vec<Box<str>>,
    /// `.address_size`: 32 or 64; 64 if it is missing.
    pub address_size: u8,
    /// Module-level variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The texts of `.reg` declarations at module level, from their types on: each kernel has
    /// registers of its own by these names.
    pub(crate) registers: Vec<Range<usize>>,
    /// Functions, declarations and definitions.
    pub funcs: PrimaryMap<FuncId, Func>,
    /// `.file` directives.
    pub files: Vec<File>,
    /// `.section` directives, their text kept verbatim.
    pub sections: Vec<Range<usize>>,
    /// Module-level `.pragma` strings.
    pub pragmas: Vec<Box<str>>,
    /// `.alias new, old;`
    pub aliases: Vec<(Box<str>, Box<str>)>,
    /// Everything in the order of the text.
    pub items: Vec<Item>,
    pub(crate) names: FxHashMap<Box<str>, Symbol>,
    /// The functions that aliases refer to.
    pub(crate) meant: FxHashMap<FuncId, FuncId>,
}

impl Outline {
    /// Whether samplers are apart from textures (PTX ISA 9.0, 5.3.2).
    pub fn is_texmode_independent(&self) -> bool {
        self.target_options.iter().any(|option| **option == *"texmode_independent")
    }
}

/// A module-level item, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A variable.
    Global(GlobalId),
    /// A function declaration or definition. A function that is declared and then defined is one
    /// [`Func`] and two items.
    Func(FuncId, FuncPlace),
    /// An index into [`Outline::files`].
    File(u32),
    /// An index into [`Outline::sections`].
    Section(u32),
    /// An index into [`Outline::pragmas`].
    Pragma(u32),
    /// An index into [`Outline::aliases`].
    Alias(u32),
}

/// Whether an item declares or defines its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FuncPlace {
    /// A declaration that ends in `;`.
    Declaration,
    /// The definition.
    Definition,
}

/// The meaning of a module-level name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A variable.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
}

/// Linkage directives (PTX ISA 9.0, 11.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Linkage {
    /// None written: local to the module.
    #[default]
    Local,
    /// `.extern`
    Extern,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

impl Linkage {
    /// The directive without its dot; empty for a local symbol.
    pub fn name(self) -> &'static str {
        match self {
            Linkage::Local => "",
            Linkage::Extern => "extern",
            Linkage::Visible => "visible",
            Linkage::Weak => "weak",
            Linkage::Common => "common",
        }
    }
}

/// A module-level variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Name, space, type, dimensions.
    pub var: Variable,
    /// Linkage.
    pub linkage: Linkage,
    /// `.attribute(.managed)`
    pub managed: bool,
    /// `.attribute(.unified(a, b))`
    pub unified: Option<(u64, u64)>,
    /// Bytes of the initializer text after `=`, without `;`. Read it with [`crate::parse_init`].
    pub init: Option<Range<usize>>,
    /// The name in the text.
    pub span: Range<usize>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Func {
    /// The name.
    pub name: Box<str>,
    /// True for `.entry`, false for `.func`.
    pub entry: bool,
    /// Linkage.
    pub linkage: Linkage,
    /// Return parameters (`.func` only).
    pub rets: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// Performance-tuning and other header directives.
    pub perf: Perf,
    /// From the first byte of the header (`.visible`, `.entry`, ...) to the byte after the closing
    /// brace or semicolon. Offsets inside a body count from its start.
    pub text: Range<usize>,
    /// The body from `{` to the byte after `}`; `None` for a declaration.
    pub body: Option<Range<usize>>,
    /// The name in the text.
    pub span: Range<usize>,
}

impl Func {
    /// Size of the parameters in bytes, each with its own alignment and the first at offset zero.
    pub fn param_bytes(&self) -> u64 {
        param_bytes(&self.params)
    }
}

/// See [`Func::param_bytes`].
pub(crate) fn param_bytes(params: &[Variable]) -> u64 {
    params.iter().fold(0u64, |at, var| {
        let at = at.checked_next_multiple_of(u64::from(var.alignment().max(1))).unwrap_or(u64::MAX);
        at.saturating_add(var.size().unwrap_or(0))
    })
}

/// Directives between a function's header and its body (PTX ISA 9.0, 11.4 and 11.7).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Perf {
    /// `.maxnreg N`
    pub maxnreg: Option<u32>,
    /// `.maxntid X[,Y[,Z]]`; missing parts are 1.
    pub maxntid: Option<[u32; 3]>,
    /// `.reqntid X[,Y[,Z]]`
    pub reqntid: Option<[u32; 3]>,
    /// `.minnctapersm N`
    pub minnctapersm: Option<u32>,
    /// `.maxnctapersm N` (obsolete)
    pub maxnctapersm: Option<u32>,
    /// `.explicitcluster`
    pub explicitcluster: bool,
    /// `.reqnctapercluster X[,Y[,Z]]`
    pub reqnctapercluster: Option<[u32; 3]>,
    /// `.maxclusterrank N`
    pub maxclusterrank: Option<u32>,
    /// `.blocksareclusters`
    pub blocksareclusters: bool,
    /// `.noreturn`
    pub noreturn: bool,
    /// `.abi_preserve N`
    pub abi_preserve: Option<u32>,
    /// `.abi_preserve_control N`
    pub abi_preserve_control: Option<u32>,
    /// `.attribute(.unified(a, b))` of a function
    pub unified: Option<(u64, u64)>,
    /// `.pragma` strings between header and body.
    pub pragmas: Vec<Box<str>>,
}

/// A `.file` directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its number.
    pub number: u32,
    /// The path.
    pub path: Box<str>,
    /// Time stamp and size, if given.
    pub stamp: Option<(u64, u64)>,
}

impl Outline {
    /// Finds a module-level name.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).copied()
    }

    /// Finds a function by name.
    pub fn func(&self, name: &str) -> Option<FuncId> {
        match self.symbol(name)? {
            Symbol::Func(id) => Some(id),
            Symbol::Global(_) => None,
        }
    }

    /// The function that a function's name refers to: another one if the name is an alias.
    pub fn meant(&self, id: FuncId) -> FuncId {
        self.meant.get(&id).copied().unwrap_or(id)
    }

    /// The aliases of a function, in the order of the text.
    pub fn aliases_of(&self, id: FuncId) -> impl Iterator<Item = &str> {
        let names = self.aliases.iter().map(|(new, _)| &**new);
        names.filter(move |new| self.func(new).is_some_and(|new| new != id && self.meant(new) == id))
    }

    /// Entries with a body, in the order of their ids.
    pub fn kernels(&self) -> impl Iterator<Item = (FuncId, &Func)> {
        self.funcs.iter().filter(|(_, f)| f.entry && f.body.is_some())
    }
}
