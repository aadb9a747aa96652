//! Typed failures of a run: what went wrong, in which thread, at which instruction.
//!
//! A failure is a verdict about the *program* (or about its launch), never about the machine running it:
//! hazards, stray accesses, races and deadlocks all end a run with one of these.

use crate::space::Space;
use std::fmt;
use thiserror::Error;

/// The instruction a failure belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// No instruction: the launch itself, or memory read by the host afterwards.
    #[default]
    None,
    /// A machine instruction.
    Sass {
        /// Function that contains it.
        function: String,
        /// Byte offset within the function.
        pc: u32,
        /// The instruction as printed.
        text: String,
        /// Source file and line, if the cubin carries a line table.
        source: Option<(String, u32)>,
    },
    /// A PTX instruction.
    Ptx {
        /// Function that contains it.
        function: String,
        /// Line in the PTX text, from 1.
        line: u32,
        /// The instruction as printed.
        text: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::None => f.write_str("(no instruction)"),
            Place::Sass { function, pc, text, source } => {
                write!(f, "{function}+{pc:#06x}: {text}")?;
                if let Some((file, line)) = source {
                    write!(f, " ({file}:{line})")?;
                }
                Ok(())
            }
            Place::Ptx { function, line, text } => write!(f, "{function}, line {line}: {text}"),
        }
    }
}

/// Which thread of which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// Block index.
    pub cta: [u32; 3],
    /// Thread index in its block.
    pub thread: [u32; 3],
    /// Lane in its warp.
    pub lane: u32,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Who { cta: [cx, cy, cz], thread: [x, y, z], lane } = self;
        write!(f, "block ({cx},{cy},{cz}) thread ({x},{y},{z}) lane {lane}")
    }
}

/// A value or register of the machine, named in hazards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// General register.
    Reg(u8),
    /// Uniform register.
    UReg(u8),
    /// Predicate.
    Pred(u8),
    /// Uniform predicate.
    UPred(u8),
    /// Scoreboard.
    Scoreboard(u8),
    /// Convergence barrier.
    Barrier(u8),
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Reg(n) => write!(f, "R{n}"),
            Resource::UReg(n) => write!(f, "UR{n}"),
            Resource::Pred(n) => write!(f, "P{n}"),
            Resource::UPred(n) => write!(f, "UP{n}"),
            Resource::Scoreboard(n) => write!(f, "SB{n}"),
            Resource::Barrier(n) => write!(f, "B{n}"),
        }
    }
}

/// A broken promise of the control fields.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Hazard {
    /// A fixed-latency result is read before it is there.
    #[error("{what} is read {early} cycle(s) before the result of {producer} is ready")]
    ReadTooEarly {
        /// The register.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The producing instruction.
        producer: String,
    },
    /// A register is written so soon after another fixed-latency instruction that the older result arrives last.
    #[error("{what} is written {early} cycle(s) too early: the result of {producer} arrives after it")]
    WrittenTooEarly {
        /// The register.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The instruction that is overtaken.
        producer: String,
    },
    /// A variable-latency result is touched without waiting for its scoreboard.
    #[error("{what} is {used} before the scoreboard of {producer} was waited for")]
    NotWaited {
        /// The register.
        what: Resource,
        /// `read` or `written`.
        used: &'static str,
        /// The producing instruction.
        producer: String,
    },
    /// A source of a variable-latency instruction is overwritten before that has read it.
    #[error("{what} is overwritten before {reader} has read it (read barrier not waited for)")]
    Overwritten {
        /// The register.
        what: Resource,
        /// The instruction still reading.
        reader: String,
    },
    /// A wait follows the setting of its scoreboard by less than two cycles.
    #[error("{what} is waited for {early} cycle(s) too soon after {producer} sets it")]
    WaitTooSoon {
        /// The scoreboard.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The setting instruction.
        producer: String,
    },
    /// Lanes read a uniform register that another subset of their warp has written since they did, or which they never wrote.
    #[error("{what} is read by the lanes {lanes:#010x}, but what it holds was written by another subset of the warp")]
    OtherSubset {
        /// The uniform register or predicate.
        what: Resource,
        /// The lanes that did not write it.
        lanes: u32,
    },
    /// The reuse cache of an operand slot holds another register than the instruction needs.
    #[error("stale reuse of {what} in operand slot {slot}")]
    StaleReuse {
        /// The register.
        what: Resource,
        /// Operand slot.
        slot: u8,
    },
}

