//! Evaluates constant expressions (PTX ISA 9.0, 4.5.4) while reading them.
//!
//! Strategy: operator precedence with explicit stacks, without recursion. Integers are 64 bits
//! wide; an operation is unsigned if either operand is (4.5.6). Floating-point operands are f64,
//! combined with `+ - * /` and comparisons.

use crate::cursor::Cursor;
use crate::tree::{Imm, ImmKind};

/// An intermediate value.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    /// An exact bit pattern of an f32, which allows no arithmetic.
    Bits(Imm),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Pending {
    Paren,
    Minus,
    Plus,
    Not,
    Invert,
    ToSigned,
    ToUnsigned,
    Binary(&'static str, u8),
    /// `?` waiting for its `:`
    Question,
    /// `:` waiting for its second value
    Colon,
}

/// Binary operators, longer spellings first, with their precedence (C's).
const BINARY: [(&str, u8); 18] = [
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("==", 6),
    ("!=", 6),
    ("&&", 2),
    ("||", 1),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("+", 9),
    ("-", 9),
    ("<", 7),
    (">", 7),
    ("&", 5),
    ("^", 4),
    ("|", 3),
];

/// The most operators waiting for operands: more than any real expression has, in bounded memory.
const PENDING: usize = 1 << 16;

/// What an expression continues with.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A value, after any number of unary operators and opening parentheses.
    Operand,
    /// An operator, a closing parenthesis, or nothing more.
    Operator,
    /// Nothing: what follows is no part of the expression.
    End,
}

/// An expression while it is read.
struct Reader<'a, 't> {
    cur: &'a mut Cursor<'t>,
    /// Values that wait for operators.
    values: Vec<Value>,
    /// Operators that wait for operands.
    ops: Vec<Pending>,
    /// How many parentheses are open.
    parens: usize,
    /// How many `?` wait for their `:`.
    questions: usize,
}

/// Reads a constant expression. `first` is a literal that the caller has read. The error is a
/// description of what was expected.
pub(crate) fn expression(cur: &mut Cursor<'_>, first: Option<Imm>) -> Result<Imm, &'static str> {
    let mut next = if first.is_none() { Next::Operand } else { Next::Operator };
    let values = first.map(literal).into_iter().collect();
    let mut reader = Reader { cur, values, ops: Vec::new(), parens: 0, questions: 0 };
    while next != Next::End {
        reader.cur.skip_space();
        if reader.ops.len() >= PENDING {
            return Err("a simpler expression");
        }
        next = if next == Next::Operand { reader.operand()? } else { reader.operator()? };
    }
    reader.reduce(0)?;
    match (reader.values.pop(), reader.ops.is_empty() && reader.values.is_empty()) {
        (Some(value), true) => Ok(finish(value)),
        _ => Err("')'"),
    }
}

impl Reader<'_, '_> {
    /// Reads a value, or what may stand before one.
    fn operand(&mut self) -> Result<Next, &'static str> {
        let unary = match self.cur.peek() {
            b'(' => {
                self.cur.bump();
                self.parenthesis();
                return Ok(Next::Operand);
            }
            b'-' => Pending::Minus,
            b'+' => Pending::Plus,
            b'!' => Pending::Not,
            b'~' => Pending::Invert,
            b'0'..=b'9' | b'.' => {
                let value = self.number()?;
                self.values.push(value);
                return Ok(Next::Operator);
            }
            b'W' => {
                if self.cur.name() != "WARP_SZ" {
                    return Err("a constant");
                }
                self.values.push(Value::Signed(32));
                return Ok(Next::Operator);
            }
            _ => return Err("a constant"),
        };
        self.cur.bump();
        self.ops.push(unary);
        Ok(Next::Operand)
    }

    /// Reads the rest of a cast after its opening parenthesis; otherwise the parenthesis is one
    /// around an expression.
    fn parenthesis(&mut self) {
        let here = self.cur.clone();
        self.cur.skip_space();
        let op = cast(self.cur).unwrap_or_else(|| {
            *self.cur = here;
            self.parens += 1;
            Pending::Paren
        });
        self.ops.push(op);
    }

    /// Reads a number; the suffix `U` makes an integer unsigned.
    fn number(&mut self) -> Result<Value, &'static str> {
        let start = self.cur.pos();
        let imm = self.cur.number().map_err(|_| "a number")?;
        let unsigned = self.cur.slice(start, self.cur.pos()).ends_with('U');
        Ok(match literal(imm) {
            Value::Signed(v) if unsigned => Value::Unsigned(v as u64),
            other => other,
        })
    }

    /// Reads what follows a value: an operator, a closing parenthesis of the expression, or the
    /// end.
    fn operator(&mut self) -> Result<Next, &'static str> {
        match self.cur.peek() {
            b')' if self.parens > 0 => {
                self.cur.bump();
                self.parens -= 1;
                self.reduce(0)?;
                match self.ops.pop() {
                    Some(Pending::Paren) => Ok(Next::Operator),
                    _ => Err("':'"),
                }
            }
            b'?' => {
                self.cur.bump();
                self.reduce(1)?;
                self.ops.push(Pending::Question);
                self.questions += 1;
                Ok(Next::Operand)
            }
            b':' if self.questions > 0 => {
                self.cur.bump();
                self.questions -= 1;
                self.reduce(0)?;
                match self.ops.last_mut() {
                    Some(op @ Pending::Question) => *op = Pending::Colon,
                    _ => return Err("an operator"),
                }
                Ok(Next::Operand)
            }
            _ => self.binary_operator(),
        }
    }

    /// Reads a binary operator, if there is one.
    fn binary_operator(&mut self) -> Result<Next, &'static str> {
        let at = self.cur.pos();
        let rest = self.cur.slice(at, (at + 2).min(self.cur.end()));
        let found = BINARY.iter().find(|(text, _)| rest.starts_with(text));
        let Some(&(text, precedence)) = found else { return Ok(Next::End) };
        for _ in 0..text.len() {
            self.cur.bump();
        }
        self.reduce(precedence)?;
        self.ops.push(Pending::Binary(text, precedence));
        Ok(Next::Operand)
    }

    /// Applies pending operators of at least this precedence, and all unary ones.
    fn reduce(&mut self, precedence: u8) -> Result<(), &'static str> {
        while let Some(&op) = self.ops.last() {
            match op {
                Pending::Paren | Pending::Question => break,
                Pending::Colon => {
                    if precedence > 0 {
                        break;
                    }
                    self.ops.pop();
                    let (b, a, cond) = (self.value()?, self.value()?, self.value()?);
                    self.values.push(if truth(cond) { a } else { b });
                }
                Pending::Binary(text, p) => {
                    if p < precedence {
                        break;
                    }
                    self.ops.pop();
                    let (b, a) = (self.value()?, self.value()?);
                    self.values.push(binary(text, a, b)?);
                }
                unary => {
                    self.ops.pop();
                    let a = self.value()?;
                    self.values.push(apply_unary(unary, a)?);
                }
            }
        }
        Ok(())
    }

    /// Takes the last value.
    fn value(&mut self) -> Result<Value, &'static str> {
        self.values.pop().ok_or("a constant")
    }
}

