//! The program that is compiled: its modules, and its units in input order.
//!
//! [`read()`] makes it from the inputs; [`functions`] decides, once bodies are read, what stays a function. The other files find out one thing each.
//!
//! **Invariant.** The program is a pure function of inputs and selection: neither `-j` nor anything else of a run changes it.

mod budget;
pub mod cost;
pub(crate) mod dwarf;
mod externs;
pub(crate) mod functions;
pub mod history;
pub(crate) mod names;
mod pragmas;
mod read;
pub(crate) mod variables;

pub use read::{no_kernel, read};

use raddle_diag::{FileId, Span};
use raddle_entity::{EntityRef, FxHashMap};
use raddle_ptx::{Body, FuncId, Outline};
use raddle_target::Target;
use std::sync::Arc;

/// One PTX module.
pub struct Module {
    /// Its number in the source map.
    pub file: FileId,
    /// Its text.
    pub text: Arc<String>,
    /// Everything outside of bodies.
    pub outline: Outline,
    /// Bodies of the device functions, once they have been read.
    pub bodies: FxHashMap<FuncId, Body>,
    /// What is not inlined, where some code is for a linker of objects.
    pub apart: Option<raddle_lower::Apart>,
}

/// Units that cost less are put together until they cost so much: a few tenths of a millisecond, some 15 statements.
pub const BATCH: u64 = 400;

/// What is made of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An object: a kernel.
    Kernel,
    /// An object: a device function that stays a function.
    Function,
    /// Nothing: the body of a device function is read, for its errors and for those that inline it.
    Body,
}

/// One unit of compilation: a kernel with all that it refers to (D9).
#[derive(Clone, Debug)]
pub struct Unit {
    /// Index of its module.
    pub module: usize,
    /// The kernel, or the function.
    pub func: FuncId,
    /// What is made of it.
    pub role: Role,
    /// Its code is for a linker of objects: it reaches what is not inlined, or the output is an object.
    pub relocatable: bool,
    /// Its name as in the text.
    pub name: Arc<str>,
    /// What its compilation may cost, in about microseconds: the longest are started first.
    pub cost: u64,
    /// The most memory its compilation may hold at once, in bytes.
    pub bytes: u64,
    /// It took that the last time.
    pub measured: bool,
    /// The most registers of a thread that it may have, where others decide that.
    pub registers: Option<u32>,
}

/// All that has to be done, in input order.
pub struct Program {
    /// The architecture of the output.
    pub target: &'static Target,
    /// The inputs.
    pub modules: Vec<Module>,
    /// The kernels, by module and then by place in the text; behind them functions that turn out to be needed.
    pub units: Vec<Unit>,
}

/// The name of a function where it is declared.
pub(crate) fn name_span(module: &Module, func: FuncId) -> Span {
    let span = &module.outline.funcs[func].span;
    Span::new(module.file, span.start as u32, span.end as u32)
}

impl Unit {
    /// The unit that compiles a function whose body has been read.
    pub(crate) fn as_function(&self) -> Unit {
        Unit { role: Role::Function, relocatable: true, ..self.clone() }
    }

    /// Whether an object is made of it.
    pub fn gives_object(&self) -> bool {
        self.role != Role::Body
    }

    /// Whether it is a device function that stays a function.
    pub fn is_function(&self) -> bool {
        self.role == Role::Function
    }

    /// A number that is the same for the same unit in every run: chaos and traces are keyed by it.
    pub fn number(&self) -> u64 {
        (self.module as u64) << 32 | self.func.index() as u64
    }
}
