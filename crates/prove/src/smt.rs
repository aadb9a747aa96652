//! Terms as text of SMT-LIB 2.6, in the theories of bit vectors, arrays and uninterpreted functions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::term::{Bank, Kind, Node, Sort, Term};

/// The script that asks whether these conditions can all hold; and the variables that a model is
/// asked for.
pub fn script(bank: &Bank, conditions: &[Term]) -> (String, Vec<String>) {
    let (mut out, mut variables) = (String::from("(declare-sort World 0)\n"), Vec::new());
    let mut functions: BTreeMap<(u32, Vec<Sort>, Sort), usize> = BTreeMap::new();
    for t in bank.reachable(conditions) {
        let sort = bank.sort(t);
        match bank.node(t) {
            Node::Var(name) => {
                let name = quoted(bank.name(*name), sort);
                let _ = writeln!(out, "(declare-const {name} {})", sort_text(sort));
                if matches!(sort, Sort::Bits(_)) {
                    variables.push(name.clone());
                }
                let _ = writeln!(out, "(define-fun t{} () {} {name})", t.index(), sort_text(sort));
            }
            Node::Apply(name, args) => {
                let sorts: Vec<Sort> = args.iter().map(|&a| bank.sort(a)).collect();
                let next = functions.len();
                let number = *functions.entry((*name, sorts.clone(), sort)).or_insert_with(|| {
                    let sorts: Vec<String> = sorts.iter().map(|&s| sort_text(s)).collect();
                    let _ = writeln!(out, "(declare-fun f{next} ({}) {})", sorts.join(" "), sort_text(sort));
                    next
                });
                let _ = writeln!(out, "(define-fun t{} () {} {})", t.index(), sort_text(sort), call(number, args));
            }
            node => {
                let _ = writeln!(out, "(define-fun t{} () {} {})", t.index(), sort_text(sort), body(bank, t, node));
                if let Node::Read(memory, address) = node
                    && let Node::Var(_) = bank.node(*memory)
                {
                    let (memory, at) = (shown(bank, *memory, 1), shown(bank, *address, 4));
                    let name = quoted(&format!("{memory}[{at}]"), sort);
                    let _ = writeln!(out, "(define-fun {name} () {} t{})", sort_text(sort), t.index());
                    variables.push(name);
                }
            }
        }
    }
    for &t in conditions {
        let _ = writeln!(out, "(assert (= t{} #b1))", t.index());
    }
    (out, variables)
}

/// A term as text, to a depth.
fn shown(bank: &Bank, t: Term, depth: usize) -> String {
    let inner = |t: &Term| shown(bank, *t, depth - 1);
    match bank.node(t) {
        _ if depth == 0 => format!("t{}", t.index()),
        Node::Const(c) => format!("{c}"),
        Node::Var(name) => bank.name(*name).to_owned(),
        Node::Sum(parts, c) => {
            let parts = parts.iter().map(|(t, n)| if *n == 1 { inner(t) } else { format!("{n}*{}", inner(t)) });
            let all: Vec<String> = parts.chain((*c != 0).then(|| c.to_string())).collect();
            format!("({})", all.join(" + "))
        }
        Node::Op(kind, args) => format!("{kind:?}({})", args.iter().map(inner).collect::<Vec<_>>().join(", ")),
        Node::Read(m, a) => format!("{}<{}>", inner(m), inner(a)),
        Node::Apply(..) | Node::Write(..) => format!("t{}", t.index()),
    }
}

fn call(function: usize, args: &[Term]) -> String {
    if args.is_empty() {
        return format!("f{function}");
    }
    format!("(f{function}{})", joined(args))
}

fn joined(args: &[Term]) -> String {
    args.iter().fold(String::new(), |mut text, a| {
        let _ = write!(text, " t{}", a.index());
        text
    })
}

fn quoted(name: &str, sort: Sort) -> String {
    let bits = if let Sort::Bits(bits) = sort { bits } else { 0 };
    format!("|{name}:{bits}|")
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bits(bits) => format!("(_ BitVec {bits})"),
        Sort::Memory(bits) => format!("(Array (_ BitVec {bits}) (_ BitVec 8))"),
        Sort::World => "World".to_owned(),
    }
}

fn number(value: u128, bits: u16) -> String {
    format!("(_ bv{value} {bits})")
}

fn body(bank: &Bank, t: Term, node: &Node) -> String {
    let bits = bank.bits(t);
    match node {
        Node::Const(value) => number(*value, bits),
        Node::Var(_) | Node::Apply(..) => String::new(),
        Node::Sum(parts, c) => {
            let mut text = number(*c, bits);
            for &(t, factor) in parts {
                let part = match factor {
                    1 => format!("t{}", t.index()),
                    n if n == crate::term::ones(bits) => format!("(bvneg t{})", t.index()),
                    n if n.is_power_of_two() => {
                        format!("(bvshl t{} {})", t.index(), number(n.trailing_zeros().into(), bits))
                    }
                    n => format!("(bvmul t{} {})", t.index(), number(n, bits)),
                };
                text = format!("(bvadd {text} {part})");
            }
            text
        }
        Node::Op(Kind::SignExt, args) => {
            format!("((_ sign_extend {}) t{})", bits - bank.bits(args[0]), args[0].index())
        }
        Node::Op(kind, args) => operation(*kind, args, bits),
        Node::Read(memory, address) => {
            let width = bank.bits(*address);
            let byte = |n: u16| {
                format!("(select t{} (bvadd t{} {}))", memory.index(), address.index(), number(n.into(), width))
            };
            let bytes: Vec<String> = (0..bits / 8).rev().map(byte).collect();
            if bytes.len() == 1 { bytes[0].clone() } else { format!("(concat {})", bytes.join(" ")) }
        }
        Node::Write(memory, address, value) => {
            let width = bank.bits(*address);
            (0..bank.bits(*value) / 8).fold(format!("t{}", memory.index()), |inner, n| {
                format!(
                    "(store {inner} (bvadd t{} {}) ((_ extract {} {}) t{}))",
                    address.index(),
                    number(n.into(), width),
                    n * 8 + 7,
                    n * 8,
                    value.index()
                )
            })
        }
    }
}

fn operation(kind: Kind, args: &[Term], bits: u16) -> String {
    let plain = |name: &str| format!("({name}{})", joined(args));
    let truth = |name: &str| format!("(ite ({name}{}) #b1 #b0)", joined(args));
    match kind {
        Kind::Mul => plain("bvmul"),
        Kind::UDiv => plain("bvudiv"),
        Kind::URem => plain("bvurem"),
        Kind::SDiv => plain("bvsdiv"),
        Kind::SRem => plain("bvsrem"),
        Kind::And => plain("bvand"),
        Kind::Or => plain("bvor"),
        Kind::Xor => plain("bvxor"),
        Kind::Not => plain("bvnot"),
        Kind::Shl => plain("bvshl"),
        Kind::LShr => plain("bvlshr"),
        Kind::AShr => plain("bvashr"),
        Kind::Concat => plain("concat"),
        Kind::Extract(low) => format!("((_ extract {} {low}) t{})", low + bits - 1, args[0].index()),
        Kind::Ult => truth("bvult"),
        Kind::Slt => truth("bvslt"),
        Kind::Eq => truth("="),
        Kind::SignExt => plain("sign_extend"),
        Kind::Ite => format!("(ite (= t{} #b1) t{} t{})", args[0].index(), args[1].index(), args[2].index()),
    }
}
