//! `cargo xtask sass-campaign [--isa sm_90]... [--per-value N] [--seed N] [--show N]`: generated words against nvdisasm.
//!
//! Every row gets N words (20 by default) for every value of every field, every modifier of every operand set and
//! clear, and every special register (`RZ`, `PT`), everything else random but legal by the table. Each must be legal
//! to nvdisasm, decode to the same row, encode to the same word, and print the same text. Deterministic for a seed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{Show, Slot, SlotKind, mask};
use raddle_sass::{Ctrl, Guard, Inst, Isa, Kind, Operand, PT, RZ, Row, RowId, URZ, decode, encode, print};
use smallvec::SmallVec;

use crate::machine_code;

/// A small generator (splitmix64): the same words on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// What a sample must have.
#[derive(Clone, Copy)]
enum Want {
    /// Anything.
    Any,
    /// Field number with this raw value.
    Field(usize, u16),
    /// Operand number with the modifier: 0 neg, 1 abs, 2 not, 3 the zero register.
    Operand(usize, u8, bool),
    /// Operand number with this selector.
    Selector(usize, u8),
}

fn register(r: &mut Random, none: u8) -> u8 {
    if r.one_in(8) { none } else { r.below(u64::from(none)) as u8 }
}

fn random_operand(r: &mut Random, slot: &Slot, zero: Option<bool>) -> Operand {
    let zero = if slot.nonzero { Some(false) } else { zero };
    let mut reg = |none: u8| match zero {
        Some(true) => none,
        Some(false) => r.below(u64::from(none)) as u8,
        None => register(r, none),
    };
    let kind = match slot.kind {
        SlotKind::Reg(_) => Kind::Reg(reg(RZ)),
        SlotKind::UReg(_) | SlotKind::GDesc(_) => Kind::UReg(reg(URZ)),
        SlotKind::Pred(_) | SlotKind::PredInv(_) => Kind::Pred(reg(PT)),
        SlotKind::UPred(_) | SlotKind::UPredInv(_) => Kind::UPred(reg(PT)),
        SlotKind::Barrier(_) => Kind::Barrier(r.below(16) as u8),
        SlotKind::UImm(b, s) => Kind::Imm(((immediate(r, b.width())) << s) as i64),
        SlotKind::SImm(b, s) => {
            let shift = 64 - u32::from(b.width());
            Kind::Imm((((immediate(r, b.width()) << shift) as i64) >> shift) << s)
        }
        SlotKind::F32(_) => Kind::F32(r.next() as u32),
        SlotKind::F64(_) => Kind::F64(r.next() as u32),
        SlotKind::F16x2(..) | SlotKind::Bf16x2(_) => Kind::F16x2(r.next() as u32),
        SlotKind::CBank(off, bank, s, _) => {
            let shift = 64 - u32::from(off.width());
            let offset = (((immediate(r, off.width()) << shift) as i64 >> shift) << s) as i32;
            Kind::CBank { bank: (r.next() & mask(bank.width())) as u8, base: RZ, handle: URZ, offset }
        }
        SlotKind::CBankIndexed(_, bank, _) => Kind::CBank {
            bank: (r.next() & mask(bank.width())) as u8,
            base: register(r, RZ),
            handle: URZ,
            offset: i32::from(immediate(r, 16) as u16 as i16),
        },
        SlotKind::CBankUniform(_, bank, _) => Kind::CBank {
            bank: (r.next() & mask(bank.width())) as u8,
            base: RZ,
            handle: register(r, URZ),
            offset: i32::from(immediate(r, 16) as u16 as i16),
        },
        SlotKind::CBankBindless(off, _, s) => Kind::CBank {
            bank: 0,
            base: RZ,
            handle: register(r, URZ),
            offset: ((r.next() & mask(off.width())) << s) as i32,
        },
        SlotKind::Addr { offset, base, ubase, desc, .. } => {
            let mut part = |w: u8, none: u8| if w == 0 { none } else { register(r, none) };
            let base = if slot.nonzero { part(base.width(), RZ).min(RZ - 1) } else { part(base.width(), RZ) };
            let (ubase, desc) = (part(ubase.width(), URZ), part(desc.width(), URZ));
            let shift = 64 - u32::from(offset.width().max(1));
            let value = if r.one_in(4) { 0 } else { immediate(r, offset.width().max(1)) };
            let offset = if offset.width() == 0 { 0 } else { (((value << shift) as i64) >> shift) as i32 };
            Kind::Addr { base, ubase, desc, offset }
        }
        SlotKind::Special(_, old) => Kind::Special(r.below(if old { 64 } else { 256 }) as u8),
        SlotKind::Rel(b, s, _) => {
            // Within 2^31 bytes; nvdisasm's text is exact there.
            let w = b.width().min(28);
            let shift = 64 - u32::from(w);
            Kind::Rel(((((r.next() & mask(w)) << shift) as i64) >> shift) << s)
        }
        SlotKind::Scoreboard(_) => Kind::Scoreboard(r.below(6) as u8),
        SlotKind::Named(_, values) => Kind::Named(values.list[r.below(values.list.len() as u64) as usize].0),
        SlotKind::Set(b) => Kind::Set((r.next() & mask(b.width())) as u32),
        SlotKind::PredFile => Kind::PredFile,
        SlotKind::UPredFile => Kind::UPredFile,
    };
    Operand::new(kind)
}

