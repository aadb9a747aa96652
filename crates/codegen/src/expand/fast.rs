//! Fast paths of rounded quotients, reciprocals and roots, and of 64-bit integer division: a short
//! sequence for ordinary operands, the full one out of line.
//!
//! Problem: sequences that are exact for every operand are three to five times as long as ordinary
//! operands need. Strategy ("ptxas 13.0.88 output"): compute the result with a short sequence, test
//! whether the operands allow that, and branch to the full sequence, which is placed after the rest
//! of the function.
//!
//! A full sequence that a kernel would contain more than once is left as the operation
//! ([`super::leaf`]), which becomes a call of a subroutine.
//!
//! Invariant: the first part of a split block keeps its name; the slow path contains the original
//! operation, or that of its subroutine.

use std::sync::LazyLock;

use raddle_ir::{Block, Fty, Function, Inst, InstData, Op, Rnd, Target, Terminator, Value, Width};
use smallvec::SmallVec;

use super::{DIV_U32, Expander, Sequence, directed, direction, leaf};

static DIV: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_f32_fast.ir")));
static RCP: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("rcp_f32_fast.ir")));
static SQRT: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("sqrt_f32_fast.ir")));
static DIV_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("div_f64_fast.ir")));
static RCP_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("rcp_f64_fast.ir")));
static SQRT_F64: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("sqrt_f64_fast.ir")));

static LARGE: LazyLock<Sequence> = LazyLock::new(|| Sequence::read(include_str!("large_u64.ir")));

static ROUND_RCP: LazyLock<[Sequence; 3]> = LazyLock::new(|| directed(include_str!("round_rcp_f32.ir"), Width::B32));
static ROUND_SQRT: LazyLock<[Sequence; 3]> = LazyLock::new(|| directed(include_str!("round_sqrt_f32.ir"), Width::B32));

/// Operations of a function above which code size matters more than time, where there are no
/// subroutines.
const MOST: usize = 64;

/// How often the full sequence of an operation is used if it becomes a subroutine. Those of f64 are
/// long; others are taken by ordinary operands, too: zeros as dividends, integers of 64 bits.
fn least(op: Op) -> usize {
    if matches!(op, Op::Fdiv(Fty::F64, ..) | Op::Fsqrt(Fty::F64, ..)) { 2 } else { 3 }
}

/// All sequences, for their test.
#[cfg(test)]
pub(super) fn sequences() -> Vec<&'static Sequence> {
    let nearest = [&*DIV, &RCP, &SQRT, &DIV_F64, &RCP_F64, &SQRT_F64, &LARGE];
    nearest.into_iter().chain(&*ROUND_RCP).chain(&*ROUND_SQRT).collect()
}

