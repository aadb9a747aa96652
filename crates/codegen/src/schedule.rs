//! Control fields: stalls, scoreboards, waits. Nothing moves.
//!
//! Two schedules. The *serial* one (`-O0`, and the yardstick for the other): every instruction waits for the one before it. A
//! fixed-latency result gets the longest stall there is; what comes at an unknown time sets a scoreboard, and the next
//! instruction waits for it.
//!
//! The *in-order* one (`-O1`): each instruction issues as soon as its operands allow, by the table's latencies
//! ([`mod@raddle_sass::latency`]), and waits only for the scoreboards of registers that it touches. A variable-latency instruction
//! holds one of six scoreboards: released at the write if it has results, else when its sources are read. Scoreboards may be
//! shared; waiting for one waits for all of its users. At the end of a block that others can enter behind, everything is
//! waited for, so a block starts from nothing; a block that only its predecessor in the layout reaches goes on with its state.
//!
//! Both: scoreboard 0 belongs to `LDGDEPBAR` in functions that have it, as `DEPBAR.LE SB0` counts it ("ptxas 13.0.88 output").

use std::collections::BTreeMap;

use raddle_ir::{OptLevel, Place, Stop};
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Class, Ctrl, Inst, Isa, Op};

use crate::code::{CodeBlock, Item};
use crate::mir::MFunction;

/// Scoreboards of a warp.
const SCOREBOARDS: u8 = 6;
/// Scoreboard of the serial schedule for results.
const WRITE: u8 = 1;
/// Scoreboard of the serial schedule for sources.
const READ: u8 = 2;
/// Longest stall of one instruction.
const LONGEST: u32 = 15;

/// Sets the control fields of a function.
///
/// # Errors
/// [`Stop::Internal`] if the table has no `NOP`.
pub fn run(f: &MFunction, blocks: &mut [CodeBlock], isa: Isa, opt: OptLevel) -> Result<(), Stop> {
    let nop = raddle_sass::build::build(isa, Op::Nop, &[], &[])
        .map_err(|e| Stop::Internal { pass: "schedule", what: e.to_string() })?;
    if opt == OptLevel::O0 {
        serial(blocks, isa, &nop);
    } else {
        in_order(f, blocks, isa, &nop);
    }
    Ok(())
}

/// Stalls of 12 and more need the yield hint (nvdisasm 13.5.37 rejects them without).
fn legal(c: Ctrl) -> Ctrl {
    Ctrl { yield_: c.yield_ || c.stall >= 12, ..c }
}

fn pause(nop: &Inst, stall: u32, wait_mask: u8) -> Item {
    let inst = nop.clone().with_ctrl(legal(Ctrl { stall: stall as u8, wait_mask, ..Ctrl::default() }));
    Item { inst, target: None, reloc: None, place: Place::default() }
}

/// May control go elsewhere behind it, within the function?
fn leaves(i: &Item) -> bool {
    i.target.is_some() || i.inst.op() == Op::Brx
}

/// The least stall behind instructions that steer warps ("ptxas 13.0.88 output": 5 or 6 behind branches and barriers).
fn least_stall(i: &Inst) -> u32 {
    let e = i.row().effects;
    if e.branch || e.barrier { 6 } else { 1 }
}

/// Cycles after which anybody may read a fixed-latency result.
fn slowest(isa: Isa, p: Producer) -> u32 {
    let roles = [SlotRole::Ra, SlotRole::Rb, SlotRole::Rc, SlotRole::Pp, SlotRole::Pq, SlotRole::Addr].map(Some);
    let slots = roles.into_iter().chain([None]);
    let consumers = slots.flat_map(|slot| Class::ALL.iter().map(move |&class| Consumer { class, slot, high: false }));
    consumers.map(|c| u32::from(latency(isa, p, c).schedule)).max().unwrap_or(LONGEST)
}

fn serial(blocks: &mut [CodeBlock], isa: Isa, nop: &Inst) {
    for block in blocks {
        let items = std::mem::take(&mut block.items);
        let mut wait = 0;
        for mut item in items {
            let mut ctrl = Ctrl { wait_mask: wait, ..Ctrl::default() };
            wait = 0;
            let mut cycles = least_stall(&item.inst);
            let accesses = item.inst.accesses();
            let writes = accesses.iter().any(|a| a.written && a.file != File::Barrier);
            let reads = accesses.iter().any(|a| a.read && a.file != File::Barrier);
            if item.inst.op() == Op::Ldgdepbar {
                ctrl.wr_bar = Some(0);
                cycles = 2;
            } else if item.inst.row().effects.variable.contains(isa) && (writes || reads) {
                if writes {
                    ctrl.wr_bar = Some(WRITE);
                    wait |= 1 << WRITE;
                } else {
                    ctrl.rd_bar = Some(READ);
                    wait |= 1 << READ;
                }
                cycles = cycles.max(2);
            } else {
                for a in accesses.iter().filter(|a| a.written) {
                    for reg in a.first..a.first.saturating_add(a.count) {
                        if let Some(p) = Producer::new(isa, &item.inst, a, reg) {
                            cycles = cycles.max(LONGEST).max(slowest(isa, p));
                        }
                    }
                }
            }
            ctrl.stall = cycles.min(LONGEST) as u8;
            item.inst.ctrl = legal(ctrl);
            block.items.push(item);
            let mut rest = cycles.saturating_sub(LONGEST);
            while rest > 0 {
                block.items.push(pause(nop, rest.min(LONGEST), 0));
                rest -= rest.min(LONGEST);
            }
        }
        if wait != 0 {
            // The block falls through: the wait must not be lost at its end.
            block.items.push(pause(nop, 1, wait));
        }
    }
}

