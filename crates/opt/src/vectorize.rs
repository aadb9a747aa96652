//! Merges adjacent loads and stores into vector accesses.
//!
//! Problem: one access of 128 bits takes one issue slot and one pass through the memory pipeline,
//! four of 32 bits take four.
//!
//! Strategy: block by block, accesses of one element type whose addresses differ by constants
//! ([`crate::address`]) are collected in a group until something may touch their bytes. A group is
//! then cut into gapless runs of 16, 8 or (narrow elements) 4 bytes that are provably aligned. A
//! run of loads becomes one load at the place of its first, a run of stores one store at the place
//! of its last.
//!
//! Alignment comes from the factors of the address: variables, symbols defined in the module,
//! parameters with a declared alignment (`.ptr .align`), masks, multiplications. Static variables
//! of at least 16 bytes get the alignment that is needed, as long as they fit shared memory.
//! Nothing is known of other pointers from outside.
//!
//! **Invariants.** All accesses of a run are weak, in one block with nothing between them that ends
//! the thread or, by [`crate::alias`], may write what is loaded or may touch what is stored; so no
//! further byte is touched, and none observably earlier or later. Loads from constant banks are not
//! merged: they become operands.

use crate::address::{Atom, Form, Forms};
use crate::alias::{Aliases, Footprint, Location, is_constant};
use crate::edit::Renames;
use raddle_entity::FxHashMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Cache, Cx, Function, Inst, Mem, Mty, Op, Prefetch, Slot, Space, Stop, Value, Width};
use smallvec::SmallVec;

/// Most groups that are open at once; the oldest is closed when there are more.
const MAX_OPEN: usize = 12;

/// Most instructions that a load moves up or a store moves down.
const MAX_DISTANCE: usize = 160;

/// Most writes to other places that loads move up across.
const MAX_PASSED: usize = 16;

/// Static shared memory that a kernel may have (PTX ISA 9.0, 5.1.7; all targets).
const MAX_SHARED: u32 = 48 << 10;

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let aliases = Aliases::of(f, &cfg);
    let mut pass = Pass { may_align: may_align(f), f, aliases: &aliases, renames: Renames::default() };
    for &b in &cfg.rpo {
        pass.block(b);
    }
    pass.renames.apply(pass.f);
    Ok(())
}

/// Whether static variables can be aligned to 16 bytes without exceeding shared memory.
fn may_align(f: &Function) -> bool {
    let shared = f.slots.values().filter(|s| s.space == Space::Shared && !s.dynamic);
    shared.map(|s| s.size.next_multiple_of(16).saturating_add(s.align)).fold(0u32, u32::saturating_add) <= MAX_SHARED
}

/// The key of accesses that may form a run.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    load: bool,
    space: Space,
    ty: Mty,
    cache: Cache,
    prefetch: Prefetch,
}

/// A member of a group.
struct Member {
    inst: Inst,
    position: usize,
    offset: i64,
    count: u8,
}

/// A group of accesses whose addresses differ by constants.
struct Group {
    key: Key,
    constant: bool,
    /// The bytes from the first to the last.
    hull: Location,
    members: Vec<Member>,
    /// Writes since the first load of a group: a load that may read one of them cannot move up.
    passed: Vec<Footprint>,
}

/// How a run changes an access.
enum Change {
    /// It is removed.
    Gone,
    /// The vector access replaces it.
    New(Inst),
}

struct Pass<'a> {
    f: &'a mut Function,
    aliases: &'a Aliases,
    renames: Renames,
    may_align: bool,
}

