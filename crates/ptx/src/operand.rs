//! Reads operands: from text to packed words, with additional facts for the checker.

use crate::body::{Tag, Word, pack_part, pack_special};
use crate::cursor::is_name;
use crate::decl::{Fault, integer, name, punct};
use crate::errors::*;
use crate::parse::{Opnd, Parser};
use crate::scope::Name;
use crate::tree::*;
use crate::ty::{Space, SpecialReg, Ty};
use raddle_diag::quote;

/// The most operands of an instruction, or members of a list.
const OPERANDS: usize = 1 << 16;

impl<'a> Parser<'a, '_, '_> {
    /// Reads all operands up to the semicolon. With `targets` the second one is a list of targets
    /// (`brx`).
    pub(crate) fn operands(&mut self, targets: bool) -> Result<(), Fault> {
        self.cur.skip_space();
        if self.cur.peek() == b';' {
            return Ok(());
        }
        loop {
            let opnd = if targets && self.opnds.len() == 1 {
                let (text, span) = name(&mut self.cur, "a list of targets")?;
                let Some(Name::Targets(list)) = self.scopes.get(text) else {
                    let message = format!("unknown list of targets {}", quote(text));
                    return Err(Fault::new(E0112, span.start, span.end, message));
                };
                self.opnd(Word::new(Tag::Targets, list.as_u32()), span.start, span.end)
            } else {
                self.operand()?
            };
            self.opnds.push(opnd);
            self.limit(self.opnds.len())?;
            self.cur.skip_space();
            match self.cur.peek() {
                b'|' => self.also()?,
                b'+' => self.sum()?,
                _ => {}
            }
            if !self.cur.eat(b',') {
                return Ok(());
            }
        }
    }

    /// Limits the operands of an instruction: each takes 48 bytes until its end.
    fn limit(&self, count: usize) -> Result<(), Fault> {
        if count <= OPERANDS {
            return Ok(());
        }
        let at = self.cur.pos();
        Err(Fault::new(E0113, at, at + 1, format!("more than {OPERANDS} operands of one instruction")))
    }

    /// Reads `+8`, once or more, after a register.
    fn sum(&mut self) -> Result<(), Fault> {
        let Some(first) = self.opnds.last().copied().filter(|o| o.word.tag() == Tag::Reg) else {
            return Err(Fault::expected(&self.cur, "',' or ';'"));
        };
        let at = self.cur.pos();
        let mut by = 0u64;
        while self.cur.eat(b'+') {
            by = by.wrapping_add(integer(&mut self.cur)?);
        }
        let pool = self.pool(&[first.word.payload(), by as u32, (by >> 32) as u32], at)?;
        let last = self.opnds.len() - 1;
        self.opnds[last] = Opnd { word: Word::new(Tag::Sum, pool), end: self.offset(self.cur.pos()), ..first };
        Ok(())
    }

    /// Reads `|%q` after an operand.
    fn also(&mut self) -> Result<(), Fault> {
        self.cur.bump();
        self.cur.skip_space();
        let start = self.cur.pos();
        let (text, _) = if self.cur.peek() == b'_' && !is_name(self.cur.peek_at(1)) {
            self.cur.bump();
            ("_", start..start + 1)
        } else {
            name(&mut self.cur, "a predicate")?
        };
        let end = self.cur.pos();
        let second = match text {
            "_" => None,
            _ => match self.register(text) {
                Some((reg, ty, _)) => Some((reg, ty)),
                None => return Err(Fault::new(E0111, start, end, format!("unknown register {}", quote(text)))),
            },
        };
        if let Some((_, ty)) = second
            && ty != Ty::Pred
        {
            let message = format!("expected a predicate behind '|', found {}", quote(text));
            return Err(Fault::new(E0123, start, end, message));
        }
        let number = second.map_or(0, |(reg, _)| reg.as_u32() + 1);
        let Some(first) = self.opnds.last().copied() else { return Ok(()) };
        let pair = match first.word.tag() {
            Tag::Reg => Some(first.word.payload() + 1),
            Tag::Sink => Some(0),
            _ => None,
        };
        match pair {
            Some(one) => {
                let at = self.pool(&[one, number], start)?;
                let last = self.opnds.len() - 1;
                let ty = if first.word.tag() == Tag::Sink { Ty::Pred } else { first.ty };
                let word = Word::new(Tag::Pair, at);
                // `count` 1 tells the checker that the first part is a sink.
                let count = u32::from(one == 0);
                self.opnds[last] = Opnd { word, ty, count, end: self.offset(end), ..first };
            }
            None => {
                let mut opnd = self.opnd(Word::new(Tag::Also, number), start, end);
                opnd.ty = Ty::Pred;
                self.opnds.push(opnd);
            }
        }
        Ok(())
    }

