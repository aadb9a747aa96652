//! The issue model: estimates the time of a kernel's executed instructions, from the control fields
//! of its code.
//!
//! Problem: comparing the code of two compilers for one kernel without a GPU. Strategy: the
//! simulator's trace gives what every warp executed; here the traces are replayed on one scheduler
//! of a multiprocessor. A warp issues in order, at most one instruction a cycle over all warps; an
//! instruction waits for the stall of the one before it, for the scoreboards of its wait mask, and
//! for its pipe. A variable-latency instruction releases its scoreboards after a typical time
//! ([`arrival`]), whatever the addresses. The oldest warp that can issue does.
//!
//! Its numbers are estimates and meaningful only as a ratio of two codes for the same launch.
//! Latencies and throughputs are rounded from the CUDA C++ Programming Guide (arithmetic throughput
//! per compute capability) and from public microbenchmarks; memory is assumed to hit in the
//! second-level cache. Not modelled: bank conflicts, coalescing, instruction cache misses.

pub use raddle_sass::Pipe;
use raddle_sass::row::Space;
use raddle_sass::{Inst, Isa, Op};

/// One instruction that a warp issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index of the instruction in the code.
    pub pc: u32,
    /// Lanes that executed it: 0 if its guard held for none.
    pub lanes: u32,
}

/// The trace of one warp, from its first instruction to its last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its block: warps of one block wait for each other at barriers.
    pub block: u32,
    /// Instructions in the order of issue.
    pub steps: Vec<Step>,
}

/// Cycles, and how the first warp spent them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Cycles until the last warp is done.
    pub total: u64,
    /// Of warp 0: waiting for stalls, beyond one cycle each.
    pub stalls: u64,
    /// Of warp 0: waiting for scoreboards, beyond that.
    pub scoreboards: u64,
    /// Of warp 0: waiting at barriers.
    pub barriers: u64,
    /// Of warp 0: waiting for pipes and for other warps.
    pub contention: u64,
    /// [`Self::scoreboards`] by the awaited operation ([`Wait`]).
    pub by_wait: [u64; Wait::ALL.len()],
    /// [`Self::contention`] by [`Pipe`].
    pub by_pipe: [u64; Pipe::ALL.len()],
}

impl std::ops::AddAssign for Cycles {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.stalls += other.stalls;
        self.scoreboards += other.scoreboards;
        self.barriers += other.barriers;
        self.contention += other.contention;
        self.by_wait.iter_mut().zip(other.by_wait).for_each(|(a, b)| *a += b);
        self.by_pipe.iter_mut().zip(other.by_pipe).for_each(|(a, b)| *a += b);
    }
}

/// The operation that a scoreboard guards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// Global or generic memory.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory: the stack.
    Local,
    /// A load from a constant bank.
    Constant,
    /// Arithmetic of f64.
    Double,
    /// Multi-function unit, conversions, bit counts.
    Multi,
    /// Reading of sources.
    Source,
    /// Anything else: shuffles, votes, special registers, matrices.
    #[default]
    Other,
}

impl Wait {
    /// All operations, in the order of [`Cycles::by_wait`].
    pub const ALL: [Wait; 8] =
        [Wait::Global, Wait::Shared, Wait::Local, Wait::Constant, Wait::Double, Wait::Multi, Wait::Source, Wait::Other];

    /// Returns the name for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Wait::Global => "global memory",
            Wait::Shared => "shared memory",
            Wait::Local => "local memory",
            Wait::Constant => "constants",
            Wait::Double => "f64",
            Wait::Multi => "the multi-function unit",
            Wait::Source => "sources",
            Wait::Other => "other units",
        }
    }

    /// Returns the operation that the write scoreboard of an instruction guards.
    fn of(i: &Inst) -> Wait {
        let effects = i.row().effects;
        match effects.reads.or(effects.writes) {
            Some(Space::Global | Space::Generic) => Wait::Global,
            Some(Space::Shared) => Wait::Shared,
            Some(Space::Local) => Wait::Local,
            Some(Space::Const) => Wait::Constant,
            _ => match i.row().effects.pipe {
                Pipe::Xu => Wait::Multi,
                Pipe::Double => Wait::Double,
                _ => Wait::Other,
            },
        }
    }
}

const PIPES: usize = Pipe::ALL.len();

/// Cycles from a taken branch to the next instruction, beyond the branch's stall.
const TAKEN: u64 = 8;
/// Cycles from the last arrival at a barrier to the next instruction.
const BARRIER: u64 = 20;
/// Cycles until the sources of a memory instruction have been read.
const SOURCES_READ: u64 = 14;

