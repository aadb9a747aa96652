//! Matrix products of a warpgroup.
//!
//! Descriptors go to four consecutive uniform registers, which PTX guarantees to be possible: they
//! are equal in all lanes. The accumulator is both operand and result, tied by
//! [`crate::destruct`]. `WARPGROUP.ARRIVE` is placed by [`crate::warpgroup`] once registers are
//! allocated.

use raddle_ir::{MmaTy, Sat, Value, Wgmma, WgmmaLeft};
use raddle_sass::row::File;
use raddle_sass::{Mod, Op};

use super::{Imm, Part, Pd, Pp, Pred, Ra, Rb, Rc, Rd, Select, SlotRole, imm};
use crate::mir::{MKind, MOp, Regs, V};
use crate::products::{ENDS_GROUP, NO_END, is_product, is_wait};
use crate::sass::{self, Mnemonic, tokens as t};

impl Select<'_> {
    pub(super) fn wgmma(&mut self, m: Wgmma, args: &[Value], results: &[Value]) {
        let Some(mnemonic) = mnemonic(&m) else { return self.refuse() };
        self.whole_warp();
        let registers = m.left == WgmmaLeft::Registers;
        let (left, rest) = args.split_at(if registers { 4 } else { 1 });
        let (right, rest) = rest.split_at(1);
        let sparse = m.kind.selector().is_some();
        let (metadata, rest) = rest.split_at(usize::from(sparse));
        let (scale, accumulator) = (self.pred(rest[0]), &rest[1..]);
        let words: Vec<Part> = accumulator.iter().map(|&v| self.part(v)).collect();
        // A zero accumulator need not be read. One that is not added is named, too: a product before
        // may still write its registers.
        let known = words.iter().any(|p| !matches!(p, Part::Reg(_)));
        let zero = words.iter().all(|p| matches!(p, Part::Imm(0))) || scale == Pred::Known(false) && known;
        let c = if zero { MOp::zero() } else { self.regs(&words) };
        let scale = match scale {
            _ if zero => MOp::never(),
            Pred::Known(added) => {
                if added {
                    MOp::zero()
                } else {
                    MOp::never()
                }
            }
            Pred::Reg(p, not) => {
                let d = self.m.vreg(File::Upred);
                self.emit(sass::voteu(t::Vote::Any), &[(Pd, MOp::reg(d)), (Pp, MOp { not, ..MOp::reg(p) })]);
                MOp::reg(d)
            }
        };
        // Only the second pair is read if A is in registers.
        let of_a = if registers { [Part::Imm(0); 2].into() } else { self.parts(left[0]) };
        let descriptors: Vec<V> =
            of_a.into_iter().chain(self.parts(right[0])).map(|part| self.uniform_word(part)).collect();
        let mut given = vec![(Rc, c), (Pp, scale), (SlotRole::Misc, MOp::new(MKind::Named(NO_END)))];
        given.push((SlotRole::Addr, MOp { sel: selector(&m), ..MOp::regs(&descriptors) }));
        if registers {
            let parts: Vec<Part> = left.iter().map(|&v| self.part(v)).collect();
            let negated = m.marks & Wgmma::NEGATED_A != 0;
            given.push((Ra, MOp { neg: negated, ..self.regs(&parts) }));
        }
        if let Some(&metadata) = metadata.first() {
            let part = self.part(metadata);
            given.push((SlotRole::Rx, MOp::reg(self.reg(part))));
            if m.a.bits() > 8 {
                given.push((Imm, imm(m.kind.selector().unwrap_or(0).into())));
            }
        }
        let d = self.emit_wide(m.pieces(), mnemonic, &given);
        for (&r, v) in results.iter().zip(d) {
            self.set_regs(r, &[v]);
        }
    }

    /// Copies 32 bits that are the same in all lanes to a new uniform register.
    fn uniform_word(&mut self, part: Part) -> V {
        let d = self.m.vreg(File::Ugpr);
        match part {
            Part::Reg(v) => self.emit(sass::r2ur(), &[(Rd, MOp::reg(d)), (Ra, MOp::reg(v))]),
            Part::Imm(bits) if bits != 0 => self.emit(sass::umov(), &[(Rd, MOp::reg(d)), (Imm, imm(bits))]),
            Part::Imm(_) | Part::Undef => self.emit(sass::umov(), &[(Rd, MOp::reg(d)), (Rb, MOp::zero())]),
        }
        d
    }

    /// Ends the group of the last product of the block, if none has ended or been waited for since;
    /// otherwise with a product without a result ("ptxas 13.0.88 output").
    pub(super) fn wgmma_commit(&mut self) {
        let insts = &mut self.m.blocks[self.cur].insts;
        let last = insts.iter_mut().rev().take_while(|i| !is_wait(i)).find(|i| is_product(i));
        let open = MKind::Named(NO_END);
        if let Some(end) = last.and_then(|i| i.ops.iter_mut().find(|o| o.kind == open)) {
            end.kind = MKind::Named(ENDS_GROUP);
            return;
        }
        let shape = Mod::ALL.iter().copied().find(|m| m.text() == "64x8x16").unwrap_or(Mod::None);
        let given = [
            (Rd, MOp::zero()),
            (Rc, MOp::zero()),
            (Pp, MOp::never()),
            (SlotRole::Addr, MOp::zero()),
            (SlotRole::Misc, MOp::new(MKind::Named(ENDS_GROUP))),
        ];
        self.emit(Mnemonic::new(Op::Hgmma, &[shape, Mod::F16]), &given);
    }

    /// Waits; the accumulators stay where they are.
    pub(super) fn wgmma_wait(&mut self, groups: u8, args: &[Value], results: &[Value]) {
        let parts: Vec<Part> = args.iter().map(|&v| self.part(v)).collect();
        let given = [(SlotRole::Misc, MOp::new(MKind::Named(ENDS_GROUP))), (Imm, imm(groups.into()))];
        self.emit(sass::warpgroup_depbar(), &given);
        let kept: Regs = parts.iter().filter_map(|p| if let Part::Reg(v) = *p { Some(v) } else { None }).collect();
        if let Some(wait) = self.m.blocks[self.cur].insts.last_mut() {
            wait.kept = kept;
        }
        for (&r, &part) in results.iter().zip(&parts) {
            self.set(r, &[part]);
        }
    }
}

