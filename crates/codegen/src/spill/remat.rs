//! Rematerialisation: registers that are cheaply computed again need not be kept or stored.
//!
//! A register qualifies if all its definitions are equal instructions of fixed latency without
//! guard and register operands: moves of immediates, relocated ones too, and of constants from a
//! bank. What those read does not change during a launch.
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
pub fn candidates(f: &MFunction, file: File) -> SecondaryMap<V, Option<Box<MInst>>> {
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
        let mut definitions: SecondaryMap<V, u32> = SecondaryMap::new();
        definitions.resize(f.vregs.len());
        let all = || f.layout.iter().flat_map(|&b| &f.blocks[b].insts);
        all().for_each(|i| i.for_each_def(|v| definitions[v] += 1));
        let mut families: BTreeMap<V, Vec<(V, &MInst)>> = BTreeMap::new();
        for i in all() {
            let Some((v, base)) = derivation(i, isa) else { continue };
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

/// The result of an instruction of fixed latency without effects or guard, and the only register that
/// it reads.
fn derivation(i: &MInst, isa: Isa) -> Option<(V, V)> {
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
    match (results.as_slice(), sources.split_first()) {
        (&[to], Some((&from, rest))) if to != from && rest.iter().all(|&v| v == from) => Some((to, from)),
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
    use crate::mir::{MFunction, MOp, V};
    use crate::sass;
    use crate::testing::{constant, function, push, value};

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
        let found = candidates(&f, File::Gpr);
        assert!(found[equal].is_some());
        assert!(found[different].is_none());
        assert!(found[loaded].is_none());
    }
}
