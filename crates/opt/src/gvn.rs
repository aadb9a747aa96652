//! Global value numbering: replaces equal pure operations by one value.
//!
//! Strategy: a depth-first walk of the dominator tree with a table from operation, operands and
//! result widths to the last instruction that computes it. If that instruction's block dominates
//! the current one, its result is reused; if not, the walk has left its subtree for good, and the
//! current instruction replaces it in the table. Operands are renamed first, so that equality
//! propagates. A comparison that says the opposite of an earlier one, with the operands in either
//! order, becomes its complement, which costs nothing where it is used. Parameters of one block that get equal values on every edge are merged; so are two
//! that enter a loop equal and change in the same way in it. Convergent operations, loads from
//! memory that may change and operations with effects are not touched (D4).

use raddle_entity::FxHashMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cond, Cx, Function, Inst, Op, Stop, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::Renames;

/// The key of equal operations: operation, operands in canonical order, widths of the results.
pub(crate) type Key = (Op, SmallVec<[Value; 4]>, SmallVec<[Width; 2]>);

/// Most parameters of one block that are compared with one another.
const PARAMS: usize = 64;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let dom = DomTree::dominators(&cfg);
    let mut known: Known = FxHashMap::default();
    let mut same = Renames::default();
    for b in dom.depth_first() {
        cx.step(f.blocks[b].insts.len() as u64)?;
        equal_params(f, &cfg, b, &mut same);
        let mut insts = std::mem::take(&mut f.blocks[b].insts);
        insts.retain(|&i| {
            same.inst(f, i);
            let d = &f.insts[i];
            if !d.op.is_pure() || d.results.is_empty() {
                return true;
            }
            let (found, is_opposite) = either_way(key(f, i, SmallVec::from_slice(&d.args)));
            let Some((first, opposite)) = earlier(&known, &found, &dom, b) else {
                known.insert(found, (b, i, is_opposite));
                return true;
            };
            if opposite != is_opposite {
                let first = f.insts[first].results[0];
                (f.insts[i].op, f.insts[i].args) = (Op::Not, [first].into_iter().collect());
                let complement = key(f, i, SmallVec::from_slice(&[first]));
                let Some((first, _)) = earlier(&known, &complement, &dom, b) else {
                    known.insert(complement, (b, i, false));
                    return true;
                };
                same.set(f.insts[i].results[0], f.insts[first].results[0]);
                return false;
            }
            for (&old, &new) in f.insts[i].results.iter().zip(&f.insts[first].results) {
                same.set(old, new);
            }
            false
        });
        f.blocks[b].insts = insts;
    }
    same.apply(f);
    Ok(())
}

/// The last instruction of each key with its block, and whether it is a comparison that says the opposite
/// of its key.
type Known = FxHashMap<Key, (Block, Inst, bool)>;

/// The instruction with a key that dominates a block.
fn earlier(known: &Known, key: &Key, dom: &DomTree, b: Block) -> Option<(Inst, bool)> {
    let &(at, first, opposite) = known.get(key)?;
    dom.dominates(at, b).then_some((first, opposite))
}

/// Returns the key of a pure instruction with these operands.
pub(crate) fn key(f: &Function, i: Inst, mut args: SmallVec<[Value; 4]>) -> Key {
    let d = &f.insts[i];
    if commutes(&d.op) {
        args.sort_unstable();
    } else if commutes_first_two(&d.op) {
        args[..2].sort_unstable();
    }
    (d.op, args, d.results.iter().map(|&v| f.width(v)).collect())
}

/// The key of a comparison with its operands in the canonical order, of those two conditions of which one is
/// the complement of the other; and whether it was the other one. Other keys stay as they are.
fn either_way((mut op, mut args, widths): Key) -> (Key, bool) {
    let mut is_opposite = false;
    let is_sorted = args.is_sorted();
    match &mut op {
        Op::Icmp(cond, _) => {
            if !is_sorted && let Some(swapped) = cond.swapped() {
                args.swap(0, 1);
                *cond = swapped;
            }
            if let (Cond::Ne | Cond::Gt | Cond::Ge, Some(inverse)) = (*cond, cond.inverse()) {
                (*cond, is_opposite) = (inverse, true);
            }
        }
        Op::Fcmp(_, cond, _) => {
            if !is_sorted {
                args.swap(0, 1);
                *cond = cond.mirrored();
            }
            if !matches!(cond, Cond::Eq | Cond::Ne | Cond::Lt | Cond::Le | Cond::Gt | Cond::Ge | Cond::Num) {
                (*cond, is_opposite) = (cond.complement(), true);
            }
        }
        _ => {}
    }
    ((op, args, widths), is_opposite)
}

