//! Registers that warps pass to each other: taking some is a loop that tries until they are there
//! ("ptxas 13.0.88 output").
//!
//! Where the number at entry is not known ([`crate::budgets`]), or functions are called, which may use
//! any register, nothing is passed on.

use raddle_ir::{Function, Kind, Op, Target as To, Terminator, Width};

use super::split;
use crate::budgets::{are_known, counts};

/// Expands the operations of a function.
pub(super) fn run(f: &mut Function) {
    if counts(f).next().is_none() {
        return;
    }
    let calls = f.insts.values().any(|i| matches!(i.op, Op::Call(_) | Op::CallAt));
    let known = f.kind == Kind::Kernel && !calls && are_known(&f.bounds);
    split::rebuild(
        f,
        |op| matches!(op, Op::GiveRegisters(_) | Op::TakeRegisters(_)),
        |e, i| match e.f.insts[i].op {
            _ if !known => {}
            Op::TakeRegisters(n) => {
                let [again, done] = [(); 2].map(|()| e.f.add_block());
                e.end(Terminator::Jump(To::to(again)));
                e.block = again;
                let there = e.op(Op::TryRegisters(n), &[], Width::P);
                e.branch(there, To::to(done), To::to(again));
                e.block = done;
            }
            _ => e.push(i),
        },
    );
}
