//! Static analysis for the hazard tracker: the registers that must be checked at run time.
//!
//! Problem: most control fields can be verified without running anything, and checking every
//! register of every instruction repeatedly is most of the work of a simulation. Strategy: one pass
//! over the decoded code. Within a straight run of instructions the issue clock advances by at
//! least the stall fields; so a read whose last writer is far enough before it in the same run
//! needs no check; nor does a write. The rest is listed per instruction as [`TrackedRead`]es (reads) and
//! [`TrackedWrite`]s (writes). Latencies are stored densely for the producers and consumers that occur in
//! the program.
//!
//! Invariant: what is not listed cannot be a hazard, whichever lanes run and wherever the run is
//! interrupted. Code with indirect branches can be entered anywhere: there everything is listed.

use super::uop::{
    Kind, Program, RES_COUNT, RES_PRED, RES_UPRED, RES_UREG, Res, Tracked, TrackedRead, TrackedWrite, Unit, Uop,
};
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::File;
use raddle_sass::{Class, Isa, SlotRole};
use rustc_hash::FxHashMap;

/// Longer than any fixed latency, in cycles.
const LONGEST: u32 = 64;

/// Returns the file of a register.
fn file(res: Res) -> File {
    match res {
        _ if res < RES_UREG => File::Gpr,
        _ if res < RES_PRED => File::Ugpr,
        _ if res < RES_UPRED => File::Pred,
        _ => File::Upred,
    }
}

fn range((from, to): (u32, u32)) -> std::ops::Range<usize> {
    from as usize..to as usize
}

/// Numbers keys in the order of occurrence.
struct Numbers<K>(FxHashMap<K, u16>, Vec<K>);

impl<K: Copy + Eq + std::hash::Hash> Numbers<K> {
    fn new() -> Self {
        Numbers(FxHashMap::default(), Vec::new())
    }

    fn of(&mut self, key: K) -> u16 {
        *self.0.entry(key).or_insert_with(|| {
            self.1.push(key);
            (self.1.len() - 1) as u16
        })
    }
}

/// Facts about a register within the current run.
#[derive(Clone, Default)]
struct Recent {
    /// The run they are about.
    run: u32,
    /// Whether a writer before the run may still matter.
    before: bool,
    /// Fixed-latency writers in the run that no later write supersedes: clock and column.
    writers: Vec<(u32, u16)>,
}

/// Lists the checks and gives every register its index.
pub fn watch(program: &mut Program, isa: Isa) {
    let mut w = Tracked::default();
    let mut cell_of = [u16::MAX; RES_COUNT];
    let uses = program.uses.iter_mut().map(|u| (u.res, &mut u.cell));
    let defs = program.defs.iter_mut().map(|d| (d.res, &mut d.cell));
    for (res, cell) in uses.chain(defs) {
        let number = &mut cell_of[usize::from(res)];
        if *number == u16::MAX {
            *number = w.cells as u16;
            w.cells += 1;
        }
        *cell = *number;
    }
    let (mut readers, mut writers) = (Numbers::new(), Numbers::new());
    for u in &program.code {
        for s in &mut program.uses[range(u.uses)] {
            s.key = readers.of((file(s.res), Consumer { class: u.class, slot: s.slot, high: s.high }));
        }
        for d in &mut program.defs[range(u.defs)] {
            d.key = writers.of(Producer { file: file(d.res), class: u.class, high: d.half != 0 });
        }
    }
    w.writers = writers.1.len();
    for &(file, consumer) in &readers.1 {
        let need = |&p: &Producer| if p.file == file { latency(isa, p, consumer).check } else { 0 };
        let row: Vec<u8> = writers.1.iter().map(need).collect();
        w.longest.push(row.iter().copied().max().unwrap_or(0));
        w.needs.extend(row);
    }
    for later in &writers.1 {
        let row: Vec<u8> = writers.1.iter().map(|earlier| overtaking(isa, *earlier, *later)).collect();
        w.longest_overtaking.push(row.iter().copied().max().unwrap_or(0));
        w.overtaking.extend(row);
    }
    list(program, &mut w);
    program.watching = w;
}

