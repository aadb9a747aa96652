//! Loops that must not be unrolled: `.pragma "nounroll"` (PTX ISA 9.0, 12.1).
//!
//! At module scope or between a function's header and its body it applies to every loop of the
//! function. In the body it applies to the loop whose header is the basic block that contains it,
//! at any place in that block (ptxas 13.0.88; the manual requires the beginning); elsewhere it is
//! ignored.

use crate::Input;
use crate::flow::{Flow, terminator};
use raddle_entity::EntityRef;
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ptx::{Mark, Stmt};

/// The pragma's text.
const NOUNROLL: &str = "nounroll";

/// Returns the blocks of the flow that are headers of loops to keep rolled, in order.
pub(crate) fn loops_to_keep_rolled(input: &Input<'_>, flow: &Flow, cfg: &Cfg) -> Vec<usize> {
    let outline = input.outline;
    let body = input.body;
    let wanted = |list: &[Box<str>]| list.iter().any(|text| &**text == NOUNROLL);
    let all = wanted(&outline.pragmas) || wanted(&outline.funcs[input.func].perf.pragmas);
    if !all && !wanted(&body.pragmas) {
        return Vec::new();
    }
    let dom = DomTree::dominators(cfg);
    let is_header = |b: usize| {
        let b = Block::new(b);
        cfg.reachable(b) && cfg.preds[b].iter().any(|&p| dom.dominates(b, p))
    };
    if all {
        return (0..flow.blocks.len()).filter(|&b| is_header(b)).collect();
    }
    let mut found = Vec::new();
    // The first instruction of the current basic block, and the number of instructions seen.
    let (mut start, mut passed) = (0, 0);
    for stmt in body.stmts() {
        match stmt {
            Stmt::Inst(inst) => {
                passed = inst.index() + 1;
                if terminator(body, inst).is_some() {
                    start = passed;
                }
            }
            Stmt::Mark(Mark::Label(_)) => start = passed,
            Stmt::Mark(Mark::Pragma(n)) if &*body.pragmas[n as usize] == NOUNROLL => {
                // The first of the blocks that begin here is entered first.
                let block = flow.blocks.iter().position(|b| b.insts.start == start);
                found.extend(block.filter(|&b| is_header(b)));
            }
            Stmt::Mark(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
