//! The simulator as the tests use it: what it runs can be recorded ([`crate::record`]).

use raddle_sim::failure::Failure;
use raddle_sim::launch::Launch;
use raddle_sim::machine::{self, Outcome, Setup};
use raddle_sim::mem::Memory;

use crate::record::Recording;

/// [`machine::run`], recorded if that is asked for.
///
/// # Errors
/// A failed run.
pub fn run(file: &[u8], launch: &Launch, mem: &mut Memory) -> Result<Outcome, Failure> {
    run_with(file, launch, mem, Setup::default())
}

/// [`machine::run_with`], recorded if that is asked for.
///
/// # Errors
/// A failed run.
pub fn run_with(file: &[u8], launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    // What a run leaves under an assumption is no fact about the machine.
    let recording = if setup.calls_converge { None } else { Recording::begin(file, launch, mem) };
    let outcome = machine::run_with(file, launch, mem, setup)?;
    if let Some(recording) = recording {
        recording.end(mem);
    }
    Ok(outcome)
}
