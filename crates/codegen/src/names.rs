//! Where PTX registers have their values, with `-g`: the ranges of code in which a machine register
//! holds the value of a PTX register (DRV-19).
//!
//! Problem: a debugger shows what the input's debug sections call PTX register `%r7`; its values are
//! in several machine registers one after the other, which also hold other values. Strategy: lowering
//! names each value that a PTX register gets ([`raddle_ir::Op::Names`]), and the names stay where they
//! are, as instructions without code, up to register allocation ([`crate::mir::Name`]). A forward
//! analysis over the final code then follows each name: a register holds the value from its name on,
//! until it is written or lost in a call, or until the PTX register gets another value; where paths
//! meet, what holds on all of them holds.
//!
//! Invariant: before each instruction of a range, the machine register holds the value that the PTX
//! register has before the line of that instruction. A name takes effect where the code of its PTX
//! instruction ends; the pauses after that, which have no line, belong to it.

use std::collections::{BTreeMap, BTreeSet};

use raddle_cubin::registers::{GENERAL, PAIR, PREDICATE, QUAD, kind, register};
use raddle_cubin::unit::RegisterRange;
use raddle_entity::SecondaryMap;
use raddle_ir::SourcePos;
use raddle_ir::unit::RegisterName;
use raddle_sass::Op;
use raddle_sass::row::File;

use crate::code::{CodeBlock, Item, Named, WORD};
use crate::convention::is_kept;
use crate::mir::{MBlock, MFunction};

/// That a machine register holds a part of a PTX register: file and number, number and part.
type Fact = ((File, u8), (u32, u8));

/// The facts at a point.
#[derive(Clone, Default)]
struct Facts {
    /// By machine register.
    now: BTreeSet<Fact>,
    /// Those that ended since the last instruction, even if they hold again.
    ended: Vec<Fact>,
    /// Names of the PTX instruction whose code has not ended yet.
    due: Vec<Named>,
}

impl Facts {
    fn end(&mut self, ends: impl Fn(&Fact) -> bool) {
        let ended = &mut self.ended;
        self.now.retain(|fact| {
            let stays = !ends(fact);
            ended.extend((!stays).then_some(*fact));
            stays
        });
    }

    /// Takes the names that are due before the code of an instruction; all of them at the end of a block.
    fn take_due(&mut self, of: Option<SourcePos>) {
        if of == Some(SourcePos::default()) {
            return;
        }
        let (now, later) = std::mem::take(&mut self.due).into_iter().partition(|named| Some(named.place) != of);
        self.due = later;
        let now: Vec<Named> = now;
        now.into_iter().for_each(|named| self.name(named));
    }

    /// The PTX register has this value from here on.
    fn name(&mut self, named: Named) {
        let what = (named.of, named.part);
        self.end(|fact| fact.1 == what);
        self.now.extend(named.at.map(|place| (place, what)));
    }

    /// Ends what an instruction overwrites.
    fn overwrite(&mut self, item: &Item) {
        if item.inst.op() == Op::Call {
            self.lose(|file, number| !is_kept(file, usize::from(number)));
        }
        for access in item.inst.accesses().iter().filter(|access| access.written) {
            let numbers = access.first..access.first.saturating_add(access.count);
            self.lose(|file, number| file == access.file && numbers.contains(&number));
        }
    }

    /// Ends what these registers hold.
    fn lose(&mut self, lost: impl Fn(File, u8) -> bool) {
        self.end(|((file, number), _)| lost(*file, *number));
        for named in &mut self.due {
            named.at = named.at.filter(|&(file, number)| !lost(file, number));
        }
    }

    /// Follows a block; `before` is called before each instruction.
    fn follow(&mut self, block: &CodeBlock, before: &mut dyn FnMut(&Item, &Facts)) {
        self.due.clone_from(&block.names);
        for item in &block.items {
            self.take_due(Some(item.place));
            before(item, self);
            self.ended.clear();
            self.overwrite(item);
            self.due.extend(&item.names);
        }
        self.take_due(None);
    }
}

/// The facts at the start of each block: those at the ends of all blocks before it. Blocks that cannot
/// be reached have none.
fn starts(blocks: &[CodeBlock], f: &MFunction) -> Vec<BTreeSet<Fact>> {
    let mut index: SecondaryMap<MBlock, u32> = SecondaryMap::new();
    blocks.iter().zip(0..).for_each(|(block, n)| index[block.label] = n);
    let mut starts: Vec<Option<BTreeSet<Fact>>> = vec![None; blocks.len()];
    starts[0] = Some(BTreeSet::new());
    let mut work = BTreeSet::from([0]);
    while let Some(n) = work.pop_first() {
        let mut facts = Facts { now: starts[n].clone().unwrap_or_default(), ..Facts::default() };
        facts.follow(&blocks[n], &mut |_, _| {});
        for to in f.blocks[blocks[n].label].term.successors() {
            let to = index[to] as usize;
            let changed = match &mut starts[to] {
                Some(old) => {
                    let before = old.len();
                    old.retain(|fact| facts.now.contains(fact));
                    old.len() != before
                }
                none => {
                    *none = Some(facts.now.clone());
                    true
                }
            };
            if changed {
                work.insert(to);
            }
        }
    }
    starts.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the ranges of a function, in the order of their beginnings. Registers without a name in
/// `names` are ours.
pub(crate) fn ranges(blocks: &[CodeBlock], f: &MFunction, names: &[RegisterName]) -> Vec<RegisterRange> {
    let starts = starts(blocks, f);
    let mut open: BTreeMap<Fact, u32> = BTreeMap::new();
    let mut out = Vec::new();
    let mut at = 0;
    let mut facts = Facts::default();
    for (block, start) in blocks.iter().zip(starts) {
        facts.now = start;
        facts.follow(block, &mut |item, Facts { now, ended, .. }| {
            // Without a line, it belongs to the line before: nothing begins here.
            let begins = item.place != SourcePos::default();
            open.retain(|fact, from| {
                let stays = now.contains(fact) && (begins || !ended.contains(fact));
                out.extend(range(*fact, *from, at, names).filter(|_| !stays));
                stays
            });
            if begins {
                now.iter().for_each(|&fact| _ = open.entry(fact).or_insert(at));
            }
            at += WORD;
        });
    }
    out.extend(open.iter().filter_map(|(&fact, &from)| range(fact, from, at, names)));
    out.sort_by(|a, b| (a.from, a.register, a.to, &a.name).cmp(&(b.from, b.register, b.to, &b.name)));
    out
}

fn range(((file, number), (of, part)): Fact, from: u32, to: u32, names: &[RegisterName]) -> Option<RegisterRange> {
    let name = names.get(of as usize)?;
    let class = match file {
        File::Gpr => GENERAL,
        File::Pred => PREDICATE,
        File::Ugpr | File::Upred | File::Barrier => return None,
    };
    let vector = match name.width {
        2 => PAIR,
        4 => QUAD,
        _ => 0,
    };
    let parts = match name.ty {
        "b64" | "u64" | "s64" | "f64" => 2,
        "b128" => 4,
        _ => 1,
    };
    let part = name.component * parts + part;
    let kind = kind(name.ty)? | vector;
    Some(RegisterRange { name: name.name.clone(), kind, part, register: register(class, number), from, to })
}
