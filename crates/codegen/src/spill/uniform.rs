//! Homes in uniform registers, for general registers that hold one value in all lanes.
//!
//! Problem: a loop counter, an address of a table or a coefficient takes a register of every lane,
//! while most of the 63 uniform registers of the warp are free. Strategy: such a register is stored
//! by `R2UR` after its definitions, a constant by `UMOV` or `ULDC`. Where every instruction that reads it has
//! a form with a uniform operand, it is read from its home only ([`share`]); otherwise it is reloaded by a `MOV`
//! as by any spill, or read from its home where that is possible ([`fold`]).
//!
//! Invariant: a home is written only in blocks that all lanes which have not exited run together
//! ([`Uniformity::together`]), as by [`crate::uniformize`]; so it never changes under lanes that still
//! read it. Functions that call, are called or let some lanes go on by `WARPSYNC` have none, nor has what
//! depends on a load that is not weak.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::order::Strength;
use raddle_ir::{Block, Stop};
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotKind, SlotRole};
use raddle_sass::{Isa, Op};
use smallvec::SmallVec;

use super::Traffic;
use crate::combine::operands::with_uniform;
use crate::convention::is_call;
use crate::destruct::Groups;
use crate::graph::b as ir_block;
use crate::mir::{MArg, MFunction, MGuard, MInst, MKind, MOp, V};
use crate::sass::{self, tokens::BankSize};
use crate::uniform::Uniformity;

/// The general registers of a function in SSA form that may have a home in a uniform register;
/// `joined` is that of [`Uniformity::together`].
pub fn candidates(f: &MFunction, joined: &SecondaryMap<Block, Option<Block>>) -> SecondaryMap<V, bool> {
    let mut out: SecondaryMap<V, bool> = SecondaryMap::new();
    let all = || f.layout.iter().flat_map(|&b| &f.blocks[b].insts);
    if f.called || all().any(|i| is_call(i) || joins_some(i)) {
        return out;
    }
    let uniform = Uniformity::of(f);
    let together = uniform.together(f, joined);
    let (preds, observed) = (f.preds(), observed(f));
    for &b in f.layout.iter().filter(|b| together[ir_block(**b)]) {
        let enters = preds[b].iter().all(|p| together[ir_block(*p)] && !uniform.parts(f, ir_block(*p)));
        let data = &f.blocks[b];
        let mut note = |v: V, fits: bool| out[v] = fits && f.vregs[v] == File::Gpr && uniform.same(v) && !observed[v];
        data.params.iter().for_each(|&v| note(v, enters));
        for i in &data.insts {
            i.for_each_def(|v| note(v, i.guard == MGuard::Always));
        }
    }
    out
}

/// Registers that depend on what a load that is not weak observed: of such a load, lanes may observe different values
/// at one address ([`raddle_ir::order`]), and each lane must keep to its own.
fn observed(f: &MFunction) -> SecondaryMap<V, bool> {
    let mut out: SecondaryMap<V, bool> = SecondaryMap::new();
    let loads = |i: &MInst| i.strength != Strength::Weak && i.row().effects.reads.is_some();
    let all = || f.layout.iter().flat_map(|&b| &f.blocks[b].insts);
    for i in all().filter(|i| loads(i)) {
        i.for_each_def(|v| out[v] = true);
    }
    let mut changed = !out.is_empty();
    while std::mem::take(&mut changed) {
        let mut note = |out: &mut SecondaryMap<V, bool>, v: V| changed |= !std::mem::replace(&mut out[v], true);
        for &b in &f.layout {
            for i in &f.blocks[b].insts {
                let mut depends = false;
                i.for_each_use(|v| depends |= out[v]);
                if depends {
                    i.for_each_def(|v| note(&mut out, v));
                }
            }
            for e in f.blocks[b].term.edges() {
                for (a, &p) in e.args.iter().zip(&f.blocks[e.to].params) {
                    if matches!(*a, MArg::Reg(v) if out[v]) {
                        note(&mut out, p);
                    }
                }
            }
        }
    }
    out
}

/// Whether it is a `WARPSYNC` that lets some lanes of a warp continue without the others.
fn joins_some(i: &MInst) -> bool {
    let all = |o: &MOp| matches!(o.kind, MKind::Imm(u32::MAX) | MKind::Zero);
    i.row().op == Op::Warpsync && !i.ops.iter().all(all)
}

