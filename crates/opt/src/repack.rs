//! Keeps halves together that a block's parameters carry apart.
//!
//! Problem: Triton unpacks each fragment of a matrix into halves (`mov.b32 {%rs1, %rs2}, %r1`),
//! carries the halves through a loop, and packs them again before the product. Each half takes a
//! register, and each pair two instructions. Strategy: a *tuple* is the list of operands of a pack
//! that are parameters of one block. If every edge passes the parts of one value, constants, or
//! another such tuple, one parameter takes the place of the tuple.
//!
//! Invariant: the parameters of a tuple have no other uses, so none of them stays alive beside the
//! new one.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{Block, Cx, Function, Inst, Op, SourcePos, Stop, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::{Renames, retain_params, use_counts};

type Parts = SmallVec<[Value; 4]>;

/// What an edge passes for a tuple.
#[derive(Clone)]
enum Passed {
    /// All parts of a value, in order.
    Whole(Value),
    /// The bits of constants.
    Bits(u64),
    /// Nothing defined.
    Undef,
    /// Another tuple, by number.
    Tuple(usize),
}

/// Parameters of a block that are packed together.
struct Tuple {
    block: Block,
    parts: Parts,
    width: Width,
    /// For each edge to the block: its source, the target's position there, and what it passes.
    edges: Vec<(Block, usize, Passed)>,
    /// Packs of the parts.
    packs: Vec<Inst>,
}

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut tuples = Tuples { list: Vec::new(), of: FxHashMap::default() };
    for b in f.layout.clone() {
        cx.step(f.blocks[b].insts.len() as u64)?;
        for &i in &f.blocks[b].insts {
            if f.insts[i].op == Op::Pack
                && let Some(n) = tuples.number(f, &f.insts[i].args)
            {
                tuples.list[n].packs.push(i);
            }
        }
    }
    if tuples.list.is_empty() {
        return Ok(());
    }
    let edges = edges(f);
    // Tuples that others pass join the list.
    let mut good: Vec<bool> = Vec::new();
    while good.len() < tuples.list.len() {
        let n = good.len();
        cx.step(edges[tuples.list[n].block].len() as u64)?;
        let found = tuples.passed(f, n, &edges);
        good.push(found.is_some());
        tuples.list[n].edges = found.unwrap_or_default();
    }
    tuples.keep_whole(f, &mut good);
    tuples.replace(f, &good);
    Ok(())
}

/// The edges to each block that pass values: source, and position among its targets.
fn edges(f: &Function) -> SecondaryMap<Block, Vec<(Block, usize)>> {
    let mut out: SecondaryMap<Block, Vec<(Block, usize)>> = SecondaryMap::new();
    for &b in &f.layout {
        for (n, t) in f.term(b).targets().into_iter().enumerate() {
            out[t.block].push((b, n));
        }
    }
    out
}

struct Tuples {
    list: Vec<Tuple>,
    of: FxHashMap<Parts, usize>,
}

impl Tuples {
    /// Returns the number of a list of values, all of them parameters of one block.
    fn number(&mut self, f: &Function, parts: &[Value]) -> Option<usize> {
        let parts = Parts::from_slice(parts);
        if let Some(&n) = self.of.get(&parts) {
            return Some(n);
        }
        let ValueDef::Param(block, _) = f.values[*parts.first()?].def else { return None };
        let here = |v: &Value| matches!(f.values[*v].def, ValueDef::Param(b, _) if b == block);
        let distinct = parts.iter().enumerate().all(|(n, v)| !parts[..n].contains(v));
        let width = match parts.len() as u32 * f.width(parts[0]).bits() {
            32 => Width::B32,
            64 => Width::B64,
            _ => return None,
        };
        if block == f.entry() || !distinct || !parts.iter().all(here) {
            return None;
        }
        self.of.insert(parts.clone(), self.list.len());
        self.list.push(Tuple { block, parts, width, edges: Vec::new(), packs: Vec::new() });
        Some(self.list.len() - 1)
    }

    /// Returns what each edge passes for a tuple; `None` if one of them passes something else.
    fn passed(
        &mut self,
        f: &Function,
        n: usize,
        edges: &SecondaryMap<Block, Vec<(Block, usize)>>,
    ) -> Option<Vec<(Block, usize, Passed)>> {
        let (block, parts) = (self.list[n].block, self.list[n].parts.clone());
        let positions: SmallVec<[usize; 4]> = parts
            .iter()
            .filter_map(|&v| if let ValueDef::Param(_, k) = f.values[v].def { Some(k as usize) } else { None })
            .collect();
        let mut out = Vec::new();
        for &(from, at) in &edges[block] {
            let term = f.term(from);
            let targets = term.targets();
            let args: Parts = positions.iter().map(|&k| targets[at].args[k]).collect();
            out.push((from, at, whole(f, &args).or_else(|| self.number(f, &args).map(Passed::Tuple))?));
        }
        (!out.is_empty()).then_some(out)
    }

