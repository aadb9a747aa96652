//! A program of a suite: PTX and its launches.

use crate::simulator;
use anyhow::{Context, Result, ensure};
use raddle_sim::failure::Failure;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::machine::Setup;
use raddle_sim::mem::{AllocId, Memory};

use crate::buffers::Buffers;

/// The most instructions of a thread (interpreter) or of a warp (simulator).
const STEPS: u64 = 1 << 22;

/// A program of a suite.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name within the suite.
    pub name: String,
    /// The PTX.
    pub text: String,
    /// Its launches.
    pub runs: Runs,
}

/// The launches of a program's kernels.
#[derive(Clone, Debug)]
pub enum Runs {
    /// As specified by the suite: each launch must complete.
    Specified(Vec<Run>),
    /// With generated inputs; launches that complete in the interpreter count.
    Made(Vec<Run>),
    /// Found by trial ([`crate::producers`]).
    Tried,
}

/// Stack size per thread for recursive functions, which the host chooses: unoptimised code takes
/// more than the driver's default.
const STACK: u32 = 16 << 10;

/// One launch.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its name among the launches.
    pub name: String,
    /// The kernel.
    pub kernel: String,
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Arguments, first parameter first.
    pub values: Vec<Value>,
    /// The expected contents of a buffer after the run.
    pub expected: Option<Expected>,
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Value {
    /// A scalar.
    Bytes(Vec<u8>),
    /// The address of a buffer with these bytes.
    Buffer(Vec<u8>),
    /// The address of the buffer with this number, from 0.
    Again(usize),
}

/// The expected contents of a buffer.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Number of the buffer, from 0.
    pub buffer: usize,
    /// Its bytes after the run.
    pub bytes: Vec<u8>,
    /// Floating-point numbers in it that are compared with a tolerance.
    pub close: Vec<Close>,
}

/// A floating-point number that is compared with a tolerance. Any NaN matches a NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Close {
    /// Its byte offset.
    pub at: usize,
    /// Whether it has 64 bits, else 32.
    pub double: bool,
    /// The tolerance, in distances between 1 and the next number: absolute if the expected number
    /// is below a limit ([`Close::ABSOLUTE`]), otherwise relative. Both zeros are equal.
    pub epsilons: f64,
}

impl Close {
    /// The 32-bit and 64-bit numbers from which on tolerances are relative.
    pub const ABSOLUTE: [f64; 2] = [1e4, 1e15];

    /// Size of the number in bytes.
    fn size(self) -> usize {
        if self.double { 8 } else { 4 }
    }

    /// The number in a buffer; `None` if the buffer does not contain it.
    fn number(self, bytes: &[u8]) -> Option<f64> {
        let bytes = bytes.get(self.at..self.at + self.size())?;
        match self.double {
            true => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
            false => Some(f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        }
    }

    /// Whether a number is within the tolerance.
    fn met(self, got: f64, want: f64) -> bool {
        if got == want || (got.is_nan() && want.is_nan()) {
            return true;
        }
        if !(got.is_finite() && want.is_finite()) {
            return false;
        }
        let epsilon = if self.double { f64::EPSILON } else { f64::from(f32::EPSILON) };
        let off = (got - want).abs();
        let off = if want.abs() < Self::ABSOLUTE[usize::from(self.double)] { off } else { off / want.abs() };
        off <= self.epsilons * epsilon
    }
}

/// Memory and launch of a run, with its buffers.
struct Prepared {
    memory: Memory,
    launch: Launch,
    buffers: Vec<AllocId>,
}

impl Run {
    fn prepare(&self) -> Prepared {
        let mut memory = Memory::new();
        let mut launch = Launch::new(self.kernel.as_str());
        (launch.grid, launch.block, launch.dyn_shared) = (self.grid, self.block, self.shared);
        launch.max_steps = STEPS;
        launch.stack = STACK;
        let mut buffers = Vec::new();
        for value in &self.values {
            let buffer = match value {
                Value::Bytes(bytes) => {
                    launch.args.push(Arg::Value(bytes.clone()));
                    continue;
                }
                Value::Buffer(bytes) => {
                    let buffer = memory.add(format!("buffer {}", buffers.len()), bytes.clone(), true);
                    buffers.push(buffer);
                    buffer
                }
                Value::Again(number) => buffers[*number],
            };
            launch.args.push(Arg::Buffer(buffer));
        }
        Prepared { memory, launch, buffers }
    }

