//! Pipe balancing: moves work from the integer pipe to the multiply-add pipe.
//!
//! Problem: moves, sums of two, left shifts and shifted sums use the pipe that comparisons, logic
//! and selects need, which takes a warp every other cycle; the pipe of `IMAD` can do the same, is
//! often idle, and issues in parallel. Strategy ("ptxas 13.0.88 output": `IMAD.MOV.U32`,
//! `IMAD.IADD`, `IMAD.SHL.U32`): per block, the cycles of both pipes are counted, and as many
//! convertible instructions as balance them are converted, evenly spread. A block that the pipe
//! does not limit is left alone, as a result that crosses pipes takes a cycle longer.
//!
//! Invariants: registers are allocated; every instruction keeps its operands, its guard and its
//! place.

use raddle_sass::form::find;
use raddle_sass::row::{File, RowId, SlotRole};
use raddle_sass::{Field, Isa, Op, Pipe};
use smallvec::SmallVec;

use crate::mir::{Form, MFunction, MInst, MKind, MOp, V};
use crate::sass;
use crate::schedule::pipe;
use crate::select::{Imm, Ra, Rb, Rc, Rd};

/// Cycles that one instruction occupies either pipe.
const CYCLES: u32 = 2;
/// The integer pipe limits a block if it is busy for more than this fraction of the issue slots.
const BUSY: (u32, u32) = (7, 8);

/// Runs the pass on a function with allocated registers.
pub fn run(f: &mut MFunction, isa: Isa) {
    let Some(forms) = Forms::new(isa, V::from_u32(0)) else { return };
    for b in f.layout.clone() {
        let (mut fma, mut alu) = (0, 0);
        let insts = &f.blocks[b].insts;
        for i in insts {
            match pipe(isa, i.row()) {
                (Pipe::Fma, n) => fma += n,
                (Pipe::Alu, n) => alu += n,
                _ => {}
            }
        }
        let room = insts.len() as u32 * BUSY.0 / BUSY.1;
        let moved = (alu.saturating_sub(fma) / (2 * CYCLES)).min(alu.saturating_sub(room).div_ceil(CYCLES));
        if moved == 0 {
            continue;
        }
        let general = |o: &MOp| match &o.kind {
            MKind::Regs(vs) => vs.len() == 1 && f.vregs[vs[0]] == File::Gpr,
            _ => false,
        };
        let found: Vec<(usize, MInst)> =
            insts.iter().enumerate().filter_map(|(n, i)| Some((n, forms.multiply(i, general)?))).collect();
        let (all, moved) = (found.len() as u64, u64::from(moved).min(found.len() as u64));
        for (k, (n, i)) in (0u64..).zip(found) {
            if (k + 1) * moved / all > k * moved / all {
                f.blocks[b].insts[n] = i;
            }
        }
    }
}

/// The forms, looked up once.
struct Forms {
    /// `IMAD.U32 Rd, RZ, RZ, C` by kind of C: register, immediate, constant bank.
    moves: [Form; 3],
    /// `IMAD Rd, Ra, n, Rc`.
    scaled: Form,
    /// `SHF.L.U32 Rd, Ra, n, RZ` and `LEA Rd, Ra, Rb, n`.
    shift: (RowId, Form),
    lea: (RowId, Form),
}

impl Forms {
    /// Looks up the forms, with any register `v`.
    fn new(isa: Isa, v: V) -> Option<Forms> {
        let r = || MOp::reg(v);
        let mov = |c: MOp| find(isa, &sass::imad_u32(), &[(Rd, r()), (Ra, MOp::zero()), (Rb, MOp::zero()), (Rc, c)]);
        let scaled = find(isa, &sass::imad(), &[(Rd, r()), (Ra, r()), (Rb, MOp::imm(1)), (Rc, r())])?;
        let shift = find(isa, &sass::shf_l(), &[(Rd, r()), (Ra, r()), (Rb, MOp::imm(1)), (Rc, MOp::zero())])?;
        let lea = find(isa, &sass::lea(), &[(Rd, r()), (Ra, r()), (Rb, r()), (Imm, MOp::imm(1))])?;
        Some(Forms {
            moves: [mov(r())?, mov(MOp::imm(0))?, mov(MOp::cbank(0, 0))?],
            scaled,
            shift: (shift.row, shift),
            lea: (lea.row, lea),
        })
    }

