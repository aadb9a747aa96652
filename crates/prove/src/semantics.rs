//! Operations of the IR as terms, exactly as the comments of [`raddle_ir::op`] and PTX define them.
//!
//! The widths are those of the operands, so that a rule can be stated at 8 bits, too, which the IR
//! does not have. What is not modelled (floating point, conversions, textures) is a function of
//! operation and operands about which nothing else is known: equal uses stay equal.

use raddle_ir::{Cond, Op, PrmtMode, Sign, Special};

use crate::ranges;
use crate::term::{Bank, Kind, Sort, Term};

/// The results of an operation without effect; `bits` are the widths of its results.
pub fn results(bank: &mut Bank, op: &Op, args: &[Term], bits: &[u16]) -> Vec<Term> {
    match (op, bits) {
        (Op::Unpack, _) => {
            let mut low = 0;
            let piece = |&n: &u16| {
                low += n;
                bank.extract(args[0], low - n, n)
            };
            bits.iter().map(piece).collect()
        }
        (Op::AddC | Op::SubC, &[w, _]) => {
            let y = if matches!(op, Op::SubC) { bank.not(args[1]) } else { args[1] };
            let wide = [args[0], y, args[2]].map(|t| bank.zext(t, w + 1));
            let sum = bank.sum(&wide.map(|t| (t, 1)), 0, w + 1);
            vec![bank.extract(sum, 0, w), bank.extract(sum, w, 1)]
        }
        (_, &[w]) => match one(bank, op, args, w) {
            Some(t) => vec![t],
            None => unknown(bank, op, args, bits),
        },
        _ => unknown(bank, op, args, bits),
    }
}

/// Results of which nothing is known.
pub fn unknown(bank: &mut Bank, op: &Op, args: &[Term], bits: &[u16]) -> Vec<Term> {
    let name = |n: usize| if bits.len() == 1 { op.to_string() } else { format!("{op} {n}") };
    bits.iter().enumerate().map(|(n, &w)| bank.apply(&name(n), args, Sort::Bits(w))).collect()
}

/// The one result of an operation; `None` if it is not modelled.
fn one(bank: &mut Bank, op: &Op, a: &[Term], w: u16) -> Option<Term> {
    Some(match *op {
        Op::Const(bits) => bank.int(bits.into(), w),
        Op::Special(s) => special(bank, s, w),
        Op::EnvReg(n) => bank.var(&format!("envreg.{n}"), Sort::Bits(w)),
        Op::Pack => a[1..].iter().fold(a[0], |low, &part| bank.concat(part, low)),
        Op::Trunc => bank.extract(a[0], 0, w),
        Op::Zext => bank.zext(a[0], w),
        Op::Sext => bank.sext(a[0], w),
        Op::ExtLow(sign, n) => {
            let low = bank.extract(a[0], 0, n.into());
            extend(bank, sign, low, w)
        }
        Op::Add => bank.add(a[0], a[1]),
        Op::Sub => bank.sub(a[0], a[1]),
        Op::AddSat | Op::SubSat => saturated(bank, matches!(op, Op::AddSat), a, w),
        Op::Neg => bank.neg(a[0]),
        Op::Abs => {
            let (negative, minus) = (is_negative(bank, a[0]), bank.neg(a[0]));
            bank.ite(negative, minus, a[0])
        }
        Op::Mul => bank.mul(a[0], a[1]),
        Op::MulHi(sign) => high_product(bank, sign, a),
        Op::MulWide(sign) => wide_product(bank, sign, a, w),
        Op::Mad => {
            let product = bank.mul(a[0], a[1]);
            bank.add(product, a[2])
        }
        Op::MadHi(sign) => {
            let product = high_product(bank, sign, a);
            bank.add(product, a[2])
        }
        Op::MadWide(sign) => {
            let product = wide_product(bank, sign, a, w);
            bank.add(product, a[2])
        }
        Op::Div(sign) => divided(bank, op, if sign == Sign::U { Kind::UDiv } else { Kind::SDiv }, a, w),
        Op::Rem(sign) => divided(bank, op, if sign == Sign::U { Kind::URem } else { Kind::SRem }, a, w),
        Op::Min(sign) => {
            let less = less(bank, sign, a[1], a[0]);
            bank.ite(less, a[1], a[0])
        }
        Op::Max(sign) => {
            let less = less(bank, sign, a[0], a[1]);
            bank.ite(less, a[1], a[0])
        }
        Op::Sad(sign) => {
            let less = less(bank, sign, a[0], a[1]);
            let (up, down) = (bank.sub(a[1], a[0]), bank.sub(a[0], a[1]));
            let distance = bank.ite(less, up, down);
            bank.add(distance, a[2])
        }
        Op::And => bank.and(a[0], a[1]),
        Op::Or => bank.or(a[0], a[1]),
        Op::Xor => bank.xor(a[0], a[1]),
        Op::Not => bank.not(a[0]),
        Op::Lop3(table) => lop3(bank, table, a, w),
        Op::Shl => {
            let n = amount(bank, a[1], w);
            bank.shl(a[0], n)
        }
        Op::Shr(sign) => shifted_right(bank, sign, a[0], a[1], w),
        Op::ShfL | Op::ShfR | Op::ShfLClamp | Op::ShfRClamp => funnel(bank, op, a, w),
        Op::Popc => {
            let bits = bank.bits(a[0]);
            let ones: Vec<(Term, u128)> = (0..bits)
                .map(|n| {
                    let bit = bank.extract(a[0], n, 1);
                    (bank.zext(bit, w), 1)
                })
                .collect();
            bank.sum(&ones, 0, w)
        }
        Op::Clz => {
            let bits = bank.bits(a[0]);
            let mut count = bank.int(bits.into(), w);
            for n in 0..bits {
                let bit = bank.extract(a[0], n, 1);
                let zeros = bank.int(u128::from(bits - 1 - n), w);
                count = bank.ite(bit, zeros, count);
            }
            count
        }
        Op::Brev => {
            let bits: Vec<Term> = (0..w).map(|n| bank.extract(a[0], n, 1)).collect();
            bits[1..].iter().fold(bits[0], |upper, &bit| bank.concat(upper, bit))
        }
        Op::Bfe(sign) => bfe(bank, sign, a, w),
        Op::Bfi => bfi(bank, a, w),
        Op::Prmt(PrmtMode::Index) => prmt(bank, a)?,
        Op::Icmp(cond, sign) => compare(bank, cond, sign, a[0], a[1])?,
        Op::Select => bank.ite(a[0], a[1], a[2]),
        _ => return None,
    })
}

