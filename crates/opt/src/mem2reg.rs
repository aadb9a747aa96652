//! Promotes local variables to SSA values.
//!
//! Problem: compilers without optimisation, inlined functions and arrays with constant indices
//! after unrolling leave variables in local memory that registers could hold. Each access costs a
//! cache access, and other passes cannot see through it.
//!
//! Strategy: a variable is a candidate if every use of its address is a weak load or store at a
//! constant offset inside it ([`crate::address`]). Its bytes are divided into *cells*: an element
//! that no other access overlaps in part is one cell; where accesses of several sizes overlap, the
//! cells are 32-bit words, a wider element covers several of them and a narrower one is a field of
//! one. Cells then go into SSA form ([`crate::promote`]).
//!
//! **Invariants.** A variable whose address escapes (stored, passed on an edge, compared, used with
//! an unknown offset or by an atomic) stays in memory. Reading before writing gives undefined bits,
//! as in memory. No store is introduced. A variable without remaining accesses gets size 0, so that
//! it takes no space in the frame.

use crate::address::{Atom, Forms};
use crate::promote::{Cell, Element, Promote};
use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Cx, Function, Inst, Mem, Mty, Op, Slot, Space, Stop, Value};
use smallvec::SmallVec;

/// Most cells of one variable; a larger one stays in memory, where it is cheaper than in spilled
/// registers.
const MAX_CELLS: usize = 1024;

/// A load or store of a candidate.
struct Access {
    inst: Inst,
    slot: Slot,
    offset: i64,
    mem: Mem,
}

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    if !f.slots.values().any(|s| s.space == Space::Local && s.size > 0) {
        return Ok(());
    }
    let cfg = Cfg::of(f);
    let accesses = candidates(f, &cfg);
    let (cells, elements) = cells(&accesses);
    if !cells.is_empty() {
        Promote::new(f, &cfg, &cells, elements).run();
    }
    free_unused(f, &cfg);
    Ok(())
}

/// The accesses of all variables whose uses are all known.
fn candidates(f: &Function, cfg: &Cfg) -> Vec<Access> {
    let forms = Forms::of(f, cfg);
    let mut escaped: SecondaryMap<Slot, bool> = SecondaryMap::new();
    let mut accesses = Vec::new();
    forms.for_each_slot_use(f, cfg, |slot, by| {
        let access = by.and_then(|(inst, n, form)| match f.insts[inst].op {
            Op::Load(mem) | Op::Store(mem) if n == 0 => {
                let (offset, mem) = place(f, form, slot, mem)?;
                Some(Access { inst, slot, offset, mem })
            }
            _ => None,
        });
        match access {
            Some(access) => accesses.push(access),
            None => escaped[slot] = true,
        }
    });
    accesses.retain(|a| !escaped[a.slot]);
    accesses
}

/// The offset of a weak access in its variable, if that is constant, and the access.
fn place(f: &Function, form: &crate::address::Form, slot: Slot, mem: Mem) -> Option<(i64, Mem)> {
    let direct = matches!(
        (mem.space, &form.terms[..]),
        (Space::Local, [(Atom::Slot(_), 1)]) | (Space::Generic, [(Atom::Slot(_), 1), (Atom::LocalWindow, 1)])
    );
    let d = &f.slots[slot];
    let offset = form.offset.checked_add(i64::from(mem.offset))?;
    let bytes = i64::from(mem.ty.bytes()) * i64::from(mem.count);
    let inside = offset >= 0 && offset + bytes <= i64::from(d.size);
    (direct && inside && d.space == Space::Local && mem.is_weak()).then_some((offset, mem))
}