type Register = (File, u8);

/// What is under way at some point of a block.
struct State {
    isa: Isa,
    /// Issue of the last instruction.
    issued: u32,
    /// Earliest issue of the next one, by the last one's own rules.
    ready: u32,
    /// Fixed-latency writers.
    fixed: BTreeMap<Register, (Producer, u32)>,
    /// Scoreboard of the variable-latency writer of a register.
    writer: BTreeMap<Register, u8>,
    /// Scoreboards of variable-latency readers of a register, one bit each.
    readers: BTreeMap<Register, u8>,
    /// Scoreboards in use.
    busy: u8,
    /// When each was last set.
    set: [u32; SCOREBOARDS as usize],
    /// Scoreboards that may be used.
    available: u8,
    slowest: BTreeMap<(File, Class, bool), u32>,
}

impl State {
    fn new(isa: Isa, available: u8) -> Self {
        State {
            isa,
            issued: 0,
            ready: 0,
            fixed: BTreeMap::new(),
            writer: BTreeMap::new(),
            readers: BTreeMap::new(),
            busy: 0,
            set: [0; SCOREBOARDS as usize],
            available,
            slowest: BTreeMap::new(),
        }
    }

    fn slowest(&mut self, p: Producer) -> u32 {
        let isa = self.isa;
        *self.slowest.entry((p.file, p.class, p.high)).or_insert_with(|| slowest(isa, p))
    }

    /// Takes scoreboards as waited for.
    fn waited(&mut self, mask: u8) {
        self.busy &= !mask;
        self.writer.retain(|_, sb| mask >> *sb & 1 == 0);
        self.readers.retain(|_, sbs| {
            *sbs &= !mask;
            *sbs != 0
        });
    }

    /// A free scoreboard, or the one set longest ago.
    fn pick(&self) -> u8 {
        let usable = (0..SCOREBOARDS).filter(|n| self.available >> n & 1 == 1);
        let free = usable.clone().find(|n| self.busy >> n & 1 == 0);
        free.or_else(|| usable.min_by_key(|&n| self.set[usize::from(n)])).unwrap_or(SCOREBOARDS - 1)
    }

    /// The earliest cycle in which everything fixed has arrived for everybody.
    fn settled(&mut self) -> u32 {
        let all: Vec<(Producer, u32)> = self.fixed.values().copied().collect();
        all.into_iter().map(|(p, at)| at + self.slowest(p)).max().unwrap_or(0)
    }

    /// Scoreboards to wait for, and the earliest issue.
    fn needs(&mut self, i: &Inst) -> (u8, u32) {
        let (mut wait, mut at) = (0, self.ready);
        for a in i.accesses().iter().filter(|a| a.file != File::Barrier) {
            for reg in a.first..a.first.saturating_add(a.count) {
                let key = (a.file, reg);
                if let Some(sb) = self.writer.get(&key) {
                    wait |= 1 << sb;
                }
                if a.written {
                    wait |= self.readers.get(&key).copied().unwrap_or(0);
                }
                let Some(&(p, t)) = self.fixed.get(&key) else { continue };
                if let Some(c) = Consumer::new(i, a, reg) {
                    at = at.max(t + u32::from(latency(self.isa, p, c).schedule));
                }
                if a.written {
                    // The later result must arrive later: the fastest takes two cycles.
                    at = at.max((t + self.slowest(p)).saturating_sub(2)).max(t + 1);
                }
            }
        }
        for n in (0..SCOREBOARDS).filter(|n| wait >> n & 1 == 1) {
            at = at.max(self.set[usize::from(n)] + 2);
        }
        (wait, at)
    }

