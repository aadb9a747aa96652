//! Programs stored as PTX with the host's outputs, for machines without gcc or nvcc:
//! `corpus/random_c/SEED.ptx` and `SEED.out`.
//!
//! `SEED.out` has the words of the output buffer in hexadecimal, one line for each thread.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::make::run;
use super::text::OUTPUTS;
use crate::kernel::corpus;
use crate::suites::program::{Program, Runs};

/// Their folder.
pub fn folder() -> PathBuf {
    corpus().join("random_c")
}

/// Returns all of them, in the order of seeds.
///
/// # Errors
/// Unreadable files.
pub fn all() -> Result<Vec<Program>> {
    let mut seeds = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "ptx") {
            seeds.push(path.file_stem().context("a name")?.to_string_lossy().parse::<u64>()?);
        }
    }
    seeds.sort_unstable();
    seeds.into_iter().map(read).collect()
}

fn read(seed: u64) -> Result<Program> {
    let text = fs::read_to_string(folder().join(format!("{seed}.ptx")))?;
    let words = fs::read_to_string(folder().join(format!("{seed}.out")))?;
    let words: Vec<u64> = words
        .split_whitespace()
        .map(|word| u64::from_str_radix(word, 16).with_context(|| format!("{seed}.out: {word}")))
        .collect::<Result<_>>()?;
    let output = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Ok(Program { name: format!("p{seed}"), text, runs: Runs::Specified(vec![run(seed, output)]) })
}

/// Writes a program.
///
/// # Errors
/// Files that cannot be written, and a module with several programs.
pub fn write(seed: u64, program: &Program) -> Result<()> {
    let Runs::Specified(runs) = &program.runs else { anyhow::bail!("no expected results") };
    let expected = runs.first().and_then(|run| run.expected.as_ref()).context("no expected results")?;
    let words: Vec<String> = expected
        .bytes
        .chunks_exact(8)
        .map(|word| format!("{:x}", word.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte))))
        .collect();
    let lines: Vec<String> = words.chunks(OUTPUTS).map(|row| row.join(" ")).collect();
    fs::create_dir_all(folder())?;
    fs::write(folder().join(format!("{seed}.ptx")), &program.text)?;
    Ok(fs::write(folder().join(format!("{seed}.out")), lines.join("\n") + "\n")?)
}
