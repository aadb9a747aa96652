//! Printer of instructions in nvdisasm's syntax.
//!
//! The format was learnt from nvdisasm 13.5.37 as a black box, including its irregularities (`+INF
//! ` with its blank, `%.20g` floats below 10^9 and `%.20e` above), so that texts can be compared
//! byte for byte.

use std::fmt::{self, Write as _};

use crate::r#gen::{Field, Mod, SPECIAL};
use crate::inst::{Guard, Inst, Kind, Operand, PT, RZ, URZ};
use crate::row::{AddrSuffix, Cond, Part, Show, Slot, SlotKind, SlotRole, mask};

/// Returns the text of an instruction at byte address `pc` of its section; branch targets are
/// absolute.
#[must_use]
pub fn print(inst: &Inst, pc: u64) -> String {
    let mut out = String::with_capacity(48);
    // Writing to a String cannot fail.
    let _ = write_inst(&mut out, inst, pc);
    out
}

impl fmt::Display for Inst {
    /// [`print()`] at address 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, 0))
    }
}

fn write_inst(out: &mut String, inst: &Inst, pc: u64) -> fmt::Result {
    let row = inst.row();
    if inst.guard != Guard::ALWAYS {
        let file = if row.uniform_guard { "UP" } else { "P" };
        out.write_str(if inst.guard.neg { "@!" } else { "@" })?;
        write_numbered(out, file, inst.guard.pred, PT, "T")?;
        out.push(' ');
    }
    out.push_str(row.op.text());
    for part in row.mnemonic {
        let m = match *part {
            Part::Fixed(m) => m,
            Part::Field(i) => {
                let i = usize::from(i);
                row.fields[i].values.name(inst.fields[i]).unwrap_or(Mod::None)
            }
            Part::Alias(list) => {
                list.iter().find(|(conds, _)| conds.iter().all(|c| holds(inst, *c))).map_or(Mod::None, |(_, m)| *m)
            }
        };
        if m != Mod::None {
            out.push('.');
            out.push_str(m.text());
        }
    }
    let mut first = true;
    for (slot, o) in row.slots.iter().zip(&inst.operands) {
        if !shown(inst, slot, o) {
            continue;
        }
        out.push_str(if first { " " } else { slot.sep });
        first = false;
        write_operand(out, inst, slot, o, pc)?;
        if slot.show == Show::Twice {
            out.push_str(slot.sep);
            write_operand(out, inst, slot, o, pc)?;
        }
    }
    Ok(())
}

fn holds(inst: &Inst, cond: Cond) -> bool {
    let kind = |i: u8| inst.operands[usize::from(i)].kind;
    match cond {
        Cond::IsZero(i) => matches!(kind(i), Kind::Reg(RZ) | Kind::Imm(0)),
        Cond::IsOne(i) => kind(i) == Kind::Imm(1),
        Cond::IsPowerOfTwo(i) => matches!(kind(i), Kind::Imm(v) if v > 1 && v & (v - 1) == 0 && v != 1 << 16),
        Cond::Field(i, v) => inst.fields[usize::from(i)] == v,
    }
}

fn shown(inst: &Inst, slot: &Slot, o: &Operand) -> bool {
    if let (SlotKind::Named(_, values), Kind::Named(v)) = (slot.kind, o.kind) {
        return values.name(v) != Some(Mod::None);
    }
    match slot.show {
        Show::Always | Show::Twice => true,
        Show::NotTrue => o.not || !matches!(o.kind, Kind::Pred(PT) | Kind::UPred(PT)),
        Show::NotZero => {
            !matches!(o.kind, Kind::Reg(RZ) | Kind::UReg(URZ) | Kind::Imm(0) | Kind::Rel(0) | Kind::Set(0))
        }
        Show::NotImm(v) => o.kind != Kind::Imm(v),
        Show::Field(i, m) => m >> inst.fields[usize::from(i)] & 1 != 0,
        Show::Never => false,
    }
}

/// `R5`, `RZ`, `UP3`, `UPT`.
fn write_numbered(out: &mut String, file: &str, n: u8, none: u8, none_text: &str) -> fmt::Result {
    out.push_str(file);
    if n == none { out.write_str(none_text) } else { write!(out, "{n}") }
}

fn write_hex(out: &mut String, v: i64) -> fmt::Result {
    if v < 0 { write!(out, "-{:#x}", v.unsigned_abs()) } else { write!(out, "{v:#x}") }
}

