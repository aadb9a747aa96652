//! Innermost loops and counted loops: an induction variable, a constant step, and a test against an
//! invariant bound that ends the loop.
//!
//! A loop counts if the branch of its latch continues while `x ? bound` holds, where `x` is a
//! parameter of the header plus a constant ([`crate::address`]), the parameter grows by a constant
//! in every iteration, and the bound does not change in the loop. All arithmetic is modulo two to
//! the width, as on the machine: nothing is assumed about overflow.

use crate::address::{Atom, Forms};
use crate::edit::def_block;
use raddle_entity::{FxHashMap, FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cond, Function, Inst, Op, Sign, Special, Terminator, Value, ValueDef, Width};

/// Most values that are inspected to tell whether lanes agree.
const MAX_SOURCES: usize = 128;

/// A natural loop with one back edge.
pub struct Loop {
    /// The only block through which it is entered.
    pub header: Block,
    /// The source of the back edge.
    pub latch: Block,
    /// Its blocks, in reverse postorder; the header is the first.
    pub blocks: Vec<Block>,
    /// The sources of the edges into it, one item per edge.
    pub entries: Vec<Block>,
    /// The targets of edges out of it, ascending, each once.
    pub exits: Vec<Block>,
}

/// The innermost loops of a function, in reverse postorder of their headers.
pub fn innermost(cfg: &Cfg, dom: &DomTree) -> Vec<Loop> {
    let mut rpo: SecondaryMap<Block, u32> = SecondaryMap::new();
    cfg.rpo.iter().enumerate().for_each(|(n, &b)| rpo[b] = n as u32);
    let is_header = |b: Block| cfg.preds[b].iter().any(|&p| dom.dominates(b, p));
    let mut seen: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut out = Vec::new();
    for (n, &header) in cfg.rpo.iter().enumerate() {
        let back: Vec<Block> = cfg.preds[header].iter().copied().filter(|&p| dom.dominates(header, p)).collect();
        let [latch] = back[..] else { continue };
        let mark = n as u32 + 1;
        seen[header] = mark;
        let mut blocks = vec![header];
        let mut work = vec![latch];
        let mut inner = true;
        while let Some(b) = work.pop() {
            if seen[b] == mark {
                continue;
            }
            seen[b] = mark;
            if is_header(b) {
                inner = false;
                break;
            }
            blocks.push(b);
            work.extend(cfg.preds[b].iter().copied());
        }
        if !inner {
            continue;
        }
        blocks.sort_unstable_by_key(|&b| rpo[b]);
        let mut exits: Vec<Block> =
            blocks.iter().flat_map(|&b| cfg.succs[b].iter().copied()).filter(|&s| seen[s] != mark).collect();
        exits.sort_unstable();
        exits.dedup();
        let entries = cfg.preds[header].iter().copied().filter(|&p| p != latch).collect();
        out.push(Loop { header, latch, blocks, entries, exits });
    }
    out
}