    /// Appends raw words to the pool.
    pub(crate) fn pool(&mut self, words: &[u32], at: usize) -> Result<u32, Fault> {
        let first = self.body.words.len();
        if first + words.len() > crate::body::PAYLOAD_MAX as usize {
            return Err(Fault::new(E0113, at, at + 1, "too many operands in one function"));
        }
        self.body.words.extend(words.iter().map(|&w| Word(w)));
        Ok(first as u32)
    }

    pub(crate) fn operand(&mut self) -> Result<Opnd, Fault> {
        self.cur.skip_space();
        let start = self.cur.pos();
        match self.cur.peek() {
            b'%' | b'a'..=b'z' | b'A'..=b'V' | b'X'..=b'Z' | b'$' => self.named(start),
            b'_' | b'W' => {
                if self.cur.peek() == b'_' && !is_name(self.cur.peek_at(1)) {
                    self.cur.bump();
                    return Ok(self.opnd(Word::new(Tag::Sink, 0), start, start + 1));
                }
                let mut ahead = self.cur.clone();
                if ahead.name() == "WARP_SZ" { self.immediate(start) } else { self.named(start) }
            }
            b'0'..=b'9' | b'(' | b'~' | b'+' | b'.' => self.immediate(start),
            b'-' => {
                let mut ahead = self.cur.clone();
                ahead.bump();
                ahead.skip_space();
                if ahead.peek() == b'%' {
                    self.cur = ahead;
                    let mut opnd = self.operand_register(start)?;
                    match opnd.word.tag() {
                        Tag::Reg => opnd.word = Word::new(Tag::Neg, opnd.word.payload()),
                        Tag::RegPart => self.body.words[opnd.word.payload() as usize + 2] = Word(1),
                        _ => {}
                    }
                    return Ok(opnd);
                }
                self.immediate(start)
            }
            b'!' => {
                let mut ahead = self.cur.clone();
                ahead.bump();
                ahead.skip_space();
                let b = ahead.peek();
                if b.is_ascii_digit() || matches!(b, b'(' | b'!' | b'~' | b'-') {
                    return self.immediate(start);
                }
                self.cur = ahead;
                let mut opnd = self.operand_register(start)?;
                if opnd.word.tag() != Tag::Reg || opnd.ty != Ty::Pred {
                    let (s, e) = self.place(&opnd);
                    return Err(Fault::new(E0123, s, e, "only a predicate can be negated by '!'"));
                }
                opnd.word = Word::new(Tag::NotPred, opnd.word.payload());
                Ok(opnd)
            }
            b'[' => self.bracket(start),
            b'{' => {
                self.cur.bump();
                self.list(start, Tag::Vec, b'}')
            }
            b'"' => Err(Fault::expected(&self.cur, "an operand")),
            _ => Err(Fault::expected(&self.cur, "an operand")),
        }
    }

    fn operand_register(&mut self, start: usize) -> Result<Opnd, Fault> {
        let opnd = self.named(start)?;
        match opnd.word.tag() {
            Tag::Reg | Tag::RegPart => Ok(opnd),
            _ => {
                let (s, e) = self.place(&opnd);
                Err(Fault::new(E0123, s, e, "expected a register"))
            }
        }
    }

