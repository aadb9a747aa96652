//! The debug information of a cubin as text that can be compared between compilers.
//!
//! gimli reads the sections with their relocations applied; an address is shown by the function or
//! variable that contains it. Register numbers in locations are names of PTX registers, which are
//! too large for gimli, so locations and their lists are read here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow, bail};
use gimli::{AttributeValue, EndianSlice, LittleEndian, SectionId};
use raddle_cubin::Cubin;
use raddle_cubin::elf::{sht, st};
use raddle_cubin::model::Payload;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The address of a symbol: its number in the table, shifted by this.
const SYMBOL: u32 = 32;

/// Debug information of a cubin.
#[derive(Debug)]
pub struct Debug {
    cubin: Cubin,
    sections: BTreeMap<String, Vec<u8>>,
}

/// An address: a symbol and an offset; plain numbers have no symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// Name as in the PTX, without the suffix that makes names of variables in bodies unique.
    pub symbol: Option<String>,
    /// Offset in bytes.
    pub offset: u64,
}

impl Debug {
    /// Reads a cubin and applies the relocations of its debug sections.
    ///
    /// # Errors
    /// Errors in the file.
    pub fn read(bytes: &[u8]) -> Result<Debug> {
        let cubin = Cubin::parse(bytes)?;
        let mut sections = BTreeMap::new();
        for (index, section) in cubin.sections.iter().enumerate().filter(|(_, s)| s.name.starts_with(".debug_")) {
            let mut bytes = section.bytes().to_vec();
            for table in cubin.sections.iter().filter(|s| s.info == index as u32) {
                let Payload::Relocations(relocs) = &table.payload else { continue };
                for r in relocs.iter().filter(|r| matches!(r.number, 1 | 2 | 4)) {
                    let symbol = &cubin.symbols[r.symbol as usize];
                    let base = if symbol.kind == st::SECTION { 0 } else { u64::from(r.symbol) << SYMBOL };
                    let (at, width) = (r.offset as usize, if r.number == 1 { 4 } else { 8 });
                    let place = bytes.get_mut(at..at + width).context("a relocation lies outside")?;
                    let mut inside = [0; 8];
                    inside[..width].copy_from_slice(place);
                    let addend = if table.kind == sht::RELA { r.addend as u64 } else { u64::from_le_bytes(inside) };
                    place.copy_from_slice(&(base + addend).to_le_bytes()[..width]);
                }
            }
            sections.insert(section.name.clone(), bytes);
        }
        Ok(Debug { cubin, sections })
    }

