//! The outline: one scan over a module that reads everything but function bodies (D2).
//!
//! Strategy: module-level text is parsed; a body is only searched for its closing brace, byte by byte with one table,
//! minding strings and comments. If braces do not balance, every further body also ends at a line that begins a new
//! function, so that one lost brace costs one function.

use crate::cursor::Cursor;
use crate::decl::{self, Fault, declarator, integer, name, params, punct, token, traits};
use crate::errors::*;
use crate::module::*;
use crate::report::Reporter;
use crate::tree::{FuncId, GlobalId};
use crate::ty::{Space, Ty};
use raddle_diag::{Diags, FileId, quote};
use raddle_target::{NEWEST_PTX, PtxVersion, Target};
use std::ops::Range;

/// Reads the outline of a module. Everything found wrong goes to `diags`, with places in `file`.
pub fn outline(src: &str, file: FileId, diags: &mut Diags) -> Outline {
    let mut scan = Scan {
        cur: Cursor::new(src, 0, src.len()),
        errs: Reporter::new(file, diags, None),
        out: Outline { address_size: 32, ..Outline::default() },
        unbalanced: false,
        header: Header::Version,
    };
    scan.module();
    scan.out
}

/// What the top of the module still lacks.
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
    /// Braces did not balance once: look for function headers too.
    unbalanced: bool,
    header: Header,
}