/// Small and large values alike.
fn immediate(r: &mut Random, width: u8) -> u64 {
    let bits = 1 + r.below(u64::from(width)) as u8;
    let v = r.next() & mask(bits);
    if r.one_in(4) { !v & mask(width) } else { v & mask(width) }
}

const NO_BIT: u8 = raddle_sass::row::NO_BIT;

fn sample(r: &mut Random, id: RowId, row: &'static Row, want: Want) -> Inst {
    let mut fields = [0u16; MAX_FIELDS];
    for (i, f) in row.fields.iter().enumerate() {
        fields[i] = f.values.list[r.below(f.values.list.len() as u64) as usize].0;
    }
    if let Want::Field(i, v) = want {
        fields[i] = v;
    }
    let mut operands: SmallVec<[Operand; 6]> = SmallVec::new();
    for (i, slot) in row.slots.iter().enumerate() {
        let zero = match want {
            Want::Operand(n, 3, on) if n == i => Some(on),
            _ => None,
        };
        let mut o = random_operand(r, slot, zero);
        let mut flag = |bit: u8, which: u8| {
            bit != NO_BIT
                && match want {
                    Want::Operand(n, w, on) if n == i && w == which => on,
                    _ => r.one_in(4),
                }
        };
        o.neg = flag(slot.neg, 0);
        o.abs = flag(slot.abs, 1);
        o.not = flag(slot.not, 2);
        if slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0) && slot.not == NO_BIT {
            (o.not, o.neg) = (o.neg, false);
        }
        if let Some(sel) = &slot.sel {
            o.sel = match want {
                Want::Selector(n, v) if n == i => v,
                _ => sel.values.list[r.below(sel.values.list.len() as u64) as usize].0 as u8,
            };
        }
        operands.push(o);
    }
    let mut ctrl = Ctrl { stall: 1 + r.below(11) as u8, yield_: false, ..Ctrl::default() };
    ctrl.wr_bar = if !row.effects.write_barrier || r.one_in(2) { None } else { Some(r.below(6) as u8) };
    ctrl.rd_bar = if !row.effects.read_barrier || r.one_in(2) { None } else { Some(r.below(6) as u8) };
    ctrl.wait_mask = if row.effects.waits { r.below(64) as u8 } else { 0 };
    if r.one_in(8) {
        for (slot, o) in row.slots.iter().zip(&operands) {
            if slot.reuse != NO_BIT && matches!(o.kind, Kind::Reg(n) if n != RZ) && r.one_in(2) {
                ctrl.reuse |= 1 << slot.reuse;
            }
        }
    }
    let guard = if r.one_in(3) { Guard { pred: r.below(8) as u8, neg: r.one_in(2) } } else { Guard::ALWAYS };
    let guard = if guard.pred == PT { Guard::ALWAYS } else { guard };
    Inst { row: id, guard, ctrl, operands, fields }
}

/// What every sample of a row must have once.
fn wants(row: &Row) -> Vec<Want> {
    let mut out = vec![Want::Any];
    for (i, f) in row.fields.iter().enumerate() {
        out.extend(f.values.list.iter().map(|v| Want::Field(i, v.0)));
    }
    for (i, slot) in row.slots.iter().enumerate() {
        for (bit, which) in [(slot.neg, 0), (slot.abs, 1), (slot.not, 2)] {
            if bit != NO_BIT {
                out.extend([Want::Operand(i, which, false), Want::Operand(i, which, true)]);
            }
        }
        if !matches!(slot.show, Show::Never) {
            out.extend([Want::Operand(i, 3, false), Want::Operand(i, 3, true)]);
        }
        if let Some(sel) = &slot.sel {
            out.extend(sel.values.list.iter().map(|v| Want::Selector(i, v.0 as u8)));
        }
    }
    out
}

