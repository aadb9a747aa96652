//! Warp-uniform values are computed once, in uniform registers.
//!
//! Problem: a uniform value takes a general register in each thread and an issue slot of the vector
//! pipes; and a word of a constant bank at a computed index comes through the load unit, tens of
//! cycles later, where the uniform data path reads it in two. Strategy: the pass starts at such
//! loads (*seeds*) and follows their index to its definitions (*slice*): constants, words of
//! constant banks, sums, products, shifts, logic, and loop-carried values, all uniform by
//! [`crate::uniform`]. If the uniform path can do all of that, it is *duplicated* there; the load
//! becomes `ULDC`, and its readers read the uniform register. [`crate::dce`] removes unused ones.
//!
//! Cost rule: a seed is taken only if each of its readers has a form that takes a uniform register,
//! so that none needs a move, and the slice runs at most [`WORTH`] instructions per load. At most
//! [`MOST`] uniform registers are made for a function: that many have numbers without spilling.
//!
//! Invariants: all threads of the warp share a uniform register. It is written only in blocks that
//! all of them run together ([`Uniformity::together`]), by unguarded instructions and on edges at
//! which they do not diverge; so it never changes under threads that still read it. It may be read
//! anywhere. A `WARPSYNC` of some lanes lets these continue alone, so a function with one is not
//! promoted, nor one that calls or is called: uniform registers are not callee-saved.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Block;
use raddle_sass::form::find;
use raddle_sass::row::{Access, File, Part, SlotKind, SlotRole};
use raddle_sass::{Field, Isa, Mod, Op};
use smallvec::SmallVec;

use crate::combine::operands::with_uniform;
use crate::convention::is_call;
use crate::graph::{b as ir_block, frequency};
use crate::mir::{Given, MArg, MBlock, MFunction, MGuard, MInst, MKind, MOp, Regs, V};
use crate::sass::{self, Mnemonic, tokens::BankSize};
use crate::uniform::Uniformity;

/// Most uniform registers made for one function.
const MOST: usize = 40;
/// Most values of a slice.
const LARGEST: usize = 24;
/// Most instructions of a slice for each load, weighted by frequency.
const WORTH: u64 = 2;
/// Most loads examined in one function.
const LOOKED_AT: usize = 4096;
/// Blocks above which a function is skipped: the sides of each divergent branch are walked.
const BLOCKS: usize = 4096;

/// Runs the pass; `joined` is that of [`Uniformity::together`]. Returns whether anything changed.
pub fn run(f: &mut MFunction, isa: Isa, joined: &SecondaryMap<Block, Option<Block>>) -> bool {
    if f.called {
        return false;
    }
    let mut seeds: Vec<(MBlock, usize)> = Vec::new();
    for &b in &f.layout {
        for (n, i) in f.blocks[b].insts.iter().enumerate() {
            if is_call(i) || i.row().op == Op::Warpsync {
                return false;
            }
            if seed(i).is_some() && seeds.len() < LOOKED_AT {
                seeds.push((b, n));
            }
        }
    }
    if seeds.is_empty() || f.layout.len() > BLOCKS {
        return false;
    }
    let uniform = Uniformity::of(f);
    let together = uniform.together(f, joined);
    seeds.retain(|(b, _)| together[ir_block(*b)]);
    if seeds.is_empty() {
        return false;
    }
    let mut p = Promote::new(f, isa, uniform, together);
    let mut changed = false;
    for (b, n) in seeds {
        changed |= p.promote(b, n);
    }
    p.insert();
    changed
}

/// The index of a load from a constant bank, and its results.
fn seed(i: &MInst) -> Option<(V, &Regs)> {
    if i.row().op != Op::Ldc || i.guard != MGuard::Always || i.reloc.is_some() {
        return None;
    }
    let (MKind::Regs(to), MKind::CBank { index: Some(v), .. }) =
        (&i.slot(SlotRole::Rd)?.kind, &i.slot(SlotRole::Misc)?.kind)
    else {
        return None;
    };
    let mut fields = i.row().fields.iter().zip(&i.fields);
    fields.all(|(f, &raw)| f.field == Field::Sz || f.values.name(raw) == Some(Mod::None)).then_some((*v, to))
}

/// Where a register is defined.
#[derive(Clone, Copy)]
enum Definition {
    /// By the n-th instruction of a block.
    Inst(MBlock, usize),
    /// As the n-th parameter of a block.
    Param(MBlock, usize),
}

