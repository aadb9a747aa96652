//! Runs the linker on the pool, and reports its problems as diagnostics.
//!
//! [`Threads`] gives the linker the workers of a pool, each with a token of the parent make.

use crate::codes;
use crate::link_inputs::Loaded;
use raddle_diag::Diagnostic;
use raddle_entity::{Executor, Serial};
use raddle_jobs::panics::catch;
use raddle_jobs::pool::scope;
use raddle_jobs::{Config, Outcome};
use raddle_link::objects::{Problem, Warning};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// The workers of a pool for the linker; each holds a permit while it works.
#[derive(Debug)]
pub struct Threads {
    config: Config,
}

impl Threads {
    /// Workers as configured by `config`, at most as many as there are CPUs.
    pub fn new(mut config: Config) -> Threads {
        let cpus = raddle_jobs::cpus::available();
        config.workers = if config.workers == 0 { cpus } else { config.workers.min(cpus) };
        Threads { config }
    }
}

/// Bytes of input below which a link runs on one thread: linking 512 small objects takes 48 ms on
/// two threads and 40 ms on one, and each thread needs its own memory.
const ALONE: usize = 16 << 20;

impl Threads {
    /// The same workers for a link of these files; a single one where more are not worth starting.
    pub fn for_files(mut self, files: &[Loaded]) -> Threads {
        if files.iter().map(|file| file.bytes.len()).fold(0, usize::saturating_add) < ALONE {
            self.config.workers = 1;
        }
        self
    }
}

impl Executor for Threads {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        let workers = self.config.workers_for(n);
        if workers < 2 {
            return Serial.run(n, piece);
        }
        let next = AtomicUsize::new(0);
        let take = || loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n {
                break;
            }
            piece(i);
        };
        if self.config.jobserver.is_none() {
            return beside(workers - 1, &take);
        }
        let panicked = scope(&self.config, workers, |pool| {
            for number in 0..workers {
                pool.submit(0, format!("link {number}"), |_| take());
            }
            pool.seal();
            let mut panicked = None;
            while let Some(finished) = pool.next_finished() {
                if let Outcome::Panicked(panic) = finished.outcome {
                    panicked = Some(panic);
                }
            }
            panicked
        });
        // No thread could be started, or a worker was stopped: the rest is done here.
        take();
        if let Ok(Some(panic)) = panicked {
            std::panic::resume_unwind(Box::new(panic.message));
        }
    }
}

/// Runs `take` on the calling thread and on as many others, as far as they can be started. Without
/// tokens to wait for this starts sooner than a pool, and its caller need not sleep.
fn beside(others: usize, take: &(impl Fn() + Sync)) {
    let panicked = std::thread::scope(|scope| {
        let start = |number| Builder::new().name(format!("link {number}")).spawn_scoped(scope, || catch(take)).ok();
        let started: Vec<_> = (0..others).map_while(start).collect();
        take();
        started.into_iter().find_map(|thread| thread.join().ok()?.err())
    });
    if let Some(panic) = panicked {
        std::panic::resume_unwind(Box::new(panic.message));
    }
}

/// Converts a linker problem to a diagnostic; `readable` demangles symbols.
pub fn diagnostic(problem: Problem, readable: &dyn Fn(&str) -> String) -> Diagnostic {
    let user = if let Problem::Undefined { at, .. } = &problem { at.user.clone() } else { String::new() };
    let problem = problem.with_names(readable);
    let message = problem.to_string();
    match problem {
        Problem::Unreadable { .. } | Problem::Malformed { .. } | Problem::Relocation { .. } => {
            Diagnostic::fatal(codes::E0060, message)
        }
        Problem::Executable { .. } => {
            Diagnostic::fatal(codes::E0061, message).help("compile it as a relocatable object: ptxas -c, nvcc -dc")
        }
        Problem::Placed { .. } => Diagnostic::fatal(codes::E0061, message)
            .help("link the objects it was made of, or make it with raddle link -r"),
        Problem::Container { .. } => {
            Diagnostic::fatal(codes::E0061, message).help("compile it again with CUDA 12 or 13")
        }
        Problem::Architecture { reason, .. } => Diagnostic::fatal(codes::E0062, message)
            .note(format!("the architecture is that of {reason}"))
            .help("compile the object for the architecture of the link"),
        Problem::Finalizer { .. } | Problem::Kind { .. } => Diagnostic::fatal(codes::E0063, message),
        Problem::Duplicate { .. } => {
            Diagnostic::error(codes::E0064, message).help("make one of them weak or private, or leave an object out")
        }
        Problem::Kinds { .. } => Diagnostic::error(codes::E0064, message),
        Problem::Undefined { at, others, similar, .. } => {
            let mut out = Diagnostic::error(codes::E0065, message).in_function(user);
            if let Some((file, line)) = at.line {
                out = out.note(format!("used at {file}:{line}"));
            }
            if !others.is_empty() {
                out = out.note(format!("also used in {}", others.join(", ")));
            }
            match similar {
                Some(name) => out.help(format!("a symbol of a similar name is defined: {name}")),
                None => out.help("add the object or library that defines it"),
            }
        }
        Problem::Registers { .. } => Diagnostic::error(codes::E0066, message),
        Problem::TooMuch { .. } => Diagnostic::error(codes::E0067, message),
        Problem::Nothing => Diagnostic::fatal(codes::E0003, message),
        Problem::NoSymbol(_) => Diagnostic::fatal(codes::E0071, message),
    }
}

