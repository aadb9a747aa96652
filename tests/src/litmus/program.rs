//! Litmus programs: a few threads, a few locations, a condition on the final state.

use std::fmt;

/// The scope of an operation (PTX ISA 9.0, 8.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The thread block.
    Cta,
    /// The cluster of thread blocks.
    Cluster,
    /// The device.
    Gpu,
    /// All devices and the host.
    Sys,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Cta => "cta",
            Scope::Cluster => "cluster",
            Scope::Gpu => "gpu",
            Scope::Sys => "sys",
        })
    }
}

/// The semantics of an operation (PTX ISA 9.0, 8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sem {
    /// Not strong.
    Weak,
    /// Like relaxed at system scope (9.7.9.8), and not removed.
    Volatile,
    /// Strong, without ordering other accesses.
    Relaxed,
    /// Strong; may end an acquire pattern.
    Acquire,
    /// Strong; may begin a release pattern.
    Release,
    /// Acquire and release.
    AcqRel,
    /// A fence in Fence-SC order, also acquire and release.
    Sc,
}

impl Sem {
    /// Whether the operation is strong.
    pub const fn strong(self) -> bool {
        !matches!(self, Sem::Weak)
    }

    /// Whether it may end an acquire pattern.
    pub const fn acquires(self) -> bool {
        matches!(self, Sem::Acquire | Sem::AcqRel | Sem::Sc)
    }

    /// Whether it may begin a release pattern.
    pub const fn releases(self) -> bool {
        matches!(self, Sem::Release | Sem::AcqRel | Sem::Sc)
    }
}

impl fmt::Display for Sem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sem::Weak => "weak",
            Sem::Volatile => "volatile",
            Sem::Relaxed => "relaxed",
            Sem::Acquire => "acquire",
            Sem::Release => "release",
            Sem::AcqRel => "acq_rel",
            Sem::Sc => "sc",
        })
    }
}

/// Semantics with their scope. Weak operations have no scope, volatile ones have system scope:
/// [`Strength::new`] ensures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength {
    /// The semantics.
    pub sem: Sem,
    /// The scope.
    pub scope: Scope,
}

impl Strength {
    /// A weak access.
    pub const WEAK: Strength = Strength { sem: Sem::Weak, scope: Scope::Sys };

    /// Semantics at a scope.
    pub const fn new(sem: Sem, scope: Scope) -> Strength {
        match sem {
            Sem::Weak | Sem::Volatile => Strength { sem, scope: Scope::Sys },
            _ => Strength { sem, scope },
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sem {
            Sem::Weak | Sem::Volatile => write!(f, "{}", self.sem),
            _ => write!(f, "{}.{}", self.sem, self.scope),
        }
    }
}

/// A value that an instruction reads: a register of the thread, by number, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Reg(usize),
    /// A constant.
    Const(i64),
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Reg(r) => write!(f, "r{r}"),
            Operand::Const(c) => write!(f, "{c}"),
        }
    }
}

/// The effect of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomOp {
    /// Adds.
    Add,
    /// Subtracts.
    Sub,
    /// Replaces.
    Exch,
    /// Replaces by the second operand if the old value is the first; writes nothing otherwise.
    Cas,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Instr {
    /// `dst = a`.
    Move(usize, Operand),
    /// `dst = a + b`.
    Add(usize, Operand, Operand),
    /// Loads a location into a register.
    Load(Strength, usize, usize),
    /// Stores a value: strength, location, value.
    Store(Strength, usize, Operand),
    /// An atomic read-modify-write.
    Atom {
        /// Semantics and scope.
        strength: Strength,
        /// The operation.
        op: AtomOp,
        /// The register for the old value.
        dst: Option<usize>,
        /// The location.
        loc: usize,
        /// The operands.
        args: [Operand; 2],
    },
    /// A fence.
    Fence(Strength),
    /// A barrier of the thread block.
    Barrier {
        /// The round of barriers, numbered by the program.
        round: i64,
        /// The barrier resource.
        id: Operand,
        /// The number of threads that complete it; without it, all threads that use it.
        count: Option<usize>,
        /// Arrives without waiting.
        arrive: bool,
    },
    /// Jumps to an instruction if the operands are equal (or unequal).
    Branch(bool, Operand, Operand, usize),
    /// Jumps to an instruction.
    Goto(usize),
}

impl Instr {
    /// The location, if it accesses memory.
    pub const fn loc(&self) -> Option<usize> {
        match self {
            Instr::Load(_, _, loc) | Instr::Store(_, loc, _) | Instr::Atom { loc, .. } => Some(*loc),
            _ => None,
        }
    }

    /// Whether it affects the order of memory.
    pub const fn is_memory(&self) -> bool {
        self.loc().is_some() || matches!(self, Instr::Fence(_) | Instr::Barrier { .. })
    }

    /// The register it writes.
    pub const fn def(&self) -> Option<usize> {
        match self {
            Instr::Move(r, _) | Instr::Add(r, ..) | Instr::Load(_, r, _) => Some(*r),
            Instr::Atom { dst, .. } => *dst,
            _ => None,
        }
    }

