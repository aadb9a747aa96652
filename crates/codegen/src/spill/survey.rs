//! What spilling knows about the registers of a file before it plans.

use std::cell::OnceCell;

use raddle_entity::SecondaryMap;
use raddle_sass::Isa;
use raddle_sass::row::File;

use super::plan::{Homes, Plan, Reloads};
use super::remat::{self, Derived};
use super::{belady, uniform};
use crate::mir::{MFunction, MInst, V};

/// What can be reloaded without memory, of a file.
fn reloads(f: &MFunction, file: File, isa: Isa, cheap: SecondaryMap<V, Option<Box<MInst>>>) -> Reloads {
    let alike = if file == File::Gpr { f.alike.clone() } else { SecondaryMap::new() };
    Reloads { readable: uniform::readable(f, isa, &alike), cheap, alike }
}

/// Inputs of spilling, independent of the limit; to be computed again when the function changes.
pub struct Survey {
    pub(super) file: File,
    pub(super) isa: Isa,
    pub(super) reloads: Reloads,
    /// Bases of those, and what must stay in place.
    derived: Derived,
    pinned: SecondaryMap<V, bool>,
    /// The function with the bases kept, if there are any.
    marked: Option<MFunction>,
    outlook: belady::NextUses,
    /// The survey without bases.
    plain: OnceCell<Box<Survey>>,
}

impl Survey {
    /// Analyses the registers of a file.
    pub fn of(f: &MFunction, file: File, isa: Isa) -> Self {
        let mut cheap = remat::candidates(f, file, isa);
        let derived = if file == File::Gpr { Derived::of(f, isa, &mut cheap) } else { Derived::default() };
        let mut pinned = crate::products::pinned(f);
        derived.list.iter().for_each(|&(_, base)| pinned[base] = true);
        let marked = if derived.list.is_empty() { None } else { Some(derived.marked(f)) };
        let outlook = belady::NextUses::of(marked.as_ref().unwrap_or(f), file);
        let reloads = reloads(f, file, isa, cheap);
        Survey { file, isa, reloads, derived, pinned, marked, outlook, plain: OnceCell::new() }
    }

    fn without_bases(f: &MFunction, file: File, isa: Isa) -> Self {
        Survey {
            file,
            isa,
            reloads: reloads(f, file, isa, remat::candidates(f, file, isa)),
            derived: Derived::default(),
            pinned: crate::products::pinned(f),
            marked: None,
            outlook: belady::NextUses::of(f, file),
            plain: OnceCell::new(),
        }
    }

    /// Returns a plan, and the survey by whose instructions registers are rematerialised.
    pub(super) fn plan(&self, f: &MFunction, limit: usize, homes: Homes) -> Option<(&Survey, Plan)> {
        let with_bases = self.marked.as_ref().unwrap_or(f);
        let pinned = self.pinned.clone();
        let plan = belady::plan(with_bases, self.file, limit, &self.reloads, &self.outlook, homes, pinned);
        if plan.as_ref().is_some_and(|plan| plan.away.iter().any(|&v| self.derived.is_base[v])) {
            // A base did not stay in place.
            return self
                .plain
                .get_or_init(|| Box::new(Survey::without_bases(f, self.file, self.isa)))
                .plan(f, limit, homes);
        }
        Some((self, plan?))
    }
}
