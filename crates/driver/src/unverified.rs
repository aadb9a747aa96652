//! Forms that compile and that neither machine, the interpreter of PTX and the simulator of machine code, can run yet.
//!
//! What such an instruction computes has been compared with nothing: a kernel that has one is *unverified*. This is the one list: `check`,
//! `compile -v`, the report, the JSON of both, docs/status.md and the tests read it. `tests/tests/unverified.rs` gives every form of the PTX
//! table to compiler and interpreter and fails where the list is not what it finds.

use raddle_entity::FxHashMap;
use raddle_ptx::{Body, FuncId, Referent};
use std::collections::{BTreeMap, BTreeSet};

/// A name with modifiers, of which all longer ones that begin with it are listed too, and what is missing.
pub type Row = (&'static str, &'static str);

/// The list.
pub const LIST: &[Row] = &[
    ("ldmatrix", "matrices spread over the registers of a warp are not modelled"),
    ("mma.sync", "matrix products are not modelled"),
    ("stmatrix", "matrices spread over the registers of a warp are not modelled"),
];

/// The row that an instruction falls under, by its name with all modifiers (`mma.sync.aligned...`).
pub fn listed(dotted: &str) -> Option<Row> {
    LIST.iter()
        .copied()
        .find(|(name, _)| dotted.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// The names of listed instructions in a body and in the functions that it calls, each with how often it is written.
pub fn found(own: &Body, bodies: &FxHashMap<FuncId, Body>) -> Vec<(String, usize)> {
    let mut out: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![own];
    while let Some(body) = work.pop() {
        for inst in body.insts.keys() {
            let name = body.dotted(inst);
            if listed(name).is_some() {
                *out.entry(name.to_owned()).or_default() += 1;
            }
        }
        for symbol in body.syms.values() {
            if let Referent::Func(id) = symbol.referent
                && seen.insert(id)
            {
                work.extend(bodies.get(&id));
            }
        }
    }
    out.into_iter().collect()
}

/// The list for docs/status.md.
pub fn page() -> String {
    let head = "These compile, and neither the interpreter nor the simulator can run them yet: what they compute was compared with nothing. `raddle \
                check`, `-v`, `--report` and the JSON of both call a kernel that has one *unverified*. Longer names that begin with one of these \
                are meant too. The list is `crates/driver/src/unverified.rs`; a test gives every form of the PTX table to compiler and interpreter.";
    let rows = LIST.iter().map(|(name, why)| format!("| `{name}` | {why} |\n"));
    format!("{head}\n\n| form | missing |\n|---|---|\n{}", rows.collect::<String>())
}

/// How a kernel's instructions of the list are told: names and how often each is written.
pub fn words(found: &[(String, usize)]) -> String {
    let word = |(name, count): &(String, usize)| match count {
        1 => name.clone(),
        n => format!("{name} ({n} times)"),
    };
    found.iter().map(word).collect::<Vec<_>>().join(", ")
}
