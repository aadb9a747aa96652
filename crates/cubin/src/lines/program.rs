//! The contents of a line section, and their reader.

use super::LineError;
use crate::elf::{str_at, u16_at, u32_at, u64_at};

/// One unit of a line section: its files and its sequences of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineProgram {
    /// Folders, counted from 1.
    pub folders: Vec<String>,
    /// Files, counted from 1.
    pub files: Vec<FileEntry>,
    /// The offset in `.debug_str` at which the names of inlined functions begin, stored at the end
    /// of the header; `None` without such functions (ptxas 13.0.88 output, where it is always 0).
    pub names: Option<u32>,
    /// One sequence per text section.
    pub sequences: Vec<Sequence>,
}

/// A file of a [`LineProgram`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEntry {
    /// Name within its folder.
    pub name: String,
    /// Number of the folder, from 1; 0 for none.
    pub folder: u64,
    /// Time stamp; 0 unknown.
    pub time: u64,
    /// Size in bytes; 0 unknown.
    pub size: u64,
}

/// A sequence of rows with ascending addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Offset in the section of the 8 bytes of its start address, which a relocation fills. Set by
    /// the writer.
    pub address_at: u64,
    /// The content of those bytes.
    pub base: u64,
    /// Rows.
    pub rows: Vec<ProgramRow>,
    /// Address after the last byte.
    pub end: u64,
}

/// A row: the registers of the line machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramRow {
    /// Address, relative to the relocated start.
    pub address: u64,
    /// Number of the file, from 1; 0 for none.
    pub file: u64,
    /// Line.
    pub line: u64,
    /// Column; 0 unknown.
    pub column: u64,
    /// Number of the row, from 1 within the sequence, of the call at which this function was
    /// inlined; 0 for none.
    pub context: u64,
    /// Offset of that function's name in `.debug_str`.
    pub function: u64,
}

/// The registers at the start of a sequence.
const START: ProgramRow = ProgramRow { address: 0, file: 1, line: 1, column: 0, context: 0, function: 0 };

impl LineProgram {
    /// Reads all units of a section.
    ///
    /// # Errors
    /// [`LineError`] with the byte offset.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<LineProgram>, LineError> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (program, next) = unit(bytes, at)?;
            out.push(program);
            at = next;
        }
        Ok(out)
    }

    /// The path of a file with its folder.
    pub fn path(&self, file: &FileEntry) -> String {
        let folder = file.folder.checked_sub(1).and_then(|f| self.folders.get(usize::try_from(f).ok()?));
        match folder {
            Some(folder) => format!("{folder}/{}", file.name),
            None => file.name.clone(),
        }
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

/// Header fields that the program needs.
struct Machine {
    minimum: u8,
    line_base: i8,
    line_range: u8,
    /// The number of ULEB128 operands of standard opcodes 1 and up.
    lengths: Vec<u8>,
}

/// Reads the table of one unit at `start`; returns the start of the next one.
fn unit(bytes: &[u8], start: usize) -> Result<(LineProgram, usize), LineError> {
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
    let mut out = LineProgram::default();
    loop {
        let name = r.string()?;
        if name.is_empty() {
            break;
        }
        out.folders.push(name.to_owned());
    }
    loop {
        let name = r.string()?;
        if name.is_empty() {
            break;
        }
        let (folder, time, size) = (r.uleb()?, r.uleb()?, r.uleb()?);
        out.files.push(FileEntry { name: name.to_owned(), folder, time, size });
    }
    out.names = u32_at(bytes, r.at).filter(|_| r.at + 4 == program_start);
    r.at = program_start;
    run(&mut r, &Machine { minimum, line_base, line_range, lengths }, &mut out.sequences)?;
    Ok((out, end))
}

fn run(r: &mut Reader<'_>, m: &Machine, out: &mut Vec<Sequence>) -> Result<(), LineError> {
    let mut row = START;
    let mut sequence = Sequence::default();
    while r.at < r.end {
        let opcode = r.byte()?;
        let step =
            |row: &mut ProgramRow, by: u64| row.address = row.address.wrapping_add(by.wrapping_mul(m.minimum.into()));
        let range = m.line_range.max(1);
        if usize::from(opcode) > m.lengths.len() {
            let adjusted = opcode - m.lengths.len() as u8 - 1;
            step(&mut row, u64::from(adjusted / range));
            row.line = row.line.wrapping_add_signed(i64::from(m.line_base) + i64::from(adjusted % range));
            sequence.rows.push(row);
            continue;
        }
        match opcode {
            0 => {
                let length = usize::try_from(r.uleb()?).map_err(|_| LineError::Truncated(r.at))?;
                let place = r.at as u64 + 1;
                let body = r.take(length)?;
                match body.first() {
                    Some(1) => {
                        sequence.end = row.address;
                        out.push(std::mem::take(&mut sequence));
                        row = START;
                    }
                    Some(2) => {
                        (sequence.address_at, sequence.base) = (place, u64_at(body, 1).unwrap_or(0));
                        row.address = sequence.base;
                    }
                    Some(0x90) => {
                        let mut r = Reader { bytes: body, at: 1, end: body.len() };
                        (row.context, row.function) = (r.uleb()?, r.uleb()?);
                    }
                    // Unknown opcodes are skipped by their length.
                    _ => {}
                }
            }
            1 => sequence.rows.push(row),
            2 => {
                let by = r.uleb()?;
                step(&mut row, by);
            }
            3 => row.line = row.line.wrapping_add_signed(r.sleb()?),
            4 => row.file = r.uleb()?,
            5 => row.column = r.uleb()?,
            8 => step(&mut row, (255 - m.lengths.len() as u64 - 1) / u64::from(range)),
            9 => row.address = row.address.wrapping_add(u16_at(r.take(2)?, 0).unwrap_or(0).into()),
            other => {
                for _ in 0..m.lengths[usize::from(other) - 1] {
                    r.uleb()?;
                }
            }
        }
    }
    if !sequence.rows.is_empty() {
        out.push(sequence);
    }
    Ok(())
}
