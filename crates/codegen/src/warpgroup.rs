//! Matrix products of a warpgroup in machine code: what follows from their reading and writing
//! registers until a wait.
//!
//! Problem: `HGMMA` and its relatives have no scoreboards; nothing but `WARPGROUP.DEPBAR` tells when
//! their registers are free, and `WARPGROUP.ARRIVE` must separate other writes of their registers
//! from them ("ptxas 13.0.88 output"). Strategy: a wait keeps the registers of its products
//! ([`crate::mir::MInst::kept`]), so that no other value gets their numbers; they are never spilled
//! ([`crate::products::pinned`]); accumulator and result are one list ([`crate::destruct`]). Once
//! registers have numbers, [`place`] inserts arrivals, and follows all products over the control flow: whatever touches a
//! register in flight is an error that names it, after which products run one after another.

use raddle_ir::{Function, SourcePosData, Stop, Strength, Unsupported};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Inst, Isa, Kind, Mod, Op, PT, RZ};

use crate::code::{CodeBlock, Item};
use crate::products::{ENDS_GROUP, is_product_op, sources};

/// Groups that may be pending at most.
const GROUPS: u8 = 8;

/// For each general register: the groups that have ended since a pending product used it, that of
/// the product included.
#[derive(Clone, PartialEq)]
struct InFlight {
    written: [Option<u8>; 256],
    read: [Option<u8>; 256],
}

impl InFlight {
    fn none() -> Self {
        InFlight { written: [None; 256], read: [None; 256] }
    }

    /// Adds what is in flight on another path; returns whether anything changed.
    fn join(&mut self, other: &InFlight) -> bool {
        let mut changed = false;
        let pairs = [(&mut self.written, &other.written), (&mut self.read, &other.read)];
        for (mine, theirs) in pairs {
            for (x, &y) in mine.iter_mut().zip(theirs) {
                let both = match (*x, y) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                changed |= both != *x;
                *x = both;
            }
        }
        changed
    }

    fn is_pending(&self) -> bool {
        self.written.iter().chain(&self.read).any(Option::is_some)
    }

    fn each(&mut self, mut f: impl FnMut(&mut Option<u8>)) {
        self.written.iter_mut().chain(&mut self.read).for_each(&mut f);
    }

    /// Runs an instruction; returns a register that it must not touch.
    fn step(&mut self, i: &Inst) -> Option<u8> {
        if i.op() == Op::Warpgroup {
            if let Some(left) = left_pending(i) {
                self.each(|age| {
                    if age.is_some_and(|age| age > left) {
                        *age = None;
                    }
                });
            }
            return None;
        }
        let product = is_product_op(i.op());
        let result = i.slot(SlotRole::Rd).map(|o| o.kind);
        let mut wrong = None;
        for a in i.accesses().into_iter().filter(|a| a.file == File::Gpr) {
            let tied = product
                && i.row().slots.get(usize::from(a.slot)).is_some_and(|s| {
                    s.role == SlotRole::Rd || s.role == SlotRole::Rc && i.slot(SlotRole::Rc).map(|o| o.kind) == result
                });
            for n in a.first..a.first.saturating_add(a.count) {
                let n = usize::from(n);
                let clash = self.written[n].is_some() && !tied || a.written && self.read[n].is_some();
                if clash && wrong.is_none() {
                    wrong = Some(n as u8);
                }
            }
        }
        if product {
            for a in i.accesses().into_iter().filter(|a| a.file == File::Gpr) {
                for n in a.first..a.first.saturating_add(a.count) {
                    let of = if a.written { &mut self.written } else { &mut self.read };
                    of[usize::from(n)] = Some(0);
                }
            }
            // The accumulator is the result.
            for n in 0..256 {
                if self.written[n].is_some() {
                    self.read[n] = None;
                }
            }
            if ends_group(i) {
                self.each(|age| *age = age.map(|age| (age + 1).min(GROUPS)));
            }
        }
        wrong
    }
}

/// Groups that a wait leaves pending.
fn left_pending(i: &Inst) -> Option<u8> {
    if i.has(Mod::Arrive) {
        return None;
    }
    i.operands.iter().find_map(|o| if let Kind::Imm(n) = o.kind { u8::try_from(n).ok() } else { None })
}

fn ends_group(i: &Inst) -> bool {
    i.operands.iter().any(|o| o.kind == Kind::Named(ENDS_GROUP))
}

