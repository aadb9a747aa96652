//! The launch of a kernel, found by trial: the kinds of its parameters and the contents of its
//! buffers.
//!
//! Strategy: every 64-bit word of the parameters starts as a distinct address far from any memory;
//! if the kernel accesses one, it is a pointer and gets a buffer, the others become numbers.
//! Several contents of buffers and several numbers are tried until a run in the interpreter has no
//! failure (no access outside a buffer, no race, no undefined bit that matters). If none succeeds,
//! the kernel has no launch, and the first failure is the reason.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::simulator;
use anyhow::{Context, Result, bail, ensure};
use raddle_ptx::{Func, Variable};
use raddle_sim::failure::{Failure, FailureKind};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch, OnFinding};
use raddle_sim::mem::{AllocId, Memory, Space};

use crate::buffers::Buffers;
use crate::rng::Rng;

/// Bytes of each buffer.
const BUFFER: usize = 1 << 18;
/// Bytes of each buffer if that was not enough.
const LARGE: usize = 1 << 22;
/// Bytes of dynamic shared memory: the default limit of every architecture.
const SHARED: u32 = 48 << 10;
/// Blocks of a grid.
const GRID: u32 = 2;
/// The block sizes that are tried if the kernel does not specify one.
const BLOCKS: [u32; 4] = [128, 256, 64, 32];
/// Address of the first 64-bit word that may be a pointer; the next ones follow at [`APART`].
const NOWHERE: u64 = 0x10_0000_0000_0000;
/// Distance of such addresses; twice the range of 32-bit indices of 8 bytes.
const APART: u64 = 1 << 40;
/// Numbers that are tried for words that are not pointers.
const NUMBERS: [u64; 4] = [64, 1, 33, 256];

/// The initial contents of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fill {
    /// 32-bit floats below 1.
    Floats,
    /// Doubles below 1.
    Doubles,
    /// Halves and bfloats of about 1.
    Halves,
    /// 32-bit integers below 64.
    Small,
    /// Zeros.
    Zeros,
}

const FILLS: [Fill; 5] = [Fill::Floats, Fill::Small, Fill::Doubles, Fill::Halves, Fill::Zeros];

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Floats => "floats",
            Self::Doubles => "doubles",
            Self::Halves => "halves",
            Self::Small => "small",
            Self::Zeros => "zeros",
        })
    }
}

/// What was made: the search for a launch asks for the same contents at each attempt.
static MADE: Mutex<BTreeMap<(Fill, usize, u64), Vec<u8>>> = Mutex::new(BTreeMap::new());

impl Fill {
    fn bytes(self, size: usize, stream: u64) -> Vec<u8> {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry((self, size, stream)).or_insert_with(|| self.make(size, stream)).clone()
    }

    fn make(self, size: usize, stream: u64) -> Vec<u8> {
        let mut rng = Rng::new(7, stream);
        let mut bytes = vec![0; size];
        match self {
            Self::Floats => fill(&mut bytes, || (rng.unit() as f32).to_le_bytes()),
            Self::Doubles => fill(&mut bytes, || rng.unit().to_le_bytes()),
            Self::Halves => fill(&mut bytes, || (0x3c00 | rng.next() as u16 & 0x3ff).to_le_bytes()),
            Self::Small => fill(&mut bytes, || (rng.next() as u32 % 64).to_le_bytes()),
            Self::Zeros => {}
        }
        bytes
    }
}

fn fill<const N: usize>(bytes: &mut [u8], mut next: impl FnMut() -> [u8; N]) {
    for chunk in bytes.chunks_exact_mut(N) {
        chunk.copy_from_slice(&next());
    }
}

/// The assumed kind of a 64-bit word of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// An address without memory: an access shows that it is a pointer.
    Untouched,
    /// A buffer.
    Pointer,
    /// A number.
    Number,
}