    /// Names of the debug sections with contents; the number in the name of a PTX text section is
    /// omitted.
    pub fn sections(&self) -> Vec<String> {
        let named =
            self.cubin.sections.iter().filter(|s| s.name.starts_with(".debug_") || s.name.starts_with(".nv_debug"));
        let with_bytes = named.filter(|s| matches!(&s.payload, Payload::Bytes(b) if !b.is_empty()));
        let mut out: Vec<String> = with_bytes
            .map(|s| s.name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.').to_owned())
            .collect();
        out.sort();
        out
    }

    /// The cubin.
    pub fn cubin(&self) -> &Cubin {
        &self.cubin
    }

    /// The symbol and offset of an address.
    pub fn address(&self, value: u64) -> Address {
        let name = |n: usize| self.cubin.symbols.get(n).map(|s| s.name.split('.').nth(1).unwrap_or(&s.name).to_owned());
        let symbol = (value >> SYMBOL) as usize;
        let symbol = if symbol == 0 { None } else { name(symbol) };
        Address { symbol, offset: value & 0xffff_ffff }
    }

    /// The address in the 8 bytes at an offset of a section.
    pub fn address_in(&self, section: &str, at: usize) -> Option<Address> {
        let bytes = self.section(section).get(at..)?.first_chunk()?;
        Some(self.address(u64::from_le_bytes(*bytes)))
    }

    /// The bytes of a debug section, with its relocations applied.
    pub fn bytes(&self, name: &str) -> &[u8] {
        self.section(name)
    }

    fn section(&self, name: &str) -> &[u8] {
        self.sections.get(name).map_or(&[], |bytes| bytes)
    }

    /// An address for comparison: its offset in a function depends on the compiler.
    fn shown(&self, value: u64) -> String {
        let at = self.address(value);
        let Some(symbol) = at.symbol else { return format!("{:#x}", at.offset) };
        let function = self.cubin.functions().into_iter().find(|f| f.name == symbol);
        match function.map(|f| f.code.len() as u64) {
            Some(_) if at.offset == 0 => symbol,
            Some(size) if at.offset == size => format!("{symbol}.end"),
            Some(size) if at.offset < size => format!("{symbol}.inside"),
            Some(_) => format!("{symbol}.outside"),
            None => format!("{symbol}+{}", at.offset),
        }
    }

    /// A location. Nops are padding, and the offset of a variable in the frame depends on the
    /// compiler.
    fn location(&self, bytes: &[u8]) -> Result<String> {
        let (mut out, mut rest) = (Vec::new(), bytes);
        while let Some((&op, tail)) = rest.split_first() {
            rest = tail;
            match op {
                0x03 => {
                    let (value, tail) = rest.split_first_chunk().context("an address is cut off")?;
                    rest = tail;
                    out.push(format!("addr {}", self.shown(u64::from_le_bytes(*value))));
                }
                0x90 => out.push(format!("register {:x}", leb(&mut rest)?)),
                0x91 => {
                    leb(&mut rest)?;
                    out.push("frame".to_owned());
                }
                0x23 => out.push(format!("plus {}", leb(&mut rest)?)),
                0x9c => out.push("cfa".to_owned()),
                0x96 => {}
                _ => bail!("operation {op:#x} of {bytes:x?}"),
            }
        }
        Ok(out.join(", "))
    }

    /// The address pairs of a list in `.debug_loc` or `.debug_ranges`, with the locations of the
    /// former.
    fn list(&self, section: &str, at: usize) -> Result<String> {
        let mut rest = self.section(section).get(at..).context("a list lies outside")?;
        let mut out = Vec::new();
        loop {
            let (begin, tail) = rest.split_first_chunk().context("a list is cut off")?;
            let (end, tail) = tail.split_first_chunk().context("a list is cut off")?;
            rest = tail;
            let (begin, end) = (u64::from_le_bytes(*begin), u64::from_le_bytes(*end));
            if (begin, end) == (0, 0) {
                return Ok(format!("[{}]", out.join("; ")));
            }
            let mut text = format!("{} to {}", self.shown(begin), self.shown(end));
            if section == ".debug_loc" {
                let (length, tail) = rest.split_first_chunk().context("a list is cut off")?;
                let (bytes, tail) =
                    tail.split_at_checked(u16::from_le_bytes(*length).into()).context("a list is cut off")?;
                rest = tail;
                let _ = write!(text, ": {}", self.location(bytes)?);
            }
            out.push(text);
        }
    }

    /// The tree of debugging information entries, one per line.
    ///
    /// # Errors
    /// Errors of gimli.
    pub fn tree(&self) -> Result<String> {
        let load = |id: SectionId| Ok::<_, gimli::Error>(EndianSlice::new(self.section(id.name()), LittleEndian));
        let dwarf = gimli::Dwarf::<Bytes<'_>>::load(load)?;
        let mut out = String::new();
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            let mut depth = 0usize;
            let mut entries = unit.entries();
            while let Some((step, entry)) = entries.next_dfs()? {
                depth = depth.checked_add_signed(step).context("a tree without a root")?;
                let _ = write!(out, "{:1$}{2}", "", 2 * depth, entry.tag());
                let mut attributes = entry.attrs();
                while let Some(attribute) = attributes.next()? {
                    let value = self.value(&dwarf, &unit, attribute.value()).with_context(|| out.clone())?;
                    let _ = write!(out, " {}={value}", attribute.name());
                }
                out.push('\n');
            }
        }
        Ok(out)
    }

    fn value(
        &self,
        dwarf: &gimli::Dwarf<Bytes<'_>>,
        unit: &gimli::Unit<Bytes<'_>>,
        value: AttributeValue<Bytes<'_>>,
    ) -> Result<String> {
        Ok(match value {
            AttributeValue::Addr(value) => self.shown(value),
            AttributeValue::Exprloc(expression) => self.location(expression.0.slice())?,
            AttributeValue::LocationListsRef(at) => self.list(".debug_loc", at.0)?,
            AttributeValue::RangeListsRef(at) => self.list(".debug_ranges", at.0)?,
            AttributeValue::String(text) => text.to_string_lossy().into_owned(),
            AttributeValue::DebugStrRef(at) => dwarf.debug_str.get_str(at)?.to_string_lossy().into_owned(),
            AttributeValue::FileIndex(number) => {
                let header = unit.line_program.as_ref().context("no line table")?.header();
                let file = header.file(number).ok_or_else(|| anyhow!("no file {number}"))?;
                let name = dwarf.attr_string(unit, file.path_name())?;
                name.to_string_lossy().into_owned()
            }
            other => format!("{other:?}"),
        })
    }
}

/// Reads a LEB128 number, without its sign.
fn leb(bytes: &mut &[u8]) -> Result<u64> {
    let mut out = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first().context("a number is cut off")?;
        *bytes = rest;
        out |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(out);
        }
    }
    bail!("a number is too large")
}

/// Links objects to an executable with our linker, keeping everything.
///
/// # Errors
/// Errors of the linker.
pub fn linked(objects: &[Vec<u8>]) -> Result<Vec<u8>> {
    use raddle_link::objects::{Input, LinkOptions, link};
    let inputs: Vec<Input<'_>> = objects.iter().map(|bytes| Input { name: "o.cubin", bytes, library: false }).collect();
    let options = LinkOptions { keep_all: true, ..LinkOptions::default() };
    let linked = link(&inputs, &options, &raddle_entity::Serial).map_err(|problems| anyhow!("{problems:?}"))?;
    Ok(linked.bytes(&raddle_entity::Serial))
}
