//! Patterns of memory accesses: overlapping and adjacent ones, arrays, computed addresses, loops with
//! indices and with pointers (see `patterns`).
//!
//! Invariant: every address is within the thread's own slot of 64 bytes, or its array.

use super::patterns::{PLACES, Pattern};
use super::registers::Bank;
use super::tree::PLACE;

/// Loads and stores of all widths in one slot, by several addresses of it.
pub(super) fn overlapping(p: &mut Pattern<'_>) {
    let (space, bases) = *p.rng.pick(PLACES);
    let mut bases = bases.to_vec();
    // A generic and a named address of the same place.
    let twin = match space {
        ".shared" => Some(("", "%gs")),
        ".local" => Some(("", "%gl")),
        ".global" => Some(("", "%ag")),
        _ => None,
    };
    let base = bases.remove(p.rng.below(bases.len()));
    // All accesses are within the same few bytes, so that they overlap.
    let window = *p.rng.pick(&[16, 32, PLACE]);
    for _ in 0..4 + p.rng.below(8) {
        match twin {
            Some((generic, name)) if p.rng.chance(1, 5) => p.access(generic, name, window),
            _ => p.access(space, base, window),
        }
    }
}

/// Loads, then stores, of neighbours, possibly with one in between that conflicts.
pub(super) fn adjacent(p: &mut Pattern<'_>) {
    let (space, bases) = PLACES[p.rng.below(3)];
    let base = *p.rng.pick(bases);
    let (bits, bytes) = *p.rng.pick(&[("b16", 2), ("b32", 4), ("b32", 4), ("b64", 8)]);
    let register = if bytes == 8 {
        "%w"
    } else if bytes == 2 {
        "%y"
    } else {
        "%q"
    };
    let count = 2 + p.rng.below(3);
    let from = p.rng.below(PLACE / bytes - count) * bytes;
    let to = p.rng.below(PLACE / bytes - count) * bytes;
    p.line("{ .reg .b16 %y<8>; .reg .b32 %q<8>; .reg .b64 %w<8>;");
    let mut order: Vec<usize> = (0..count).collect();
    if p.rng.chance(1, 3) {
        order.reverse();
    }
    for &n in &order {
        p.line(format!("ld{space}.{bits} {register}{n}, [{base}+{}];", from + n * bytes));
        if p.rng.chance(1, 8) {
            p.access(space, base, PLACE);
        }
    }
    for &n in &order {
        // Each from its own value, or all from the first.
        let source = if p.rng.chance(1, 6) { order[0] } else { n };
        p.line(format!("st{space}.{bits} [{base}+{}], {register}{source};", to + n * bytes));
        if p.rng.chance(1, 8) {
            p.access(space, base, PLACE);
        }
    }
    p.line("}");
}

/// An array in local memory that is accessed at constant offsets: it could be registers.
pub(super) fn fixed_array(p: &mut Pattern<'_>) {
    let (id, size) = (p.id, *p.rng.pick(&[8, 16, 32]));
    p.line(format!("{{ .local .align 16 .b8 array{id}[{size}]; .reg .b64 %w; mov.u64 %w, array{id};"));
    for at in (0..size).step_by(4) {
        let source = p.source();
        p.line(format!("st.local.b32 [%w+{at}], {source};"));
    }
    let branch = p.rng.chance(1, 2).then(|| p.p());
    if let Some(predicate) = &branch {
        p.line(format!("@{predicate} bra ARRAY{id};"));
    }
    for _ in 0..1 + p.rng.below(4) {
        p.access(".local", "%w", size.min(16));
    }
    if branch.is_some() {
        p.line(format!("ARRAY{id}:"));
    }
    for _ in 0..2 + p.rng.below(4) {
        let (type_, bytes, operand) = p.value();
        let bytes = bytes.max(1);
        if bytes <= size {
            let at = p.rng.below(size / bytes) * bytes;
            p.line(format!("ld.local.{type_} {operand}, [%w+{at}];"));
        }
    }
    p.line("}");
}

