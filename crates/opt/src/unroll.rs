//! Unrolls counted loops.
//!
//! Problem: a short body pays for its test and branch in every iteration, and the loads of one
//! iteration wait for those of the one before because of the branch between them.
//!
//! Strategy: innermost loops with one back edge that count ([`crate::counted`]). With a small
//! constant trip count the body is copied that many times and the loop disappears; addresses in it
//! become constants. Otherwise a copy of the loop runs the body [`FACTOR`] times per test, as long
//! as at least that many iterations are left, and the original loop does the rest:
//!
//! ```text
//!            entry                    entry ── guard: are FACTOR times left? ──────┐
//!              │                                │ yes                              │
//!        ┌──► body                     ┌──► body, body, body, body                 │
//!        │     │ test                  └─────── │ still FACTOR left?               │
//!        └─────┤                                ▼ no                               ▼
//!              ▼                       test ── more? ───────────────────────► ┌──► body
//!            exit                       │ no                                  └────┤ test
//!                                       └──────────────────────────────────► exit ◄┘
//! ```
//!
//! Why the guard is right: for `x < n` with a step s > 0 the next k tests x, x + s, ... hold if `x
//! <= n - 1 - (k-1) s` in exact arithmetic; a comparison with `n - (k-1) s` decides that if it does
//! not wrap, which the guard tests too. For `x != n`, the distance (n - x) mod 2^w in the direction
//! of the step must be at least (k-1) |s|. Induction variables are computed from their value before
//! the copies.
//!
//! A loop whose trip count may differ between lanes stays: some lanes would run the copies while
//! others run the rest, one after the other. A loop with `.pragma "nounroll"` stays too.
//!
//! **Invariants.** The same operations run, as often and in the same order. Convergent operations
//! are copied only where the loop disappears and has one exiting block: lanes that were together
//! stay together (D4). The result depends on the function alone; the constants below bound growth.

use crate::address::Forms;
use crate::counted::{Counted, Loop, innermost, loop_closed, step_of, uniform};
use crate::edit::homes;
use crate::size::size;
use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cond, Cx, Function, Inst, Op, Sign, SourcePos, Stop, Target, Terminator, Value, Width};
use smallvec::SmallVec;

/// Copies of the body in a loop that is unrolled in part.
const FACTOR: u32 = 4;

/// Largest trip count of a loop that is unrolled fully.
const MAX_TRIPS: u32 = 64;

/// Greatest [`size`] of all copies of a loop that is unrolled fully. Four times as much saves real programs no cycles.
const MAX_FULL: usize = 160;

/// Greatest [`size`] of a body that is unrolled in part: with loads from memory, and without.
const MAX_BODY: (usize, usize) = (24, 16);

/// Most loops of a function that are unrolled.
const MAX_LOOPS: usize = 64;

/// Instructions of a function above which nothing is unrolled.
const MAX_FUNCTION: usize = 20_000;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut size: usize = f.layout.iter().map(|&b| f.blocks[b].insts.len()).sum();
    let old = f.blocks.len() as u32;
    let mut done: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut left = MAX_LOOPS;
    // A loop that disappears may make the one around it innermost: each change starts a new search.
    'look: while left > 0 && size <= MAX_FUNCTION {
        cx.step(size as u64)?;
        let cfg = Cfg::of(f);
        let dom = DomTree::dominators(&cfg);
        let forms = Forms::of(f, &cfg);
        let home = homes(f);
        for l in innermost(&cfg, &dom) {
            if l.header.as_u32() >= old || std::mem::replace(&mut done[l.header], true) {
                continue;
            }
            let Some(plan) = plan(f, &cfg, &l, &forms, &home) else { continue };
            if !loop_closed(f, &l, &cfg, &dom, &home) {
                continue;
            }
            let body: usize = l.blocks.iter().map(|&b| f.blocks[b].insts.len()).sum();
            size += body * plan.copies as usize;
            left -= 1;
            let steps = steps(f, &l, &forms);
            Unroll { f: &mut *f, l: &l, plan, steps }.run();
            continue 'look;
        }
        break;
    }
    Ok(())
}

/// How a loop is unrolled.
struct Plan {
    counted: Counted,
    /// Copies of the body.
    copies: u32,
    /// The loop disappears.
    full: bool,
}

