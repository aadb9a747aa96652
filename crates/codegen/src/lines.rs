//! Line rows of an object: one wherever the source location of the instructions changes (DRV-19).
//!
//! An instruction without a location, such as a pause, gets that of the one before it; those at the
//! start get the first location. A location is left out if no row needs it, directly or as a call
//! site.

use raddle_cubin::unit::{LineRow, Lines, SourceFile, SourcePlace};
use raddle_entity::SecondaryMap;
use raddle_ir::{Function, Loc, SourcePos};

/// Collects line rows during layout.
pub(crate) struct LineRows<'a> {
    f: &'a Function,
    out: Lines,
    /// Index + 1 of each location in the output.
    places: SecondaryMap<Loc, u32>,
}

impl<'a> LineRows<'a> {
    pub(crate) fn new(f: &'a Function) -> Self {
        Self { f, out: Lines::default(), places: SecondaryMap::new() }
    }

    /// Adds the instruction at `offset`, which comes from `place`.
    pub(crate) fn instruction(&mut self, offset: u32, place: SourcePos) {
        if place == SourcePos::default() {
            return;
        }
        let data = self.f.places[place];
        let ptx_line = if data.inner_line != 0 { data.inner_line } else { data.line };
        let place = (data.loc != Loc::default()).then(|| self.place(data.loc));
        let offset = if self.out.rows.is_empty() { 0 } else { offset };
        if self.out.rows.last().is_none_or(|last| (last.place, last.ptx_line) != (place, ptx_line)) {
            self.out.rows.push(LineRow { offset, place, ptx_line });
        }
    }

    /// Returns the index of a location in the output; call sites are added first.
    fn place(&mut self, loc: Loc) -> u32 {
        let mut open = Vec::new();
        let mut next = Some(loc);
        while let Some(loc) = next.filter(|&l| self.places[l] == 0) {
            open.push(loc);
            next = self.f.lines.locs[loc].inlined.as_ref().map(|i| i.1);
        }
        for loc in open.into_iter().rev() {
            let data = &self.f.lines.locs[loc];
            let inlined = data.inlined.as_ref().map(|(name, call)| (name.to_string(), self.places[*call] - 1));
            let file = self.file(data.file as usize);
            self.out.places.push(SourcePlace { file, line: data.line, column: data.column, inlined });
            self.places[loc] = self.out.places.len() as u32;
        }
        self.places[loc] - 1
    }

    fn file(&mut self, index: usize) -> u32 {
        let source = &self.f.lines.files[index];
        let file = SourceFile { path: source.path.clone(), stamp: source.stamp.unwrap_or_default() };
        if let Some(at) = self.out.files.iter().position(|f| *f == file) {
            return at as u32;
        }
        self.out.files.push(file);
        self.out.files.len() as u32 - 1
    }

    pub(crate) fn finish(self) -> Lines {
        self.out
    }
}