/// The instructions that read a register; `None` if an edge or a branch does.
type Readers = Option<SmallVec<[(MBlock, usize); 2]>>;

struct Promote<'f> {
    f: &'f mut MFunction,
    isa: Isa,
    uniform: Uniformity,
    together: SecondaryMap<Block, bool>,
    often: SecondaryMap<MBlock, u64>,
    preds: SecondaryMap<MBlock, SmallVec<[MBlock; 2]>>,
    home: SecondaryMap<V, Option<Definition>>,
    readers: SecondaryMap<V, Readers>,
    /// The uniform copies of registers.
    clones: FxHashMap<V, V>,
    /// New instructions by block, each with the position it is inserted before.
    new: SecondaryMap<MBlock, Vec<(usize, MInst)>>,
    made: usize,
}

impl<'f> Promote<'f> {
    fn new(f: &'f mut MFunction, isa: Isa, uniform: Uniformity, together: SecondaryMap<Block, bool>) -> Self {
        let mut home: SecondaryMap<V, Option<Definition>> = SecondaryMap::new();
        let mut readers: SecondaryMap<V, Readers> = SecondaryMap::with_default(Some(SmallVec::new()));
        home.resize(f.vregs.len());
        readers.resize(f.vregs.len());
        for &b in &f.layout {
            let data = &f.blocks[b];
            data.params.iter().enumerate().for_each(|(n, &v)| home[v] = Some(Definition::Param(b, n)));
            for (n, i) in data.insts.iter().enumerate() {
                i.for_each_def(|v| home[v] = Some(Definition::Inst(b, n)));
                i.for_each_use(|v| {
                    if let Some(list) = &mut readers[v] {
                        list.push((b, n));
                    }
                });
            }
            crate::live::for_each_end_use(&data.term, |v| readers[v] = None);
        }
        let (often, preds) = (frequency(f), f.preds());
        let (clones, new) = (FxHashMap::default(), SecondaryMap::new());
        Promote { f, isa, uniform, together, often, preds, home, readers, clones, new, made: 0 }
    }

    /// Promotes a load, if that pays.
    fn promote(&mut self, b: MBlock, n: usize) -> bool {
        let Some((index, to)) = seed(&self.f.blocks[b].insts[n]).map(|(v, to)| (v, to.clone())) else { return false };
        let Some(slice) = self.slice(index) else { return false };
        let words = to.len();
        let room: usize = slice.iter().map(|v| self.registers(*v)).sum::<usize>() + words;
        if self.made + room > MOST {
            return false;
        }
        let cost: u64 = slice.iter().map(|v| self.cost(*v)).sum();
        if cost > WORTH * self.often[b] {
            return false;
        }
        let us: Regs = to.iter().map(|_| self.f.vreg(File::Ugpr)).collect();
        let Some(readers) = self.read(&to, &us) else { return false };
        let Some(clones) = self.clone_all(&slice) else { return false };
        // The whole slice can be promoted.
        let old = &self.f.blocks[b].insts[n];
        let index = clones.names.get(&index).or_else(|| self.clones.get(&index)).copied();
        let Some(load) = self.load(old, index, &us) else { return false };
        self.made += room;
        self.clones.extend(clones.names);
        for (v, q) in clones.params {
            self.pass(v, q);
        }
        for (b, n, i) in clones.insts {
            self.new[b].push((n, i));
        }
        // After the clones of the instructions before it.
        self.new[b].push((n, load));
        for (b, n, i) in readers {
            self.f.blocks[b].insts[n] = i;
        }
        true
    }

    /// Uniform registers that cloning a value takes: its own, and those of words of constant banks.
    fn registers(&self, v: V) -> usize {
        let Some(Definition::Inst(b, n)) = self.home[v] else { return 1 };
        1 + self.f.blocks[b].insts[n].ops.iter().filter(|o| matches!(o.kind, MKind::CBank { .. })).count()
    }

    /// Instructions that cloning a value adds, weighted by frequency.
    fn cost(&self, v: V) -> u64 {
        let Some(Definition::Inst(b, n)) = self.home[v] else { return 0 };
        let moves = self.f.blocks[b].insts[n].row().op == Op::Mov;
        self.often[b] * if moves { 1 } else { self.registers(v) as u64 }
    }

