//! Reads the outline of a module: one scan over everything except function bodies, which are left
//! to the tasks that compile them (D2).
//!
//! Strategy: module-level text is parsed; a body is only searched for its closing brace, byte by
//! byte with one table, skipping strings and comments. If braces do not balance, every further body
//! also ends at a line that begins a new function, so that one missing brace costs one function.

mod ahead;
mod alias;
mod function;
mod skip;
mod variable;

use crate::cursor::Cursor;
use crate::decl::{self, Fault, integer, name, punct, token, traits};
use crate::errors::*;
use crate::module::*;
use crate::report::Reporter;
use crate::tree::FuncId;
use crate::ty::Space;
use ahead::Ahead;
use raddle_diag::{Diags, FileId, quote};
use raddle_entity::{Executor, FxHashSet, Serial};
use raddle_target::{NEWEST_PTX, PtxVersion, Target};
use std::ops::Range;

/// The most variables, functions and directives of a module, so that input cannot exhaust the
/// memory.
const ITEMS: usize = 1 << 22;
/// The first version with `.address_size` (PTX ISA 9.0, 11.1.3).
pub(crate) const ADDRESS_SIZE_SINCE: PtxVersion = PtxVersion::new(2, 3);

/// Reads the outline of a module. Errors go to `diags`, with places in `file`.
pub fn outline(src: &str, file: FileId, diags: &mut Diags) -> Outline {
    outline_on(src, file, diags, &Serial)
}

/// Like [`outline()`], on the threads of an executor, which does not affect the result.
pub fn outline_on(src: &str, file: FileId, diags: &mut Diags, executor: &dyn Executor) -> Outline {
    let mut scan = Scan::new(src, file, diags, Some(executor));
    scan.module();
    scan.out
}

/// Header directives that are still missing.
#[derive(PartialEq, Clone, Copy)]
enum Header {
    Version,
    Target,
    Done,
}

struct Scan<'a, 'd> {
    cur: Cursor<'a>,
    errs: Reporter<'d>,
    out: Outline,
    /// Whether braces were unbalanced once: look for function headers too.
    unbalanced: bool,
    header: Header,
    /// The places of the two names of each `.alias`.
    aliases: Vec<(Range<usize>, Range<usize>)>,
    /// Functions with aliases.
    aliased: FxHashSet<FuncId>,
    /// The threads that read ahead, until they have.
    executor: Option<&'d dyn Executor>,
    ahead: Ahead,
    /// Functions that this scan finds, if it reads ahead itself.
    found: Option<Vec<Func>>,
}

impl<'a, 'd> Scan<'a, 'd> {
    fn new(src: &'a str, file: FileId, diags: &'d mut Diags, executor: Option<&'d dyn Executor>) -> Scan<'a, 'd> {
        Scan {
            cur: Cursor::new(src, 0, src.len()),
            errs: Reporter::new(file, diags, None),
            // The default is the address size of the host: no machine that ptxas 13.0.88 supports has
            // another one.
            out: Outline { address_size: 64, ..Outline::default() },
            unbalanced: false,
            header: Header::Version,
            aliases: Vec::new(),
            aliased: FxHashSet::default(),
            executor,
            ahead: Ahead::default(),
            found: None,
        }
    }

    fn module(&mut self) {
        loop {
            self.cur.skip_space();
            if let Some(start) = self.cur.unclosed() {
                self.errs.error(E0102, start, start + 2, "the comment does not end");
                break;
            }
            if self.cur.at_end() || self.errs.full() {
                break;
            }
            let start = self.cur.pos();
            if self.out.items.len() >= ITEMS {
                let text = format!("more than {ITEMS} variables, functions and directives in one module");
                self.errs.error(E0113, start, start + 1, text);
                break;
            }
            if let Err(fault) = self.item() {
                fault.report(&mut self.errs);
                self.recover(start);
            }
        }
        if self.header != Header::Done {
            self.missing_header(self.cur.end());
        }
        self.finish_aliases();
    }

    fn missing_header(&mut self, at: usize) {
        let what = if self.header == Header::Version { ".version" } else { ".target" };
        self.errs.error(E0104, at, at, format!("missing {what} at the start of the module"));
        self.header = Header::Done;
    }

