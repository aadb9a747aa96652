//! SSA to machine code: select, allocate, schedule, emit.
#![forbid(unsafe_code)]

use raddle_cubin::unit::UnitObject;
use raddle_ir::{Cx, Stop, Unit, Unsupported};

/// Compiles one lowered unit to relocatable machine code.
///
/// # Errors
/// [`Stop::Unsupported`] with all operations that instruction selection lacks for the target; [`Stop::Resources`] when
/// register bounds cannot be met; [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn compile_unit(_cx: &Cx<'_>, unit: &Unit) -> Result<UnitObject, Stop> {
    let f = &unit.function;
    let list = f.insts.values().map(|i| Unsupported {
        kernel: f.name.clone(),
        line: f.places[i.place].line,
        offset: f.places[i.place].offset,
        what: i.op.to_string(),
        why: "instruction selection".to_owned(),
    });
    Err(Stop::Unsupported(list.collect()))
}