/// The launch of a kernel.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Name of the kernel.
    pub kernel: String,
    grid: Dim3,
    block: Dim3,
    /// Whether the kernel specifies its block size.
    fixed: bool,
    /// Sizes of the parameters in bytes, and the kinds of their other values.
    params: Vec<Param>,
    words: Vec<Word>,
    fill: Fill,
    /// Bytes of each buffer.
    size: usize,
    steps: u64,
    number: u64,
    /// Triton stores a value from several threads at once: such a kernel runs without the check.
    pub races: OnFinding,
    /// Whether an attempt accessed memory outside its buffer.
    strayed: bool,
    /// Whether an attempt had a race.
    raced: bool,
    /// Bytes of dynamic shared memory: the default limit, or the most that the target has if that
    /// was not enough.
    shared: u32,
    most_shared: u32,
    /// The warnings of the interpreter in the last attempt.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug)]
struct Param {
    /// Bytes of a value without pointers, or the number of 64-bit words.
    kind: Kind,
    /// Whether `.ptr` marks it as a pointer.
    pointer: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// 64-bit words.
    Words(usize),
    /// An integer of this many bytes.
    Integer(usize),
    /// A float of this many bytes.
    Float(usize),
}

impl Recipe {
    /// The initial guess for a kernel: all words of its parameters are untouched.
    ///
    /// # Errors
    /// A parameter without a size.
    pub fn first(f: &Func, steps: u64, most_shared: u32) -> Result<Self> {
        let said = f.perf.reqntid.or(f.perf.maxntid);
        let dims = said.unwrap_or([BLOCKS[0], 1, 1]);
        let params: Vec<Param> = f.params.iter().map(param).collect::<Result<_>>()?;
        let mut words = Vec::new();
        for param in &params {
            let Kind::Words(count) = param.kind else { continue };
            words.extend((0..count).map(|_| if param.pointer { Word::Pointer } else { Word::Untouched }));
        }
        let block = Dim3::new(dims[0].max(1), dims[1].max(1), dims[2].max(1));
        let (kernel, fixed) = (f.name.to_string(), said.is_some());
        let (fill, races) = (Fill::Zeros, OnFinding::Error);
        Ok(Self {
            kernel,
            grid: Dim3::from(GRID),
            block,
            fixed,
            params,
            words,
            fill,
            size: BUFFER,
            steps,
            number: 0,
            races,
            strayed: false,
            raced: false,
            shared: SHARED,
            most_shared,
            warnings: Vec::new(),
        })
    }

    /// What was found, as a line of `launches.txt`: blocks, threads of a block, `p` or `n` for each
    /// word that is a pointer or a number (`=` if there is none), contents and bytes of a buffer,
    /// the number, bytes of shared memory, and whether races are errors.
    pub fn row(&self) -> String {
        let mut words: String = self.words.iter().map(|word| if *word == Word::Pointer { 'p' } else { 'n' }).collect();
        if words.is_empty() {
            words.push('=');
        }
        let races = if self.races == OnFinding::Off { "races" } else { "checked" };
        let Self { grid, block, fill, size, number, shared, .. } = self;
        format!("{} {},{},{} {words} {fill} {size} {number} {shared} {races}", grid.x, block.x, block.y, block.z)
    }

    /// Reads a line of [`Recipe::row`].
    ///
    /// # Errors
    /// A line of another form.
    pub fn read_row(&mut self, row: &str) -> Result<()> {
        let parts: Vec<&str> = row.split(' ').collect();
        let &[grid, block, words, fill, size, number, shared, races] = &parts[..] else { bail!("not eight parts") };
        let block = block.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        let &[x, y, z] = &block[..] else { bail!("a block without three sizes") };
        (self.grid, self.block) = (Dim3::from(grid.parse::<u32>()?), Dim3::new(x, y, z));
        let words = words.trim_matches('=');
        ensure!(words.len() == self.words.len(), "{} words, not {}", self.words.len(), words.len());
        self.words = words.chars().map(|kind| if kind == 'p' { Word::Pointer } else { Word::Number }).collect();
        self.fill = FILLS.into_iter().find(|known| known.to_string() == fill).context("unknown contents")?;
        (self.size, self.number, self.shared) = (size.parse()?, number.parse()?, shared.parse()?);
        self.races = if races == "races" { OnFinding::Off } else { OnFinding::Error };
        Ok(())
    }

