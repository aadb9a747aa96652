//! Reads calls: their operands, and whether arguments match the callee's declaration, prototype or
//! list of targets.
//!
//! The rules are those of ptxas 13.0.88: as many arguments as parameters; a scalar of the same size
//! and of a compatible type; an array of the same size and number of dimensions; the same alignment
//! in `.param` space; never a parameter of the function itself.

use crate::body::{Tag, Word};
use crate::decl::{Fault, name, punct};
use crate::errors::*;
use crate::form::compatible;
use crate::parse::{Opnd, Parser};
use crate::scope::Name;
use crate::tree::*;
use crate::ty::{Space, Ty, TyClass};
use raddle_diag::quote;
use std::ops::Range;

/// The callee of a call, and its signature.
struct Callee<'a> {
    text: &'a str,
    span: Range<usize>,
    /// The function of a direct call.
    func: Option<FuncId>,
    /// The prototype or list of targets after the arguments.
    list: Option<Name>,
}

impl<'a> Parser<'a, '_, '_> {
    /// `(results), callee, (arguments), prototype`
    pub(crate) fn call(&mut self) -> Result<(), Fault> {
        self.cur.skip_space();
        let start = self.cur.pos();
        let rets = if self.cur.peek() == b'(' {
            self.cur.bump();
            let list = self.list(start, Tag::Args, b')')?;
            punct(&mut self.cur, b',', "','")?;
            list
        } else {
            self.finish_list(start, Tag::Args, &[])?
        };
        let (text, span) = name(&mut self.cur, "a function")?;
        let mut callee = Callee { text, span: span.clone(), func: None, list: None };
        let target = match self.register(text) {
            Some((reg, ty, _)) => {
                let opnd = self.opnd(Word::new(Tag::Reg, reg.as_u32()), span.start, span.end);
                Opnd { ty, ..opnd }
            }
            None => match self.symbol(text) {
                Some(Name::Func { sym }) => {
                    if let Referent::Func(id) = self.body.syms[sym].referent {
                        callee.func = Some(id);
                    }
                    self.opnd(Word::new(Tag::Func, sym.as_u32()), span.start, span.end)
                }
                _ => {
                    let message = format!("unknown function {}", quote(text));
                    return Err(Fault::new(E0111, span.start, span.end, message));
                }
            },
        };
        let mut args = None;
        let mut proto = None;
        if self.cur.eat(b',') {
            self.cur.skip_space();
            let at = self.cur.pos();
            if self.cur.peek() == b'(' {
                self.cur.bump();
                args = Some(self.list(at, Tag::Args, b')')?);
                if self.cur.eat(b',') {
                    proto = Some(self.signature(&mut callee)?);
                }
            } else {
                proto = Some(self.signature(&mut callee)?);
            }
        }
        let here = self.cur.pos();
        let args = match args {
            Some(args) => args,
            None => self.finish_list(here, Tag::Args, &[])?,
        };
        self.check_call(&callee, &target, &rets, &args)?;
        self.opnds.extend([rets, target, args]);
        self.opnds.extend(proto);
        Ok(())
    }

    /// Reads the prototype or list of targets of an indirect call, which must be declared before.
    fn signature(&mut self, callee: &mut Callee<'a>) -> Result<Opnd, Fault> {
        let (text, span) = name(&mut self.cur, "a prototype or list of targets")?;
        callee.list = self.scopes.get(text);
        let word = match callee.list {
            Some(Name::Proto(id)) => Word::new(Tag::Proto, id.as_u32()),
            Some(Name::Targets(id)) => Word::new(Tag::Targets, id.as_u32()),
            _ => {
                let message = format!("unknown prototype {}", quote(text));
                return Err(Fault::new(E0112, span.start, span.end, message));
            }
        };
        Ok(self.opnd(word, span.start, span.end))
    }

    fn check_call(&mut self, callee: &Callee<'a>, target: &Opnd, rets: &Opnd, args: &Opnd) -> Result<(), Fault> {
        let Range { start, end } = callee.span.clone();
        let bad = |message: String| Err(Fault::new(E0126, start, end, message));
        let outline = self.outline;
        let func = match (callee.func, callee.list) {
            (Some(id), None) => id,
            (Some(_), Some(_)) => return bad(String::from("a call through a prototype names a register")),
            (None, _) if !compatible(target.ty, Ty::U64, false) && !compatible(target.ty, Ty::U32, false) => {
                return bad(format!("an address is in a 32 or 64-bit register, {} is not", quote(callee.text)));
            }
            (None, Some(Name::Proto(id))) => {
                let proto = self.body.protos[id].clone();
                return self.check_signature(callee, rets, args, &proto.rets, &proto.params);
            }
            (None, Some(Name::Targets(id))) => {
                match self.body.targets[id].funcs.first().map(|&f| self.body.syms[f].referent) {
                    Some(Referent::Func(id)) => id,
                    _ => return bad(String::from("the list holds labels, not functions")),
                }
            }
            (None, _) => return bad(format!("a call through {} needs a prototype", quote(callee.text))),
        };
        let func = &outline.funcs[func];
        if func.entry {
            return bad(format!("{} is a kernel, not a device function", quote(callee.text)));
        }
        self.check_signature(callee, rets, args, &func.rets, &func.params)
    }

