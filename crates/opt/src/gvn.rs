//! Gives equal pure operations one value.
//!
//! Strategy: a walk in reverse postorder with a table from operation, operands and result widths to the instructions that
//! compute it; one whose block dominates the place at hand is taken. Operands are renamed first, so that equality spreads.
//! Convergent operations, loads from memory that may change and operations with effects take no part (D4).

use raddle_entity::FxHashMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Inst, Op, Stop, Value, Width};
use smallvec::SmallVec;

use crate::edit::Renames;

type Key = (Op, SmallVec<[Value; 4]>, SmallVec<[Width; 2]>);

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let dom = DomTree::dominators(&cfg);
    let mut known: FxHashMap<Key, SmallVec<[(Block, Inst); 1]>> = FxHashMap::default();
    let mut same = Renames::default();
    for &b in &cfg.rpo {
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for i in insts {
            same.inst(f, i);
            let d = &f.insts[i];
            if !d.op.is_pure() || d.results.is_empty() {
                kept.push(i);
                continue;
            }
            let mut args = d.args.clone();
            if commutes(&d.op) {
                args.sort_unstable();
            }
            let widths = d.results.iter().map(|&v| f.width(v)).collect();
            let list = known.entry((d.op, args, widths)).or_default();
            match list.iter().find(|(at, _)| dom.dominates(*at, b)) {
                Some(&(_, first)) => {
                    for (&old, &new) in f.insts[i].results.iter().zip(&f.insts[first].results) {
                        same.set(old, new);
                    }
                }
                None => {
                    list.push((b, i));
                    kept.push(i);
                }
            }
        }
        f.blocks[b].insts = kept;
    }
    same.apply(f);
    Ok(())
}

/// May its operands change places?
fn commutes(op: &Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::MulHi(_) | Op::MulWide(_))
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    #[test]
    fn equal_operations_are_one_where_one_dominates() {
        let mut f = parse(
            "kernel k\nb0:\n v0: b32 = special.tid_x\n v1: b32 = special.ctaid_x\n v2: b32 = add v0, v1\n v3: p = icmp.eq.u v0, v1\n \
             branch v3, b1, b2\nb1:\n v4: b32 = add v1, v0\n v5: b32 = mul v4, v4\n warpsync v5\n jump b2\nb2:\n \
             v6: b32 = mul v2, v2\n v7: b32 = special.clock\n v8: b32 = special.clock\n v9: b32 = sub v8, v7\n warpsync v6\n \
             warpsync v9\n exit\nend\n",
        )
        .unwrap()
        .remove(0);
        crate::tests::apply(super::run, &mut f);
        raddle_ir::verify::verify(&f).unwrap();
        let text = print(&f);
        assert_eq!(text.matches(" add ").count(), 1, "{text}");
        // Neither block dominates the other, so both products stay; so do both readings of the clock.
        assert_eq!((text.matches(" mul ").count(), text.matches("clock").count()), (2, 2), "{text}");
    }
}
