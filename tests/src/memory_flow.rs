//! Random kernels with loops and branches around loads, stores and atomics of every order, and a check
//! that a run of their machine code keeps the order.
//!
//! Problem: passes that work across blocks (moves out of loops, hoisting, sinking, unrolling, merging
//! of branches) reorder what [`crate::memory_order`] has no programs for. Strategy: one thread runs the
//! code in the simulator, and the offsets in the addresses of what it executes say which access each
//! is, as there. A weak access may be done less often than PTX has it, and elsewhere; which of its
//! places are too early or too late is stated here by counting, from the manual (PTX ISA 9.0, 8).
//! Strong accesses are done exactly as often, in exactly the order of the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, anyhow, ensure};
use raddle_sim::launch::{Arg, Launch};
use raddle_sim::machine::{Event, Setup};
use raddle_sim::mem::Memory;

use crate::memory_order::{ATOMICS, Done, LOADS, Order, STORES, Space, Way, by_instruction};
use crate::rng::Rng;
use crate::simulator;

/// How often a loop runs; a parameter, which the compiler does not know.
const TRIPS: u32 = 3;
/// Bytes of each of the two memories.
const BYTES: u32 = 1024;

/// An access or a barrier of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The access: memory, offset, kind; `None` for a barrier.
    access: Option<(Space, u32, Way)>,
    order: Order,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// The PTX.
    pub text: String,
    /// Its steps, as they stand in the text.
    steps: Vec<Step>,
    /// The steps of a run, in order.
    run: Vec<usize>,
}

/// State of generation.
struct Writer {
    rng: Rng,
    body: String,
    steps: Vec<Step>,
    next: [u32; 2],
    labels: u32,
}

