//! The places of parameter memory that must be memory: whose address is taken, whose parts overlap in
//! different ways, or that are large results.

use crate::Input;
use crate::callees::Callees;
use crate::convention::{is_out_of_line, returns_memory, signature};
use crate::param_accesses::{self, Cell};
use raddle_ptx::{Base, Body, Op, Operand, Referent, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of a part in registers.
const CELL: u32 = 8;

/// The location of a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// In a local variable of the body.
    Own,
    /// In the caller's frame.
    Caller,
}

/// The places of a body that are memory; all others are cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct InMemory(BTreeMap<Referent, Frame>);

impl InMemory {
    /// Finds the places that are memory. `called`: the function is lowered as one that is called;
    /// otherwise it is a kernel, or inlined.
    pub(crate) fn of(input: &Input<'_>, callees: &Callees, called: bool) -> InMemory {
        let (body, function) = (input.body, &input.outline.funcs[input.func]);
        let calls = || body.insts.keys().filter(|&inst| body.op(inst) == Op::Call);
        let mut in_memory = InMemory::default();
        if function.entry && calls().next().is_none() {
            return in_memory;
        }
        let parts = Parts::of(body, function.entry);
        let addressed = addressed(body).filter(|_| !function.entry);
        in_memory.0.extend(parts.mixed().chain(addressed).map(|place| (place, Frame::Own)));
        if called && returns_memory(&function.rets) {
            in_memory.0.insert(Referent::Ret(0), Frame::Caller);
        }
        for inst in calls() {
            let (rets, args) = param_accesses::call_places(body, inst);
            if is_out_of_line(input, inst) {
                if signature(input, inst).is_ok_and(|(_, results)| returns_memory(results)) {
                    in_memory.0.extend(rets.first().map(|&place| (place, Frame::Own)));
                }
                continue;
            }
            let callee = param_accesses::callee(body, inst).and_then(|sym| match body.syms[sym].referent {
                Referent::Func(id) => callees.get(&id)?.as_ref().ok(),
                _ => None,
            });
            let Some(callee) = callee else { continue };
            let inputs = callee.inputs.iter().map(|(cell, _)| (cell, &args));
            let outputs = callee.outputs.iter().flat_map(|(_, list)| list).map(|(cell, _)| (cell, &rets));
            for (cell, places) in inputs.chain(outputs) {
                let (Referent::Param(n) | Referent::Ret(n)) = cell.place else { continue };
                if let Some(&place @ Referent::Var(_)) = places.get(n as usize)
                    && !parts.agree(place, cell)
                {
                    in_memory.0.insert(place, Frame::Own);
                }
            }
        }
        in_memory
    }

    /// Returns the location of a place, if it is memory.
    pub(crate) fn get(&self, place: Referent) -> Option<Frame> {
        self.0.get(&place).copied()
    }

    /// Returns the positions of the function's own parameters that are memory.
    pub(crate) fn params(&self) -> Vec<u32> {
        self.0.keys().filter_map(|p| if let Referent::Param(n) = p { Some(*n) } else { None }).collect()
    }

    /// Whether a parameter or a result of the function itself is memory.
    pub(crate) fn any_own(&self) -> bool {
        self.0.keys().any(|p| matches!(p, Referent::Param(_) | Referent::Ret(_)))
    }
}

/// Whether a parameter or result of the function must be memory, so that it cannot be inlined.
pub(crate) fn has_own(body: &Body) -> bool {
    let own = |p: Referent| matches!(p, Referent::Param(_) | Referent::Ret(_));
    addressed(body).any(own) || Parts::of(body, false).mixed().any(own)
}

/// Places of parameter memory whose address is taken.
fn addressed(body: &Body) -> impl Iterator<Item = Referent> + '_ {
    let insts = body.insts.keys().filter(|&inst| body.op(inst) != Op::Call);
    let named = insts.flat_map(|inst| {
        let moves = matches!(body.op(inst), Op::Ld | Op::St);
        body.operands(inst).into_iter().filter_map(move |operand| match operand {
            Operand::Symbol(sym, _) => Some(sym),
            Operand::Addr(Base::Sym(sym), _) if !moves => Some(sym),
            _ => None,
        })
    });
    named.map(|sym| body.syms[sym].referent).filter(|place| match place {
        Referent::Var(var) => body.vars[*var].space == Space::Param,
        Referent::Param(_) | Referent::Ret(_) => true,
        Referent::Global(_) | Referent::Func(_) => false,
    })
}

/// The bytes that accesses touch in each place: first byte and size, ascending.
struct Parts(BTreeMap<Referent, BTreeSet<(i64, u32)>>);

impl Parts {
    fn of(body: &Body, entry: bool) -> Parts {
        let mut parts: BTreeMap<Referent, BTreeSet<(i64, u32)>> = BTreeMap::new();
        for inst in body.insts.keys() {
            let Some((place, offset, ty, count)) = param_accesses::access(body, entry, inst) else { continue };
            let one = |n: i64| (offset + n * i64::from(ty.bytes()), ty.bytes());
            parts.entry(place).or_default().extend((0..i64::from(count)).map(one));
        }
        Parts(parts)
    }

    /// Returns the places with accesses that overlap in part, or that are larger than a cell.
    fn mixed(&self) -> impl Iterator<Item = Referent> + '_ {
        let mixed = |list: &&BTreeSet<(i64, u32)>| {
            let overlap = |((at, bytes), (next, _)): (&(i64, u32), &(i64, u32))| at + i64::from(*bytes) > *next;
            list.iter().zip(list.iter().skip(1)).any(overlap) || list.iter().any(|&(_, bytes)| bytes > CELL)
        };
        self.0.iter().filter(move |(_, list)| mixed(list)).map(|(&place, _)| place)
    }

    /// Whether a part in another function is also a part of this place, or overlaps none of its
    /// parts.
    fn agree(&self, place: Referent, cell: &Cell) -> bool {
        let Some(list) = self.0.get(&place) else { return true };
        let end = cell.offset + i64::from(cell.bytes);
        list.contains(&(cell.offset, cell.bytes))
            || !list.iter().any(|&(at, bytes)| at < end && cell.offset < at + i64::from(bytes))
    }
}
