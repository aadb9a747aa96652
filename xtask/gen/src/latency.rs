//! Turns `isa/latency_*.txt` into static lists; the lookup that merges them is `raddle_sass::latency`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::ident;

/// Slots a latency may be stated for: any, the guard, and `raddle_sass::SlotRole` in its order.
const SLOTS: [&str; 21] = [
    "*", "guard", "Rd", "Re", "Pd", "Pe", "Ra", "Rb", "Rc", "Rx", "Pp", "Pq", "Pr", "Addr", "Addr2", "Imm", "Imm2",
    "Imm3", "Bar", "Target", "Misc",
];

/// The files: name of the static list, file, whether each line has a count.
const FILES: [(&str, &str, bool); 6] = [
    ("FLOOR", "latency_floor.txt", false),
    ("SM80", "latency_sm_80.txt", true),
    ("SM86", "latency_sm_86.txt", true),
    ("SM89", "latency_sm_89.txt", true),
    ("SM90", "latency_sm_90.txt", true),
    ("SM90A", "latency_sm_90a.txt", true),
];

/// Text of `gen/latency.rs`.
pub fn emit(isa: &Path, classes: &BTreeSet<String>) -> Result<String> {
    let mut out = String::from(
        "// Written by `cargo xtask gen` from `isa/latency_*.txt`. Do not edit.\n\n//! Issue distances: published lower bounds, and the smallest seen in ptxas output.\nuse super::names::Class;\nuse crate::latency::Fact;\nuse crate::row::File;\n\n",
    );
    for (name, file, counted) in FILES {
        let path = isa.join(file);
        let text = if path.exists() { std::fs::read_to_string(&path)? } else { String::new() };
        let mut n = 0;
        let mut list = String::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('|').next().unwrap_or("");
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let fact = fact(line, counted, classes).with_context(|| format!("{file}:{}: {line}", i + 1))?;
            let _ = writeln!(list, "    {fact},");
            n += 1;
        }
        let _ = writeln!(out, "#[rustfmt::skip]\npub(crate) static {name}: [Fact; {n}] = [\n{list}];\n");
    }
    Ok(out)
}

fn fact(line: &str, counted: bool, classes: &BTreeSet<String>) -> Result<String> {
    let w: Vec<&str> = line.split_whitespace().collect();
    ensure!(w.len() == if counted { 6 } else { 5 }, "FILE PRODUCER CONSUMER SLOT CYCLES [COUNT]");
    let file = match w[0] {
        "R" => "Gpr",
        "P" => "Pred",
        "UR" => "Ugpr",
        "UP" => "Upred",
        other => anyhow::bail!("file {other}"),
    };
    let half = |s: &str| s.strip_suffix(".h").map_or((s.to_owned(), false), |s| (s.to_owned(), true));
    let class = |s: &str| -> Result<String> {
        if s == "*" {
            return Ok("None".to_owned());
        }
        ensure!(classes.contains(s), "no row has the class {s}");
        Ok(format!("Some(Class::{})", ident(s)))
    };
    let (producer, high) = half(w[1]);
    let (slot, slot_high) = half(w[3]);
    let slot = SLOTS.iter().position(|s| *s == slot).with_context(|| format!("slot {slot}"))?;
    let count = if counted { w[5].parse::<u32>()? } else { 0 };
    Ok(format!(
        "Fact {{ file: File::{file}, producer: {}, high: {high}, consumer: {}, slot: {slot}, slot_high: {slot_high}, cycles: {}, count: {count} }}",
        class(&producer)?,
        class(w[2])?,
        w[4].parse::<u8>()?
    ))
}
