//! A function with the analyses that symbolic execution needs.

use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Function, Op, Slot, Value, ValueDef, Width};

/// A function before or after a pass.
pub struct Side<'a> {
    /// The function.
    pub f: &'a Function,
    /// Its control flow.
    pub cfg: Cfg,
    /// Its dominators.
    pub dom: DomTree,
    /// The block that defines a value, if that can be reached.
    pub home: SecondaryMap<Value, Option<Block>>,
}

impl<'a> Side<'a> {
    /// Analyses a function.
    pub fn of(f: &'a Function) -> Self {
        let cfg = Cfg::of(f);
        let dom = DomTree::dominators(&cfg);
        let mut home: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
        for &b in &cfg.rpo {
            f.blocks[b].params.iter().for_each(|&v| home[v] = Some(b));
            for &i in &f.blocks[b].insts {
                f.insts[i].results.iter().for_each(|&v| home[v] = Some(b));
            }
        }
        Self { f, cfg, dom, home }
    }

    /// Whether a value has been computed wherever a block begins.
    pub fn is_available(&self, v: Value, b: Block) -> bool {
        let exists = (v.as_u32() as usize) < self.f.values.len();
        match self.home[v].filter(|_| exists) {
            Some(home) if home == b => matches!(self.f.values[v].def, ValueDef::Param(..)),
            Some(home) => self.dom.dominates(home, b),
            None => false,
        }
    }

    /// The value that all edges to a block pass to a parameter, if it is one.
    pub fn only_argument(&self, b: Block, n: u32) -> Option<Value> {
        let mut found = None;
        for &p in &self.cfg.preds[b] {
            for target in self.f.term(p).targets().into_iter().filter(|t| t.block == b) {
                let arg = target.args[n as usize];
                if *found.get_or_insert(arg) != arg {
                    return None;
                }
            }
        }
        found
    }

    /// The targets of edges to blocks that a depth-first walk is still in: they cut every cycle.
    pub fn back_targets(&self) -> Vec<Block> {
        let mut place: SecondaryMap<Block, u32> = SecondaryMap::new();
        self.cfg.rpo.iter().enumerate().for_each(|(n, &b)| place[b] = n as u32);
        let is_target = |&b: &Block| self.cfg.preds[b].iter().any(|&p| place[p] >= place[b]);
        self.cfg.rpo.iter().copied().filter(is_target).collect()
    }

    /// Whether every cycle passes one of these blocks.
    pub fn is_cut_by(&self, cuts: &[Block]) -> bool {
        // Without the edges into the cuts, blocks are removed once no edge leads to them.
        let mut waiting: SecondaryMap<Block, u32> = SecondaryMap::new();
        let is_cut = |b: &Block| cuts.contains(b);
        for &b in &self.cfg.rpo {
            waiting[b] = if is_cut(&b) { 0 } else { self.cfg.preds[b].len() as u32 };
        }
        let mut ready: Vec<Block> = self.cfg.rpo.iter().copied().filter(|&b| waiting[b] == 0).collect();
        let mut done = 0;
        while let Some(b) = ready.pop() {
            done += 1;
            for &s in self.cfg.succs[b].iter().filter(|s| !is_cut(s)) {
                waiting[s] -= 1;
                if waiting[s] == 0 {
                    ready.push(s);
                }
            }
        }
        done == self.cfg.rpo.len()
    }

    /// The variables whose address is used for more than the addresses of accesses: unknown
    /// addresses may point into them.
    pub fn escaped(&self) -> Vec<Slot> {
        let f = self.f;
        let mut points: SecondaryMap<Value, Option<Slot>> = SecondaryMap::new();
        let mut out: Vec<Slot> = f.slots.iter().filter(|(_, d)| d.dynamic).map(|(slot, _)| slot).collect();
        for &b in &self.cfg.rpo {
            for &i in &f.blocks[b].insts {
                let d = &f.insts[i];
                if let Op::SlotAddr(slot, _) = d.op {
                    points[d.results[0]] = Some(slot);
                    continue;
                }
                let mut into: Vec<Slot> = Vec::new();
                for (n, &v) in d.args.iter().enumerate() {
                    let Some(slot) = points[v] else { continue };
                    match d.op {
                        // By an address in the variable's own space.
                        Op::Load(_) | Op::Store(_) | Op::Atom(_) | Op::Red(_) if n == 0 && f.width(v) == Width::B32 => {
                        }
                        // The address plus something.
                        Op::Add | Op::Zext => into.push(slot),
                        Op::Sub if n == 0 => into.push(slot),
                        Op::Mad | Op::MadWide(_) if n == 2 => into.push(slot),
                        _ => out.push(slot),
                    }
                }
                match into[..] {
                    [] => {}
                    [slot] => points[d.results[0]] = Some(slot),
                    _ => out.extend(into),
                }
            }
            f.term(b).for_each_use(|v| out.extend(points[v]));
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
