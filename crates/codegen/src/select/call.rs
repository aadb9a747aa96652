//! Calls, and the arguments and results of called functions ([`crate::abi`]).

use raddle_cubin::unit::RelocKind;
use raddle_ir::{Op, Sym, Value};
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use super::{Part, Ra, Rb, Rd, Select, imm, words};
use crate::abi::memory;
use crate::convention::STACK;
use crate::convention::{FIRST_WORD, INCOMING, RETURN, WORDS};
use crate::leaf::{Leaf, LeafCall};
use crate::mir::{MKind, MOp, MReloc, MTarget, Regs, V};
use crate::sass::{self, tokens as t};

impl Select<'_> {
    /// A call of a symbol, or of the address in the first operand.
    pub(super) fn call(&mut self, name: Option<Sym>, args: &[Value], results: &[Value]) {
        let (address, args) = match name {
            Some(_) => (None, args),
            None => {
                let parts = self.parts(args[0]);
                (Some(self.regs(&parts)), &args[1..])
            }
        };
        self.give_words(args);
        for (half, kind) in [RelocKind::Abs32Lo, RelocKind::Abs32Hi].into_iter().enumerate() {
            let to = MOp::new(MKind::Phys(RETURN + half as u8));
            let behind = MReloc { kind, of: MTarget::Behind, addend: 0 };
            self.emit_full(sass::mov(), &[(Rd, to), (Rb, imm(0))], Some(behind));
        }
        match (name, address) {
            (Some(sym), _) => {
                let reloc = MReloc { kind: RelocKind::CallAbs, of: MTarget::Sym(sym), addend: 0 };
                self.emit_full(sass::call_abs(), &[(SlotRole::Imm, imm(0))], Some(reloc));
            }
            (None, Some(address)) => self.emit(sass::call_abs(), &[(Ra, address)]),
            (None, None) => self.refuse(),
        }
        for (n, &r) in results.iter().enumerate() {
            self.take_word(n, r);
        }
    }

    /// A call of the subroutine of an operation ([`crate::leaf`]).
    pub(super) fn leaf(&mut self, op: Op, args: &[Value], result: Value) {
        let known = self.m.leaves.iter().position(|leaf| leaf.op == op);
        let of = known.unwrap_or_else(|| {
            self.m.leaves.push(Leaf::new(op));
            self.m.leaves.len() - 1
        });
        let mut takes = Regs::new();
        let parts: SmallVec<[Part; 4]> = args.iter().flat_map(|&a| self.parts(a)).collect();
        for part in parts {
            let from = self.op(part);
            takes.push(self.emit1(sass::mov(), &[(Rb, from)]));
        }
        let gives: Regs = (0..words(self.f.width(result))).map(|_| self.m.vreg(File::Gpr)).collect();
        self.emit(sass::call_rel(), &[(SlotRole::Target, MOp::new(MKind::FunctionStart))]);
        if let Some(call) = self.m.blocks[self.cur].insts.last_mut() {
            call.leaf = Some(Box::new(LeafCall { of, takes, gives: gives.clone() }));
        }
        let results: SmallVec<[V; 2]> = gives.iter().map(|&v| self.emit1(sass::mov(), &[(Rb, MOp::reg(v))])).collect();
        self.set_regs(result, &results);
    }

    /// Moves words to the places of arguments and results.
    pub(super) fn give_words(&mut self, words: &[Value]) {
        for (n, &v) in words.iter().enumerate() {
            let part = self.part(v);
            if part != Part::Undef {
                if n >= WORDS {
                    let from = MOp::reg(self.reg(part));
                    let to = memory(STACK, 4 * (n - WORDS) as u32);
                    self.emit(sass::stl(t::Size::None), &[(SlotRole::Addr, to), (Rb, from)]);
                    continue;
                }
                let from = self.op(part);
                self.emit(sass::mov(), &[(Rd, MOp::new(MKind::Phys(FIRST_WORD + n as u8))), (Rb, from)]);
            }
        }
    }

    /// Reads a word from the places of arguments and results.
    pub(super) fn take_word(&mut self, n: usize, r: Value) {
        if n >= WORDS {
            let from = memory(INCOMING, 4 * (n - WORDS) as u32);
            let v = self.emit1(sass::ldl(t::Size::None), &[(SlotRole::Addr, from)]);
            return self.set_regs(r, &[v]);
        }
        let v = self.emit1(sass::mov(), &[(Rb, MOp::new(MKind::Phys(FIRST_WORD + n as u8)))]);
        self.set_regs(r, &[v]);
    }
}