fn write_operand(out: &mut String, inst: &Inst, slot: &Slot, o: &Operand, pc: u64) -> fmt::Result {
    if o.neg {
        out.push('-');
    }
    if o.not {
        out.push(if matches!(o.kind, Kind::Pred(_) | Kind::UPred(_)) { '!' } else { '~' });
    }
    if o.abs {
        out.push('|');
    }
    match o.kind {
        Kind::Reg(n) => write_numbered(out, "R", n, RZ, "Z")?,
        Kind::UReg(n) if matches!(slot.kind, SlotKind::GDesc(_) | SlotKind::Desc(_)) => {
            out.push_str(if matches!(slot.kind, SlotKind::Desc(_)) { "desc[" } else { "gdesc[" });
            write_numbered(out, "UR", n, URZ, "Z")?;
            out.push(']');
        }
        Kind::UReg(n) => write_numbered(out, "UR", n, URZ, "Z")?,
        Kind::Pred(n) => write_numbered(out, "P", n, PT, "T")?,
        Kind::UPred(n) => write_numbered(out, "UP", n, PT, "T")?,
        Kind::Barrier(n) => write!(out, "B{n}")?,
        Kind::Imm(v) => write_hex(out, v)?,
        Kind::F32(v) => write_float(out, f64::from(f32::from_bits(v)), v & 0x0040_0000 != 0)?,
        Kind::F64(v) => write_float(out, f64::from_bits(u64::from(v) << 32), v & 0x0008_0000 != 0)?,
        Kind::F16x2(v) if matches!(slot.kind, SlotKind::F16(_)) => write_half(out, v as u16, false)?,
        Kind::F16x2(v) => {
            let bf16 = match slot.kind {
                SlotKind::Bf16x2(_) => true,
                SlotKind::F16x2(_, Some((f, want))) => inst.fields[usize::from(f)] == want,
                _ => false,
            };
            write_half(out, (v >> 16) as u16, bf16)?;
            out.push_str(", ");
            write_half(out, v as u16, bf16)?;
        }
        Kind::CBank { bank, base, handle, offset } => {
            if matches!(slot.kind, SlotKind::CBankBindless(..)) {
                out.push_str("cx[");
                write_numbered(out, "UR", handle, URZ, "Z")?;
                out.push(']');
            } else {
                write!(out, "c[{bank:#x}]")?;
            }
            if matches!(slot.kind, SlotKind::CBank(_, _, _, true)) {
                out.push(' ');
            }
            out.push('[');
            let indexed = matches!(slot.kind, SlotKind::CBankIndexed(..));
            if matches!(slot.kind, SlotKind::CBankUniform(..)) {
                write_numbered(out, "UR", handle, URZ, "Z")?;
                if offset != 0 {
                    out.push('+');
                    write_hex(out, i64::from(offset))?;
                }
                out.push(']');
                return Ok(());
            }
            if indexed && (base != RZ || offset == 0) {
                write_numbered(out, "R", base, RZ, "Z")?;
                if offset != 0 {
                    out.push('+');
                    write_hex(out, i64::from(offset))?;
                }
            } else {
                write_hex(out, i64::from(offset))?;
            }
            out.push(']');
        }
        Kind::Addr { base, ubase, desc, offset } => write_address(out, inst, slot, base, ubase, desc, offset)?,
        Kind::Special(n) => out.push_str(SPECIAL[usize::from(n)]),
        Kind::Rel(v) => {
            let target = pc.wrapping_add(16).wrapping_add_signed(v) as i64;
            if matches!(slot.kind, SlotKind::Rel(_, _, true)) { write_hex(out, v)? } else { write_hex(out, target)? }
        }
        Kind::Scoreboard(n) => write!(out, "SB{n}")?,
        Kind::Named(v) => {
            if let SlotKind::Named(_, values) = slot.kind {
                out.push_str(values.name(v).unwrap_or(Mod::None).text());
            }
        }
        Kind::Set(v) => {
            out.push('{');
            let mut sep = "";
            for n in (0..32).rev().filter(|n| v >> n & 1 != 0) {
                write!(out, "{sep}{n}")?;
                sep = ",";
            }
            out.push('}');
        }
        Kind::PredFile => out.push_str("PR"),
        Kind::UPredFile => out.push_str("UPR"),
    }
    // The selector of a uniform register or a constant is within the bars, that of a register after
    // them.
    let sel = slot.sel.as_ref().and_then(|sel| sel.values.name(u16::from(o.sel))).filter(|m| *m != Mod::None);
    let inside =
        !matches!(o.kind, Kind::Reg(_)) || (o.abs && slot.sel.as_ref().is_some_and(|s| s.values.name == "f2sel"));
    if let Some(m) = sel.filter(|_| inside) {
        out.push('.');
        out.push_str(m.text());
    }
    if o.abs {
        out.push('|');
    }
    // The register of metadata has a bit of its own.
    let kept = slot.role == SlotRole::Rx && inst.raw(Field::Rx).is_some_and(|bit| bit != 0);
    let reuse = kept || slot.reuse != NO_REUSE && inst.ctrl.reuse >> slot.reuse & 1 != 0;
    if reuse && matches!(o.kind, Kind::Reg(_)) {
        out.push_str(".reuse");
    }
    if slot.suffix != Mod::None {
        out.push('.');
        out.push_str(slot.suffix.text());
    }
    if let Some(m) = sel.filter(|_| !inside) {
        out.push('.');
        out.push_str(m.text());
    }
    Ok(())
}

