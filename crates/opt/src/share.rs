//! Lets addresses that differ by constants share one register.
//!
//! Problem: the copies of an unrolled body, and programs that index the same array at `i`, `i + 1`
//! and `i + 3`, compute each address from its own index by a shift and an addition, though a memory
//! access adds a constant offset for free.
//!
//! Strategy: a walk of the dominator tree with a table from the terms of an address
//! ([`crate::address`]) to the last address with these terms that an access used. If that use
//! dominates the current access and is in the same loop, its address replaces the current one, and
//! the difference goes into the access's offset.
//!
//! **Invariants.** Forms are exact modulo two to the width of the address, and so is the sum of
//! address and offset. An address is replaced only if it is used by accesses alone and computed in
//! the innermost loop itself: each change removes a computation, and no further register is live
//! through a loop. Offsets stay within [`REACH`], so that all architectures can encode them.

use raddle_entity::FxHashMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Cx, Function, Op, Space, Stop, Value, Width};
use smallvec::SmallVec;

use crate::address::{Forms, Term};
use crate::edit::{def_block, homes, use_counts};

/// Largest offset of an access: 24 bits with a sign, less what wider accesses add.
const REACH: i64 = 1 << 22;

/// The key of addresses at a constant distance from one another.
type Key = (Width, SmallVec<[Term; 2]>);

/// An address that an access used: the block, the value, and the constant of its form.
type Used = (Block, Value, i64);

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let forms = Forms::of(f, &cfg);
    let dom = DomTree::dominators(&cfg);
    let loops = Loops::of(&cfg, &dom);
    let home = homes(f);
    // Use counts without the uses as addresses.
    let mut others = use_counts(f);
    for &b in &cfg.rpo {
        for &i in &f.blocks[b].insts {
            if offset(&f.insts[i].op).is_some() {
                others[f.insts[i].args[0]] -= 1;
            }
        }
    }
    let mut known: FxHashMap<Key, Used> = FxHashMap::default();
    for b in dom.depth_first() {
        cx.step(f.blocks[b].insts.len() as u64)?;
        for k in 0..f.blocks[b].insts.len() {
            let i = f.blocks[b].insts[k];
            let Some(at) = offset(&f.insts[i].op) else { continue };
            let address = f.insts[i].args[0];
            let Some(form) = forms.known(address).filter(|form| !form.terms.is_empty()) else { continue };
            let key = (f.width(address), form.terms.clone());
            let same_loop = |c: Block| loops.innermost[c] == loops.innermost[b];
            let leader = known.get(&key).filter(|l| same_loop(l.0) && dom.dominates(l.0, b));
            let computed_here = def_block(f, &home, address).is_some_and(same_loop);
            let place = leader.filter(|l| l.1 != address && computed_here && others[address] == 0).and_then(|l| {
                let at = i64::from(at).checked_add(form.offset.wrapping_sub(l.2))?;
                (at.abs() < REACH).then_some((l.1, at as i32))
            });
            match place {
                Some((value, at)) => {
                    f.insts[i].args[0] = value;
                    set_offset(&mut f.insts[i].op, at);
                }
                None if leader.is_some_and(|l| l.1 == address) => {}
                None => {
                    known.insert(key, (b, address, form.offset));
                }
            }
        }
    }
    Ok(())
}

/// Returns the offset of an access whose address is a register; `None` for other instructions.
fn offset(op: &Op) -> Option<i32> {
    match op {
        Op::Load(m) | Op::Store(m) if !matches!(m.space, Space::Param | Space::Const) => Some(m.offset),
        Op::Atom(a) | Op::Red(a) => Some(a.offset),
        _ => None,
    }
}

fn set_offset(op: &mut Op, at: i32) {
    match op {
        Op::Load(m) | Op::Store(m) => m.offset = at,
        Op::Atom(a) | Op::Red(a) => a.offset = at,
        _ => {}
    }
}
