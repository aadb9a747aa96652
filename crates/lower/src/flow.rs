//! Divides a body into basic blocks.
//!
//! A block ends at a label, at a branch, and around *runs*: adjacent instructions under one guard
//! that cannot become selects (memory, barriers, warp operations). A run is a block of its own
//! after a branch on its guard, and so is a guarded table jump. One more block ends the kernel if
//! there is a guarded `ret` or `exit`.

use crate::build::def_operand;
use crate::pending::Pending;
use raddle_ptx::{Body, InstId, Mod, Op, Operand};
use std::ops::Range;

/// The end of a block. Block numbers index [`Flow::blocks`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A jump; the instruction, if there is one.
    Jump(usize, Option<InstId>),
    /// A branch to the first if the guard of the instruction holds, else to the second.
    Guard(InstId, usize, usize),
    /// A table jump by the index operand of a `brx.idx`.
    Switch(InstId, Vec<usize>),
    /// The end of the thread.
    Exit(Option<InstId>),
    /// The return from a device function.
    Return,
}

impl End {
    pub(crate) fn successors(&self) -> Vec<usize> {
        match self {
            End::Jump(b, _) => vec![*b],
            End::Guard(_, a, b) => vec![*a, *b],
            End::Switch(_, targets) => targets.clone(),
            End::Exit(_) | End::Return => Vec::new(),
        }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct FlowBlock {
    /// Its instructions, without the one that ends it.
    pub insts: Range<usize>,
    /// Whether a branch before it has tested the guard of its instructions.
    pub decided: bool,
    /// How it ends.
    pub end: End,
}

/// The blocks of a body in source order; the first is the entry.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub blocks: Vec<FlowBlock>,
    /// Registers of products of a warpgroup.
    pub pending: Pending,
}

/// Returns the operation if the instruction ends a block.
pub(crate) fn terminator(body: &Body, inst: InstId) -> Option<Op> {
    let op = body.op(inst);
    matches!(op, Op::Bra | Op::Brx | Op::Exit | Op::Ret).then_some(op)
}

/// Whether a guard on it must be a branch; if not, its result is computed and selected.
fn branches_if_guarded(op: Op) -> bool {
    use Op::*;
    !matches!(
        op,
        Abs | Add
            | Addc
            | And
            | Bfe
            | Bfi
            | Bfind
            | Bmsk
            | Brev
            | Clz
            | Cnot
            | Copysign
            | Cos
            | Cvt
            | Cvta
            | Dp2a
            | Dp4a
            | Ex2
            | Fma
            | Isspacep
            | Lg2
            | Lop3
            | Mad
            | Mad24
            | Madc
            | Max
            | Min
            | Mov
            | Mul
            | Mul24
            | Neg
            | Not
            | Or
            | Popc
            | Prmt
            | Sad
            | Selp
            | Set
            | Setp
            | Shf
            | Shl
            | Shr
            | Sin
            | Slct
            | Sub
            | Subc
            | Szext
            | Tanh
            | Testp
            | Xor
    )
}

impl Flow {
    /// Divides the body of a kernel, or of a device function, where `ret` and the end of the body
    /// lead to a block of their own.
    pub(crate) fn of(body: &Body, kernel: bool) -> Flow {
        let mut leader = leaders(body);
        let runs = runs(body, &mut leader);
        let entry = entries(body, &leader, &runs);
        let mut divider = Divider::new(body, kernel, entry);
        let (mut runs, mut at, end) = (runs.iter().peekable(), 0, body.insts.len());
        while at < end {
            if let Some(run) = runs.next_if(|run| run.begin == at) {
                divider.run(run);
                at = run.end;
            } else {
                let next = (at + 1..end).find(|&i| leader[i]).unwrap_or(end);
                divider.block(at..next);
                at = next;
            }
        }
        let mut flow = Flow { blocks: divider.finish(), pending: Pending::default() };
        let blocks: Vec<_> = flow.blocks.iter().map(|b| (b.insts.clone(), b.end.successors())).collect();
        flow.pending = Pending::of(body, &blocks, &|inst, f| {
            uses(body, inst, f);
            defs(body, inst, f);
        });
        flow
    }
}

/// Adjacent instructions under one guard that become a block after a branch.
struct Run {
    /// Its first instruction.
    begin: usize,
    /// The instruction after its last one.
    end: usize,
    /// Whether a block begins there anyway, so that the test gets its own.
    own_test: bool,
}

/// Returns the instruction with an index.
fn id(index: usize) -> InstId {
    InstId::from_u32(index as u32)
}

/// Marks the instructions at which a block begins: the first, those with a label, those after a
/// terminator. The end of the body counts as one.
fn leaders(body: &Body) -> Vec<bool> {
    let mut leader = vec![false; body.insts.len() + 1];
    leader[0] = true;
    for label in body.labels.values() {
        leader[label.at.as_u32() as usize] = true;
    }
    for i in 0..body.insts.len() {
        if terminator(body, id(i)).is_some() {
            leader[i + 1] = true;
        }
    }
    leader
}

/// Finds the runs, and marks their beginnings and ends as leaders.
fn runs(body: &Body, leader: &mut [bool]) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut begin, n) = (0, body.insts.len());
    while begin < n {
        let inst = &body.insts[id(begin)];
        let guard = inst.guard();
        if guard.is_none() || terminator(body, id(begin)).is_some() || !branches_if_guarded(inst.op) {
            begin += 1;
            continue;
        }
        let defines_guard = |i: usize| {
            let mut found = false;
            defs(body, id(i), &mut |r| found |= guard.is_some_and(|g| g.reg == r));
            found
        };
        let mut end = begin + 1;
        while end < n
            && !leader[end]
            && body.insts[id(end)].guard() == guard
            && terminator(body, id(end)).is_none()
            && !defines_guard(end - 1)
        {
            end += 1;
        }
        runs.push(Run { begin, end, own_test: leader[begin] });
        leader[begin] = true;
        leader[end] = true;
        begin = end;
    }
    runs
}