fn literal(imm: Imm) -> Value {
    match imm.kind {
        ImmKind::Int if imm.bits > i64::MAX as u64 => Value::Unsigned(imm.bits),
        ImmKind::Int => Value::Signed(imm.bits as i64),
        ImmKind::F64 => Value::Float(f64::from_bits(imm.bits)),
        ImmKind::F32 => Value::Bits(imm),
    }
}

fn finish(value: Value) -> Imm {
    match value {
        Value::Signed(v) => Imm { bits: v as u64, kind: ImmKind::Int },
        Value::Unsigned(v) => Imm { bits: v, kind: ImmKind::Int },
        Value::Float(v) => Imm { bits: v.to_bits(), kind: ImmKind::F64 },
        Value::Bits(imm) => imm,
    }
}

/// Reads `.s64)` or `.u64)` after an opening parenthesis.
fn cast(cur: &mut Cursor<'_>) -> Option<Pending> {
    let op = match cur.dot_word() {
        ".s64" => Pending::ToSigned,
        ".u64" => Pending::ToUnsigned,
        _ => return None,
    };
    cur.eat(b')').then_some(op)
}

fn truth(value: Value) -> bool {
    match value {
        Value::Signed(v) => v != 0,
        Value::Unsigned(v) => v != 0,
        Value::Float(v) => v != 0.0,
        Value::Bits(imm) => imm.bits != 0,
    }
}

fn apply_unary(op: Pending, a: Value) -> Result<Value, &'static str> {
    Ok(match (op, a) {
        (Pending::Plus, a) => a,
        (Pending::Minus, Value::Signed(v)) => Value::Signed(v.wrapping_neg()),
        (Pending::Minus, Value::Unsigned(v)) => Value::Unsigned(v.wrapping_neg()),
        (Pending::Minus, Value::Float(v)) => Value::Float(-v),
        (Pending::Not, a) => Value::Signed(i64::from(!truth(a))),
        (Pending::Invert, Value::Signed(v)) => Value::Signed(!v),
        (Pending::Invert, Value::Unsigned(v)) => Value::Unsigned(!v),
        (Pending::ToSigned, Value::Unsigned(v)) => Value::Signed(v as i64),
        (Pending::ToUnsigned, Value::Signed(v)) => Value::Unsigned(v as u64),
        (Pending::ToSigned | Pending::ToUnsigned, a @ (Value::Signed(_) | Value::Unsigned(_))) => a,
        _ => return Err("an integer constant"),
    })
}