/// The short sequence to nearest of an operation, and the one that adjusts its result to another
/// rounding. Integers have one if the full sequence is a subroutine, one of `leaves`.
fn sequence(op: Op, width: Width, leaves: &[Op]) -> Option<(&'static Sequence, Option<&'static Sequence>)> {
    Some(match op {
        Op::Div(_) | Op::Rem(_) if width == Width::B64 && leaves.contains(&op) => (&LARGE, None),
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

/// Expands the operations of a function that have a short sequence. Returns the operations that are
/// left for subroutines, if there may be any.
pub(super) fn run(f: &mut Function, subroutines: bool) -> Vec<Op> {
    let leaves = if subroutines { shared(f) } else { Vec::new() };
    let has = |f: &Function, i: Inst| of(f, i, &leaves).is_some();
    let wanted = |f: &Function, b: Block| f.blocks[b].insts.iter().filter(|&&i| has(f, i)).count();
    let count: usize = f.layout.iter().map(|&b| wanted(f, b)).sum();
    if count == 0 || (count > MOST && !subroutines) {
        return Vec::new();
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
            match split(f, here, i, &leaves) {
                Some((short, long, join)) => {
                    behind.push(long);
                    layout.extend(short);
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
    leaves
}

/// The sequences of an instruction: see [`sequence`].
fn of(f: &Function, i: Inst, leaves: &[Op]) -> Option<(&'static Sequence, Option<&'static Sequence>)> {
    let d = &f.insts[i];
    sequence(d.op, f.width(*d.results.first()?), leaves)
}

/// The operations of subroutines that slow paths would call often enough ([`least`]).
fn shared(f: &Function) -> Vec<Op> {
    let mut counts: Vec<(Op, usize)> = Vec::new();
    for &i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        let op = f.insts[i].results.first().and_then(|&v| leaf(f.insts[i].op, f.width(v)));
        let Some(op) = op.filter(|&op| of(f, i, &[op]).is_some()) else { continue };
        match counts.iter_mut().find(|c| c.0 == op) {
            Some(c) => c.1 += 1,
            None => counts.push((op, 1)),
        }
    }
    counts.into_iter().filter(|&(op, count)| count >= least(op)).map(|c| c.0).collect()
}

/// Appends the operation of a slow path: that of its subroutine if that is one of `leaves`.
fn slow(f: &mut Function, block: Block, d: &InstData, width: Width, leaves: &[Op]) -> Value {
    let op = leaf(d.op, width).filter(|op| leaves.contains(op)).unwrap_or(d.op);
    let mut args = d.args.clone();
    if op != d.op && matches!(d.op, Op::Frcp(..)) {
        let one = if width == Width::B64 { 1f64.to_bits() } else { 1f32.to_bits().into() };
        args.insert(0, f.append1(block, Op::Const(one), &[], width, d.place));
    }
    f.append1(block, op, &args, width, d.place)
}

/// Divides 64-bit integers by the sequence for 32 bits where both operands fit there and the divisor
/// is not zero. `test` says whether that is not so: unlike the sequence, it is short, so it runs
/// first. Returns what [`split`] does.
fn choose(f: &mut Function, here: Block, i: Inst, test: &Sequence, leaves: &[Op]) -> Option<Blocks> {
    let d = f.insts[i].clone();
    let mut e = Expander { f, block: here, place: d.place };
    let &[large] = e.call(test, &d.args)?.as_slice() else { return None };
    let blocks = [e.f.add_block(), e.f.add_block(), e.f.add_block()];
    let [short, long, join] = blocks;
    e.block = short;
    let halves: SmallVec<[Value; 2]> = d
        .args
        .iter()
        .map(|&v| {
            let halves = e.f.append(short, Op::Unpack, &[v], &[Width::B32; 2], d.place);
            e.f.insts[halves].results[0]
        })
        .collect();
    let low = e.call(&DIV_U32, &halves)?[2 + usize::from(matches!(d.op, Op::Rem(_)))];
    let value = e.op(Op::Zext, &[low], Width::B64);
    let full = slow(f, long, &d, Width::B64, leaves);
    let result = f.add_param(join, Width::B64);
    let to = |block: Block, v: &[Value]| Target { block, args: SmallVec::from_slice(v) };
    f.blocks[here].term =
        Some(Terminator::Branch { cond: large, uniform: false, then: to(long, &[]), other: to(short, &[]) });
    f.blocks[short].term = Some(Terminator::Jump(to(join, &[value])));
    f.blocks[long].term = Some(Terminator::Jump(to(join, &[full])));
    for b in [here, short, long] {
        f.term_places[b] = d.place;
    }
    let zero = f.append1(join, Op::Const(0), &[], Width::B64, d.place);
    f.insts[i].op = Op::Or;
    f.insts[i].args = SmallVec::from_slice(&[result, zero]);
    f.blocks[join].insts.push(i);
    Some((Some(short), long, join))
}

/// The block of the short sequence, if it is one of its own, that of the full one, and that of the
/// rest.
type Blocks = (Option<Block>, Block, Block);

/// Splits the block around one instruction.
fn split(f: &mut Function, here: Block, i: Inst, leaves: &[Op]) -> Option<Blocks> {
    let d = f.insts[i].clone();
    let (nearest, moved) = of(f, i, leaves)?;
    let width = f.width(*d.results.first()?);
    if let Op::Div(_) | Op::Rem(_) = d.op {
        return choose(f, here, i, nearest, leaves);
    }
    let mut e = Expander { f, block: here, place: d.place };
    let results = e.call(nearest, &d.args)?;
    let &[short, ordinary_not] = results.as_slice() else { return None };
    let short = moved.map_or(Some(short), |by| e.moved(by, short, &d.args))?;
    let (long, join) = (f.add_block(), f.add_block());
    let value = slow(f, long, &d, width, leaves);
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
    Some((None, long, join))
}