/// Returns the least cycles from `earlier` to `later` such that their results arrive in the order
/// of issue. Arrival times are unknown, but one producer is slower than another by the difference
/// of their latencies to the same reader; of several readers, the least difference counts.
fn overtaking(isa: Isa, earlier: Producer, later: Producer) -> u8 {
    use SlotRole::{Addr, Pp, Ra, Rc};
    let readers: &[(Class, Option<SlotRole>)] = match earlier.file {
        _ if earlier.file != later.file => return 0,
        File::Gpr => {
            &[(Class::Alu, Some(Ra)), (Class::Fma, Some(Ra)), (Class::Fma, Some(Rc)), (Class::Agu, Some(Addr))]
        }
        File::Ugpr => &[(Class::Udp, Some(Ra)), (Class::Alu, Some(Ra))],
        _ => &[(Class::Alu, Some(Pp)), (Class::Alu, None), (Class::Agu, None)],
    };
    let slower = |&(class, slot): &(Class, Option<SlotRole>)| {
        let reader = Consumer { class, slot, high: false };
        let needs = |p| latency(isa, p, reader).check;
        // A latency of one cycle means an unknown pair.
        (needs(later) > 1).then(|| needs(earlier).saturating_sub(needs(later)))
    };
    readers.iter().filter_map(slower).min().unwrap_or(0) + 1
}

/// First instructions of straight runs.
fn leaders(code: &[Uop]) -> Vec<bool> {
    let mut leader = vec![false; code.len() + 1];
    leader[0] = true;
    for (i, u) in code.iter().enumerate() {
        if matches!(u.unit, Unit::Flow | Unit::Bar) {
            leader[i + 1] = true;
        }
        if let Kind::Bra { target, .. } | Kind::Call { target } | Kind::Bssy { target, .. } = u.kind {
            leader[target as usize] = true;
        }
    }
    leader
}

fn list(program: &mut Program, w: &mut Tracked) {
    let leader = leaders(&program.code);
    let anywhere = program.code.iter().any(|u| matches!(u.kind, Kind::Brx | Kind::Ret { .. } | Kind::CallBy { .. }));
    // Registers that variable-latency instructions write, or read late.
    let (mut arrives, mut read_late) = (vec![false; w.cells], vec![false; w.cells]);
    for u in program.code.iter().filter(|u| u.variable) {
        for d in &program.defs[range(u.defs)] {
            arrives[usize::from(d.cell)] = true;
        }
        for s in &program.uses[range(u.uses)] {
            read_late[usize::from(s.cell)] |= s.late;
        }
    }
    let mut looked_at = vec![false; w.cells];
    let mut recent = vec![Recent::default(); w.cells];
    let (mut run, mut start, mut clock) = (0, 0, 0u32);
    let mut overtaken = vec![false; program.defs.len()];
    for (pc, u) in program.code.iter_mut().enumerate() {
        if leader[pc] || anywhere {
            run += 1;
            start = clock;
        }
        let first = w.tracked_reads.len() as u32;
        for s in &program.uses[range(u.uses)] {
            let r = &mut recent[usize::from(s.cell)];
            refresh(r, run);
            let reach = u32::from(w.longest[usize::from(s.key)]);
            let fixed = r.before && clock - start + 1 < reach
                || r.writers.iter().any(|&(at, by)| clock - at < w.need(s.key, by));
            looked_at[usize::from(s.cell)] |= fixed;
            if fixed || arrives[usize::from(s.cell)] {
                w.tracked_reads.push(TrackedRead {
                    res: s.res,
                    cell: s.cell,
                    key: s.key,
                    guard: s.slot.is_none(),
                    fixed,
                });
            }
        }
        u.tracked_reads = (first, w.tracked_reads.len() as u32);
        let always = u.guard.n == 7 && !u.guard.not;
        for (d, overtaken) in program.defs[range(u.defs)].iter().zip(&mut overtaken[range(u.defs)]) {
            let r = &mut recent[usize::from(d.cell)];
            refresh(r, run);
            if !u.variable {
                let reach = u32::from(w.longest_overtaking[usize::from(d.key)]);
                *overtaken = r.before && clock - start + 1 < reach
                    || r.writers.iter().any(|&(at, by)| clock - at < w.overtaking(d.key, by));
                looked_at[usize::from(d.cell)] |= *overtaken;
            }
            if always {
                r.before = false;
                r.writers.clear();
            }
            if !u.variable {
                r.writers.retain(|&(at, _)| clock - at < LONGEST);
                r.writers.push((clock, d.key));
            }
        }
        clock += u32::from(u.stall.max(1));
    }
    for u in &mut program.code {
        let first = w.tracked_writes.len() as u32;
        for (d, &fixed) in program.defs[range(u.defs)].iter().zip(&overtaken[range(u.defs)]) {
            let cell = usize::from(d.cell);
            if arrives[cell] || read_late[cell] || looked_at[cell] {
                w.tracked_writes.push(TrackedWrite { res: d.res, cell: d.cell, key: d.key, fixed });
            }
        }
        u.tracked_writes = (first, w.tracked_writes.len() as u32);
    }
}

fn refresh(r: &mut Recent, run: u32) {
    if r.run != run {
        r.run = run;
        r.before = true;
        r.writers.clear();
    }
}