/// A special register: as many bits as its greatest value has, below zeros.
fn special(bank: &mut Bank, s: Special, w: u16) -> Term {
    let bits = ranges::limit(s).map_or(w, |most| (128 - most.leading_zeros() as u16).min(w));
    let low = bank.var(&format!("special.{s:?}"), Sort::Bits(bits));
    bank.zext(low, w)
}

fn extend(bank: &mut Bank, sign: Sign, t: Term, bits: u16) -> Term {
    if sign == Sign::S { bank.sext(t, bits) } else { bank.zext(t, bits) }
}

fn is_negative(bank: &mut Bank, t: Term) -> Term {
    let bits = bank.bits(t);
    bank.extract(t, bits - 1, 1)
}

/// Whether a < b.
pub fn less(bank: &mut Bank, sign: Sign, a: Term, b: Term) -> Term {
    if sign == Sign::S { bank.slt(a, b) } else { bank.ult(a, b) }
}

fn compare(bank: &mut Bank, cond: Cond, sign: Sign, a: Term, b: Term) -> Option<Term> {
    Some(match cond {
        Cond::Eq => bank.equal(a, b),
        Cond::Ne => {
            let equal = bank.equal(a, b);
            bank.not(equal)
        }
        Cond::Lt => less(bank, sign, a, b),
        Cond::Gt => less(bank, sign, b, a),
        Cond::Le => {
            let more = less(bank, sign, b, a);
            bank.not(more)
        }
        Cond::Ge => {
            let less = less(bank, sign, a, b);
            bank.not(less)
        }
        _ => return None,
    })
}

fn saturated(bank: &mut Bank, adds: bool, a: &[Term], w: u16) -> Term {
    let (x, y) = (bank.sext(a[0], w + 1), bank.sext(a[1], w + 1));
    let exact = if adds { bank.add(x, y) } else { bank.sub(x, y) };
    let low = bank.extract(exact, 0, w);
    let (sign, above) = (bank.extract(exact, w, 1), bank.extract(exact, w - 1, 1));
    let (least, most) = (bank.int(1 << (w - 1), w), bank.int((1 << (w - 1)) - 1, w));
    let clamped = bank.ite(sign, least, most);
    let fits = bank.equal(sign, above);
    bank.ite(fits, low, clamped)
}

fn wide_product(bank: &mut Bank, sign: Sign, a: &[Term], w: u16) -> Term {
    let (x, y) = (extend(bank, sign, a[0], w), extend(bank, sign, a[1], w));
    bank.mul(x, y)
}

fn high_product(bank: &mut Bank, sign: Sign, a: &[Term]) -> Term {
    let bits = bank.bits(a[0]);
    let product = wide_product(bank, sign, a, 2 * bits);
    bank.extract(product, bits, bits)
}