/// Makes every value of the loop that is used after it pass through a parameter of an exit
/// (loop-closed SSA). Returns false, without a change, if that is not possible: the loop contains a
/// switch, or a value is used beyond an exit that has predecessors outside the loop.
pub fn loop_closed(
    f: &mut Function,
    l: &Loop,
    cfg: &Cfg,
    dom: &DomTree,
    home: &SecondaryMap<Inst, Option<Block>>,
) -> bool {
    let inside = |b: Block| l.blocks.contains(&b);
    if l.blocks.iter().any(|&b| matches!(f.term(b), Terminator::Switch { .. })) {
        return false;
    }
    // The values used outside, and the blocks that use them.
    let mut uses: Vec<(Value, Block)> = Vec::new();
    for &b in cfg.rpo.iter().filter(|&&b| !inside(b)) {
        let mut used = |v: Value| {
            if def_block(f, home, v).is_some_and(inside) {
                uses.push((v, b));
            }
        };
        f.blocks[b].insts.iter().for_each(|&i| f.insts[i].args.iter().for_each(|&v| used(v)));
        f.term(b).for_each_use(&mut used);
    }
    // An exit with predecessors outside the loop cannot take a parameter for the loop's value.
    let dedicated = |e: Block| cfg.preds[e].iter().all(|&p| inside(p));
    let mut passed: Vec<(Block, Value)> = Vec::new();
    for &(v, b) in &uses {
        let through = l.exits.iter().copied().find(|&e| dom.dominates(e, b) && dedicated(e));
        let Some(exit) = through else { return false };
        let Some(defined) = def_block(f, home, v) else { return false };
        if !cfg.preds[exit].iter().all(|&p| dom.dominates(defined, p)) {
            return false;
        }
        passed.push((exit, v));
    }
    passed.sort_unstable();
    passed.dedup();
    let mut through: FxHashMap<(Block, Value), Value> = FxHashMap::default();
    for &(exit, v) in &passed {
        let width = f.width(v);
        through.insert((exit, v), f.add_param(exit, width));
        let mut done = None;
        for &p in &cfg.preds[exit] {
            if done.replace(p) == Some(p) {
                continue;
            }
            if let Some(term) = &mut f.blocks[p].term {
                term.targets_mut().into_iter().filter(|t| t.block == exit).for_each(|t| t.args.push(v));
            }
        }
    }
    for &b in cfg.rpo.iter().filter(|&&b| !inside(b)) {
        let exit = l.exits.iter().copied().find(|&e| dom.dominates(e, b) && dedicated(e));
        let Some(exit) = exit else { continue };
        let map = |v: Value| through.get(&(exit, v)).copied().unwrap_or(v);
        for k in 0..f.blocks[b].insts.len() {
            let i = f.blocks[b].insts[k];
            f.insts[i].args.iter_mut().for_each(|v| *v = map(*v));
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(map);
        }
    }
    true
}

/// The induction variable of a counted loop, and the test that ends it.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The number of the header's parameter that counts.
    pub param: usize,
    /// The increment per iteration; not zero.
    pub step: i64,
    /// What is added to the parameter for the test.
    pub ahead: i64,
    /// The tested value, in the loop.
    pub tested: Value,
    /// The loop continues while this holds of the tested value and the bound.
    pub cond: Cond,
    /// Signedness of the comparison.
    pub sign: Sign,
    /// The bound.
    pub bound: Value,
    /// The width of the tested value and the bound.
    pub width: Width,
}

impl Counted {
    /// Recognises a counted loop. `home` gives the block of each instruction.
    pub fn of(f: &Function, l: &Loop, forms: &Forms, home: &SecondaryMap<Inst, Option<Block>>) -> Option<Counted> {
        let Terminator::Branch { cond, then, other, .. } = f.term(l.latch) else { return None };
        let back = [then, other].into_iter().filter(|t| t.block == l.header).count();
        let (Some((inst, Op::Icmp(relation, sign))), 1) = (f.def(*cond), back) else { return None };
        // The other edge must leave the loop: in an irreducible one it may lead into the middle.
        if [then, other].into_iter().any(|t| t.block != l.header && l.blocks.contains(&t.block)) {
            return None;
        }
        let (mut relation, next) = if then.block == l.header { (relation, then) } else { (relation.inverse()?, other) };
        let inside = |v: Value| {
            let block = match f.values[v].def {
                ValueDef::Result(i, _) => home[i],
                ValueDef::Param(b, _) => Some(b),
            };
            block.is_some_and(|b| l.blocks.contains(&b))
        };
        let (mut tested, mut bound) = (f.insts[inst].args[0], f.insts[inst].args[1]);
        if inside(bound) {
            (tested, bound) = (bound, tested);
            relation = relation.swapped()?;
        }
        let width = f.width(tested);
        if inside(bound) || !matches!(width, Width::B32 | Width::B64) {
            return None;
        }
        let form = forms.get(tested);
        let [(Atom::Value(iv), 1)] = form.terms[..] else { return None };
        let param = f.blocks[l.header].params.iter().position(|&p| p == iv)?;
        let step = step_of(forms, iv, next.args[param])?;
        let up = match relation {
            Cond::Lt | Cond::Le => true,
            Cond::Gt | Cond::Ge => false,
            Cond::Ne => step > 0,
            _ => return None,
        };
        let right = f.width(iv) == width && (step > 0) == up && step.unsigned_abs() < 1 << 20;
        right.then_some(Counted { param, step, ahead: form.offset, tested, cond: relation, sign, bound, width })
    }

