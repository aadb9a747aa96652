//! `.debug_frame` against the code it describes: at every instruction of a function the rules must
//! lead to the values that the caller had ([`follow`]).

pub mod follow;

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::dwarf::Debug;

/// The section.
const SECTION: &str = ".debug_frame";
/// The class of general registers, in the highest byte of a register's number.
const GENERAL: u64 = 5;
/// A CIE has this instead of a pointer.
const NO_POINTER: u64 = u64::MAX;

/// The frame address: R1 of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A register plus an offset.
    Register(u8, i64),
    /// The word in memory at a register plus an offset.
    Memory(u8, i64),
}

/// The place of the caller's value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The register.
    Same,
    /// It is lost.
    Lost,
    /// In memory, so many bytes from the frame address.
    Frame(i64),
    /// In memory at a register plus an offset.
    Memory(u8, i64),
    /// Another register.
    Register(u64),
}

/// The rules at an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The frame address.
    pub frame: Option<Frame>,
    /// General registers; those that are not named are the same.
    pub registers: BTreeMap<u8, Place>,
}

/// The rules of a function.
#[derive(Clone, Debug)]
pub struct Unwind {
    /// The number of the register with the return address.
    pub returns: u64,
    /// Rules with the byte offset of the first instruction they hold for, ascending.
    pub rows: Vec<(u64, Rules)>,
    /// How often rules are kept for later.
    pub remembered: usize,
}

impl Unwind {
    /// The rules at a byte offset.
    pub fn at(&self, offset: u64) -> Option<&Rules> {
        self.rows.iter().rev().find(|(from, _)| *from <= offset).map(|(_, rules)| rules)
    }
}

/// Reads the rules of all functions of a cubin, by name.
///
/// # Errors
/// Entries that are no DWARF of ptxas' kind.
pub fn read(debug: &Debug) -> Result<BTreeMap<String, Unwind>> {
    let bytes = debug.bytes(SECTION);
    let (mut out, mut at) = (BTreeMap::new(), 0);
    while at < bytes.len() {
        let entry = Entry::read(bytes, at)?;
        at = entry.end;
        if entry.pointer == NO_POINTER {
            continue;
        }
        let address = debug.address_in(SECTION, entry.body).context("a short entry")?;
        let Some(name) = address.symbol else { bail!("a function without a symbol") };
        let common = Entry::read(bytes, entry.pointer as usize)?;
        ensure!(common.pointer == NO_POINTER, "{name}: the entry that it refers to is no CIE");
        let mut reader = Reader { bytes: &bytes[..common.end], at: common.body };
        ensure!(reader.take::<4>()? == [3, 0, 4, 0x7c], "{name}: another version or unit");
        let returns = reader.unsigned()?;
        let mut unwind = Unwind { returns, rows: Vec::new(), remembered: 0 };
        let initial = run(reader, &mut unwind, Rules::default(), None)?;
        // Address and size are 8 bytes each.
        let reader = Reader { bytes: &bytes[..entry.end], at: entry.body + 16 };
        unwind.rows = vec![(0, initial.clone())];
        let mut whole = unwind.clone();
        run(reader, &mut whole, initial.clone(), Some(&initial))?;
        out.insert(name, whole);
    }
    Ok(out)
}

/// An entry of 64-bit DWARF.
struct Entry {
    /// The CIE, or [`NO_POINTER`].
    pointer: u64,
    /// Where the contents begin.
    body: usize,
    end: usize,
}

impl Entry {
    fn read(bytes: &[u8], at: usize) -> Result<Entry> {
        let mut reader = Reader { bytes, at };
        ensure!(reader.take::<4>()? == [0xff; 4], "an entry of 32-bit DWARF at {at:#x}");
        let length = u64::from_le_bytes(reader.take()?);
        let end = reader.at + length as usize;
        ensure!(end <= bytes.len(), "an entry leaves its section at {at:#x}");
        Ok(Entry { pointer: u64::from_le_bytes(reader.take()?), body: reader.at, end })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).context("the section ends")?;
        self.at += N;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take::<1>()?[0])
    }

    fn unsigned(&mut self) -> Result<u64> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<i64> {
        let from = self.at;
        let value = self.unsigned()?;
        let bits = 7 * (self.at - from) as u32;
        Ok((value << (64 - bits)) as i64 >> (64 - bits))
    }

    /// A general register; `None` for one of another class.
    fn register(&mut self) -> Result<Option<u8>> {
        let number = self.unsigned()?;
        Ok((number >> 24 == GENERAL).then_some(number as u8))
    }

    fn general(&mut self) -> Result<u8> {
        self.register()?.context("the frame address depends on no general register")
    }

    /// `DW_OP_bregx`, and whether `DW_OP_deref_size` 4 follows it.
    fn expression(&mut self) -> Result<(u8, i64, bool)> {
        let length = self.unsigned()? as usize;
        let end = self.at + length;
        ensure!(self.byte()? == 0x92, "another expression");
        let (register, offset) = (self.general()?, self.signed()?);
        let loads = self.at < end && self.take::<2>()? == [0x94, 4];
        ensure!(self.at == end, "another expression");
        Ok((register, offset, loads))
    }
}

/// Runs rules, and adds a row where they advance, if `initial` says what is restored. Returns the
/// last ones.
fn run(mut reader: Reader<'_>, out: &mut Unwind, mut rules: Rules, initial: Option<&Rules>) -> Result<Rules> {
    let (mut at, mut kept) = (0, Vec::new());
    let end = reader.bytes.len();
    while reader.at < end {
        let code = reader.byte()?;
        match code {
            0x00 => continue,
            0x04 => at += 4 * u64::from(u32::from_le_bytes(reader.take()?)),
            0x05 => {
                let (register, offset) = (reader.register()?, reader.unsigned()?);
                rules.registers.extend(register.map(|r| (r, Place::Frame(-4 * offset as i64))));
            }
            0x06 => {
                let Some(register) = reader.register()? else { continue };
                match initial.and_then(|rules| rules.registers.get(&register)) {
                    Some(&place) => _ = rules.registers.insert(register, place),
                    None => _ = rules.registers.remove(&register),
                }
            }
            0x07 | 0x08 => {
                let place = if code == 0x07 { Place::Lost } else { Place::Same };
                rules.registers.extend(reader.register()?.map(|r| (r, place)));
            }
            0x09 => {
                let (register, other) = (reader.register()?, reader.unsigned()?);
                rules.registers.extend(register.map(|r| (r, Place::Register(other))));
            }
            0x0a => {
                kept.push(rules.clone());
                out.remembered += 1;
            }
            0x0b => rules = kept.pop().context("nothing was kept")?,
            0x0c => rules.frame = Some(Frame::Register(reader.general()?, reader.unsigned()? as i64)),
            0x0f => {
                let (register, offset, loads) = reader.expression()?;
                rules.frame = Some(match loads {
                    true => Frame::Memory(register, offset),
                    false => Frame::Register(register, offset),
                });
            }
            0x10 => {
                let register = reader.register()?;
                let (base, offset, loads) = reader.expression()?;
                ensure!(!loads, "another expression");
                rules.registers.extend(register.map(|r| (r, Place::Memory(base, offset))));
            }
            _ => bail!("rule {code:#x}"),
        }
        match out.rows.last_mut() {
            Some((from, row)) if *from == at => *row = rules.clone(),
            Some(_) => out.rows.push((at, rules.clone())),
            None => {}
        }
    }
    Ok(rules)
}
