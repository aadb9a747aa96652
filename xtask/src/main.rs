//! Chores of the repository that need nothing which they generate: instruction tables and figures.
//!
//! The rule: a command that builds neither compiler nor tests is here. What runs the compiler, the
//! simulator or an outside tool is a campaign (`cargo campaign`).
#![forbid(unsafe_code)]

mod bill;
mod gen_ptx;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use xtask::figures;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Generated tables and figures of the repository")]
#[command(after_help = "Measurements, comparisons and stress tests are campaigns: `cargo campaign list`.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the SASS tables of crates/sass/src/gen from isa/*.txt
    Gen(Write),
    /// Write the PTX tables of crates/ptx/src/table from isa/ptx
    GenPtx(Write),
    /// Write docs/figures.md and docs/speed.svg from the records in docs/figures
    Figures(Write),
    /// Write docs/drop-in.md from the tables of crates/dropin
    DropIn(Write),
    /// Write docs/scale.md, simulated builds on remote workers, from docs/scale-units.json
    Scale(Write),
    /// Write the bill of materials and the licences of what is distributed to a folder
    Bill {
        /// The folder
        folder: PathBuf,
    },
    /// Prove passes on the corpus, or rules: `cargo campaign prove` or `prove-rules` with these arguments
    #[command(disable_help_flag = true)]
    Prove {
        /// `rules`, then arguments of the campaign; --help lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<String>,
    },
    /// Record a figure that a script measured
    Measured(Measured),
}

#[derive(Args)]
struct Write {
    /// Write nothing; fail if a file differs from what would be written
    #[arg(long)]
    check: bool,
}

#[derive(Args)]
struct Measured {
    /// Name of a figure of docs/figures/targets.toml
    id: String,
    /// Value, in the unit of the figure
    value: f64,
    /// Command that measures it again
    command: String,
    /// What was left out, on which machine
    #[arg(default_value = "")]
    note: String,
}

/// Writes the page of the tools that Raddle stands in for.
fn drop_in(check: bool) -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/drop-in.md");
    let page = raddle_dropin::page::page();
    if !check {
        return Ok(std::fs::write(path, page)?);
    }
    let fresh = std::fs::read_to_string(path).is_ok_and(|text| text == page);
    anyhow::ensure!(fresh, "docs/drop-in.md is not what `cargo xtask drop-in` writes");
    Ok(())
}

/// Starts the campaign of this name: it needs the compiler, which this program does not build.
fn campaign(name: &str, arguments: &[String]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo).args(["campaign", name]).args(arguments).status()?;
    anyhow::ensure!(status.success(), "cargo campaign {name} failed");
    Ok(())
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Gen(Write { check }) => raddle_gen::run(check),
        Command::GenPtx(Write { check }) => gen_ptx::run(check),
        Command::Figures(Write { check }) => figures::run(check),
        Command::DropIn(Write { check }) => drop_in(check),
        Command::Scale(Write { check }) => xtask::scale::run(check),
        Command::Bill { folder } => bill::write(&folder),
        Command::Prove { arguments } => match arguments.split_first() {
            Some((first, rest)) if first == "rules" => campaign("prove-rules", rest),
            _ => campaign("prove", &arguments),
        },
        Command::Measured(m) => figures::record(&m.id, m.value, &m.command, &m.note),
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