impl Pass<'_> {
    fn block(&mut self, b: Block) {
        let mut open: Vec<Group> = Vec::new();
        let mut changes: FxHashMap<Inst, Change> = FxHashMap::default();
        for (position, i) in self.f.blocks[b].insts.clone().into_iter().enumerate() {
            let effect = self.aliases.effect(self.f, i);
            let ends = self.f.insts[i].op == Op::Trap;
            let mut kept = Vec::with_capacity(open.len());
            for mut group in open {
                let touches = |reach: &Footprint| self.aliases.reaches(self.f, reach, &group.hull, group.constant);
                let far = group.members.first().is_some_and(|m| position - m.position > MAX_DISTANCE)
                    || group.passed.len() == MAX_PASSED;
                if ends
                    || far
                    || touches(&effect.writes) && !self.joins(i, &group)
                    || !group.key.load && touches(&effect.reads)
                {
                    self.close(group, &mut changes);
                } else {
                    if group.key.load && effect.writes != Footprint::Nothing {
                        group.passed.push(effect.writes.clone());
                    }
                    kept.push(group);
                }
            }
            open = kept;
            self.collect(i, position, &mut open, &mut changes);
        }
        for group in open {
            self.close(group, &mut changes);
        }
        if !changes.is_empty() {
            let insts = std::mem::take(&mut self.f.blocks[b].insts);
            self.f.blocks[b].insts = insts
                .into_iter()
                .filter_map(|i| match changes.get(&i) {
                    None => Some(i),
                    Some(Change::Gone) => None,
                    Some(Change::New(new)) => Some(*new),
                })
                .collect();
        }
    }

    /// Returns the memory operation, key and bytes of an access that can be merged.
    fn candidate(&self, i: Inst) -> Option<(Mem, Key, Location)> {
        let load = matches!(self.f.insts[i].op, Op::Load(_));
        let (mem, location) = self.aliases.access(self.f, i)?;
        let banked = matches!(mem.space, Space::Param | Space::Const);
        let key = Key { load, space: mem.space, ty: mem.ty, cache: mem.cache, prefetch: mem.prefetch };
        (mem.is_weak() && !banked && location.bytes < 16).then_some((mem, key, location))
    }

    /// Whether this store belongs to the group and does not overlap its bytes.
    fn joins(&self, i: Inst, group: &Group) -> bool {
        let Some((mem, key, location)) = self.candidate(i) else { return false };
        let (start, bytes) = (location.form.offset, i64::from(mem.ty.bytes()));
        let apart = |m: &Member| {
            m.offset + bytes * i64::from(m.count) <= start || start + i64::from(location.bytes) <= m.offset
        };
        key == group.key && same_terms(&location, &group.hull) && group.members.iter().all(apart)
    }

    /// Adds an access to its group.
    fn collect(&mut self, i: Inst, position: usize, open: &mut Vec<Group>, changes: &mut FxHashMap<Inst, Change>) {
        let Some((mem, key, location)) = self.candidate(i) else { return };
        let member = Member { inst: i, position, offset: location.form.offset, count: mem.count };
        let constant = key.load && is_constant(&mem);
        let place = open.iter().position(|g| g.key == key && same_terms(&g.hull, &location));
        let changed = |g: &Group| g.passed.iter().any(|w| self.aliases.reaches(self.f, w, &location, constant));
        if let Some(at) = place.filter(|&at| changed(&open[at])) {
            let group = open.remove(at);
            self.close(group, changes);
        } else if let Some(at) = place {
            let group = &mut open[at];
            let hull = &mut group.hull;
            let end = (hull.form.offset + i64::from(hull.bytes)).max(location.form.offset + i64::from(location.bytes));
            hull.form.offset = hull.form.offset.min(location.form.offset);
            if let Ok(bytes) = u32::try_from(end - hull.form.offset) {
                hull.bytes = bytes;
                group.members.push(member);
                return;
            }
        }
        if open.len() == MAX_OPEN {
            let oldest = open.remove(0);
            self.close(oldest, changes);
        }
        open.push(Group { key, constant, hull: location, members: vec![member], passed: Vec::new() });
    }

    /// Closes a group: cuts it into runs.
    fn close(&mut self, mut group: Group, changes: &mut FxHashMap<Inst, Change>) {
        if group.members.len() < 2 {
            return;
        }
        group.members.sort_by_key(|m| (m.offset, m.position));
        let element = i64::from(group.key.ty.bytes());
        let mut rest = group.members.as_slice();
        while let Some(first) = rest.first() {
            let most = self.alignment(&group.hull.form, first.offset);
            let run = [16, 8, 4].into_iter().filter(|&bytes| bytes <= most).find_map(|bytes| {
                let mut end = first.offset;
                let n = rest.iter().take_while(|m| {
                    let next = m.offset == end && end < first.offset + bytes;
                    if next {
                        end += element * i64::from(m.count);
                    }
                    next
                });
                let n = n.count();
                (n > 1 && end == first.offset + bytes && bytes / element <= 8).then_some((n, bytes))
            });
            let Some((n, bytes)) = run else {
                rest = &rest[1..];
                continue;
            };
            self.join(&group, &rest[..n], (bytes / element) as u8, changes);
            rest = &rest[n..];
        }
    }

    /// Returns the alignment, up to 16 bytes, of an address with these terms and this offset.
    fn alignment(&self, form: &Form, offset: i64) -> i64 {
        let mut bits = if offset == 0 { 4 } else { offset.trailing_zeros().min(4) };
        for &(atom, n) in &form.terms {
            let of = match atom {
                Atom::Slot(s) if self.may_raise(s) => 4,
                _ => {
                    let term = Form { terms: SmallVec::from_slice(&[(atom, 1)]), offset: 0 };
                    self.forms().alignment(self.f, &term)
                }
            };
            bits = bits.min(of + n.trailing_zeros());
        }
        1 << bits
    }

    fn forms(&self) -> &Forms {
        self.aliases.forms()
    }

    fn may_raise(&self, s: Slot) -> bool {
        let d = &self.f.slots[s];
        self.may_align && !d.dynamic && d.size >= 16
    }

    /// Merges a run into one access.
    fn join(&mut self, group: &Group, run: &[Member], count: u8, changes: &mut FxHashMap<Inst, Change>) {
        for slot in group.hull.form.slots() {
            if self.may_raise(slot) {
                let bytes = u32::from(count) * group.key.ty.bytes();
                self.f.slots[slot].align = self.f.slots[slot].align.max(bytes);
            }
        }
        // Loads are placed at the first of them, stores at the last, with the address of that one.
        let by_position = |m: &&Member| m.position;
        let at = if group.key.load { run.iter().min_by_key(by_position) } else { run.iter().max_by_key(by_position) };
        let Some(at) = at else { return };
        let d = self.f.insts[at.inst].clone();
        let (Op::Load(mem) | Op::Store(mem)) = d.op else { return };
        let Ok(offset) = i32::try_from(i64::from(mem.offset) + run[0].offset - at.offset) else { return };
        let mem = Mem { count, offset, ..mem };
        let new = if group.key.load {
            let widths: SmallVec<[Width; 8]> = SmallVec::from_elem(mem.ty.width(), usize::from(count));
            let new = self.f.make(Op::Load(mem), &d.args, &widths, d.place);
            let results = self.f.insts[new].results.clone();
            let old: Vec<Value> = run.iter().flat_map(|m| self.f.insts[m.inst].results.clone()).collect();
            old.into_iter().zip(results).for_each(|(old, new)| self.renames.set(old, new));
            new
        } else {
            let mut args: SmallVec<[Value; 8]> = SmallVec::from_slice(&d.args[..1]);
            run.iter().for_each(|m| args.extend_from_slice(&self.f.insts[m.inst].args[1..]));
            self.f.make(Op::Store(mem), &args, &[], d.place)
        };
        for m in run {
            changes.insert(m.inst, if m.inst == at.inst { Change::New(new) } else { Change::Gone });
        }
    }
}

