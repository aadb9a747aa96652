//! Terms evaluate to what their operations compute, whatever form the constructors give them.

use std::collections::BTreeMap;

use raddle_entity::{FxHashMap, SplitMix};
use raddle_ir::{Cond, Op, Sign, Width};
use raddle_opt::eval::eval;

use super::{Bank, Class, Kind, Node, Sort, Term, ones, signed};
use crate::semantics;

/// A value: bits, or the bytes of a memory that differ from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Val {
    Bits(u128),
    Memory(BTreeMap<u128, u8>),
}

impl Val {
    fn bits(&self) -> u128 {
        if let Val::Bits(x) = self { *x } else { panic!("no bits") }
    }

    fn memory(&self) -> &BTreeMap<u128, u8> {
        if let Val::Memory(m) = self { m } else { panic!("no memory") }
    }
}

/// Evaluates a term; `env` has the variables.
fn value(bank: &Bank, t: Term, env: &FxHashMap<Term, Val>) -> Val {
    let mut done: FxHashMap<Term, Val> = FxHashMap::default();
    for t in bank.reachable(&[t]) {
        let v = match bank.node(t) {
            Node::Const(c) => Val::Bits(*c),
            Node::Var(_) => env[&t].clone(),
            Node::Sum(parts, c) => {
                let sum = parts.iter().fold(*c, |acc, (t, n)| acc.wrapping_add(done[t].bits().wrapping_mul(*n)));
                Val::Bits(sum & ones(bank.bits(t)))
            }
            Node::Op(Kind::Ite, x) => done[&x[if done[&x[0]].bits() == 1 { 1 } else { 2 }]].clone(),
            Node::Op(kind, x) => {
                let args: Vec<(u128, u16)> = x.iter().map(|a| (done[a].bits(), bank.bits(*a))).collect();
                Val::Bits(operation(*kind, &args, bank.bits(t)) & ones(bank.bits(t)))
            }
            Node::Apply(..) => panic!("not evaluated"),
            Node::Read(m, a) => {
                let (m, a, width) = (done[m].memory(), done[a].bits(), bank.bits(*a));
                let byte = |n: u16| m.get(&(a.wrapping_add(n.into()) & ones(width))).copied().unwrap_or(0);
                Val::Bits((0..bank.bits(t) / 8).rev().fold(0, |acc, n| acc << 8 | u128::from(byte(n))))
            }
            Node::Write(m, a, v) => {
                let (mut m, to, width) = (done[m].memory().clone(), done[a].bits(), bank.bits(*a));
                for n in 0..bank.bits(*v) / 8 {
                    m.insert(to.wrapping_add(n.into()) & ones(width), (done[v].bits() >> (8 * n)) as u8);
                }
                Val::Memory(m)
            }
        };
        done.insert(t, v);
    }
    done.remove(&t).expect("the root is reachable")
}

fn operation(kind: Kind, a: &[(u128, u16)], bits: u16) -> u128 {
    let (x, w) = a[0];
    let y = a.get(1).map_or(0, |a| a.0);
    match kind {
        Kind::Mul => x.wrapping_mul(y),
        Kind::UDiv => x.checked_div(y).unwrap_or(u128::MAX),
        Kind::URem => x.checked_rem(y).unwrap_or(x),
        Kind::SDiv => signed(x, w).checked_div(signed(y, w)).unwrap_or(-1) as u128,
        Kind::SRem => signed(x, w).checked_rem(signed(y, w)).unwrap_or(signed(x, w)) as u128,
        Kind::And => x & y,
        Kind::Or => x | y,
        Kind::Xor => x ^ y,
        Kind::Not => !x,
        Kind::Shl => {
            if y < u128::from(w) {
                x << y
            } else {
                0
            }
        }
        Kind::LShr => {
            if y < u128::from(w) {
                x >> y
            } else {
                0
            }
        }
        Kind::AShr => (signed(x, w) >> y.min(127)) as u128,
        Kind::Concat => x << a[1].1 | y,
        Kind::Extract(low) => x >> low,
        Kind::SignExt => signed(x, w) as u128,
        Kind::Ult => u128::from(x < y),
        Kind::Slt => u128::from(signed(x, w) < signed(y, w)),
        Kind::Eq => u128::from(x == y),
        Kind::Ite => unreachable!("{bits}"),
    }
}

