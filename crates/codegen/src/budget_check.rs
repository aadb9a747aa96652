//! Holds finished code against the budgets of registers ([`crate::budgets`]).
//!
//! Budgets are computed again from the words: what allocation took for granted about blocks is not.

use raddle_ir::Stop;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Kind, Op, PT};
use raddle_target::Limits;
use smallvec::SmallVec;

use crate::code::{CodeBlock, Item};

/// The highest general register of an instruction, plus one.
fn top(item: &Item) -> u32 {
    let general = item.inst.accesses().into_iter().filter(|a| a.file == File::Gpr);
    general.map(|a| u32::from(a.first) + u32::from(a.count)).max().unwrap_or(0)
}

/// Checks that finished code touches no register beyond the budget of its place.
///
/// # Errors
/// [`Stop::Internal`] that names the instruction.
pub(crate) fn run(blocks: &[CodeBlock], entry: Option<u16>) -> Result<(), Stop> {
    let Some(entry) = entry else { return Ok(()) };
    let at = |label| blocks.iter().position(|b| b.label == label);
    let mut budgets: Vec<Option<u32>> = vec![None; blocks.len()];
    budgets[0] = Some(entry.into());
    let mut work = vec![0];
    while let Some(n) = work.pop() {
        let Some(mut now) = budgets[n] else { continue };
        let mut next: SmallVec<[(usize, u32); 4]> = SmallVec::new();
        let (mut tried, mut falls): (Option<u32>, bool) = (None, true);
        for item in &blocks[n].items {
            let i = &item.inst;
            if top(item) + Limits::RESERVED_REGISTERS > now {
                let what = format!("{} with {now} registers", raddle_sass::print(i, 0));
                return Err(Stop::Internal { pass: "budgets", what });
            }
            if i.op() == Op::Usetmaxreg
                && let Some(Kind::Imm(count)) = i.slot(SlotRole::Imm).map(|o| o.kind)
            {
                match i.slot(SlotRole::Pd) {
                    Some(_) => tried = Some(count as u32),
                    None => now = now.min(count as u32),
                }
            }
            let branches = !matches!(i.op(), Op::Bssy);
            if let Some(to) = item.target.filter(|_| branches).and_then(at) {
                next.push((to, if to == n { now } else { tried.unwrap_or(now) }));
            }
            falls = !i.row().effects.branch || i.guard.pred != PT || matches!(i.op(), Op::Bssy);
        }
        if let Some(table) = &blocks[n].table {
            next.extend(table.targets.iter().filter_map(|&t| at(t)).map(|t| (t, now)));
        }
        if falls && n + 1 < blocks.len() {
            next.push((n + 1, tried.unwrap_or(now)));
        }
        for (to, count) in next {
            if budgets[to].is_none_or(|old| count < old) {
                budgets[to] = Some(count);
                work.push(to);
            }
        }
    }
    Ok(())
}
