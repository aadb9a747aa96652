//! Rematerialisation: registers that are cheaply computed again need not be kept or stored.
//!
//! A general or uniform register qualifies if all its definitions are equal instructions of fixed latency without
//! guard and register operands: moves of immediates, relocated ones too, and of constants from a
//! bank. What those read does not change during a launch. A predicate qualifies if its only definition
//! compares constants and one register that stays in place anyway.
//!
//! [`Derived`] registers are computed from one other register, their *base*: addresses at constant
//! distances, of which a tile has dozens. Several of them are worth one base that stays in place as
//! long as any of them is read. A register that a loop keeps while it computes the base anew does not
//! qualify: it is that of the base before.

use std::collections::BTreeMap;

use raddle_entity::{FxHashSet, SecondaryMap};
use raddle_sass::row::File;
use raddle_sass::{Isa, Op};
use smallvec::SmallVec;

use crate::live::for_each_end_use;
use crate::mir::{MFunction, MGuard, MInst, MKind, V};

/// Fewest derived registers that are worth a base.
const FAMILY: usize = 3;

/// Returns the instruction that rematerialises each register of a file, if there is one.
pub fn candidates(f: &MFunction, file: File, isa: Isa) -> SecondaryMap<V, Option<Box<MInst>>> {
    if file == File::Pred { compares(f, isa) } else { constants(f, file) }
}

/// The constants of a file.
fn constants(f: &MFunction, file: File) -> SecondaryMap<V, Option<Box<MInst>>> {
    let mut out: SecondaryMap<V, Option<Box<MInst>>> = SecondaryMap::new();
    let mut refused: SecondaryMap<V, bool> = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        let cheap = is_cheap(i);
        i.for_each_def(|v| {
            if f.vregs[v] != file {
                return;
            }
            let same = cheap && out[v].as_ref().is_none_or(|j| same_but_register(i, j));
            if same && !refused[v] {
                out[v].get_or_insert_with(|| Box::new(i.clone()));
            } else {
                refused[v] = true;
                out[v] = None;
            }
        });
    }
    out
}

/// The predicates that are computed from constants, or from one general or uniform register that is live
/// for as long as they are and keeps its value: no other register needs to keep them.
fn compares(f: &MFunction, isa: Isa) -> SecondaryMap<V, Option<Box<MInst>>> {
    let definitions = definitions(f);
    let ranges = crate::live::ranges(f);
    // Where each register with one definition is written.
    let mut written: SecondaryMap<V, u32> = SecondaryMap::new();
    for (at, v) in points_of_definitions(f) {
        written[v] = at;
    }
    let is_kept = |v: V, base: V| {
        let inside = |&(from, to): &(u32, u32)| ranges.of(base).iter().any(|r| r.0 <= from && to <= r.1);
        let again = ranges.of(v).iter().any(|r| r.0 <= written[base] && written[base] < r.1);
        matches!(f.vregs[base], File::Gpr | File::Ugpr)
            && definitions[base] == 1
            && ranges.of(v).iter().all(inside)
            && !again
    };
    let mut out: SecondaryMap<V, Option<Box<MInst>>> = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        if let Some((v, base)) = derivation(i, isa)
            && f.vregs[v] == File::Pred
            && definitions[v] == 1
            && base.is_none_or(|base| is_kept(v, base))
        {
            out[v] = Some(Box::new(i.clone()));
        }
    }
    out
}

/// The points at which instructions write registers ([`crate::live`]).
fn points_of_definitions(f: &MFunction) -> Vec<(u32, V)> {
    let writes = crate::alloc::points(f, |i| {
        let mut written: SmallVec<[V; 4]> = SmallVec::new();
        i.for_each_def(|v| written.push(v));
        Some(written)
    });
    writes.into_iter().flat_map(|(at, list)| list.into_iter().map(move |v| (at, v))).collect()
}

/// How many instructions write each register.
pub(super) fn definitions(f: &MFunction) -> SecondaryMap<V, u32> {
    let mut definitions: SecondaryMap<V, u32> = SecondaryMap::new();
    definitions.resize(f.vregs.len());
    f.layout.iter().flat_map(|&b| &f.blocks[b].insts).for_each(|i| i.for_each_def(|v| definitions[v] += 1));
    definitions
}

/// Registers that are computed from a base.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// Each with its base, in the order of their definitions.
    pub list: Vec<(V, V)>,
    /// Whether a register is a base. Bases must stay in place.
    pub is_base: SecondaryMap<V, bool>,
}

