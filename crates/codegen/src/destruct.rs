//! Leaves SSA form: values on edges become moves, and register lists become groups that can be
//! allocated together.
//!
//! Parameters: the values of an edge are moved at the end of its source, if that is the source's
//! only edge, at the beginning of its target, if that is the target's only edge, else in a new
//! block. The moves of an edge are parallel; they are ordered so that no move overwrites what a
//! later one reads, with a temporary for each cycle.
//!
//! Guarded definitions: the value that a result keeps under a false guard is moved into the result
//! first.
//!
//! Lists: a virtual register belongs to at most one group, a run of registers that are allocated
//! together. A list of a definition is a group. A list of a use is left alone if it is a group or
//! an aligned piece of one, or if all of its members are free to become one; otherwise its members
//! are copied ([`crate::early_copies`] for products of warpgroups). [`crate::coalesce`] removes the
//! moves that are not needed.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{SourcePos, Stop};
use raddle_sass::Isa;
use raddle_sass::row::{File, SlotRole};
use smallvec::SmallVec;

use crate::copies::copy;
use crate::early_copies::EarlyCopies;
use crate::graph::frequency;
use crate::mir::{MArg, MBlock, MBlockData, MEdge, MFunction, MInst, MKind, MOp, MTerm, V};
use crate::products::is_product;

/// Groups of virtual registers: for each member its group and position.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Members of each group, in order.
    pub members: Vec<SmallVec<[V; 4]>>,
    /// Group and position of each member.
    pub of: SecondaryMap<V, Option<(u32, u32)>>,
}

/// The alignment of the first number of a list: its length, rounded up to a power of two, at most 8
/// ("ptxas 13.0.88 output": accumulators of `HGMMA` begin at any multiple of 8). The 16 registers of
/// the first operand of `DMMA.16x8x16` begin at a multiple of 16, as those of ptxas do; an H100 takes
/// others for an illegal instruction.
pub const fn alignment(length: usize) -> usize {
    if length == 2 * WIDEST {
        return length;
    }
    let whole = length.next_power_of_two();
    if whole < WIDEST { whole } else { WIDEST }
}

/// The largest alignment of most lists.
pub const WIDEST: usize = 8;

impl Groups {
    /// Makes a group of registers that belong to none.
    pub fn make(&mut self, vs: &[V]) {
        let g = self.members.len() as u32;
        self.members.push(SmallVec::from_slice(vs));
        for (n, &v) in vs.iter().enumerate() {
            self.of[v] = Some((g, n as u32));
        }
    }

    /// Whether the list can be an operand without copies.
    pub(crate) fn fits(&self, vs: &[V]) -> bool {
        let Some((g, first)) = self.of[vs[0]] else { return false };
        (first as usize).is_multiple_of(alignment(vs.len()))
            && vs.iter().enumerate().all(|(n, &v)| self.of[v] == Some((g, first + n as u32)))
    }

    /// Whether none of them belongs to a group, and all differ.
    pub(crate) fn free(&self, vs: &[V]) -> bool {
        vs.iter().enumerate().all(|(n, v)| self.of[*v].is_none() && !vs[..n].contains(v))
    }
}

/// Runs the pass.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks a move.
pub fn run(f: &mut MFunction, isa: Isa) -> Result<Groups, Stop> {
    leave_ssa(f, isa)?;
    f.ssa = false;
    tie(f, isa)?;
    keep(f, isa)?;
    group(f, isa)
}

fn leave_ssa(f: &mut MFunction, isa: Isa) -> Result<(), Stop> {
    let preds = f.preds();
    let mut layout = Vec::with_capacity(f.layout.len());
    for b in f.layout.clone() {
        layout.push(b);
        let term = f.blocks[b].term.clone();
        let single = matches!(term, MTerm::Jump(_));
        for (n, e) in term.edges().into_iter().enumerate() {
            let params = f.blocks[e.to].params.clone();
            if params.is_empty() {
                continue;
            }
            let place = f.blocks[b].place;
            let moves = sequence(f, isa, &params, &e.args, place)?;
            if single {
                f.blocks[b].insts.extend(moves);
            } else if preds[e.to].len() == 1 {
                f.blocks[e.to].insts.splice(0..0, moves);
            } else if !moves.is_empty() {
                layout.push(split(f, b, n, e.to, moves));
            }
        }
    }
    f.layout = layout;
    for &b in &f.layout {
        f.blocks[b].params.clear();
        for e in f.blocks[b].term.edges_mut() {
            e.args.clear();
        }
    }
    Ok(())
}

/// Splits the n-th edge of `b` by a new block with `moves`.
pub(crate) fn split(f: &mut MFunction, b: MBlock, n: usize, to: MBlock, moves: Vec<MInst>) -> MBlock {
    let place = f.blocks[b].place;
    let term = MTerm::Jump(MEdge { to, args: SmallVec::new() });
    let via = f.blocks.push(MBlockData { params: SmallVec::new(), insts: moves, term, place });
    if let Some(e) = f.blocks[b].term.edges_mut().into_iter().nth(n) {
        e.to = via;
    }
    via
}