/// An array in local memory that is accessed at computed offsets.
pub(super) fn computed_array(p: &mut Pattern<'_>) {
    let id = p.id;
    p.line(format!("{{ .local .align 16 .b8 array{id}[32]; .reg .b32 %q<2>; .reg .b64 %w<2>; mov.u64 %w0, array{id};"));
    for at in (0..32).step_by(4) {
        let source = p.source();
        p.line(format!("st.local.b32 [%w0+{at}], {source};"));
    }
    for _ in 0..1 + p.rng.below(3) {
        let (index, guard, register) = (p.source(), p.guard(), p.r());
        p.line(format!("and.b32 %q0, {index}, 7;"));
        p.line("mad.wide.u32 %w1, %q0, 4, %w0;");
        match p.rng.chance(1, 2) {
            true => p.line(format!("{guard}st.local.b32 [%w1], {register};")),
            false => p.line(format!("{guard}ld.local.b32 {register}, [%w1];")),
        }
        let (register, at) = (p.r(), p.rng.below(8) * 4);
        p.line(format!("ld.local.b32 {register}, [%w0+{at}];"));
    }
    p.line("}");
}

/// 64-bit addresses computed in the ways of compilers, with offsets of both signs.
pub(super) fn addresses(p: &mut Pattern<'_>) {
    let (space, base) =
        *p.rng.pick(&[(".global", "%ag"), (".shared", "%as64"), (".local", "%al"), ("", "%gs"), ("", "%gl")]);
    p.line("{ .reg .b32 %q<2>; .reg .b64 %w<4>;");
    for _ in 0..1 + p.rng.below(3) {
        let index = p.source();
        p.line(format!("and.b32 %q0, {index}, 7;"));
        match p.rng.below(6) {
            0 => p.line(format!("mad.wide.u32 %w0, %q0, 4, {base};")),
            1 => p.line(format!("mul.wide.s32 %w1, %q0, 4; add.s64 %w0, {base}, %w1;")),
            2 => p.line(format!("cvt.u64.u32 %w1, %q0; shl.b64 %w1, %w1, 2; add.s64 %w0, %w1, {base};")),
            3 => p.line(format!("cvt.s64.s32 %w1, %q0; mad.lo.s64 %w0, %w1, 4, {base};")),
            4 => p.line(format!("shl.b32 %q1, %q0, 2; cvt.u64.u32 %w1, %q1; add.u64 %w0, {base}, %w1;")),
            _ => p.line(format!(
                "sub.u32 %q1, 7, %q0; mul.wide.u32 %w1, %q1, 4; sub.s64 %w1, 28, %w1; add.s64 %w0, %w1, {base};"
            )),
        }
        // From 0 to 28 after the base; the slot has 64 bytes.
        let (register, guard) = (p.r(), p.guard());
        let at = match p.rng.below(3) {
            0 => {
                let far = 1 + p.rng.below(9);
                p.line(format!("add.s64 %w0, %w0, {};", 4 * far));
                format!("%w0+-{}", 4 * (1 + p.rng.below(far)))
            }
            1 => format!("%w0+{}", 4 * p.rng.below(9)),
            _ => "%w0".to_owned(),
        };
        match p.rng.chance(1, 2) {
            true => p.line(format!("{guard}st{space}.b32 [{at}], {register};")),
            false => p.line(format!("{guard}ld{space}.b32 {register}, [{at}];")),
        }
    }
    p.line("}");
}

/// A loop that copies or sums elements of the thread's slot; source and destination may overlap.
pub(super) fn memory_loop(p: &mut Pattern<'_>) {
    let (space, base) = *p.rng.pick(&[(".global", "%ag"), (".shared", "%as64"), (".local", "%al")]);
    let (id, from, to) = (p.id, 4 * p.rng.below(8), 4 * p.rng.below(8));
    let (sum, pointers) = (p.r(), p.rng.chance(1, 2));
    p.line("{ .reg .b32 %q<4>; .reg .b64 %w<4>; .reg .pred %z;");
    p.trips("%q0");
    // At most 8 elements of 4 bytes from 28 on: within the slot.
    p.line("min.u32 %q0, %q0, 8;\n    mov.u32 %q1, 0;");
    p.line(format!("add.s64 %w0, {base}, {from};\n    add.s64 %w1, {base}, {to};"));
    p.line(format!("setp.eq.u32 %z, %q0, 0;\n    @%z bra DONE{id};\nROUND{id}:"));
    if !pointers {
        p.line(format!("mad.wide.u32 %w2, %q1, 4, {base};"));
    }
    let (load, store) = match pointers {
        true => ("%w0".to_owned(), "%w1".to_owned()),
        false => (format!("%w2+{from}"), format!("%w2+{to}")),
    };
    p.line(format!("ld{space}.b32 %q2, [{load}];"));
    p.line(format!("mad.lo.u32 {sum}, {sum}, 7, %q2;"));
    if p.rng.chance(2, 3) {
        let value = if p.rng.chance(1, 2) { "%q2".to_owned() } else { sum.clone() };
        let guard = p.guard();
        p.line(format!("{guard}st{space}.b32 [{store}], {value};"));
    }
    if pointers {
        p.line("add.s64 %w0, %w0, 4;\n    add.s64 %w1, %w1, 4;");
    }
    p.line(format!("add.u32 %q1, %q1, 1;\n    setp.lt.u32 %z, %q1, %q0;\n    @%z bra ROUND{id};"));
    p.line(format!("DONE{id}:\n    }}"));
}

