//! Allowed values of immediate operands, for instructions that restrict them.
//!
//! Every row is from the errors of ptxas 13.0.88 for other values; registers as these operands are
//! not checked.

use crate::body::Tag;
use crate::parse::{Opnd, Parser};
use crate::table::{Mod, Op};
use crate::tree::Shape;
use crate::ty::Ty;

/// The values allowed for an operand.
enum Values {
    /// From the first to the last, both included.
    Within(i64, i64),
    /// One of these.
    OneOf(&'static [i64]),
    /// A power of two up to this one.
    PowerTo(i64),
    /// A multiple of the first number, from the second to the third.
    Multiple(i64, i64, i64),
    /// At most the value of another operand.
    AtMost(usize),
}

use Values::{AtMost, Multiple, OneOf, PowerTo, Within};

/// Operations, a modifier that they have (`None` for any), the operand, its values. The first
/// matching row for an operand applies.
const ROWS: &[(&[Op], Option<Mod>, usize, Values)] = &[
    (&[Op::Bar, Op::Barrier], Some(Mod::Sync), 0, Within(0, 15)),
    (&[Op::Bar, Op::Barrier], Some(Mod::Arrive), 0, Within(0, 15)),
    (&[Op::Bar, Op::Barrier], Some(Mod::Red), 1, Within(0, 15)),
    (&[Op::Bar, Op::Barrier], Some(Mod::Sync), 1, Multiple(32, 0, i64::MAX)),
    (&[Op::Bar, Op::Barrier], Some(Mod::Arrive), 1, Multiple(32, 0, i64::MAX)),
    (&[Op::Bar, Op::Barrier], Some(Mod::Red), 2, Multiple(32, 0, i64::MAX)),
    (&[Op::Setmaxnreg], None, 0, Multiple(8, 24, 256)),
    (&[Op::Pmevent], Some(Mod::Mask), 0, Within(0, 0xffff)),
    (&[Op::Pmevent], None, 0, Within(0, 15)),
    (&[Op::CpAsync], Some(Mod::Ca), 2, OneOf(&[4, 8, 16])),
    (&[Op::CpAsync], Some(Mod::Cg), 2, OneOf(&[16])),
    (&[Op::CpAsync], None, 3, AtMost(2)),
    (&[Op::CpAsyncBulk, Op::CpReduceAsyncBulk], None, 2, Multiple(16, 0, 0xffff0)),
    (&[Op::CpAsyncBulkPrefetch], None, 1, Multiple(16, 0, 0xffff0)),
    (&[Op::MbarrierTestWait, Op::MbarrierTryWait], Some(Mod::Parity), 2, Within(0, 1)),
    (&[Op::Discard, Op::Applypriority, Op::FenceProxy], None, 1, OneOf(&[128])),
    (&[Op::TensormapCpFenceproxy], None, 2, OneOf(&[128])),
    (&[Op::Bfe], None, 2, Within(0, 255)),
    (&[Op::Bfe], None, 3, Within(0, 255)),
    (&[Op::Bfi], None, 3, Within(0, 255)),
    (&[Op::Bfi], None, 4, Within(0, 255)),
    // With metadata of any value, and which of them ([`selector`]): two operands more.
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 3, Within(i64::MIN, i64::MAX)),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 4, Within(i64::MIN, i64::MAX)),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 5, Within(0, 1)),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 6, OneOf(&[-1, 1])),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 7, OneOf(&[-1, 1])),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 8, Within(0, 1)),
    (&[Op::WgmmaMmaAsync], Some(Mod::Sp), 9, Within(0, 1)),
    (&[Op::WgmmaMmaAsync], None, 3, Within(0, 1)),
    (&[Op::WgmmaMmaAsync], None, 4, OneOf(&[-1, 1])),
    (&[Op::WgmmaMmaAsync], None, 5, OneOf(&[-1, 1])),
    (&[Op::WgmmaMmaAsync], None, 6, Within(0, 1)),
    (&[Op::WgmmaMmaAsync], None, 7, Within(0, 1)),
    (&[Op::TensormapReplace], Some(Mod::BoxDim), 1, Within(0, 4)),
    (&[Op::TensormapReplace], Some(Mod::GlobalDim), 1, Within(0, 4)),
    (&[Op::TensormapReplace], Some(Mod::GlobalStride), 1, Within(0, 4)),
    (&[Op::TensormapReplace], Some(Mod::ElementStride), 1, Within(0, 4)),
    (&[Op::TensormapReplace], Some(Mod::Elemtype), 1, Within(0, 12)),
    (&[Op::TensormapReplace], Some(Mod::InterleaveLayout), 1, Within(0, 2)),
    (&[Op::TensormapReplace], Some(Mod::SwizzleMode), 1, Within(0, 3)),
    (&[Op::TensormapReplace], Some(Mod::FillMode), 1, Within(0, 1)),
    (&[Op::WgmmaWaitGroup], None, 0, Within(0, i64::MAX)),
    (&[Op::Alloca], None, 2, PowerTo(1 << 23)),
];

