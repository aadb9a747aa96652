//! Replaces accesses to small arrays at an unknown index by selects.
//!
//! Problem: one access at an index known only at run time keeps a variable in local memory, where
//! each access costs a cache access and the kernel needs a stack: for example, the seven words of
//! the range reduction of sine and cosine, from which three are selected.
//!
//! Strategy ("ptxas 13.0.88 output"): in a variable of at most [`MOST_ELEMENTS`] words, all of
//! whose accesses are weak and one word wide, a load at an unknown offset becomes loads of every
//! word and selects of the one at that offset; a store becomes a load, a select and a store of
//! every word. All accesses are then at constant offsets, and [`crate::mem2reg`] promotes the
//! words.
//!
//! **Invariants.** Accesses lie within their variable (PTX ISA 9.0, 5.1.5: behaviour is undefined
//! otherwise) and are aligned to their size (9.7.9), so the offset selects exactly one word. A
//! variable whose address escapes is left alone, and so is one whose accesses would need more than
//! [`MOST_SELECTIONS`] selects.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Cond, Cx, Function, Inst, Mem, Mty, Op, Sign, Slot, SourcePos, Space, Stop, Value, Width};

use crate::address::{Atom, Form, Forms};

/// Most words of a variable.
const MOST_ELEMENTS: u32 = 8;
/// Most selects that replace the accesses of a variable.
const MOST_SELECTIONS: u32 = 64;
/// Bytes of an element.
const WORD: u32 = 4;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    if !f.slots.values().any(small) {
        return Ok(());
    }
    let cfg = Cfg::of(f);
    let forms = Forms::of(f, &cfg);
    let accesses = accesses(f, &cfg, &forms);
    if accesses.is_empty() {
        return Ok(());
    }
    for &b in &cfg.rpo {
        if !f.blocks[b].insts.iter().any(|i| accesses.contains_key(i)) {
            continue;
        }
        cx.step(f.blocks[b].insts.len() as u64)?;
        for i in std::mem::take(&mut f.blocks[b].insts) {
            match accesses.get(&i) {
                Some(&slot) => expand(f, &forms, b, i, slot),
                None => f.blocks[b].insts.push(i),
            }
        }
    }
    Ok(())
}

fn small(s: &raddle_ir::SlotData) -> bool {
    s.space == Space::Local && s.size > 0 && s.size.is_multiple_of(WORD) && s.size / WORD <= MOST_ELEMENTS
}

/// The accesses at unknown offsets of the variables to be replaced.
fn accesses(f: &Function, cfg: &Cfg, forms: &Forms) -> FxHashMap<Inst, Slot> {
    let mut stays: SecondaryMap<Slot, bool> = SecondaryMap::new();
    let mut selections: SecondaryMap<Slot, u32> = SecondaryMap::new();
    let mut found: Vec<(Inst, Slot)> = Vec::new();
    forms.for_each_slot_use(f, cfg, |slot, by| {
        let access = by.filter(|&(i, n, form)| match f.insts[i].op {
            Op::Load(mem) | Op::Store(mem) => n == 0 && word(f, form, slot, mem),
            _ => false,
        });
        let Some((i, _, form)) = access else { return stays[slot] = true };
        if !form.terms.iter().all(|t| matches!(t.0, Atom::Slot(_) | Atom::LocalWindow)) {
            selections[slot] += f.slots[slot].size / WORD;
            found.push((i, slot));
        }
    });
    found.retain(|&(_, slot)| !stays[slot] && selections[slot] <= MOST_SELECTIONS);
    found.into_iter().collect()
}

/// Whether it is a weak access to one word of a small variable.
fn word(f: &Function, form: &Form, slot: Slot, mem: Mem) -> bool {
    let window = form.terms.contains(&(Atom::LocalWindow, 1));
    let others = form.terms.iter().all(|t| match t.0 {
        Atom::Slot(s) => s == slot && t.1 == 1,
        Atom::LocalWindow => t.1 == 1,
        Atom::Value(_) | Atom::Zext(_) | Atom::Sext(_) => true,
        Atom::Symbol(_) | Atom::SharedWindow => false,
    });
    let space = match mem.space {
        Space::Local => !window,
        Space::Generic => window,
        _ => false,
    };
    small(&f.slots[slot]) && others && space && mem.is_weak() && mem.count == 1 && matches!(mem.ty, Mty::B32)
}

