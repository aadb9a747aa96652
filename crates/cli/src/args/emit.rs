//! `--emit`: the kind of output.

use clap::ValueEnum;
use raddle_driver::ir::Form;

/// Kind of output of `raddle compile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// LLVM bitcode of the linked inputs, which must be LLVM IR, before they are split.
    Bc,
    /// The same as textual LLVM IR.
    Ll,
    /// PTX: one module, made from inputs of LLVM IR.
    Ptx,
    /// The SSA form after optimisation, as text.
    Ir,
    /// The machine form before emission, as text.
    Mir,
    /// Machine code, as text.
    Sass,
    /// A relocatable object, as with -c.
    Obj,
    /// A cubin: an executable, or with -c a relocatable object.
    Cubin,
    /// A fatbin that contains the cubin.
    Fatbin,
}

impl Emit {
    /// The form between IR and machine code, if it is one.
    pub fn form(self) -> Option<Form> {
        match self {
            Emit::Bc => Some(Form::Bitcode),
            Emit::Ll => Some(Form::Text),
            Emit::Ptx => Some(Form::Ptx),
            Emit::Ir | Emit::Mir | Emit::Sass | Emit::Obj | Emit::Cubin | Emit::Fatbin => None,
        }
    }
}