/// Whether it is a guarded table jump: a branch on the guard to a block with the jump alone.
fn is_guarded_table(body: &Body, inst: InstId) -> bool {
    body.op(inst) == Op::Brx && body.insts[inst].guard().is_some()
}

/// Numbers the blocks: for each leader the block that control reaching it enters; the last element
/// is the number of the block after those of the body.
fn entries(body: &Body, leader: &[bool], runs: &[Run]) -> Vec<usize> {
    let n = body.insts.len();
    let mut entry = vec![usize::MAX; n + 1];
    let mut count = 0;
    let mut runs = runs.iter().peekable();
    for i in 0..n {
        if i > 0 && is_guarded_table(body, id(i - 1)) {
            count += 1;
        }
        if !leader[i] {
            continue;
        }
        entry[i] = count;
        count += 1;
        if let Some(run) = runs.next_if(|run| run.begin == i) {
            count += usize::from(run.own_test);
        }
    }
    count += usize::from(n > 0 && is_guarded_table(body, id(n - 1)));
    entry[n] = count;
    entry
}

/// Makes the blocks of a body, in source order.
struct Divider<'a> {
    body: &'a Body,
    kernel: bool,
    /// By instruction: the block that control reaching it enters. The last element is [`Self::exit`].
    entry: Vec<usize>,
    blocks: Vec<FlowBlock>,
    /// The block at the end of the kernel or function: for the end of the body, or a guarded `ret`.
    exit: usize,
    /// Whether that block is needed, as far as is known; jumps to it are counted later.
    needs_exit: bool,
    /// Whether a thread of a function takes a guarded `exit`, and does not return.
    ends_thread: bool,
}

impl<'a> Divider<'a> {
    fn new(body: &'a Body, kernel: bool, entry: Vec<usize>) -> Self {
        let n = body.insts.len();
        let (exit, blocks) = (entry[n], Vec::with_capacity(entry[n] + 1));
        Divider { body, kernel, entry, blocks, exit, needs_exit: n == 0, ends_thread: false }
    }

    fn push(&mut self, insts: Range<usize>, end: End) {
        self.blocks.push(FlowBlock { insts, decided: false, end });
    }

    /// Returns the block that control falling through to an instruction enters.
    fn fall_through(&mut self, to: usize) -> usize {
        self.needs_exit |= to == self.body.insts.len();
        self.entry[to]
    }

    /// Adds a run: the test of its guard, at the end of the block before if possible, and a block
    /// of the run.
    fn run(&mut self, run: &Run) {
        let after = self.fall_through(run.end);
        let inside = self.entry[run.begin] + usize::from(run.own_test);
        let test = End::Guard(id(run.begin), inside, after);
        match self.blocks.last_mut() {
            Some(before) if !run.own_test => before.end = test,
            _ => self.push(run.begin..run.begin, test),
        }
        self.blocks.push(FlowBlock { insts: run.begin..run.end, decided: true, end: End::Jump(after, None) });
    }

