//! The options that say what kind of code is made, as ptxas spells them.

use super::Codegen;
use clap::{Args, ValueEnum};
use raddle_driver::mode::Asked;

/// What is made.
#[derive(Debug, Args)]
pub struct Mode {
    /// Make a relocatable object for `raddle link` or nvlink: functions stay, names may be others'.
    #[arg(short = 'c', long, visible_alias = "compile-only")]
    pub relocatable: bool,
    /// Make an object of kernels with all that they call; other names may be undefined, and its functions are nobody else's.
    #[arg(long, visible_alias = "ewp")]
    pub extensible_whole_program: bool,
    /// Code for debugging: without optimisation, with line tables and with functions of their own.
    #[arg(short = 'g', long)]
    pub device_debug: bool,
    /// Not supported.
    #[arg(long, hide = true)]
    pub compile_as_tools_patch: bool,
    /// Not supported.
    #[arg(long, hide = true)]
    pub assyscall: bool,
    /// Not supported but for `yes`.
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
    /// They do.
    Yes,
    /// They do not.
    No,
}

impl Mode {
    /// What is asked for.
    pub fn asked(&self, codegen: &Codegen) -> Asked {
        Asked {
            compile_only: self.relocatable,
            extensible: self.extensible_whole_program,
            debug: self.device_debug,
            opt: codegen.opt,
            tools_patch: self.compile_as_tools_patch,
            system_call: self.assyscall,
            without_abi: self.abi == Abi::No,
            position_independent: self.position_independent_code,
            legacy_barriers: self.legacy_bar_warp_wide_behavior,
        }
    }
}
