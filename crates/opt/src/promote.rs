//! Puts memory cells into SSA form, for [`crate::mem2reg`] and [`crate::loads`].
//!
//! Strategy: block parameters on the iterated dominance frontier of a cell's writes where the cell
//! is live (Cytron et al., 1991, pruned), and one walk of the dominator tree with the current value
//! of each cell. Where nothing was written the value is undefined.

use crate::edit::Renames;
use raddle_entity::{FxHashMap, FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Function, Inst, Mty, Op, Sign, SourcePos, Target, Terminator, Value, ValueDef, Width};
use smallvec::SmallVec;

/// A memory cell: bytes that become one value, by their type.
pub type Cell = Mty;

/// One element of an access: whole cells, or some bytes of one.
#[derive(Clone, Debug)]
pub struct Element {
    /// The cells, low first: one unless the element is wider than 32 bits; none if the element is
    /// not promoted.
    pub cells: SmallVec<[u32; 4]>,
    /// Its bit offset in its cell.
    pub shift: u32,
    /// Whether it is narrower than its cell.
    pub partial: bool,
    /// Its type.
    pub ty: Mty,
}

/// Puts cells into SSA form.
pub struct Promote<'a> {
    f: &'a mut Function,
    cfg: &'a Cfg,
    dom: DomTree,
    cells: &'a [Cell],
    elements: FxHashMap<Inst, Vec<Element>>,
    /// Accesses that stay: loads among them write their cells.
    keep: FxHashSet<Inst>,
    /// Cells that are parameters of a block, ascending, after the parameters it had.
    params: SecondaryMap<Block, Vec<(u32, Option<Value>)>>,
    /// The current value of each cell during the walk.
    current: Vec<Option<Value>>,
    /// What to restore when the walk leaves a block.
    undo: Vec<(u32, Option<Value>)>,
    /// An undefined value of each width that needed one, in order of creation.
    undefined: SmallVec<[Value; 4]>,
    same: Renames,
}

impl<'a> Promote<'a> {
    /// Creates a promotion of these elements, by access: each of them becomes moves between cells.
    pub fn new(f: &'a mut Function, cfg: &'a Cfg, cells: &'a [Cell], elements: FxHashMap<Inst, Vec<Element>>) -> Self {
        let dom = DomTree::dominators(cfg);
        Promote {
            f,
            cfg,
            dom,
            cells,
            elements,
            keep: FxHashSet::default(),
            params: SecondaryMap::new(),
            current: vec![None; cells.len()],
            undo: Vec::new(),
            undefined: SmallVec::new(),
            same: Renames::default(),
        }
    }

    /// Sets the accesses that stay in place; loads among them count as writes of their cells.
    pub fn keep(mut self, keep: FxHashSet<Inst>) -> Self {
        self.keep = keep;
        self
    }

    /// Runs the promotion.
    pub fn run(mut self) {
        self.place_params();
        self.walk();
        let undefined: Vec<Inst> = self.undefined.iter().filter_map(|&v| self.f.def(v).map(|d| d.0)).collect();
        let first = self.f.entry();
        self.f.blocks[first].insts.splice(0..0, undefined);
        self.same.apply(self.f);
    }

    fn width(&self, cell: u32) -> Width {
        self.cells[cell as usize].width()
    }

