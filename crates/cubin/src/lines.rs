//! Line tables: which source line an instruction comes from.
//!
//! ptxas writes two with `-lineinfo` and `-g`: `.debug_line` leads to the lines that `.loc` directives name, and
//! `.nv_debug_line_sass` to lines of the PTX (its file has no name). Both are line programs of DWARF 2 (DWARF 4, 6.2), whose
//! sequences start at a relocated address, and with one extended opcode of NVIDIA's, 0x90, for the inlining context (ptxas
//! 13.0.88 output), which is not interpreted.
//!
//! Hostile input: a program is a bounded walk over its bytes; every row costs a byte of it at least.

use std::collections::BTreeMap;

use crate::elf::{str_at, u16_at, u32_at, u64_at};
use crate::model::{Cubin, Place};

/// Rows of one text section, sorted by offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    /// Places, each valid up to the next one's offset.
    pub rows: Vec<Row>,
    /// Names of source files with their folders.
    pub files: Vec<String>,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Byte offset in the text section.
    pub offset: u64,
    /// Index into [`LineTable::files`]; `None` where the table names no file (the PTX itself).
    pub file: Option<u32>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 unknown.
    pub column: u32,
}

/// Why a line table could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The table ends early.
    #[error("line table is cut off at {0:#x}")]
    Truncated(usize),
    /// 64-bit DWARF or a version other than 2 to 4.
    #[error("line table at {0:#x} has an unknown format")]
    Version(usize),
}

/// Which of a cubin's line tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// `.debug_line`: lines of the program the PTX was made from.
    Source,
    /// `.nv_debug_line_sass`: lines of the PTX.
    Ptx,
}

impl LineTable {
    /// The rows of text section `section`; empty without line information.
    ///
    /// # Errors
    /// [`LineError`] when the table cannot be read.
    pub fn read(cubin: &Cubin, section: u32, lines: Lines) -> Result<LineTable, LineError> {
        let name = match lines {
            Lines::Source => ".debug_line",
            Lines::Ptx => ".nv_debug_line_sass",
        };
        let Some(index) = cubin.section_index(name) else { return Ok(LineTable::default()) };
        let bytes = cubin.sections[index as usize].bytes();
        // Addresses are relocated: place in the table -> text section and offset.
        let address = |r: &crate::model::Reloc| {
            let symbol = cubin.symbols.get(r.symbol as usize)?;
            let Place::Section(section) = symbol.place else { return None };
            Some((r.offset, (section, symbol.value.wrapping_add(r.addend as u64))))
        };
        let addresses: BTreeMap<u64, (u32, u64)> = cubin.relocations(index).filter_map(address).collect();
        let mut out = LineTable::default();
        let mut at = 0;
        while at < bytes.len() {
            at = unit(bytes, at, section, &addresses, &mut out)?;
        }
        out.rows.sort_by_key(|r| r.offset);
        Ok(out)
    }

    /// The place of the instruction at `offset`.
    pub fn at(&self, offset: u64) -> Option<&Row> {
        let next = self.rows.partition_point(|r| r.offset <= offset);
        self.rows.get(next.checked_sub(1)?)
    }

    /// File name of a row, `None` for the PTX itself.
    pub fn file(&self, row: &Row) -> Option<&str> {
        self.files.get(row.file? as usize).map(|f| &**f)
    }
}

/// A cursor over one unit.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], LineError> {
        let end = self.at.checked_add(n).filter(|&e| e <= self.end).ok_or(LineError::Truncated(self.at))?;
        let out = &self.bytes[self.at..end];
        self.at = end;
        Ok(out)
    }

    fn byte(&mut self) -> Result<u8, LineError> {
        Ok(self.take(1)?[0])
    }

    fn uleb(&mut self) -> Result<u64, LineError> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let b = self.byte()?;
            if shift < 64 {
                value |= u64::from(b & 0x7f) << shift;
            }
            shift += 7;
            if b & 0x80 == 0 {
                return Ok(value);
            }
        }
    }

    fn sleb(&mut self) -> Result<i64, LineError> {
        let (mut value, mut shift) = (0i64, 0);
        loop {
            let b = self.byte()?;
            if shift < 64 {
                value |= i64::from(b & 0x7f) << shift;
            }
            shift += 7;
            if b & 0x80 == 0 {
                return Ok(if shift < 64 && b & 0x40 != 0 { value | -1 << shift } else { value });
            }
        }
    }

    fn string(&mut self) -> Result<&'a str, LineError> {
        let text = str_at(&self.bytes[..self.end], self.at).ok_or(LineError::Truncated(self.at))?;
        self.at += text.len() + 1;
        Ok(text)
    }
}

