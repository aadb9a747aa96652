//! Rules of single operations that a row of the table cannot say.

use crate::body::Tag;
use crate::check::space_of;
use crate::errors::*;
use crate::parse::Parser;
use crate::table::{Mod, Op};
use crate::tree::Shape;
use crate::ty::Space;
use raddle_diag::Code;

/// A code, the operand at fault, and what is wrong.
type Finding = (Code, usize, String);

/// Checks an instruction whose operands fit its form.
pub(crate) fn check(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    match shape.op {
        Op::Ld | Op::St | Op::Atom | Op::Red | Op::Ldu => memory(p, shape),
        _ => Ok(()),
    }
}

/// The space in the instruction and the one of the symbol agree (ptxas 13.0.88: "State space mismatch").
fn memory(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let space = shape.mods.iter().find_map(|m| space_of(m.name()));
    for (n, opnd) in p.opnds.iter().enumerate() {
        if opnd.word.tag() == Tag::AddrNone && matches!(space, Some(s) if s != Space::Local && s != Space::Shared) {
            return Err((E0123, n, String::from("an address without register or name is for .local and .shared only")));
        }
        let (Some(wanted), Some(found)) = (space, opnd.space) else { continue };
        let constant = shape.mods.contains(&Mod::Nc) && found == Space::Const;
        if wanted != found && found != Space::Generic && !constant {
            let text = format!("the name is in .{}, the instruction says .{}", found.name(), wanted.name());
            return Err((E0123, n, text));
        }
    }
    Ok(())
}