    /// Records an instruction that issues now; returns its scoreboards.
    fn issue(&mut self, i: &Inst) -> (Option<u8>, Option<u8>) {
        let accesses = i.accesses();
        let mut bars = (None, None);
        if i.op() == Op::Ldgdepbar {
            return (Some(0), None);
        }
        let touched = accesses.iter().any(|a| a.file != File::Barrier);
        let variable = i.row().effects.variable.contains(self.isa) && touched;
        if variable {
            let n = self.pick();
            self.busy |= 1 << n;
            self.set[usize::from(n)] = self.issued;
            let writes = accesses.iter().any(|a| a.written && a.file != File::Barrier);
            bars = if writes { (Some(n), None) } else { (None, Some(n)) };
            for a in accesses.iter().filter(|a| a.file != File::Barrier) {
                for reg in a.first..a.first.saturating_add(a.count) {
                    let key = (a.file, reg);
                    if a.written {
                        self.fixed.remove(&key);
                        self.writer.insert(key, n);
                    } else {
                        *self.readers.entry(key).or_default() |= 1 << n;
                    }
                }
            }
            return bars;
        }
        for a in accesses.iter().filter(|a| a.written) {
            for reg in a.first..a.first.saturating_add(a.count) {
                if let Some(p) = Producer::new(self.isa, i, a, reg) {
                    self.fixed.insert((a.file, reg), (p, self.issued));
                }
            }
        }
        bars
    }
}

/// Lengthens the pause behind the last instruction so that the next one issues in cycle `at`.
fn stretch(items: &mut Vec<Item>, state: &mut State, nop: &Inst, at: u32) {
    let Some(last) = items.last_mut() else {
        state.ready = at;
        return;
    };
    let mut cycles = at.saturating_sub(state.issued).max(1);
    last.inst.ctrl = legal(Ctrl { stall: cycles.min(LONGEST) as u8, ..last.inst.ctrl });
    while cycles > LONGEST {
        cycles -= LONGEST;
        items.push(pause(nop, cycles.min(LONGEST), 0));
    }
}

/// Where the instruction stands that issued last: in this block, or, as long as this one has none, in the nearest one before
/// that has any, whose state goes on here.
fn behind<'a>(blocks: &'a mut [CodeBlock], n: usize, out: &'a mut Vec<Item>) -> &'a mut Vec<Item> {
    if !out.is_empty() {
        return out;
    }
    blocks[..n].iter_mut().rev().map(|b| &mut b.items).find(|items| !items.is_empty()).unwrap_or(out)
}

fn in_order(f: &MFunction, blocks: &mut [CodeBlock], isa: Isa, nop: &Inst) {
    let preds = f.preds();
    let copies = blocks.iter().flat_map(|b| &b.items).any(|i| i.inst.op() == Op::Ldgdepbar);
    let available = if copies { 0b11_1110 } else { 0b11_1111 };
    let mut state = State::new(isa, available);
    let mut fresh = true;
    for n in 0..blocks.len() {
        let items = std::mem::take(&mut blocks[n].items);
        let mut out: Vec<Item> = Vec::with_capacity(items.len());
        // May the next block go on with what this one leaves under way?
        let next = blocks.get(n + 1).map(|b| b.label);
        let label = blocks[n].label;
        let carry = next.is_some_and(|next| preds[next].as_slice() == [label]) && !items.iter().any(leaves);
        for mut item in items {
            let (mut wait, mut at) = state.needs(&item.inst);
            if leaves(&item) {
                // Where it goes, nothing is known of what is under way here.
                wait |= state.busy;
                for sb in (0..SCOREBOARDS).filter(|sb| wait >> sb & 1 == 1) {
                    at = at.max(state.set[usize::from(sb)] + 2);
                }
                at = at.max(state.settled().saturating_sub(least_stall(&item.inst)));
            }
            if out.is_empty() && fresh {
                state.ready = at;
            } else {
                stretch(behind(blocks, n, &mut out), &mut state, nop, at);
            }
            state.waited(wait);
            state.issued = at;
            state.ready = at + least_stall(&item.inst);
            let (wr_bar, rd_bar) = state.issue(&item.inst);
            let stall = least_stall(&item.inst) as u8;
            item.inst.ctrl = legal(Ctrl { stall, wait_mask: wait, wr_bar, rd_bar, ..Ctrl::default() });
            out.push(item);
        }
        if fresh && out.is_empty() {
            // Nothing has issued since the last block ended: its pause stays as it is.
        } else if !carry {
            let at = state.settled().max(state.ready);
            if state.busy != 0 && out.last().is_none_or(|i| i.inst.op() != Op::Exit) {
                let set = (0..SCOREBOARDS)
                    .filter(|sb| state.busy >> sb & 1 == 1)
                    .map(|sb| state.set[usize::from(sb)] + 2)
                    .max();
                let at = at.max(set.unwrap_or(0));
                stretch(behind(blocks, n, &mut out), &mut state, nop, at);
                out.push(pause(nop, 1, state.busy));
            } else {
                stretch(behind(blocks, n, &mut out), &mut state, nop, at);
            }
            // A fresh start, one cycle behind whatever came last.
            let slowest = std::mem::take(&mut state.slowest);
            state = State { slowest, ..State::new(isa, available) };
            fresh = true;
        } else {
            fresh = false;
        }
        blocks[n].items = out;
    }
}