/// Checks the immediate operands of an instruction whose forms fit; the error is the operand and
/// its allowed values.
pub(crate) fn check(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), (usize, String)> {
    if let Some((n, most)) = selector(shape)
        && let Some(value) = immediate(p, n).filter(|value| !(0..=most).contains(value))
    {
        return Err((n, format!("'{}' takes 0 to {most} as its selector, not {value}", shape.dotted)));
    }
    let mut done = 0u32;
    for (ops, needs, n, values) in ROWS {
        if !ops.contains(&shape.op) || needs.is_some_and(|m| !shape.mods.contains(&m)) {
            continue;
        }
        let known = done >> n & 1 == 1;
        done |= 1 << n;
        if known {
            continue;
        }
        let Some(value) = immediate(p, *n) else { continue };
        let wrong = match *values {
            Within(low, high) if (low..=high).contains(&value) => None,
            Within(low, i64::MAX) => Some(format!("{low} or more")),
            Within(low, high) => Some(format!("{low} to {high}")),
            OneOf(list) if list.contains(&value) => None,
            OneOf(list) => Some(list.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
            Multiple(step, low, high) if value % step == 0 && (low..=high).contains(&value) => None,
            Multiple(step, low, i64::MAX) => Some(format!("a multiple of {step} from {low} on")),
            Multiple(step, low, high) => Some(format!("a multiple of {step} from {low} to {high}")),
            PowerTo(most) if value > 0 && value <= most && value & (value - 1) == 0 => None,
            PowerTo(most) => Some(format!("a power of two up to {most}")),
            AtMost(other) => match immediate(p, other) {
                Some(most) if !(0..=most).contains(&value) => Some(format!("0 to {most}")),
                _ => None,
            },
        };
        if let Some(allowed) = wrong {
            return Err((*n, format!("'{}' takes {allowed} here, not {value}", shape.dotted)));
        }
    }
    Ok(())
}

/// The operand of a sparse product that says which lanes have its metadata, and the highest value that
/// it may have.
fn selector(shape: &Shape) -> Option<(usize, i64)> {
    let has = |m: Mod| shape.mods.contains(&m);
    if !has(Mod::Sp) && !has(Mod::SpOrderedMetadata) {
        return None;
    }
    let most = match (shape.op, *shape.types.get(1)?) {
        (Op::WgmmaMmaAsync, Ty::F16 | Ty::Bf16 | Ty::Tf32) => return Some((4, 1)),
        (Op::WgmmaMmaAsync, _) => return Some((4, 0)),
        (Op::Mma, Ty::F16) => 3,
        (Op::Mma, Ty::Bf16) if has(Mod::M16n8k16) => 3,
        (Op::Mma, Ty::Tf32) if has(Mod::M16n8k8) => 3,
        (Op::Mma, Ty::Bf16 | Ty::Tf32) => 1,
        (Op::Mma, Ty::S8 | Ty::U8) => i64::from(has(Mod::M16n8k32)),
        (Op::Mma, Ty::S4 | Ty::U4) => i64::from(has(Mod::M16n8k64)),
        (Op::Mma, Ty::E4m3 | Ty::E5m2) if !has(Mod::BlockScale) => 0,
        _ => return None,
    };
    Some((5, most))
}

/// The value of an integer operand.
fn immediate(p: &Parser<'_, '_, '_>, n: usize) -> Option<i64> {
    integer(p, p.opnds.get(n)?)
}

/// The value of an operand, or of a member of one, if it is an integer.
pub(crate) fn integer(p: &Parser<'_, '_, '_>, opnd: &Opnd) -> Option<i64> {
    match (opnd.word.tag(), p.body.decode(opnd.word)) {
        (Tag::SmallInt | Tag::Int, crate::tree::Operand::Imm(imm)) => Some(imm.bits as i64),
        _ => None,
    }
}