const NO_REUSE: u8 = crate::row::NO_BIT;

fn write_address(
    out: &mut String,
    inst: &Inst,
    slot: &Slot,
    base: u8,
    ubase: u8,
    desc: u8,
    offset: i32,
) -> fmt::Result {
    let SlotKind::Addr { base: base_bits, ubase: ubase_bits, desc: desc_bits, hidden, suffix, .. } = slot.kind else {
        return Ok(());
    };
    if desc_bits.width() != 0 && !hidden {
        out.push_str("desc[");
        write_numbered(out, "UR", desc, URZ, "Z")?;
        out.push(']');
    }
    out.push('[');
    let signed = suffix == AddrSuffix::Signed;
    let suffix = match suffix {
        AddrSuffix::Plain | AddrSuffix::Signed => "",
        AddrSuffix::Wide => ".64",
        AddrSuffix::U32 => ".U32",
        AddrSuffix::Field(i, texts) => texts.get(usize::from(inst.fields[usize::from(i)])).copied().unwrap_or(""),
    };
    let mut sep = "";
    let has_ubase = ubase_bits.width() != 0;
    let has_base = base_bits.width() != 0;
    let has_desc = desc_bits.width() != 0;
    let SlotKind::Addr { offset: bits, .. } = slot.kind else { return Ok(()) };
    let suffix = if base == RZ && !has_ubase && !has_desc && suffix != ".64" { "" } else { suffix };
    if has_base && base == RZ && !has_ubase && !has_desc && offset != 0 && suffix != ".64" && !signed {
        // An absolute address: unsigned, in the width of its field.
        return write!(out, "{:#x}]", i64::from(offset) as u64 & mask(bits.width()));
    }
    if has_base && (base != RZ || has_desc || !matches!(suffix, "" | ".64") || (!has_ubase && offset == 0)) {
        write_numbered(out, "R", base, RZ, "Z")?;
        out.push_str(suffix);
        sep = "+";
    }
    if has_ubase {
        out.push_str(sep);
        write_numbered(out, "UR", ubase, URZ, "Z")?;
        sep = "+";
    }
    if offset != 0 || sep.is_empty() {
        out.push_str(sep);
        write_hex(out, i64::from(offset))?;
    }
    out.push(']');
    Ok(())
}

fn write_half(out: &mut String, v: u16, bf16: bool) -> fmt::Result {
    if bf16 {
        return write_float(out, f64::from(f32::from_bits(u32::from(v) << 16)), v & 0x40 != 0);
    }
    let (sign, e, m) = (v >> 15, v >> 10 & 31, v & 0x3ff);
    let x = match e {
        31 if m == 0 => f64::INFINITY,
        31 => f64::NAN,
        0 => f64::from(m) * 2f64.powi(-24),
        _ => f64::from(m | 0x400) * 2f64.powi(i32::from(e) - 25),
    };
    write_float(out, if sign == 1 { -x } else { x }, m & 0x200 != 0)
}

/// C's `%.20g` below 10^9, `%.20e` above; nvdisasm's names of special values keep their trailing
/// blank.
fn write_float(out: &mut String, x: f64, quiet: bool) -> fmt::Result {
    let sign = if x.is_sign_negative() { '-' } else { '+' };
    if x.is_nan() {
        return write!(out, "{sign}{}NAN ", if quiet { 'Q' } else { 'S' });
    }
    if x.is_infinite() {
        return write!(out, "{sign}INF ");
    }
    if x == 0.0 {
        return out.write_str(if sign == '-' { "-0.0 " } else { "0" });
    }
    let e_text = |x: f64, digits: usize| {
        let s = format!("{x:.digits$e}");
        let (m, e) = s.split_once('e').map_or((s.clone(), 0), |(m, e)| (m.to_owned(), e.parse::<i32>().unwrap_or(0)));
        (m, e)
    };
    if x.abs() >= 1e9 {
        let (m, e) = e_text(x, 20);
        return write!(out, "{m}e+{e:02}");
    }
    let (m, e) = e_text(x, 19);
    if e < -4 {
        let m = m.trim_end_matches('0').trim_end_matches('.');
        return write!(out, "{m}e-{:02}", -e);
    }
    let digits = usize::try_from(19 - e).unwrap_or(0);
    let s = format!("{x:.digits$}");
    out.write_str(s.trim_end_matches('0').trim_end_matches('.'))
}
