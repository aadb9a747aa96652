//! SSA construction: from mutable registers to values.
//!
//! Strategy: semi-pruned SSA (Briggs, Cooper, Harvey and Simpson, 1998). Registers that no block
//! reads before writing are local and cost nothing. The others get block parameters on the iterated
//! dominance frontier of their definitions where they are live, and one walk of the dominator tree
//! lowers the instructions with the current values. The carry flag is one more register, after the
//! last.

use crate::build::Lower;
use crate::cells::Cells;
use crate::flow::{self, End, Flow};
use crate::in_memory::Frame;
use crate::param_accesses;
use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Stop, Target, Terminator, Unsupported, Value};
use raddle_ptx::{Body, InstId, Op, Referent};
use smallvec::SmallVec;

/// Blocks, dominators and block parameters of a body.
pub(crate) struct Plan {
    cfg: Cfg,
    children: Vec<Vec<u32>>,
    /// PTX registers that are parameters of a block, ascending; block numbers are those of the
    /// flow.
    params: Vec<Vec<u32>>,
    /// Whether the entry needs a block before it.
    entry_has_preds: bool,
}

const LOCAL: u32 = u32::MAX;

/// Reads and writes of one block, as seen from outside.
struct Summary {
    exposed: Vec<u32>,
    written: Vec<u32>,
}

fn summarize(body: &Body, cells: &Cells, kernel: bool, flow: &Flow, block: usize, stamp: &mut [u32]) -> Summary {
    let mark = block as u32 + 1;
    let mut out = Summary { exposed: Vec::new(), written: Vec::new() };
    let carry = body.reg_count();
    let b = &flow.blocks[block];
    let mut read = |r: u32, stamp: &[u32]| {
        if stamp[r as usize] != mark {
            out.exposed.push(r);
        }
    };
    for i in b.insts.clone() {
        let inst = InstId::from_u32(i as u32);
        let guard = body.insts[inst].guard().filter(|_| !b.decided);
        flow::uses(body, inst, &mut |r| read(r.as_u32(), stamp));
        let completed = flow.pending.completed(inst);
        completed.iter().flat_map(|c| c.accumulators.iter().chain(&c.left)).for_each(|&r| read(r, stamp));
        let (reads_carry, writes_carry) = flow::carry(body, inst);
        if reads_carry {
            read(carry, stamp);
        }
        let (cells_read, cells_written) = cell_accesses(body, cells, kernel, inst);
        cells_read.iter().for_each(|&c| read(param_accesses::register(body, c), stamp));
        if let Some(g) = guard {
            read(g.reg.as_u32(), stamp);
            flow::defs(body, inst, &mut |r| read(r.as_u32(), stamp));
            if writes_carry {
                read(carry, stamp);
            }
        }
        let mut write = |r: u32| {
            if stamp[r as usize] != mark {
                stamp[r as usize] = mark;
                out.written.push(r);
            }
        };
        flow::defs(body, inst, &mut |r| write(r.as_u32()));
        completed.iter().flat_map(|c| &c.accumulators).for_each(|&r| write(r));
        if writes_carry {
            write(carry);
        }
        cells_written.iter().for_each(|&c| write(param_accesses::register(body, c)));
    }
    match &b.end {
        End::Guard(inst, ..) => {
            if let Some(g) = body.insts[*inst].guard() {
                read(g.reg.as_u32(), stamp);
            }
        }
        End::Switch(inst, _) => flow::uses(body, *inst, &mut |r| read(r.as_u32(), stamp)),
        End::Return => return_cells(cells).for_each(|c| read(param_accesses::register(body, c), stamp)),
        End::Jump(..) | End::Exit(_) => {}
    }
    out
}

/// Returns the cells that an instruction reads and writes.
fn cell_accesses(body: &Body, cells: &Cells, kernel: bool, inst: InstId) -> (Vec<usize>, Vec<usize>) {
    if body.op(inst) == Op::Call {
        return cells.of_call(body, inst);
    }
    match cells.touched(body, kernel, inst) {
        Some(Ok(touched)) if body.op(inst) == Op::Ld => (touched.to_vec(), Vec::new()),
        Some(Ok(touched)) => (Vec::new(), touched.to_vec()),
        _ => (Vec::new(), Vec::new()),
    }
}

/// Returns the cells of the function's return parameters.
fn return_cells(cells: &Cells) -> impl Iterator<Item = usize> + '_ {
    cells.list.iter().enumerate().filter(|(_, c)| matches!(c.place, Referent::Ret(_))).map(|(n, _)| n)
}

