//! The options that affect the generated code, and the arguments of the process for one unit.

use super::{Caches, Select};
use clap::{Args, ValueEnum};
use raddle_driver::options::{CodegenOptions, OptLevel};
use std::path::PathBuf;

/// `raddle __unit`.
#[derive(Debug, Args)]
pub struct Unit {
    /// Selection of the kernel and of the architecture.
    #[command(flatten)]
    pub select: Select,
    /// Options that affect the generated code.
    #[command(flatten)]
    pub codegen: Codegen,
    /// Compile this device function instead of a kernel.
    #[arg(long)]
    pub function: Option<String>,
    /// Process that waits for the result; this process ends when it ends.
    #[arg(long)]
    pub parent: Option<u32>,
    /// Generate relocatable code.
    #[arg(short = 'c', long)]
    pub relocatable: bool,
    /// Generate code for debugging.
    #[arg(long)]
    pub device_debug: bool,
    /// Step limit.
    #[arg(long)]
    pub kernel_steps: Option<u64>,
    /// Version of the library that waits for the result: no other is compiled for.
    #[arg(long)]
    pub caller: Option<String>,
    /// File with the module, in the place of standard input.
    #[arg(long, default_value = "-")]
    pub input: String,
    /// File for the result, in the place of standard output.
    #[arg(long)]
    pub output: Option<PathBuf>,
}

/// `raddle __llvm`.
#[derive(Debug, Args)]
pub struct Llvm {
    /// The library.
    pub library: PathBuf,
    /// The library is nvJitLink.
    #[arg(long)]
    pub nvjitlink: bool,
    /// Process-wide options of LLVM.
    #[arg(long = "option", allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// Process that reads the responses; this process ends when it ends.
    #[arg(long)]
    pub parent: Option<u32>,
}

/// Options that affect the generated code.
#[derive(Debug, Args)]
pub struct Codegen {
    /// Optimisation level; by default 3, with -g 0.
    #[arg(short = 'O', long = "opt-level", value_name = "LEVEL", value_parser = opt_level)]
    pub opt: Option<OptLevel>,
    /// Maximum number of registers per thread: 16 to 255, `archmin` (32) or `archmax` (255). Kernels
    /// with bounds of their own (`.maxntid`, `.reqntid`) are not limited, as by ptxas.
    #[arg(long, value_name = "N", value_parser = registers)]
    pub maxrregcount: Option<u32>,
    /// Contract multiplications and additions into fused multiply-adds where PTX allows it.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub fmad: bool,
    /// Write line tables that map instructions to source lines, as given by `.loc` and `.file`.
    #[arg(long, visible_alias = "generate-line-info")]
    pub lineinfo: bool,
    /// Instruction scheduling: by optimisation level, or serial (each instruction waits for all
    /// earlier ones), which isolates scheduling defects.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub sched: Sched,
    /// Options for cache operators.
    #[command(flatten)]
    pub caches: Caches,
}

impl Codegen {
    /// Converts them to options of the driver.
    pub fn options(&self) -> CodegenOptions {
        CodegenOptions {
            opt: self.opt.unwrap_or(OptLevel::O3),
            fmad: self.fmad,
            maxrregcount: self.maxrregcount,
            lineinfo: self.lineinfo,
            debug: false,
            serial: self.sched == Sched::Serial,
            relocatable: false,
            loads: self.caches.loads().unwrap_or_default(),
            stores: self.caches.stores().unwrap_or_default(),
        }
    }
}

/// Instruction scheduling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sched {
    /// By optimisation level.
    Auto,
    /// Each instruction waits for all earlier ones.
    Serial,
}

/// Parses a register limit. The names are those of ptxas, the lower one with the number that ptxas
/// uses for it (ptxas 13.0.88 output).
pub(super) fn registers(text: &str) -> Result<u32, String> {
    let number = match text {
        "archmin" => Some(32),
        "archmax" => Some(255),
        _ => text.parse().ok(),
    };
    number.filter(|n| (16..=255).contains(n)).ok_or_else(|| "16 to 255, archmin or archmax".to_string())
}

pub(super) fn opt_level(text: &str) -> Result<OptLevel, String> {
    match text {
        "0" => Ok(OptLevel::O0),
        "1" => Ok(OptLevel::O1),
        "2" => Ok(OptLevel::O2),
        "3" => Ok(OptLevel::O3),
        _ => Err("levels are 0, 1, 2, 3".to_string()),
    }
}