/// What went wrong.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FailureKind {
    /// An access outside every allocation.
    #[error("{access} of {size} byte(s) at {space} {addr:#x} is out of bounds{near}")]
    OutOfBounds {
        /// `read`, `write` or `atomic`.
        access: &'static str,
        /// State space.
        space: Space,
        /// Address as the instruction formed it.
        addr: u64,
        /// Bytes accessed.
        size: u32,
        /// The nearest allocation, as text that begins with a comma, or empty.
        near: String,
    },
    /// An access that is not naturally aligned.
    #[error("{access} of {size} byte(s) at {space} {addr:#x} is misaligned")]
    Misaligned {
        /// `read`, `write` or `atomic`.
        access: &'static str,
        /// State space.
        space: Space,
        /// Address as the instruction formed it.
        addr: u64,
        /// Bytes accessed.
        size: u32,
    },
    /// A write to constant data.
    #[error("write of {size} byte(s) to read-only {name} at {addr:#x}")]
    ReadOnly {
        /// The allocation.
        name: String,
        /// Address.
        addr: u64,
        /// Bytes.
        size: u32,
    },
    /// A constant bank is read outside its contents.
    #[error("read of c[{bank:#x}][{offset:#x}], outside the {size} byte(s) of the bank")]
    ConstantBank {
        /// Bank number.
        bank: u32,
        /// Byte offset.
        offset: i64,
        /// Size of the bank.
        size: u32,
    },
    /// Two unordered accesses to one byte, one of them a write, one of them weak.
    #[error("race on {space} {addr:#x}{near}: {access} is not ordered with an earlier {earlier}")]
    Race {
        /// State space.
        space: Space,
        /// Address.
        addr: u64,
        /// What the second access does.
        access: &'static str,
        /// The earlier access: what, by whom, where.
        earlier: String,
        /// The allocation, as text that begins with a comma, or empty.
        near: String,
    },
    /// Undefined bits form an address.
    #[error("the address of the access has undefined bits")]
    UndefinedAddress,
    /// Undefined bits decide a branch.
    #[error("undefined bits decide a branch")]
    UndefinedBranch,
    /// Undefined bits decide whether an instruction with an effect runs.
    #[error("undefined bits decide a guard")]
    UndefinedGuard,
    /// Undefined bits in memory the host reads.
    #[error("byte {offset} of {name}, which the host reads, is undefined")]
    UndefinedOutput {
        /// The buffer.
        name: String,
        /// First such byte.
        offset: u64,
    },
    /// Undefined bits in an operand where every value must be known (masks, barrier numbers).
    #[error("undefined bits in {0}")]
    UndefinedOperand(&'static str),
    /// The control fields break a promise.
    #[error("hazard: {0}")]
    Hazard(#[from] Hazard),
    /// No thread can go on.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// Threads break the contract of a convergent instruction.
    #[error("{0}")]
    Convergence(String),
    /// The limit of steps is reached.
    #[error("no end after {0} steps")]
    MaxSteps(u64),
    /// A trap or break-point instruction ran.
    #[error("trap")]
    Trap,
    /// `__assertfail` was called.
    #[error("{file}:{line}: {function}: assertion `{message}` failed")]
    Assert {
        /// Source file.
        file: String,
        /// Line in it.
        line: u32,
        /// Function.
        function: String,
        /// The condition as text.
        message: String,
    },
    /// `free` of what `malloc` did not give, or of what is free.
    #[error("free of {0:#x}, which is no memory of the heap")]
    NotAllocated(u64),
    /// `alloca` of more bytes than the stack of the thread has left.
    #[error("alloca of {0} byte(s) is more than the stack has left")]
    StackOverflow(u64),
    /// `stackrestore` of what no `stacksave` of this function gave, or of what was given back since.
    #[error("stackrestore of {0:#x}, which is not a stack pointer that was saved here")]
    WildStack(u64),
    /// The program counter left the code.
    #[error("the program counter {0:#x} is outside the code")]
    WildBranch(u64),
    /// Something this machine does not model.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The launch description does not fit the kernel.
    #[error("{0}")]
    Launch(String),
    /// The program cannot be loaded.
    #[error("{0}")]
    Load(String),
}

/// A failed run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct Failure {
    /// Kernel that was launched.
    pub kernel: String,
    /// The thread, where one can be named.
    pub who: Option<Who>,
    /// The instruction (boxed, as what follows: failures are rare, results are everywhere).
    pub place: Box<Place>,
    /// What went wrong.
    pub kind: Box<FailureKind>,
}

impl Failure {
    /// A failure that belongs to no thread and no instruction.
    pub fn of_launch(kernel: &str, kind: FailureKind) -> Failure {
        Failure { kernel: kernel.to_string(), who: None, place: Box::default(), kind: Box::new(kind) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kernel, self.kind)?;
        if *self.place != Place::None {
            write!(f, "\n  at {}", self.place)?;
        }
        if let Some(who) = self.who {
            write!(f, "\n  in {who}")?;
        }
        Ok(())
    }
}
