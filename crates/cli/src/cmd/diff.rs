//! `raddle diff`: compares two cubins, kernel by kernel. Exit code 0 if they are equal, 1 if not.

use super::disasm::{self, isa};
use super::{json, read_cubin};
use crate::args::Diff;
use crate::demangle::demangle;
use crate::{Done, Failure, print};
use raddle_cubin::Cubin;
use raddle_cubin::diff::{Difference, FunctionDifference, Side};
use std::fmt::Write as _;

/// The number of instructions shown for one side of a change.
const SHOWN: usize = 12;

pub(crate) fn run(args: &Diff) -> Done {
    let (a, b) = (read_cubin(&args.a)?, read_cubin(&args.b)?);
    let difference = Difference::new(&a, &b);
    if args.json {
        print(&json(&difference)?)?;
    } else if difference.is_empty() {
        print(&format!("{} kernels and functions, all equal\n", difference.equal))?;
    } else {
        print(&people(&difference, &a, &b))?;
    }
    if difference.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
}

fn people(difference: &Difference, a: &Cubin, b: &Cubin) -> String {
    let mut out = String::new();
    if let Some((before, after)) = difference.sm {
        let _ = writeln!(out, "architecture: sm_{before} -> sm_{after}");
    }
    for function in &difference.functions {
        match function.only_in {
            Some(Side::A) => drop(writeln!(out, "- {}", demangle(&function.name))),
            Some(Side::B) => drop(writeln!(out, "+ {}", demangle(&function.name))),
            None => one(&mut out, function, a, b),
        }
    }
    let _ = writeln!(out, "{} differ, {} equal", difference.functions.len(), difference.equal);
    out
}

fn one(out: &mut String, function: &FunctionDifference, a: &Cubin, b: &Cubin) {
    let _ = writeln!(out, "! {}", demangle(&function.name));
    for fact in &function.facts {
        let _ = writeln!(out, "    {}: {} -> {}", fact.fact, fact.a, fact.b);
    }
    for bank in &function.banks {
        let _ = writeln!(out, "    constant bank {bank} differs");
    }
    for change in &function.changes {
        side(out, '-', a, &function.name, change.a);
        side(out, '+', b, &function.name, change.b);
    }
}

/// The instructions `range` of a function, each line marked with its side.
fn side(out: &mut String, mark: char, cubin: &Cubin, name: &str, range: (usize, usize)) {
    let functions = cubin.functions();
    let Some(function) = functions.iter().find(|function| function.name == name) else { return };
    let isa = isa(cubin.header.sm());
    for index in (range.0..range.1).take(SHOWN) {
        let Some(word) = function.code.get(index * 16..index * 16 + 16) else { return };
        let text = isa.map_or_else(|| format!("{word:02x?}"), |isa| disasm::text(isa, word, index as u64 * 16));
        let _ = writeln!(out, "    {mark} {:06x}  {text}", index * 16);
    }
    if range.1 - range.0 > SHOWN {
        let _ = writeln!(out, "    {mark} ... {} more", range.1 - range.0 - SHOWN);
    }
}
