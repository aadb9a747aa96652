//! Reads one function body into a tree, in the task that compiles it, not with the module (D2).
//!
//! Strategy: statements are read one by one: instructions here, their operands in `operand` and
//! `call`, their checks in `check`; declarations in `local`; names in `scope`. After an error,
//! reading continues after the next semicolon.

use crate::body::{Body, PAYLOAD_MAX, Tag, Word};
use crate::cursor::Cursor;
use crate::decl::{Fault, name, punct};
use crate::errors::*;
use crate::form::Scratch;
use crate::module::{Outline, Symbol};
use crate::report::Reporter;
use crate::scope::{LabelField, Name, Scopes, Use};
use crate::table::Op;
use crate::tree::*;
use crate::ty::{Space, Ty};
use raddle_diag::{Diags, FileId, quote};
use raddle_entity::FxHashMap;
use raddle_target::{PtxVersion, Target};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::Range;

/// The largest nesting depth of blocks.
const NESTING: usize = 1000;

/// The most instructions of a function: more than any compiler generates, few enough to fit in
/// memory.
const INSTRUCTIONS: usize = 1 << 22;

/// Reads the body of a function. Errors go to `diags`, with places in `file`.
///
/// A function without body gives an empty [`Body`].
pub fn parse_body(src: &str, file: FileId, outline: &Outline, func: FuncId, diags: &mut Diags) -> Body {
    parse_body_with(&mut Scratch::new(), src, file, outline, func, diags)
}

/// Like [`parse_body`], with a cache of spellings that a caller keeps for many bodies of one
/// module.
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
        scopes: Scopes::default(),
        outer: FxHashMap::default(),
        opnds: SmallVec::new(),
        items: Vec::new(),
        spelled: String::new(),
        unified: false,
        of_module: 0..0,
        shares: Cell::new(false),
    };
    parser.reserve(range.len());
    parser.run(src);
    parser.body
}

/// The facts about an operand that the checker needs.
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
    pub(crate) func: FuncId,
    version: PtxVersion,
    target: &'static Target,
    pub(crate) errs: Reporter<'d>,
    pub(crate) scratch: &'s mut Scratch,
    pub(crate) body: Body,
    pub(crate) scopes: Scopes<'a>,
    /// Names of the module that the body refers to.
    pub(crate) outer: FxHashMap<&'a str, SymId>,
    pub(crate) opnds: SmallVec<[Opnd; 8]>,
    pub(crate) items: Vec<Opnd>,
    spelled: String,
    /// `[a].unified` was read in the current instruction.
    pub(crate) unified: bool,
    /// The registers that are declared at module level.
    of_module: Range<u32>,
    /// Whether one of them was looked up.
    shares: Cell<bool>,
}

impl<'a> Parser<'a, '_, '_> {
    fn reserve(&mut self, bytes: usize) {
        // nvcc writes about 28 bytes per instruction; untouched pages cost nothing.
        let insts = (bytes / 26).min(INSTRUCTIONS);
        if insts > 1 << 16 {
            self.body.insts.reserve(insts);
            self.body.words.reserve(insts * 4);
        } else {
            self.body.insts.reserve(insts / 2);
            self.body.words.reserve(insts * 2);
        }
    }