impl Derived {
    /// Finds those of the general registers, and adds the instructions to `cheap`.
    pub fn of(f: &MFunction, isa: Isa, cheap: &mut SecondaryMap<V, Option<Box<MInst>>>) -> Derived {
        let definitions = definitions(f);
        let all = || f.layout.iter().flat_map(|&b| &f.blocks[b].insts);
        let mut families: BTreeMap<V, Vec<(V, &MInst)>> = BTreeMap::new();
        for i in all() {
            let Some((v, Some(base))) = derivation(i, isa) else { continue };
            let general = [v, base].iter().all(|&x| f.vregs[x] == File::Gpr && definitions[x] == 1);
            if general && cheap[v].is_none() && cheap[base].is_none() {
                families.entry(base).or_default().push((v, i));
            }
        }
        let outlived = outlived(f, &families);
        families.values_mut().for_each(|of| of.retain(|(v, _)| !outlived.contains(v)));
        let mut order: Vec<(usize, V)> = families.iter().map(|(&base, of)| (of.len(), base)).collect();
        // The largest families first; the lower number at equal sizes.
        order.sort_by_key(|&(size, base)| (std::cmp::Reverse(size), base));
        let mut derived = Derived { list: Vec::new(), is_base: SecondaryMap::new() };
        derived.is_base.resize(f.vregs.len());
        for (_, base) in order {
            if cheap[base].is_some() {
                continue;
            }
            let family = families[&base].iter().filter(|(v, _)| !derived.is_base[*v]);
            if family.clone().count() >= FAMILY {
                for &(v, i) in family {
                    cheap[v] = Some(Box::new(i.clone()));
                    derived.list.push((v, base));
                }
                derived.is_base[base] = true;
            }
        }
        derived
    }

    /// Returns the function with every base read where what is derived from it is read.
    pub fn marked(&self, f: &MFunction) -> MFunction {
        let mut base: SecondaryMap<V, Option<V>> = SecondaryMap::new();
        self.list.iter().for_each(|&(v, b)| base[v] = Some(b));
        let mut f = f.clone();
        for b in f.layout.clone() {
            for i in &mut f.blocks[b].insts {
                let mut bases = Vec::new();
                i.for_each_use(|v| bases.extend(base[v]));
                i.kept.extend(bases);
            }
        }
        f
    }
}

/// The derived registers that are live where their bases are defined: registers without a value at the start of a
/// loop have one definition, too.
fn outlived(f: &MFunction, families: &BTreeMap<V, Vec<(V, &MInst)>>) -> FxHashSet<V> {
    if families.is_empty() {
        return FxHashSet::default();
    }
    let ranges = crate::live::ranges(f);
    let bases = crate::alloc::points(f, |i| {
        let mut bases: SmallVec<[V; 2]> = SmallVec::new();
        i.for_each_def(|v| bases.extend(families.contains_key(&v).then_some(v)));
        (!bases.is_empty()).then_some(bases)
    });
    let defined = bases.iter().flat_map(|(at, bases)| bases.iter().map(|base| (*at, &families[base])));
    let live = |v: V, at: u32| ranges.of(v).iter().any(|&(start, end)| start <= at && at < end);
    defined.flat_map(|(at, of)| of.iter().map(|e| e.0).filter(move |&v| live(v, at))).collect()
}

/// The result of an instruction of fixed latency without effects or guard, and the register that it
/// reads; `None` if it reads none, but no instruction that reads several.
fn derivation(i: &MInst, isa: Isa) -> Option<(V, Option<V>)> {
    let e = i.row().effects;
    let pure = e.reads.is_none() && e.writes.is_none() && !e.convergent && !e.barrier && !e.branch;
    let fixed = !e.variable.contains(isa) && i.guard == MGuard::Always && i.reloc.is_none() && i.kept.is_empty();
    let plain = i.ops.iter().all(|o| match &o.kind {
        MKind::Regs(vs) => vs.len() == 1,
        MKind::Zero | MKind::Imm(_) | MKind::Named(_) | MKind::CBank { index: None, .. } => true,
        _ => false,
    });
    if !(pure && fixed && plain) {
        return None;
    }
    let (mut results, mut sources) = (Vec::new(), Vec::new());
    i.for_each_def(|v| results.push(v));
    i.for_each_use(|v| sources.push(v));
    sources.dedup();
    match (results.as_slice(), sources.as_slice()) {
        (&[to], []) => Some((to, None)),
        (&[to], &[from]) if to != from => Some((to, Some(from))),
        _ => None,
    }
}

/// Whether it moves a constant.
pub(super) fn is_cheap(i: &MInst) -> bool {
    if i.guard != MGuard::Always || !matches!(i.row().op, Op::Mov | Op::Umov) {
        return false;
    }
    let mut written = 0;
    i.for_each_def(|_| written += 1);
    let mut read = 0;
    i.for_each_use(|_| read += 1);
    let plain = i.ops.iter().all(|o| !matches!(o.kind, MKind::Phys(_) | MKind::Uniform(_)));
    written == 1 && read == 0 && plain
}