    /// Runs PTX in the interpreter; returns the buffers after the run.
    ///
    /// # Errors
    /// A failed run, and undefined bits in a buffer.
    pub fn interpret(&self, text: &str) -> Result<Buffers, Failure> {
        let Prepared { mut memory, launch, buffers } = self.prepare();
        interp::run(text, &launch, &mut memory)?;
        for buffer in &buffers {
            memory.read_back(*buffer).map_err(|kind| Failure::of_launch(&self.kernel, kind))?;
        }
        Ok(Buffers::of(&memory, &buffers))
    }

    /// Runs a cubin in the simulator.
    ///
    /// # Errors
    /// A failed run.
    pub fn simulate(&self, cubin: &[u8]) -> Result<Buffers, Failure> {
        self.simulate_with(cubin, Setup::default())
    }

    /// Runs a cubin in the simulator with these settings.
    ///
    /// # Errors
    /// A failed run.
    pub fn simulate_with(&self, cubin: &[u8], setup: Setup<'_>) -> Result<Buffers, Failure> {
        self.simulate_finding(cubin, setup, OnFinding::Error)
    }

    /// Runs a cubin in the simulator past its hazards: a register has what was written to it last.
    ///
    /// # Errors
    /// A failed run.
    pub fn simulate_past_hazards(&self, cubin: &[u8]) -> Result<Buffers, Failure> {
        self.simulate_finding(cubin, Setup::default(), OnFinding::Warn)
    }

    fn simulate_finding(&self, cubin: &[u8], setup: Setup<'_>, hazards: OnFinding) -> Result<Buffers, Failure> {
        let Prepared { mut memory, mut launch, buffers } = self.prepare();
        launch.hazards = hazards;
        simulator::run_with(cubin, &launch, &mut memory, setup)?;
        Ok(Buffers::of(&memory, &buffers))
    }
}

impl Expected {
    /// Compares the buffers after a run with the expected contents.
    ///
    /// # Errors
    /// The first byte that differs, or the first number outside its tolerance.
    pub fn check(&self, left: &Buffers) -> Result<()> {
        let got = left.bytes(self.buffer).context("no such buffer")?;
        ensure!(got.len() >= self.bytes.len(), "the buffer has {} bytes", got.len());
        for close in &self.close {
            let (number, want) = (close.number(got), close.number(&self.bytes));
            let (number, want) = (number.context("no such number")?, want.context("no such number")?);
            ensure!(close.met(number, want), "byte {}: {number:e}, the suite demands {want:e}", close.at);
        }
        let close = |i: usize| self.close.iter().any(|c| (c.at..c.at + c.size()).contains(&i));
        let Some(at) = (0..self.bytes.len()).find(|&i| got[i] != self.bytes[i] && !close(i)) else { return Ok(()) };
        let from = at & !3;
        let word = |bytes: &[u8]| bytes[from..].iter().take(4).rev().fold(0u32, |v, b| v << 8 | u32::from(*b));
        let (got, want) = (word(got), word(&self.bytes));
        ensure!(false, "byte {from}: {got:#010x}, the suite demands {want:#010x}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_close_as_is_demanded() {
        let of = |double, epsilons| move |got, want| Close { at: 0, double, epsilons }.met(got, want);
        let (one, two) = (1.0 + f64::from(f32::EPSILON), 1.0 + 2.0 * f64::from(f32::EPSILON));
        let exact = of(false, 0.0);
        assert!(
            exact(1.0, 1.0) && exact(f64::NAN, -f64::NAN) && exact(f64::INFINITY, f64::INFINITY) && exact(0.0, -0.0)
        );
        assert!(!exact(one, 1.0) && !exact(1.0, f64::NAN) && !exact(f64::NEG_INFINITY, f64::INFINITY));
        let near = of(false, 1.0);
        assert!(near(one, 1.0) && !near(two, 1.0) && !near(1e30, f64::INFINITY));
        assert!(near(1e5 * one, 1e5) && !near(1e5 * two, 1e5) && !of(true, 1.0)(one, 1.0));
    }
}
