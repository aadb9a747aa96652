//! `raddle diff`: two cubins, kernel by kernel. Exit code 0 if equal, 1 if not.

use super::read_cubin;
use crate::args::Diff;
use crate::demangle::demangle;
use crate::{Done, Failure, print};
use raddle_cubin::view::Kernel;
use std::fmt::Write as _;

/// Differing instructions named per kernel.
const SHOWN: usize = 5;

pub(crate) fn run(args: &Diff) -> Done {
    let (a, b) = (read_cubin(&args.a)?, read_cubin(&args.b)?);
    let mut out = String::new();
    if a.header.sm() != b.header.sm() {
        let _ = writeln!(out, "architecture: sm_{} -> sm_{}", a.header.sm(), b.header.sm());
    }
    let (ours, theirs) = (a.functions(), b.functions());
    for kernel in &ours {
        match theirs.iter().find(|other| other.name == kernel.name) {
            Some(other) => compare(&mut out, kernel, other),
            None => drop(writeln!(out, "- {}", demangle(kernel.name))),
        }
    }
    for other in theirs.iter().filter(|other| ours.iter().all(|kernel| kernel.name != other.name)) {
        let _ = writeln!(out, "+ {}", demangle(other.name));
    }
    if out.is_empty() {
        return print(&format!("{} kernels and functions, all equal\n", ours.len()));
    }
    print(&out)?;
    Err(Failure::Told(1))
}

fn compare(out: &mut String, a: &Kernel<'_>, b: &Kernel<'_>) {
    let facts = |k: &Kernel<'_>| {
        [
            ("registers", u64::from(k.registers)),
            ("barriers", u64::from(k.barriers)),
            ("frame bytes", u64::from(k.frame_size)),
            ("stack bytes", u64::from(k.stack_size)),
            ("shared bytes", k.shared_size),
            ("parameter bytes", u64::from(k.param_size)),
            ("code bytes", k.code.len() as u64),
        ]
    };
    let mut lines = String::new();
    for ((name, before), (_, after)) in facts(a).into_iter().zip(facts(b)) {
        if before != after {
            let _ = writeln!(lines, "    {name}: {before} -> {after}");
        }
    }
    if a.params != b.params {
        let _ = writeln!(lines, "    parameter layout differs");
    }
    let (words_a, words_b) = (a.code.chunks(16), b.code.chunks(16));
    let differing: Vec<usize> =
        words_a.zip(words_b).enumerate().filter(|(_, (x, y))| x != y).map(|(i, _)| i * 16).collect();
    if !differing.is_empty() {
        let places: Vec<String> = differing.iter().take(SHOWN).map(|offset| format!("{offset:#x}")).collect();
        let more = if differing.len() > SHOWN { ", ..." } else { "" };
        let _ = writeln!(lines, "    {} instructions differ: {}{more}", differing.len(), places.join(", "));
    }
    let bank = |k: &Kernel<'_>, n: u8| k.const_banks.iter().find(|b| b.bank == n).map(|b| b.bytes.to_vec());
    for n in [2, 3, 4] {
        if bank(a, n) != bank(b, n) {
            let _ = writeln!(lines, "    constant bank {n} differs");
        }
    }
    if !lines.is_empty() {
        let _ = write!(out, "! {}\n{lines}", demangle(a.name));
    }
}
