//! Partial redundancy elimination: computes an operation only on the paths to a block that lack it.
//!
//! Problem: a product, quotient or conversion that one predecessor of a block has computed is
//! computed again in the block, because another predecessor has not: [`crate::gvn`] needs one place
//! that dominates the other.
//!
//! Strategy: in each block with several predecessors, an operation is translated to each of them:
//! parameters become the values passed for them. It is available in a predecessor if the same
//! operation on the same values has a result that reaches the predecessor's end. If exactly one
//! predecessor lacks it, and has no other successor, the operation is inserted there. A parameter
//! then replaces it. Operations are equal if their operands are, after [`crate::gvn`].
//!
//! **Invariants.** No path gets longer: an operation is inserted in at most one predecessor, which
//! jumps to the block that would have computed it, and is removed from there. Nothing is inserted
//! on a back edge, hence nothing into a loop that did not contain it. Only pure operations that
//! cost more than the move that the parameter may become ([`worth`]); convergent ones and loads
//! stay (D4). One walk, bounded by [`MAX_PREDS`] and [`MAX_LEADERS`].

use raddle_entity::{FxHashMap, FxHashSet};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cty, Cx, Fty, Function, Inst, Op, Stop, Terminator, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::{Renames, def_block, homes};
use crate::gvn::{Key, key};

/// Most predecessors of a block that is considered.
const MAX_PREDS: usize = 4;

/// Most results of one operation on the same values that are kept.
const MAX_LEADERS: usize = 8;

/// Instructions that compute the same, with their blocks.
type Leaders = FxHashMap<Key, SmallVec<[(Block, Inst); 2]>>;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let meets = |b: &&Block| (2..=MAX_PREDS).contains(&cfg.preds[**b].len());
    let any = cfg.rpo.iter().filter(meets).any(|&b| f.blocks[b].insts.iter().any(|&i| worth(f, i)));
    if !any {
        return Ok(());
    }
    let mut leaders = Leaders::default();
    for &b in &cfg.rpo {
        cx.step(f.blocks[b].insts.len() as u64)?;
        for &i in f.blocks[b].insts.iter().filter(|&&i| worth(f, i)) {
            let list = leaders.entry(key(f, i, f.insts[i].args.clone())).or_default();
            if list.len() < MAX_LEADERS {
                list.push((b, i));
            }
        }
    }
    let dom = DomTree::dominators(&cfg);
    let mut pass = Pass { home: homes(f), f, cfg: &cfg, dom, leaders, names: Renames::default() };
    for b in cfg.rpo.iter().filter(meets) {
        pass.block(*b);
    }
    pass.names.apply(pass.f);
    Ok(())
}

/// Whether it is a pure operation that costs more than a move.
fn worth(f: &Function, i: Inst) -> bool {
    let d = &f.insts[i];
    let &[result] = d.results.as_slice() else { return false };
    let wide = f.width(result) == Width::B64;
    let float = |t: Cty| t.int().is_none();
    match d.op {
        Op::Mul | Op::Mad => wide,
        Op::MulHi(_) | Op::MadHi(_) | Op::Div(_) | Op::Rem(_) => true,
        Op::Popc | Op::Clz | Op::Brev | Op::Bfind(_) | Op::BfindShift(_) => true,
        Op::Fdiv(..) | Op::Frcp(..) | Op::Fsqrt(..) | Op::Mufu(_) | Op::MufuHalf(..) => true,
        Op::Fadd(Fty::F64, ..) | Op::Fmul(Fty::F64, ..) | Op::Ffma(Fty::F64, ..) => true,
        Op::Cvt(to, from, ..) => float(to) || float(from),
        _ => false,
    }
}

struct Pass<'a> {
    f: &'a mut Function,
    cfg: &'a Cfg,
    dom: DomTree,
    home: raddle_entity::SecondaryMap<Inst, Option<Block>>,
    leaders: Leaders,
    names: Renames,
}