    /// Finds where values of a cell meet: the iterated dominance frontier of its stores, where it
    /// is live.
    fn place_params(&mut self) {
        let n = self.cells.len();
        let mut exposed: Vec<Vec<Block>> = vec![Vec::new(); n];
        let mut written: Vec<Vec<Block>> = vec![Vec::new(); n];
        let mut stamp: Vec<(u32, u32)> = vec![(0, 0); n];
        for (number, &b) in self.cfg.rpo.iter().enumerate() {
            let mark = number as u32 + 1;
            for i in &self.f.blocks[b].insts {
                let Some(list) = self.elements.get(i) else { continue };
                let loads = matches!(self.f.insts[*i].op, Op::Load(_)) && !self.keep.contains(i);
                for e in list {
                    for &c in &e.cells {
                        let (read, wrote) = &mut stamp[c as usize];
                        if (loads || e.partial) && *read != mark && *wrote != mark {
                            *read = mark;
                            exposed[c as usize].push(b);
                        }
                        if !loads && *wrote != mark {
                            *wrote = mark;
                            written[c as usize].push(b);
                        }
                    }
                }
            }
        }
        let frontier = self.frontiers();
        let mut live: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut placed: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut defines: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut work: Vec<Block> = Vec::new();
        for c in 0..n as u32 {
            let mark = c + 1;
            for &b in &written[c as usize] {
                defines[b] = mark;
            }
            work.clone_from(&exposed[c as usize]);
            work.iter().for_each(|&b| live[b] = mark);
            while let Some(b) = work.pop() {
                for &p in &self.cfg.preds[b] {
                    if live[p] != mark && defines[p] != mark {
                        live[p] = mark;
                        work.push(p);
                    }
                }
            }
            work.clone_from(&written[c as usize]);
            while let Some(b) = work.pop() {
                for &join in &frontier[b] {
                    if placed[join] != mark && live[join] == mark {
                        placed[join] = mark;
                        self.params[join].push((c, None));
                        work.push(join);
                    }
                }
            }
        }
        for &b in &self.cfg.rpo {
            for k in 0..self.params[b].len() {
                let width = self.width(self.params[b][k].0);
                self.params[b][k].1 = Some(self.f.add_param(b, width));
            }
        }
    }

    /// Dominance frontiers (Cooper, Harvey and Kennedy, 2001).
    fn frontiers(&self) -> SecondaryMap<Block, Vec<Block>> {
        let mut out: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &b in &self.cfg.rpo {
            if self.cfg.preds[b].len() < 2 {
                continue;
            }
            let stop = self.dom.idom(b);
            for &p in &self.cfg.preds[b] {
                let mut at = Some(p);
                while at != stop {
                    let Some(x) = at else { break };
                    if out[x].last() != Some(&b) {
                        out[x].push(b);
                    }
                    at = self.dom.idom(x);
                }
            }
        }
        out
    }

    /// Walks the dominator tree with the current values.
    fn walk(&mut self) {
        let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for b in self.dom.preorder() {
            if let Some(d) = self.dom.idom(b) {
                children[d].push(b);
            }
        }
        let mut stack = vec![(self.f.entry(), None)];
        while let Some((b, leave)) = stack.pop() {
            if let Some(depth) = leave {
                while self.undo.len() > depth {
                    if let Some((c, v)) = self.undo.pop() {
                        self.current[c as usize] = v;
                    }
                }
                continue;
            }
            stack.push((b, Some(self.undo.len())));
            self.block(b);
            stack.extend(children[b].iter().map(|&c| (c, None)));
        }
    }

    fn set(&mut self, cell: u32, v: Value) {
        let old = self.current[cell as usize].replace(v);
        self.undo.push((cell, old));
    }

    fn get(&mut self, cell: u32) -> Value {
        if let Some(v) = self.current[cell as usize] {
            return v;
        }
        let width = self.width(cell);
        if let Some(&v) = self.undefined.iter().find(|&&v| self.f.width(v) == width) {
            return v;
        }
        let i = self.f.make(Op::Undef, &[], &[width], SourcePos::default());
        let v = self.f.insts[i].results[0];
        self.undefined.push(v);
        v
    }

    fn block(&mut self, b: Block) {
        for k in 0..self.params[b].len() {
            if let (c, Some(v)) = self.params[b][k] {
                self.set(c, v);
            }
        }
        let insts = std::mem::take(&mut self.f.blocks[b].insts);
        for i in insts {
            match self.elements.remove(&i) {
                Some(list) if self.keep.contains(&i) => {
                    self.f.blocks[b].insts.push(i);
                    self.written(i, &list);
                }
                Some(list) => self.replace(b, i, &list),
                None => self.f.blocks[b].insts.push(i),
            }
        }
        self.edges(b);
    }