/// Registers of the largest operand.
fn width(i: &Inst) -> u64 {
    i.accesses().iter().map(|a| u64::from(a.count)).max().unwrap_or(1).max(1)
}

/// Cycles for which an instruction occupies its pipe.
fn interval(isa: Isa, i: &Inst) -> u64 {
    let interval = u64::from(i.row().effects.pipe.interval(isa, i.op()));
    if i.row().effects.pipe == Pipe::Memory { interval * width(i).min(4) } else { interval }
}

/// Cycles from issue to the release of the write scoreboard.
fn arrival(isa: Isa, i: &Inst) -> u64 {
    let effects = i.row().effects;
    let atomic = if effects.atomic { 60 } else { 0 };
    match effects.reads.or(effects.writes) {
        Some(Space::Global | Space::Generic) => 230 + atomic,
        Some(Space::Shared) => 25 + atomic,
        Some(Space::Local) => 35,
        Some(Space::Const) => 40,
        _ => match i.row().effects.pipe {
            Pipe::Xu => 18,
            Pipe::Double if matches!(isa, Isa::Sm86 | Isa::Sm89) => 50,
            Pipe::Double => 10,
            Pipe::Matrix => 34,
            _ => match i.op() {
                Op::S2r | Op::S2ur => 30,
                Op::Shfl => 24,
                _ => 16,
            },
        },
    }
}

struct Warp<'a> {
    trace: &'a Trace,
    next: usize,
    /// Earliest issue by the stall of the last instruction.
    ready: u64,
    /// When each scoreboard is released.
    boards: [u64; 6],
    /// The operation it guards then.
    kinds: [Wait; 6],
    /// Whether it has arrived at a barrier.
    waiting: bool,
    /// Block and repetition of the trace.
    group: (u32, usize),
}

impl Warp<'_> {
    fn done(&self) -> bool {
        self.next >= self.trace.steps.len()
    }
}

/// Replays `count` warps on one scheduler: those of `traces` in order, repeated if there are fewer.
/// All of them ran `code`.
#[must_use]
pub fn replay(isa: Isa, code: &[Inst], traces: &[Trace], count: usize) -> Cycles {
    let mut cycles = Cycles::default();
    if traces.is_empty() {
        return cycles;
    }
    let fresh = |n: usize| {
        let trace = &traces[n % traces.len()];
        Warp {
            trace,
            next: 0,
            ready: 0,
            boards: [0; 6],
            kinds: [Wait::Other; 6],
            waiting: false,
            group: (trace.block, n / traces.len()),
        }
    };
    let mut warps: Vec<Warp<'_>> = (0..count).map(fresh).collect();
    let mut free = [0u64; PIPES];
    let mut clock = 0u64;
    loop {
        // The oldest warp that can issue.
        let mut best: Option<(u64, usize)> = None;
        for (n, w) in warps.iter().enumerate().filter(|(_, w)| !w.done() && !w.waiting) {
            let i = &code[w.trace.steps[w.next].pc as usize];
            let at = w.ready.max(released(w, i)).max(free[i.row().effects.pipe as usize]).max(clock);
            if best.is_none_or(|(t, _)| at < t) {
                best = Some((at, n));
            }
        }
        let Some((at, n)) = best else {
            if warps.iter().all(Warp::done) {
                break;
            }
            // The traces do not match: no further warp will arrive.
            warps.iter_mut().for_each(|w| w.waiting = false);
            continue;
        };
        issue(isa, code, &mut warps[n], at, &mut free, (n == 0).then_some(&mut cycles));
        clock = at + 1;
        let group = warps[n].group;
        let mates = || warps.iter().filter(|w| w.group == group && !w.done());
        if mates().all(|w| w.waiting) {
            let from = clock + BARRIER;
            for w in warps.iter_mut().filter(|w| w.group == group && w.waiting) {
                w.waiting = false;
                if std::ptr::eq(w.trace, &traces[0]) && w.group.1 == 0 {
                    cycles.barriers += from.saturating_sub(w.ready);
                }
                w.ready = w.ready.max(from);
            }
        }
        cycles.total = cycles.total.max(warps[n].ready).max(clock);
    }
    cycles
}

/// Returns when the scoreboards that an instruction waits for are released.
fn released(w: &Warp<'_>, i: &Inst) -> u64 {
    (0..6).filter(|n| i.ctrl.wait_mask >> n & 1 == 1).map(|n| w.boards[n]).max().unwrap_or(0)
}