/// Header facts a program needs.
struct Program {
    minimum: u8,
    line_base: i8,
    line_range: u8,
    /// Operands of standard opcodes 1.., in ULEB128 numbers.
    lengths: Vec<u8>,
    /// Index into [`LineTable::files`] of file 1.
    first_file: usize,
    files: usize,
}

/// Reads one unit's table at `start`; returns where the next one starts.
fn unit(
    bytes: &[u8],
    start: usize,
    section: u32,
    addresses: &BTreeMap<u64, (u32, u64)>,
    out: &mut LineTable,
) -> Result<usize, LineError> {
    let length = u32_at(bytes, start).ok_or(LineError::Truncated(start))? as usize;
    let end = (start + 4).checked_add(length).filter(|&e| e <= bytes.len()).ok_or(LineError::Truncated(start))?;
    let version = u16_at(bytes, start + 4).ok_or(LineError::Truncated(start))?;
    if !(2..=4).contains(&version) {
        return Err(LineError::Version(start));
    }
    let header = u32_at(bytes, start + 6).ok_or(LineError::Truncated(start))? as usize;
    let mut r = Reader { bytes, at: start + 10, end };
    let program_start = r.at.checked_add(header).filter(|&p| p <= end).ok_or(LineError::Truncated(start))?;
    let minimum = r.byte()?;
    if version == 4 {
        r.byte()?;
    }
    r.byte()?;
    let (line_base, line_range, opcode_base) = (r.byte()? as i8, r.byte()?, r.byte()?);
    let lengths = r.take(usize::from(opcode_base.max(1)) - 1)?.to_vec();
    let mut folders = vec![""];
    loop {
        let name = r.string()?;
        if name.is_empty() {
            break;
        }
        folders.push(name);
    }
    let first_file = out.files.len();
    loop {
        let name = r.string()?;
        if name.is_empty() {
            break;
        }
        let (folder, _, _) = (r.uleb()?, r.uleb()?, r.uleb()?);
        let folder = usize::try_from(folder).ok().and_then(|f| folders.get(f)).copied().unwrap_or("");
        out.files.push(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") });
    }
    let program = Program { minimum, line_base, line_range, lengths, first_file, files: out.files.len() - first_file };
    r.at = program_start;
    run(&mut r, &program, section, addresses, out)?;
    Ok(end)
}

fn run(
    r: &mut Reader<'_>,
    p: &Program,
    wanted: u32,
    addresses: &BTreeMap<u64, (u32, u64)>,
    out: &mut LineTable,
) -> Result<(), LineError> {
    let start = (None, 0u64, 1u64, 1i64, 0u64);
    let (mut section, mut address, mut file, mut line, mut column) = start;
    while r.at < r.end {
        let opcode = r.byte()?;
        let mut emit = false;
        if usize::from(opcode) > p.lengths.len() {
            let adjusted = opcode - p.lengths.len() as u8 - 1;
            let range = p.line_range.max(1);
            address = address.wrapping_add(u64::from(adjusted / range) * u64::from(p.minimum));
            line = line.wrapping_add(i64::from(p.line_base) + i64::from(adjusted % range));
            emit = true;
        } else {
            match opcode {
                0 => {
                    let length = usize::try_from(r.uleb()?).map_err(|_| LineError::Truncated(r.at))?;
                    let place = r.at as u64 + 1;
                    let body = r.take(length)?;
                    match body.first() {
                        Some(1) => (section, address, file, line, column) = start,
                        Some(2) => {
                            let inside = u64_at(body, 1).unwrap_or(0);
                            let base = addresses.get(&place);
                            section = base.map(|b| b.0);
                            address = base.map_or(0, |b| b.1).wrapping_add(inside);
                        }
                        // 0x90: inlining context. Unknown ones are skipped by their length.
                        _ => {}
                    }
                }
                1 => emit = true,
                2 => address = address.wrapping_add(r.uleb()?.wrapping_mul(p.minimum.into())),
                3 => line = line.wrapping_add(r.sleb()?),
                4 => file = r.uleb()?,
                5 => column = r.uleb()?,
                8 => {
                    let adjusted = 255 - p.lengths.len() as u64 - 1;
                    address = address.wrapping_add(adjusted / u64::from(p.line_range.max(1)) * u64::from(p.minimum));
                }
                9 => address = address.wrapping_add(u16_at(r.take(2)?, 0).unwrap_or(0).into()),
                other => {
                    for _ in 0..p.lengths[usize::from(other) - 1] {
                        r.uleb()?;
                    }
                }
            }
        }
        if emit && section == Some(wanted) {
            let index = file.checked_sub(1).filter(|&f| f < p.files as u64).map(|f| (p.first_file as u64 + f) as u32);
            out.rows.push(Row {
                offset: address,
                file: index,
                line: line.clamp(0, u32::MAX.into()) as u32,
                column: column.min(u32::MAX.into()) as u32,
            });
        }
    }
    Ok(())
}