/// Two pointers that change in a loop, by steps, by an exchange or by a choice, with accesses through
/// them in the loop and after it: the value of an iteration is not that of the next.
pub(super) fn moving_pointers(p: &mut Pattern<'_>) {
    let (space, base) =
        *p.rng.pick(&[(".global", "%ag"), (".shared", "%as64"), (".local", "%al"), ("", "%gs"), ("", "%gl")]);
    let (id, top, down) = (p.id, p.rng.chance(1, 2), p.rng.chance(1, 3));
    p.line("{ .reg .b32 %q<3>; .reg .b64 %w<3>; .reg .pred %z;");
    p.trips("%q0");
    // At most 6 steps of 4 bytes, from 0 or 8 upwards or from 32 or 40 downwards, and accesses from 0 to 15 after them.
    p.line("min.u32 %q0, %q0, 6;\n    mov.u32 %q1, 0;");
    let (step, starts) = if down { (-4, [32, 40]) } else { (4, [0, 8]) };
    for n in 0..2 {
        let start = *p.rng.pick(&starts);
        p.line(format!("add.s64 %w{n}, {base}, {start};"));
    }
    if top {
        p.line(format!("bra TEST{id};"));
    }
    p.line(format!("ROUND{id}:"));
    let moves = p.rng.below(4);
    let before = p.rng.chance(1, 4);
    for half in 0..2 {
        if (half == 0) == before {
            let predicate = p.p();
            p.line(match moves {
                0 => format!("add.s64 %w0, %w0, {step};"),
                1 => format!("add.s64 %w0, %w0, {step};\n    add.s64 %w1, %w1, {step};"),
                2 => "mov.b64 %w2, %w0;\n    mov.b64 %w0, %w1;\n    mov.b64 %w1, %w2;".to_owned(),
                _ => format!("add.s64 %w1, %w1, {step};\n    selp.b64 %w0, %w0, %w1, {predicate};"),
            });
        } else {
            accesses_through_pointers(p, space);
        }
    }
    p.line("add.u32 %q1, %q1, 1;");
    if top {
        p.line(format!("TEST{id}:"));
        if p.rng.chance(1, 2) {
            accesses_through_pointers(p, space);
        }
    }
    p.line(format!("setp.lt.u32 %z, %q1, %q0;\n    @%z bra ROUND{id};"));
    accesses_through_pointers(p, space);
    p.line("}");
}

/// One to three accesses of 1 to 4 bytes through `%w0` or `%w1`, most of them stores.
fn accesses_through_pointers(p: &mut Pattern<'_>, space: &str) {
    for _ in 0..1 + p.rng.below(3) {
        let (type_, bytes) = *p.rng.pick(&[("b32", 4), ("b32", 4), ("b32", 4), ("u16", 2), ("u8", 1)]);
        let pointer = p.rng.below(2);
        let at = if p.rng.chance(1, 2) { 0 } else { p.rng.below(16 / bytes) * bytes };
        let register = match (type_, p.rng.chance(1, 4)) {
            ("u16", _) => p.draw(Bank::H),
            (_, true) => "%q1".to_owned(),
            (..) => p.r(),
        };
        let guard = p.guard();
        match p.rng.chance(2, 3) || register == "%q1" {
            true => p.line(format!("{guard}st{space}.{type_} [%w{pointer}+{at}], {register};")),
            false => p.line(format!("{guard}ld{space}.{type_} {register}, [%w{pointer}+{at}];")),
        }
    }
}
