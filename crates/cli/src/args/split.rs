//! The options for splitting modules, and the arguments of `raddle split`.

use super::arch;
use clap::{Args, ValueHint};
use raddle_target::Target;
use std::path::PathBuf;

/// Options for splitting modules, with the names of nvcc, ptxas and nvlink.
#[derive(Debug, Args)]
pub struct SplitCompile {
    /// Maximum number of kernels to compile at once (the ptxas option): 0 means all available CPUs,
    /// 1 one after another. The limits of -j and of make's job slots still apply.
    #[arg(long, value_name = "N", help_heading = "Splitting")]
    pub split_compile: Option<usize>,
    /// Split each PTX module into separate modules, compile each and each part of LLVM IR to an
    /// object, at most N at once, and link the objects. 0 means all available CPUs, 1 does not
    /// split. Takes precedence over --split-compile.
    #[arg(long, value_name = "N", help_heading = "Splitting")]
    pub split_compile_extended: Option<usize>,
    /// Compile each PTX module whole and split, and LLVM IR in one part and in several, link both,
    /// and fail unless code, registers, barriers, stack, shared memory and constants of all
    /// functions are the same.
    #[arg(long, help_heading = "Splitting")]
    pub verify_split: bool,
}

/// `raddle split`.
#[derive(Debug, Args)]
pub struct Split {
    /// A PTX module, or a fatbin, host object or archive with one inside; `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Output folder for the modules and `manifest.json`; it is created if needed, and modules of
    /// an earlier split are removed from it.
    #[arg(short = 'o', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Architecture of the module to split, where the file has several.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Print the contents of each module.
    #[arg(short = 'v', long)]
    pub verbose: bool,
}