    /// Reads a register, special register or symbol.
    fn named(&mut self, start: usize) -> Result<Opnd, Fault> {
        let at = self.cur.pos();
        let text = self.cur.name();
        if let Some((reg, ty, width)) = self.register(text) {
            let mut opnd = self.opnd(Word::new(Tag::Reg, reg.as_u32()), start, self.cur.pos());
            opnd.ty = ty;
            opnd.width = width;
            if self.cur.peek() == b'.' {
                let part = self.part()?;
                let word = self.pool(&[reg.as_u32(), pack_part(part), 0], at)?;
                opnd.word = Word::new(Tag::RegPart, word);
                opnd.end = self.offset(self.cur.pos());
                if matches!(part, Part::Component(c) if c >= width || width == 1) {
                    let (s, e) = self.place(&opnd);
                    return Err(Fault::new(E0123, s, e, format!("{} has no such component", quote(text))));
                }
                opnd.width = 1;
                // The checker tells components from video selectors by this count.
                opnd.count = u32::from(!matches!(part, Part::Component(_)));
            }
            return Ok(opnd);
        }
        if text.starts_with('%')
            && let Some(special) = SpecialReg::by_name(text)
        {
            let (version, target) = self.module();
            if let Some((since, sm)) = special.needs() {
                let end = self.cur.pos();
                if version < since {
                    let message =
                        format!("{} needs PTX version {since} or later, the module says {version}", quote(text));
                    return Err(Fault::new(E0124, at, end, message));
                }
                if target.sm < sm {
                    let message = format!("{} is not supported on {target}: it needs sm_{sm} or later", quote(text));
                    return Err(Fault::new(E0125, at, end, message));
                }
            }
            let mut component = None;
            if self.cur.peek() == b'.' {
                let word = self.cur.dot_word();
                component = match word {
                    ".x" => Some(0),
                    ".y" => Some(1),
                    ".z" => Some(2),
                    ".w" => Some(3),
                    _ => None,
                };
                if component.is_none() || special.width() == 1 {
                    let end = self.cur.pos();
                    let message = format!("{} has no component {}", quote(text), quote(word));
                    return Err(Fault::new(E0123, at, end, message));
                }
            }
            let payload = pack_special(special, component);
            let mut opnd = self.opnd(Word::new(Tag::Special, payload), start, self.cur.pos());
            opnd.ty = special.ty();
            opnd.width = if component.is_some() { 1 } else { special.width() };
            return Ok(opnd);
        }
        let end = self.cur.pos();
        match self.symbol(text) {
            Some(Name::Sym { sym, space }) => {
                let mut offset = 0i64;
                self.cur.skip_space();
                let mut memory = false;
                match self.cur.peek() {
                    b'+' => {
                        self.cur.bump();
                        offset = integer(&mut self.cur)? as i64;
                    }
                    b'[' => {
                        let size = self.element(sym, start, end)?;
                        self.cur.bump();
                        offset = (integer(&mut self.cur)? as i64).wrapping_mul(size);
                        punct(&mut self.cur, b']', "']'")?;
                        memory = true;
                    }
                    _ => {}
                }
                let word = if offset == 0 {
                    Word::new(Tag::Symbol, sym.as_u32())
                } else {
                    let at = self.pool(&[sym.as_u32(), offset as u32, (offset as u64 >> 32) as u32], at)?;
                    Word::new(Tag::SymbolOff, at)
                };
                let mut opnd = self.opnd(word, start, end);
                opnd.space = Some(space);
                opnd.count = u32::from(memory);
                Ok(opnd)
            }
            Some(Name::Func { sym }) => Ok(self.opnd(Word::new(Tag::Func, sym.as_u32()), start, end)),
            Some(Name::Label(label)) => Ok(self.opnd(Word::new(Tag::Label, label.as_u32()), start, end)),
            _ if text.is_empty() => Err(Fault::expected(&self.cur, "an operand")),
            _ => {
                // Reported here, so that the other operands are read too.
                self.errs.error(E0111, at, end, format!("unknown symbol {}", quote(text)));
                let mut opnd = self.opnd(Word::new(Tag::Sink, 1), start, end);
                if self.cur.peek() == b'.' {
                    self.cur.dot_word();
                }
                opnd.count = u32::MAX;
                Ok(opnd)
            }
        }
    }

    /// Reads `.x`, `.b0`, `.h10`, ...
    fn part(&mut self) -> Result<Part, Fault> {
        let start = self.cur.pos();
        let word = self.cur.dot_word();
        let digits = word.get(2..).unwrap_or("");
        let pack = |limit: u8| -> Option<u16> {
            digits.bytes().enumerate().try_fold(0u16, |acc, (i, b)| {
                let n = b.checked_sub(b'0').filter(|n| *n < limit)?;
                Some(acc | u16::from(n) << (4 * i))
            })
        };
        let count = digits.len() as u8;
        let part = match (word, digits.len()) {
            (".x" | ".r", _) => Some(Part::Component(0)),
            (".y" | ".g", _) => Some(Part::Component(1)),
            (".z" | ".b", _) => Some(Part::Component(2)),
            (".w" | ".a", _) => Some(Part::Component(3)),
            (w, 1..=4) if w.starts_with(".b") => pack(8).map(|sel| Part::Bytes(sel, count)),
            (w, 1..=2) if w.starts_with(".h") => pack(4).map(|sel| Part::Halves(sel as u8, count)),
            _ => None,
        };
        let fault = || Fault::new(E0123, start, start + word.len(), format!("unknown selector {}", quote(word)));
        part.ok_or_else(fault)
    }

    /// Reads members up to the closing bracket. A member cannot be a list, so nesting is bounded.
    pub(crate) fn list(&mut self, start: usize, tag: Tag, close: u8) -> Result<Opnd, Fault> {
        let mut members: smallvec::SmallVec<[Opnd; 8]> = smallvec::SmallVec::new();
        if !self.cur.eat(close) {
            loop {
                self.cur.skip_space();
                if matches!(self.cur.peek(), b'{' | b'[') {
                    return Err(Fault::expected(&self.cur, "an element"));
                }
                members.push(self.operand()?);
                self.limit(members.len())?;
                if self.cur.eat(b',') {
                    continue;
                }
                let what = if close == b'}' { "',' or '}'" } else { "',' or ')'" };
                punct(&mut self.cur, close, what)?;
                break;
            }
        }
        self.finish_list(start, tag, &members)
    }