/// The number of kernels that a warning lists by name.
const LISTED: usize = 8;

/// Converts the warnings of the linker to diagnostics. Recursion is reported once for each cycle of
/// calls, however many kernels reach it (DRV-17).
pub fn warnings(found: &[Warning], readable: &dyn Fn(&str) -> String) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for warning in found {
        let message = warning.clone().with_names(readable).to_string();
        match warning {
            Warning::NoCallee { caller } => {
                out.push(Diagnostic::warning(codes::E0072, message).in_function(caller));
            }
            Warning::Stack { function, .. } if told.contains(&&**function) => {}
            Warning::Stack { kernel, function } => {
                told.push(function);
                let same = found.iter().filter_map(|other| match other {
                    Warning::Stack { kernel, function: f } if f == function => Some(readable(kernel)),
                    _ => None,
                });
                let kernels: Vec<String> = same.collect();
                out.push(match kernels.len() {
                    1 => Diagnostic::warning(codes::E0068, message).in_function(kernel),
                    n => recursion(n, &kernels, &readable(function)),
                });
            }
        }
    }
    out
}

/// The warning that several kernels reach a recursive function.
fn recursion(n: usize, kernels: &[String], function: &str) -> Diagnostic {
    let message = format!("the stack size of {n} kernels is unknown: {function} is recursive");
    let more = if n > LISTED { format!(" and {} others", n - LISTED) } else { String::new() };
    let names = kernels.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    Diagnostic::warning(codes::E0068, message).note(format!("the kernels are {names}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_and_a_panic_reaches_the_caller() {
        for workers in [1, 2, 5] {
            let threads = Threads { config: Config { workers, ..Config::default() } };
            let done: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            threads.run(done.len(), &|n| {
                done[n].fetch_add(1, Ordering::Relaxed);
            });
            assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{workers}");
            let broken = |n: usize| assert!(n != 7, "piece {n} is broken");
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| threads.run(10, &broken)));
            let payload = result.expect_err("the panic is lost");
            assert_eq!(payload.downcast_ref::<String>().unwrap(), "piece 7 is broken", "{workers}");
        }
    }

    #[test]
    fn recursion_is_told_once_for_each_cycle_of_calls() {
        let stack = |kernel: &str, function: &str| Warning::Stack { kernel: kernel.into(), function: function.into() };
        let mut found: Vec<Warning> = (0..10).map(|n| stack(&format!("k{n}"), "f")).collect();
        found.insert(3, Warning::NoCallee { caller: "c".into() });
        found.push(stack("alone", "g"));
        let said = warnings(&found, &|name| name.to_uppercase());
        let messages: Vec<&str> = said.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages[0], "the stack size of 10 kernels is unknown: F is recursive");
        assert_eq!(said[0].notes, ["the kernels are K0, K1, K2, K3, K4, K5, K6, K7 and 2 others"]);
        assert!(messages[1].starts_with("C has an indirect call"), "{messages:?}");
        assert_eq!(messages[2], "the stack size of kernel ALONE is unknown: G is recursive");
        assert_eq!((said.len(), said[2].function.as_deref()), (3, Some("alone")));
    }
}