/// Division by zero gives unspecified bits: an unknown function of the dividend.
fn divided(bank: &mut Bank, op: &Op, kind: Kind, a: &[Term], w: u16) -> Term {
    let quotient = bank.quotient(kind, a[0], a[1]);
    let zero = bank.int(0, w);
    let by_zero = bank.equal(a[1], zero);
    let anything = bank.apply(&format!("{op} by zero"), &[a[0]], Sort::Bits(w));
    bank.ite(by_zero, anything, quotient)
}

fn lop3(bank: &mut Bank, table: u8, a: &[Term], w: u16) -> Term {
    let mut out = bank.int(0, w);
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let mut term = bank.int(u128::MAX, w);
        for (n, &x) in a.iter().enumerate() {
            let x = if row >> (2 - n) & 1 == 1 { x } else { bank.not(x) };
            term = bank.and(term, x);
        }
        out = bank.or(out, term);
    }
    out
}

/// A shift amount in the width of what is shifted; amounts beyond the width stay beyond it.
fn amount(bank: &mut Bank, n: Term, w: u16) -> Term {
    let bits = bank.bits(n);
    if bits <= w {
        return bank.zext(n, w);
    }
    let (limit, all) = (bank.int(w.into(), bits), bank.int(w.into(), w));
    let fits = bank.ult(n, limit);
    let low = bank.extract(n, 0, w);
    bank.ite(fits, low, all)
}

fn shifted_right(bank: &mut Bank, sign: Sign, x: Term, n: Term, w: u16) -> Term {
    let n = amount(bank, n, w);
    if sign == Sign::S { bank.ashr(x, n) } else { bank.lshr(x, n) }
}

fn funnel(bank: &mut Bank, op: &Op, a: &[Term], w: u16) -> Term {
    let both = bank.concat(a[1], a[0]);
    let most = bank.int(w.into(), w);
    let n = if matches!(op, Op::ShfL | Op::ShfR) {
        let mask = bank.int(u128::from(w) - 1, w);
        bank.and(a[2], mask)
    } else {
        let less = bank.ult(a[2], most);
        bank.ite(less, a[2], most)
    };
    let n = bank.zext(n, 2 * w);
    if matches!(op, Op::ShfL | Op::ShfLClamp) {
        let shifted = bank.shl(both, n);
        bank.extract(shifted, w, w)
    } else {
        let shifted = bank.lshr(both, n);
        bank.extract(shifted, 0, w)
    }
}

/// The low eight bits of a position or length, in this many bits.
fn byte(bank: &mut Bank, t: Term, w: u16) -> Term {
    let low = bank.extract(t, 0, 8);
    if w >= 8 { bank.zext(low, w) } else { bank.extract(low, 0, w) }
}

/// Bit field extract (PTX ISA 9.0, 9.7.1.19): bits beyond the end are zero or the sign.
fn bfe(bank: &mut Bank, sign: Sign, a: &[Term], w: u16) -> Term {
    let (pos, len) = (byte(bank, a[1], w), byte(bank, a[2], w));
    let moved = shifted_right(bank, sign, a[0], pos, w);
    let (zero, bits) = (bank.int(0, w), bank.int(w.into(), w));
    let (short, unused) = (bank.ult(len, bits), bank.sub(bits, len));
    let up = bank.ite(short, unused, zero);
    let high = bank.shl(moved, up);
    let field = shifted_right(bank, sign, high, up, w);
    let none = bank.equal(len, zero);
    bank.ite(none, zero, field)
}

/// Bit field insert (PTX ISA 9.0, 9.7.1.20).
fn bfi(bank: &mut Bank, a: &[Term], w: u16) -> Term {
    let (pos, len) = (byte(bank, a[2], w), byte(bank, a[3], w));
    let one = bank.int(1, w);
    let beyond = bank.shl(one, len);
    let low = bank.plus(beyond, u128::MAX);
    let mask = bank.shl(low, pos);
    let (field, rest) = (bank.shl(a[0], pos), bank.not(mask));
    let (inside, outside) = (bank.and(field, mask), bank.and(a[1], rest));
    bank.or(inside, outside)
}

/// Bytes selected by a constant (PTX ISA 9.0, 9.7.9.7).
fn prmt(bank: &mut Bank, a: &[Term]) -> Option<Term> {
    let selector = bank.constant(a[2])?;
    let both = bank.concat(a[1], a[0]);
    let mut out = None;
    for n in 0..4 {
        let which = selector >> (4 * n) & 15;
        let low = (which & 7) as u16 * 8;
        let byte = if which & 8 == 0 {
            bank.extract(both, low, 8)
        } else {
            let sign = bank.extract(both, low + 7, 1);
            bank.sext(sign, 8)
        };
        out = Some(out.map_or(byte, |rest| bank.concat(byte, rest)));
    }
    out
}
