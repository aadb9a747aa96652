//! Matches operands with forms: selects the candidate that fits, or reports the error.

use crate::body::{Tag, Word, special_of};
use crate::errors::*;
use crate::form::{Candidate, Choice, Want, compatible};
use crate::parse::{Opnd, Parser};
use crate::table::{Kind, Mod, OPTIONAL, Op, RELAXED, SINK, SPECIAL, Unmet};
use crate::ty::Ty;
use raddle_diag::{Code, quote};

/// Why operands do not fit: whether their number does, the wrong one, a message.
type Problem = (bool, usize, String);

impl Parser<'_, '_, '_> {
    /// Returns the candidate that the operands fit; reports an error and returns `None` if there is
    /// none. `start..end` is the dotted word.
    pub(crate) fn choose(&mut self, choice: u32, start: usize, end: usize) -> Option<usize> {
        if self.opnds.iter().any(poisoned) || self.items.iter().any(poisoned) {
            return None;
        }
        let (code, from, to, message): (Code, usize, usize, String) = match self.scratch.choice(choice) {
            Choice::Forms(forms) => {
                let mut first: Option<Problem> = None;
                let mut unmet: Option<(usize, &Unmet)> = None;
                for (i, form) in forms.iter().enumerate() {
                    match (self.fits(form), &form.unmet) {
                        (Ok(()), None) => return self.extra(choice, i, start, end),
                        (Ok(()), Some(u)) => unmet = unmet.or(Some((i, u))),
                        (Err(problem), _) => {
                            first = farther(first, problem);
                        }
                    }
                }
                let (version, target) = self.module();
                let dotted = &forms[0].shape.dotted;
                match (unmet, first) {
                    (Some((i, Unmet::Version(v))), _) => {
                        let dotted = &forms[i].shape.dotted;
                        let how = this_way(forms);
                        let text = format!("'{dotted}'{how} needs PTX version {v} or later, the module says {version}");
                        (E0124, start, end, text)
                    }
                    (Some((i, Unmet::Target(t))), _) => {
                        let dotted = &forms[i].shape.dotted;
                        let how = this_way(forms);
                        (E0125, start, end, format!("'{dotted}'{how} is not supported on {target}: it needs {t}"))
                    }
                    (Some((i, Unmet::Never(what))), _) => {
                        (E0122, start, end, format!("{what} in '{}'", forms[i].shape.dotted))
                    }
                    (None, Some((_, n, message))) => {
                        let (from, to) = self.opnds.get(n).map_or((start, end), |o| self.place(o));
                        (E0123, from, to, format!("{message} in '{dotted}'"))
                    }
                    (None, None) => (E0122, start, end, format!("no form of '{dotted}' fits")),
                }
            }
            Choice::UnknownOp(word) => {
                (E0120, start, start + word.len(), format!("{} is not the name of an instruction", quote(word)))
            }
            &Choice::UnknownMod(from, to) => {
                let word = self.cur.slice(start + from, start + to);
                (E0121, start + from - 1, start + to, format!("unknown modifier {}", quote(&format!(".{word}"))))
            }
            Choice::NoForm(message, from, to) => {
                let from = if *from == 0 { 0 } else { from - 1 };
                (E0122, start + from, (start + to).min(end.max(start + from)), message.to_string())
            }
        };
        self.errs.error(code, from, to, message);
        None
    }

    fn fits(&self, form: &Candidate) -> Result<(), Problem> {
        let wants = &form.wants;
        if form.shape.op == Op::Call {
            return Ok(());
        }
        let optional = wants.len() - form.least as usize;
        let (found, most) = (self.opnds.len(), wants.len());
        if found > most || found + optional < most {
            let range = if optional == 0 { most.to_string() } else { format!("{} to {most}", form.least) };
            let text = format!("expected {range} operands, found {found}");
            return Err((false, found.saturating_sub(1).min(most), text));
        }
        let missing = (most - found) as u32;
        if missing == 0 {
            return self.fits_without(form, 0);
        }
        // Leave out optional operands, the last ones first; there are at most a handful.
        let mut first = None;
        for left_out in (0..1u32 << optional).rev().filter(|set| set.count_ones() == missing) {
            match self.fits_without(form, left_out) {
                Ok(()) => return Ok(()),
                Err(problem) => first = farther(first, problem),
            }
        }
        Err(first.unwrap_or((true, 0, String::from("the operands do not fit"))))
    }

    /// Checks the operands without a set of optional ones (by their order).
    fn fits_without(&self, form: &Candidate, left_out: u32) -> Result<(), Problem> {
        let mut at = 0;
        let mut nth = 0;
        for want in &form.wants {
            if want.flags & OPTIONAL != 0 {
                nth += 1;
                if left_out >> (nth - 1) & 1 == 1 {
                    continue;
                }
            }
            match self.opnds.get(at) {
                Some(opnd) => self.fit(want, opnd, form).map_err(|text| (true, at, text))?,
                None => return Err((true, at, String::from("an operand is missing"))),
            }
            at += 1;
        }
        Ok(())
    }

    fn fit(&self, want: &Want, opnd: &Opnd, form: &Candidate) -> Result<(), String> {
        let tag = opnd.word.tag();
        match want.kind {
            Kind::Dest | Kind::Reg | Kind::Source if want.vec > 0 => self.vector(want, opnd, want.vec as usize),
            Kind::Dest | Kind::Source | Kind::Reg
                if !matches!(form.shape.op, Op::Mov | Op::Movmatrix) && tag == Tag::Vec && opnd.count == 1 =>
            {
                // `{%r1}` is a vector of one element, which ptxas accepts as a scalar.
                let member = &self.items[opnd.first as usize];
                self.scalar(want, member)
            }
            Kind::Dest | Kind::Source | Kind::Reg if form.shape.op == Op::Mov && self.is_many(opnd) => {
                self.pack(want, opnd)
            }
            Kind::Dest | Kind::Source | Kind::Reg => self.scalar(want, opnd),
            Kind::Imm => match tag {
                Tag::SmallInt | Tag::Int => Ok(()),
                _ => Err(String::from("expected an integer constant")),
            },
            Kind::Pred => match tag {
                Tag::Reg | Tag::Also if opnd.ty == Ty::Pred => Ok(()),
                Tag::Sink if want.flags & SINK != 0 => Ok(()),
                _ => Err(format!("expected a predicate register, found {}", self.describe(opnd))),
            },
            Kind::PredPair => match tag {
                Tag::Reg if opnd.ty == Ty::Pred => Ok(()),
                Tag::Pair if opnd.ty == Ty::Pred => Ok(()),
                _ => Err(format!("expected a predicate or a pair p|q, found {}", self.describe(opnd))),
            },
            Kind::PredSource => match tag {
                Tag::Reg | Tag::NotPred if opnd.ty == Ty::Pred => Ok(()),
                Tag::SmallInt | Tag::Int => Ok(()),
                _ => Err(format!("expected a predicate, found {}", self.describe(opnd))),
            },
            Kind::RegPred => match tag {
                Tag::Pair if opnd.count == 1 => Ok(()),
                Tag::Pair => self.typed(want, opnd, opnd.ty),
                _ => self.scalar(want, opnd),
            },
            Kind::Addr => self.fits_address(opnd, form),
            Kind::TensorAddr => match tag {
                Tag::AddrReg | Tag::AddrRegOff if opnd.ty.bits() == 32 && !opnd.ty.is_float() => Ok(()),
                Tag::AddrNone => Ok(()),
                _ => Err(format!("expected an address in a 32-bit register, found {}", self.describe(opnd))),
            },
            Kind::Any => self.any(want, opnd, form),
            Kind::Bracket => match tag {
                Tag::Bracket | Tag::AddrReg | Tag::AddrSym | Tag::AddrRegOff => Ok(()),
                _ => Err(String::from("expected operands in brackets")),
            },
            Kind::AnyVec => match tag {
                Tag::Vec => self.vector(want, opnd, opnd.count as usize),
                Tag::Reg if opnd.width > 1 => Ok(()),
                Tag::Reg => self.scalar(want, opnd),
                Tag::Sink if want.flags & SINK != 0 => Ok(()),
                // An offset may be a scalar, see [`crate::brackets`].
                Tag::SmallInt | Tag::Int if form.shape.op == Op::Tex && want.ty == Some(Ty::S32) => Ok(()),
                _ => Err(format!("expected a vector, found {}", self.describe(opnd))),
            },
            Kind::Video | Kind::VideoDest => match tag {
                Tag::Reg | Tag::RegPart | Tag::Neg if compatible(opnd.ty, Ty::U32, false) => Ok(()),
                Tag::SmallInt | Tag::Int if want.kind == Kind::Video => Ok(()),
                _ => Err(format!("expected a 32-bit integer register, found {}", self.describe(opnd))),
            },
            Kind::Label => match tag {
                Tag::Label => Ok(()),
                _ => Err(String::from("expected a label")),
            },
            Kind::Targets => match tag {
                Tag::Targets => Ok(()),
                _ => Err(String::from("expected a list of targets")),
            },
            Kind::SinkOnly => match tag {
                Tag::Sink => Ok(()),
                _ => Err(format!("expected '_', found {}", self.describe(opnd))),
            },
            Kind::Call => Ok(()),
        }
    }

    fn scalar(&self, want: &Want, opnd: &Opnd) -> Result<(), String> {
        let Some(ty) = want.ty else { return Ok(()) };
        let source = want.kind == Kind::Source || want.kind == Kind::AnyVec && want.flags & SPECIAL != 0;
        match opnd.word.tag() {
            Tag::Reg if opnd.width == 1 => self.typed(want, opnd, opnd.ty),
            Tag::Sum if source => {
                let integers = [ty, opnd.ty].iter().all(|ty| !ty.is_float() && *ty != Ty::Pred && ty.bits() <= 64);
                if opnd.width > 1 || !integers {
                    return Err(format!("a constant is added to integers only, not to {}", self.describe(opnd)));
                }
                self.typed(want, opnd, opnd.ty)
            }
            Tag::RegPart if opnd.count == 0 => self.typed(want, opnd, opnd.ty),
            Tag::Sink if want.flags & SINK != 0 => Ok(()),
            Tag::SmallInt | Tag::Int if source => {
                if ty.is_float() && !packed(ty) || ty == Ty::Pred {
                    return Err(format!("an integer constant is no .{}", ty.name()));
                }
                Ok(())
            }
            Tag::F32 | Tag::F64 if source => float_fits(opnd.word, ty),
            Tag::Special if source && want.flags & SPECIAL != 0 => {
                if opnd.width == 1 {
                    self.special(want, opnd, ty)
                } else {
                    Err(String::from("expected one component, as in .x"))
                }
            }
            Tag::Special => Err(String::from("special registers are read by mov and cvt only")),
            _ => {
                let what = if source { "a register or constant" } else { "a register" };
                Err(format!("expected {what} of type .{}, found {}", ty.name(), self.describe(opnd)))
            }
        }
    }

    /// Checks that a special register may be read as this type. (ptxas 13.0.88: an integer of its
    /// size, or a smaller one where registers may be wider; some may be read narrower anywhere.)
    fn special(&self, want: &Want, opnd: &Opnd, ty: Ty) -> Result<(), String> {
        let reg = special_of(opnd.word);
        let wider = want.flags & RELAXED != 0 && opnd.ty.bits() > ty.bits();
        let size = ty.bits() == opnd.ty.bits() || reg.narrow().contains(&ty.bits()) || wider;
        if size && !ty.is_float() && (ty == Ty::Pred) == (opnd.ty == Ty::Pred) {
            return Ok(());
        }
        Err(format!("{} is no .{}", self.describe(opnd), ty.name()))
    }

    fn typed(&self, want: &Want, opnd: &Opnd, reg: Ty) -> Result<(), String> {
        let Some(ty) = want.ty else { return Ok(()) };
        if compatible(reg, ty, want.flags & RELAXED != 0) {
            return Ok(());
        }
        Err(format!("expected .{}, found {}", ty.name(), self.describe(opnd)))
    }

    fn vector(&self, want: &Want, opnd: &Opnd, n: usize) -> Result<(), String> {
        let tag = opnd.word.tag();
        if tag == Tag::Reg && (opnd.width as usize == n || n == 1) {
            return self.typed(want, opnd, opnd.ty);
        }
        if tag == Tag::Special && opnd.width as usize == n && want.flags & SPECIAL != 0 {
            return Ok(());
        }
        if tag != Tag::Vec {
            return Err(format!("expected a vector of {n}, found {}", self.describe(opnd)));
        }
        if opnd.count as usize != n {
            return Err(format!("expected a vector of {n}, found one of {}", opnd.count));
        }
        let members = &self.items[opnd.first as usize..][..n];
        // A constant of a fragment of halves is its 32 bits (ptxas 13.0.88).
        let bits = Want { ty: Some(Ty::B32), ..*want };
        for member in members {
            let plain = matches!(member.word.tag(), Tag::SmallInt | Tag::Int | Tag::F32 | Tag::Special);
            self.scalar(if plain && want.ty == Some(Ty::F16x2) { &bits } else { want }, member)?;
        }
        let mut widths = members.iter().filter(|m| m.word.tag() == Tag::Reg).map(|m| m.ty.bits());
        if let Some(first) = widths.next()
            && widths.any(|width| width != first)
        {
            return Err(String::from("the members of a vector have one width"));
        }
        if n > 0 && members.iter().all(|m| m.word.tag() == Tag::Sink) {
            return Err(String::from("a vector needs one register at least"));
        }
        Ok(())
    }

    /// Whether an operand is a list or a vector register.
    pub(crate) fn is_many(&self, opnd: &Opnd) -> bool {
        opnd.word.tag() == Tag::Vec || opnd.word.tag() == Tag::Reg && opnd.width > 1
    }

    fn any(&self, want: &Want, opnd: &Opnd, form: &Candidate) -> Result<(), String> {
        let ty = want.ty.or(form.shape.types.first().copied()).unwrap_or(Ty::B32);
        let tag = opnd.word.tag();
        match tag {
            Tag::Vec if want.vec == 0 => self.pack(want, opnd),
            Tag::Reg if want.vec == 0 && opnd.width > 1 => self.pack(want, opnd),
            Tag::Symbol | Tag::SymbolOff | Tag::Func => {
                if matches!(ty.bits(), 32 | 64) && !ty.is_float() {
                    Ok(())
                } else {
                    Err(format!("an address is no .{}", ty.name()))
                }
            }
            Tag::Special if opnd.width == 1 || want.vec == opnd.width => self.special(want, opnd, ty),
            Tag::NotPred if ty == Ty::Pred => Ok(()),
            Tag::SmallInt | Tag::Int if ty == Ty::Pred => Ok(()),
            _ if want.vec > 0 => self.vector(&Want { kind: Kind::Source, ..*want }, opnd, want.vec as usize),
            _ => self.scalar(&Want { kind: Kind::Source, ..*want }, opnd),
        }
    }

    fn fits_address(&self, opnd: &Opnd, form: &Candidate) -> Result<(), String> {
        match opnd.word.tag() {
            Tag::AddrReg | Tag::AddrRegOff => {
                if matches!(opnd.ty.bits(), 32 | 64) && !opnd.ty.is_float() {
                    Ok(())
                } else {
                    Err(format!("an address is in a 32 or 64-bit integer register, found {}", self.describe(opnd)))
                }
            }
            Tag::AddrSym => Ok(()),
            Tag::Symbol | Tag::SymbolOff => Err(String::from("expected an address in brackets")),
            Tag::AddrNone if form.shape.mods.contains(&Mod::Local) => Ok(()),
            Tag::AddrNone => Err(String::from("an address without register or name is for .local only")),
            _ => Err(format!("expected an address in brackets, found {}", self.describe(opnd))),
        }
    }

    /// Checks single operations beyond what a row can express. Reports an error and returns `None`
    /// if a check fails, else the number of the form.
    fn extra(&mut self, choice: u32, index: usize, start: usize, end: usize) -> Option<usize> {
        let Choice::Forms(forms) = self.scratch.choice(choice) else { return None };
        let shape = &forms[index].shape;
        let is_lookup = shape.op == Op::Tex;
        match crate::special::check(self, shape) {
            Ok(()) if is_lookup => {
                let shape = shape.clone();
                crate::brackets::join_offset(self, &shape);
                Some(index)
            }
            Ok(()) => Some(index),
            Err((code, n, message)) => {
                let (from, to) = self.opnds.get(n).map_or((start, end), |o| self.place(o));
                self.errs.error(code, from, to, message);
                None
            }
        }
    }

    pub(crate) fn describe(&self, opnd: &Opnd) -> String {
        let (from, to) = self.place(opnd);
        let text = quote(self.cur.slice(from, to));
        match opnd.word.tag() {
            Tag::Reg | Tag::RegPart | Tag::Sum => format!("{text} of type .{}", opnd.ty.name()),
            _ => text,
        }
    }
}

/// The more informative one of two problems: with the right number of operands, then farther
/// right.
fn farther(known: Option<Problem>, new: Problem) -> Option<Problem> {
    match known {
        Some(known) if (known.0, known.1) >= (new.0, new.1) => Some(known),
        _ => Some(new),
    }
}

/// What to add to the spelling of a form that the module does not have, where it has another of
/// the same spelling.
fn this_way(forms: &[Candidate]) -> &'static str {
    if forms.iter().any(|form| form.unmet.is_none()) { " with these operands" } else { "" }
}

/// Whether constants of this type may be integers: packed types except halves (ptxas 13.0.88).
fn packed(ty: Ty) -> bool {
    ty.is_float() && !matches!(ty, Ty::F32 | Ty::F64 | Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2)
}

fn float_fits(word: Word, ty: Ty) -> Result<(), String> {
    let ok = matches!((word.tag(), ty), (_, Ty::F32 | Ty::F64) | (Tag::F32, Ty::B32) | (Tag::F64, Ty::B64));
    if ok { Ok(()) } else { Err(format!("a floating-point constant is no .{}", ty.name())) }
}

fn poisoned(opnd: &Opnd) -> bool {
    opnd.word == Word::new(Tag::Sink, 1) && opnd.count == u32::MAX
}
