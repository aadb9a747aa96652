//! The arguments of `raddle link`.

use super::codegen::opt_level;
use super::{Caches, Jobs, Record, SplitCompile, arch};
use clap::{Args, ValueEnum, ValueHint};
use raddle_driver::options::OptLevel;
use raddle_driver::ptxas::Fallback;
use raddle_target::Target;
use std::path::PathBuf;

/// `raddle link`.
#[derive(Debug, Args)]
#[command(after_help = INPUTS)]
pub struct Link {
    /// Objects, libraries and PTX; see below.
    #[arg(required_unless_present = "libraries", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// The file to write; `-` is standard output.
    #[arg(short = 'o', long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Architecture to link for, such as sm_90; by default that of the first cubin.
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<&'static Target>,
    /// Look for libraries in this folder too.
    #[arg(short = 'L', long = "library-path", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub library_paths: Vec<PathBuf>,
    /// Link members of the library libNAME.a that define undefined symbols.
    #[arg(short = 'l', long = "library", value_name = "NAME")]
    pub libraries: Vec<String>,
    /// Make an object that links on, here or with nvlink: everything is kept, and names may stay undefined.
    #[arg(short = 'r', long)]
    pub relocatable: bool,
    /// What is left out.
    #[arg(long, value_name = "WHAT", default_value = "functions")]
    pub gc: Gc,
    /// With `--gc all`: keep this variable (as objects spell it), which a host looks up; may be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub keep: Vec<String>,
    /// Write a map to this file: where each symbol is, and what was removed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub map: Option<PathBuf>,
    /// Say through which functions a kernel reaches this function or variable (its symbol name); may be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub why_live: Vec<String>,
    /// Say which objects define and use this symbol; may be repeated.
    #[arg(long, value_name = "SYMBOL")]
    pub trace_symbol: Vec<String>,
    /// Kernels of PTX, or threads of the linker, at once.
    #[command(flatten)]
    pub jobs: Jobs,
    /// What is kept of the compilation of PTX and told of it.
    #[command(flatten, next_help_heading = PTX)]
    pub record: Record,
    /// Optimisation level of PTX; by default what the inputs say, or 3.
    #[arg(short = 'O', long = "opt-level", value_name = "LEVEL", value_parser = opt_level, help_heading = PTX)]
    pub opt: Option<OptLevel>,
    /// At most this many registers per thread in code made from PTX; by default what the inputs say.
    #[arg(long, value_name = "N", value_parser = super::codegen::registers, help_heading = PTX)]
    pub maxrregcount: Option<u32>,
    /// Contract multiplications and additions of PTX into fused ones; by default what the inputs say, or true.
    #[arg(long, value_name = "BOOL", help_heading = PTX)]
    pub fmad: Option<bool>,
    /// Line tables for code made from PTX; by default what the inputs say.
    #[arg(long, visible_alias = "generate-line-info", help_heading = PTX)]
    pub lineinfo: bool,
    /// Give kernels of PTX that Raddle cannot compile yet to this ptxas, and link in what it makes.
    #[arg(long, value_name = "ptxas[:PATH]", help_heading = PTX)]
    pub fallback: Option<Fallback>,
    /// Print what each kernel takes with all that it calls.
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Through units.
    #[command(flatten)]
    pub split: SplitCompile,
    /// Cache operators; by default what the inputs say.
    #[command(flatten, next_help_heading = PTX)]
    pub caches: Caches,
}

const PTX: &str = "PTX inputs";

const INPUTS: &str = "\
Inputs: relocatable cubins (raddle compile -c, ptxas -c), PTX, fatbins with such cubins or, where they have none for the architecture, with PTX, host objects with such fatbins (nvcc -dc), and archives of \
any of them. The members of an archive are linked only if something needs them. The order of the inputs does not change \
the output, but for weak definitions of one name, of which the first counts.";

/// What is left out of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Gc {
    /// Nothing.
    Off,
    /// Functions that no kernel reaches, with their constants and shared variables, as nvlink does. Variables in global memory
    /// stay: a host may look them up.
    Functions,
    /// Variables in global and constant memory that nothing alive names, too: a host cannot look these up any more, unless --keep names
    /// them.
    All,
}
