//! PTX forms that compile but that the interpreter, or the simulator their code, cannot run yet.
//!
//! The code of such an instruction has been compared with nothing: a kernel that contains one is
//! *unverified*. This is the only list: `check`, `compile -v`, the report, the JSON of both,
//! docs/status.md and the tests use it. `tests/tests/unverified.rs` tries every form of the PTX
//! table with compiler and interpreter, and what is listed with the simulator, and fails if this
//! list differs.

use raddle_entity::FxHashMap;
use raddle_ptx::{Body, FuncId, Referent};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction name with modifiers, which also covers all longer names that begin with it, and
/// what is missing.
pub type Row = (&'static str, &'static str);

/// The list.
pub const LIST: &[Row] = &[
    ("ldmatrix", "the simulator has no matrices spread over the registers of a warp"),
    ("mma.sync", "the simulator has no matrix products"),
    ("stmatrix", "the simulator has no matrices spread over the registers of a warp"),
];

/// The row for an instruction, by its name with all modifiers (`mma.sync.aligned...`).
pub fn listed(dotted: &str) -> Option<Row> {
    LIST.iter()
        .copied()
        .find(|(name, _)| dotted.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// The names of listed instructions in a body and in the functions that it calls, each with its
/// number of occurrences.
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
    let head = "These compile, and the interpreter or the simulator cannot run them yet: their code is untested. `raddle \
                check`, `-v`, `--report` and the JSON of both call a kernel that has one *unverified*. Longer names that begin with one of these \
                are meant too. The list is `crates/driver/src/unverified.rs`; a test gives every form of the PTX table to compiler and interpreter, and what is listed to the simulator.";
    let rows = LIST.iter().map(|(name, why)| format!("| `{name}` | {why} |\n"));
    format!("{head}\n\n| form | missing |\n|---|---|\n{}", rows.collect::<String>())
}

/// Formats listed instructions for messages: names and their numbers of occurrences.
pub fn words(found: &[(String, usize)]) -> String {
    let word = |(name, count): &(String, usize)| match count {
        1 => name.clone(),
        n => format!("{name} ({n} times)"),
    };
    found.iter().map(word).collect::<Vec<_>>().join(", ")
}
