//! The line table of a cubin, for source lines in failures.

use raddle_cubin::lines::{LineTable, Lines as Which};
use raddle_cubin::model::Cubin;

/// Source lines by code offset; empty for a file without line information.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    table: LineTable,
}

impl Lines {
    /// Reads the rows of one text section: source lines, else PTX lines. An unreadable table counts
    /// as absent.
    pub fn read(cubin: &Cubin, section: u32) -> Lines {
        let read = |which| LineTable::read(cubin, section, which).unwrap_or_default();
        let mut table = read(Which::Source);
        if table.rows.is_empty() {
            table = read(Which::Ptx);
        }
        Lines { table }
    }

    /// Returns file and line of a byte offset.
    pub fn at(&self, offset: u32) -> Option<(String, u32)> {
        let row = self.table.at(offset.into())?;
        Some((self.table.file(row).unwrap_or("PTX").to_owned(), row.line))
    }
}
