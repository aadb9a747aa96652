//! `cargo campaign fit-costs`, of a release build: the weights of the first guess of costs, from what kernels take.
//!
//! Every kernel of the corpus that compiles is compiled on one thread, after its whole module once for the tables that all kernels
//! share; the least CPU time of three rounds counts. Logarithms make the model linear: `t = scale * (statements + start)^p * blocks^q`
//! with `scale`, `p` and `q` as the least squares, `start` the best of a few. Kernels that call functions
//! are left out: their callees are inlined, and not in their text. Prints the weights for `crates/driver/src/cost.rs`, and by
//! what factor the guesses are wrong with them and with those that stand there.

use std::fs;

use anyhow::{Context, Result, ensure};
use raddle_diag::{Diags, FileId};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::program::cost::{FIT, Fit, Size};
use raddle_driver::request::Request;

use crate::simulate_schedule::modules;
use xtask::figures::root;

/// Rounds that count, after the first.
const ROUNDS: usize = 3;

/// Statements added to those of a kernel that are tried.
const STARTS: [usize; 6] = [0, 10, 20, 40, 80, 160];

/// A kernel's size and its CPU time in microseconds.
type Sample = (Size, f64);

/// Runs the command.
///
/// # Errors
/// Unreadable files, no kernels.
pub fn run() -> Result<()> {
    let mut samples = Vec::new();
    for path in modules(&root().join("tests/corpus"))? {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        samples.extend(measure(&path.display().to_string(), &text));
    }
    ensure!(samples.len() > 10, "too few kernels compile");
    let fits = STARTS.map(|start| fit(&samples, start));
    let best = fits.into_iter().min_by(|a, b| spread(a, &samples).total_cmp(&spread(b, &samples)));
    for (name, fit) in best.iter().map(|fit| ("fitted", fit)).chain([("in use", &FIT)]) {
        let mut wrong: Vec<f64> = residues(fit, &samples).iter().map(|r| r.abs().exp()).collect();
        wrong.sort_by(f64::total_cmp);
        let at = |part: f64| wrong[(part * (wrong.len() - 1) as f64) as usize];
        println!("{name}: {fit:?}");
        println!(
            "  {} kernels, wrong by {:.2} (median), {:.2} (90 %), {:.2} at most",
            wrong.len(),
            at(0.5),
            at(0.9),
            at(1.0)
        );
    }
    Ok(())
}

/// The kernels of a module that compile and call nothing.
fn measure(name: &str, text: &str) -> Vec<Sample> {
    let mut least: Vec<Option<f64>> = Vec::new();
    let mut names = Vec::new();
    for round in 0..=ROUNDS {
        let request = Request {
            inputs: vec![Input { name: name.to_owned(), content: Content::Text(text.to_owned()) }],
            run: RunOptions { jobs: 1, keep_going: true, ..RunOptions::default() },
            ..Request::default()
        };
        let report = compile(request, &mut ());
        if round == 0 {
            least = vec![None; report.kernels.len()];
            names = report.kernels.iter().map(|kernel| kernel.name.clone()).collect();
            continue;
        }
        for (slot, kernel) in least.iter_mut().zip(&report.kernels).filter(|(_, kernel)| kernel.compiled) {
            let micros = kernel.cpu.as_secs_f64() * 1e6;
            *slot = Some(slot.map_or(micros, |other: f64| other.min(micros)));
        }
    }
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new());
    let body = |name: &str| outline.funcs[outline.func(name)?].body.clone().and_then(|body| text.get(body));
    let samples = names.iter().zip(least).filter_map(|(name, micros)| {
        let body = body(name).filter(|body| !body.contains("call"))?;
        Some((Size::of(body), micros?))
    });
    samples.collect()
}

/// What a guess is wrong by, as a logarithm, once the scale is right on average.
fn residues(fit: &Fit, samples: &[Sample]) -> Vec<f64> {
    let raw: Vec<f64> = samples.iter().map(|(size, micros)| (fit.guess(*size) / micros).ln()).collect();
    let mean = raw.iter().sum::<f64>() / raw.len() as f64;
    raw.into_iter().map(|r| r - mean).collect()
}

fn spread(fit: &Fit, samples: &[Sample]) -> f64 {
    residues(fit, samples).iter().map(|r| r * r).sum()
}

/// The least squares for one `start`: the normal equations of three unknowns, by elimination.
fn fit(samples: &[Sample], start: usize) -> Fit {
    let mut m = [[0.0_f64; 4]; 3];
    for (size, micros) in samples {
        let row = [1.0, ((size.statements + start).max(1) as f64).ln(), (size.blocks as f64).ln(), micros.ln()];
        for (i, equation) in m.iter_mut().enumerate() {
            equation.iter_mut().zip(row).for_each(|(sum, value)| *sum += row[i] * value);
        }
    }
    for pivot in 0..3 {
        let row = m[pivot].map(|value| value / m[pivot][pivot]);
        m[pivot] = row;
        for (_, other) in m.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(row).for_each(|(value, of)| *value -= factor * of);
        }
    }
    Fit { scale: m[0][3].exp(), start, statements: m[1][3], blocks: m[2][3] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_made_the_times_are_found_again() {
        let made = Fit { scale: 30.0, start: 20, statements: 0.9, blocks: 0.2 };
        let sizes = (0..60).map(|i| Size { statements: i * i * 7 % 900, blocks: 1 + i * 31 % 17 });
        let samples: Vec<Sample> = sizes.map(|size| (size, made.guess(size))).collect();
        let found = fit(&samples, 20);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6 * b;
        assert!(near(found.scale, 30.0) && near(found.statements, 0.9) && near(found.blocks, 0.2), "{found:?}");
        assert!(spread(&found, &samples) < 1e-9 && spread(&fit(&samples, 160), &samples) > 1e-3);
    }
}