fn binary(op: &str, a: Value, b: Value) -> Result<Value, &'static str> {
    use Value::{Bits, Float, Signed, Unsigned};
    if let (Float(_), _) | (_, Float(_)) = (a, b) {
        let float = |v| match v {
            Signed(v) => Ok(v as f64),
            Unsigned(v) => Ok(v as f64),
            Float(v) => Ok(v),
            Bits(_) => Err("a decimal constant"),
        };
        let (x, y) = (float(a)?, float(b)?);
        return Ok(match op {
            "+" => Float(x + y),
            "-" => Float(x - y),
            "*" => Float(x * y),
            "/" => Float(x / y),
            "<" => Signed(i64::from(x < y)),
            ">" => Signed(i64::from(x > y)),
            "<=" => Signed(i64::from(x <= y)),
            ">=" => Signed(i64::from(x >= y)),
            "==" => Signed(i64::from(x == y)),
            "!=" => Signed(i64::from(x != y)),
            _ => return Err("an integer constant"),
        });
    }
    let int = |v| match v {
        Signed(v) => Ok((v as u64, false)),
        Unsigned(v) => Ok((v, true)),
        _ => Err("an integer constant"),
    };
    let ((x, ux), (y, uy)) = (int(a)?, int(b)?);
    let unsigned = ux || uy;
    let wrap = |v: u64| if unsigned { Unsigned(v) } else { Signed(v as i64) };
    let (sx, sy) = (x as i64, y as i64);
    let flag = |v: bool| Signed(i64::from(v));
    let less = if unsigned { x < y } else { sx < sy };
    Ok(match op {
        "+" => wrap(x.wrapping_add(y)),
        "-" => wrap(x.wrapping_sub(y)),
        "*" => wrap(x.wrapping_mul(y)),
        "/" | "%" if y == 0 => return Err("a divisor other than zero"),
        "/" => wrap(if unsigned { x / y } else { sx.wrapping_div(sy) as u64 }),
        "%" => wrap(if unsigned { x % y } else { sx.wrapping_rem(sy) as u64 }),
        "<<" => keep(ux, x.checked_shl(y.min(64) as u32).unwrap_or(0)),
        ">>" if ux => keep(ux, x.checked_shr(y.min(64) as u32).unwrap_or(0)),
        ">>" => keep(ux, (sx >> y.min(63)) as u64),
        "&" => wrap(x & y),
        "|" => wrap(x | y),
        "^" => wrap(x ^ y),
        "&&" => flag(x != 0 && y != 0),
        "||" => flag(x != 0 || y != 0),
        "==" => flag(x == y),
        "!=" => flag(x != y),
        "<" => flag(less),
        ">=" => flag(!less),
        ">" => flag(if unsigned { x > y } else { sx > sy }),
        "<=" => flag(if unsigned { x <= y } else { sx <= sy }),
        _ => return Err("an operator"),
    })
}

fn keep(unsigned: bool, v: u64) -> Value {
    if unsigned { Value::Unsigned(v) } else { Value::Signed(v as i64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(text: &str) -> Result<i64, &'static str> {
        expression(&mut Cursor::new(text, 0, text.len()), None).map(|imm| imm.bits as i64)
    }

    #[test]
    fn precedence_and_signs() {
        for (text, value) in [
            ("1+2*3", 7),
            ("(1<<3)|1", 9),
            ("-5+2", -3),
            ("~0", -1),
            ("!1", 0),
            ("1?2:3", 2),
            ("0?2:1+3", 4),
            ("-8/2", -4),
            ("0xffffffffffffffff>>60", 15),
            ("-1>>1", -1),
            ("10-3-2", 5),
            ("1 ? 0 ? 4 : 5 : 6", 5),
            ("2*(3+4)", 14),
            ("(.u64)-1>>63", 1),
            ("1<2 && 3!=4", 1),
        ] {
            assert_eq!(eval(text), Ok(value), "{text}");
        }
        assert_eq!(eval("1/0"), Err("a divisor other than zero"));
        assert!(eval("(1").is_err() && eval("+").is_err());
    }

    #[test]
    fn depth_costs_no_stack() {
        let text = format!("{}1{}", "(".repeat(60_000), ")".repeat(60_000));
        assert_eq!(eval(&text), Ok(1));
        assert_eq!(eval(&("-".repeat(60_000) + "1")), Ok(1));
        assert_eq!(eval(&"-".repeat(1_000_000)), Err("a simpler expression"));
    }
}
