//! Addresses of shared memory that leave their CTA.
//!
//! Problem: from sm_90 on an address in the shared window may be that of another CTA of the
//! cluster: its uppermost byte is a rank. Accesses of a thread to its own shared memory ignore it,
//! but generic accesses, asynchronous copies and mbarrier operations do not: rank 0 there is the
//! first CTA, not the thread's own.
//! Strategy: where the address of a shared variable is used for more than such accesses, all
//! addresses of shared variables of the function get the CTA's rank, as ptxas 13.0.88 gives it to
//! all.

use raddle_entity::EntitySet;
use raddle_ir::{Function, Op, Slot, Space, Special, Value, Width};
use raddle_target::{Isa, Target};

use super::split;

/// Adds the rank to the addresses of a function that needs it.
pub(super) fn run(f: &mut Function, target: &Target) {
    if target.native.as_ref().is_none_or(|native| native.isa < Isa::Sm90) || !leaves(f) {
        return;
    }
    let mut shared: EntitySet<Slot> = EntitySet::new();
    f.slots.iter().filter(|(_, d)| d.space == Space::Shared).for_each(|(s, _)| {
        shared.insert(s);
    });
    let entry = f.entry();
    let mut rank = None;
    split::rebuild(
        f,
        |op| matches!(op, Op::SlotAddr(s, _) if shared.contains(s)),
        |e, i| {
            let own = *rank.get_or_insert_with(|| {
                let (block, place) = (std::mem::replace(&mut e.block, entry), e.place);
                let rank = e.op(Op::Special(Special::ClusterCtaRank), &[], Width::B32);
                let amount = e.constant(24, Width::B32);
                let high = e.op(Op::Shl, &[rank, amount], Width::B32);
                (e.block, e.place) = (block, place);
                high
            });
            let Op::SlotAddr(slot, offset) = e.f.insts[i].op else { return };
            let at = e.op(Op::SlotAddr(slot, offset), &[], Width::B32);
            e.f.insts[i].op = Op::Add;
            e.f.insts[i].args = [at, own].into_iter().collect();
            e.push(i);
        },
    );
}

/// Whether an address of a shared variable is used for more than accesses to the CTA's own memory.
fn leaves(f: &Function) -> bool {
    let mut addresses: EntitySet<Value> = EntitySet::new();
    loop {
        let mut grew = false;
        for &b in &f.layout {
            for &i in &f.blocks[b].insts {
                let d = &f.insts[i];
                let source = matches!(d.op, Op::SlotAddr(s, _) if f.slots[s].space == Space::Shared);
                let derived = d.args.iter().any(|&v| addresses.contains(v));
                if derived && !is_local_use(d.op, &d.args, &addresses) {
                    return true;
                }
                if source || (derived && computes(d.op)) {
                    d.results.iter().for_each(|&v| grew |= addresses.insert(v));
                }
            }
            for to in f.term(b).targets() {
                for (&p, &a) in f.blocks[to.block].params.iter().zip(&to.args) {
                    grew |= addresses.contains(a) && addresses.insert(p);
                }
            }
        }
        if !grew {
            return false;
        }
    }
}

/// Whether the result may be an address that was computed from an operand.
fn computes(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mad | Op::And | Op::Or | Op::Xor | Op::Select | Op::Min(_) | Op::Max(_) | Op::Lop3(_)
    )
}

/// Whether an operation uses addresses for accesses to the CTA's own memory, or to compute others.
fn is_local_use(op: Op, args: &[Value], addresses: &EntitySet<Value>) -> bool {
    let only_first = || !args[1..].iter().any(|&v| addresses.contains(v));
    match op {
        Op::Load(m) | Op::Store(m) => m.space == Space::Shared && only_first(),
        Op::Atom(a) | Op::Red(a) => a.space == Space::Shared && only_first(),
        Op::LdMatrix(..) | Op::StMatrix(..) | Op::CpAsync(..) => only_first(),
        Op::Icmp(..) => true,
        op => computes(op),
    }
}
