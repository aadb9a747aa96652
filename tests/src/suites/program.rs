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
    /// The first byte that differs.
    pub fn hold(&self, left: &Left) -> Result<()> {
        let got = left.bytes(self.buffer).context("no such buffer")?;
        ensure!(got.len() >= self.bytes.len(), "the buffer has {} bytes", got.len());
        let Some(at) = (0..self.bytes.len()).find(|&i| got[i] != self.bytes[i]) else { return Ok(()) };
        let from = at & !3;
        let word = |bytes: &[u8]| bytes[from..].iter().take(4).rev().fold(0u32, |v, b| v << 8 | u32::from(*b));
        let (got, want) = (word(got), word(&self.bytes));
        ensure!(false, "byte {from}: {got:#010x}, the suite demands {want:#010x}");
        Ok(())
    }
}
