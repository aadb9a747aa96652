//! Parts of a program as tasks.

use super::stored::Stored;
use super::tasks::Job;
use raddle_frontend::plan::{Part, Plan, Role};
use raddle_frontend::protocol::Request;
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::Treatment;
use raddle_frontend::summary::Summary;
use std::collections::{BTreeMap, BTreeSet};

/// A part in messages.
pub(super) fn what(part: &Part) -> String {
    format!("the part with '{}'", part.name)
}

/// Makes requests for parts of a program.
pub(super) struct Parts<'a> {
    pub summary: &'a Summary,
    pub settings: &'a Settings,
    program: &'a Stored,
    promoted: BTreeSet<u32>,
}

impl<'a> Parts<'a> {
    pub fn new(summary: &'a Summary, plan: &Plan, program: &'a Stored, settings: &'a Settings) -> Parts<'a> {
        let promoted = plan.promoted.iter().copied().collect();
        Parts { summary, settings, program, promoted }
    }

    /// The request for the bitcode of a part.
    pub fn extract(&self, part: &Part) -> Request {
        Request::Extract { program: self.program.path.clone(), name: part.name.clone(), symbols: self.symbols(part) }
    }

    /// The request to compile the bitcode of a part.
    pub fn compile(&self, part: &Part) -> Request {
        Request::Part { settings: self.settings.for_part(), name: part.name.clone() }
    }

    /// The task of a part.
    pub fn job(part: &Part) -> Job {
        Job { name: part.name.as_str().into(), what: what(part), cost: part.cost }
    }

    fn symbols(&self, part: &Part) -> BTreeMap<String, Treatment> {
        let treatment = |&(symbol, role): &(u32, Role)| {
            let treatment = match role {
                Role::Defined if self.promoted.contains(&symbol) => Treatment::Promoted,
                Role::Defined => Treatment::Defined,
                Role::Copied => Treatment::Copied,
                Role::Declared => Treatment::Declared,
            };
            (self.summary.symbols[symbol as usize].name.clone(), treatment)
        };
        part.symbols.iter().map(treatment).collect()
    }
}
