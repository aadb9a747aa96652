//! Reads functions before the scan of the module reaches them.
//!
//! Problem: the outline of a large module is read by one scan, which all else waits for; where a
//! function begins is known only once the one before has been read. Strategy: lines that look like
//! the start of a function divide the text into chunks, and an executor reads functions from there
//! on, all chunks at once. What is found is noted by the place of its first character. The scan
//! remains the only authority: where it arrives at a noted place, it takes the function and goes on
//! after it.
//!
//! Invariants: the outline and its errors do not depend on the executor, nor on what was read ahead.
//! What a function's text says depends on nothing before it but version and target; only functions
//! without any error are noted, so that the scan reports all errors itself. A chunk is read to its
//! length beyond its end at most, so that no text makes the work more than twice as much.

use super::skip::begins_function;
use super::{Header, Scan};
use crate::cursor::Cursor;
use crate::module::{Func, FuncPlace, Outline};
use crate::report::Reporter;
use raddle_diag::{Diags, FileId};
use raddle_entity::{Executor, FxHashMap, FxHashSet, map};

/// Bytes of a chunk.
const CHUNK: usize = 256 << 10;

/// Bytes after a function that the reader may have looked at.
const MARGIN: usize = 64;

/// Functions that were read ahead, by their places.
pub(super) type Ahead = FxHashMap<usize, Func>;

impl Scan<'_, '_> {
    /// Takes the function that begins at `start`, if it was read ahead. The first call reads ahead.
    pub(super) fn take_ahead(&mut self, start: usize) -> bool {
        if self.header != Header::Done || self.unbalanced {
            return false;
        }
        if let Some(executor) = self.executor.take() {
            self.ahead = self.read_ahead(start, executor);
        }
        let Some(func) = self.ahead.remove(&start) else { return false };
        self.cur.set_pos(func.text.end);
        let place = if func.body.is_some() { FuncPlace::Definition } else { FuncPlace::Declaration };
        self.errs.set_function(Some(&func.name));
        self.add_func(func, place);
        self.errs.set_function(None);
        true
    }

    /// Reads the functions from `start` on.
    fn read_ahead(&self, start: usize, executor: &dyn Executor) -> Ahead {
        let text = self.cur.slice(0, self.cur.end());
        let mut starts = vec![start];
        while let Some(next) = starts.last().and_then(|last| line_of_function(text, last + CHUNK)) {
            starts.push(next);
        }
        if starts.len() < 2 {
            return Ahead::default();
        }
        let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
        let chunk = |n: usize| functions(text, (starts[n], ends[n]), &self.out);
        map(starts.len(), executor, chunk).into_iter().flatten().map(|func| (func.text.start, func)).collect()
    }
}

/// The start of the first line from `at` on that looks like that of a function.
fn line_of_function(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?;
    let found = memchr::memmem::find_iter(rest, b"\n.").find(|&n| begins_function(&rest[n + 1..]));
    found.map(|n| at + n + 1)
}