/// Orders the moves of one edge: a move is ready when no remaining move reads its destination; when
/// none is ready, the rest are cycles, each of which a temporary breaks.
fn sequence(f: &mut MFunction, isa: Isa, params: &[V], args: &[MArg], place: SourcePos) -> Result<Vec<MInst>, Stop> {
    let pairs = params.iter().copied().zip(args.iter().copied());
    let mut moves: Vec<(V, MArg)> = pairs.filter(|(p, a)| *a != MArg::Reg(*p) && *a != MArg::Undef).collect();
    let writer: FxHashMap<V, usize> = moves.iter().enumerate().map(|(n, m)| (m.0, n)).collect();
    // The number of remaining moves that read each move's destination.
    let mut readers = vec![0u32; moves.len()];
    let read = |a: MArg| if let MArg::Reg(v) = a { writer.get(&v).copied() } else { None };
    moves.iter().filter_map(|m| read(m.1)).for_each(|n| readers[n] += 1);
    let mut ready: Vec<usize> = (0..moves.len()).rev().filter(|&n| readers[n] == 0).collect();
    let mut done = vec![false; moves.len()];
    let mut out = Vec::with_capacity(moves.len());
    for start in 0..moves.len() {
        loop {
            while let Some(n) = ready.pop() {
                let (p, a) = moves[n];
                out.push(copy(isa, f.vregs[p], p, a, place)?);
                done[n] = true;
                if let Some(k) = read(a) {
                    readers[k] -= 1;
                    if readers[k] == 0 {
                        ready.push(k);
                    }
                }
            }
            if done[start] {
                break;
            }
            // Only cycles are left, in which every parameter has one reader.
            let (p, _) = moves[start];
            let t = f.vreg(f.vregs[p]);
            out.push(copy(isa, f.vregs[p], t, MArg::Reg(p), place)?);
            // Moves that are done may have read it, too.
            if let Some((m, _)) = moves.iter_mut().zip(&done).find(|(m, done)| !**done && m.1 == MArg::Reg(p)) {
                m.1 = MArg::Reg(t);
            }
            readers[start] = 0;
            ready.push(start);
        }
    }
    Ok(out)
}

/// Gives accumulators of products the registers of their results, with moves before.
fn tie(f: &mut MFunction, isa: Isa) -> Result<(), Stop> {
    for b in f.layout.clone() {
        if !f.blocks[b].insts.iter().any(is_product) {
            continue;
        }
        let mut out = Vec::with_capacity(f.blocks[b].insts.len());
        for mut i in std::mem::take(&mut f.blocks[b].insts) {
            let at = |role: SlotRole| i.row().slots.iter().position(|s| s.role == role);
            if is_product(&i)
                && let (Some(d), Some(c)) = (at(SlotRole::Rd), at(SlotRole::Rc))
                && let (MKind::Regs(results), MKind::Regs(accumulators)) = (&i.ops[d].kind, &i.ops[c].kind)
            {
                for (&to, &from) in results.iter().zip(accumulators) {
                    out.push(copy(isa, File::Gpr, to, MArg::Reg(from), i.place)?);
                }
                i.ops[c] = MOp::regs(&results.clone());
            }
            out.push(i);
        }
        f.blocks[b].insts = out;
    }
    Ok(())
}

/// Lets each guarded definition write the register that has its value for a false guard.
fn keep(f: &mut MFunction, isa: Isa) -> Result<(), Stop> {
    for b in f.layout.clone() {
        if f.blocks[b].insts.iter().all(|i| i.otherwise.is_empty()) {
            continue;
        }
        let mut out = Vec::with_capacity(f.blocks[b].insts.len());
        for mut i in std::mem::take(&mut f.blocks[b].insts) {
            for (to, from) in &mut i.otherwise {
                out.push(copy(isa, f.vregs[*to], *to, MArg::Reg(*from), i.place)?);
                *from = *to;
            }
            out.push(i);
        }
        f.blocks[b].insts = out;
    }
    Ok(())
}

/// Forms the groups, most frequent lists first; copies members of lists that conflict.
fn group(f: &mut MFunction, isa: Isa) -> Result<Groups, Stop> {
    let mut groups = Groups::default();
    // What a product still uses keeps the order that the product gives it.
    let mut flying: SecondaryMap<V, bool> = SecondaryMap::new();
    f.layout.iter().flat_map(|&b| &f.blocks[b].insts).flat_map(|i| &i.kept).for_each(|&v| flying[v] = true);
    let lists = |f: &MFunction, b: MBlock, each: &mut dyn FnMut(bool, &[V])| {
        for i in &f.blocks[b].insts {
            let product = is_product(i);
            for (n, o) in i.ops.iter().enumerate() {
                match &o.kind {
                    MKind::Regs(vs) | MKind::Addr { base: vs, .. }
                        if vs.len() > 1 && (product || i.is_def(n) || vs.iter().all(|v| !flying[*v])) =>
                    {
                        each(i.is_def(n), vs);
                    }
                    _ => {}
                }
            }
        }
    };
    for &b in &f.layout {
        lists(f, b, &mut |def, vs| {
            if def {
                groups.make(vs);
            }
        });
    }
    let often = frequency(f);
    let mut order = f.layout.clone();
    order.sort_by_key(|&b| std::cmp::Reverse(often[b]));
    for b in order {
        lists(f, b, &mut |def, vs| {
            if !def && groups.free(vs) {
                groups.make(vs);
            }
        });
    }
    let mut early = EarlyCopies::new(f, often);
    for b in f.layout.clone() {
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut i in insts {
            let product = is_product(&i);
            for n in 0..i.ops.len() {
                if i.is_def(n) {
                    continue;
                }
                let place = i.place;
                let Some(vs) = i.ops[n].list_mut() else { continue };
                if vs.len() < 2 || groups.fits(vs) {
                    continue;
                }
                let fresh: SmallVec<[V; 2]> = vs.iter().map(|&v| f.vregs.push(f.vregs[v])).collect();
                for (&to, &from) in fresh.iter().zip(vs.iter()) {
                    if !(product && early.take(from, to, f.vregs[to], b)) {
                        out.push(copy(isa, f.vregs[to], to, MArg::Reg(from), place)?);
                    }
                }
                groups.make(&fresh);
                *vs = fresh;
            }
            out.push(i);
        }
        f.blocks[b].insts = out;
    }
    early.place(f, isa)?;
    Ok(groups)
}
