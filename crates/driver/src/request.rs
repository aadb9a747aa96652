//! The request for a compilation.

use crate::input::Input;
use crate::options::{CodegenOptions, IrOptions, RunOptions, Selection};
use crate::ptxas::Fallback;
use raddle_diag::Policy;
use std::path::PathBuf;

/// Everything that determines a compilation.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Modules of PTX and LLVM IR, in the order of the command line.
    pub inputs: Vec<Input>,
    /// Selects kernels and the architecture.
    pub selection: Selection,
    /// Options that affect the generated code; whether it is relocatable depends on `output`.
    pub codegen: CodegenOptions,
    /// Options of the run.
    pub run: RunOptions,
    /// An internal form to dump in addition.
    pub dump: Dump,
    /// The rules for keeping diagnostics.
    pub policy: Policy,
    /// Compute the keys of kernels (D9).
    pub keys: bool,
    /// The folder for kernels that failed, each as a separate module.
    pub reproduce: Option<PathBuf>,
    /// The assembler for kernels that cannot be compiled here.
    pub fallback: Option<Fallback>,
    /// The kind of output.
    pub output: Output,
    /// Optional warnings.
    pub warn_on: WarnOn,
    /// Options for inputs of LLVM IR.
    pub ir: IrOptions,
}

/// Optional warnings about kernels and functions, as by the options of ptxas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarnOn {
    /// Warn of spilled registers.
    pub spills: bool,
    /// Warn of a stack frame.
    pub local_memory: bool,
    /// Warn of instructions on `.f64`.
    pub double_precision: bool,
    /// That warning names each instruction, as ptxas does, not each function.
    pub each_instruction: bool,
}

/// The kind of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// No output: everything is read, and unsupported features are listed.
    Check,
    /// The object of the one selected kernel or function, not linked.
    Unit {
        /// Whether it is for a linker of objects.
        relocatable: bool,
    },
    /// A relocatable object of all inputs.
    Object(Functions),
    /// A relocatable object of each input.
    Objects(Functions),
    /// An executable.
    #[default]
    Executable,
    /// An executable linked from an object: it contains calls by address or recursion, or debug
    /// information.
    LinkedExecutable,
}

/// The functions in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Functions {
    /// Functions that other objects may call, and those that they need.
    Exported,
    /// Functions that kernels need, hidden from other objects (`--extensible-whole-program`).
    Reachable,
}

impl Output {
    /// Whether relocatable objects are made.
    pub fn is_relocatable(self) -> bool {
        matches!(self, Output::Unit { relocatable: true } | Output::Object(_) | Output::Objects(_))
    }

    /// Whether the code goes through a linker of objects, here or elsewhere.
    pub fn is_linked(self) -> bool {
        self.is_relocatable() || self == Output::LinkedExecutable
    }

    /// The same output as an object of each input.
    #[must_use]
    pub fn of_each_input(self) -> Output {
        match self {
            Output::Object(functions) | Output::Objects(functions) => Output::Objects(functions),
            _ => Output::Objects(Functions::Exported),
        }
    }

    /// Whether functions that nothing here calls are compiled as well, for other objects.
    pub fn exports_functions(self) -> bool {
        self.is_relocatable()
            && !matches!(self, Output::Object(Functions::Reachable) | Output::Objects(Functions::Reachable))
    }

    /// Whether it is a single unit, which needs no others.
    pub fn is_unit(self) -> bool {
        matches!(self, Output::Unit { .. })
    }
}

/// The internal form of a unit to dump.
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
