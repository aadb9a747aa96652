//! The arguments of `raddle link`.

use super::codegen::opt_level;
use super::{Caches, Ir, Jobs, Record, SplitCompile, arch};
use clap::{Args, ValueEnum, ValueHint};
use raddle_driver::options::OptLevel;
use raddle_driver::ptxas::Fallback;
use raddle_target::Target;
use std::path::PathBuf;

/// `raddle link`.
#[derive(Debug, Args)]
#[command(after_help = INPUTS)]
pub struct Link {
    /// Input files: objects, PTX and libraries (see below).
    #[arg(required_unless_present_any = ["libraries", "as_nvlink"])]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// Output file; `-` is standard output.
    #[arg(short = 'o', long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Architecture to link for, such as sm_90; by default that of the first cubin.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Folder to search for libraries; may be repeated.
    #[arg(short = 'L', long = "library-path", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub library_paths: Vec<PathBuf>,
    /// Library to link, libNAME.a; only the members that are needed are linked.
    #[arg(short = 'l', long = "library", value_name = "NAME")]
    pub libraries: Vec<String>,
    /// Write a relocatable object for a later link, by Raddle or nvlink: everything is kept, and
    /// symbols may stay undefined.
    #[arg(short = 'r', long)]
    pub relocatable: bool,
    /// Unused functions and variables to leave out of the output.
    #[arg(long, value_name = "WHAT", default_value = "functions")]
    pub gc: Gc,
    /// With `--gc all`, keep this variable (symbol name), for example because the host looks it up;
    /// may be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub keep: Vec<String>,
    /// Write a link map to this file: the place of each symbol, and why it was linked.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub map: Option<PathBuf>,
    /// Print the chain of references from a kernel to this function or variable (symbol name); may
    /// be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub why_live: Vec<String>,
    /// Print the objects that define and use this symbol; may be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub trace_symbol: Vec<String>,
    /// Write the names by which host objects register what was linked, as C, to this file.
    #[arg(long, hide = true, value_name = "FILE")]
    pub register_link_binaries: Option<PathBuf>,
    /// As nvlink: no code among the inputs is an empty program, and an input may be the output.
    #[arg(long, hide = true)]
    pub as_nvlink: bool,
    /// Options for parallel compilation of PTX and for threads of the linker.
    #[command(flatten)]
    pub jobs: Jobs,
    /// Options for caching, failures and reports of the compilation of PTX.
    #[command(flatten, next_help_heading = PTX)]
    pub record: Record,
    /// Optimisation level for PTX; by default that recorded in the inputs, or 3.
    #[arg(short = 'O', long = "opt-level", value_name = "LEVEL", value_parser = opt_level, help_heading = PTX)]
    pub opt: Option<OptLevel>,
    /// Maximum number of registers per thread for PTX; by default that recorded in the inputs.
    /// Kernels with bounds of their own (`.maxntid`, `.reqntid`) are not limited.
    #[arg(long, value_name = "N", value_parser = super::codegen::registers, help_heading = PTX)]
    pub maxrregcount: Option<u32>,
    /// Contract multiplications and additions of PTX into fused multiply-adds; by default as
    /// recorded in the inputs, or true.
    #[arg(long, value_name = "BOOL", help_heading = PTX)]
    pub fmad: Option<bool>,
    /// Write line tables for PTX; by default as recorded in the inputs.
    #[arg(long, visible_alias = "generate-line-info", help_heading = PTX)]
    pub lineinfo: bool,
    /// Compile kernels of PTX that Raddle does not support yet with this ptxas, and link them in.
    #[arg(long, value_name = "ptxas[:PATH]", help_heading = PTX)]
    pub fallback: Option<Fallback>,
    /// Print the resource usage of each kernel, including that of the functions it calls.
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Options for splitting modules.
    #[command(flatten)]
    pub split: SplitCompile,
    /// Options for cache operators; by default as recorded in the inputs.
    #[command(flatten, next_help_heading = PTX)]
    pub caches: Caches,
    /// Options for LLVM IR.
    #[command(flatten)]
    pub ir: Ir,
}

const PTX: &str = "PTX inputs";

const INPUTS: &str = "\
Inputs: relocatable cubins (raddle compile -c, ptxas -c), PTX, fatbins with such cubins or, if none is for the \
architecture, with PTX, host objects with such fatbins (nvcc -dc), LLVM IR (bitcode or text; clang's offload packages \
and host objects with bitcode: clang -foffload-lto), and archives of any of them. All LLVM IR is optimised as one \
program first (link-time optimisation). Members of an archive are linked only if they are needed; members of LLVM IR \
are always linked. The order of the inputs does not affect the output, except that the first of \
several weak definitions of one symbol is used.";

/// Unused functions and variables to leave out of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Gc {
    /// Nothing.
    Off,
    /// Functions that no kernel reaches, with their constants and shared variables, as nvlink does.
    /// Variables in global memory are kept: the host may look them up.
    Functions,
    /// Also unreferenced variables in global and constant memory. A host can then look up only
    /// those of them that --keep names.
    All,
}
