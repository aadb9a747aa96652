//! `isa/units.txt`: pipes and queues of the instructions.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use crate::table::RowT;

/// What a line speaks of: pipes, results or sources.
const FACTS: [&str; 3] = ["pipe", "results", "sources"];

/// Pipes and queues by mnemonic or `class=NAME`.
#[derive(Default)]
pub struct Units {
    facts: BTreeMap<(&'static str, String), String>,
}

impl Units {
    /// Reads the file.
    pub fn read(text: &str) -> Result<Units> {
        let mut units = Units::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let mut words = line.split_whitespace();
            let fact = words.next().and_then(|w| FACTS.into_iter().find(|&fact| fact == w));
            let fact = fact.with_context(|| format!("units.txt: {line}: a line begins with {FACTS:?}"))?;
            let name = words.next().with_context(|| format!("units.txt: {line}: no name"))?;
            for key in words {
                let old = units.facts.insert((fact, key.to_owned()), name.to_owned());
                ensure!(old.is_none(), "units.txt: {key} has two lines of {fact}");
            }
        }
        Ok(units)
    }

    /// Refuses a mnemonic or class without a row.
    pub fn check(&self, rows: &[RowT]) -> Result<()> {
        let known: BTreeSet<String> = rows.iter().flat_map(|r| [r.op.clone(), format!("class={}", r.class)]).collect();
        for (_, key) in self.facts.keys() {
            ensure!(known.contains(key), "units.txt: no row has {key}");
        }
        Ok(())
    }

    fn get(&self, fact: &'static str, row: &RowT) -> Option<&str> {
        let of = |key: String| self.facts.get(&(fact, key)).map(String::as_str);
        of(row.op.clone()).or_else(|| of(format!("class={}", row.class)))
    }

    /// The fields of `Effects` for a row.
    pub fn fields(&self, row: &RowT) -> String {
        let queue =
            |name: Option<&str>| name.map_or("None".to_owned(), |name| format!("Some(Queue::{})", crate::ident(name)));
        let results = self.get("results", row);
        format!(
            "pipe: Pipe::{}, results: {}, sources: {}",
            crate::ident(self.get("pipe", row).unwrap_or("alu")),
            queue(results),
            queue(self.get("sources", row).or(results))
        )
    }
}