fn issue(isa: Isa, code: &[Inst], w: &mut Warp<'_>, at: u64, free: &mut [u64; PIPES], count: Option<&mut Cycles>) {
    let step = w.trace.steps[w.next];
    let i = &code[step.pc as usize];
    let boards = released(w, i);
    let last = (0..6).filter(|n| i.ctrl.wait_mask >> n & 1 == 1).max_by_key(|&n| w.boards[n]);
    let waited = last.map_or(Wait::Other, |n| w.kinds[n]);
    let before = w.ready;
    free[i.row().effects.pipe as usize] = at + if step.lanes == 0 { 1 } else { interval(isa, i) };
    let ctrl = i.ctrl;
    let wait = |cycles: u64| if step.lanes == 0 { 4 } else { cycles };
    let mut set = |sb: u8, until: u64, kind: Wait| {
        let n = usize::from(sb);
        if until >= w.boards[n] {
            (w.boards[n], w.kinds[n]) = (until, kind);
        }
    };
    if let Some(sb) = ctrl.wr_bar {
        set(sb, at + wait(arrival(isa, i)), Wait::of(i));
    }
    if let Some(sb) = ctrl.rd_bar {
        set(sb, at + wait(SOURCES_READ), Wait::Source);
    }
    let mut stall = u64::from(ctrl.stall).max(1);
    w.next += 1;
    if w.trace.steps.get(w.next).is_some_and(|next| next.pc != step.pc + 1) {
        stall += TAKEN;
    }
    w.ready = at + stall;
    w.waiting = i.op() == Op::Bar && step.lanes != 0 && !w.done();
    if let Some(cycles) = count {
        cycles.stalls += stall - 1;
        cycles.scoreboards += boards.saturating_sub(before);
        cycles.by_wait[waited as usize] += boards.saturating_sub(before);
        let held = at - boards.max(before).min(at);
        cycles.contention += held;
        cycles.by_pipe[i.row().effects.pipe as usize] += held;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_sass::Ctrl;

    fn code(ctrls: &[(Op, Ctrl)]) -> Vec<Inst> {
        let make = |&(op, ctrl): &(Op, Ctrl)| {
            raddle_sass::build(Isa::Sm90, op, &[], &[]).expect("no operands").with_ctrl(ctrl)
        };
        ctrls.iter().map(make).collect()
    }

    fn trace(pcs: &[u32]) -> Trace {
        Trace { block: 0, steps: pcs.iter().map(|&pc| Step { pc, lanes: !0 }).collect() }
    }

    #[test]
    fn stalls_add_up_and_other_warps_fill_them() {
        let stall = |n| Ctrl { stall: n, ..Ctrl::default() };
        let code = code(&[(Op::Nop, stall(5)), (Op::Nop, stall(5)), (Op::Exit, stall(5))]);
        let one = replay(Isa::Sm90, &code, &[trace(&[0, 1, 2])], 1);
        assert_eq!((one.total, one.stalls, one.scoreboards), (15, 12, 0));
        let two = replay(Isa::Sm90, &code, &[trace(&[0, 1, 2])], 2);
        assert!(two.total > one.total && two.total < 2 * one.total, "{two:?}");
    }

    #[test]
    fn scoreboards_are_waited_for() {
        let set = Ctrl { wr_bar: Some(2), ..Ctrl::default() };
        let wait = Ctrl { wait_mask: 1 << 2, ..Ctrl::default() };
        let code = code(&[(Op::Nop, set), (Op::Nop, wait), (Op::Exit, Ctrl::default())]);
        let cycles = replay(Isa::Sm90, &code, &[trace(&[0, 1, 2])], 1);
        assert!(cycles.scoreboards >= 10, "{cycles:?}");
        assert_eq!(cycles.by_wait[Wait::Other as usize], cycles.scoreboards);
        let other = replay(Isa::Sm90, &code, &[trace(&[0, 2])], 1);
        assert_eq!(other.scoreboards, 0);
    }

    #[test]
    fn a_taken_branch_costs_more_than_going_on() {
        let code = code(&[(Op::Nop, Ctrl::default()), (Op::Nop, Ctrl::default()), (Op::Exit, Ctrl::default())]);
        let on = replay(Isa::Sm90, &code, &[trace(&[0, 1, 2])], 1);
        let back = replay(Isa::Sm90, &code, &[trace(&[0, 0, 2])], 1);
        assert!(back.total >= on.total + TAKEN);
    }
}
