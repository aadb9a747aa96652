//! `cargo campaign native [--arch ARCH]... [-O0|-O1|-O2|-O3|-Oserial]... [NAME]...`: judges our own machine code.
//!
//! Compiles the kernels of the corpus (those named, or all) from both producers' PTX, and runs each in the simulator against
//! the interpreter and the references, at the levels named, or all. One line for each that is not right, and a count.

use crate::arguments::arch;
use std::collections::BTreeMap;

use anyhow::{Context, Result};
use raddle_tests::compile::cubin_at;
use raddle_tests::judge::{ARCHS, Expected};
use raddle_tests::kernel;
use raddle_tests::level::Level;

#[derive(clap::Args)]
pub struct Options {
    /// Architecture; may be repeated [default: all]
    #[arg(long = "arch", value_name = "SM", value_parser = arch)]
    archs: Vec<&'static str>,
    /// Level 0, 1, 2, 3 or serial; may be repeated [default: all]
    #[arg(short = 'O', value_name = "LEVEL", value_parser = level)]
    levels: Vec<Level>,
    /// Kernels [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

fn level(text: &str) -> Result<Level> {
    Level::of_flag(&format!("-O{text}")).with_context(|| format!("no level {text}"))
}

/// Runs the command.
///
/// # Errors
/// An unreadable corpus.
pub fn run(Options { mut archs, mut levels, names }: Options) -> Result<()> {
    if archs.is_empty() {
        archs.extend(ARCHS);
    }
    if levels.is_empty() {
        levels.extend(Level::ALL);
    }
    let mut counts: BTreeMap<(&str, Level), (usize, usize)> = BTreeMap::new();
    for kernel in kernel::all()?.iter().filter(|k| names.is_empty() || names.contains(&k.name)) {
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer)?;
            let expected = Expected::of(kernel, &ptx)?;
            for &arch in &archs {
                for &level in &levels {
                    let result = cubin_at(&ptx, arch, level).and_then(|cubin| expected.judge(kernel, &cubin, arch));
                    let (right, all) = counts.entry((arch, level)).or_default();
                    *all += 1;
                    match result {
                        Ok(()) => *right += 1,
                        Err(error) => println!("{}/{producer} {arch} {level}: {error:#}", kernel.name),
                    }
                }
            }
        }
    }
    for ((arch, level), (right, all)) in counts {
        println!("{arch} {level}: {right} of {all} right");
    }
    Ok(())
}