/// Decides whether and how unrolling pays.
fn plan(f: &Function, cfg: &Cfg, l: &Loop, forms: &Forms, home: &SecondaryMap<Inst, Option<Block>>) -> Option<Plan> {
    if l.blocks.iter().any(|&b| f.rolled[b]) {
        return None;
    }
    let counted = Counted::of(f, l, forms, home)?;
    let (mut body, mut convergent, mut loads, mut waits) = (0, false, false, false);
    for &i in l.blocks.iter().flat_map(|&b| &f.blocks[b].insts) {
        let op = &f.insts[i].op;
        body += size(f, i);
        convergent |= op.is_convergent();
        loads |= op.reads_memory();
        // A loop that waits for other threads gains nothing.
        waits |= *op == Op::Nanosleep || matches!(op, Op::Load(mem) if !mem.is_weak());
    }
    let start: Option<SmallVec<[u64; 2]>> = l
        .entries
        .iter()
        .flat_map(|&p| f.term(p).targets())
        .filter(|t| t.block == l.header)
        .map(|t| f.constant(t.args[counted.param]))
        .collect();
    let bounds = (start, f.constant(counted.bound));
    if let (Some(start), Some(bound)) = bounds
        && let Some(&first) = start.first()
        && start.iter().all(|&s| s == first)
        && let Some(trips) = counted.trip_count(first, bound, MAX_TRIPS)
    {
        let leaves = |&&b: &&Block| f.term(b).successors().iter().any(|s| !l.blocks.contains(s));
        let one_end = l.blocks.iter().filter(leaves).count() == 1;
        let fits = trips as usize * body <= MAX_FULL && (!convergent || one_end);
        if fits {
            return Some(Plan { counted, copies: trips, full: true });
        }
        if trips < 2 * FACTOR {
            return None;
        }
    }
    let most = if loads { MAX_BODY.0 } else { MAX_BODY.1 };
    let pays = !convergent && !waits && body <= most;
    // The remainder of a loop that the input's compiler unrolled runs a few times at most.
    let few = |v: Value| match f.def(v) {
        Some((i, Op::And)) => {
            f.insts[i].args.iter().any(|&a| f.constant(a).is_some_and(|mask| mask < u64::from(2 * FACTOR)))
        }
        _ => false,
    };
    let starts = l.entries.iter().flat_map(|&p| f.term(p).targets()).filter(|t| t.block == l.header);
    let ends: Vec<Value> = starts.map(|t| t.args[counted.param]).chain([counted.bound]).collect();
    let pays = pays && !ends.iter().any(|&v| few(v));
    (pays && uniform(f, cfg, ends)).then_some(Plan { counted, copies: FACTOR, full: false })
}

/// The constant increment of each parameter of the header.
fn steps(f: &Function, l: &Loop, forms: &Forms) -> Vec<Option<i64>> {
    let term = f.term(l.latch);
    let Some(next) = term.targets().into_iter().find(|t| t.block == l.header) else { return Vec::new() };
    f.blocks[l.header].params.iter().zip(&next.args).map(|(&p, &v)| step_of(forms, p, v)).collect()
}

/// One loop being unrolled.
struct Unroll<'a> {
    f: &'a mut Function,
    l: &'a Loop,
    plan: Plan,
    steps: Vec<Option<i64>>,
}

/// A copy of the body: its header and latch, and the copies of the loop's values.
struct Copied {
    header: Block,
    latch: Block,
    values: FxHashMap<Value, Value>,
}

impl Copied {
    fn of(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }
}

