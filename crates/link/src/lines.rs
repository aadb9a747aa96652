//! `.debug_line`, `.debug_str` and `.nv_debug_line_sass` from the units' line rows (DRV-19), as ptxas 13.0.88 writes them
//! with `-lineinfo`.
//!
//! One sequence per section of code. A place inlined somewhere names the row that is the call by its number, so rows for the calls go
//! before the first row inlined at them, at the same address. Columns are not written (ptxas does not either), nor is the text
//! of the PTX (`.nv_debug_ptx_txt`): the file says no more of its sources than `.file` and `.loc` do.

use std::collections::BTreeMap;

use raddle_cubin::lines::{FileEntry, LineProgram, ProgramRow, Sequence};
use raddle_cubin::unit::{Lines, SourceFile};

/// What the sections say of a section of code: the rows of the functions in it with their places, and its bytes.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    pub functions: Vec<(&'a Lines, u64)>,
    pub end: u64,
}

/// The sections; per section of code with a sequence its number and the offset of the field that its address goes to.
#[derive(Debug, Default)]
pub(crate) struct LineSections {
    /// `.debug_line`.
    pub source: (Vec<u8>, Vec<(usize, u64)>),
    /// `.debug_str`.
    pub strings: Vec<u8>,
    /// Where `.debug_line` says at which byte of `.debug_str` its strings begin, if it has any.
    pub names_at: Option<u64>,
    /// `.nv_debug_line_sass`.
    pub ptx: (Vec<u8>, Vec<(usize, u64)>),
}

/// Makes the sections.
pub(crate) fn run<'a>(texts: impl Iterator<Item = Text<'a>>) -> LineSections {
    let mut maker = Maker::default();
    let (mut source, mut ptx) = (Vec::new(), Vec::new());
    let mut asm = LineProgram::default();
    for (number, text) in texts.enumerate() {
        let mut rows = (Vec::new(), Vec::new());
        for (lines, offset) in text.functions {
            maker.source(lines, offset, &mut rows.0);
            ptx_rows(lines, offset, &mut rows.1);
        }
        for (rows, program, numbers) in [(rows.0, &mut maker.program, &mut source), (rows.1, &mut asm, &mut ptx)] {
            if !rows.is_empty() {
                program.sequences.push(Sequence { rows, end: text.end, ..Sequence::default() });
                numbers.push(number);
            }
        }
    }
    maker.program.names = (!maker.strings.is_empty()).then_some(0);
    let source_section = maker.program.write();
    let ptx_section = asm.write();
    let placed = |numbers: Vec<usize>, addresses: Vec<u64>| numbers.into_iter().zip(addresses).collect();
    LineSections {
        source: (source_section.bytes, placed(source, source_section.addresses)),
        strings: maker.strings,
        names_at: source_section.names_at,
        ptx: (ptx_section.bytes, placed(ptx, ptx_section.addresses)),
    }
}

#[derive(Default)]
struct Maker<'a> {
    program: LineProgram,
    folders: BTreeMap<&'a str, u64>,
    files: BTreeMap<&'a SourceFile, u64>,
    strings: Vec<u8>,
    names: BTreeMap<&'a str, u64>,
}

impl<'a> Maker<'a> {
    /// Rows of a function that starts at `base`.
    fn source(&mut self, lines: &'a Lines, base: u64, out: &mut Vec<ProgramRow>) {
        // Number of the first row made for each place.
        let mut numbers: Vec<u64> = vec![0; lines.places.len()];
        let mut last = None;
        for row in &lines.rows {
            let Some(place) = row.place.filter(|_| row.place != last) else { continue };
            last = row.place;
            // The calls that have no row yet, outermost last.
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
                    Some((name, call)) => (numbers[*call as usize], self.name(name)),
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

    /// Number of a file, from 1.
    fn file(&mut self, file: &'a SourceFile) -> u64 {
        if let Some(&number) = self.files.get(file) {
            return number;
        }
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
        self.files.insert(file, number);
        number
    }

    /// Place of a function's name in `.debug_str`.
    fn name(&mut self, name: &'a str) -> u64 {
        let strings = &mut self.strings;
        *self.names.entry(name).or_insert_with(|| {
            let at = strings.len() as u64;
            strings.extend(name.bytes().filter(|&b| b != 0));
            strings.push(0);
            at
        })
    }
}

/// Rows with lines of the PTX, which is no file.
fn ptx_rows(lines: &Lines, base: u64, out: &mut Vec<ProgramRow>) {
    let mut last = 0;
    for row in lines.rows.iter().filter(|row| row.ptx_line != 0) {
        if row.ptx_line != last {
            let address = base + u64::from(row.offset);
            out.push(ProgramRow { address, file: 0, line: row.ptx_line.into(), column: 0, context: 0, function: 0 });
            last = row.ptx_line;
        }
    }
}
