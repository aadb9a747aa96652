//! Parses the litmus format for PTX: a name, remarks, initial values, a table with a column for
//! each thread, a question.
//!
//! ```text
//! PTX MP
//! { x=0; y=0; P1:r1=0; }
//!  P0@cta 0,gpu 0      | P1@cta 0,gpu 0       ;
//!  st.weak x, 1        | ld.acquire.gpu r0, y ;
//!  st.release.gpu y, 1 | ld.weak r1, x        ;
//! ~exists (P1:r0 == 1 /\ P1:r1 == 0)
//! ```
//!
//! Unsupported constructs ([`Refused::Lacks`]) are distinguished from malformed text
//! ([`Refused::Malformed`]).

use std::collections::BTreeMap;
use std::fmt;

use super::program::{AtomOp, Condition, Instr, Operand, Program, Quantifier, Scope, Sem, Strength, Term, Thread};

/// The reason why a text cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It uses a construct that the checker does not support.
    Lacks(&'static str),
    /// It is malformed; the piece of text with the error.
    Malformed(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Lacks(what) => write!(f, "lacks {what}"),
            Refused::Malformed(what) => write!(f, "not understood: {what}"),
        }
    }
}

type Result<T> = std::result::Result<T, Refused>;

fn malformed<T>(what: &str) -> Result<T> {
    Err(Refused::Malformed(what.trim().to_owned()))
}

/// Reads a program.
///
/// # Errors
/// Unsupported or malformed text.
pub fn parse(text: &str) -> Result<Program> {
    let (head, rest) = text.split_once('{').ok_or(Refused::Malformed("no first values".into()))?;
    let name = head.lines().next().unwrap_or_default().trim_start_matches("PTX").trim().to_owned();
    let (values, rest) = rest.split_once('}').ok_or(Refused::Malformed("no end of the first values".into()))?;
    let end = rest.rfind(';').ok_or(Refused::Malformed("no threads".into()))? + 1;
    let (table, question) = rest.split_at(end);
    let mut rows = table.split(';').map(str::trim).filter(|row| !row.is_empty());
    let mut reader = Reader::default();
    for place in rows.next().unwrap_or_default().split('|') {
        reader.threads.push(thread(place)?);
    }
    for value in values.split(';').map(str::trim).filter(|v| !v.is_empty()) {
        reader.first_value(value)?;
    }
    let mut columns = vec![Vec::new(); reader.threads.len()];
    for row in rows {
        for (column, cell) in row.split('|').enumerate() {
            let cells = columns.get_mut(column).ok_or(Refused::Malformed(row.to_owned()))?;
            if !cell.trim().is_empty() {
                cells.push(cell.trim());
            }
        }
    }
    for (thread, cells) in columns.iter().enumerate() {
        reader.code(thread, cells)?;
    }
    let question = reader.question(question)?;
    Ok(Program { name, locs: reader.locs, threads: reader.threads, question })
}

/// Parses the place of a thread: `P0@cta 0,gpu 0`.
fn thread(place: &str) -> Result<Thread> {
    let mut numbers = BTreeMap::new();
    let (_, levels) = place.split_once('@').ok_or(Refused::Malformed(place.to_owned()))?;
    for level in levels.split(',') {
        let mut words = level.split_whitespace();
        let (Some(level), Some(Ok(number))) = (words.next(), words.next().map(str::parse)) else {
            return malformed(place);
        };
        numbers.insert(level, number);
    }
    let at = |level: &str| numbers.get(level).copied();
    let cta = at("cta").ok_or(Refused::Malformed(place.to_owned()))?;
    // Without clusters each thread block is a cluster (PTX ISA 9.0, 2.2.2).
    let place = [cta, at("cluster").unwrap_or(cta), at("gpu").unwrap_or(0)];
    Ok(Thread { place, regs: Vec::new(), code: Vec::new() })
}

