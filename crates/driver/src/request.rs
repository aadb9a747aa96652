//! What a compilation is asked for.

use crate::input::Input;
use crate::options::{CodegenOptions, RunOptions, Selection};
use crate::ptxas::Fallback;
use raddle_diag::Policy;
use std::path::PathBuf;

/// Everything a compilation is given.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// PTX modules, in the order of the command line.
    pub inputs: Vec<Input>,
    /// Which kernels, for what.
    pub selection: Selection,
    /// What changes bytes; whether code is relocatable is up to `output`.
    pub codegen: CodegenOptions,
    /// How the work is done.
    pub run: RunOptions,
    /// What is rendered besides.
    pub dump: Dump,
    /// What is kept of diagnostics.
    pub policy: Policy,
    /// Compute the keys of kernels (D9).
    pub keys: bool,
    /// A folder that keeps what failed, each kernel alone.
    pub reproduce: Option<PathBuf>,
    /// Who compiles what we cannot.
    pub fallback: Option<Fallback>,
    /// What is made.
    pub output: Output,
    /// What is warned of on demand.
    pub warn_on: WarnOn,
}

/// Warnings about kernels and functions that are given on demand, as by the options of ptxas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarnOn {
    /// Registers that are spilled.
    pub spills: bool,
    /// A stack frame.
    pub local_memory: bool,
    /// Instructions on `.f64`.
    pub double_precision: bool,
}

/// What is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Nothing: everything is read, and what is not supported is listed.
    Check,
    /// The object of the one kernel or function that is selected, linked with nothing.
    Unit {
        /// It is for a linker of objects.
        relocatable: bool,
    },
    /// A relocatable object of all inputs.
    Object(Functions),
    /// A relocatable object of each input.
    Objects(Functions),
    /// An executable.
    #[default]
    Executable,
    /// An executable that is linked from an object: something in it is called by its address or calls itself, or it is debugged.
    LinkedExecutable,
}

/// Which functions an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Functions {
    /// Those that other objects may call, and those that they need.
    Shown,
    /// Those that kernels need: other objects see none of them (`--extensible-whole-program`).
    Needed,
}

impl Output {
    /// Whether relocatable objects are made.
    pub fn is_relocatable(self) -> bool {
        matches!(self, Output::Unit { relocatable: true } | Output::Object(_) | Output::Objects(_))
    }

    /// Whether code goes through a linker of objects, here or elsewhere.
    pub fn is_linked(self) -> bool {
        self.is_relocatable() || self == Output::LinkedExecutable
    }

    /// An object of each input in the place of one of all, or of an executable.
    #[must_use]
    pub fn of_each_input(self) -> Output {
        match self {
            Output::Object(functions) | Output::Objects(functions) => Output::Objects(functions),
            _ => Output::Objects(Functions::Shown),
        }
    }

    /// Whether functions that nothing here calls are compiled as well, for others to call.
    pub fn shows_functions(self) -> bool {
        self.is_relocatable() && !matches!(self, Output::Object(Functions::Needed) | Output::Objects(Functions::Needed))
    }

    /// Whether it is one unit, which needs no others.
    pub fn is_unit(self) -> bool {
        matches!(self, Output::Unit { .. })
    }
}

/// What is wanted of a unit besides its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Dump {
    /// Nothing.
    #[default]
    None,
    /// The SSA form after the last optimisation.
    Ir,
    /// The machine form after the last pass of code generation that shows one.
    Mir,
    /// The unit after the pass of this name, each time it has run.
    After(String),
}