    fn check_signature(
        &mut self,
        callee: &Callee<'a>,
        rets: &Opnd,
        args: &Opnd,
        want_rets: &[Variable],
        want_args: &[Variable],
    ) -> Result<(), Fault> {
        for (what, list, formals) in [("results", rets, want_rets), ("arguments", args, want_args)] {
            if list.count as usize != formals.len() {
                let (text, Range { start, end }) = (quote(callee.text), callee.span.clone());
                let message = format!("{text} has {} {what}, the call {}", formals.len(), list.count);
                return Err(Fault::new(E0126, start, end, message));
            }
            let actuals = self.items[list.first as usize..][..formals.len()].to_vec();
            for (actual, formal) in actuals.iter().zip(formals) {
                let sink = actual.word.tag() == Tag::Sink;
                // An unknown name is reported already.
                if sink && (actual.count == u32::MAX || what == "results") {
                    continue;
                }
                if let Err(message) = self.binds(actual, formal) {
                    let (start, end) = self.place(actual);
                    return Err(Fault::new(E0126, start, end, message));
                }
            }
        }
        Ok(())
    }

    /// Checks that an argument or result matches a parameter.
    fn binds(&self, actual: &Opnd, formal: &Variable) -> Result<(), String> {
        let text = || self.describe(actual);
        let misfit = || Err(format!("{} does not fit the parameter: {}", text(), self.parameter_text(formal)));
        let bits = formal.ty.bits() * u32::from(formal.width);
        match actual.word.tag() {
            Tag::Reg => {
                let all = actual.ty.bits() * u32::from(actual.width);
                let fits = if actual.width > 1 { all == bits } else { compatible(actual.ty, formal.ty, false) };
                if fits && formal.dims.is_empty() && (actual.ty == Ty::Pred) == (formal.ty == Ty::Pred) {
                    Ok(())
                } else {
                    misfit()
                }
            }
            Tag::SmallInt | Tag::Int
                if formal.dims.is_empty() && formal.ty.class() != TyClass::Pred && !formal.ty.is_float() =>
            {
                Ok(())
            }
            Tag::F32 | Tag::F64 if formal.dims.is_empty() => match formal.ty.class() {
                TyClass::Signed | TyClass::Unsigned => misfit(),
                _ => Ok(()),
            },
            Tag::SmallInt | Tag::Int | Tag::F32 | Tag::F64 => misfit(),
            Tag::Symbol => {
                let referent = self.body.syms[SymId::from_u32(actual.word.payload())].referent;
                let Referent::Var(id) = referent else {
                    return Err(match referent {
                        Referent::Param(_) | Referent::Ret(_) => {
                            format!(
                                "{} is a parameter of this function: it is copied to a .param variable first",
                                text()
                            )
                        }
                        _ => format!("{} is neither a register nor a .param variable", text()),
                    });
                };
                let var = &self.body.vars[id];
                if var.space != Space::Param {
                    return Err(format!("{} is neither a register nor a .param variable", text()));
                }
                let shape = var.dims.len() == formal.dims.len() && var.size() == formal.size();
                let ty = !formal.dims.is_empty() || compatible(var.ty, formal.ty, false);
                let aligned = formal.space != Space::Param || var.alignment() == formal.alignment();
                if shape && ty && aligned { Ok(()) } else { misfit() }
            }
            _ => Err(format!("{} is no argument of a call", text())),
        }
    }

    fn parameter_text(&self, formal: &Variable) -> String {
        let size = formal.size().map_or_else(|| String::from("an array of any size"), |n| format!("{n} bytes"));
        let kind = if formal.dims.is_empty() { format!(".{}", formal.ty.name()) } else { size };
        match formal.space {
            Space::Param => format!("{kind}, alignment {}", formal.alignment()),
            _ => format!("{kind} in a register"),
        }
    }
}
