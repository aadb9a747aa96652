//! Divides a body into basic blocks.
//!
//! A block ends at a label, at a branch, and around *runs*: adjacent instructions under one guard
//! that cannot become selects (memory, barriers, warp operations). A run is a block of its own
//! after a branch on its guard, and so is a guarded table jump. One more block ends the kernel if
//! there is a guarded `ret` or `exit`.

use crate::build::def_operand;
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
        let n = body.insts.len();
        let id = InstId::from_u32;
        let mut leader = vec![false; n + 1];
        leader[0] = true;
        for label in body.labels.values() {
            leader[label.at.as_u32() as usize] = true;
        }
        for i in 0..n {
            if terminator(body, id(i as u32)).is_some() {
                leader[i + 1] = true;
            }
        }
        // Runs: begin, end, and whether a block begins there anyway; if so, the test gets its own.
        let mut runs: Vec<(usize, usize, bool)> = Vec::new();
        let mut i = 0;
        while i < n {
            let at = id(i as u32);
            let inst = &body.insts[at];
            if inst.guard().is_none() || terminator(body, at).is_some() || !branches_if_guarded(inst.op) {
                i += 1;
                continue;
            }
            let guard = inst.guard();
            let defines_guard = |j: usize| {
                let mut found = false;
                defs(body, id(j as u32), &mut |r| found |= guard.is_some_and(|g| g.reg == r));
                found
            };
            let mut j = i + 1;
            while j < n
                && !leader[j]
                && body.insts[id(j as u32)].guard() == guard
                && terminator(body, id(j as u32)).is_none()
                && !defines_guard(j - 1)
            {
                j += 1;
            }
            runs.push((i, j, leader[i]));
            leader[i] = true;
            leader[j] = true;
            i = j;
        }
        Flow { blocks: blocks(body, n, &leader, &runs, kernel) }
    }
}

fn blocks(body: &Body, n: usize, leader: &[bool], runs: &[(usize, usize, bool)], kernel: bool) -> Vec<FlowBlock> {
    let id = InstId::from_u32;
    // A guarded table jump is a branch on the guard to a block with the jump alone.
    let guarded_table = |at: InstId| body.op(at) == Op::Brx && body.insts[at].guard().is_some();
    // First pass: numbers. `entry[i]` is the block that control reaching instruction `i` enters.
    let mut entry = vec![usize::MAX; n + 1];
    let mut count = 0;
    let mut run = runs.iter().peekable();
    for i in 0..n {
        if i > 0 && guarded_table(id(i as u32 - 1)) {
            count += 1;
        }
        if !leader[i] {
            continue;
        }
        entry[i] = count;
        count += 1;
        if let Some(&&(_, _, own_test)) = run.peek().filter(|r| r.0 == i) {
            count += usize::from(own_test);
            run.next();
        }
    }
    count += usize::from(n > 0 && guarded_table(id(n as u32 - 1)));
    // The end of the kernel: end of the body, or a guarded `ret`.
    entry[n] = count;
    let exit = count;
    let mut needs_exit = n == 0;
    // In a function, a thread that takes a guarded `exit` does not return.
    let mut ends_thread = false;
    let mut out: Vec<FlowBlock> = Vec::with_capacity(count + 1);
    let mut run = runs.iter().peekable();
    let mut i = 0;
    while i < n {
        let mut end = i + 1;
        while !leader[end] && end < n {
            end += 1;
        }
        let is_run = run.peek().is_some_and(|r| r.0 == i);
        if is_run {
            let &(_, after, own_test) = run.next().unwrap_or(&(0, 0, false));
            needs_exit |= after == n;
            let body_block = entry[i] + usize::from(own_test);
            let test = End::Guard(id(i as u32), body_block, entry[after]);
            match out.last_mut() {
                Some(before) if !own_test => before.end = test,
                _ => out.push(FlowBlock { insts: i..i, decided: false, end: test }),
            }
            out.push(FlowBlock { insts: i..after, decided: true, end: End::Jump(entry[after], None) });
            i = after;
            continue;
        }
        let last = id(end as u32 - 1);
        let mut next = || {
            needs_exit |= end == n;
            entry[end]
        };
        let label = |operand: Option<Operand>| match operand {
            Some(Operand::Label(l)) => entry[body.label_at(l)],
            _ => exit,
        };
        let guarded = body.insts[last].guard().is_some();
        let (insts, end_kind) = match terminator(body, last) {
            None => (i..end, End::Jump(next(), None)),
            Some(Op::Bra) => {
                let to = label(body.operand(last, 0));
                (i..end - 1, if guarded { End::Guard(last, to, next()) } else { End::Jump(to, Some(last)) })
            }
            Some(Op::Brx) => {
                let targets = match body.operand(last, 1) {
                    Some(Operand::Targets(t)) => {
                        body.targets[t].labels.iter().map(|&l| entry[body.label_at(l)]).collect()
                    }
                    _ => Vec::new(),
                };
                let switch = End::Switch(last, targets);
                if guarded {
                    let test = End::Guard(last, out.len() + 1, next());
                    out.push(FlowBlock { insts: i..end - 1, decided: false, end: test });
                    (end - 1..end - 1, switch)
                } else {
                    (i..end - 1, switch)
                }
            }
            Some(op) if guarded => {
                let next = next();
                needs_exit = true;
                let ends = op == Op::Exit && !kernel;
                ends_thread |= ends;
                (i..end - 1, End::Guard(last, exit + usize::from(ends), next))
            }
            Some(Op::Ret) if !kernel => (i..end - 1, End::Jump(exit, Some(last))),
            Some(_) => (i..end - 1, End::Exit(Some(last))),
        };
        out.push(FlowBlock { insts, decided: false, end: end_kind });
        i = end;
    }
    let jumps_to_exit = out.iter().any(|b| b.end.successors().contains(&exit));
    if needs_exit || jumps_to_exit {
        let end = if kernel { End::Exit(None) } else { End::Return };
        out.push(FlowBlock { insts: n..n, decided: false, end });
    }
    if ends_thread {
        out.push(FlowBlock { insts: n..n, decided: false, end: End::Exit(None) });
    }
    out
}

/// Calls `f` on every register that an instruction writes.
pub(crate) fn defs(body: &Body, inst: InstId, f: &mut dyn FnMut(raddle_ptx::Reg)) {
    match def_operand(body, inst) {
        Some(Operand::Reg(r) | Operand::RegPart(r, ..)) => f(r),
        Some(Operand::Pair(p, q)) => p.into_iter().chain(q).for_each(f),
        Some(Operand::Vec(list)) => {
            for part in body.list(list) {
                if let Operand::Reg(r) = part {
                    f(r);
                }
            }
        }
        _ => {}
    }
}

/// Calls `f` on every register that an instruction reads, except its guard.
pub(crate) fn uses(body: &Body, inst: InstId, f: &mut dyn FnMut(raddle_ptx::Reg)) {
    let skip = usize::from(def_operand(body, inst).is_some());
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