    /// Adds a block of other instructions.
    fn block(&mut self, insts: Range<usize>) {
        let end = insts.end;
        let last = id(end - 1);
        let Some(op) = terminator(self.body, last) else {
            let next = self.fall_through(end);
            return self.push(insts, End::Jump(next, None));
        };
        let insts = insts.start..end - 1;
        let guarded = self.body.insts[last].guard().is_some();
        let kind = match op {
            Op::Bra if guarded => End::Guard(last, self.target(last), self.fall_through(end)),
            Op::Bra => End::Jump(self.target(last), Some(last)),
            Op::Brx if guarded => {
                let test = End::Guard(last, self.blocks.len() + 1, self.fall_through(end));
                self.push(insts, test);
                return self.push(end - 1..end - 1, self.switch(last));
            }
            Op::Brx => self.switch(last),
            _ if guarded => {
                let next = self.fall_through(end);
                self.needs_exit = true;
                let ends = op == Op::Exit && !self.kernel;
                self.ends_thread |= ends;
                End::Guard(last, self.exit + usize::from(ends), next)
            }
            Op::Ret if !self.kernel => End::Jump(self.exit, Some(last)),
            _ => End::Exit(Some(last)),
        };
        self.push(insts, kind);
    }

    /// Returns the block that a branch leads to.
    fn target(&self, branch: InstId) -> usize {
        match self.body.operand(branch, 0) {
            Some(Operand::Label(l)) => self.entry[self.body.label_at(l)],
            _ => self.exit,
        }
    }

    /// Returns the end of a block with a table jump.
    fn switch(&self, jump: InstId) -> End {
        let body = self.body;
        let targets = match body.operand(jump, 1) {
            Some(Operand::Targets(t)) => body.targets[t].labels.iter().map(|&l| self.entry[body.label_at(l)]).collect(),
            _ => Vec::new(),
        };
        End::Switch(jump, targets)
    }

    /// Adds the blocks at the end, where they are needed.
    fn finish(mut self) -> Vec<FlowBlock> {
        let nothing = self.body.insts.len()..self.body.insts.len();
        let jumps_to_exit = self.blocks.iter().any(|b| b.end.successors().contains(&self.exit));
        if self.needs_exit || jumps_to_exit {
            self.push(nothing.clone(), if self.kernel { End::Exit(None) } else { End::Return });
        }
        if self.ends_thread {
            self.push(nothing, End::Exit(None));
        }
        self.blocks
    }
}

/// Calls `f` on every register that an instruction writes.
pub(crate) fn defs(body: &Body, inst: InstId, f: &mut dyn FnMut(raddle_ptx::Reg)) {
    match def_operand(body, inst) {
        Some(Operand::Reg(r) | Operand::RegPart(r, ..)) => f(r),
        Some(Operand::Pair(p, q)) => p.into_iter().chain(q).for_each(&mut *f),
        Some(Operand::Vec(list)) => {
            for part in body.list(list) {
                if let Operand::Reg(r) = part {
                    f(r);
                }
            }
        }
        _ => {}
    }
    if let Some(Operand::Also(Some(p))) = body.operand(inst, 1) {
        f(p);
    }
}

/// Calls `f` on every register that an instruction reads, except its guard.
pub(crate) fn uses(body: &Body, inst: InstId, f: &mut dyn FnMut(raddle_ptx::Reg)) {
    // The accumulators of a product are read, too.
    let skip = usize::from(def_operand(body, inst).is_some() && body.op(inst) != Op::WgmmaMmaAsync);
    let mut pending: Vec<Operand> = body.operands(inst).into_iter().skip(skip).collect();
    while let Some(operand) = pending.pop() {
        match operand {
            Operand::Reg(r) | Operand::NotPred(r) | Operand::Neg(r) | Operand::RegPart(r, ..) => f(r),
            Operand::Addr(raddle_ptx::Base::Reg(r), _) => f(r),
            Operand::Pair(p, q) => p.into_iter().chain(q).for_each(&mut *f),
            Operand::Vec(list) | Operand::Bracket(list) | Operand::Args(list) => pending.extend(body.list(list)),
            _ => {}
        }
    }
}

/// Returns whether it reads and writes the carry flag `CC.CF` (PTX ISA 9.0, 9.7.2).
pub(crate) fn carry(body: &Body, inst: InstId) -> (bool, bool) {
    let reads = matches!(body.op(inst), Op::Addc | Op::Subc | Op::Madc);
    (reads, body.has(inst, Mod::Cc))
}
