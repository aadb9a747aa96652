//! A program of a suite: PTX and how it is launched.

use anyhow::{Context, Result, ensure};
use raddle_sim::failure::Failure;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};
use raddle_sim::{interp, machine};

use crate::left::Left;

/// Most instructions of a thread (interpreter) or of a warp (simulator).
const STEPS: u64 = 1 << 22;

/// A program of a suite.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name within the suite.
    pub name: String,
    /// The PTX.
    pub text: String,
    /// How its kernels are launched.
    pub runs: Runs,
}

/// How the kernels of a program are launched.
#[derive(Clone, Debug)]
pub enum Runs {
    /// As the suite says: each launch must come to an end.
    Demanded(Vec<Run>),
    /// With inputs made here, of which those count that come to an end in the interpreter.
    Made(Vec<Run>),
    /// Launches are found by trying ([`crate::producers`]).
    Tried,
}

/// Bytes of stack of a thread where functions call themselves, a host's choice: code that is not optimised takes more than the driver gives
/// unasked.
const STACK: u32 = 16 << 10;

/// One launch.
#[derive(Clone, Debug)]
pub struct Run {
    /// What tells it from the others.
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
    /// What the suite demands of a buffer after the run.
    pub demand: Option<Demand>,
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

/// What a suite demands.
#[derive(Clone, Debug)]
pub struct Demand {
    /// Number of the buffer, from 0.
    pub buffer: usize,
    /// Its bytes after the run.
    pub bytes: Vec<u8>,
    /// Floating-point numbers among them that need not be met bit by bit.
    pub close: Vec<Close>,
}

/// A floating-point number that is demanded within bounds. Every NaN meets a NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Close {
    /// Its first byte.
    pub at: usize,
    /// Of 64 bits, not of 32.
    pub double: bool,
    /// How far it may be off, in distances between 1 and the next number: absolutely where the demanded number is below a limit
    /// ([`Close::ABSOLUTE`]), beyond it relative to it. Both zeros are one number.
    pub epsilons: f64,
}

impl Close {
    /// Numbers of 32 and of 64 bits from which on bounds are relative.
    pub const ABSOLUTE: [f64; 2] = [1e4, 1e15];

    /// Bytes of the number.
    fn size(self) -> usize {
        if self.double { 8 } else { 4 }
    }

    /// The number in these bytes of a buffer; nothing where it has no such bytes.
    fn number(self, bytes: &[u8]) -> Option<f64> {
        let bytes = bytes.get(self.at..self.at + self.size())?;
        match self.double {
            true => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
            false => Some(f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        }
    }

    /// Whether a number meets the one that is demanded.
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

    /// Runs PTX in the interpreter: what it leaves in the buffers.
    ///
    /// # Errors
    /// A failure of the run, and undefined bits in a buffer.
    pub fn interpret(&self, text: &str) -> Result<Left, Failure> {
        let Prepared { mut memory, launch, buffers } = self.prepare();
        interp::run(text, &launch, &mut memory)?;
        for buffer in &buffers {
            memory.read_back(*buffer).map_err(|kind| Failure::of_launch(&self.kernel, kind))?;
        }
        Ok(Left::of(&memory, &buffers))
    }

    /// Runs a cubin in the simulator.
    ///
    /// # Errors
    /// A failure of the run.
    pub fn simulate(&self, cubin: &[u8]) -> Result<Left, Failure> {
        let Prepared { mut memory, launch, buffers } = self.prepare();
        machine::run(cubin, &launch, &mut memory)?;
        Ok(Left::of(&memory, &buffers))
    }
}

impl Demand {
    /// Holds what a run left against it.
    ///
    /// # Errors
    /// The first byte that differs, or the first number that is too far off.
    pub fn hold(&self, left: &Left) -> Result<()> {
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