    /// The values that `v` depends on and `v`, without existing clones; `None` if one has no clone.
    fn slice(&self, v: V) -> Option<Vec<V>> {
        let mut slice: Vec<V> = Vec::new();
        let mut work = vec![v];
        while let Some(v) = work.pop() {
            if self.clones.contains_key(&v) || slice.contains(&v) {
                continue;
            }
            if slice.len() == LARGEST || self.f.vregs[v] != File::Gpr || !self.uniform.same(v) {
                return None;
            }
            slice.push(v);
            match self.home[v]? {
                Definition::Inst(b, n) => {
                    let i = &self.f.blocks[b].insts[n];
                    if !self.together[ir_block(b)] || !is_simple(i) || !self.is_alone(i, v) {
                        return None;
                    }
                    i.for_each_use(|u| work.push(u));
                }
                Definition::Param(b, n) => {
                    if !self.together[ir_block(b)] {
                        return None;
                    }
                    for &p in &self.preds[b] {
                        if !self.together[ir_block(p)] || self.uniform.parts(self.f, ir_block(p)) {
                            return None;
                        }
                        for e in self.f.blocks[p].term.edges().iter().filter(|e| e.to == b) {
                            if let MArg::Reg(a) = *e.args.get(n)? {
                                work.push(a);
                            }
                        }
                    }
                }
            }
        }
        Some(slice)
    }

    /// Whether the other results of the instruction that defines `v` are unused.
    fn is_alone(&self, i: &MInst, v: V) -> bool {
        let mut alone = true;
        i.for_each_def(|d| alone &= d == v || self.readers[d].as_ref().is_some_and(|r| r.is_empty()));
        alone
    }

    /// The readers of `from`, rewritten to read `us`; `None` if one of them cannot.
    fn read(&self, from: &[V], us: &[V]) -> Option<Vec<(MBlock, usize, MInst)>> {
        let mut out: Vec<(MBlock, usize, MInst)> = Vec::new();
        for &v in from {
            for &(b, n) in self.readers[v].as_ref()? {
                let i = &self.f.blocks[b].insts[n];
                if matches!(i.guard, MGuard::Virtual(p, _) if from.contains(&p)) {
                    return None;
                }
                if out.iter().any(|o| (o.0, o.1) == (b, n)) {
                    continue;
                }
                // One operand, once: an instruction reads at most one list of uniform registers.
                let reads = |o: &MOp| {
                    let mut any = false;
                    o.for_each(|r| any |= from.contains(&r));
                    any
                };
                let mut at = i.ops.iter().enumerate().filter(|(k, o)| !i.is_def(*k) && reads(o)).map(|(k, _)| k);
                let (k, None) = (at.next()?, at.next()) else { return None };
                let MKind::Regs(vs) = &i.ops[k].kind else { return None };
                let new: Regs =
                    vs.iter().map(|r| from.iter().position(|x| x == r).map(|p| us[p])).collect::<Option<_>>()?;
                out.push((b, n, with_uniform(self.isa, i, k, &new)?));
            }
        }
        Some(out)
    }

    /// Clones a slice to the uniform path; `None` if a value has no form there.
    fn clone_all(&mut self, slice: &[V]) -> Option<Clones> {
        let mut clones = Clones::default();
        for &v in slice {
            let u = self.f.vreg(File::Ugpr);
            clones.names.insert(v, u);
        }
        for &v in slice {
            let u = clones.names[&v];
            match self.home[v]? {
                Definition::Param(..) => clones.params.push((v, u)),
                Definition::Inst(b, n) => {
                    let i = self.f.blocks[b].insts[n].clone();
                    let insts = self.clone_one(&clones, &i, u)?;
                    // After the original: before the next.
                    clones.insts.extend(insts.into_iter().map(|i| (b, n + 1, i)));
                }
            }
        }
        Some(clones)
    }

