//! Values that a loop computes from their old ones, such as counters and addresses.
//!
//! Problem: the new value of a loop-carried variable gets the register of the old one only if
//! nothing reads the old one any more. Otherwise the loop ends with a move, in a block of its own,
//! and with a second branch. Strategy: an instruction that defines a new value goes after the last
//! reader of the old one in its block, and stays there in every order, as if it overwrote it.
//!
//! Invariant: an instruction moves down only past instructions that do not read its results.

use raddle_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::effects::{Role, ssa_role};
use crate::mir::{MArg, MBlock, MBlockData, MGuard, MInst, MKind, MOp, V};

/// The blocks of a function.
pub(super) type Blocks = PrimaryMap<MBlock, MBlockData>;

/// New values with the old ones.
pub(super) type Updates = FxHashMap<V, V>;

/// The values that a block passes back to the start of a loop, with the parameters that they replace.
pub(super) fn of(blocks: &Blocks, b: MBlock) -> Updates {
    let mut out = Updates::default();
    for e in blocks[b].term.edges() {
        for (arg, &old) in e.args.iter().zip(&blocks[e.to].params) {
            if let MArg::Reg(new) = arg {
                out.insert(*new, old);
            }
        }
    }
    out
}

/// Moves the definitions of new values after the readers of the old ones, and returns the updates where the
/// definition is in the block, after all readers there.
pub(super) fn sink(insts: &mut [MInst], mut updates: Updates) -> Updates {
    if updates.is_empty() {
        return updates;
    }
    let mut order: SmallVec<[V; 8]> = SmallVec::new();
    insts.iter().for_each(|i| i.for_each_def(|v| order.extend(updates.contains_key(&v).then_some(v))));
    updates.retain(|v, _| order.contains(v));
    // The low word of a sum after the high one, which reads its carry.
    for new in order.into_iter().rev() {
        let old = updates[&new];
        if !sunk(insts, new, old) {
            updates.remove(&new);
        }
    }
    updates
}

/// Whether an instruction may move past others that do not read its results.
fn is_free(i: &MInst) -> bool {
    let physical = |o: &MOp| match &o.kind {
        MKind::Phys(_) | MKind::Uniform(_) => true,
        MKind::Addr { phys, .. } => phys.is_some(),
        _ => false,
    };
    let access = i.row().effects.reads.is_some() || i.row().effects.writes.is_some();
    let free = ssa_role(i) == Role::Free;
    free && !access && !i.ops.iter().any(physical) && !matches!(i.guard, MGuard::Phys(..))
}

/// Moves the definition of `new` after the last reader of `old`; returns whether it is there.
fn sunk(insts: &mut [MInst], new: V, old: V) -> bool {
    let defines = |i: &MInst| {
        let mut found = false;
        i.for_each_def(|v| found |= v == new);
        found
    };
    let reads = |i: &MInst, v: V| {
        let mut found = false;
        i.for_each_use(|u| found |= u == v);
        found
    };
    let Some(from) = insts.iter().position(defines) else { return false };
    let Some(to) = insts.iter().rposition(|i| reads(i, old)).filter(|&to| to > from) else { return true };
    let mut results: SmallVec<[V; 4]> = SmallVec::new();
    insts[from].for_each_def(|v| results.push(v));
    if !is_free(&insts[from]) || insts[from + 1..=to].iter().any(|i| results.iter().any(|&v| reads(i, v))) {
        return false;
    }
    insts[from..=to].rotate_left(1);
    true
}

#[cfg(test)]
mod tests {
    use raddle_sass::row::File;

    use super::*;
    use crate::mir::MTerm;
    use crate::testing::{add, constant, edge, function, params, store};

    /// A block that loops: its parameter, its sum with a constant, and what `more` appends.
    fn function_of(more: impl Fn(&mut crate::mir::MFunction, V, V)) -> (Vec<MInst>, Updates, V, V) {
        let mut f = function(1);
        let old = params(&mut f, 0, 1)[0];
        let one = constant(&mut f, 0, 1);
        let new = add(&mut f, 0, old, one);
        more(&mut f, old, new);
        let b = f.layout[0];
        f.blocks[b].term = MTerm::Jump(edge(&f, 0, &[new]));
        let updates = of(&f.blocks, b);
        let mut insts = f.blocks[b].insts.clone();
        let updates = sink(&mut insts, updates);
        assert_eq!(f.vregs[new], File::Gpr);
        (insts, updates, old, new)
    }

    fn place(insts: &[MInst], v: V) -> usize {
        let defines = |i: &MInst| {
            let mut found = false;
            i.for_each_def(|d| found |= d == v);
            found
        };
        insts.iter().position(defines).unwrap()
    }

    #[test]
    fn a_new_value_follows_the_readers_of_the_old() {
        let (insts, updates, old, new) = function_of(|f, old, _| {
            store(f, 0, &[old]);
            store(f, 0, &[old, old]);
        });
        assert_eq!(updates.get(&new), Some(&old));
        assert_eq!(place(&insts, new), insts.len() - 1);
    }

    #[test]
    fn a_new_value_that_is_read_first_stays() {
        let (insts, updates, _, new) = function_of(|f, old, new| {
            store(f, 0, &[new]);
            store(f, 0, &[old]);
        });
        assert!(updates.is_empty());
        assert_eq!(place(&insts, new), 1);
    }
}