/// Expands an access into one for every word of its variable.
fn expand(f: &mut Function, forms: &Forms, b: Block, i: Inst, slot: Slot) {
    let d = f.insts[i].clone();
    let (Op::Load(mem) | Op::Store(mem)) = d.op else { return f.blocks[b].insts.push(i) };
    let offset = offset(f, b, d.place, &forms.get(d.args[0]), mem);
    let base = f.append1(b, Op::SlotAddr(slot, 0), &[], Width::B32, d.place);
    let count = f.slots[slot].size / WORD;
    let at = |k: u32| Mem { space: Space::Local, offset: (k * WORD) as i32, ..mem };
    let hit = |f: &mut Function, k: u32| {
        let c = f.append1(b, Op::Const(u64::from(k * WORD)), &[], Width::B32, d.place);
        f.append1(b, Op::Icmp(Cond::Eq, Sign::U), &[offset, c], Width::P, d.place)
    };
    let last = count - 1;
    if let Op::Store(_) = d.op {
        for k in 0..count {
            let p = hit(f, k);
            let old = f.append1(b, Op::Load(at(k)), &[base], Width::B32, d.place);
            let new = f.append1(b, Op::Select, &[p, d.args[1], old], Width::B32, d.place);
            if k < last {
                f.append(b, Op::Store(at(k)), &[base, new], &[], d.place);
            } else {
                f.insts[i].op = Op::Store(at(k));
                f.insts[i].args = [base, new].into_iter().collect();
            }
        }
    } else {
        let mut value = f.append1(b, Op::Load(at(0)), &[base], Width::B32, d.place);
        for k in 1..count {
            let p = hit(f, k);
            let other = f.append1(b, Op::Load(at(k)), &[base], Width::B32, d.place);
            if k < last {
                value = f.append1(b, Op::Select, &[p, other, value], Width::B32, d.place);
            } else {
                f.insts[i].op = Op::Select;
                f.insts[i].args = [p, other, value].into_iter().collect();
            }
        }
        if count == 1 {
            f.insts[i].op = Op::Load(at(0));
            f.insts[i].args = [base].into_iter().collect();
        }
    }
    f.blocks[b].insts.push(i);
}

/// The offset of an access in its variable, modulo 2^32.
fn offset(f: &mut Function, b: Block, place: SourcePos, form: &Form, mem: Mem) -> Value {
    let bytes = form.offset.wrapping_add(i64::from(mem.offset));
    let mut sum = f.append1(b, Op::Const(u64::from(bytes as u32)), &[], Width::B32, place);
    for &(atom, n) in &form.terms {
        let (Atom::Value(v) | Atom::Zext(v) | Atom::Sext(v)) = atom else { continue };
        let v = if f.width(v) == Width::B64 { f.append1(b, Op::Trunc, &[v], Width::B32, place) } else { v };
        let c = f.append1(b, Op::Const(u64::from(n as u32)), &[], Width::B32, place);
        sum = f.append1(b, Op::Mad, &[v, c, sum], Width::B32, place);
    }
    sum
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn after(body: &str) -> String {
        let head = "kernel k\n params 0:8\n slot s0 local 12 align 4 \"a\"\nb0:\n v0: b32 = slotaddr.s0.0\n v1: b32 = special.tid_x\n \
                    v2: b32 = const.4\n v3: b32 = mul v1, v2\n v4: b32 = add v0, v3\n";
        let mut f = parse(&format!("{head}{body} exit\nend\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        crate::tests::apply(crate::mem2reg::run, &mut f);
        raddle_ir::verify::verify(&f).unwrap();
        print(&f)
    }

    #[test]
    fn unknown_elements_are_selected() {
        let text = after(
            " store.local.b32.1.0 v0, v1\n store.local.b32.1.4 v0, v2\n store.local.b32.1.0 v4, v3\n v5: b32 = load.local.b32.1.4 v4\n \
             store.local.b32.1.8 v0, v5\n",
        );
        assert!(!text.contains("local.b32"), "{text}");
        assert_eq!(text.matches("select").count(), 5);
    }

    #[test]
    fn what_escapes_or_is_read_in_part_stays() {
        for other in [" store.local.b32.1.0 v4, v0\n", " store.local.u8.1.0 v4, v1\n", " v5: p = icmp.eq.u v4, v1\n"] {
            let text = after(&format!(
                " store.local.b32.1.0 v4, v1\n{other} v6: b32 = load.local.b32.1.0 v4\n store.local.b32.1.0 v0, v6\n"
            ));
            assert!(text.contains("load.local"), "{text}");
            assert!(!text.contains("select"), "{text}");
        }
    }
}