    pub(crate) fn finish_list(&mut self, start: usize, tag: Tag, members: &[Opnd]) -> Result<Opnd, Fault> {
        let at = self.pool(&[members.len() as u32], start)?;
        for member in members {
            self.pool(&[member.word.0], start)?;
        }
        let first = self.items.len() as u32;
        self.items.extend_from_slice(members);
        let mut opnd = self.opnd(Word::new(tag, at), start, self.cur.pos());
        opnd.first = first;
        opnd.count = members.len() as u32;
        Ok(opnd)
    }

    /// Reads `[%rd1+8]`, `[name]`, `[16]`, `[a, {x, y}]`, `[a, b, {x}]`.
    fn bracket(&mut self, start: usize) -> Result<Opnd, Fault> {
        self.cur.bump();
        let first = self.address(start)?;
        if self.cur.eat(b']') {
            if self.cur.peek() == b'.' {
                let at = self.cur.pos();
                if self.cur.dot_word() != ".unified" {
                    return Err(Fault::new(E0101, at, self.cur.pos(), "expected ',' or ';' or .unified"));
                }
                self.unified = true;
            }
            let end = self.offset(self.cur.pos());
            return Ok(Opnd { end, ..first });
        }
        let mut members: smallvec::SmallVec<[Opnd; 8]> = smallvec::SmallVec::new();
        members.push(first);
        while self.cur.eat(b',') {
            self.cur.skip_space();
            let at = self.cur.pos();
            let member = if self.cur.peek() == b'{' {
                self.cur.bump();
                self.list(at, Tag::Vec, b'}')?
            } else if self.cur.peek() == b'[' {
                return Err(Fault::expected(&self.cur, "an operand"));
            } else {
                self.operand()?
            };
            members.push(member);
            self.limit(members.len())?;
        }
        punct(&mut self.cur, b']', "',' or ']'")?;
        self.finish_list(start, Tag::Bracket, &members)
    }

    /// Reads the first part in brackets: a base and offsets. An index has no brackets around it.
    fn address(&mut self, start: usize) -> Result<Opnd, Fault> {
        self.cur.skip_space();
        let at = self.cur.pos();
        let b = self.cur.peek();
        if !is_name(b) || b.is_ascii_digit() {
            let offset = integer(&mut self.cur)?;
            let pool = self.pool(&[offset as u32, (offset >> 32) as u32], at)?;
            return Ok(self.opnd(Word::new(Tag::AddrNone, pool), start, self.cur.pos()));
        }
        let text = self.cur.name();
        let end = self.cur.pos();
        let reg = self.register(text);
        let mut component = false;
        if reg.is_some() && self.cur.peek() == b'.' {
            component = true;
        }
        if component {
            let message = "a component of a vector is no address";
            return Err(Fault::new(E0123, at, self.cur.pos() + 1, message));
        }
        let base = match reg {
            Some((reg, ty, _)) => Ok((reg, ty)),
            None => Err(self.symbol(text)),
        };
        let mut offset = 0i64;
        // In a `debug` module ptxas 13.0.88 generates code for a written `+0`, so the tree keeps
        // it.
        let mut written = false;
        loop {
            self.cur.skip_space();
            match self.cur.peek() {
                b'+' => {
                    self.cur.bump();
                    written = true;
                    offset = offset.wrapping_add(integer(&mut self.cur)? as i64);
                }
                _ => break,
            }
        }
        let (low, high) = (offset as u32, (offset as u64 >> 32) as u32);
        Ok(match base {
            Ok((reg, ty)) => {
                let word = if !written {
                    Word::new(Tag::AddrReg, reg.as_u32())
                } else {
                    Word::new(Tag::AddrRegOff, self.pool(&[reg.as_u32(), low, high], at)?)
                };
                Opnd { ty, ..self.opnd(word, start, self.cur.pos()) }
            }
            Err(Some(Name::Sym { sym, space })) => {
                let word = Word::new(Tag::AddrSym, self.pool(&[sym.as_u32(), low, high], at)?);
                Opnd { space: Some(space), ..self.opnd(word, start, self.cur.pos()) }
            }
            Err(Some(Name::Func { sym })) => {
                let word = Word::new(Tag::AddrSym, self.pool(&[sym.as_u32(), low, high], at)?);
                Opnd { space: Some(Space::Generic), ..self.opnd(word, start, self.cur.pos()) }
            }
            Err(_) => {
                self.errs.error(E0111, at, end, format!("unknown symbol {}", quote(text)));
                let mut opnd = self.opnd(Word::new(Tag::Sink, 1), start, end);
                opnd.count = u32::MAX;
                opnd
            }
        })
    }
}
