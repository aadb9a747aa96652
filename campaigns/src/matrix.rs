//! `cargo campaign matrix [PART]...`: code of matrix instructions, every spelling on every architecture, by ptxas and by us at all
//! levels, in the simulator against the interpreter.
//!
//! The same cases as the test `matrix`, which takes one architecture and one level in turn, and those of
//! the test `wgmma`: for a part at all levels, which would take hours for all of them; otherwise each
//! at one level in turn.

use anyhow::{Context, Result};
use raddle_filetest::oracle;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::Level;
use raddle_tests::matrix_forms::{self, Form, Found};
use raddle_tests::parallel;
use raddle_tests::ptxas::Assembler;
use raddle_tests::wgmma_forms;

use xtask::figures;

/// How to measure the figures again.
const COMMAND: &str = "cargo campaign matrix";

#[derive(clap::Args)]
pub struct Options {
    /// Only spellings that contain one of these; then no figure is recorded
    #[arg(value_name = "PART")]
    parts: Vec<String>,
    /// Only `wgmma`: every spelling at one level in turn
    #[arg(long, conflicts_with = "parts")]
    wgmma: bool,
}

/// Runs the command.
///
/// # Errors
/// A missing ptxas, results that differ.
pub fn run(Options { parts, wgmma }: Options) -> Result<()> {
    let ptxas = oracle::find("ptxas").context("ptxas is not installed: make oracles")?;
    let assembler = Assembler::new(&ptxas)?;
    if wgmma {
        return warpgroups(&assembler);
    }
    let forms = matrix_forms::all();
    let wanted = |form: &&Form| parts.is_empty() || parts.iter().any(|part| form.dotted.contains(part.as_str()));
    let cases: Vec<(&Form, &str)> =
        forms.iter().filter(wanted).flat_map(|form| ARCHS.iter().map(move |arch| (form, *arch))).collect();
    let judged = parallel::map(&cases, |(form, arch)| {
        // Metadata of other lanes, where a form has them.
        let selectors = if form.dotted.starts_with("mma.sp") { 0..2 } else { 0..1 };
        let found = selectors.filter_map(|selector| form.judge(arch, &Level::ALL, &assembler, selector));
        found.collect::<Vec<Found>>()
    });
    let (mut taken, mut ran) = (0, 0);
    let mut wrong = Vec::new();
    for of_case in judged {
        taken += usize::from(!of_case.is_empty());
        for found in of_case {
            ran += found.ran;
            wrong.extend(found.wrong);
        }
    }
    if !parts.is_empty() {
        let forms = wgmma_forms::all().into_iter().enumerate();
        let forms: Vec<_> = forms.filter(|(_, form)| parts.iter().any(|part| form.dotted.contains(part))).collect();
        for (codes, of_form) in parallel::map(&forms, |(n, form)| form.judge(&Level::ALL, true, &assembler, *n as u64))
        {
            taken += 1;
            ran += codes;
            wrong.extend(of_form);
        }
    }
    wrong.iter().for_each(|line| println!("{line}"));
    println!("{taken} pairs of form and architecture, {ran} codes, {} differ or are refused", wrong.len());
    if !parts.is_empty() {
        return Ok(());
    }
    let levels = Level::ALL.map(|level| level.to_string()).join(", ");
    let note = format!(
        "{taken} pairs of {} spellings and four architectures that ptxas takes; by ptxas -O3 and by us at {levels}; four kinds of \
         random fragments each",
        forms.len()
    );
    figures::record("matrix.codes", ran as f64, COMMAND, &note)?;
    figures::record("matrix.wrong", wrong.len() as f64, COMMAND, &format!("of {ran}"))?;
    let share = 100.0 * (1.0 - wrong.len() as f64 / (taken * Level::ALL.len()).max(1) as f64);
    figures::record("matrix.forms", (10.0 * share).floor() / 10.0, COMMAND, "those that differ count as refused")?;
    warpgroups(&assembler)
}

/// Every spelling of `wgmma`, by ptxas and by us at one level in turn.
fn warpgroups(assembler: &Assembler<'_>) -> Result<()> {
    let forms: Vec<_> = wgmma_forms::all().into_iter().enumerate().collect();
    let judged =
        parallel::map(&forms, |(n, form)| form.judge(&[Level::ALL[n % Level::ALL.len()]], true, assembler, *n as u64));
    let codes: usize = judged.iter().map(|(ran, _)| ran).sum();
    let right = judged.iter().filter(|(_, wrong)| wrong.is_empty()).count();
    judged.iter().flat_map(|(_, wrong)| wrong).for_each(|line| println!("{line}"));
    println!("wgmma: {right} of {} spellings, {codes} codes", forms.len());
    let share = 100.0 * right as f64 / forms.len().max(1) as f64;
    let note =
        format!("{right} of {} spellings, {codes} codes: ptxas and ours, each at one level in turn", forms.len());
    figures::record("matrix.wgmma", (10.0 * share).floor() / 10.0, "cargo campaign matrix --wgmma", &note)
}