#[derive(Default)]
struct Reader {
    locs: Vec<(String, i64)>,
    threads: Vec<Thread>,
}

impl Reader {
    fn loc(&mut self, name: &str) -> usize {
        self.locs.iter().position(|l| l.0 == name).unwrap_or_else(|| {
            self.locs.push((name.to_owned(), 0));
            self.locs.len() - 1
        })
    }

    fn reg(&mut self, thread: usize, name: &str) -> usize {
        let regs = &mut self.threads[thread].regs;
        regs.iter().position(|r| r.0 == name).unwrap_or_else(|| {
            regs.push((name.to_owned(), 0));
            regs.len() - 1
        })
    }

    /// `x=1` or `P0:r0=1`.
    fn first_value(&mut self, text: &str) -> Result<()> {
        if text.contains('@') {
            return Err(Refused::Lacks("aliases and proxies"));
        }
        let (name, value) = text.split_once('=').ok_or(Refused::Malformed(text.to_owned()))?;
        let Ok(value) = value.trim().parse() else { return malformed(text) };
        if let Some((thread, reg)) = name.split_once(':') {
            let thread = self.thread_number(thread)?;
            let reg = self.reg(thread, reg.trim());
            self.threads[thread].regs[reg].1 = value;
        } else {
            let loc = self.loc(name.trim());
            self.locs[loc].1 = value;
        }
        Ok(())
    }

    /// `P0` or `0`.
    fn thread_number(&self, text: &str) -> Result<usize> {
        match text.trim().trim_start_matches('P').parse() {
            Ok(n) if n < self.threads.len() => Ok(n),
            _ => malformed(text),
        }
    }

    fn code(&mut self, thread: usize, cells: &[&str]) -> Result<()> {
        let mut labels = BTreeMap::new();
        let mut lines = Vec::new();
        for cell in cells {
            match cell.strip_suffix(':') {
                Some(label) => drop(labels.insert(label.trim().to_owned(), lines.len())),
                None => lines.push(*cell),
            }
        }
        for line in lines {
            let instr = self.instr(thread, line, &labels)?;
            self.threads[thread].code.push(instr);
        }
        Ok(())
    }

    fn operand(&mut self, thread: usize, text: &str) -> Operand {
        text.parse().map_or_else(|_| Operand::Reg(self.reg(thread, text)), Operand::Const)
    }

