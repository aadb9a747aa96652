//! Reads statements: expressions with a prefix notation, whose widths follow from their names.

use raddle_ir::Op;

use crate::semantics;
use crate::term::{Bank, Sort, Term};

/// A statement that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

#[derive(Clone, Debug)]
enum Expr {
    Name(String),
    Call(String, Vec<Expr>),
}

/// A rule: what it replaces by what, and when.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its name in the source.
    pub name: String,
    /// The whole line.
    pub text: String,
    line: usize,
    range: Option<(String, String)>,
    before: Expr,
    after: Expr,
    conditions: Vec<Expr>,
}

/// Reads the statements of a text.
///
/// # Errors
/// The first line that is none.
pub fn statements(text: &str) -> Result<Vec<Statement>, Malformed> {
    let lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(n, line)| statement(n, line)).collect()
}

fn statement(line: usize, text: &str) -> Result<Statement, Malformed> {
    let wrong = |what: &str| Malformed { line, what: what.to_owned() };
    let (head, rest) = text.split_once('|').ok_or_else(|| wrong("no |"))?;
    let mut words = head.split_whitespace();
    let name = words.next().ok_or_else(|| wrong("no name"))?.to_owned();
    let range = match (words.next(), words.next()) {
        (None, _) => None,
        (Some("for"), Some(range)) => {
            let (low, high) = range.split_once("..").ok_or_else(|| wrong("no range"))?;
            Some((low.to_owned(), high.to_owned()))
        }
        _ => return Err(wrong("no range")),
    };
    let (before, rest) = rest.split_once("=>").ok_or_else(|| wrong("no =>"))?;
    let (after, conditions) = rest.split_once(" if ").unwrap_or((rest, ""));
    let exprs = |text: &str| exprs(text).ok_or_else(|| wrong("no expression"));
    let one = |text: &str| match exprs(text)?.as_slice() {
        [e] => Ok(e.clone()),
        _ => Err(wrong("not one expression")),
    };
    let (before, after) = (one(before)?, one(after)?);
    Ok(Statement { name, text: text.to_owned(), line, range, before, after, conditions: exprs(conditions)? })
}

/// The expressions of a text, one after another.
fn exprs(text: &str) -> Option<Vec<Expr>> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    // Calls that are open, with their names and operands so far.
    let mut open: Vec<(String, Vec<Expr>)> = vec![(String::new(), Vec::new())];
    let mut words = spaced.split_whitespace();
    while let Some(word) = words.next() {
        let done = match word {
            "(" => {
                open.push((words.next()?.to_owned(), Vec::new()));
                continue;
            }
            ")" => {
                let (name, args) = open.pop()?;
                Expr::Call(name, args)
            }
            name => Expr::Name(name.to_owned()),
        };
        open.last_mut()?.1.push(done);
    }
    match open.len() {
        1 => open.pop().map(|all| all.1),
        _ => None,
    }
}

/// Where an expression becomes a term.
pub struct Scope<'a> {
    /// The terms.
    pub bank: &'a mut Bank,
    /// The width.
    pub w: u16,
    /// The number in the place of `k`.
    pub k: Option<u16>,
}

impl Statement {
    /// The numbers for `k` at a width; one without a number if the statement has none.
    pub fn numbers(&self, w: u16) -> Vec<Option<u16>> {
        let Some((low, high)) = &self.range else { return vec![None] };
        let number = |text: &str| match text {
            "w" => w,
            "half" => w / 2,
            "half+1" => w / 2 + 1,
            n => n.parse().unwrap_or(0),
        };
        (number(low)..number(high)).map(Some).collect()
    }

    /// The conditions and both sides as terms.
    ///
    /// # Errors
    /// An unknown name or operation, widths that do not fit.
    pub fn terms(&self, scope: &mut Scope<'_>) -> Result<(Vec<Term>, Term, Term), Malformed> {
        let wrong = |what: String| Malformed { line: self.line, what };
        let left = scope.term(&self.before, None).map_err(wrong)?;
        let bits = scope.bank.bits(left);
        let right = scope.term(&self.after, Some(bits)).map_err(wrong)?;
        if scope.bank.bits(right) != bits {
            return Err(wrong(format!("{bits} bits become {}", scope.bank.bits(right))));
        }
        let conditions = self.conditions.iter().map(|c| scope.term(c, Some(1)));
        Ok((conditions.collect::<Result<_, _>>().map_err(wrong)?, left, right))
    }
}

/// What the operands of an operation have in common.
enum Shape {
    /// This many bits each, before those of the operation's own width.
    Fixed(&'static [(usize, u16)]),
    /// The operands have the width of the result.
    Same,
    /// They are as wide as each other; the result is a bit.
    Compare,
    /// All but the third are half as wide as the result.
    Wide,
}

fn shape(op: &Op) -> Shape {
    match op {
        Op::Shl | Op::Shr(_) => Shape::Fixed(&[(1, 32)]),
        Op::Bfe(_) => Shape::Fixed(&[(1, 32), (2, 32)]),
        Op::Bfi => Shape::Fixed(&[(2, 32), (3, 32)]),
        Op::ShfL | Op::ShfR => Shape::Fixed(&[(2, 32)]),
        Op::Select => Shape::Fixed(&[(0, 1)]),
        Op::Icmp(..) => Shape::Compare,
        Op::MulWide(_) | Op::MadWide(_) => Shape::Wide,
        _ => Shape::Same,
    }
}

impl Scope<'_> {
    /// The bits of a name that begins with a letter.
    fn bits_of(&self, name: &str) -> Option<u16> {
        Some(match name.chars().next()? {
            'a' | 'b' => self.w / 2,
            'x' | 'y' | 'z' | 'c' | 'd' | 'e' => self.w,
            'X' | 'Y' | 'Z' => 2 * self.w,
            'n' | 'm' => 32,
            'p' | 'q' => 1,
            _ => return None,
        })
    }