    /// Passes the cells that the targets take. A switch passes no values: blocks are inserted for
    /// it.
    fn edges(&mut self, b: Block) {
        let Some(mut term) = self.f.blocks[b].term.take() else { return };
        if let Terminator::Switch { targets, .. } = &mut term {
            let mut between: FxHashMap<Block, Block> = FxHashMap::default();
            for t in targets {
                let to = *t;
                if self.params[to].is_empty() {
                    continue;
                }
                if let Some(&block) = between.get(&to) {
                    *t = block;
                    continue;
                }
                let block = self.f.add_block();
                self.f.term_places[block] = self.f.term_places[b];
                let args = self.passed(to);
                self.f.blocks[block].term = Some(Terminator::Jump(Target { block: to, args }));
                between.insert(to, block);
                *t = block;
            }
        }
        for t in term.targets_mut() {
            let args = self.passed(t.block);
            t.args.extend(args);
        }
        self.f.blocks[b].term = Some(term);
    }

    fn passed(&mut self, to: Block) -> SmallVec<[Value; 4]> {
        let cells: SmallVec<[u32; 4]> = self.params[to].iter().map(|p| p.0).collect();
        cells.into_iter().map(|c| self.get(c)).collect()
    }

    /// Records the cells' values after an access that stays.
    fn written(&mut self, i: Inst, list: &[Element]) {
        let d = &self.f.insts[i];
        let values: SmallVec<[Value; 4]> =
            if d.results.is_empty() { d.args[1..].into() } else { d.results.as_slice().into() };
        for (e, v) in list.iter().zip(values) {
            if let [c] = e.cells[..] {
                self.set(c, v);
            }
        }
    }

    /// Replaces a load or store by moves between cells.
    fn replace(&mut self, b: Block, i: Inst, list: &[Element]) {
        let (place, args, results) =
            (self.f.insts[i].place, self.f.insts[i].args.clone(), self.f.insts[i].results.clone());
        for (k, e) in list.iter().enumerate() {
            match results.get(k) {
                Some(&r) => {
                    let v = self.loaded(b, e, place);
                    self.same.set(r, v);
                }
                None => self.stored(b, e, args[k + 1], place),
            }
        }
    }

    fn loaded(&mut self, b: Block, e: &Element, place: SourcePos) -> Value {
        let parts: SmallVec<[Value; 4]> = e.cells.iter().map(|&c| self.get(c)).collect();
        let width = e.ty.width();
        let mut v = match parts[..] {
            [v] => v,
            _ => self.f.append1(b, Op::Pack, &parts, width, place),
        };
        if e.shift > 0 {
            let by = self.f.append1(b, Op::Const(u64::from(e.shift)), &[], Width::B32, place);
            v = self.f.append1(b, Op::Shr(Sign::U), &[v, by], Width::B32, place);
        }
        let sign = if matches!(e.ty, Mty::S8 | Mty::S16) { Sign::S } else { Sign::U };
        // The result of the same load is extended already.
        let extended = match self.f.values[v].def {
            ValueDef::Result(i, _) => matches!(self.f.insts[i].op, Op::Load(mem) if mem.ty == e.ty),
            ValueDef::Param(..) => false,
        };
        match e.ty.bytes() {
            n @ (1 | 2) if !extended => self.f.append1(b, Op::ExtLow(sign, 8 * n as u8), &[v], width, place),
            _ => v,
        }
    }

    fn stored(&mut self, b: Block, e: &Element, v: Value, place: SourcePos) {
        match e.cells[..] {
            [c] if e.partial && self.cells[c as usize].bytes() > e.ty.bytes() => {
                let old = self.get(c);
                let mut number = |n: u32| self.f.append1(b, Op::Const(u64::from(n)), &[], Width::B32, place);
                let (at, length) = (number(e.shift), number(8 * e.ty.bytes()));
                let new = self.f.append1(b, Op::Bfi, &[v, old, at, length], Width::B32, place);
                self.set(c, new);
            }
            [c] => self.set(c, v),
            _ => {
                let widths: SmallVec<[Width; 4]> = e.cells.iter().map(|&c| self.width(c)).collect();
                let parts = self.f.append(b, Op::Unpack, &[v], &widths, place);
                for (k, &c) in e.cells.iter().enumerate() {
                    let part = self.f.insts[parts].results[k];
                    self.set(c, part);
                }
            }
        }
    }
}
