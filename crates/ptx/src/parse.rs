//! One function body, from text to tree (D2).
//!
//! Strategy: statements are read one by one; names resolve through one map with an undo list, so that leaving a block
//! costs what was declared in it; labels may be used before they are defined, so uses wait in a list until the block
//! that defines them closes. After an error, reading goes on behind the next semicolon.

use crate::body::{Body, PAYLOAD_MAX, Tag, Word};
use crate::cursor::Cursor;
use crate::decl::{self, Fault, declarator, integer, name, params, punct, traits};
use crate::errors::*;
use crate::form::Scratch;
use crate::module::{Outline, Symbol};
use crate::outline::pragma;
use crate::report::Reporter;
use crate::tree::*;
use crate::ty::{Space, Ty};
use raddle_diag::{Diags, FileId, quote};
use raddle_entity::{EntityRef, FxHashMap};
use raddle_target::{PtxVersion, Target};
use smallvec::SmallVec;

/// Blocks may nest this deep.
const NESTING: usize = 1000;

/// Reads the body of a function. Everything found wrong goes to `diags`, with places in `file`.
///
/// A function without body gives an empty [`Body`].
pub fn parse_body(src: &str, file: FileId, outline: &Outline, func: FuncId, diags: &mut Diags) -> Body {
    parse_body_with(&mut Scratch::new(), src, file, outline, func, diags)
}

/// [`parse_body`] with a memory of spellings that a caller keeps for many bodies of one module.
pub fn parse_body_with(
    scratch: &mut Scratch,
    src: &str,
    file: FileId,
    outline: &Outline,
    func: FuncId,
    diags: &mut Diags,
) -> Body {
    let Some(f) = outline.funcs.get(func) else { return Body::default() };
    let Some(range) = f.body.clone() else { return Body::default() };
    let mut errs = Reporter::new(file, diags, Some(&f.name));
    if range.len() > u32::MAX as usize / 2 {
        errs.error(E0113, range.start, range.start + 1, "the function is too large");
        return Body::default();
    }
    let version = outline.version.unwrap_or(raddle_target::NEWEST_PTX);
    let Some(target) = outline.target.or_else(|| Target::by_name("sm_75")) else { return Body::default() };
    scratch.start(version, target);
    let closed = src.get(..range.end).is_some_and(|s| s.ends_with('}')) && range.len() > 1;
    let end = if closed { range.end - 1 } else { range.end };
    let mut parser = Parser {
        cur: Cursor::new(src, range.start + 1, end),
        base: f.text.start,
        outline,
        func,
        version,
        target,
        errs,
        scratch,
        body: Body::default(),
        names: FxHashMap::default(),
        groups: FxHashMap::default(),
        digits: false,
        undo: Vec::new(),
        scopes: Vec::new(),
        uses: Vec::new(),
        outer: FxHashMap::default(),
        opnds: SmallVec::new(),
        items: Vec::new(),
        spelled: String::new(),
        unified: false,
        declared: FxHashMap::default(),
    };
    parser.reserve(range.len());
    parser.run();
    parser.body
}

/// What a name means inside a body.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Reg { reg: u32, ty: Ty, width: u8 },
    Group { first: u32, count: u32, ty: Ty, width: u8 },
    Sym { sym: SymId, space: Space },
    Func { sym: SymId },
    Label(LabelId),
    Proto(ProtoId),
    Targets(TargetsId),
}

/// A use of a label or list whose definition may follow.
struct Use<'a> {
    name: &'a str,
    at: usize,
    wants: Wants,
    place: Place,
}

/// What a use of a name behind a branch or call must find.
#[derive(Clone, Copy, PartialEq)]
#[repr(u32)]
pub(crate) enum Wants {
    Label,
    /// A `.branchtargets` list.
    Targets,
    /// A `.callprototype` or `.calltargets` list.
    Prototype,
}

/// Where the number of the label goes.
enum Place {
    Word(u32),
    List(TargetsId, u32),
}