    /// Clones one instruction to the uniform path, with the loads of its constant-bank words.
    fn clone_one(&mut self, clones: &Clones, i: &MInst, u: V) -> Option<SmallVec<[MInst; 2]>> {
        let mut out: SmallVec<[MInst; 2]> = SmallVec::new();
        let name = |v: V| clones.names.get(&v).or_else(|| self.clones.get(&v)).copied();
        let row = i.row();
        if row.op == Op::Mov {
            let source = i.slot(SlotRole::Rb)?;
            let (mnemonic, role, source) = match &source.kind {
                MKind::Regs(vs) => (sass::umov(), SlotRole::Rb, MOp::reg(name(vs[0])?)),
                MKind::CBank { .. } => (sass::uldc(BankSize::None), SlotRole::Misc, source.clone()),
                MKind::Imm(_) => (sass::umov(), SlotRole::Imm, source.clone()),
                _ => (sass::umov(), SlotRole::Rb, source.clone()),
            };
            let copy = self.make(mnemonic, &[(SlotRole::Rd, MOp::reg(u)), (role, source)], i)?;
            // The relocated field is at the same place in both.
            out.push(MInst { reloc: i.reloc, ..copy });
            return Some(out);
        }
        let mut given: Given = SmallVec::new();
        let mut words: SmallVec<[(SlotRole, MOp); 2]> = SmallVec::new();
        for (slot, o) in row.slots.iter().zip(&i.ops) {
            match (&slot.kind, &o.kind) {
                (SlotKind::Pred(_) | SlotKind::PredInv(_), MKind::Zero) => {}
                // An unused carry.
                (SlotKind::Pred(_) | SlotKind::PredInv(_), _) if slot.access == Access::Def => {}
                (SlotKind::Pred(_) | SlotKind::PredInv(_), _) => return None,
                (_, MKind::Regs(_)) if slot.role == SlotRole::Rd => given.push((SlotRole::Rd, MOp::reg(u))),
                (_, MKind::Regs(vs)) if vs.len() == 1 => {
                    given.push((slot.role, MOp { kind: MKind::Regs(Regs::from_slice(&[name(vs[0])?])), ..o.clone() }));
                }
                (_, MKind::Imm(_) | MKind::Zero) => given.push((slot.role, o.clone())),
                (_, MKind::CBank { index: None, .. }) if !o.abs => words.push((slot.role, o.clone())),
                _ => return None,
            }
        }
        for (role, o) in words {
            let w = self.f.vreg(File::Ugpr);
            let word = MOp::new(o.kind.clone());
            out.push(self.make(
                sass::uldc(BankSize::None),
                &[(SlotRole::Rd, MOp::reg(w)), (SlotRole::Misc, word)],
                i,
            )?);
            given.push((role, MOp { kind: MOp::reg(w).kind, ..o }));
        }
        out.push(self.make(uniform_name(i)?, &given, i)?);
        Some(out)
    }

    fn make(&self, mnemonic: Mnemonic, given: &[(SlotRole, MOp)], like: &MInst) -> Option<MInst> {
        find(self.isa, &mnemonic, given).map(|form| MInst::new(form, like.place))
    }

    /// The load on the uniform path.
    fn load(&self, old: &MInst, index: Option<V>, us: &[V]) -> Option<MInst> {
        // How negative sums behave is not known.
        let MKind::CBank { bank, offset: offset @ 0..=0x7fff, .. } = old.slot(SlotRole::Misc)?.kind else {
            return None;
        };
        let from = MOp::new(MKind::CBank { bank, offset, index: Some(index?) });
        self.make(uniform_name(old)?, &[(SlotRole::Rd, MOp::regs(us)), (SlotRole::Misc, from)], old)
    }

    /// Adds a uniform parameter next to a general one.
    fn pass(&mut self, v: V, u: V) {
        let Some(Definition::Param(b, n)) = self.home[v] else { return };
        self.f.blocks[b].params.push(u);
        let mut done: SmallVec<[MBlock; 4]> = SmallVec::new();
        for p in self.preds[b].clone() {
            if done.contains(&p) {
                continue;
            }
            done.push(p);
            for e in self.f.blocks[p].term.edges_mut().into_iter().filter(|e| e.to == b) {
                let arg = match e.args[n] {
                    MArg::Reg(a) => self.clones.get(&a).map_or(MArg::Undef, |u| MArg::Reg(*u)),
                    other => other,
                };
                e.args.push(arg);
            }
        }
    }

    /// Inserts the new instructions.
    fn insert(mut self) {
        for b in self.f.layout.clone() {
            let mut list = std::mem::take(&mut self.new[b]);
            if list.is_empty() {
                continue;
            }
            // Stable: at one position, the order of creation.
            list.sort_by_key(|e| e.0);
            let old = std::mem::take(&mut self.f.blocks[b].insts);
            let mut out = Vec::with_capacity(old.len() + list.len());
            let mut list = list.into_iter().peekable();
            for (n, i) in old.into_iter().enumerate() {
                while let Some((_, new)) = list.next_if(|e| e.0 <= n) {
                    out.push(new);
                }
                out.push(i);
            }
            out.extend(list.map(|e| e.1));
            self.f.blocks[b].insts = out;
        }
    }
}

/// A cloned slice.
#[derive(Default)]
struct Clones {
    names: FxHashMap<V, V>,
    /// Parameters, and their uniform copies.
    params: Vec<(V, V)>,
    /// Instructions, each with its block and the position it is inserted before.
    insts: Vec<(MBlock, usize, MInst)>,
}