    /// Skips to the next possible start of an item: after a `;`, or a line that begins with a dot.
    fn recover(&mut self, start: usize) {
        if self.cur.pos() == start {
            self.cur.bump();
        }
        loop {
            self.cur.skip_space();
            if self.cur.at_end() {
                return;
            }
            match self.cur.peek() {
                b';' => {
                    self.cur.bump();
                    return;
                }
                b'{' => {
                    let at = self.cur.pos();
                    self.skip_block(at);
                    return;
                }
                b'.' => {
                    let here = self.cur.pos();
                    let line_start = matches!(self.cur.slice(here.saturating_sub(1), here), "\n" | "");
                    if line_start && here > start && self.cur.slice(here - 1, here) == "\n" {
                        return;
                    }
                    self.cur.dot_word();
                }
                b'"' => {
                    if self.cur.string().is_none() {
                        self.cur.skip_line();
                    }
                }
                _ => {
                    if self.cur.name().is_empty() {
                        self.cur.bump();
                    }
                }
            }
        }
    }

    fn item(&mut self) -> Result<(), Fault> {
        let start = self.cur.pos();
        if self.cur.peek() == b'@' && self.cur.peek_at(1) == b'@' {
            // `@@DWARF ...`: the debug lines of PTX 1.x, one line each.
            self.cur.skip_line();
            self.section(start);
            return Ok(());
        }
        if self.cur.peek() == b'#' {
            self.cur.skip_line();
            return Ok(());
        }
        if self.cur.peek() != b'.' {
            return Err(Fault::expected(&self.cur, "a directive"));
        }
        let word = self.cur.dot_word();
        let lacks = match self.header {
            Header::Version => word != ".version",
            Header::Target => !matches!(word, ".target" | ".file" | ".section"),
            Header::Done => false,
        };
        if lacks {
            self.missing_header(start);
        }
        match word {
            ".version" | ".target" => {
                // What was read ahead was read for another one.
                self.ahead.clear();
                if word == ".version" { self.version() } else { self.target() }
            }
            ".address_size" => {
                let at = self.cur.pos();
                if let Some(version) = self.out.version.filter(|&version| version < ADDRESS_SIZE_SINCE) {
                    let text = format!(
                        "'.address_size' needs PTX version {ADDRESS_SIZE_SINCE} or later, the module says {version}"
                    );
                    self.errs.error(E0124, start, at, text);
                }
                match integer(&mut self.cur)? {
                    n @ (32 | 64) => self.out.address_size = n as u8,
                    n => {
                        let text = format!("address size {n} is neither 32 nor 64");
                        return Err(Fault::new(E0115, at, self.cur.pos(), text));
                    }
                }
                Ok(())
            }
            ".file" => self.file(),
            ".loc" => {
                self.cur.skip_line();
                Ok(())
            }
            ".section" => {
                self.cur.skip_space();
                self.cur.dotted();
                self.cur.skip_space();
                if self.cur.peek() != b'{' {
                    return Err(Fault::expected(&self.cur, "'{'"));
                }
                let rest = self.cur.slice(self.cur.pos(), self.cur.end());
                match skip::block_end(rest.as_bytes()) {
                    Some(n) => self.cur.set_pos(self.cur.pos() + n),
                    None => return Err(Fault::new(E0108, start, start + word.len(), "the section does not end")),
                }
                self.section(start);
                Ok(())
            }
            ".pragma" => {
                for text in pragma(&mut self.cur)? {
                    self.out.items.push(Item::Pragma(self.out.pragmas.len() as u32));
                    self.out.pragmas.push(text);
                }
                Ok(())
            }
            ".alias" => self.alias(),
            _ if self.take_ahead(start) => Ok(()),
            _ => self.declaration(start, word),
        }
    }

    fn section(&mut self, start: usize) {
        self.out.items.push(Item::Section(self.out.sections.len() as u32));
        self.out.sections.push(start..self.cur.pos());
    }

    fn version(&mut self) -> Result<(), Fault> {
        self.cur.skip_space();
        let start = self.cur.pos();
        let text = self.cur.dotted();
        let version = text.split_once('.').and_then(|(a, b)| Some(PtxVersion::new(a.parse().ok()?, b.parse().ok()?)));
        let Some(version) = version else {
            self.cur.set_pos(start);
            return Err(Fault::expected(&self.cur, "a version such as 9.0"));
        };
        if self.header == Header::Version {
            self.header = Header::Target;
        }
        if version > NEWEST_PTX || version < PtxVersion::new(1, 0) {
            let text = format!("PTX version {version} is not supported: the newest known is {NEWEST_PTX}");
            self.errs.error(E0105, start, self.cur.pos(), text);
        }
        self.out.version = Some(version);
        Ok(())
    }