impl<'a> Scan<'a, '_> {
    fn module(&mut self) {
        loop {
            if !self.cur.skip_space() {
                let end = self.cur.end();
                self.errs.error(E0102, end, end, "the comment does not end");
            }
            if self.cur.at_end() || self.errs.full() {
                break;
            }
            let start = self.cur.pos();
            if let Err(fault) = self.item() {
                fault.report(&mut self.errs);
                self.recover(start);
            }
        }
        if self.header != Header::Done {
            self.missing_header(self.cur.end());
        }
    }

    fn missing_header(&mut self, at: usize) {
        let what = if self.header == Header::Version { ".version" } else { ".target" };
        self.errs.error(E0104, at, at, format!("missing {what} at the start of the module"));
        self.header = Header::Done;
    }

    /// Goes to the next place where an item can begin: behind a `;`, or a line that begins with a dot.
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
            ".version" => self.version(),
            ".target" => self.target(),
            ".address_size" => {
                let at = self.cur.pos();
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
                match section_end(rest.as_bytes()) {
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
            ".alias" => {
                let (new, _) = name(&mut self.cur, "a name")?;
                punct(&mut self.cur, b',', "','")?;
                let (old, _) = name(&mut self.cur, "a name")?;
                punct(&mut self.cur, b';', "';'")?;
                self.out.items.push(Item::Alias(self.out.aliases.len() as u32));
                self.out.aliases.push((new.into(), old.into()));
                Ok(())
            }
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

    /// A variable or function; `word` has been read.
    fn declaration(&mut self, start: usize, first: &'a str) -> Result<(), Fault> {
        let mut word = first;
        let mut word_at = start;
        let mut linkage = Linkage::Local;
        let mut unified = None;
        loop {
            match word {
                ".extern" => linkage = Linkage::Extern,
                ".visible" => linkage = Linkage::Visible,
                ".weak" => linkage = Linkage::Weak,
                ".common" => linkage = Linkage::Common,
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

    fn variable(&mut self, space: Space, at: usize, linkage: Linkage) -> Result<(), Fault> {
        if matches!(space, Space::Param | Space::Reg) {
            let text = format!("module-level variables are not in .{}", space.name());
            return Err(Fault::new(E0115, at, self.cur.pos(), text));
        }
        if self.cur.peek() == b'[' {
            self.cur.bump();
            integer(&mut self.cur)?;
            punct(&mut self.cur, b']', "']'")?;
        }
        let t = traits(&mut self.cur)?;
        loop {
            let d = declarator(&mut self.cur, space, &t)?;
            if t.ty == Some(Ty::Pred) {
                self.errs.error(E0115, d.span.start, d.span.end, "predicates live in registers only");
            }
            self.check_variable(&d, linkage);
            let global = Global {
                var: d.var,
                linkage,
                managed: t.managed,
                unified: t.unified,
                init: d.init,
                span: d.span.clone(),
            };
            self.add_global(global, d.span);
            if !self.cur.eat(b',') {
                break;
            }
        }
        punct(&mut self.cur, b';', "';'")
    }

    fn check_variable(&mut self, d: &decl::Declared, linkage: Linkage) {
        let (start, end) = (d.span.start, d.span.end);
        let var = &d.var;
        if d.count.is_some() {
            self.errs.error(E0115, start, end, "only registers are declared with <n>");
        }
        if d.init.is_some() && matches!(var.space, Space::Shared | Space::Local) {
            let text = format!("a variable in .{} has no initial value", var.space.name());
            self.errs.error(E0116, start, end, text);
        }
        if d.init.is_some() && linkage == Linkage::Extern {
            self.errs.error(E0116, start, end, "an .extern variable has no initial value");
        }
        let unsized_inner = var.dims.iter().skip(1).any(Option::is_none);
        let unsized_outer = var.dims.first().is_some_and(Option::is_none);
        if unsized_inner || (unsized_outer && linkage != Linkage::Extern && d.init.is_none()) {
            self.errs.error(E0115, start, end, format!("the array {} has no size", quote(&var.name)));
        }
    }

    fn add_global(&mut self, global: Global, span: Range<usize>) {
        let name = global.var.name.clone();
        if let Some(&old) = self.out.names.get(&name) {
            let declared = match old {
                Symbol::Global(id) => {
                    let old = &self.out.globals[id];
                    old.linkage == Linkage::Extern || global.linkage == Linkage::Extern
                }
                Symbol::Func(_) => false,
            };
            if !declared {
                let text = format!("{} is already defined", quote(&name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            if let Symbol::Global(id) = old {
                // A definition behind an `.extern` declaration takes its place.
                if global.linkage != Linkage::Extern {
                    let first = self.out.globals[id].span.clone();
                    self.out.globals[id] = Global { span: first, ..global };
                }
            }
            return;
        }
        let id: GlobalId = self.out.globals.push(global);
        self.out.items.push(Item::Global(id));
        self.out.names.insert(name, Symbol::Global(id));
    }

    fn function(
        &mut self,
        start: usize,
        entry: bool,
        linkage: Linkage,
        unified: Option<(u64, u64)>,
    ) -> Result<(), Fault> {
        let mut perf = Perf { unified, ..Perf::default() };
        self.cur.skip_space();
        while self.cur.peek() == b'.' {
            // `.func .attribute(...) name`
            let t = traits(&mut self.cur)?;
            perf.unified = t.unified.or(perf.unified);
            self.cur.skip_space();
        }
        let mut rets = Vec::new();
        if !entry && self.cur.eat(b'(') {
            rets = params(&mut self.cur)?;
        }
        let (text, span) = name(&mut self.cur, "a function name")?;
        self.errs.set_function(Some(text));
        let result = self.function_rest(start, entry, linkage, (text, span), rets, perf);
        if let Err(fault) = result {
            fault.report(&mut self.errs);
            // The header is broken: the body, if there is one, is skipped.
            loop {
                self.cur.skip_space();
                match self.cur.peek() {
                    b'{' => {
                        let at = self.cur.pos();
                        self.skip_block(at);
                        break;
                    }
                    b';' | 0 => {
                        self.cur.bump();
                        break;
                    }
                    _ => {
                        if self.cur.dotted().is_empty() {
                            self.cur.bump();
                        }
                    }
                }
            }
        }
        self.errs.set_function(None);
        Ok(())
    }

    fn function_rest(
        &mut self,
        start: usize,
        entry: bool,
        linkage: Linkage,
        (text, span): (&'a str, Range<usize>),
        rets: Vec<crate::tree::Variable>,
        mut perf: Perf,
    ) -> Result<(), Fault> {
        let mut list = Vec::new();
        if self.cur.eat(b'(') {
            list = params(&mut self.cur)?;
        }
        for (i, var) in list.iter().enumerate() {
            let twice = i < 4096 && !var.name.is_empty() && list[..i].iter().any(|other| other.name == var.name);
            if twice {
                let text = format!("two parameters are called {}", quote(&var.name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            if entry && var.space != Space::Param {
                let text = format!("the kernel parameter {} is not in .param", quote(&var.name));
                self.errs.error(E0115, span.start, span.end, text);
            }
            if entry && var.dims.iter().any(Option::is_none) {
                let text = format!("the kernel parameter {} has no size", quote(&var.name));
                self.errs.error(E0115, span.start, span.end, text);
            }
        }
        self.perf(&mut perf)?;
        self.cur.skip_space();
        let mut body = None;
        match self.cur.peek() {
            b';' => self.cur.bump(),
            b'{' => {
                let open = self.cur.pos();
                if !self.skip_block(open) {
                    self.errs.error(E0108, open, open + 1, format!("the body of {} is not closed", quote(text)));
                }
                body = Some(open..self.cur.pos());
            }
            _ => return Err(Fault::expected(&self.cur, "'{' or ';'")),
        }
        let place = if body.is_some() { FuncPlace::Definition } else { FuncPlace::Declaration };
        let func = Func {
            name: text.into(),
            entry,
            linkage,
            rets,
            params: list,
            perf,
            text: start..self.cur.pos(),
            body,
            span,
        };
        self.add_func(func, place);
        Ok(())
    }

    fn add_func(&mut self, func: Func, place: FuncPlace) {
        let span = func.span.clone();
        match self.out.names.get(&func.name).copied() {
            Some(Symbol::Func(id)) if self.out.funcs[id].body.is_none() || func.body.is_none() => {
                let old = &self.out.funcs[id];
                let kinds = |list: &[crate::tree::Variable]| -> Vec<_> {
                    list.iter().map(|v| (v.ty.bits(), v.width, v.size())).collect()
                };
                if old.entry != func.entry
                    || kinds(&old.params) != kinds(&func.params)
                    || kinds(&old.rets) != kinds(&func.rets)
                {
                    let text = format!("{} is declared differently before", quote(&func.name));
                    self.errs.error(E0110, span.start, span.end, text);
                }
                if func.body.is_some() {
                    // The first mention stays the place of declaration.
                    let first = self.out.funcs[id].span.clone();
                    self.out.funcs[id] = Func { span: first, ..func };
                }
                self.out.items.push(Item::Func(id, place));
            }
            Some(_) => {
                let text = format!("{} is already defined", quote(&func.name));
                self.errs.error(E0110, span.start, span.end, text);
            }
            None => {
                let name = func.name.clone();
                let id: FuncId = self.out.funcs.push(func);
                self.out.items.push(Item::Func(id, place));
                self.out.names.insert(name, Symbol::Func(id));
            }
        }
    }

    fn perf(&mut self, perf: &mut Perf) -> Result<(), Fault> {
        loop {
            self.cur.skip_space();
            if self.cur.peek() != b'.' {
                return Ok(());
            }
            let start = self.cur.pos();
            let word = self.cur.dot_word();
            match word {
                ".maxnreg" => perf.maxnreg = Some(self.small()?),
                ".maxntid" => perf.maxntid = Some(self.triple()?),
                ".reqntid" => perf.reqntid = Some(self.triple()?),
                ".minnctapersm" => perf.minnctapersm = Some(self.small()?),
                ".maxnctapersm" => perf.maxnctapersm = Some(self.small()?),
                ".explicitcluster" => perf.explicitcluster = true,
                ".reqnctapercluster" => perf.reqnctapercluster = Some(self.triple()?),
                ".maxclusterrank" => perf.maxclusterrank = Some(self.small()?),
                ".blocksareclusters" => perf.blocksareclusters = true,
                ".noreturn" => perf.noreturn = true,
                ".abi_preserve" => perf.abi_preserve = Some(self.small()?),
                ".abi_preserve_control" => perf.abi_preserve_control = Some(self.small()?),
                ".pragma" => perf.pragmas.extend(pragma(&mut self.cur)?),
                ".attribute" => {
                    self.cur.set_pos(start);
                    perf.unified = traits(&mut self.cur)?.unified;
                }
                _ => {
                    let text = format!("unknown directive {} of a function", quote(word));
                    return Err(Fault::new(E0109, start, self.cur.pos().max(start + 1), text));
                }
            }
        }
    }

    fn small(&mut self) -> Result<u32, Fault> {
        self.cur.skip_space();
        let start = self.cur.pos();
        let n = integer(&mut self.cur)?;
        u32::try_from(n).map_err(|_| Fault::new(E0117, start, self.cur.pos(), format!("{n} is out of range")))
    }

    fn triple(&mut self) -> Result<[u32; 3], Fault> {
        let mut out = [1; 3];
        for (i, slot) in out.iter_mut().enumerate() {
            if i > 0 && !self.cur.eat(b',') {
                break;
            }
            *slot = self.small()?;
        }
        Ok(out)
    }

    /// Goes behind the brace that closes the block opened at `open`. False where there is none.
    fn skip_block(&mut self, open: usize) -> bool {
        let text = self.cur.slice(open, self.cur.end());
        if !self.unbalanced {
            if let Some(n) = block_end(text.as_bytes(), false) {
                self.cur.set_pos(open + n);
                return true;
            }
            self.unbalanced = true;
        }
        match block_end(text.as_bytes(), true) {
            Some(n) if text.as_bytes().get(n.wrapping_sub(1)) == Some(&b'}') => {
                self.cur.set_pos(open + n);
                true
            }
            Some(n) => {
                self.cur.set_pos(open + n);
                false
            }
            None => {
                self.cur.set_pos(self.cur.end());
                false
            }
        }
    }
}

/// Characters that end the quick run of [`block_end`].
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    stops[b'{' as usize] = true;
    stops[b'}' as usize] = true;
    stops[b'/' as usize] = true;
    stops[b'"' as usize] = true;
    stops
};

/// Length of the block that `text` opens with, braces included; with `headers`, also up to a line that begins a
/// function (the newline before it is the last byte counted).
fn block_end(text: &[u8], headers: bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        let b = text[at];
        if !STOPS[b as usize] {
            if headers && b == b'\n' && begins_function(&text[at + 1..]) {
                return Some(at + 1);
            }
            at += 1;
            continue;
        }
        match b {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at += string_end(&text[at + 1..]),
            _ => match text.get(at + 1) {
                Some(b'/') => {
                    // The newline itself is looked at again: a header may follow it.
                    at += memchr::memchr(b'\n', &text[at..])?;
                    continue;
                }
                Some(b'*') => at += memchr::memmem::find(&text[at + 2..], b"*/")? + 3,
                _ => {}
            },
        }
        at += 1;
    }
    None
}

/// Bytes from behind an opening quote to behind the closing one; a string ends with its line at the latest.
fn string_end(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match b {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn begins_function(line: &[u8]) -> bool {
    if line.first() != Some(&b'.') {
        return false;
    }
    [".entry", ".func", ".visible", ".weak", ".extern"].iter().any(|w| line.starts_with(w.as_bytes()))
}

/// Length of a `.section` block: from `{` to behind `}`; strings and comments do not count.
fn section_end(text: &[u8]) -> Option<usize> {
    block_end(text, false)
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
