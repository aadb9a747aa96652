//! Rules for single operations beyond what a row of the table can express.

use crate::body::{Tag, Word};
use crate::errors::*;
use crate::parse::Parser;
use crate::shapes::{space_of, vector_len};
use crate::table::{Mod, Op};
use crate::tree::Shape;
use crate::ty::{Space, Ty};
use raddle_diag::quote;

/// Checks an instruction whose operands fit its form.
pub(crate) fn check(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    match shape.op {
        Op::Ld | Op::St | Op::Atom | Op::Red | Op::Ldu | Op::Prefetch => memory(p, shape),
        Op::WgmmaMmaAsync
        | Op::Tcgen05Ld
        | Op::Tcgen05St
        | Op::Tcgen05Mma
        | Op::Ldmatrix
        | Op::Stmatrix
        | Op::Mma
        | Op::WmmaMma => vectors(p, shape).and_then(|()| crate::fragment::check(p, shape)),
        Op::CpAsyncBulkTensor | Op::CpAsyncBulkPrefetchTensor | Op::CpReduceAsyncBulkTensor => {
            crate::brackets::tensor(p, shape).and_then(|()| vectors(p, shape))
        }
        Op::Tex | Op::Tld4 | Op::Txq | Op::Suq | Op::Suld | Op::Sust | Op::Sured => {
            crate::brackets::texture(p, shape).and_then(|()| vectors(p, shape))
        }
        Op::Mov => value_of_name(p, shape),
        Op::Elect => elected(p),
        Op::Vmad => negations(p, shape),
        Op::Cvt => match p.opnds.iter().position(|o| o.word.tag() == Tag::Special) {
            Some(n) if shape.types.iter().any(|ty| ty.is_float()) => {
                Err((E0123, n, String::from("a special register is converted to integers only")))
            }
            _ => Ok(()),
        },
        _ => Ok(()),
    }?;
    crate::range::check(p, shape).map_err(|(n, text)| (E0127, n, text))?;
    if shape.op == Op::Mma && shape.mods.contains(&Mod::BlockScale) {
        return scales(p, shape);
    }
    if shape.op == Op::WgmmaMmaAsync && shape.mods.contains(&Mod::Sp) {
        return selector(p, shape);
    }
    Ok(())
}

/// Selectors of scales: a byte and a thread for each matrix (PTX ISA 9.0, `mma` with block scaling;
/// ptxas 13.0.88).
fn scales(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let has = |m: Mod| shape.mods.contains(&m);
    let bytes: &[i64] = match () {
        () if has(Mod::ScaleVec4X) => &[0],
        () if has(Mod::ScaleVec2X) || has(Mod::KindMxf4) => &[0, 2],
        () => &[0, 1, 2, 3],
    };
    let count = p.opnds.len();
    for (n, threads) in [(count - 3, &[0, 1][..]), (count - 1, &[0, 1, 2, 3])] {
        let Some(opnd) = p.opnds.get(n).filter(|o| o.word.tag() == Tag::Vec && o.count == 2) else { continue };
        let pair = &p.items[opnd.first as usize..][..2];
        for (item, (what, allowed)) in pair.iter().zip([("byte", bytes), ("thread", threads)]) {
            let Some(value) = crate::range::integer(p, item).filter(|value| !allowed.contains(value)) else { continue };
            let list = allowed.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            return Err((E0127, n, format!("the {what} that '{}' selects is {list}, not {value}", shape.dotted)));
        }
    }
    Ok(())
}

/// The operands that `vmad` may negate and select (ptxas 13.0.88).
fn negations(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let minus = |n: usize| {
        p.opnds.get(n).is_some_and(|o| match o.word.tag() {
            Tag::Neg => true,
            Tag::RegPart => p.body.words[o.word.payload() as usize + 2] != Word(0),
            _ => false,
        })
    };
    let bad = |n: usize, text: &str| Err((E0123, n, format!("{text} in '{}'", shape.dotted)));
    let tag = |n: usize| p.opnds.get(n).map(|o| o.word.tag());
    if let Some(n) = [0, 3].into_iter().find(|&n| tag(n) == Some(Tag::RegPart)) {
        return bad(n, "no part of a register is selected here");
    }
    if tag(0) == Some(Tag::Neg) {
        return bad(0, "a result is not negated");
    }
    let product = minus(1) != minus(2);
    if product && minus(3) {
        return bad(3, "either the product or the third source is negated");
    }
    if shape.mods.contains(&Mod::Po) && (product || minus(3)) {
        return bad(if product { 1 } else { 3 }, "nothing is negated where .po adds one");
    }
    Ok(())
}

/// The sparsity selector of 8-bit types must be 0 (ptxas 13.0.88).
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

/// The space in the instruction must match that of the symbol (ptxas 13.0.88: "State space
/// mismatch").
fn memory(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let space = shape.mods.iter().find_map(|m| space_of(m.name()));
    for (n, opnd) in p.opnds.iter().enumerate() {
        if opnd.word.tag() == Tag::AddrSym
            && let Some((name, ty)) = p.opaque(opnd)
        {
            return Err((E0123, n, format!("{} is a .{}, no memory", quote(name), ty.name())));
        }
        if space.is_none() && opnd.space == Some(Space::Param) && opnd.word.tag() == Tag::AddrSym {
            return Err((E0123, n, String::from("a parameter is read with .param, not with a generic address")));
        }
        if opnd.space == Some(Space::Generic) && opnd.word.tag() == Tag::AddrSym {
            return Err((E0123, n, String::from("a function is no memory to read or write")));
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

/// The value of a name of a texture or surface is read as `.u64` (ptxas 13.0.88).
fn value_of_name(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    match p.opnds.get(1).filter(|o| o.word.tag() == Tag::Symbol).and_then(|o| p.opaque(o)) {
        Some((name, ty)) if shape.types.first() != Some(&Ty::U64) => {
            Err((E0123, 1, format!("{} is a .{}, whose value is read as .u64 only", quote(name), ty.name())))
        }
        _ => Ok(()),
    }
}

/// The leader of a warp is told by a predicate (ptxas 13.0.88).
fn elected(p: &Parser<'_, '_, '_>) -> Result<(), Finding> {
    let Some(opnd) = p.opnds.first() else { return Ok(()) };
    let at = opnd.word.payload() as usize;
    if opnd.word.tag() == Tag::Pair && p.body.words[at + 1] != Word(0) {
        return Ok(());
    }
    Err((E0123, 0, format!("expected a register and a predicate, d|p, found {}", p.describe(opnd))))
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
