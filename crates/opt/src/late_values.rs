//! Moves operations to where their results are used, where too many values are live at once.
//!
//! Problem: Triton computes the masks and the addresses of a tile first, and uses them one by one
//! much later, each for one guarded access. There are seven predicates; the others are kept as 0 or
//! 1 in registers, at the price of two instructions each, and registers are spilled. Strategy: where
//! more than [`PREDICATES`] are live in a block, or more than [`REGISTERS`] out of it, an operation
//! whose result is used in one other block only moves there, in front of the first use; one that
//! makes a predicate moves to its first use in its own block, too. What only it reads moves along, if
//! that takes no more registers after than before.
//!
//! Invariants: only pure operations move, never into a loop, and only to blocks that the old place
//! dominates (SSA form).

use raddle_entity::{FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::live::Liveness;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Cx, Function, Inst, Op, Stop, Value, ValueDef, Width};

use crate::edit::{homes, use_counts};
use crate::late_loads::{self, registers};

/// Predicates that may be live out of a block: one of the seven is left for what is computed next.
const PREDICATES: usize = 6;
/// Registers that may be live out of a block.
const REGISTERS: usize = 128;
/// Longest chain of operations that moves along.
const CHAIN: u32 = 4;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let live = Liveness::of(f, &cfg);
    late_loads::run(f, &cfg, &live);
    let mut crowded: Vec<(Block, bool, bool)> = Vec::new();
    for &b in cfg.rpo.iter().rev() {
        let general = live.live_out(&cfg, b).map(|v| registers(f.width(v)) as usize).sum::<usize>() > REGISTERS;
        let predicates = most_predicates(f, &cfg, &live, b) > PREDICATES;
        if predicates || general {
            crowded.push((b, predicates, general));
        }
    }
    if crowded.is_empty() {
        return Ok(());
    }
    let loops = Loops::of(&cfg, &DomTree::dominators(&cfg));
    let mut moves = Moves { home: homes(f), uses: use_counts(f), to: SecondaryMap::new() };
    let users = users(f);
    // Users before what they use, so that a chain moves as a whole.
    for (b, predicates, general) in crowded {
        cx.step(f.blocks[b].insts.len() as u64)?;
        for &i in f.blocks[b].insts.iter().rev() {
            let &[result] = f.insts[i].results.as_slice() else { continue };
            let width = f.width(result);
            let most = match width {
                Width::P if predicates => 1,
                Width::P => continue,
                _ if general => registers(width) - 1,
                _ => continue,
            };
            if !moves.may(f, i) || moves.to[i].is_some() {
                continue;
            }
            let Some(to) = moves.first_use(&users[result], b) else { continue };
            let outward = loops.innermost[to] == loops.innermost[b] || loops.innermost[to].is_none();
            if outward && (to != b || width == Width::P) && moves.cost(f, i, CHAIN) <= most {
                moves.chain(f, i, to, CHAIN);
            }
        }
    }
    moves.apply(f);
    Ok(())
}

/// Returns how many predicates are live at once in a block.
fn most_predicates(f: &Function, cfg: &Cfg, live: &Liveness, b: Block) -> usize {
    let is = |v: &Value| f.width(*v) == Width::P;
    let mut now: FxHashSet<Value> = live.live_out(cfg, b).filter(is).collect();
    f.term(b).for_each_use(|v| {
        if is(&v) {
            now.insert(v);
        }
    });
    let mut most = now.len();
    for &i in f.blocks[b].insts.iter().rev() {
        let d = &f.insts[i];
        d.results.iter().for_each(|v| _ = now.remove(v));
        now.extend(d.args.iter().copied().filter(is));
        most = most.max(now.len());
    }
    most
}

/// The instructions that use a value, and the blocks whose terminators do.
#[derive(Clone, Debug, Default)]
struct Users {
    insts: Vec<Inst>,
    ends: Vec<Block>,
}

fn users(f: &Function) -> SecondaryMap<Value, Users> {
    let mut out: SecondaryMap<Value, Users> = SecondaryMap::new();
    for &b in &f.layout {
        for &i in &f.blocks[b].insts {
            f.insts[i].args.iter().for_each(|&v| out[v].insts.push(i));
        }
        f.term(b).for_each_use(|v| out[v].ends.push(b));
    }
    out
}

struct Moves {
    home: SecondaryMap<Inst, Option<Block>>,
    uses: SecondaryMap<Value, u32>,
    /// The new block of what moves.
    to: SecondaryMap<Inst, Option<Block>>,
}

impl Moves {
    /// Whether the instruction may run later, and is more than a constant or a special register.
    fn may(&self, f: &Function, i: Inst) -> bool {
        let op = f.insts[i].op;
        op.is_pure() && !matches!(op, Op::Load(_) | Op::Const(_) | Op::Undef | Op::Special(_))
    }

