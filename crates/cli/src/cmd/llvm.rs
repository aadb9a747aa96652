//! `raddle __llvm`: runs steps of LLVM for another raddle process.

use crate::args::Llvm;
use crate::{Done, Failure};
use raddle_driver::codes;
use raddle_driver::ir::{Library, serve};

pub(crate) fn run(args: &Llvm) -> Done {
    let kind = if args.nvjitlink { Library::NvJitLink } else { Library::Llvm };
    serve(kind, &args.library, &args.options, args.parent)
        .map_err(|error| Failure::new(codes::E0091, error.to_string()))
}
