//! The program to compile: its modules, and its units in input order.
//!
//! [`read()`] makes it from the inputs; [`functions`] decides, once bodies are read, which
//! functions are not inlined. Each of the other files determines one property.
//!
//! **Invariant.** The program is a pure function of inputs and selection, independent of `-j` and
//! of all other options of the run.

mod budget;
pub(crate) use budget::bounds;
pub mod cost;
pub(crate) mod dwarf;
mod externs;
pub(crate) mod functions;
pub mod history;
pub(crate) mod names;
pub(crate) mod outside;
mod pragmas;
mod read;
mod survey;
pub(crate) mod variables;

pub use read::{no_kernel, read};

use raddle_diag::{FileId, Span};
use raddle_entity::{EntityRef, Executor, FxHashMap};
use raddle_ptx::{Body, FuncId, Outline};
use raddle_target::Target;
use std::sync::Arc;
use survey::Surveys;

/// One PTX module.
pub struct Module {
    /// Its number in the source map.
    pub file: FileId,
    /// Its text.
    pub text: Arc<String>,
    /// Everything outside the bodies.
    pub outline: Outline,
    /// What the texts of its functions say before they are read.
    pub(crate) surveys: Surveys,
    /// Bodies of the device functions, once they have been read.
    pub bodies: FxHashMap<FuncId, Body>,
    /// The functions that are not inlined, where some code needs a linker of objects.
    pub out_of_line: Option<raddle_lower::OutOfLine>,
}

impl Module {
    /// A module whose outline has been read; the executor surveys its functions.
    pub(crate) fn new(file: FileId, text: Arc<String>, outline: Outline, executor: &dyn Executor) -> Module {
        let surveys = Surveys::of(&text, &outline, executor);
        Module { file, text, outline, surveys, bodies: FxHashMap::default(), out_of_line: None }
    }
}

/// Units with a lower cost are batched up to this cost: a few tenths of a millisecond, some 15
/// statements.
pub const BATCH: u64 = 400;

/// The result of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A kernel, which becomes an object.
    Kernel,
    /// A device function that is not inlined, which becomes an object.
    Function,
    /// A device function whose body is only read, for its errors and for the units that inline it.
    ReadOnly,
}

/// A unit of compilation: a kernel with everything that it refers to (D9).
#[derive(Clone, Debug)]
pub struct Unit {
    /// Index of its module.
    pub module: usize,
    /// The kernel, or the function.
    pub func: FuncId,
    /// Its result.
    pub role: Role,
    /// Whether its code needs a linker of objects: it reaches a function that is not inlined, or
    /// the output is an object.
    pub relocatable: bool,
    /// Its name as in the text.
    pub name: Arc<str>,
    /// The estimated cost of its compilation, in about microseconds: the costliest are started
    /// first.
    pub cost: u64,
    /// The estimated peak of memory of its compilation, in bytes.
    pub bytes: u64,
    /// Whether these were measured by an earlier build.
    pub measured: bool,
    /// The most registers per thread that it may use, where other kernels limit them.
    pub registers: Option<u32>,
}

/// Everything to compile, in input order.
pub struct Program {
    /// The architecture of the output.
    pub target: &'static Target,
    /// The inputs.
    pub modules: Vec<Module>,
    /// The kernels, by module and then by place in the text, followed by functions that turn out to
    /// be needed.
    pub units: Vec<Unit>,
}

/// The place of the name of a function in its declaration.
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
    pub fn makes_object(&self) -> bool {
        self.role != Role::ReadOnly
    }

    /// Whether it is a device function that is not inlined.
    pub fn is_function(&self) -> bool {
        self.role == Role::Function
    }

    /// A number that identifies the unit in every run, used by chaos and traces.
    pub fn number(&self) -> u64 {
        (self.module as u64) << 32 | self.func.index() as u64
    }
}