    /// The block of the first use of a value of block `b`, after the moves so far: `b` itself, or the
    /// only other block with uses.
    fn first_use(&self, users: &Users, b: Block) -> Option<Block> {
        let insts = users.insts.iter().filter_map(|&i| self.to[i].or(self.home[i]));
        let mut all = insts.chain(users.ends.iter().copied());
        let first = all.clone().next()?;
        if all.clone().any(|u| u == b) {
            return Some(b);
        }
        all.all(|u| u == first).then_some(first)
    }

    /// The definition of an operand of an instruction in `b`, if it is in `b` and has no other use.
    fn only(&self, f: &Function, v: Value, b: Option<Block>) -> Option<Inst> {
        let ValueDef::Result(i, 0) = f.values[v].def else { return None };
        (self.uses[v] == 1 && f.insts[i].results.len() == 1 && self.home[i] == b && self.may(f, i)).then_some(i)
    }

    /// Registers that stay live longer if the instruction moves with its chain.
    fn cost(&self, f: &Function, i: Inst, depth: u32) -> u32 {
        let operand = |&v: &Value| match self.only(f, v, self.home[i]) {
            _ if f.constant(v).is_some() || self.uses[v] > 1 => 0,
            Some(inner) if depth > 0 => self.cost(f, inner, depth - 1).min(registers(f.width(v))),
            _ => registers(f.width(v)),
        };
        f.insts[i].args.iter().map(operand).sum()
    }

    /// Moves the instruction, and what only it reads where that takes no more registers.
    fn chain(&mut self, f: &Function, i: Inst, to: Block, depth: u32) {
        self.to[i] = Some(to);
        for n in 0..f.insts[i].args.len() {
            let v = f.insts[i].args[n];
            if depth > 0
                && let Some(inner) = self.only(f, v, self.home[i])
                && self.cost(f, inner, depth - 1) <= registers(f.width(v))
            {
                self.chain(f, inner, to, depth - 1);
            }
        }
    }

    /// Puts what moves in front of its first use in the new block, or at its end.
    fn apply(&self, f: &mut Function) {
        let mut waiting: SecondaryMap<Block, Vec<Inst>> = SecondaryMap::new();
        for b in f.layout.clone() {
            let insts = &mut f.blocks[b].insts;
            insts.iter().for_each(|&i| self.to[i].into_iter().for_each(|to| waiting[to].push(i)));
            insts.retain(|&i| self.to[i].is_none());
        }
        for b in f.layout.clone() {
            let list = std::mem::take(&mut waiting[b]);
            if list.is_empty() {
                continue;
            }
            let old = std::mem::take(&mut f.blocks[b].insts);
            let mut block = Placing {
                f: &*f,
                waiting: list.iter().copied().collect(),
                out: Vec::with_capacity(old.len() + list.len()),
            };
            for i in old {
                f.insts[i].args.iter().for_each(|&v| block.place(v));
                block.out.push(i);
            }
            list.iter().for_each(|&i| block.place(f.insts[i].results[0]));
            f.blocks[b].insts = block.out;
        }
    }
}

/// A block that gets instructions.
struct Placing<'a> {
    f: &'a Function,
    /// Those that have no place yet.
    waiting: FxHashSet<Inst>,
    out: Vec<Inst>,
}

impl Placing<'_> {
    /// Places the definition of a value, after those of its operands.
    fn place(&mut self, v: Value) {
        let ValueDef::Result(i, _) = self.f.values[v].def else { return };
        if self.waiting.remove(&i) {
            self.f.insts[i].args.iter().for_each(|&v| self.place(v));
            self.out.push(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    /// Eight comparisons in a block, each of which guards a store in a later one.
    fn masks(loops: bool) -> String {
        let mut text = "kernel k\nb0:\n v0: b32 = special.tid_x\n".to_owned();
        for n in 0..8 {
            let (k, sum, p) = (1 + 3 * n, 2 + 3 * n, 3 + 3 * n);
            text += &format!(" v{k}: b32 = const.{n}\n v{sum}: b32 = add v0, v{k}\n v{p}: p = icmp.lt.s v{sum}, v0\n");
        }
        text += " jump b1\n";
        for n in 0..8 {
            let (b, next) = (1 + 2 * n, 3 + 2 * n);
            text += &format!(
                "b{b}:\n branch v{}, b{}, b{next}\nb{}:\n warpsync v0\n jump b{next}\n",
                3 + 3 * n,
                b + 1,
                b + 1
            );
        }
        text += if loops { "b17:\n branch v3, b1, b18\nb18:\n exit\nend\n" } else { "b17:\n exit\nend\n" };
        text
    }

    fn run(text: &str) -> String {
        let mut f = parse(text).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        print(&f)
    }

    #[test]
    fn comparisons_move_to_their_branches() {
        let text = run(&masks(false));
        let first = text.split("b1:").next().unwrap();
        assert!(!first.contains("icmp") && !first.contains("add"), "{text}");
        assert_eq!(text.matches("icmp").count(), 8);
    }

    #[test]
    fn nothing_moves_into_a_loop() {
        let text = run(&masks(true));
        assert_eq!(text.split("b1:").next().unwrap().matches("icmp").count(), 8, "{text}");
    }
}
