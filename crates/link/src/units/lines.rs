//! Makes `.debug_line`, `.debug_str` and `.nv_debug_line_sass` from the units' line rows (DRV-19),
//! as ptxas 13.0.88 writes them with `-lineinfo` and `-g`.
//!
//! There is one sequence per section of code. A row of an inlined place refers by number to the row
//! of its call, so rows for the calls precede the first row inlined at them, at the same address.
//! Columns are not written (ptxas does not either). With debug sections every module has its own
//! table, whose files have the numbers of `.file`, and the file of the other table is the section
//! with the PTX; without them the sources are described only by `.file` and `.loc`.

use std::collections::BTreeMap;

use raddle_cubin::lines::{FileEntry, LineProgram, ProgramRow, Sequence};
use raddle_cubin::unit::{Lines, SourceFile};

use crate::dwarf::DebugModule;

/// The input for a section of code: its size in bytes, and the rows of the functions in it with
/// their offsets.
#[derive(Debug)]
pub(super) struct Text<'a> {
    /// Its module.
    pub module: u32,
    pub functions: Vec<(&'a Lines, u64)>,
    pub end: u64,
}

/// A section of line tables.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub bytes: Vec<u8>,
    /// For each sequence, the number of its section of code and the offset of its address field.
    pub addresses: Vec<(usize, u64)>,
}

/// The sections.
#[derive(Debug, Default)]
pub(super) struct LineSections {
    /// `.debug_line`.
    pub source: Table,
    /// `.debug_str`.
    pub strings: Vec<u8>,
    /// Offsets in `.debug_line` of fields that hold an offset in `.debug_str`.
    pub names_at: Vec<u64>,
    /// `.nv_debug_line_sass`.
    pub ptx: Table,
    /// The start of the parts of modules with debug sections in `.debug_line` and `.debug_str`.
    pub bases: BTreeMap<u32, (u64, u64)>,
}

/// Makes the sections; `modules` are those with debug sections.
pub(super) fn run<'a>(texts: impl Iterator<Item = Text<'a>>, modules: &'a [DebugModule]) -> LineSections {
    let mut strings = Strings::default();
    let mut makers: Vec<Maker<'a>> = Vec::new();
    let mut out = LineSections::default();
    for module in modules {
        out.bases.insert(module.module, (0, strings.add(module.strings())));
        makers.push(Maker::of(module));
    }
    let rest = makers.len();
    makers.push(Maker::default());
    for (number, text) in texts.enumerate() {
        let maker = modules.iter().position(|m| m.module == text.module).unwrap_or(rest);
        makers[maker].text(number, &text, &mut strings);
    }
    for (number, maker) in makers.into_iter().enumerate() {
        // Without line rows the tables exist and are empty; they are omitted only if modules have
        // their own tables.
        if number == rest && rest > 0 && maker.source.is_empty() && maker.ptx.is_empty() {
            continue;
        }
        if let Some(module) = modules.get(number) {
            out.bases.entry(module.module).or_default().0 = out.source.bytes.len() as u64;
        }
        let base = out.source.bytes.len() as u64;
        let names_at = out.source.append(&maker.program, maker.source);
        out.names_at.extend(names_at.map(|at| base + at));
        out.ptx.append(&maker.asm, maker.ptx);
    }
    out.strings = strings.bytes;
    out
}

impl Table {
    /// Adds a table whose sequences belong to these sections of code; returns the offset of its
    /// names field.
    fn append(&mut self, program: &LineProgram, numbers: Vec<usize>) -> Option<u64> {
        let written = program.write();
        let base = self.bytes.len() as u64;
        self.addresses.extend(numbers.into_iter().zip(written.addresses.into_iter().map(|at| base + at)));
        self.bytes.extend(written.bytes);
        written.names_at
    }
}

/// `.debug_str`.
#[derive(Default)]
struct Strings<'a> {
    bytes: Vec<u8>,
    names: BTreeMap<&'a [u8], u64>,
}

impl<'a> Strings<'a> {
    /// Adds the strings of a module; returns their offset.
    fn add(&mut self, bytes: &'a [u8]) -> u64 {
        let base = self.bytes.len() as u64;
        let mut at = base;
        for string in bytes.split_inclusive(|&b| b == 0) {
            if let Some(string) = string.strip_suffix(&[0]) {
                self.names.entry(string).or_insert(at);
            }
            at += string.len() as u64;
        }
        self.bytes.extend(bytes);
        base
    }

    /// The offset of a name.
    fn name(&mut self, name: &'a str) -> u64 {
        let bytes = &mut self.bytes;
        *self.names.entry(name.as_bytes()).or_insert_with(|| {
            let at = bytes.len() as u64;
            bytes.extend(name.bytes().filter(|&b| b != 0));
            bytes.push(0);
            at
        })
    }
}

