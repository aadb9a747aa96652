//! Operand properties that modifiers determine: the state space, the length of vectors, the number
//! of coordinates.

use crate::table::{Mod, Op};
use crate::tree::Shape;
use crate::ty::{Space, Ty};

/// The state space that a modifier names.
pub(crate) fn space_of(name: &str) -> Option<Space> {
    Some(match name.split("::").next().unwrap_or("") {
        "global" => Space::Global,
        "shared" => Space::Shared,
        "local" => Space::Local,
        "const" => Space::Const,
        "param" => Space::Param,
        _ => return None,
    })
}

/// The length of vector operand `n`, if the modifiers determine it (PTX ISA 9.0, 9.7.14 to 9.7.16).
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
        // Selectors; the scale before each of them may be in braces.
        Op::Mma if has(Mod::BlockScale) && n > 4 && n % 2 == 1 => Some(2),
        // Offsets may have the place of sample and layer, or not.
        Op::Tex if n > 0 && (has(Mod::N2dms) || has(Mod::A2dms)) => None,
        Op::Tex => Some(match (n, has(Mod::V2), coordinates(shape)) {
            (0, true, _) => 2,
            (0, false, _) => 4,
            // Gradients have no array index.
            (_, _, 2) if has(Mod::A1d) => 1,
            (_, _, 4) if has(Mod::A2d) => 2,
            (_, _, coordinates) => coordinates,
        }),
        Op::CpAsyncBulkTensor | Op::CpAsyncBulkPrefetchTensor => match coordinates(shape) {
            5 if has(Mod::TileGather4) => None,
            _ if has(Mod::Im2colW) || has(Mod::Im2colW128) => Some(2),
            n => n.checked_sub(2),
        },
        Op::Tld4 => Some(if n == 0 { 4 } else { 2 }),
        _ => None,
    }
}

/// The number of coordinates in the brackets of a tensor, texture or surface instruction; 0 for
/// none.
pub(crate) fn coordinates(shape: &Shape) -> usize {
    let surface = matches!(shape.op, Op::Suld | Op::Sust | Op::Sured);
    let tensor = !surface && !matches!(shape.op, Op::Tex | Op::Tld4);
    for m in &shape.mods {
        let n = match (m, tensor) {
            (Mod::TileGather4 | Mod::TileScatter4, true) => return 5,
            (Mod::N1d, _) => 1,
            (Mod::N2d, _) => 2,
            (Mod::N3d, true) => 3,
            (Mod::N3d, false) => 4,
            (Mod::N4d, _) => 4,
            (Mod::N5d, _) => 5,
            (Mod::A1d, _) => 2,
            (Mod::A2d | Mod::Cube | Mod::Acube | Mod::A2dms, _) => 4,
            (Mod::N2dms, _) => 4,
            _ => continue,
        };
        if !(tensor && shape.mods.iter().any(|m| matches!(m, Mod::TileGather4 | Mod::TileScatter4))) {
            return n;
        }
    }
    0
}