/// Divides the accessed bytes into cells, and returns the elements of each access as cells.
fn cells(accesses: &[Access]) -> (Vec<Cell>, FxHashMap<Inst, Vec<Element>>) {
    let mut pieces: Vec<(Slot, i64, i64)> = Vec::new();
    for a in accesses {
        let bytes = i64::from(a.mem.ty.bytes());
        pieces.extend((0..i64::from(a.mem.count)).map(|k| (a.slot, a.offset + k * bytes, bytes)));
    }
    pieces.sort_unstable();
    pieces.dedup();
    let mut cells: Vec<Cell> = Vec::new();
    // Cells by offset. Overlapping pieces that cannot be cells are left out.
    let mut at: FxHashMap<(Slot, i64), u32> = FxHashMap::default();
    let mut per_slot: SecondaryMap<Slot, usize> = SecondaryMap::new();
    let mut rest = pieces.as_slice();
    while let Some(&(slot, start, bytes)) = rest.first() {
        let mut end = start + bytes;
        let n = rest.iter().take_while(|p| {
            let inside = p.0 == slot && p.1 < end;
            if inside {
                end = end.max(p.1 + p.2);
            }
            inside
        });
        let n = n.count();
        let group = &rest[..n];
        rest = &rest[n..];
        let mut add = |start: i64, ty: Mty| {
            at.insert((slot, start), cells.len() as u32);
            cells.push(ty);
            per_slot[slot] += 1;
        };
        if n == 1 {
            add(start, element(bytes));
        } else {
            let first = start & !3;
            // A narrow piece lies in one 32-bit word; a wide one covers whole words.
            let fits = |p: &(Slot, i64, i64)| match p.2 {
                1 | 2 => p.1 / 4 == (p.1 + p.2 - 1) / 4,
                _ => p.1 % 4 == 0,
            };
            if group.iter().all(fits) {
                (first..end).step_by(4).for_each(|start| add(start, Mty::B32));
            }
        }
    }
    let mut elements: FxHashMap<Inst, Vec<Element>> = FxHashMap::default();
    for a in accesses {
        if per_slot[a.slot] > MAX_CELLS {
            continue;
        }
        let bytes = i64::from(a.mem.ty.bytes());
        let list: Option<Vec<Element>> = (0..i64::from(a.mem.count))
            .map(|k| {
                let start = a.offset + k * bytes;
                let whole = at.get(&(a.slot, start)).filter(|&&c| cells[c as usize].bytes() == a.mem.ty.bytes());
                if let Some(&cell) = whole {
                    return Some(Element {
                        cells: SmallVec::from_slice(&[cell]),
                        shift: 0,
                        partial: false,
                        ty: a.mem.ty,
                    });
                }
                let words = (start & !3..start + bytes).step_by(4).map(|at_| at.get(&(a.slot, at_)).copied());
                let shift = (start & 3) as u32 * 8;
                Some(Element { cells: words.collect::<Option<_>>()?, shift, partial: bytes < 4, ty: a.mem.ty })
            })
            .collect();
        // A vector with an element that is no cell stays, and so does all that shares a cell with
        // it: see below.
        if let Some(list) = list {
            elements.insert(a.inst, list);
        }
    }
    keep_whole_accesses(accesses, &cells, &at, &mut elements);
    (cells, elements)
}

/// Keeps a vector access in memory if one of its elements stays, and then every access that shares
/// a byte with it.
fn keep_whole_accesses(
    accesses: &[Access],
    cells: &[Cell],
    at: &FxHashMap<(Slot, i64), u32>,
    elements: &mut FxHashMap<Inst, Vec<Element>>,
) {
    let mut in_memory = vec![false; cells.len()];
    loop {
        let mut changed = false;
        for a in accesses.iter().filter(|a| !elements.contains_key(&a.inst)) {
            let end = a.offset + i64::from(a.mem.ty.bytes()) * i64::from(a.mem.count);
            // A cell that begins up to 15 bytes earlier may overlap.
            for start in a.offset - 15..end {
                if let Some(&c) = at.get(&(a.slot, start))
                    && start + i64::from(cells[c as usize].bytes()) > a.offset
                {
                    changed |= !std::mem::replace(&mut in_memory[c as usize], true);
                }
            }
        }
        if !changed {
            return;
        }
        elements.retain(|_, list| !list.iter().any(|e| e.cells.iter().any(|&c| in_memory[c as usize])));
    }
}

/// The type of a cell of this many bytes.
fn element(bytes: i64) -> Mty {
    match bytes {
        1 => Mty::U8,
        2 => Mty::U16,
        4 => Mty::B32,
        8 => Mty::B64,
        _ => Mty::B128,
    }
}