impl Plan {
    pub(crate) fn new(body: &Body, flow: &Flow, cells: &Cells, kernel: bool) -> Plan {
        let n = flow.blocks.len();
        let block = |i: usize| Block::from_u32(i as u32);
        let mut succs: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        for (i, b) in flow.blocks.iter().enumerate() {
            succs[block(i)] = b.end.successors().into_iter().map(block).collect();
        }
        let cfg = Cfg::from_succs(block(0), succs);
        let dom = DomTree::dominators(&cfg);
        let mut children = vec![Vec::new(); n];
        for &b in &cfg.rpo {
            if let Some(d) = dom.idom(b) {
                children[d.index()].push(b.as_u32());
            }
        }

        let registers = body.reg_count() as usize + 1 + cells.list.len();
        let mut stamp = vec![0u32; registers];
        let sums: Vec<Summary> = (0..n).map(|b| summarize(body, cells, kernel, flow, b, &mut stamp)).collect();
        // Dense numbers for registers that are live across blocks.
        let mut dense = vec![LOCAL; registers];
        let mut regs: Vec<u32> = Vec::new();
        for &r in sums.iter().flat_map(|s| &s.exposed) {
            if dense[r as usize] == LOCAL {
                dense[r as usize] = regs.len() as u32;
                regs.push(r);
            }
        }
        let live = live_in(&cfg, &sums, &dense, regs.len());

        let mut frontier: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); n];
        for &b in &cfg.rpo {
            let preds = &cfg.preds[b];
            if preds.len() < 2 {
                continue;
            }
            for &p in preds {
                let mut runner = Some(p);
                while let Some(r) = runner.filter(|&r| Some(r) != dom.idom(b)) {
                    let f = &mut frontier[r.index()];
                    if !f.contains(&b.as_u32()) {
                        f.push(b.as_u32());
                    }
                    runner = dom.idom(r);
                }
            }
        }
        let mut writers: Vec<Vec<u32>> = vec![Vec::new(); regs.len()];
        for &b in &cfg.rpo {
            for &r in &sums[b.index()].written {
                if dense[r as usize] != LOCAL {
                    writers[dense[r as usize] as usize].push(b.as_u32());
                }
            }
        }
        let mut params: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut placed = vec![u32::MAX; n];
        for (d, &reg) in regs.iter().enumerate() {
            let mut work = writers[d].clone();
            while let Some(b) = work.pop() {
                for &f in &frontier[b as usize] {
                    if placed[f as usize] != d as u32 && live.has(f as usize, d) {
                        placed[f as usize] = d as u32;
                        params[f as usize].push(reg);
                        work.push(f);
                    }
                }
            }
        }
        params.iter_mut().for_each(|p| p.sort_unstable());
        // A device function's argument placeholders go first.
        let entry_has_preds = !kernel || !cfg.preds[block(0)].is_empty();
        Plan { cfg, children, params, entry_has_preds }
    }
}

/// Bit sets, one per block.
struct Bits {
    words: usize,
    bits: Vec<u64>,
}

impl Bits {
    fn new(rows: usize, columns: usize) -> Bits {
        let words = columns.div_ceil(64);
        Bits { words, bits: vec![0; rows * words] }
    }

    fn has(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }
}

fn live_in(cfg: &Cfg, sums: &[Summary], dense: &[u32], columns: usize) -> Bits {
    let mut live = Bits::new(sums.len(), columns);
    let mut kill = Bits::new(sums.len(), columns);
    for (b, s) in sums.iter().enumerate() {
        for &r in &s.exposed {
            live.set(b, dense[r as usize] as usize);
        }
        for &r in s.written.iter().filter(|&&r| dense[r as usize] != LOCAL) {
            kill.set(b, dense[r as usize] as usize);
        }
    }
    let words = live.words;
    let mut changed = true;
    while changed {
        changed = false;
        for &b in cfg.rpo.iter().rev() {
            for &s in &cfg.succs[b] {
                for w in 0..words {
                    let at = b.index() * words + w;
                    let new = live.bits[at] | live.bits[s.index() * words + w] & !kill.bits[at];
                    changed |= new != live.bits[at];
                    live.bits[at] = new;
                }
            }
        }
    }
    live
}

enum Step {
    Enter(u32),
    Leave(usize),
}

