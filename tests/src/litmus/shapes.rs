//! The standard small programs of memory models, with all strengths, fences, barriers and
//! placements of threads.
//!
//! A shape lists the accesses of each thread, in order. A program of a shape is a number: each
//! digit selects the strength of an access, the fence or barrier between the accesses of a thread,
//! or the placement of threads. So a campaign enumerates all programs, and a test selects some.

use super::program::{AtomOp, Instr, Operand, Program, Scope, Sem, Strength, Thread};

/// A shape: its name and its threads. `R`, `W` and `U` read, write and update (by an exchange) the
/// location named after them; `p` and `q` are accessed by one thread only, always weakly.
pub type Shape = (&'static str, &'static str);

/// All shapes.
pub const SHAPES: &[Shape] = &[
    ("MP", "Wx Wy | Ry Rx"),
    ("SB", "Wx Ry | Wy Rx"),
    ("LB", "Rx Wy | Ry Wx"),
    ("S", "Wx Wy | Ry Wx"),
    ("R", "Wx Wy | Wy Rx"),
    ("2+2W", "Wx Wy | Wy Wx"),
    ("CoRR", "Wx | Rx Rx"),
    ("CoWW", "Wx Wx | Rx Rx"),
    ("CoRW", "Rx Wx | Wx"),
    ("CoWR", "Wx Rx | Wx"),
    ("CoUU", "Ux Rx | Ux Rx"),
    ("MP+U", "Wx Uy | Uy Rx"),
    ("SB+U", "Ux Ry | Uy Rx"),
    ("MP+update", "Wx Wy | Uy | Ry Rx"),
    ("MP+pattern", "Wx Wy Wy | Ry Ry Rx"),
    ("WRC", "Wx | Rx Wy | Ry Rx"),
    ("RWC", "Wx | Rx Ry | Wy Rx"),
    ("WWC", "Wx | Rx Wy | Ry Wx"),
    ("IRIW", "Wx | Wy | Rx Ry | Ry Rx"),
    ("ISA2", "Wx Wy | Ry Wz | Rz Rx"),
    ("Z6", "Wx Wy | Wy Wz | Rz Rx"),
    ("W+RWC", "Wx Wy | Ry Rz | Wz Rx"),
    ("MP+private", "Wp Wx Wy Rp | Wq Ry Rq Rx"),
];

/// The placements of threads.
const PLACES: [&str; 4] = ["one block", "one cluster", "one device", "two devices"];

const fn at(sem: Sem, scope: Scope) -> Strength {
    Strength::new(sem, scope)
}

/// Strengths of reads.
const READS: &[Strength] = &[
    Strength::WEAK,
    at(Sem::Volatile, Scope::Sys),
    at(Sem::Relaxed, Scope::Cta),
    at(Sem::Relaxed, Scope::Gpu),
    at(Sem::Acquire, Scope::Cta),
    at(Sem::Acquire, Scope::Gpu),
    at(Sem::Acquire, Scope::Sys),
];

/// Strengths of writes.
const WRITES: &[Strength] = &[
    Strength::WEAK,
    at(Sem::Volatile, Scope::Sys),
    at(Sem::Relaxed, Scope::Cta),
    at(Sem::Relaxed, Scope::Gpu),
    at(Sem::Release, Scope::Cta),
    at(Sem::Release, Scope::Gpu),
    at(Sem::Release, Scope::Sys),
];

/// Strengths of updates.
const UPDATES: &[Strength] = &[
    at(Sem::Relaxed, Scope::Gpu),
    at(Sem::Acquire, Scope::Gpu),
    at(Sem::Release, Scope::Gpu),
    at(Sem::AcqRel, Scope::Gpu),
    at(Sem::AcqRel, Scope::Cta),
];

/// The fence between the first accesses of a thread and its last one; `None` at the end is a
/// barrier.
const GAPS: &[Option<Strength>] = &[
    Some(at(Sem::AcqRel, Scope::Cta)),
    Some(at(Sem::AcqRel, Scope::Gpu)),
    Some(at(Sem::Sc, Scope::Cta)),
    Some(at(Sem::Sc, Scope::Gpu)),
    None,
];

const LOCATIONS: &str = "xyzpq";

/// The strengths for an access of a shape.
fn strengths(access: &str) -> &'static [Strength] {
    match access.as_bytes() {
        [_, b'p' | b'q'] => &[Strength::WEAK],
        [b'R', _] => READS,
        [b'W', _] => WRITES,
        _ => UPDATES,
    }
}

/// The threads of a shape.
fn threads(shape: &Shape) -> impl Iterator<Item = Vec<&'static str>> {
    shape.1.split('|').map(|thread| thread.split_whitespace().collect())
}

/// The number of programs of a shape.
pub fn count(shape: &Shape) -> u64 {
    let one = |thread: Vec<&str>| {
        let gaps = if thread.len() > 1 { GAPS.len() as u64 + 1 } else { 1 };
        thread.iter().map(|access| strengths(access).len() as u64).product::<u64>() * gaps
    };
    threads(shape).map(one).product::<u64>() * PLACES.len() as u64
}

/// The program of a shape with a number.
pub fn program(shape: &Shape, number: u64) -> Program {
    let mut rest = number;
    let mut digit = |radix: usize| {
        let digit = rest % radix as u64;
        rest /= radix as u64;
        digit as usize
    };
    let place = digit(PLACES.len());
    let mut values = [0; LOCATIONS.len()];
    let mut made = Vec::new();
    for (t, accesses) in threads(shape).enumerate() {
        let mut code = Vec::new();
        let mut regs = Vec::new();
        let gap = if accesses.len() > 1 { digit(GAPS.len() + 1).checked_sub(1) } else { None };
        for (n, access) in accesses.iter().enumerate() {
            if let Some(gap) = gap.filter(|_| n + 1 == accesses.len()) {
                let barrier = Instr::Barrier { round: 0, id: Operand::Const(0), count: None, arrive: false };
                code.push(GAPS[gap].map_or(barrier, Instr::Fence));
            }
            let list = strengths(access);
            let strength = list[digit(list.len())];
            let loc = access.chars().nth(1).and_then(|c| LOCATIONS.find(c)).unwrap_or_default();
            let mut value = || {
                values[loc] += 1;
                Operand::Const(values[loc])
            };
            code.push(match access.as_bytes()[0] {
                b'W' => Instr::Store(strength, loc, value()),
                kind => {
                    regs.push((format!("r{}", regs.len()), -1));
                    let dst = regs.len() - 1;
                    match kind {
                        b'R' => Instr::Load(strength, dst, loc),
                        _ => {
                            let args = [value(), Operand::Const(0)];
                            Instr::Atom { strength, op: AtomOp::Exch, dst: Some(dst), loc, args }
                        }
                    }
                }
            });
        }
        let t = t as u32;
        let place = match place {
            0 => [0, 0, 0],
            1 => [t, 0, 0],
            2 => [t, t, 0],
            _ => [t, t, t],
        };
        made.push(Thread { place, regs, code });
    }
    Program::bare(format!("{} number {number}, {}", shape.0, PLACES[place]), LOCATIONS.len(), made)
}

/// Selects programs of a shape by a seed: all of them if there are at most `most`.
pub fn some(shape: &Shape, most: u64, seed: u64) -> impl Iterator<Item = Program> {
    let total = count(shape);
    let mut rng = crate::rng::Rng::new(seed, 11);
    let shape = *shape;
    (0..most.min(total)).map(move |n| program(&shape, if total <= most { n } else { rng.next() % total }))
}