    /// Returns the instruction as a multiplication, if it has such a form.
    fn multiply(&self, i: &MInst, general: impl Fn(&MOp) -> bool) -> Option<MInst> {
        let slot = |role| i.slot(role).filter(|o| !o.not && !o.abs && o.sel == 0);
        let plain = |role| slot(role).filter(|o| !o.neg && general(o));
        let unused = |role| i.slot(role).is_none_or(|o| o.kind == MKind::Zero && !o.not);
        let rd = plain(Rd)?;
        let like = |(row, form): &(RowId, Form)| i.row == *row && i.fields == form.fields;
        if i.reloc.is_some() {
            return None;
        }
        let times = |a: &MOp, n: u32, c: MOp| {
            let given = [(Rd, rd.clone()), (Ra, a.clone()), (Rb, MOp::imm(n)), (Rc, c)];
            Some(written(i, &self.scaled, given))
        };
        match i.row().op {
            Op::Mov => {
                let c = slot(Rb).filter(|o| !o.neg)?;
                let form = match c.kind {
                    MKind::Imm(_) => &self.moves[1],
                    MKind::CBank { index: None, .. } => &self.moves[2],
                    MKind::Regs(_) if general(c) => &self.moves[0],
                    _ => return None,
                };
                let given = [(Rd, rd.clone()), (Ra, MOp::zero()), (Rb, MOp::zero()), (Rc, c.clone())];
                Some(written(i, form, given))
            }
            Op::Iadd3 => {
                let carries = i.row().field_index(Field::X).is_some_and(|n| i.fields[n] != 0);
                if carries || !unused(SlotRole::Pd) || !unused(SlotRole::Pe) {
                    return None;
                }
                let terms: SmallVec<[&MOp; 3]> =
                    [Ra, Rb, Rc].iter().filter_map(|r| i.slot(*r)).filter(|o| o.kind != MKind::Zero).collect();
                let [x, y] = terms.as_slice() else { return None };
                if !general(x) || !general(y) {
                    return None;
                }
                match (x.neg, y.neg) {
                    (false, _) => times(x, 1, (*y).clone()),
                    (true, false) => times(y, 1, (*x).clone()),
                    _ => None,
                }
            }
            Op::Shf if like(&self.shift) && unused(Rc) => match slot(Rb)?.kind {
                MKind::Imm(n) if n < 32 => times(plain(Ra)?, 1 << n, MOp::zero()),
                _ => None,
            },
            Op::Lea if like(&self.lea) && unused(SlotRole::Pd) => match (i.slot(Imm)?.kind.clone(), slot(Rb)?) {
                (MKind::Imm(n), c) if n < 32 && general(c) => times(plain(Ra)?, 1 << n, c.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Creates a form with these operands, with the guard and the place of an instruction.
fn written(like: &MInst, form: &Form, given: [(SlotRole, MOp); 4]) -> MInst {
    let mut ops = form.ops.clone();
    for (role, op) in given {
        if let Some(n) = form.row.row().slots.iter().position(|s| s.role == role) {
            ops[n] = op;
        }
    }
    MInst { row: form.row, fields: form.fields, ops, ..like.clone() }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::mir::{MFunction, MGuard, MOp, V};
    use crate::sass;
    use crate::select::{Imm, Ra, Rb, Rc, Rd};
    use crate::testing::{ISA, add, function, names, positive, push, value};
    use raddle_sass::row::{File, SlotRole};

    /// `n` sums of one value with itself, after its load.
    fn sums(n: usize) -> (MFunction, V) {
        let mut f = function(1);
        let x = value(&mut f, 0);
        for _ in 0..n {
            add(&mut f, 0, x, x);
        }
        (f, x)
    }

    fn count(f: &MFunction, name: &str) -> usize {
        names(f, f.layout[0]).iter().filter(|&&n| n == name).count()
    }

    #[test]
    fn as_many_move_as_even_the_pipes_out() {
        let (mut f, x) = sums(32);
        run(&mut f, ISA);
        let moved = count(&f, "IMAD");
        assert_eq!(moved + count(&f, "IADD3"), 32);
        assert!((1..=16).contains(&moved), "{moved}");
        // x * 1 + x, in places spread over the block.
        let insts = &f.blocks[f.layout[0]].insts;
        let at: Vec<usize> = (0..insts.len()).filter(|&n| insts[n].row().op == raddle_sass::Op::Imad).collect();
        for &n in &at {
            let operand = |role| insts[n].slot(role).map(|o| o.kind.clone());
            assert_eq!(operand(Ra), Some(MOp::reg(x).kind));
            assert_eq!(operand(Rb), Some(MOp::imm(1).kind));
            assert_eq!(operand(Rc), Some(MOp::reg(x).kind));
        }
        assert!(at.windows(2).all(|w| w[1] - w[0] > 1), "{at:?}");
    }

    #[test]
    fn a_block_that_issue_bounds_stays() {
        // One sum per load: the integer pipe is idle most of the time.
        let mut f = function(1);
        for _ in 0..16 {
            let x = value(&mut f, 0);
            value(&mut f, 0);
            value(&mut f, 0);
            add(&mut f, 0, x, x);
        }
        run(&mut f, ISA);
        assert_eq!(count(&f, "IADD3"), 16);
    }

    #[test]
    fn guards_and_shift_amounts_are_kept() {
        let mut f = function(1);
        let x = value(&mut f, 0);
        let p = positive(&mut f, 0, x);
        for n in 0..32 {
            let v = f.vreg(File::Gpr);
            let given = [(Rd, MOp::reg(v)), (Ra, MOp::reg(x)), (Rb, MOp::reg(x)), (Imm, MOp::imm(n % 8 + 1))];
            push(&mut f, 0, sass::lea(), &given);
            let b = f.layout[0];
            f.blocks[b].insts.last_mut().unwrap().guard = MGuard::Virtual(p, true);
        }
        let before = f.blocks[f.layout[0]].insts.clone();
        run(&mut f, ISA);
        let mut moved = 0;
        for (old, new) in before.iter().zip(&f.blocks[f.layout[0]].insts) {
            assert_eq!(old.guard, new.guard);
            assert_eq!(old.slot(SlotRole::Rd).map(|o| &o.kind), new.slot(SlotRole::Rd).map(|o| &o.kind));
            if new.row().op == raddle_sass::Op::Imad {
                let amount = old.slot(Imm).map(|o| o.kind.clone());
                let by = (1..=8).find(|&n| amount == Some(MOp::imm(n).kind)).unwrap();
                assert_eq!(new.slot(Rb).map(|o| o.kind.clone()), Some(MOp::imm(1 << by).kind));
                moved += 1;
            }
        }
        assert!(moved > 0);
    }
}
