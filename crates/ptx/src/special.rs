//! Rules of single operations that a row of the table cannot say.

use crate::body::{Tag, Word};
use crate::check::space_of;
use crate::errors::*;
use crate::parse::Parser;
use crate::table::{Mod, Op};
use crate::tree::Shape;
use crate::ty::{Space, Ty};
use raddle_diag::Code;

/// A code, the operand at fault, and what is wrong.
type Finding = (Code, usize, String);

/// Checks an instruction whose operands fit its form.
pub(crate) fn check(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    match shape.op {
        Op::Ld | Op::St | Op::Atom | Op::Red | Op::Ldu => memory(p, shape),
        Op::WgmmaMmaAsync
        | Op::Tcgen05Ld
        | Op::Tcgen05St
        | Op::Tcgen05Mma
        | Op::Ldmatrix
        | Op::Stmatrix
        | Op::CpAsyncBulkTensor
        | Op::CpAsyncBulkPrefetchTensor
        | Op::Tex
        | Op::Tld4
        | Op::Mma => handle(p, shape).and_then(|()| vectors(p, shape)),
        Op::Suld | Op::Sust | Op::Sured => handle(p, shape),
        _ => Ok(()),
    }?;
    if shape.op == Op::WgmmaMmaAsync && shape.mods.contains(&Mod::Sp) {
        return selector(p, shape);
    }
    Ok(())
}

/// The sparsity selector of 8-bit types is 0 (ptxas 13.0.88).
fn selector(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    const SELECTOR: usize = 4;
    let bytes = shape.types.get(1).is_some_and(|ty| ty.bits() == 8);
    match p.opnds.get(SELECTOR) {
        Some(opnd) if bytes && opnd.word != Word::new(Tag::SmallInt, 0) => {
            Err((E0127, SELECTOR, String::from("the sparsity selector of 8-bit types is 0")))
        }
        _ => Ok(()),
    }
}

/// The space in the instruction and the one of the symbol agree (ptxas 13.0.88: "State space mismatch").
fn memory(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let space = shape.mods.iter().find_map(|m| space_of(m.name()));
    for (n, opnd) in p.opnds.iter().enumerate() {
        if opnd.word.tag() == Tag::AddrNone && space != Some(Space::Local) {
            return Err((E0123, n, String::from("an address without register or name is for .local only")));
        }
        if space.is_none() && opnd.space == Some(Space::Param) && opnd.word.tag() == Tag::AddrSym {
            return Err((E0123, n, String::from("a parameter is read with .param, not with a generic address")));
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

/// Textures and surfaces are named by 64-bit handles.
fn handle(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    if !matches!(shape.op, Op::Tex | Op::Tld4 | Op::Suld | Op::Sust | Op::Sured) {
        return Ok(());
    }
    for (n, opnd) in p.opnds.iter().enumerate().filter(|(_, o)| o.word.tag() == Tag::Bracket) {
        let first = p.items.get(opnd.first as usize);
        if first.is_some_and(|o| o.word.tag() == Tag::AddrReg && o.ty.bits() != 64) {
            return Err((E0123, n, String::from("a texture or surface is named by a 64-bit register")));
        }
    }
    Ok(())
}

/// Vectors whose length depends on the modifiers.
fn vectors(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    for (n, opnd) in p.opnds.iter().enumerate().filter(|(_, o)| o.word.tag() == Tag::Vec) {
        let Some(len) = vector_len(shape, n) else { continue };
        if opnd.count as usize != len {
            let text = format!("'{}' takes a vector of {len} here, found one of {}", shape.dotted, opnd.count);
            return Err((E0123, n, text));
        }
    }
    Ok(())
}

/// Length of vector operand `n` where the modifiers decide it (PTX ISA 9.0, 9.7.14 to 9.7.16).
pub(crate) fn vector_len(shape: &Shape, n: usize) -> Option<usize> {
    let has = |m: Mod| shape.mods.contains(&m);
    let x = || {
        let choices = [
            (Mod::X1, 1),
            (Mod::X2, 2),
            (Mod::X4, 4),
            (Mod::X8, 8),
            (Mod::X16, 16),
            (Mod::X32, 32),
            (Mod::X64, 64),
            (Mod::X128, 128),
        ];
        choices.into_iter().find(|&(m, _)| has(m)).map(|(_, n)| n)
    };
    match shape.op {
        Op::WgmmaMmaAsync if n == 0 => {
            let columns = shape.mods.iter().find_map(|m| {
                let (n, _) = m.name().strip_prefix("m64n")?.split_once('k')?;
                n.parse::<usize>().ok()
            })?;
            Some(if shape.types.first() == Some(&Ty::F16) { columns / 4 } else { columns / 2 })
        }
        Op::Tcgen05Ld | Op::Tcgen05St => {
            let factor = if has(Mod::N16x128b) {
                2
            } else if has(Mod::N16x256b) {
                4
            } else {
                1
            };
            Some(x()? * factor)
        }
        Op::Tcgen05Mma => Some(if has(Mod::CtaGroup1) { 4 } else { 8 }),
        Op::Ldmatrix | Op::Stmatrix => Some(x()? * if has(Mod::M16n16) { 2 } else { 1 }),
        Op::Mma if shape.mods.contains(&Mod::BlockScale) && n > 4 => Some(2),
        Op::Tex => Some(match (n, has(Mod::V2), crate::examples::coordinates(shape)) {
            (0, true, _) => 2,
            (0, false, _) => 4,
            // Gradients have no array index.
            (_, _, 2) if has(Mod::A1d) => 1,
            (_, _, 4) if has(Mod::A2d) => 2,
            (_, _, coordinates) => coordinates,
        }),
        Op::CpAsyncBulkTensor | Op::CpAsyncBulkPrefetchTensor => match crate::examples::coordinates(shape) {
            5 if has(Mod::TileGather4) => None,
            _ if has(Mod::Im2colW) || has(Mod::Im2colW128) => Some(2),
            n => n.checked_sub(2),
        },
        Op::Tld4 => Some(if n == 0 { 4 } else { 2 }),
        _ => None,
    }
}
