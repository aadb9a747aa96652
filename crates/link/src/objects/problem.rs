//! What can be wrong with a link, each with the symbol and the objects it concerns.

use raddle_cubin::ReadError;

/// Where in an object a symbol is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The object.
    pub object: String,
    /// The function or section with the use.
    pub user: String,
    /// Byte offset in it.
    pub offset: u64,
    /// File and line of the source, where the object has a line table.
    pub line: Option<(String, u32)>,
}

/// Why objects cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file cannot be read as a cubin.
    #[error("'{object}': {error}")]
    Unreadable {
        /// The object.
        object: String,
        /// What is wrong.
        error: ReadError,
    },
    /// An executable.
    #[error("'{object}' is an executable, not a relocatable object")]
    Executable {
        /// The object.
        object: String,
    },
    /// Memory that has been placed already.
    #[error("'{object}' was made by nvlink -r, which has placed shared memory and tables of branches already")]
    Placed {
        /// The object.
        object: String,
    },
    /// A container of another version than those of CUDA 12 and 13.
    #[error("'{object}' has a container of ABI version {version}; those of CUDA 12 and 13 are 7 and 8")]
    Container {
        /// The object.
        object: String,
        /// `EI_ABIVERSION`.
        version: u8,
    },
    /// Code for another machine.
    #[error("'{object}' is for sm_{found}, the others are for {wanted}")]
    Architecture {
        /// The object.
        object: String,
        /// SM number of the object.
        found: u16,
        /// What is linked for.
        wanted: String,
        /// The object or option that says so.
        reason: String,
    },
    /// An object of a kind that is not supported: an extensible whole program.
    #[error("'{object}': {error}")]
    Kind {
        /// The object.
        object: String,
        /// Which kind.
        error: ReadError,
    },
    /// Code for an architecture whose objects are not linked: one without machine code here, or one whose code has to be finished
    /// by the vendor's finalizer.
    #[error("'{object}' is for sm_{sm}, whose objects are not supported")]
    Finalizer {
        /// The object.
        object: String,
        /// SM number.
        sm: u16,
    },
    /// Two definitions of a name.
    #[error("{symbol} is defined in '{first}' and again in '{second}'")]
    Duplicate {
        /// The symbol.
        symbol: String,
        /// The object that is kept.
        first: String,
        /// The other one.
        second: String,
    },
    /// A name that means different things.
    #[error("{symbol} is a {first_kind} in '{first}' and a {second_kind} in '{second}'")]
    Kinds {
        /// The symbol.
        symbol: String,
        /// An object.
        first: String,
        /// What it is there.
        first_kind: &'static str,
        /// The other object.
        second: String,
        /// What it is there.
        second_kind: &'static str,
    },
    /// Used, but defined nowhere.
    #[error("{symbol} is not defined; it is used by {} in '{}'", .at.user, .at.object)]
    Undefined {
        /// The symbol.
        symbol: String,
        /// A use.
        at: Box<Use>,
        /// Further objects that use it.
        others: Vec<String>,
        /// A defined name that differs little.
        similar: Option<String>,
    },
    /// A kernel with fewer registers than a function it calls.
    #[error("kernel {kernel} may have {limit} registers and calls {function}, which has {needs}")]
    Registers {
        /// The kernel.
        kernel: String,
        /// The function.
        function: String,
        /// Registers the kernel may have.
        limit: u32,
        /// Registers of the function.
        needs: u32,
    },
    /// Too much memory of a kind.
    #[error("{user} uses too much {what} ({size:#x} bytes, {limit:#x} max)")]
    TooMuch {
        /// Kernel, or "the program".
        user: String,
        /// Kind of memory.
        what: &'static str,
        /// Bytes wanted.
        size: u64,
        /// Bytes there are.
        limit: u64,
    },
    /// A relocation that cannot be applied or passed on.
    #[error("'{object}': {section}: relocation {number} at {offset:#x} to {symbol} {why}")]
    Relocation {
        /// The object.
        object: String,
        /// The section with the place.
        section: String,
        /// ELF number.
        number: u32,
        /// Byte offset.
        offset: u64,
        /// The symbol.
        symbol: String,
        /// What is wrong with it.
        why: String,
    },
    /// An object that contradicts itself.
    #[error("'{object}': {what}")]
    Malformed {
        /// The object.
        object: String,
        /// What is wrong.
        what: String,
    },
    /// There is nothing to link.
    #[error("no object to link")]
    Nothing,
    /// A name asked for that no object has.
    #[error("no object has a symbol {0}")]
    NoSymbol(String),
}

impl Problem {
    /// The same with names of symbols as `readable` has them.
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
    /// The same with names of symbols as `readable` has them.
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

/// What should be known and does not stop the link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// Recursion, or a call by pointer into it: the stack of the kernel has no bound.
    #[error("the stack of kernel {kernel} has no known size: {function} can call itself")]
    Stack {
        /// The kernel.
        kernel: String,
        /// A function in the cycle.
        function: String,
    },
    /// A call by pointer to a type of function that no function has whose address is taken.
    #[error("{caller} calls by pointer a type of function that no function in the program has")]
    NoCallee {
        /// The caller.
        caller: String,
    },
}
