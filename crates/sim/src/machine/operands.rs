//! Converts operands of decoded instructions to sources, addresses and register lists.

use super::uop::{Addr, Def, From, PSrc, Part, RES_PRED, RES_UPRED, RES_UREG, Res, Src, Use};
use raddle_sass::row::{File, Slot};
use raddle_sass::{Inst, Kind, Mod, Op, Operand, SlotRole};

/// Why an instruction cannot be converted.
pub type Why = String;

/// RunSettings a source's modifiers act on its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Integer: negation is two's complement.
    Int,
    /// binary32.
    Single,
    /// Two halves.
    Halves,
    /// binary64 in a register pair.
    Double,
    /// 64-bit integer in a register pair.
    Long,
}

/// Constant banks of the launch.
pub struct Banks<'a>(pub &'a [Vec<u8>]);

impl Banks<'_> {
    /// Reads `size` bytes at `offset` of a bank.
    pub fn read(&self, bank: u8, offset: i64, size: usize) -> Option<u64> {
        let bytes = self.0.get(usize::from(bank))?;
        let at = usize::try_from(offset).ok()?;
        Some(bytes.get(at..at.checked_add(size)?)?.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b)))
    }
}

/// Returns the number of registers that an operand names.
pub fn width(inst: &Inst, slot: &Slot) -> u8 {
    inst.slot_width(slot)
}

fn selector(inst: &Inst, i: usize) -> Result<Part, Why> {
    Ok(match inst.selector(i) {
        // `.24`, `.28` of `I2IP` give the bits left of the operand after the shift.
        None | Some(Mod::None | Mod::N24 | Mod::N28) => Part::All,
        Some(Mod::H0H0) => Part::H0,
        Some(Mod::H1H1 | Mod::H1) => Part::H1,
        Some(Mod::B1) => Part::Byte(1),
        Some(Mod::B2) => Part::Byte(2),
        Some(Mod::B3) => Part::Byte(3),
        Some(Mod::Sign) => Part::All,
        Some(other) => return Err(format!("operand selector {other:?}")),
    })
}

/// Returns a source value.
pub fn source(inst: &Inst, role: SlotRole, how: Reading, banks: &Banks<'_>) -> Result<Option<Src>, Why> {
    let Some(i) = inst.row().slots.iter().position(|s| s.role == role) else { return Ok(None) };
    let Some(o) = inst.operands.get(i) else { return Ok(None) };
    let wide = matches!(how, Reading::Double | Reading::Long);
    let mut s = Src { part: selector(inst, i)?, ..Src::default() };
    match how {
        Reading::Int | Reading::Long => {
            if o.not {
                s.xor = !0;
            }
            if o.neg {
                (s.xor, s.add) = (!0, 1);
            }
        }
        Reading::Single | Reading::Double => {
            s.and = if o.abs { 0x7fff_ffff } else { !0 };
            s.xor = if o.neg { 0x8000_0000 } else { 0 };
        }
        Reading::Halves => {
            s.and = if o.abs { 0x7fff_7fff } else { !0 };
            s.xor = if o.neg { 0x8000_8000 } else { 0 };
        }
    }
    match o.kind {
        Kind::Reg(n) => s.from = From::Reg(n),
        Kind::UReg(n) => s.from = From::UReg(n),
        Kind::Imm(v) if wide => s.imm = v as u64,
        Kind::Imm(v) => s.imm = u64::from(v as u32),
        Kind::F32(v) | Kind::F16x2(v) => s.imm = v.into(),
        Kind::F64(hi) => s.imm = u64::from(hi) << 32,
        Kind::CBank { bank, base: 255, handle: 63, offset } => {
            // A 16-bit offset: the upper half of a bank reads as negative.
            let size = if wide { 8 } else { 4 };
            s.imm = banks
                .read(bank, i64::from(offset as u16), size)
                .ok_or_else(|| format!("c[{bank:#x}][{offset:#x}] lies outside the constant bank"))?;
        }
        other => return Err(format!("source operand {other:?}")),
    }
    if s.from == From::Imm && !s.is_plain() {
        s.imm = if wide { fold64(&s) } else { u64::from(s.apply(s.imm as u32)) };
        (s.part, s.and, s.xor, s.add) = (Part::All, !0, 0, 0);
    }
    Ok(Some(s))
}

fn fold64(s: &Src) -> u64 {
    let (lo, hi) = (s.imm as u32, (s.imm >> 32) as u32);
    let lo = if s.xor == !0 { !lo } else { lo };
    (u64::from(hi & s.and ^ s.xor) << 32 | u64::from(lo)).wrapping_add(s.add.into())
}

