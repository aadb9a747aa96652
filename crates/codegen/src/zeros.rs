//! Zeros in pairs: two moves of zero to a pair of registers become one `CS2R Rd, SRZ`.
//!
//! Problem: a matrix product begins with an accumulator of up to 128 zeros, a move each. Strategy
//! ("ptxas 13.0.88 output"): once registers have numbers, a move of zero to one half of an aligned
//! pair is removed when the other half's move follows, and nothing in between names the register.
//!
//! Invariant: a removed move reaches no use before the instruction that replaces it.

use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Isa, Op};

use crate::alloc::Assignment;
use crate::mir::{MFunction, MGuard, MInst, MKind, MOp, Regs, V};
use crate::sass::{self, tokens};
use crate::select::Rd;

/// The number of the special register that reads as zero.
const SRZ: u8 = 255;
/// General registers.
const NUMBERS: usize = 256;

/// Runs the pass on a function with allocated registers.
pub fn run(f: &mut MFunction, isa: Isa, numbers: &Assignment) {
    let source = (SlotRole::Misc, MOp::new(MKind::Special(SRZ)));
    for b in f.layout.clone() {
        // The move of zero to each number that no later instruction has named yet.
        let mut waiting: [Option<(usize, V)>; NUMBERS] = [None; NUMBERS];
        let mut removed: Vec<usize> = Vec::new();
        let insts = &mut f.blocks[b].insts;
        for (n, i) in insts.iter_mut().enumerate() {
            if i.row().effects.branch {
                waiting = [None; NUMBERS];
                continue;
            }
            let zero = as_zero(i).filter(|&v| f.vregs[v] == File::Gpr);
            i.for_each_use(|v| forget(&mut waiting, numbers, v));
            i.for_each_def(|v| forget(&mut waiting, numbers, v));
            let Some((v, number)) = zero.and_then(|v| Some((v, usize::from(numbers.number[v]?)))) else { continue };
            let Some((earlier, w)) = waiting[number ^ 1].take() else {
                waiting[number] = Some((n, v));
                continue;
            };
            let pair = if number % 2 == 0 { [v, w] } else { [w, v] };
            let to = MOp::new(MKind::Regs(Regs::from_slice(&pair)));
            let Some(form) = find(isa, &sass::cs2r(tokens::CounterSize::None), &[(Rd, to), source.clone()]) else {
                return;
            };
            *i = MInst::new(form, i.place);
            removed.push(earlier);
        }
        if removed.is_empty() {
            continue;
        }
        removed.sort_unstable();
        let mut next = removed.into_iter().peekable();
        let mut n = 0;
        insts.retain(|_| {
            n += 1;
            next.next_if_eq(&(n - 1)).is_none()
        });
    }
}

fn forget(waiting: &mut [Option<(usize, V)>; NUMBERS], numbers: &Assignment, v: V) {
    if let Some(number) = numbers.number[v] {
        // Numbers of other files clear too much, which only loses a pair.
        waiting[usize::from(number)] = None;
    }
}

/// The register that a move sets to zero.
fn as_zero(i: &MInst) -> Option<V> {
    let from = i.slot(SlotRole::Rb)?;
    let plain = i.guard == MGuard::Always && i.reloc.is_none() && !from.neg && !from.not && !from.abs;
    let zero = matches!(from.kind, MKind::Zero | MKind::Imm(0));
    match &i.slot(Rd)?.kind {
        MKind::Regs(vs) if i.row().op == Op::Mov && plain && zero && vs.len() == 1 => Some(vs[0]),
        _ => None,
    }
}