/// Operations with the widths of their operands, and of the result.
fn operations() -> Vec<(Op, Vec<Width>, Width)> {
    use Width::{B16, B32, B64, P};
    let mut out = Vec::new();
    for w in [B16, B32, B64] {
        let two = vec![w, w];
        for s in [Sign::U, Sign::S] {
            for op in [Op::Div(s), Op::Rem(s), Op::Min(s), Op::Max(s), Op::MulHi(s)] {
                out.push((op, two.clone(), w));
            }
            out.push((Op::MadHi(s), vec![w; 3], w));
            out.push((Op::Shr(s), vec![w, B32], w));
            for c in [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge] {
                out.push((Op::Icmp(c, s), two.clone(), P));
            }
        }
        for op in [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor] {
            out.push((op, two.clone(), w));
        }
        for op in [Op::Neg, Op::Not, Op::Abs] {
            out.push((op, vec![w], w));
        }
        out.push((Op::Mad, vec![w; 3], w));
        out.push((Op::Shl, vec![w, B32], w));
        out.push((Op::Select, vec![P, w, w], w));
    }
    for (narrow, wide) in [(B16, B32), (B32, B64), (B16, B64)] {
        out.push((Op::Trunc, vec![wide], narrow));
        out.push((Op::Zext, vec![narrow], wide));
        out.push((Op::Sext, vec![narrow], wide));
    }
    for (narrow, wide) in [(B16, B32), (B32, B64)] {
        for s in [Sign::U, Sign::S] {
            out.push((Op::MulWide(s), vec![narrow, narrow], wide));
            out.push((Op::MadWide(s), vec![narrow, narrow, wide], wide));
        }
        out.push((Op::Pack, vec![narrow, narrow], wide));
    }
    for w in [B32, B64] {
        out.extend([Op::Popc, Op::Clz].map(|op| (op, vec![w], B32)));
        out.push((Op::Brev, vec![w], w));
    }
    for table in [0x96, 0xe8, 0xe2, 0x1b] {
        out.push((Op::Lop3(table), vec![B32; 3], B32));
    }
    for n in [1, 8, 16, 31] {
        out.extend([Sign::U, Sign::S].map(|s| (Op::ExtLow(s, n), vec![B32], B32)));
    }
    out.extend([Op::And, Op::Or, Op::Xor].map(|op| (op, vec![P, P], P)));
    out
}

