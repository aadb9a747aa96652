//! Plans of spilling, and what they may use.

use raddle_entity::SecondaryMap;

use super::uniform::Readable;
use crate::mir::{MBlock, MInst, V};

/// Where registers are reloaded.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Registers that are evicted somewhere, by number.
    pub away: Vec<V>,
    /// Reloads before instructions of a block, by position; its length means the terminator.
    pub(super) fetches: SecondaryMap<MBlock, Vec<(usize, V)>>,
    /// Reloads on the n-th edge of a block.
    pub(super) edges: Vec<(MBlock, usize, MBlock, Vec<V>)>,
}

impl Plan {
    /// The plan without reloads of some registers.
    pub(super) fn without(&self, gone: &SecondaryMap<V, bool>) -> Plan {
        let mut plan = self.clone();
        plan.away.retain(|v| !gone[*v]);
        plan.fetches.values_mut().for_each(|list| list.retain(|(_, v)| !gone[*v]));
        plan.edges.iter_mut().for_each(|edge| edge.3.retain(|v| !gone[*v]));
        plan.edges.retain(|edge| !edge.3.is_empty());
        plan
    }
}

/// The homes that evicted registers may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Homes {
    /// Memory, or another register.
    Any,
    /// No memory: they are rematerialised, or have homes in uniform registers.
    NoMemory,
}

/// Registers that can be reloaded without memory.
pub struct Reloads {
    /// Registers that can be rematerialised, with the instruction.
    pub cheap: SecondaryMap<V, Option<Box<MInst>>>,
    /// Registers with homes in uniform registers ([`super::uniform`]).
    pub alike: SecondaryMap<V, bool>,
    /// Those of them that every instruction reads from their homes.
    pub readable: Readable,
}