/// What the checker needs to know of an operand.
#[derive(Clone, Copy)]
pub(crate) struct Opnd {
    pub(crate) word: Word,
    /// Type of a register, special register or address register.
    pub(crate) ty: Ty,
    /// Vector width of a register.
    pub(crate) width: u8,
    /// State space of a symbol or of the symbol an address starts from.
    pub(crate) space: Option<Space>,
    /// Members of a list: a range of the parser's `items`.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

pub(crate) struct Parser<'a, 's, 'd> {
    pub(crate) cur: Cursor<'a>,
    base: usize,
    pub(crate) outline: &'a Outline,
    func: FuncId,
    version: PtxVersion,
    target: &'static Target,
    pub(crate) errs: Reporter<'d>,
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) body: Body,
    names: FxHashMap<&'a str, Name>,
    /// Register groups `%r<n>`: `a` and `a<2>` may live side by side.
    groups: FxHashMap<&'a str, Name>,
    /// Some register group has a name that ends in a digit.
    digits: bool,
    undo: Vec<(&'a str, bool, Option<Name>)>,
    /// For each open block: lengths of `undo` and `uses` when it opened.
    scopes: Vec<(usize, usize)>,
    uses: Vec<Use<'a>>,
    outer: FxHashMap<&'a str, SymId>,
    pub(crate) opnds: SmallVec<[Opnd; 8]>,
    pub(crate) items: Vec<Opnd>,
    spelled: String,
    /// `[a].unified` was read in the current instruction.
    pub(crate) unified: bool,
    /// Scope depth of every name, to find duplicates.
    declared: FxHashMap<(&'a str, bool), usize>,
}

impl<'a> Parser<'a, '_, '_> {
    fn reserve(&mut self, bytes: usize) {
        // nvcc writes about 28 bytes an instruction; pages never touched cost nothing.
        let insts = bytes / 26;
        if insts > 1 << 16 {
            self.body.insts.reserve(insts);
            self.body.words.reserve(insts * 4);
        } else {
            self.body.insts.reserve(insts / 2);
            self.body.words.reserve(insts * 2);
        }
    }

    fn run(&mut self) {
        self.parameters();
        loop {
            if !self.cur.skip_space() {
                let end = self.cur.end();
                self.errs.error(E0102, end, end, "the comment does not end");
            }
            if self.cur.at_end() {
                break;
            }
            if self.errs.full() {
                let at = self.cur.pos();
                self.errs.error(E0130, at, at, "too many errors in this function");
                break;
            }
            let start = self.cur.pos();
            if let Err(fault) = self.statement() {
                fault.report(&mut self.errs);
                self.recover(start);
            }
        }
        while !self.scopes.is_empty() {
            let end = self.cur.end();
            self.errs.error(E0108, end, end, "a block is not closed");
            self.close();
        }
        self.settle(0, true);
    }

    /// Registers and symbols that the function's parameter lists declare.
    fn parameters(&mut self) {
        let outline: &'a Outline = self.outline;
        let f = &outline.funcs[self.func];
        for (is_ret, list) in [(true, &f.rets), (false, &f.params)] {
            for (i, var) in list.iter().enumerate() {
                if var.name.is_empty() {
                    continue;
                }
                let name: &'a str = &var.name;
                let meaning = if var.space == Space::Reg {
                    let group = RegGroup {
                        name: name.into(),
                        ty: var.ty,
                        width: var.width,
                        count: None,
                        first: Reg::from_u32(self.body.regs),
                    };
                    let reg = self.body.regs;
                    self.body.regs += 1;
                    self.body.groups.push(group);
                    Name::Reg { reg, ty: var.ty, width: var.width }
                } else {
                    let i = i as u32;
                    let referent = if is_ret { Referent::Ret(i) } else { Referent::Param(i) };
                    let sym = self.body.syms.push(SymbolRef { name: name.into(), referent });
                    Name::Sym { sym, space: Space::Param }
                };
                self.names.insert(name, meaning);
            }
        }
    }

    /// Goes behind the statement that could not be read: its semicolon, or the brace that ends its block.
    fn recover(&mut self, start: usize) {
        if self.cur.pos() <= start {
            self.cur.set_pos(start);
            if self.cur.dotted().is_empty() {
                self.cur.bump();
            }
        }
        let mut depth = 0u32;
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
                b'{' => depth += 1,
                b'}' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return,
                },
                b'"' => {
                    if self.cur.string().is_none() {
                        self.cur.skip_line();
                    }
                    continue;
                }
                b => {
                    // An opcode or directive that begins a line: the semicolon before it was lost.
                    let here = self.cur.pos();
                    if b.is_ascii_alphabetic() || b == b'.' || b == b'@' {
                        let line = self.cur.slice(here.saturating_sub(64).max(start), here);
                        let begins = line.trim_end_matches([' ', '\t']).ends_with('\n');
                        if begins && depth == 0 && self.begins_statement() {
                            return;
                        }
                    }
                    if self.cur.dotted().is_empty() {
                        self.cur.bump();
                    }
                    continue;
                }
            }
            self.cur.bump();
        }
    }

    fn begins_statement(&self) -> bool {
        let mut ahead = self.cur.clone();
        let word = ahead.dotted();
        word.starts_with('.') || self.cur.peek() == b'@' || Op::by_name(word.split('.').next().unwrap_or("")).is_some()
    }

    pub(crate) fn offset(&self, pos: usize) -> u32 {
        (pos - self.base) as u32
    }

    fn mark(&mut self, mark: Mark) {
        self.body.marks.push((self.body.insts.len() as u32, mark));
    }

    fn statement(&mut self) -> Result<(), Fault> {
        let start = self.cur.pos();
        match self.cur.peek() {
            b'{' => {
                self.cur.bump();
                if self.scopes.len() >= NESTING {
                    let fault = Fault::new(E0113, start, start + 1, format!("more than {NESTING} nested blocks"));
                    self.cur.set_pos(self.cur.end());
                    return Err(fault);
                }
                self.scopes.push((self.undo.len(), self.uses.len()));
                self.mark(Mark::Open);
                Ok(())
            }
            b'}' => {
                self.cur.bump();
                if self.scopes.is_empty() {
                    return Err(Fault::new(E0101, start, start + 1, "'}' closes nothing"));
                }
                self.close();
                Ok(())
            }
            b'.' => self.directive(start),
            b'@' => {
                if self.cur.peek_at(1) == b'@' {
                    self.cur.skip_line();
                    return Ok(());
                }
                self.cur.bump();
                let guard = self.guard()?;
                self.cur.skip_space();
                let opcode = self.cur.pos();
                self.instruction(start, opcode, Some(guard))
            }
            b'#' => {
                self.cur.skip_line();
                Ok(())
            }
            _ => self.instruction(start, start, None),
        }
    }

    fn close(&mut self) {
        let Some((undo, uses)) = self.scopes.pop() else { return };
        self.mark(Mark::Close);
        self.settle(uses, false);
        let depth = self.scopes.len() + 1;
        for (name, group, old) in self.undo.drain(undo..).rev() {
            let map = if group { &mut self.groups } else { &mut self.names };
            match old {
                Some(old) => map.insert(name, old),
                None => map.remove(name),
            };
            if self.declared.get(&(name, group)) == Some(&depth) {
                self.declared.remove(&(name, group));
            }
        }
    }

    /// Gives label uses from `first` on their labels, where the closing block defines them.
    fn settle(&mut self, first: usize, last: bool) {
        let mut kept = first;
        for i in first..self.uses.len() {
            let Use { name, at, wants, ref place } = self.uses[i];
            let word = match (self.names.get(name), wants) {
                (Some(&Name::Label(label)), Wants::Label) => Some(Word::new(Tag::Label, label.as_u32())),
                (Some(&Name::Targets(list)), Wants::Targets | Wants::Prototype) => {
                    Some(Word::new(Tag::Targets, list.as_u32()))
                }
                (Some(&Name::Proto(proto)), Wants::Prototype) => Some(Word::new(Tag::Proto, proto.as_u32())),
                _ if last => {
                    let what = match wants {
                        Wants::Label => "label",
                        Wants::Targets => "list of targets",
                        Wants::Prototype => "prototype",
                    };
                    self.errs.error(E0112, at, at + name.len(), format!("unknown {what} {}", quote(name)));
                    let at = InstId::new(self.body.insts.len());
                    let label = self.body.labels.push(Label { name: name.into(), at, offset: 0 });
                    Some(Word::new(Tag::Label, label.as_u32()))
                }
                _ => None,
            };
            match (word, place) {
                (Some(word), &Place::Word(at)) => self.body.words[at as usize] = word,
                (Some(word), &Place::List(list, n)) => {
                    self.body.targets[list].labels[n as usize] = LabelId::from_u32(word.payload());
                }
                (None, _) => {
                    self.uses.swap(kept, i);
                    kept += 1;
                }
            }
        }
        self.uses.truncate(kept);
    }

    /// Declares a name in the innermost block.
    fn declare(&mut self, name: &'a str, meaning: Name, at: usize) {
        let depth = self.scopes.len();
        let group = matches!(meaning, Name::Group { .. });
        if self.declared.get(&(name, group)) == Some(&depth) || self.overlaps(name, meaning, depth) {
            let text = format!("{} is already defined in this block", quote(name));
            self.errs.error(E0110, at, at + name.len(), text);
        }
        self.declared.insert((name, group), depth);
        let map = if group { &mut self.groups } else { &mut self.names };
        let old = map.insert(name, meaning);
        if depth > 0 {
            self.undo.push((name, group, old));
        }
    }

    /// Does a register share its name with a member of a group of the same block?
    fn overlaps(&self, name: &str, meaning: Name, depth: usize) -> bool {
        let digits = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() == 1 || !text.starts_with('0'));
        match meaning {
            Name::Reg { .. } => {
                let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let member = match (self.groups.get(stem), digits(&name[stem.len()..])) {
                    (Some(&Name::Group { count, .. }), Some(n)) => n < count,
                    _ => false,
                };
                member && self.declared.get(&(stem, true)) == Some(&depth)
            }
            // Few registers have names of their own where groups are declared.
            Name::Group { count, .. } if self.declared.len() < 256 => {
                self.declared.iter().any(|(&(other, group), &at)| {
                    let member = other.strip_prefix(name).and_then(digits).is_some_and(|n| n < count);
                    !group && at == depth && member
                })
            }
            _ => false,
        }
    }

    fn guard(&mut self) -> Result<Guard, Fault> {
        let negated = self.cur.eat(b'!');
        let (text, span) = name(&mut self.cur, "a predicate")?;
        match self.register(text) {
            Some((reg, Ty::Pred, _)) => Ok(Guard { reg, negated }),
            Some((_, ty, _)) => {
                let message = format!("a guard is a .pred register, {} is .{}", quote(text), ty.name());
                Err(Fault::new(E0123, span.start, span.end, message))
            }
            None => Err(Fault::new(E0111, span.start, span.end, format!("unknown predicate {}", quote(text)))),
        }
    }

    /// Looks a register up: its id, type and vector width.
    pub(crate) fn register(&self, text: &'a str) -> Option<(Reg, Ty, u8)> {
        let bytes = text.as_bytes();
        let mut split = bytes.len();
        while split > 0 && bytes[split - 1].is_ascii_digit() {
            split -= 1;
        }
        if split < bytes.len() {
            let mut at = split;
            loop {
                let digits = &text[at..];
                let plain = digits.len() == 1 || !digits.starts_with('0');
                if plain
                    && digits.len() < 10
                    && let Some(&Name::Group { first, count, ty, width }) = self.groups.get(&text[..at])
                    && let Ok(n) = digits.parse::<u32>()
                    && n < count
                {
                    return Some((Reg::from_u32(first + n), ty, width));
                }
                at += 1;
                if !self.digits || at == bytes.len() {
                    break;
                }
            }
        }
        match self.names.get(text) {
            Some(&Name::Reg { reg, ty, width }) => Some((Reg::from_u32(reg), ty, width)),
            _ => None,
        }
    }

    /// Looks up what is not a register: names of this body, then those of the module.
    pub(crate) fn symbol(&mut self, text: &'a str) -> Option<Name> {
        match self.names.get(text) {
            Some(Name::Reg { .. } | Name::Group { .. }) => return None,
            Some(&found) => return Some(found),
            None => {}
        }
        let found = self.outline.symbol(text)?;
        let (space, referent, declared) = match found {
            Symbol::Global(id) => {
                let global = &self.outline.globals[id];
                (Some(global.var.space), Referent::Global(id), global.span.start)
            }
            Symbol::Func(id) => (None, Referent::Func(id), self.outline.funcs[id].span.start),
        };
        // Names are declared before they are used; a function may name itself.
        if declared > self.cur.pos() {
            return None;
        }
        let body = &mut self.body;
        let sym = *self.outer.entry(text).or_insert_with(|| body.syms.push(SymbolRef { name: text.into(), referent }));
        Some(match space {
            Some(space) => Name::Sym { sym, space },
            None => Name::Func { sym },
        })
    }

    fn directive(&mut self, start: usize) -> Result<(), Fault> {
        let word = self.cur.dot_word();
        match word {
            ".reg" => self.registers(start),
            ".loc" => self.loc(),
            ".pragma" => {
                for text in pragma(&mut self.cur)? {
                    self.mark(Mark::Pragma(self.body.pragmas.len() as u32));
                    self.body.pragmas.push(text);
                }
                Ok(())
            }
            ".local" | ".shared" | ".param" | ".const" | ".global" | ".tex" => {
                let space = decl::space(word).unwrap_or(Space::Local);
                self.variables(space)
            }
            ".file" => {
                self.cur.skip_line();
                Ok(())
            }
            _ => {
                let text = format!("unknown directive {}", quote(word));
                Err(Fault::new(E0109, start, self.cur.pos().max(start + 1), text))
            }
        }
    }

    fn registers(&mut self, start: usize) -> Result<(), Fault> {
        let t = traits(&mut self.cur)?;
        if t.align.is_some() || t.ptr.is_some() || t.space.is_some() {
            return Err(Fault::new(E0115, start, self.cur.pos(), "registers have a type and a vector width, no more"));
        }
        if self.cur.eat(b';') {
            // A list without names declares nothing.
            return Ok(());
        }
        loop {
            self.cur.skip_space();
            let at = self.cur.pos();
            let d = declarator(&mut self.cur, Space::Reg, &t)?;
            if !d.var.dims.is_empty() || d.init.is_some() {
                return Err(Fault::new(E0115, at, self.cur.pos(), "registers have no dimensions or values"));
            }
            let count = d.count.unwrap_or(1);
            if u64::from(self.body.regs) + count > u64::from(PAYLOAD_MAX) {
                return Err(Fault::new(E0113, at, self.cur.pos(), "too many registers in one function"));
            }
            let (first, count) = (self.body.regs, count as u32);
            self.body.regs += count;
            let text = self.cur.slice(d.span.start, d.span.end);
            let group = self.body.groups.push(RegGroup {
                name: d.var.name,
                ty: d.var.ty,
                width: t.width,
                count: d.count.map(|n| n as u32),
                first: Reg::from_u32(first),
            });
            let (ty, width) = (d.var.ty, t.width);
            let meaning = match d.count {
                Some(_) => Name::Group { first, count, ty, width },
                None => Name::Reg { reg: first, ty, width },
            };
            self.digits |= d.count.is_some() && text.ends_with(|c: char| c.is_ascii_digit());
            self.declare(text, meaning, d.span.start);
            self.mark(Mark::Regs(group));
            if !self.cur.eat(b',') {
                break;
            }
        }
        punct(&mut self.cur, b';', "';'")
    }

    fn variables(&mut self, space: Space) -> Result<(), Fault> {
        if self.cur.peek() == b'[' {
            self.cur.bump();
            integer(&mut self.cur)?;
            punct(&mut self.cur, b']', "']'")?;
        }
        let at = self.cur.pos();
        let t = traits(&mut self.cur)?;
        if t.space.is_some() {
            return Err(Fault::new(E0115, at, self.cur.pos(), "a declaration has one state space"));
        }
        loop {
            let d = declarator(&mut self.cur, space, &t)?;
            let (start, end) = (d.span.start, d.span.end);
            if t.ty == Some(Ty::Pred) {
                return Err(Fault::new(E0115, start, end, "predicates live in registers only"));
            }
            let text = self.cur.slice(start, end);
            if d.init.is_some() && !matches!(space, Space::Const | Space::Global) {
                let message = format!("a variable in .{} has no initial value", space.name());
                self.errs.error(E0116, start, end, message);
            }
            if d.var.dims.iter().any(Option::is_none) && d.init.is_none() {
                self.errs.error(E0115, start, end, format!("the array {} has no size", quote(text)));
            }
            let many = d.count;
            let name: Box<str> = d.var.name.clone();
            let var = self.body.vars.push(d.var);
            if let Some(init) = d.init {
                self.body.inits.push((var, self.cur.slice(init.start, init.end).into()));
            }
            if many.is_some() {
                self.errs.error(E0115, start, end, "only registers are declared with <n>");
            }
            let sym = self.body.syms.push(SymbolRef { name, referent: Referent::Var(var) });
            self.declare(text, Name::Sym { sym, space }, start);
            self.mark(Mark::Var(var));
            if !self.cur.eat(b',') {
                break;
            }
        }
        punct(&mut self.cur, b';', "';'")
    }

    fn loc(&mut self) -> Result<(), Fault> {
        let small = |cur: &mut Cursor<'a>| -> Result<u32, Fault> { Ok(integer(cur)? as u32) };
        let file = small(&mut self.cur)?;
        let line = small(&mut self.cur)?;
        let column = small(&mut self.cur)?;
        let mut inlined = None;
        if self.cur.eat(b',') {
            let (word, span) = name(&mut self.cur, "function_name")?;
            if word != "function_name" {
                return Err(Fault::new(E0101, span.start, span.end, "expected function_name"));
            }
            let (function, _) = name(&mut self.cur, "a label")?;
            let mut function_offset = 0;
            if self.cur.eat(b'+') {
                function_offset = integer(&mut self.cur)?;
            }
            punct(&mut self.cur, b',', "','")?;
            let (word, span) = name(&mut self.cur, "inlined_at")?;
            if word != "inlined_at" {
                return Err(Fault::new(E0101, span.start, span.end, "expected inlined_at"));
            }
            inlined = Some(Box::new(Inlined {
                function: function.into(),
                function_offset,
                file: small(&mut self.cur)?,
                line: small(&mut self.cur)?,
                column: small(&mut self.cur)?,
            }));
        }
        self.mark(Mark::Loc(self.body.locs.len() as u32));
        self.body.locs.push(Loc { file, line, column, inlined });
        Ok(())
    }

    /// A label, a labelled directive, or an instruction.
    fn instruction(&mut self, start: usize, opcode: usize, guard: Option<Guard>) -> Result<(), Fault> {
        let mut word = self.cur.dotted();
        if word.is_empty() {
            return Err(Fault::expected(&self.cur, "an instruction or directive"));
        }
        if guard.is_none() && !word.contains('.') {
            let mut ahead = self.cur.clone();
            ahead.skip_space();
            if ahead.peek() == b':' {
                ahead.bump();
                self.cur = ahead;
                return self.label(word, start);
            }
        }
        // `add .u32`: blanks between dotted parts.
        let mut ahead = self.cur.clone();
        ahead.skip_space();
        let mut choice = None;
        if ahead.peek() == b'.' && !ahead.peek_at(1).is_ascii_digit() {
            let mut spelled = std::mem::take(&mut self.spelled);
            spelled.clear();
            spelled.push_str(word);
            while ahead.peek() == b'.' {
                spelled.push_str(ahead.dotted());
                self.cur = ahead.clone();
                ahead.skip_space();
            }
            choice = Some(self.scratch.resolve(&spelled));
            self.spelled = spelled;
            word = self.cur.slice(opcode, opcode + word.len());
        }
        let mut choice = choice.unwrap_or_else(|| self.scratch.resolve(word));
        self.opnds.clear();
        self.items.clear();
        self.unified = false;
        let op = self.operation(choice);
        match op {
            Some(Op::Call) => self.call()?,
            Some(Op::Bra) => self.branch()?,
            _ => self.operands(matches!(op, Some(Op::Brx)))?,
        }
        punct(&mut self.cur, b';', "',' or ';'")?;
        if self.unified {
            // Written behind the address, a modifier like any other in the tree.
            choice = self.scratch.resolve(&format!("{word}.unified"));
        } else if word.contains(".unified") {
            let message = "'.unified' stands behind the address: [a].unified";
            return Err(Fault::new(E0121, opcode, opcode + word.len(), message));
        }
        self.finish(choice, opcode, opcode + word.len(), guard, self.offset(start));
        Ok(())
    }

    fn operation(&self, choice: u32) -> Option<Op> {
        match self.scratch.choice(choice) {
            crate::form::Choice::Forms(forms) => Some(forms[0].shape.op),
            _ => None,
        }
    }

    fn label(&mut self, text: &'a str, start: usize) -> Result<(), Fault> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Fault::new(E0101, start, start + text.len(), "a label does not begin with a digit"));
        }
        let mut ahead = self.cur.clone();
        ahead.skip_space();
        if ahead.peek() == b'.' {
            let mut behind = ahead.clone();
            let word = behind.dot_word();
            match word {
                ".branchtargets" | ".calltargets" => {
                    self.cur = behind;
                    return self.target_list(text, start, word == ".calltargets");
                }
                ".callprototype" => {
                    self.cur = behind;
                    return self.prototype(text, start);
                }
                _ => {}
            }
        }
        let at = InstId::new(self.body.insts.len());
        let offset = self.offset(start);
        let label = self.body.labels.push(Label { name: text.into(), at, offset });
        self.declare(text, Name::Label(label), start);
        self.mark(Mark::Label(label));
        Ok(())
    }

    fn target_list(&mut self, text: &'a str, start: usize, calls: bool) -> Result<(), Fault> {
        let id = self.body.targets.push(Targets { name: text.into(), labels: Vec::new(), funcs: Vec::new(), calls });
        self.declare(text, Name::Targets(id), start);
        self.mark(Mark::Targets(id));
        loop {
            let (target, span) = name(&mut self.cur, if calls { "a function" } else { "a label" })?;
            if calls {
                match self.symbol(target) {
                    Some(Name::Func { sym }) => self.body.targets[id].funcs.push(sym),
                    _ => {
                        let message = format!("unknown function {}", quote(target));
                        self.errs.error(E0111, span.start, span.end, message);
                    }
                }
            } else {
                let n = self.body.targets[id].labels.len() as u32;
                self.body.targets[id].labels.push(LabelId::from_u32(0));
                let (at, place) = (span.start, Place::List(id, n));
                self.uses.push(Use { name: target, at, wants: Wants::Label, place });
            }
            if !self.cur.eat(b',') {
                return punct(&mut self.cur, b';', "',' or ';'");
            }
        }
    }

    fn prototype(&mut self, text: &'a str, start: usize) -> Result<(), Fault> {
        let mut rets = Vec::new();
        if self.cur.eat(b'(') {
            rets = params(&mut self.cur)?;
        }
        self.cur.skip_space();
        if self.cur.name().is_empty() {
            return Err(Fault::expected(&self.cur, "_ or a name"));
        }
        let mut list = Vec::new();
        if self.cur.eat(b'(') {
            list = params(&mut self.cur)?;
        }
        let mut proto = Proto {
            name: text.into(),
            rets,
            params: list,
            noreturn: false,
            abi_preserve: None,
            abi_preserve_control: None,
        };
        loop {
            self.cur.skip_space();
            let at = self.cur.pos();
            match self.cur.dot_word() {
                "" => break,
                ".noreturn" => proto.noreturn = true,
                ".abi_preserve" => proto.abi_preserve = Some(integer(&mut self.cur)? as u32),
                ".abi_preserve_control" => proto.abi_preserve_control = Some(integer(&mut self.cur)? as u32),
                other => {
                    let message = format!("unknown directive {} of a prototype", quote(other));
                    return Err(Fault::new(E0109, at, self.cur.pos(), message));
                }
            }
        }
        let id = self.body.protos.push(proto);
        self.declare(text, Name::Proto(id), start);
        self.mark(Mark::Proto(id));
        punct(&mut self.cur, b';', "';'")
    }

    fn branch(&mut self) -> Result<(), Fault> {
        let (text, span) = name(&mut self.cur, "a label")?;
        let opnd = self.label_use(text, span.start, Wants::Label);
        self.opnds.push(opnd);
        Ok(())
    }

    /// An operand that names a label, list or prototype; its number is filled in when the operand has its place.
    pub(crate) fn label_use(&mut self, text: &'a str, at: usize, wants: Wants) -> Opnd {
        let opnd = self.opnd(Word::new(Tag::Label, PAYLOAD_MAX), at, at + text.len());
        Opnd { count: wants as u32, ..opnd }
    }

    pub(crate) fn opnd(&self, word: Word, start: usize, end: usize) -> Opnd {
        Opnd {
            word,
            ty: Ty::B64,
            width: 1,
            space: None,
            first: 0,
            count: 0,
            start: self.offset(start),
            end: self.offset(end),
        }
    }

    /// Checks the operands against the forms and appends the instruction.
    fn finish(&mut self, choice: u32, start: usize, end: usize, guard: Option<Guard>, offset: u32) {
        let index = match self.choose(choice, start, end) {
            Some(index) => index,
            None => return,
        };
        let shape = self.scratch.shape(&mut self.body, choice, index);
        let Shape { op, form, .. } = self.body.shapes[shape as usize];
        let first = self.body.words.len();
        if first + self.opnds.len() > PAYLOAD_MAX as usize {
            self.errs.error(E0113, start, end, "too many operands in one function");
            self.cur.set_pos(self.cur.end());
            return;
        }
        for (i, opnd) in self.opnds.iter().enumerate() {
            if opnd.word == Word::new(Tag::Label, PAYLOAD_MAX) {
                let (from, to) = (opnd.start as usize + self.base, opnd.end as usize + self.base);
                let place = Place::Word((first + i) as u32);
                let wants = match opnd.count {
                    0 => Wants::Label,
                    1 => Wants::Targets,
                    _ => Wants::Prototype,
                };
                self.uses.push(Use { name: self.cur.slice(from, to), at: from, wants, place });
            }
            self.body.words.push(opnd.word);
        }
        self.body.insts.push(Inst {
            op,
            form,
            shape,
            guard: PackedGuard::new(guard),
            first: first as u32,
            count: self.opnds.len() as u32,
            offset,
        });
    }

    pub(crate) fn module(&self) -> (PtxVersion, &'static Target) {
        (self.version, self.target)
    }

    pub(crate) fn place(&self, opnd: &Opnd) -> (usize, usize) {
        (opnd.start as usize + self.base, opnd.end as usize + self.base)
    }
}

use crate::table::Op;