    /// Returns the trip count from a constant start to a constant bound; `None` above `most`.
    pub fn trip_count(&self, start: u64, bound: u64, most: u32) -> Option<u32> {
        let mask = self.width.mask();
        let mut x = start.wrapping_add(self.ahead as u64) & mask;
        for n in 1..=most {
            if !self.holds(x, bound & mask) {
                return Some(n);
            }
            x = x.wrapping_add(self.step as u64) & mask;
        }
        None
    }

    fn holds(&self, x: u64, bound: u64) -> bool {
        let order = match self.sign {
            Sign::U => x.cmp(&bound),
            Sign::S => {
                let shift = 64 - self.width.bits();
                (((x << shift) as i64) >> shift).cmp(&(((bound << shift) as i64) >> shift))
            }
        };
        match self.cond {
            Cond::Ne => order.is_ne(),
            Cond::Lt => order.is_lt(),
            Cond::Le => order.is_le(),
            Cond::Gt => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

/// Returns the increment of a parameter that gets `next`; `None` unless it is a constant other than
/// zero.
pub fn step_of(forms: &Forms, param: Value, next: Value) -> Option<i64> {
    let form = forms.get(next);
    (form.terms[..] == [(Atom::Value(param), 1)] && form.offset != 0).then_some(form.offset)
}

/// Whether these values are the same in all lanes, as far as their definitions show. Used for cost
/// only: lanes with different trip counts would run the copies and the remainder one after the
/// other.
pub fn uniform(f: &Function, cfg: &Cfg, mut work: Vec<Value>) -> bool {
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        if seen.len() > MAX_SOURCES {
            return false;
        }
        match f.values[v].def {
            ValueDef::Param(b, n) => {
                for &p in &cfg.preds[b] {
                    let targets = f.term(p).targets();
                    work.extend(targets.iter().filter(|t| t.block == b).map(|t| t.args[n as usize]));
                }
            }
            ValueDef::Result(i, _) => {
                let d = &f.insts[i];
                let varies = match d.op {
                    Op::Special(s) => VARYING.contains(&s),
                    Op::Atom(_) | Op::Argument(_) => true,
                    op => op.is_convergent(),
                };
                if varies {
                    return false;
                }
                work.extend(&d.args);
            }
        }
    }
    true
}

/// Special registers that differ between the lanes of a warp.
const VARYING: [Special; 9] = [
    Special::TidX,
    Special::TidY,
    Special::TidZ,
    Special::LaneId,
    Special::LanemaskEq,
    Special::LanemaskLe,
    Special::LanemaskLt,
    Special::LanemaskGe,
    Special::LanemaskGt,
];

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    #[test]
    fn a_latch_that_leads_into_the_middle_is_no_end() {
        let text = "kernel k\n params 0:8\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b32 = special.ctaid_x\n \
            v3: b32 = const.1\n v5: b32 = const.4\n v20: p = icmp.eq.u v2, v0\n jump b1(v0)\nb1(v6: b32):\n v7: b32 = add v6, v3\n \
            branch v20, b3, b2\nb2:\n v8: p = icmp.lt.u v7, v5\n branch v8, b1(v7), b3\nb3:\n \
            v9: b32 = atom.add.u32.global.relaxed.gpu.0 v1, v7\n v10: p = icmp.gt.u v9, v2\n branch v10, b4, b2\nb4:\n exit\nend\n";
        let mut f = parse(text).unwrap().remove(0);
        crate::tests::apply(crate::unroll::run, &mut f);
        let text = print(&f);
        assert_eq!(text.matches(" atom.").count(), 1, "{text}");
    }
}