/// The tables of a module, or of all modules.
#[derive(Default)]
struct Maker<'a> {
    program: LineProgram,
    asm: LineProgram,
    /// The sections of code of the sequences.
    source: Vec<usize>,
    ptx: Vec<usize>,
    folders: BTreeMap<&'a str, u64>,
    files: BTreeMap<&'a SourceFile, u64>,
}

impl<'a> Maker<'a> {
    /// Creates tables for a module with its own file numbers.
    fn of(module: &'a DebugModule) -> Self {
        let mut out = Maker::default();
        let files: BTreeMap<u32, &SourceFile> = module.files.iter().map(|(number, file)| (*number, file)).collect();
        for (&number, &file) in files.range(1..=MOST_FILES) {
            // A table has no gaps, and an empty name would end it.
            let hole = FileEntry { name: "?".into(), ..FileEntry::default() };
            out.program.files.resize(number as usize - 1, hole);
            out.add_file(file);
        }
        out.asm.files.push(FileEntry { name: module.text_section(), ..FileEntry::default() });
        out
    }

    /// Adds the sequences of a section of code.
    fn text(&mut self, number: usize, text: &Text<'a>, strings: &mut Strings<'a>) {
        let mut rows = (Vec::new(), Vec::new());
        let file = self.asm.files.len() as u64;
        for &(lines, offset) in &text.functions {
            self.source(lines, offset, strings, &mut rows.0);
            ptx_rows(lines, offset, file, &mut rows.1);
        }
        if rows.0.iter().any(|row| row.context != 0) {
            self.program.names = Some(0);
        }
        let sequence = |rows| Sequence { rows, end: text.end, ..Sequence::default() };
        if !rows.0.is_empty() {
            self.program.sequences.push(sequence(rows.0));
            self.source.push(number);
        }
        if !rows.1.is_empty() {
            self.asm.sequences.push(sequence(rows.1));
            self.ptx.push(number);
        }
    }

    /// Adds the rows of a function that starts at `base`.
    fn source(&mut self, lines: &'a Lines, base: u64, strings: &mut Strings<'a>, out: &mut Vec<ProgramRow>) {
        // The number of the first row for each place.
        let mut numbers: Vec<u64> = vec![0; lines.places.len()];
        let mut last = None;
        for row in &lines.rows {
            let Some(place) = row.place.filter(|_| row.place != last) else { continue };
            last = row.place;
            // Calls without a row, outermost last.
            let mut open = vec![place];
            let mut next = place;
            while let Some((_, call)) = &lines.places[next as usize].inlined
                && numbers[*call as usize] == 0
            {
                open.push(*call);
                next = *call;
            }
            for &place in open.iter().rev() {
                let p = &lines.places[place as usize];
                let (context, function) = match &p.inlined {
                    Some((name, call)) => (numbers[*call as usize], strings.name(name)),
                    None => (0, 0),
                };
                let file = self.file(&lines.files[p.file as usize]);
                let address = base + u64::from(row.offset);
                out.push(ProgramRow { address, file, line: p.line.into(), column: 0, context, function });
                if numbers[place as usize] == 0 {
                    numbers[place as usize] = out.len() as u64;
                }
            }
        }
    }

    /// The number of a file, from 1.
    fn file(&mut self, file: &'a SourceFile) -> u64 {
        self.files.get(file).copied().unwrap_or_else(|| self.add_file(file))
    }

    fn add_file(&mut self, file: &'a SourceFile) -> u64 {
        let (folder, name) = match file.path.rsplit_once('/') {
            Some((folder, name)) => (if folder.is_empty() { "/" } else { folder }, name),
            None => ("", &*file.path),
        };
        let folder = match folder {
            "" => 0,
            _ => *self.folders.entry(folder).or_insert_with(|| {
                self.program.folders.push(folder.to_owned());
                self.program.folders.len() as u64
            }),
        };
        self.program.files.push(FileEntry { name: name.to_owned(), folder, time: file.stamp.0, size: file.stamp.1 });
        let number = self.program.files.len() as u64;
        self.files.entry(file).or_insert(number);
        number
    }
}

/// The most files in a table; `.file` may have any number.
const MOST_FILES: u32 = 1 << 16;

/// Adds rows for lines of the PTX, whose file has number `file`; none if it is 0.
fn ptx_rows(lines: &Lines, base: u64, file: u64, out: &mut Vec<ProgramRow>) {
    let mut last = 0;
    for row in lines.rows.iter().filter(|row| row.ptx_line != 0) {
        if row.ptx_line != last {
            let address = base + u64::from(row.offset);
            out.push(ProgramRow { address, file, line: row.ptx_line.into(), column: 0, context: 0, function: 0 });
            last = row.ptx_line;
        }
    }
}
