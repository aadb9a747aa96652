//! An instruction during conversion to a micro-operation.

use super::operands::{self, Banks, Reading, Why};
use super::uop::{PSrc, Src};
use raddle_sass::{Inst, Isa, Mod, SlotRole};

/// An instruction during conversion; the selectors fill it in.
pub struct UopBuilder<'a> {
    /// The decoded instruction.
    pub inst: &'a Inst,
    /// Its index.
    pub pc: u32,
    /// The machine.
    pub isa: Isa,
    /// Constant banks.
    pub banks: &'a Banks<'a>,
    /// Sources.
    pub s: [Src; 4],
    /// Predicate sources.
    pub p: [PSrc; 3],
}

impl UopBuilder<'_> {
    /// Reads a source operand into position `i`; absent ones are zero.
    pub fn source(&mut self, i: usize, role: SlotRole, how: Reading) -> Result<(), Why> {
        if let Some(s) = operands::source(self.inst, role, how, self.banks)? {
            self.s[i] = s;
        }
        Ok(())
    }

    /// Reads sources a, b, c in the same way.
    pub fn abc(&mut self, how: Reading) -> Result<(), Why> {
        self.source(0, SlotRole::Ra, how)?;
        self.source(1, SlotRole::Rb, how)?;
        self.source(2, SlotRole::Rc, how)
    }

    /// Reads predicate sources p, q, r; absent ones are `absent`.
    pub fn pqr(&mut self, absent: PSrc) {
        for (i, role) in [SlotRole::Pp, SlotRole::Pq, SlotRole::Pr].into_iter().enumerate() {
            self.p[i] = operands::predicate(self.inst, role).unwrap_or(absent);
        }
    }

    /// Returns the target of a direct branch as an instruction index.
    pub fn target(&self, code_len: usize) -> Result<u32, Why> {
        let Some(raddle_sass::Kind::Rel(rel)) = self.inst.slot(SlotRole::Target).map(|o| o.kind) else {
            return Err("no branch target".to_string());
        };
        let to = (i64::from(self.pc) + 1) * 16 + rel;
        let index = to / 16;
        if to % 16 != 0 || index < 0 || index >= code_len as i64 {
            return Err(format!("branch to {to:#x}, outside the code"));
        }
        Ok(index as u32)
    }

    /// Returns the target of a call by address as an instruction index. A kernel's text is loaded
    /// at address 0.
    pub fn absolute_target(&self, code_len: usize) -> Result<u32, Why> {
        let address = self.inst.operands.iter().find_map(|o| match o.kind {
            raddle_sass::Kind::Imm(address) => Some(address),
            _ => None,
        });
        match address {
            Some(to) if to % 16 == 0 && to >= 0 && to / 16 < code_len as i64 => Ok((to / 16) as u32),
            Some(to) => Err(format!("call of {to:#x}, outside the code")),
            None => Err("no call target".to_string()),
        }
    }
}

/// The scoreboard that a `DEPBAR.LE` names, and how many may remain pending.
pub fn counted(inst: &Inst) -> Option<(u8, u8)> {
    if !inst.has(Mod::Le) {
        return None;
    }
    let scoreboard = inst.operands.iter().find_map(|o| match o.kind {
        raddle_sass::Kind::Scoreboard(n) => Some(n),
        _ => None,
    });
    let left = inst.operands.iter().find_map(|o| match o.kind {
        raddle_sass::Kind::Imm(n) => u8::try_from(n).ok(),
        _ => None,
    });
    Some((scoreboard?, left.unwrap_or(0)))
}