/// A kernel with this seed.
pub fn program(seed: u64) -> Program {
    let mut w = Writer { rng: Rng::new(seed, 11), body: String::new(), steps: Vec::new(), next: [0; 2], labels: 0 };
    let run = w.block(0, true);
    let Writer { body, steps, .. } = w;
    let text = format!(
        ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n, .param .u64 q)\n{{\n\t\
         .reg .b64 %p, %q; .reg .b32 %sum, %t, %n, %i<64>, %v<128>; .reg .pred %b<64>;\n\t.shared .align 16 .b8 sm[{BYTES}];\n\t\
         ld.param.u64 %p, [p];\n\tcvta.to.global.u64 %p, %p;\n\tld.param.u64 %q, [q];\n\tcvta.to.global.u64 %q, %q;\n\t\
         ld.param.u32 %n, [n];\n\tmov.u32 %t, %tid.x;\n\tmov.u32 %sum, 0;\n{body}\tst.global.u32 [%q+{BYTES}], %sum;\n\tret;\n}}\n"
    );
    Program { text, steps, run }
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.body, "\t{line}");
    }

    /// Writes a block; returns the steps of a run of it. `runs`: whether it is executed.
    fn block(&mut self, depth: u32, runs: bool) -> Vec<usize> {
        let mut run = Vec::new();
        for _ in 0..2 + self.rng.below(4) {
            match self.rng.below(if depth < 2 { 6 } else { 4 }) {
                0..4 => run.push(self.step(runs)),
                4 => {
                    self.labels += 1;
                    let n = self.labels;
                    self.line(&format!("mov.u32 %i{n}, 0;\nL{n}:"));
                    if self.rng.chance(1, 3) {
                        self.line(".pragma \"nounroll\";");
                    }
                    let body = self.block(depth + 1, runs);
                    self.line(&format!("add.u32 %i{n}, %i{n}, 1; setp.lt.u32 %b{n}, %i{n}, %n; @%b{n} bra L{n};"));
                    (0..TRIPS).for_each(|_| run.extend(&body));
                }
                _ => {
                    self.labels += 1;
                    let n = self.labels;
                    self.line(&format!("setp.gt.u32 %b{n}, %n, {}; @!%b{n} bra E{n};", TRIPS - 1));
                    run.extend(self.block(depth + 1, runs));
                    if self.rng.chance(1, 2) {
                        self.line(&format!("bra J{n};\nE{n}:"));
                        // Its steps are no part of the run.
                        self.block(depth + 1, false);
                        self.line(&format!("J{n}:"));
                    } else {
                        self.line(&format!("E{n}:"));
                    }
                }
            }
            if self.steps.len() > 40 {
                break;
            }
        }
        if runs { run } else { Vec::new() }
    }

    /// Writes an access or a barrier. What is not executed is no weak load: it may be done early.
    fn step(&mut self, runs: bool) -> usize {
        let n = self.steps.len();
        let space = *self.rng.pick(&[Space::Global, Space::Shared]);
        let shared = space == Space::Shared;
        let name = if shared { "shared" } else { "global" };
        let slot = &mut self.next[space as usize];
        // Neighbours may be combined if both are weak; others have a gap between them.
        let at = *slot;
        *slot += if self.rng.chance(1, 2) { 4 } else { 8 };
        let address = if shared { format!("[sm+{at}]") } else { format!("[%p+{at}]") };
        let fits = |l: &&(&'static str, Order, bool)| l.2 || !shared;
        let (way, order) = match self.rng.below(20) {
            0..8 => {
                let list: Vec<_> = LOADS.iter().filter(fits).filter(|l| runs || l.1 != Order::Weak).collect();
                // Weak ones are what passes move.
                let weak = runs && self.rng.chance(1, 2);
                let (op, order, _) = if weak { LOADS[0] } else { **self.rng.pick(&list) };
                self.line(&format!("{}.u32 %v{n}, {address}; xor.b32 %sum, %sum, %v{n};", op.replace("SPACE", name)));
                (Way::Load, order)
            }
            8..15 => {
                let list: Vec<_> = STORES.iter().filter(fits).collect();
                let (op, order, _) = if self.rng.chance(1, 2) { STORES[0] } else { **self.rng.pick(&list) };
                let stored = if self.rng.chance(1, 3) { "%sum" } else { "%t" };
                self.line(&format!("{}.u32 {address}, {stored};", op.replace("SPACE", name)));
                (Way::Store, order)
            }
            15..17 => {
                let (op, order) = *self.rng.pick(ATOMICS);
                let ty = if op.ends_with("or") || op.ends_with("exch") { "b32" } else { "u32" };
                let op = op.replace("SPACE", name);
                self.line(&format!("{op}.{ty} %v{n}, {address}, %t; xor.b32 %sum, %sum, %v{n};"));
                (Way::Update, order)
            }
            _ => {
                self.line("bar.sync 0;");
                self.steps.push(Step { access: None, order: Order::Both });
                return n;
            }
        };
        self.steps.push(Step { access: Some((space, at, way)), order });
        n
    }
}

/// What one thread does in a run of machine code, in order.
///
/// # Errors
/// Words that cannot be decoded, a run that fails.
fn executed(cubin: &[u8], arch: &str) -> Result<Vec<Done>> {
    let effects = by_instruction(cubin, arch)?;
    let mut done = Vec::new();
    let mut trace = |event: &Event<'_>| {
        if event.mask & 1 != 0 {
            done.extend(effects[event.pc as usize / 16]);
        }
    };
    let mut memory = Memory::new();
    let [p, q] = ["p", "q"].map(|name| memory.add(name, vec![0; 2 * BYTES as usize], true));
    let mut launch = Launch::new("k");
    launch.args = vec![Arg::Buffer(p), Arg::Value(TRIPS.to_le_bytes().to_vec()), Arg::Buffer(q)];
    let setup = Setup { trace: Some(&mut trace), ..Setup::default() };
    simulator::run_with(cubin, &launch, &mut memory, setup).map_err(|e| anyhow!("{e}"))?;
    Ok(done)
}

