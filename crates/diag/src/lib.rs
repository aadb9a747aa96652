//! Source spans, diagnostics with stable codes, and their renderings: human-readable, the lines of
//! ptxas, JSON.
//!
//! **Problem.** Errors are found in parallel tasks, in inputs of any size and content, and are read
//! by people, by build systems that parse the lines of `ptxas`, and by programs. **Strategy.** A
//! [`Diagnostic`] is plain data: a [`Severity`], a stable [`Code`], a message, labelled [`Span`]s,
//! notes and the function it belongs to. Each task has its own [`Diags`]; the coordinator appends
//! them in input order. Text appears only in the renderers of [`render`], which look up places in
//! the [`SourceMap`].
//!
//! **Invariants.** Nothing here prints. The length of a rendering is bounded per diagnostic,
//! however long the line or token is. A released code keeps its meaning.
#![forbid(unsafe_code)]

mod code;
mod diagnostic;
pub mod render;
mod sink;
mod source;

pub use code::{Class, Code, CodeInfo, CodeTable, Registry, names_number};
pub use diagnostic::{Diagnostic, Label, Severity, quote};
pub use sink::{Counts, Diags, Policy};
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span, TooLarge};