/// Finds parameters of `b` that equal an earlier one. They stay in place, without uses.
fn equal_params(f: &Function, cfg: &Cfg, b: Block, same: &mut Renames) {
    let n = f.blocks[b].params.len();
    if !(2..=PARAMS).contains(&n) {
        return;
    }
    let mut rows: Vec<SmallVec<[Value; 4]>> = vec![SmallVec::new(); n];
    let mut done = None;
    for &p in &cfg.preds[b] {
        if done.replace(p) == Some(p) {
            continue;
        }
        for t in f.term(p).targets().into_iter().filter(|t| t.block == b) {
            for (row, &v) in rows.iter_mut().zip(&t.args) {
                row.push(same.get(v));
            }
        }
    }
    for k in 1..n {
        let q = f.blocks[b].params[k];
        let equal = (0..k).map(|j| (j, f.blocks[b].params[j])).find(|&(j, p)| {
            f.width(p) == f.width(q)
                && same.get(p) == p
                && rows[j]
                    .iter()
                    .zip(&rows[k])
                    .all(|(&x, &y)| x == y || (x == p && y == q) || changes_alike(f, same, (p, x), (q, y)))
        });
        if let Some((_, p)) = equal {
            same.set(q, p);
        }
    }
}

/// Whether `x` is computed from `p` by the operation that computes `y` from `q`.
fn changes_alike(f: &Function, same: &mut Renames, (p, x): (Value, Value), (q, y): (Value, Value)) -> bool {
    let (ValueDef::Result(i, m), ValueDef::Result(j, n)) = (f.values[x].def, f.values[y].def) else { return false };
    let (a, b) = (&f.insts[i], &f.insts[j]);
    let alike = |same: &mut Renames, v: Value, w: Value| (v == p && w == q) || same.get(v) == same.get(w);
    m == n
        && a.op == b.op
        && a.op.is_pure()
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(&v, &w)| alike(same, v, w))
}

/// Whether the operation is commutative in its two operands.
fn commutes(op: &Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Mul
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::MulHi(_)
            | Op::MulWide(_)
            | Op::Min(_)
            | Op::Max(_)
            | Op::Fadd(..)
            | Op::Fmul(..)
    )
}

/// Whether the operation is commutative in its first two operands.
fn commutes_first_two(op: &Op) -> bool {
    matches!(op, Op::Mad | Op::MadHi(_) | Op::MadWide(_) | Op::Ffma(..))
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    #[test]
    fn comparisons_are_one_whichever_way_they_are_written() {
        let kernel = |lines: &str| {
            let text = format!(
                "kernel k\nb0:\n v0: b32 = special.tid_x\n v1: b32 = special.ctaid_x\n{lines} v9: b32 = select v2, v0, v1\n \
                 v10: b32 = select v3, v0, v9\n warpsync v10\n exit\nend\n"
            );
            let mut f = parse(&text).unwrap().remove(0);
            crate::tests::apply(super::run, &mut f);
            raddle_ir::verify::verify(&f).unwrap();
            let text = print(&f);
            (text.matches("cmp.").count(), text.matches(" not ").count())
        };
        let pair = |op: &str, first: &str, second: &str, swap: bool| {
            let (x, y) = if swap { ("v1", "v0") } else { ("v0", "v1") };
            kernel(&format!(" v2: p = {op}.{first} v0, v1\n v3: p = {op}.{second} {x}, {y}\n"))
        };
        for (op, first, second, swap, result) in [
            ("icmp", "lt.s", "ge.s", false, (1, 1)),
            ("icmp", "lt.s", "gt.s", true, (1, 0)),
            ("icmp", "le.u", "lt.u", true, (1, 1)),
            ("icmp", "eq.u", "ne.u", true, (1, 1)),
            ("icmp", "lt.s", "ge.u", false, (2, 0)),
            ("icmp", "lt.s", "gt.s", false, (2, 0)),
            ("fcmp.f32", "ge", "ltu", false, (1, 1)),
            ("fcmp.f32", "lt", "gt", true, (1, 0)),
            ("fcmp.f32", "lt", "ge", false, (2, 0)),
            ("fcmp.f32", "num", "nan", true, (1, 1)),
            ("fcmp.f32", "ne", "equ", false, (1, 1)),
            ("fcmp.f32", "ne", "eq", false, (2, 0)),
        ] {
            assert_eq!(pair(op, first, second, swap), result, "{op} {first} {second}");
        }
    }

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
        // Neither block dominates the other, so both products stay; so do both reads of the clock.
        assert_eq!((text.matches(" mul ").count(), text.matches("clock").count()), (2, 2), "{text}");
    }
}
