//! Guarded operations: an operation and the select of its result become one guarded instruction.
//!
//! Problem: `d = p ? op(a, b) : x` takes an operation and a select. Where `d` and `x` share a
//! register, `@p op d, a, b` does the same: the register keeps its value where the guard fails.
//! Strategy: [`ties`] asks coalescing to give `d` and `x` one register, which it does where `x` ends
//! at the select; once registers have numbers, [`run`] writes the guarded form, at the place of the
//! select or of the operation, whichever what lies in between allows. A guard is read later than
//! the condition of a select, so nothing is guarded where that makes a path of its block longer than
//! both the longest one before and the number of its instructions.
//!
//! Invariants: the operation has a fixed latency, no effect, and one result without another use;
//! between the two places nothing writes what the moved instruction reads, and nothing names what it
//! writes.

use raddle_entity::{FxHashMap, PrimaryMap, SecondaryMap};
use raddle_sass::row::{Access, File, SlotRole};
use raddle_sass::{Isa, Op};

use crate::alloc::Assignment;
use crate::graph::frequency;
use crate::ifconv::cost;
use crate::mir::{MFunction, MGuard, MInst, MKind, MOp, MTerm, V};
use crate::schedule::typical;
use crate::select::Rd;

/// Most instructions between an operation and its select.
const WINDOW: usize = 64;

/// A select of a value of its own block.
#[derive(Clone, Copy)]
struct Choice {
    /// Its result.
    to: V,
    /// The value that is computed for it alone.
    computed: V,
    /// The value that it takes otherwise.
    kept: V,
    /// The guard under which it takes the computed value.
    guard: (V, bool),
}

/// How often each register is written and read in the whole function.
struct Counts(SecondaryMap<V, (u32, u32)>);

impl Counts {
    fn of(f: &MFunction) -> Self {
        let mut counts: SecondaryMap<V, (u32, u32)> = SecondaryMap::new();
        counts.resize(f.vregs.len());
        for &b in &f.layout {
            let data = &f.blocks[b];
            for i in &data.insts {
                i.for_each_def(|v| counts[v].0 += 1);
                i.for_each_use(|v| counts[v].1 += 1);
            }
            if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = data.term {
                counts[v].1 += 1;
            }
        }
        Counts(counts)
    }

    /// Whether a register has one definition and one use.
    fn is_single(&self, v: V) -> bool {
        self.0[v] == (1, 1)
    }
}

/// The only register of an operand without modifiers.
fn plain(o: &MOp) -> Option<V> {
    match &o.kind {
        MKind::Regs(vs) if vs.len() == 1 && !o.neg && !o.not && !o.abs && o.sel == 0 => Some(vs[0]),
        _ => None,
    }
}

/// The choices that an instruction may stand for: of its first value, of its second one.
fn choices(i: &MInst) -> [Option<Choice>; 2] {
    let parts = || {
        let is_select = matches!(i.row().op, Op::Sel | Op::Fsel) && i.fields.iter().all(|&raw| raw == 0);
        if !is_select || i.guard != MGuard::Always || i.reloc.is_some() {
            return None;
        }
        let condition = i.slot(SlotRole::Pp)?;
        let MKind::Regs(ps) = &condition.kind else { return None };
        let (to, a, b) = (plain(i.slot(Rd)?)?, plain(i.slot(SlotRole::Ra)?)?, plain(i.slot(SlotRole::Rb)?)?);
        Some((to, a, b, *ps.first()?, condition.not))
    };
    let Some((to, a, b, p, not)) = parts() else { return [None; 2] };
    [
        Some(Choice { to, computed: a, kept: b, guard: (p, not) }),
        Some(Choice { to, computed: b, kept: a, guard: (p, !not) }),
    ]
}

/// The only result of an instruction that may be guarded, and moved: it names no physical register,
/// whose writers are not looked for.
fn result(i: &MInst, isa: Isa) -> Option<V> {
    let e = i.row().effects;
    if i.ops.iter().any(|o| matches!(o.kind, MKind::Phys(_) | MKind::Uniform(_))) {
        return None;
    }
    if cost(i).is_none() || e.reads.is_some() || e.writes.is_some() || e.variable.contains(isa) || i.reloc.is_some() {
        return None;
    }
    let mut found = None;
    for (n, (o, slot)) in i.ops.iter().zip(i.row().slots).enumerate() {
        if !i.is_def(n) {
            continue;
        }
        match (&o.kind, slot.access, found) {
            (MKind::Regs(vs), Access::Def, None) if vs.len() == 1 && slot.role == Rd => found = Some(vs[0]),
            _ => return None,
        }
    }
    found
}

fn has_selects(f: &MFunction) -> bool {
    f.layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|i| matches!(i.row().op, Op::Sel | Op::Fsel))
}

