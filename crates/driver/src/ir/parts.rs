//! Parts of a program as tasks.

use super::program::Program;
use super::tasks::Job;
use raddle_frontend::plan::{Part, Plan, Role};
use raddle_frontend::protocol::Request;
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::{Treatment, Wanted};
use raddle_frontend::summary::{Kind, Linkage, Summary, SymbolId};
use std::collections::BTreeSet;

/// A part in messages.
pub(super) fn what(part: &Part) -> String {
    format!("the part with '{}'", part.name)
}

/// Makes requests for parts of a program.
pub(super) struct Parts<'a> {
    pub summary: &'a Summary,
    pub settings: &'a Settings,
    program: &'a Program,
    promoted: BTreeSet<u32>,
}

impl<'a> Parts<'a> {
    pub fn new(summary: &'a Summary, plan: &Plan, program: &'a Program, settings: &'a Settings) -> Parts<'a> {
        let promoted = plan.promoted.iter().copied().collect();
        Parts { summary, settings, program, promoted }
    }

    /// The request for the bitcode of a part that has one function and what it needs; the function is
    /// visible, as nothing in the part refers to it.
    pub fn extract_alone(&self, part: &Part, function: SymbolId) -> Request {
        let mut request = self.extract(part);
        let symbol = &self.summary.symbols[function as usize];
        if let Request::Extract { symbols, .. } = &mut request
            && symbol.linkage == Linkage::Internal
            && let Some(wanted) = symbols.get_mut(&symbol.name)
        {
            wanted.treatment = Treatment::Promoted;
        }
        request
    }

    /// The request for the bitcode of a part.
    pub fn extract(&self, part: &Part) -> Request {
        let (source, homes) = self.program.source(part);
        let wanted = |&(id, role): &(u32, Role)| {
            let symbol = &self.summary.symbols[id as usize];
            let treatment = match role {
                Role::Defined if self.promoted.contains(&id) => Treatment::Promoted,
                Role::Defined if symbol.linkage == Linkage::Internal => Treatment::Local,
                Role::Defined => Treatment::Defined,
                Role::Copied => Treatment::Copied,
                Role::Declared => Treatment::Declared,
            };
            (symbol.name.clone(), Wanted { treatment, module: homes.get(&id).copied().unwrap_or(0) })
        };
        let symbols = part.symbols.iter().map(wanted).collect();
        Request::Extract { source, name: part.name.clone(), symbols, assembly: part.assembly }
    }

    /// The request to compile the bitcode of a part.
    pub fn compile(&self, part: &Part) -> Request {
        Request::Part { settings: self.settings.for_part(), name: part.name.clone() }
    }

    /// The task of a part.
    pub fn job(&self, part: &Part) -> Job {
        let is_function =
            |symbol: u32| matches!(self.summary.symbols[symbol as usize].kind, Kind::Kernel | Kind::Function);
        let compiled = part.symbols.iter().filter(|&&(symbol, role)| role != Role::Declared && is_function(symbol));
        Job {
            name: part.name.as_str().into(),
            what: what(part),
            priority: part.priority,
            cost: part.cost,
            functions: compiled.count(),
        }
    }
}
