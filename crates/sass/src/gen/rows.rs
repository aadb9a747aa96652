// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.

//! The rows.
use super::names::{Class, Field, Mod, Op};
use super::values::*;
use crate::row::*;
use crate::units::{Pipe, Queue};

#[rustfmt::skip]
const S0: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S1: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S2: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S3: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S4: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S5: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S6: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S7: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S8: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::U32 }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S9: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S10: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S11: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S12: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S13: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S14: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S15: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S16: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S17: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S18: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S19: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S20: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S21: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S22: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S23: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S24: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S25: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S26: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S27: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S28: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S29: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S30: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S31: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S32: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S33: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(2, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S34: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S35: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S36: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S37: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(2, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S38: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S39: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 2, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S40: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S41: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(0, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S42: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S43: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S44: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(54, 4), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S45: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(42, 12), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S46: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(42, 12), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S47: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S48: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Twice, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S49: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S50: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S51: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128]), sep: ", " };
#[rustfmt::skip]
const S52: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S53: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128]), sep: ", " };
#[rustfmt::skip]
const S54: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPredInv(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S55: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(84, 3), &V_GSB), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S56: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S57: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S58: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Row, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S59: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S60: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S61: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S62: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Row, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S63: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S64: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S65: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Row, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S66: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S67: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(24, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S68: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(24, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S69: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S70: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::Named(Bits::new(24, 5), &V_BSPECIAL), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S71: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(24, 5), &V_BSPECIAL), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S72: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S73: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S74: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S75: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S76: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S77: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S78: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(34, 3), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S79: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S80: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S81: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S82: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(24, 3)), neg: 255, abs: 255, not: 27, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S83: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 30, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S84: Slot = Slot { role: SlotRole::Bar, kind: SlotKind::Barrier(Bits::new(16, 4)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Both, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S85: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S86: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S87: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S88: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S89: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 30), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S90: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S91: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S92: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits([(16, 8), (34, 46), (0, 0)]), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S93: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(34, 46), 2), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S94: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(32, 32), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S95: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S96: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S97: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Special(Bits::new(72, 8), false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S98: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Special(Bits::new(72, 8), true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S99: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S100: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S101: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S102: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S103: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S104: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Scoreboard(Bits::new(44, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S105: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(38, 6), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S106: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Set(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S107: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S108: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S109: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S110: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S111: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S112: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 8, 8]), sep: ", " };
#[rustfmt::skip]
const S113: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 8, 16]), sep: ", " };
#[rustfmt::skip]
const S114: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 2, 4, 8]), sep: ", " };
#[rustfmt::skip]
const S115: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 8, 8]), sep: ", " };
#[rustfmt::skip]
const S116: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S117: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::Pred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S118: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S119: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S120: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S121: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S122: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S123: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S124: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S125: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S126: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S127: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F32(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S128: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F16(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S129: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F64(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S130: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S131: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S132: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(88, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S133: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(88, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S134: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S135: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(72, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S136: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S137: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S138: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S139: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S140: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S141: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 74, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S142: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F32(Bits::new(32, 32)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S143: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S144: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S145: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 63, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S146: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 255, abs: 255, not: 63, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S147: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 63, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S148: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(32, 8), &V_SWIZZLE), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S149: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 73, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S150: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S151: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S152: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(74, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S153: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S154: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F16x2(Bits::new(32, 32), Some((0, 2))), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S155: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::F16x2(Bits::new(32, 32), None), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S156: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 62, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S157: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 2, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(81, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S158: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S159: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 1, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(81, 2), values: &V_H2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S160: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F16x2(Bits::new(32, 32), Some((0, 2))), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S161: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 63, abs: 62, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S162: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S163: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 84, abs: 83, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S164: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::F16x2(Bits::new(32, 32), None), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S165: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S166: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits([(61, 3), (72, 1), (0, 0)]), values: &V_GSEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S167: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S168: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S169: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(62, 2), values: &V_GSELB }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S170: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S171: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S172: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S173: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S174: Slot = Slot { role: SlotRole::Rx, kind: SlotKind::Reg(Bits::new(40, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S175: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(48, 1), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S176: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S177: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S178: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S179: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S180: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S181: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S182: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(48, 2), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S183: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S184: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_BYTE }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S185: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_BYTE }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S186: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 2), values: &V_BYTE }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S187: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S188: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S189: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(60, 1), values: &V_F2SEL }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S190: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S191: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S192: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S193: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S194: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S195: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S196: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S197: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::N28, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S198: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::N24, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S199: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::Pred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S200: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: Some(0), reuse: 0, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S201: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S202: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(0), reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S203: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S204: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::Pred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S205: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S206: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S207: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S208: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 1, 1, 8, 1, 1, 12, 1, 1, 16, 1, 1, 24, 1, 1, 32, 1, 1, 40, 1, 1, 48, 1, 1, 56, 1, 1, 64, 1, 1, 72, 1, 1, 80, 1, 1, 88, 1, 1, 96, 1, 1, 104, 1, 1, 112, 1, 1, 120, 1, 1, 128]), sep: ", " };
#[rustfmt::skip]
const S209: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 1, 1, 8, 1, 1, 12, 1, 1, 16, 1, 1, 24, 1, 1, 32, 1, 1, 40, 1, 1, 48, 1, 1, 56, 1, 1, 64, 1, 1, 72, 1, 1, 80, 1, 1, 88, 1, 1, 96, 1, 1, 104, 1, 1, 112, 1, 1, 120, 1, 1, 128]), sep: ", " };
#[rustfmt::skip]
const S210: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 4, 1, 1, 8, 1, 1, 12, 1, 1, 16, 1, 1, 24, 1, 1, 32, 1, 1, 40, 1, 1, 48, 1, 1, 56, 1, 1, 64, 1, 1, 72, 1, 1, 80, 1, 1, 88, 1, 1, 96, 1, 1, 104, 1, 1, 112, 1, 1, 120, 1, 1, 128]), sep: ", " };
#[rustfmt::skip]
const S211: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 4, 1, 1, 8, 1, 1, 12, 1, 1, 16, 1, 1, 24, 1, 1, 32, 1, 1, 40, 1, 1, 48, 1, 1, 56, 1, 1, 64, 1, 1, 72, 1, 1, 80, 1, 1, 88, 1, 1, 96, 1, 1, 104, 1, 1, 112, 1, 1, 120, 1, 1, 128]), sep: ", " };
#[rustfmt::skip]
const S212: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S213: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::Pred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(1, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S214: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S215: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S216: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S217: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S218: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 2, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S219: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S220: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S221: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S222: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::Pred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(3, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S223: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(3, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S224: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::PredInv(Bits::new(64, 3)), neg: 255, abs: 255, not: 67, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S225: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S226: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(32, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S227: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::U32 }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S228: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S229: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S230: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(32, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S231: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S232: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::CBankIndexed(Bits::new(38, 16), Bits::new(54, 5), Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S233: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S234: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 1, 1, 1, 2, 4, 2]), sep: ", " };
#[rustfmt::skip]
const S235: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(44, 20), base: Bits::new(16, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Signed }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S236: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(32, 12), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S237: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(32, 12), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S238: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S239: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S240: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S241: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S242: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S243: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(1, &[1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S244: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Signed }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S245: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(75, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S246: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S247: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(24, 58), 0, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S248: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S249: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2]), sep: ", " };
#[rustfmt::skip]
const S250: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 4), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotImm(15), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S251: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S252: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S253: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::PredFile, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S254: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::SImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S255: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::Pred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S256: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::Pred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S257: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits([(64, 3), (72, 5), (0, 0)]), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S258: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(16, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S259: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::UPred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S260: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S261: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S262: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 2, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S263: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S264: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S265: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 16), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S266: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S267: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S268: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S269: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits([(63, 1), (72, 1), (0, 0)]), values: &V_GNEG }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S270: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S271: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::GDesc(Bits::new(32, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(63, 1), values: &V_GNEGB }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S272: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S273: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S274: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S275: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128]), sep: ", " };
#[rustfmt::skip]
const S276: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S277: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64]), sep: ", " };
#[rustfmt::skip]
const S278: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Row, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S279: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S280: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 0, sel: None, suffix: Mod::Row, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S281: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S282: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::Col, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(4), sep: ", " };
#[rustfmt::skip]
const S283: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 0, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(76, 2), values: &V_BYTE }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S284: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Both, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S285: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(64, 6), hidden: true, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S286: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S287: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 2, 2]), sep: ", " };
#[rustfmt::skip]
const S288: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits([(16, 8), (34, 48), (0, 0)]), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S289: Slot = Slot { role: SlotRole::Target, kind: SlotKind::Rel(Bits::new(34, 48), 2, true), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: " " };
#[rustfmt::skip]
const S290: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(31, 1), &V_RPC), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S291: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S292: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(40, 13), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S293: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(53, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S294: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(40, 13), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S295: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S296: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S297: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Wide }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S298: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S299: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(2, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S300: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(24, 8), ubase: Bits::new(64, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Field(1, &["", ".X4", ".X8", ".X16"]) }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S301: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S302: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(24, 8), ubase: Bits::new(0, 0), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S303: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(40, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S304: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(46, 8), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S305: Slot = Slot { role: SlotRole::Imm3, kind: SlotKind::UImm(Bits::new(54, 5), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S306: Slot = Slot { role: SlotRole::Imm2, kind: SlotKind::UImm(Bits::new(40, 14), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S307: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S308: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(4, &[1, 1, 2, 1, 1, 2, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S309: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 1, 1, 1, 2, 4]), sep: ", " };
#[rustfmt::skip]
const S310: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(3, &[1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4]), sep: ", " };
#[rustfmt::skip]
const S311: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S312: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(40, 24), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S313: Slot = Slot { role: SlotRole::Re, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S314: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S315: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::Reg(Bits::new(24, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S316: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Use, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S317: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(40, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S318: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(61, 3), &V_TEXDIM), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S319: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Use, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S320: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(61, 3), &V_TLDDIM), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S321: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(61, 3), &V_TLD4DIM), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S322: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(32, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Texture, sep: ", " };
#[rustfmt::skip]
const S323: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(61, 3), &V_TXDDIM), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S324: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(62, 2), &V_TXQ), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S325: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 4), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S326: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S327: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(1, &[2, 1]), sep: ", " };
#[rustfmt::skip]
const S328: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S329: Slot = Slot { role: SlotRole::Rx, kind: SlotKind::Desc(Bits::new(40, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S330: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S331: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S332: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S333: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::UPred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S334: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::UPred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotTrue, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S335: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 72, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S336: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(0), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S337: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S338: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(0, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S339: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 72, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S340: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S341: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S342: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S343: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S344: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S345: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(1, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S346: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S347: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 75, abs: 255, not: 255, tilde: Some(1), reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S348: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::UPred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S349: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::UPred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S350: Slot = Slot { role: SlotRole::Pp, kind: SlotKind::UPred(Bits::new(87, 3)), neg: 255, abs: 255, not: 90, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S351: Slot = Slot { role: SlotRole::Pr, kind: SlotKind::UPred(Bits::new(68, 3)), neg: 255, abs: 255, not: 71, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Field(3, 2), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S352: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Def, width: Width::Field(0, &[1, 1, 1, 1, 1, 2]), sep: ", " };
#[rustfmt::skip]
const S353: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::CBank(Bits::new(38, 16), Bits::new(54, 5), 0, false), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S354: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::CBankUniform(Bits::new(38, 16), Bits::new(54, 5), Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S355: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Never, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S356: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::UPredFile, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S357: Slot = Slot { role: SlotRole::Pq, kind: SlotKind::UPred(Bits::new(77, 3)), neg: 255, abs: 255, not: 80, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S358: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S359: Slot = Slot { role: SlotRole::Rc, kind: SlotKind::UReg(Bits::new(64, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::Sign, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S360: Slot = Slot { role: SlotRole::Ra, kind: SlotKind::UReg(Bits::new(24, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: Some(FieldSpec { field: Field::Sel, bits: Bits::new(76, 2), values: &V_BYTE }), suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S361: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 32), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotImm(255), access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S362: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(32, 10), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S363: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[3, 4, 5, 6, 7]), sep: ", " };
#[rustfmt::skip]
const S364: Slot = Slot { role: SlotRole::Addr2, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(24, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(2), sep: ", " };
#[rustfmt::skip]
const S365: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[1, 2, 3, 4, 5]), sep: ", " };
#[rustfmt::skip]
const S366: Slot = Slot { role: SlotRole::Addr, kind: SlotKind::Addr { offset: Bits::new(0, 0), base: Bits::new(0, 0), ubase: Bits::new(32, 6), desc: Bits::new(0, 0), hidden: false, suffix: AddrSuffix::Plain }, neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Field(0, &[2, 3, 4, 5, 6]), sep: ", " };
#[rustfmt::skip]
const S367: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::UReg(Bits::new(32, 6)), neg: 63, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S368: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::CBank(Bits::new(40, 14), Bits::new(54, 5), 2, false), neg: 63, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S369: Slot = Slot { role: SlotRole::Rb, kind: SlotKind::Reg(Bits::new(64, 8)), neg: 75, abs: 255, not: 255, tilde: None, reuse: 1, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S370: Slot = Slot { role: SlotRole::Pd, kind: SlotKind::Pred(Bits::new(81, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S371: Slot = Slot { role: SlotRole::Pe, kind: SlotKind::Pred(Bits::new(84, 3)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: true, show: Show::Always, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S372: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::Reg(Bits::new(16, 8)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S373: Slot = Slot { role: SlotRole::Rd, kind: SlotKind::UReg(Bits::new(16, 6)), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::NotZero, access: Access::Def, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S374: Slot = Slot { role: SlotRole::Misc, kind: SlotKind::Named(Bits::new(84, 3), &V_GSB0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const S375: Slot = Slot { role: SlotRole::Imm, kind: SlotKind::UImm(Bits::new(72, 3), 0), neg: 255, abs: 255, not: 255, tilde: None, reuse: 255, sel: None, suffix: Mod::None, nonzero: false, show: Show::Always, access: Access::Use, width: Width::Fixed(1), sep: ", " };
#[rustfmt::skip]
const E0: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E1: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E2: Effects = Effects { reads: Some(Space::Generic), writes: Some(Space::Generic), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E3: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Global), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E4: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Shared), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E5: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Shared), atomic: true, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E6: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E7: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E8: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Matrix, results: None, sources: None };
#[rustfmt::skip]
const E9: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Matrix, results: None, sources: None };
#[rustfmt::skip]
const E10: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E11: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E12: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E13: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E14: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E15: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: true, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E16: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: true, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E17: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Xu, results: Some(Queue::Xu), sources: Some(Queue::Xu) };
#[rustfmt::skip]
const E18: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E19: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E20: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E21: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(6), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Double, results: Some(Queue::Double), sources: Some(Queue::Double) };
#[rustfmt::skip]
const E22: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Matrix, results: None, sources: None };
#[rustfmt::skip]
const E23: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(6), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Matrix, results: None, sources: None };
#[rustfmt::skip]
const E24: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E25: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E26: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Fma, results: None, sources: None };
#[rustfmt::skip]
const E27: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Xu), sources: Some(Queue::Xu) };
#[rustfmt::skip]
const E28: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: false, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E29: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Half, results: None, sources: None };
#[rustfmt::skip]
const E30: Effects = Effects { reads: Some(Space::Generic), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E31: Effects = Effects { reads: Some(Space::Const), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E32: Effects = Effects { reads: Some(Space::Global), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E33: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E34: Effects = Effects { reads: Some(Space::Global), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E35: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Shared), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E36: Effects = Effects { reads: Some(Space::Local), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E37: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E38: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Fragment), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E39: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E40: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E41: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E42: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E43: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E44: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Uniform, results: None, sources: None };
#[rustfmt::skip]
const E45: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Uniform, results: None, sources: None };
#[rustfmt::skip]
const E46: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Global), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E47: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E48: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Redux), sources: Some(Queue::Redux) };
#[rustfmt::skip]
const E49: Effects = Effects { reads: None, writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Special), sources: Some(Queue::Special) };
#[rustfmt::skip]
const E50: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: Some(Queue::Shared), sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E51: Effects = Effects { reads: None, writes: Some(Space::Generic), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E52: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: None };
#[rustfmt::skip]
const E53: Effects = Effects { reads: None, writes: Some(Space::Global), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E54: Effects = Effects { reads: None, writes: Some(Space::Local), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E55: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E56: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Memory, results: None, sources: Some(Queue::Memory) };
#[rustfmt::skip]
const E57: Effects = Effects { reads: Some(Space::Surface), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Texture), sources: Some(Queue::Texture) };
#[rustfmt::skip]
const E58: Effects = Effects { reads: None, writes: Some(Space::Surface), atomic: true, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E59: Effects = Effects { reads: None, writes: Some(Space::Surface), atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: false, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E60: Effects = Effects { reads: Some(Space::Shared), writes: None, atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: Some(Queue::Mbarrier) };
#[rustfmt::skip]
const E61: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Shared), atomic: true, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: Some(Queue::Mbarrier) };
#[rustfmt::skip]
const E62: Effects = Effects { reads: None, writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: Some(Queue::Mbarrier) };
#[rustfmt::skip]
const E63: Effects = Effects { reads: Some(Space::Texture), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Texture), sources: Some(Queue::Texture) };
#[rustfmt::skip]
const E64: Effects = Effects { reads: Some(Space::Texture), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: Some(Queue::Query), sources: Some(Queue::Query) };
#[rustfmt::skip]
const E65: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E66: Effects = Effects { reads: Some(Space::Global), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E67: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Global), atomic: true, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E68: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E69: Effects = Effects { reads: Some(Space::Const), writes: None, atomic: false, convergent: false, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Uniform, results: None, sources: None };
#[rustfmt::skip]
const E70: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E71: Effects = Effects { reads: Some(Space::Global), writes: Some(Space::Shared), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: Some(Queue::Tensor) };
#[rustfmt::skip]
const E72: Effects = Effects { reads: Some(Space::Shared), writes: Some(Space::Global), atomic: false, convergent: false, barrier: true, branch: false, variable: IsaSet(31), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Alu, results: None, sources: None };
#[rustfmt::skip]
const E73: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: false, branch: false, variable: IsaSet(0), write_barrier: true, read_barrier: true, waits: true, pipe: Pipe::Uniform, results: None, sources: None };
#[rustfmt::skip]
const E74: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: true, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
const E75: Effects = Effects { reads: None, writes: None, atomic: false, convergent: true, barrier: true, branch: false, variable: IsaSet(0), write_barrier: false, read_barrier: false, waits: false, pipe: Pipe::Control, results: None, sources: None };
#[rustfmt::skip]
static L0: [Slot; 0] = [];
#[rustfmt::skip]
static L1: [Slot; 1] = [S0];
#[rustfmt::skip]
static L2: [Slot; 4] = [S1, S2, S3, S4];
#[rustfmt::skip]
static L3: [Slot; 4] = [S1, S5, S6, S7];
#[rustfmt::skip]
static L4: [Slot; 4] = [S1, S5, S8, S7];
#[rustfmt::skip]
static L5: [Slot; 4] = [S1, S5, S9, S7];
#[rustfmt::skip]
static L6: [Slot; 4] = [S1, S10, S6, S11];
#[rustfmt::skip]
static L7: [Slot; 4] = [S1, S10, S8, S11];
#[rustfmt::skip]
static L8: [Slot; 4] = [S1, S10, S9, S11];
#[rustfmt::skip]
static L9: [Slot; 4] = [S1, S12, S3, S13];
#[rustfmt::skip]
static L10: [Slot; 5] = [S1, S14, S3, S15, S16];
#[rustfmt::skip]
static L11: [Slot; 5] = [S1, S17, S3, S18, S19];
#[rustfmt::skip]
static L12: [Slot; 4] = [S1, S20, S3, S21];
#[rustfmt::skip]
static L13: [Slot; 4] = [S1, S22, S23, S24];
#[rustfmt::skip]
static L14: [Slot; 4] = [S1, S22, S25, S24];
#[rustfmt::skip]
static L15: [Slot; 5] = [S1, S26, S3, S27, S28];
#[rustfmt::skip]
static L16: [Slot; 5] = [S1, S29, S3, S30, S31];
#[rustfmt::skip]
static L17: [Slot; 3] = [S32, S33, S34];
#[rustfmt::skip]
static L18: [Slot; 3] = [S35, S33, S36];
#[rustfmt::skip]
static L19: [Slot; 3] = [S32, S37, S34];
#[rustfmt::skip]
static L20: [Slot; 3] = [S35, S37, S36];
#[rustfmt::skip]
static L21: [Slot; 4] = [S32, S33, S34, S38];
#[rustfmt::skip]
static L22: [Slot; 4] = [S35, S33, S36, S39];
#[rustfmt::skip]
static L23: [Slot; 2] = [S40, S41];
#[rustfmt::skip]
static L24: [Slot; 2] = [S42, S41];
#[rustfmt::skip]
static L25: [Slot; 2] = [S40, S43];
#[rustfmt::skip]
static L26: [Slot; 1] = [S40];
#[rustfmt::skip]
static L27: [Slot; 2] = [S44, S45];
#[rustfmt::skip]
static L28: [Slot; 2] = [S44, S46];
#[rustfmt::skip]
static L29: [Slot; 3] = [S44, S45, S47];
#[rustfmt::skip]
static L30: [Slot; 1] = [S48];
#[rustfmt::skip]
static L31: [Slot; 2] = [S48, S47];
#[rustfmt::skip]
static L32: [Slot; 2] = [S49, S45];
#[rustfmt::skip]
static L33: [Slot; 2] = [S49, S46];
#[rustfmt::skip]
static L34: [Slot; 3] = [S49, S45, S47];
#[rustfmt::skip]
static L35: [Slot; 2] = [S44, S49];
#[rustfmt::skip]
static L36: [Slot; 2] = [S44, S50];
#[rustfmt::skip]
static L37: [Slot; 3] = [S44, S49, S47];
#[rustfmt::skip]
static L38: [Slot; 3] = [S44, S50, S47];
#[rustfmt::skip]
static L39: [Slot; 5] = [S51, S52, S53, S54, S55];
#[rustfmt::skip]
static L40: [Slot; 6] = [S51, S56, S57, S53, S54, S55];
#[rustfmt::skip]
static L41: [Slot; 5] = [S42, S58, S59, S60, S54];
#[rustfmt::skip]
static L42: [Slot; 5] = [S61, S62, S63, S64, S54];
#[rustfmt::skip]
static L43: [Slot; 5] = [S61, S65, S66, S64, S54];
#[rustfmt::skip]
static L44: [Slot; 4] = [S42, S58, S59, S60];
#[rustfmt::skip]
static L45: [Slot; 4] = [S61, S62, S63, S64];
#[rustfmt::skip]
static L46: [Slot; 4] = [S61, S65, S66, S64];
#[rustfmt::skip]
static L47: [Slot; 2] = [S40, S67];
#[rustfmt::skip]
static L48: [Slot; 2] = [S68, S49];
#[rustfmt::skip]
static L49: [Slot; 2] = [S69, S70];
#[rustfmt::skip]
static L50: [Slot; 2] = [S71, S72];
#[rustfmt::skip]
static L51: [Slot; 3] = [S40, S73, S74];
#[rustfmt::skip]
static L52: [Slot; 3] = [S40, S73, S75];
#[rustfmt::skip]
static L53: [Slot; 3] = [S40, S73, S76];
#[rustfmt::skip]
static L54: [Slot; 3] = [S40, S73, S77];
#[rustfmt::skip]
static L55: [Slot; 1] = [S78];
#[rustfmt::skip]
static L56: [Slot; 2] = [S79, S80];
#[rustfmt::skip]
static L57: [Slot; 2] = [S79, S81];
#[rustfmt::skip]
static L58: [Slot; 3] = [S79, S82, S80];
#[rustfmt::skip]
static L59: [Slot; 3] = [S79, S82, S81];
#[rustfmt::skip]
static L60: [Slot; 3] = [S79, S83, S80];
#[rustfmt::skip]
static L61: [Slot; 3] = [S79, S83, S81];
#[rustfmt::skip]
static L62: [Slot; 2] = [S79, S84];
#[rustfmt::skip]
static L63: [Slot; 2] = [S40, S49];
#[rustfmt::skip]
static L64: [Slot; 2] = [S40, S75];
#[rustfmt::skip]
static L65: [Slot; 2] = [S40, S76];
#[rustfmt::skip]
static L66: [Slot; 2] = [S40, S77];
#[rustfmt::skip]
static L67: [Slot; 3] = [S79, S85, S86];
#[rustfmt::skip]
static L68: [Slot; 3] = [S79, S85, S87];
#[rustfmt::skip]
static L69: [Slot; 3] = [S79, S88, S86];
#[rustfmt::skip]
static L70: [Slot; 3] = [S79, S88, S87];
#[rustfmt::skip]
static L71: [Slot; 3] = [S79, S69, S89];
#[rustfmt::skip]
static L72: [Slot; 2] = [S79, S72];
#[rustfmt::skip]
static L73: [Slot; 2] = [S79, S85];
#[rustfmt::skip]
static L74: [Slot; 3] = [S79, S85, S90];
#[rustfmt::skip]
static L75: [Slot; 3] = [S79, S85, S91];
#[rustfmt::skip]
static L76: [Slot; 2] = [S79, S92];
#[rustfmt::skip]
static L77: [Slot; 2] = [S79, S93];
#[rustfmt::skip]
static L78: [Slot; 1] = [S94];
#[rustfmt::skip]
static L79: [Slot; 1] = [S95];
#[rustfmt::skip]
static L80: [Slot; 2] = [S96, S97];
#[rustfmt::skip]
static L81: [Slot; 2] = [S96, S98];
#[rustfmt::skip]
static L82: [Slot; 3] = [S42, S99, S100];
#[rustfmt::skip]
static L83: [Slot; 3] = [S42, S99, S101];
#[rustfmt::skip]
static L84: [Slot; 3] = [S42, S99, S102];
#[rustfmt::skip]
static L85: [Slot; 3] = [S42, S99, S103];
#[rustfmt::skip]
static L86: [Slot; 3] = [S104, S105, S106];
#[rustfmt::skip]
static L87: [Slot; 4] = [S42, S99, S107, S100];
#[rustfmt::skip]
static L88: [Slot; 4] = [S42, S99, S108, S100];
#[rustfmt::skip]
static L89: [Slot; 4] = [S42, S99, S109, S100];
#[rustfmt::skip]
static L90: [Slot; 4] = [S42, S99, S110, S100];
#[rustfmt::skip]
static L91: [Slot; 4] = [S42, S99, S111, S101];
#[rustfmt::skip]
static L92: [Slot; 4] = [S42, S99, S111, S102];
#[rustfmt::skip]
static L93: [Slot; 4] = [S42, S99, S111, S103];
#[rustfmt::skip]
static L94: [Slot; 5] = [S112, S113, S114, S115, S54];
#[rustfmt::skip]
static L95: [Slot; 4] = [S61, S99, S107, S116];
#[rustfmt::skip]
static L96: [Slot; 3] = [S42, S99, S107];
#[rustfmt::skip]
static L97: [Slot; 3] = [S42, S99, S108];
#[rustfmt::skip]
static L98: [Slot; 3] = [S42, S99, S109];
#[rustfmt::skip]
static L99: [Slot; 3] = [S42, S99, S110];
#[rustfmt::skip]
static L100: [Slot; 5] = [S1, S117, S99, S118, S47];
#[rustfmt::skip]
static L101: [Slot; 5] = [S1, S117, S99, S108, S47];
#[rustfmt::skip]
static L102: [Slot; 5] = [S1, S117, S99, S109, S47];
#[rustfmt::skip]
static L103: [Slot; 5] = [S1, S117, S99, S110, S47];
#[rustfmt::skip]
static L104: [Slot; 3] = [S1, S119, S47];
#[rustfmt::skip]
static L105: [Slot; 1] = [S79];
#[rustfmt::skip]
static L106: [Slot; 2] = [S40, S120];
#[rustfmt::skip]
static L107: [Slot; 2] = [S40, S121];
#[rustfmt::skip]
static L108: [Slot; 2] = [S40, S122];
#[rustfmt::skip]
static L109: [Slot; 2] = [S40, S123];
#[rustfmt::skip]
static L110: [Slot; 2] = [S40, S124];
#[rustfmt::skip]
static L111: [Slot; 2] = [S40, S125];
#[rustfmt::skip]
static L112: [Slot; 2] = [S42, S123];
#[rustfmt::skip]
static L113: [Slot; 2] = [S42, S124];
#[rustfmt::skip]
static L114: [Slot; 2] = [S42, S125];
#[rustfmt::skip]
static L115: [Slot; 2] = [S40, S126];
#[rustfmt::skip]
static L116: [Slot; 2] = [S40, S109];
#[rustfmt::skip]
static L117: [Slot; 2] = [S40, S110];
#[rustfmt::skip]
static L118: [Slot; 2] = [S42, S120];
#[rustfmt::skip]
static L119: [Slot; 2] = [S42, S121];
#[rustfmt::skip]
static L120: [Slot; 2] = [S42, S122];
#[rustfmt::skip]
static L121: [Slot; 2] = [S40, S127];
#[rustfmt::skip]
static L122: [Slot; 2] = [S42, S127];
#[rustfmt::skip]
static L123: [Slot; 2] = [S42, S128];
#[rustfmt::skip]
static L124: [Slot; 2] = [S40, S129];
#[rustfmt::skip]
static L125: [Slot; 4] = [S40, S73, S74, S130];
#[rustfmt::skip]
static L126: [Slot; 4] = [S40, S73, S127, S130];
#[rustfmt::skip]
static L127: [Slot; 4] = [S40, S73, S76, S130];
#[rustfmt::skip]
static L128: [Slot; 4] = [S40, S73, S77, S130];
#[rustfmt::skip]
static L129: [Slot; 3] = [S40, S74, S131];
#[rustfmt::skip]
static L130: [Slot; 3] = [S40, S127, S131];
#[rustfmt::skip]
static L131: [Slot; 3] = [S40, S76, S131];
#[rustfmt::skip]
static L132: [Slot; 3] = [S40, S77, S131];
#[rustfmt::skip]
static L133: [Slot; 3] = [S40, S74, S130];
#[rustfmt::skip]
static L134: [Slot; 3] = [S40, S127, S130];
#[rustfmt::skip]
static L135: [Slot; 3] = [S40, S76, S130];
#[rustfmt::skip]
static L136: [Slot; 3] = [S40, S77, S130];
#[rustfmt::skip]
static L137: [Slot; 4] = [S40, S73, S74, S131];
#[rustfmt::skip]
static L138: [Slot; 4] = [S40, S73, S77, S131];
#[rustfmt::skip]
static L139: [Slot; 3] = [S40, S132, S130];
#[rustfmt::skip]
static L140: [Slot; 3] = [S40, S133, S130];
#[rustfmt::skip]
static L141: [Slot; 2] = [S134, S123];
#[rustfmt::skip]
static L142: [Slot; 2] = [S134, S124];
#[rustfmt::skip]
static L143: [Slot; 2] = [S134, S125];
#[rustfmt::skip]
static L144: [Slot; 2] = [S134, S127];
#[rustfmt::skip]
static L145: [Slot; 2] = [S40, S128];
#[rustfmt::skip]
static L146: [Slot; 2] = [S134, S128];
#[rustfmt::skip]
static L147: [Slot; 2] = [S134, S129];
#[rustfmt::skip]
static L148: [Slot; 2] = [S134, S120];
#[rustfmt::skip]
static L149: [Slot; 2] = [S134, S121];
#[rustfmt::skip]
static L150: [Slot; 2] = [S134, S122];
#[rustfmt::skip]
static L151: [Slot; 2] = [S134, S126];
#[rustfmt::skip]
static L152: [Slot; 2] = [S134, S109];
#[rustfmt::skip]
static L153: [Slot; 2] = [S134, S110];
#[rustfmt::skip]
static L154: [Slot; 4] = [S40, S73, S74, S135];
#[rustfmt::skip]
static L155: [Slot; 4] = [S40, S73, S127, S135];
#[rustfmt::skip]
static L156: [Slot; 4] = [S40, S73, S76, S135];
#[rustfmt::skip]
static L157: [Slot; 4] = [S40, S73, S77, S135];
#[rustfmt::skip]
static L158: [Slot; 3] = [S40, S136, S137];
#[rustfmt::skip]
static L159: [Slot; 3] = [S40, S136, S127];
#[rustfmt::skip]
static L160: [Slot; 3] = [S40, S136, S121];
#[rustfmt::skip]
static L161: [Slot; 3] = [S40, S136, S122];
#[rustfmt::skip]
static L162: [Slot; 3] = [S1, S138, S120];
#[rustfmt::skip]
static L163: [Slot; 3] = [S1, S138, S127];
#[rustfmt::skip]
static L164: [Slot; 3] = [S1, S138, S121];
#[rustfmt::skip]
static L165: [Slot; 3] = [S1, S138, S122];
#[rustfmt::skip]
static L166: [Slot; 4] = [S40, S136, S139, S140];
#[rustfmt::skip]
static L167: [Slot; 4] = [S40, S136, S127, S140];
#[rustfmt::skip]
static L168: [Slot; 4] = [S40, S136, S121, S140];
#[rustfmt::skip]
static L169: [Slot; 4] = [S40, S136, S122, S140];
#[rustfmt::skip]
static L170: [Slot; 4] = [S40, S136, S141, S142];
#[rustfmt::skip]
static L171: [Slot; 4] = [S40, S136, S141, S143];
#[rustfmt::skip]
static L172: [Slot; 4] = [S40, S136, S141, S144];
#[rustfmt::skip]
static L173: [Slot; 3] = [S40, S43, S145];
#[rustfmt::skip]
static L174: [Slot; 3] = [S40, S43, S75];
#[rustfmt::skip]
static L175: [Slot; 3] = [S40, S43, S146];
#[rustfmt::skip]
static L176: [Slot; 3] = [S40, S43, S147];
#[rustfmt::skip]
static L177: [Slot; 4] = [S40, S136, S139, S47];
#[rustfmt::skip]
static L178: [Slot; 4] = [S40, S136, S127, S47];
#[rustfmt::skip]
static L179: [Slot; 4] = [S40, S136, S121, S47];
#[rustfmt::skip]
static L180: [Slot; 4] = [S40, S136, S122, S47];
#[rustfmt::skip]
static L181: [Slot; 3] = [S40, S136, S139];
#[rustfmt::skip]
static L182: [Slot; 2] = [S42, S129];
#[rustfmt::skip]
static L183: [Slot; 2] = [S42, S126];
#[rustfmt::skip]
static L184: [Slot; 2] = [S42, S109];
#[rustfmt::skip]
static L185: [Slot; 2] = [S42, S110];
#[rustfmt::skip]
static L186: [Slot; 5] = [S1, S117, S136, S139, S47];
#[rustfmt::skip]
static L187: [Slot; 5] = [S1, S117, S136, S127, S47];
#[rustfmt::skip]
static L188: [Slot; 5] = [S1, S117, S136, S121, S47];
#[rustfmt::skip]
static L189: [Slot; 5] = [S1, S117, S136, S122, S47];
#[rustfmt::skip]
static L190: [Slot; 4] = [S40, S73, S131, S148];
#[rustfmt::skip]
static L191: [Slot; 3] = [S40, S149, S150];
#[rustfmt::skip]
static L192: [Slot; 3] = [S40, S149, S151];
#[rustfmt::skip]
static L193: [Slot; 3] = [S40, S152, S150];
#[rustfmt::skip]
static L194: [Slot; 3] = [S40, S152, S151];
#[rustfmt::skip]
static L195: [Slot; 3] = [S40, S149, S153];
#[rustfmt::skip]
static L196: [Slot; 3] = [S40, S152, S153];
#[rustfmt::skip]
static L197: [Slot; 3] = [S40, S149, S154];
#[rustfmt::skip]
static L198: [Slot; 3] = [S40, S149, S155];
#[rustfmt::skip]
static L199: [Slot; 4] = [S40, S149, S156, S157];
#[rustfmt::skip]
static L200: [Slot; 4] = [S40, S149, S151, S157];
#[rustfmt::skip]
static L201: [Slot; 5] = [S40, S149, S156, S157, S158];
#[rustfmt::skip]
static L202: [Slot; 5] = [S40, S149, S151, S157, S158];
#[rustfmt::skip]
static L203: [Slot; 4] = [S40, S149, S154, S157];
#[rustfmt::skip]
static L204: [Slot; 4] = [S40, S149, S159, S160];
#[rustfmt::skip]
static L205: [Slot; 5] = [S40, S149, S154, S157, S158];
#[rustfmt::skip]
static L206: [Slot; 5] = [S40, S149, S159, S160, S158];
#[rustfmt::skip]
static L207: [Slot; 4] = [S40, S149, S153, S157];
#[rustfmt::skip]
static L208: [Slot; 4] = [S40, S149, S159, S161];
#[rustfmt::skip]
static L209: [Slot; 4] = [S40, S149, S159, S144];
#[rustfmt::skip]
static L210: [Slot; 4] = [S40, S136, S139, S162];
#[rustfmt::skip]
static L211: [Slot; 4] = [S40, S136, S121, S162];
#[rustfmt::skip]
static L212: [Slot; 4] = [S40, S136, S122, S162];
#[rustfmt::skip]
static L213: [Slot; 5] = [S40, S136, S139, S162, S158];
#[rustfmt::skip]
static L214: [Slot; 5] = [S40, S136, S121, S162, S158];
#[rustfmt::skip]
static L215: [Slot; 5] = [S40, S136, S122, S162, S158];
#[rustfmt::skip]
static L216: [Slot; 4] = [S40, S136, S154, S162];
#[rustfmt::skip]
static L217: [Slot; 4] = [S40, S136, S155, S162];
#[rustfmt::skip]
static L218: [Slot; 4] = [S40, S136, S163, S160];
#[rustfmt::skip]
static L219: [Slot; 4] = [S40, S136, S163, S164];
#[rustfmt::skip]
static L220: [Slot; 5] = [S40, S136, S154, S162, S158];
#[rustfmt::skip]
static L221: [Slot; 5] = [S40, S136, S155, S162, S158];
#[rustfmt::skip]
static L222: [Slot; 5] = [S40, S136, S163, S160, S158];
#[rustfmt::skip]
static L223: [Slot; 5] = [S40, S136, S163, S164, S158];
#[rustfmt::skip]
static L224: [Slot; 4] = [S40, S136, S163, S143];
#[rustfmt::skip]
static L225: [Slot; 4] = [S40, S136, S163, S144];
#[rustfmt::skip]
static L226: [Slot; 5] = [S165, S166, S167, S54, S55];
#[rustfmt::skip]
static L227: [Slot; 6] = [S165, S168, S169, S167, S54, S55];
#[rustfmt::skip]
static L228: [Slot; 5] = [S170, S166, S171, S54, S55];
#[rustfmt::skip]
static L229: [Slot; 6] = [S170, S168, S169, S171, S54, S55];
#[rustfmt::skip]
static L230: [Slot; 7] = [S172, S166, S173, S54, S174, S175, S55];
#[rustfmt::skip]
static L231: [Slot; 8] = [S172, S168, S169, S173, S54, S174, S175, S55];
#[rustfmt::skip]
static L232: [Slot; 7] = [S176, S166, S177, S54, S174, S175, S55];
#[rustfmt::skip]
static L233: [Slot; 8] = [S176, S168, S169, S177, S54, S174, S175, S55];
#[rustfmt::skip]
static L234: [Slot; 5] = [S61, S178, S179, S64, S54];
#[rustfmt::skip]
static L235: [Slot; 4] = [S61, S178, S179, S64];
#[rustfmt::skip]
static L236: [Slot; 5] = [S61, S180, S181, S64, S54];
#[rustfmt::skip]
static L237: [Slot; 4] = [S61, S180, S181, S64];
#[rustfmt::skip]
static L238: [Slot; 5] = [S42, S178, S179, S60, S54];
#[rustfmt::skip]
static L239: [Slot; 4] = [S42, S178, S179, S60];
#[rustfmt::skip]
static L240: [Slot; 5] = [S42, S180, S181, S60, S54];
#[rustfmt::skip]
static L241: [Slot; 4] = [S42, S180, S181, S60];
#[rustfmt::skip]
static L242: [Slot; 7] = [S61, S178, S181, S64, S54, S174, S182];
#[rustfmt::skip]
static L243: [Slot; 6] = [S61, S178, S181, S64, S174, S182];
#[rustfmt::skip]
static L244: [Slot; 7] = [S61, S180, S183, S64, S54, S174, S182];
#[rustfmt::skip]
static L245: [Slot; 6] = [S61, S180, S183, S64, S174, S182];
#[rustfmt::skip]
static L246: [Slot; 7] = [S42, S178, S181, S60, S54, S174, S182];
#[rustfmt::skip]
static L247: [Slot; 6] = [S42, S178, S181, S60, S174, S182];
#[rustfmt::skip]
static L248: [Slot; 7] = [S42, S180, S183, S60, S54, S174, S182];
#[rustfmt::skip]
static L249: [Slot; 6] = [S42, S180, S183, S60, S174, S182];
#[rustfmt::skip]
static L250: [Slot; 4] = [S40, S149, S156, S47];
#[rustfmt::skip]
static L251: [Slot; 4] = [S40, S149, S151, S47];
#[rustfmt::skip]
static L252: [Slot; 4] = [S40, S149, S153, S47];
#[rustfmt::skip]
static L253: [Slot; 4] = [S40, S149, S154, S47];
#[rustfmt::skip]
static L254: [Slot; 3] = [S40, S149, S156];
#[rustfmt::skip]
static L255: [Slot; 4] = [S40, S149, S150, S47];
#[rustfmt::skip]
static L256: [Slot; 4] = [S40, S149, S155, S47];
#[rustfmt::skip]
static L257: [Slot; 5] = [S1, S117, S149, S150, S47];
#[rustfmt::skip]
static L258: [Slot; 5] = [S1, S117, S149, S151, S47];
#[rustfmt::skip]
static L259: [Slot; 5] = [S1, S117, S149, S153, S47];
#[rustfmt::skip]
static L260: [Slot; 5] = [S1, S117, S149, S154, S47];
#[rustfmt::skip]
static L261: [Slot; 5] = [S1, S117, S149, S155, S47];
#[rustfmt::skip]
static L262: [Slot; 2] = [S40, S184];
#[rustfmt::skip]
static L263: [Slot; 2] = [S40, S185];
#[rustfmt::skip]
static L264: [Slot; 2] = [S40, S186];
#[rustfmt::skip]
static L265: [Slot; 2] = [S40, S187];
#[rustfmt::skip]
static L266: [Slot; 2] = [S40, S188];
#[rustfmt::skip]
static L267: [Slot; 2] = [S40, S189];
#[rustfmt::skip]
static L268: [Slot; 2] = [S40, S190];
#[rustfmt::skip]
static L269: [Slot; 2] = [S42, S191];
#[rustfmt::skip]
static L270: [Slot; 2] = [S42, S192];
#[rustfmt::skip]
static L271: [Slot; 2] = [S42, S193];
#[rustfmt::skip]
static L272: [Slot; 2] = [S42, S184];
#[rustfmt::skip]
static L273: [Slot; 2] = [S42, S185];
#[rustfmt::skip]
static L274: [Slot; 2] = [S42, S186];
#[rustfmt::skip]
static L275: [Slot; 2] = [S42, S187];
#[rustfmt::skip]
static L276: [Slot; 2] = [S42, S188];
#[rustfmt::skip]
static L277: [Slot; 2] = [S42, S189];
#[rustfmt::skip]
static L278: [Slot; 2] = [S42, S75];
#[rustfmt::skip]
static L279: [Slot; 2] = [S42, S190];
#[rustfmt::skip]
static L280: [Slot; 2] = [S40, S194];
#[rustfmt::skip]
static L281: [Slot; 2] = [S40, S195];
#[rustfmt::skip]
static L282: [Slot; 2] = [S40, S196];
#[rustfmt::skip]
static L283: [Slot; 2] = [S40, S74];
#[rustfmt::skip]
static L284: [Slot; 4] = [S40, S73, S190, S135];
#[rustfmt::skip]
static L285: [Slot; 4] = [S40, S73, S74, S197];
#[rustfmt::skip]
static L286: [Slot; 4] = [S40, S73, S190, S197];
#[rustfmt::skip]
static L287: [Slot; 4] = [S40, S73, S76, S197];
#[rustfmt::skip]
static L288: [Slot; 4] = [S40, S73, S77, S197];
#[rustfmt::skip]
static L289: [Slot; 4] = [S40, S73, S74, S198];
#[rustfmt::skip]
static L290: [Slot; 4] = [S40, S73, S190, S198];
#[rustfmt::skip]
static L291: [Slot; 4] = [S40, S73, S76, S198];
#[rustfmt::skip]
static L292: [Slot; 4] = [S40, S73, S77, S198];
#[rustfmt::skip]
static L293: [Slot; 8] = [S40, S43, S199, S200, S201, S202, S203, S204];
#[rustfmt::skip]
static L294: [Slot; 8] = [S40, S43, S199, S200, S190, S202, S203, S204];
#[rustfmt::skip]
static L295: [Slot; 8] = [S40, S43, S199, S200, S205, S202, S203, S204];
#[rustfmt::skip]
static L296: [Slot; 8] = [S40, S43, S199, S200, S206, S202, S203, S204];
#[rustfmt::skip]
static L297: [Slot; 4] = [S40, S73, S74, S207];
#[rustfmt::skip]
static L298: [Slot; 4] = [S40, S73, S76, S207];
#[rustfmt::skip]
static L299: [Slot; 4] = [S40, S73, S77, S207];
#[rustfmt::skip]
static L300: [Slot; 5] = [S208, S52, S209, S54, S55];
#[rustfmt::skip]
static L301: [Slot; 6] = [S208, S56, S57, S209, S54, S55];
#[rustfmt::skip]
static L302: [Slot; 6] = [S210, S52, S211, S54, S174, S55];
#[rustfmt::skip]
static L303: [Slot; 7] = [S210, S56, S57, S211, S54, S174, S55];
#[rustfmt::skip]
static L304: [Slot; 5] = [S40, S73, S74, S212, S213];
#[rustfmt::skip]
static L305: [Slot; 5] = [S40, S73, S190, S212, S213];
#[rustfmt::skip]
static L306: [Slot; 5] = [S40, S73, S76, S212, S213];
#[rustfmt::skip]
static L307: [Slot; 5] = [S40, S73, S77, S212, S213];
#[rustfmt::skip]
static L308: [Slot; 5] = [S40, S73, S214, S215, S213];
#[rustfmt::skip]
static L309: [Slot; 5] = [S40, S73, S214, S216, S213];
#[rustfmt::skip]
static L310: [Slot; 5] = [S40, S73, S214, S217, S213];
#[rustfmt::skip]
static L311: [Slot; 6] = [S42, S43, S73, S74, S218, S213];
#[rustfmt::skip]
static L312: [Slot; 6] = [S42, S43, S73, S190, S218, S213];
#[rustfmt::skip]
static L313: [Slot; 6] = [S42, S43, S73, S76, S218, S213];
#[rustfmt::skip]
static L314: [Slot; 6] = [S42, S43, S73, S77, S218, S213];
#[rustfmt::skip]
static L315: [Slot; 6] = [S42, S43, S73, S214, S219, S213];
#[rustfmt::skip]
static L316: [Slot; 6] = [S42, S43, S73, S214, S220, S213];
#[rustfmt::skip]
static L317: [Slot; 6] = [S40, S43, S73, S74, S218, S213];
#[rustfmt::skip]
static L318: [Slot; 6] = [S40, S43, S73, S190, S218, S213];
#[rustfmt::skip]
static L319: [Slot; 6] = [S40, S43, S73, S76, S218, S213];
#[rustfmt::skip]
static L320: [Slot; 6] = [S40, S43, S73, S77, S218, S213];
#[rustfmt::skip]
static L321: [Slot; 6] = [S40, S43, S73, S214, S219, S213];
#[rustfmt::skip]
static L322: [Slot; 6] = [S40, S43, S73, S214, S220, S213];
#[rustfmt::skip]
static L323: [Slot; 7] = [S61, S62, S66, S64, S54, S174, S182];
#[rustfmt::skip]
static L324: [Slot; 6] = [S61, S62, S66, S64, S174, S182];
#[rustfmt::skip]
static L325: [Slot; 7] = [S61, S65, S221, S64, S54, S174, S182];
#[rustfmt::skip]
static L326: [Slot; 6] = [S61, S65, S221, S64, S174, S182];
#[rustfmt::skip]
static L327: [Slot; 4] = [S40, S73, S74, S47];
#[rustfmt::skip]
static L328: [Slot; 4] = [S40, S73, S190, S47];
#[rustfmt::skip]
static L329: [Slot; 4] = [S40, S73, S76, S47];
#[rustfmt::skip]
static L330: [Slot; 4] = [S40, S73, S77, S47];
#[rustfmt::skip]
static L331: [Slot; 6] = [S1, S117, S73, S74, S47, S222];
#[rustfmt::skip]
static L332: [Slot; 6] = [S1, S117, S73, S190, S47, S222];
#[rustfmt::skip]
static L333: [Slot; 6] = [S1, S117, S73, S76, S47, S222];
#[rustfmt::skip]
static L334: [Slot; 6] = [S1, S117, S73, S77, S47, S222];
#[rustfmt::skip]
static L335: [Slot; 3] = [S223, S94, S224];
#[rustfmt::skip]
static L336: [Slot; 3] = [S225, S226, S224];
#[rustfmt::skip]
static L337: [Slot; 3] = [S225, S227, S224];
#[rustfmt::skip]
static L338: [Slot; 3] = [S225, S228, S224];
#[rustfmt::skip]
static L339: [Slot; 3] = [S225, S229, S224];
#[rustfmt::skip]
static L340: [Slot; 3] = [S225, S230, S224];
#[rustfmt::skip]
static L341: [Slot; 2] = [S231, S232];
#[rustfmt::skip]
static L342: [Slot; 4] = [S43, S223, S3, S224];
#[rustfmt::skip]
static L343: [Slot; 4] = [S43, S225, S226, S224];
#[rustfmt::skip]
static L344: [Slot; 4] = [S43, S225, S230, S224];
#[rustfmt::skip]
static L345: [Slot; 4] = [S43, S225, S228, S224];
#[rustfmt::skip]
static L346: [Slot; 4] = [S43, S225, S229, S224];
#[rustfmt::skip]
static L347: [Slot; 2] = [S233, S9];
#[rustfmt::skip]
static L348: [Slot; 2] = [S233, S8];
#[rustfmt::skip]
static L349: [Slot; 2] = [S234, S9];
#[rustfmt::skip]
static L350: [Slot; 2] = [S234, S8];
#[rustfmt::skip]
static L351: [Slot; 3] = [S235, S236, S79];
#[rustfmt::skip]
static L352: [Slot; 3] = [S235, S237, S79];
#[rustfmt::skip]
static L353: [Slot; 2] = [S238, S95];
#[rustfmt::skip]
static L354: [Slot; 2] = [S238, S239];
#[rustfmt::skip]
static L355: [Slot; 2] = [S240, S241];
#[rustfmt::skip]
static L356: [Slot; 2] = [S240, S242];
#[rustfmt::skip]
static L357: [Slot; 2] = [S243, S244];
#[rustfmt::skip]
static L358: [Slot; 2] = [S243, S239];
#[rustfmt::skip]
static L359: [Slot; 7] = [S40, S43, S200, S201, S130, S245, S203];
#[rustfmt::skip]
static L360: [Slot; 7] = [S40, S43, S200, S75, S130, S245, S203];
#[rustfmt::skip]
static L361: [Slot; 7] = [S40, S43, S200, S205, S130, S245, S203];
#[rustfmt::skip]
static L362: [Slot; 7] = [S40, S43, S200, S206, S130, S245, S203];
#[rustfmt::skip]
static L363: [Slot; 7] = [S40, S43, S200, S201, S131, S245, S203];
#[rustfmt::skip]
static L364: [Slot; 7] = [S40, S43, S200, S75, S131, S245, S203];
#[rustfmt::skip]
static L365: [Slot; 7] = [S40, S43, S200, S205, S131, S245, S203];
#[rustfmt::skip]
static L366: [Slot; 7] = [S40, S43, S200, S206, S131, S245, S203];
#[rustfmt::skip]
static L367: [Slot; 7] = [S40, S43, S200, S214, S246, S245, S203];
#[rustfmt::skip]
static L368: [Slot; 1] = [S42];
#[rustfmt::skip]
static L369: [Slot; 2] = [S42, S247];
#[rustfmt::skip]
static L370: [Slot; 7] = [S43, S40, S73, S74, S131, S248, S47];
#[rustfmt::skip]
static L371: [Slot; 7] = [S43, S40, S73, S75, S131, S248, S47];
#[rustfmt::skip]
static L372: [Slot; 7] = [S43, S40, S73, S76, S131, S248, S47];
#[rustfmt::skip]
static L373: [Slot; 7] = [S43, S40, S73, S77, S131, S248, S47];
#[rustfmt::skip]
static L374: [Slot; 2] = [S40, S249];
#[rustfmt::skip]
static L375: [Slot; 3] = [S1, S40, S249];
#[rustfmt::skip]
static L376: [Slot; 3] = [S40, S74, S250];
#[rustfmt::skip]
static L377: [Slot; 3] = [S40, S75, S250];
#[rustfmt::skip]
static L378: [Slot; 3] = [S40, S76, S250];
#[rustfmt::skip]
static L379: [Slot; 3] = [S40, S77, S250];
#[rustfmt::skip]
static L380: [Slot; 2] = [S40, S251];
#[rustfmt::skip]
static L381: [Slot; 2] = [S79, S49];
#[rustfmt::skip]
static L382: [Slot; 2] = [S79, S252];
#[rustfmt::skip]
static L383: [Slot; 4] = [S40, S253, S73, S252];
#[rustfmt::skip]
static L384: [Slot; 4] = [S40, S253, S73, S254];
#[rustfmt::skip]
static L385: [Slot; 7] = [S1, S117, S47, S255, S256, S257, S258];
#[rustfmt::skip]
static L386: [Slot; 7] = [S1, S117, S47, S255, S259, S257, S258];
#[rustfmt::skip]
static L387: [Slot; 7] = [S1, S117, S260, S261, S262, S248, S258];
#[rustfmt::skip]
static L388: [Slot; 7] = [S1, S117, S260, S263, S262, S248, S258];
#[rustfmt::skip]
static L389: [Slot; 7] = [S1, S117, S260, S264, S262, S248, S258];
#[rustfmt::skip]
static L390: [Slot; 2] = [S79, S265];
#[rustfmt::skip]
static L391: [Slot; 2] = [S40, S145];
#[rustfmt::skip]
static L392: [Slot; 2] = [S40, S146];
#[rustfmt::skip]
static L393: [Slot; 2] = [S40, S147];
#[rustfmt::skip]
static L394: [Slot; 4] = [S40, S73, S75, S131];
#[rustfmt::skip]
static L395: [Slot; 4] = [S40, S73, S76, S131];
#[rustfmt::skip]
static L396: [Slot; 4] = [S40, S73, S214, S246];
#[rustfmt::skip]
static L397: [Slot; 4] = [S40, S73, S214, S266];
#[rustfmt::skip]
static L398: [Slot; 4] = [S40, S73, S214, S267];
#[rustfmt::skip]
static L399: [Slot; 5] = [S268, S269, S270, S54, S55];
#[rustfmt::skip]
static L400: [Slot; 6] = [S268, S168, S271, S270, S54, S55];
#[rustfmt::skip]
static L401: [Slot; 5] = [S272, S269, S273, S54, S55];
#[rustfmt::skip]
static L402: [Slot; 6] = [S272, S168, S271, S273, S54, S55];
#[rustfmt::skip]
static L403: [Slot; 6] = [S274, S269, S275, S54, S174, S55];
#[rustfmt::skip]
static L404: [Slot; 7] = [S274, S168, S271, S275, S54, S174, S55];
#[rustfmt::skip]
static L405: [Slot; 6] = [S276, S269, S277, S54, S174, S55];
#[rustfmt::skip]
static L406: [Slot; 7] = [S276, S168, S271, S277, S54, S174, S55];
#[rustfmt::skip]
static L407: [Slot; 4] = [S61, S278, S279, S64];
#[rustfmt::skip]
static L408: [Slot; 4] = [S61, S280, S281, S64];
#[rustfmt::skip]
static L409: [Slot; 4] = [S42, S278, S279, S60];
#[rustfmt::skip]
static L410: [Slot; 4] = [S42, S280, S281, S60];
#[rustfmt::skip]
static L411: [Slot; 6] = [S61, S280, S282, S64, S174, S182];
#[rustfmt::skip]
static L412: [Slot; 3] = [S1, S40, S3];
#[rustfmt::skip]
static L413: [Slot; 3] = [S1, S40, S227];
#[rustfmt::skip]
static L414: [Slot; 3] = [S1, S40, S228];
#[rustfmt::skip]
static L415: [Slot; 3] = [S1, S40, S229];
#[rustfmt::skip]
static L416: [Slot; 3] = [S253, S283, S252];
#[rustfmt::skip]
static L417: [Slot; 3] = [S43, S119, S73];
#[rustfmt::skip]
static L418: [Slot; 3] = [S284, S119, S73];
#[rustfmt::skip]
static L419: [Slot; 3] = [S43, S119, S251];
#[rustfmt::skip]
static L420: [Slot; 3] = [S284, S119, S251];
#[rustfmt::skip]
static L421: [Slot; 2] = [S285, S24];
#[rustfmt::skip]
static L422: [Slot; 2] = [S6, S24];
#[rustfmt::skip]
static L423: [Slot; 2] = [S286, S34];
#[rustfmt::skip]
static L424: [Slot; 2] = [S6, S287];
#[rustfmt::skip]
static L425: [Slot; 2] = [S8, S287];
#[rustfmt::skip]
static L426: [Slot; 2] = [S9, S287];
#[rustfmt::skip]
static L427: [Slot; 2] = [S6, S11];
#[rustfmt::skip]
static L428: [Slot; 2] = [S8, S11];
#[rustfmt::skip]
static L429: [Slot; 2] = [S9, S11];
#[rustfmt::skip]
static L430: [Slot; 2] = [S119, S251];
#[rustfmt::skip]
static L431: [Slot; 3] = [S79, S85, S288];
#[rustfmt::skip]
static L432: [Slot; 3] = [S79, S85, S289];
#[rustfmt::skip]
static L433: [Slot; 2] = [S290, S74];
#[rustfmt::skip]
static L434: [Slot; 2] = [S40, S290];
#[rustfmt::skip]
static L435: [Slot; 2] = [S40, S97];
#[rustfmt::skip]
static L436: [Slot; 2] = [S40, S98];
#[rustfmt::skip]
static L437: [Slot; 2] = [S119, S97];
#[rustfmt::skip]
static L438: [Slot; 2] = [S119, S98];
#[rustfmt::skip]
static L439: [Slot; 4] = [S40, S73, S75, S47];
#[rustfmt::skip]
static L440: [Slot; 5] = [S1, S40, S251, S49, S291];
#[rustfmt::skip]
static L441: [Slot; 5] = [S1, S40, S251, S49, S292];
#[rustfmt::skip]
static L442: [Slot; 5] = [S1, S40, S251, S293, S291];
#[rustfmt::skip]
static L443: [Slot; 5] = [S1, S40, S251, S293, S294];
#[rustfmt::skip]
static L444: [Slot; 2] = [S94, S295];
#[rustfmt::skip]
static L445: [Slot; 2] = [S6, S296];
#[rustfmt::skip]
static L446: [Slot; 2] = [S8, S296];
#[rustfmt::skip]
static L447: [Slot; 2] = [S9, S296];
#[rustfmt::skip]
static L448: [Slot; 2] = [S297, S296];
#[rustfmt::skip]
static L449: [Slot; 2] = [S285, S296];
#[rustfmt::skip]
static L450: [Slot; 2] = [S286, S298];
#[rustfmt::skip]
static L451: [Slot; 2] = [S3, S299];
#[rustfmt::skip]
static L452: [Slot; 2] = [S95, S296];
#[rustfmt::skip]
static L453: [Slot; 2] = [S0, S296];
#[rustfmt::skip]
static L454: [Slot; 2] = [S241, S298];
#[rustfmt::skip]
static L455: [Slot; 2] = [S300, S298];
#[rustfmt::skip]
static L456: [Slot; 2] = [S244, S301];
#[rustfmt::skip]
static L457: [Slot; 2] = [S0, S301];
#[rustfmt::skip]
static L458: [Slot; 5] = [S43, S223, S302, S303, S304];
#[rustfmt::skip]
static L459: [Slot; 5] = [S43, S223, S302, S305, S306];
#[rustfmt::skip]
static L460: [Slot; 4] = [S43, S223, S302, S307];
#[rustfmt::skip]
static L461: [Slot; 4] = [S302, S308, S303, S304];
#[rustfmt::skip]
static L462: [Slot; 4] = [S302, S308, S305, S306];
#[rustfmt::skip]
static L463: [Slot; 3] = [S302, S308, S307];
#[rustfmt::skip]
static L464: [Slot; 4] = [S302, S309, S303, S304];
#[rustfmt::skip]
static L465: [Slot; 3] = [S302, S309, S307];
#[rustfmt::skip]
static L466: [Slot; 4] = [S302, S309, S305, S306];
#[rustfmt::skip]
static L467: [Slot; 4] = [S302, S310, S303, S304];
#[rustfmt::skip]
static L468: [Slot; 4] = [S302, S310, S305, S306];
#[rustfmt::skip]
static L469: [Slot; 3] = [S302, S310, S307];
#[rustfmt::skip]
static L470: [Slot; 3] = [S1, S0, S49];
#[rustfmt::skip]
static L471: [Slot; 3] = [S42, S0, S49];
#[rustfmt::skip]
static L472: [Slot; 3] = [S311, S312, S196];
#[rustfmt::skip]
static L473: [Slot; 9] = [S43, S313, S314, S315, S316, S317, S304, S318, S250];
#[rustfmt::skip]
static L474: [Slot; 7] = [S43, S313, S314, S315, S319, S318, S250];
#[rustfmt::skip]
static L475: [Slot; 9] = [S43, S313, S314, S315, S316, S305, S306, S318, S250];
#[rustfmt::skip]
static L476: [Slot; 9] = [S43, S313, S314, S315, S316, S317, S304, S320, S250];
#[rustfmt::skip]
static L477: [Slot; 7] = [S43, S313, S314, S315, S319, S320, S250];
#[rustfmt::skip]
static L478: [Slot; 9] = [S43, S313, S314, S315, S316, S305, S306, S320, S250];
#[rustfmt::skip]
static L479: [Slot; 9] = [S43, S313, S314, S315, S316, S317, S304, S321, S250];
#[rustfmt::skip]
static L480: [Slot; 9] = [S43, S313, S314, S315, S316, S305, S306, S321, S250];
#[rustfmt::skip]
static L481: [Slot; 7] = [S43, S313, S314, S315, S319, S321, S250];
#[rustfmt::skip]
static L482: [Slot; 9] = [S43, S313, S314, S315, S322, S317, S304, S323, S250];
#[rustfmt::skip]
static L483: [Slot; 9] = [S43, S313, S314, S315, S322, S305, S306, S323, S250];
#[rustfmt::skip]
static L484: [Slot; 7] = [S43, S313, S314, S315, S322, S323, S250];
#[rustfmt::skip]
static L485: [Slot; 7] = [S313, S314, S315, S324, S317, S304, S325];
#[rustfmt::skip]
static L486: [Slot; 7] = [S313, S314, S315, S324, S305, S306, S325];
#[rustfmt::skip]
static L487: [Slot; 5] = [S313, S314, S315, S324, S325];
#[rustfmt::skip]
static L488: [Slot; 3] = [S326, S327, S328];
#[rustfmt::skip]
static L489: [Slot; 4] = [S326, S327, S328, S329];
#[rustfmt::skip]
static L490: [Slot; 2] = [S330, S328];
#[rustfmt::skip]
static L491: [Slot; 3] = [S330, S328, S329];
#[rustfmt::skip]
static L492: [Slot; 3] = [S326, S331, S328];
#[rustfmt::skip]
static L493: [Slot; 4] = [S326, S331, S328, S329];
#[rustfmt::skip]
static L494: [Slot; 3] = [S119, S332, S77];
#[rustfmt::skip]
static L495: [Slot; 3] = [S119, S332, S75];
#[rustfmt::skip]
static L496: [Slot; 2] = [S119, S77];
#[rustfmt::skip]
static L497: [Slot; 3] = [S119, S333, S147];
#[rustfmt::skip]
static L498: [Slot; 8] = [S119, S333, S334, S335, S206, S336, S337, S338];
#[rustfmt::skip]
static L499: [Slot; 8] = [S119, S333, S334, S335, S190, S336, S337, S338];
#[rustfmt::skip]
static L500: [Slot; 8] = [S311, S333, S334, S339, S340, S341, S342, S343];
#[rustfmt::skip]
static L501: [Slot; 8] = [S311, S333, S334, S339, S190, S341, S342, S343];
#[rustfmt::skip]
static L502: [Slot; 5] = [S119, S332, S77, S344, S345];
#[rustfmt::skip]
static L503: [Slot; 5] = [S119, S332, S190, S344, S345];
#[rustfmt::skip]
static L504: [Slot; 5] = [S119, S332, S346, S215, S345];
#[rustfmt::skip]
static L505: [Slot; 6] = [S311, S333, S332, S77, S347, S345];
#[rustfmt::skip]
static L506: [Slot; 6] = [S311, S333, S332, S190, S347, S345];
#[rustfmt::skip]
static L507: [Slot; 6] = [S348, S349, S332, S77, S350, S351];
#[rustfmt::skip]
static L508: [Slot; 6] = [S348, S349, S332, S190, S350, S351];
#[rustfmt::skip]
static L509: [Slot; 2] = [S352, S353];
#[rustfmt::skip]
static L510: [Slot; 2] = [S352, S354];
#[rustfmt::skip]
static L511: [Slot; 7] = [S119, S333, S335, S206, S355, S245, S337];
#[rustfmt::skip]
static L512: [Slot; 7] = [S119, S333, S335, S75, S355, S245, S337];
#[rustfmt::skip]
static L513: [Slot; 7] = [S119, S333, S335, S206, S328, S245, S337];
#[rustfmt::skip]
static L514: [Slot; 7] = [S119, S333, S335, S75, S328, S245, S337];
#[rustfmt::skip]
static L515: [Slot; 7] = [S119, S333, S335, S346, S246, S245, S337];
#[rustfmt::skip]
static L516: [Slot; 7] = [S333, S119, S332, S77, S328, S248, S350];
#[rustfmt::skip]
static L517: [Slot; 7] = [S333, S119, S332, S75, S328, S248, S350];
#[rustfmt::skip]
static L518: [Slot; 2] = [S119, S252];
#[rustfmt::skip]
static L519: [Slot; 4] = [S119, S356, S332, S252];
#[rustfmt::skip]
static L520: [Slot; 7] = [S348, S349, S350, S357, S259, S257, S258];
#[rustfmt::skip]
static L521: [Slot; 7] = [S348, S349, S358, S264, S359, S248, S258];
#[rustfmt::skip]
static L522: [Slot; 2] = [S119, S147];
#[rustfmt::skip]
static L523: [Slot; 4] = [S119, S332, S75, S328];
#[rustfmt::skip]
static L524: [Slot; 4] = [S119, S332, S77, S328];
#[rustfmt::skip]
static L525: [Slot; 3] = [S356, S360, S361];
#[rustfmt::skip]
static L526: [Slot; 4] = [S119, S332, S77, S350];
#[rustfmt::skip]
static L527: [Slot; 4] = [S119, S332, S75, S350];
#[rustfmt::skip]
static L528: [Slot; 1] = [S362];
#[rustfmt::skip]
static L529: [Slot; 2] = [S348, S362];
#[rustfmt::skip]
static L530: [Slot; 4] = [S119, S332, S346, S246];
#[rustfmt::skip]
static L531: [Slot; 1] = [S330];
#[rustfmt::skip]
static L532: [Slot; 2] = [S363, S364];
#[rustfmt::skip]
static L533: [Slot; 3] = [S363, S364, S329];
#[rustfmt::skip]
static L534: [Slot; 3] = [S363, S364, S328];
#[rustfmt::skip]
static L535: [Slot; 4] = [S363, S364, S328, S329];
#[rustfmt::skip]
static L536: [Slot; 2] = [S365, S364];
#[rustfmt::skip]
static L537: [Slot; 3] = [S365, S364, S329];
#[rustfmt::skip]
static L538: [Slot; 3] = [S365, S364, S328];
#[rustfmt::skip]
static L539: [Slot; 4] = [S365, S364, S328, S329];
#[rustfmt::skip]
static L540: [Slot; 2] = [S366, S364];
#[rustfmt::skip]
static L541: [Slot; 3] = [S366, S364, S329];
#[rustfmt::skip]
static L542: [Slot; 5] = [S40, S43, S73, S74, S131];
#[rustfmt::skip]
static L543: [Slot; 5] = [S40, S43, S73, S75, S131];
#[rustfmt::skip]
static L544: [Slot; 5] = [S40, S43, S73, S76, S131];
#[rustfmt::skip]
static L545: [Slot; 5] = [S40, S43, S73, S77, S131];
#[rustfmt::skip]
static L546: [Slot; 5] = [S40, S43, S73, S214, S246];
#[rustfmt::skip]
static L547: [Slot; 5] = [S40, S43, S73, S214, S266];
#[rustfmt::skip]
static L548: [Slot; 3] = [S40, S73, S179];
#[rustfmt::skip]
static L549: [Slot; 3] = [S40, S73, S367];
#[rustfmt::skip]
static L550: [Slot; 5] = [S40, S73, S179, S131, S47];
#[rustfmt::skip]
static L551: [Slot; 5] = [S40, S73, S75, S131, S47];
#[rustfmt::skip]
static L552: [Slot; 5] = [S40, S73, S368, S131, S47];
#[rustfmt::skip]
static L553: [Slot; 5] = [S40, S73, S367, S131, S47];
#[rustfmt::skip]
static L554: [Slot; 5] = [S40, S73, S369, S246, S47];
#[rustfmt::skip]
static L555: [Slot; 5] = [S40, S73, S369, S266, S47];
#[rustfmt::skip]
static L556: [Slot; 5] = [S40, S73, S369, S267, S47];
#[rustfmt::skip]
static L557: [Slot; 6] = [S40, S370, S371, S73, S74, S47];
#[rustfmt::skip]
static L558: [Slot; 6] = [S40, S370, S371, S73, S190, S47];
#[rustfmt::skip]
static L559: [Slot; 6] = [S40, S370, S371, S73, S76, S47];
#[rustfmt::skip]
static L560: [Slot; 6] = [S40, S370, S371, S73, S77, S47];
#[rustfmt::skip]
static L561: [Slot; 5] = [S40, S73, S74, S131, S47];
#[rustfmt::skip]
static L562: [Slot; 5] = [S40, S73, S76, S131, S47];
#[rustfmt::skip]
static L563: [Slot; 5] = [S40, S73, S77, S131, S47];
#[rustfmt::skip]
static L564: [Slot; 3] = [S372, S1, S47];
#[rustfmt::skip]
static L565: [Slot; 3] = [S373, S348, S47];
#[rustfmt::skip]
static L566: [Slot; 2] = [S374, S375];
#[rustfmt::skip]
static L567: [Slot; 2] = [S79, S251];
#[rustfmt::skip]
static L568: [Slot; 3] = [S79, S251, S80];
#[rustfmt::skip]
static F0: [FieldSpec; 0] = [];
#[rustfmt::skip]
static F1: [FieldSpec; 1] = [FieldSpec { field: Field::T, bits: Bits::new(70, 2), values: &V_ARRIVES }];
#[rustfmt::skip]
static F2: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F3: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F4: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(88, 2), values: &V_FATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMFTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F5: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Op, bits: Bits::new(88, 2), values: &V_FATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMFTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F6: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F7: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCAS }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F8: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F9: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F10: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F11: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F12: [FieldSpec; 4] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F13: [FieldSpec; 4] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCAS }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F14: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F15: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMGOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F16: [FieldSpec; 3] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMSTY }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F17: [FieldSpec; 3] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_ATOMOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMSTY90 }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F18: [FieldSpec; 3] = [FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMCAS }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F19: [FieldSpec; 3] = [FieldSpec { field: Field::Cas, bits: Bits::new(87, 2), values: &V_CAS }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMSCAS90 }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F20: [FieldSpec; 1] = [FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F21: [FieldSpec; 1] = [FieldSpec { field: Field::Defer, bits: Bits::new(80, 1), values: &V_FLAG_DEFER }];
#[rustfmt::skip]
static F22: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(74, 2), values: &V_BARRED }, FieldSpec { field: Field::Defer, bits: Bits::new(80, 1), values: &V_FLAG_DEFER }];
#[rustfmt::skip]
static F23: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits([(77, 2), (80, 1), (0, 0)]), values: &V_BARBB }];
#[rustfmt::skip]
static F24: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGB }, FieldSpec { field: Field::Op, bits: Bits::new(77, 2), values: &V_BMMAOP }];
#[rustfmt::skip]
static F25: [FieldSpec; 1] = [FieldSpec { field: Field::Op, bits: Bits::new(77, 2), values: &V_BMMAOP }];
#[rustfmt::skip]
static F26: [FieldSpec; 1] = [FieldSpec { field: Field::Op, bits: Bits::new(77, 2), values: &V_BMMAOP80 }];
#[rustfmt::skip]
static F27: [FieldSpec; 1] = [FieldSpec { field: Field::Clear, bits: Bits::new(84, 1), values: &V_FLAG_CLEAR }];
#[rustfmt::skip]
static F28: [FieldSpec; 1] = [FieldSpec { field: Field::Pquad, bits: Bits::new(84, 1), values: &V_FLAG_PQUAD }];
#[rustfmt::skip]
static F29: [FieldSpec; 1] = [FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }];
#[rustfmt::skip]
static F30: [FieldSpec; 1] = [FieldSpec { field: Field::Incdec, bits: Bits::new(85, 2), values: &V_INCDEC }];
#[rustfmt::skip]
static F31: [FieldSpec; 1] = [FieldSpec { field: Field::Any, bits: Bits::new(84, 1), values: &V_ANY }];
#[rustfmt::skip]
static F32: [FieldSpec; 1] = [FieldSpec { field: Field::Noinc, bits: Bits::new(86, 1), values: &V_NOINC }];
#[rustfmt::skip]
static F33: [FieldSpec; 2] = [FieldSpec { field: Field::C, bits: Bits::new(78, 2), values: &V_CCTLC }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_CCTL0 }];
#[rustfmt::skip]
static F34: [FieldSpec; 3] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::C, bits: Bits::new(78, 2), values: &V_CCTLC }, FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_CCTL1 }];
#[rustfmt::skip]
static F35: [FieldSpec; 1] = [FieldSpec { field: Field::W, bits: Bits::new(80, 1), values: &V_CS2R }];
#[rustfmt::skip]
static F36: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F37: [FieldSpec; 1] = [FieldSpec { field: Field::Le, bits: Bits::new(47, 1), values: &V_LE }];
#[rustfmt::skip]
static F38: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(76, 2), values: &V_DMMASH }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F39: [FieldSpec; 2] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_DCMP }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F40: [FieldSpec; 2] = [FieldSpec { field: Field::Mode, bits: Bits::new(84, 2), values: &V_EXITMODE }, FieldSpec { field: Field::Noatexit, bits: Bits::new(86, 1), values: &V_NO_ATEXIT }];
#[rustfmt::skip]
static F41: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }];
#[rustfmt::skip]
static F42: [FieldSpec; 4] = [FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_F2FPSAT }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }];
#[rustfmt::skip]
static F43: [FieldSpec; 4] = [FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_F2FPSAT }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY80 }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }];
#[rustfmt::skip]
static F44: [FieldSpec; 2] = [FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }, FieldSpec { field: Field::Rnd, bits: Bits::new(79, 2), values: &V_F2FPRND }];
#[rustfmt::skip]
static F45: [FieldSpec; 3] = [FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_F2FPSAT }, FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 1), values: &V_F2FPTY8 }];
#[rustfmt::skip]
static F46: [FieldSpec; 2] = [FieldSpec { field: Field::Relu, bits: Bits::new(75, 1), values: &V_RELU }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 1), values: &V_F2FPTY8 }];
#[rustfmt::skip]
static F47: [FieldSpec; 4] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2IFMT }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F48: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2IFMT }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F49: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2IONLY64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F50: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits([(72, 1), (75, 2), (0, 0)]), values: &V_F2I64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(77, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F51: [FieldSpec; 3] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 2), values: &V_F2IPTY }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_F2IPRND }, FieldSpec { field: Field::Ntz, bits: Bits::new(74, 1), values: &V_FLAG_NTZ }];
#[rustfmt::skip]
static F52: [FieldSpec; 3] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F53: [FieldSpec; 1] = [FieldSpec { field: Field::S, bits: Bits::new(72, 1), values: &V_FENCE }];
#[rustfmt::skip]
static F54: [FieldSpec; 3] = [FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F55: [FieldSpec; 2] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::Sh, bits: Bits::new(74, 1), values: &V_FLAG_SH }];
#[rustfmt::skip]
static F56: [FieldSpec; 3] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }, FieldSpec { field: Field::Xorsign, bits: Bits::new(82, 1), values: &V_FLAG_XORSIGN }];
#[rustfmt::skip]
static F57: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }];
#[rustfmt::skip]
static F58: [FieldSpec; 4] = [FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Scale, bits: Bits::new(84, 3), values: &V_MSCALE }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F59: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }];
#[rustfmt::skip]
static F60: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_IRND }];
#[rustfmt::skip]
static F61: [FieldSpec; 1] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }];
#[rustfmt::skip]
static F62: [FieldSpec; 3] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F63: [FieldSpec; 3] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_RND }, FieldSpec { field: Field::Ndv, bits: Bits::new(77, 1), values: &V_FLAG_NDV }];
#[rustfmt::skip]
static F64: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F65: [FieldSpec; 2] = [FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F66: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F67: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }];
#[rustfmt::skip]
static F68: [FieldSpec; 2] = [FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }, FieldSpec { field: Field::Sat, bits: Bits::new(77, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F69: [FieldSpec; 1] = [FieldSpec { field: Field::Fmz, bits: Bits([(76, 1), (80, 1), (0, 0)]), values: &V_FMZ }];
#[rustfmt::skip]
static F70: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGM32 }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 2), values: &V_WGTY }];
#[rustfmt::skip]
static F71: [FieldSpec; 1] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGM16 }];
#[rustfmt::skip]
static F72: [FieldSpec; 2] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGS32 }, FieldSpec { field: Field::Ty, bits: Bits::new(76, 2), values: &V_WGTY }];
#[rustfmt::skip]
static F73: [FieldSpec; 1] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 7), values: &V_WGS16 }];
#[rustfmt::skip]
static F74: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(82, 1), values: &V_HMMATY }];
#[rustfmt::skip]
static F75: [FieldSpec; 2] = [FieldSpec { field: Field::Ty, bits: Bits::new(82, 1), values: &V_HMMATY }, FieldSpec { field: Field::Rx, bits: Bits::new(50, 1), values: &V_FLAG_RX }];
#[rustfmt::skip]
static F76: [FieldSpec; 1] = [FieldSpec { field: Field::Rx, bits: Bits::new(50, 1), values: &V_FLAG_RX }];
#[rustfmt::skip]
static F77: [FieldSpec; 4] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }, FieldSpec { field: Field::Xorsign, bits: Bits::new(82, 1), values: &V_FLAG_XORSIGN }];
#[rustfmt::skip]
static F78: [FieldSpec; 3] = [FieldSpec { field: Field::Fmt, bits: Bits([(78, 1), (85, 1), (0, 0)]), values: &V_H2FMT2 }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Nan, bits: Bits::new(81, 1), values: &V_FLAG_NAN }];
#[rustfmt::skip]
static F79: [FieldSpec; 5] = [FieldSpec { field: Field::Fmt, bits: Bits::new(64, 2), values: &V_HSETFMT }, FieldSpec { field: Field::Bf, bits: Bits::new(71, 1), values: &V_FLAG_BF }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F80: [FieldSpec; 4] = [FieldSpec { field: Field::Bf, bits: Bits::new(71, 1), values: &V_FLAG_BF }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F81: [FieldSpec; 5] = [FieldSpec { field: Field::Fmt, bits: Bits::new(64, 2), values: &V_HSETFMT }, FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Hand, bits: Bits::new(71, 1), values: &V_H_AND }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F82: [FieldSpec; 4] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 4), values: &V_FCMP }, FieldSpec { field: Field::Hand, bits: Bits::new(71, 1), values: &V_H_AND }, FieldSpec { field: Field::Ftz, bits: Bits::new(80, 1), values: &V_FLAG_FTZ }, FieldSpec { field: Field::Bool, bits: Bits::new(69, 2), values: &V_BOOL }];
#[rustfmt::skip]
static F83: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_SGN }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F84: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST80 }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_SGN }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F85: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F8 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F86: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F16 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F87: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST80 }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F8 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F88: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST80 }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F16 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F89: [FieldSpec; 2] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F90: [FieldSpec; 2] = [FieldSpec { field: Field::Dst, bits: Bits::new(75, 3), values: &V_I2FDST80 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F91: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(84, 1), (74, 1), (0, 0)]), values: &V_I2FBIG }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F92: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F8 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F93: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_I2F16 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F94: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F95: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(84, 1), (85, 1), (74, 1)]), values: &V_I2FS64 }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FRND }];
#[rustfmt::skip]
static F96: [FieldSpec; 2] = [FieldSpec { field: Field::Src, bits: Bits([(74, 1), (84, 2), (0, 0)]), values: &V_I2FPSRC }, FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FPRND }];
#[rustfmt::skip]
static F97: [FieldSpec; 1] = [FieldSpec { field: Field::Rnd, bits: Bits::new(78, 2), values: &V_I2FPRND }];
#[rustfmt::skip]
static F98: [FieldSpec; 1] = [FieldSpec { field: Field::Dst, bits: Bits::new(76, 2), values: &V_I2IDST }];
#[rustfmt::skip]
static F99: [FieldSpec; 2] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTY }, FieldSpec { field: Field::Sat, bits: Bits::new(74, 2), values: &V_I2ISAT }];
#[rustfmt::skip]
static F100: [FieldSpec; 2] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTWO }, FieldSpec { field: Field::Sat, bits: Bits::new(74, 2), values: &V_I2ISAT }];
#[rustfmt::skip]
static F101: [FieldSpec; 2] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPFOUR }, FieldSpec { field: Field::Sat, bits: Bits::new(74, 2), values: &V_I2ISAT }];
#[rustfmt::skip]
static F102: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTY }];
#[rustfmt::skip]
static F103: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPTWO }];
#[rustfmt::skip]
static F104: [FieldSpec; 1] = [FieldSpec { field: Field::Ty, bits: Bits::new(76, 3), values: &V_I2IPFOUR }];
#[rustfmt::skip]
static F105: [FieldSpec; 1] = [FieldSpec { field: Field::X, bits: Bits::new(74, 1), values: &V_FLAG_X }];
#[rustfmt::skip]
static F106: [FieldSpec; 2] = [FieldSpec { field: Field::Mode, bits: Bits([(73, 1), (76, 2), (0, 0)]), values: &V_IDP }, FieldSpec { field: Field::B, bits: Bits::new(74, 1), values: &V_US8 }];
#[rustfmt::skip]
static F107: [FieldSpec; 4] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGI }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_IMMATY }, FieldSpec { field: Field::B, bits: Bits::new(82, 1), values: &V_IMMATY }, FieldSpec { field: Field::Sat, bits: Bits::new(75, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F108: [FieldSpec; 4] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGIS }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_IMMATY }, FieldSpec { field: Field::B, bits: Bits::new(82, 1), values: &V_IMMATY }, FieldSpec { field: Field::Sat, bits: Bits::new(75, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F109: [FieldSpec; 2] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::X, bits: Bits::new(74, 1), values: &V_FLAG_X }];
#[rustfmt::skip]
static F110: [FieldSpec; 3] = [FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_IMMATY }, FieldSpec { field: Field::B, bits: Bits::new(78, 1), values: &V_IMMATY }, FieldSpec { field: Field::Sat, bits: Bits::new(82, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F111: [FieldSpec; 3] = [FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_IMMATY4 }, FieldSpec { field: Field::B, bits: Bits::new(78, 1), values: &V_IMMATY4 }, FieldSpec { field: Field::Sat, bits: Bits::new(82, 1), values: &V_FLAG_SAT }];
#[rustfmt::skip]
static F112: [FieldSpec; 1] = [FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }];
#[rustfmt::skip]
static F113: [FieldSpec; 4] = [FieldSpec { field: Field::Cmp, bits: Bits::new(76, 3), values: &V_ICMP }, FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }, FieldSpec { field: Field::Bool, bits: Bits::new(74, 2), values: &V_BOOL }, FieldSpec { field: Field::Ex, bits: Bits::new(72, 1), values: &V_FLAG_EX }];
#[rustfmt::skip]
static F114: [FieldSpec; 5] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ltc, bits: Bits::new(68, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }];
#[rustfmt::skip]
static F115: [FieldSpec; 4] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ltc, bits: Bits::new(68, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }];
#[rustfmt::skip]
static F116: [FieldSpec; 2] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_LDCSZ }, FieldSpec { field: Field::Mode, bits: Bits::new(78, 2), values: &V_LDCMODE }];
#[rustfmt::skip]
static F117: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_MREDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_MCTY }];
#[rustfmt::skip]
static F118: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(88, 2), values: &V_FMREDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_MCFTY }];
#[rustfmt::skip]
static F119: [FieldSpec; 5] = [FieldSpec { field: Field::Bypass, bits: Bits::new(81, 1), values: &V_BYPASS }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ltc, bits: Bits::new(71, 2), values: &V_LTC }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_CPSZ }, FieldSpec { field: Field::Zfill, bits: Bits::new(82, 1), values: &V_FLAG_ZFILL }];
#[rustfmt::skip]
static F120: [FieldSpec; 2] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }];
#[rustfmt::skip]
static F121: [FieldSpec; 2] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Xs, bits: Bits::new(78, 2), values: &V_XSCALE }];
#[rustfmt::skip]
static F122: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits::new(78, 2), values: &V_LDSMF }, FieldSpec { field: Field::N, bits: Bits::new(72, 2), values: &V_LDSMN }];
#[rustfmt::skip]
static F123: [FieldSpec; 1] = [FieldSpec { field: Field::Pand, bits: Bits::new(80, 1), values: &V_FLAG_PAND }];
#[rustfmt::skip]
static F124: [FieldSpec; 1] = [FieldSpec { field: Field::U64, bits: Bits::new(73, 1), values: &V_FLAG_U64 }];
#[rustfmt::skip]
static F125: [FieldSpec; 2] = [FieldSpec { field: Field::Sem, bits: Bits::new(79, 2), values: &V_MEMBARSC }, FieldSpec { field: Field::Scope, bits: Bits::new(76, 3), values: &V_MEMBARSCOPE }];
#[rustfmt::skip]
static F126: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU32 }];
#[rustfmt::skip]
static F127: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU16 }];
#[rustfmt::skip]
static F128: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU80 }];
#[rustfmt::skip]
static F129: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU32S }];
#[rustfmt::skip]
static F130: [FieldSpec; 1] = [FieldSpec { field: Field::Fn, bits: Bits::new(72, 6), values: &V_MUFU64 }];
#[rustfmt::skip]
static F131: [FieldSpec; 3] = [FieldSpec { field: Field::Rand, bits: Bits::new(86, 1), values: &V_FLAG_RAND }, FieldSpec { field: Field::Warp, bits: Bits::new(85, 1), values: &V_FLAG_WARP }, FieldSpec { field: Field::Syncs, bits: Bits::new(84, 1), values: &V_FLAG_SYNCS }];
#[rustfmt::skip]
static F132: [FieldSpec; 2] = [FieldSpec { field: Field::Rand, bits: Bits::new(86, 1), values: &V_FLAG_RAND }, FieldSpec { field: Field::Warp, bits: Bits::new(85, 1), values: &V_FLAG_WARP }];
#[rustfmt::skip]
static F133: [FieldSpec; 1] = [FieldSpec { field: Field::B, bits: Bits::new(76, 2), values: &V_BYTE }];
#[rustfmt::skip]
static F134: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(72, 3), values: &V_PRMT }];
#[rustfmt::skip]
static F135: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQ32 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F136: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQ16 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F137: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQS32 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F138: [FieldSpec; 3] = [FieldSpec { field: Field::Sh, bits: Bits::new(53, 6), values: &V_WGQS16 }, FieldSpec { field: Field::A, bits: Bits::new(76, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(77, 1), values: &V_E8 }];
#[rustfmt::skip]
static F139: [FieldSpec; 2] = [FieldSpec { field: Field::A, bits: Bits::new(78, 1), values: &V_E8 }, FieldSpec { field: Field::B, bits: Bits::new(79, 1), values: &V_E8 }];
#[rustfmt::skip]
static F140: [FieldSpec; 2] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Space, bits: Bits::new(73, 2), values: &V_QSPC }];
#[rustfmt::skip]
static F141: [FieldSpec; 1] = [FieldSpec { field: Field::Space, bits: Bits::new(73, 2), values: &V_QSPC }];
#[rustfmt::skip]
static F142: [FieldSpec; 1] = [FieldSpec { field: Field::Space, bits: Bits::new(73, 2), values: &V_QSPC80 }];
#[rustfmt::skip]
static F143: [FieldSpec; 2] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Space, bits: Bits::new(73, 2), values: &V_QSPC80 }];
#[rustfmt::skip]
static F144: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 4), values: &V_ATOMTY80 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F145: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 4), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTYS }];
#[rustfmt::skip]
static F146: [FieldSpec; 4] = [FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_ATOMTY64 }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F147: [FieldSpec; 2] = [FieldSpec { field: Field::Op, bits: Bits::new(78, 3), values: &V_REDUX }, FieldSpec { field: Field::S32, bits: Bits::new(73, 1), values: &V_FLAG_S32 }];
#[rustfmt::skip]
static F148: [FieldSpec; 1] = [FieldSpec { field: Field::Nodec, bits: Bits::new(86, 1), values: &V_FLAG_NODEC }];
#[rustfmt::skip]
static F149: [FieldSpec; 2] = [FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }, FieldSpec { field: Field::U32, bits: Bits::new(73, 1), values: &V_SGN }];
#[rustfmt::skip]
static F150: [FieldSpec; 4] = [FieldSpec { field: Field::Dir, bits: Bits::new(76, 1), values: &V_SHFDIR }, FieldSpec { field: Field::W, bits: Bits::new(75, 1), values: &V_FLAG_W }, FieldSpec { field: Field::Type, bits: Bits::new(73, 2), values: &V_SHFTYPE }, FieldSpec { field: Field::Hi, bits: Bits::new(80, 1), values: &V_FLAG_HI }];
#[rustfmt::skip]
static F151: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(58, 2), values: &V_SHFL }];
#[rustfmt::skip]
static F152: [FieldSpec; 4] = [FieldSpec { field: Field::E, bits: Bits::new(72, 1), values: &V_FLAG_E }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F153: [FieldSpec; 3] = [FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }];
#[rustfmt::skip]
static F154: [FieldSpec; 1] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_CPSZ }];
#[rustfmt::skip]
static F155: [FieldSpec; 2] = [FieldSpec { field: Field::Fmt, bits: Bits::new(78, 1), values: &V_STSMF }, FieldSpec { field: Field::N, bits: Bits::new(72, 2), values: &V_LDSMN }];
#[rustfmt::skip]
static F156: [FieldSpec; 6] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_LDSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F157: [FieldSpec; 7] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ty, bits: Bits::new(73, 3), values: &V_SUTY }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F158: [FieldSpec; 6] = [FieldSpec { field: Field::Ba, bits: Bits::new(72, 1), values: &V_FLAG_BA }, FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_SZ }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F159: [FieldSpec; 5] = [FieldSpec { field: Field::Dim, bits: Bits::new(61, 3), values: &V_SUDIM }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Sem, bits: Bits::new(77, 4), values: &V_STSEM }, FieldSpec { field: Field::Rgba, bits: Bits::new(72, 4), values: &V_SURGBA }, FieldSpec { field: Field::Clamp, bits: Bits::new(59, 2), values: &V_SUCLAMP }];
#[rustfmt::skip]
static F160: [FieldSpec; 1] = [FieldSpec { field: Field::Trywait, bits: Bits::new(72, 1), values: &V_FLAG_TRYWAIT }];
#[rustfmt::skip]
static F161: [FieldSpec; 3] = [FieldSpec { field: Field::M, bits: Bits::new(73, 2), values: &V_SYNCSM }, FieldSpec { field: Field::Optout, bits: Bits::new(75, 1), values: &V_FLAG_OPTOUT }, FieldSpec { field: Field::A, bits: Bits::new(84, 3), values: &V_SYNCSA }];
#[rustfmt::skip]
static F162: [FieldSpec; 8] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Lod, bits: Bits::new(87, 3), values: &V_TEXLOD }, FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Dc, bits: Bits::new(78, 1), values: &V_FLAG_DC }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ndv, bits: Bits::new(77, 1), values: &V_FLAG_NDV }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F163: [FieldSpec; 8] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Lod, bits: Bits::new(87, 3), values: &V_TLDLOD }, FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Ms, bits: Bits::new(78, 1), values: &V_FLAG_MS }, FieldSpec { field: Field::Cl, bits: Bits::new(77, 1), values: &V_FLAG_CL }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F164: [FieldSpec; 7] = [FieldSpec { field: Field::Scr, bits: Bits::new(60, 1), values: &V_FLAG_SCR }, FieldSpec { field: Field::C, bits: Bits::new(87, 2), values: &V_TLD4C }, FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::O, bits: Bits::new(76, 2), values: &V_TLD4O }, FieldSpec { field: Field::Dc, bits: Bits::new(78, 1), values: &V_FLAG_DC }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F165: [FieldSpec; 5] = [FieldSpec { field: Field::F16, bits: Bits::new(79, 2), values: &V_TEXF16 }, FieldSpec { field: Field::Lc, bits: Bits::new(87, 1), values: &V_FLAG_LC }, FieldSpec { field: Field::Aoffi, bits: Bits::new(76, 1), values: &V_FLAG_AOFFI }, FieldSpec { field: Field::Cache, bits: Bits::new(84, 3), values: &V_CACHE }, FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F166: [FieldSpec; 1] = [FieldSpec { field: Field::Nodep, bits: Bits::new(90, 1), values: &V_FLAG_NODEP }];
#[rustfmt::skip]
static F167: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(73, 1), values: &V_GS }, FieldSpec { field: Field::Src, bits: Bits::new(74, 1), values: &V_GS }, FieldSpec { field: Field::Mc, bits: Bits::new(75, 1), values: &V_MCAST }];
#[rustfmt::skip]
static F168: [FieldSpec; 3] = [FieldSpec { field: Field::Dst, bits: Bits::new(73, 1), values: &V_GS }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }, FieldSpec { field: Field::Ty, bits: Bits::new(81, 4), values: &V_REDTY }];
#[rustfmt::skip]
static F169: [FieldSpec; 1] = [FieldSpec { field: Field::Sz, bits: Bits::new(73, 3), values: &V_LDCSZ }];
#[rustfmt::skip]
static F170: [FieldSpec; 1] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }];
#[rustfmt::skip]
static F171: [FieldSpec; 3] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }, FieldSpec { field: Field::Mc, bits: Bits::new(75, 1), values: &V_MCAST }];
#[rustfmt::skip]
static F172: [FieldSpec; 3] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }, FieldSpec { field: Field::Op, bits: Bits::new(87, 3), values: &V_REDOP }];
#[rustfmt::skip]
static F173: [FieldSpec; 2] = [FieldSpec { field: Field::Dim, bits: Bits::new(79, 3), values: &V_TMADIM }, FieldSpec { field: Field::Im2col, bits: Bits::new(82, 1), values: &V_IM2COL }];
#[rustfmt::skip]
static F174: [FieldSpec; 2] = [FieldSpec { field: Field::U8, bits: Bits::new(73, 1), values: &V_VABS4 }, FieldSpec { field: Field::Acc, bits: Bits::new(75, 1), values: &V_FLAG_ACC }];
#[rustfmt::skip]
static F175: [FieldSpec; 1] = [FieldSpec { field: Field::F16x2, bits: Bits::new(73, 1), values: &V_V16X2 }];
#[rustfmt::skip]
static F176: [FieldSpec; 2] = [FieldSpec { field: Field::Type, bits: Bits::new(72, 2), values: &V_MINMAX3 }, FieldSpec { field: Field::Relu, bits: Bits::new(76, 1), values: &V_RELU }];
#[rustfmt::skip]
static F177: [FieldSpec; 1] = [FieldSpec { field: Field::Op, bits: Bits::new(72, 2), values: &V_VOTE }];
#[rustfmt::skip]
static F178: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(85, 2), values: &V_WSYNC80 }];
#[rustfmt::skip]
static F179: [FieldSpec; 1] = [FieldSpec { field: Field::Mode, bits: Bits::new(85, 1), values: &V_WSYNCX }];
#[rustfmt::skip]
static P0: [Part; 0] = [];
#[rustfmt::skip]
static P1: [Part; 3] = [Part::Fixed(Mod::Ldgstsbar), Part::Fixed(Mod::N64), Part::Field(0)];
#[rustfmt::skip]
static P2: [Part; 2] = [Part::Fixed(Mod::Ldgstsbar), Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P3: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P4: [Part; 5] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P5: [Part; 5] = [Part::Field(0), Part::Fixed(Mod::Cas), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P6: [Part; 2] = [Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P7: [Part; 3] = [Part::Fixed(Mod::Popc), Part::Fixed(Mod::Inc), Part::Fixed(Mod::N32)];
#[rustfmt::skip]
static P8: [Part; 2] = [Part::Fixed(Mod::Arrive), Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P9: [Part; 1] = [Part::Fixed(Mod::Result)];
#[rustfmt::skip]
static P10: [Part; 1] = [Part::Fixed(Mod::Warp)];
#[rustfmt::skip]
static P11: [Part; 2] = [Part::Fixed(Mod::Sync), Part::Field(0)];
#[rustfmt::skip]
static P12: [Part; 1] = [Part::Fixed(Mod::Arv)];
#[rustfmt::skip]
static P13: [Part; 3] = [Part::Fixed(Mod::Red), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P14: [Part; 1] = [Part::Field(0)];
#[rustfmt::skip]
static P15: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::Popc)];
#[rustfmt::skip]
static P16: [Part; 3] = [Part::Fixed(Mod::N88128), Part::Field(0), Part::Fixed(Mod::Popc)];
#[rustfmt::skip]
static P17: [Part; 3] = [Part::Fixed(Mod::N168128), Part::Field(0), Part::Fixed(Mod::Popc)];
#[rustfmt::skip]
static P18: [Part; 3] = [Part::Fixed(Mod::N168256), Part::Field(0), Part::Fixed(Mod::Popc)];
#[rustfmt::skip]
static P19: [Part; 2] = [Part::Fixed(Mod::N32), Part::Field(0)];
#[rustfmt::skip]
static P20: [Part; 1] = [Part::Fixed(Mod::N32)];
#[rustfmt::skip]
static P21: [Part; 1] = [Part::Fixed(Mod::Trap)];
#[rustfmt::skip]
static P22: [Part; 2] = [Part::Fixed(Mod::U), Part::Field(0)];
#[rustfmt::skip]
static P23: [Part; 1] = [Part::Fixed(Mod::U)];
#[rustfmt::skip]
static P24: [Part; 1] = [Part::Fixed(Mod::Conv)];
#[rustfmt::skip]
static P25: [Part; 1] = [Part::Fixed(Mod::Div)];
#[rustfmt::skip]
static P26: [Part; 2] = [Part::Fixed(Mod::Rel), Part::Field(0)];
#[rustfmt::skip]
static P27: [Part; 2] = [Part::Fixed(Mod::Abs), Part::Field(0)];
#[rustfmt::skip]
static P28: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P29: [Part; 1] = [Part::Fixed(Mod::Pf1)];
#[rustfmt::skip]
static P30: [Part; 2] = [Part::Fixed(Mod::N884), Part::Field(0)];
#[rustfmt::skip]
static P31: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P32: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::Bf16), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P33: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::Bf16), Part::Fixed(Mod::F16), Part::Field(1)];
#[rustfmt::skip]
static P34: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Fixed(Mod::Bf16), Part::Field(1)];
#[rustfmt::skip]
static P35: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Fixed(Mod::Bf16), Part::Field(1)];
#[rustfmt::skip]
static P36: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F64), Part::Fixed(Mod::Bf16), Part::Field(1)];
#[rustfmt::skip]
static P37: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::Bf16), Part::Fixed(Mod::F64), Part::Field(1)];
#[rustfmt::skip]
static P38: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F64), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P39: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Fixed(Mod::F64), Part::Field(1)];
#[rustfmt::skip]
static P40: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F64), Part::Fixed(Mod::F16), Part::Field(1)];
#[rustfmt::skip]
static P41: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Fixed(Mod::F64), Part::Field(1)];
#[rustfmt::skip]
static P42: [Part; 6] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Fixed(Mod::F32), Part::Fixed(Mod::PackAb), Part::Field(3)];
#[rustfmt::skip]
static P43: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Fixed(Mod::PackAb), Part::Field(3)];
#[rustfmt::skip]
static P44: [Part; 6] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Fixed(Mod::F32), Part::Fixed(Mod::MergeC), Part::Field(3)];
#[rustfmt::skip]
static P45: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Fixed(Mod::MergeC), Part::Field(3)];
#[rustfmt::skip]
static P46: [Part; 5] = [Part::Field(0), Part::Fixed(Mod::Tf32), Part::Fixed(Mod::F32), Part::Fixed(Mod::PackB), Part::Field(1)];
#[rustfmt::skip]
static P47: [Part; 5] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Fixed(Mod::F32), Part::Fixed(Mod::PackAbMergeC)];
#[rustfmt::skip]
static P48: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Field(1), Part::Fixed(Mod::UnpackB)];
#[rustfmt::skip]
static P49: [Part; 4] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P50: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P51: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::Bf16), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P52: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F64), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P53: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P54: [Part; 3] = [Part::Fixed(Mod::View), Part::Fixed(Mod::Async), Part::Field(0)];
#[rustfmt::skip]
static P55: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::F16), Part::Field(1)];
#[rustfmt::skip]
static P56: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::Bf16), Part::Field(1)];
#[rustfmt::skip]
static P57: [Part; 2] = [Part::Fixed(Mod::F64), Part::Field(0)];
#[rustfmt::skip]
static P58: [Part; 4] = [Part::Fixed(Mod::Bf), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P59: [Part; 3] = [Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P60: [Part; 3] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::Relu)];
#[rustfmt::skip]
static P61: [Part; 4] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P62: [Part; 3] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P63: [Part; 4] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Field(1), Part::Fixed(Mod::Relu)];
#[rustfmt::skip]
static P64: [Part; 3] = [Part::Fixed(Mod::Mma), Part::Field(0), Part::Fixed(Mod::Relu)];
#[rustfmt::skip]
static P65: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P66: [Part; 2] = [Part::Field(0), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P67: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1)];
#[rustfmt::skip]
static P68: [Part; 3] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P69: [Part; 3] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P70: [Part; 3] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P71: [Part; 2] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P72: [Part; 2] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P73: [Part; 3] = [Part::Fixed(Mod::N1688), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P74: [Part; 3] = [Part::Fixed(Mod::N1684), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P75: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16816), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P76: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16832), Part::Fixed(Mod::F32), Part::Field(0)];
#[rustfmt::skip]
static P77: [Part; 3] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16816), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P78: [Part; 3] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16832), Part::Fixed(Mod::F16)];
#[rustfmt::skip]
static P79: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N1688), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P80: [Part; 4] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16816), Part::Fixed(Mod::F32), Part::Fixed(Mod::Tf32)];
#[rustfmt::skip]
static P81: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::U32), Part::Field(1)];
#[rustfmt::skip]
static P82: [Part; 3] = [Part::Fixed(Mod::F64), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P83: [Part; 3] = [Part::Fixed(Mod::F64), Part::Fixed(Mod::U32), Part::Field(0)];
#[rustfmt::skip]
static P84: [Part; 3] = [Part::Fixed(Mod::Bf16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P85: [Part; 3] = [Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P86: [Part; 3] = [Part::Fixed(Mod::F32), Part::Fixed(Mod::U32), Part::Field(0)];
#[rustfmt::skip]
static P87: [Part; 3] = [Part::Fixed(Mod::F32), Part::Fixed(Mod::S32), Part::Field(0)];
#[rustfmt::skip]
static P88: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::S32), Part::Fixed(Mod::Sat)];
#[rustfmt::skip]
static P89: [Part; 3] = [Part::Field(0), Part::Fixed(Mod::S32), Part::Field(1)];
#[rustfmt::skip]
static P90: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3)];
#[rustfmt::skip]
static P91: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsZero(2)], Mod::Mov)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P92: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsZero(2)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsOne(2), Cond::IsZero(3)], Mod::Mov), (&[Cond::Field(1, 0), Cond::IsOne(2)], Mod::Iadd), (&[Cond::Field(1, 0), Cond::IsPowerOfTwo(2), Cond::IsZero(3)], Mod::Shl)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P93: [Part; 3] = [Part::Alias(&[(&[Cond::Field(1, 0), Cond::IsZero(1)], Mod::Mov)]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P94: [Part; 3] = [Part::Alias(&[]), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P95: [Part; 3] = [Part::Fixed(Mod::Wide), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P96: [Part; 3] = [Part::Fixed(Mod::Hi), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P97: [Part; 4] = [Part::Fixed(Mod::N8816), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P98: [Part; 4] = [Part::Fixed(Mod::N16816), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P99: [Part; 4] = [Part::Fixed(Mod::N16832), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P100: [Part; 4] = [Part::Fixed(Mod::N8832), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P101: [Part; 4] = [Part::Fixed(Mod::N16864), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P102: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16832), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P103: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16864), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P104: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N168128), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P105: [Part; 5] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Fixed(Mod::Strong), Part::Fixed(Mod::Sys)];
#[rustfmt::skip]
static P106: [Part; 6] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P107: [Part; 3] = [Part::Fixed(Mod::N16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P108: [Part; 2] = [Part::Fixed(Mod::Hi), Part::Field(0)];
#[rustfmt::skip]
static P109: [Part; 3] = [Part::Fixed(Mod::Hi), Part::Field(0), Part::Fixed(Mod::Sx32)];
#[rustfmt::skip]
static P110: [Part; 2] = [Part::Fixed(Mod::Lut), Part::Field(0)];
#[rustfmt::skip]
static P111: [Part; 2] = [Part::Fixed(Mod::Any), Part::Field(0)];
#[rustfmt::skip]
static P112: [Part; 2] = [Part::Fixed(Mod::All), Part::Field(0)];
#[rustfmt::skip]
static P113: [Part; 2] = [Part::Fixed(Mod::N16), Part::Fixed(Mod::Mt88)];
#[rustfmt::skip]
static P114: [Part; 1] = [Part::Fixed(Mod::Lut)];
#[rustfmt::skip]
static P115: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F32), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P116: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Field(0), Part::Fixed(Mod::F16), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P117: [Part; 4] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P118: [Part; 4] = [Part::Fixed(Mod::N16832), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P119: [Part; 4] = [Part::Fixed(Mod::N16816), Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P120: [Part; 4] = [Part::Fixed(Mod::N16832), Part::Fixed(Mod::F16), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P121: [Part; 5] = [Part::Fixed(Mod::Sp), Part::Fixed(Mod::N16864), Part::Fixed(Mod::F32), Part::Field(0), Part::Field(1)];
#[rustfmt::skip]
static P122: [Part; 2] = [Part::Fixed(Mod::E), Part::Field(0)];
#[rustfmt::skip]
static P123: [Part; 1] = [Part::Fixed(Mod::Or)];
#[rustfmt::skip]
static P124: [Part; 4] = [Part::Fixed(Mod::E), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P125: [Part; 7] = [Part::Fixed(Mod::D), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5)];
#[rustfmt::skip]
static P126: [Part; 8] = [Part::Fixed(Mod::D), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P127: [Part; 6] = [Part::Fixed(Mod::P), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P128: [Part; 3] = [Part::Fixed(Mod::Phasechk), Part::Fixed(Mod::Trans64), Part::Field(0)];
#[rustfmt::skip]
static P129: [Part; 5] = [Part::Fixed(Mod::Arrive), Part::Fixed(Mod::Trans64), Part::Field(0), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P130: [Part; 2] = [Part::Fixed(Mod::Exch), Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P131: [Part; 2] = [Part::Fixed(Mod::Cctl), Part::Fixed(Mod::Iv)];
#[rustfmt::skip]
static P132: [Part; 8] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6), Part::Field(7)];
#[rustfmt::skip]
static P133: [Part; 9] = [Part::Field(0), Part::Fixed(Mod::B), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6), Part::Field(7)];
#[rustfmt::skip]
static P134: [Part; 7] = [Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P135: [Part; 8] = [Part::Field(0), Part::Field(1), Part::Fixed(Mod::B), Part::Field(2), Part::Field(3), Part::Field(4), Part::Field(5), Part::Field(6)];
#[rustfmt::skip]
static P136: [Part; 6] = [Part::Fixed(Mod::B), Part::Field(0), Part::Field(1), Part::Field(2), Part::Field(3), Part::Field(4)];
#[rustfmt::skip]
static P137: [Part; 2] = [Part::Fixed(Mod::B), Part::Field(0)];
#[rustfmt::skip]
static P138: [Part; 1] = [Part::Fixed(Mod::L2)];
#[rustfmt::skip]
static P139: [Part; 4] = [Part::Field(0), Part::Fixed(Mod::S), Part::Field(1), Part::Field(2)];
#[rustfmt::skip]
static P140: [Part; 1] = [Part::Fixed(Mod::N64)];
#[rustfmt::skip]
static P141: [Part; 2] = [Part::Fixed(Mod::Dealloc), Part::Fixed(Mod::Ctapool)];
#[rustfmt::skip]
static P142: [Part; 2] = [Part::Fixed(Mod::TryAlloc), Part::Fixed(Mod::Ctapool)];
#[rustfmt::skip]
static P143: [Part; 1] = [Part::Fixed(Mod::Pf)];
#[rustfmt::skip]
static P144: [Part; 1] = [Part::Fixed(Mod::Iv)];
#[rustfmt::skip]
static P145: [Part; 2] = [Part::Fixed(Mod::L2), Part::Field(0)];
#[rustfmt::skip]
static P146: [Part; 3] = [Part::Fixed(Mod::L2), Part::Field(0), Part::Fixed(Mod::Im2col)];
#[rustfmt::skip]
static P147: [Part; 1] = [Part::Fixed(Mod::Arrive)];
#[rustfmt::skip]
static P148: [Part; 2] = [Part::Fixed(Mod::Depbar), Part::Fixed(Mod::Le)];
#[rustfmt::skip]
static P149: [Part; 1] = [Part::Fixed(Mod::All)];
#[rustfmt::skip]
static P150: [Part; 2] = [Part::Fixed(Mod::Collective), Part::Fixed(Mod::All)];
#[rustfmt::skip]
static P151: [Part; 1] = [Part::Fixed(Mod::Collective)];
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
static X6: [Mod; 1] = [Mod::Result];
#[rustfmt::skip]
static X7: [Mod; 1] = [Mod::Warp];
#[rustfmt::skip]
static X8: [Mod; 1] = [Mod::Sync];
#[rustfmt::skip]
static X9: [Mod; 1] = [Mod::Arv];
#[rustfmt::skip]
static X10: [Mod; 1] = [Mod::Red];
#[rustfmt::skip]
static X11: [Mod; 1] = [Mod::Popc];
#[rustfmt::skip]
static X12: [Mod; 2] = [Mod::N88128, Mod::Popc];
#[rustfmt::skip]
static X13: [Mod; 2] = [Mod::N168128, Mod::Popc];
#[rustfmt::skip]
static X14: [Mod; 2] = [Mod::N168256, Mod::Popc];
#[rustfmt::skip]
static X15: [Mod; 1] = [Mod::N32];
#[rustfmt::skip]
static X16: [Mod; 1] = [Mod::Trap];
#[rustfmt::skip]
static X17: [Mod; 1] = [Mod::U];
#[rustfmt::skip]
static X18: [Mod; 1] = [Mod::Conv];
#[rustfmt::skip]
static X19: [Mod; 1] = [Mod::Div];
#[rustfmt::skip]
static X20: [Mod; 1] = [Mod::Rel];
#[rustfmt::skip]
static X21: [Mod; 1] = [Mod::Abs];
#[rustfmt::skip]
static X22: [Mod; 1] = [Mod::Pf1];
#[rustfmt::skip]
static X23: [Mod; 1] = [Mod::N884];
#[rustfmt::skip]
static X24: [Mod; 2] = [Mod::F16, Mod::F32];
#[rustfmt::skip]
static X25: [Mod; 2] = [Mod::Bf16, Mod::F32];
#[rustfmt::skip]
static X26: [Mod; 2] = [Mod::Bf16, Mod::F16];
#[rustfmt::skip]
static X27: [Mod; 2] = [Mod::F16, Mod::Bf16];
#[rustfmt::skip]
static X28: [Mod; 2] = [Mod::F32, Mod::Bf16];
#[rustfmt::skip]
static X29: [Mod; 2] = [Mod::F64, Mod::Bf16];
#[rustfmt::skip]
static X30: [Mod; 2] = [Mod::Bf16, Mod::F64];
#[rustfmt::skip]
static X31: [Mod; 2] = [Mod::F64, Mod::F32];
#[rustfmt::skip]
static X32: [Mod; 2] = [Mod::F32, Mod::F64];
#[rustfmt::skip]
static X33: [Mod; 2] = [Mod::F64, Mod::F16];
#[rustfmt::skip]
static X34: [Mod; 2] = [Mod::F16, Mod::F64];
#[rustfmt::skip]
static X35: [Mod; 2] = [Mod::F32, Mod::PackAb];
#[rustfmt::skip]
static X36: [Mod; 1] = [Mod::PackAb];
#[rustfmt::skip]
static X37: [Mod; 2] = [Mod::F32, Mod::MergeC];
#[rustfmt::skip]
static X38: [Mod; 1] = [Mod::MergeC];
#[rustfmt::skip]
static X39: [Mod; 3] = [Mod::Tf32, Mod::F32, Mod::PackB];
#[rustfmt::skip]
static X40: [Mod; 2] = [Mod::F32, Mod::PackAbMergeC];
#[rustfmt::skip]
static X41: [Mod; 2] = [Mod::F16, Mod::UnpackB];
#[rustfmt::skip]
static X42: [Mod; 1] = [Mod::F16];
#[rustfmt::skip]
static X43: [Mod; 1] = [Mod::Bf16];
#[rustfmt::skip]
static X44: [Mod; 1] = [Mod::F64];
#[rustfmt::skip]
static X45: [Mod; 1] = [Mod::F32];
#[rustfmt::skip]
static X46: [Mod; 2] = [Mod::View, Mod::Async];
#[rustfmt::skip]
static X47: [Mod; 1] = [Mod::Bf];
#[rustfmt::skip]
static X48: [Mod; 1] = [Mod::Relu];
#[rustfmt::skip]
static X49: [Mod; 1] = [Mod::Mma];
#[rustfmt::skip]
static X50: [Mod; 2] = [Mod::Mma, Mod::Relu];
#[rustfmt::skip]
static X51: [Mod; 2] = [Mod::Sp, Mod::F32];
#[rustfmt::skip]
static X52: [Mod; 2] = [Mod::Sp, Mod::F16];
#[rustfmt::skip]
static X53: [Mod; 2] = [Mod::N1688, Mod::F32];
#[rustfmt::skip]
static X54: [Mod; 2] = [Mod::N16816, Mod::F32];
#[rustfmt::skip]
static X55: [Mod; 2] = [Mod::N1688, Mod::F16];
#[rustfmt::skip]
static X56: [Mod; 2] = [Mod::N16816, Mod::F16];
#[rustfmt::skip]
static X57: [Mod; 3] = [Mod::N1688, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X58: [Mod; 3] = [Mod::N1684, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X59: [Mod; 3] = [Mod::Sp, Mod::N16816, Mod::F32];
#[rustfmt::skip]
static X60: [Mod; 3] = [Mod::Sp, Mod::N16832, Mod::F32];
#[rustfmt::skip]
static X61: [Mod; 3] = [Mod::Sp, Mod::N16816, Mod::F16];
#[rustfmt::skip]
static X62: [Mod; 3] = [Mod::Sp, Mod::N16832, Mod::F16];
#[rustfmt::skip]
static X63: [Mod; 4] = [Mod::Sp, Mod::N1688, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X64: [Mod; 4] = [Mod::Sp, Mod::N16816, Mod::F32, Mod::Tf32];
#[rustfmt::skip]
static X65: [Mod; 1] = [Mod::U32];
#[rustfmt::skip]
static X66: [Mod; 2] = [Mod::F64, Mod::U32];
#[rustfmt::skip]
static X67: [Mod; 2] = [Mod::F32, Mod::U32];
#[rustfmt::skip]
static X68: [Mod; 2] = [Mod::F32, Mod::S32];
#[rustfmt::skip]
static X69: [Mod; 2] = [Mod::S32, Mod::Sat];
#[rustfmt::skip]
static X70: [Mod; 1] = [Mod::S32];
#[rustfmt::skip]
static X71: [Mod; 1] = [Mod::Sp];
#[rustfmt::skip]
static X72: [Mod; 1] = [Mod::Wide];
#[rustfmt::skip]
static X73: [Mod; 1] = [Mod::Hi];
#[rustfmt::skip]
static X74: [Mod; 1] = [Mod::N8816];
#[rustfmt::skip]
static X75: [Mod; 1] = [Mod::N16816];
#[rustfmt::skip]
static X76: [Mod; 1] = [Mod::N16832];
#[rustfmt::skip]
static X77: [Mod; 1] = [Mod::N8832];
#[rustfmt::skip]
static X78: [Mod; 1] = [Mod::N16864];
#[rustfmt::skip]
static X79: [Mod; 2] = [Mod::Sp, Mod::N16832];
#[rustfmt::skip]
static X80: [Mod; 2] = [Mod::Sp, Mod::N16864];
#[rustfmt::skip]
static X81: [Mod; 2] = [Mod::Sp, Mod::N168128];
#[rustfmt::skip]
static X82: [Mod; 3] = [Mod::E, Mod::Strong, Mod::Sys];
#[rustfmt::skip]
static X83: [Mod; 1] = [Mod::N16];
#[rustfmt::skip]
static X84: [Mod; 2] = [Mod::Hi, Mod::Sx32];
#[rustfmt::skip]
static X85: [Mod; 1] = [Mod::Lut];
#[rustfmt::skip]
static X86: [Mod; 1] = [Mod::Any];
#[rustfmt::skip]
static X87: [Mod; 1] = [Mod::All];
#[rustfmt::skip]
static X88: [Mod; 2] = [Mod::N16, Mod::Mt88];
#[rustfmt::skip]
static X89: [Mod; 2] = [Mod::N16832, Mod::F32];
#[rustfmt::skip]
static X90: [Mod; 2] = [Mod::N16832, Mod::F16];
#[rustfmt::skip]
static X91: [Mod; 3] = [Mod::Sp, Mod::N16864, Mod::F32];
#[rustfmt::skip]
static X92: [Mod; 1] = [Mod::Or];
#[rustfmt::skip]
static X93: [Mod; 1] = [Mod::D];
#[rustfmt::skip]
static X94: [Mod; 1] = [Mod::P];
#[rustfmt::skip]
static X95: [Mod; 2] = [Mod::Phasechk, Mod::Trans64];
#[rustfmt::skip]
static X96: [Mod; 2] = [Mod::Arrive, Mod::Trans64];
#[rustfmt::skip]
static X97: [Mod; 2] = [Mod::Exch, Mod::N64];
#[rustfmt::skip]
static X98: [Mod; 2] = [Mod::Cctl, Mod::Iv];
#[rustfmt::skip]
static X99: [Mod; 1] = [Mod::B];
#[rustfmt::skip]
static X100: [Mod; 1] = [Mod::L2];
#[rustfmt::skip]
static X101: [Mod; 1] = [Mod::S];
#[rustfmt::skip]
static X102: [Mod; 1] = [Mod::N64];
#[rustfmt::skip]
static X103: [Mod; 2] = [Mod::Dealloc, Mod::Ctapool];
#[rustfmt::skip]
static X104: [Mod; 2] = [Mod::TryAlloc, Mod::Ctapool];
#[rustfmt::skip]
static X105: [Mod; 1] = [Mod::Pf];
#[rustfmt::skip]
static X106: [Mod; 1] = [Mod::Iv];
#[rustfmt::skip]
static X107: [Mod; 2] = [Mod::L2, Mod::Im2col];
#[rustfmt::skip]
static X108: [Mod; 1] = [Mod::Arrive];
#[rustfmt::skip]
static X109: [Mod; 2] = [Mod::Depbar, Mod::Le];
#[rustfmt::skip]
static X110: [Mod; 2] = [Mod::Collective, Mod::All];
#[rustfmt::skip]
static X111: [Mod; 1] = [Mod::Collective];
/// All rows.
#[rustfmt::skip]
pub static ROWS: [Row; 837] = [
    Row { op: Op::Acqbulk, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x82e, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E0, uniform_guard: false },
    Row { op: Op::Arrives, isas: IsaSet(24), mask: 0xc00001ffffffff00000000ff00ff0fff, bits: 0x8000a0000000000000009b0, mnemonic: &P1, fixed: &X1, slots: &L1, fields: &F1, class: Class::Dec, effects: E1, uniform_guard: false },
    Row { op: Op::Arrives, isas: IsaSet(7), mask: 0xc00001ffffffffc0000000ff00ff0fff, bits: 0x8000a0000000000000009b0, mnemonic: &P2, fixed: &X1, slots: &L1, fields: &F0, class: Class::Dec, effects: E1, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80010ff0000000000000fff, bits: 0x38a, mnemonic: &P3, fixed: &X0, slots: &L2, fields: &F2, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x80001c0000000000000098a, mnemonic: &P4, fixed: &X2, slots: &L3, fields: &F3, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x8000100000000000000098a, mnemonic: &P4, fixed: &X2, slots: &L4, fields: &F3, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x8000140000000000000098a, mnemonic: &P4, fixed: &X2, slots: &L5, fields: &F3, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x80001c000000000000009a2, mnemonic: &P4, fixed: &X2, slots: &L6, fields: &F4, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x800010000000000000009a2, mnemonic: &P4, fixed: &X2, slots: &L7, fields: &F4, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x800014000000000000009a2, mnemonic: &P4, fixed: &X2, slots: &L8, fields: &F4, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffc8000ff0000000000000fff, bits: 0x3a2, mnemonic: &P3, fixed: &X0, slots: &L9, fields: &F5, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(24), mask: 0xc00001fffe0010000000000000000fff, bits: 0x38b, mnemonic: &P3, fixed: &X0, slots: &L10, fields: &F6, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fffe0010000000000000000fff, bits: 0x38b, mnemonic: &P3, fixed: &X0, slots: &L11, fields: &F7, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fff80000ff0000000000000fff, bits: 0x38a, mnemonic: &P3, fixed: &X0, slots: &L12, fields: &F8, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x80001c0000000000000098a, mnemonic: &P4, fixed: &X2, slots: &L13, fields: &F9, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atom, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x20080001c0000000000000098a, mnemonic: &P4, fixed: &X2, slots: &L14, fields: &F9, class: Class::Agu, effects: E2, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80010ff0000000000000fff, bits: 0x3a8, mnemonic: &P3, fixed: &X0, slots: &L2, fields: &F10, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x80001c000000000000009a8, mnemonic: &P4, fixed: &X2, slots: &L3, fields: &F11, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x800010000000000000009a8, mnemonic: &P4, fixed: &X2, slots: &L4, fields: &F11, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fff80011c00000000000000fff, bits: 0x800014000000000000009a8, mnemonic: &P4, fixed: &X2, slots: &L5, fields: &F11, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x80001c000000000000009a3, mnemonic: &P4, fixed: &X2, slots: &L6, fields: &F4, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x800010000000000000009a3, mnemonic: &P4, fixed: &X2, slots: &L7, fields: &F4, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fffc8001c00000000000000fff, bits: 0x800014000000000000009a3, mnemonic: &P4, fixed: &X2, slots: &L8, fields: &F4, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001fffc8000ff0000000000000fff, bits: 0x3a3, mnemonic: &P3, fixed: &X0, slots: &L9, fields: &F5, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(24), mask: 0xc00001ffff8010000000000000000fff, bits: 0x3a9, mnemonic: &P5, fixed: &X3, slots: &L15, fields: &F12, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001ffff8010000000000000000fff, bits: 0x3a9, mnemonic: &P5, fixed: &X3, slots: &L16, fields: &F13, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001fff80000ff0000000000000fff, bits: 0x3a8, mnemonic: &P3, fixed: &X0, slots: &L12, fields: &F14, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x80001c000000000000009a8, mnemonic: &P4, fixed: &X2, slots: &L13, fields: &F15, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atomg, isas: IsaSet(7), mask: 0xc00001fff80001c00000000000000fff, bits: 0x20080001c000000000000009a8, mnemonic: &P4, fixed: &X2, slots: &L14, fields: &F15, class: Class::Agu, effects: E3, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001fff87f31ff0000000000000fff, bits: 0x38c, mnemonic: &P6, fixed: &X0, slots: &L17, fields: &F16, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(24), mask: 0xc00001fff87f31ff0000000000000fff, bits: 0x38c, mnemonic: &P6, fixed: &X0, slots: &L18, fields: &F17, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001fff87f31c00000000000000fff, bits: 0x8000000000000000000098c, mnemonic: &P6, fixed: &X0, slots: &L19, fields: &F16, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(24), mask: 0xc00001fff87f31c00000000000000fff, bits: 0x8000000000000000000098c, mnemonic: &P6, fixed: &X0, slots: &L20, fields: &F17, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001fffe7f31000000000000000fff, bits: 0x38d, mnemonic: &P6, fixed: &X0, slots: &L21, fields: &F18, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(24), mask: 0xc00001fffe7f31000000000000000fff, bits: 0x38d, mnemonic: &P6, fixed: &X0, slots: &L22, fields: &F19, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(24), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xd8000000000000000000f8c, mnemonic: &P7, fixed: &X4, slots: &L23, fields: &F20, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xd0000000000000000000f8c, mnemonic: &P7, fixed: &X4, slots: &L23, fields: &F20, class: Class::Agu, effects: E4, uniform_guard: false },
    Row { op: Op::Atoms, isas: IsaSet(7), mask: 0xc00001ffffff3fc0000000ff00000fff, bits: 0xc8004000000000000000f8c, mnemonic: &P8, fixed: &X5, slots: &L24, fields: &F20, class: Class::Agu, effects: E5, uniform_guard: false },
    Row { op: Op::B2r, isas: IsaSet(31), mask: 0xc00001fffff1ffffffffffffff000fff, bits: 0x4000000000000000031c, mnemonic: &P9, fixed: &X6, slots: &L25, fields: &F0, class: Class::Br, effects: E6, uniform_guard: false },
    Row { op: Op::B2r, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffff000fff, bits: 0xe8000000000000000031c, mnemonic: &P10, fixed: &X7, slots: &L26, fields: &F0, class: Class::Br, effects: E6, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffefffffc0003ffffff0fff, bits: 0xb1d, mnemonic: &P11, fixed: &X8, slots: &L27, fields: &F21, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffffffffc0003ffffff0fff, bits: 0x20000000000000000b1d, mnemonic: &P12, fixed: &X9, slots: &L28, fields: &F0, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fff87ef3fffc0003ffffff0fff, bits: 0x40000000000000000b1d, mnemonic: &P13, fixed: &X10, slots: &L29, fields: &F22, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffe9fffffffff00ffff0fff, bits: 0x31d, mnemonic: &P14, fixed: &X0, slots: &L30, fields: &F23, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fff87ef3ffffffff00ffff0fff, bits: 0x4000000000000000031d, mnemonic: &P13, fixed: &X10, slots: &L31, fields: &F22, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffeffffffc00300ffff0fff, bits: 0x51d, mnemonic: &P11, fixed: &X8, slots: &L32, fields: &F21, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001ffffffffffffc00300ffff0fff, bits: 0x2000000000000000051d, mnemonic: &P12, fixed: &X9, slots: &L33, fields: &F0, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fff87ef3ffffc00300ffff0fff, bits: 0x4000000000000000051d, mnemonic: &P13, fixed: &X10, slots: &L34, fields: &F22, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(7), mask: 0xc00001fffffefffffc3fff00ffff0fff, bits: 0x91d, mnemonic: &P11, fixed: &X8, slots: &L35, fields: &F21, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(24), mask: 0xc00001fffffefffffc3fff00ffff0fff, bits: 0x91d, mnemonic: &P11, fixed: &X8, slots: &L36, fields: &F21, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(31), mask: 0xc00001fffffffffffc3fff00ffff0fff, bits: 0x2000000000000000091d, mnemonic: &P12, fixed: &X9, slots: &L35, fields: &F0, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(7), mask: 0xc00001fff87ef3fffc3fff00ffff0fff, bits: 0x4000000000000000091d, mnemonic: &P13, fixed: &X10, slots: &L37, fields: &F22, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bar, isas: IsaSet(24), mask: 0xc00001fff87ef3fffc3fff00ffff0fff, bits: 0x4000000000000000091d, mnemonic: &P13, fixed: &X10, slots: &L38, fields: &F22, class: Class::Br, effects: E7, uniform_guard: false },
    Row { op: Op::Bgmma, isas: IsaSet(16), mask: 0xc00001fff80f9f00f81fffffc0000fff, bits: 0x801000000000000000009f2, mnemonic: &P15, fixed: &X11, slots: &L39, fields: &F24, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Bgmma, isas: IsaSet(16), mask: 0xc00001fff80f9f00f81fffc000000fff, bits: 0x80100000000000000000df2, mnemonic: &P15, fixed: &X11, slots: &L40, fields: &F24, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(24), mask: 0xc00001fff87f9f00ffffff0000000fff, bits: 0x10400000000000000023d, mnemonic: &P16, fixed: &X12, slots: &L41, fields: &F25, class: Class::Imma1, effects: E9, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(24), mask: 0xc00001fff87f9f00ffffff0000000fff, bits: 0x10c00000000000000023d, mnemonic: &P17, fixed: &X13, slots: &L42, fields: &F25, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(24), mask: 0xc00001fff87f9f00ffffff0000000fff, bits: 0x11400000000000000023d, mnemonic: &P18, fixed: &X14, slots: &L43, fields: &F25, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(7), mask: 0xc00001ffffff9f00ffffff0000000fff, bits: 0x10400000000000000023d, mnemonic: &P16, fixed: &X12, slots: &L44, fields: &F26, class: Class::Imma1, effects: E9, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(7), mask: 0xc00001ffffff9f00ffffff0000000fff, bits: 0x10c00000000000000023d, mnemonic: &P17, fixed: &X13, slots: &L45, fields: &F26, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Bmma, isas: IsaSet(7), mask: 0xc00001ffffff9f00ffffff0000000fff, bits: 0x11400000000000000023d, mnemonic: &P18, fixed: &X14, slots: &L46, fields: &F26, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffeffffffffffffff0000fff, bits: 0x355, mnemonic: &P19, fixed: &X15, slots: &L47, fields: &F27, class: Class::Br, effects: E10, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00f0ff0fff, bits: 0x356, mnemonic: &P20, fixed: &X15, slots: &L48, fields: &F0, class: Class::Br, effects: E11, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffe0f00fff, bits: 0xf55, mnemonic: &P20, fixed: &X15, slots: &L49, fields: &F0, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Bmov, isas: IsaSet(31), mask: 0xc00001ffffefffffffffffffe0f00fff, bits: 0xf56, mnemonic: &P19, fixed: &X15, slots: &L50, fields: &F28, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffff0000000fff, bits: 0x21b, mnemonic: &P14, fixed: &X0, slots: &L51, fields: &F29, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ff0000000000000fff, bits: 0x81b, mnemonic: &P14, fixed: &X0, slots: &L52, fields: &F29, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7fff80000ff00000fff, bits: 0xa1b, mnemonic: &P14, fixed: &X0, slots: &L53, fields: &F29, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Bmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffffc000000fff, bits: 0x80000000000000000000c1b, mnemonic: &P14, fixed: &X0, slots: &L54, fields: &F29, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Bpt, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffe3ffff0fff, bits: 0x300000000000000000095c, mnemonic: &P21, fixed: &X16, slots: &L55, fields: &F0, class: Class::Br, effects: E14, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff81c000000000003ff000fff, bits: 0x947, mnemonic: &P14, fixed: &X0, slots: &L56, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff81c000000000003ffff0fff, bits: 0x947, mnemonic: &P14, fixed: &X0, slots: &L57, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff86c000000000003f0000fff, bits: 0x80000000000000100000547, mnemonic: &P22, fixed: &X17, slots: &L58, fields: &F31, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c000000000003f0ff0fff, bits: 0x80000000000000100000547, mnemonic: &P23, fixed: &X17, slots: &L59, fields: &F0, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff86c000000000003ff000fff, bits: 0x100000947, mnemonic: &P22, fixed: &X17, slots: &L56, fields: &F31, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff87c00000000000380000fff, bits: 0x80000000000000300000947, mnemonic: &P24, fixed: &X18, slots: &L60, fields: &F0, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(24), mask: 0xc00001fff87c00000000000380000fff, bits: 0x80000000000000200000947, mnemonic: &P25, fixed: &X19, slots: &L60, fields: &F0, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c00000000000380ff0fff, bits: 0x80000000000000200000947, mnemonic: &P25, fixed: &X19, slots: &L61, fields: &F0, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bra, isas: IsaSet(7), mask: 0xc00001fff87c00000000000380ff0fff, bits: 0x80000000000000300000947, mnemonic: &P24, fixed: &X18, slots: &L61, fields: &F0, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Break, isas: IsaSet(31), mask: 0xc00001fff87ffffffffffffffff00fff, bits: 0x942, mnemonic: &P0, fixed: &X0, slots: &L62, fields: &F0, class: Class::Br, effects: E16, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00ff000fff, bits: 0x301, mnemonic: &P0, fixed: &X0, slots: &L63, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x901, mnemonic: &P0, fixed: &X0, slots: &L64, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001fffffffffff80000ffff000fff, bits: 0xb01, mnemonic: &P0, fixed: &X0, slots: &L65, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Brev, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ff000fff, bits: 0x80000000000000000000d01, mnemonic: &P0, fixed: &X0, slots: &L66, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Brx, isas: IsaSet(24), mask: 0xc00001fff81c00000000000300000fff, bits: 0x949, mnemonic: &P14, fixed: &X0, slots: &L67, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Brx, isas: IsaSet(7), mask: 0xc00001fff81c00000000000300ff0fff, bits: 0x949, mnemonic: &P14, fixed: &X0, slots: &L68, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Brxu, isas: IsaSet(24), mask: 0xc00001fff81c000000000003c0000fff, bits: 0x80000000000000000000958, mnemonic: &P14, fixed: &X0, slots: &L69, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Brxu, isas: IsaSet(7), mask: 0xc00001fff81c000000000003c0ff0fff, bits: 0x80000000000000000000958, mnemonic: &P14, fixed: &X0, slots: &L70, fields: &F30, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Bssy, isas: IsaSet(31), mask: 0xc00001fff87fffff00000003fff00fff, bits: 0x945, mnemonic: &P0, fixed: &X0, slots: &L71, fields: &F0, class: Class::Br, effects: E16, uniform_guard: false },
    Row { op: Op::Bsync, isas: IsaSet(31), mask: 0xc00001fff87ffffffffffffffff00fff, bits: 0x941, mnemonic: &P0, fixed: &X0, slots: &L72, fields: &F0, class: Class::Br, effects: E16, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(24), mask: 0xc00001fff83c000000000003ff000fff, bits: 0x944, mnemonic: &P26, fixed: &X20, slots: &L56, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(7), mask: 0xc00001fff83c000000000003ffff0fff, bits: 0x944, mnemonic: &P26, fixed: &X20, slots: &L57, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(31), mask: 0xc00001fff83fffffffffffff00ff0fff, bits: 0x343, mnemonic: &P27, fixed: &X21, slots: &L73, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x344, mnemonic: &P26, fixed: &X20, slots: &L74, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x344, mnemonic: &P26, fixed: &X20, slots: &L75, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(24), mask: 0xc00001fff83f000000000003ff000fff, bits: 0x943, mnemonic: &P27, fixed: &X21, slots: &L76, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Call, isas: IsaSet(7), mask: 0xc00001fff83f000000000003ffff0fff, bits: 0x943, mnemonic: &P27, fixed: &X21, slots: &L77, fields: &F32, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Cctl, isas: IsaSet(31), mask: 0xc00001fff87f3fffffffffffffff0fff, bits: 0xff00098f, mnemonic: &P6, fixed: &X0, slots: &L0, fields: &F33, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Cctl, isas: IsaSet(31), mask: 0xc00001fff87f3eff0000000000ff0fff, bits: 0x98f, mnemonic: &P28, fixed: &X0, slots: &L78, fields: &F34, class: Class::Agu, effects: E19, uniform_guard: false },
    Row { op: Op::Cctll, isas: IsaSet(31), mask: 0xc00001ffffffffff000000ff00ff0fff, bits: 0x990, mnemonic: &P29, fixed: &X22, slots: &L79, fields: &F0, class: Class::Agu, effects: E19, uniform_guard: false },
    Row { op: Op::Cgaerrbar, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x5ab, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E20, uniform_guard: false },
    Row { op: Op::Cs2r, isas: IsaSet(24), mask: 0xc00001fffffe00ffffffffffff000fff, bits: 0x805, mnemonic: &P14, fixed: &X0, slots: &L80, fields: &F35, class: Class::Disp64, effects: E13, uniform_guard: false },
    Row { op: Op::Cs2r, isas: IsaSet(7), mask: 0xc00001fffffe00ffffffffffff000fff, bits: 0x805, mnemonic: &P14, fixed: &X0, slots: &L81, fields: &F35, class: Class::Disp64, effects: E13, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3000ffffffff00000fff, bits: 0x229, mnemonic: &P14, fixed: &X0, slots: &L82, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff0000000000000fff, bits: 0x429, mnemonic: &P14, fixed: &X0, slots: &L83, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff380000ff00000fff, bits: 0x629, mnemonic: &P14, fixed: &X0, slots: &L84, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dadd, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffffc000000fff, bits: 0x80000000000000000000e29, mnemonic: &P14, fixed: &X0, slots: &L85, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Depbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffff0000ffff0fff, bits: 0x91a, mnemonic: &P14, fixed: &X0, slots: &L86, fields: &F37, class: Class::Agu, effects: E18, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffff0000000fff, bits: 0x22b, mnemonic: &P14, fixed: &X0, slots: &L87, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30000000000000000fff, bits: 0x82b, mnemonic: &P14, fixed: &X0, slots: &L88, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff3000380000ff00000fff, bits: 0xa2b, mnemonic: &P14, fixed: &X0, slots: &L89, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffffc000000fff, bits: 0x80000000000000000000c2b, mnemonic: &P14, fixed: &X0, slots: &L90, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30000000000000000fff, bits: 0x42b, mnemonic: &P14, fixed: &X0, slots: &L91, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff3000380000ff00000fff, bits: 0x62b, mnemonic: &P14, fixed: &X0, slots: &L92, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dfma, isas: IsaSet(31), mask: 0xc00001ffffff30003fffffc000000fff, bits: 0x80000000000000000000e2b, mnemonic: &P14, fixed: &X0, slots: &L93, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dmma, isas: IsaSet(24), mask: 0xc00001fff87f00003fffff0000000fff, bits: 0x23f, mnemonic: &P6, fixed: &X0, slots: &L94, fields: &F38, class: Class::Dmma, effects: E22, uniform_guard: false },
    Row { op: Op::Dmma, isas: IsaSet(7), mask: 0xc00001ffffff30003fffff0000000fff, bits: 0x23f, mnemonic: &P30, fixed: &X23, slots: &L95, fields: &F36, class: Class::Dmma, effects: E23, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffff0000000fff, bits: 0x228, mnemonic: &P14, fixed: &X0, slots: &L96, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff0000000000000fff, bits: 0x828, mnemonic: &P14, fixed: &X0, slots: &L97, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff380000ff00000fff, bits: 0xa28, mnemonic: &P14, fixed: &X0, slots: &L98, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dmul, isas: IsaSet(31), mask: 0xc00001ffffff3cff3fffffc000000fff, bits: 0x80000000000000000000c28, mnemonic: &P14, fixed: &X0, slots: &L99, fields: &F36, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff3fffff0000ff0fff, bits: 0x22a, mnemonic: &P6, fixed: &X0, slots: &L100, fields: &F39, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff0000000000ff0fff, bits: 0x42a, mnemonic: &P6, fixed: &X0, slots: &L101, fields: &F39, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff380000ff00ff0fff, bits: 0x62a, mnemonic: &P6, fixed: &X0, slots: &L102, fields: &F39, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Dsetp, isas: IsaSet(31), mask: 0xc00001fff80100ff3fffffc000ff0fff, bits: 0x80000000000000000000e2a, mnemonic: &P6, fixed: &X0, slots: &L103, fields: &F39, class: Class::Fp64, effects: E21, uniform_guard: false },
    Row { op: Op::Elect, isas: IsaSet(24), mask: 0xc00001fff871ffffffffffffffc00fff, bits: 0x82f, mnemonic: &P0, fixed: &X0, slots: &L104, fields: &F0, class: Class::Alu, effects: E24, uniform_guard: false },
    Row { op: Op::Endcollective, isas: IsaSet(24), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x91b, mnemonic: &P0, fixed: &X0, slots: &L105, fields: &F0, class: Class::Br, effects: E25, uniform_guard: false },
    Row { op: Op::Errbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9ab, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E20, uniform_guard: false },
    Row { op: Op::Exit, isas: IsaSet(31), mask: 0xc00001fff80fffffffffffffffff0fff, bits: 0x94d, mnemonic: &P6, fixed: &X0, slots: &L105, fields: &F40, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2008000000000000000304, mnemonic: &P31, fixed: &X24, slots: &L106, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2008000000000000000b04, mnemonic: &P31, fixed: &X24, slots: &L107, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82008000000000000000d04, mnemonic: &P31, fixed: &X24, slots: &L108, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2020000000000000000304, mnemonic: &P32, fixed: &X25, slots: &L106, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2020000000000000000b04, mnemonic: &P32, fixed: &X25, slots: &L107, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82020000000000000000d04, mnemonic: &P32, fixed: &X25, slots: &L108, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1020000000000000000304, mnemonic: &P33, fixed: &X26, slots: &L109, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1020000000000000000b04, mnemonic: &P33, fixed: &X26, slots: &L110, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81020000000000000000d04, mnemonic: &P33, fixed: &X26, slots: &L111, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x4008000000000000000304, mnemonic: &P34, fixed: &X27, slots: &L109, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x4008000000000000000b04, mnemonic: &P34, fixed: &X27, slots: &L110, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x84008000000000000000d04, mnemonic: &P34, fixed: &X27, slots: &L111, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x4010000000000000000304, mnemonic: &P35, fixed: &X28, slots: &L109, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x4010000000000000000b04, mnemonic: &P35, fixed: &X28, slots: &L110, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x84010000000000000000d04, mnemonic: &P35, fixed: &X28, slots: &L111, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x4018000000000000000310, mnemonic: &P36, fixed: &X29, slots: &L112, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x4018000000000000000b10, mnemonic: &P36, fixed: &X29, slots: &L113, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x84018000000000000000d10, mnemonic: &P36, fixed: &X29, slots: &L114, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x3020000000000000000310, mnemonic: &P37, fixed: &X30, slots: &L115, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x3020000000000000000b10, mnemonic: &P37, fixed: &X30, slots: &L116, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(24), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x83020000000000000000d10, mnemonic: &P37, fixed: &X30, slots: &L117, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2018000000000000000310, mnemonic: &P38, fixed: &X31, slots: &L118, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2018000000000000000b10, mnemonic: &P38, fixed: &X31, slots: &L119, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82018000000000000000d10, mnemonic: &P38, fixed: &X31, slots: &L120, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x3010000000000000000310, mnemonic: &P39, fixed: &X32, slots: &L115, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x3010000000000000000b10, mnemonic: &P39, fixed: &X32, slots: &L116, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x83010000000000000000d10, mnemonic: &P39, fixed: &X32, slots: &L117, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1018000000000000000310, mnemonic: &P40, fixed: &X33, slots: &L112, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1018000000000000000b10, mnemonic: &P40, fixed: &X33, slots: &L113, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81018000000000000000d10, mnemonic: &P40, fixed: &X33, slots: &L114, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x2008000000000000000904, mnemonic: &P31, fixed: &X24, slots: &L121, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x2020000000000000000904, mnemonic: &P32, fixed: &X25, slots: &L121, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x2018000000000000000910, mnemonic: &P38, fixed: &X31, slots: &L122, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x1018000000000000000910, mnemonic: &P40, fixed: &X33, slots: &L123, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x3008000000000000000910, mnemonic: &P41, fixed: &X34, slots: &L124, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x3010000000000000000910, mnemonic: &P39, fixed: &X32, slots: &L124, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x3008000000000000000310, mnemonic: &P41, fixed: &X34, slots: &L115, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x3008000000000000000b10, mnemonic: &P41, fixed: &X34, slots: &L116, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2f, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x83008000000000000000d10, mnemonic: &P41, fixed: &X34, slots: &L117, fields: &F41, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700ffffff0000000fff, bits: 0x23e, mnemonic: &P42, fixed: &X35, slots: &L125, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe47000000000000000fff, bits: 0x83e, mnemonic: &P42, fixed: &X35, slots: &L126, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700f80000ff00000fff, bits: 0xa3e, mnemonic: &P42, fixed: &X35, slots: &L127, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700ffffffc000000fff, bits: 0x80000000000000000000c3e, mnemonic: &P42, fixed: &X35, slots: &L128, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700ffffff0000000fff, bits: 0x23e, mnemonic: &P43, fixed: &X36, slots: &L125, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe47000000000000000fff, bits: 0x83e, mnemonic: &P43, fixed: &X36, slots: &L126, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700f80000ff00000fff, bits: 0xa3e, mnemonic: &P43, fixed: &X36, slots: &L127, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700ffffffc000000fff, bits: 0x80000000000000000000c3e, mnemonic: &P43, fixed: &X36, slots: &L128, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700ffffff00ff000fff, bits: 0x400000000000ff00023e, mnemonic: &P44, fixed: &X37, slots: &L129, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe470000000000ff000fff, bits: 0x400000000000ff00083e, mnemonic: &P44, fixed: &X37, slots: &L130, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700f80000ffff000fff, bits: 0x400000000000ff000a3e, mnemonic: &P44, fixed: &X37, slots: &L131, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffffe4700ffffffc0ff000fff, bits: 0x800400000000000ff000c3e, mnemonic: &P44, fixed: &X37, slots: &L132, fields: &F42, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700ffffff00ff000fff, bits: 0x400000000000ff00023e, mnemonic: &P45, fixed: &X38, slots: &L129, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe470000000000ff000fff, bits: 0x400000000000ff00083e, mnemonic: &P45, fixed: &X38, slots: &L130, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700f80000ffff000fff, bits: 0x400000000000ff000a3e, mnemonic: &P45, fixed: &X38, slots: &L131, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(3), mask: 0xc00001fffffe4700ffffffc0ff000fff, bits: 0x800400000000000ff000c3e, mnemonic: &P45, fixed: &X38, slots: &L132, fields: &F43, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(24), mask: 0xc00001fffffe7700ffffff00ff000fff, bits: 0x240500000000000ff00023e, mnemonic: &P46, fixed: &X39, slots: &L133, fields: &F44, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(24), mask: 0xc00001fffffe770000000000ff000fff, bits: 0x240500000000000ff00083e, mnemonic: &P46, fixed: &X39, slots: &L134, fields: &F44, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(24), mask: 0xc00001fffffe7700f80000ffff000fff, bits: 0x240500000000000ff000a3e, mnemonic: &P46, fixed: &X39, slots: &L135, fields: &F44, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(24), mask: 0xc00001fffffe7700ffffffc0ff000fff, bits: 0xa40500000000000ff000c3e, mnemonic: &P46, fixed: &X39, slots: &L136, fields: &F44, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001ffffffc700ffffff0000000fff, bits: 0x4804000000000000000023e, mnemonic: &P47, fixed: &X40, slots: &L137, fields: &F45, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001ffffffc700ffffffc000000fff, bits: 0xc8040000000000000000c3e, mnemonic: &P47, fixed: &X40, slots: &L138, fields: &F45, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffefff500ffffff00ff000fff, bits: 0x200040000000000ff00023e, mnemonic: &P48, fixed: &X41, slots: &L139, fields: &F46, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2fp, isas: IsaSet(28), mask: 0xc00001fffefff500ffffffc0ff000fff, bits: 0xa00040000000000ff000c3e, mnemonic: &P48, fixed: &X41, slots: &L140, fields: &F46, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff3fffff00ff000fff, bits: 0x2000000000000000000305, mnemonic: &P49, fixed: &X0, slots: &L106, fields: &F47, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff380000ffff000fff, bits: 0x2000000000000000000b05, mnemonic: &P49, fixed: &X0, slots: &L107, fields: &F47, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff3fffffc0ff000fff, bits: 0x82000000000000000000d05, mnemonic: &P49, fixed: &X0, slots: &L108, fields: &F47, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x1000000000000000000305, mnemonic: &P50, fixed: &X42, slots: &L109, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x1000000000000000000b05, mnemonic: &P50, fixed: &X42, slots: &L110, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x81000000000000000000d05, mnemonic: &P50, fixed: &X42, slots: &L111, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001fffffe06ff00000000ff000fff, bits: 0x2000000000000000000905, mnemonic: &P49, fixed: &X0, slots: &L121, fields: &F47, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x4000000000000000000305, mnemonic: &P51, fixed: &X43, slots: &L109, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x4000000000000000000b05, mnemonic: &P51, fixed: &X43, slots: &L110, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x84000000000000000000d05, mnemonic: &P51, fixed: &X43, slots: &L111, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x4000000000000000000311, mnemonic: &P51, fixed: &X43, slots: &L141, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x4000000000000000000b11, mnemonic: &P51, fixed: &X43, slots: &L142, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(24), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x84000000000000000000d11, mnemonic: &P51, fixed: &X43, slots: &L143, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff00000000ff000fff, bits: 0x2000000000000000000911, mnemonic: &P28, fixed: &X0, slots: &L144, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff00000000ff000fff, bits: 0x1000000000000000000905, mnemonic: &P50, fixed: &X42, slots: &L145, fields: &F48, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff00000000ff000fff, bits: 0x1000000000000000000911, mnemonic: &P50, fixed: &X42, slots: &L146, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff00000000ff000fff, bits: 0x3000000000000000000911, mnemonic: &P52, fixed: &X44, slots: &L147, fields: &F50, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffff00ff000fff, bits: 0x2000000000000000000311, mnemonic: &P28, fixed: &X0, slots: &L148, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff380000ffff000fff, bits: 0x2000000000000000000b11, mnemonic: &P28, fixed: &X0, slots: &L149, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffffc0ff000fff, bits: 0x82000000000000000000d11, mnemonic: &P28, fixed: &X0, slots: &L150, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffff00ff000fff, bits: 0x3000000000000000000311, mnemonic: &P52, fixed: &X44, slots: &L151, fields: &F50, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff380000ffff000fff, bits: 0x3000000000000000000b11, mnemonic: &P52, fixed: &X44, slots: &L152, fields: &F50, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff3fffffc0ff000fff, bits: 0x83000000000000000000d11, mnemonic: &P52, fixed: &X44, slots: &L153, fields: &F50, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffff00ff000fff, bits: 0x1000000000000000000311, mnemonic: &P50, fixed: &X42, slots: &L141, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff280000ffff000fff, bits: 0x1000000000000000000b11, mnemonic: &P50, fixed: &X42, slots: &L142, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2i, isas: IsaSet(31), mask: 0xc00001ffffff06ff2fffffc0ff000fff, bits: 0x81000000000000000000d11, mnemonic: &P50, fixed: &X42, slots: &L143, fields: &F49, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(30), mask: 0xc00001ffffff0a00ffffff0000000fff, bits: 0x243, mnemonic: &P53, fixed: &X45, slots: &L154, fields: &F51, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(30), mask: 0xc00001ffffff0a000000000000000fff, bits: 0x843, mnemonic: &P53, fixed: &X45, slots: &L155, fields: &F51, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(30), mask: 0xc00001ffffff0a00f80000ff00000fff, bits: 0xa43, mnemonic: &P53, fixed: &X45, slots: &L156, fields: &F51, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::F2ip, isas: IsaSet(30), mask: 0xc00001ffffff0a00ffffffc000000fff, bits: 0x80000000000000000000c43, mnemonic: &P53, fixed: &X45, slots: &L157, fields: &F51, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff3fffff0000000fff, bits: 0x221, mnemonic: &P28, fixed: &X0, slots: &L158, fields: &F52, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff0000000000000fff, bits: 0x421, mnemonic: &P28, fixed: &X0, slots: &L159, fields: &F52, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff380000ff00000fff, bits: 0x621, mnemonic: &P28, fixed: &X0, slots: &L160, fields: &F52, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fadd, isas: IsaSet(31), mask: 0xc00001fffffe1cff3fffffc000000fff, bits: 0x80000000000000000000e21, mnemonic: &P28, fixed: &X0, slots: &L161, fields: &F52, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff3fffff0000ff0fff, bits: 0x302, mnemonic: &P0, fixed: &X0, slots: &L162, fields: &F0, class: Class::Dec, effects: E27, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff0000000000ff0fff, bits: 0x902, mnemonic: &P0, fixed: &X0, slots: &L163, fields: &F0, class: Class::Dec, effects: E27, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff380000ff00ff0fff, bits: 0xb02, mnemonic: &P0, fixed: &X0, slots: &L164, fields: &F0, class: Class::Dec, effects: E27, uniform_guard: false },
    Row { op: Op::Fchk, isas: IsaSet(31), mask: 0xc00001fffff1fcff3fffffc000ff0fff, bits: 0x80000000000000000000d02, mnemonic: &P0, fixed: &X0, slots: &L165, fields: &F0, class: Class::Dec, effects: E27, uniform_guard: false },
    Row { op: Op::Fence, isas: IsaSet(24), mask: 0xc00001fffffffeffffffffffffff0fff, bits: 0x3c6, mnemonic: &P54, fixed: &X46, slots: &L0, fields: &F53, class: Class::Dec, effects: E28, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffff0000000fff, bits: 0x223, mnemonic: &P28, fixed: &X0, slots: &L166, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00000000000000000fff, bits: 0x823, mnemonic: &P28, fixed: &X0, slots: &L167, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe0000380000ff00000fff, bits: 0xa23, mnemonic: &P28, fixed: &X0, slots: &L168, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffffc000000fff, bits: 0x80000000000000000000c23, mnemonic: &P28, fixed: &X0, slots: &L169, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00000000000000000fff, bits: 0x423, mnemonic: &P28, fixed: &X0, slots: &L170, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe0000380000ff00000fff, bits: 0x623, mnemonic: &P28, fixed: &X0, slots: &L171, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Ffma, isas: IsaSet(31), mask: 0xc00001fffffe00003fffffc000000fff, bits: 0x80000000000000000000e23, mnemonic: &P28, fixed: &X0, slots: &L172, fields: &F54, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffff00ff000fff, bits: 0x300, mnemonic: &P6, fixed: &X0, slots: &L173, fields: &F55, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff00000000ff000fff, bits: 0x900, mnemonic: &P6, fixed: &X0, slots: &L174, fields: &F55, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff780000ffff000fff, bits: 0xb00, mnemonic: &P6, fixed: &X0, slots: &L175, fields: &F55, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Flo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffffc0ff000fff, bits: 0x80000000000000000000d00, mnemonic: &P6, fixed: &X0, slots: &L176, fields: &F55, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(30), mask: 0xc00001fff878fcff3fffff0000000fff, bits: 0x209, mnemonic: &P28, fixed: &X0, slots: &L177, fields: &F56, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(30), mask: 0xc00001fff878fcff0000000000000fff, bits: 0x809, mnemonic: &P28, fixed: &X0, slots: &L178, fields: &F56, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(30), mask: 0xc00001fff878fcff380000ff00000fff, bits: 0xa09, mnemonic: &P28, fixed: &X0, slots: &L179, fields: &F56, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(30), mask: 0xc00001fff878fcff3fffffc000000fff, bits: 0x80000000000000000000c09, mnemonic: &P28, fixed: &X0, slots: &L180, fields: &F56, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(1), mask: 0xc00001fff87cfcff3fffff0000000fff, bits: 0x209, mnemonic: &P6, fixed: &X0, slots: &L177, fields: &F57, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(1), mask: 0xc00001fff87cfcff0000000000000fff, bits: 0x809, mnemonic: &P6, fixed: &X0, slots: &L178, fields: &F57, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(1), mask: 0xc00001fff87cfcff380000ff00000fff, bits: 0xa09, mnemonic: &P6, fixed: &X0, slots: &L179, fields: &F57, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmnmx, isas: IsaSet(1), mask: 0xc00001fff87cfcff3fffffc000000fff, bits: 0x80000000000000000000c09, mnemonic: &P6, fixed: &X0, slots: &L180, fields: &F57, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff3fffff0000000fff, bits: 0x220, mnemonic: &P49, fixed: &X0, slots: &L181, fields: &F58, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff0000000000000fff, bits: 0x820, mnemonic: &P49, fixed: &X0, slots: &L159, fields: &F58, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff380000ff00000fff, bits: 0xa20, mnemonic: &P49, fixed: &X0, slots: &L160, fields: &F58, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Fmul, isas: IsaSet(31), mask: 0xc00001ffff8e0cff3fffffc000000fff, bits: 0x80000000000000000000c20, mnemonic: &P49, fixed: &X0, slots: &L161, fields: &F58, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffff00ff000fff, bits: 0x2010000000000000000307, mnemonic: &P6, fixed: &X0, slots: &L106, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff380000ffff000fff, bits: 0x2010000000000000000b07, mnemonic: &P6, fixed: &X0, slots: &L107, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff3fffffc0ff000fff, bits: 0x82010000000000000000d07, mnemonic: &P6, fixed: &X0, slots: &L108, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x1008000000000000000307, mnemonic: &P55, fixed: &X42, slots: &L109, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x1008000000000000000b07, mnemonic: &P55, fixed: &X42, slots: &L110, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x81008000000000000000d07, mnemonic: &P55, fixed: &X42, slots: &L111, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffff00ff000fff, bits: 0x4020000000000000000307, mnemonic: &P56, fixed: &X43, slots: &L109, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(24), mask: 0xc00001fffffe3fff280000ffff000fff, bits: 0x4020000000000000000b07, mnemonic: &P56, fixed: &X43, slots: &L110, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(24), mask: 0xc00001fffffe3fff2fffffc0ff000fff, bits: 0x84020000000000000000d07, mnemonic: &P56, fixed: &X43, slots: &L111, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x1008000000000000000907, mnemonic: &P55, fixed: &X42, slots: &L145, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001fffffe3fff00000000ff000fff, bits: 0x2010000000000000000907, mnemonic: &P6, fixed: &X0, slots: &L121, fields: &F59, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff00000000ff000fff, bits: 0x3018000000000000000913, mnemonic: &P57, fixed: &X44, slots: &L182, fields: &F60, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff3fffff00ff000fff, bits: 0x3018000000000000000313, mnemonic: &P57, fixed: &X44, slots: &L183, fields: &F60, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff380000ffff000fff, bits: 0x3018000000000000000b13, mnemonic: &P57, fixed: &X44, slots: &L184, fields: &F60, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Frnd, isas: IsaSet(31), mask: 0xc00001ffffff3fff3fffffc0ff000fff, bits: 0x83018000000000000000d13, mnemonic: &P57, fixed: &X44, slots: &L185, fields: &F60, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff3fffff0000000fff, bits: 0x208, mnemonic: &P14, fixed: &X0, slots: &L177, fields: &F61, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff0000000000000fff, bits: 0x808, mnemonic: &P14, fixed: &X0, slots: &L178, fields: &F61, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff380000ff00000fff, bits: 0xa08, mnemonic: &P14, fixed: &X0, slots: &L179, fields: &F61, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsel, isas: IsaSet(31), mask: 0xc00001fff87efcff3fffffc000000fff, bits: 0x80000000000000000000c08, mnemonic: &P14, fixed: &X0, slots: &L180, fields: &F61, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87e00ff3fffff0000000fff, bits: 0x20a, mnemonic: &P58, fixed: &X47, slots: &L177, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87e00ff0000000000000fff, bits: 0x80a, mnemonic: &P58, fixed: &X47, slots: &L178, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87e00ff380000ff00000fff, bits: 0xa0a, mnemonic: &P58, fixed: &X47, slots: &L179, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fset, isas: IsaSet(31), mask: 0xc00001fff87e00ff3fffffc000000fff, bits: 0x80000000000000000000c0a, mnemonic: &P58, fixed: &X47, slots: &L180, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff3fffff0000ff0fff, bits: 0x20b, mnemonic: &P28, fixed: &X0, slots: &L186, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff0000000000ff0fff, bits: 0x80b, mnemonic: &P28, fixed: &X0, slots: &L187, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff380000ff00ff0fff, bits: 0xa0b, mnemonic: &P28, fixed: &X0, slots: &L188, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fsetp, isas: IsaSet(31), mask: 0xc00001fff80000ff3fffffc000ff0fff, bits: 0x80000000000000000000c0b, mnemonic: &P28, fixed: &X0, slots: &L189, fields: &F62, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Fswzadd, isas: IsaSet(31), mask: 0xc00001fffffe1f00ffffff0000000fff, bits: 0x822, mnemonic: &P28, fixed: &X0, slots: &L190, fields: &F63, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(24), mask: 0xc00001ffffde90ff0fffff0000000fff, bits: 0x230, mnemonic: &P28, fixed: &X0, slots: &L191, fields: &F64, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(24), mask: 0xc00001ffffde90ff0fffffc000000fff, bits: 0x80000000000000000000e30, mnemonic: &P28, fixed: &X0, slots: &L192, fields: &F64, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(7), mask: 0xc00001fffffed0ff0fffff0000000fff, bits: 0x230, mnemonic: &P6, fixed: &X0, slots: &L191, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(7), mask: 0xc00001fffffed0ff0fffffc000000fff, bits: 0x80000000000000000000e30, mnemonic: &P6, fixed: &X0, slots: &L192, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001fffffed2ff0fffff0000000fff, bits: 0x40000000000000000230, mnemonic: &P59, fixed: &X45, slots: &L193, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001fffffed2ff0fffffc000000fff, bits: 0x80040000000000000000e30, mnemonic: &P59, fixed: &X45, slots: &L194, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(24), mask: 0xc00001ffffde90ff380000ff00000fff, bits: 0x630, mnemonic: &P28, fixed: &X0, slots: &L195, fields: &F64, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(7), mask: 0xc00001fffffed0ff380000ff00000fff, bits: 0x630, mnemonic: &P6, fixed: &X0, slots: &L195, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(31), mask: 0xc00001fffffed2ff380000ff00000fff, bits: 0x40000000000000000630, mnemonic: &P59, fixed: &X45, slots: &L196, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(24), mask: 0xc00001ffffde90ff0000000000000fff, bits: 0x430, mnemonic: &P28, fixed: &X0, slots: &L197, fields: &F64, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hadd2, isas: IsaSet(7), mask: 0xc00001fffffed0ff0000000000000fff, bits: 0x430, mnemonic: &P6, fixed: &X0, slots: &L198, fields: &F65, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000fffff0000000fff, bits: 0x231, mnemonic: &P28, fixed: &X0, slots: &L199, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000fffffc000000fff, bits: 0x80000000000000000000c31, mnemonic: &P28, fixed: &X0, slots: &L200, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000fffff0000000fff, bits: 0x80000000000000000231, mnemonic: &P60, fixed: &X48, slots: &L201, fields: &F67, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000fffffc000000fff, bits: 0x80080000000000000000c31, mnemonic: &P60, fixed: &X48, slots: &L202, fields: &F67, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000000000000000fff, bits: 0x831, mnemonic: &P28, fixed: &X0, slots: &L203, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080000000000000000fff, bits: 0x431, mnemonic: &P28, fixed: &X0, slots: &L204, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000000000000000fff, bits: 0x80000000000000000831, mnemonic: &P60, fixed: &X48, slots: &L205, fields: &F67, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001fffc40a0000000000000000fff, bits: 0x80000000000000000431, mnemonic: &P60, fixed: &X48, slots: &L206, fields: &F67, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc08000380000ff00000fff, bits: 0xa31, mnemonic: &P28, fixed: &X0, slots: &L207, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc08000380000ff00000fff, bits: 0x631, mnemonic: &P28, fixed: &X0, slots: &L208, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(31), mask: 0xc00001ffffc080003fffffc000000fff, bits: 0x80000000000000000000e31, mnemonic: &P28, fixed: &X0, slots: &L209, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c003fffff0000000fff, bits: 0x235, mnemonic: &P61, fixed: &X49, slots: &L210, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c00380000ff00000fff, bits: 0xa35, mnemonic: &P61, fixed: &X49, slots: &L211, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c003fffffc000000fff, bits: 0x80000000000000000000c35, mnemonic: &P61, fixed: &X49, slots: &L212, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc003fffff0000000fff, bits: 0x235, mnemonic: &P62, fixed: &X49, slots: &L210, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc00380000ff00000fff, bits: 0xa35, mnemonic: &P62, fixed: &X49, slots: &L211, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc003fffffc000000fff, bits: 0x80000000000000000000c35, mnemonic: &P62, fixed: &X49, slots: &L212, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001fffc46ac003fffff0000000fff, bits: 0x80000000000000000235, mnemonic: &P63, fixed: &X50, slots: &L213, fields: &F67, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001fffc46ac00380000ff00000fff, bits: 0x80000000000000000a35, mnemonic: &P63, fixed: &X50, slots: &L214, fields: &F67, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001fffc46ac003fffffc000000fff, bits: 0x80080000000000000000c35, mnemonic: &P63, fixed: &X50, slots: &L215, fields: &F67, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001fffc66ec003fffff0000000fff, bits: 0x80000000000000000235, mnemonic: &P64, fixed: &X50, slots: &L213, fields: &F69, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001fffc66ec00380000ff00000fff, bits: 0x80000000000000000a35, mnemonic: &P64, fixed: &X50, slots: &L214, fields: &F69, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001fffc66ec003fffffc000000fff, bits: 0x80080000000000000000c35, mnemonic: &P64, fixed: &X50, slots: &L215, fields: &F69, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c000000000000000fff, bits: 0x835, mnemonic: &P61, fixed: &X49, slots: &L216, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc000000000000000fff, bits: 0x835, mnemonic: &P62, fixed: &X49, slots: &L217, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c000000000000000fff, bits: 0x435, mnemonic: &P61, fixed: &X49, slots: &L218, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc000000000000000fff, bits: 0x435, mnemonic: &P62, fixed: &X49, slots: &L219, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001fffc46ac000000000000000fff, bits: 0x80000000000000000835, mnemonic: &P63, fixed: &X50, slots: &L220, fields: &F67, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001fffc66ec000000000000000fff, bits: 0x80000000000000000835, mnemonic: &P64, fixed: &X50, slots: &L221, fields: &F69, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001fffc46ac000000000000000fff, bits: 0x80000000000000000435, mnemonic: &P63, fixed: &X50, slots: &L222, fields: &F67, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001fffc66ec000000000000000fff, bits: 0x80000000000000000435, mnemonic: &P64, fixed: &X50, slots: &L223, fields: &F69, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c00380000ff00000fff, bits: 0x635, mnemonic: &P61, fixed: &X49, slots: &L224, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(24), mask: 0xc00001ffffc68c003fffffc000000fff, bits: 0x80000000000000000000e35, mnemonic: &P61, fixed: &X49, slots: &L225, fields: &F66, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc00380000ff00000fff, bits: 0x635, mnemonic: &P62, fixed: &X49, slots: &L224, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hfma2, isas: IsaSet(7), mask: 0xc00001ffffe6cc003fffffc000000fff, bits: 0x80000000000000000000e35, mnemonic: &P62, fixed: &X49, slots: &L225, fields: &F68, class: Class::Hfma2mma, effects: E29, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00101fffffc0000fff, bits: 0x800080000000000000009f0, mnemonic: &P65, fixed: &X45, slots: &L226, fields: &F70, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00301fffc000000fff, bits: 0x80008000000000000000df0, mnemonic: &P65, fixed: &X45, slots: &L227, fields: &F70, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80ffe00101fffffc0000fff, bits: 0x800000000000000000009f0, mnemonic: &P66, fixed: &X42, slots: &L228, fields: &F71, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80ffe00301fffc000000fff, bits: 0x80000000000000000000df0, mnemonic: &P66, fixed: &X42, slots: &L229, fields: &F71, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00101e00ffc0000fff, bits: 0x8000a0000000000000009f0, mnemonic: &P67, fixed: &X51, slots: &L230, fields: &F72, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00301e00c000000fff, bits: 0x8000a000000000000000df0, mnemonic: &P67, fixed: &X51, slots: &L231, fields: &F72, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80ffe00101e00ffc0000fff, bits: 0x800020000000000000009f0, mnemonic: &P68, fixed: &X52, slots: &L232, fields: &F73, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hgmma, isas: IsaSet(16), mask: 0xc00001fff80ffe00301e00c000000fff, bits: 0x80002000000000000000df0, mnemonic: &P68, fixed: &X52, slots: &L233, fields: &F73, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87bfe007fffff0000000fff, bits: 0x1000000000000000023c, mnemonic: &P69, fixed: &X53, slots: &L234, fields: &F74, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffbfe007fffff0000000fff, bits: 0x1000000000000000023c, mnemonic: &P69, fixed: &X53, slots: &L235, fields: &F74, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87bfe007fffff0000000fff, bits: 0x1800000000000000023c, mnemonic: &P70, fixed: &X54, slots: &L236, fields: &F74, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffbfe007fffff0000000fff, bits: 0x1800000000000000023c, mnemonic: &P70, fixed: &X54, slots: &L237, fields: &F74, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x23c, mnemonic: &P71, fixed: &X55, slots: &L238, fields: &F0, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007fffff0000000fff, bits: 0x23c, mnemonic: &P71, fixed: &X55, slots: &L239, fields: &F0, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x800000000000000023c, mnemonic: &P72, fixed: &X56, slots: &L240, fields: &F0, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007fffff0000000fff, bits: 0x800000000000000023c, mnemonic: &P72, fixed: &X56, slots: &L241, fields: &F0, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x81000000000000000023c, mnemonic: &P73, fixed: &X57, slots: &L236, fields: &F0, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007fffff0000000fff, bits: 0x81000000000000000023c, mnemonic: &P73, fixed: &X57, slots: &L237, fields: &F0, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007fffff0000000fff, bits: 0x85000000000000000023c, mnemonic: &P74, fixed: &X58, slots: &L234, fields: &F0, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007fffff0000000fff, bits: 0x85000000000000000023c, mnemonic: &P74, fixed: &X58, slots: &L235, fields: &F0, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87bfe007ff8000000000fff, bits: 0x1a00000000000000023c, mnemonic: &P75, fixed: &X59, slots: &L242, fields: &F75, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffbfe007ff8000000000fff, bits: 0x1a00000000000000023c, mnemonic: &P75, fixed: &X59, slots: &L243, fields: &F75, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87bfe007ff8000000000fff, bits: 0x5a00000000000000023c, mnemonic: &P76, fixed: &X60, slots: &L244, fields: &F75, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffbfe007ff8000000000fff, bits: 0x5a00000000000000023c, mnemonic: &P76, fixed: &X60, slots: &L245, fields: &F75, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007ff8000000000fff, bits: 0xa00000000000000023c, mnemonic: &P77, fixed: &X61, slots: &L246, fields: &F76, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007ff8000000000fff, bits: 0xa00000000000000023c, mnemonic: &P77, fixed: &X61, slots: &L247, fields: &F76, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007ff8000000000fff, bits: 0x4a00000000000000023c, mnemonic: &P78, fixed: &X62, slots: &L248, fields: &F76, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007ff8000000000fff, bits: 0x4a00000000000000023c, mnemonic: &P78, fixed: &X62, slots: &L249, fields: &F76, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007ff8000000000fff, bits: 0x81200000000000000023c, mnemonic: &P79, fixed: &X63, slots: &L242, fields: &F76, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007ff8000000000fff, bits: 0x81200000000000000023c, mnemonic: &P79, fixed: &X63, slots: &L243, fields: &F76, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(24), mask: 0xc00001fff87ffe007ff8000000000fff, bits: 0x81a00000000000000023c, mnemonic: &P80, fixed: &X64, slots: &L244, fields: &F76, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmma, isas: IsaSet(7), mask: 0xc00001fffffffe007ff8000000000fff, bits: 0x81a00000000000000023c, mnemonic: &P80, fixed: &X64, slots: &L245, fields: &F76, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(30), mask: 0xc00001fff858b0ff0fffff0000000fff, bits: 0x240, mnemonic: &P49, fixed: &X0, slots: &L250, fields: &F77, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(30), mask: 0xc00001fff858b0ff0fffffc000000fff, bits: 0x80000000000000000000c40, mnemonic: &P49, fixed: &X0, slots: &L251, fields: &F77, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(1), mask: 0xc00001fff85cb0ff0fffff0000000fff, bits: 0x240, mnemonic: &P28, fixed: &X0, slots: &L250, fields: &F78, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(1), mask: 0xc00001fff85cb0ff0fffffc000000fff, bits: 0x80000000000000000000c40, mnemonic: &P28, fixed: &X0, slots: &L251, fields: &F78, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(30), mask: 0xc00001fff858b0ff380000ff00000fff, bits: 0xa40, mnemonic: &P49, fixed: &X0, slots: &L252, fields: &F77, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(1), mask: 0xc00001fff85cb0ff380000ff00000fff, bits: 0xa40, mnemonic: &P28, fixed: &X0, slots: &L252, fields: &F78, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(30), mask: 0xc00001fff858b0ff0000000000000fff, bits: 0x840, mnemonic: &P49, fixed: &X0, slots: &L253, fields: &F77, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmnmx2, isas: IsaSet(1), mask: 0xc00001fff85cb0ff0000000000000fff, bits: 0x840, mnemonic: &P28, fixed: &X0, slots: &L253, fields: &F78, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(24), mask: 0xc00001ffffde80ff0fffff0000000fff, bits: 0x232, mnemonic: &P28, fixed: &X0, slots: &L254, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(24), mask: 0xc00001ffffde80ff0fffffc000000fff, bits: 0x80000000000000000000c32, mnemonic: &P28, fixed: &X0, slots: &L192, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(7), mask: 0xc00001fffffec0ff0fffff0000000fff, bits: 0x232, mnemonic: &P6, fixed: &X0, slots: &L254, fields: &F68, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(7), mask: 0xc00001fffffec0ff0fffffc000000fff, bits: 0x80000000000000000000c32, mnemonic: &P6, fixed: &X0, slots: &L192, fields: &F68, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(24), mask: 0xc00001ffffde80ff380000ff00000fff, bits: 0xa32, mnemonic: &P28, fixed: &X0, slots: &L195, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(7), mask: 0xc00001fffffec0ff380000ff00000fff, bits: 0xa32, mnemonic: &P6, fixed: &X0, slots: &L195, fields: &F68, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(24), mask: 0xc00001ffffde80ff0000000000000fff, bits: 0x832, mnemonic: &P28, fixed: &X0, slots: &L197, fields: &F66, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hmul2, isas: IsaSet(7), mask: 0xc00001fffffec0ff0000000000000fff, bits: 0x832, mnemonic: &P6, fixed: &X0, slots: &L198, fields: &F68, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(24), mask: 0xc00001fff87e001c0fffff0000000fff, bits: 0x233, mnemonic: &P3, fixed: &X0, slots: &L255, fields: &F79, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(24), mask: 0xc00001fff87e001c0fffffc000000fff, bits: 0x80000000000000000000e33, mnemonic: &P3, fixed: &X0, slots: &L251, fields: &F79, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(7), mask: 0xc00001fff87e001f0fffff0000000fff, bits: 0x233, mnemonic: &P49, fixed: &X0, slots: &L255, fields: &F80, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(7), mask: 0xc00001fff87e001f0fffffc000000fff, bits: 0x80000000000000000000e33, mnemonic: &P49, fixed: &X0, slots: &L251, fields: &F80, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(24), mask: 0xc00001fff87e001c380000ff00000fff, bits: 0x633, mnemonic: &P3, fixed: &X0, slots: &L252, fields: &F79, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(7), mask: 0xc00001fff87e001f380000ff00000fff, bits: 0x633, mnemonic: &P49, fixed: &X0, slots: &L252, fields: &F80, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(24), mask: 0xc00001fff87e001c0000000000000fff, bits: 0x433, mnemonic: &P3, fixed: &X0, slots: &L253, fields: &F79, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hset2, isas: IsaSet(7), mask: 0xc00001fff87e001f0000000000000fff, bits: 0x433, mnemonic: &P49, fixed: &X0, slots: &L256, fields: &F80, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(24), mask: 0xc00001fff800001c0fffff0000ff0fff, bits: 0x234, mnemonic: &P3, fixed: &X0, slots: &L257, fields: &F81, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(24), mask: 0xc00001fff800001c0fffffc000ff0fff, bits: 0x80000000000000000000e34, mnemonic: &P3, fixed: &X0, slots: &L258, fields: &F81, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(7), mask: 0xc00001fff800001f0fffff0000ff0fff, bits: 0x234, mnemonic: &P49, fixed: &X0, slots: &L257, fields: &F82, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(7), mask: 0xc00001fff800001f0fffffc000ff0fff, bits: 0x80000000000000000000e34, mnemonic: &P49, fixed: &X0, slots: &L258, fields: &F82, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(24), mask: 0xc00001fff800001c380000ff00ff0fff, bits: 0x634, mnemonic: &P3, fixed: &X0, slots: &L259, fields: &F81, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(7), mask: 0xc00001fff800001f380000ff00ff0fff, bits: 0x634, mnemonic: &P49, fixed: &X0, slots: &L259, fields: &F82, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(24), mask: 0xc00001fff800001c0000000000ff0fff, bits: 0x434, mnemonic: &P3, fixed: &X0, slots: &L260, fields: &F81, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::Hsetp2, isas: IsaSet(7), mask: 0xc00001fff800001f0000000000ff0fff, bits: 0x434, mnemonic: &P49, fixed: &X0, slots: &L261, fields: &F82, class: Class::Fp16, effects: E29, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffffffff00ff000fff, bits: 0x2000000000000000000306, mnemonic: &P28, fixed: &X0, slots: &L63, fields: &F83, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03fff80000ffff000fff, bits: 0x2000000000000000000b06, mnemonic: &P28, fixed: &X0, slots: &L65, fields: &F83, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffffffffc0ff000fff, bits: 0x82000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L66, fields: &F83, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffffffff00ff000fff, bits: 0x2000000000000000000306, mnemonic: &P28, fixed: &X0, slots: &L63, fields: &F84, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03fff80000ffff000fff, bits: 0x2000000000000000000b06, mnemonic: &P28, fixed: &X0, slots: &L65, fields: &F84, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffffffffc0ff000fff, bits: 0x82000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L66, fields: &F84, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffcfffff00ff000fff, bits: 0x306, mnemonic: &P28, fixed: &X0, slots: &L262, fields: &F85, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffc80000ffff000fff, bits: 0xb06, mnemonic: &P28, fixed: &X0, slots: &L263, fields: &F85, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffcfffffc0ff000fff, bits: 0x80000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L264, fields: &F85, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffefffff00ff000fff, bits: 0x1000000000000000000306, mnemonic: &P28, fixed: &X0, slots: &L265, fields: &F86, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffe80000ffff000fff, bits: 0x1000000000000000000b06, mnemonic: &P28, fixed: &X0, slots: &L266, fields: &F86, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff03ffefffffc0ff000fff, bits: 0x81000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L267, fields: &F86, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffcfffff00ff000fff, bits: 0x306, mnemonic: &P28, fixed: &X0, slots: &L262, fields: &F87, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffc80000ffff000fff, bits: 0xb06, mnemonic: &P28, fixed: &X0, slots: &L263, fields: &F87, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffcfffffc0ff000fff, bits: 0x80000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L264, fields: &F87, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffefffff00ff000fff, bits: 0x1000000000000000000306, mnemonic: &P28, fixed: &X0, slots: &L265, fields: &F88, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffe80000ffff000fff, bits: 0x1000000000000000000b06, mnemonic: &P28, fixed: &X0, slots: &L266, fields: &F88, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff03ffefffffc0ff000fff, bits: 0x81000000000000000000d06, mnemonic: &P28, fixed: &X0, slots: &L267, fields: &F88, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff07ff00000000ff000fff, bits: 0x2000000000000000000906, mnemonic: &P81, fixed: &X65, slots: &L64, fields: &F89, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff07ff00000000ff000fff, bits: 0x2000000000000000000906, mnemonic: &P81, fixed: &X65, slots: &L64, fields: &F90, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffff07ff00000000ff000fff, bits: 0x2004000000000000000906, mnemonic: &P6, fixed: &X0, slots: &L268, fields: &F89, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(7), mask: 0xc00001ffffff07ff00000000ff000fff, bits: 0x2004000000000000000906, mnemonic: &P6, fixed: &X0, slots: &L268, fields: &F90, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffef3bffffffff00ff000fff, bits: 0x2018000000000000000312, mnemonic: &P82, fixed: &X44, slots: &L269, fields: &F91, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffef3bfff80000ffff000fff, bits: 0x2018000000000000000b12, mnemonic: &P82, fixed: &X44, slots: &L270, fields: &F91, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffef3bffffffffc0ff000fff, bits: 0x82018000000000000000d12, mnemonic: &P82, fixed: &X44, slots: &L271, fields: &F91, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffcfffff00ff000fff, bits: 0x18000000000000000312, mnemonic: &P82, fixed: &X44, slots: &L272, fields: &F92, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffc80000ffff000fff, bits: 0x18000000000000000b12, mnemonic: &P82, fixed: &X44, slots: &L273, fields: &F92, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffcfffffc0ff000fff, bits: 0x80018000000000000000d12, mnemonic: &P82, fixed: &X44, slots: &L274, fields: &F92, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffefffff00ff000fff, bits: 0x1018000000000000000312, mnemonic: &P82, fixed: &X44, slots: &L275, fields: &F93, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffe80000ffff000fff, bits: 0x1018000000000000000b12, mnemonic: &P82, fixed: &X44, slots: &L276, fields: &F93, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3bffefffffc0ff000fff, bits: 0x81018000000000000000d12, mnemonic: &P82, fixed: &X44, slots: &L277, fields: &F93, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3fff00000000ff000fff, bits: 0x2018000000000000000912, mnemonic: &P83, fixed: &X66, slots: &L278, fields: &F94, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffff3fff00000000ff000fff, bits: 0x201c000000000000000912, mnemonic: &P57, fixed: &X44, slots: &L279, fields: &F94, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x20000000000000000312, mnemonic: &P84, fixed: &X43, slots: &L280, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x20000000000000000b12, mnemonic: &P84, fixed: &X43, slots: &L281, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(24), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80020000000000000000d12, mnemonic: &P84, fixed: &X43, slots: &L282, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x10000000000000000312, mnemonic: &P6, fixed: &X0, slots: &L280, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x10000000000000000b12, mnemonic: &P6, fixed: &X0, slots: &L281, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80010000000000000000d12, mnemonic: &P6, fixed: &X0, slots: &L282, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x8000000000000000312, mnemonic: &P85, fixed: &X42, slots: &L280, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x8000000000000000b12, mnemonic: &P85, fixed: &X42, slots: &L281, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2f, isas: IsaSet(31), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80008000000000000000d12, mnemonic: &P85, fixed: &X42, slots: &L282, fields: &F95, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bffffffff00ff000fff, bits: 0x10000000000000000245, mnemonic: &P59, fixed: &X45, slots: &L283, fields: &F96, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bfff80000ffff000fff, bits: 0x10000000000000000a45, mnemonic: &P59, fixed: &X45, slots: &L65, fields: &F96, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffcf3bffffffffc0ff000fff, bits: 0x80010000000000000000c45, mnemonic: &P59, fixed: &X45, slots: &L66, fields: &F96, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffff3fff00000000ff000fff, bits: 0x2010000000000000000845, mnemonic: &P86, fixed: &X67, slots: &L64, fields: &F97, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2fp, isas: IsaSet(30), mask: 0xc00001ffffff3fff00000000ff000fff, bits: 0x2014000000000000000845, mnemonic: &P87, fixed: &X68, slots: &L268, fields: &F97, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcfffffffff00ff000fff, bits: 0x238, mnemonic: &P88, fixed: &X69, slots: &L283, fields: &F98, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcfff00000000ff000fff, bits: 0x838, mnemonic: &P88, fixed: &X69, slots: &L268, fields: &F98, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcffff80000ffff000fff, bits: 0xa38, mnemonic: &P88, fixed: &X69, slots: &L65, fields: &F98, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2i, isas: IsaSet(31), mask: 0xc00001ffffffcfffffffffc0ff000fff, bits: 0x80000000000000000000c38, mnemonic: &P88, fixed: &X69, slots: &L66, fields: &F98, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8200ffffff0000000fff, bits: 0x239, mnemonic: &P89, fixed: &X70, slots: &L154, fields: &F99, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff82000000000000000fff, bits: 0x839, mnemonic: &P89, fixed: &X70, slots: &L284, fields: &F99, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8200f80000ff00000fff, bits: 0xa39, mnemonic: &P89, fixed: &X70, slots: &L156, fields: &F99, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8200ffffffc000000fff, bits: 0x80000000000000000000c39, mnemonic: &P89, fixed: &X70, slots: &L157, fields: &F99, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffff0000000fff, bits: 0x3000000000000000239, mnemonic: &P89, fixed: &X70, slots: &L285, fields: &F100, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff83000000000000000fff, bits: 0x3000000000000000839, mnemonic: &P89, fixed: &X70, slots: &L286, fields: &F100, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300f80000ff00000fff, bits: 0x3000000000000000a39, mnemonic: &P89, fixed: &X70, slots: &L287, fields: &F100, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffffc000000fff, bits: 0x80003000000000000000c39, mnemonic: &P89, fixed: &X70, slots: &L288, fields: &F100, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffff0000000fff, bits: 0x2000000000000000239, mnemonic: &P89, fixed: &X70, slots: &L289, fields: &F101, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff83000000000000000fff, bits: 0x2000000000000000839, mnemonic: &P89, fixed: &X70, slots: &L290, fields: &F101, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300f80000ff00000fff, bits: 0x2000000000000000a39, mnemonic: &P89, fixed: &X70, slots: &L291, fields: &F101, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(24), mask: 0xc00001ffffff8300ffffffc000000fff, bits: 0x80002000000000000000c39, mnemonic: &P89, fixed: &X70, slots: &L292, fields: &F101, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8e00ffffff0000000fff, bits: 0x239, mnemonic: &P88, fixed: &X69, slots: &L154, fields: &F102, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8e000000000000000fff, bits: 0x839, mnemonic: &P88, fixed: &X69, slots: &L284, fields: &F102, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8e00f80000ff00000fff, bits: 0xa39, mnemonic: &P88, fixed: &X69, slots: &L156, fields: &F102, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8e00ffffffc000000fff, bits: 0x80000000000000000000c39, mnemonic: &P88, fixed: &X69, slots: &L157, fields: &F102, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffff0000000fff, bits: 0x3000000000000000239, mnemonic: &P88, fixed: &X69, slots: &L285, fields: &F103, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f000000000000000fff, bits: 0x3000000000000000839, mnemonic: &P88, fixed: &X69, slots: &L286, fields: &F103, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00f80000ff00000fff, bits: 0x3000000000000000a39, mnemonic: &P88, fixed: &X69, slots: &L287, fields: &F103, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffffc000000fff, bits: 0x80003000000000000000c39, mnemonic: &P88, fixed: &X69, slots: &L288, fields: &F103, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffff0000000fff, bits: 0x2000000000000000239, mnemonic: &P88, fixed: &X69, slots: &L289, fields: &F104, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f000000000000000fff, bits: 0x2000000000000000839, mnemonic: &P88, fixed: &X69, slots: &L290, fields: &F104, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00f80000ff00000fff, bits: 0x2000000000000000a39, mnemonic: &P88, fixed: &X69, slots: &L291, fields: &F104, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::I2ip, isas: IsaSet(7), mask: 0xc00001ffffff8f00ffffffc000000fff, bits: 0x80002000000000000000c39, mnemonic: &P88, fixed: &X69, slots: &L292, fields: &F104, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffffffffff00ff000fff, bits: 0x213, mnemonic: &P0, fixed: &X0, slots: &L283, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x813, mnemonic: &P0, fixed: &X0, slots: &L268, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001fffffffffff80000ffff000fff, bits: 0xa13, mnemonic: &P0, fixed: &X0, slots: &L65, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iabs, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ff000fff, bits: 0x80000000000000000000c13, mnemonic: &P0, fixed: &X0, slots: &L66, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012007fffff0000000fff, bits: 0x210, mnemonic: &P14, fixed: &X0, slots: &L293, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012000000000000000fff, bits: 0x810, mnemonic: &P14, fixed: &X0, slots: &L294, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff8001200780000ff00000fff, bits: 0xa10, mnemonic: &P14, fixed: &X0, slots: &L295, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Iadd3, isas: IsaSet(31), mask: 0xc00001fff80012007fffffc000000fff, bits: 0x80000000000000000000c10, mnemonic: &P14, fixed: &X0, slots: &L296, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100ffffff0000000fff, bits: 0x226, mnemonic: &P6, fixed: &X0, slots: &L297, fields: &F106, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100f80000ff00000fff, bits: 0xa26, mnemonic: &P6, fixed: &X0, slots: &L298, fields: &F106, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Idp, isas: IsaSet(31), mask: 0xc00001ffffffc100ffffffc000000fff, bits: 0x80000000000000000000c26, mnemonic: &P6, fixed: &X0, slots: &L299, fields: &F106, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Igmma, isas: IsaSet(16), mask: 0xc00001fff80be700f81fffffc0000fff, bits: 0x800000000000000000009f1, mnemonic: &P49, fixed: &X0, slots: &L300, fields: &F107, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Igmma, isas: IsaSet(16), mask: 0xc00001fff80be700f81fffc000000fff, bits: 0x80000000000000000000df1, mnemonic: &P49, fixed: &X0, slots: &L301, fields: &F107, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Igmma, isas: IsaSet(16), mask: 0xc00001fff80be700f81f00ffc0000fff, bits: 0x800020000000000000009f1, mnemonic: &P90, fixed: &X71, slots: &L302, fields: &F108, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Igmma, isas: IsaSet(16), mask: 0xc00001fff80be700f81f00c000000fff, bits: 0x80002000000000000000df1, mnemonic: &P90, fixed: &X71, slots: &L303, fields: &F108, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100ffffff0000000fff, bits: 0xe00000000000000000224, mnemonic: &P91, fixed: &X0, slots: &L304, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff1000000000000000fff, bits: 0xe00000000000000000824, mnemonic: &P92, fixed: &X0, slots: &L305, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100f80000ff00000fff, bits: 0xe00000000000000000a24, mnemonic: &P93, fixed: &X0, slots: &L306, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff100ffffffc000000fff, bits: 0x80e00000000000000000c24, mnemonic: &P94, fixed: &X0, slots: &L307, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff9000000000000000fff, bits: 0xe00000000000000000424, mnemonic: &P91, fixed: &X0, slots: &L308, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff900780000ff00000fff, bits: 0xe00000000000000000624, mnemonic: &P91, fixed: &X0, slots: &L309, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff87ff9007fffffc000000fff, bits: 0x80e00000000000000000e24, mnemonic: &P94, fixed: &X0, slots: &L310, fields: &F109, class: Class::Fma, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffff0000000fff, bits: 0x225, mnemonic: &P95, fixed: &X72, slots: &L311, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f1000000000000000fff, bits: 0x825, mnemonic: &P95, fixed: &X72, slots: &L312, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100f80000ff00000fff, bits: 0xa25, mnemonic: &P95, fixed: &X72, slots: &L313, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffffc000000fff, bits: 0x80000000000000000000c25, mnemonic: &P95, fixed: &X72, slots: &L314, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f900780000ff00000fff, bits: 0x625, mnemonic: &P95, fixed: &X72, slots: &L315, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9007fffffc000000fff, bits: 0x80000000000000000000e25, mnemonic: &P95, fixed: &X72, slots: &L316, fields: &F109, class: Class::Imadwide, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffff0000000fff, bits: 0x227, mnemonic: &P96, fixed: &X73, slots: &L317, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f1000000000000000fff, bits: 0x827, mnemonic: &P96, fixed: &X73, slots: &L318, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100f80000ff00000fff, bits: 0xa27, mnemonic: &P96, fixed: &X73, slots: &L319, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f100ffffffc000000fff, bits: 0x80000000000000000000c27, mnemonic: &P96, fixed: &X73, slots: &L320, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f900780000ff00000fff, bits: 0x627, mnemonic: &P96, fixed: &X73, slots: &L321, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imad, isas: IsaSet(31), mask: 0xc00001fff871f9007fffffc000000fff, bits: 0x80000000000000000000e27, mnemonic: &P96, fixed: &X73, slots: &L322, fields: &F109, class: Class::Imadhi, effects: E26, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff87baf00ffffff0000000fff, bits: 0x4000000000000000237, mnemonic: &P97, fixed: &X74, slots: &L41, fields: &F110, class: Class::Imma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x4000000000000000237, mnemonic: &P97, fixed: &X74, slots: &L44, fields: &F110, class: Class::Imma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff87baf00ffffff0000000fff, bits: 0x4004000000000000000237, mnemonic: &P98, fixed: &X75, slots: &L42, fields: &F110, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x4004000000000000000237, mnemonic: &P98, fixed: &X75, slots: &L45, fields: &F110, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff87baf00ffffff0000000fff, bits: 0x400c000000000000000237, mnemonic: &P99, fixed: &X76, slots: &L43, fields: &F110, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x400c000000000000000237, mnemonic: &P99, fixed: &X76, slots: &L46, fields: &F110, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x3804000000000000000237, mnemonic: &P100, fixed: &X77, slots: &L44, fields: &F111, class: Class::Imma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x580c000000000000000237, mnemonic: &P99, fixed: &X76, slots: &L45, fields: &F111, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00ffffff0000000fff, bits: 0x7804000000000000000237, mnemonic: &P101, fixed: &X78, slots: &L46, fields: &F111, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff87baf00fffc000000000fff, bits: 0x400d000000000000000237, mnemonic: &P102, fixed: &X79, slots: &L323, fields: &F110, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00fffc000000000fff, bits: 0x400d000000000000000237, mnemonic: &P102, fixed: &X79, slots: &L324, fields: &F110, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(24), mask: 0xc00001fff87baf00fffc000000000fff, bits: 0x6005000000000000000237, mnemonic: &P103, fixed: &X80, slots: &L325, fields: &F110, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00fffc000000000fff, bits: 0x6005000000000000000237, mnemonic: &P103, fixed: &X80, slots: &L326, fields: &F110, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00fffc000000000fff, bits: 0x7805000000000000000237, mnemonic: &P103, fixed: &X80, slots: &L324, fields: &F111, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Imma, isas: IsaSet(7), mask: 0xc00001fffffbaf00fffc000000000fff, bits: 0x780d000000000000000237, mnemonic: &P104, fixed: &X81, slots: &L326, fields: &F111, class: Class::Imma, effects: E9, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdffffffff0000000fff, bits: 0x217, mnemonic: &P14, fixed: &X0, slots: &L327, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdff0000000000000fff, bits: 0x817, mnemonic: &P14, fixed: &X0, slots: &L328, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdfff80000ff00000fff, bits: 0xa17, mnemonic: &P14, fixed: &X0, slots: &L329, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Imnmx, isas: IsaSet(7), mask: 0xc00001fff87ffdffffffffc000000fff, bits: 0x80000000000000000000c17, mnemonic: &P14, fixed: &X0, slots: &L330, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffff0000ff0fff, bits: 0x20c, mnemonic: &P49, fixed: &X0, slots: &L331, fields: &F113, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800f0000000000ff0fff, bits: 0x80c, mnemonic: &P49, fixed: &X0, slots: &L332, fields: &F113, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800ff80000ff00ff0fff, bits: 0xa0c, mnemonic: &P49, fixed: &X0, slots: &L333, fields: &F113, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Isetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffffc000ff0fff, bits: 0x80000000000000000000c0c, mnemonic: &P49, fixed: &X0, slots: &L334, fields: &F113, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(31), mask: 0xc00001ffff8e10c00000000000000fff, bits: 0x980, mnemonic: &P3, fixed: &X0, slots: &L335, fields: &F114, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(24), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0011000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L336, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(24), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0x80001000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L337, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(24), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0001000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L338, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(7), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0001000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L339, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(7), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0xc0011000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L340, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ld, isas: IsaSet(7), mask: 0xc00001ffff8e11c0000000c000000fff, bits: 0x200c0011000000000000000980, mnemonic: &P4, fixed: &X2, slots: &L336, fields: &F115, class: Class::Agu, effects: E30, uniform_guard: false },
    Row { op: Op::Ldc, isas: IsaSet(31), mask: 0xc00001ffffff31fff800003f00000fff, bits: 0xb82, mnemonic: &P6, fixed: &X0, slots: &L341, fields: &F116, class: Class::Dec, effects: E31, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(31), mask: 0xc00001ffff8010c0000000ff00000fff, bits: 0x381, mnemonic: &P3, fixed: &X0, slots: &L342, fields: &F114, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(24), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0011000000000000000981, mnemonic: &P4, fixed: &X2, slots: &L343, fields: &F115, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(7), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0011000000000000000981, mnemonic: &P4, fixed: &X2, slots: &L344, fields: &F115, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(7), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0x200c0011000000000000000981, mnemonic: &P4, fixed: &X2, slots: &L343, fields: &F115, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(24), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0001000000000000000981, mnemonic: &P4, fixed: &X2, slots: &L345, fields: &F115, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldg, isas: IsaSet(7), mask: 0xc00001ffff8011c0000000c000000fff, bits: 0xc0001000000000000000981, mnemonic: &P4, fixed: &X2, slots: &L346, fields: &F115, class: Class::Agu, effects: E32, uniform_guard: false },
    Row { op: Op::Ldgdepbar, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9af, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Agu, effects: E33, uniform_guard: false },
    Row { op: Op::Ldgmc, isas: IsaSet(24), mask: 0xc00001fff87ff1c0000000ff00000fff, bits: 0x801414000000000000009a4, mnemonic: &P105, fixed: &X82, slots: &L347, fields: &F117, class: Class::Agu, effects: E34, uniform_guard: false },
    Row { op: Op::Ldgmc, isas: IsaSet(24), mask: 0xc00001fff87ff1c0000000ff00000fff, bits: 0x801410000000000000009a4, mnemonic: &P105, fixed: &X82, slots: &L348, fields: &F117, class: Class::Agu, effects: E34, uniform_guard: false },
    Row { op: Op::Ldgmc, isas: IsaSet(24), mask: 0xc00001fffcffe1c0000000ff00000fff, bits: 0x801414000000000000009a5, mnemonic: &P105, fixed: &X82, slots: &L349, fields: &F118, class: Class::Agu, effects: E34, uniform_guard: false },
    Row { op: Op::Ldgmc, isas: IsaSet(24), mask: 0xc00001fffcffe1c0000000ff00000fff, bits: 0x801410000000000000009a5, mnemonic: &P105, fixed: &X82, slots: &L350, fields: &F118, class: Class::Agu, effects: E34, uniform_guard: false },
    Row { op: Op::Ldgsts, isas: IsaSet(24), mask: 0xc00001fff809f0400000000000000fff, bits: 0x80010400000000000000fae, mnemonic: &P106, fixed: &X2, slots: &L351, fields: &F119, class: Class::Agu, effects: E35, uniform_guard: false },
    Row { op: Op::Ldgsts, isas: IsaSet(7), mask: 0xc00001fff809f0400000000000000fff, bits: 0x80010400000000000000fae, mnemonic: &P106, fixed: &X2, slots: &L352, fields: &F119, class: Class::Agu, effects: E35, uniform_guard: false },
    Row { op: Op::Ldl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff000000ff00000fff, bits: 0x983, mnemonic: &P6, fixed: &X0, slots: &L353, fields: &F120, class: Class::Agu, effects: E36, uniform_guard: false },
    Row { op: Op::Ldl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff000000c000000fff, bits: 0x80000000000000000000983, mnemonic: &P6, fixed: &X0, slots: &L354, fields: &F120, class: Class::Agu, effects: E36, uniform_guard: false },
    Row { op: Op::Lds, isas: IsaSet(31), mask: 0xc00001ffffff31ff000000ff00000fff, bits: 0x984, mnemonic: &P14, fixed: &X0, slots: &L355, fields: &F121, class: Class::Agu, effects: E37, uniform_guard: false },
    Row { op: Op::Lds, isas: IsaSet(31), mask: 0xc00001ffffff31ff000000c000000fff, bits: 0x80000000000000000000984, mnemonic: &P14, fixed: &X0, slots: &L356, fields: &F121, class: Class::Agu, effects: E37, uniform_guard: false },
    Row { op: Op::Ldsm, isas: IsaSet(31), mask: 0xc00001ffffff3cff000000ff00000fff, bits: 0x83b, mnemonic: &P107, fixed: &X83, slots: &L357, fields: &F122, class: Class::Agu, effects: E38, uniform_guard: false },
    Row { op: Op::Ldsm, isas: IsaSet(31), mask: 0xc00001ffffff3cff000000c000000fff, bits: 0x8000000000000000000083b, mnemonic: &P107, fixed: &X83, slots: &L358, fields: &F122, class: Class::Agu, effects: E38, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x211, mnemonic: &P14, fixed: &X0, slots: &L359, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x811, mnemonic: &P14, fixed: &X0, slots: &L360, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0xa11, mnemonic: &P14, fixed: &X0, slots: &L361, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80000000000000000000c11, mnemonic: &P14, fixed: &X0, slots: &L362, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x100000000000000000211, mnemonic: &P108, fixed: &X73, slots: &L363, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x100000000000000000811, mnemonic: &P108, fixed: &X73, slots: &L364, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0x100000000000000000a11, mnemonic: &P108, fixed: &X73, slots: &L365, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80100000000000000000c11, mnemonic: &P108, fixed: &X73, slots: &L366, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x100000000000000000411, mnemonic: &P108, fixed: &X73, slots: &L367, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffff0000000fff, bits: 0x102000000000000000211, mnemonic: &P109, fixed: &X84, slots: &L359, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102000000000000000fff, bits: 0x102000000000000000811, mnemonic: &P109, fixed: &X84, slots: &L360, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff8710200780000ff00000fff, bits: 0x102000000000000000a11, mnemonic: &P109, fixed: &X84, slots: &L361, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lea, isas: IsaSet(31), mask: 0xc00001fff87102007fffffc000000fff, bits: 0x80102000000000000000c11, mnemonic: &P109, fixed: &X84, slots: &L362, fields: &F105, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lepc, isas: IsaSet(7), mask: 0xc00001ffffffffffffffffffff000fff, bits: 0x34e, mnemonic: &P0, fixed: &X0, slots: &L368, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lepc, isas: IsaSet(24), mask: 0xc00001fffffc00000000000000000fff, bits: 0x94e, mnemonic: &P0, fixed: &X0, slots: &L369, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000ffffff0000000fff, bits: 0x212, mnemonic: &P110, fixed: &X85, slots: &L370, fields: &F123, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff87000000000000000000fff, bits: 0x812, mnemonic: &P110, fixed: &X85, slots: &L371, fields: &F123, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000f80000ff00000fff, bits: 0xa12, mnemonic: &P110, fixed: &X85, slots: &L372, fields: &F123, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Lop3, isas: IsaSet(31), mask: 0xc00001fff8700000ffffffc000000fff, bits: 0x80000000000000000000c12, mnemonic: &P110, fixed: &X85, slots: &L373, fields: &F123, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Match, isas: IsaSet(31), mask: 0xc00001fffffffdffffffffff00000fff, bits: 0xe800000000000000003a1, mnemonic: &P111, fixed: &X86, slots: &L374, fields: &F124, class: Class::Dec, effects: E39, uniform_guard: false },
    Row { op: Op::Match, isas: IsaSet(31), mask: 0xc00001fffff1fdffffffffff00000fff, bits: 0x3a1, mnemonic: &P112, fixed: &X87, slots: &L375, fields: &F124, class: Class::Dec, effects: E39, uniform_guard: false },
    Row { op: Op::Membar, isas: IsaSet(31), mask: 0xc00001fffffe0fffffffffffffff0fff, bits: 0x992, mnemonic: &P6, fixed: &X0, slots: &L0, fields: &F125, class: Class::Dec, effects: E40, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ffffffff00ff000fff, bits: 0x202, mnemonic: &P0, fixed: &X0, slots: &L376, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ff00000000ff000fff, bits: 0x802, mnemonic: &P0, fixed: &X0, slots: &L377, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0fff80000ffff000fff, bits: 0xa02, mnemonic: &P0, fixed: &X0, slots: &L378, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Mov, isas: IsaSet(31), mask: 0xc00001fffffff0ffffffffc0ff000fff, bits: 0x80000000000000000000c02, mnemonic: &P0, fixed: &X0, slots: &L379, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Movm, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffff00000fff, bits: 0x23a, mnemonic: &P113, fixed: &X88, slots: &L380, fields: &F0, class: Class::Dec, effects: E41, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff3fffff00ff000fff, bits: 0x308, mnemonic: &P14, fixed: &X0, slots: &L106, fields: &F126, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff380000ffff000fff, bits: 0xb08, mnemonic: &P14, fixed: &X0, slots: &L107, fields: &F126, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff3fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P14, fixed: &X0, slots: &L108, fields: &F126, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff2fffff00ff000fff, bits: 0x308, mnemonic: &P14, fixed: &X0, slots: &L109, fields: &F127, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff280000ffff000fff, bits: 0xb08, mnemonic: &P14, fixed: &X0, slots: &L110, fields: &F127, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(24), mask: 0xc00001ffffffc0ff2fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P14, fixed: &X0, slots: &L111, fields: &F127, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff2fffff00ff000fff, bits: 0x308, mnemonic: &P14, fixed: &X0, slots: &L109, fields: &F128, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff280000ffff000fff, bits: 0xb08, mnemonic: &P14, fixed: &X0, slots: &L110, fields: &F128, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(7), mask: 0xc00001ffffffc0ff2fffffc0ff000fff, bits: 0x80000000000000000000d08, mnemonic: &P14, fixed: &X0, slots: &L111, fields: &F128, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff00000000ff000fff, bits: 0x908, mnemonic: &P14, fixed: &X0, slots: &L121, fields: &F129, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Mufu, isas: IsaSet(31), mask: 0xc00001ffffffc0ff00000000ff000fff, bits: 0x908, mnemonic: &P14, fixed: &X0, slots: &L124, fields: &F130, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(24), mask: 0xc00001fff80fffffffffff00ffff0fff, bits: 0x35d, mnemonic: &P28, fixed: &X0, slots: &L381, fields: &F131, class: Class::Br, effects: E14, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(7), mask: 0xc00001fff81fffffffffff00ffff0fff, bits: 0x35d, mnemonic: &P6, fixed: &X0, slots: &L381, fields: &F132, class: Class::Br, effects: E14, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(24), mask: 0xc00001fff80fffff00000000ffff0fff, bits: 0x95d, mnemonic: &P28, fixed: &X0, slots: &L382, fields: &F131, class: Class::Br, effects: E14, uniform_guard: false },
    Row { op: Op::Nanosleep, isas: IsaSet(7), mask: 0xc00001fff81fffff00000000ffff0fff, bits: 0x95d, mnemonic: &P6, fixed: &X0, slots: &L382, fields: &F132, class: Class::Br, effects: E14, uniform_guard: false },
    Row { op: Op::Nop, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x918, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E42, uniform_guard: false },
    Row { op: Op::P2r, isas: IsaSet(24), mask: 0xc00001ffffffcfff0000000000000fff, bits: 0x803, mnemonic: &P14, fixed: &X0, slots: &L383, fields: &F133, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::P2r, isas: IsaSet(7), mask: 0xc00001ffffffcfff0000000000000fff, bits: 0x803, mnemonic: &P14, fixed: &X0, slots: &L384, fields: &F133, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001fff8000008ffffffffff000fff, bits: 0x81c, mnemonic: &P114, fixed: &X85, slots: &L385, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001fff8000008ffffffffff000fff, bits: 0x8000000000000081c, mnemonic: &P114, fixed: &X85, slots: &L386, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001ffff810000ffffff0000000fff, bits: 0x21f, mnemonic: &P114, fixed: &X85, slots: &L387, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001ffff810000f80000ff00000fff, bits: 0xa1f, mnemonic: &P114, fixed: &X85, slots: &L388, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Plop3, isas: IsaSet(31), mask: 0xc00001ffff810000ffffffc000000fff, bits: 0x80000000000000000000c1f, mnemonic: &P114, fixed: &X85, slots: &L389, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Pmtrig, isas: IsaSet(31), mask: 0xc00001fff87fffffffff0000ffff0fff, bits: 0x801, mnemonic: &P0, fixed: &X0, slots: &L390, fields: &F0, class: Class::Br, effects: E42, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffff00ff000fff, bits: 0x309, mnemonic: &P0, fixed: &X0, slots: &L391, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ff000fff, bits: 0x909, mnemonic: &P0, fixed: &X0, slots: &L64, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff780000ffff000fff, bits: 0xb09, mnemonic: &P0, fixed: &X0, slots: &L392, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Popc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffffc0ff000fff, bits: 0x80000000000000000000d09, mnemonic: &P0, fixed: &X0, slots: &L393, fields: &F0, class: Class::Dec, effects: E17, uniform_guard: false },
    Row { op: Op::Preexit, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x82d, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E0, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffff0000000fff, bits: 0x216, mnemonic: &P14, fixed: &X0, slots: &L137, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff8000000000000000fff, bits: 0x816, mnemonic: &P14, fixed: &X0, slots: &L394, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800f80000ff00000fff, bits: 0xa16, mnemonic: &P14, fixed: &X0, slots: &L395, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff8000000000000000fff, bits: 0x416, mnemonic: &P14, fixed: &X0, slots: &L396, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800f80000ff00000fff, bits: 0x616, mnemonic: &P14, fixed: &X0, slots: &L397, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffffc000000fff, bits: 0x80000000000000000000e16, mnemonic: &P14, fixed: &X0, slots: &L398, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Prmt, isas: IsaSet(31), mask: 0xc00001fffffff800ffffffc000000fff, bits: 0x80000000000000000000c16, mnemonic: &P14, fixed: &X0, slots: &L138, fields: &F134, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781fffffc0000fff, bits: 0x800080000000000000009f3, mnemonic: &P53, fixed: &X45, slots: &L399, fields: &F135, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781fffc000000fff, bits: 0x80008000000000000000df3, mnemonic: &P53, fixed: &X45, slots: &L400, fields: &F135, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781fffffc0000fff, bits: 0x800000000000000000009f3, mnemonic: &P50, fixed: &X42, slots: &L401, fields: &F136, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781fffc000000fff, bits: 0x80000000000000000000df3, mnemonic: &P50, fixed: &X42, slots: &L402, fields: &F136, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781f00ffc0000fff, bits: 0x8000a0000000000000009f3, mnemonic: &P115, fixed: &X51, slots: &L403, fields: &F137, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781f00c000000fff, bits: 0x8000a000000000000000df3, mnemonic: &P115, fixed: &X51, slots: &L404, fields: &F137, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781f00ffc0000fff, bits: 0x800020000000000000009f3, mnemonic: &P116, fixed: &X52, slots: &L405, fields: &F138, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qgmma, isas: IsaSet(16), mask: 0xc00001fff80fce00781f00c000000fff, bits: 0x80002000000000000000df3, mnemonic: &P116, fixed: &X52, slots: &L406, fields: &F138, class: Class::Hgmma, effects: E8, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff3e007fffff0000000fff, bits: 0x2400000000000000027a, mnemonic: &P117, fixed: &X54, slots: &L407, fields: &F139, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff3e007fffff0000000fff, bits: 0x2c00000000000000027a, mnemonic: &P118, fixed: &X89, slots: &L408, fields: &F139, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff3e007fffff0000000fff, bits: 0x400000000000000027a, mnemonic: &P119, fixed: &X56, slots: &L409, fields: &F139, class: Class::Hmma1, effects: E9, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff3e007fffff0000000fff, bits: 0xc00000000000000027a, mnemonic: &P120, fixed: &X90, slots: &L410, fields: &F139, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Qmma, isas: IsaSet(4), mask: 0xc00001ffffff3e007ffc000000000fff, bits: 0x13400000000000000027a, mnemonic: &P121, fixed: &X91, slots: &L411, fields: &F139, class: Class::Hmma, effects: E9, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(24), mask: 0xc00001fffff1f8ff000000ff00000fff, bits: 0x3aa, mnemonic: &P6, fixed: &X0, slots: &L412, fields: &F140, class: Class::Agu, effects: E43, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(24), mask: 0xc00001fffff1f9ff000000c000000fff, bits: 0x800010000000000000009aa, mnemonic: &P122, fixed: &X2, slots: &L413, fields: &F141, class: Class::Agu, effects: E43, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(24), mask: 0xc00001fffff1f9ff000000c000000fff, bits: 0xc00010000000000000009aa, mnemonic: &P122, fixed: &X2, slots: &L414, fields: &F141, class: Class::Agu, effects: E43, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(7), mask: 0xc00001fffff1f9ff000000c000000fff, bits: 0xc00010000000000000009aa, mnemonic: &P122, fixed: &X2, slots: &L415, fields: &F142, class: Class::Agu, effects: E43, uniform_guard: false },
    Row { op: Op::Qspc, isas: IsaSet(7), mask: 0xc00001fffff1f8ff000000ff00000fff, bits: 0x3aa, mnemonic: &P6, fixed: &X0, slots: &L412, fields: &F143, class: Class::Agu, effects: E43, uniform_guard: false },
    Row { op: Op::R2p, isas: IsaSet(31), mask: 0xc00001ffffffcfff0000000000ff0fff, bits: 0x804, mnemonic: &P0, fixed: &X0, slots: &L416, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(24), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x2ca, mnemonic: &P0, fixed: &X0, slots: &L417, fields: &F0, class: Class::R2ur, effects: E44, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(24), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x10000000000000000002ca, mnemonic: &P123, fixed: &X92, slots: &L418, fields: &F0, class: Class::R2ur, effects: E44, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(7), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x3c2, mnemonic: &P0, fixed: &X0, slots: &L419, fields: &F0, class: Class::R2ur, effects: E45, uniform_guard: false },
    Row { op: Op::R2ur, isas: IsaSet(7), mask: 0xc00001fffff1ffffffffffff00c00fff, bits: 0x10000000000000000003c2, mnemonic: &P123, fixed: &X92, slots: &L420, fields: &F0, class: Class::R2ur, effects: E45, uniform_guard: false },
    Row { op: Op::Red, isas: IsaSet(7), mask: 0xc00001fffc0e01c00000000000ff0fff, bits: 0xc000180000000000000098e, mnemonic: &P4, fixed: &X2, slots: &L421, fields: &F144, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Red, isas: IsaSet(7), mask: 0xc00001fffc0e01c00000000000ff0fff, bits: 0x200c000180000000000000098e, mnemonic: &P4, fixed: &X2, slots: &L422, fields: &F144, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redas, isas: IsaSet(24), mask: 0xc00001fff87ff1ff0000000000ff0fff, bits: 0x800013f0000000000000dbe, mnemonic: &P6, fixed: &X0, slots: &L423, fields: &F145, class: Class::Agu, effects: E47, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc0e11c00000000000ff0fff, bits: 0xc000180000000000000098e, mnemonic: &P4, fixed: &X2, slots: &L424, fields: &F146, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc0e11c00000000000ff0fff, bits: 0x8000100000000000000098e, mnemonic: &P4, fixed: &X2, slots: &L425, fields: &F146, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc0e11c00000000000ff0fff, bits: 0xc000100000000000000098e, mnemonic: &P4, fixed: &X2, slots: &L426, fields: &F146, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc8e01c00000000000ff0fff, bits: 0xc00018000000000000009a6, mnemonic: &P4, fixed: &X2, slots: &L427, fields: &F4, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc8e01c00000000000ff0fff, bits: 0x800010000000000000009a6, mnemonic: &P4, fixed: &X2, slots: &L428, fields: &F4, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redg, isas: IsaSet(24), mask: 0xc00001fffc8e01c00000000000ff0fff, bits: 0xc00010000000000000009a6, mnemonic: &P4, fixed: &X2, slots: &L429, fields: &F4, class: Class::Agu, effects: E46, uniform_guard: false },
    Row { op: Op::Redux, isas: IsaSet(31), mask: 0xc00001fffffe3dffffffffff00c00fff, bits: 0x3c4, mnemonic: &P6, fixed: &X0, slots: &L430, fields: &F147, class: Class::Dec, effects: E48, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x950, mnemonic: &P26, fixed: &X20, slots: &L74, fields: &F148, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(24), mask: 0xc00001fff83c00000000000300000fff, bits: 0x2000000000000000000950, mnemonic: &P27, fixed: &X21, slots: &L431, fields: &F148, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x950, mnemonic: &P26, fixed: &X20, slots: &L75, fields: &F148, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Ret, isas: IsaSet(7), mask: 0xc00001fff83c00000000000300ff0fff, bits: 0x2000000000000000000950, mnemonic: &P27, fixed: &X21, slots: &L432, fields: &F148, class: Class::Br, effects: E15, uniform_guard: false },
    Row { op: Op::Rpcmov, isas: IsaSet(24), mask: 0xc00001ffffffffffffffff007fff0fff, bits: 0x352, mnemonic: &P20, fixed: &X15, slots: &L433, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Rpcmov, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffff7f000fff, bits: 0x353, mnemonic: &P20, fixed: &X15, slots: &L434, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::S2r, isas: IsaSet(24), mask: 0xc00001ffffff00ffffffffffff000fff, bits: 0x919, mnemonic: &P0, fixed: &X0, slots: &L435, fields: &F0, class: Class::Dec, effects: E49, uniform_guard: false },
    Row { op: Op::S2r, isas: IsaSet(7), mask: 0xc00001ffffff00ffffffffffff000fff, bits: 0x919, mnemonic: &P0, fixed: &X0, slots: &L436, fields: &F0, class: Class::Dec, effects: E49, uniform_guard: false },
    Row { op: Op::S2ur, isas: IsaSet(24), mask: 0xc00001ffffff00ffffffffffffc00fff, bits: 0x9c3, mnemonic: &P0, fixed: &X0, slots: &L437, fields: &F0, class: Class::Dec, effects: E49, uniform_guard: true },
    Row { op: Op::S2ur, isas: IsaSet(7), mask: 0xc00001ffffff00ffffffffffffc00fff, bits: 0x9c3, mnemonic: &P0, fixed: &X0, slots: &L438, fields: &F0, class: Class::Dec, effects: E49, uniform_guard: true },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffff0000000fff, bits: 0x207, mnemonic: &P0, fixed: &X0, slots: &L327, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffff0000000000000fff, bits: 0x807, mnemonic: &P0, fixed: &X0, slots: &L439, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87ffffff80000ff00000fff, bits: 0xa07, mnemonic: &P0, fixed: &X0, slots: &L329, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffc000000fff, bits: 0x80000000000000000000c07, mnemonic: &P0, fixed: &X0, slots: &L330, fields: &F0, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffff0000000fff, bits: 0x21a, mnemonic: &P6, fixed: &X0, slots: &L51, fields: &F149, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ff0000000000000fff, bits: 0x81a, mnemonic: &P6, fixed: &X0, slots: &L52, fields: &F149, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5fff80000ff00000fff, bits: 0xa1a, mnemonic: &P6, fixed: &X0, slots: &L53, fields: &F149, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Sgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffffc000000fff, bits: 0x80000000000000000000c1a, mnemonic: &P6, fixed: &X0, slots: &L54, fields: &F149, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffff0000000fff, bits: 0x219, mnemonic: &P49, fixed: &X0, slots: &L137, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee1000000000000000fff, bits: 0x819, mnemonic: &P49, fixed: &X0, slots: &L394, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100f80000ff00000fff, bits: 0xa19, mnemonic: &P49, fixed: &X0, slots: &L395, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffffc000000fff, bits: 0x80000000000000000000c19, mnemonic: &P49, fixed: &X0, slots: &L138, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee1000000000000000fff, bits: 0x419, mnemonic: &P49, fixed: &X0, slots: &L396, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100f80000ff00000fff, bits: 0x619, mnemonic: &P49, fixed: &X0, slots: &L397, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shf, isas: IsaSet(31), mask: 0xc00001fffffee100ffffffc000000fff, bits: 0x80000000000000000000e19, mnemonic: &P49, fixed: &X0, slots: &L398, fields: &F150, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1ff00f3ffff0000000fff, bits: 0x389, mnemonic: &P14, fixed: &X0, slots: &L440, fields: &F151, class: Class::Agu, effects: E50, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1fffff3e0000000000fff, bits: 0x589, mnemonic: &P14, fixed: &X0, slots: &L441, fields: &F151, class: Class::Agu, effects: E50, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1ff00f01fffff00000fff, bits: 0x989, mnemonic: &P14, fixed: &X0, slots: &L442, fields: &F151, class: Class::Agu, effects: E50, uniform_guard: false },
    Row { op: Op::Shfl, isas: IsaSet(31), mask: 0xc00001fffff1fffff00000ff00000fff, bits: 0xf89, mnemonic: &P14, fixed: &X0, slots: &L443, fields: &F151, class: Class::Agu, effects: E50, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(31), mask: 0xc00001ffff8e10000000000000ff0fff, bits: 0x385, mnemonic: &P49, fixed: &X0, slots: &L444, fields: &F152, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L445, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0x80001000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L446, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0001000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L447, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0001000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L448, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L449, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::St, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0x200c0011000000000000000985, mnemonic: &P124, fixed: &X2, slots: &L445, fields: &F153, class: Class::Agu, effects: E51, uniform_guard: false },
    Row { op: Op::Stas, isas: IsaSet(24), mask: 0xc00001fffffff1ff0000000000ff0fff, bits: 0xc00003f0000000000000dbd, mnemonic: &P14, fixed: &X0, slots: &L450, fields: &F154, class: Class::Agu, effects: E52, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000986, mnemonic: &P124, fixed: &X2, slots: &L445, fields: &F153, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0011000000000000000986, mnemonic: &P124, fixed: &X2, slots: &L449, fields: &F153, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0x200c0011000000000000000986, mnemonic: &P124, fixed: &X2, slots: &L445, fields: &F153, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(24), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0001000000000000000986, mnemonic: &P124, fixed: &X2, slots: &L447, fields: &F153, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(7), mask: 0xc00001ffff8e11c00000000000ff0fff, bits: 0xc0001000000000000000986, mnemonic: &P124, fixed: &X2, slots: &L448, fields: &F153, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stg, isas: IsaSet(31), mask: 0xc00001ffff8e10ff0000000000ff0fff, bits: 0x386, mnemonic: &P49, fixed: &X0, slots: &L451, fields: &F152, class: Class::Agu, effects: E53, uniform_guard: false },
    Row { op: Op::Stl, isas: IsaSet(31), mask: 0xc00001ffff8ff1ff0000000000ff0fff, bits: 0x387, mnemonic: &P6, fixed: &X0, slots: &L452, fields: &F120, class: Class::Agu, effects: E54, uniform_guard: false },
    Row { op: Op::Stl, isas: IsaSet(31), mask: 0xc00001ffff8ff1c00000000000ff0fff, bits: 0x80000000000000000000987, mnemonic: &P6, fixed: &X0, slots: &L453, fields: &F120, class: Class::Agu, effects: E54, uniform_guard: false },
    Row { op: Op::Sts, isas: IsaSet(31), mask: 0xc00001ffffff31ff0000000000ff0fff, bits: 0x388, mnemonic: &P14, fixed: &X0, slots: &L454, fields: &F121, class: Class::Agu, effects: E55, uniform_guard: false },
    Row { op: Op::Sts, isas: IsaSet(31), mask: 0xc00001ffffff31c00000000000ff0fff, bits: 0x80000000000000000000988, mnemonic: &P14, fixed: &X0, slots: &L455, fields: &F121, class: Class::Agu, effects: E55, uniform_guard: false },
    Row { op: Op::Stsm, isas: IsaSet(24), mask: 0xc00001ffffffbcff0000000000ff0fff, bits: 0x844, mnemonic: &P107, fixed: &X83, slots: &L456, fields: &F155, class: Class::Agu, effects: E56, uniform_guard: false },
    Row { op: Op::Stsm, isas: IsaSet(24), mask: 0xc00001ffffffbcc00000000000ff0fff, bits: 0x80000000000000000000844, mnemonic: &P107, fixed: &X83, slots: &L457, fields: &F155, class: Class::Agu, effects: E56, uniform_guard: false },
    Row { op: Op::Suld, isas: IsaSet(31), mask: 0xc00001ffff8010ff07c000ff00000fff, bits: 0x80000000000000000000f99, mnemonic: &P125, fixed: &X93, slots: &L458, fields: &F156, class: Class::Dec, effects: E57, uniform_guard: false },
    Row { op: Op::Suld, isas: IsaSet(7), mask: 0xc00001ffff8010ff000000ff00000fff, bits: 0xb99, mnemonic: &P125, fixed: &X93, slots: &L459, fields: &F156, class: Class::Dec, effects: E57, uniform_guard: false },
    Row { op: Op::Suld, isas: IsaSet(7), mask: 0xc00001ffff80100007ffffff00000fff, bits: 0x99a, mnemonic: &P125, fixed: &X93, slots: &L460, fields: &F156, class: Class::Dec, effects: E57, uniform_guard: false },
    Row { op: Op::Sured, isas: IsaSet(31), mask: 0xc00001fffc0e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9f, mnemonic: &P126, fixed: &X93, slots: &L461, fields: &F157, class: Class::Dec, effects: E58, uniform_guard: false },
    Row { op: Op::Sured, isas: IsaSet(7), mask: 0xc00001fffc0e10ff0000000000ff0fff, bits: 0x59f, mnemonic: &P126, fixed: &X93, slots: &L462, fields: &F157, class: Class::Dec, effects: E58, uniform_guard: false },
    Row { op: Op::Sured, isas: IsaSet(7), mask: 0xc00001fffc0e100007ffff0000ff0fff, bits: 0x3a0, mnemonic: &P126, fixed: &X93, slots: &L463, fields: &F157, class: Class::Dec, effects: E58, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(31), mask: 0xc00001ffff8e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9d, mnemonic: &P125, fixed: &X93, slots: &L464, fields: &F158, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e100007ffff0000ff0fff, bits: 0x99e, mnemonic: &P125, fixed: &X93, slots: &L465, fields: &F158, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e10ff0000000000ff0fff, bits: 0xb9d, mnemonic: &P125, fixed: &X93, slots: &L466, fields: &F158, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(31), mask: 0xc00001ffff8e10ff07c0000000ff0fff, bits: 0x80000000000000000000f9b, mnemonic: &P127, fixed: &X94, slots: &L467, fields: &F159, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e10ff0000000000ff0fff, bits: 0xb9b, mnemonic: &P127, fixed: &X94, slots: &L468, fields: &F159, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Sust, isas: IsaSet(7), mask: 0xc00001ffff8e100007ffff0000ff0fff, bits: 0x99c, mnemonic: &P127, fixed: &X94, slots: &L469, fields: &F159, class: Class::Dec, effects: E59, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001fffff1fec00000000000ff0fff, bits: 0x800004000000000000005a7, mnemonic: &P128, fixed: &X95, slots: &L470, fields: &F160, class: Class::Dec, effects: E60, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffff8ff1c00000000000000fff, bits: 0x800000000000000000009a7, mnemonic: &P129, fixed: &X96, slots: &L471, fields: &F161, class: Class::Dec, effects: E61, uniform_guard: false },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffffffffff000000c0c0c00fff, bits: 0x800010000000000000005b2, mnemonic: &P130, fixed: &X97, slots: &L472, fields: &F0, class: Class::Dec, effects: E61, uniform_guard: true },
    Row { op: Op::Syncs, isas: IsaSet(24), mask: 0xc00001ffffffffc0000000ff00ff0fff, bits: 0x800000000000000000009b1, mnemonic: &P131, fixed: &X98, slots: &L1, fields: &F0, class: Class::Dec, effects: E62, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(31), mask: 0xc00001fff80000000fc0000000000fff, bits: 0x80000000000000000000f60, mnemonic: &P132, fixed: &X0, slots: &L473, fields: &F162, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(7), mask: 0xc00001fff80000000fffff0000000fff, bits: 0x800000000000361, mnemonic: &P133, fixed: &X99, slots: &L474, fields: &F162, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tex, isas: IsaSet(7), mask: 0xc00001fff80000000800000000000fff, bits: 0xb60, mnemonic: &P132, fixed: &X0, slots: &L475, fields: &F162, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(31), mask: 0xc00001fff80000000fc0000000000fff, bits: 0x80000000000000000000f66, mnemonic: &P132, fixed: &X0, slots: &L476, fields: &F163, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(7), mask: 0xc00001fff80000000fffff0000000fff, bits: 0x800000000000367, mnemonic: &P133, fixed: &X99, slots: &L477, fields: &F163, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld, isas: IsaSet(7), mask: 0xc00001fff80000000800000000000fff, bits: 0xb66, mnemonic: &P132, fixed: &X0, slots: &L478, fields: &F163, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld4, isas: IsaSet(31), mask: 0xc00001fffa0000000fc0000000000fff, bits: 0x80000000000000000000f63, mnemonic: &P134, fixed: &X0, slots: &L479, fields: &F164, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld4, isas: IsaSet(7), mask: 0xc00001fffa0000000800000000000fff, bits: 0xb63, mnemonic: &P134, fixed: &X0, slots: &L480, fields: &F164, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Tld4, isas: IsaSet(7), mask: 0xc00001fffa0000000fffff0000000fff, bits: 0x800000000000364, mnemonic: &P135, fixed: &X99, slots: &L481, fields: &F164, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Txd, isas: IsaSet(31), mask: 0xc00001fffb0060001fc0000000000fff, bits: 0x80000000000000000000f6c, mnemonic: &P3, fixed: &X0, slots: &L482, fields: &F165, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Txd, isas: IsaSet(7), mask: 0xc00001fffb0060001800000000000fff, bits: 0xb6c, mnemonic: &P3, fixed: &X0, slots: &L483, fields: &F165, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Txd, isas: IsaSet(7), mask: 0xc00001fffb0060001fffff0000000fff, bits: 0x80000000000036d, mnemonic: &P136, fixed: &X99, slots: &L484, fields: &F165, class: Class::Dec, effects: E63, uniform_guard: false },
    Row { op: Op::Txq, isas: IsaSet(31), mask: 0xc00001fffbfff0003fc000ff00000fff, bits: 0x80000000000000000000f6f, mnemonic: &P14, fixed: &X0, slots: &L485, fields: &F166, class: Class::Dec, effects: E64, uniform_guard: false },
    Row { op: Op::Txq, isas: IsaSet(7), mask: 0xc00001fffbfff000380000ff00000fff, bits: 0xb6f, mnemonic: &P14, fixed: &X0, slots: &L486, fields: &F166, class: Class::Dec, effects: E64, uniform_guard: false },
    Row { op: Op::Txq, isas: IsaSet(7), mask: 0xc00001fffbfff0003fffffff00000fff, bits: 0x800000000000370, mnemonic: &P137, fixed: &X99, slots: &L487, fields: &F166, class: Class::Dec, effects: E64, uniform_guard: false },
    Row { op: Op::Ublkcp, isas: IsaSet(24), mask: 0xc00001fffffff1c0ffffffc0c0ff0fff, bits: 0x800000000000000000003ba, mnemonic: &P28, fixed: &X0, slots: &L488, fields: &F167, class: Class::Dec, effects: E65, uniform_guard: true },
    Row { op: Op::Ublkcp, isas: IsaSet(24), mask: 0xc00001fffffff1c0ffffc0c0c0ff0fff, bits: 0x800100000000000000003ba, mnemonic: &P28, fixed: &X0, slots: &L489, fields: &F167, class: Class::Dec, effects: E65, uniform_guard: true },
    Row { op: Op::Ublkpf, isas: IsaSet(24), mask: 0xc00001ffffffffc0ffffffffc0ff0fff, bits: 0x800000000000000000003bc, mnemonic: &P138, fixed: &X100, slots: &L490, fields: &F0, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Ublkpf, isas: IsaSet(24), mask: 0xc00001ffffffffc0ffffc0ffc0ff0fff, bits: 0x800100000000000000003bc, mnemonic: &P138, fixed: &X100, slots: &L491, fields: &F0, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Ublkred, isas: IsaSet(24), mask: 0xc00001fffc61fdc0ffffffc0c0ff0fff, bits: 0x800040000000000000003bb, mnemonic: &P139, fixed: &X101, slots: &L492, fields: &F168, class: Class::Dec, effects: E67, uniform_guard: true },
    Row { op: Op::Ublkred, isas: IsaSet(24), mask: 0xc00001fffc61fdc0ffffc0c0c0ff0fff, bits: 0x800140000000000000003bb, mnemonic: &P139, fixed: &X101, slots: &L493, fields: &F168, class: Class::Dec, effects: E67, uniform_guard: true },
    Row { op: Op::Ubmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ffffffffc0c0c00fff, bits: 0x8000000000000000000029b, mnemonic: &P14, fixed: &X0, slots: &L494, fields: &F29, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ubmsk, isas: IsaSet(31), mask: 0xc00001fffffff7ff00000000c0c00fff, bits: 0x8000000000000000000089b, mnemonic: &P14, fixed: &X0, slots: &L495, fields: &F29, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ubrev, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ffc00fff, bits: 0x800000000000000000002be, mnemonic: &P0, fixed: &X0, slots: &L496, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::UcgabarArv, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x800000000000000000009c7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E68, uniform_guard: true },
    Row { op: Op::UcgabarWait, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x80000000000000000000dc7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Br, effects: E68, uniform_guard: true },
    Row { op: Op::Uflo, isas: IsaSet(31), mask: 0xc00001fffff1f9ff7fffffc0ffc00fff, bits: 0x800000000000000000002bd, mnemonic: &P6, fixed: &X0, slots: &L497, fields: &F55, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(31), mask: 0xc00001fff80012c07fffffc0c0c00fff, bits: 0x80000000000000000000290, mnemonic: &P14, fixed: &X0, slots: &L498, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(31), mask: 0xc00001fff80012c000000000c0c00fff, bits: 0x80000000000000000000890, mnemonic: &P14, fixed: &X0, slots: &L499, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(24), mask: 0xc00001fff80016c07fffffc0c0c00fff, bits: 0x80000000000000000000297, mnemonic: &P140, fixed: &X102, slots: &L500, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uiadd3, isas: IsaSet(24), mask: 0xc00001fff80016c000000000c0c00fff, bits: 0x80000000000000000000897, mnemonic: &P140, fixed: &X102, slots: &L501, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff1c0ffffffc0c0c00fff, bits: 0x80e000000000000000002a4, mnemonic: &P6, fixed: &X0, slots: &L502, fields: &F109, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff1c000000000c0c00fff, bits: 0x80e000000000000000008a4, mnemonic: &P6, fixed: &X0, slots: &L503, fields: &F109, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff87ff9c000000000c0c00fff, bits: 0x80e000000000000000004a4, mnemonic: &P6, fixed: &X0, slots: &L504, fields: &F109, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff871f1c0ffffffc0c0c00fff, bits: 0x800000000000000000002a5, mnemonic: &P95, fixed: &X72, slots: &L505, fields: &F109, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uimad, isas: IsaSet(31), mask: 0xc00001fff871f1c000000000c0c00fff, bits: 0x800000000000000000008a5, mnemonic: &P95, fixed: &X72, slots: &L506, fields: &F109, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uisetp, isas: IsaSet(31), mask: 0xc00001fff801800fffffffc0c0ff0fff, bits: 0x8000000000000000000028c, mnemonic: &P49, fixed: &X0, slots: &L507, fields: &F113, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uisetp, isas: IsaSet(31), mask: 0xc00001fff801800f00000000c0ff0fff, bits: 0x8000000000000000000088c, mnemonic: &P49, fixed: &X0, slots: &L508, fields: &F113, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uldc, isas: IsaSet(31), mask: 0xc00001fffffff1fff800003fffc00fff, bits: 0xab9, mnemonic: &P14, fixed: &X0, slots: &L509, fields: &F169, class: Class::Uldc, effects: E69, uniform_guard: true },
    Row { op: Op::Uldc, isas: IsaSet(31), mask: 0xc00001fffffff1fff800003fc0c00fff, bits: 0x80000000000000000000abb, mnemonic: &P14, fixed: &X0, slots: &L510, fields: &F169, class: Class::Uldc, effects: E69, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80000000000000000000291, mnemonic: &P14, fixed: &X0, slots: &L511, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80000000000000000000891, mnemonic: &P14, fixed: &X0, slots: &L512, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80100000000000000000291, mnemonic: &P108, fixed: &X73, slots: &L513, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80100000000000000000891, mnemonic: &P108, fixed: &X73, slots: &L514, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80100000000000000000491, mnemonic: &P108, fixed: &X73, slots: &L515, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c07fffffc0c0c00fff, bits: 0x80102000000000000000291, mnemonic: &P109, fixed: &X84, slots: &L511, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulea, isas: IsaSet(31), mask: 0xc00001fff87102c000000000c0c00fff, bits: 0x80102000000000000000891, mnemonic: &P109, fixed: &X84, slots: &L512, fields: &F105, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulop3, isas: IsaSet(31), mask: 0xc00001fff87000c0ffffffc0c0c00fff, bits: 0x80000000000000000000292, mnemonic: &P110, fixed: &X85, slots: &L516, fields: &F123, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ulop3, isas: IsaSet(31), mask: 0xc00001fff87000c000000000c0c00fff, bits: 0x80000000000000000000892, mnemonic: &P110, fixed: &X85, slots: &L517, fields: &F123, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Umov, isas: IsaSet(31), mask: 0xc00001ffffffffff00000000ffc00fff, bits: 0x882, mnemonic: &P0, fixed: &X0, slots: &L518, fields: &F0, class: Class::Umov, effects: E44, uniform_guard: true },
    Row { op: Op::Umov, isas: IsaSet(31), mask: 0xc00001ffffffffffffffffc0ffc00fff, bits: 0x80000000000000000000c82, mnemonic: &P0, fixed: &X0, slots: &L496, fields: &F0, class: Class::Umov, effects: E44, uniform_guard: true },
    Row { op: Op::Up2ur, isas: IsaSet(31), mask: 0xc00001ffffffcfff00000000c0c00fff, bits: 0x80000000000000000000883, mnemonic: &P14, fixed: &X0, slots: &L519, fields: &F133, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uplop3, isas: IsaSet(31), mask: 0xc00001fff8000008ffffffffff000fff, bits: 0x89c, mnemonic: &P114, fixed: &X85, slots: &L520, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uplop3, isas: IsaSet(31), mask: 0xc00001ffff8100c0ffffffc0c0000fff, bits: 0x8000000000000000000029f, mnemonic: &P114, fixed: &X85, slots: &L521, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Upopc, isas: IsaSet(31), mask: 0xc00001ffffffffff7fffffc0ffc00fff, bits: 0x800000000000000000002bf, mnemonic: &P0, fixed: &X0, slots: &L522, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uprmt, isas: IsaSet(31), mask: 0xc00001ffffffffc000000000c0c00fff, bits: 0x80000000000000000000896, mnemonic: &P0, fixed: &X0, slots: &L523, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Uprmt, isas: IsaSet(31), mask: 0xc00001ffffffffc0ffffffc0c0c00fff, bits: 0x80000000000000000000296, mnemonic: &P0, fixed: &X0, slots: &L524, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ur2up, isas: IsaSet(31), mask: 0xc00001ffffffcfff00000000c0ff0fff, bits: 0x80000000000000000000884, mnemonic: &P0, fixed: &X0, slots: &L525, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Usel, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffc0c0c00fff, bits: 0x80000000000000000000287, mnemonic: &P0, fixed: &X0, slots: &L526, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Usel, isas: IsaSet(31), mask: 0xc00001fff87fffff00000000c0c00fff, bits: 0x80000000000000000000887, mnemonic: &P0, fixed: &X0, slots: &L527, fields: &F0, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Usetmaxreg, isas: IsaSet(16), mask: 0xc00001fffffffffffffffc00ffff0fff, bits: 0x80e050000000000000009c8, mnemonic: &P141, fixed: &X103, slots: &L528, fields: &F0, class: Class::Br, effects: E70, uniform_guard: true },
    Row { op: Op::Usetmaxreg, isas: IsaSet(16), mask: 0xc00001fffff1fffffffffc00ffff0fff, bits: 0x800060000000000000009c8, mnemonic: &P142, fixed: &X104, slots: &L529, fields: &F0, class: Class::Br, effects: E70, uniform_guard: true },
    Row { op: Op::Usgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ffffffffc0c0c00fff, bits: 0x8000000000000000000029a, mnemonic: &P6, fixed: &X0, slots: &L494, fields: &F149, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Usgxt, isas: IsaSet(31), mask: 0xc00001fffffff5ff00000000c0c00fff, bits: 0x8000000000000000000089a, mnemonic: &P6, fixed: &X0, slots: &L495, fields: &F149, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ushf, isas: IsaSet(31), mask: 0xc00001fffffee1c0ffffffc0c0c00fff, bits: 0x80000000000000000000299, mnemonic: &P49, fixed: &X0, slots: &L524, fields: &F150, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ushf, isas: IsaSet(31), mask: 0xc00001fffffee1c000000000c0c00fff, bits: 0x80000000000000000000899, mnemonic: &P49, fixed: &X0, slots: &L523, fields: &F150, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Ushf, isas: IsaSet(31), mask: 0xc00001fffffee1c000000000c0c00fff, bits: 0x80000000000000000000499, mnemonic: &P49, fixed: &X0, slots: &L530, fields: &F150, class: Class::Udp, effects: E44, uniform_guard: true },
    Row { op: Op::Utmacctl, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffc0ff0fff, bits: 0x804000000000000000009b9, mnemonic: &P143, fixed: &X105, slots: &L531, fields: &F0, class: Class::Dec, effects: E20, uniform_guard: true },
    Row { op: Op::Utmacctl, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffc0ff0fff, bits: 0x800000000000000000009b9, mnemonic: &P144, fixed: &X106, slots: &L531, fields: &F0, class: Class::Dec, effects: E20, uniform_guard: true },
    Row { op: Op::Utmacmdflush, isas: IsaSet(24), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9b7, mnemonic: &P0, fixed: &X0, slots: &L0, fields: &F0, class: Class::Dec, effects: E20, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffffc0c0ff0fff, bits: 0x800000000000000000005b4, mnemonic: &P14, fixed: &X0, slots: &L532, fields: &F170, class: Class::Dec, effects: E71, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffc0c0c0ff0fff, bits: 0x800100000000000000005b4, mnemonic: &P14, fixed: &X0, slots: &L533, fields: &F170, class: Class::Dec, effects: E71, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffff877c0ffffffc0c0ff0fff, bits: 0x800000000000000000003b4, mnemonic: &P28, fixed: &X0, slots: &L534, fields: &F171, class: Class::Dec, effects: E71, uniform_guard: true },
    Row { op: Op::Utmaldg, isas: IsaSet(24), mask: 0xc00001fffff877c0ffffc0c0c0ff0fff, bits: 0x800100000000000000003b4, mnemonic: &P28, fixed: &X0, slots: &L535, fields: &F171, class: Class::Dec, effects: E71, uniform_guard: true },
    Row { op: Op::Utmapf, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffffc0c0ff0fff, bits: 0x800000000000000000005b8, mnemonic: &P145, fixed: &X100, slots: &L536, fields: &F170, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Utmapf, isas: IsaSet(24), mask: 0xc00001fffffc7fffffffc0c0c0ff0fff, bits: 0x800100000000000000005b8, mnemonic: &P145, fixed: &X100, slots: &L537, fields: &F170, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Utmapf, isas: IsaSet(24), mask: 0xc00001fffffc7fc0ffffffc0c0ff0fff, bits: 0x804000000000000000003b8, mnemonic: &P146, fixed: &X107, slots: &L538, fields: &F170, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Utmapf, isas: IsaSet(24), mask: 0xc00001fffffc7fc0ffffc0c0c0ff0fff, bits: 0x804100000000000000003b8, mnemonic: &P146, fixed: &X107, slots: &L539, fields: &F170, class: Class::Dec, effects: E66, uniform_guard: true },
    Row { op: Op::Utmaredg, isas: IsaSet(24), mask: 0xc00001fffc787fffffffffc0c0ff0fff, bits: 0x800000000000000000003b6, mnemonic: &P28, fixed: &X0, slots: &L540, fields: &F172, class: Class::Dec, effects: E67, uniform_guard: true },
    Row { op: Op::Utmaredg, isas: IsaSet(24), mask: 0xc00001fffc787fffffffc0c0c0ff0fff, bits: 0x800100000000000000003b6, mnemonic: &P28, fixed: &X0, slots: &L541, fields: &F172, class: Class::Dec, effects: E67, uniform_guard: true },
    Row { op: Op::Utmastg, isas: IsaSet(24), mask: 0xc00001fffff87fffffffffc0c0ff0fff, bits: 0x800000000000000000003b5, mnemonic: &P6, fixed: &X0, slots: &L540, fields: &F173, class: Class::Dec, effects: E72, uniform_guard: true },
    Row { op: Op::Utmastg, isas: IsaSet(24), mask: 0xc00001fffff87fffffffc0c0c0ff0fff, bits: 0x800100000000000000003b5, mnemonic: &P6, fixed: &X0, slots: &L541, fields: &F173, class: Class::Dec, effects: E72, uniform_guard: true },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00ffffff0000000fff, bits: 0x214, mnemonic: &P14, fixed: &X0, slots: &L542, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd000000000000000fff, bits: 0x814, mnemonic: &P14, fixed: &X0, slots: &L543, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00f80000ff00000fff, bits: 0xa14, mnemonic: &P14, fixed: &X0, slots: &L544, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00ffffffc000000fff, bits: 0x80000000000000000000c14, mnemonic: &P14, fixed: &X0, slots: &L545, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd000000000000000fff, bits: 0x414, mnemonic: &P14, fixed: &X0, slots: &L546, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff, isas: IsaSet(31), mask: 0xc00001fffff1fd00f80000ff00000fff, bits: 0x614, mnemonic: &P14, fixed: &X0, slots: &L547, fields: &F112, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500ffffff0000000fff, bits: 0x215, mnemonic: &P6, fixed: &X0, slots: &L542, fields: &F174, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f5000000000000000fff, bits: 0x815, mnemonic: &P6, fixed: &X0, slots: &L543, fields: &F174, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500f80000ff00000fff, bits: 0xa15, mnemonic: &P6, fixed: &X0, slots: &L544, fields: &F174, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vabsdiff4, isas: IsaSet(31), mask: 0xc00001fffff1f500ffffffc000000fff, bits: 0x80000000000000000000c15, mnemonic: &P6, fixed: &X0, slots: &L545, fields: &F174, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff7fffff0000000fff, bits: 0x236, mnemonic: &P14, fixed: &X0, slots: &L548, fields: &F175, class: Class::Viadd, effects: E13, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff0000000000000fff, bits: 0x836, mnemonic: &P14, fixed: &X0, slots: &L52, fields: &F175, class: Class::Viadd, effects: E13, uniform_guard: false },
    Row { op: Op::Viadd, isas: IsaSet(24), mask: 0xc00001fffffffdff7fffffc000000fff, bits: 0x80000000000000000000c36, mnemonic: &P14, fixed: &X0, slots: &L549, fields: &F175, class: Class::Viadd, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec007fffff0000000fff, bits: 0x246, mnemonic: &P6, fixed: &X0, slots: &L550, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec000000000000000fff, bits: 0x846, mnemonic: &P6, fixed: &X0, slots: &L551, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec00780000ff00000fff, bits: 0xa46, mnemonic: &P6, fixed: &X0, slots: &L552, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fec007fffffc000000fff, bits: 0x80000000000000000000c46, mnemonic: &P6, fixed: &X0, slots: &L553, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe4000000000000000fff, bits: 0x446, mnemonic: &P6, fixed: &X0, slots: &L554, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe400f80000ff00000fff, bits: 0x646, mnemonic: &P6, fixed: &X0, slots: &L555, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Viaddmnmx, isas: IsaSet(24), mask: 0xc00001fff87fe400ffffffc000000fff, bits: 0x80000000000000000000e46, mnemonic: &P6, fixed: &X0, slots: &L556, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecffffffff0000000fff, bits: 0x7e00000000000000000248, mnemonic: &P6, fixed: &X0, slots: &L327, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecff0000000000000fff, bits: 0x7e00000000000000000848, mnemonic: &P6, fixed: &X0, slots: &L328, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecfff80000ff00000fff, bits: 0x7e00000000000000000a48, mnemonic: &P6, fixed: &X0, slots: &L329, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff87fecffffffffc000000fff, bits: 0x87e00000000000000000c48, mnemonic: &P6, fixed: &X0, slots: &L330, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff801ecffffffff0000000fff, bits: 0x248, mnemonic: &P6, fixed: &X0, slots: &L557, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff801ecff0000000000000fff, bits: 0x848, mnemonic: &P6, fixed: &X0, slots: &L558, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff801ecfff80000ff00000fff, bits: 0xa48, mnemonic: &P6, fixed: &X0, slots: &L559, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx, isas: IsaSet(24), mask: 0xc00001fff801ecffffffffc000000fff, bits: 0x80000000000000000000c48, mnemonic: &P6, fixed: &X0, slots: &L560, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx3, isas: IsaSet(24), mask: 0xc00001fff87fec00ffffff0000000fff, bits: 0x20f, mnemonic: &P6, fixed: &X0, slots: &L561, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx3, isas: IsaSet(24), mask: 0xc00001fff87fec000000000000000fff, bits: 0x80f, mnemonic: &P6, fixed: &X0, slots: &L551, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx3, isas: IsaSet(24), mask: 0xc00001fff87fec00f80000ff00000fff, bits: 0xa0f, mnemonic: &P6, fixed: &X0, slots: &L562, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vimnmx3, isas: IsaSet(24), mask: 0xc00001fff87fec00ffffffc000000fff, bits: 0x80000000000000000000c0f, mnemonic: &P6, fixed: &X0, slots: &L563, fields: &F176, class: Class::Alu, effects: E13, uniform_guard: false },
    Row { op: Op::Vote, isas: IsaSet(31), mask: 0xc00001fff871fcffffffffffff000fff, bits: 0x806, mnemonic: &P14, fixed: &X0, slots: &L564, fields: &F177, class: Class::Vote, effects: E24, uniform_guard: false },
    Row { op: Op::Voteu, isas: IsaSet(31), mask: 0xc00001fff871fcffffffffffffc00fff, bits: 0x886, mnemonic: &P14, fixed: &X0, slots: &L565, fields: &F177, class: Class::Voteu, effects: E73, uniform_guard: false },
    Row { op: Op::Warpgroup, isas: IsaSet(16), mask: 0xc00001ffffffffffffffffffffff0fff, bits: 0x9c5, mnemonic: &P147, fixed: &X108, slots: &L0, fields: &F0, class: Class::Br, effects: E74, uniform_guard: false },
    Row { op: Op::Warpgroup, isas: IsaSet(16), mask: 0xc00001ffff8ff8ffffffffffffff0fff, bits: 0x1000000008000000009c5, mnemonic: &P148, fixed: &X109, slots: &L566, fields: &F0, class: Class::Br, effects: E75, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x948, mnemonic: &P149, fixed: &X87, slots: &L105, fields: &F0, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87c000000000003ff000fff, bits: 0x4000000000000000000948, mnemonic: &P150, fixed: &X110, slots: &L56, fields: &F0, class: Class::Br, effects: E16, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(7), mask: 0xc00001fff87fffff00000000ffff0fff, bits: 0x948, mnemonic: &P0, fixed: &X0, slots: &L382, fields: &F0, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(7), mask: 0xc00001fff81fffffffffff00ffff0fff, bits: 0x348, mnemonic: &P14, fixed: &X0, slots: &L381, fields: &F178, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff85fffffffffffff00ff0fff, bits: 0x348, mnemonic: &P14, fixed: &X0, slots: &L567, fields: &F179, class: Class::Br, effects: E12, uniform_guard: false },
    Row { op: Op::Warpsync, isas: IsaSet(24), mask: 0xc00001fff87c00000000000300000fff, bits: 0x4000000000000000000348, mnemonic: &P151, fixed: &X111, slots: &L568, fields: &F0, class: Class::Br, effects: E16, uniform_guard: false },
    Row { op: Op::Yield, isas: IsaSet(31), mask: 0xc00001fff87fffffffffffffffff0fff, bits: 0x946, mnemonic: &P0, fixed: &X0, slots: &L105, fields: &F0, class: Class::Br, effects: E14, uniform_guard: false },
];

/// `(first, count)` of the rows of each mnemonic.
#[rustfmt::skip]
pub(crate) static OP_ROWS: [(u16, u16); 168] = [(0, 1), (1, 2), (3, 13), (16, 13), (29, 9), (38, 2), (40, 13), (53, 2), (55, 6), (61, 4), (65, 4), (69, 1), (70, 9), (79, 1), (80, 4), (84, 2), (86, 2), (88, 1), (89, 1), (90, 7), (97, 2), (99, 1), (100, 1), (101, 2), (103, 4), (107, 1), (108, 7), (115, 2), (117, 4), (121, 4), (125, 1), (126, 1), (127, 1), (128, 1), (129, 39), (168, 24), (192, 26), (218, 4), (222, 4), (226, 4), (230, 1), (231, 7), (238, 4), (242, 8), (250, 4), (254, 15), (269, 4), (273, 4), (277, 4), (281, 1), (282, 11), (293, 35), (328, 8), (336, 24), (360, 8), (368, 8), (376, 8), (384, 8), (392, 42), (434, 5), (439, 4), (443, 24), (467, 4), (471, 4), (475, 3), (478, 4), (482, 19), (501, 15), (516, 4), (520, 4), (524, 7), (531, 1), (532, 6), (538, 1), (539, 4), (543, 2), (545, 2), (547, 2), (549, 2), (551, 13), (564, 2), (566, 4), (570, 2), (572, 1), (573, 4), (577, 1), (578, 11), (589, 4), (593, 1), (594, 2), (596, 5), (601, 1), (602, 4), (606, 1), (607, 7), (614, 8), (622, 5), (627, 5), (632, 1), (633, 4), (637, 2), (639, 1), (640, 6), (646, 1), (647, 4), (651, 2), (653, 2), (655, 2), (657, 4), (661, 4), (665, 7), (672, 4), (676, 7), (683, 1), (684, 6), (690, 2), (692, 2), (694, 2), (696, 3), (699, 3), (702, 6), (708, 4), (712, 3), (715, 3), (718, 3), (721, 3), (724, 3), (727, 2), (729, 2), (731, 2), (733, 2), (735, 1), (736, 1), (737, 1), (738, 1), (739, 4), (743, 5), (748, 2), (750, 2), (752, 7), (759, 2), (761, 2), (763, 1), (764, 2), (766, 1), (767, 2), (769, 1), (770, 2), (772, 2), (774, 2), (776, 3), (779, 2), (781, 1), (782, 4), (786, 4), (790, 2), (792, 2), (794, 6), (800, 4), (804, 3), (807, 7), (814, 8), (822, 4), (826, 1), (827, 1), (828, 2), (830, 6), (836, 1)];

/// `(first, count)` in [`ORDER`] of the rows with these low 12 bits.
#[rustfmt::skip]
pub(crate) static INDEX: [(u16, u8); 4096] = [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (1, 1), (2, 1), (3, 2), (5, 1), (6, 1), (7, 1), (0, 0), (0, 0), (8, 1), (9, 1), (10, 3), (13, 1), (14, 1), (15, 1), (16, 1), (17, 1), (18, 1), (0, 0), (19, 1), (20, 1), (21, 1), (0, 0), (0, 0), (0, 0), (22, 1), (23, 1), (24, 1), (0, 0), (25, 1), (26, 1), (27, 1), (28, 1), (29, 1), (30, 1), (31, 1), (32, 1), (33, 1), (0, 0), (0, 0), (0, 0), (0, 0), (34, 3), (37, 2), (39, 2), (41, 2), (43, 2), (45, 4), (49, 1), (50, 15), (65, 1), (66, 6), (72, 1), (0, 0), (73, 24), (97, 6), (103, 7), (110, 2), (112, 2), (0, 0), (0, 0), (114, 1), (0, 0), (115, 1), (116, 1), (0, 0), (117, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (119, 5), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (124, 1), (0, 0), (0, 0), (0, 0), (0, 0), (125, 1), (0, 0), (0, 0), (0, 0), (126, 1), (127, 3), (130, 1), (0, 0), (0, 0), (0, 0), (131, 1), (132, 1), (0, 0), (133, 1), (134, 1), (135, 1), (0, 0), (0, 0), (0, 0), (136, 1), (0, 0), (0, 0), (0, 0), (0, 0), (137, 1), (138, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (139, 1), (140, 1), (141, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (142, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (144, 1), (145, 1), (146, 1), (0, 0), (147, 5), (152, 3), (155, 6), (161, 3), (164, 3), (167, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (168, 6), (174, 4), (178, 6), (184, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (185, 2), (187, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (189, 1), (190, 2), (0, 0), (0, 0), (0, 0), (192, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (195, 1), (0, 0), (0, 0), (0, 0), (196, 1), (197, 1), (0, 0), (198, 1), (199, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (200, 2), (0, 0), (0, 0), (0, 0), (202, 1), (0, 0), (0, 0), (203, 1), (0, 0), (0, 0), (204, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (205, 1), (0, 0), (0, 0), (206, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (207, 1), (0, 0), (0, 0), (0, 0), (208, 1), (209, 1), (210, 1), (211, 1), (212, 1), (213, 2), (215, 2), (217, 2), (219, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (221, 1), (222, 2), (224, 1), (225, 1), (0, 0), (0, 0), (0, 0), (0, 0), (226, 2), (228, 2), (230, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (232, 2), (234, 2), (236, 2), (0, 0), (238, 2), (0, 0), (240, 2), (242, 2), (244, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (246, 2), (0, 0), (248, 1), (0, 0), (249, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (250, 1), (0, 0), (0, 0), (251, 1), (0, 0), (252, 1), (0, 0), (0, 0), (253, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (254, 1), (0, 0), (255, 1), (256, 1), (0, 0), (0, 0), (0, 0), (0, 0), (257, 1), (258, 1), (259, 1), (0, 0), (0, 0), (0, 0), (0, 0), (260, 2), (262, 2), (0, 0), (264, 2), (266, 2), (268, 4), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (272, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (273, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (274, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (275, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (276, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (279, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (281, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (282, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (283, 1), (0, 0), (0, 0), (0, 0), (284, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (285, 1), (0, 0), (286, 2), (0, 0), (0, 0), (0, 0), (288, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (290, 1), (0, 0), (291, 1), (0, 0), (0, 0), (292, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (293, 1), (0, 0), (294, 1), (295, 1), (296, 1), (0, 0), (297, 1), (0, 0), (298, 1), (299, 1), (300, 1), (0, 0), (0, 0), (0, 0), (0, 0), (301, 3), (304, 1), (0, 0), (305, 2), (307, 2), (309, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (311, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (312, 1), (313, 1), (314, 2), (316, 1), (317, 2), (319, 1), (320, 1), (321, 1), (322, 2), (324, 1), (325, 1), (326, 1), (0, 0), (0, 0), (327, 1), (328, 1), (329, 3), (332, 1), (333, 1), (334, 1), (335, 1), (336, 1), (337, 1), (0, 0), (338, 1), (339, 1), (340, 1), (341, 2), (0, 0), (0, 0), (0, 0), (343, 1), (0, 0), (344, 1), (345, 1), (346, 1), (347, 1), (0, 0), (348, 1), (349, 1), (0, 0), (0, 0), (350, 1), (0, 0), (351, 1), (352, 1), (353, 1), (0, 0), (354, 2), (356, 2), (0, 0), (0, 0), (358, 4), (362, 1), (0, 0), (363, 1), (364, 6), (0, 0), (370, 2), (0, 0), (0, 0), (372, 5), (0, 0), (377, 2), (0, 0), (0, 0), (379, 1), (380, 2), (382, 2), (384, 1), (0, 0), (385, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (387, 1), (388, 1), (389, 1), (0, 0), (390, 1), (391, 1), (0, 0), (0, 0), (0, 0), (0, 0), (392, 1), (0, 0), (0, 0), (0, 0), (393, 1), (394, 3), (397, 1), (0, 0), (0, 0), (0, 0), (398, 1), (399, 1), (0, 0), (400, 1), (401, 1), (402, 1), (403, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (404, 1), (405, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (406, 1), (407, 1), (408, 1), (0, 0), (409, 2), (411, 2), (413, 4), (417, 2), (419, 2), (421, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (422, 4), (426, 3), (429, 2), (431, 1), (0, 0), (0, 0), (0, 0), (0, 0), (432, 1), (433, 2), (435, 1), (436, 1), (0, 0), (437, 5), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (442, 1), (443, 1), (444, 2), (446, 2), (448, 1), (449, 1), (450, 7), (457, 3), (460, 2), (0, 0), (0, 0), (0, 0), (462, 1), (463, 1), (0, 0), (464, 4), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (468, 2), (0, 0), (0, 0), (0, 0), (470, 1), (471, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (473, 7), (480, 5), (0, 0), (485, 2), (487, 2), (489, 6), (495, 5), (500, 1), (501, 1), (502, 1), (503, 5), (0, 0), (508, 2), (0, 0), (510, 5), (515, 2), (517, 1), (0, 0), (518, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (519, 1), (0, 0), (520, 1), (0, 0), (521, 1), (0, 0), (0, 0), (0, 0), (522, 3), (525, 3), (528, 2), (530, 2), (532, 3), (535, 1), (536, 5), (0, 0), (541, 3), (544, 1), (0, 0), (0, 0), (0, 0), (545, 1), (546, 2), (548, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (549, 1), (0, 0), (550, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (552, 2), (0, 0), (554, 2), (0, 0), (556, 1), (557, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (559, 4), (563, 2), (565, 1), (566, 4), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (570, 1), (0, 0), (0, 0), (0, 0), (0, 0), (571, 1), (572, 1), (573, 2), (575, 1), (576, 1), (577, 1), (0, 0), (0, 0), (578, 1), (579, 1), (580, 3), (583, 1), (584, 1), (585, 1), (586, 1), (587, 1), (588, 1), (0, 0), (589, 1), (590, 1), (591, 1), (0, 0), (0, 0), (0, 0), (592, 1), (593, 1), (0, 0), (0, 0), (594, 1), (595, 1), (596, 1), (597, 1), (598, 1), (599, 1), (0, 0), (0, 0), (600, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (601, 1), (602, 2), (0, 0), (0, 0), (604, 4), (0, 0), (0, 0), (608, 1), (609, 6), (0, 0), (0, 0), (0, 0), (0, 0), (615, 5), (0, 0), (620, 2), (0, 0), (0, 0), (622, 1), (0, 0), (623, 1), (624, 1), (0, 0), (625, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (627, 1), (0, 0), (628, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (629, 1), (630, 1), (631, 1), (0, 0), (632, 5), (637, 3), (640, 6), (646, 3), (649, 3), (652, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (653, 6), (659, 4), (663, 6), (669, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (670, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (673, 1), (0, 0), (0, 0), (674, 1), (0, 0), (0, 0), (675, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (676, 1), (0, 0), (0, 0), (677, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (678, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (679, 1), (0, 0), (680, 1), (0, 0), (681, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (682, 1), (0, 0), (0, 0), (0, 0), (0, 0), (683, 1), (684, 1), (685, 2), (687, 1), (688, 1), (689, 1), (0, 0), (0, 0), (690, 1), (691, 1), (692, 3), (695, 1), (696, 1), (697, 1), (698, 1), (699, 1), (700, 1), (0, 0), (701, 1), (702, 1), (703, 1), (0, 0), (0, 0), (0, 0), (704, 1), (705, 1), (0, 0), (0, 0), (706, 1), (707, 1), (708, 1), (709, 1), (710, 1), (711, 1), (0, 0), (0, 0), (712, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (713, 2), (715, 2), (0, 0), (0, 0), (717, 4), (721, 1), (0, 0), (722, 1), (723, 6), (0, 0), (0, 0), (0, 0), (0, 0), (729, 7), (0, 0), (736, 2), (0, 0), (0, 0), (738, 1), (0, 0), (739, 1), (740, 1), (0, 0), (741, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (743, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (744, 1), (745, 1), (746, 1), (0, 0), (747, 5), (752, 3), (755, 6), (761, 3), (764, 3), (767, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (768, 6), (774, 4), (778, 6), (784, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (785, 1), (786, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (787, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (788, 4), (792, 2), (794, 1), (795, 4), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (799, 1), (0, 0), (0, 0), (800, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (801, 1), (0, 0), (802, 1), (803, 1), (804, 1), (0, 0), (805, 1), (0, 0), (806, 1), (807, 1), (808, 1), (0, 0), (0, 0), (0, 0), (0, 0), (809, 3), (812, 1), (0, 0), (813, 2), (815, 2), (817, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (819, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (820, 1), (821, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (822, 1), (0, 0), (0, 0), (823, 1), (0, 0), (0, 0), (824, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (825, 1), (0, 0), (0, 0), (826, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (827, 1), (0, 0), (0, 0), (828, 3), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (831, 1), (0, 0), (832, 1), (0, 0), (833, 1), (0, 0), (834, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (835, 2), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)];

/// Row numbers grouped by opcode.
#[rustfmt::skip]
pub(crate) static ORDER: [u16; 837] = [573, 657, 269, 242, 246, 273, 277, 520, 822, 471, 551, 555, 560, 566, 467, 794, 800, 607, 516, 665, 661, 65, 598, 250, 222, 231, 482, 489, 475, 495, 117, 103, 121, 108, 282, 284, 286, 293, 295, 368, 370, 376, 378, 384, 386, 304, 307, 310, 313, 804, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 439, 443, 447, 451, 455, 459, 463, 577, 336, 337, 338, 339, 340, 341, 342, 343, 344, 345, 346, 347, 348, 349, 350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 55, 56, 57, 58, 59, 60, 168, 172, 176, 180, 184, 188, 190, 115, 116, 360, 362, 218, 434, 807, 814, 818, 622, 623, 624, 625, 626, 770, 748, 739, 752, 754, 757, 759, 768, 741, 776, 774, 733, 765, 743, 746, 738, 735, 766, 633, 634, 238, 80, 226, 129, 132, 135, 138, 141, 192, 195, 199, 392, 395, 398, 401, 404, 407, 254, 257, 260, 578, 581, 584, 602, 144, 147, 150, 153, 156, 165, 202, 209, 212, 215, 414, 417, 420, 425, 428, 431, 266, 38, 39, 43, 44, 92, 93, 94, 833, 834, 835, 564, 651, 652, 61, 62, 589, 590, 713, 720, 716, 723, 726, 532, 676, 689, 690, 692, 672, 3, 13, 11, 12, 29, 30, 33, 34, 701, 570, 571, 10, 23, 16, 26, 24, 25, 627, 631, 784, 785, 792, 793, 790, 791, 788, 789, 727, 728, 731, 732, 729, 730, 635, 636, 646, 230, 559, 798, 610, 669, 223, 235, 486, 104, 122, 112, 291, 292, 298, 300, 382, 383, 390, 391, 318, 319, 322, 323, 811, 756, 778, 745, 45, 46, 47, 72, 73, 673, 700, 708, 100, 710, 782, 783, 786, 787, 799, 611, 670, 224, 236, 487, 493, 499, 105, 123, 113, 288, 289, 290, 302, 380, 381, 388, 389, 324, 326, 812, 601, 574, 594, 595, 632, 101, 102, 826, 658, 270, 243, 247, 274, 278, 521, 823, 472, 552, 556, 561, 567, 468, 795, 801, 608, 517, 666, 662, 66, 596, 597, 251, 281, 232, 483, 490, 496, 118, 109, 606, 0, 125, 297, 299, 374, 375, 316, 317, 320, 321, 805, 440, 444, 448, 452, 456, 460, 464, 549, 550, 169, 173, 177, 181, 185, 366, 367, 219, 694, 695, 437, 438, 808, 815, 819, 761, 763, 769, 827, 771, 749, 740, 753, 755, 758, 760, 767, 742, 777, 775, 734, 764, 744, 747, 239, 81, 227, 159, 160, 198, 206, 410, 411, 412, 413, 263, 264, 587, 588, 603, 161, 162, 163, 164, 205, 207, 208, 423, 424, 265, 593, 653, 654, 107, 126, 48, 49, 50, 51, 52, 89, 79, 95, 96, 90, 91, 88, 836, 70, 71, 74, 75, 76, 77, 78, 830, 831, 832, 84, 85, 128, 565, 647, 648, 649, 650, 86, 87, 69, 591, 592, 524, 525, 526, 527, 528, 529, 530, 533, 534, 535, 536, 537, 545, 546, 547, 548, 677, 678, 679, 680, 681, 682, 684, 685, 686, 687, 688, 691, 693, 674, 4, 5, 6, 14, 15, 31, 32, 637, 638, 640, 641, 642, 97, 98, 99, 572, 698, 707, 703, 7, 8, 9, 20, 21, 22, 539, 540, 541, 542, 643, 644, 645, 709, 17, 18, 19, 27, 28, 628, 629, 630, 127, 538, 1, 2, 711, 781, 779, 780, 655, 656, 828, 829, 736, 772, 773, 328, 330, 332, 334, 478, 480, 53, 614, 616, 618, 620, 575, 659, 271, 244, 248, 275, 279, 522, 824, 473, 553, 557, 562, 568, 469, 796, 802, 609, 518, 667, 663, 67, 599, 252, 233, 484, 491, 476, 497, 119, 110, 301, 372, 373, 305, 308, 311, 314, 441, 445, 449, 453, 457, 461, 465, 170, 174, 178, 182, 186, 364, 365, 220, 435, 809, 816, 820, 750, 751, 240, 82, 228, 130, 133, 136, 139, 142, 193, 196, 200, 393, 396, 399, 402, 405, 408, 255, 258, 261, 579, 582, 585, 604, 145, 148, 151, 154, 157, 166, 203, 210, 213, 216, 415, 418, 421, 426, 429, 432, 267, 40, 41, 42, 714, 719, 717, 722, 725, 531, 697, 706, 704, 576, 660, 272, 245, 249, 276, 280, 523, 825, 474, 554, 558, 563, 569, 470, 797, 803, 613, 519, 668, 664, 68, 600, 253, 234, 485, 492, 477, 498, 120, 111, 294, 296, 369, 371, 306, 309, 312, 315, 806, 442, 446, 450, 454, 458, 462, 466, 171, 175, 179, 183, 187, 189, 191, 361, 363, 221, 436, 810, 817, 821, 762, 241, 83, 229, 131, 134, 137, 140, 143, 194, 197, 201, 394, 397, 400, 403, 406, 409, 256, 259, 262, 580, 583, 586, 605, 146, 149, 152, 155, 158, 167, 204, 211, 214, 217, 416, 419, 422, 427, 430, 433, 268, 683, 639, 737, 329, 331, 333, 335, 479, 481, 54, 615, 617, 619, 621, 612, 671, 225, 237, 488, 494, 500, 106, 124, 114, 283, 285, 287, 303, 377, 379, 385, 387, 325, 327, 813, 63, 64, 712, 718, 715, 721, 724, 675, 35, 36, 37, 696, 705, 702, 699, 543, 544];