    fn run(&mut self, src: &'a str) {
        self.parameters();
        self.registers_of_module(src);
        loop {
            self.cur.skip_space();
            if let Some(start) = self.cur.unclosed() {
                self.errs.error(E0102, start, start + 2, "the comment does not end");
                break;
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
        while self.scopes.depth() > self.outermost() {
            let end = self.cur.end();
            self.errs.error(E0108, end, end, "a block is not closed");
            self.close();
        }
        if self.outermost() > 0 {
            self.mark(Mark::Close);
            self.scopes.leave(&mut self.body, &mut self.errs);
        }
        if self.shares.get() && !self.outline.funcs[self.func].entry {
            let (at, text) = (self.base, "a function shares registers of the module with its callers");
            self.errs.error(E0115, at, at + 1, text);
        }
        self.scopes.finish(&mut self.body, &mut self.errs);
    }

    /// Declares the registers of the module, in a block around the body, whose names hide theirs.
    /// With them ptxas 13.0.88 passes values between functions without a convention; a kernel has
    /// its own, without values at its start.
    fn registers_of_module(&mut self, src: &'a str) {
        if self.outline.registers.is_empty() {
            return;
        }
        let (outline, first) = (self.outline, self.body.regs);
        for range in &outline.registers {
            let own = std::mem::replace(&mut self.cur, Cursor::new(src, range.start, range.end));
            if let Err(fault) = self.registers(range.start) {
                fault.report(&mut self.errs);
            }
            self.cur = own;
        }
        self.of_module = first..self.body.regs;
        if self.outermost() > 0 {
            self.mark(Mark::Open);
            self.scopes.enter();
        }
    }

    /// The depth of the body's own declarations.
    fn outermost(&self) -> usize {
        usize::from(!self.of_module.is_empty())
    }

    /// Skips a statement that could not be read, to its semicolon or the brace that ends its block.
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
                    // A line begins with an opcode or directive: the semicolon before it is
                    // missing.
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

    pub(crate) fn mark(&mut self, mark: Mark) {
        self.body.marks.push((self.body.insts.len() as u32, mark));
    }

    fn statement(&mut self) -> Result<(), Fault> {
        let start = self.cur.pos();
        match self.cur.peek() {
            b'{' => {
                self.cur.bump();
                if self.scopes.depth() >= NESTING {
                    let fault = Fault::new(E0113, start, start + 1, format!("more than {NESTING} nested blocks"));
                    self.cur.set_pos(self.cur.end());
                    return Err(fault);
                }
                self.scopes.enter();
                self.mark(Mark::Open);
                Ok(())
            }
            b'}' => {
                self.cur.bump();
                if self.scopes.depth() == self.outermost() {
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
    pub(crate) fn register(&self, text: &str) -> Option<(Reg, Ty, u8)> {
        let found = self.scopes.register(text)?;
        if self.of_module.contains(&found.0.as_u32()) {
            self.shares.set(true);
        }
        Some(found)
    }

    /// Declares a name in the innermost block.
    pub(crate) fn declare(&mut self, name: &'a str, meaning: Name, at: usize) {
        self.scopes.declare(name, meaning, at, &mut self.errs);
    }

    /// Leaves the innermost block.
    fn close(&mut self) {
        if self.scopes.depth() > self.outermost() {
            self.mark(Mark::Close);
            self.scopes.leave(&mut self.body, &mut self.errs);
        }
    }

    /// Looks up a name that is not a register: in this body, then in the module.
    pub(crate) fn symbol(&mut self, text: &'a str) -> Option<Name> {
        match self.scopes.get(text) {
            Some(Name::Reg { .. } | Name::Group { .. }) => return None,
            Some(found) => return Some(found),
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
        // Names are declared before use; a function may refer to itself.
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

    /// Reads a label, a labelled directive, or an instruction.
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
        if matches!(op, Some(Op::Ld | Op::Ldu | Op::St)) {
            self.indexed()?;
        }
        punct(&mut self.cur, b';', "',' or ';'")?;
        if self.unified {
            // It is written after the address, but is a normal modifier in the tree.
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
        let full = if self.body.insts.len() >= INSTRUCTIONS {
            Some(format!("more than {INSTRUCTIONS} instructions"))
        } else {
            (first + self.opnds.len() > PAYLOAD_MAX as usize).then(|| String::from("too many operands"))
        };
        if let Some(what) = full {
            self.errs.error(E0113, start, end, format!("{what} in one function"));
            self.cur.set_pos(self.cur.end());
            return;
        }
        for (i, opnd) in self.opnds.iter().enumerate() {
            if opnd.word == Word::new(Tag::Label, PAYLOAD_MAX) {
                let (from, to) = (opnd.start as usize + self.base, opnd.end as usize + self.base);
                let place = LabelField::Word((first + i) as u32);
                self.scopes.use_label(Use { name: self.cur.slice(from, to), at: from, place });
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