/// Lowers all reachable blocks into `lower`; returns what is unsupported.
pub(crate) fn rename(cx: &Cx<'_>, lower: &mut Lower<'_>, flow: &Flow, plan: &Plan) -> Result<Vec<Unsupported>, Stop> {
    let mut unsupported = Vec::new();
    let start = plan.entry_has_preds.then(|| lower.f.add_block());
    // In source order, which the layout keeps.
    let reachable: Vec<bool> = {
        let mut seen = vec![false; flow.blocks.len()];
        plan.cfg.rpo.iter().for_each(|b| seen[b.index()] = true);
        seen
    };
    let mut blocks = vec![Block::from_u32(0); flow.blocks.len()];
    for (i, b) in blocks.iter_mut().enumerate().filter(|(i, _)| reachable[*i]) {
        *b = lower.f.add_block();
        for &reg in &plan.params[i] {
            let width = lower.reg_width(reg).map_err(|reason| internal(&reason.0))?;
            lower.f.add_param(*b, width);
        }
    }
    if let Some(start) = start {
        // The entry's parameters, before anything was written.
        lower.block = start;
        for cell in 0..lower.cells.list.len() {
            let c = lower.cells.list[cell];
            if matches!(c.place, Referent::Param(_)) {
                let v = lower.emit(raddle_ir::Op::Undef, &[], c.width);
                lower.inputs.push((c, v));
                lower.assign(param_accesses::register(lower.input.body, cell), v);
            }
        }
        if lower.cells.in_memory.get(Referent::Ret(0)) == Some(Frame::Caller) {
            lower.results_at = Some(lower.emit(raddle_ir::Op::Argument(0), &[], raddle_ir::Width::B32));
        }
        let target = edge(lower, plan, &blocks, 0)?;
        lower.f.blocks[start].term = Some(Terminator::Jump(target));
    }
    let mut steps = vec![Step::Enter(0)];
    while let Some(step) = steps.pop() {
        let b = match step {
            Step::Leave(mark) => {
                lower.restore(mark);
                continue;
            }
            Step::Enter(b) => b as usize,
        };
        steps.push(Step::Leave(lower.mark()));
        cx.step(1)?;
        lower.block = blocks[b];
        for (n, &reg) in plan.params[b].iter().enumerate() {
            let value = lower.f.blocks[blocks[b]].params[n];
            lower.assign(reg, value);
        }
        let block = &flow.blocks[b];
        if !plan.params[b].is_empty() && !block.insts.is_empty() && lower.written.is_some() {
            lower.place = lower.place_of(InstId::from_u32(block.insts.start as u32));
        }
        lower.name_written(false);
        for i in block.insts.clone() {
            let inst = InstId::from_u32(i as u32);
            if let Err(reason) = lower.inst(inst, !block.decided) {
                unsupported.push(lower.input.unsupported(inst, reason));
            }
        }
        let at = match &block.end {
            End::Jump(_, inst) | End::Exit(inst) => *inst,
            End::Guard(inst, ..) | End::Switch(inst, _) => Some(*inst),
            End::Return => None,
        };
        if let Some(inst) = at {
            let place = lower.place_of(inst);
            lower.f.term_places[lower.block] = place;
        }
        let term = end(lower, plan, &blocks, &block.end)?;
        lower.f.blocks[lower.block].term = Some(term);
        steps.extend(plan.children[b].iter().rev().map(|&c| Step::Enter(c)));
    }
    for header in crate::loops::loops_to_keep_rolled(lower.input, flow, &plan.cfg) {
        lower.f.rolled[blocks[header]] = true;
    }
    if lower.inlined {
        // Copies were appended: reorder the layout by control flow.
        lower.f.layout = Cfg::of(&lower.f).rpo;
    }
    unsupported.sort();
    Ok(unsupported)
}

fn internal(what: &str) -> Stop {
    Stop::Internal { pass: "lower", what: what.to_owned() }
}

fn edge(lower: &mut Lower<'_>, plan: &Plan, blocks: &[Block], to: usize) -> Result<Target, Stop> {
    let mut target = Target::to(blocks[to]);
    for &reg in &plan.params[to] {
        target.args.push(lower.read(reg).map_err(|reason| internal(&reason.0))?);
    }
    Ok(target)
}

fn end(lower: &mut Lower<'_>, plan: &Plan, blocks: &[Block], end: &End) -> Result<Terminator, Stop> {
    Ok(match end {
        End::Jump(to, _) => Terminator::Jump(edge(lower, plan, blocks, *to)?),
        End::Guard(inst, then, other) => {
            let uniform = lower.input.body.has(*inst, raddle_ptx::Mod::Uni);
            let guard = lower.input.body.insts[*inst].guard().ok_or_else(|| internal("a branch without a guard"))?;
            let cond = lower.read(guard.reg.as_u32()).map_err(|reason| internal(&reason.0))?;
            let (then, other) = (edge(lower, plan, blocks, *then)?, edge(lower, plan, blocks, *other)?);
            let (then, other) = if guard.negated { (other, then) } else { (then, other) };
            Terminator::Branch { cond, uniform, then, other }
        }
        End::Switch(inst, targets) => {
            let index = lower.operand(*inst, 0, raddle_ptx::Ty::U32).map_err(|reason| internal(&reason.0))?;
            let from = lower.block;
            let mut to = Vec::with_capacity(targets.len());
            for &t in targets {
                if plan.params[t].is_empty() {
                    to.push(blocks[t]);
                    continue;
                }
                // A switch passes no values: a block is inserted for them.
                let pass = lower.f.add_block();
                lower.block = pass;
                let target = edge(lower, plan, blocks, t)?;
                lower.f.blocks[pass].term = Some(Terminator::Jump(target));
                lower.block = from;
                to.push(pass);
            }
            Terminator::Switch { index, targets: to }
        }
        End::Return => {
            let cells: Vec<usize> = return_cells(&lower.cells).collect();
            let body = lower.input.body;
            let values: Result<Vec<Value>, _> =
                cells.iter().map(|&c| lower.read(param_accesses::register(body, c))).collect();
            lower.returns = Some((lower.block, values.map_err(|reason| internal(&reason.0))?));
            Terminator::Exit
        }
        End::Exit(_) => Terminator::Exit,
    })
}