    fn instr(&mut self, thread: usize, line: &str, labels: &BTreeMap<String, usize>) -> Result<Instr> {
        let (mnemonic, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let args: Vec<&str> = args.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
        let mut mods = mnemonic.split('.');
        let op = mods.next().unwrap_or_default();
        let mods: Vec<&str> = mods.collect();
        let label = |name: &str| labels.get(name).copied().ok_or(Refused::Malformed(line.to_owned()));
        Ok(match (op, &args[..]) {
            ("ld", [dst, value]) if mods.is_empty() => {
                let value = self.operand(thread, value);
                Instr::Move(self.reg(thread, dst), value)
            }
            ("ld", [dst, loc]) => {
                let dst = self.reg(thread, dst);
                Instr::Load(strength(&mods, line)?, dst, self.loc(loc))
            }
            ("st", [loc, value]) => {
                let value = self.operand(thread, value);
                Instr::Store(strength(&mods, line)?, self.loc(loc), value)
            }
            ("add", [dst, a, b]) => {
                let (a, b) = (self.operand(thread, a), self.operand(thread, b));
                Instr::Add(self.reg(thread, dst), a, b)
            }
            ("atom", [dst, loc, args @ ..]) => {
                let dst = self.reg(thread, dst);
                self.atom(thread, Some(dst), loc, args, &mods, line)?
            }
            ("red", [loc, args @ ..]) => self.atom(thread, None, loc, args, &mods, line)?,
            ("fence", []) if mods.first() == Some(&"proxy") => return Err(Refused::Lacks("aliases and proxies")),
            ("tld" | "suld" | "sust" | "cold", _) => return Err(Refused::Lacks("aliases and proxies")),
            ("fence", []) => Instr::Fence(strength(&mods, line)?),
            ("bar", [round, rest @ ..]) => {
                let Ok(round) = round.parse() else { return malformed(line) };
                let id = rest.first().map_or(Operand::Const(0), |id| self.operand(thread, id));
                let count = rest.get(1).map(|n| n.parse().map_err(|_| Refused::Malformed(line.to_owned())));
                let arrive = match mods[..] {
                    ["cta", "sync"] => false,
                    ["cta", "arrive"] => true,
                    _ => return malformed(line),
                };
                Instr::Barrier { round, id, count: count.transpose()?, arrive }
            }
            ("beq" | "bne", [a, b, to]) => {
                let (a, b) = (self.operand(thread, a), self.operand(thread, b));
                Instr::Branch(op == "beq", a, b, label(to)?)
            }
            ("goto", [to]) => Instr::Goto(label(to)?),
            _ => return malformed(line),
        })
    }

    fn atom(
        &mut self,
        thread: usize,
        dst: Option<usize>,
        loc: &str,
        args: &[&str],
        mods: &[&str],
        line: &str,
    ) -> Result<Instr> {
        let Some((name, mods)) = mods.split_last() else { return malformed(line) };
        let op = match *name {
            "add" => AtomOp::Add,
            "sub" => AtomOp::Sub,
            "exch" => AtomOp::Exch,
            "cas" => AtomOp::Cas,
            _ => return malformed(line),
        };
        if args.len() != if op == AtomOp::Cas { 2 } else { 1 } {
            return malformed(line);
        }
        let a = self.operand(thread, args[0]);
        let b = args.get(1).map_or(Operand::Const(0), |b| self.operand(thread, b));
        Ok(Instr::Atom { strength: strength(mods, line)?, op, dst, loc: self.loc(loc), args: [a, b] })
    }

    fn question(&mut self, text: &str) -> Result<(Quantifier, Condition)> {
        let text = text.trim();
        let kinds =
            [("exists", Quantifier::Exists), ("~exists", Quantifier::NotExists), ("forall", Quantifier::ForAll)];
        for (word, quantifier) in kinds {
            if let Some(rest) = text.strip_prefix(word) {
                let mut tokens = tokens(rest);
                tokens.reverse();
                let condition = self.either(&mut tokens)?;
                return if tokens.is_empty() { Ok((quantifier, condition)) } else { malformed(rest) };
            }
        }
        malformed(text)
    }

    fn either(&mut self, tokens: &mut Vec<String>) -> Result<Condition> {
        let mut left = self.both(tokens)?;
        while tokens.last().is_some_and(|t| t == "\\/") {
            tokens.pop();
            left = Condition::Or(Box::new(left), Box::new(self.both(tokens)?));
        }
        Ok(left)
    }

    fn both(&mut self, tokens: &mut Vec<String>) -> Result<Condition> {
        let mut left = self.primary(tokens)?;
        while tokens.last().is_some_and(|t| t == "/\\") {
            tokens.pop();
            left = Condition::And(Box::new(left), Box::new(self.primary(tokens)?));
        }
        Ok(left)
    }

    fn primary(&mut self, tokens: &mut Vec<String>) -> Result<Condition> {
        let first = tokens.pop().unwrap_or_default();
        if first == "~" {
            return Ok(Condition::Not(Box::new(self.primary(tokens)?)));
        }
        if first == "(" {
            let inner = self.either(tokens)?;
            return if tokens.pop().as_deref() == Some(")") { Ok(inner) } else { malformed("a ) is missing") };
        }
        let equal = match tokens.pop().as_deref() {
            Some("=" | "==") => true,
            Some("!=") => false,
            _ => return malformed(&first),
        };
        let second = tokens.pop().unwrap_or_default();
        Ok(Condition::Compare(equal, self.term(&first)?, self.term(&second)?))
    }

    fn term(&mut self, text: &str) -> Result<Term> {
        if let Ok(value) = text.parse() {
            return Ok(Term::Const(value));
        }
        if let Some((thread, reg)) = text.split_once(':') {
            let thread = self.thread_number(thread)?;
            return Ok(Term::Reg(thread, self.reg(thread, reg)));
        }
        match self.locs.iter().position(|l| l.0 == text) {
            Some(loc) => Ok(Term::Loc(loc)),
            None => malformed(text),
        }
    }
}

/// `release.gpu`, `weak`, `volatile`.
fn strength(mods: &[&str], line: &str) -> Result<Strength> {
    let (mut sem, mut scope) = (None, None);
    for word in mods {
        match *word {
            "weak" => sem = Some(Sem::Weak),
            "volatile" => sem = Some(Sem::Volatile),
            "relaxed" => sem = Some(Sem::Relaxed),
            "acquire" => sem = Some(Sem::Acquire),
            "release" => sem = Some(Sem::Release),
            "acq_rel" => sem = Some(Sem::AcqRel),
            "sc" => sem = Some(Sem::Sc),
            "cta" => scope = Some(Scope::Cta),
            "cluster" => scope = Some(Scope::Cluster),
            "gpu" => scope = Some(Scope::Gpu),
            "sys" => scope = Some(Scope::Sys),
            _ => return malformed(line),
        }
    }
    match (sem, scope) {
        (Some(sem @ (Sem::Weak | Sem::Volatile)), None) => Ok(Strength::new(sem, Scope::Sys)),
        (Some(sem), Some(scope)) => Ok(Strength::new(sem, scope)),
        _ => malformed(line),
    }
}

/// Splits into words, numbers and signs; `P0 : r0` and `P0:r0` are one word.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    while let Some(first) = rest.chars().next() {
        let signs = ["/\\", "\\/", "==", "!="].into_iter().find(|s| rest.starts_with(s)).map(str::len);
        let words = rest.find(|c| !word(c)).unwrap_or(rest.len());
        let length = signs.unwrap_or(if words > 0 { words } else { first.len_utf8() });
        let (token, after) = rest.split_at(length);
        match out.last_mut() {
            Some(last) if first == ':' || last.ends_with(':') && word(first) => last.push_str(token),
            _ => out.push(token.to_owned()),
        }
        rest = after.trim_start();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_threads() {
        let text = "PTX a\n\"remark\"\n{\nx=2;\nP1:r1=3;\n}\n P0@cta 0,gpu 0 | P1@cta 1, gpu 0 ;\n st.weak x, 1 | LC0: ;\n \
                    | atom.acq_rel.sys.cas r0, x, 1, r1 ;\n fence.sc.gpu | bne r0, 1, LC0 ;\nexists\n(P1 : r0 = 1 /\\ x != 3)";
        let program = parse(text).unwrap();
        assert_eq!(program.locs, [("x".to_owned(), 2)]);
        assert_eq!(program.threads[0].code.len(), 2);
        assert_eq!(program.threads[1].code[1], Instr::Branch(false, Operand::Reg(1), Operand::Const(1), 0));
        assert_eq!(program.threads[1].regs, [("r1".to_owned(), 3), ("r0".to_owned(), 0)]);
    }

    #[test]
    fn what_is_lacking_is_named() {
        let text = "PTX a\n{ x=0; y @ generic aliases x; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, y ;\nexists (P0:r0 == 1)";
        assert_eq!(parse(text).unwrap_err(), Refused::Lacks("aliases and proxies"));
        let text = "PTX a\n{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.odd.gpu r0, x ;\nexists (P0:r0 == 1)";
        assert_eq!(parse(text).unwrap_err(), Refused::Malformed("ld.odd.gpu r0, x".into()));
    }
}
