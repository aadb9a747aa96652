//! Functions that can be inlined, and the order in which they are lowered.
//!
//! Invariant: [`order`] visits callees before callers, without recursion on the depth of calls.

use crate::param_accesses::{self, Cell};
use raddle_entity::{FxHashMap, FxHashSet};
use raddle_ir::{Block, Function, Slot, Value};
use raddle_ptx::{Body, FuncId, Referent};

/// A device function, ready to be inlined.
pub(crate) struct Callee {
    pub f: Function,
    /// The arguments: parts of parameters, with their placeholders.
    pub inputs: Vec<(Cell, Value)>,
    /// The block that returns, and the parts of the results there; `None` if the function never
    /// returns.
    pub outputs: Option<(Block, Vec<(Cell, Value)>)>,
    /// The referents of its variables.
    pub slots: Vec<(Slot, Referent)>,
}

/// Callees by function; a text says why one is unsupported.
pub(crate) type Callees = FxHashMap<FuncId, Result<Callee, String>>;

/// Returns the functions that a body calls by name, in the order of the text, without duplicates.
pub(crate) fn order_of(body: &Body) -> Vec<FuncId> {
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    let calls = body.insts.keys().filter_map(|inst| match body.syms[param_accesses::callee(body, inst)?].referent {
        Referent::Func(id) => Some(id),
        _ => None,
    });
    calls.filter(|id| seen.insert(*id)).collect()
}

/// Returns the functions that a kernel reaches by direct calls, but for those of `out_of_line`, callees
/// first, and for each whether it is recursive.
pub(crate) fn order(
    kernel: &Body,
    bodies: &FxHashMap<FuncId, Body>,
    out_of_line: &FxHashSet<FuncId>,
) -> Vec<(FuncId, bool)> {
    let callees = |body: &Body| -> Vec<FuncId> {
        let mut list = order_of(body);
        list.retain(|id| !out_of_line.contains(id));
        list
    };
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Open,
        Done,
    }
    let mut state: FxHashMap<FuncId, State> = FxHashMap::default();
    let mut recursive: Vec<FuncId> = Vec::new();
    let mut out = Vec::new();
    let mut stack: Vec<(Option<FuncId>, Vec<FuncId>, usize)> = vec![(None, callees(kernel), 0)];
    while let Some((who, list, next)) = stack.last_mut() {
        if let Some(&id) = list.get(*next) {
            *next += 1;
            match state.get(&id) {
                Some(State::Done) => {}
                Some(State::Open) => recursive.push(id),
                None => {
                    state.insert(id, State::Open);
                    let inner = bodies.get(&id).map_or(Vec::new(), callees);
                    stack.push((Some(id), inner, 0));
                }
            }
            continue;
        }
        if let Some(id) = *who {
            state.insert(id, State::Done);
            out.push(id);
        }
        stack.pop();
    }
    out.into_iter().map(|id| (id, recursive.contains(&id))).collect()
}