/// Sets the size of unused local variables to 0.
fn free_unused(f: &mut Function, cfg: &Cfg) {
    let mut used: SecondaryMap<Slot, bool> = SecondaryMap::new();
    // Address computations may be left whose results are unused.
    let mut needed: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut work: Vec<Value> = Vec::new();
    for &b in &cfg.rpo {
        for &i in &f.blocks[b].insts {
            let d = &f.insts[i];
            if d.op.has_effect() || d.op.reads_memory() {
                work.extend(&d.args);
            }
        }
        f.term(b).for_each_use(|v| work.push(v));
    }
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut needed[v], true) {
            continue;
        }
        if let Some((i, op)) = f.def(v) {
            if let Op::SlotAddr(slot, _) = op {
                used[slot] = true;
            }
            work.extend(&f.insts[i].args);
        }
    }
    for (slot, d) in f.slots.iter_mut() {
        if d.space == Space::Local && !used[slot] {
            (d.size, d.align) = (0, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn promoted(slots: &str, body: &str) -> String {
        let mut f = parse(&format!("kernel k\n{slots}{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        crate::tests::apply(crate::fold::run, &mut f);
        crate::tests::apply(crate::dce::run, &mut f);
        print(&f)
    }

    #[test]
    fn a_variable_over_a_join_becomes_a_parameter() {
        let text = promoted(
            " slot s0 local 8 align 8 \"x\"\n",
            "b0:\n v0: b32 = slotaddr.s0.4\n v1: b32 = special.tid_x\n v2: b32 = special.ctaid_x\n v3: p = icmp.lt.u v1, v2\n \
             store.local.b32.1.0 v0, v1\n branch v3, b1, b2\nb1:\n store.local.b32.1.0 v0, v2\n jump b2\nb2:\n \
             v4: b32 = load.local.b32.1.0 v0\n warpsync v4\n exit\n",
        );
        assert!(text.contains("slot s0 local 0 align 1"), "{text}");
        assert!(text.contains("branch v2, b1, b2(v0)"), "{text}");
        assert!(text.contains("jump b2(v1)\nb2(v3: b32):\n  warpsync v3\n"), "{text}");
    }

    #[test]
    fn vectors_words_and_bytes_share_cells() {
        let text = promoted(
            " slot s0 local 16 align 16 \"x\"\n",
            "b0:\n v0: b32 = slotaddr.s0.0\n v1: b32 = special.tid_x\n v2: b32 = special.ctaid_x\n \
             store.local.b32.2.0 v0, v1, v2\n v3: b64 = load.local.b64.1.0 v0\n v4: b32 = load.local.s8.1.5 v0\n \
             store.local.u8.1.12 v0, v1\n v5: b32 = load.local.u8.1.12 v0\n v6: p = icmp.lt.u v3, v3\n warpsync v4\n \
             warpsync v5\n branch v6, b1, b1\nb1:\n exit\n",
        );
        assert!(!text.contains("load") && !text.contains("store"), "{text}");
        assert!(text.contains("shr.u v4, v0") && text.contains("extlow.s.8") && text.contains("and v3, v1"), "{text}");
    }

    #[test]
    fn what_escapes_or_moves_stays() {
        // The address is stored; unknown offset; volatile; out of bounds; passed on an edge.
        for (access, count) in [
            ("store.local.b32.1.4 v0, v0", 2),
            ("v9: b32 = add v0, v1\n v8: b32 = load.local.b32.1.0 v9\n warpsync v8", 2),
            ("v9: b32 = load.local.b32.1.volatile.sys.0 v0\n warpsync v9", 2),
            ("v9: b32 = load.local.b32.1.8 v0\n warpsync v9", 2),
        ] {
            let text = promoted(
                " slot s0 local 8 align 8 \"x\"\n",
                &format!(
                    "b0:\n v0: b32 = slotaddr.s0.0\n v1: b32 = special.tid_x\n store.local.b32.1.0 v0, v1\n {access}\n exit\n"
                ),
            );
            assert_eq!(text.matches(".local.").count(), count, "{text}");
            assert!(text.contains("slot s0 local 8 align 8"), "{text}");
        }
    }

    #[test]
    fn generic_addresses_of_variables_are_seen_through() {
        let text = promoted(
            " slot s0 local 8 align 8 \"x\"\n",
            "b0:\n v0: b32 = slotaddr.s0.0\n v1: b64 = zext v0\n v2: b32 = special.local_window_lo\n \
             v3: b32 = special.local_window_hi\n v4: b64 = pack v2, v3\n v5: b64 = add v4, v1\n v6: b64 = const.4\n \
             v7: b64 = add v5, v6\n v8: b32 = special.tid_x\n store.generic.b32.1.0 v7, v8\n \
             v9: b64 = sub v7, v4\n v10: b32 = trunc v9\n v11: b32 = load.local.b32.1.0 v10\n warpsync v11\n exit\n",
        );
        assert!(text.contains("b0:\n  v0: b32 = special.tid_x\n  warpsync v0\n"), "{text}");
    }

    #[test]
    fn a_switch_gets_a_block_that_passes_values() {
        let text = promoted(
            " slot s0 local 4 align 4 \"x\"\n",
            "b0:\n v0: b32 = slotaddr.s0.0\n v1: b32 = special.tid_x\n store.local.b32.1.0 v0, v1\n switch v1, b1, b2\n\
             b1:\n v3: b32 = const.7\n store.local.b32.1.0 v0, v3\n jump b2\nb2:\n \
             v2: b32 = load.local.b32.1.0 v0\n warpsync v2\n exit\n",
        );
        assert!(text.contains("switch v1, b1, b3") && text.contains("b3:\n  jump b2(v1)\n"), "{text}");
    }
}