/// The functions that begin in a chunk, up to the first error.
fn functions(text: &str, (start, end): (usize, usize), module: &Outline) -> Vec<Func> {
    let last = text.floor_char_boundary(end.saturating_add(CHUNK));
    let mut diags = Diags::new();
    let mut scan = Scan {
        cur: Cursor::new(text, start, last),
        errs: Reporter::new(FileId::FIRST, &mut diags, None),
        out: Outline { version: module.version, target: module.target, ..Outline::default() },
        unbalanced: false,
        header: Header::Done,
        aliases: Vec::new(),
        aliased: FxHashSet::default(),
        executor: None,
        ahead: Ahead::default(),
        found: Some(Vec::new()),
    };
    loop {
        scan.cur.skip_space();
        if scan.cur.at_end() || scan.cur.pos() >= end {
            break;
        }
        let before = scan.found.as_ref().map_or(0, Vec::len);
        let read = scan.item();
        let beyond = scan.cur.pos() + MARGIN > last && last < text.len();
        if read.is_err() || scan.errs.any() || scan.unbalanced || beyond {
            scan.found.iter_mut().for_each(|found| found.truncate(before));
            break;
        }
    }
    scan.found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_entity::SplitMix;
    use std::fmt::Write;

    const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

    /// Outline and errors of a text, each item as text; nothing is read ahead without an executor.
    fn read(text: &str, executor: Option<&dyn Executor>) -> (Vec<String>, Vec<String>) {
        let mut diags = Diags::new();
        let mut scan = Scan::new(text, FileId::FIRST, &mut diags, executor);
        scan.module();
        let outline = scan.out;
        let items = outline.items.iter().map(|item| format!("{item:?}"));
        let funcs = outline.funcs.values().map(|func| format!("{func:?}"));
        let globals = outline.globals.values().map(|global| format!("{global:?}"));
        let errors = diags.iter().map(|diagnostic| format!("{diagnostic:?}")).collect();
        (items.chain(funcs).chain(globals).collect(), errors)
    }

    /// Runs the last piece first.
    struct Backwards;

    impl Executor for Backwards {
        fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
            (0..n).rev().for_each(piece);
        }
    }

    #[test]
    fn most_functions_of_a_large_module_are_read_ahead() {
        let mut text = HEAD.to_owned();
        for n in 0..3000 {
            let _ = write!(
                text,
                ".visible .entry k{n}(.param .u64 p)\n{{\n{}ret;\n}}\n",
                "add.u32 %r1, %r2, %r3;\n".repeat(20)
            );
        }
        let mut diags = Diags::new();
        let mut scan = Scan::new(&text, FileId::FIRST, &mut diags, Some(&Backwards));
        (scan.header, scan.out.version) = (Header::Done, None);
        let start = HEAD.len();
        scan.cur.set_pos(start);
        assert!(scan.take_ahead(start));
        assert_eq!(scan.ahead.len(), 2999);
        assert_eq!(read(&text, Some(&Backwards)), read(&text, None));
    }

    /// Whatever is between and inside functions, and whatever looks like the start of one.
    #[test]
    fn what_is_read_ahead_changes_nothing() {
        let mut rng = SplitMix(7);
        let long = "add.u32 %r1, %r2, %r3;\n".repeat(CHUNK / 23);
        let shorter = &long[..long.len() / 3];
        let mut errors = 0;
        for _ in 0..60 {
            let mut text = HEAD.to_owned();
            for n in 0..12 + rng.below(8) {
                let body = [shorter, &long, "ret;\n", "\n.entry in_body() { ret; }\n"][rng.below(4) as usize];
                let name = if rng.below(12) == 0 { "k0".to_owned() } else { format!("k{n}") };
                let _ = match rng.below(16) {
                    0 => writeln!(text, ".func {name}(.param .u32 p)\n.func g{n}(.param .u32 p);"),
                    1 => writeln!(text, ".global .u32 v{n};\n.extern .func {name};"),
                    2 => write!(text, "/* {body}\n.entry in_comment() {{ ret; }}\n */\n"),
                    3 => write!(
                        text,
                        ".entry {name}() {{ // }}\n{body} \"}}\n.visible .entry in_string() {{ ret; }}\n }}\n"
                    ),
                    4 => write!(text, ".version 8.{n}\n.entry {name}() {{ {body} }}\n"),
                    5 if rng.below(4) == 0 => writeln!(text, ".entry {name}() {{ {body} "),
                    6 if rng.below(4) == 0 => writeln!(text, ".entry {name}(.param .u32) {{ {body} }} }}"),
                    _ => write!(
                        text,
                        ".visible .entry {name}(.param .u32 a, .param .u32 b)\n.maxntid 32\n{{ {body} }}\n"
                    ),
                };
            }
            let wanted = read(&text, None);
            errors += usize::from(!wanted.1.is_empty());
            assert!(
                read(&text, Some(&Backwards)) == wanted,
                "{}",
                text.replace(&long, "LONG").replace(shorter, "SHORTER")
            );
        }
        assert!((10..55).contains(&errors), "{errors}");
    }

    #[test]
    fn an_end_within_what_was_read_is_no_end() {
        let long = "add.u32 %r1, %r2, %r3;\n".repeat(CHUNK / 23 - 3);
        for shift in 0..200 {
            let mut text = HEAD.to_owned();
            for n in 0..4 {
                let _ = write!(
                    text,
                    ".visible .entry k{n}() {{\n{long}{}}}\n.func f{n}\n.funcx g();\n",
                    " ".repeat(shift * 3)
                );
            }
            assert_eq!(read(&text, Some(&Backwards)), read(&text, None), "{shift}");
        }
    }
}
