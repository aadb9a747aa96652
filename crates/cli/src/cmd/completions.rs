//! `raddle completions`: prints a completion script for a shell.

use crate::args::{Cli, Completions};
use crate::{Done, print};
use clap::CommandFactory;

pub(crate) fn run(args: &Completions) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "raddle", &mut script);
    print(&String::from_utf8_lossy(&script))
}