    /// Memory and launch, with the buffers that are compared.
    fn prepare(&self) -> (Memory, Launch, Vec<AllocId>) {
        let mut memory = Memory::new();
        let mut launch = Launch::new(self.kernel.as_str());
        launch.grid = self.grid;
        launch.block = self.block;
        launch.dyn_shared = self.shared;
        launch.max_steps = self.steps;
        launch.races = self.races;
        let mut buffers = Vec::new();
        let mut at = 0;
        for param in &self.params {
            let bytes = match param.kind {
                Kind::Integer(size) => self.number.to_le_bytes()[..size].to_vec(),
                Kind::Float(2) => vec![0x00, 0x3e],
                Kind::Float(4) => 1.5f32.to_le_bytes().to_vec(),
                Kind::Float(size) => 1.5f64.to_le_bytes()[8 - size..].to_vec(),
                Kind::Words(count) => {
                    let mut bytes = Vec::new();
                    for word in at..at + count {
                        let value = match self.words[word] {
                            Word::Untouched => NOWHERE + word as u64 * APART,
                            Word::Number => self.number,
                            Word::Pointer => {
                                let buffer =
                                    memory.add(format!("word {word}"), self.fill.bytes(self.size, word as u64), true);
                                buffers.push(buffer);
                                memory.base(buffer)
                            }
                        };
                        bytes.extend(value.to_le_bytes());
                    }
                    at += count;
                    bytes
                }
            };
            launch.args.push(Arg::Value(bytes));
        }
        (memory, launch, buffers)
    }

    /// Makes the kernel run in the interpreter; returns the buffers after it.
    ///
    /// # Errors
    /// The reason why the first attempt failed.
    pub fn find(&mut self, text: &str) -> Result<Buffers, Failure> {
        let mut first = None;
        let blocks = if self.fixed { vec![self.block] } else { BLOCKS.map(Dim3::from).to_vec() };
        // Threads that read the writes of others race in every launch except that of one thread.
        let alone = if self.fixed { Vec::new() } else { vec![Dim3::from(1)] };
        let pointers = self.words.clone();
        for (races, size, grid, blocks) in [
            (OnFinding::Error, BUFFER, GRID, &blocks),
            (OnFinding::Error, LARGE, GRID, &blocks),
            (OnFinding::Error, BUFFER, 1, &alone),
            (OnFinding::Off, BUFFER, GRID, &blocks),
        ] {
            // Larger buffers help if an access was outside, disabling the race check if there was a
            // race.
            if (size == LARGE && !self.strayed) || (races == OnFinding::Off && !self.raced) {
                continue;
            }
            (self.races, self.size, self.grid) = (races, size, Dim3::from(grid));
            for &block in blocks {
                for fill in FILLS {
                    (self.block, self.fill) = (block, fill);
                    self.words.clone_from(&pointers);
                    match self.find_numbers(text) {
                        Ok(left) => return Ok(left),
                        Err(failure) if matches!(*failure.kind, FailureKind::Unsupported(_) | FailureKind::Load(_)) => {
                            return Err(failure);
                        }
                        Err(failure) => first = first.or(Some(failure)),
                    }
                }
            }
        }
        Err(first.unwrap_or_else(|| self.untried()))
    }

    fn untried(&self) -> Failure {
        Failure::of_launch(&self.kernel, FailureKind::Launch("nothing was tried".to_owned()))
    }

    /// Determines which words are pointers, and a number for the others, for one content of the
    /// buffers.
    fn find_numbers(&mut self, text: &str) -> Result<Buffers, Failure> {
        self.number = NUMBERS[0];
        // Each failed attempt except the last finds a pointer.
        for _ in 0..=self.words.len() {
            let Err(failure) = self.attempt(text) else { break };
            let FailureKind::OutOfBounds { addr, .. } = *failure.kind else { break };
            let word = (addr.wrapping_sub(NOWHERE - APART / 2) / APART) as usize;
            match self.words.get_mut(word) {
                Some(word) if *word == Word::Untouched => *word = Word::Pointer,
                _ => break,
            }
        }
        self.words.iter_mut().filter(|w| **w == Word::Untouched).for_each(|w| *w = Word::Number);
        let mut first = None;
        for number in NUMBERS {
            self.number = number;
            match self.attempt(text) {
                Ok(left) => return Ok(left),
                Err(failure) => first = first.or(Some(failure)),
            }
        }
        self.number = NUMBERS[0];
        Err(first.unwrap_or_else(|| self.untried()))
    }