/// Returns a predicate source; `None` if the row has no such slot.
pub fn predicate(inst: &Inst, role: SlotRole) -> Option<PSrc> {
    let o = inst.slot(role)?;
    match o.kind {
        Kind::Pred(n) => Some(PSrc { n, not: o.not, uniform: false }),
        Kind::UPred(n) => Some(PSrc { n, not: o.not, uniform: true }),
        _ => None,
    }
}

/// Returns the general register that an operand names.
pub fn register(inst: &Inst, role: SlotRole) -> Option<u8> {
    match inst.slot(role)?.kind {
        Kind::Reg(n) => Some(n),
        _ => None,
    }
}

/// Returns the register of a destination slot; 255 (or 63) if there is none.
pub fn dest(inst: &Inst, role: SlotRole, uniform: bool) -> u8 {
    match inst.slot(role).map(|o| o.kind) {
        Some(Kind::Reg(n) | Kind::UReg(n)) => n,
        _ => {
            if uniform {
                63
            } else {
                255
            }
        }
    }
}

/// Returns the predicate of a destination slot; 7 if there is none.
pub fn dest_pred(inst: &Inst, role: SlotRole) -> u8 {
    match inst.slot(role).map(|o| o.kind) {
        Some(Kind::Pred(n) | Kind::UPred(n)) => n,
        _ => 7,
    }
}

/// Returns an integer immediate operand.
pub fn immediate(inst: &Inst, role: SlotRole) -> Option<i64> {
    match inst.slot(role)?.kind {
        Kind::Imm(v) => Some(v),
        _ => None,
    }
}

/// Returns the address operand.
pub fn address(inst: &Inst) -> Result<Addr, Why> {
    address_in(inst, SlotRole::Addr)
}

/// Returns the address operand of a role.
pub fn address_in(inst: &Inst, role: SlotRole) -> Result<Addr, Why> {
    let i = inst.row().slots.iter().position(|s| s.role == role).ok_or("no address operand")?;
    let slot = &inst.row().slots[i];
    let Some(Operand { kind: Kind::Addr { base, ubase, offset, .. }, .. }) = inst.operands.get(i) else {
        return Err("unexpected kind of address operand".to_string());
    };
    let wide = width(inst, slot) == 2;
    let shared = inst.op() == Op::Ldgsts && role == SlotRole::Addr
        || matches!(inst.op(), Op::Lds | Op::Sts | Op::Ldl | Op::Stl | Op::Atoms | Op::Ldsm | Op::Stsm);
    let scale = match inst.get(raddle_sass::Field::Xs) {
        Some(Mod::X4) => 2,
        Some(Mod::X8) => 3,
        Some(Mod::X16) => 4,
        _ => 0,
    };
    Ok(Addr { base: *base, wide, ubase: *ubase, uwide: !shared, offset: *offset, scale })
}

/// Whether an instruction reads its uniform registers late.
fn holds_uniform(inst: &Inst) -> bool {
    use Op::{Ublkcp, Ublkpf, Ublkred, Utmacctl, Utmaldg, Utmapf, Utmaredg, Utmastg};
    // `SYNCS.EXCH` is the form with a uniform guard.
    let begins_object = inst.op() == Op::Syncs && inst.row().uniform_guard;
    begins_object || matches!(inst.op(), Ublkcp | Ublkpf | Ublkred | Utmacctl | Utmaldg | Utmapf | Utmaredg | Utmastg)
}

/// Lists the registers an instruction reads and writes.
pub fn effects(inst: &Inst, uses: &mut Vec<Use>, defs: &mut Vec<Def>) {
    let row = inst.row();
    for access in inst.accesses() {
        let first = match access.file {
            File::Gpr => 0,
            File::Ugpr => RES_UREG,
            File::Pred => RES_PRED,
            File::Upred => RES_UPRED,
            File::Barrier => continue,
        };
        let slot = row.slots.get(usize::from(access.slot));
        let reuse = slot.map_or(255, |s| s.reuse);
        // General registers, and uniform ones of asynchronous operations, whose read scoreboards
        // ptxas 13.0.88 waits for before it writes them again.
        let late = access.file == File::Gpr || access.file == File::Ugpr && slot.is_some() && holds_uniform(inst);
        let last: Res = match access.file {
            File::Gpr => 255,
            File::Ugpr => RES_UREG + 63,
            _ => Res::MAX,
        };
        for i in 0..access.count {
            let res = first + Res::from(access.first) + Res::from(i);
            if res >= last {
                break;
            }
            if access.read {
                uses.push(Use { res, slot: slot.map(|s| s.role), high: i > 0, reuse, late, cell: 0, key: 0 });
            }
            if access.written {
                defs.push(Def { res, half: i, cell: 0, key: 0 });
            }
        }
    }
}
