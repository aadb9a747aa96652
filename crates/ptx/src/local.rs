//! Reads declarations in a function body: registers, variables, labels, lists of targets,
//! prototypes, source places.

use crate::body::{PAYLOAD_MAX, Tag, Word};
use crate::cursor::Cursor;
use crate::decl::{self, Fault, declarator, integer, name, params, punct, traits};
use crate::errors::*;
use crate::module::Outline;
use crate::outline::pragma;
use crate::parse::Parser;
use crate::scope::{LabelField, Name, Use};
use crate::tree::*;
use crate::ty::{Space, Ty};
use raddle_diag::quote;
use raddle_entity::EntityRef;

impl<'a> Parser<'a, '_, '_> {
    /// Registers and symbols declared by the function's parameter lists.
    pub(crate) fn parameters(&mut self) {
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
                self.scopes.parameter(name, meaning);
            }
        }
    }

    pub(crate) fn directive(&mut self, start: usize) -> Result<(), Fault> {
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

    pub(crate) fn registers(&mut self, start: usize) -> Result<(), Fault> {
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
            if matches!(d.var.ty, Ty::Texref | Ty::Samplerref | Ty::Surfref) {
                return Err(Fault::new(
                    E0115,
                    at,
                    self.cur.pos(),
                    "textures and surfaces live in .global or parameters",
                ));
            }
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

    pub(crate) fn label(&mut self, text: &'a str, start: usize) -> Result<(), Fault> {
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
                let (at, place) = (span.start, LabelField::List(id, n));
                self.scopes.use_label(Use { name: target, at, place });
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

    pub(crate) fn branch(&mut self) -> Result<(), Fault> {
        let (_, span) = name(&mut self.cur, "a label")?;
        // The number is filled in once the operand has a place.
        let opnd = self.opnd(Word::new(Tag::Label, PAYLOAD_MAX), span.start, span.end);
        self.opnds.push(opnd);
        Ok(())
    }
}
