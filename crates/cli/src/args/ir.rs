//! Options for inputs of LLVM IR.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args, ValueEnum, ValueHint};
use raddle_driver::options::{IrOptions, Lto};
use raddle_driver::unpack::Wanted;
use raddle_target::Target;
use std::path::PathBuf;

/// The libraries that compile LLVM IR.
#[derive(Debug, Args)]
#[command(next_help_heading = "LLVM IR")]
pub struct IrLibraries {
    /// LLVM library that compiles LLVM IR: the file, or a folder with it. By default the newest one
    /// of this machine, of version 19 or newer (`raddle doctor` shows it).
    #[arg(long, value_name = "PATH", env = "RADDLE_LLVM", value_parser = OsStringValueParser::new().map(PathBuf::from), value_hint = ValueHint::AnyPath)]
    pub llvm: Option<PathBuf>,
    /// NVIDIA's device library (libdevice.10.bc), or a folder with it; by default that of the CUDA
    /// toolkit.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub libdevice: Option<PathBuf>,
    /// NVIDIA's library that compiles LTO-IR (`nvcc -dlto`): libnvJitLink.so, or the folder of a CUDA
    /// toolkit. LTO-IR is compiled only where it is named, and then rather than PTX of the same file.
    #[arg(long, value_name = "PATH", env = "RADDLE_NVJITLINK", value_parser = OsStringValueParser::new().map(PathBuf::from), value_hint = ValueHint::AnyPath)]
    pub nvjitlink: Option<PathBuf>,
}

impl IrLibraries {
    /// What is wanted of files with several modules.
    pub fn wanted(&self, target: Option<&'static Target>) -> Wanted {
        Wanted { target, lto_ir: given(self.nvjitlink.as_ref()).is_some() }
    }

    /// Options of the driver with these libraries.
    pub fn options(&self) -> IrOptions {
        IrOptions {
            llvm: given(self.llvm.as_ref()),
            libdevice: self.libdevice.clone(),
            nvjitlink: given(self.nvjitlink.as_ref()),
            ..IrOptions::default()
        }
    }
}

/// A path that is not empty: an empty variable of the environment is as none.
fn given(path: Option<&PathBuf>) -> Option<PathBuf> {
    path.filter(|path| !path.as_os_str().is_empty()).cloned()
}

/// Options for LLVM IR.
#[derive(Debug, Args)]
#[command(next_help_heading = "LLVM IR")]
pub struct Ir {
    /// The libraries.
    #[command(flatten)]
    pub libraries: IrLibraries,
    /// Flush subnormal f32 operands and results to zero. By default what each input says: LLVM IR by
    /// the module flag nvvm-reflect-ftz and attributes, which must agree.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    pub ftz: Option<bool>,
    /// Divide f32 as IEEE 754 says; otherwise faster, with an error of at most 2 ulp. By default true,
    /// or what the inputs of LTO-IR say.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    pub prec_div: Option<bool>,
    /// Take square roots of f32 as IEEE 754 says; otherwise faster and less exact. By default true, or
    /// what the inputs of LTO-IR say.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    pub prec_sqrt: Option<bool>,
    /// What is optimised together: each input of LLVM IR by itself; all as one piece; all, split after
    /// the link; or split without a link of the bodies, with no pass over the whole program. The
    /// default is `partial`, and `thin` for large programs. LIBNVVM_DISABLE_CONCURRENT_API in the
    /// environment means `whole`.
    #[arg(long, value_name = "MODE")]
    pub lto: Option<LtoMode>,
    /// Number of parts that the linked LLVM IR is split into, which are optimised at once; 1 does not
    /// split it. The default depends on the size of the program. The output depends on this number,
    /// but not on -j.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub lto_partitions: Option<u32>,
    /// Keep the bitcode and PTX between the steps in this folder.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub save_temps: Option<PathBuf>,
    /// Write the remarks of LLVM's passes to this file, one JSON object per line: what was optimised,
    /// what was not, and why. The cache of steps of LLVM is not used.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub remarks: Option<PathBuf>,
    /// Option for LLVM itself, such as -nvptx-sched4reg; may be repeated. Also spelt -mllvm.
    #[arg(long = "mllvm", value_name = "OPTION", allow_hyphen_values = true)]
    pub llvm_options: Vec<String>,
}

/// What is optimised together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LtoMode {
    /// Each input by itself.
    Off,
    /// The linked program, in one piece.
    Whole,
    /// The linked program, split into parts that are optimised at once.
    Partial,
    /// The same parts, without linking the program before.
    Thin,
}

impl Ir {
    /// What is optimised together, by the option or the environment, with the variable.
    fn mode(&self) -> (Option<Lto>, Option<&'static str>) {
        const VARIABLE: &str = "LIBNVVM_DISABLE_CONCURRENT_API";
        let disabled = std::env::var_os(VARIABLE).is_some_and(|set| !set.is_empty());
        let lto = match self.lto {
            Some(LtoMode::Off) => Some(Lto::Off),
            Some(LtoMode::Whole) => Some(Lto::Whole),
            Some(LtoMode::Partial) => Some(Lto::Partial),
            Some(LtoMode::Thin) => Some(Lto::Thin),
            None => disabled.then_some(Lto::Whole),
        };
        (lto, (self.lto.is_none() && disabled).then_some(VARIABLE))
    }

    /// Converts them to options of the driver.
    pub fn options(&self) -> IrOptions {
        let (lto, lto_variable) = self.mode();
        IrOptions {
            ftz: self.ftz,
            prec_div: self.prec_div,
            prec_sqrt: self.prec_sqrt,
            llvm_options: self.llvm_options.clone(),
            lto,
            lto_variable,
            partitions: self.lto_partitions.map(|parts| parts as usize),
            keep: Vec::new(),
            remarks: self.remarks.is_some(),
            save_temps: self.save_temps.clone(),
            ..self.libraries.options()
        }
    }
}