#[test]
fn chains_of_operations_evaluate_as_the_compiler_folds_them() {
    let all = operations();
    let mut random = SplitMix(1);
    let mut below = |n: usize| (random.next() % n as u64) as usize;
    let mut checked = 0;
    for _ in 0..6000 {
        let mut bank = Bank::default();
        let mut env: FxHashMap<Term, Val> = FxHashMap::default();
        // Values with what they are: some constants, some variables.
        let mut pool: Vec<(Term, u64, Width)> = Vec::new();
        for (n, w) in [Width::P, Width::B16, Width::B16, Width::B32, Width::B32, Width::B32, Width::B64, Width::B64]
            .into_iter()
            .enumerate()
        {
            let bits = [0, 1, 2, 31, 32, 0xff, 0xffff_0000, u64::MAX, 1 << 63, 0x8000_8000, below(usize::MAX) as u64]
                [below(11)]
                & w.mask();
            let sort = Sort::Bits(w.bits() as u16);
            let t = if below(3) == 0 {
                bank.int(bits.into(), w.bits() as u16)
            } else {
                let t = bank.var(&format!("x{n}"), sort);
                env.insert(t, Val::Bits(bits.into()));
                t
            };
            pool.push((t, bits, w));
        }
        for _ in 0..8 {
            let (op, widths, result) = &all[below(all.len())];
            let pick = |w: Width, below: &mut dyn FnMut(usize) -> usize| {
                let fit: Vec<_> = pool.iter().filter(|p| p.2 == w).copied().collect();
                fit[below(fit.len())]
            };
            let args: Vec<(Term, u64, Width)> = widths.iter().map(|&w| pick(w, &mut below)).collect();
            let numbers: Vec<u64> = args.iter().map(|a| a.1).collect();
            let Some(expected) = eval(op, &numbers, widths[0], *result) else { continue };
            let terms: Vec<Term> = args.iter().map(|a| a.0).collect();
            // Division by zero was left out above; the term for it is not evaluated.
            let bits = result.bits() as u16;
            let t = semantics::results(&mut bank, op, &terms, &[bits])[0];
            if bank.reachable(&[t]).iter().any(|&t| matches!(bank.node(t), Node::Apply(..))) {
                continue;
            }
            assert_eq!(value(&bank, t, &env), Val::Bits(expected.into()), "{op} of {numbers:x?} as {terms:?}");
            checked += 1;
            pool.push((t, expected, *result));
        }
    }
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn memories_read_what_was_written() {
    let mut random = SplitMix(2);
    let mut below = |n: u64| random.next() % n;
    for _ in 0..2000 {
        let mut bank = Bank::default();
        let mut env: FxHashMap<Term, Val> = FxHashMap::default();
        let memory = bank.var("m", Sort::Memory(32));
        env.insert(memory, Val::Memory((0..64).map(|n| (n * 3, n as u8)).collect()));
        let bases = [("p", None), ("q", None), ("a", Some(Class::Variable)), ("b", Some(Class::Variable))];
        let bases = bases.map(|(name, class)| match class {
            Some(class) => bank.address(name, 32, class),
            None => bank.var(name, Sort::Bits(32)),
        });
        // Unknown addresses may be equal; variables are apart.
        for (base, at) in bases.iter().zip([8 * u128::from(below(2)), 4, 0x1000, 0x2000]) {
            env.insert(*base, Val::Bits(at));
        }
        let (mut now, mut plain) = (memory, value(&bank, memory, &env));
        for n in 0..12u128 {
            let base = bases[below(4) as usize];
            let bytes = [1, 2, 4, 8][below(4) as usize];
            let at = bank.plus(base, u128::from(below(12)));
            if below(2) == 0 {
                let v = bank.int(0x1122_3344_5566_7788 * (n + 1), bytes * 8);
                now = bank.write(now, at, v);
                let Val::Memory(m) = &mut plain else { panic!("a memory") };
                let to = value(&bank, at, &env).bits();
                let number = bank.constant(v).expect("a constant");
                m.extend((0..bytes).map(|n| (to + u128::from(n), (number >> (8 * n)) as u8)));
            } else {
                let got = bank.read(now, at, bytes);
                let from = value(&bank, at, &env).bits();
                let m = plain.memory();
                let byte = |n: u16| u128::from(m.get(&(from + u128::from(n))).copied().unwrap_or(0));
                let expected = (0..bytes).rev().fold(0, |acc, n| acc << 8 | byte(n));
                assert_eq!(value(&bank, got, &env).bits(), expected);
            }
        }
        assert_eq!(value(&bank, now, &env), plain);
    }
}

#[test]
fn equal_sums_and_pieces_are_one_term() {
    let mut bank = Bank::default();
    let (x, y) = (bank.var("x", Sort::Bits(32)), bank.var("y", Sort::Bits(32)));
    let (sum, eight) = (bank.add(x, y), bank.int(8, 32));
    let scaled = bank.mul(sum, eight);
    let three = bank.int(3, 32);
    let (a, b) = (bank.shl(x, three), bank.shl(y, three));
    assert_eq!(bank.add(b, a), scaled);
    let wide = bank.concat(y, x);
    let (low, high) = (bank.extract(wide, 0, 32), bank.extract(wide, 32, 32));
    assert_eq!((low, high), (x, y));
    let (upper, lower) = (bank.extract(x, 8, 24), bank.extract(x, 0, 8));
    assert_eq!(bank.concat(upper, lower), x);
}