fn same_terms(a: &Location, b: &Location) -> bool {
    a.space == b.space && a.form.terms == b.form.terms
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn joined(body: &str) -> String {
        let head = "kernel k\n params 0:8\n slot s0 shared 1024 align 4 \"a\"\n slot s1 shared 0 align 4 dynamic \"b\"\nb0:\n \
            v0: b32 = slotaddr.s0.0\n v1: b32 = slotaddr.s1.0\n v2: b32 = const.0\n v3: b64 = load.param.b64.1.0 v2\n \
            v4: b32 = special.tid_x\n v5: b32 = const.4\n v6: b32 = shl v4, v5\n v7: b32 = add v0, v6\n";
        let mut f = parse(&format!("{head}{body} exit\nend\n")).unwrap().remove(0);
        raddle_ir::verify::verify(&f).unwrap();
        crate::tests::apply(super::run, &mut f);
        print(&f)
    }

    fn loads(base: &str, offsets: &[i32], between: &str) -> String {
        let list = offsets.iter().enumerate().map(|(n, at)| {
            let first = if n == 1 { between } else { "" };
            format!("{first} v{}: b32 = load.shared.b32.1.{at} {base}\n", n + 20)
        });
        let list: String = list.collect();
        let uses: String = (0..offsets.len()).map(|n| format!(" warpsync v{}\n", n + 20)).collect();
        joined(&format!("{list}{uses}"))
    }

    #[test]
    fn aligned_neighbours_become_one() {
        let text = loads("v7", &[4, 0, 12, 8], "");
        assert!(text.contains("v8: b32, v9: b32, v10: b32, v11: b32 = load.shared.b32.4.0 v7\n"), "{text}");
        // In the order of their offsets.
        assert!(text.contains("warpsync v9\n  warpsync v8\n  warpsync v11\n  warpsync v10\n"), "{text}");
        assert!(text.contains("slot s0 shared 1024 align 16"), "{text}");
        let text = loads("v7", &[8, 12, 16], "");
        assert!(text.contains("load.shared.b32.2.8 v7") && text.contains("load.shared.b32.1.16 v7"), "{text}");
        let text = joined(" store.shared.b32.1.0 v7, v4\n v20: b32 = add v4, v5\n store.shared.b32.1.4 v7, v20\n");
        assert!(text.contains("v8: b32 = add v4, v5\n  store.shared.b32.2.0 v7, v4, v8\n"), "{text}");
    }

    #[test]
    fn nothing_moves_across_what_may_see_it() {
        for between in [
            " bar.sync v2, v2\n",
            " fence.acqrel.cta\n",
            " store.shared.b32.1.0 v0, v4\n",
            " store.shared.b32.1.4 v7, v4\n",
        ] {
            assert_eq!(
                loads("v7", &[0, 4], between).matches("b32.1.").count() - usize::from(between.contains("store")),
                2,
                "{between}"
            );
        }
        // Accesses to other places may be in between.
        assert!(loads("v7", &[0, 4], " store.global.b32.1.0 v3, v4\n").contains("load.shared.b32.2.0"));
        for between in
            [" bar.sync v2, v2\n", " v9: b32 = load.shared.b32.1.0 v7\n", " v9: b32 = load.shared.b32.1.0 v1\n"]
        {
            let text = joined(&format!(" store.shared.b32.1.0 v7, v4\n{between} store.shared.b32.1.4 v7, v4\n"));
            assert_eq!(text.matches(" store.").count(), if between.contains("v1\n") { 1 } else { 2 }, "{between}");
        }
    }

    #[test]
    fn what_pointers_and_symbols_say_is_used() {
        let of = |params: &str, sym: &str, base: &str, at: i32| {
            let text = format!(
                "kernel k\n params {params}\n sym g0 {sym}\nb0:\n v0: b32 = const.0\n v1: b64 = load.param.b64.1.8 v0\n \
                 v2: b32 = special.tid_x\n v3: b32 = const.8\n v4: b64 = madwide.u v2, v3, v1\n v5: b64 = symaddr.g0.0\n \
                 v6: b32 = load.global.b32.1.{at} {base}\n v7: b32 = load.global.b32.1.{} {base}\n warpsync v6\n warpsync v7\n exit\nend\n",
                at + 4
            );
            let mut f = parse(&text).unwrap().remove(0);
            raddle_ir::verify::verify(&f).unwrap();
            crate::tests::apply(super::run, &mut f);
            print(&f).contains("load.global.b32.2.")
        };
        let (said, plain) = ("0:8 8:8:16", "0:8:16 8:8");
        assert!(of(said, "\"x\"", "v1", 8) && of(said, "\"x\"", "v4", 0));
        assert!(!of(said, "\"x\"", "v1", 4) && !of(said, "\"x\"", "v4", -4));
        assert!(!of(plain, "\"x\"", "v1", 8) && !of("0:8 8:8:4", "\"x\"", "v4", 0));
        assert!(of(plain, "align 8 \"x\"", "v5", 0) && !of(plain, "align 8 \"x\"", "v5", 4));
        assert!(!of(plain, "align 4 \"x\"", "v5", 0) && !of(plain, "\"x\"", "v5", 0));
    }

    #[test]
    fn alignment_is_proven() {
        // A pointer from outside, the dynamic array, an odd start, a gap.
        let outside = joined(
            " v20: b32 = load.global.b32.1.0 v3\n v21: b32 = load.global.b32.1.4 v3\n warpsync v20\n warpsync v21\n",
        );
        assert_eq!(outside.matches("load.global.b32.1").count(), 2, "{outside}");
        assert_eq!(loads("v1", &[0, 4], "").matches("b32.1.").count(), 2);
        assert_eq!(loads("v7", &[4, 8], "").matches("b32.1.").count(), 2);
        assert_eq!(loads("v7", &[0, 8], "").matches("b32.1.").count(), 2);
        let volatile = joined(
            " v20: b32 = load.shared.b32.1.volatile.sys.0 v7\n v21: b32 = load.shared.b32.1.volatile.sys.4 v7\n",
        );
        assert_eq!(volatile.matches("b32.1.volatile").count(), 2, "{volatile}");
    }
}