/// Checks that a run of the code of a kernel keeps the order of its steps.
///
/// # Errors
/// What is done too early, too late, or not as often as it must be.
pub fn judge(program: &Program, cubin: &[u8], arch: &str) -> Result<()> {
    let Program { steps, run, .. } = program;
    let done = executed(cubin, arch)?;
    let strong = |&n: &usize| steps[n].order != Order::Weak;
    let at: BTreeMap<(Space, u32), usize> =
        steps.iter().enumerate().filter_map(|(n, s)| s.access.map(|(space, at, _)| ((space, at), n))).collect();
    // The places of each step in the run of the machine code, and the order of strong steps.
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    let mut order = Vec::new();
    for (place, done) in done.iter().enumerate() {
        let &Done::Access(space, first, bytes, way) = done else {
            if *done == Done::Barrier {
                order.push((None, place));
            }
            continue;
        };
        for byte in (first..first + bytes).step_by(4) {
            let Some(&n) = at.get(&(space, byte)) else { continue };
            ensure!(steps[n].access.is_some_and(|s| s.2 == way), "step {n} is done as {way:?}");
            ensure!(!strong(&n) || bytes == 4, "step {n} is part of a wider access");
            places[n].push(place);
            if strong(&n) {
                order.push((Some(n), place));
            }
        }
    }
    let wanted: Vec<usize> = run.iter().copied().filter(strong).collect();
    let named = |n: &usize| steps[*n].access.map(|_| *n);
    let found: Vec<Option<usize>> = order.iter().map(|o| o.0).collect();
    ensure!(found == wanted.iter().map(named).collect::<Vec<_>>(), "strong steps: {found:?} instead of {wanted:?}");

    // Of what orders others: its position in the program's run, and its place in that of the code.
    let sides = run.iter().enumerate().filter(|(_, n)| strong(n)).map(|(i, _)| i).zip(order.iter().map(|o| o.1));
    let sides: Vec<(usize, usize)> = sides.collect();
    let is = |i: usize, one: Order| [one, Order::Both].contains(&steps[run[i]].order);
    let acquires: Vec<(usize, usize)> = sides.iter().copied().filter(|s| is(s.0, Order::Acquire)).collect();
    let releases: Vec<(usize, usize)> = sides.iter().copied().filter(|s| is(s.0, Order::Release)).collect();
    for (n, step) in steps.iter().enumerate().filter(|(n, _)| !strong(n)) {
        let Some((_, _, way)) = step.access else { continue };
        let runs = |from: usize, to: usize| run[from..to].iter().filter(|m| **m == n).count();
        let after = |place: usize| places[n].iter().filter(|p| **p > place).count();
        for (k, &(i, place)) in acquires.iter().enumerate() {
            let next = acquires.get(k + 1).map_or(run.len(), |a| a.0);
            let (early, late) = (places[n].len() - after(place), after(place));
            match way {
                Way::Load => ensure!(runs(i, next) == 0 || late > 0, "load {n} is done before acquire {} only", run[i]),
                _ => ensure!(early <= runs(0, i), "store {n} is done before acquire {}", run[i]),
            }
        }
        let mut segments = 0;
        let mut from = 0;
        for &(i, place) in &releases {
            segments += usize::from(runs(from, i) > 0);
            from = i;
            let (early, late) = (places[n].len() - after(place), after(place));
            match way {
                Way::Load => ensure!(late <= runs(i, run.len()), "load {n} is done after release {}", run[i]),
                _ => ensure!(early >= segments, "store {n} is done after release {} only", run[i]),
            }
        }
    }
    Ok(())
}

impl Program {
    /// How many weak accesses its run has, and how many that order others.
    pub fn counts(&self) -> (usize, usize) {
        let weak = self.run.iter().filter(|n| self.steps[**n].order == Order::Weak).count();
        let orders = |n: &&usize| !matches!(self.steps[**n].order, Order::Weak | Order::Strong);
        (weak, self.run.iter().filter(orders).count())
    }
}
