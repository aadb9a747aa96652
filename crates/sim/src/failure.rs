//! Typed failures of a run: the error, the thread, the instruction.
//!
//! A failure is an error of the *program* (or of its launch), never of the machine running it:
//! hazards, stray accesses, races and deadlocks all end a run with one of these.

use crate::space::Space;
use std::fmt;
use thiserror::Error;

/// The instruction a failure belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Location {
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

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::None => f.write_str("(no instruction)"),
            Location::Sass { function, pc, text, source } => {
                write!(f, "{function}+{pc:#06x}: {text}")?;
                if let Some((file, line)) = source {
                    write!(f, " ({file}:{line})")?;
                }
                Ok(())
            }
            Location::Ptx { function, line, text } => write!(f, "{function}, line {line}: {text}"),
        }
    }
}

/// A thread of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPos {
    /// Block index.
    pub cta: [u32; 3],
    /// Thread index in its block.
    pub thread: [u32; 3],
    /// Lane in its warp.
    pub lane: u32,
}

impl fmt::Display for ThreadPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ThreadPos { cta: [cx, cy, cz], thread: [x, y, z], lane } = self;
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

/// A violation of the control fields.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Hazard {
    /// A fixed-latency result is read before it arrives.
    #[error("{what} is read {early} cycle(s) before the result of {producer} is ready")]
    ReadTooEarly {
        /// The register.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The producing instruction.
        producer: String,
    },
    /// A register is written so soon after another fixed-latency write that the older result
    /// arrives last.
    #[error("{what} is written {early} cycle(s) too early: the result of {producer} arrives after it")]
    WrittenTooEarly {
        /// The register.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The instruction whose result arrives last.
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
    /// A source of a variable-latency instruction is overwritten before it has been read.
    #[error("{what} is overwritten before {reader} has read it (read barrier not waited for)")]
    Overwritten {
        /// The register.
        what: Resource,
        /// The instruction still reading.
        reader: String,
    },
    /// A wait follows the setting of its scoreboard by less than two cycles.
    #[error("the wait for {what} is {early} cycle(s) too early after {producer} sets it")]
    WaitTooSoon {
        /// The scoreboard.
        what: Resource,
        /// Cycles missing.
        early: u32,
        /// The setting instruction.
        producer: String,
    },
    /// A register that a product of a warpgroup still uses is touched.
    #[error("{what} is {used} before a WARPGROUP.DEPBAR has waited for {producer}")]
    InFlight {
        /// The register.
        what: Resource,
        /// `read` or `written`.
        used: &'static str,
        /// The product.
        producer: String,
    },
    /// A register that a product of a warpgroup reads was written after the last arrival.
    #[error("{what} was written after the last WARPGROUP.ARRIVE")]
    NotArrived {
        /// The register.
        what: Resource,
    },
    /// Lanes read a uniform register that another subset of their warp has written after they did,
    /// or which they never wrote.
    #[error("{what} is read by the lanes {lanes:#010x}, but was last written by another subset of the warp")]
    OtherSubset {
        /// The uniform register or predicate.
        what: Resource,
        /// The lanes that did not write it.
        lanes: u32,
    },
    /// The reuse cache of an operand slot holds a register other than the one read.
    #[error("stale reuse of {what} in operand slot {slot}")]
    StaleReuse {
        /// The register.
        what: Resource,
        /// Operand slot.
        slot: u8,
    },
}

/// The kind of a failure.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FailureKind {
    /// An access outside every allocation.
    #[error("{access} of {size} byte(s) at {space} {addr:#x} is out of bounds{near}")]
    OutOfBounds {
        /// `read`, `write` or `atomic`.
        access: &'static str,
        /// State space.
        space: Space,
        /// Address formed by the instruction.
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
        /// Address formed by the instruction.
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
    /// A read outside the contents of a constant bank.
    #[error("read of c[{bank:#x}][{offset:#x}], outside the {size} byte(s) of the bank")]
    DriverConstants {
        /// Bank number.
        bank: u32,
        /// Byte offset.
        offset: i64,
        /// Size of the bank.
        size: u32,
    },
    /// Two unordered accesses to one byte, at least one a write and at least one weak.
    #[error("race on {space} {addr:#x}{near}: {access} is not ordered with an earlier {earlier}")]
    Race {
        /// State space.
        space: Space,
        /// Address.
        addr: u64,
        /// Kind of the second access.
        access: &'static str,
        /// The earlier access: kind, thread, instruction.
        earlier: String,
        /// The allocation, as text that begins with a comma, or empty.
        near: String,
    },
    /// An address with undefined bits.
    #[error("the address of the access has undefined bits")]
    UndefinedAddress,
    /// A branch on undefined bits.
    #[error("a branch depends on undefined bits")]
    UndefinedBranch,
    /// A guard with undefined bits on an instruction with an effect.
    #[error("a guard depends on undefined bits")]
    UndefinedGuard,
    /// Undefined bits in memory that the host reads.
    #[error("the host reads byte {offset} of {name}, which is undefined")]
    UndefinedOutput {
        /// The buffer.
        name: String,
        /// First such byte.
        offset: u64,
    },
    /// Undefined bits in an operand that must be known (masks, barrier numbers).
    #[error("undefined bits in {0}")]
    UndefinedOperand(&'static str),
    /// A violation of the control fields.
    #[error("hazard: {0}")]
    Hazard(#[from] Hazard),
    /// A deadlock: no thread can continue.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// A violation of the contract of a convergent instruction.
    #[error("{0}")]
    Convergence(String),
    /// A register that the code of a warp may not name ([`raddle_target::Limits::RESERVED_REGISTERS`]).
    #[error("R{number} is named by a warp with a register count of {count}, of which it may name all but two")]
    Register {
        /// The number of the register.
        number: u16,
        /// The register count of the warp.
        count: u16,
    },
    /// A violation of the rules of mbarrier objects or of asynchronous operations.
    #[error("{0}")]
    Asynchrony(String),
    /// A lookup or access that does not fit its texture or surface, or a handle of none.
    #[error("{0}")]
    Texture(String),
    /// The step limit was reached.
    #[error("step limit of {0} reached")]
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
    /// `free` of a pointer that `malloc` did not return, or that was freed already.
    #[error("free of {0:#x}, which is not an allocated heap block")]
    NotAllocated(u64),
    /// `alloca` of more bytes than the thread's stack has left.
    #[error("alloca of {0} byte(s) exceeds the remaining stack")]
    StackOverflow(u64),
    /// `stackrestore` of a pointer that no `stacksave` of this function returned, or whose memory
    /// was freed since.
    #[error("stackrestore of {0:#x}, which no stacksave of this function returned")]
    WildStack(u64),
    /// The program counter is outside the code.
    #[error("the program counter {0:#x} is outside the code")]
    WildBranch(u64),
    /// An instruction or feature that is not modelled.
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
    /// The thread, if known.
    pub who: Option<ThreadPos>,
    /// The instruction (boxed, like the kind: failures are rare, results are everywhere).
    pub place: Box<Location>,
    /// The kind of failure.
    pub kind: Box<FailureKind>,
}

impl Failure {
    /// Creates a failure without thread and instruction.
    pub fn of_launch(kernel: &str, kind: FailureKind) -> Failure {
        Failure { kernel: kernel.to_string(), who: None, place: Box::default(), kind: Box::new(kind) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kernel, self.kind)?;
        if *self.place != Location::None {
            write!(f, "\n  at {}", self.place)?;
        }
        if let Some(who) = self.who {
            write!(f, "\n  in {who}")?;
        }
        Ok(())
    }
}