    fn number(&self, name: &str) -> Option<i128> {
        Some(match name {
            "w" => self.w.into(),
            "half" => (self.w / 2).into(),
            "k" => self.k?.into(),
            "yes" => 1,
            "no" | "0w" => 0,
            n => n.parse().ok()?,
        })
    }

    /// Whether an expression has the width of its place.
    fn is_flexible(&self, e: &Expr) -> bool {
        match e {
            Expr::Name(name) => self.number(name).is_some() && !matches!(name.as_str(), "0w" | "yes" | "no"),
            Expr::Call(name, args) => match self.op(name).map(|op| shape(&op)) {
                Some(Shape::Fixed(fixed)) => {
                    args.iter().enumerate().all(|(n, a)| fixed.iter().any(|f| f.0 == n) || self.is_flexible(a))
                }
                Some(Shape::Same) => args.iter().all(|a| self.is_flexible(a)),
                _ => false,
            },
        }
    }

    fn op(&self, name: &str) -> Option<Op> {
        let k = self.k.unwrap_or(1).to_string();
        let text = name.strip_suffix(".k").map_or_else(|| name.to_owned(), |head| format!("{head}.{k}"));
        Op::parse(&text)
    }

    fn term(&mut self, e: &Expr, want: Option<u16>) -> Result<Term, String> {
        match e {
            Expr::Name(name) => self.leaf(name, want),
            Expr::Call(name, args) => self.call(name, args, want),
        }
    }

    fn leaf(&mut self, name: &str, want: Option<u16>) -> Result<Term, String> {
        if let Some(value) = self.number(name) {
            let bits = match name {
                "0w" => self.w,
                "yes" | "no" => 1,
                _ => want.ok_or_else(|| format!("no width for {name}"))?,
            };
            return Ok(self.bank.int(value as u128, bits));
        }
        let bits = self.bits_of(name).ok_or_else(|| format!("no name {name}"))?;
        Ok(self.bank.var(name, Sort::Bits(bits)))
    }

    fn call(&mut self, name: &str, args: &[Expr], want: Option<u16>) -> Result<Term, String> {
        let w = self.w;
        let one = |scope: &mut Self| match args {
            [a] => scope.term(a, None),
            _ => Err(format!("{name} has one operand")),
        };
        if let Some((head @ ("zext" | "sext" | "trunc"), to)) = name.split_once('.') {
            let bits = match to {
                "h" => w / 2,
                "w" => w,
                "d" => 2 * w,
                _ => return Err(format!("no width {to}")),
            };
            let t = one(self)?;
            let from = self.bank.bits(t);
            return match head {
                "trunc" if from >= bits => Ok(self.bank.extract(t, 0, bits)),
                "zext" if from <= bits => Ok(self.bank.zext(t, bits)),
                "sext" if from <= bits => Ok(self.bank.sext(t, bits)),
                _ => Err(format!("{name} of {from} bits")),
            };
        }
        if let "low" | "high" = name {
            let t = one(self)?;
            return Ok(self.bank.extract(t, if name == "high" { w } else { 0 }, w));
        }
        let op = self.op(name).ok_or_else(|| format!("no operation {name}"))?;
        let shape = shape(&op);
        // The width of the operands: that of one that has its own, else that of the place.
        let is_fixed = |n: usize| matches!(shape, Shape::Fixed(fixed) if fixed.iter().any(|f| f.0 == n));
        let wide_third = |n: usize| matches!(shape, Shape::Wide) && n == 2;
        let mut common = None;
        for (n, a) in args.iter().enumerate() {
            if common.is_none() && !is_fixed(n) && !wide_third(n) && !self.is_flexible(a) {
                let t = self.term(a, None)?;
                common = Some(self.bank.bits(t));
            }
        }
        let common = common
            .or_else(|| want.filter(|_| matches!(shape, Shape::Fixed(_) | Shape::Same)))
            .ok_or_else(|| format!("no width for {name}"))?;
        let mut terms = Vec::new();
        for (n, a) in args.iter().enumerate() {
            let bits = match shape {
                Shape::Fixed(fixed) => fixed.iter().find(|f| f.0 == n).map_or(common, |f| f.1),
                Shape::Wide if n == 2 => 2 * common,
                _ => common,
            };
            let t = self.term(a, Some(bits))?;
            if self.bank.bits(t) != bits {
                return Err(format!("operand {n} of {name} has {} bits, not {bits}", self.bank.bits(t)));
            }
            terms.push(t);
        }
        // The machine shifts pairs of words by a word: here by as many bits as what is shifted has.
        if let Op::ShfL | Op::ShfR = op {
            terms[2] =
                if common > 32 { self.bank.zext(terms[2], common) } else { self.bank.extract(terms[2], 0, common) };
        }
        let bits = match (&op, &shape) {
            (Op::Pack, _) => common * args.len() as u16,
            (_, Shape::Compare) => 1,
            (_, Shape::Wide) => 2 * common,
            _ => common,
        };
        Ok(semantics::results(self.bank, &op, &terms, &[bits])[0])
    }
}
