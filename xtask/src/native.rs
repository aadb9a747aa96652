//! `cargo xtask native [--arch ARCH]... [-O0|-O1] [NAME]...`: judges our own machine code.
//!
//! Compiles the kernels of the corpus (those named, or all) from both producers' PTX, and runs each in the simulator against
//! the interpreter and the references. One line for each that is not right, and a count.

use std::fmt::Display;

use anyhow::{Context, Result};
use raddle_driver::options::OptLevel;
use raddle_tests::compile::{How, cubin};
use raddle_tests::judge::{ARCHS, judge};
use raddle_tests::kernel;

/// Runs the command.
///
/// # Errors
/// An unreadable corpus.
pub fn run(args: &[String]) -> Result<()> {
    let mut archs: Vec<&'static str> = Vec::new();
    let mut opts = Vec::new();
    let mut names = Vec::new();
    let mut args = args.iter();
    while let Some(a) = args.next() {
        match a.as_str() {
            "--arch" => {
                let want = args.next().context("--arch needs a name")?;
                archs.extend(ARCHS.iter().filter(|arch| *arch == want));
            }
            "-O0" => opts.push(OptLevel::O0),
            "-O1" => opts.push(OptLevel::O1),
            name => names.push(name.to_owned()),
        }
    }
    if archs.is_empty() {
        archs.extend(ARCHS);
    }
    if opts.is_empty() {
        opts.extend([OptLevel::O0, OptLevel::O1]);
    }
    for &arch in &archs {
        for &opt in &opts {
            let how = How { arch, opt, jobs: 1, chaos: None };
            let mut count = Count::default();
            for kernel in kernel::all()?.iter().filter(|k| names.is_empty() || names.contains(&k.name)) {
                for producer in &kernel.producers {
                    let result = kernel.ptx(producer).and_then(|ptx| judge(kernel, &ptx, &cubin(&ptx, how)?));
                    count.add(format!("{}/{producer}", kernel.name), &result);
                }
            }
            println!("{arch} {opt:?}: {} of {} right", count.right, count.all);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Count {
    right: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, name: impl Display, result: &Result<()>) {
        self.all += 1;
        match result {
            Ok(()) => self.right += 1,
            Err(e) => println!("{name}: {e:#}"),
        }
    }
}
