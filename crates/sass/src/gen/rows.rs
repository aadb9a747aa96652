// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.

//! The rows.
use super::names::{Class, Field, Mod, Op};
use super::values::*;
use crate::row::*;

#[rustfmt::skip]
const S0: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S1: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S2: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S3: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S4: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S5: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S6: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S7: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S8: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S9: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S10: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S11: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S12: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S13: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S14: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S15: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S16: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S17: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S18: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S19: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S20: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S21: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S22: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(2, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S23: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S24: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(2, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S25: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S26: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S27: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(0, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S28: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S29: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S30: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(54, 4), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S31: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(42, 12), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S32: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S33: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Twice, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S34: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 4, 4]), sep: ", " };
#[rustfmt::skip]
const S35: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(73, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S36: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S37: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 4]), sep: ", " };
#[rustfmt::skip]
const S38: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPredInv(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S39: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(24, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S40: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(24, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S41: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S42: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S43: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S44: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S45: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S46: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(34, 3), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S47: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S48: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S49: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S50: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(24, 3)), neg: 255, abs: 255, not: 27, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S51: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 30, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S52: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Both, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S53: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S54: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S55: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S56: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S57: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 30), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S58: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S59: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S60: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S61: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(34, 48), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S62: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(32, 32), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S63: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S64: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Special(Bits::new(72, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S65: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S66: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S67: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S68: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S69: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S70: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Scoreboard(Bits::new(44, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S71: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(38, 6), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S72: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Set(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S73: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S74: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S75: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S76: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S77: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S78: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 8, 8]), sep: ", " };
#[rustfmt::skip]
const S79: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 8, 16]), sep: ", " };
#[rustfmt::skip]
const S80: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 2, 4, 8]), sep: ", " };
#[rustfmt::skip]
const S81: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 8, 8]), sep: ", " };
#[rustfmt::skip]
const S82: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S83: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S84: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::Pred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S85: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S86: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S87: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S88: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S89: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S90: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S91: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S92: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S93: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S94: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S95: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F32(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S96: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S97: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(88, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S98: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(88, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S99: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S100: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(72, 1), values: &V_F2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S101: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S102: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S103: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S104: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S105: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F32(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S106: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S107: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S108: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 63, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S109: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 255, abs: 255, not: 63, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S110: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 63, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S111: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S112: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S113: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S114: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S115: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F16x2(Bits::new(32, 32), Some((0, 2))), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S116: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S117: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(81, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S118: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S119: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(81, 2), values: &V_H2SEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S120: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F16x2(Bits::new(32, 32), Some((0, 2))), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S121: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S122: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S123: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S124: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(61, 2), values: &V_GSEL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S125: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S126: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(84, 3), &V_GSB), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S127: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S128: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S129: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S130: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(62, 1), values: &V_GSELB }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S131: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S132: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S133: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S134: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S135: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S136: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S137: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S138: Slot = Slot { role: SlotRole::Rx, kind: SlotKind::Reg(Bits::new(40, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S139: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(48, 2), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S140: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4]), sep: ", " };
#[rustfmt::skip]
const S141: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4]), sep: ", " };
#[rustfmt::skip]
const S142: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 2, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S143: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 2, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S144: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 2, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S145: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S146: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S147: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S148: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::Pred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S149: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: Some(0), reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S150: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S151: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(0), reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S152: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S153: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::Pred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S154: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S155: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S156: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S157: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S158: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(1, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S159: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S160: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S161: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S162: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S163: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S164: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S165: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S166: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S167: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(73, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S168: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S169: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 1, 2, 1, 4, 4, 4]), sep: ", " };
#[rustfmt::skip]
const S170: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(73, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 2, 4, 4]), sep: ", " };
#[rustfmt::skip]
const S171: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S172: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 1, 2, 1, 4, 4, 4]), sep: ", " };
#[rustfmt::skip]
const S173: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::Pred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(3, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S174: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S175: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::PredInv(Bits::new(64, 3)), neg: 255, abs: 255, not: 67, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S176: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S177: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(32, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S178: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(32, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S179: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S180: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::CBankIndexed(Bits::new(38, 16), Bits::new(54, 5), Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S181: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S182: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S183: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S184: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(44, 20), base: Bits::new(16, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S185: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(32, 12), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S186: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(32, 12), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S187: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S188: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S189: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S190: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S191: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S192: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S193: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S194: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(75, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S195: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(24, 58), 0, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S196: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S197: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S198: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 4), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotImm(15), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S199: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S200: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S201: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::PredFile, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S202: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::Pred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S203: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::Pred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S204: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits([(64, 3), (72, 5), (0, 0)]), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S205: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(16, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S206: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::UPred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S207: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Sign, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S208: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Sign, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S209: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::Sign, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S210: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 16), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S211: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S212: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S213: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S214: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S215: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S216: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S217: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S218: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S219: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S220: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(73, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4]), sep: ", " };
#[rustfmt::skip]
const S221: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 1), values: &V_ROWCOL }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S222: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(76, 2), values: &V_BYTE }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S223: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S224: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S225: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(40, 13), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S226: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(53, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S227: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(40, 13), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S228: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S229: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S230: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S231: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S232: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S233: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S234: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S235: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(40, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S236: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(46, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S237: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(4, &[1, 1, 2, 1, 1, 2, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S238: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S239: Slot = Slot { role: SlotRole::Imm3, kind: SlotKind::UImm(Bits::new(54, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S240: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(40, 14), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S241: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S242: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S243: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S244: Slot = Slot { role: SlotRole::Re, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S245: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S246: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S247: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(61, 3), &V_TEXDIM), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S248: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotZero, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S249: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(62, 2), &V_TXQ), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S250: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S251: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S252: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S253: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S254: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S255: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::UPred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S256: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::UPred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S257: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 72, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S258: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S259: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S260: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S261: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S262: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(1, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S263: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S264: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S265: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::UPred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S266: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::UPred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S267: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S268: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::UPred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Field(3, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S269: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S270: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::CBank(Bits::new(38, 16), Bits::new(54, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S271: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S272: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::UPredFile, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S273: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(76, 2), values: &V_BYTE }), suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S274: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotImm(255), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S275: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 10), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S276: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S277: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2), neg: 63, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S278: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S279: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotZero, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S280: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::NotZero, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S281: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 3), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const E0: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(0) };
#[rustfmt::skip]
const E1: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E2: Effects = Effects { reads: Some(Space::Generic), writes: Some(Space::Generic), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E3: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Global), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E4: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Shared), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E5: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Shared), atomic: true, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E6: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E7: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(0) };
#[rustfmt::skip]
const E8: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0) };
#[rustfmt::skip]
const E9: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0) };
#[rustfmt::skip]
const E10: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: true, variable: IsaSet(0) };
#[rustfmt::skip]
const E11: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: true, variable: IsaSet(0) };
#[rustfmt::skip]
const E12: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E13: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(6) };
#[rustfmt::skip]
const E14: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E15: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(6) };
#[rustfmt::skip]
const E16: Effects = Effects { reads: Some(Space::Generic), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E17: Effects = Effects { reads: Some(Space::Const), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E18: Effects = Effects { reads: Some(Space::Global), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E19: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Shared), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E20: Effects = Effects { reads: Some(Space::Local), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E21: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E22: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E23: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E24: Effects = Effects { reads: None, writes: Some(Space::Generic), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E25: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E26: Effects = Effects { reads: None, writes: Some(Space::Global), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E27: Effects = Effects { reads: None, writes: Some(Space::Local), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E28: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E29: Effects = Effects { reads: Some(Space::Surface), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E30: Effects = Effects { reads: None, writes: Some(Space::Surface), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E31: Effects = Effects { reads: None, writes: Some(Space::Surface), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E32: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E33: Effects = Effects { reads: Some(Space::Texture), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E34: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E35: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Global), atomic: true, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E36: Effects = Effects { reads: Some(Space::Const), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0) };
#[rustfmt::skip]
const E37: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
const E38: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Global), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31) };
#[rustfmt::skip]
static L0: [Slot; 0] = [];
#[rustfmt::skip]
static L1: [Slot; 1] = [S0];
#[rustfmt::skip]
static L2: [Slot; 4] = [S1, S2, S3, S4];
#[rustfmt::skip]
static L3: [Slot; 4] = [S1, S5, S6, S7];
#[rustfmt::skip]
static L4: [Slot; 4] = [S1, S8, S6, S9];
#[rustfmt::skip]
static L5: [Slot; 5] = [S1, S10, S3, S11, S12];
#[rustfmt::skip]
static L6: [Slot; 4] = [S1, S13, S3, S14];
#[rustfmt::skip]
static L7: [Slot; 4] = [S1, S15, S16, S17];
#[rustfmt::skip]
static L8: [Slot; 5] = [S1, S18, S3, S19, S20];
#[rustfmt::skip]
static L9: [Slot; 3] = [S21, S22, S23];
#[rustfmt::skip]
static L10: [Slot; 3] = [S21, S24, S23];
#[rustfmt::skip]
static L11: [Slot; 4] = [S21, S22, S23, S25];
#[rustfmt::skip]
static L12: [Slot; 2] = [S26, S27];
#[rustfmt::skip]
static L13: [Slot; 2] = [S28, S27];
#[rustfmt::skip]
static L14: [Slot; 2] = [S26, S29];
#[rustfmt::skip]
static L15: [Slot; 2] = [S30, S31];
#[rustfmt::skip]
static L16: [Slot; 3] = [S30, S31, S32];
#[rustfmt::skip]
static L17: [Slot; 1] = [S33];
#[rustfmt::skip]
static L18: [Slot; 5] = [S34, S35, S36, S37, S38];
#[rustfmt::skip]
static L19: [Slot; 2] = [S26, S39];
#[rustfmt::skip]
static L20: [Slot; 2] = [S40, S41];
#[rustfmt::skip]
static L21: [Slot; 3] = [S26, S42, S41];
#[rustfmt::skip]
static L22: [Slot; 3] = [S26, S42, S43];
#[rustfmt::skip]
static L23: [Slot; 3] = [S26, S42, S44];
#[rustfmt::skip]
static L24: [Slot; 3] = [S26, S42, S45];
#[rustfmt::skip]
static L25: [Slot; 1] = [S46];
#[rustfmt::skip]
static L26: [Slot; 2] = [S47, S48];
#[rustfmt::skip]
static L27: [Slot; 2] = [S47, S49];
#[rustfmt::skip]
static L28: [Slot; 3] = [S47, S50, S48];
#[rustfmt::skip]
static L29: [Slot; 3] = [S47, S50, S49];
#[rustfmt::skip]
static L30: [Slot; 3] = [S47, S51, S48];
#[rustfmt::skip]
static L31: [Slot; 3] = [S47, S51, S49];
#[rustfmt::skip]
static L32: [Slot; 2] = [S47, S52];
#[rustfmt::skip]
static L33: [Slot; 2] = [S26, S41];
#[rustfmt::skip]
static L34: [Slot; 2] = [S26, S43];
#[rustfmt::skip]
static L35: [Slot; 2] = [S26, S44];
#[rustfmt::skip]
static L36: [Slot; 2] = [S26, S45];
#[rustfmt::skip]
static L37: [Slot; 3] = [S47, S53, S54];
#[rustfmt::skip]
static L38: [Slot; 3] = [S47, S53, S55];
#[rustfmt::skip]
static L39: [Slot; 3] = [S47, S56, S57];
#[rustfmt::skip]
static L40: [Slot; 2] = [S47, S58];
#[rustfmt::skip]
static L41: [Slot; 2] = [S47, S53];
#[rustfmt::skip]
static L42: [Slot; 3] = [S47, S53, S59];
#[rustfmt::skip]
static L43: [Slot; 3] = [S47, S53, S60];
#[rustfmt::skip]
static L44: [Slot; 2] = [S47, S61];
#[rustfmt::skip]
static L45: [Slot; 1] = [S62];
#[rustfmt::skip]
static L46: [Slot; 2] = [S63, S64];
#[rustfmt::skip]
static L47: [Slot; 3] = [S28, S65, S66];
#[rustfmt::skip]
static L48: [Slot; 3] = [S28, S65, S67];
#[rustfmt::skip]
static L49: [Slot; 3] = [S28, S65, S68];
#[rustfmt::skip]
static L50: [Slot; 3] = [S28, S65, S69];
#[rustfmt::skip]
static L51: [Slot; 3] = [S70, S71, S72];
#[rustfmt::skip]
static L52: [Slot; 4] = [S28, S65, S73, S66];
#[rustfmt::skip]
static L53: [Slot; 4] = [S28, S65, S74, S66];
#[rustfmt::skip]
static L54: [Slot; 4] = [S28, S65, S75, S66];
#[rustfmt::skip]
static L55: [Slot; 4] = [S28, S65, S76, S66];
#[rustfmt::skip]
static L56: [Slot; 4] = [S28, S65, S77, S67];
#[rustfmt::skip]
static L57: [Slot; 4] = [S28, S65, S77, S68];
#[rustfmt::skip]
static L58: [Slot; 4] = [S28, S65, S77, S69];
#[rustfmt::skip]
static L59: [Slot; 5] = [S78, S79, S80, S81, S38];
#[rustfmt::skip]
static L60: [Slot; 4] = [S82, S65, S73, S83];
#[rustfmt::skip]
static L61: [Slot; 3] = [S28, S65, S73];
#[rustfmt::skip]
static L62: [Slot; 3] = [S28, S65, S74];
#[rustfmt::skip]
static L63: [Slot; 3] = [S28, S65, S75];
#[rustfmt::skip]
static L64: [Slot; 3] = [S28, S65, S76];
#[rustfmt::skip]
static L65: [Slot; 5] = [S1, S84, S65, S85, S32];
#[rustfmt::skip]
static L66: [Slot; 5] = [S1, S84, S65, S74, S32];
#[rustfmt::skip]
static L67: [Slot; 5] = [S1, S84, S65, S75, S32];
#[rustfmt::skip]
static L68: [Slot; 5] = [S1, S84, S65, S76, S32];
#[rustfmt::skip]
static L69: [Slot; 3] = [S1, S86, S32];
#[rustfmt::skip]
static L70: [Slot; 1] = [S47];
#[rustfmt::skip]
static L71: [Slot; 2] = [S26, S87];
#[rustfmt::skip]
static L72: [Slot; 2] = [S26, S88];
#[rustfmt::skip]
static L73: [Slot; 2] = [S26, S89];
#[rustfmt::skip]
static L74: [Slot; 2] = [S26, S90];
#[rustfmt::skip]
static L75: [Slot; 2] = [S26, S91];
#[rustfmt::skip]
static L76: [Slot; 2] = [S26, S92];
#[rustfmt::skip]
static L77: [Slot; 2] = [S28, S87];
#[rustfmt::skip]
static L78: [Slot; 2] = [S28, S88];
#[rustfmt::skip]
static L79: [Slot; 2] = [S28, S89];
#[rustfmt::skip]
static L80: [Slot; 2] = [S26, S73];
#[rustfmt::skip]
static L81: [Slot; 2] = [S26, S75];
#[rustfmt::skip]
static L82: [Slot; 2] = [S26, S76];
#[rustfmt::skip]
static L83: [Slot; 2] = [S28, S90];
#[rustfmt::skip]
static L84: [Slot; 2] = [S28, S91];
#[rustfmt::skip]
static L85: [Slot; 2] = [S28, S92];
#[rustfmt::skip]
static L86: [Slot; 4] = [S26, S93, S87, S94];
#[rustfmt::skip]
static L87: [Slot; 4] = [S26, S93, S95, S94];
#[rustfmt::skip]
static L88: [Slot; 4] = [S26, S93, S88, S94];
#[rustfmt::skip]
static L89: [Slot; 4] = [S26, S93, S89, S94];
#[rustfmt::skip]
static L90: [Slot; 4] = [S26, S93, S87, S96];
#[rustfmt::skip]
static L91: [Slot; 4] = [S26, S93, S89, S96];
#[rustfmt::skip]
static L92: [Slot; 3] = [S26, S97, S94];
#[rustfmt::skip]
static L93: [Slot; 3] = [S26, S98, S94];
#[rustfmt::skip]
static L94: [Slot; 2] = [S99, S87];
#[rustfmt::skip]
static L95: [Slot; 2] = [S99, S88];
#[rustfmt::skip]
static L96: [Slot; 2] = [S99, S89];
#[rustfmt::skip]
static L97: [Slot; 2] = [S99, S73];
#[rustfmt::skip]
static L98: [Slot; 2] = [S99, S75];
#[rustfmt::skip]
static L99: [Slot; 2] = [S99, S76];
#[rustfmt::skip]
static L100: [Slot; 2] = [S99, S90];
#[rustfmt::skip]
static L101: [Slot; 2] = [S99, S91];
#[rustfmt::skip]
static L102: [Slot; 2] = [S99, S92];
#[rustfmt::skip]
static L103: [Slot; 4] = [S26, S42, S41, S100];
#[rustfmt::skip]
static L104: [Slot; 4] = [S26, S42, S101, S100];
#[rustfmt::skip]
static L105: [Slot; 4] = [S26, S42, S44, S100];
#[rustfmt::skip]
static L106: [Slot; 4] = [S26, S42, S45, S100];
#[rustfmt::skip]
static L107: [Slot; 3] = [S26, S93, S102];
#[rustfmt::skip]
static L108: [Slot; 3] = [S26, S93, S95];
#[rustfmt::skip]
static L109: [Slot; 3] = [S26, S93, S88];
#[rustfmt::skip]
static L110: [Slot; 3] = [S26, S93, S89];
#[rustfmt::skip]
static L111: [Slot; 3] = [S1, S93, S87];
#[rustfmt::skip]
static L112: [Slot; 3] = [S1, S93, S95];
#[rustfmt::skip]
static L113: [Slot; 3] = [S1, S93, S88];
#[rustfmt::skip]
static L114: [Slot; 3] = [S1, S93, S89];
#[rustfmt::skip]
static L115: [Slot; 4] = [S26, S93, S87, S103];
#[rustfmt::skip]
static L116: [Slot; 4] = [S26, S93, S95, S103];
#[rustfmt::skip]
static L117: [Slot; 4] = [S26, S93, S88, S103];
#[rustfmt::skip]
static L118: [Slot; 4] = [S26, S93, S89, S103];
#[rustfmt::skip]
static L119: [Slot; 4] = [S26, S93, S104, S105];
#[rustfmt::skip]
static L120: [Slot; 4] = [S26, S93, S104, S106];
#[rustfmt::skip]
static L121: [Slot; 4] = [S26, S93, S104, S107];
#[rustfmt::skip]
static L122: [Slot; 3] = [S26, S29, S108];
#[rustfmt::skip]
static L123: [Slot; 3] = [S26, S29, S43];
#[rustfmt::skip]
static L124: [Slot; 3] = [S26, S29, S109];
#[rustfmt::skip]
static L125: [Slot; 3] = [S26, S29, S110];
#[rustfmt::skip]
static L126: [Slot; 4] = [S26, S93, S87, S32];
#[rustfmt::skip]
static L127: [Slot; 4] = [S26, S93, S95, S32];
#[rustfmt::skip]
static L128: [Slot; 4] = [S26, S93, S88, S32];
#[rustfmt::skip]
static L129: [Slot; 4] = [S26, S93, S89, S32];
#[rustfmt::skip]
static L130: [Slot; 3] = [S26, S93, S87];
#[rustfmt::skip]
static L131: [Slot; 2] = [S28, S73];
#[rustfmt::skip]
static L132: [Slot; 2] = [S28, S75];
#[rustfmt::skip]
static L133: [Slot; 2] = [S28, S76];
#[rustfmt::skip]
static L134: [Slot; 5] = [S1, S84, S93, S87, S32];
#[rustfmt::skip]
static L135: [Slot; 5] = [S1, S84, S93, S95, S32];
#[rustfmt::skip]
static L136: [Slot; 5] = [S1, S84, S93, S88, S32];
#[rustfmt::skip]
static L137: [Slot; 5] = [S1, S84, S93, S89, S32];
#[rustfmt::skip]
static L138: [Slot; 4] = [S26, S42, S96, S111];
#[rustfmt::skip]
static L139: [Slot; 3] = [S26, S112, S113];
#[rustfmt::skip]
static L140: [Slot; 3] = [S26, S112, S114];
#[rustfmt::skip]
static L141: [Slot; 3] = [S26, S112, S88];
#[rustfmt::skip]
static L142: [Slot; 3] = [S26, S112, S115];
#[rustfmt::skip]
static L143: [Slot; 4] = [S26, S112, S116, S117];
#[rustfmt::skip]
static L144: [Slot; 4] = [S26, S112, S114, S117];
#[rustfmt::skip]
static L145: [Slot; 5] = [S26, S112, S116, S117, S118];
#[rustfmt::skip]
static L146: [Slot; 5] = [S26, S112, S114, S117, S118];
#[rustfmt::skip]
static L147: [Slot; 4] = [S26, S112, S115, S117];
#[rustfmt::skip]
static L148: [Slot; 4] = [S26, S112, S119, S120];
#[rustfmt::skip]
static L149: [Slot; 4] = [S26, S112, S88, S117];
#[rustfmt::skip]
static L150: [Slot; 4] = [S26, S112, S119, S106];
#[rustfmt::skip]
static L151: [Slot; 4] = [S26, S112, S119, S107];
#[rustfmt::skip]
static L152: [Slot; 4] = [S26, S93, S87, S121];
#[rustfmt::skip]
static L153: [Slot; 4] = [S26, S93, S88, S121];
#[rustfmt::skip]
static L154: [Slot; 4] = [S26, S93, S89, S121];
#[rustfmt::skip]
static L155: [Slot; 5] = [S26, S93, S87, S121, S118];
#[rustfmt::skip]
static L156: [Slot; 5] = [S26, S93, S88, S121, S118];
#[rustfmt::skip]
static L157: [Slot; 5] = [S26, S93, S89, S121, S118];
#[rustfmt::skip]
static L158: [Slot; 4] = [S26, S93, S115, S121];
#[rustfmt::skip]
static L159: [Slot; 4] = [S26, S93, S122, S120];
#[rustfmt::skip]
static L160: [Slot; 4] = [S26, S93, S122, S106];
#[rustfmt::skip]
static L161: [Slot; 4] = [S26, S93, S122, S107];
#[rustfmt::skip]
static L162: [Slot; 5] = [S123, S124, S125, S38, S126];
#[rustfmt::skip]
static L163: [Slot; 5] = [S127, S124, S128, S38, S126];
#[rustfmt::skip]
static L164: [Slot; 6] = [S123, S129, S130, S125, S38, S126];
#[rustfmt::skip]
static L165: [Slot; 6] = [S127, S129, S130, S128, S38, S126];
#[rustfmt::skip]
static L166: [Slot; 5] = [S82, S131, S132, S133, S38];
#[rustfmt::skip]
static L167: [Slot; 5] = [S82, S129, S134, S133, S38];
#[rustfmt::skip]
static L168: [Slot; 5] = [S28, S131, S132, S135, S38];
#[rustfmt::skip]
static L169: [Slot; 5] = [S28, S129, S134, S135, S38];
#[rustfmt::skip]
static L170: [Slot; 7] = [S82, S136, S137, S133, S138, S139, S38];
#[rustfmt::skip]
static L171: [Slot; 7] = [S28, S136, S137, S135, S138, S139, S38];
#[rustfmt::skip]
static L172: [Slot; 7] = [S82, S140, S141, S133, S138, S139, S38];
#[rustfmt::skip]
static L173: [Slot; 4] = [S26, S112, S116, S32];
#[rustfmt::skip]
static L174: [Slot; 4] = [S26, S112, S114, S32];
#[rustfmt::skip]
static L175: [Slot; 4] = [S26, S112, S88, S32];
#[rustfmt::skip]
static L176: [Slot; 4] = [S26, S112, S115, S32];
#[rustfmt::skip]
static L177: [Slot; 3] = [S26, S112, S116];
#[rustfmt::skip]
static L178: [Slot; 4] = [S26, S112, S113, S32];
#[rustfmt::skip]
static L179: [Slot; 5] = [S1, S84, S112, S113, S32];
#[rustfmt::skip]
static L180: [Slot; 5] = [S1, S84, S112, S114, S32];
#[rustfmt::skip]
static L181: [Slot; 5] = [S1, S84, S112, S88, S32];
#[rustfmt::skip]
static L182: [Slot; 5] = [S1, S84, S112, S115, S32];
#[rustfmt::skip]
static L183: [Slot; 2] = [S26, S101];
#[rustfmt::skip]
static L184: [Slot; 2] = [S28, S142];
#[rustfmt::skip]
static L185: [Slot; 2] = [S28, S143];
#[rustfmt::skip]
static L186: [Slot; 2] = [S28, S144];
#[rustfmt::skip]
static L187: [Slot; 2] = [S26, S145];
#[rustfmt::skip]
static L188: [Slot; 2] = [S26, S146];
#[rustfmt::skip]
static L189: [Slot; 2] = [S26, S147];
#[rustfmt::skip]
static L190: [Slot; 4] = [S26, S42, S41, S96];
#[rustfmt::skip]
static L191: [Slot; 4] = [S26, S42, S101, S96];
#[rustfmt::skip]
static L192: [Slot; 4] = [S26, S42, S44, S96];
#[rustfmt::skip]
static L193: [Slot; 4] = [S26, S42, S45, S96];
#[rustfmt::skip]
static L194: [Slot; 8] = [S26, S29, S148, S149, S150, S151, S152, S153];
#[rustfmt::skip]
static L195: [Slot; 8] = [S26, S29, S148, S149, S101, S151, S152, S153];
#[rustfmt::skip]
static L196: [Slot; 8] = [S26, S29, S148, S149, S154, S151, S152, S153];
#[rustfmt::skip]
static L197: [Slot; 8] = [S26, S29, S148, S149, S155, S151, S152, S153];
#[rustfmt::skip]
static L198: [Slot; 4] = [S26, S42, S41, S156];
#[rustfmt::skip]
static L199: [Slot; 4] = [S26, S42, S101, S156];
#[rustfmt::skip]
static L200: [Slot; 4] = [S26, S42, S44, S156];
#[rustfmt::skip]
static L201: [Slot; 4] = [S26, S42, S45, S156];
#[rustfmt::skip]
static L202: [Slot; 5] = [S26, S42, S41, S157, S158];
#[rustfmt::skip]
static L203: [Slot; 5] = [S26, S42, S101, S157, S158];
#[rustfmt::skip]
static L204: [Slot; 5] = [S26, S42, S44, S157, S158];
#[rustfmt::skip]
static L205: [Slot; 5] = [S26, S42, S45, S157, S158];
#[rustfmt::skip]
static L206: [Slot; 5] = [S26, S42, S159, S160, S158];
#[rustfmt::skip]
static L207: [Slot; 5] = [S26, S42, S159, S161, S158];
#[rustfmt::skip]
static L208: [Slot; 5] = [S26, S42, S159, S162, S158];
#[rustfmt::skip]
static L209: [Slot; 6] = [S28, S29, S42, S41, S163, S158];
#[rustfmt::skip]
static L210: [Slot; 6] = [S28, S29, S42, S101, S163, S158];
#[rustfmt::skip]
static L211: [Slot; 6] = [S28, S29, S42, S44, S163, S158];
#[rustfmt::skip]
static L212: [Slot; 6] = [S28, S29, S42, S45, S163, S158];
#[rustfmt::skip]
static L213: [Slot; 6] = [S28, S29, S42, S159, S164, S158];
#[rustfmt::skip]
static L214: [Slot; 6] = [S28, S29, S42, S159, S165, S158];
#[rustfmt::skip]
static L215: [Slot; 6] = [S28, S29, S42, S159, S166, S158];
#[rustfmt::skip]
static L216: [Slot; 6] = [S26, S29, S42, S41, S163, S158];
#[rustfmt::skip]
static L217: [Slot; 6] = [S26, S29, S42, S101, S163, S158];
#[rustfmt::skip]
static L218: [Slot; 6] = [S26, S29, S42, S44, S163, S158];
#[rustfmt::skip]
static L219: [Slot; 6] = [S26, S29, S42, S45, S163, S158];
#[rustfmt::skip]
static L220: [Slot; 6] = [S26, S29, S42, S159, S164, S158];
#[rustfmt::skip]
static L221: [Slot; 6] = [S26, S29, S42, S159, S165, S158];
#[rustfmt::skip]
static L222: [Slot; 6] = [S26, S29, S42, S159, S166, S158];
#[rustfmt::skip]
static L223: [Slot; 5] = [S82, S167, S168, S133, S38];
#[rustfmt::skip]
static L224: [Slot; 4] = [S169, S170, S171, S172];
#[rustfmt::skip]
static L225: [Slot; 4] = [S26, S42, S41, S32];
#[rustfmt::skip]
static L226: [Slot; 4] = [S26, S42, S101, S32];
#[rustfmt::skip]
static L227: [Slot; 4] = [S26, S42, S44, S32];
#[rustfmt::skip]
static L228: [Slot; 4] = [S26, S42, S45, S32];
#[rustfmt::skip]
static L229: [Slot; 6] = [S1, S84, S42, S41, S32, S173];
#[rustfmt::skip]
static L230: [Slot; 6] = [S1, S84, S42, S101, S32, S173];
#[rustfmt::skip]
static L231: [Slot; 6] = [S1, S84, S42, S44, S32, S173];
#[rustfmt::skip]
static L232: [Slot; 6] = [S1, S84, S42, S45, S32, S173];
#[rustfmt::skip]
static L233: [Slot; 3] = [S174, S62, S175];
#[rustfmt::skip]
static L234: [Slot; 3] = [S176, S177, S175];
#[rustfmt::skip]
static L235: [Slot; 3] = [S176, S178, S175];
#[rustfmt::skip]
static L236: [Slot; 2] = [S179, S180];
#[rustfmt::skip]
static L237: [Slot; 4] = [S29, S174, S3, S175];
#[rustfmt::skip]
static L238: [Slot; 4] = [S29, S176, S177, S175];
#[rustfmt::skip]
static L239: [Slot; 4] = [S29, S176, S178, S175];
#[rustfmt::skip]
static L240: [Slot; 4] = [S29, S176, S181, S175];
#[rustfmt::skip]
static L241: [Slot; 2] = [S182, S183];
#[rustfmt::skip]
static L242: [Slot; 3] = [S184, S185, S47];
#[rustfmt::skip]
static L243: [Slot; 3] = [S184, S186, S47];
#[rustfmt::skip]
static L244: [Slot; 2] = [S187, S188];
#[rustfmt::skip]
static L245: [Slot; 2] = [S187, S189];
#[rustfmt::skip]
static L246: [Slot; 2] = [S190, S191];
#[rustfmt::skip]
static L247: [Slot; 2] = [S190, S192];
#[rustfmt::skip]
static L248: [Slot; 2] = [S193, S188];
#[rustfmt::skip]
static L249: [Slot; 2] = [S193, S189];
#[rustfmt::skip]
static L250: [Slot; 7] = [S26, S29, S149, S150, S94, S194, S152];
#[rustfmt::skip]
static L251: [Slot; 7] = [S26, S29, S149, S43, S94, S194, S152];
#[rustfmt::skip]
static L252: [Slot; 7] = [S26, S29, S149, S154, S94, S194, S152];
#[rustfmt::skip]
static L253: [Slot; 7] = [S26, S29, S149, S155, S94, S194, S152];
#[rustfmt::skip]
static L254: [Slot; 7] = [S26, S29, S149, S150, S96, S194, S152];
#[rustfmt::skip]
static L255: [Slot; 7] = [S26, S29, S149, S43, S96, S194, S152];
#[rustfmt::skip]
static L256: [Slot; 7] = [S26, S29, S149, S154, S96, S194, S152];
#[rustfmt::skip]
static L257: [Slot; 7] = [S26, S29, S149, S155, S96, S194, S152];
#[rustfmt::skip]
static L258: [Slot; 1] = [S28];
#[rustfmt::skip]
static L259: [Slot; 2] = [S28, S195];
#[rustfmt::skip]
static L260: [Slot; 7] = [S29, S26, S42, S41, S96, S196, S32];
#[rustfmt::skip]
static L261: [Slot; 7] = [S29, S26, S42, S43, S96, S196, S32];
#[rustfmt::skip]
static L262: [Slot; 7] = [S29, S26, S42, S44, S96, S196, S32];
#[rustfmt::skip]
static L263: [Slot; 7] = [S29, S26, S42, S45, S96, S196, S32];
#[rustfmt::skip]
static L264: [Slot; 2] = [S26, S197];
#[rustfmt::skip]
static L265: [Slot; 3] = [S1, S26, S197];
#[rustfmt::skip]
static L266: [Slot; 3] = [S26, S41, S198];
#[rustfmt::skip]
static L267: [Slot; 3] = [S26, S43, S198];
#[rustfmt::skip]
static L268: [Slot; 3] = [S26, S44, S198];
#[rustfmt::skip]
static L269: [Slot; 3] = [S26, S45, S198];
#[rustfmt::skip]
static L270: [Slot; 2] = [S26, S42];
#[rustfmt::skip]
static L271: [Slot; 2] = [S26, S95];
#[rustfmt::skip]
static L272: [Slot; 2] = [S26, S199];
#[rustfmt::skip]
static L273: [Slot; 2] = [S47, S41];
#[rustfmt::skip]
static L274: [Slot; 2] = [S47, S200];
#[rustfmt::skip]
static L275: [Slot; 4] = [S26, S201, S42, S200];
#[rustfmt::skip]
static L276: [Slot; 7] = [S1, S84, S32, S202, S203, S204, S205];
#[rustfmt::skip]
static L277: [Slot; 7] = [S1, S84, S32, S202, S206, S204, S205];
#[rustfmt::skip]
static L278: [Slot; 7] = [S1, S84, S207, S208, S209, S196, S205];
#[rustfmt::skip]
static L279: [Slot; 2] = [S47, S210];
#[rustfmt::skip]
static L280: [Slot; 2] = [S26, S108];
#[rustfmt::skip]
static L281: [Slot; 2] = [S26, S109];
#[rustfmt::skip]
static L282: [Slot; 2] = [S26, S110];
#[rustfmt::skip]
static L283: [Slot; 4] = [S26, S42, S43, S96];
#[rustfmt::skip]
static L284: [Slot; 4] = [S26, S42, S159, S211];
#[rustfmt::skip]
static L285: [Slot; 4] = [S26, S42, S159, S212];
#[rustfmt::skip]
static L286: [Slot; 4] = [S26, S42, S159, S213];
#[rustfmt::skip]
static L287: [Slot; 5] = [S214, S215, S216, S38, S126];
#[rustfmt::skip]
static L288: [Slot; 5] = [S217, S215, S218, S38, S126];
#[rustfmt::skip]
static L289: [Slot; 6] = [S214, S129, S219, S216, S38, S126];
#[rustfmt::skip]
static L290: [Slot; 6] = [S217, S129, S219, S218, S38, S126];
#[rustfmt::skip]
static L291: [Slot; 4] = [S82, S220, S221, S133];
#[rustfmt::skip]
static L292: [Slot; 3] = [S1, S26, S3];
#[rustfmt::skip]
static L293: [Slot; 3] = [S201, S222, S200];
#[rustfmt::skip]
static L294: [Slot; 3] = [S29, S86, S42];
#[rustfmt::skip]
static L295: [Slot; 3] = [S1, S86, S42];
#[rustfmt::skip]
static L296: [Slot; 2] = [S16, S17];
#[rustfmt::skip]
static L297: [Slot; 2] = [S223, S23];
#[rustfmt::skip]
static L298: [Slot; 2] = [S6, S224];
#[rustfmt::skip]
static L299: [Slot; 2] = [S6, S9];
#[rustfmt::skip]
static L300: [Slot; 2] = [S86, S42];
#[rustfmt::skip]
static L301: [Slot; 2] = [S26, S64];
#[rustfmt::skip]
static L302: [Slot; 2] = [S86, S64];
#[rustfmt::skip]
static L303: [Slot; 4] = [S26, S42, S43, S32];
#[rustfmt::skip]
static L304: [Slot; 5] = [S1, S26, S42, S41, S96];
#[rustfmt::skip]
static L305: [Slot; 5] = [S1, S26, S42, S41, S225];
#[rustfmt::skip]
static L306: [Slot; 5] = [S1, S26, S42, S226, S96];
#[rustfmt::skip]
static L307: [Slot; 5] = [S1, S26, S42, S226, S227];
#[rustfmt::skip]
static L308: [Slot; 2] = [S62, S228];
#[rustfmt::skip]
static L309: [Slot; 2] = [S6, S229];
#[rustfmt::skip]
static L310: [Slot; 2] = [S16, S229];
#[rustfmt::skip]
static L311: [Slot; 2] = [S223, S230];
#[rustfmt::skip]
static L312: [Slot; 2] = [S183, S229];
#[rustfmt::skip]
static L313: [Slot; 2] = [S3, S231];
#[rustfmt::skip]
static L314: [Slot; 2] = [S188, S229];
#[rustfmt::skip]
static L315: [Slot; 2] = [S0, S229];
#[rustfmt::skip]
static L316: [Slot; 2] = [S191, S230];
#[rustfmt::skip]
static L317: [Slot; 2] = [S232, S230];
#[rustfmt::skip]
static L318: [Slot; 2] = [S188, S233];
#[rustfmt::skip]
static L319: [Slot; 2] = [S0, S233];
#[rustfmt::skip]
static L320: [Slot; 5] = [S29, S174, S234, S235, S236];
#[rustfmt::skip]
static L321: [Slot; 4] = [S29, S174, S234, S96];
#[rustfmt::skip]
static L322: [Slot; 4] = [S234, S237, S235, S236];
#[rustfmt::skip]
static L323: [Slot; 3] = [S234, S237, S96];
#[rustfmt::skip]
static L324: [Slot; 4] = [S234, S238, S235, S236];
#[rustfmt::skip]
static L325: [Slot; 3] = [S234, S238, S96];
#[rustfmt::skip]
static L326: [Slot; 4] = [S234, S238, S239, S240];
#[rustfmt::skip]
static L327: [Slot; 4] = [S234, S241, S235, S236];
#[rustfmt::skip]
static L328: [Slot; 3] = [S234, S241, S96];
#[rustfmt::skip]
static L329: [Slot; 3] = [S1, S0, S41];
#[rustfmt::skip]
static L330: [Slot; 3] = [S26, S0, S41];
#[rustfmt::skip]
static L331: [Slot; 3] = [S242, S243, S147];
#[rustfmt::skip]
static L332: [Slot; 9] = [S29, S244, S28, S245, S246, S235, S236, S247, S198];
#[rustfmt::skip]
static L333: [Slot; 7] = [S29, S244, S28, S245, S246, S247, S198];
#[rustfmt::skip]
static L334: [Slot; 9] = [S29, S244, S28, S245, S246, S239, S240, S247, S198];
#[rustfmt::skip]
static L335: [Slot; 9] = [S29, S244, S28, S245, S248, S235, S236, S247, S198];
#[rustfmt::skip]
static L336: [Slot; 9] = [S29, S244, S28, S245, S248, S239, S240, S247, S198];
#[rustfmt::skip]
static L337: [Slot; 7] = [S244, S28, S42, S249, S235, S236, S198];
#[rustfmt::skip]
static L338: [Slot; 5] = [S244, S28, S42, S249, S198];
#[rustfmt::skip]
static L339: [Slot; 3] = [S250, S251, S252];
#[rustfmt::skip]
static L340: [Slot; 2] = [S253, S252];
#[rustfmt::skip]
static L341: [Slot; 3] = [S86, S254, S45];
#[rustfmt::skip]
static L342: [Slot; 3] = [S86, S254, S43];
#[rustfmt::skip]
static L343: [Slot; 3] = [S86, S255, S110];
#[rustfmt::skip]
static L344: [Slot; 8] = [S86, S255, S256, S257, S155, S258, S259, S260];
#[rustfmt::skip]
static L345: [Slot; 8] = [S86, S255, S256, S257, S101, S258, S259, S260];
#[rustfmt::skip]
static L346: [Slot; 5] = [S86, S254, S45, S261, S262];
#[rustfmt::skip]
static L347: [Slot; 5] = [S86, S254, S101, S261, S262];
#[rustfmt::skip]
static L348: [Slot; 5] = [S86, S254, S263, S160, S262];
#[rustfmt::skip]
static L349: [Slot; 6] = [S242, S255, S254, S45, S264, S262];
#[rustfmt::skip]
static L350: [Slot; 6] = [S242, S255, S254, S101, S264, S262];
#[rustfmt::skip]
static L351: [Slot; 6] = [S265, S266, S254, S45, S267, S268];
#[rustfmt::skip]
static L352: [Slot; 6] = [S265, S266, S254, S101, S267, S268];
#[rustfmt::skip]
static L353: [Slot; 2] = [S269, S270];
#[rustfmt::skip]
static L354: [Slot; 7] = [S86, S255, S257, S155, S271, S194, S259];
#[rustfmt::skip]
static L355: [Slot; 7] = [S86, S255, S257, S43, S271, S194, S259];
#[rustfmt::skip]
static L356: [Slot; 7] = [S86, S255, S257, S155, S252, S194, S259];
#[rustfmt::skip]
static L357: [Slot; 7] = [S86, S255, S257, S43, S252, S194, S259];
#[rustfmt::skip]
static L358: [Slot; 7] = [S255, S86, S254, S45, S252, S196, S267];
#[rustfmt::skip]
static L359: [Slot; 7] = [S255, S86, S254, S43, S252, S196, S267];
#[rustfmt::skip]
static L360: [Slot; 2] = [S86, S200];
#[rustfmt::skip]
static L361: [Slot; 2] = [S86, S45];
#[rustfmt::skip]
static L362: [Slot; 4] = [S86, S272, S254, S200];
#[rustfmt::skip]
static L363: [Slot; 2] = [S86, S110];
#[rustfmt::skip]
static L364: [Slot; 4] = [S86, S254, S43, S252];
#[rustfmt::skip]
static L365: [Slot; 4] = [S86, S254, S45, S252];
#[rustfmt::skip]
static L366: [Slot; 3] = [S272, S273, S274];
#[rustfmt::skip]
static L367: [Slot; 4] = [S86, S254, S45, S267];
#[rustfmt::skip]
static L368: [Slot; 4] = [S86, S254, S43, S267];
#[rustfmt::skip]
static L369: [Slot; 1] = [S275];
#[rustfmt::skip]
static L370: [Slot; 2] = [S265, S275];
#[rustfmt::skip]
static L371: [Slot; 1] = [S253];
#[rustfmt::skip]
static L372: [Slot; 2] = [S250, S251];
#[rustfmt::skip]
static L373: [Slot; 5] = [S26, S29, S42, S41, S96];
#[rustfmt::skip]
static L374: [Slot; 5] = [S26, S29, S42, S101, S96];
#[rustfmt::skip]
static L375: [Slot; 5] = [S26, S29, S42, S44, S96];
#[rustfmt::skip]
static L376: [Slot; 5] = [S26, S29, S42, S45, S96];
#[rustfmt::skip]
static L377: [Slot; 3] = [S26, S42, S132];
#[rustfmt::skip]
static L378: [Slot; 3] = [S26, S42, S276];
#[rustfmt::skip]
static L379: [Slot; 5] = [S26, S42, S132, S96, S32];
#[rustfmt::skip]
static L380: [Slot; 5] = [S26, S42, S43, S96, S32];
#[rustfmt::skip]
static L381: [Slot; 5] = [S26, S42, S277, S96, S32];
#[rustfmt::skip]
static L382: [Slot; 5] = [S26, S42, S276, S96, S32];
#[rustfmt::skip]
static L383: [Slot; 5] = [S26, S42, S278, S211, S32];
#[rustfmt::skip]
static L384: [Slot; 5] = [S26, S42, S278, S212, S32];
#[rustfmt::skip]
static L385: [Slot; 5] = [S26, S42, S278, S213, S32];
#[rustfmt::skip]
static L386: [Slot; 3] = [S279, S1, S32];
#[rustfmt::skip]
static L387: [Slot; 3] = [S280, S265, S32];
#[rustfmt::skip]
static L388: [Slot; 2] = [S126, S281];
#[rustfmt::skip]
static L389: [Slot; 2] = [S47, S42];
#[rustfmt::skip]
static L390: [Slot; 3] = [S47, S42, S48];
#[rustfmt::skip]
static F0: [FieldSpec; 0] = [];
#[rustfmt::skip]
static F1: [FieldSpec; 1] = [FieldSpec { field: Field::T, bits: Bits::new(70, 2), values: &V_ARRIVES }];
#[rustfmt::skip]
static F2: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F3: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F4: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(88, 2), values: &V_FATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMFTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F5: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F6: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F7: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F8: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F9: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F10: [FieldSpec; 4] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F11: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F12: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F13: [FieldSpec; 3] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMSTY }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F14: [FieldSpec; 3] = [FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCAS }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F15: [FieldSpec; 1] = [FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F16: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(78, 2), values: &V_B2R }];
#[rustfmt::skip]
static F17: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits([(77, 2), (80, 1), (0, 0)]), values: &V_BARBB }];
#[rustfmt::skip]
static F18: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(74, 2), values: &V_BARRED }, FieldSpec { field: Field::Defer, bits: Bits::new(80, 1), values: &V_FLAG_DEFER }];
#[rustfmt::skip]
static F19: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(75, 2), values: &V_BMMASH }, FieldSpec { field: Field::Op, bits: Bits::new(77, 2), values: &V_BMMAOP }];
#[rustfmt::skip]
static F20: [FieldSpec; 1] = [FieldSpec { field: Field::Clear, bits: Bits::new(84, 1), values: &V_FLAG_CLEAR }];
#[rustfmt::skip]
static F21: [FieldSpec; 1] = [FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }];
#[rustfmt::skip]
static F22: [FieldSpec; 1] = [FieldSpec { field: Field::Incdec, bits: Bits::new(85, 2), values: &V_INCDEC }];
#[rustfmt::skip]
static F23: [FieldSpec; 1] = [FieldSpec { field: Field::Any, bits: Bits::new(84, 1), values: &V_ANY }];
#[rustfmt::skip]
static F24: [FieldSpec; 1] = [FieldSpec { field: Field::Noinc, bits: Bits::new(86, 1), values: &V_NOINC }];
#[rustfmt::skip]
static F25: [FieldSpec; 2] = [FieldSpec { field: Field::C, bits: Bits::new(78, 2), values: &V_CCTLC }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_CCTL0 }];
#[rustfmt::skip]
static F26: [FieldSpec; 3] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::C, bits: Bits::new(78, 2), values: &V_CCTLC }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_CCTL1 }];
#[rustfmt::skip]
static F27: [FieldSpec; 1] = [FieldSpec { field: Field::W, bits: Bits::new(80, 1), values: &V_CS2R }];
#[rustfmt::skip]
static F28: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F29: [FieldSpec; 1] = [FieldSpec { field: Field::Le, bits: Bits::new(47, 1), values: &V_LE }];
#[rustfmt::skip]
static F30: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(76, 2), values: &V_DMMASH }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F31: [FieldSpec; 2] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_DCMP }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F32: [FieldSpec; 2] = [FieldSpec { field: Field::Mode, bits: Bits::new(84, 2), values: &V_EXITMODE }, FieldSpec { field: Field::Noatexit, bits: Bits::new(86, 1), values: &V_NO_ATEXIT }];
#[rustfmt::skip]
static F33: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F34: [FieldSpec; 4] = [FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_F2FPSAT }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }];
#[rustfmt::skip]
static F35: [FieldSpec; 3] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY80 }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }];
#[rustfmt::skip]
static F36: [FieldSpec; 4] = [FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_F2FPSAT }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY8 }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }];
#[rustfmt::skip]
static F37: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(73, 1), values: &V_F2FPTY8 }];
#[rustfmt::skip]
static F38: [FieldSpec; 4] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2IFMT }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F39: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2IFMT }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F40: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2I64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F41: [FieldSpec; 3] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 2), values: &V_F2IPTY }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_F2IPRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(74, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F42: [FieldSpec; 3] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F43: [FieldSpec; 1] = [FieldSpec { field: Field::S, bits: Bits::new(72, 1), values: &V_FENCE }];
#[rustfmt::skip]
static F44: [FieldSpec; 3] = [FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F45: [FieldSpec; 2] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::Sh, bits: Bits::new(74, 1), values: &V_FLAG_SH }];
#[rustfmt::skip]
static F46: [FieldSpec; 3] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }, FieldSpec { field: Field::Xorsign, bits: Bits::new(82, 1), values: &V_FLAG_XORSIGN }];
#[rustfmt::skip]
static F47: [FieldSpec; 4] = [FieldSpec { field: Field::Scale, bits: Bits::new(84, 3), values: &V_MSCALE }, FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F48: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }];
#[rustfmt::skip]
static F49: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }];
#[rustfmt::skip]
static F50: [FieldSpec; 1] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }];
#[rustfmt::skip]
static F51: [FieldSpec; 4] = [FieldSpec { field: Field::Bf, bits: Bits::new(81, 1), values: &V_FLAG_BF }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F52: [FieldSpec; 3] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F53: [FieldSpec; 1] = [FieldSpec { field: Field::Ndv, bits: Bits::new(77, 1), values: &V_FLAG_NDV }];
#[rustfmt::skip]
static F54: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F55: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F56: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F57: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }];
#[rustfmt::skip]
static F58: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGM32 }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 2), values: &V_WGTY }];
#[rustfmt::skip]
static F59: [FieldSpec; 1] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGM16 }];
#[rustfmt::skip]
static F60: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(82, 1), values: &V_HMMATY }];
#[rustfmt::skip]
static F61: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits([(75, 1), (78, 1), (0, 0)]), values: &V_HMMASP }, FieldSpec { field: Field::Ty, bits: Bits::new(82, 1), values: &V_HMMATY }];
#[rustfmt::skip]
static F62: [FieldSpec; 1] = [FieldSpec { field: Field::Sh, bits: Bits([(75, 1), (78, 1), (0, 0)]), values: &V_HMMASP }];
#[rustfmt::skip]
static F63: [FieldSpec; 1] = [FieldSpec { field: Field::Sh, bits: Bits([(75, 1), (78, 1), (0, 0)]), values: &V_HMMASPTF }];
#[rustfmt::skip]
static F64: [FieldSpec; 4] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }, FieldSpec { field: Field::Xorsign, bits: Bits::new(82, 1), values: &V_FLAG_XORSIGN }];
#[rustfmt::skip]
static F65: [FieldSpec; 5] = [FieldSpec { field: Field::Fmt, bits: Bits::new(64, 2), values: &V_HSETFMT }, FieldSpec { field: Field::Bf, bits: Bits::new(71, 1), values: &V_FLAG_BF }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F66: [FieldSpec; 5] = [FieldSpec { field: Field::Fmt, bits: Bits::new(64, 2), values: &V_HSETFMT }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Hand, bits: Bits::new(71, 1), values: &V_H_AND }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F67: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Src, bits: Bits([(84, 2), (74, 1), (0, 0)]), values: &V_I2FSRC }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F68: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_SGN }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F69: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(84, 2), (74, 1), (0, 0)]), values: &V_I2FSRC64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F70: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(84, 1), (85, 1), (74, 1)]), values: &V_I2FS64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F71: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(74, 1), (84, 2), (0, 0)]), values: &V_I2FPSRC }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FPRND }];
#[rustfmt::skip]
static F72: [FieldSpec; 1] = [FieldSpec { field: Field::Dst, bits: Bits::new(76, 2), values: &V_I2IDST }];
#[rustfmt::skip]
static F73: [FieldSpec; 2] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTY }, FieldSpec { field: Field::Sat, bits: Bits::new(74, 2), values: &V_I2ISAT }];
#[rustfmt::skip]
static F74: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTY }];
#[rustfmt::skip]
static F75: [FieldSpec; 1] = [FieldSpec { field: Field::X, bits: Bits::new(74, 1), values: &V_FLAG_X }];
#[rustfmt::skip]
static F76: [FieldSpec; 2] = [FieldSpec { field: Field::Mode, bits: Bits([(73, 1), (76, 2), (0, 0)]), values: &V_IDP }, FieldSpec { field: Field::B, bits: Bits::new(74, 1), values: &V_US8 }];
#[rustfmt::skip]
static F77: [FieldSpec; 2] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::X, bits: Bits::new(74, 1), values: &V_FLAG_X }];
#[rustfmt::skip]
static F78: [FieldSpec; 4] = [FieldSpec { field: Field::Sh, bits: Bits([(75, 1), (85, 2), (0, 0)]), values: &V_IMMASH }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_IMMATY }, FieldSpec { field: Field::B, bits: Bits::new(78, 1), values: &V_IMMATY }, FieldSpec { field: Field::Sat, bits: Bits::new(82, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F79: [FieldSpec; 4] = [FieldSpec { field: Field::Sh, bits: Bits([(75, 1), (85, 2), (0, 0)]), values: &V_IMMASH80 }, FieldSpec { field: Field::A, bits: Bits([(76, 1), (83, 1), (0, 0)]), values: &V_IMMATY80 }, FieldSpec { field: Field::B, bits: Bits([(78, 1), (84, 1), (0, 0)]), values: &V_IMMATY80 }, FieldSpec { field: Field::Sat, bits: Bits::new(82, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F80: [FieldSpec; 1] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }];
#[rustfmt::skip]
static F81: [FieldSpec; 4] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 3), values: &V_ICMP }, FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }, FieldSpec { field: Field::Ex, bits: Bits::new(72, 1), values: &V_FLAG_EX }];
#[rustfmt::skip]
static F82: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ltc, bits: Bits::new(68, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }];
#[rustfmt::skip]
static F83: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ltc, bits: Bits::new(68, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }];
#[rustfmt::skip]
static F84: [FieldSpec; 2] = [FieldSpec { field: Field::Mode, bits: Bits::new(78, 2), values: &V_LDCMODE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_LDCSZ }];
#[rustfmt::skip]
static F85: [FieldSpec; 3] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_MREDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_MCTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F86: [FieldSpec; 5] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Bypass, bits: Bits::new(81, 1), values: &V_BYPASS }, FieldSpec { field: Field::Ltc, bits: Bits::new(71, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_CPSZ }, FieldSpec { field: Field::Zfill, bits: Bits::new(82, 1), values: &V_FLAG_ZFILL }];
#[rustfmt::skip]
static F87: [FieldSpec; 2] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }];
#[rustfmt::skip]
static F88: [FieldSpec; 2] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F89: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits::new(78, 2), values: &V_LDSMF }, FieldSpec { field: Field::N, bits: Bits::new(72, 2), values: &V_LDSMN }];
#[rustfmt::skip]
static F90: [FieldSpec; 1] = [FieldSpec { field: Field::Pand, bits: Bits::new(80, 1), values: &V_FLAG_PAND }];
#[rustfmt::skip]
static F91: [FieldSpec; 1] = [FieldSpec { field: Field::U64, bits: Bits::new(73, 1), values: &V_FLAG_U64 }];
#[rustfmt::skip]
static F92: [FieldSpec; 2] = [FieldSpec { field: Field::Sem, bits: Bits::new(79, 2), values: &V_MEMBARSC }, FieldSpec { field: Field::Scope, bits: Bits::new(76, 3), values: &V_MEMBARSCOPE }];
#[rustfmt::skip]
static F93: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU32 }];
#[rustfmt::skip]
static F94: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU16 }];
#[rustfmt::skip]
static F95: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU80 }];
#[rustfmt::skip]
static F96: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU32S }];
#[rustfmt::skip]
static F97: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU64 }];
#[rustfmt::skip]
static F98: [FieldSpec; 3] = [FieldSpec { field: Field::Warp, bits: Bits::new(85, 1), values: &V_FLAG_WARP }, FieldSpec { field: Field::Rand, bits: Bits::new(86, 1), values: &V_FLAG_RAND }, FieldSpec { field: Field::Syncs, bits: Bits::new(84, 1), values: &V_FLAG_SYNCS }];
#[rustfmt::skip]
static F99: [FieldSpec; 1] = [FieldSpec { field: Field::B, bits: Bits::new(76, 2), values: &V_BYTE }];
#[rustfmt::skip]
static F100: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(72, 3), values: &V_PRMT }];
#[rustfmt::skip]
static F101: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQ32 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F102: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQ16 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F103: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(75, 1), values: &V_QMMASH }, FieldSpec { field: Field::A, bits: Bits::new(78, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(79, 1), values: &V_E8 }];
#[rustfmt::skip]
static F104: [FieldSpec; 2] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Space, bits: Bits::new(73, 2), values: &V_QSPC }];
#[rustfmt::skip]
static F105: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F106: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTYS }];
#[rustfmt::skip]
static F107: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY64 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F108: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(78, 3), values: &V_REDUX }, FieldSpec { field: Field::S32, bits: Bits::new(73, 1), values: &V_FLAG_S32 }];
#[rustfmt::skip]
static F109: [FieldSpec; 1] = [FieldSpec { field: Field::Nodec, bits: Bits::new(86, 1), values: &V_FLAG_NODEC }];
#[rustfmt::skip]
static F110: [FieldSpec; 2] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }];
#[rustfmt::skip]
static F111: [FieldSpec; 4] = [FieldSpec { field: Field::Dir, bits: Bits::new(76, 1), values: &V_SHFDIR }, FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }, FieldSpec { field: Field::Type, bits: Bits::new(73, 2), values: &V_SHFTYPE }, FieldSpec { field: Field::Hi, bits: Bits::new(80, 1), values: &V_FLAG_HI }];
#[rustfmt::skip]
static F112: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(58, 2), values: &V_SHFL }];
#[rustfmt::skip]
static F113: [FieldSpec; 4] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F114: [FieldSpec; 3] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F115: [FieldSpec; 1] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_CPSZ }];
#[rustfmt::skip]
static F116: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits::new(78, 1), values: &V_STSMF }, FieldSpec { field: Field::N, bits: Bits::new(72, 2), values: &V_LDSMN }];
#[rustfmt::skip]
static F117: [FieldSpec; 6] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F118: [FieldSpec; 7] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_SUTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F119: [FieldSpec; 6] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F120: [FieldSpec; 5] = [FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Rgba, bits: Bits::new(72, 4), values: &V_SURGBA }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F121: [FieldSpec; 1] = [FieldSpec { field: Field::Trywait, bits: Bits::new(72, 1), values: &V_FLAG_TRYWAIT }];
#[rustfmt::skip]
static F122: [FieldSpec; 3] = [FieldSpec { field: Field::M, bits: Bits::new(73, 2), values: &V_SYNCSM }, FieldSpec { field: Field::Optout, bits: Bits::new(75, 1), values: &V_FLAG_OPTOUT }, FieldSpec { field: Field::A, bits: Bits::new(84, 3), values: &V_SYNCSA }];
#[rustfmt::skip]
static F123: [FieldSpec; 8] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::Lod, bits: Bits::new(87, 3), values: &V_TEXLOD }, FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Dc, bits: Bits::new(78, 1), values: &V_FLAG_DC }, FieldSpec { field: Field::Ndv, bits: Bits::new(77, 1), values: &V_FLAG_NDV }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F124: [FieldSpec; 8] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::Lod, bits: Bits::new(87, 3), values: &V_TLDLOD }, FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Ms, bits: Bits::new(78, 1), values: &V_FLAG_MS }, FieldSpec { field: Field::Cl, bits: Bits::new(77, 1), values: &V_FLAG_CL }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F125: [FieldSpec; 7] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::C, bits: Bits::new(87, 2), values: &V_TLD4C }, FieldSpec { field: Field::O, bits: Bits::new(76, 2), values: &V_TLD4O }, FieldSpec { field: Field::Dc, bits: Bits::new(78, 1), values: &V_FLAG_DC }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F126: [FieldSpec; 5] = [FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Lc, bits: Bits::new(87, 1), values: &V_FLAG_LC }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F127: [FieldSpec; 1] = [FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F128: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(73, 1), values: &V_GS }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_GS }, FieldSpec { field: Field::Mc, bits: Bits::new(75, 1), values: &V_MCAST }];
#[rustfmt::skip]
static F129: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(73, 1), values: &V_GS }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(81, 4), values: &V_REDTY }];
#[rustfmt::skip]
static F130: [FieldSpec; 1] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_LDCSZ }];
#[rustfmt::skip]
static F131: [FieldSpec; 1] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }];
#[rustfmt::skip]
static F132: [FieldSpec; 3] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }, FieldSpec { field: Field::Mc, bits: Bits::new(75, 1), values: &V_MCAST }];
#[rustfmt::skip]
static F133: [FieldSpec; 3] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }];
#[rustfmt::skip]
static F134: [FieldSpec; 2] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }];
#[rustfmt::skip]
static F135: [FieldSpec; 2] = [FieldSpec { field: Field::U8, bits: Bits::new(73, 1), values: &V_VABS4 }, FieldSpec { field: Field::Acc, bits: Bits::new(75, 1), values: &V_FLAG_ACC }];
#[rustfmt::skip]
static F136: [FieldSpec; 1] = [FieldSpec { field: Field::F16x2, bits: Bits::new(73, 1), values: &V_V16X2 }];
#[rustfmt::skip]
static F137: [FieldSpec; 2] = [FieldSpec { field: Field::Type, bits: Bits::new(72, 2), values: &V_MINMAX3 }, FieldSpec { field: Field::Relu, bits: Bits::new(76, 1), values: &V_RELU }];
#[rustfmt::skip]
static F138: [FieldSpec; 1] = [FieldSpec { field: Field::Op, bits: Bits::new(72, 2), values: &V_VOTE }];
#[rustfmt::skip]
static F139: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(85, 2), values: &V_WSYNC80 }];
#[rustfmt::skip]
static F140: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(85, 2), values: &V_WSYNC }];
#[rustfmt::skip]
static P0: [Part; 0] = [];
#[rustfmt::skip]
static P1: [Part; 3] = [Part::Fixed(Mod::Ldgstsbar), Part::Fixed(Mod::N64), Part::Field(0)];
#[rustfmt::skip]
static P2: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P3: [Part; 5] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P4: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::Cas), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P5: [Part; 2] = [Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P6: [Part; 3] = [Part::Fixed(Mod::Popc), Part::Fixed(Mod::Inc), Part::Fixed(Mod::N32)];
#[rustfmt::skip]
static P7: [Part; 2] = [Part::Fixed(Mod::Arrive), Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P8: [Part; 1] = [Part::Field(0)];
#[rustfmt::skip]
static P9: [Part; 3] = [Part::Fixed(Mod::Red), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P10: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::Popc)];
#[rustfmt::skip]
static P11: [Part; 2] = [Part::Fixed(Mod::N32), Part::Field(0)];
#[rustfmt::skip]
static P12: [Part; 1] = [Part::Fixed(Mod::N32)];
#[rustfmt::skip]
static P13: [Part; 1] = [Part::Fixed(Mod::Trap)];
#[rustfmt::skip]
static P14: [Part; 2] = [Part::Fixed(Mod::U), Part::Field(0)];
#[rustfmt::skip]
static P15: [Part; 2] = [Part::Fixed(Mod::U), Part::Fixed(Mod::Any)];
#[rustfmt::skip]
static P16: [Part; 1] = [Part::Fixed(Mod::Div)];
#[rustfmt::skip]
static P17: [Part; 1] = [Part::Fixed(Mod::Conv)];
#[rustfmt::skip]
static P18: [Part; 2] = [Part::Fixed(Mod::Rel), Part::Field(0)];
#[rustfmt::skip]
static P19: [Part; 2] = [Part::Fixed(Mod::Abs), Part::Field(0)];
#[rustfmt::skip]
static P20: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P21: [Part; 2] = [Part::Fixed(Mod::N884), Part::Field(0)];
#[rustfmt::skip]
static P22: [Part; 4] = [Part::Fixed(Mod::F16), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P23: [Part; 4] = [Part::Fixed(Mod::Bf16), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P24: [Part; 4] = [Part::Fixed(Mod::Bf16), Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P25: [Part; 4] = [Part::Fixed(Mod::F64), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P26: [Part; 4] = [Part::Fixed(Mod::F32), Part::Fixed(Mod::F64), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P27: [Part; 4] = [Part::Fixed(Mod::F64), Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P28: [Part; 4] = [Part::Fixed(Mod::F16), Part::Fixed(Mod::F64), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P29: [Part; 6] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::F32), Part::Fixed(Mod::PackAb), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P30: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::PackAb), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P31: [Part; 6] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::F32), Part::Fixed(Mod::PackAbMergeC), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P32: [Part; 3] = [Part::Fixed(Mod::F16), Part::Field(0), Part::Fixed(Mod::UnpackB)];
#[rustfmt::skip]
static P33: [Part; 4] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P34: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P35: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F64), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P36: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P37: [Part; 3] = [Part::Fixed(Mod::View), Part::Fixed(Mod::Async), Part::Field(0)];
#[rustfmt::skip]
static P38: [Part; 3] = [Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P39: [Part; 2] = [Part::Fixed(Mod::F64), Part::Field(0)];
#[rustfmt::skip]
static P40: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::Relu)];
#[rustfmt::skip]
static P41: [Part; 4] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P42: [Part; 4] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Field(1), Part::Fixed(Mod::Relu)];
#[rustfmt::skip]
static P43: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P44: [Part; 2] = [Part::Field(0), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P45: [Part; 3] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P46: [Part; 3] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P47: [Part; 2] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P48: [Part; 2] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P49: [Part; 3] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P50: [Part; 3] = [Part::Fixed(Mod::N1684), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P51: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P52: [Part; 3] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P53: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P54: [Part; 3] = [Part::Fixed(Mod::F64), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P55: [Part; 3] = [Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P56: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::S32), Part::Fixed(Mod::Sat)];
#[rustfmt::skip]
static P57: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::S32), Part::Field(1)];
#[rustfmt::skip]
static P58: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsZero(2)], Mod::Mov)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P59: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsZero(2)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsOne(2), Cond::IsZero(3)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsOne(2)], Mod::Iadd), (&[Cond::Field(1, 0), Cond::IsPowerOfTwo(2), Cond::IsZero(3)], Mod::Shl)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P60: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P61: [Part; 3] = [Part::Alias(&[]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P62: [Part; 3] = [Part::Fixed(Mod::Wide), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P63: [Part; 3] = [Part::Fixed(Mod::Hi), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P64: [Part; 4] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P65: [Part; 6] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P66: [Part; 3] = [Part::Fixed(Mod::N16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P67: [Part; 2] = [Part::Fixed(Mod::Hi), Part::Field(0)];
#[rustfmt::skip]
static P68: [Part; 3] = [Part::Fixed(Mod::Hi), Part::Field(0), Part::Fixed(Mod::Sx32)];
#[rustfmt::skip]
static P69: [Part; 2] = [Part::Fixed(Mod::Lut), Part::Field(0)];
#[rustfmt::skip]
static P70: [Part; 2] = [Part::Fixed(Mod::Any), Part::Field(0)];
#[rustfmt::skip]
static P71: [Part; 2] = [Part::Fixed(Mod::All), Part::Field(0)];
#[rustfmt::skip]
static P72: [Part; 2] = [Part::Fixed(Mod::N16), Part::Fixed(Mod::Mt88)];
#[rustfmt::skip]
static P73: [Part; 1] = [Part::Fixed(Mod::Lut)];
#[rustfmt::skip]
static P74: [Part; 1] = [Part::Fixed(Mod::Or)];
#[rustfmt::skip]
static P75: [Part; 7] = [Part::Fixed(Mod::D), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5)];
#[rustfmt::skip]
static P76: [Part; 8] = [Part::Fixed(Mod::D), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P77: [Part; 6] = [Part::Fixed(Mod::P), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P78: [Part; 3] = [Part::Fixed(Mod::Phasechk), Part::Fixed(Mod::Trans64), Part::Field(0)];
#[rustfmt::skip]
static P79: [Part; 5] = [Part::Fixed(Mod::Arrive), Part::Fixed(Mod::Trans64), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P80: [Part; 2] = [Part::Fixed(Mod::Exch), Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P81: [Part; 2] = [Part::Fixed(Mod::Cctl), Part::Fixed(Mod::Iv)];
#[rustfmt::skip]
static P82: [Part; 8] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6), Part::Field(7)];
#[rustfmt::skip]
static P83: [Part; 9] = [Part::Field(0), Part::Fixed(Mod::B), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6), Part::Field(7)];
#[rustfmt::skip]
static P84: [Part; 7] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P85: [Part; 8] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::B), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P86: [Part; 6] = [Part::Fixed(Mod::B), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P87: [Part; 2] = [Part::Fixed(Mod::B), Part::Field(0)];
#[rustfmt::skip]
static P88: [Part; 1] = [Part::Fixed(Mod::L2)];
#[rustfmt::skip]
static P89: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::S), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P90: [Part; 2] = [Part::Fixed(Mod::Dealloc), Part::Fixed(Mod::Ctapool)];
#[rustfmt::skip]
static P91: [Part; 2] = [Part::Fixed(Mod::TryAlloc), Part::Fixed(Mod::Ctapool)];
#[rustfmt::skip]
static P92: [Part; 1] = [Part::Fixed(Mod::Pf)];
#[rustfmt::skip]
static P93: [Part; 1] = [Part::Fixed(Mod::Iv)];
#[rustfmt::skip]
static P94: [Part; 2] = [Part::Fixed(Mod::L2), Part::Field(0)];
#[rustfmt::skip]
static P95: [Part; 1] = [Part::Fixed(Mod::Arrive)];
#[rustfmt::skip]
static P96: [Part; 2] = [Part::Fixed(Mod::Depbar), Part::Fixed(Mod::Le)];
#[rustfmt::skip]
static P97: [Part; 1] = [Part::Fixed(Mod::All)];
#[rustfmt::skip]
static P98: [Part; 2] = [Part::Fixed(Mod::Collective), Part::Fixed(Mod::All)];
#[rustfmt::skip]
static P99: [Part; 1] = [Part::Fixed(Mod::Collective)];
#[rustfmt::skip]
static X0: [Mod; 0] = [];
#[rustfmt::skip]
static X1: [Mod; 2] = [Mod::Ldgstsbar, Mod::N64];
#[rustfmt::skip]
static X2: [Mod; 1] = [Mod::E];
#[rustfmt::skip]
static X3: [Mod; 1] = [Mod::Cas];
#[rustfmt::skip]
static X4: [Mod; 3] = [Mod::Popc, Mod::Inc, Mod::N32];
#[rustfmt::skip]
static X5: [Mod; 2] = [Mod::Arrive, Mod::N64];
#[rustfmt::skip]
static X6: [Mod; 1] = [Mod::Red];
#[rustfmt::skip]
static X7: [Mod; 1] = [Mod::Popc];
#[rustfmt::skip]
static X8: [Mod; 1] = [Mod::N32];
#[rustfmt::skip]
static X9: [Mod; 1] = [Mod::Trap];
#[rustfmt::skip]
static X10: [Mod; 1] = [Mod::U];
#[rustfmt::skip]
static X11: [Mod; 2] = [Mod::U, Mod::Any];
#[rustfmt::skip]
static X12: [Mod; 1] = [Mod::Div];
#[rustfmt::skip]
static X13: [Mod; 1] = [Mod::Conv];
#[rustfmt::skip]
static X14: [Mod; 1] = [Mod::Rel];
#[rustfmt::skip]
static X15: [Mod; 1] = [Mod::Abs];
#[rustfmt::skip]
static X16: [Mod; 1] = [Mod::N884];
#[rustfmt::skip]
static X17: [Mod; 2] = [Mod::F16, Mod::F32];
#[rustfmt::skip]
static X18: [Mod; 2] = [Mod::Bf16, Mod::F32];
#[rustfmt::skip]
static X19: [Mod; 2] = [Mod::Bf16, Mod::F16];
#[rustfmt::skip]
static X20: [Mod; 2] = [Mod::F64, Mod::F32];
#[rustfmt::skip]
static X21: [Mod; 2] = [Mod::F32, Mod::F64];
#[rustfmt::skip]
static X22: [Mod; 2] = [Mod::F64, Mod::F16];
#[rustfmt::skip]
static X23: [Mod; 2] = [Mod::F16, Mod::F64];
#[rustfmt::skip]
static X24: [Mod; 2] = [Mod::F32, Mod::PackAb];
#[rustfmt::skip]
static X25: [Mod; 1] = [Mod::PackAb];
#[rustfmt::skip]
static X26: [Mod; 2] = [Mod::F32, Mod::PackAbMergeC];
#[rustfmt::skip]
static X27: [Mod; 2] = [Mod::F16, Mod::UnpackB];
#[rustfmt::skip]
static X28: [Mod; 1] = [Mod::F16];
#[rustfmt::skip]
static X29: [Mod; 1] = [Mod::F64];
#[rustfmt::skip]
static X30: [Mod; 1] = [Mod::F32];
#[rustfmt::skip]
static X31: [Mod; 2] = [Mod::View, Mod::Async];
#[rustfmt::skip]
static X32: [Mod; 1] = [Mod::Relu];
#[rustfmt::skip]
static X33: [Mod; 1] = [Mod::Mma];
#[rustfmt::skip]
static X34: [Mod; 2] = [Mod::Mma, Mod::Relu];
#[rustfmt::skip]
static X35: [Mod; 2] = [Mod::N1688, Mod::F32];
#[rustfmt::skip]
static X36: [Mod; 2] = [Mod::N16816, Mod::F32];
#[rustfmt::skip]
static X37: [Mod; 2] = [Mod::N1688, Mod::F16];
#[rustfmt::skip]
static X38: [Mod; 2] = [Mod::N16816, Mod::F16];
#[rustfmt::skip]
static X39: [Mod; 3] = [Mod::N1688, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X40: [Mod; 3] = [Mod::N1684, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X41: [Mod; 2] = [Mod::Sp, Mod::F32];
#[rustfmt::skip]
static X42: [Mod; 2] = [Mod::Sp, Mod::F16];
#[rustfmt::skip]
static X43: [Mod; 3] = [Mod::Sp, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X44: [Mod; 2] = [Mod::S32, Mod::Sat];
#[rustfmt::skip]
static X45: [Mod; 1] = [Mod::S32];
#[rustfmt::skip]
static X46: [Mod; 1] = [Mod::Wide];
#[rustfmt::skip]
static X47: [Mod; 1] = [Mod::Hi];
#[rustfmt::skip]
static X48: [Mod; 1] = [Mod::N16];
#[rustfmt::skip]
static X49: [Mod; 2] = [Mod::Hi, Mod::Sx32];
#[rustfmt::skip]
static X50: [Mod; 1] = [Mod::Lut];
#[rustfmt::skip]
static X51: [Mod; 1] = [Mod::Any];
#[rustfmt::skip]
static X52: [Mod; 1] = [Mod::All];
#[rustfmt::skip]
static X53: [Mod; 2] = [Mod::N16, Mod::Mt88];
#[rustfmt::skip]
static X54: [Mod; 1] = [Mod::Or];
#[rustfmt::skip]
static X55: [Mod; 1] = [Mod::D];
#[rustfmt::skip]
static X56: [Mod; 1] = [Mod::P];
#[rustfmt::skip]
static X57: [Mod; 2] = [Mod::Phasechk, Mod::Trans64];
#[rustfmt::skip]
static X58: [Mod; 2] = [Mod::Arrive, Mod::Trans64];
#[rustfmt::skip]
static X59: [Mod; 2] = [Mod::Exch, Mod::N64];
#[rustfmt::skip]
static X60: [Mod; 2] = [Mod::Cctl, Mod::Iv];
#[rustfmt::skip]
static X61: [Mod; 1] = [Mod::B];
#[rustfmt::skip]
static X62: [Mod; 1] = [Mod::L2];
#[rustfmt::skip]
static X63: [Mod; 1] = [Mod::S];
#[rustfmt::skip]
static X64: [Mod; 2] = [Mod::Dealloc, Mod::Ctapool];
#[rustfmt::skip]
static X65: [Mod; 2] = [Mod::TryAlloc, Mod::Ctapool];
#[rustfmt::skip]
static X66: [Mod; 1] = [Mod::Pf];
#[rustfmt::skip]
static X67: [Mod; 1] = [Mod::Iv];
#[rustfmt::skip]
static X68: [Mod; 1] = [Mod::Arrive];
#[rustfmt::skip]
static X69: [Mod; 2] = [Mod::Depbar, Mod::Le];
#[rustfmt::skip]
static X70: [Mod; 2] = [Mod::Collective, Mod::All];
#[rustfmt::skip]
static X71: [Mod; 1] = [Mod::Collective];
/// All rows.
#[rustfmt::skip]
pub static ROWS: [Row; 549] = [
    Row { op: Op::Acqbulk, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x82e, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E0, uniform_guard: false },
    Row { op: Op::Arrives, isas: IsaSet(31), mask: 0xc00001ffffffff00000000ff00ff0fff, bits: 0x8000a0000000000000009b0, mnemonic: &P1, fixed: &X1, slots: &L1, fields: &F1, class: Class::Dec, effects: E1, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80010ff0000000000000fff, bits: 0x38a, mnemonic: &P2, fixed: &X0, slots: &L2, fields: &F2, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x80001c0000000000000098a, mnemonic: &P3, fixed: &X2, slots: &L3, fields: &F3, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x80001c000000000000009a2, mnemonic: &P3, fixed: &X2, slots: &L4, fields: &F4, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(31), mask: 0xc00001fffe0010000000000000000fff, bits: 0x38b, mnemonic: &P2, fixed: &X0, slots: &L5, fields: &F5, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fff80000ff0000000000000fff, bits: 0x38a, mnemonic: &P2, fixed: &X0, slots: &L6, fields: &F6, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x80001c0000000000000098a, mnemonic: &P3, fixed: &X2, slots: &L7, fields: &F7, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80010ff0000000000000fff, bits: 0x3a8, mnemonic: &P2, fixed: &X0, slots: &L2, fields: &F8, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x80001c000000000000009a8, mnemonic: &P3, fixed: &X2, slots: &L3, fields: &F9, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x80001c000000000000009a3, mnemonic: &P3, fixed: &X2, slots: &L4, fields: &F4, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(31), mask: 0xc00001ffff8010000000000000000fff, bits: 0x3a9, mnemonic: &P4, fixed: &X3, slots: &L8, fields: &F10, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001fff80000ff0000000000000fff, bits: 0x3a8, mnemonic: &P2, fixed: &X0, slots: &L6, fields: &F11, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x80001c000000000000009a8, mnemonic: &P3, fixed: &X2, slots: &L7, fields: &F12, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(31), mask: 0xc00001fff87f31ff0000000000000fff, bits: 0x38c, mnemonic: &P5, fixed: &X0, slots: &L9, fields: &F13, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(31), mask: 0xc00001fff87f31c00000000000000fff, bits: 0x8000000000000000000098c, mnemonic: &P5, fixed: &X0, slots: &L10, fields: &F13, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(31), mask: 0xc00001fffe7f31000000000000000fff, bits: 0x38d, mnemonic: &P5, fixed: &X0, slots: &L11, fields: &F14, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(24), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xd8000000000000000000f8c, mnemonic: &P6, fixed: &X4, slots: &L12, fields: &F15, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xd0000000000000000000f8c, mnemonic: &P6, fixed: &X4, slots: &L12, fields: &F15, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xc8004000000000000000f8c, mnemonic: &P7, fixed: &X5, slots: &L13, fields: &F15, class: Class::Agu, effects: E5, uniform_guard: false },
    Row { op: Op::B2r, isas: IsaSet(31), mask: 0xc00001fffff13fffffffffffff000fff, bits: 0x31c, mnemonic: &P8, fixed: &X0, slots: &L14, fields: &F16, class: Class::Br, effects: E6, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffe9ffffc0003ffffff0fff, bits: 0xb1d, mnemonic: &P8, fixed: &X0, slots: &L15, fields: &F17, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fff87ef3fffc0003ffffff0fff, bits: 0x40000000000000000b1d, mnemonic: &P9, fixed: &X6, slots: &L16, fields: &F18, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffe9fffffffff00ffff0fff, bits: 0x31d, mnemonic: &P8, fixed: &X0, slots: &L17, fields: &F17, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(31), mask: 0xc00001fff87f8100ffffff0000000fff, bits: 0x10000000000000000023d, mnemonic: &P10, fixed: &X7, slots: &L18, fields: &F19, class: Class::Imma, effects: E8, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffeffffffffffffff0000fff, bits: 0x355, mnemonic: &P11, fixed: &X8, slots: &L19, fields: &F20, class: Class::Br, effects: E6, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00f0ff0fff, bits: 0x356, mnemonic: &P12, fixed: &X8, slots: &L20, fields: &F0, class: Class::Br, effects: E6, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffff0000000fff, bits: 0x21b, mnemonic: &P8, fixed: &X0, slots: &L21, fields: &F21, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ff0000000000000fff, bits: 0x81b, mnemonic: &P8, fixed: &X0, slots: &L22, fields: &F21, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7fff80000ff00000fff, bits: 0xa1b, mnemonic: &P8, fixed: &X0, slots: &L23, fields: &F21, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffffc000000fff, bits: 0x80000000000000000000c1b, mnemonic: &P8, fixed: &X0, slots: &L24, fields: &F21, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Bpt, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffe3ffff0fff, bits: 0x300000000000000000095c, mnemonic: &P13, fixed: &X9, slots: &L25, fields: &F0, class: Class::Br, effects: E9, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff81c000000000003ff000fff, bits: 0x947, mnemonic: &P8, fixed: &X0, slots: &L26, fields: &F22, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff81c000000000003ffff0fff, bits: 0x947, mnemonic: &P8, fixed: &X0, slots: &L27, fields: &F22, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff86c000000000003f0000fff, bits: 0x80000000000000100000547, mnemonic: &P14, fixed: &X10, slots: &L28, fields: &F23, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff86c000000000003f0ff0fff, bits: 0x80000000000000100000547, mnemonic: &P14, fixed: &X10, slots: &L29, fields: &F23, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff87c000000000003ff000fff, bits: 0x1000000000000100000947, mnemonic: &P15, fixed: &X11, slots: &L26, fields: &F0, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c000000000003ffff0fff, bits: 0x1000000000000100000947, mnemonic: &P15, fixed: &X11, slots: &L27, fields: &F0, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff87c00000000000380000fff, bits: 0x80000000000000200000947, mnemonic: &P16, fixed: &X12, slots: &L30, fields: &F0, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c00000000000380ff0fff, bits: 0x80000000000000200000947, mnemonic: &P16, fixed: &X12, slots: &L31, fields: &F0, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c00000000000380ff0fff, bits: 0x80000000000000300000947, mnemonic: &P17, fixed: &X13, slots: &L31, fields: &F0, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Break, isas: IsaSet(31), mask: 0xc00001fff87ffffffffffffffff00fff, bits: 0x942, mnemonic: &P0, fixed: &X0, slots: &L32, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00ff000fff, bits: 0x301, mnemonic: &P0, fixed: &X0, slots: &L33, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x901, mnemonic: &P0, fixed: &X0, slots: &L34, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001fffffffffff80000ffff000fff, bits: 0xb01, mnemonic: &P0, fixed: &X0, slots: &L35, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ff000fff, bits: 0x80000000000000000000d01, mnemonic: &P0, fixed: &X0, slots: &L36, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Brx, isas: IsaSet(24), mask: 0xc00001fff81c00000000000300000fff, bits: 0x949, mnemonic: &P8, fixed: &X0, slots: &L37, fields: &F22, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Brx, isas: IsaSet(7), mask: 0xc00001fff81c00000000000300ff0fff, bits: 0x949, mnemonic: &P8, fixed: &X0, slots: &L38, fields: &F22, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bssy, isas: IsaSet(31), mask: 0xc00001fff87fffff00000003fff00fff, bits: 0x945, mnemonic: &P0, fixed: &X0, slots: &L39, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Bsync, isas: IsaSet(31), mask: 0xc00001fff87ffffffffffffffff00fff, bits: 0x941, mnemonic: &P0, fixed: &X0, slots: &L40, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(24), mask: 0xc00001fff83c000000000003ff000fff, bits: 0x944, mnemonic: &P18, fixed: &X14, slots: &L26, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(7), mask: 0xc00001fff83c000000000003ffff0fff, bits: 0x944, mnemonic: &P18, fixed: &X14, slots: &L27, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(31), mask: 0xc00001fff83fffffffffffff00ff0fff, bits: 0x343, mnemonic: &P19, fixed: &X15, slots: &L41, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x344, mnemonic: &P18, fixed: &X14, slots: &L42, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x344, mnemonic: &P18, fixed: &X14, slots: &L43, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(31), mask: 0xc00001fff83c000000000003ffff0fff, bits: 0x943, mnemonic: &P19, fixed: &X15, slots: &L44, fields: &F24, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Cctl, isas: IsaSet(31), mask: 0xc00001fff87f3fffffffffffffff0fff, bits: 0xff00098f, mnemonic: &P5, fixed: &X0, slots: &L0, fields: &F25, class: Class::Agu, effects: E12, uniform_guard: false },
    Row { op: Op::Cctl, isas: IsaSet(31), mask: 0xc00001fff87f3eff0000000000ff0fff, bits: 0x98f, mnemonic: &P20, fixed: &X0, slots: &L45, fields: &F26, class: Class::Agu, effects: E12, uniform_guard: false },
    Row { op: Op::Cgaerrbar, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x5ab, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E12, uniform_guard: false },
    Row { op: Op::Cs2r, isas: IsaSet(31), mask: 0xc00001fffffe00ffffffffffff000fff, bits: 0x805, mnemonic: &P8, fixed: &X0, slots: &L46, fields: &F27, class: Class::Disp64, effects: E9, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3000ffffffff00000fff, bits: 0x229, mnemonic: &P8, fixed: &X0, slots: &L47, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff0000000000000fff, bits: 0x429, mnemonic: &P8, fixed: &X0, slots: &L48, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff380000ff00000fff, bits: 0x629, mnemonic: &P8, fixed: &X0, slots: &L49, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffffc000000fff, bits: 0x80000000000000000000e29, mnemonic: &P8, fixed: &X0, slots: &L50, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Depbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffff0000ffff0fff, bits: 0x91a, mnemonic: &P8, fixed: &X0, slots: &L51, fields: &F29, class: Class::Agu, effects: E0, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffff0000000fff, bits: 0x22b, mnemonic: &P8, fixed: &X0, slots: &L52, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30000000000000000fff, bits: 0x82b, mnemonic: &P8, fixed: &X0, slots: &L53, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff3000380000ff00000fff, bits: 0xa2b, mnemonic: &P8, fixed: &X0, slots: &L54, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffffc000000fff, bits: 0x80000000000000000000c2b, mnemonic: &P8, fixed: &X0, slots: &L55, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30000000000000000fff, bits: 0x42b, mnemonic: &P8, fixed: &X0, slots: &L56, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff3000380000ff00000fff, bits: 0x62b, mnemonic: &P8, fixed: &X0, slots: &L57, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffffc000000fff, bits: 0x80000000000000000000e2b, mnemonic: &P8, fixed: &X0, slots: &L58, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dmma, isas: IsaSet(24), mask: 0xc00001fff87f00003fffff0000000fff, bits: 0x23f, mnemonic: &P5, fixed: &X0, slots: &L59, fields: &F30, class: Class::Dmma, effects: E14, uniform_guard: false },
    Row { op: Op::Dmma, isas: IsaSet(7), mask: 0xc00001ffffff30003fffff0000000fff, bits: 0x23f, mnemonic: &P21, fixed: &X16, slots: &L60, fields: &F28, class: Class::Dmma, effects: E15, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffff0000000fff, bits: 0x228, mnemonic: &P8, fixed: &X0, slots: &L61, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff0000000000000fff, bits: 0x828, mnemonic: &P8, fixed: &X0, slots: &L62, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff380000ff00000fff, bits: 0xa28, mnemonic: &P8, fixed: &X0, slots: &L63, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffffc000000fff, bits: 0x80000000000000000000c28, mnemonic: &P8, fixed: &X0, slots: &L64, fields: &F28, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff3fffff0000ff0fff, bits: 0x22a, mnemonic: &P5, fixed: &X0, slots: &L65, fields: &F31, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff0000000000ff0fff, bits: 0x42a, mnemonic: &P5, fixed: &X0, slots: &L66, fields: &F31, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff380000ff00ff0fff, bits: 0x62a, mnemonic: &P5, fixed: &X0, slots: &L67, fields: &F31, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff3fffffc000ff0fff, bits: 0x80000000000000000000e2a, mnemonic: &P5, fixed: &X0, slots: &L68, fields: &F31, class: Class::Fp64, effects: E13, uniform_guard: false },
    Row { op: Op::Elect, isas: IsaSet(24), mask: 0xc00001fff871ffffffffffffffc00fff, bits: 0x82f, mnemonic: &P0, fixed: &X0, slots: &L69, fields: &F0, class: Class::Alu, effects: E8, uniform_guard: false },
    Row { op: Op::Endcollective, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x91b, mnemonic: &P0, fixed: &X0, slots: &L70, fields: &F0, class: Class::Br, effects: E8, uniform_guard: false },
    Row { op: Op::Errbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9ab, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E12, uniform_guard: false },
    Row { op: Op::Exit, isas: IsaSet(31), mask: 0xc00001fff80fffffffffffffffff0fff, bits: 0x94d, mnemonic: &P5, fixed: &X0, slots: &L70, fields: &F32, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2008000000000000000304, mnemonic: &P22, fixed: &X17, slots: &L71, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2008000000000000000b04, mnemonic: &P22, fixed: &X17, slots: &L72, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82008000000000000000d04, mnemonic: &P22, fixed: &X17, slots: &L73, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2020000000000000000304, mnemonic: &P23, fixed: &X18, slots: &L71, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2020000000000000000b04, mnemonic: &P23, fixed: &X18, slots: &L72, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82020000000000000000d04, mnemonic: &P23, fixed: &X18, slots: &L73, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1020000000000000000304, mnemonic: &P24, fixed: &X19, slots: &L74, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1020000000000000000b04, mnemonic: &P24, fixed: &X19, slots: &L75, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81020000000000000000d04, mnemonic: &P24, fixed: &X19, slots: &L76, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2018000000000000000310, mnemonic: &P25, fixed: &X20, slots: &L77, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2018000000000000000b10, mnemonic: &P25, fixed: &X20, slots: &L78, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82018000000000000000d10, mnemonic: &P25, fixed: &X20, slots: &L79, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x3010000000000000000310, mnemonic: &P26, fixed: &X21, slots: &L80, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x3010000000000000000b10, mnemonic: &P26, fixed: &X21, slots: &L81, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x83010000000000000000d10, mnemonic: &P26, fixed: &X21, slots: &L82, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1018000000000000000310, mnemonic: &P27, fixed: &X22, slots: &L83, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1018000000000000000b10, mnemonic: &P27, fixed: &X22, slots: &L84, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81018000000000000000d10, mnemonic: &P27, fixed: &X22, slots: &L85, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x3008000000000000000310, mnemonic: &P28, fixed: &X23, slots: &L80, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x3008000000000000000b10, mnemonic: &P28, fixed: &X23, slots: &L81, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x83008000000000000000d10, mnemonic: &P28, fixed: &X23, slots: &L82, fields: &F33, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe44003fffff0000000fff, bits: 0x23e, mnemonic: &P29, fixed: &X24, slots: &L86, fields: &F34, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe44000000000000000fff, bits: 0x83e, mnemonic: &P29, fixed: &X24, slots: &L87, fields: &F34, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4400380000ff00000fff, bits: 0xa3e, mnemonic: &P29, fixed: &X24, slots: &L88, fields: &F34, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe44003fffffc000000fff, bits: 0x80000000000000000000c3e, mnemonic: &P29, fixed: &X24, slots: &L89, fields: &F34, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe64003fffff0000000fff, bits: 0x23e, mnemonic: &P30, fixed: &X25, slots: &L86, fields: &F35, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe64000000000000000fff, bits: 0x83e, mnemonic: &P30, fixed: &X25, slots: &L87, fields: &F35, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe6400380000ff00000fff, bits: 0xa3e, mnemonic: &P30, fixed: &X25, slots: &L88, fields: &F35, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe64003fffffc000000fff, bits: 0x80000000000000000000c3e, mnemonic: &P30, fixed: &X25, slots: &L89, fields: &F35, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe44003fffff0000000fff, bits: 0x4804000000000000000023e, mnemonic: &P31, fixed: &X26, slots: &L90, fields: &F36, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe44003fffffc000000fff, bits: 0xc8040000000000000000c3e, mnemonic: &P31, fixed: &X26, slots: &L91, fields: &F36, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffefffd00ffffff00ff000fff, bits: 0x200040000000000ff00023e, mnemonic: &P32, fixed: &X27, slots: &L92, fields: &F37, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffefffd00ffffffc0ff000fff, bits: 0xa00040000000000ff000c3e, mnemonic: &P32, fixed: &X27, slots: &L93, fields: &F37, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff3fffff00ff000fff, bits: 0x2000000000000000000305, mnemonic: &P33, fixed: &X0, slots: &L71, fields: &F38, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff380000ffff000fff, bits: 0x2000000000000000000b05, mnemonic: &P33, fixed: &X0, slots: &L72, fields: &F38, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff3fffffc0ff000fff, bits: 0x82000000000000000000d05, mnemonic: &P33, fixed: &X0, slots: &L73, fields: &F38, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x1000000000000000000305, mnemonic: &P34, fixed: &X28, slots: &L74, fields: &F39, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x1000000000000000000b05, mnemonic: &P34, fixed: &X28, slots: &L75, fields: &F39, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x81000000000000000000d05, mnemonic: &P34, fixed: &X28, slots: &L76, fields: &F39, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffff00ff000fff, bits: 0x2000000000000000000311, mnemonic: &P20, fixed: &X0, slots: &L94, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff380000ffff000fff, bits: 0x2000000000000000000b11, mnemonic: &P20, fixed: &X0, slots: &L95, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffffc0ff000fff, bits: 0x82000000000000000000d11, mnemonic: &P20, fixed: &X0, slots: &L96, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffff00ff000fff, bits: 0x3000000000000000000311, mnemonic: &P35, fixed: &X29, slots: &L97, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff380000ffff000fff, bits: 0x3000000000000000000b11, mnemonic: &P35, fixed: &X29, slots: &L98, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffffc0ff000fff, bits: 0x83000000000000000000d11, mnemonic: &P35, fixed: &X29, slots: &L99, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x1000000000000000000311, mnemonic: &P34, fixed: &X28, slots: &L100, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x1000000000000000000b11, mnemonic: &P34, fixed: &X28, slots: &L101, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x81000000000000000000d11, mnemonic: &P34, fixed: &X28, slots: &L102, fields: &F40, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(31), mask: 0xc00001ffffff0a00ffffff0000000fff, bits: 0x243, mnemonic: &P36, fixed: &X30, slots: &L103, fields: &F41, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(31), mask: 0xc00001ffffff0a000000000000000fff, bits: 0x843, mnemonic: &P36, fixed: &X30, slots: &L104, fields: &F41, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(31), mask: 0xc00001ffffff0a00f80000ff00000fff, bits: 0xa43, mnemonic: &P36, fixed: &X30, slots: &L105, fields: &F41, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(31), mask: 0xc00001ffffff0a00ffffffc000000fff, bits: 0x80000000000000000000c43, mnemonic: &P36, fixed: &X30, slots: &L106, fields: &F41, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff3fffff0000000fff, bits: 0x221, mnemonic: &P20, fixed: &X0, slots: &L107, fields: &F42, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff0000000000000fff, bits: 0x421, mnemonic: &P20, fixed: &X0, slots: &L108, fields: &F42, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff380000ff00000fff, bits: 0x621, mnemonic: &P20, fixed: &X0, slots: &L109, fields: &F42, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff3fffffc000000fff, bits: 0x80000000000000000000e21, mnemonic: &P20, fixed: &X0, slots: &L110, fields: &F42, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff3fffff0000ff0fff, bits: 0x302, mnemonic: &P0, fixed: &X0, slots: &L111, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff0000000000ff0fff, bits: 0x902, mnemonic: &P0, fixed: &X0, slots: &L112, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff380000ff00ff0fff, bits: 0xb02, mnemonic: &P0, fixed: &X0, slots: &L113, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff3fffffc000ff0fff, bits: 0x80000000000000000000d02, mnemonic: &P0, fixed: &X0, slots: &L114, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fence, isas: IsaSet(24), mask: 0xc00001fffffffeffffffffffffff0fff, bits: 0x3c6, mnemonic: &P37, fixed: &X31, slots: &L0, fields: &F43, class: Class::Dec, effects: E12, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffff0000000fff, bits: 0x223, mnemonic: &P20, fixed: &X0, slots: &L115, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00000000000000000fff, bits: 0x823, mnemonic: &P20, fixed: &X0, slots: &L116, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe0000380000ff00000fff, bits: 0xa23, mnemonic: &P20, fixed: &X0, slots: &L117, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffffc000000fff, bits: 0x80000000000000000000c23, mnemonic: &P20, fixed: &X0, slots: &L118, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00000000000000000fff, bits: 0x423, mnemonic: &P20, fixed: &X0, slots: &L119, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe0000380000ff00000fff, bits: 0x623, mnemonic: &P20, fixed: &X0, slots: &L120, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffffc000000fff, bits: 0x80000000000000000000e23, mnemonic: &P20, fixed: &X0, slots: &L121, fields: &F44, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffff00ff000fff, bits: 0x300, mnemonic: &P5, fixed: &X0, slots: &L122, fields: &F45, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff00000000ff000fff, bits: 0x900, mnemonic: &P5, fixed: &X0, slots: &L123, fields: &F45, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff780000ffff000fff, bits: 0xb00, mnemonic: &P5, fixed: &X0, slots: &L124, fields: &F45, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffffc0ff000fff, bits: 0x80000000000000000000d00, mnemonic: &P5, fixed: &X0, slots: &L125, fields: &F45, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(31), mask: 0xc00001fff878fcff3fffff0000000fff, bits: 0x209, mnemonic: &P20, fixed: &X0, slots: &L126, fields: &F46, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(31), mask: 0xc00001fff878fcff0000000000000fff, bits: 0x809, mnemonic: &P20, fixed: &X0, slots: &L127, fields: &F46, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(31), mask: 0xc00001fff878fcff380000ff00000fff, bits: 0xa09, mnemonic: &P20, fixed: &X0, slots: &L128, fields: &F46, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(31), mask: 0xc00001fff878fcff3fffffc000000fff, bits: 0x80000000000000000000c09, mnemonic: &P20, fixed: &X0, slots: &L129, fields: &F46, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff3fffff0000000fff, bits: 0x220, mnemonic: &P33, fixed: &X0, slots: &L130, fields: &F47, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff0000000000000fff, bits: 0x820, mnemonic: &P33, fixed: &X0, slots: &L108, fields: &F47, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff380000ff00000fff, bits: 0xa20, mnemonic: &P33, fixed: &X0, slots: &L109, fields: &F47, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff3fffffc000000fff, bits: 0x80000000000000000000c20, mnemonic: &P33, fixed: &X0, slots: &L110, fields: &F47, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2010000000000000000307, mnemonic: &P5, fixed: &X0, slots: &L71, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2010000000000000000b07, mnemonic: &P5, fixed: &X0, slots: &L72, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82010000000000000000d07, mnemonic: &P5, fixed: &X0, slots: &L73, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1008000000000000000307, mnemonic: &P38, fixed: &X28, slots: &L74, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1008000000000000000b07, mnemonic: &P38, fixed: &X28, slots: &L75, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81008000000000000000d07, mnemonic: &P38, fixed: &X28, slots: &L76, fields: &F48, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff3fffff00ff000fff, bits: 0x3018000000000000000313, mnemonic: &P39, fixed: &X29, slots: &L131, fields: &F49, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff380000ffff000fff, bits: 0x3018000000000000000b13, mnemonic: &P39, fixed: &X29, slots: &L132, fields: &F49, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff3fffffc0ff000fff, bits: 0x83018000000000000000d13, mnemonic: &P39, fixed: &X29, slots: &L133, fields: &F49, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff3fffff0000000fff, bits: 0x208, mnemonic: &P8, fixed: &X0, slots: &L126, fields: &F50, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff0000000000000fff, bits: 0x808, mnemonic: &P8, fixed: &X0, slots: &L127, fields: &F50, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff380000ff00000fff, bits: 0xa08, mnemonic: &P8, fixed: &X0, slots: &L128, fields: &F50, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff3fffffc000000fff, bits: 0x80000000000000000000c08, mnemonic: &P8, fixed: &X0, slots: &L129, fields: &F50, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87c00ff3fffff0000000fff, bits: 0x20a, mnemonic: &P33, fixed: &X0, slots: &L126, fields: &F51, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87c00ff0000000000000fff, bits: 0x80a, mnemonic: &P33, fixed: &X0, slots: &L127, fields: &F51, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87c00ff380000ff00000fff, bits: 0xa0a, mnemonic: &P33, fixed: &X0, slots: &L128, fields: &F51, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87c00ff3fffffc000000fff, bits: 0x80000000000000000000c0a, mnemonic: &P33, fixed: &X0, slots: &L129, fields: &F51, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff3fffff0000ff0fff, bits: 0x20b, mnemonic: &P20, fixed: &X0, slots: &L134, fields: &F52, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff0000000000ff0fff, bits: 0x80b, mnemonic: &P20, fixed: &X0, slots: &L135, fields: &F52, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff380000ff00ff0fff, bits: 0xa0b, mnemonic: &P20, fixed: &X0, slots: &L136, fields: &F52, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff3fffffc000ff0fff, bits: 0x80000000000000000000c0b, mnemonic: &P20, fixed: &X0, slots: &L137, fields: &F52, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Fswzadd, isas: IsaSet(31), mask: 0xc00001ffffffdf00ffffff0000000fff, bits: 0x22, mnemonic: &P8, fixed: &X0, slots: &L138, fields: &F53, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001ffffde90ff0fffff0000000fff, bits: 0x230, mnemonic: &P20, fixed: &X0, slots: &L139, fields: &F54, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001ffffde90ff0fffffc000000fff, bits: 0x80000000000000000000e30, mnemonic: &P20, fixed: &X0, slots: &L140, fields: &F54, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001ffffde90ff380000ff00000fff, bits: 0x630, mnemonic: &P20, fixed: &X0, slots: &L141, fields: &F54, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001ffffde90ff0000000000000fff, bits: 0x430, mnemonic: &P20, fixed: &X0, slots: &L142, fields: &F55, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000fffff0000000fff, bits: 0x231, mnemonic: &P20, fixed: &X0, slots: &L143, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000fffffc000000fff, bits: 0x80000000000000000000c31, mnemonic: &P20, fixed: &X0, slots: &L144, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000fffff0000000fff, bits: 0x80000000000000000231, mnemonic: &P40, fixed: &X32, slots: &L145, fields: &F57, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000fffffc000000fff, bits: 0x80080000000000000000c31, mnemonic: &P40, fixed: &X32, slots: &L146, fields: &F57, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000000000000000fff, bits: 0x831, mnemonic: &P20, fixed: &X0, slots: &L147, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000000000000000fff, bits: 0x431, mnemonic: &P20, fixed: &X0, slots: &L148, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc08000380000ff00000fff, bits: 0xa31, mnemonic: &P20, fixed: &X0, slots: &L149, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc08000380000ff00000fff, bits: 0x631, mnemonic: &P20, fixed: &X0, slots: &L150, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080003fffffc000000fff, bits: 0x80000000000000000000e31, mnemonic: &P20, fixed: &X0, slots: &L151, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c003fffff0000000fff, bits: 0x235, mnemonic: &P41, fixed: &X33, slots: &L152, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c00380000ff00000fff, bits: 0xa35, mnemonic: &P41, fixed: &X33, slots: &L153, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c003fffffc000000fff, bits: 0x80000000000000000000c35, mnemonic: &P41, fixed: &X33, slots: &L154, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc46ac003fffff0000000fff, bits: 0x80000000000000000235, mnemonic: &P42, fixed: &X34, slots: &L155, fields: &F57, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc46ac00380000ff00000fff, bits: 0x80000000000000000a35, mnemonic: &P42, fixed: &X34, slots: &L156, fields: &F57, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc46ac003fffffc000000fff, bits: 0x80080000000000000000c35, mnemonic: &P42, fixed: &X34, slots: &L157, fields: &F57, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c000000000000000fff, bits: 0x835, mnemonic: &P41, fixed: &X33, slots: &L158, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c000000000000000fff, bits: 0x435, mnemonic: &P41, fixed: &X33, slots: &L159, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c00380000ff00000fff, bits: 0x635, mnemonic: &P41, fixed: &X33, slots: &L160, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc68c003fffffc000000fff, bits: 0x80000000000000000000e35, mnemonic: &P41, fixed: &X33, slots: &L161, fields: &F56, class: Class::Hfma2mma, effects: E9, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fcf00901fffffc0000fff, bits: 0x800080000000000000009f0, mnemonic: &P43, fixed: &X30, slots: &L162, fields: &F58, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fff00901fffffc0000fff, bits: 0x800000000000000000009f0, mnemonic: &P44, fixed: &X28, slots: &L163, fields: &F59, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00b01fffc000000fff, bits: 0x80008000000000000000df0, mnemonic: &P43, fixed: &X30, slots: &L164, fields: &F58, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80ffe00b01fffc000000fff, bits: 0x80000000000000000000df0, mnemonic: &P44, fixed: &X28, slots: &L165, fields: &F59, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87bfe007fffff0000000fff, bits: 0x1000000000000000023c, mnemonic: &P45, fixed: &X35, slots: &L166, fields: &F60, class: Class::Hmma1, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87bfe007fffff0000000fff, bits: 0x1800000000000000023c, mnemonic: &P46, fixed: &X36, slots: &L167, fields: &F60, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x23c, mnemonic: &P47, fixed: &X37, slots: &L168, fields: &F0, class: Class::Hmma1, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x800000000000000023c, mnemonic: &P48, fixed: &X38, slots: &L169, fields: &F0, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x81000000000000000023c, mnemonic: &P49, fixed: &X39, slots: &L167, fields: &F0, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x85000000000000000023c, mnemonic: &P50, fixed: &X40, slots: &L166, fields: &F0, class: Class::Hmma1, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87bb6007ffc000000000fff, bits: 0x1200000000000000023c, mnemonic: &P51, fixed: &X41, slots: &L170, fields: &F61, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87fb6007ffc000000000fff, bits: 0x200000000000000023c, mnemonic: &P52, fixed: &X42, slots: &L171, fields: &F62, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(31), mask: 0xc00001fff87fb6007ffc000000000fff, bits: 0x81200000000000000023c, mnemonic: &P53, fixed: &X43, slots: &L172, fields: &F63, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(31), mask: 0xc00001fff858b0ff0fffff0000000fff, bits: 0x240, mnemonic: &P33, fixed: &X0, slots: &L173, fields: &F64, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(31), mask: 0xc00001fff858b0ff0fffffc000000fff, bits: 0x80000000000000000000c40, mnemonic: &P33, fixed: &X0, slots: &L174, fields: &F64, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(31), mask: 0xc00001fff858b0ff380000ff00000fff, bits: 0xa40, mnemonic: &P33, fixed: &X0, slots: &L175, fields: &F64, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(31), mask: 0xc00001fff858b0ff0000000000000fff, bits: 0x840, mnemonic: &P33, fixed: &X0, slots: &L176, fields: &F64, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(31), mask: 0xc00001ffffde80ff0fffff0000000fff, bits: 0x232, mnemonic: &P20, fixed: &X0, slots: &L177, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(31), mask: 0xc00001ffffde80ff0fffffc000000fff, bits: 0x80000000000000000000c32, mnemonic: &P20, fixed: &X0, slots: &L140, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(31), mask: 0xc00001ffffde80ff380000ff00000fff, bits: 0xa32, mnemonic: &P20, fixed: &X0, slots: &L141, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(31), mask: 0xc00001ffffde80ff0000000000000fff, bits: 0x832, mnemonic: &P20, fixed: &X0, slots: &L142, fields: &F56, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(31), mask: 0xc00001fff87e001c0fffff0000000fff, bits: 0x233, mnemonic: &P2, fixed: &X0, slots: &L178, fields: &F65, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(31), mask: 0xc00001fff87e001c0fffffc000000fff, bits: 0x80000000000000000000e33, mnemonic: &P2, fixed: &X0, slots: &L174, fields: &F65, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(31), mask: 0xc00001fff87e001c380000ff00000fff, bits: 0x633, mnemonic: &P2, fixed: &X0, slots: &L175, fields: &F65, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(31), mask: 0xc00001fff87e001c0000000000000fff, bits: 0x433, mnemonic: &P2, fixed: &X0, slots: &L176, fields: &F65, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(31), mask: 0xc00001fff800001c0fffff0000ff0fff, bits: 0x234, mnemonic: &P2, fixed: &X0, slots: &L179, fields: &F66, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(31), mask: 0xc00001fff800001c0fffffc000ff0fff, bits: 0x80000000000000000000e34, mnemonic: &P2, fixed: &X0, slots: &L180, fields: &F66, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(31), mask: 0xc00001fff800001c380000ff00ff0fff, bits: 0x634, mnemonic: &P2, fixed: &X0, slots: &L181, fields: &F66, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(31), mask: 0xc00001fff800001c0000000000ff0fff, bits: 0x434, mnemonic: &P2, fixed: &X0, slots: &L182, fields: &F66, class: Class::Fp16, effects: E9, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf03ffffffff00ff000fff, bits: 0x306, mnemonic: &P20, fixed: &X0, slots: &L33, fields: &F67, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf03fff80000ffff000fff, bits: 0xb06, mnemonic: &P20, fixed: &X0, slots: &L35, fields: &F67, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf03ffffffffc0ff000fff, bits: 0x80000000000000000000d06, mnemonic: &P20, fixed: &X0, slots: &L36, fields: &F67, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff03ff00000000ff000fff, bits: 0x2000000000000000000906, mnemonic: &P20, fixed: &X0, slots: &L183, fields: &F68, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x18000000000000000312, mnemonic: &P54, fixed: &X29, slots: &L184, fields: &F69, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x18000000000000000b12, mnemonic: &P54, fixed: &X29, slots: &L185, fields: &F69, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80018000000000000000d12, mnemonic: &P54, fixed: &X29, slots: &L186, fields: &F69, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x10000000000000000312, mnemonic: &P5, fixed: &X0, slots: &L187, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x10000000000000000b12, mnemonic: &P5, fixed: &X0, slots: &L188, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80010000000000000000d12, mnemonic: &P5, fixed: &X0, slots: &L189, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x8000000000000000312, mnemonic: &P38, fixed: &X28, slots: &L187, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x8000000000000000b12, mnemonic: &P38, fixed: &X28, slots: &L188, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80008000000000000000d12, mnemonic: &P38, fixed: &X28, slots: &L189, fields: &F70, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x10000000000000000245, mnemonic: &P55, fixed: &X30, slots: &L33, fields: &F71, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bff00000000ff000fff, bits: 0x10000000000000000845, mnemonic: &P55, fixed: &X30, slots: &L183, fields: &F71, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x10000000000000000a45, mnemonic: &P55, fixed: &X30, slots: &L35, fields: &F71, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80010000000000000000c45, mnemonic: &P55, fixed: &X30, slots: &L36, fields: &F71, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcfffffffff00ff000fff, bits: 0x238, mnemonic: &P56, fixed: &X44, slots: &L33, fields: &F72, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcffff80000ffff000fff, bits: 0xa38, mnemonic: &P56, fixed: &X44, slots: &L35, fields: &F72, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcfffffffffc0ff000fff, bits: 0x80000000000000000000c38, mnemonic: &P56, fixed: &X44, slots: &L36, fields: &F72, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffff0000000fff, bits: 0x239, mnemonic: &P57, fixed: &X45, slots: &L190, fields: &F73, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff83000000000000000fff, bits: 0x839, mnemonic: &P57, fixed: &X45, slots: &L191, fields: &F73, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300f80000ff00000fff, bits: 0xa39, mnemonic: &P57, fixed: &X45, slots: &L192, fields: &F73, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffffc000000fff, bits: 0x80000000000000000000c39, mnemonic: &P57, fixed: &X45, slots: &L193, fields: &F73, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffff0000000fff, bits: 0x239, mnemonic: &P56, fixed: &X44, slots: &L190, fields: &F74, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f000000000000000fff, bits: 0x839, mnemonic: &P56, fixed: &X44, slots: &L191, fields: &F74, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00f80000ff00000fff, bits: 0xa39, mnemonic: &P56, fixed: &X44, slots: &L192, fields: &F74, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffffc000000fff, bits: 0x80000000000000000000c39, mnemonic: &P56, fixed: &X44, slots: &L193, fields: &F74, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00ff000fff, bits: 0x213, mnemonic: &P0, fixed: &X0, slots: &L33, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x813, mnemonic: &P0, fixed: &X0, slots: &L183, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001fffffffffff80000ffff000fff, bits: 0xa13, mnemonic: &P0, fixed: &X0, slots: &L35, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ff000fff, bits: 0x80000000000000000000c13, mnemonic: &P0, fixed: &X0, slots: &L36, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012007fffff0000000fff, bits: 0x210, mnemonic: &P8, fixed: &X0, slots: &L194, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012000000000000000fff, bits: 0x810, mnemonic: &P8, fixed: &X0, slots: &L195, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff8001200780000ff00000fff, bits: 0xa10, mnemonic: &P8, fixed: &X0, slots: &L196, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012007fffffc000000fff, bits: 0x80000000000000000000c10, mnemonic: &P8, fixed: &X0, slots: &L197, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100ffffff0000000fff, bits: 0x226, mnemonic: &P5, fixed: &X0, slots: &L198, fields: &F76, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc1000000000000000fff, bits: 0x826, mnemonic: &P5, fixed: &X0, slots: &L199, fields: &F76, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100f80000ff00000fff, bits: 0xa26, mnemonic: &P5, fixed: &X0, slots: &L200, fields: &F76, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100ffffffc000000fff, bits: 0x80000000000000000000c26, mnemonic: &P5, fixed: &X0, slots: &L201, fields: &F76, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100ffffff0000000fff, bits: 0xe00000000000000000224, mnemonic: &P58, fixed: &X0, slots: &L202, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff1000000000000000fff, bits: 0xe00000000000000000824, mnemonic: &P59, fixed: &X0, slots: &L203, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100f80000ff00000fff, bits: 0xe00000000000000000a24, mnemonic: &P60, fixed: &X0, slots: &L204, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100ffffffc000000fff, bits: 0x80e00000000000000000c24, mnemonic: &P61, fixed: &X0, slots: &L205, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff9000000000000000fff, bits: 0xe00000000000000000424, mnemonic: &P58, fixed: &X0, slots: &L206, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff900780000ff00000fff, bits: 0xe00000000000000000624, mnemonic: &P58, fixed: &X0, slots: &L207, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff9007fffffc000000fff, bits: 0x80e00000000000000000e24, mnemonic: &P61, fixed: &X0, slots: &L208, fields: &F77, class: Class::Fma, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffff0000000fff, bits: 0x225, mnemonic: &P62, fixed: &X46, slots: &L209, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f1000000000000000fff, bits: 0x825, mnemonic: &P62, fixed: &X46, slots: &L210, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100f80000ff00000fff, bits: 0xa25, mnemonic: &P62, fixed: &X46, slots: &L211, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffffc000000fff, bits: 0x80000000000000000000c25, mnemonic: &P62, fixed: &X46, slots: &L212, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9000000000000000fff, bits: 0x425, mnemonic: &P62, fixed: &X46, slots: &L213, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f900780000ff00000fff, bits: 0x625, mnemonic: &P62, fixed: &X46, slots: &L214, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9007fffffc000000fff, bits: 0x80000000000000000000e25, mnemonic: &P62, fixed: &X46, slots: &L215, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffff0000000fff, bits: 0x227, mnemonic: &P63, fixed: &X47, slots: &L216, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f1000000000000000fff, bits: 0x827, mnemonic: &P63, fixed: &X47, slots: &L217, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100f80000ff00000fff, bits: 0xa27, mnemonic: &P63, fixed: &X47, slots: &L218, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffffc000000fff, bits: 0x80000000000000000000c27, mnemonic: &P63, fixed: &X47, slots: &L219, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9000000000000000fff, bits: 0x427, mnemonic: &P63, fixed: &X47, slots: &L220, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f900780000ff00000fff, bits: 0x627, mnemonic: &P63, fixed: &X47, slots: &L221, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9007fffffc000000fff, bits: 0x80000000000000000000e27, mnemonic: &P63, fixed: &X47, slots: &L222, fields: &F77, class: Class::Imadwide, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff81ba100ffffff0000000fff, bits: 0x237, mnemonic: &P33, fixed: &X0, slots: &L223, fields: &F78, class: Class::Imma, effects: E8, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001ffff83a100ffffff0000000fff, bits: 0x237, mnemonic: &P33, fixed: &X0, slots: &L224, fields: &F79, class: Class::Imma, effects: E8, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdffffffff0000000fff, bits: 0x217, mnemonic: &P8, fixed: &X0, slots: &L225, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdff0000000000000fff, bits: 0x817, mnemonic: &P8, fixed: &X0, slots: &L226, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdfff80000ff00000fff, bits: 0xa17, mnemonic: &P8, fixed: &X0, slots: &L227, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdffffffffc000000fff, bits: 0x80000000000000000000c17, mnemonic: &P8, fixed: &X0, slots: &L228, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffff0000ff0fff, bits: 0x20c, mnemonic: &P33, fixed: &X0, slots: &L229, fields: &F81, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800f0000000000ff0fff, bits: 0x80c, mnemonic: &P33, fixed: &X0, slots: &L230, fields: &F81, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800ff80000ff00ff0fff, bits: 0xa0c, mnemonic: &P33, fixed: &X0, slots: &L231, fields: &F81, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffffc000ff0fff, bits: 0x80000000000000000000c0c, mnemonic: &P33, fixed: &X0, slots: &L232, fields: &F81, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(31), mask: 0xc00001ffff8e10c00000000000000fff, bits: 0x380, mnemonic: &P2, fixed: &X0, slots: &L233, fields: &F82, class: Class::Agu, effects: E16, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(31), mask: 0xc00001ffff8e10c00000000000000fff, bits: 0x980, mnemonic: &P2, fixed: &X0, slots: &L233, fields: &F82, class: Class::Agu, effects: E16, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(24), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0011000000000000000980, mnemonic: &P3, fixed: &X2, slots: &L234, fields: &F83, class: Class::Agu, effects: E16, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(7), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0011000000000000000980, mnemonic: &P3, fixed: &X2, slots: &L235, fields: &F83, class: Class::Agu, effects: E16, uniform_guard: false },
    Row { op: Op::Ldc, isas: IsaSet(31), mask: 0xc00001ffffff31fff800003f00000fff, bits: 0xb82, mnemonic: &P5, fixed: &X0, slots: &L236, fields: &F84, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(31), mask: 0xc00001ffff8010c0000000ff00000fff, bits: 0x381, mnemonic: &P2, fixed: &X0, slots: &L237, fields: &F82, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(24), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0011000000000000000981, mnemonic: &P3, fixed: &X2, slots: &L238, fields: &F83, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(7), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0x200c0011000000000000000981, mnemonic: &P3, fixed: &X2, slots: &L238, fields: &F83, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(7), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0011000000000000000981, mnemonic: &P3, fixed: &X2, slots: &L239, fields: &F83, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(31), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0001000000000000000981, mnemonic: &P3, fixed: &X2, slots: &L240, fields: &F83, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldgdepbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9af, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Agu, effects: E12, uniform_guard: false },
    Row { op: Op::Ldgmc, isas: IsaSet(24), mask: 0xc00001fff87e11c0000000ff00000fff, bits: 0x800014000000000000009a4, mnemonic: &P64, fixed: &X2, slots: &L241, fields: &F85, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Ldgsts, isas: IsaSet(24), mask: 0xc00001fff809f0400000000000000fff, bits: 0x80010400000000000000fae, mnemonic: &P65, fixed: &X2, slots: &L242, fields: &F86, class: Class::Agu, effects: E19, uniform_guard: false },
    Row { op: Op::Ldgsts, isas: IsaSet(7), mask: 0xc00001fff809f0400000000000000fff, bits: 0x80010400000000000000fae, mnemonic: &P65, fixed: &X2, slots: &L243, fields: &F86, class: Class::Agu, effects: E19, uniform_guard: false },
    Row { op: Op::Ldl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff000000ff00000fff, bits: 0x983, mnemonic: &P5, fixed: &X0, slots: &L244, fields: &F87, class: Class::Agu, effects: E20, uniform_guard: false },
    Row { op: Op::Ldl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff000000c000000fff, bits: 0x80000000000000000000983, mnemonic: &P5, fixed: &X0, slots: &L245, fields: &F87, class: Class::Agu, effects: E20, uniform_guard: false },
    Row { op: Op::Lds, isas: IsaSet(31), mask: 0xc00001ffffff31ff000000ff00000fff, bits: 0x984, mnemonic: &P8, fixed: &X0, slots: &L246, fields: &F88, class: Class::Agu, effects: E21, uniform_guard: false },
    Row { op: Op::Lds, isas: IsaSet(31), mask: 0xc00001ffffff31ff000000c000000fff, bits: 0x80000000000000000000984, mnemonic: &P8, fixed: &X0, slots: &L247, fields: &F88, class: Class::Agu, effects: E21, uniform_guard: false },
    Row { op: Op::Ldsm, isas: IsaSet(31), mask: 0xc00001ffffff3cff000000ff00000fff, bits: 0x83b, mnemonic: &P66, fixed: &X48, slots: &L248, fields: &F89, class: Class::Agu, effects: E22, uniform_guard: false },
    Row { op: Op::Ldsm, isas: IsaSet(31), mask: 0xc00001ffffff3cff000000c000000fff, bits: 0x8000000000000000000083b, mnemonic: &P66, fixed: &X48, slots: &L249, fields: &F89, class: Class::Agu, effects: E22, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x211, mnemonic: &P8, fixed: &X0, slots: &L250, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x811, mnemonic: &P8, fixed: &X0, slots: &L251, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0xa11, mnemonic: &P8, fixed: &X0, slots: &L252, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80000000000000000000c11, mnemonic: &P8, fixed: &X0, slots: &L253, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x100000000000000000211, mnemonic: &P67, fixed: &X47, slots: &L254, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x100000000000000000811, mnemonic: &P67, fixed: &X47, slots: &L255, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0x100000000000000000a11, mnemonic: &P67, fixed: &X47, slots: &L256, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80100000000000000000c11, mnemonic: &P67, fixed: &X47, slots: &L257, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x102000000000000000211, mnemonic: &P68, fixed: &X49, slots: &L250, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x102000000000000000811, mnemonic: &P68, fixed: &X49, slots: &L251, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0x102000000000000000a11, mnemonic: &P68, fixed: &X49, slots: &L252, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80102000000000000000c11, mnemonic: &P68, fixed: &X49, slots: &L253, fields: &F75, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lepc, isas: IsaSet(7), mask: 0xc00001ffffffffffffffffffff000fff, bits: 0x34e, mnemonic: &P0, fixed: &X0, slots: &L258, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lepc, isas: IsaSet(24), mask: 0xc00001fffffc00000000000000000fff, bits: 0x94e, mnemonic: &P0, fixed: &X0, slots: &L259, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000ffffff0000000fff, bits: 0x212, mnemonic: &P69, fixed: &X50, slots: &L260, fields: &F90, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff87000000000000000000fff, bits: 0x812, mnemonic: &P69, fixed: &X50, slots: &L261, fields: &F90, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000f80000ff00000fff, bits: 0xa12, mnemonic: &P69, fixed: &X50, slots: &L262, fields: &F90, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000ffffffc000000fff, bits: 0x80000000000000000000c12, mnemonic: &P69, fixed: &X50, slots: &L263, fields: &F90, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Match, isas: IsaSet(31), mask: 0xc00001fffffffdffffffffff00000fff, bits: 0xe800000000000000003a1, mnemonic: &P70, fixed: &X51, slots: &L264, fields: &F91, class: Class::Dec, effects: E14, uniform_guard: false },
    Row { op: Op::Match, isas: IsaSet(31), mask: 0xc00001fffff1fdffffffffff00000fff, bits: 0x3a1, mnemonic: &P71, fixed: &X52, slots: &L265, fields: &F91, class: Class::Dec, effects: E14, uniform_guard: false },
    Row { op: Op::Membar, isas: IsaSet(31), mask: 0xc00001fffffe0fffffffffffffff0fff, bits: 0x992, mnemonic: &P5, fixed: &X0, slots: &L0, fields: &F92, class: Class::Dec, effects: E12, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ffffffff00ff000fff, bits: 0x202, mnemonic: &P0, fixed: &X0, slots: &L266, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ff00000000ff000fff, bits: 0x802, mnemonic: &P0, fixed: &X0, slots: &L267, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0fff80000ffff000fff, bits: 0xa02, mnemonic: &P0, fixed: &X0, slots: &L268, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ffffffffc0ff000fff, bits: 0x80000000000000000000c02, mnemonic: &P0, fixed: &X0, slots: &L269, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Movm, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffff00000fff, bits: 0x23a, mnemonic: &P72, fixed: &X53, slots: &L270, fields: &F0, class: Class::Dec, effects: E14, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff3fffff00ff000fff, bits: 0x308, mnemonic: &P8, fixed: &X0, slots: &L71, fields: &F93, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff380000ffff000fff, bits: 0xb08, mnemonic: &P8, fixed: &X0, slots: &L72, fields: &F93, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff3fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P8, fixed: &X0, slots: &L73, fields: &F93, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff2fffff00ff000fff, bits: 0x308, mnemonic: &P8, fixed: &X0, slots: &L74, fields: &F94, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff280000ffff000fff, bits: 0xb08, mnemonic: &P8, fixed: &X0, slots: &L75, fields: &F94, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff2fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P8, fixed: &X0, slots: &L76, fields: &F94, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff2fffff00ff000fff, bits: 0x308, mnemonic: &P8, fixed: &X0, slots: &L74, fields: &F95, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff280000ffff000fff, bits: 0xb08, mnemonic: &P8, fixed: &X0, slots: &L75, fields: &F95, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff2fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P8, fixed: &X0, slots: &L76, fields: &F95, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff00000000ff000fff, bits: 0x908, mnemonic: &P8, fixed: &X0, slots: &L271, fields: &F96, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff00000000ff000fff, bits: 0x908, mnemonic: &P8, fixed: &X0, slots: &L272, fields: &F97, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(31), mask: 0xc00001fff80fffffffffff00ffff0fff, bits: 0x35d, mnemonic: &P20, fixed: &X0, slots: &L273, fields: &F98, class: Class::Br, effects: E9, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(31), mask: 0xc00001fff80fffff00000000ffff0fff, bits: 0x95d, mnemonic: &P20, fixed: &X0, slots: &L274, fields: &F98, class: Class::Br, effects: E9, uniform_guard: false },
    Row { op: Op::Nop, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x918, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E9, uniform_guard: false },
    Row { op: Op::P2r, isas: IsaSet(31), mask: 0xc00001ffffffcfff0000000000000fff, bits: 0x803, mnemonic: &P8, fixed: &X0, slots: &L275, fields: &F99, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001fff8000008ffffffffff000fff, bits: 0x81c, mnemonic: &P73, fixed: &X50, slots: &L276, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001fff8000008ffffffffff000fff, bits: 0x8000000000000081c, mnemonic: &P73, fixed: &X50, slots: &L277, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001ffff810000ffffff0000000fff, bits: 0x21f, mnemonic: &P73, fixed: &X50, slots: &L278, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Pmtrig, isas: IsaSet(31), mask: 0xc00001fff87fffffffff0000ffff0fff, bits: 0x801, mnemonic: &P0, fixed: &X0, slots: &L279, fields: &F0, class: Class::Br, effects: E9, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffff00ff000fff, bits: 0x309, mnemonic: &P0, fixed: &X0, slots: &L280, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x909, mnemonic: &P0, fixed: &X0, slots: &L34, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff780000ffff000fff, bits: 0xb09, mnemonic: &P0, fixed: &X0, slots: &L281, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffffc0ff000fff, bits: 0x80000000000000000000d09, mnemonic: &P0, fixed: &X0, slots: &L282, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Preexit, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x82d, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E0, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffff0000000fff, bits: 0x216, mnemonic: &P8, fixed: &X0, slots: &L190, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff8000000000000000fff, bits: 0x816, mnemonic: &P8, fixed: &X0, slots: &L283, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800f80000ff00000fff, bits: 0xa16, mnemonic: &P8, fixed: &X0, slots: &L192, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff8000000000000000fff, bits: 0x416, mnemonic: &P8, fixed: &X0, slots: &L284, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800f80000ff00000fff, bits: 0x616, mnemonic: &P8, fixed: &X0, slots: &L285, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffffc000000fff, bits: 0x80000000000000000000e16, mnemonic: &P8, fixed: &X0, slots: &L286, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffffc000000fff, bits: 0x80000000000000000000c16, mnemonic: &P8, fixed: &X0, slots: &L193, fields: &F100, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fcf00f81fffffc0000fff, bits: 0x800080000000000000009f3, mnemonic: &P36, fixed: &X30, slots: &L287, fields: &F101, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fcf00f81fffffc0000fff, bits: 0x800000000000000000009f3, mnemonic: &P34, fixed: &X28, slots: &L288, fields: &F102, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00f81fffc000000fff, bits: 0x80008000000000000000df3, mnemonic: &P36, fixed: &X30, slots: &L289, fields: &F101, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00f81fffc000000fff, bits: 0x80000000000000000000df3, mnemonic: &P34, fixed: &X28, slots: &L290, fields: &F102, class: Class::Hgmma, effects: E14, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff30007fffff0000000fff, bits: 0x2000000000000000027a, mnemonic: &P36, fixed: &X30, slots: &L291, fields: &F103, class: Class::Hmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(31), mask: 0xc00001fffff1f8ff000000ff00000fff, bits: 0x3aa, mnemonic: &P5, fixed: &X0, slots: &L292, fields: &F104, class: Class::Agu, effects: E6, uniform_guard: false },
    Row { op: Op::R2p, isas: IsaSet(31), mask: 0xc00001ffffffcfff0000000000ff0fff, bits: 0x804, mnemonic: &P0, fixed: &X0, slots: &L293, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(24), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x2ca, mnemonic: &P0, fixed: &X0, slots: &L294, fields: &F0, class: Class::R2ur, effects: E9, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(24), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x10000000000000000002ca, mnemonic: &P74, fixed: &X54, slots: &L295, fields: &F0, class: Class::R2ur, effects: E9, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(7), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x3c2, mnemonic: &P0, fixed: &X0, slots: &L294, fields: &F0, class: Class::R2ur, effects: E6, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(7), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x10000000000000000003c2, mnemonic: &P74, fixed: &X54, slots: &L295, fields: &F0, class: Class::R2ur, effects: E6, uniform_guard: false },
    Row { op: Op::Red, isas: IsaSet(7), mask: 0xc00001fffc0e01c00000000000ff0fff, bits: 0xc000180000000000000098e, mnemonic: &P3, fixed: &X2, slots: &L296, fields: &F105, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Redas, isas: IsaSet(24), mask: 0xc00001fff87ff1ff0000000000ff0fff, bits: 0x800013f0000000000000dbe, mnemonic: &P5, fixed: &X0, slots: &L297, fields: &F106, class: Class::Agu, effects: E23, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc0e11c00000000000ff0fff, bits: 0xc000180000000000000098e, mnemonic: &P3, fixed: &X2, slots: &L298, fields: &F107, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc8e01c00000000000ff0fff, bits: 0xc00018000000000000009a6, mnemonic: &P3, fixed: &X2, slots: &L299, fields: &F4, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Redux, isas: IsaSet(31), mask: 0xc00001fffffe3dffffffffff00c00fff, bits: 0x3c4, mnemonic: &P5, fixed: &X0, slots: &L300, fields: &F108, class: Class::Dec, effects: E14, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x950, mnemonic: &P18, fixed: &X14, slots: &L42, fields: &F109, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x2000000000000000000950, mnemonic: &P19, fixed: &X15, slots: &L37, fields: &F109, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x950, mnemonic: &P18, fixed: &X14, slots: &L43, fields: &F109, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x2000000000000000000950, mnemonic: &P19, fixed: &X15, slots: &L38, fields: &F109, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::S2r, isas: IsaSet(31), mask: 0xc00001ffffff00ffffffffffff000fff, bits: 0x919, mnemonic: &P0, fixed: &X0, slots: &L301, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::S2ur, isas: IsaSet(31), mask: 0xc00001ffffff00ffffffffffffc00fff, bits: 0x9c3, mnemonic: &P0, fixed: &X0, slots: &L302, fields: &F0, class: Class::Dec, effects: E6, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffff0000000fff, bits: 0x207, mnemonic: &P0, fixed: &X0, slots: &L225, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffff0000000000000fff, bits: 0x807, mnemonic: &P0, fixed: &X0, slots: &L303, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87ffffff80000ff00000fff, bits: 0xa07, mnemonic: &P0, fixed: &X0, slots: &L227, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffc000000fff, bits: 0x80000000000000000000c07, mnemonic: &P0, fixed: &X0, slots: &L228, fields: &F0, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffff0000000fff, bits: 0x21a, mnemonic: &P5, fixed: &X0, slots: &L21, fields: &F110, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ff0000000000000fff, bits: 0x81a, mnemonic: &P5, fixed: &X0, slots: &L22, fields: &F110, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5fff80000ff00000fff, bits: 0xa1a, mnemonic: &P5, fixed: &X0, slots: &L23, fields: &F110, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffffc000000fff, bits: 0x80000000000000000000c1a, mnemonic: &P5, fixed: &X0, slots: &L24, fields: &F110, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffff0000000fff, bits: 0x219, mnemonic: &P33, fixed: &X0, slots: &L190, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee1000000000000000fff, bits: 0x819, mnemonic: &P33, fixed: &X0, slots: &L283, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100f80000ff00000fff, bits: 0xa19, mnemonic: &P33, fixed: &X0, slots: &L192, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffffc000000fff, bits: 0x80000000000000000000c19, mnemonic: &P33, fixed: &X0, slots: &L193, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100f80000ff00000fff, bits: 0x619, mnemonic: &P33, fixed: &X0, slots: &L285, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffffc000000fff, bits: 0x80000000000000000000e19, mnemonic: &P33, fixed: &X0, slots: &L286, fields: &F111, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1ff00f3ffff0000000fff, bits: 0x389, mnemonic: &P8, fixed: &X0, slots: &L304, fields: &F112, class: Class::Agu, effects: E14, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1fffff3e0000000000fff, bits: 0x589, mnemonic: &P8, fixed: &X0, slots: &L305, fields: &F112, class: Class::Agu, effects: E14, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1ff00f01fffff00000fff, bits: 0x989, mnemonic: &P8, fixed: &X0, slots: &L306, fields: &F112, class: Class::Agu, effects: E14, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1fffff00000ff00000fff, bits: 0xf89, mnemonic: &P8, fixed: &X0, slots: &L307, fields: &F112, class: Class::Agu, effects: E14, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(31), mask: 0xc00001ffff8e10000000000000ff0fff, bits: 0x385, mnemonic: &P33, fixed: &X0, slots: &L308, fields: &F113, class: Class::Agu, effects: E24, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000985, mnemonic: &P64, fixed: &X2, slots: &L309, fields: &F114, class: Class::Agu, effects: E24, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000985, mnemonic: &P64, fixed: &X2, slots: &L310, fields: &F114, class: Class::Agu, effects: E24, uniform_guard: false },
    Row { op: Op::Stas, isas: IsaSet(24), mask: 0xc00001fffffff1ff0000000000ff0fff, bits: 0xc00003f0000000000000dbd, mnemonic: &P8, fixed: &X0, slots: &L311, fields: &F115, class: Class::Agu, effects: E25, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000986, mnemonic: &P64, fixed: &X2, slots: &L309, fields: &F114, class: Class::Agu, effects: E26, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000986, mnemonic: &P64, fixed: &X2, slots: &L310, fields: &F114, class: Class::Agu, effects: E26, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(31), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0001000000000000000986, mnemonic: &P64, fixed: &X2, slots: &L312, fields: &F114, class: Class::Agu, effects: E26, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(31), mask: 0xc00001ffff8e10ff0000000000ff0fff, bits: 0x386, mnemonic: &P33, fixed: &X0, slots: &L313, fields: &F113, class: Class::Agu, effects: E26, uniform_guard: false },
    Row { op: Op::Stl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff0000000000ff0fff, bits: 0x387, mnemonic: &P5, fixed: &X0, slots: &L314, fields: &F87, class: Class::Agu, effects: E27, uniform_guard: false },
    Row { op: Op::Stl, isas: IsaSet(31), mask: 0xc00001ffff8ff1c00000000000ff0fff, bits: 0x80000000000000000000987, mnemonic: &P5, fixed: &X0, slots: &L315, fields: &F87, class: Class::Agu, effects: E27, uniform_guard: false },
    Row { op: Op::Sts, isas: IsaSet(31), mask: 0xc00001ffffff31ff0000000000ff0fff, bits: 0x388, mnemonic: &P8, fixed: &X0, slots: &L316, fields: &F88, class: Class::Agu, effects: E25, uniform_guard: false },
    Row { op: Op::Sts, isas: IsaSet(31), mask: 0xc00001ffffff31c00000000000ff0fff, bits: 0x80000000000000000000988, mnemonic: &P8, fixed: &X0, slots: &L317, fields: &F88, class: Class::Agu, effects: E25, uniform_guard: false },
    Row { op: Op::Stsm, isas: IsaSet(24), mask: 0xc00001ffffffbcff0000000000ff0fff, bits: 0x844, mnemonic: &P66, fixed: &X48, slots: &L318, fields: &F116, class: Class::Agu, effects: E28, uniform_guard: false },
    Row { op: Op::Stsm, isas: IsaSet(24), mask: 0xc00001ffffffbcc00000000000ff0fff, bits: 0x80000000000000000000844, mnemonic: &P66, fixed: &X48, slots: &L319, fields: &F116, class: Class::Agu, effects: E28, uniform_guard: false },
    Row { op: Op::Suld, isas: IsaSet(24), mask: 0xc00001ffff8010ff07c000ff00000fff, bits: 0x80000000000000000000f99, mnemonic: &P75, fixed: &X55, slots: &L320, fields: &F117, class: Class::Dec, effects: E29, uniform_guard: false },
    Row { op: Op::Suld, isas: IsaSet(7), mask: 0xc00001ffff80100007ffffff00000fff, bits: 0x99a, mnemonic: &P75, fixed: &X55, slots: &L321, fields: &F117, class: Class::Dec, effects: E29, uniform_guard: false },
    Row { op: Op::Sured, isas: IsaSet(24), mask: 0xc00001fffc0e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9f, mnemonic: &P76, fixed: &X55, slots: &L322, fields: &F118, class: Class::Dec, effects: E30, uniform_guard: false },
    Row { op: Op::Sured, isas: IsaSet(7), mask: 0xc00001fffc0e100007ffff0000ff0fff, bits: 0x3a0, mnemonic: &P76, fixed: &X55, slots: &L323, fields: &F118, class: Class::Dec, effects: E30, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(24), mask: 0xc00001ffff8e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9d, mnemonic: &P75, fixed: &X55, slots: &L324, fields: &F119, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e100007ffff0000ff0fff, bits: 0x99e, mnemonic: &P75, fixed: &X55, slots: &L325, fields: &F119, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e10ff0000000000ff0fff, bits: 0xb9d, mnemonic: &P75, fixed: &X55, slots: &L326, fields: &F119, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(24), mask: 0xc00001ffff8e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9b, mnemonic: &P77, fixed: &X56, slots: &L327, fields: &F120, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e100007ffff0000ff0fff, bits: 0x99c, mnemonic: &P77, fixed: &X56, slots: &L328, fields: &F120, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001fffff1fec00000000000ff0fff, bits: 0x800004000000000000005a7, mnemonic: &P78, fixed: &X57, slots: &L329, fields: &F121, class: Class::Dec, effects: E32, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffff8ff1c00000000000000fff, bits: 0x800000000000000000009a7, mnemonic: &P79, fixed: &X58, slots: &L330, fields: &F122, class: Class::Dec, effects: E5, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffffffffff000000c0c0c00fff, bits: 0x800010000000000000005b2, mnemonic: &P80, fixed: &X59, slots: &L331, fields: &F0, class: Class::Dec, effects: E5, uniform_guard: true },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffffffffc0000000ff00ff0fff, bits: 0x800000000000000000009b1, mnemonic: &P81, fixed: &X60, slots: &L1, fields: &F0, class: Class::Dec, effects: E1, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(24), mask: 0xc00001fff80000000fc0000000000fff, bits: 0x80000000000000000000f60, mnemonic: &P82, fixed: &X0, slots: &L332, fields: &F123, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(7), mask: 0xc00001fff80000000fffff0000000fff, bits: 0x800000000000361, mnemonic: &P83, fixed: &X61, slots: &L333, fields: &F123, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(7), mask: 0xc00001fff80000000800000000000fff, bits: 0xb60, mnemonic: &P82, fixed: &X0, slots: &L334, fields: &F123, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(24), mask: 0xc00001fff80000000fc0000000000fff, bits: 0x80000000000000000000f66, mnemonic: &P82, fixed: &X0, slots: &L335, fields: &F124, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(7), mask: 0xc00001fff80000000fffff0000000fff, bits: 0x800000000000367, mnemonic: &P83, fixed: &X61, slots: &L333, fields: &F124, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(7), mask: 0xc00001fff80000000800000000000fff, bits: 0xb66, mnemonic: &P82, fixed: &X0, slots: &L336, fields: &F124, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tld4, isas: IsaSet(24), mask: 0xc00001fffa0000000fc0000000000fff, bits: 0x80000000000000000000f63, mnemonic: &P84, fixed: &X0, slots: &L335, fields: &F125, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Tld4, isas: IsaSet(7), mask: 0xc00001fffa0000000fffff0000000fff, bits: 0x800000000000364, mnemonic: &P85, fixed: &X61, slots: &L333, fields: &F125, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Txd, isas: IsaSet(24), mask: 0xc00001fffb0060001fc0000000000fff, bits: 0x80000000000000000000f6c, mnemonic: &P2, fixed: &X0, slots: &L332, fields: &F126, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Txd, isas: IsaSet(7), mask: 0xc00001fffb0060001fffff0000000fff, bits: 0x80000000000036d, mnemonic: &P86, fixed: &X61, slots: &L333, fields: &F126, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Txq, isas: IsaSet(24), mask: 0xc00001fffbfff0003fc000ff00000fff, bits: 0x80000000000000000000f6f, mnemonic: &P8, fixed: &X0, slots: &L337, fields: &F127, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Txq, isas: IsaSet(7), mask: 0xc00001fffbfff0003fffffff00000fff, bits: 0x800000000000370, mnemonic: &P87, fixed: &X61, slots: &L338, fields: &F127, class: Class::Dec, effects: E33, uniform_guard: false },
    Row { op: Op::Ublkcp, isas: IsaSet(24), mask: 0xc00001fffffff1c0ffffffc0c0ff0fff, bits: 0x800000000000000000003ba, mnemonic: &P20, fixed: &X0, slots: &L339, fields: &F128, class: Class::Dec, effects: E34, uniform_guard: true },
    Row { op: Op::Ublkpf, isas: IsaSet(24), mask: 0xc00001ffffffffc0ffffffffc0ff0fff, bits: 0x800000000000000000003bc, mnemonic: &P88, fixed: &X62, slots: &L340, fields: &F0, class: Class::Dec, effects: E18, uniform_guard: true },
    Row { op: Op::Ublkred, isas: IsaSet(24), mask: 0xc00001fffc61fdc0ffffffc0c0ff0fff, bits: 0x800040000000000000003bb, mnemonic: &P89, fixed: &X63, slots: &L339, fields: &F129, class: Class::Dec, effects: E35, uniform_guard: true },
    Row { op: Op::Ubmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffffc0c0c00fff, bits: 0x8000000000000000000029b, mnemonic: &P8, fixed: &X0, slots: &L341, fields: &F21, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ubmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ff00000000c0c00fff, bits: 0x8000000000000000000089b, mnemonic: &P8, fixed: &X0, slots: &L342, fields: &F21, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::UcgabarArv, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x800000000000000000009c7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E7, uniform_guard: true },
    Row { op: Op::UcgabarWait, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x80000000000000000000dc7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E7, uniform_guard: true },
    Row { op: Op::Uflo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffffc0ffc00fff, bits: 0x800000000000000000002bd, mnemonic: &P5, fixed: &X0, slots: &L343, fields: &F45, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(31), mask: 0xc00001fff80012c07fffffc0c0c00fff, bits: 0x80000000000000000000290, mnemonic: &P8, fixed: &X0, slots: &L344, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(31), mask: 0xc00001fff80012c000000000c0c00fff, bits: 0x80000000000000000000890, mnemonic: &P8, fixed: &X0, slots: &L345, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff1c0ffffffc0c0c00fff, bits: 0x80e000000000000000002a4, mnemonic: &P5, fixed: &X0, slots: &L346, fields: &F77, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff1c000000000c0c00fff, bits: 0x80e000000000000000008a4, mnemonic: &P5, fixed: &X0, slots: &L347, fields: &F77, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff9c000000000c0c00fff, bits: 0x80e000000000000000004a4, mnemonic: &P5, fixed: &X0, slots: &L348, fields: &F77, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff871f1c0ffffffc0c0c00fff, bits: 0x800000000000000000002a5, mnemonic: &P62, fixed: &X46, slots: &L349, fields: &F77, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff871f1c000000000c0c00fff, bits: 0x800000000000000000008a5, mnemonic: &P62, fixed: &X46, slots: &L350, fields: &F77, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uisetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffffc0c0ff0fff, bits: 0x8000000000000000000028c, mnemonic: &P33, fixed: &X0, slots: &L351, fields: &F81, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uisetp, isas: IsaSet(31), mask: 0xc00001fff801800f00000000c0ff0fff, bits: 0x8000000000000000000088c, mnemonic: &P33, fixed: &X0, slots: &L352, fields: &F81, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uldc, isas: IsaSet(31), mask: 0xc00001fffffff1fff800003fffc00fff, bits: 0xab9, mnemonic: &P8, fixed: &X0, slots: &L353, fields: &F130, class: Class::Uldc, effects: E36, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80000000000000000000291, mnemonic: &P8, fixed: &X0, slots: &L354, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80000000000000000000891, mnemonic: &P8, fixed: &X0, slots: &L355, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80100000000000000000291, mnemonic: &P67, fixed: &X47, slots: &L356, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80100000000000000000891, mnemonic: &P67, fixed: &X47, slots: &L357, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80102000000000000000291, mnemonic: &P68, fixed: &X49, slots: &L354, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80102000000000000000891, mnemonic: &P68, fixed: &X49, slots: &L355, fields: &F75, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulop3, isas: IsaSet(31), mask: 0xc00001fff87000c0ffffffc0c0c00fff, bits: 0x80000000000000000000292, mnemonic: &P69, fixed: &X50, slots: &L358, fields: &F90, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ulop3, isas: IsaSet(31), mask: 0xc00001fff87000c000000000c0c00fff, bits: 0x80000000000000000000892, mnemonic: &P69, fixed: &X50, slots: &L359, fields: &F90, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Umov, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ffc00fff, bits: 0x882, mnemonic: &P0, fixed: &X0, slots: &L360, fields: &F0, class: Class::Umov, effects: E9, uniform_guard: true },
    Row { op: Op::Umov, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ffc00fff, bits: 0x80000000000000000000c82, mnemonic: &P0, fixed: &X0, slots: &L361, fields: &F0, class: Class::Umov, effects: E9, uniform_guard: true },
    Row { op: Op::Up2ur, isas: IsaSet(31), mask: 0xc00001ffffffcfff00000000c0c00fff, bits: 0x80000000000000000000883, mnemonic: &P8, fixed: &X0, slots: &L362, fields: &F99, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Upopc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffffc0ffc00fff, bits: 0x800000000000000000002bf, mnemonic: &P0, fixed: &X0, slots: &L363, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uprmt, isas: IsaSet(31), mask: 0xc00001ffffffffc000000000c0c00fff, bits: 0x80000000000000000000896, mnemonic: &P0, fixed: &X0, slots: &L364, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Uprmt, isas: IsaSet(31), mask: 0xc00001ffffffffc0ffffffc0c0c00fff, bits: 0x80000000000000000000296, mnemonic: &P0, fixed: &X0, slots: &L365, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ur2up, isas: IsaSet(31), mask: 0xc00001ffffffcfff00000000c0ff0fff, bits: 0x80000000000000000000884, mnemonic: &P0, fixed: &X0, slots: &L366, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Usel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffc0c0c00fff, bits: 0x80000000000000000000287, mnemonic: &P0, fixed: &X0, slots: &L367, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Usel, isas: IsaSet(31), mask: 0xc00001fff87fffff00000000c0c00fff, bits: 0x80000000000000000000887, mnemonic: &P0, fixed: &X0, slots: &L368, fields: &F0, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Usetmaxreg, isas: IsaSet(16), mask: 0xc00001fffffffffffffffc00ffff0fff, bits: 0x80e050000000000000009c8, mnemonic: &P90, fixed: &X64, slots: &L369, fields: &F0, class: Class::Br, effects: E37, uniform_guard: true },
    Row { op: Op::Usetmaxreg, isas: IsaSet(16), mask: 0xc00001fffff1fffffffffc00ffff0fff, bits: 0x800060000000000000009c8, mnemonic: &P91, fixed: &X65, slots: &L370, fields: &F0, class: Class::Br, effects: E37, uniform_guard: true },
    Row { op: Op::Usgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffffc0c0c00fff, bits: 0x8000000000000000000029a, mnemonic: &P5, fixed: &X0, slots: &L341, fields: &F110, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Usgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ff00000000c0c00fff, bits: 0x8000000000000000000089a, mnemonic: &P5, fixed: &X0, slots: &L342, fields: &F110, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ushf, isas: IsaSet(31), mask: 0xc00001fffffee1c0ffffffc0c0c00fff, bits: 0x80000000000000000000299, mnemonic: &P33, fixed: &X0, slots: &L365, fields: &F111, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Ushf, isas: IsaSet(31), mask: 0xc00001fffffee1c000000000c0c00fff, bits: 0x80000000000000000000899, mnemonic: &P33, fixed: &X0, slots: &L364, fields: &F111, class: Class::Udp, effects: E9, uniform_guard: true },
    Row { op: Op::Utmacctl, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffc0ff0fff, bits: 0x804000000000000000009b9, mnemonic: &P92, fixed: &X66, slots: &L371, fields: &F0, class: Class::Dec, effects: E12, uniform_guard: true },
    Row { op: Op::Utmacctl, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffc0ff0fff, bits: 0x800000000000000000009b9, mnemonic: &P93, fixed: &X67, slots: &L371, fields: &F0, class: Class::Dec, effects: E12, uniform_guard: true },
    Row { op: Op::Utmacmdflush, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9b7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E12, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffffc0c0ff0fff, bits: 0x800000000000000000005b4, mnemonic: &P8, fixed: &X0, slots: &L372, fields: &F131, class: Class::Dec, effects: E34, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffff877c0ffffffc0c0ff0fff, bits: 0x800000000000000000003b4, mnemonic: &P20, fixed: &X0, slots: &L339, fields: &F132, class: Class::Dec, effects: E34, uniform_guard: true },
    Row { op: Op::Utmapf, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffffc0c0ff0fff, bits: 0x800000000000000000005b8, mnemonic: &P94, fixed: &X62, slots: &L372, fields: &F131, class: Class::Dec, effects: E18, uniform_guard: true },
    Row { op: Op::Utmaredg, isas: IsaSet(24), mask: 0xc00001fffc787fffffffffc0c0ff0fff, bits: 0x800000000000000000003b6, mnemonic: &P20, fixed: &X0, slots: &L372, fields: &F133, class: Class::Dec, effects: E35, uniform_guard: true },
    Row { op: Op::Utmastg, isas: IsaSet(24), mask: 0xc00001fffff87fffffffffc0c0ff0fff, bits: 0x800000000000000000003b5, mnemonic: &P5, fixed: &X0, slots: &L372, fields: &F134, class: Class::Dec, effects: E38, uniform_guard: true },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00ffffff0000000fff, bits: 0x214, mnemonic: &P8, fixed: &X0, slots: &L373, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd000000000000000fff, bits: 0x814, mnemonic: &P8, fixed: &X0, slots: &L374, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00f80000ff00000fff, bits: 0xa14, mnemonic: &P8, fixed: &X0, slots: &L375, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00ffffffc000000fff, bits: 0x80000000000000000000c14, mnemonic: &P8, fixed: &X0, slots: &L376, fields: &F80, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500ffffff0000000fff, bits: 0x215, mnemonic: &P5, fixed: &X0, slots: &L373, fields: &F135, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f5000000000000000fff, bits: 0x815, mnemonic: &P5, fixed: &X0, slots: &L374, fields: &F135, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500f80000ff00000fff, bits: 0xa15, mnemonic: &P5, fixed: &X0, slots: &L375, fields: &F135, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500ffffffc000000fff, bits: 0x80000000000000000000c15, mnemonic: &P5, fixed: &X0, slots: &L376, fields: &F135, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff7fffff0000000fff, bits: 0x236, mnemonic: &P8, fixed: &X0, slots: &L377, fields: &F136, class: Class::Viadd, effects: E9, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff0000000000000fff, bits: 0x836, mnemonic: &P8, fixed: &X0, slots: &L22, fields: &F136, class: Class::Viadd, effects: E9, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff7fffffc000000fff, bits: 0x80000000000000000000c36, mnemonic: &P8, fixed: &X0, slots: &L378, fields: &F136, class: Class::Viadd, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec007fffff0000000fff, bits: 0x246, mnemonic: &P5, fixed: &X0, slots: &L379, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec000000000000000fff, bits: 0x846, mnemonic: &P5, fixed: &X0, slots: &L380, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec00780000ff00000fff, bits: 0xa46, mnemonic: &P5, fixed: &X0, slots: &L381, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec007fffffc000000fff, bits: 0x80000000000000000000c46, mnemonic: &P5, fixed: &X0, slots: &L382, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe4000000000000000fff, bits: 0x446, mnemonic: &P5, fixed: &X0, slots: &L383, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe400f80000ff00000fff, bits: 0x646, mnemonic: &P5, fixed: &X0, slots: &L384, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe400ffffffc000000fff, bits: 0x80000000000000000000e46, mnemonic: &P5, fixed: &X0, slots: &L385, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecffffffff0000000fff, bits: 0x7e00000000000000000248, mnemonic: &P5, fixed: &X0, slots: &L225, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecff0000000000000fff, bits: 0x7e00000000000000000848, mnemonic: &P5, fixed: &X0, slots: &L226, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecfff80000ff00000fff, bits: 0x7e00000000000000000a48, mnemonic: &P5, fixed: &X0, slots: &L227, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecffffffffc000000fff, bits: 0x87e00000000000000000c48, mnemonic: &P5, fixed: &X0, slots: &L228, fields: &F137, class: Class::Alu, effects: E9, uniform_guard: false },
    Row { op: Op::Vote, isas: IsaSet(31), mask: 0xc00001fff871fcffffffffffff000fff, bits: 0x806, mnemonic: &P8, fixed: &X0, slots: &L386, fields: &F138, class: Class::Vote, effects: E8, uniform_guard: false },
    Row { op: Op::Voteu, isas: IsaSet(31), mask: 0xc00001fff871fcffffffffffffc00fff, bits: 0x886, mnemonic: &P8, fixed: &X0, slots: &L387, fields: &F138, class: Class::Voteu, effects: E8, uniform_guard: false },
    Row { op: Op::Warpgroup, isas: IsaSet(16), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9c5, mnemonic: &P95, fixed: &X68, slots: &L0, fields: &F0, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Warpgroup, isas: IsaSet(16), mask: 0xc00001ffff8ff8ffffffffffffff0fff, bits: 0x1000000008000000009c5, mnemonic: &P96, fixed: &X69, slots: &L388, fields: &F0, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x948, mnemonic: &P97, fixed: &X52, slots: &L70, fields: &F0, class: Class::Br, effects: E8, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87c000000000003ff000fff, bits: 0x4000000000000000000948, mnemonic: &P98, fixed: &X70, slots: &L26, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(7), mask: 0xc00001fff87fffff00000000ffff0fff, bits: 0x948, mnemonic: &P0, fixed: &X0, slots: &L274, fields: &F0, class: Class::Br, effects: E8, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(7), mask: 0xc00001fff81fffffffffff00ffff0fff, bits: 0x348, mnemonic: &P8, fixed: &X0, slots: &L273, fields: &F139, class: Class::Br, effects: E8, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff81fffffffffffff00ff0fff, bits: 0x348, mnemonic: &P8, fixed: &X0, slots: &L389, fields: &F140, class: Class::Br, effects: E8, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87c00000000000300000fff, bits: 0x4000000000000000000348, mnemonic: &P99, fixed: &X71, slots: &L390, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Yield, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x946, mnemonic: &P0, fixed: &X0, slots: &L70, fields: &F0, class: Class::Br, effects: E9, uniform_guard: false },
];

/// `(first, count)` of the rows of each mnemonic.
#[rustfmt::skip]
pub(crate) static OP_ROWS: [(u16, u16); 160] = [(0, 1), (1, 1), (2, 6), (8, 6), (14, 6), (20, 1), (21, 3), (24, 1), (25, 2), (27, 4), (31, 1), (32, 9), (41, 1), (42, 4), (46, 2), (48, 1), (49, 1), (50, 6), (56, 2), (58, 1), (59, 1), (60, 4), (64, 1), (65, 7), (72, 2), (74, 4), (78, 4), (82, 1), (83, 1), (84, 1), (85, 1), (86, 21), (107, 12), (119, 15), (134, 4), (138, 4), (142, 4), (146, 1), (147, 7), (154, 4), (158, 4), (162, 4), (166, 9), (175, 4), (179, 4), (183, 4), (187, 1), (188, 4), (192, 19), (211, 4), (215, 9), (224, 4), (228, 4), (232, 4), (236, 4), (240, 13), (253, 4), (257, 3), (260, 8), (268, 4), (272, 4), (276, 4), (280, 21), (301, 2), (303, 4), (307, 4), (311, 4), (315, 1), (316, 5), (321, 1), (322, 1), (323, 2), (325, 2), (327, 2), (329, 2), (331, 12), (343, 2), (345, 4), (349, 2), (351, 1), (352, 4), (356, 1), (357, 11), (368, 2), (370, 1), (371, 1), (372, 3), (375, 1), (376, 4), (380, 1), (381, 7), (388, 4), (392, 1), (393, 1), (394, 1), (395, 4), (399, 1), (400, 1), (401, 2), (403, 1), (404, 4), (408, 1), (409, 1), (410, 4), (414, 4), (418, 6), (424, 4), (428, 3), (431, 1), (432, 4), (436, 2), (438, 2), (440, 2), (442, 2), (444, 2), (446, 5), (451, 4), (455, 3), (458, 3), (461, 2), (463, 2), (465, 2), (467, 1), (468, 1), (469, 1), (470, 2), (472, 1), (473, 1), (474, 1), (475, 2), (477, 5), (482, 2), (484, 1), (485, 6), (491, 2), (493, 2), (495, 1), (496, 1), (497, 2), (499, 1), (500, 2), (502, 2), (504, 2), (506, 2), (508, 2), (510, 1), (511, 2), (513, 1), (514, 1), (515, 1), (516, 4), (520, 4), (524, 3), (527, 7), (534, 4), (538, 1), (539, 1), (540, 2), (542, 6), (548, 1)];

/// `(first, count)` in [`ORDER`] of the rows with these low 12 bits.
#[rustfmt::skip]
pub(crate) static INDEX: [(u16, u8); 4096] = [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (0, 0), (0, 0), (0, 0), (0, 0), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (0, 0), (0, 0), (0, 0), (8, 1), (9, 3), (12, 1), (13, 1), (14, 1), (15, 1), (16, 1), (17, 1), (0, 0), (18, 1), (19, 1), (20, 1), (0, 0), (0, 0), (0, 0), (21, 1), (22, 1), (23, 1), (0, 0), (24, 1), (25, 1), (26, 1), (27, 1), (28, 1), (29, 1), (30, 1), (31, 1), (32, 1), (0, 0), (0, 0), (0, 0), (0, 0), (33, 1), (34, 2), (36, 1), (37, 1), (38, 1), (39, 2), (41, 1), (42, 2), (44, 1), (45, 2), (47, 1), (0, 0), (48, 9), (57, 1), (58, 4), (62, 2), (64, 1), (0, 0), (0, 0), (65, 1), (0, 0), (66, 1), (67, 1), (0, 0), (68, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (69, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (70, 1), (0, 0), (0, 0), (0, 0), (0, 0), (71, 1), (0, 0), (0, 0), (0, 0), (72, 1), (73, 3), (76, 1), (0, 0), (0, 0), (0, 0), (77, 1), (0, 0), (0, 0), (78, 1), (79, 1), (80, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (81, 1), (82, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (83, 1), (0, 0), (84, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (85, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (87, 1), (88, 1), (89, 1), (0, 0), (90, 3), (93, 2), (95, 1), (96, 2), (98, 3), (101, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (102, 4), (106, 3), (109, 3), (112, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (113, 1), (114, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (115, 1), (116, 2), (0, 0), (0, 0), (0, 0), (118, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (121, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (122, 1), (123, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (124, 1), (0, 0), (0, 0), (0, 0), (125, 1), (0, 0), (0, 0), (126, 1), (0, 0), (0, 0), (127, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (128, 1), (0, 0), (0, 0), (129, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (130, 1), (131, 1), (0, 0), (0, 0), (0, 0), (132, 1), (133, 1), (134, 1), (135, 1), (136, 1), (137, 2), (139, 1), (140, 1), (141, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (142, 1), (143, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (145, 2), (147, 1), (148, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (149, 1), (150, 1), (151, 1), (0, 0), (0, 0), (0, 0), (152, 1), (153, 1), (154, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (155, 2), (0, 0), (157, 1), (0, 0), (158, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (159, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (160, 1), (0, 0), (161, 1), (162, 1), (163, 1), (0, 0), (164, 1), (0, 0), (165, 1), (166, 1), (167, 1), (0, 0), (0, 0), (0, 0), (0, 0), (168, 1), (169, 1), (0, 0), (170, 1), (171, 1), (172, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (173, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (174, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (175, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (177, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (178, 1), (0, 0), (0, 0), (0, 0), (179, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (180, 1), (0, 0), (181, 1), (0, 0), (0, 0), (0, 0), (182, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (183, 1), (0, 0), (0, 0), (184, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (185, 1), (0, 0), (186, 1), (187, 1), (188, 1), (0, 0), (189, 1), (0, 0), (190, 1), (191, 1), (192, 1), (0, 0), (0, 0), (0, 0), (0, 0), (193, 1), (194, 1), (0, 0), (195, 1), (196, 1), (197, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (198, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (199, 1), (200, 1), (201, 1), (202, 1), (203, 1), (204, 1), (205, 1), (206, 1), (207, 1), (208, 1), (209, 1), (210, 1), (0, 0), (0, 0), (0, 0), (211, 1), (212, 3), (215, 1), (216, 1), (217, 1), (218, 1), (219, 1), (220, 1), (0, 0), (221, 1), (222, 1), (223, 1), (224, 2), (0, 0), (0, 0), (0, 0), (226, 1), (0, 0), (0, 0), (227, 1), (228, 1), (229, 1), (230, 1), (231, 1), (232, 1), (0, 0), (0, 0), (233, 1), (0, 0), (234, 1), (235, 1), (236, 1), (0, 0), (237, 1), (238, 1), (0, 0), (0, 0), (239, 1), (240, 1), (0, 0), (0, 0), (241, 2), (0, 0), (243, 2), (0, 0), (0, 0), (245, 2), (0, 0), (247, 1), (0, 0), (0, 0), (248, 1), (249, 2), (251, 1), (252, 1), (0, 0), (253, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (254, 1), (255, 1), (256, 1), (0, 0), (257, 1), (258, 1), (0, 0), (0, 0), (0, 0), (0, 0), (259, 1), (0, 0), (0, 0), (0, 0), (260, 1), (261, 3), (264, 1), (0, 0), (0, 0), (0, 0), (265, 1), (0, 0), (0, 0), (266, 1), (267, 1), (268, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (269, 1), (270, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (271, 1), (272, 1), (273, 1), (0, 0), (0, 0), (0, 0), (274, 1), (0, 0), (275, 2), (277, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (278, 1), (279, 1), (280, 1), (281, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (282, 1), (283, 1), (284, 1), (285, 2), (287, 1), (288, 1), (289, 7), (296, 3), (299, 2), (0, 0), (0, 0), (0, 0), (301, 1), (302, 1), (0, 0), (303, 4), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (307, 1), (308, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (309, 3), (312, 4), (0, 0), (316, 2), (318, 2), (320, 2), (322, 3), (325, 1), (326, 1), (327, 1), (328, 2), (0, 0), (330, 1), (0, 0), (331, 2), (333, 2), (0, 0), (0, 0), (335, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (336, 1), (0, 0), (337, 1), (0, 0), (338, 1), (0, 0), (0, 0), (0, 0), (339, 1), (340, 1), (341, 1), (0, 0), (342, 1), (343, 1), (344, 2), (0, 0), (0, 0), (346, 1), (0, 0), (0, 0), (0, 0), (347, 1), (348, 1), (349, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (350, 1), (0, 0), (351, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (353, 1), (0, 0), (354, 2), (0, 0), (356, 1), (357, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (359, 2), (0, 0), (0, 0), (361, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (363, 1), (0, 0), (0, 0), (0, 0), (0, 0), (364, 1), (365, 1), (366, 1), (367, 1), (368, 1), (369, 1), (0, 0), (0, 0), (0, 0), (370, 1), (371, 3), (374, 1), (375, 1), (376, 1), (377, 1), (378, 1), (379, 1), (0, 0), (380, 1), (381, 1), (382, 1), (0, 0), (0, 0), (0, 0), (0, 0), (383, 1), (0, 0), (0, 0), (384, 1), (385, 1), (386, 1), (387, 1), (388, 1), (389, 1), (0, 0), (0, 0), (390, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (391, 1), (392, 1), (0, 0), (0, 0), (393, 2), (0, 0), (0, 0), (395, 1), (396, 2), (0, 0), (0, 0), (0, 0), (0, 0), (398, 2), (0, 0), (400, 1), (0, 0), (0, 0), (401, 1), (0, 0), (402, 1), (403, 1), (0, 0), (404, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (405, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (406, 1), (407, 1), (408, 1), (0, 0), (409, 3), (412, 2), (414, 1), (415, 2), (417, 3), (420, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (421, 4), (425, 3), (428, 3), (431, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (432, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (434, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (435, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (436, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (437, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (438, 1), (0, 0), (0, 0), (0, 0), (0, 0), (439, 1), (440, 1), (441, 1), (442, 1), (443, 1), (444, 1), (0, 0), (0, 0), (0, 0), (445, 1), (446, 3), (449, 1), (450, 1), (451, 1), (452, 1), (453, 1), (454, 1), (0, 0), (455, 1), (456, 1), (457, 1), (0, 0), (0, 0), (0, 0), (0, 0), (458, 1), (0, 0), (0, 0), (459, 1), (460, 1), (461, 1), (462, 1), (463, 1), (464, 1), (0, 0), (0, 0), (465, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (466, 2), (468, 1), (0, 0), (0, 0), (469, 2), (471, 1), (0, 0), (472, 1), (473, 2), (0, 0), (0, 0), (0, 0), (0, 0), (475, 4), (0, 0), (479, 1), (0, 0), (0, 0), (480, 1), (0, 0), (481, 1), (482, 1), (0, 0), (483, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (484, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (485, 1), (486, 1), (487, 1), (0, 0), (488, 3), (491, 2), (493, 1), (494, 2), (496, 3), (499, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (500, 4), (504, 3), (507, 3), (510, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (511, 1), (512, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (513, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (514, 2), (0, 0), (0, 0), (516, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (518, 1), (0, 0), (0, 0), (519, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (520, 1), (0, 0), (521, 1), (522, 1), (523, 1), (0, 0), (524, 1), (0, 0), (525, 1), (526, 1), (527, 1), (0, 0), (0, 0), (0, 0), (0, 0), (528, 1), (529, 1), (0, 0), (530, 1), (531, 1), (532, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (533, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (534, 1), (0, 0), (0, 0), (535, 1), (0, 0), (0, 0), (536, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (537, 1), (0, 0), (0, 0), (538, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (539, 1), (0, 0), (0, 0), (540, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (543, 1), (0, 0), (544, 1), (0, 0), (545, 1), (0, 0), (546, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (547, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)];

/// Row numbers grouped by opcode.
#[rustfmt::skip]
pub(crate) static ORDER: [u16; 549] = [187, 352, 410, 175, 158, 179, 183, 307, 272, 331, 335, 339, 345, 268, 516, 520, 381, 303, 418, 414, 27, 374, 162, 138, 147, 280, 287, 276, 294, 74, 60, 78, 65, 188, 192, 194, 228, 232, 236, 201, 204, 524, 301, 302, 257, 260, 264, 356, 215, 216, 217, 218, 219, 220, 221, 222, 223, 24, 107, 111, 115, 117, 72, 73, 224, 134, 253, 527, 534, 392, 500, 482, 475, 485, 487, 489, 491, 498, 506, 504, 470, 477, 480, 474, 496, 395, 396, 154, 42, 142, 86, 89, 92, 119, 122, 240, 166, 169, 357, 360, 363, 376, 95, 98, 101, 104, 125, 128, 131, 244, 247, 250, 172, 20, 23, 52, 53, 54, 545, 546, 547, 343, 25, 26, 368, 456, 462, 459, 464, 466, 311, 316, 428, 435, 436, 438, 424, 2, 6, 5, 14, 16, 445, 349, 350, 8, 12, 11, 393, 512, 515, 514, 467, 469, 468, 397, 398, 403, 146, 384, 139, 151, 284, 291, 298, 61, 79, 69, 191, 197, 235, 239, 208, 531, 479, 34, 35, 425, 451, 58, 453, 511, 513, 385, 422, 140, 152, 285, 292, 299, 62, 80, 70, 190, 199, 234, 238, 209, 532, 375, 353, 371, 394, 59, 538, 411, 176, 159, 180, 184, 308, 273, 332, 336, 340, 346, 269, 517, 521, 382, 304, 419, 415, 28, 372, 373, 163, 148, 281, 288, 277, 295, 75, 66, 380, 0, 82, 196, 231, 207, 525, 261, 265, 329, 330, 108, 112, 227, 135, 440, 441, 254, 528, 535, 493, 495, 499, 539, 501, 483, 476, 486, 488, 490, 492, 497, 507, 505, 471, 478, 481, 155, 43, 143, 243, 366, 367, 377, 370, 408, 64, 83, 49, 41, 55, 50, 51, 48, 548, 32, 33, 36, 37, 38, 39, 40, 542, 543, 544, 46, 47, 85, 344, 404, 405, 406, 407, 31, 369, 312, 313, 314, 317, 318, 319, 320, 325, 326, 327, 328, 429, 430, 432, 433, 434, 437, 439, 426, 3, 7, 15, 399, 401, 56, 57, 351, 443, 450, 447, 4, 10, 322, 402, 452, 9, 13, 84, 321, 1, 454, 510, 508, 509, 409, 540, 541, 472, 502, 503, 211, 212, 388, 389, 354, 412, 177, 160, 181, 185, 309, 274, 333, 337, 341, 347, 270, 518, 522, 383, 305, 420, 416, 29, 164, 149, 282, 289, 278, 296, 76, 67, 198, 230, 202, 205, 258, 262, 266, 109, 113, 226, 136, 255, 529, 536, 484, 156, 44, 144, 87, 90, 93, 120, 123, 241, 167, 170, 358, 361, 364, 378, 96, 99, 102, 105, 126, 129, 132, 245, 248, 251, 173, 21, 22, 457, 460, 315, 448, 355, 413, 178, 161, 182, 186, 310, 275, 334, 338, 342, 348, 271, 519, 523, 387, 306, 421, 417, 30, 165, 150, 283, 290, 279, 297, 77, 68, 193, 195, 229, 203, 206, 526, 259, 263, 267, 110, 114, 116, 118, 225, 137, 256, 530, 537, 494, 157, 45, 145, 88, 91, 94, 121, 124, 242, 168, 171, 359, 362, 365, 379, 97, 100, 103, 106, 127, 130, 133, 246, 249, 252, 174, 431, 400, 473, 213, 214, 390, 391, 386, 423, 141, 153, 286, 293, 300, 63, 81, 71, 189, 200, 233, 237, 210, 533, 455, 461, 458, 463, 465, 427, 17, 18, 19, 442, 449, 446, 444, 323, 324];
