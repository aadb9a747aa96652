//! A static check of scheduled code, from its words alone: no path through the control flow reads a result too early, reads or
//! overwrites what a scoreboard still guards, or overwrites sources that may not have been read.
//!
//! It shares the instruction table with the scheduler and nothing else: states flow forward over decoded words to a fixed
//! point, joins take the worst of both. The last test breaks control fields and asks for findings.

#[path = "common/mod.rs"]
mod common;

use std::collections::BTreeMap;

use raddle_ir::{OptLevel, cx::Quiet};
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::File;
use raddle_sass::{Ctrl, Inst, Isa, Kind, Op, decode};

/// Cycles after which any fixed-latency result has arrived.
const FOREVER: u32 = 64;
/// A guard that nothing can wait for.
const NO_SCOREBOARD: u8 = 1 << 7;

type Register = (File, u8);

#[derive(Clone, Default, PartialEq)]
struct State {
    /// Fixed-latency results under way: by register and producer, the least time since their issue.
    fixed: BTreeMap<(Register, (u8, bool)), (Producer, u32)>,
    /// Scoreboards that guard results.
    results: BTreeMap<Register, u8>,
    /// Scoreboards that guard sources.
    sources: BTreeMap<Register, u8>,
}

impl State {
    /// Takes the worst of both; true if that changed anything.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (k, v) in &other.fixed {
            let mine = self.fixed.entry(*k).or_insert(*v);
            mine.1 = mine.1.min(v.1);
        }
        for (mine, theirs) in [(&mut self.results, &other.results), (&mut self.sources, &other.sources)] {
            for (k, v) in theirs {
                *mine.entry(*k).or_default() |= v;
            }
        }
        *self != before
    }

    /// Runs one instruction; says what is wrong.
    fn step(&mut self, isa: Isa, i: &Inst) -> Vec<String> {
        let mut wrong = Vec::new();
        for list in [&mut self.results, &mut self.sources] {
            list.retain(|_, bits| {
                *bits &= !i.ctrl.wait_mask;
                *bits != 0
            });
        }
        let accesses = i.accesses();
        for a in accesses.iter().filter(|a| a.file != File::Barrier) {
            for n in a.first..a.first.saturating_add(a.count) {
                let reg = (a.file, n);
                if self.results.contains_key(&reg) {
                    wrong.push(format!("{reg:?} is not waited for"));
                }
                if a.written && self.sources.contains_key(&reg) {
                    wrong.push(format!("{reg:?} may not have been read"));
                }
                let Some(c) = Consumer::new(i, a, n) else { continue };
                for (_, (p, elapsed)) in self.fixed.range((reg, (0, false))..=(reg, (u8::MAX, true))) {
                    let need = u32::from(latency(isa, *p, c).schedule);
                    if *elapsed < need {
                        wrong.push(format!("{reg:?} after {elapsed} of {need} cycles"));
                    }
                }
            }
        }
        let variable = i.row().effects.variable.contains(isa);
        let bit = |bar: Option<u8>| bar.map_or(0, |n| 1 << n);
        for a in accesses.iter().filter(|a| a.file != File::Barrier) {
            for n in a.first..a.first.saturating_add(a.count) {
                let reg = (a.file, n);
                if a.written {
                    let stale: Vec<_> =
                        self.fixed.range((reg, (0, false))..=(reg, (u8::MAX, true))).map(|(k, _)| *k).collect();
                    stale.into_iter().for_each(|k| {
                        self.fixed.remove(&k);
                    });
                    if variable {
                        let guard = if i.ctrl.wr_bar.is_some() { bit(i.ctrl.wr_bar) } else { NO_SCOREBOARD };
                        *self.results.entry(reg).or_default() |= guard;
                    } else if let Some(p) = Producer::new(isa, i, a, n) {
                        self.fixed.insert((reg, (p.class as u8, p.high)), (p, 0));
                    }
                } else if variable {
                    // A result that has arrived has read its sources.
                    let guard = bit(i.ctrl.rd_bar) | bit(i.ctrl.wr_bar);
                    *self.sources.entry(reg).or_default() |= if guard == 0 { NO_SCOREBOARD } else { guard };
                }
            }
        }
        for (_, elapsed) in self.fixed.values_mut() {
            *elapsed += u32::from(i.ctrl.stall);
        }
        self.fixed.retain(|_, (_, elapsed)| *elapsed < FOREVER);
        wrong
    }
}

