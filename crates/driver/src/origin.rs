//! The inputs of LLVM IR of a build, kept for a second compilation.

use crate::input::{Content, Input};
use crate::options::IrOptions;
use crate::request::Request;

/// Inputs that are larger together, in bytes, are not kept.
const MOST: usize = 8 << 20;

/// The inputs of LLVM IR of a build, and how they were compiled to PTX.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The request, with instructions numbered in place of source lines.
    pub request: Request,
    /// Whether other objects may refer to whatever is not local.
    pub keep_all: bool,
}

impl Origin {
    /// `None` if there are no inputs of LLVM IR, or too large ones.
    pub fn new(request: &Request, keep_all: bool, inputs: &[Input]) -> Option<Origin> {
        let size = |input: &Input| match &input.content {
            Content::Bitcode(bytes) => bytes.len(),
            Content::Ir(text) => text.len(),
            Content::Text(_) | Content::Elf(_) | Content::LtoIr(_) => 0,
        };
        let small = inputs.iter().map(size).sum::<usize>() <= MOST;
        if inputs.is_empty() || !small {
            return None;
        }
        let ir = IrOptions { locate: true, save_temps: None, remarks: false, ..request.ir.clone() };
        let mut request = Request { ir, inputs: inputs.to_vec(), ..request.clone() };
        // PTX is all that is wanted.
        (request.run.early, request.run.cache, request.reproduce) = (None, None, None);
        Some(Origin { request, keep_all })
    }
}
