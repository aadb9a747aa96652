//! The arguments of `raddle as` and `raddle install`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `raddle install`.
#[derive(Debug, Args)]
pub struct Install {
    /// Folder for the links; it is created if needed. Put it in front of PATH.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub into: PathBuf,
    /// Make a copy of this CUDA toolkit out of links, with Raddle for its ptxas, nvlink and fatbinary:
    /// DIR/bin/nvcc then compiles with Raddle, and what Raddle cannot do goes to the toolkit's tools.
    #[arg(long, value_name = "CUDA", value_hint = ValueHint::DirPath)]
    pub toolkit: Option<PathBuf>,
    /// Make copies instead of symbolic links, for callers that follow links.
    #[arg(long)]
    pub copy: bool,
    /// Replace files that are not Raddle.
    #[arg(long)]
    pub force: bool,
}

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