/// Whether two instructions that write one register each compute the same.
fn same_but_register(a: &MInst, b: &MInst) -> bool {
    a.row == b.row
        && a.fields == b.fields
        && a.reloc == b.reloc
        && a.ops.iter().zip(&b.ops).enumerate().all(|(n, (x, y))| a.is_def(n) || x == y)
}

/// Removes cheap instructions whose results are unused.
pub fn drop_unread(f: &mut MFunction, file: File, isa: Isa) {
    let mut read: SecondaryMap<V, bool> = SecondaryMap::new();
    read.resize(f.vregs.len());
    for &b in &f.layout {
        f.blocks[b].insts.iter().for_each(|i| i.for_each_use(|v| read[v] = true));
        for_each_end_use(&f.blocks[b].term, |v| read[v] = true);
    }
    let MFunction { blocks, vregs, layout, .. } = f;
    for &b in layout.iter() {
        blocks[b].insts.retain(|i| {
            let mut unread = true;
            i.for_each_def(|v| unread &= vregs[v] == file && !read[v]);
            !unread || !is_cheap(i) && derivation(i, isa).is_none()
        });
    }
}

#[cfg(test)]
mod tests {
    use raddle_sass::row::{File, SlotRole};

    use super::candidates;
    use crate::mir::{MFunction, MGuard, MOp, V};
    use crate::sass;
    use crate::sass::tokens::{IntCmp, Unsigned};
    use crate::testing::{ISA, add, branch, constant, function, jump, positive, push, store, value};

    /// Of what a loop compares, one value is of before the loop, one ends with the comparison, and one is
    /// read once more after the predicates.
    #[test]
    fn a_predicate_qualifies_if_what_it_compares_stays() {
        let mut f = function(4);
        let before = value(&mut f, 0);
        jump(&mut f, 0, 1, &[]);
        let (short, long) = (value(&mut f, 1), value(&mut f, 1));
        let ps = [before, short, long].map(|v| positive(&mut f, 1, v));
        jump(&mut f, 1, 2, &[]);
        let sum = add(&mut f, 2, before, long);
        ps.iter().for_each(|&p| guarded_store(&mut f, 2, p, sum));
        store(&mut f, 2, &[long]);
        branch(&mut f, 2, ps[0], (1, &[]), (3, &[]));
        store(&mut f, 3, &[before]);
        f.ssa = false;
        let found = candidates(&f, File::Pred, ISA);
        assert_eq!(ps.map(|p| found[p].is_some()), [true, false, true]);
    }

    #[test]
    fn a_predicate_of_the_iteration_before_does_not_qualify() {
        let mut f = function(3);
        jump(&mut f, 0, 1, &[]);
        // Before it is read, the loop makes the next value.
        let v = value(&mut f, 1);
        let p = f.vreg(File::Pred);
        guarded_store(&mut f, 1, p, v);
        let given = [(SlotRole::Pd, MOp::reg(p)), (SlotRole::Ra, MOp::reg(v)), (SlotRole::Rb, MOp::zero())];
        push(&mut f, 1, sass::isetp(IntCmp::Gt, Unsigned::None), &given);
        store(&mut f, 1, &[v]);
        let more = positive(&mut f, 1, v);
        branch(&mut f, 1, more, (1, &[]), (2, &[]));
        store(&mut f, 2, &[v]);
        f.ssa = false;
        assert!(candidates(&f, File::Pred, ISA)[p].is_none());
    }

    /// Appends a store that a predicate guards.
    fn guarded_store(f: &mut MFunction, b: usize, p: V, v: V) {
        store(f, b, &[v]);
        let b = f.layout[b];
        f.blocks[b].insts.last_mut().unwrap().guard = MGuard::Virtual(p, false);
    }

    /// Appends another definition of a register as a constant.
    fn again(f: &mut MFunction, b: usize, v: V, n: u32) {
        push(f, b, sass::mov(), &[(SlotRole::Rd, MOp::reg(v)), (SlotRole::Rb, MOp::imm(n))]);
    }

    #[test]
    fn a_register_with_several_definitions_qualifies_if_they_are_equal() {
        let mut f = function(2);
        let (equal, different, loaded) = (constant(&mut f, 0, 7), constant(&mut f, 0, 7), value(&mut f, 0));
        again(&mut f, 1, equal, 7);
        again(&mut f, 1, different, 8);
        // Also not after it has been refused once.
        again(&mut f, 1, different, 7);
        again(&mut f, 1, loaded, 7);
        let found = candidates(&f, File::Gpr, ISA);
        assert!(found[equal].is_some());
        assert!(found[different].is_none());
        assert!(found[loaded].is_none());
    }
}
