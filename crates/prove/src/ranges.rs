//! What launches guarantee of special registers (PTX ISA 9.0, 10; CUDA C++ Programming Guide,
//! "Technical Specifications"), stated apart from the facts of the compiler.

use raddle_ir::{Bounds, Special};

use crate::term::{Bank, Node, Term};

/// The least and the greatest value of a special register.
fn range(s: Special, bounds: &Bounds) -> Option<(u128, u128)> {
    let most = bounds
        .reqntid
        .or(bounds.maxntid)
        .map_or(1024, |t| t.iter().map(|&n| u128::from(n.max(1))).product::<u128>().min(1024));
    let axis = |n: usize, limit: u128| match bounds.reqntid {
        Some(t) => u128::from(t[n].max(1)).min(limit),
        None => most.min(limit),
    };
    let size = |n: usize, limit: u128| {
        let size = axis(n, limit);
        (if bounds.reqntid.is_some() { size } else { 1 }, size)
    };
    Some(match s {
        Special::TidX => (0, axis(0, 1024) - 1),
        Special::TidY => (0, axis(1, 1024) - 1),
        Special::TidZ => (0, axis(2, 64) - 1),
        Special::NtidX => size(0, 1024),
        Special::NtidY => size(1, 1024),
        Special::NtidZ => size(2, 64),
        Special::CtaidX => (0, 0x7fff_fffe),
        Special::CtaidY | Special::CtaidZ => (0, 0xfffe),
        Special::NctaidX => (1, 0x7fff_ffff),
        Special::NctaidY | Special::NctaidZ => (1, 0xffff),
        Special::LaneId => (0, 31),
        Special::WarpId => (0, 63),
        Special::DynamicSmem | Special::TotalSmem => (0, 0xff_ffff),
        _ => return None,
    })
}

/// The registers that have ranges.
const RANGED: [Special; 16] = [
    Special::TidX,
    Special::TidY,
    Special::TidZ,
    Special::NtidX,
    Special::NtidY,
    Special::NtidZ,
    Special::CtaidX,
    Special::CtaidY,
    Special::CtaidZ,
    Special::NctaidX,
    Special::NctaidY,
    Special::NctaidZ,
    Special::LaneId,
    Special::WarpId,
    Special::DynamicSmem,
    Special::TotalSmem,
];

/// The greatest value of a special register in any launch.
pub fn limit(s: Special) -> Option<u128> {
    range(s, &Bounds::default()).map(|range| range.1)
}

/// The conditions on the special registers in these terms.
pub fn of(bank: &mut Bank, terms: &[Term], bounds: &Bounds) -> Vec<Term> {
    let mut out = Vec::new();
    for t in bank.reachable(terms) {
        let Node::Var(name) = *bank.node(t) else { continue };
        let name = bank.name(name).to_owned();
        let is = |s: &&Special| name == format!("special.{s:?}");
        let Some((low, high)) = RANGED.iter().find(is).and_then(|&s| range(s, bounds)) else { continue };
        let t = bank.zext(t, 32);
        let (low, high) = (bank.int(low, 32), bank.int(high, 32));
        for (a, b) in [(t, low), (high, t)] {
            let less = bank.ult(a, b);
            out.push(bank.not(less));
        }
    }
    out
}
