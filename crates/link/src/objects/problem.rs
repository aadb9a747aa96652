//! Problems of a link, each with the symbol and the objects concerned.

use raddle_cubin::ReadError;

/// A use of a symbol in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The object.
    pub object: String,
    /// The function or section that contains it.
    pub user: String,
    /// Byte offset in the function or section.
    pub offset: u64,
    /// Source file and line, if the object has a line table.
    pub line: Option<(String, u32)>,
}

/// A reason why objects cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file cannot be read as a cubin.
    #[error("'{object}': {error}")]
    Unreadable {
        /// The object.
        object: String,
        /// The error.
        error: ReadError,
    },
    /// The input is an executable.
    #[error("'{object}' is an executable, not a relocatable object")]
    Executable {
        /// The object.
        object: String,
    },
    /// The memory of the input has been placed already.
    #[error("'{object}' was made by nvlink -r: its shared memory and branch tables are already placed")]
    Placed {
        /// The object.
        object: String,
    },
    /// A container version other than those of CUDA 12 and 13.
    #[error("'{object}' has a container of ABI version {version}; those of CUDA 12 and 13 are 7 and 8")]
    Container {
        /// The object.
        object: String,
        /// `EI_ABIVERSION`.
        version: u8,
    },
    /// The code is for another architecture.
    #[error("'{object}' is for sm_{found}, the link is for {wanted}")]
    Architecture {
        /// The object.
        object: String,
        /// SM number of the object.
        found: u16,
        /// The architecture of the link.
        wanted: String,
        /// The object or option that determines it.
        reason: String,
    },
    /// An object of a kind that is not supported: an extensible whole program.
    #[error("'{object}': {error}")]
    Kind {
        /// The object.
        object: String,
        /// The kind.
        error: ReadError,
    },
    /// Code for an architecture whose objects cannot be linked: one without code generation here,
    /// or one whose code needs the vendor's finalizer.
    #[error("'{object}' is for sm_{sm}, whose objects are not supported")]
    Finalizer {
        /// The object.
        object: String,
        /// SM number.
        sm: u16,
    },
    /// Duplicate definitions of a symbol.
    #[error("{symbol} is defined in '{first}' and again in '{second}'")]
    Duplicate {
        /// The symbol.
        symbol: String,
        /// The object that is kept.
        first: String,
        /// The other object.
        second: String,
    },
    /// A symbol with different kinds.
    #[error("{symbol} is a {first_kind} in '{first}' and a {second_kind} in '{second}'")]
    Kinds {
        /// The symbol.
        symbol: String,
        /// An object.
        first: String,
        /// Its kind there.
        first_kind: &'static str,
        /// The other object.
        second: String,
        /// Its kind there.
        second_kind: &'static str,
    },
    /// An undefined symbol.
    #[error("undefined symbol {symbol}, used by {} in '{}'", .at.user, .at.object)]
    Undefined {
        /// The symbol.
        symbol: String,
        /// A use.
        at: Box<Use>,
        /// Further objects that use it.
        others: Vec<String>,
        /// A similar defined name.
        similar: Option<String>,
    },
    /// A kernel is limited to fewer registers than its callee needs.
    #[error("kernel {kernel} is limited to {limit} registers but calls {function}, which needs {needs}")]
    Registers {
        /// The kernel.
        kernel: String,
        /// The function.
        function: String,
        /// The register limit of the kernel.
        limit: u32,
        /// Registers of the function.
        needs: u32,
    },
    /// A kind of memory is exceeded.
    #[error("{user} uses too much {what} ({size:#x} bytes, {limit:#x} max)")]
    TooMuch {
        /// Kernel, or "the program".
        user: String,
        /// The kind of memory.
        what: &'static str,
        /// Bytes needed.
        size: u64,
        /// Bytes available.
        limit: u64,
    },
    /// A relocation that cannot be applied or passed on.
    #[error("'{object}': {section}: relocation {number} at {offset:#x} to {symbol} {why}")]
    Relocation {
        /// The object.
        object: String,
        /// The section that contains it.
        section: String,
        /// ELF number.
        number: u32,
        /// Byte offset.
        offset: u64,
        /// The symbol.
        symbol: String,
        /// The reason.
        why: String,
    },
    /// An inconsistent object.
    #[error("'{object}': {what}")]
    Malformed {
        /// The object.
        object: String,
        /// The error.
        what: String,
    },
    /// There is nothing to link.
    #[error("no object to link")]
    Nothing,
    /// A requested symbol that no object has.
    #[error("no object has the symbol {0}")]
    NoSymbol(String),
}

impl Problem {
    /// Returns it with symbols demangled by `readable`.
    #[must_use]
    pub fn with_names(self, readable: &dyn Fn(&str) -> String) -> Problem {
        match self {
            Problem::Duplicate { symbol, first, second } => {
                Problem::Duplicate { symbol: readable(&symbol), first, second }
            }
            Problem::Kinds { symbol, first, first_kind, second, second_kind } => {
                Problem::Kinds { symbol: readable(&symbol), first, first_kind, second, second_kind }
            }
            Problem::Undefined { symbol, at, others, similar } => Problem::Undefined {
                symbol: readable(&symbol),
                at: Box::new(Use { user: readable(&at.user), ..*at }),
                others,
                similar: similar.map(|s| readable(&s)),
            },
            Problem::Registers { kernel, function, limit, needs } => {
                Problem::Registers { kernel: readable(&kernel), function: readable(&function), limit, needs }
            }
            Problem::Relocation { object, section, number, offset, symbol, why } => {
                Problem::Relocation { object, section, number, offset, symbol: readable(&symbol), why }
            }
            other => other,
        }
    }
}

impl Warning {
    /// Returns it with symbols demangled by `readable`.
    #[must_use]
    pub fn with_names(self, readable: &dyn Fn(&str) -> String) -> Warning {
        match self {
            Warning::Stack { kernel, function } => {
                Warning::Stack { kernel: readable(&kernel), function: readable(&function) }
            }
            Warning::NoCallee { caller } => Warning::NoCallee { caller: readable(&caller) },
        }
    }
}

/// A warning, which does not stop the link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// Recursion, or an indirect call into it: the stack of the kernel is unbounded.
    #[error("the stack size of kernel {kernel} is unknown: {function} is recursive")]
    Stack {
        /// The kernel.
        kernel: String,
        /// A function in the cycle.
        function: String,
    },
    /// An indirect call to a type of function for which no function has its address taken.
    #[error("{caller} has an indirect call to a function type that no function in the program has")]
    NoCallee {
        /// The caller.
        caller: String,
    },
}