/// Returns pairs of registers that should share a number, the most frequently executed first.
pub fn ties(f: &MFunction, isa: Isa) -> Vec<(V, V)> {
    if !has_selects(f) {
        return Vec::new();
    }
    let (counts, often) = (Counts::of(f), frequency(f));
    let mut ties: Vec<(u64, V, V)> = Vec::new();
    let mut made: SecondaryMap<V, bool> = SecondaryMap::new();
    made.resize(f.vregs.len());
    for &b in &f.layout {
        let insts = &f.blocks[b].insts;
        for i in insts {
            let found = choices(i).into_iter().flatten().find(|c| counts.is_single(c.computed) && made[c.computed]);
            ties.extend(found.map(|c| (often[b], c.to, c.kept)));
            if let Some(v) = result(i, isa).filter(|&v| f.vregs[v] == File::Gpr) {
                made[v] = true;
            }
        }
        insts.iter().for_each(|i| i.for_each_def(|v| made[v] = false));
    }
    // Stable: ties of equal frequency stay in order.
    ties.sort_by_key(|t| std::cmp::Reverse(t.0));
    ties.into_iter().map(|(_, to, kept)| (to, kept)).collect()
}

/// Runs the pass on a function with allocated registers.
pub fn run(f: &mut MFunction, isa: Isa, numbers: &Assignment) {
    if !has_selects(f) {
        return;
    }
    let counts = Counts::of(f);
    let mut made: SecondaryMap<V, Option<usize>> = SecondaryMap::new();
    made.resize(f.vregs.len());
    for b in f.layout.clone() {
        let mut insts = std::mem::take(&mut f.blocks[b].insts);
        let mut removed: Vec<bool> = Vec::new();
        let mut paths: Option<Paths> = None;
        for n in 0..insts.len() {
            let code = Code { vregs: &f.vregs, numbers, insts: &insts };
            let found = choices(&insts[n]).into_iter().flatten().find_map(|c| {
                let at = made[c.computed].filter(|_| counts.is_single(c.computed))?;
                Some((c, at, code.place(c, at, n)?))
            });
            let found = found.filter(|&(c, at, _)| {
                let paths = paths.get_or_insert_with(|| Paths::of(&code, isa));
                paths.advance(&code, isa, n);
                paths.have_time(&code, c, at, n)
            });
            if let Some((c, at, to)) = found {
                let mut i = insts[at].clone();
                i.guard = MGuard::Virtual(c.guard.0, c.guard.1);
                i.for_each_def_mut(|v| *v = c.to);
                insts[to] = i;
                removed.resize(insts.len(), false);
                removed[at + n - to] = true;
            } else if let Some(v) = result(&insts[n], isa).filter(|&v| f.vregs[v] == File::Gpr) {
                made[v] = Some(n);
            }
        }
        insts.iter().for_each(|i| i.for_each_def(|v| made[v] = None));
        if !removed.is_empty() {
            let mut n = 0;
            insts.retain(|_| {
                n += 1;
                !removed[n - 1]
            });
        }
        f.blocks[b].insts = insts;
    }
}

/// Cycles from an instruction to a reader of its result, and from a comparison to a condition and to
/// a guard ("ptxas 13.0.88 output").
const RESULT: u32 = 5;
const CONDITION: u32 = 4;
const GUARD: u32 = 13;

/// Longest paths of a block through registers.
struct Paths {
    /// Cycles from the issue of each instruction to the end.
    heights: Vec<u32>,
    /// The earliest issue of each instruction so far.
    issues: Vec<u32>,
    /// The earliest read of each register; for predicates, the issue of their writer.
    ready: FxHashMap<(File, u8), u32>,
    /// The cycles of the whole block: of its longest path, or to issue it.
    cycles: u32,
}

impl Paths {
    fn of(code: &Code<'_>, isa: Isa) -> Self {
        let count = code.insts.len();
        let mut paths =
            Paths { heights: vec![0; count], issues: Vec::new(), ready: FxHashMap::default(), cycles: count as u32 };
        // The longest path from the result in each register.
        let mut after: FxHashMap<(File, u8), u32> = FxHashMap::default();
        for (n, i) in code.insts.iter().enumerate().rev() {
            let mut height = 1;
            i.for_each_def(|v| {
                let rest = code.register(v).and_then(|r| after.remove(&r)).unwrap_or(0);
                height = height.max(rest + if is_predicate(code, v) { 0 } else { latency(i, isa) });
            });
            paths.heights[n] = height;
            code.for_each_wait(i, |r, wait| {
                let longest = after.entry(r).or_default();
                *longest = (*longest).max(height + wait);
            });
        }
        paths.advance(code, isa, count);
        let longest = paths.issues.iter().zip(&paths.heights).map(|(issue, height)| issue + height).max();
        paths.cycles = paths.cycles.max(longest.unwrap_or(0));
        paths.issues.clear();
        paths.ready.clear();
        paths
    }

