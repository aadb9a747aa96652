//! `cargo campaign native-snippets [NAME]...`: our own machine code of the snippets, every form on every architecture and level.
//!
//! Prints what is not right, by snippet, with where and why; without names, records the share that is right. The same cases
//! as the test `native_snippets`, exceptions not taken off.

use std::collections::BTreeMap;

use anyhow::Result;
use raddle_tests::level::Level;
use raddle_tests::native;

use xtask::figures;

#[derive(clap::Args)]
pub struct Options {
    /// Only snippets whose name contains one of these; then no figure is recorded
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// An unreadable corpus.
pub fn run(Options { names }: Options) -> Result<()> {
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| name.contains(n.as_str()));
    let results = native::snippets(&wanted, &|_| Level::ALL.to_vec())?;
    // By snippet, then by what is wrong: where.
    let mut wrong: BTreeMap<&str, BTreeMap<String, Vec<&str>>> = BTreeMap::new();
    let mut right = 0;
    for (case, result) in &results {
        match result {
            Ok(()) => right += 1,
            Err(error) => {
                wrong.entry(&case.name).or_default().entry(format!("{error:#}")).or_default().push(&case.arch);
            }
        }
    }
    for (name, reasons) in &wrong {
        println!("{name}");
        for (why, places) in reasons {
            println!("    {}: {why}", places.join(" "));
        }
    }
    println!("{right} of {} cubins are right; {} snippets are not right everywhere", results.len(), wrong.len());
    if !names.is_empty() {
        return Ok(());
    }
    let share = (1000.0 * right as f64 / results.len().max(1) as f64).floor() / 10.0;
    let lacking: Vec<&str> = wrong.keys().copied().collect();
    let note = format!(
        "{right} of {} cubins (forms that ptxas accepts x four architectures x {}); not everywhere: {}",
        results.len(),
        Level::ALL.map(|level| level.to_string()).join(", "),
        if lacking.is_empty() { "none".to_owned() } else { lacking.join(", ") }
    );
    figures::record("codegen.snippets", share, "cargo campaign native-snippets", &note)
}
