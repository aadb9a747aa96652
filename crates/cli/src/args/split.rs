//! The options that split modules, and the arguments of `raddle split`.

use super::arch;
use clap::{Args, ValueHint};
use raddle_target::Target;
use std::path::PathBuf;

/// Splitting, as nvcc, ptxas and nvlink spell it.
#[derive(Debug, Args)]
pub struct SplitCompile {
    /// Kernels of PTX at once, as ptxas spells it: 0 takes the CPUs available, 1 is one after another. Never more than -j and the
    /// slots of make allow.
    #[arg(long, value_name = "N", help_heading = "Splitting")]
    pub split_compile: Option<usize>,
    /// Split each module into units, compile this many at once, each to an object of its own, and link the objects. 0 takes the CPUs
    /// available, 1 does not split. Goes before --split-compile.
    #[arg(long, value_name = "N", help_heading = "Splitting")]
    pub split_compile_extended: Option<usize>,
    /// Compile PTX as a whole and in units, link both through objects, and fail unless code, registers, barriers, stack, shared memory
    /// and constants of all functions are the same.
    #[arg(long, help_heading = "Splitting")]
    pub verify_split: bool,
}

/// `raddle split`.
#[derive(Debug, Args)]
pub struct Split {
    /// A PTX module, or a fatbin, host object or archive with one inside; `-` is standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Folder for the units and `manifest.json`; it is made if need be, and units of an earlier split are removed from it.
    #[arg(short = 'o', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// The architecture that a module is taken for where the file has several.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Print what is in each unit.
    #[arg(short = 'v', long)]
    pub verbose: bool,
}