    /// Goes on to instruction `n`.
    fn advance(&mut self, code: &Code<'_>, isa: Isa, n: usize) {
        for i in &code.insts[self.issues.len()..n] {
            let mut issue = 0;
            code.for_each_wait(i, |r, wait| issue = issue.max(self.ready.get(&r).map_or(0, |ready| ready + wait)));
            self.issues.push(issue);
            i.for_each_def(|v| {
                let wait = if is_predicate(code, v) { 0 } else { latency(i, isa) };
                self.ready.extend(code.register(v).map(|r| (r, issue + wait)));
            });
        }
    }

    /// Whether the guarded operation, in the place of select `n`, makes the block no longer.
    fn have_time(&self, code: &Code<'_>, c: Choice, at: usize, n: usize) -> bool {
        let ready = |v: V| code.register(v).and_then(|r| self.ready.get(&r).copied());
        let guard = ready(c.guard.0).map_or(0, |issue| issue + GUARD);
        let issue = guard.max(ready(c.kept).unwrap_or(0)).max(self.issues[at]);
        issue + self.heights[n] <= self.cycles
    }
}

fn is_predicate(code: &Code<'_>, v: V) -> bool {
    matches!(code.vregs[v], File::Pred | File::Upred)
}

fn latency(i: &MInst, isa: Isa) -> u32 {
    if i.row().effects.variable.contains(isa) { typical(i.row()) } else { RESULT }
}

/// The instructions of a block.
struct Code<'a> {
    vregs: &'a PrimaryMap<V, File>,
    numbers: &'a Assignment,
    insts: &'a [MInst],
}

impl Code<'_> {
    /// The index at which the guarded operation may stand: that of the select (`n`) or of the
    /// operation (`at`); `None` if neither.
    fn place(&self, c: Choice, at: usize, n: usize) -> Option<usize> {
        let is_barrier = |i: &MInst| {
            let e = i.row().effects;
            e.branch || e.barrier || e.convergent
        };
        let number = self.numbers.number[c.to];
        let shares = number.is_some() && number == self.numbers.number[c.kept];
        let between = &self.insts[at + 1..n];
        if !shares || between.len() > WINDOW || between.iter().any(is_barrier) {
            return None;
        }
        if !between.iter().any(|i| self.writes_operand(i, &self.insts[at])) {
            return Some(n);
        }
        let late = between.iter().any(|i| self.writes(i, c.guard.0) || self.writes(i, c.to) || self.reads(i, c.to));
        (!late).then_some(at)
    }

    /// The file and number of a register.
    fn register(&self, v: V) -> Option<(File, u8)> {
        self.numbers.number[v].map(|n| (self.vregs[v], n))
    }

    /// Calls `f` on each register that an instruction reads, with the cycles that it waits in
    /// addition for a predicate.
    fn for_each_wait(&self, i: &MInst, mut f: impl FnMut((File, u8), u32)) {
        i.for_each_use(|v| {
            let wait = match i.guard {
                MGuard::Virtual(p, _) if p == v => GUARD,
                _ if matches!(self.vregs[v], File::Pred | File::Upred) => CONDITION,
                _ => 0,
            };
            if let Some(r) = self.register(v) {
                f(r, wait);
            }
        });
    }

    /// Whether two registers are one.
    fn same(&self, a: V, b: V) -> bool {
        self.vregs[a] == self.vregs[b] && self.numbers.number[a] == self.numbers.number[b]
    }

    fn writes(&self, i: &MInst, v: V) -> bool {
        let mut found = false;
        i.for_each_def(|w| found |= self.same(v, w));
        found
    }

    fn reads(&self, i: &MInst, v: V) -> bool {
        let mut found = false;
        i.for_each_use(|w| found |= self.same(v, w));
        found
    }

    /// Whether `i` writes what `operation` reads.
    fn writes_operand(&self, i: &MInst, operation: &MInst) -> bool {
        let mut found = false;
        operation.for_each_use(|v| found |= self.writes(i, v));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass;
    use crate::testing::{ISA, function, push};

    #[test]
    fn what_reads_a_physical_register_stays_in_its_place() {
        let mut f = function(1);
        let v = f.vreg(File::Gpr);
        for source in [MOp::imm(7), MOp::new(MKind::Phys(4))] {
            push(&mut f, 0, sass::mov(), &[(Rd, MOp::reg(v)), (SlotRole::Rb, source)]);
        }
        let moves: Vec<Option<V>> = f.blocks[f.layout[0]].insts.iter().map(|i| result(i, ISA)).collect();
        assert_eq!(moves, [Some(v), None]);
    }
}
