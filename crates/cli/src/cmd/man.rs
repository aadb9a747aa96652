//! `raddle man`: prints a manual page, made from the same declarations as `--help`.

use crate::args::{Cli, Man};
use crate::{Done, Failure, print};
use clap::CommandFactory;
use clap::error::ErrorKind;
use raddle_driver::codes;

pub(crate) fn run(args: &Man) -> Done {
    let mut all = Cli::command();
    // Names subcommands raddle-compile and the like.
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => match all.find_subcommand(name).filter(|command| !command.is_hide_set()) {
            Some(command) => command.clone(),
            None => all.error(ErrorKind::InvalidSubcommand, format!("there is no command '{name}'")).exit(),
        },
    };
    let mut page = Vec::new();
    let manual = clap_mangen::Man::new(command).source(concat!("raddle ", env!("CARGO_PKG_VERSION")));
    manual.render(&mut page).map_err(|error| Failure::new(codes::E0041, format!("the manual page: {error}")))?;
    print(&String::from_utf8_lossy(&page))
}