    /// The values it reads.
    pub fn uses(&self) -> Vec<Operand> {
        match self {
            Instr::Move(_, a) | Instr::Store(_, _, a) | Instr::Barrier { id: a, .. } => vec![*a],
            Instr::Add(_, a, b) | Instr::Branch(_, a, b, _) => vec![*a, *b],
            Instr::Atom { args, .. } => args.to_vec(),
            Instr::Load(..) | Instr::Fence(_) | Instr::Goto(_) => Vec::new(),
        }
    }
}

impl fmt::Display for Instr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instr::Move(r, a) => write!(f, "r{r} = {a}"),
            Instr::Add(r, a, b) => write!(f, "r{r} = {a} + {b}"),
            Instr::Load(s, r, l) => write!(f, "ld.{s} r{r}, m{l}"),
            Instr::Store(s, l, a) => write!(f, "st.{s} m{l}, {a}"),
            Instr::Atom { strength, op, dst, loc, args: [a, b] } => {
                let op = format!("{op:?}").to_lowercase();
                match dst {
                    Some(r) => write!(f, "atom.{strength}.{op} r{r}, m{loc}, {a}, {b}"),
                    None => write!(f, "red.{strength}.{op} m{loc}, {a}, {b}"),
                }
            }
            Instr::Fence(s) => write!(f, "fence.{s}"),
            Instr::Barrier { round, id, count, arrive } => {
                let what = if *arrive { "arrive" } else { "sync" };
                write!(f, "bar.{what} {round}, {id}")?;
                count.map_or(Ok(()), |n| write!(f, ", {n}"))
            }
            Instr::Branch(eq, a, b, to) => write!(f, "if {a} {} {b} goto {to}", if *eq { "==" } else { "!=" }),
            Instr::Goto(to) => write!(f, "goto {to}"),
        }
    }
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The numbers of its thread block, cluster and device, outermost last.
    pub place: [u32; 3],
    /// Its registers: names and initial values.
    pub regs: Vec<(String, i64)>,
    /// Its instructions.
    pub code: Vec<Instr>,
}

impl Thread {
    /// Whether a scope of this thread includes the other thread.
    pub fn reaches(&self, scope: Scope, other: &Thread) -> bool {
        match scope {
            Scope::Cta => self.place == other.place,
            Scope::Cluster => self.place[1..] == other.place[1..],
            Scope::Gpu => self.place[2] == other.place[2],
            Scope::Sys => true,
        }
    }
}

/// A condition on the final state.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Two terms are equal (or unequal).
    Compare(bool, Term, Term),
    /// Both conditions.
    And(Box<Condition>, Box<Condition>),
    /// Either condition.
    Or(Box<Condition>, Box<Condition>),
    /// The negation.
    Not(Box<Condition>),
}

/// A value in the final state.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// A register: thread, number.
    Reg(usize, usize),
    /// A location.
    Loc(usize),
    /// A constant.
    Const(i64),
}

/// The question about the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Some execution ends with it.
    Exists,
    /// No execution ends with it.
    NotExists,
    /// All terminating executions end with it.
    ForAll,
}

/// A litmus program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its locations: names and initial values.
    pub locs: Vec<(String, i64)>,
    /// Its threads.
    pub threads: Vec<Thread>,
    /// The question.
    pub question: (Quantifier, Condition),
}

impl Program {
    /// A program without a meaningful question, for comparisons of outcomes.
    pub fn bare(name: String, locs: usize, threads: Vec<Thread>) -> Program {
        let locs = (0..locs).map(|n| (format!("m{n}"), 0)).collect();
        let yes = Condition::Compare(true, Term::Const(0), Term::Const(0));
        Program { name, locs, threads, question: (Quantifier::Exists, yes) }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        for (n, thread) in self.threads.iter().enumerate() {
            writeln!(f, "thread {n}, cta {} cluster {} gpu {}:", thread.place[0], thread.place[1], thread.place[2])?;
            for instr in &thread.code {
                writeln!(f, "  {instr}")?;
            }
        }
        Ok(())
    }
}

/// The final state of an execution: registers of each thread, locations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Registers, by thread and number.
    pub regs: Vec<Vec<i64>>,
    /// Locations.
    pub memory: Vec<i64>,
}

impl Condition {
    /// Whether it depends on the final values of memory.
    pub fn asks_memory(&self) -> bool {
        match self {
            Condition::Compare(_, a, b) => [a, b].into_iter().any(|t| matches!(t, Term::Loc(_))),
            Condition::And(a, b) | Condition::Or(a, b) => a.asks_memory() || b.asks_memory(),
            Condition::Not(a) => a.asks_memory(),
        }
    }

    /// Whether it holds.
    pub fn holds(&self, outcome: &Outcome) -> bool {
        let term = |t: &Term| match *t {
            Term::Reg(thread, reg) => outcome.regs[thread][reg],
            Term::Loc(loc) => outcome.memory[loc],
            Term::Const(value) => value,
        };
        match self {
            Condition::Compare(equal, a, b) => (term(a) == term(b)) == *equal,
            Condition::And(a, b) => a.holds(outcome) && b.holds(outcome),
            Condition::Or(a, b) => a.holds(outcome) || b.holds(outcome),
            Condition::Not(a) => !a.holds(outcome),
        }
    }
}