/// Everything wrong with the words of a function.
fn check(isa: Isa, code: &[Inst]) -> Vec<String> {
    let mut states: Vec<Option<State>> = vec![None; code.len()];
    states[0] = Some(State::default());
    let mut work = vec![0];
    let mut wrong = BTreeMap::new();
    while let Some(at) = work.pop() {
        let Some(mut state) = states[at].clone() else { continue };
        let i = &code[at];
        for what in state.step(isa, i) {
            wrong.insert((at, what.clone()), format!("{:#06x} {i}: {what}", at * 16));
        }
        let mut next = Vec::new();
        if i.op() == Op::Bra {
            for o in &i.operands {
                if let Kind::Rel(distance) = o.kind {
                    next.push((at as i64 + 1 + distance / 16) as usize);
                }
            }
        }
        if !(matches!(i.op(), Op::Bra | Op::Exit) && i.guard.is_always()) {
            next.push(at + 1);
        }
        for n in next.into_iter().filter(|n| *n < code.len()) {
            let changed = match &mut states[n] {
                Some(s) => s.join(&state),
                slot => {
                    *slot = Some(state.clone());
                    true
                }
            };
            if changed {
                work.push(n);
            }
        }
    }
    wrong.into_values().collect()
}

fn words(code: &[u8], isa: Isa) -> Vec<Inst> {
    code.chunks(16).map(|w| decode(isa, u128::from_le_bytes(w.try_into().unwrap())).unwrap()).collect()
}

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// Compiled kernels of the corpus, those that compile.
fn kernels(arch: &str, opt: OptLevel) -> Vec<(String, Vec<Inst>)> {
    let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
    let mut out = Vec::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(common::corpus().join("kernels")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let src = std::fs::read_to_string(folder.join("nvcc.ptx")).unwrap();
        if let Ok(unit) = common::compile(&src, arch, opt, &Quiet) {
            out.push((folder.file_name().unwrap().to_string_lossy().into_owned(), words(&unit.functions[0].code, isa)));
        }
    }
    assert!(out.len() >= 30, "{arch}: only {} kernels compile", out.len());
    out
}

#[test]
fn scheduled_kernels_have_no_hazard() {
    for arch in ARCHS {
        let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
        for opt in [OptLevel::O0, OptLevel::O1] {
            for (name, code) in kernels(arch, opt) {
                let wrong = check(isa, &code);
                assert!(wrong.is_empty(), "{name} for {arch} at {opt:?}:\n{}", wrong.join("\n"));
            }
        }
    }
}

#[test]
fn in_order_schedule_is_shorter_than_the_serial_one() {
    let cycles =
        |opt| -> u64 { kernels("sm_90", opt).iter().flat_map(|(_, code)| code).map(|i| u64::from(i.ctrl.stall)).sum() };
    let (serial, in_order) = (cycles(OptLevel::O0), cycles(OptLevel::O1));
    assert!(in_order * 2 < serial, "{in_order} cycles of stalls in order, {serial} serially");
}

#[test]
fn broken_control_fields_are_found() {
    let isa = Isa::Sm90;
    let (mut waits, mut bars, mut found_waits, mut found_bars) = (0, 0, 0, 0);
    for (_, code) in kernels("sm_90", OptLevel::O1).iter().take(12) {
        for at in 0..code.len() {
            let c = code[at].ctrl;
            for (mutant, count, found) in [
                (Ctrl { wait_mask: 0, ..c }, &mut waits, &mut found_waits),
                (Ctrl { wr_bar: None, ..c }, &mut bars, &mut found_bars),
            ] {
                if mutant == c {
                    continue;
                }
                let mut broken = code.clone();
                broken[at].ctrl = mutant;
                *count += 1;
                *found += usize::from(!check(isa, &broken).is_empty());
            }
        }
    }
    assert!(waits > 100 && bars > 100, "{waits} waits, {bars} scoreboards");
    // A wait at the end of a loop, or for a result that nobody reads, may do without.
    assert!(found_waits * 10 >= waits * 8, "{found_waits} of {waits} dropped waits found");
    assert!(found_bars * 10 >= bars * 9, "{found_bars} of {bars} dropped scoreboards found");
}
