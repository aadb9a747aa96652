//! `raddle man`: prints a manual page, made from the same declarations as `--help` and, for the tools
//! that Raddle stands in for, from the tables of their options; or writes all pages to a folder.

mod tool;

use crate::args::{Cli, Man};
use crate::{Done, Failure, print};
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use raddle_driver::codes;
use raddle_driver::output::Dest;
use std::path::Path;

pub(crate) fn run(args: &Man) -> Done {
    let mut all = Cli::command();
    // Names subcommands raddle-compile and the like.
    all.build();
    if let Some(folder) = &args.into {
        return write_all(&all, folder);
    }
    let Some(name) = &args.command else { return print(&page(all)?) };
    if let Some(tool) = raddle_dropin::TOOLS.iter().find(|tool| tool.name == name) {
        return print(&tool::page(tool));
    }
    let found = shown(&all).find(|command| command.get_name() == name).cloned();
    match found {
        Some(command) => print(&page(command)?),
        None => all.error(ErrorKind::InvalidSubcommand, format!("there is no command '{name}'")).exit(),
    }
}

/// The commands that `--help` lists.
fn shown(all: &Command) -> impl Iterator<Item = &Command> {
    all.get_subcommands().filter(|command| !command.is_hide_set())
}

fn page(command: Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    let manual = clap_mangen::Man::new(command).source(concat!("raddle ", env!("CARGO_PKG_VERSION")));
    manual.render(&mut page).map_err(|error| Failure::new(codes::E0041, format!("the manual page: {error}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Writes `raddle.1`, a page for each command and one for each tool.
fn write_all(all: &Command, folder: &Path) -> Done {
    let cannot = |path: &Path, error| Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let mut pages = vec![("raddle".to_owned(), page(all.clone())?)];
    // The page of `help` would be about a command that prints other pages.
    for command in shown(all).filter(|command| command.get_name() != "help") {
        pages.push((format!("raddle-{}", command.get_name()), page(command.clone())?));
    }
    pages.extend(raddle_dropin::TOOLS.iter().map(|tool| (format!("raddle-{}", tool.name), tool::page(tool))));
    for (name, text) in pages {
        let file = folder.join(format!("{name}.1"));
        Dest::new(&file).write(text.as_bytes()).map_err(|error| cannot(&file, error))?;
    }
    Ok(())
}