/// Words of one machine, distinct, in generation order.
pub fn generate(isa: Isa, per_value: usize, seed: u64) -> Result<Vec<u128>> {
    let mut r = Random(seed ^ (isa as u64) << 32);
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (n, row) in raddle_sass::r#gen::ROWS.iter().enumerate() {
        if !row.isas.contains(isa) {
            continue;
        }
        for want in wants(row) {
            for _ in 0..per_value {
                let inst = sample(&mut r, RowId(n as u16), row, want);
                let word = encode(isa, &inst).with_context(|| format!("{inst}"))?;
                if seen.insert(word) {
                    out.push(word);
                }
            }
        }
    }
    Ok(out)
}

/// Runs the command.
pub fn run(args: &[String]) -> Result<()> {
    let (mut isas, mut per_value, mut seed, mut show) = (Vec::new(), 20usize, 1u64, 3usize);
    let mut it = args.iter();
    while let Some(a) = it.next() {
        let v = it.next().with_context(|| format!("{a} needs a value"))?;
        match a.as_str() {
            "--isa" => isas.push(Isa::by_name(v).with_context(|| format!("unknown machine {v}"))?),
            "--per-value" => per_value = v.parse()?,
            "--seed" => seed = v.parse()?,
            "--show" => show = v.parse()?,
            other => anyhow::bail!("unknown argument {other}"),
        }
    }
    if isas.is_empty() {
        isas = Isa::ALL.to_vec();
    }
    let (mut total, mut failures) = (0usize, 0usize);
    for isa in isas {
        let words = generate(isa, per_value, seed)?;
        let mut bad: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
        let (mut illegal, mut text_differs) = (0usize, 0usize);
        for chunk in words.chunks(1 << 16) {
            let texts = machine_code::disassemble(isa, chunk)?;
            for (i, (word, text)) in chunk.iter().zip(texts).enumerate() {
                let inst = decode(isa, *word).with_context(|| format!("{word:032x}"))?;
                ensure!(encode(isa, &inst) == Ok(*word), "{word:032x} {inst} does not encode to itself");
                let ours = print(&inst, i as u64 * 16);
                let legal = text.as_ref().is_some_and(|t| !t.contains("???") && !t.contains("INVALID"));
                let same = text.as_ref().is_some_and(|t| t.trim_end() == ours.trim_end());
                if legal && same {
                    continue;
                }
                let kind = if legal {
                    text_differs += 1;
                    "text"
                } else {
                    illegal += 1;
                    "illegal"
                };
                let row = inst.row();
                let fixed: Vec<&str> = row.fixed.iter().map(|m| m.text()).collect();
                let key = format!("{kind:7} {:03x} {} {}", word & 0xfff, row.op.text(), fixed.join("."));
                let e = bad.entry(key).or_default();
                e.0 += 1;
                if e.1.len() < show {
                    e.1.push(format!("{word:032x} {ours} <> {}", text.unwrap_or_else(|| "(illegal)".to_owned())));
                }
            }
        }
        for (key, (n, examples)) in &bad {
            println!("{} {key}: {n}", isa.name());
            for e in examples {
                println!("    {e}");
            }
        }
        println!("{}: {} distinct words, {illegal} illegal, {text_differs} texts differ", isa.name(), words.len());
        total += words.len();
        failures += illegal + text_differs;
    }
    println!("{total} distinct words, {failures} failures");
    ensure!(failures == 0, "the table is not nvdisasm's");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without nvdisasm the skip is counted; `cargo xtask sass-campaign` is the long version.
    #[test]
    fn one_word_per_value_agrees_with_nvdisasm() {
        if raddle_filetest::oracle::require("nvdisasm").is_none() {
            return;
        }
        for isa in Isa::ALL {
            let words = generate(isa, 1, 7).unwrap();
            assert!(words.len() > 5_000, "{} words for {}", words.len(), isa.name());
            let texts = machine_code::disassemble(isa, &words).unwrap();
            for (i, (word, text)) in words.iter().zip(texts).enumerate() {
                let ours = print(&decode(isa, *word).unwrap(), i as u64 * 16);
                assert_eq!(text.as_deref().map(str::trim_end), Some(ours.trim_end()), "{} {word:032x}", isa.name());
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_words() {
        assert_eq!(generate(Isa::Sm90, 1, 3).unwrap(), generate(Isa::Sm90, 1, 3).unwrap());
    }
}
