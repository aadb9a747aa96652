//! Reduces a failing kernel to a smaller one that fails in the same way.

use super::tree::{Inst, Program, Stmt};

/// The parts that are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Statements only.
    Whole,
    /// Lines of statements, too.
    Lines,
}

/// Returns the smallest program found; `fails` checks whether a candidate still fails in the same
/// way. Tries at most `most` candidates.
///
/// Removes statements in ever shorter runs, replaces blocks by their contents, drops guards, setup
/// lines and lines of patterns, and replaces sources by zero, until nothing helps.
pub fn minimise(program: &Program, most: usize, parts: Parts, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut tries = 0;
    let mut attempt = |best: &mut Program, candidate: Program| {
        if tries >= most || candidate == *best {
            return false;
        }
        tries += 1;
        let better = fails(&candidate);
        if better {
            *best = candidate;
        }
        better
    };
    let called = |program: &Program, n: usize| {
        program.statements().iter().any(|s| matches!(s, Stmt::Call { function, .. } if *function == n))
    };
    for simplify in [
        |p: Program| Program { registers: 0, ..p },
        |p: Program| Program { blocks: 1, ..p },
        |p: Program| Program { everything: false, ..p },
    ] {
        let simple = simplify(best.clone());
        attempt(&mut best, simple);
    }
    loop {
        let before = best.clone();
        let mut run = count(&best).max(1);
        while run > 0 {
            let mut at = 0;
            while at < count(&best) {
                let mut candidate = best.clone();
                let (mut skip, mut take) = (at, run);
                remove(&mut candidate.body, &mut skip, &mut take);
                for function in &mut candidate.functions {
                    remove(function, &mut skip, &mut take);
                }
                if !attempt(&mut best, candidate) {
                    at += run;
                }
            }
            run /= 2;
        }
        for at in (0..count(&best)).rev() {
            for way in 0..3 {
                let mut candidate = best.clone();
                edit(&mut candidate, at, &mut |stmt| flatten(stmt, way));
                attempt(&mut best, candidate);
            }
        }
        for at in 0..count(&best) {
            let ways = match best.statements()[at] {
                _ if parts == Parts::Whole => 0,
                Stmt::Inst(_) => 8,
                Stmt::Pattern { lines, .. } => lines.len(),
                _ => 0,
            };
            // From the end, so that lines keep their numbers.
            for way in (0..ways).rev() {
                let mut candidate = best.clone();
                edit(&mut candidate, at, &mut |stmt| {
                    let mut stmt = stmt.clone();
                    match &mut stmt {
                        Stmt::Inst(inst) => simplify(inst, way),
                        Stmt::Pattern { lines, .. } => {
                            lines.remove(way);
                        }
                        _ => {}
                    }
                    vec![stmt]
                });
                attempt(&mut best, candidate);
            }
        }
        // A function is identified by its number: only the last ones may be removed.
        while !best.functions.is_empty() && !called(&best, best.functions.len() - 1) {
            let mut candidate = best.clone();
            candidate.functions.pop();
            if !attempt(&mut best, candidate) {
                break;
            }
        }
        if best == before {
            return best;
        }
    }
}

fn count(program: &Program) -> usize {
    program.statements().len()
}

/// Removes `take` statements, from number `skip` on, blocks including their contents.
fn remove(body: &mut Vec<Stmt>, skip: &mut usize, take: &mut usize) {
    body.retain_mut(|stmt| {
        if *skip == 0 && *take > 0 {
            *take -= 1;
            return false;
        }
        *skip = skip.saturating_sub(1);
        for inner in blocks(stmt) {
            remove(inner, skip, take);
        }
        true
    });
}

fn blocks(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match stmt {
        Stmt::If { then, other, .. } => vec![then, other],
        Stmt::Loop { body, .. } => vec![body],
        Stmt::Switch { arms, .. } => arms.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Replaces statement number `at`.
fn edit(program: &mut Program, at: usize, by: &mut dyn FnMut(&Stmt) -> Vec<Stmt>) {
    fn walk(body: &mut Vec<Stmt>, left: &mut Option<usize>, by: &mut dyn FnMut(&Stmt) -> Vec<Stmt>) {
        for i in 0..body.len() {
            match left {
                None => return,
                Some(0) => {
                    *left = None;
                    let new = by(&body[i]);
                    body.splice(i..=i, new);
                    return;
                }
                Some(n) => *n -= 1,
            }
            for inner in blocks(&mut body[i]) {
                walk(inner, left, by);
            }
        }
    }
    let mut left = Some(at);
    walk(&mut program.body, &mut left, by);
    for function in &mut program.functions {
        walk(function, &mut left, by);
    }
}

/// The contents of a block, if they are valid outside it: jumps out of a loop are not.
fn flatten(stmt: &Stmt, way: usize) -> Vec<Stmt> {
    match stmt {
        Stmt::If { then, .. } if way == 0 => then.clone(),
        Stmt::If { other, .. } if way == 1 => other.clone(),
        Stmt::Loop { body, id, .. } if way == 0 && !leaves(body, *id) => body.clone(),
        Stmt::Switch { arms, .. } if way < 2 => arms[way].clone(),
        Stmt::Switch { id, index, arms } if arms.len() > 2 => {
            vec![Stmt::Switch { id: *id, index: index.clone(), arms: arms[..arms.len() / 2].to_vec() }]
        }
        other => vec![other.clone()],
    }
}

fn leaves(body: &[Stmt], id: usize) -> bool {
    let program =
        Program { seed: 0, blocks: 1, registers: 0, everything: false, body: body.to_vec(), functions: Vec::new() };
    program.statements().iter().any(|stmt| matches!(stmt, Stmt::Leave { id: of, .. } if *of == id))
}

fn simplify(inst: &mut Inst, way: usize) {
    match way {
        0 => inst.guard.clear(),
        1 => {
            inst.setup.pop();
        }
        _ => {
            // A source register becomes zero; a replaced destination does not compile, and is
            // rejected.
            let n = way - 1;
            if let Some(operand) = inst.operands.get_mut(n)
                && operand.starts_with("%")
                && !operand.starts_with("%p")
            {
                *operand = if operand.starts_with("%f") {
                    "0f00000000".to_owned()
                } else if operand.starts_with("%d") {
                    "0d0000000000000000".to_owned()
                } else {
                    "0".to_owned()
                };
            }
        }
    }
}