impl Unroll<'_> {
    fn run(mut self) {
        let at = self.f.layout.iter().position(|&b| b == self.l.header).unwrap_or(0);
        let before = self.f.layout.len();
        if self.plan.full {
            self.vanish()
        } else {
            self.multiply()
        }
        // New blocks go before the loop.
        let new = self.f.layout.split_off(before);
        self.f.layout.splice(at..at, new);
        if self.plan.full {
            let l = self.l;
            self.f.layout.retain(|b| !l.blocks.contains(b));
        }
    }

    /// Adds a block with the parameters of the header and redirects all entries to it.
    fn gate(&mut self) -> (Block, SmallVec<[Value; 4]>) {
        let gate = self.f.add_block();
        for k in 0..self.f.blocks[self.l.header].params.len() {
            let width = self.f.width(self.f.blocks[self.l.header].params[k]);
            self.f.add_param(gate, width);
        }
        for &p in &self.l.entries {
            match &mut self.f.blocks[p].term {
                Some(Terminator::Switch { targets, .. }) => {
                    targets.iter_mut().filter(|t| **t == self.l.header).for_each(|t| *t = gate);
                }
                Some(term) => {
                    term.targets_mut().into_iter().filter(|t| t.block == self.l.header).for_each(|t| t.block = gate);
                }
                None => {}
            }
        }
        self.f.term_places[gate] = self.f.term_places[self.l.latch];
        (gate, self.f.blocks[gate].params.clone())
    }

    /// Replaces the loop by as many copies of its body as it has iterations.
    fn vanish(&mut self) {
        let (gate, params) = self.gate();
        let mut values: SmallVec<[Value; 4]> = params.clone();
        let mut from = gate;
        for n in 0..self.plan.copies {
            let copy = self.copy(&values);
            let jump = Target::to(copy.header);
            self.f.blocks[from].term = Some(Terminator::Jump(jump));
            let (next, exit) = self.edges(&copy);
            if n + 1 == self.plan.copies {
                self.f.blocks[copy.latch].term = Some(Terminator::Jump(exit));
            }
            values = self.advance(&params, &next.args, n + 1, copy.latch);
            from = copy.latch;
        }
    }

    /// Adds a loop with several copies of the body per test; the original does the rest.
    fn multiply(&mut self) {
        let (gate, params) = self.gate();
        let main = self.f.add_block();
        let mut starts: SmallVec<[Value; 4]> = SmallVec::new();
        for &p in &params {
            let width = self.f.width(p);
            starts.push(self.f.add_param(main, width));
        }
        let c = self.plan.counted;
        let (enter, limit) = self.guard(gate, &params);
        let to = |block: Block, args: &[Value]| Target { block, args: SmallVec::from_slice(args) };
        self.f.blocks[gate].term = Some(Terminator::Branch {
            cond: enter,
            uniform: false,
            then: to(main, &params),
            other: to(self.l.header, &params),
        });
        let mut values = starts.clone();
        let mut from = main;
        self.f.term_places[main] = self.f.term_places[self.l.latch];
        for n in 0..self.plan.copies {
            let copy = self.copy(&values);
            self.f.blocks[from].term = Some(Terminator::Jump(Target::to(copy.header)));
            let Terminator::Branch { cond, uniform, .. } = self.f.term(self.l.latch).clone() else { return };
            let (next, exit) = self.edges(&copy);
            values = self.advance(&starts, &next.args, n + 1, copy.latch);
            from = copy.latch;
            if n + 1 < self.plan.copies {
                continue;
            }
            // Are enough iterations left for all copies?
            let tested = copy.of(c.tested);
            let more = self.left(copy.latch, tested, limit);
            let rest = self.f.add_block();
            self.f.term_places[rest] = self.f.term_places[self.l.latch];
            self.f.blocks[copy.latch].term =
                Some(Terminator::Branch { cond: more, uniform, then: to(main, &values), other: Target::to(rest) });
            // The original test, on the original edges.
            let cond = copy.of(cond);
            let Terminator::Branch { then, .. } = self.f.term(self.l.latch) else { return };
            let first = then.block == self.l.header;
            let again = Target { block: self.l.header, args: values.clone() };
            let (then, other) = if first { (again, exit) } else { (exit, again) };
            self.f.blocks[rest].term = Some(Terminator::Branch { cond, uniform, then, other });
        }
    }

    /// Copies the body with `values` for the header's parameters. The latch gets no terminator.
    fn copy(&mut self, values: &[Value]) -> Copied {
        let f = &mut *self.f;
        let mut map: FxHashMap<Value, Value> = FxHashMap::default();
        let mut blocks: FxHashMap<Block, Block> = FxHashMap::default();
        for &b in &self.l.blocks {
            let new = f.add_block();
            blocks.insert(b, new);
            for (k, p) in f.blocks[b].params.clone().into_iter().enumerate() {
                let value = if b == self.l.header {
                    values[k]
                } else {
                    let width = f.width(p);
                    f.add_param(new, width)
                };
                map.insert(p, value);
            }
        }
        for &b in &self.l.blocks {
            let new = blocks[&b];
            for i in f.blocks[b].insts.clone() {
                let d = f.insts[i].clone();
                let args: SmallVec<[Value; 4]> = d.args.iter().map(|v| map.get(v).copied().unwrap_or(*v)).collect();
                let widths: SmallVec<[Width; 4]> = d.results.iter().map(|&r| f.width(r)).collect();
                let copy = f.append(new, d.op, &args, &widths, d.place);
                for (k, &r) in d.results.iter().enumerate() {
                    map.insert(r, f.insts[copy].results[k]);
                }
            }
            f.term_places[new] = f.term_places[b];
        }
        for &b in self.l.blocks.iter().filter(|&&b| b != self.l.latch) {
            let mut term = f.term(b).clone();
            term.map_uses(|v| map.get(&v).copied().unwrap_or(v));
            for t in term.targets_mut() {
                t.block = blocks.get(&t.block).copied().unwrap_or(t.block);
            }
            f.blocks[blocks[&b]].term = Some(term);
        }
        Copied { header: blocks[&self.l.header], latch: blocks[&self.l.latch], values: map }
    }

    /// The edge of a copy's latch to the next iteration, and its edge out of the loop.
    fn edges(&self, copy: &Copied) -> (Target, Target) {
        let mapped = |t: &Target| Target { block: t.block, args: t.args.iter().map(|&v| copy.of(v)).collect() };
        let nowhere = || Target::to(self.l.header);
        let targets = self.f.term(self.l.latch).targets();
        let next = targets.iter().copied().find(|t| t.block == self.l.header).map_or_else(nowhere, mapped);
        let exit = targets.iter().copied().find(|t| t.block != self.l.header).map_or_else(nowhere, mapped);
        (next, exit)
    }

    /// The parameters after n iterations, induction variables from their first value; in block
    /// `at`.
    fn advance(&mut self, first: &[Value], next: &[Value], n: u32, at: Block) -> SmallVec<[Value; 4]> {
        (0..first.len())
            .map(|k| match self.steps[k] {
                Some(step) => {
                    let by = step.wrapping_mul(i64::from(n));
                    self.plus(at, first[k], by)
                }
                None => next[k],
            })
            .collect()
    }

    /// Appends `v + by` to a block.
    fn plus(&mut self, at: Block, v: Value, by: i64) -> Value {
        let width = self.f.width(v);
        let by = self.constant(at, by as u64, width);
        self.f.append1(at, Op::Add, &[v, by], width, SourcePos::default())
    }

    fn constant(&mut self, at: Block, bits: u64, width: Width) -> Value {
        self.f.append1(at, Op::Const(bits & width.mask()), &[], width, SourcePos::default())
    }

    /// Whether the loop may be entered with all copies, and the limit that its tests compare with.
    fn guard(&mut self, at: Block, params: &[Value]) -> (Value, Value) {
        let c = self.plan.counted;
        let ahead = i64::from(self.plan.copies - 1) * c.step;
        let param = params[c.param];
        if c.cond == Cond::Ne {
            // All tests of the copies but the last must hold, from that of the first on.
            let first = self.plus(at, param, c.ahead);
            let left = self.distance(at, first, c.bound);
            let least = self.constant(at, ahead.unsigned_abs(), c.width);
            return (self.compare(at, Cond::Ge, Sign::U, left, least), c.bound);
        }
        let limit = self.plus(at, c.bound, -ahead);
        // Likewise, but one step back where that is the parameter itself, which cannot wrap.
        let inside = if c.ahead == c.step {
            self.compare(at, c.cond, c.sign, param, limit)
        } else {
            let first = self.plus(at, param, c.ahead);
            let limit = self.plus(at, limit, c.step);
            self.compare(at, c.cond, c.sign, first, limit)
        };
        let straight = if c.step > 0 { Cond::Le } else { Cond::Ge };
        let sound = self.compare(at, straight, c.sign, limit, c.bound);
        let both = self.f.append1(at, Op::And, &[inside, sound], Width::P, SourcePos::default());
        (both, limit)
    }

    /// Whether the tests of the next copies hold, after that of `tested`.
    fn left(&mut self, at: Block, tested: Value, limit: Value) -> Value {
        let c = self.plan.counted;
        if c.cond == Cond::Ne {
            let left = self.distance(at, tested, limit);
            let least = i64::from(self.plan.copies) * c.step;
            let least = self.constant(at, least.unsigned_abs(), c.width);
            return self.compare(at, Cond::Ge, Sign::U, left, least);
        }
        self.compare(at, c.cond, c.sign, tested, limit)
    }

    fn compare(&mut self, at: Block, cond: Cond, sign: Sign, a: Value, b: Value) -> Value {
        self.f.append1(at, Op::Icmp(cond, sign), &[a, b], Width::P, SourcePos::default())
    }

    /// The distance from `x` to `bound` in the direction of the step, modulo two to the width.
    fn distance(&mut self, at: Block, x: Value, bound: Value) -> Value {
        let c = self.plan.counted;
        let (a, b) = if c.step > 0 { (bound, x) } else { (x, bound) };
        self.f.append1(at, Op::Sub, &[a, b], c.width, SourcePos::default())
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn unrolled(body: &str) -> String {
        let head = "kernel k\n params 0:8 8:4\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n \
            v2: b32 = load.param.b32.1.8 v0\n v3: b32 = const.1\n v4: b64 = const.4\n";
        let mut f = parse(&format!("{head}{body}end\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        crate::tests::apply(super::run, &mut f);
        for pass in
            [crate::simplify_cfg::run, crate::fold::run, crate::gvn::run, crate::simplify_cfg::run, crate::dce::run]
        {
            crate::tests::apply(pass, &mut f);
        }
        print(&f)
    }

    /// A sum over an array; `BOUND` and `TEST` are placeholders.
    const SUM: &str = " v5: b32 = BOUND\n jump b1(v0, v1, v0)\nb1(v6: b32, v7: b64, v8: b32):\n \
        v9: b32 = load.global.b32.1.0 v7\n EXTRA\n v10: b32 = add v8, v9\n v11: b32 = add v6, v3\n v12: b64 = add v7, v4\n \
        v13: p = icmp.TEST v11, v5\n branch v13, b1(v11, v12, v10), b2\nb2:\n store.global.b32.1.0 v1, v10\n exit\n";

    fn sum(bound: &str, test: &str, extra: &str) -> String {
        unrolled(&SUM.replace("BOUND", bound).replace("TEST", test).replace(" EXTRA\n", extra))
    }

    #[test]
    fn a_constant_number_of_times_is_straight_code() {
        let text = sum("const.5", "lt.s", "");
        assert_eq!((text.matches(" load.global").count(), text.matches("branch").count()), (5, 0), "{text}");
        // Convergent operations too: all lanes go through the same copies.
        let text = sum("const.5", "ne.u", " v20: b32, v21: p = shfl.bfly v9, v3, v3, v3\n warpsync v20\n");
        assert_eq!((text.matches(" shfl").count(), text.matches("branch").count()), (5, 0), "{text}");
        // The body runs at least once, whatever the bound.
        assert_eq!(sum("const.0", "lt.s", "").matches(" load.global").count(), 1);
    }

    #[test]
    fn an_unknown_number_of_times_leaves_a_rest() {
        let text = sum("mul v2, v2", "lt.s", "");
        assert_eq!((text.matches(" load.global").count(), text.matches("branch").count()), (5, 4), "{text}");
        // The limit is three less than the bound, and must not have wrapped.
        assert!(text.contains("const.4294967293"), "{text}");
        assert_eq!(text.matches("icmp.le.s").count(), 1, "{text}");
        let text = sum("mul v2, v2", "ne.s", "");
        assert_eq!((text.matches(" load.global").count(), text.matches("icmp.gt.u").count()), (5, 2), "{text}");
    }

    #[test]
    fn what_is_used_behind_the_loop_passes_its_exit() {
        let text = sum("mul v2, v2", "lt.u", "");
        // The sum comes from the four copies or from the remainder.
        let exit = text.lines().rfind(|l| l.starts_with('b') && l.contains('(')).unwrap().to_owned();
        assert!(exit.ends_with("b32):"), "{text}");
    }

    #[test]
    fn what_stays_as_it_is() {
        // Not uniform; the remainder of a loop unrolled before.
        assert_eq!(sum("and v2, v3", "lt.s", "").matches(" load.global").count(), 1);
        assert_eq!(sum("special.tid_x", "lt.s", "").matches(" load.global").count(), 1);
        let shuffle = " v20: b32, v21: p = shfl.bfly v9, v3, v3, v3\n";
        assert_eq!(sum("mul v2, v2", "lt.s", shuffle).matches(" shfl").count(), 1);
        assert_eq!(sum("mul v2, v2", "gt.s", "").matches(" load.global").count(), 1);
        assert_eq!(sum("mul v2, v2", "eq.s", "").matches(" load.global").count(), 1);
        let strong = SUM.replace("load.global.b32.1.0", "load.global.b32.1.relaxed.gpu.0");
        let text = unrolled(&strong.replace("BOUND", "mul v2, v2").replace("TEST", "lt.s").replace(" EXTRA\n", ""));
        assert_eq!(text.matches(" load.global").count(), 1, "{text}");
        let rolled = SUM.replace("v8: b32):", "v8: b32) rolled:").replace(" EXTRA\n", "");
        let loads =
            |bound| unrolled(&rolled.replace("BOUND", bound).replace("TEST", "lt.s")).matches(" load.global").count();
        assert_eq!(["const.5", "mul v2, v2"].map(loads), [1, 1]);
        let moving = SUM.replace("add v6, v3", "add v6, v9");
        let text = unrolled(&moving.replace("BOUND", "mul v2, v2").replace("TEST", "lt.s").replace(" EXTRA\n", ""));
        assert_eq!(text.matches(" load.global").count(), 1, "{text}");
    }
}