/// The home that an instruction copies to a general register, and that register.
fn reload(i: &MInst) -> Option<(V, V)> {
    let at = i.row().slots.iter().position(|s| s.role == SlotRole::Rb && matches!(s.kind, SlotKind::UReg(_)))?;
    match (i.row().op, &i.slot(SlotRole::Rd)?.kind, &i.ops[at].kind) {
        (Op::Mov, MKind::Regs(to), MKind::Regs(from)) if i.guard == MGuard::Always && from.len() == 1 => {
            Some((to[0], from[0]))
        }
        _ => None,
    }
}

/// The instruction that moves a constant to a uniform register as `i` does to a general one.
pub(super) fn constant(isa: Isa, i: &MInst, to: V) -> Option<MInst> {
    let source = i.slot(SlotRole::Rb).filter(|_| i.row().op == Op::Mov && i.reloc.is_none())?;
    let (mnemonic, role) = match source.kind {
        MKind::Imm(_) => (sass::umov(), SlotRole::Imm),
        MKind::CBank { index: None, .. } => (sass::uldc(BankSize::None), SlotRole::Misc),
        _ => return None,
    };
    find(isa, &mnemonic, &[(SlotRole::Rd, MOp::reg(to)), (role, source.clone())]).map(|form| MInst::new(form, i.place))
}

/// Lets instructions read homes, of which `is_home` tells, in place of registers that are reloaded from
/// them; removes reloads that nothing reads any more.
pub(super) fn fold(f: &mut MFunction, groups: &mut Groups, isa: Isa, is_home: &SecondaryMap<V, bool>) {
    let mut written: SecondaryMap<V, u32> = SecondaryMap::new();
    let mut home: SecondaryMap<V, Option<V>> = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        i.for_each_def(|v| written[v] += 1);
        if let Some((to, from)) = reload(i).filter(|(_, from)| is_home[*from]) {
            home[to] = Some(from);
        }
    }
    let home_of = |v: V| home[v].filter(|_| written[v] == 1);
    let mut read: SecondaryMap<V, bool> = SecondaryMap::new();
    for b in f.layout.clone() {
        for i in &mut f.blocks[b].insts {
            if let Some(new) = folded(i, groups, isa, &home_of) {
                *i = new;
            }
            i.for_each_use(|v| read[v] = true);
        }
        crate::live::for_each_end_use(&f.blocks[b].term, |v| read[v] = true);
    }
    for b in f.layout.clone() {
        f.blocks[b].insts.retain(|i| !matches!(reload(i), Some((to, _)) if home_of(to).is_some() && !read[to]));
    }
}

/// An instruction with one operand read from its homes, if it has such a form.
fn folded(i: &MInst, groups: &mut Groups, isa: Isa, home_of: &impl Fn(V) -> Option<V>) -> Option<MInst> {
    (0..i.ops.len()).filter(|&k| !i.is_def(k)).find_map(|k| {
        let MKind::Regs(vs) = &i.ops[k].kind else { return None };
        let us: SmallVec<[V; 4]> = vs.iter().map(|&v| home_of(v)).collect::<Option<_>>()?;
        let fits = us.len() == 1 || groups.fits(&us) || groups.free(&us);
        let new = if fits { with_uniform(isa, i, k, &us) } else { None }?;
        if us.len() > 1 && groups.free(&us) {
            groups.make(&us);
        }
        Some(new)
    })
}

/// Registers of `alike` that every instruction which reads them can read from their homes, alone or in one
/// list of registers.
pub(super) fn readable(f: &MFunction, isa: Isa, alike: &SecondaryMap<V, bool>) -> Readable {
    let mut out = Readable::default();
    if alike.is_empty() {
        return out;
    }
    let mut refused: SecondaryMap<V, bool> = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        let mut any = false;
        i.for_each_use(|v| any |= alike[v] && !refused[v]);
        if !any {
            continue;
        }
        let fits = |vs: &[V], out: &Readable| {
            let listed = |v: V| out.lists.get(&v).is_none_or(|l| l.as_slice() == vs);
            vs.iter().all(|&v| alike[v] && !refused[v] && (vs.len() == 1 || listed(v)))
        };
        let operands = i.ops.iter().enumerate().filter(|(k, _)| !i.is_def(*k));
        let taken = operands.filter_map(|(k, o)| if let MKind::Regs(vs) = &o.kind { Some((k, vs)) } else { None });
        let taken = taken.into_iter().find(|(k, vs)| fits(vs, &out) && with_uniform(isa, i, *k, vs).is_some());
        let mut here: SmallVec<[V; 4]> = SmallVec::new();
        if let Some((_, vs)) = taken {
            here.extend(vs.iter().copied());
            for &v in vs {
                out.is[v] = true;
                if vs.len() > 1 {
                    out.lists.entry(v).or_insert_with(|| vs.iter().copied().collect());
                }
            }
        }
        // What it reads elsewhere, or twice.
        i.for_each_use(|v| match here.iter().position(|&x| x == v) {
            Some(n) => _ = here.swap_remove(n),
            None => refused[v] |= alike[v],
        });
    }
    for &b in &f.layout {
        crate::live::for_each_end_use(&f.blocks[b].term, |v| refused[v] = true);
    }
    for v in f.vregs.keys() {
        let list = out.lists.get(&v);
        if refused[v] || list.is_some_and(|list| list.iter().any(|&w| refused[w])) {
            out.is[v] = false;
        }
    }
    out
}