/// Whether it computes one word from words, without predicates, and may have a uniform form.
fn is_simple(i: &MInst) -> bool {
    let row = i.row();
    let known = matches!(row.op, Op::Mov | Op::Iadd3 | Op::Imad | Op::Lea | Op::Lop3 | Op::Shf);
    let one = matches!(i.slot(SlotRole::Rd).map(|o| &o.kind), Some(MKind::Regs(vs)) if vs.len() == 1);
    let carries = row.field_index(Field::X).is_some_and(|n| i.fields[n] != 0);
    known
        && one
        && !carries
        && i.guard == MGuard::Always
        && (i.reloc.is_none() || row.op == Op::Mov)
        && row.effects.reads.is_none()
        && i.ops
            .iter()
            .all(|o| !matches!(o.kind, MKind::Phys(_) | MKind::Uniform(_) | MKind::CBank { index: Some(_), .. }))
}

/// The mnemonic of an instruction on the uniform path.
fn uniform_name(i: &MInst) -> Option<Mnemonic> {
    let (row, op) = (i.row(), sass::uniform_twin(i.row().op)?);
    let token = |part: &Part| match *part {
        Part::Fixed(m) => Some(m),
        Part::Field(n) => row.fields[usize::from(n)].values.name(i.fields[usize::from(n)]),
        Part::Alias(_) => Some(Mod::None),
    };
    row.mnemonic.iter().map(token).collect::<Option<SmallVec<[Mod; 8]>>>().map(|all| Mnemonic::new(op, &all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::MTerm;
    use crate::testing::{
        ISA, add, branch, constant, edge, function, jump, names, params, positive, push, store, value,
    };

    /// A loop that sums words of a bank, left by `differs` or by all threads together; promoted.
    fn looped(differs: bool) -> MFunction {
        let mut f = function(3);
        let thread = f.vreg(File::Gpr);
        push(
            &mut f,
            0,
            sass::s2r(),
            &[(SlotRole::Rd, MOp::reg(thread)), (SlotRole::Misc, MOp::new(MKind::Special(33)))],
        );
        let start = value(&mut f, 0);
        jump(&mut f, 0, 1, &[thread]);
        let p = params(&mut f, 1, 2);
        let (sum, index) = (p[0], p[1]);
        let mut e = edge(&f, 1, &[thread]);
        let start_index = constant(&mut f, 0, 16);
        e.args.push(MArg::Reg(start_index));
        let first = f.layout[0];
        f.blocks[first].term = MTerm::Jump(e);
        let word = f.vreg(File::Gpr);
        let from = MOp::new(MKind::CBank { bank: 3, offset: 8, index: Some(index) });
        push(&mut f, 1, sass::ldc(BankSize::None), &[(SlotRole::Rd, MOp::reg(word)), (SlotRole::Misc, from)]);
        let all = add(&mut f, 1, word, sum);
        let next = f.vreg(File::Gpr);
        let given = [
            (SlotRole::Rd, MOp::reg(next)),
            (SlotRole::Ra, MOp::reg(index)),
            (SlotRole::Rb, MOp::imm(4)),
            (SlotRole::Rc, MOp::zero()),
        ];
        push(&mut f, 1, sass::iadd3(), &given);
        let goes = positive(&mut f, 1, if differs { all } else { start });
        branch(&mut f, 1, goes, (1, &[all, next]), (2, &[]));
        store(&mut f, 2, &[all]);
        crate::verify::check(&f, "test").unwrap();
        run(&mut f, ISA, &SecondaryMap::new());
        crate::dce::run(&mut f);
        crate::verify::check(&f, "uniformize").unwrap();
        f
    }

    #[test]
    fn a_load_with_a_common_index_is_one_of_the_warp() {
        let f = looped(false);
        assert_eq!(names(&f, f.layout[1]), ["ULDC", "IADD3", "UIADD3", "ISETP"]);
        assert_eq!(names(&f, f.layout[0]), ["S2R", "LDS", "UMOV"]);
        assert_eq!(f.blocks[f.layout[1]].params.len(), 2, "the counter is in a uniform register only");
    }

    #[test]
    fn nothing_uniform_is_written_where_threads_go_their_own_ways() {
        let f = looped(true);
        assert_eq!(names(&f, f.layout[1]), ["LDC", "IADD3", "IADD3", "ISETP"]);
    }
}
