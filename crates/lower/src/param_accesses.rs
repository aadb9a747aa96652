//! Accesses to parameter memory, and calls, as the text of a body has them.

use raddle_ir::Width;
use raddle_ptx::{Base, Body, InstId, Mod, Op, Operand, Referent, Space, SymId, Ty};

/// A part of parameter memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// A variable of the body, or a parameter or return parameter of the function.
    pub place: Referent,
    /// Byte offset.
    pub offset: i64,
    /// Size in bytes.
    pub bytes: u32,
    /// The width of its value; 16 bits for 8-bit parts.
    pub width: Width,
}

/// Returns the variables of a call's results, and those of its arguments.
pub(crate) fn call_places(body: &Body, inst: InstId) -> (Vec<Referent>, Vec<Referent>) {
    let places = |index| match body.operand(inst, index) {
        Some(Operand::Args(list)) => body
            .list(list)
            .into_iter()
            .filter_map(|o| match o {
                Operand::Symbol(sym, 0) => Some(body.syms[sym].referent),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    (places(0), places(2))
}

/// Returns the callee of a direct call.
pub(crate) fn callee(body: &Body, inst: InstId) -> Option<SymId> {
    match body.operand(inst, 1) {
        Some(Operand::Func(sym)) if body.op(inst) == Op::Call => Some(sym),
        _ => None,
    }
}

/// Returns place, offset, element type and number of elements of an access to parameter memory.
pub(crate) fn access(body: &Body, entry: bool, inst: InstId) -> Option<(Referent, i64, Ty, u8)> {
    let op = body.op(inst);
    let index = match op {
        Op::Ld => 1,
        Op::St => 0,
        _ => return None,
    };
    let Some(Operand::Addr(Base::Sym(sym), offset)) = body.operand(inst, index) else { return None };
    let place = body.syms[sym].referent;
    let in_memory = match place {
        Referent::Var(var) => body.vars[var].space != Space::Param,
        Referent::Param(_) | Referent::Ret(_) => entry,
        Referent::Global(_) | Referent::Func(_) => true,
    };
    if in_memory {
        return None;
    }
    let count = match body.one_of(inst, &[Mod::V2, Mod::V4, Mod::V8]) {
        Some(Mod::V2) => 2,
        Some(Mod::V4) => 4,
        Some(_) => 8,
        None => 1,
    };
    Some((place, offset, body.types(inst)[0], count))
}

/// Returns the register number of a cell, after the registers and the carry flag.
pub(crate) fn register(body: &Body, cell: usize) -> u32 {
    body.reg_count() + 1 + cell as u32
}
