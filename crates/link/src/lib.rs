//! Links unit objects to cubins. This crate is the only writer of executables (decision D5).
//!
//! There are two linkers:
//!
//! | input | module | function |
//! |---|---|---|
//! | our unit objects | `units/` | lays out and patches typed facts: [`finalize`], [`relocatable()`] |
//! | relocatable cubins of any compiler | [`objects`] | moves and patches finished sections without copying them |
//!
//! [`import()`] connects them: it converts a relocatable cubin to a unit object.
#![forbid(unsafe_code)]

mod dwarf;
mod import;
mod indexed;
mod notes;
pub mod objects;
mod options;
mod units;

pub use dwarf::{DebugModule, DebugSection, Reference, Referent};
pub use import::{ImportError, import, undefined};
pub use options::{Container, Debug, FinalizeOptions, ToolNote};
pub use units::{finalize, relocatable, with_executable_kernels};

use raddle_cubin::unit::{RelocKind, UnitError};
use raddle_cubin::{WriteError, reloc};

/// The bytes of a constant bank that instructions can address.
const BANK_BYTES: u64 = 0x1_0000;

/// The reason why no executable could be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The target has no native code generation.
    #[error("no native code can be linked for {0}")]
    Target(&'static str),
    /// A unit is inconsistent: a defect of the code generator.
    #[error("malformed unit object: {0}")]
    Unit(#[from] UnitError),
    /// Duplicate definitions of a visible symbol.
    #[error("symbol {name} is defined in module {first} and again in module {second}")]
    Duplicate {
        /// Symbol.
        name: String,
        /// Module of the first definition, counted from 0.
        first: u32,
        /// Module of the second.
        second: u32,
    },
    /// Two units of one module have different definitions of a symbol: a defect of the driver.
    #[error("two units of module {module} define {name} differently")]
    Conflict {
        /// Symbol.
        name: String,
        /// Module, counted from 0.
        module: u32,
    },
    /// An undefined symbol that is not a function of the driver.
    #[error("{user}: undefined symbol {name}")]
    Undefined {
        /// Function or variable that contains the reference.
        user: String,
        /// Symbol.
        name: String,
    },
    /// A relocation that does not apply to its symbol, e.g. the shared address of a function.
    #[error("{user}: {kind:?} relocation at {offset:#x} cannot refer to {name}")]
    Kind {
        /// Function or variable that contains the reference.
        user: String,
        /// The relocation.
        kind: RelocKind,
        /// Its byte offset.
        offset: u32,
        /// Symbol.
        name: String,
    },
    /// A value that does not fit its field.
    #[error("{user}: {kind:?} relocation at {offset:#x} to {name}: {value:#x} does not fit")]
    Overflow {
        /// Function or variable that contains the reference.
        user: String,
        /// The relocation.
        kind: RelocKind,
        /// Its byte offset.
        offset: u32,
        /// Symbol.
        name: String,
        /// The value.
        value: i64,
    },
    /// A kind of memory is exceeded.
    #[error("{user} uses too much {what} ({size:#x} bytes, {limit:#x} max)")]
    TooMuch {
        /// Kernel, or "module".
        user: String,
        /// The kind of memory.
        what: &'static str,
        /// Bytes needed.
        size: u64,
        /// Bytes available.
        limit: u64,
    },
    /// A kernel and a function that it calls both have compiler-made constants, which share one
    /// bank.
    #[error("kernel {kernel}: the constant pool of {function} cannot be merged")]
    Pools {
        /// Kernel.
        kernel: String,
        /// The second function with a pool.
        function: String,
    },
    /// A function of a relocatable object uses shared memory without variables that a linker could
    /// place.
    #[error("{function}: shared memory in a relocatable object is not supported yet")]
    Shared {
        /// Function.
        function: String,
    },
    /// A definition used as a kernel is a variable: a defect of this crate.
    #[error("a variable is used as a kernel")]
    NotAKernel,
    /// A relocation cannot be applied.
    #[error("{user}: {error}")]
    Apply {
        /// Function or variable.
        user: String,
        /// The error.
        error: reloc::ApplyError,
    },
    /// The model could not be written: a defect of this crate.
    #[error("cannot write the executable: {0}")]
    Write(#[from] WriteError),
}
