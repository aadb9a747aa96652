//! The options that select the kind of output, as ptxas spells them.

use super::Codegen;
use clap::{Args, ValueEnum};
use raddle_driver::modes::ModeOptions;
use raddle_driver::options::OptLevel;
use raddle_driver::request::WarnOn;

/// Options for the kind of output.
#[derive(Debug, Args)]
pub struct Mode {
    /// Write a relocatable object for `raddle link` or nvlink: functions are kept, and symbols may
    /// be defined by other objects.
    #[arg(short = 'c', long, visible_alias = "compile-only")]
    pub relocatable: bool,
    /// Write an object of kernels with all that they call; other symbols may be undefined, and its
    /// functions are local.
    #[arg(long, visible_alias = "ewp")]
    pub extensible_whole_program: bool,
    /// Generate code for debugging: without optimisation or inlining, with line tables.
    #[arg(short = 'g', long)]
    pub device_debug: bool,
    /// Reduce compile time at the cost of slower code: `min` and `mid` are -O1, `max` is -O0.
    #[arg(
        long = "Ofast-compile",
        value_name = "LEVEL",
        default_value = "0",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub fast: Faster,
    /// Do not write line tables, even with --lineinfo or -g.
    #[arg(long)]
    pub suppress_debug_info: bool,
    /// Do not warn about a stack of unknown size.
    #[arg(long, help_heading = "Messages")]
    pub suppress_stack_size_warning: bool,
    /// Warn about each kernel and function with spills.
    #[arg(long, help_heading = "Messages")]
    pub warn_on_spills: bool,
    /// Warn about each kernel and function with a stack frame.
    #[arg(long, help_heading = "Messages")]
    pub warn_on_local_memory_usage: bool,
    /// Warn about each kernel and function that uses double precision.
    #[arg(long, help_heading = "Messages")]
    pub warn_on_double_precision_use: bool,
    /// An option of ptxas that Raddle does not have.
    #[arg(long = "ptxas-option", hide = true)]
    pub ptxas_options: Vec<String>,
    /// Not supported.
    #[arg(long, hide = true)]
    pub compile_as_tools_patch: bool,
    /// Not supported.
    #[arg(long, hide = true)]
    pub assyscall: bool,
    /// Only `yes` is supported.
    #[arg(long, hide = true, value_name = "YES|NO", default_value = "yes")]
    pub abi: Abi,
    /// Not supported.
    #[arg(long, hide = true, visible_alias = "pic", value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub position_independent_code: bool,
    /// Without effect.
    #[arg(long, hide = true)]
    pub legacy_bar_warp_wide_behavior: bool,
}

/// Whether calls follow the platform's convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Abi {
    /// Follow it.
    Yes,
    /// Do not follow it.
    No,
}

/// Reduction of compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Faster {
    /// None.
    #[value(name = "0")]
    Off,
    /// A little.
    Min,
    /// More.
    Mid,
    /// As much as possible.
    Max,
}

impl Mode {
    /// The optional warnings.
    pub fn warn_on(&self) -> WarnOn {
        WarnOn {
            spills: self.warn_on_spills,
            local_memory: self.warn_on_local_memory_usage,
            double_precision: self.warn_on_double_precision_use,
            each_instruction: false,
        }
    }

    /// The options that select the output.
    pub fn options(&self, codegen: &Codegen) -> ModeOptions {
        ModeOptions {
            compile_only: self.relocatable,
            extensible: self.extensible_whole_program,
            debug: self.device_debug,
            opt: codegen.opt,
            fast: match self.fast {
                Faster::Off => None,
                Faster::Min | Faster::Mid => Some(OptLevel::O1),
                Faster::Max => Some(OptLevel::O0),
            },
            tools_patch: self.compile_as_tools_patch,
            system_call: self.assyscall,
            without_abi: self.abi == Abi::No,
            position_independent: self.position_independent_code,
            legacy_barriers: self.legacy_bar_warp_wide_behavior,
        }
    }
}