    /// Like [`Recipe::interpret`], and records the failure.
    fn attempt(&mut self, text: &str) -> Result<Buffers, Failure> {
        let mut warnings = Vec::new();
        let mut result = self.interpret(text, 0, &mut warnings);
        let outside =
            |failure: &Failure| matches!(*failure.kind, FailureKind::OutOfBounds { space: Space::Shared, .. });
        if self.shared < self.most_shared && result.as_ref().is_err_and(outside) {
            self.shared = self.most_shared;
            result = self.interpret(text, 0, &mut warnings);
        }
        self.warnings = warnings;
        match result.as_ref().err().map(|failure| &*failure.kind) {
            Some(&FailureKind::OutOfBounds { addr, .. }) => self.strayed |= addr < NOWHERE - APART / 2,
            Some(FailureKind::Race { .. }) => self.raced = true,
            _ => {}
        }
        result
    }

    /// Runs in the interpreter in the order of a seed, with its warnings.
    ///
    /// # Errors
    /// A failure of the interpreter.
    pub fn interpret(&self, text: &str, seed: u64, warnings: &mut Vec<String>) -> Result<Buffers, Failure> {
        let (mut memory, mut launch, buffers) = self.prepare();
        launch.seed = seed;
        // Warps that wait for others take more steps in other orders.
        launch.max_steps = if seed == 0 { self.steps } else { self.steps.saturating_mul(4) };
        *warnings = interp::run_with(text, &launch, &mut memory, interp::Setup::default())?.warnings;
        for buffer in &buffers {
            memory.read_back(*buffer).map_err(|kind| Failure::of_launch(&self.kernel, kind))?;
        }
        Ok(Buffers::of(&memory, &buffers))
    }

    /// The launch for the simulator, with memory for one run.
    pub fn machine_launch(&self) -> (Memory, Launch) {
        let (memory, launch, _) = self.for_machine();
        (memory, launch)
    }

    fn for_machine(&self) -> (Memory, Launch, Vec<AllocId>) {
        let (memory, mut launch, buffers) = self.prepare();
        // A diverged warp, in code that is not optimised, takes many more steps than one thread of
        // PTX.
        launch.max_steps = self.steps.saturating_mul(256);
        (memory, launch, buffers)
    }

    /// Runs our machine code with the launch and compares.
    ///
    /// # Errors
    /// A failure of the simulator, or the first byte that differs.
    pub fn judge(&self, cubin: &[u8], want: &Buffers) -> Result<()> {
        let (mut memory, launch, buffers) = self.for_machine();
        simulator::run(cubin, &launch, &mut memory).context("simulator")?;
        Buffers::of(&memory, &buffers).same(want)
    }

    /// Whether a run wrote anything visible to the host.
    pub fn wrote(&self, left: &Buffers) -> bool {
        let (memory, _, buffers) = self.prepare();
        left.changed(&Buffers::of(&memory, &buffers))
    }
}

fn param(variable: &Variable) -> Result<Param> {
    let size = variable.size().context("a parameter without a size")? as usize;
    let pointer = variable.ptr.is_some() && size == 8;
    let kind = match size {
        _ if variable.ty.is_float() && variable.dims.is_empty() => Kind::Float(size),
        _ if size.is_multiple_of(8) => Kind::Words(size / 8),
        _ if size < 8 => Kind::Integer(size),
        _ => Kind::Words(0),
    };
    ensure!(!matches!(kind, Kind::Words(0)), "a parameter of {size} bytes");
    Ok(Param { kind, pointer })
}
