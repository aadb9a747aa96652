//! Finds the first defect of our compiler on an architecture, quickly.
//!
//! Problem: the tests report everything that is wrong, and take minutes; `cargo campaign seeded-bugs`,
//! which tests dozens of broken compilers, needs only the first finding. Strategy: the same cases
//! and the same checks in an order that finds most defects early: random kernels, then those of the
//! corpus, then more random ones; the first failure ends it.

use anyhow::Result;

use crate::compile::cubin_at;
use crate::judge::{ARCHS, Expected};
use crate::kernel;
use crate::level::Level;
use crate::memory_order;
use crate::random::forms::Forms;
use crate::random::generate::{Size, generate};
use crate::random::judge::{compile, judge};
use crate::regression;

/// The test that found a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finder {
    /// Random kernels.
    Random,
    /// Straight-line kernels of loads, stores and fences.
    Order,
    /// Kernels of the corpus.
    Kernels,
}

/// The numbers of random kernels before and after those of the corpus.
const ROUNDS: [usize; 2] = [150, 300];
/// The size used in the test.
const SIZE: Size = Size { few: 24, many: 24 };
/// The number of kernels whose accesses must keep their order.
const ORDERED: usize = 60;
/// Seeds of the test `random`.
const SEED: u64 = 1000;

/// The first failure on the architecture of a row of [`ARCHS`]; `None` if there is none.
///
/// # Errors
/// An unreadable corpus.
pub fn first_failure(row: usize) -> Result<Option<(Finder, String)>> {
    let arch = ARCHS[row];
    let forms = Forms::of(arch);
    // A compiler that fails on single instructions leaves few forms to generate from.
    if let Some((why, list)) = forms.left_out.iter().find(|(why, _)| why.contains("internal")) {
        let found = format!("{why}: {}", list.first().map_or("", String::as_str));
        return Ok(Some((Finder::Random, found)));
    }
    let random = |n: usize| {
        let seed = SEED + (row + n * ARCHS.len()) as u64;
        let program = generate(&forms, seed, SIZE);
        let failing = judge(&program, arch, &Level::some(n, row)).err()?;
        Some((Finder::Random, format!("seed {seed}: {failing}")))
    };
    if let Some(found) = (0..ROUNDS[0]).find_map(random) {
        return Ok(Some(found));
    }
    let ordered = |n: usize| {
        let seed = (row + n * ARCHS.len()) as u64;
        let program = memory_order::program(seed);
        let level = Level::ALL[n % Level::ALL.len()];
        let cubin = match compile(&program.text, arch, level, 1, None) {
            Ok(cubin) => cubin,
            Err(complaints) => return Some((Finder::Order, format!("seed {seed}: {complaints:?}"))),
        };
        let failing = memory_order::judge(&program, &cubin, arch).err()?;
        Some((Finder::Order, format!("seed {seed}, -{level}: {failing:#}")))
    };
    if let Some(found) = (0..ORDERED).find_map(ordered) {
        return Ok(Some(found));
    }
    for regression in regression::all()?.iter().filter(|regression| regression.archs().contains(&arch)) {
        if let Err(error) = regression.judge_on(&[arch]) {
            return Ok(Some((Finder::Kernels, format!("{}: {error:#}", regression.name))));
        }
    }
    for kernel in kernel::all()? {
        for producer in &kernel.producers {
            let ptx = kernel.ptx(producer)?;
            let expected = Expected::of(&kernel, &ptx)?;
            for level in [Level::O3, Level::O1] {
                let judged = cubin_at(&ptx, arch, level).and_then(|cubin| expected.judge(&kernel, &cubin, arch));
                if let Err(error) = judged {
                    let found = format!("{} by {producer}, -{level}: {error:#}", kernel.name);
                    return Ok(Some((Finder::Kernels, found)));
                }
            }
        }
    }
    Ok((ROUNDS[0]..ROUNDS[1]).find_map(random))
}