impl Pass<'_> {
    fn block(&mut self, b: Block) {
        let preds = self.cfg.preds[b].clone();
        let twice = preds.iter().enumerate().any(|(n, p)| preds[..n].contains(p));
        if twice || preds.iter().any(|&p| matches!(self.f.term(p), Terminator::Switch { .. })) {
            return;
        }
        let mut gone: FxHashSet<Inst> = FxHashSet::default();
        for i in self.f.blocks[b].insts.clone() {
            self.names.inst(self.f, i);
            if worth(self.f, i) && self.replace(b, i, &preds) {
                gone.insert(i);
            }
        }
        if !gone.is_empty() {
            self.f.blocks[b].insts.retain(|i| !gone.contains(i));
        }
    }

    /// Replaces an instruction's result by a parameter; returns false if that does not pay.
    fn replace(&mut self, b: Block, i: Inst, preds: &[Block]) -> bool {
        let mut args: SmallVec<[SmallVec<[Value; 4]>; 4]> = SmallVec::new();
        let mut known: SmallVec<[Option<Value>; 4]> = SmallVec::new();
        for &p in preds {
            let Some(translated) = self.translate(b, i, p) else { return false };
            known.push(self.available(p, i, &translated));
            args.push(translated);
        }
        let mut missing = known.iter().enumerate().filter(|(_, k)| k.is_none()).map(|(n, _)| n);
        let (first, second) = (missing.next(), missing.next());
        let here = |p: Block| matches!(self.f.term(p), Terminator::Jump(_)) && !self.dom.dominates(b, p);
        if second.is_some() || first.is_some_and(|n| !here(preds[n])) {
            return false;
        }
        let d = self.f.insts[i].clone();
        let width = self.f.width(d.results[0]);
        if let Some(n) = first {
            let copy = self.f.append(preds[n], d.op, &args[n], &[width], d.place);
            self.home[copy] = Some(preds[n]);
            known[n] = Some(self.f.insts[copy].results[0]);
            self.leaders.entry(key(self.f, copy, args[n].clone())).or_default().push((preds[n], copy));
        }
        let param = self.f.add_param(b, width);
        for (&p, v) in preds.iter().zip(known) {
            let (Some(v), Some(term)) = (v, &mut self.f.blocks[p].term) else { continue };
            term.targets_mut().into_iter().filter(|t| t.block == b).for_each(|t| t.args.push(v));
        }
        self.names.set(d.results[0], param);
        true
    }

    /// The operands of an instruction of `b`, as at the end of a predecessor; `None` if one is
    /// computed in `b`.
    fn translate(&mut self, b: Block, i: Inst, p: Block) -> Option<SmallVec<[Value; 4]>> {
        let args = self.f.insts[i].args.clone();
        let mut out = SmallVec::new();
        for v in args {
            let v = match self.f.values[v].def {
                ValueDef::Param(at, n) if at == b => {
                    let targets = self.f.term(p).targets();
                    let edge = targets.iter().find(|t| t.block == b)?;
                    edge.args[n as usize]
                }
                _ if def_block(self.f, &self.home, v)? == b => return None,
                _ => v,
            };
            out.push(self.names.get(v));
        }
        Some(out)
    }

    /// A result of the same operation on these operands, other than the instruction's own, that is
    /// available at the end of `p`.
    fn available(&mut self, p: Block, i: Inst, args: &SmallVec<[Value; 4]>) -> Option<Value> {
        let list = self.leaders.get(&key(self.f, i, args.clone()))?;
        let &(_, leader) = list.iter().find(|&&(at, leader)| leader != i && self.dom.dominates(at, p))?;
        let result = self.f.insts[leader].results[0];
        Some(self.names.get(result))
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn after(body: &str) -> String {
        let head = "kernel k\n params 0:8\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.0 v0\n v2: b32 = special.tid_x\n \
            v3: b64 = zext v2\n v4: p = icmp.eq.u v2, v0\n";
        let mut f = parse(&format!("{head}{body}end\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        crate::tests::apply(super::run, &mut f);
        print(&f)
    }

    #[test]
    fn one_way_gets_what_the_other_has() {
        let text = after(
            " branch v4, b1, b2\nb1:\n v5: b32 = mulhi.u v2, v2\n store.global.b32.1.0 v1, v5\n jump b3\nb2:\n jump b3\nb3:\n \
             v6: b32 = mulhi.u v2, v2\n store.global.b32.1.4 v1, v6\n exit\n",
        );
        // The product is on each path once, and not after they meet.
        assert_eq!(text.matches("mulhi").count(), 2, "{text}");
        assert!(!text.split("\nb3").nth(1).unwrap_or_default().contains("mulhi"), "{text}");
    }

    #[test]
    fn operands_are_translated() {
        let text = after(
            " branch v4, b1, b2\nb1:\n v5: b32 = mulhi.u v2, v2\n store.global.b32.1.0 v1, v5\n jump b3(v2)\nb2:\n v7: b32 = popc v2\n \
             v8: b32 = mulhi.u v7, v2\n store.global.b32.1.0 v1, v8\n jump b3(v7)\nb3(v9: b32):\n v6: b32 = mulhi.u v9, v2\n \
             store.global.b32.1.4 v1, v6\n exit\n",
        );
        assert_eq!(text.matches("mulhi").count(), 2, "{text}");
    }

    #[test]
    fn no_way_gets_longer() {
        // The path that lacks it leads elsewhere too; the path is a back edge; the operation is
        // cheap.
        let critical = " branch v4, b1, b2\nb1:\n v5: b32 = mulhi.u v2, v2\n store.global.b32.1.0 v1, v5\n jump b3\nb2:\n \
            v10: b32 = popc v2\n v11: p = icmp.eq.u v10, v0\n branch v11, b3, b4\nb3:\n v6: b32 = mulhi.u v2, v2\n \
            store.global.b32.1.4 v1, v6\n exit\nb4:\n exit\n";
        assert!(after(critical).split("\nb3").nth(1).unwrap_or_default().contains("mulhi"));
        let back = " jump b1(v2)\nb1(v5: b32):\n v6: b32 = mulhi.u v5, v2\n store.global.b32.1.0 v1, v6\n v7: b32 = popc v6\n \
            v8: p = icmp.eq.u v7, v0\n branch v8, b2, b1(v7)\nb2:\n exit\n";
        assert_eq!(after(back).matches("mulhi").count(), 1);
        let cheap = " branch v4, b1, b2\nb1:\n v5: b32 = add v2, v2\n store.global.b32.1.0 v1, v5\n jump b3\nb2:\n jump b3\nb3:\n \
            v6: b32 = add v2, v2\n store.global.b32.1.4 v1, v6\n exit\n";
        assert!(after(cheap).contains("b3:\n"));
    }
}
