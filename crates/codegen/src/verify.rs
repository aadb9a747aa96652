//! Verifier of machine code before allocation. Runs after every pass where debug assertions are on.
//!
//! Checks the invariants of [`crate::mir`]: operands fit their slots in kind, length and file; in
//! SSA form every virtual register has one definition, which dominates its uses, and edges pass
//! what their targets take; the values that a guarded definition keeps under a false guard match
//! its results in file and, outside SSA form, are its results.

use raddle_entity::FxHashMap;
use raddle_ir::Stop;
use raddle_ir::dom::DomTree;
use raddle_sass::form::SlotOperand;
use raddle_sass::row::{File, SlotKind, Width};

use crate::graph::{b, cfg};
use crate::mir::{MArg, MBlock, MFunction, MGuard, MInst, MKind, V};

/// Verifies a function after `pass` where debug assertions are on, as they are in tests.
///
/// # Errors
/// As [`check`].
pub(crate) fn checked(f: &MFunction, pass: &'static str) -> Result<(), Stop> {
    if cfg!(debug_assertions) { check(f, pass) } else { Ok(()) }
}

/// Verifies a function after `pass`.
///
/// # Errors
/// [`Stop::Internal`] that names the first broken rule.
pub fn check(f: &MFunction, pass: &'static str) -> Result<(), Stop> {
    let fail = |what: String| Stop::Internal { pass, what };
    for &x in &f.layout {
        for i in &f.blocks[x].insts {
            operands(f, i).map_err(|what| fail(format!("{x} {:?}: {what}", i.row().op)))?;
        }
    }
    if f.ssa {
        ssa(f).map_err(fail)?;
    }
    Ok(())
}

/// Returns the number of registers that a slot names under these field values.
pub(crate) fn registers(i: &MInst, n: usize) -> usize {
    if matches!(i.row().slots[n].kind, SlotKind::GDesc(_)) {
        // A pair for each matrix.
        return 4;
    }
    match i.row().slots[n].width {
        Width::Fixed(n) => usize::from(n),
        Width::Field(f, counts) => usize::from(counts.get(usize::from(i.fields[usize::from(f)])).copied().unwrap_or(1)),
        // The arguments decide, of which the operand has all.
        Width::Texture => match &i.ops[n].kind {
            MKind::Regs(vs) => vs.len(),
            _ => 1,
        },
    }
}

fn operands(f: &MFunction, i: &MInst) -> Result<(), String> {
    let slots = i.row().slots;
    if slots.len() != i.ops.len() {
        return Err(format!("{} operands for {} slots", i.ops.len(), slots.len()));
    }
    for (n, (slot, o)) in slots.iter().zip(&i.ops).enumerate() {
        if !o.fits(slot, &i.fields) {
            return Err(format!("{:?} does not take {:?}", slot.role, o.kind));
        }
        if let MKind::CBank { index: Some(v), .. } = o.kind {
            let want = if matches!(slot.kind, SlotKind::CBankUniform(..)) { File::Ugpr } else { File::Gpr };
            if f.vregs[v] != want {
                return Err(format!("{v} is in the wrong register file for {:?}", slot.role));
            }
        }
        let MKind::Regs(vs) = &o.kind else { continue };
        if vs.len() != registers(i, n).max(1) {
            return Err(format!("{:?} takes {} registers, not {}", slot.role, registers(i, n), vs.len()));
        }
        let want = match slot.kind {
            SlotKind::Pred(_) | SlotKind::PredInv(_) => File::Pred,
            SlotKind::UReg(_) | SlotKind::GDesc(_) | SlotKind::Desc(_) | SlotKind::Addr { .. } => File::Ugpr,
            SlotKind::UPred(_) | SlotKind::UPredInv(_) => File::Upred,
            _ => File::Gpr,
        };
        if let Some(v) = vs.iter().find(|v| f.vregs[**v] != want) {
            return Err(format!("{v} is in the wrong register file for {:?}", slot.role));
        }
    }
    otherwise(f, i)
}

/// Only a guarded definition names values for a false guard: of its results, in their files.
fn otherwise(f: &MFunction, i: &MInst) -> Result<(), String> {
    if !i.otherwise.is_empty() && i.guard == MGuard::Always {
        return Err("values for a false guard without a guard".into());
    }
    for &(to, from) in &i.otherwise {
        let mut written = false;
        i.for_each_def(|v| written |= v == to);
        if !written || f.vregs[to] != f.vregs[from] || (!f.ssa && to != from) {
            return Err(format!("{from} cannot be the value of {to} for a false guard"));
        }
    }
    Ok(())
}

/// Checks SSA form. Places are the block and the instruction in it (parameters come before the
/// first).
fn ssa(f: &MFunction) -> Result<(), String> {
    let mut home: FxHashMap<V, (MBlock, usize)> = FxHashMap::default();
    let mut twice = None;
    for &x in &f.layout {
        for &p in &f.blocks[x].params {
            twice = twice.or(home.insert(p, (x, 0)).map(|_| p));
        }
        for (n, i) in f.blocks[x].insts.iter().enumerate() {
            i.for_each_def(|v| twice = twice.or(home.insert(v, (x, n + 1)).map(|_| v)));
        }
    }
    if let Some(v) = twice {
        return Err(format!("{v} is defined twice"));
    }
    let cfg = cfg(f);
    let dom = DomTree::dominators(&cfg);
    let defined = |v: V, x: MBlock, at: usize| match home.get(&v) {
        Some(&(y, n)) if y == x => n <= at,
        Some(&(y, _)) => dom.dominates(b(y), b(x)),
        None => false,
    };
    for &x in f.layout.iter().filter(|x| cfg.reachable(b(**x))) {
        let data = &f.blocks[x];
        let mut bad = None;
        for (n, i) in data.insts.iter().enumerate() {
            i.for_each_use(|v| {
                if !defined(v, x, n) {
                    bad = bad.or(Some(v));
                }
            });
        }
        let end = data.insts.len();
        if let crate::mir::MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = data.term
            && !defined(v, x, end)
        {
            bad = Some(v);
        }
        for e in data.term.edges() {
            if e.args.len() != f.blocks[e.to].params.len() {
                return Err(format!("{x}: the edge to {} passes {} values", e.to, e.args.len()));
            }
            for (a, &p) in e.args.iter().zip(&f.blocks[e.to].params) {
                let MArg::Reg(v) = *a else { continue };
                if !defined(v, x, end) {
                    bad = Some(v);
                } else if f.vregs[v] != f.vregs[p] {
                    return Err(format!("{x}: {v} and {p} are in different register files"));
                }
            }
        }
        if let Some(v) = bad {
            return Err(format!("{x}: the use of {v} is not dominated by its definition"));
        }
    }
    Ok(())
}
