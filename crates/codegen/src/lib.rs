//! From SSA to machine code: selection, convergence barriers, allocation, scheduling, emission.
//!
//! The passes (`pipeline` has their table), and what holds after each:
//! - [`expand`]: every operation has a machine instruction or a short selection sequence;
//! - [`select`]: rows of the SASS table over virtual registers in SSA form;
//! - [`dce`], [`combine`] (from `-O1`), `dce` again: every instruction is needed;
//! - [`predicate`] (from `-O2`): short sides that pass no values on are guarded instructions;
//! - [`converge`]: convergence barriers are in place; control flow no longer changes, but for edges
//!   that are split for moves;
//! - [`uniformize`] (from `-O2`): values that are uniform over a warp are computed in uniform
//!   registers, where that pays;
//! - [`uniform_constants`] (from `-O2`): constants of double precision are in uniform registers,
//!   where that pays;
//! - [`constants`] (from `-O2`): other constants in registers are shared;
//! - [`schedule::early_loads`] (from `-O2`): loads are placed early, as far as registers allow;
//! - [`destruct`]: no block parameters, and every register list can be allocated;
//! - [`coalesce`]: moves between registers that do not interfere are gone;
//! - [`alloc`] and [`spill`]: every register has a number, and no two live ones have the same; where
//!   that misses a step of occupancy by little, these steps are done again for it, from the order on;
//! - [`ifconv`] (from `-O2`): short branches are guarded instructions;
//! - [`balance`] (from `-O2`): work is balanced between the integer and the multiply pipes;
//! - [`code`]: machine instructions with branches and prologue;
//! - [`warpgroup`]: registers of products of a warpgroup are not touched while they are in flight;
//! - `budget_check`: code touches no register that its warp has returned;
//! - [`schedule`]: control fields prevent all hazards;
//! - [`emit`]: encoded words, relocations, resource facts.
#![forbid(unsafe_code)]

pub use bounds::{can_hold, register_budget};
pub use budgets::are_known;
pub use emit::{add_data, linkage};

pub mod abi;
pub mod alloc;
mod alloc_check;
mod allocate;
pub mod balance;
mod bounds;
pub mod breaks;
mod budget_check;
mod budgets;
pub mod coalesce;
pub mod code;
pub mod combine;
pub mod constants;
mod convention;
pub mod converge;
pub mod copies;
pub mod dce;
mod debug;
pub mod destruct;
mod early_copies;
pub mod emit;
pub mod expand;
mod graph;
mod guarded;
pub mod ifconv;
pub mod indirect_calls;
mod leaf;
mod leaf_code;
mod leaf_places;
mod lines;
pub mod live;
mod marks;
pub mod mir;
mod mop;
mod names;
mod pipeline;
pub mod predicate;
pub mod pressure;
pub mod products;
pub mod reloc;
mod sass;
pub mod schedule;
pub mod select;
mod siblings;
pub mod spill;
#[cfg(test)]
mod testing;
pub mod uniform;
pub mod uniform_constants;
pub mod uniformize;
pub mod unwind;
pub mod verify;
pub mod warpgroup;
pub mod yields;
mod zeros;

use raddle_cubin::unit::UnitObject;
use raddle_ir::{Cx, Function, Stop, Unit, Unsupported};

/// Compiles one lowered unit, expanded by [`expand::run`], to relocatable machine code.
///
/// # Errors
/// [`Stop::Unsupported`] with all operations that instruction selection lacks for the target;
/// [`Stop::Resources`] when register bounds cannot be met; [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn compile_unit(cx: &Cx<'_>, unit: &Unit) -> Result<UnitObject, Stop> {
    let Some(native) = cx.target.native.as_ref() else {
        let what = format!("code generation for {} is not supported yet", cx.target.name);
        return Err(Stop::Resources { kernel: unit.function.name.clone(), what });
    };
    pipeline::run(cx, native, unit)
}

/// Lists all operations of a function without machine code on the target, before anything is
/// compiled.
///
/// # Errors
/// [`Stop::Fuel`] and [`Stop::Cancelled`]; an error for a target without native code.
pub fn coverage(cx: &Cx<'_>, f: &Function) -> Result<Vec<Unsupported>, Stop> {
    let Some(native) = cx.target.native.as_ref() else { return Ok(Vec::new()) };
    let mut expanded = f.clone();
    expand::run(cx, &mut expanded);
    match select::run(cx, native, &expanded, false) {
        Ok(_) => Ok(Vec::new()),
        Err(Stop::Unsupported(list)) => Ok(list),
        Err(stop) => Err(stop),
    }
}