/// Registers that are read from their homes only.
#[derive(Default)]
pub struct Readable {
    /// Whether a register is one.
    pub is: SecondaryMap<V, bool>,
    /// The list of several in which it is read, if there is one.
    lists: FxHashMap<V, SmallVec<[V; 4]>>,
}

impl Readable {
    /// Adds to each register those that are read in one list with it.
    pub(super) fn with_lists(&self, vs: &[V]) -> Vec<V> {
        let mut all: Vec<V> = vs.to_vec();
        all.extend(vs.iter().filter_map(|v| self.lists.get(v)).flatten());
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Moves registers to their homes for good: every instruction reads these, and writes them after the
/// registers.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks an instruction.
pub(super) fn share(
    f: &mut MFunction,
    groups: &mut Groups,
    traffic: &Traffic<'_>,
    home: &FxHashMap<V, V>,
) -> Result<(), Stop> {
    for b in f.layout.clone() {
        let mut out = Vec::with_capacity(f.blocks[b].insts.len());
        for mut i in std::mem::take(&mut f.blocks[b].insts) {
            let operand = (0..i.ops.len()).filter(|&k| !i.is_def(k)).find_map(|k| match &i.ops[k].kind {
                MKind::Regs(vs) if home.contains_key(&vs[0]) => {
                    Some((k, vs.iter().map(|v| home.get(v).copied()).collect::<Option<SmallVec<[V; 4]>>>()))
                }
                _ => None,
            });
            if let Some((k, us)) = operand {
                let read = us.and_then(|us| {
                    if us.len() > 1 && groups.free(&us) {
                        groups.make(&us);
                    }
                    with_uniform(traffic.isa, &i, k, &us).filter(|_| us.len() == 1 || groups.fits(&us))
                });
                let internal = || Stop::Internal { pass: "spill", what: "no form that reads a home".to_owned() };
                i = read.ok_or_else(internal)?;
            }
            let mut written: SmallVec<[V; 2]> = SmallVec::new();
            i.for_each_def(|v| written.extend(home.contains_key(&v).then_some(v)));
            let place = i.place;
            out.push(i);
            for v in written {
                out.extend(traffic.store(f, v, v, place)?);
            }
        }
        f.blocks[b].insts = out;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Survey, WithoutMemory, without_memory};
    use super::*;
    use crate::mir::MTerm;
    use crate::testing::{
        ISA, add, branch, constant, edge, function, jump, names, params, positive, push, store, value,
    };
    use crate::{coalesce, destruct};

    fn thread(f: &mut MFunction, b: usize) -> V {
        let v = f.vreg(File::Gpr);
        let given = [(SlotRole::Rd, MOp::reg(v)), (SlotRole::Misc, MOp::new(MKind::Special(33)))];
        push(f, b, sass::s2r(), &given);
        v
    }

    /// The function with at most `limit` general registers live at once, without memory; `None` if that needs
    /// memory.
    fn squeezed(f: &MFunction, limit: usize) -> Option<MFunction> {
        let mut f = f.clone();
        let groups = destruct::run(&mut f, ISA).unwrap();
        let groups = coalesce::run(&mut f, &groups, &[]);
        let survey = Survey::of(&f, File::Gpr, ISA);
        match without_memory(&f, &groups, &survey, limit).unwrap() {
            WithoutMemory::Done(f, _) => {
                crate::verify::check(&f, "spill").unwrap();
                assert!(crate::pressure::peak(&f, File::Gpr) <= limit);
                Some(*f)
            }
            WithoutMemory::Unchanged => panic!("nothing is evicted"),
            WithoutMemory::NeedsMemory => None,
        }
    }

    /// Six loaded values that are added to the thread's index, one after the other.
    fn sums(f: &mut MFunction) {
        let mut sum = thread(f, 0);
        let vs: Vec<V> = (0..6).map(|_| value(f, 0)).collect();
        for v in vs {
            sum = add(f, 0, sum, v);
        }
        store(f, 0, &[sum]);
    }

    #[test]
    fn instructions_read_values_of_all_lanes_from_their_homes() {
        let mut f = function(1);
        sums(&mut f);
        assert!(squeezed(&f, 3).is_none(), "without homes it needs memory");
        f.alike = candidates(&f, &SecondaryMap::new());
        let f = squeezed(&f, 3).unwrap();
        let names = names(&f, f.layout[0]);
        let count = |name: &str| names.iter().filter(|n| **n == name).count();
        assert!(count("R2UR") >= 4, "{names:?}");
        assert_eq!((count("MOV"), count("IADD3")), (0, 6), "{names:?}");
    }

    #[test]
    fn values_of_one_lane_and_of_some_lanes_have_no_such_home() {
        // Lanes part at the end of block 0, and are never joined.
        let mut f = function(3);
        let own = thread(&mut f, 0);
        let common = value(&mut f, 0);
        let parts = positive(&mut f, 0, own);
        branch(&mut f, 0, parts, (1, &[]), (2, &[]));
        let of_some = value(&mut f, 1);
        store(&mut f, 1, &[of_some, common]);
        // Lanes that end at once would be ignored.
        store(&mut f, 2, &[own]);
        let alike = candidates(&f, &SecondaryMap::new());
        assert_eq!([own, common, of_some].map(|v| alike[v]), [false, true, false]);
    }

    #[test]
    fn what_lanes_observed_has_no_such_home() {
        let mut f = function(1);
        let (weak, strong) = (value(&mut f, 0), value(&mut f, 0));
        let b = f.layout[0];
        f.blocks[b].insts.last_mut().unwrap().strength = Strength::Strong;
        let (one, both) = (add(&mut f, 0, weak, weak), add(&mut f, 0, weak, strong));
        store(&mut f, 0, &[one, both]);
        let alike = candidates(&f, &SecondaryMap::new());
        assert_eq!([weak, strong, one, both].map(|v| alike[v]), [true, false, true, false]);
    }

    #[test]
    fn lanes_that_a_warpsync_lets_go_have_no_such_homes() {
        for (mask, some) in [(u32::MAX, false), (0xff, true)] {
            let mut f = function(1);
            let v = value(&mut f, 0);
            store(&mut f, 0, &[v]);
            let name = crate::sass::warpsync();
            // The form of sm_80 with a constant.
            let form = find(Isa::Sm80, &name, &[(SlotRole::Imm, MOp::imm(mask))]).unwrap();
            let b = f.layout[0];
            f.blocks[b].insts.insert(0, MInst::new(form, raddle_ir::SourcePos::default()));
            assert_eq!(candidates(&f, &SecondaryMap::new())[v], !some);
        }
    }

    #[test]
    fn a_counter_is_copied_once_in_each_iteration() {
        let mut f = function(3);
        let own = thread(&mut f, 0);
        let step = value(&mut f, 0);
        let start = constant(&mut f, 0, 16);
        jump(&mut f, 0, 1, &[]);
        let counter = params(&mut f, 1, 1)[0];
        let first = f.layout[0];
        let mut e = edge(&f, 1, &[]);
        e.args.push(MArg::Reg(start));
        f.blocks[first].term = MTerm::Jump(e);
        let sum = add(&mut f, 1, own, counter);
        store(&mut f, 1, &[sum]);
        let next = add(&mut f, 1, counter, step);
        let more = positive(&mut f, 1, next);
        branch(&mut f, 1, more, (1, &[next]), (2, &[]));
        store(&mut f, 2, &[own]);
        f.alike = candidates(&f, &SecondaryMap::new());
        assert!([counter, next, step].iter().all(|&v| f.alike[v]));
        let f = squeezed(&f, 2).unwrap();
        let body = names(&f, f.layout[1]);
        assert!(body.iter().filter(|n| **n == "R2UR").count() <= 1, "{body:?}");
    }

    #[test]
    fn constants_of_a_bank_are_loaded_to_their_homes() {
        let mut f = function(1);
        let mut sum = thread(&mut f, 0);
        let vs: Vec<V> = (0..4).map(|n| constant(&mut f, 0, 100_000 + n)).collect();
        for &v in &vs {
            sum = add(&mut f, 0, sum, v);
        }
        for &v in &vs {
            sum = add(&mut f, 0, sum, v);
        }
        store(&mut f, 0, &[sum]);
        f.alike = candidates(&f, &SecondaryMap::new());
        let f = squeezed(&f, 3).unwrap();
        let names = names(&f, f.layout[0]);
        let count = |name: &str| names.iter().filter(|n| **n == name).count();
        assert!(count("UMOV") >= 2 && count("R2UR") == 0, "{names:?}");
    }
}
