//! Source locations of instructions, if line information is requested (DRV-19).
//!
//! A `.loc` holds for the instructions after it. One with `inlined_at` names the call by file, line
//! and column of an earlier `.loc`: the latest one with these is meant (ptxas 13.0.88 rejects one
//! without).

use crate::Input;
use raddle_entity::FxHashMap;
use raddle_ir::{Lines, Loc, LocData, SourceFile};
use raddle_ptx::{FuncId, Mark, Outline};

/// The module's data for line information.
#[derive(Clone, Copy)]
pub struct LineInfo<'a> {
    /// Maps a byte offset from the start of a function to a line of the PTX text, from 1.
    pub line: &'a dyn Fn(FuncId, u32) -> u32,
    /// Returns the string at an offset from a label of the `.debug_str` section.
    pub string: &'a dyn Fn(&str, u64) -> Option<String>,
}

/// The `.loc` in effect from an instruction on.
pub(crate) struct Locs(Vec<(u32, Loc)>);

impl Locs {
    /// Collects the locations of a body into `lines`.
    pub(crate) fn of(input: &Input<'_>, lines: &mut Lines) -> Locs {
        let Some(info) = input.lines else { return Locs(Vec::new()) };
        let mut latest: FxHashMap<(u32, u32, u32), Loc> = FxHashMap::default();
        let mut out: Vec<(u32, Loc)> = Vec::new();
        for &(before, mark) in &input.body.marks {
            let Mark::Loc(number) = mark else { continue };
            let loc = &input.body.locs[number as usize];
            let Some(file) = lines.file(loc.file, || file(input.outline, loc.file)) else { continue };
            let inlined = loc.inlined.as_ref().and_then(|i| {
                let call = latest.get(&(i.file, i.line, i.column))?;
                let name = (info.string)(&i.function, i.function_offset).unwrap_or_default();
                Some((name.into_boxed_str(), *call))
            });
            let id = lines.loc(LocData { file, line: loc.line, column: loc.column, inlined });
            latest.insert((loc.file, loc.line, loc.column), id);
            match out.last_mut().filter(|last| last.0 == before) {
                Some(last) => last.1 = id,
                None => out.push((before, id)),
            }
        }
        Locs(out)
    }

    /// Returns the location of an instruction; those before the first `.loc` get that one's, as in
    /// ptxas 13.0.88.
    pub(crate) fn at(&self, inst: u32) -> Loc {
        let next = self.0.partition_point(|l| l.0 <= inst);
        self.0.get(next.saturating_sub(1)).map_or(Loc::default(), |l| l.1)
    }
}

/// Describes a file of the module.
fn file(outline: &Outline, number: u32) -> Option<SourceFile> {
    let file = outline.files.iter().find(|f| f.number == number)?;
    Some(SourceFile { number, path: file.path.to_string(), stamp: file.stamp })
}