/// The raw selector of the descriptors.
fn selector(m: &Wgmma) -> u8 {
    let bit = |mark: u8, n: u8| u8::from(m.marks & mark != 0) << n;
    let half = m.a.bits() == 16 || m.a == MmaTy::Tf32;
    match (half, m.left) {
        (true, WgmmaLeft::Shared) => {
            bit(Wgmma::TURNED_A, 0) | bit(Wgmma::TURNED_B, 1) | bit(Wgmma::NEGATED_B, 2) | bit(Wgmma::NEGATED_A, 3)
        }
        (true, WgmmaLeft::Registers) => bit(Wgmma::TURNED_B, 0) | bit(Wgmma::NEGATED_B, 1),
        (false, WgmmaLeft::Shared) => bit(Wgmma::NEGATED_B, 0) | bit(Wgmma::NEGATED_A, 1),
        (false, WgmmaLeft::Registers) => bit(Wgmma::NEGATED_B, 0),
    }
}

/// The instruction; `None` if the machine has none.
fn mnemonic(m: &Wgmma) -> Option<Mnemonic> {
    let text = format!("64x{}x{}", m.columns, m.inner());
    let shape = Mod::ALL.iter().copied().find(|m| m.text() == text)?;
    let sp = if m.kind.selector().is_some() { Mod::Sp } else { Mod::None };
    let output = if m.d == MmaTy::F16 { Mod::F16 } else { Mod::F32 };
    let factor = |ty| match ty {
        MmaTy::S8 => Mod::S8,
        MmaTy::U8 => Mod::U8,
        MmaTy::E4m3 => Mod::E4m3,
        _ => Mod::E5m2,
    };
    Some(match m.a {
        MmaTy::F16 => Mnemonic::new(Op::Hgmma, &[sp, shape, output]),
        MmaTy::Bf16 => Mnemonic::new(Op::Hgmma, &[sp, shape, output, Mod::Bf16]),
        MmaTy::Tf32 => Mnemonic::new(Op::Hgmma, &[sp, shape, output, Mod::Tf32]),
        MmaTy::E4m3 | MmaTy::E5m2 => Mnemonic::new(Op::Qgmma, &[sp, shape, output, factor(m.a), factor(m.b)]),
        MmaTy::S8 | MmaTy::U8 => {
            let sat = if m.sat == Sat::Yes { Mod::Sat } else { Mod::None };
            Mnemonic::new(Op::Igmma, &[sp, shape, factor(m.a), factor(m.b), sat])
        }
        MmaTy::B1 => Mnemonic::new(Op::Bgmma, &[shape, Mod::And, Mod::Popc]),
        _ => return None,
    })
}
