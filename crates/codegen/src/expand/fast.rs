//! Fast paths of rounded quotients, reciprocals and roots: a short sequence for ordinary operands,
//! the full one out of line.
//!
//! Problem: sequences that are exact for every operand are three to five times as long as ordinary
//! operands need. Strategy ("ptxas 13.0.88 output"): compute the result with a short sequence, test
//! whether the operands allow that, and branch to the full sequence, which is placed after the rest
//! of the function.
//!
//! Invariant: the first part of a split block keeps its name; the slow path contains the original
//! operation.

use std::sync::LazyLock;

use raddle_ir::{Block, Fty, Function, Inst, Op, Rnd, Target, Terminator, Value, Width};
use smallvec::SmallVec;

use super::{Expander, Sequence, directed, direction};

static DIV: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_f32_fast.ir")));
static RCP: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("rcp_f32_fast.ir")));
static SQRT: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("sqrt_f32_fast.ir")));
static DIV_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_f64_fast.ir")));
static RCP_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("rcp_f64_fast.ir")));
static SQRT_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("sqrt_f64_fast.ir")));

static ROUND_RCP: LazyLock<[Sequence; 3]> = LazyLock::new(|| directed(include_str!("round_rcp_f32.ir"), Width::B32));
static ROUND_SQRT: LazyLock<[Sequence; 3]> = LazyLock::new(|| directed(include_str!("round_sqrt_f32.ir"), Width::B32));

/// Operations of a function above which code size matters more than time.
const MOST: usize = 64;

/// All sequences, for their test.
#[cfg(test)]
pub(super) fn sequences() -> Vec<&'static Sequence> {
    let nearest = [&*DIV, &RCP, &SQRT, &DIV_F64, &RCP_F64, &SQRT_F64];
    nearest.into_iter().chain(&*ROUND_RCP).chain(&*ROUND_SQRT).collect()
}

/// The short sequence to nearest of an operation, and the one that adjusts its result to another
/// rounding.
fn sequence(op: Op) -> Option<(&'static Sequence, Option<&'static Sequence>)> {
    Some(match op {
        Op::Fdiv(Fty::F32, Rnd::Rn, _) => (&DIV, None),
        Op::Frcp(Fty::F32, Rnd::Rn, _) => (&RCP, None),
        Op::Frcp(Fty::F32, r, _) => (&RCP, Some(&ROUND_RCP[direction(r)?])),
        Op::Fsqrt(Fty::F32, Rnd::Rn, _) => (&SQRT, None),
        Op::Fsqrt(Fty::F32, r, _) => (&SQRT, Some(&ROUND_SQRT[direction(r)?])),
        Op::Fdiv(Fty::F64, Rnd::Rn, _) => (&DIV_F64, None),
        Op::Frcp(Fty::F64, Rnd::Rn, _) => (&RCP_F64, None),
        Op::Fsqrt(Fty::F64, Rnd::Rn, _) => (&SQRT_F64, None),
        _ => return None,
    })
}

/// Expands the operations of a function that have a short sequence.
pub(super) fn run(f: &mut Function) {
    let wanted =
        |f: &Function, b: Block| f.blocks[b].insts.iter().filter(|&&i| sequence(f.insts[i].op).is_some()).count();
    let count: usize = f.layout.iter().map(|&b| wanted(f, b)).sum();
    if count == 0 || count > MOST {
        return;
    }
    let (mut layout, mut behind) = (Vec::with_capacity(f.layout.len()), Vec::new());
    for b in std::mem::take(&mut f.layout) {
        layout.push(b);
        if wanted(f, b) == 0 {
            continue;
        }
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let term = f.blocks[b].term.take();
        let mut here = b;
        for i in insts {
            match split(f, here, i) {
                Some((long, join)) => {
                    behind.push(long);
                    layout.push(join);
                    here = join;
                }
                None => f.blocks[here].insts.push(i),
            }
        }
        f.blocks[here].term = term;
        f.term_places[here] = f.term_places[b];
    }
    layout.append(&mut behind);
    f.layout = layout;
}

/// Splits the block around one instruction; returns the blocks of the full sequence and of the
/// rest.
fn split(f: &mut Function, here: Block, i: Inst) -> Option<(Block, Block)> {
    let d = f.insts[i].clone();
    let (nearest, moved) = sequence(d.op)?;
    let width = f.width(*d.results.first()?);
    let mut e = Expander { f, block: here, place: d.place };
    let results = e.call(nearest, &d.args)?;
    let &[short, ordinary_not] = results.as_slice() else { return None };
    let short = moved.map_or(Some(short), |by| e.moved(by, short, &d.args))?;
    let (long, join) = (f.add_block(), f.add_block());
    let value = f.append1(long, d.op, &d.args, width, d.place);
    let result = f.add_param(join, width);
    let to = |block: Block, v: &[Value]| Target { block, args: SmallVec::from_slice(v) };
    let cond =
        Terminator::Branch { cond: ordinary_not, uniform: false, then: to(long, &[]), other: to(join, &[short]) };
    f.blocks[here].term = Some(cond);
    f.blocks[long].term = Some(Terminator::Jump(to(join, &[value])));
    for b in [here, long] {
        f.term_places[b] = d.place;
    }
    // A copy keeps the uses of the old result valid.
    let zero = f.append1(join, Op::Const(0), &[], width, d.place);
    f.insts[i].op = Op::Or;
    f.insts[i].args = SmallVec::from_slice(&[result, zero]);
    f.blocks[join].insts.push(i);
    Some((long, join))
}
