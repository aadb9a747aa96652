//! Line tables: the source lines of instructions.
//!
//! ptxas writes two with `-lineinfo` and `-g`: `.debug_line` has the lines of `.loc` directives,
//! and `.nv_debug_line_sass` the lines of the PTX (its file has no name). Both are line programs of
//! DWARF 2 (DWARF 4, 6.2), whose sequences start at a relocated address, with an extended opcode of
//! NVIDIA, 0x90, for the inlining context: the number of the row of the call, counted from 1 within
//! the sequence, 0 for none, and the offset of the function's name in `.debug_str` (ptxas 13.0.88
//! output). A table with such rows has four more bytes in its header.
//!
//! [`LineProgram`] is a section's contents, for reading and writing; [`LineTable`] has the source
//! lines of one text section.
//!
//! Hostile input: a program is read in one bounded pass over its bytes; every row costs at least
//! one byte.

mod program;
mod write;

use std::collections::BTreeMap;

use crate::elf::str_at;
use crate::model::{Cubin, SymbolPlace};
pub use program::{FileEntry, LineProgram, ProgramRow, Sequence};
pub use write::Written;

/// Rows of one text section, sorted by offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    /// Rows, each valid up to the next one's offset.
    pub rows: Vec<Row>,
    /// Names of source files with their folders.
    pub files: Vec<String>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Byte offset in the text section.
    pub offset: u64,
    /// Index into [`LineTable::files`]; `None` if the table names no file (the PTX itself).
    pub file: Option<u32>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 unknown.
    pub column: u32,
    /// The inlined function, and the index in [`LineTable::rows`] of the call, which may come
    /// later.
    pub inlined: Option<(String, u32)>,
}

/// The reason why a line table cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The table ends early.
    #[error("line table is cut off at {0:#x}")]
    Truncated(usize),
    /// 64-bit DWARF or a version other than 2 to 4.
    #[error("line table at {0:#x} has an unknown format")]
    Version(usize),
}

/// The kind of a line table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// `.debug_line`: lines of the sources of the PTX.
    Source,
    /// `.nv_debug_line_sass`: lines of the PTX.
    Ptx,
}

impl LineTable {
    /// The rows of text section `section`; empty without line information.
    ///
    /// # Errors
    /// [`LineError`] if the table cannot be read.
    pub fn read(cubin: &Cubin, section: u32, lines: Lines) -> Result<LineTable, LineError> {
        let name = match lines {
            Lines::Source => ".debug_line",
            Lines::Ptx => ".nv_debug_line_sass",
        };
        let Some(index) = cubin.section_index(name) else { return Ok(LineTable::default()) };
        let bytes = cubin.sections[index as usize].bytes();
        let strings = cubin.section(".debug_str").map_or(&[][..], |s| s.bytes());
        // Addresses are relocated: place in the table -> text section and offset.
        let address = |r: &crate::model::Reloc| {
            let symbol = cubin.symbols.get(r.symbol as usize)?;
            let SymbolPlace::Section(section) = symbol.place else { return None };
            Some((r.offset, (section, symbol.value.wrapping_add(r.addend as u64))))
        };
        let addresses: BTreeMap<u64, (u32, u64)> = cubin.relocations(index).filter_map(address).collect();
        let mut out = LineTable::default();
        for program in LineProgram::read_all(bytes)? {
            let first_file = out.files.len();
            out.files.extend(program.files.iter().map(|f| program.path(f)));
            for sequence in &program.sequences {
                let Some(&(_, base)) = addresses.get(&sequence.address_at).filter(|a| a.0 == section) else { continue };
                let first_row = out.rows.len() as u32;
                let row = |r: &ProgramRow| Row {
                    offset: base.wrapping_add(r.address),
                    file: r
                        .file
                        .checked_sub(1)
                        .filter(|&f| f < program.files.len() as u64)
                        .map(|f| first_file as u32 + f as u32),
                    line: r.line.min(u32::MAX.into()) as u32,
                    column: r.column.min(u32::MAX.into()) as u32,
                    inlined: r.context.checked_sub(1).filter(|&c| c < sequence.rows.len() as u64).map(|c| {
                        let at = r.function.checked_add(program.names.unwrap_or(0).into());
                        let name = at.and_then(|at| str_at(strings, usize::try_from(at).ok()?));
                        (name.unwrap_or_default().to_owned(), first_row + c as u32)
                    }),
                };
                out.rows.extend(sequence.rows.iter().map(row));
            }
        }
        out.sort();
        Ok(out)
    }

    /// Sorts rows by offset with a stable sort, and renumbers calls.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        order.sort_by_key(|&i| self.rows[i as usize].offset);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        for row in &mut self.rows {
            if let Some((_, call)) = &mut row.inlined {
                *call = place[*call as usize];
            }
        }
        self.rows.sort_by_key(|r| r.offset);
    }

    /// The row of the instruction at `offset`.
    pub fn at(&self, offset: u64) -> Option<&Row> {
        let next = self.rows.partition_point(|r| r.offset <= offset);
        self.rows.get(next.checked_sub(1)?)
    }

    /// The rows of the instruction at `offset`: its own, then the calls it is inlined at, innermost
    /// first.
    pub fn chain(&self, offset: u64) -> Vec<&Row> {
        let mut out = Vec::new();
        let mut next = self.at(offset);
        while let Some(row) = next {
            out.push(row);
            // The length limit stops at a cycle in a malformed table.
            next =
                row.inlined.as_ref().and_then(|i| self.rows.get(i.1 as usize)).filter(|_| out.len() < self.rows.len());
        }
        out
    }

    /// The file name of a row, `None` for the PTX itself.
    pub fn file(&self, row: &Row) -> Option<&str> {
        self.files.get(row.file? as usize).map(|f| &**f)
    }
}