    /// Drops tuples whose parts have other uses, or that get what is dropped, until none is left.
    fn keep_whole(&self, f: &Function, good: &mut [bool]) {
        let uses = use_counts(f);
        loop {
            let mut known: FxHashMap<Value, u32> = FxHashMap::default();
            for (t, _) in self.list.iter().zip(&*good).filter(|(_, good)| **good) {
                t.parts.iter().for_each(|&v| *known.entry(v).or_default() += t.packs.len() as u32);
                for (_, _, passed) in &t.edges {
                    if let Passed::Tuple(n) = passed {
                        self.list[*n].parts.iter().for_each(|&v| *known.entry(v).or_default() += 1);
                    }
                }
            }
            let mut changed = false;
            for n in 0..good.len() {
                let t = &self.list[n];
                let stays = t.parts.iter().all(|v| known.get(v) == Some(&uses[*v]))
                    && t.edges.iter().all(|(_, _, p)| !matches!(p, Passed::Tuple(m) if !good[*m]));
                changed |= good[n] && !stays;
                good[n] &= stays;
            }
            if !changed {
                return;
            }
        }
    }

    /// Puts one parameter in the place of each good tuple.
    fn replace(&self, f: &mut Function, good: &[bool]) {
        let kept = || self.list.iter().enumerate().filter(|(n, _)| good[*n]);
        let mut new: FxHashMap<usize, Value> = FxHashMap::default();
        for (n, t) in kept() {
            new.insert(n, f.add_param(t.block, t.width));
        }
        let mut names = Renames::default();
        let mut gone: SecondaryMap<Inst, bool> = SecondaryMap::new();
        for (n, t) in kept() {
            for &(from, at, ref passed) in &t.edges {
                let make = |f: &mut Function, op: Op| {
                    let i = f.make(op, &[], &[t.width], SourcePos::default());
                    f.blocks[from].insts.push(i);
                    f.insts[i].results[0]
                };
                let v = match *passed {
                    Passed::Whole(v) => v,
                    Passed::Bits(bits) => make(f, Op::Const(bits)),
                    Passed::Undef => make(f, Op::Undef),
                    Passed::Tuple(m) => new[&m],
                };
                if let Some(term) = &mut f.blocks[from].term {
                    term.targets_mut()[at].args.push(v);
                }
            }
            for &i in &t.packs {
                names.set(f.insts[i].results[0], new[&n]);
                gone[i] = true;
            }
        }
        if new.is_empty() {
            return;
        }
        for b in f.layout.clone() {
            f.blocks[b].insts.retain(|&i| !gone[i]);
        }
        names.apply(f);
        let mut dead: SecondaryMap<Value, bool> = SecondaryMap::new();
        kept().for_each(|(_, t)| t.parts.iter().for_each(|&v| dead[v] = true));
        let edges = edges(f);
        let mut done: SecondaryMap<Block, bool> = SecondaryMap::new();
        for (_, t) in kept() {
            if std::mem::replace(&mut done[t.block], true) {
                continue;
            }
            let keep: Vec<bool> = f.blocks[t.block].params.iter().map(|&v| !dead[v]).collect();
            let preds: Vec<Block> = edges[t.block].iter().map(|e| e.0).collect();
            retain_params(f, &preds, t.block, &keep);
        }
    }
}

/// Returns the value whose parts these are, or the bits of constants.
fn whole(f: &Function, args: &[Value]) -> Option<Passed> {
    let bits = f.width(args[0]).bits();
    let mut sum = 0u64;
    if args.iter().enumerate().all(|(n, &v)| f.constant(v).map(|c| sum |= c << (n as u32 * bits)).is_some()) {
        return Some(Passed::Bits(sum));
    }
    if args.iter().all(|&v| matches!(f.def(v), Some((_, Op::Undef)))) {
        return Some(Passed::Undef);
    }
    let ValueDef::Result(i, _) = f.values[args[0]].def else { return None };
    let d = &f.insts[i];
    let all = d.op == Op::Unpack && d.results.as_slice() == args;
    all.then(|| Passed::Whole(d.args[0]))
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn repacked(body: &str) -> String {
        let mut f = parse(&format!("kernel k\n{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        print(&f)
    }

    const LOOP: &str = "b0:\n v0: b32 = special.tid_x\n v1: b16 = const.3\n v2: b16 = const.5\n jump b1(v1, v2)\n\
                        b1(v3: b16, v4: b16):\n v5: b32 = pack v3, v4\n v6: b32 = add v5, v0\n v7: b16, v8: b16 = unpack v6\n\
                         v9: p = icmp.lt.u v6, v0\n";

    #[test]
    fn halves_of_a_loop_are_carried_as_one() {
        let text = repacked(&format!("{LOOP} branch v9, b1(v7, v8), b2\nb2:\n warpsync v5\n exit\n"));
        assert!(!text.contains("pack") && !text.contains("b16") && text.contains("const.327683"), "{text}");
    }

    #[test]
    fn halves_that_are_used_stay() {
        let text =
            repacked(&format!("{LOOP} v10: b32 = zext v3\n branch v9, b1(v7, v8), b2\nb2:\n warpsync v10\n exit\n"));
        assert!(text.contains("unpack"), "{text}");
        let text = repacked(&format!("{LOOP} branch v9, b1(v8, v7), b2\nb2:\n warpsync v5\n exit\n"));
        assert!(text.contains("unpack"), "{text}");
    }

    #[test]
    fn blocks_pass_halves_on() {
        let text = repacked(
            "b0:\n v0: b32 = special.tid_x\n v1: b16, v2: b16 = unpack v0\n v3: p = icmp.lt.u v0, v0\n branch v3, b1(v1, v2), b2(v1, v2)\n\
             b1(v4: b16, v5: b16):\n jump b2(v4, v5)\nb2(v6: b16, v7: b16):\n v8: b32 = pack v6, v7\n warpsync v8\n exit\n",
        );
        assert!(!text.contains("pack") && !text.contains("b16"), "{text}");
    }
}
