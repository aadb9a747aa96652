//! A move of one register.

use raddle_ir::{SourcePos, Stop};
use raddle_sass::Isa;
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};

use crate::mir::{Given, MArg, MInst, MKind, MOp, V};
use crate::sass;
use crate::sass::tokens::{IntCmp, Unsigned};

/// Returns a move of one register.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the move.
pub fn copy(isa: Isa, file: File, to: V, from: MArg, place: SourcePos) -> Result<MInst, Stop> {
    let (name, given): (_, Given) = if matches!(file, File::Pred | File::Upred) {
        let source = match from {
            MArg::Reg(v) => MOp::reg(v),
            MArg::Imm(0) => MOp::never(),
            _ => MOp::zero(),
        };
        if file == File::Pred {
            let given = [
                (SlotRole::Pd, MOp::reg(to)),
                (SlotRole::Pp, source),
                (SlotRole::Pq, MOp::zero()),
                (SlotRole::Pr, MOp::zero()),
                (SlotRole::Imm, MOp::imm(0x80)),
                (SlotRole::Imm2, MOp::imm(0)),
            ];
            (sass::plop3(), given.into_iter().collect())
        } else {
            // The uniform path has no PLOP3 in the table: zero equals zero, and the source.
            let given = [
                (SlotRole::Pd, MOp::reg(to)),
                (SlotRole::Ra, MOp::zero()),
                (SlotRole::Rb, MOp::zero()),
                (SlotRole::Pp, source),
            ];
            (sass::uisetp(IntCmp::Eq, Unsigned::U32), given.into_iter().collect())
        }
    } else {
        let source = match from {
            MArg::Reg(v) => MOp::reg(v),
            MArg::Imm(n) if n != 0 => MOp::imm(n),
            _ => MOp::zero(),
        };
        let (name, role) = match (file, &source.kind) {
            (File::Ugpr, MKind::Imm(_)) => (sass::umov(), SlotRole::Imm),
            (File::Ugpr, _) => (sass::umov(), SlotRole::Rb),
            _ => (sass::mov(), SlotRole::Rb),
        };
        (name, [(SlotRole::Rd, MOp::reg(to)), (role, source)].into_iter().collect())
    };
    let form = find(isa, &name, &given)
        .ok_or_else(|| Stop::Internal { pass: "destruct", what: format!("no row for {name}") })?;
    Ok(MInst::new(form, place))
}