/// Inserts arrivals, and checks that nothing touches registers in flight.
///
/// # Errors
/// [`Stop::InFlight`] that names the register and the line of what touches it;
/// [`Stop::Internal`] if the table has no arrival.
pub fn place(f: &Function, blocks: &mut [CodeBlock], isa: Isa) -> Result<(), Stop> {
    let product = |item: &Item| is_product_op(item.inst.op());
    if !blocks.iter().any(|b| b.items.iter().any(product)) {
        return Ok(());
    }
    let arrive = raddle_sass::build(isa, Op::Warpgroup, &[Mod::Arrive], &[])
        .map_err(|e| Stop::Internal { pass: "warpgroup", what: e.to_string() })?;
    for block in &mut *blocks {
        arrivals(block, &arrive);
    }
    check(f, blocks)
}

/// Inserts an arrival before each product whose registers may have been written since the last one,
/// and before the first product after a wait, as ptxas does.
fn arrivals(block: &mut CodeBlock, arrive: &Inst) {
    // RZ is never written: it stands for all registers before the block.
    let mut written = [true; 256];
    let mut out = Vec::with_capacity(block.items.len() + 4);
    for item in block.items.drain(..) {
        if is_product_op(item.inst.op()) {
            if sources(&item.inst).any(|n| written[usize::from(n)]) || written[usize::from(RZ)] {
                let (place, strength) = (item.place, Strength::Weak);
                out.push(Item {
                    inst: arrive.clone(),
                    target: None,
                    reloc: None,
                    place,
                    strength,
                    event: None,
                    names: Vec::new(),
                });
                written = [false; 256];
            }
        } else {
            written[usize::from(RZ)] |= item.inst.op() == Op::Warpgroup;
            for a in item.inst.accesses().into_iter().filter(|a| a.file == File::Gpr && a.written) {
                (a.first..a.first.saturating_add(a.count)).for_each(|n| written[usize::from(n)] = true);
            }
        }
        out.push(item);
    }
    block.items = out;
}

fn check(f: &Function, blocks: &[CodeBlock]) -> Result<(), Stop> {
    let at = |label| blocks.iter().position(|b| b.label == label);
    let mut starts: Vec<Option<InFlight>> = vec![None; blocks.len()];
    starts[0] = Some(InFlight::none());
    let mut work = vec![0];
    while let Some(n) = work.pop() {
        let Some(mut state) = starts[n].clone() else { continue };
        let mut next: Vec<(usize, InFlight)> = Vec::new();
        let mut falls = true;
        for item in &blocks[n].items {
            if leaves(item) && state.is_pending() {
                return Err(left(f, item));
            }
            if let Some(register) = state.step(&item.inst) {
                return Err(touched(f, register, item));
            }
            if let Some(to) = item.target.and_then(at) {
                next.push((to, state.clone()));
            }
            falls = !(item.inst.row().effects.branch && item.inst.guard.pred == PT && !item.inst.guard.neg)
                || matches!(item.inst.op(), Op::Bssy | Op::Call);
        }
        if let Some(table) = &blocks[n].table {
            next.extend(table.targets.iter().filter_map(|&t| at(t)).map(|t| (t, state.clone())));
        }
        if falls && n + 1 < blocks.len() {
            next.push((n + 1, state));
        }
        for (to, state) in next {
            let changed = match &mut starts[to] {
                Some(old) => old.join(&state),
                none => {
                    *none = Some(state);
                    true
                }
            };
            if changed {
                work.push(to);
            }
        }
    }
    Ok(())
}

/// Whether an instruction calls another function by convention, or returns to one: code in the same
/// kernel has a label.
fn leaves(item: &Item) -> bool {
    matches!(item.inst.op(), Op::Call | Op::Ret) && item.target.is_none()
}

/// The error that another function runs while a product uses registers, which it may use, too.
fn left(f: &Function, item: &Item) -> Stop {
    let SourcePosData { line, offset, .. } = f.places[item.place];
    let who = if item.inst.op() == Op::Call { "the function that is called" } else { "the caller" };
    let why = format!("{who} may use any register, also those of a wgmma.mma_async that is not waited for before");
    Stop::InFlight(Unsupported { kernel: f.name.clone(), line, offset, what: format!("{:?}", item.inst.op()), why })
}

/// The error that a register in flight would have to be moved.
fn touched(f: &Function, register: u8, item: &Item) -> Stop {
    let SourcePosData { line, offset, .. } = f.places[item.place];
    let text = raddle_sass::print(&item.inst, 0);
    let why = format!(
        "register R{register} is used by a wgmma.mma_async that is not waited for, and {text} would have to touch it: \
         accumulators cannot be moved while they are in flight"
    );
    Stop::InFlight(Unsupported { kernel: f.name.clone(), line, offset, what: format!("{:?}", item.inst.op()), why })
}
