//! Source locations of a function's instructions: the files and locations of `.file` and `.loc`
//! (PTX ISA 9.0, 11.5.3), with the calls that were inlined, ours included.
//!
//! Invariant: the location of a call has a smaller number than every location inlined at it, so
//! that walks up the calls end.

use raddle_entity::{FxHashMap, PrimaryMap, entity_impl};

/// A source location: index into [`Lines::locs`], 0 = none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Loc(u32);
entity_impl!(Loc, "loc");

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its number in the module.
    pub number: u32,
    /// The path, as written.
    pub path: String,
    /// Time stamp and size in bytes, if given.
    pub stamp: Option<(u64, u64)>,
}

/// A source location.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LocData {
    /// Index into [`Lines::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 = unknown.
    pub column: u32,
    /// For an inlined location, its function and the location of the call.
    pub inlined: Option<(Box<str>, Loc)>,
}

/// The source files and locations of a function, without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Files, by first use.
    pub files: Vec<SourceFile>,
    /// Locations, by first use; the first means "none".
    pub locs: PrimaryMap<Loc, LocData>,
    known: FxHashMap<LocData, Loc>,
}

impl Default for Lines {
    fn default() -> Self {
        let mut locs = PrimaryMap::new();
        locs.push(LocData::default());
        Self { files: Vec::new(), locs, known: FxHashMap::default() }
    }
}

impl Lines {
    /// Returns the index of a file by its number in the module; `make` describes a new one, or
    /// returns `None` if there is no such file.
    pub fn file(&mut self, number: u32, make: impl FnOnce() -> Option<SourceFile>) -> Option<u32> {
        if let Some(at) = self.files.iter().position(|f| f.number == number) {
            return Some(at as u32);
        }
        self.files.push(make()?);
        Some(self.files.len() as u32 - 1)
    }

    /// Returns the number of a location.
    pub fn loc(&mut self, data: LocData) -> Loc {
        let locs = &mut self.locs;
        *self.known.entry(data).or_insert_with_key(|data| locs.push(data.clone()))
    }

    /// Returns the number of a location from another function of the same module, inlined by a call
    /// of `function` at `call`. An instruction without a location gets that of the call.
    pub fn inline(&mut self, from: &Lines, loc: Loc, function: &str, call: Loc) -> Loc {
        // From the location up to the outermost call inside `from`, then back down.
        let mut chain = Vec::new();
        let mut next = Some(loc).filter(|&l| l != Loc::default());
        while let Some(loc) = next {
            let data = &from.locs[loc];
            chain.push(data);
            next = data.inlined.as_ref().map(|i| i.1);
        }
        let mut outer = call;
        for (depth, data) in chain.into_iter().rev().enumerate() {
            let source = &from.files[data.file as usize];
            let Some(file) = self.file(source.number, || Some(source.clone())) else { return outer };
            let name = match &data.inlined {
                Some((name, _)) => name.clone(),
                None => function.into(),
            };
            // A call without a location does not change the outermost one.
            let inlined = Some((name, outer)).filter(|_| depth > 0 || call != Loc::default());
            outer = self.loc(LocData { file, inlined, ..data.clone() });
        }
        outer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: &mut Lines, number: u32) -> u32 {
        lines.file(number, || Some(SourceFile { number, path: format!("{number}.cu"), stamp: None })).unwrap()
    }

    #[test]
    fn places_are_there_once_and_calls_come_first() {
        let mut callee = Lines::default();
        let f = file(&mut callee, 2);
        let outer = callee.loc(LocData { file: f, line: 5, ..LocData::default() });
        let inner = callee.loc(LocData { file: f, line: 9, column: 1, inlined: Some(("g".into(), outer)) });
        assert_eq!(callee.loc(LocData { file: f, line: 5, ..LocData::default() }), outer);

        let mut kernel = Lines::default();
        let f = file(&mut kernel, 1);
        let call = kernel.loc(LocData { file: f, line: 70, ..LocData::default() });
        let loc = kernel.inline(&callee, inner, "f", call);
        assert_eq!(kernel.inline(&callee, inner, "f", call), loc);
        let data = kernel.locs[loc].clone();
        assert_eq!((data.line, kernel.files[data.file as usize].number), (9, 2));
        let (name, at) = data.inlined.unwrap();
        assert_eq!((&*name, kernel.locs[at].line), ("g", 5));
        let (name, at) = kernel.locs[at].inlined.clone().unwrap();
        assert_eq!((&*name, at), ("f", call));
        assert!(loc > at);
        assert_eq!(kernel.inline(&callee, Loc::default(), "f", call), call);
    }
}
