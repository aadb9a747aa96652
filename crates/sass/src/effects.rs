//! Registers that an instruction reads and writes.
//!
//! Facts come from the row alone: which slots are results, how many registers each names, and the
//! contents of an address or a constant reference. `RZ`, `URZ` and `PT` are not listed.

use crate::inst::{Inst, Kind, PT, RZ, URZ};
use crate::row::{Access, File, Show, Slot, SlotKind, SlotRole, Width};
use smallvec::SmallVec;

/// Slot number of the guard in [`RegAccess::slot`].
pub const GUARD_SLOT: u8 = 255;

/// One access to consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegAccess {
    /// Register file.
    pub file: File,
    /// First register.
    pub first: u8,
    /// Number of registers, at least 1.
    pub count: u8,
    /// Index into the row's slots, or [`GUARD_SLOT`].
    pub slot: u8,
    /// Whether they are read.
    pub read: bool,
    /// Whether they are written.
    pub written: bool,
}

/// All accesses of one instruction.
pub type Accesses = SmallVec<[RegAccess; 10]>;

impl Inst {
    /// Returns the number of registers that an operand slot names, by the row and the field values.
    #[must_use]
    pub fn slot_width(&self, slot: &Slot) -> u8 {
        match slot.width {
            Width::Fixed(n) => n,
            Width::Field(f, counts) => counts.get(usize::from(self.fields[usize::from(f)])).copied().unwrap_or(1),
            Width::Texture => self.texture_width(slot.role),
        }
    }

    /// Whether the slot is used under the current field values (the carry of an `IADD3` without
    /// `.X` is not).
    fn is_live(&self, slot: &Slot) -> bool {
        match slot.show {
            Show::Never => false,
            Show::Field(f, m) => m >> self.fields[usize::from(f)] & 1 != 0,
            _ => true,
        }
    }

    /// Returns all registers read and written, guard included, in slot order.
    #[must_use]
    pub fn accesses(&self) -> Accesses {
        let row = self.row();
        let mut out = Accesses::new();
        if self.guard.pred != PT {
            let file = if row.uniform_guard { File::Upred } else { File::Pred };
            out.push(RegAccess {
                file,
                first: self.guard.pred,
                count: 1,
                slot: GUARD_SLOT,
                read: true,
                written: false,
            });
        }
        for (i, (slot, o)) in row.slots.iter().zip(&self.operands).enumerate() {
            if !self.is_live(slot) {
                continue;
            }
            let (read, written) = match slot.access {
                Access::Def => (false, true),
                Access::Use => (true, false),
                Access::Both => (true, true),
            };
            let width = self.slot_width(slot).max(1);
            let mut push = |file, first: u8, count, read, written| {
                out.push(RegAccess { file, first, count, slot: i as u8, read, written });
            };
            match o.kind {
                Kind::Reg(n) if n != RZ => push(File::Gpr, n, width, read, written),
                Kind::UReg(n) if n != URZ => {
                    let (first, count) = match slot.kind {
                        // Pairs for A and B; if A is in registers, its pair is not read.
                        SlotKind::GDesc(_) if row.slots.iter().any(|s| s.role == SlotRole::Ra) => (n + 2, 2),
                        SlotKind::GDesc(_) => (n, 4),
                        _ => (n, width),
                    };
                    push(File::Ugpr, first, count, read, written);
                }
                Kind::Pred(n) if n != PT => push(File::Pred, n, 1, read, written),
                Kind::UPred(n) if n != PT => push(File::Upred, n, 1, read, written),
                Kind::Barrier(n) => push(File::Barrier, n, 1, read, written),
                Kind::CBank { base, handle, .. } => {
                    if base != RZ {
                        push(File::Gpr, base, 1, true, false);
                    }
                    if handle != URZ {
                        // A handle is a pair, an index one register.
                        let pair = matches!(slot.kind, SlotKind::CBankBindless(..));
                        push(File::Ugpr, handle, if pair { 2 } else { 1 }, true, false);
                    }
                }
                Kind::Addr { base, ubase, desc, .. } => {
                    if base != RZ {
                        push(File::Gpr, base, width, true, false);
                    }
                    if ubase != URZ {
                        // With a 64-bit base it is a pair; alone it is what the row says.
                        let alone = matches!(slot.kind, SlotKind::Addr { base: none, .. } if none.width() == 0);
                        push(File::Ugpr, ubase, if base != RZ || alone { width } else { 1 }, true, false);
                    }
                    if desc != URZ {
                        push(File::Ugpr, desc, 2, true, false);
                    }
                }
                Kind::PredFile | Kind::UPredFile => {
                    let mask = match self.slot(SlotRole::Imm).map(|o| o.kind) {
                        Some(Kind::Imm(v)) => v as u32,
                        _ => 0x7f,
                    };
                    let file = if o.kind == Kind::PredFile { File::Pred } else { File::Upred };
                    let is_result = i == 0;
                    for p in (0..PT).filter(|p| mask >> p & 1 != 0) {
                        push(file, p, 1, !is_result, is_result);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Returns the registers written.
    #[must_use]
    pub fn defs(&self) -> Accesses {
        self.accesses().into_iter().filter(|a| a.written).collect()
    }

    /// Returns the registers read, guard included.
    #[must_use]
    pub fn uses(&self) -> Accesses {
        self.accesses().into_iter().filter(|a| a.read).collect()
    }
}
