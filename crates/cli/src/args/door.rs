//! The arguments of `raddle as`.

use clap::Args;

/// `raddle as`; the command line is read before this one, so that only its help is.
#[derive(Debug, Args)]
pub struct As {
    /// The tool.
    #[arg(value_name = "TOOL")]
    pub tool: String,
    /// Its command line.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<String>,
}