    fn target(&mut self) -> Result<(), Fault> {
        loop {
            let (word, span) = name(&mut self.cur, "a target such as sm_90")?;
            let known = Target::by_name(word);
            match word {
                _ if known.is_some() => self.out.target = known,
                "texmode_unified" | "texmode_independent" | "debug" | "map_f64_to_f32" => {
                    self.out.target_options.push(word.into());
                }
                _ => {
                    let text = format!("unknown target {}", quote(word));
                    self.errs.error(E0106, span.start, span.end, text);
                }
            }
            if let (Some(target), Some(version)) = (known, self.out.version)
                && version < target.ptx
            {
                let text = format!("{target} needs PTX version {} or later, the module says {version}", target.ptx);
                self.errs.error(E0107, span.start, span.end, text);
            }
            if !self.cur.eat(b',') {
                break;
            }
        }
        self.header = Header::Done;
        Ok(())
    }

    fn file(&mut self) -> Result<(), Fault> {
        let number = integer(&mut self.cur)? as u32;
        self.cur.skip_space();
        if self.cur.peek() != b'"' {
            return Err(Fault::expected(&self.cur, "a file name in quotes"));
        }
        let start = self.cur.pos();
        let Some(path) = self.cur.string() else {
            self.cur.skip_line();
            return Err(Fault::new(E0102, start, start + 1, "the string does not end on its line"));
        };
        let mut stamp = None;
        if self.cur.eat(b',') {
            let time = integer(&mut self.cur)?;
            punct(&mut self.cur, b',', "','")?;
            stamp = Some((time, integer(&mut self.cur)?));
        }
        self.out.items.push(Item::File(self.out.files.len() as u32));
        self.out.files.push(File { number, path: path.into(), stamp });
        Ok(())
    }

    /// Reads a variable or function; `word` has been read.
    fn declaration(&mut self, start: usize, first: &'a str) -> Result<(), Fault> {
        let mut word = first;
        let mut word_at = start;
        let mut linkage = Linkage::Local;
        let mut unified = None;
        loop {
            match word {
                ".extern" | ".visible" | ".weak" | ".common" => {
                    if linkage != Linkage::Local {
                        let text = format!("one linkage directive is enough, found {}", quote(word));
                        return Err(Fault::new(E0101, word_at, self.cur.pos(), text));
                    }
                    linkage = match word {
                        ".extern" => Linkage::Extern,
                        ".visible" => Linkage::Visible,
                        ".weak" => Linkage::Weak,
                        _ => Linkage::Common,
                    };
                }
                ".entry" | ".func" => return self.function(start, word == ".entry", linkage, unified),
                _ => match decl::space(word) {
                    Some(
                        space @ (Space::Const
                        | Space::Global
                        | Space::Shared
                        | Space::Local
                        | Space::Tex
                        | Space::Param
                        | Space::Reg),
                    ) => {
                        return self.variable(space, word_at, linkage);
                    }
                    _ => {
                        let text = format!("unknown directive {}", quote(word));
                        return Err(Fault::new(E0109, word_at, self.cur.pos().max(word_at + 1), text));
                    }
                },
            }
            self.cur.skip_space();
            word_at = self.cur.pos();
            word = self.cur.dot_word();
            if word == ".attribute" {
                self.cur.set_pos(word_at);
                let t = traits(&mut self.cur)?;
                unified = t.unified;
                self.cur.skip_space();
                word_at = self.cur.pos();
                word = self.cur.dot_word();
            }
            if word.is_empty() {
                return Err(Fault::expected(&self.cur, "a state space, .entry or .func"));
            }
        }
    }
}

/// Reads the strings of a `.pragma` and its semicolon.
pub(crate) fn pragma(cur: &mut Cursor<'_>) -> Result<Vec<Box<str>>, Fault> {
    let mut list = Vec::new();
    loop {
        cur.skip_space();
        if cur.peek() != b'"' {
            return Err(Fault::expected(cur, "a string"));
        }
        let (start, end) = token(cur);
        let Some(text) = cur.string() else {
            return Err(Fault::new(E0102, start, end, "the string does not end on its line"));
        };
        list.push(text.into());
        if cur.eat(b',') {
            continue;
        }
        punct(cur, b';', "';'")?;
        return Ok(list);
    }
}
