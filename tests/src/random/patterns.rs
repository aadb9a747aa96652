//! Groups of lines that test optimisers: overlapping memory accesses, arrays, loops, redundancy,
//! high register pressure.
//!
//! Problem: independently chosen instructions rarely have a relation that a pass looks for.
//! Strategy: each pattern writes a few lines that do, over the registers of the kernel and
//! temporaries in its own scope, with random widths, offsets, guards and trip counts. A pattern is
//! one statement of a kernel; the minimiser removes lines of it.
//!
//! Invariants: a thread accesses only its own slot of a state space; everything read is
//! initialised; labels include the number of the pattern.

use super::accesses;
use super::registers::{Bank, literal};
use super::tree::Stmt;
use crate::rng::Rng;
use raddle_ptx::Ty;

/// Writes the lines of a pattern.
type Maker = fn(&mut Pattern<'_>);

/// Name and maker of each pattern.
const PATTERNS: &[(&str, Maker)] = &[
    ("overlapping accesses", accesses::overlapping),
    ("adjacent accesses", accesses::adjacent),
    ("array of a fixed place", accesses::fixed_array),
    ("array of a computed place", accesses::computed_array),
    ("address arithmetic", accesses::addresses),
    ("many values", many_values),
    ("many predicates", many_predicates),
    ("predicates across a loop", predicates_across_a_loop),
    ("redundant expressions", redundant),
    ("loop with invariants", invariant_loop),
    ("loop over memory", accesses::memory_loop),
    ("moving pointers", accesses::moving_pointers),
    ("values of the last iteration", last_iteration),
    ("guarded group", guarded_group),
    ("division by a constant", constant_division),
    ("chain of comparisons", comparison_chain),
    ("uniform values", uniform_values),
    ("exchanged values", exchanged_values),
];

/// Spaces: suffix of the instruction, and registers with the address of the thread's slot.
pub(super) const PLACES: &[(&str, &[&str])] =
    &[(".global", &["%ag"]), (".shared", &["%as", "%as64"]), (".local", &["%al"]), ("", &["%ag", "%gs", "%gl"])];

/// Integer operations with two sources that are defined for all values.
const BINARY: &[&str] =
    &["add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32", "xor.b32", "min.s32", "max.u32", "shl.b32", "shr.s32"];

pub(super) struct Pattern<'a> {
    pub(super) rng: &'a mut Rng,
    /// Number of its labels.
    pub(super) id: usize,
    /// Counters of the enclosing loops.
    counters: &'a [usize],
    lines: Vec<String>,
}

/// Generates a pattern; `counters` are those of the enclosing loops.
pub fn pattern(rng: &mut Rng, id: usize, counters: &[usize]) -> Stmt {
    let (shape, make) = *rng.pick(PATTERNS);
    let mut pattern = Pattern { rng, id, counters, lines: Vec::new() };
    make(&mut pattern);
    Stmt::Pattern { shape, lines: pattern.lines }
}

impl Pattern<'_> {
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    pub(super) fn draw(&mut self, bank: Bank) -> String {
        bank.draw(self.rng).to_string()
    }

    pub(super) fn r(&mut self) -> String {
        self.draw(Bank::R)
    }

    pub(super) fn p(&mut self) -> String {
        self.draw(Bank::P)
    }

    /// A guard, in one of three cases.
    pub(super) fn guard(&mut self) -> String {
        match self.rng.below(6) {
            0 => format!("@{} ", self.p()),
            1 => format!("@!{} ", self.p()),
            _ => String::new(),
        }
    }

    /// A 32-bit source: a register, a literal, the counter of a loop, a uniform value.
    pub(super) fn source(&mut self) -> String {
        match self.rng.below(8) {
            0 => literal(Ty::U32, self.rng).unwrap_or_else(|| "7".to_owned()),
            1 if !self.counters.is_empty() => format!("%k{}", self.rng.pick(self.counters)),
            2 => "%flags".to_owned(),
            _ => self.r(),
        }
    }

    /// `d = a op b` of 32 bits.
    pub(super) fn binary(&mut self, d: &str, a: &str, b: &str) {
        let op = *self.rng.pick(BINARY);
        self.line(format!("{op} {d}, {a}, {b};"));
    }

    /// Width in bits, and registers of that width as an operand: one register or a vector of two or
    /// four.
    pub(super) fn value(&mut self) -> (String, usize, String) {
        let (bank, bits, type_) = match self.rng.below(8) {
            0 => (Bank::H, 16, "b16"),
            1 => (Bank::R, 8, "u8"),
            2 => (Bank::R, 16, "s16"),
            3 => (Bank::L, 64, "b64"),
            4 => (Bank::F, 32, "b32"),
            5 => (Bank::D, 64, "b64"),
            _ => (Bank::R, 32, "b32"),
        };
        let count = match (bank, bits) {
            (Bank::R | Bank::F, 32) => *self.rng.pick(&[1, 1, 2, 4]),
            (Bank::L | Bank::D, 64) => *self.rng.pick(&[1, 1, 2]),
            _ => 1,
        };
        let first = bank.draw(self.rng);
        let names: Vec<String> = (0..count).map(|n| first.neighbour(n).to_string()).collect();
        match count {
            1 => (type_.to_owned(), bits / 8, names[0].clone()),
            _ => (format!("v{count}.{type_}"), bits / 8 * count, format!("{{{}}}", names.join(", "))),
        }
    }

    /// A load or a store of a random width at a random offset from a base.
    pub(super) fn access(&mut self, space: &str, base: &str, size: usize) {
        let (type_, bytes, operand) = loop {
            let value = self.value();
            if value.1 <= size {
                break value;
            }
        };
        let guard = self.guard();
        let offset = self.rng.below(size / bytes) * bytes;
        if self.rng.chance(1, 2) {
            self.line(format!("{guard}ld{space}.{type_} {operand}, [{base}+{offset}];"));
        } else {
            self.line(format!("{guard}st{space}.{type_} [{base}+{offset}], {operand};"));
        }
    }

    /// Sets `bound` to a trip count: a literal from 0 up, a uniform value, or one of the thread.
    pub(super) fn trips(&mut self, bound: &str) {
        match self.rng.below(4) {
            0 => {
                let shift = self.rng.below(29);
                self.line(format!("shr.u32 {bound}, %flags, {shift};"));
                self.line(format!("and.b32 {bound}, {bound}, 7;"));
            }
            1 => {
                let register = self.r();
                self.line(format!("and.b32 {bound}, {register}, 7;"));
            }
            _ => {
                let trips = *self.rng.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17]);
                self.line(format!("mov.u32 {bound}, {trips};"));
            }
        }
    }
}

/// More live values than there may be registers.
fn many_values(p: &mut Pattern<'_>) {
    let count = 12 + p.rng.below(40);
    let wide = p.rng.chance(1, 3);
    let id = p.id;
    p.line(format!("{{ .reg .b32 %q<{count}>; .reg .b64 %w<{count}>;"));
    for n in 0..count {
        let (a, b) = (p.source(), p.source());
        match wide {
            true => p.line(format!("mad.wide.u32 %w{n}, {a}, {}, %l{};", 2 * n + 1, n % 5)),
            false => {
                let d = format!("%q{n}");
                if n > 0 && p.rng.chance(1, 4) {
                    p.binary(&d, &a, &format!("%q{}", n - 1));
                } else {
                    p.binary(&d, &a, &b);
                }
            }
        }
    }
    // A branch or a warp barrier in the middle: values are live across a join.
    if p.rng.chance(1, 2) {
        let (predicate, register, source) = (p.p(), p.r(), p.source());
        p.line(format!("@{predicate} bra MANY{id};"));
        p.binary(&register, &register, &source);
        p.line(format!("MANY{id}:"));
    }
    let step = *p.rng.pick(&[1, 5, 7, 11]);
    let (result, long) = (p.r(), p.draw(Bank::L));
    for n in 0..count {
        let n = n * step % count;
        match wide {
            true => p.line(format!("mad.lo.u64 {long}, {long}, 31, %w{n};")),
            false => p.line(format!("mad.lo.u32 {result}, {result}, 31, %q{n};")),
        }
    }
    p.line("}");
}

/// More live predicates than the machine has.
fn many_predicates(p: &mut Pattern<'_>) {
    let count = 7 + p.rng.below(8);
    p.line(format!("{{ .reg .pred %z<{count}>; .reg .b32 %q<2>;"));
    for n in 0..count {
        let (a, b) = (p.r(), p.source());
        let compare = *p.rng.pick(&["lt.s32", "ge.u32", "eq.s32", "hi.u32"]);
        p.line(format!("setp.{compare} %z{n}, {a}, {b};"));
    }
    for _ in 0..p.rng.below(4) {
        let (a, b, d) = (p.rng.below(count), p.rng.below(count), p.rng.below(count));
        let op = *p.rng.pick(&["and", "or", "xor"]);
        p.line(format!("{op}.pred %z{d}, %z{a}, %z{b};"));
    }
    let result = p.r();
    for n in (0..count).rev() {
        match p.rng.below(3) {
            0 => p.line(format!("@%z{n} add.u32 {result}, {result}, {};", 1 << n)),
            1 => p.line(format!("selp.b32 %q0, {}, 0, %z{n}; xor.b32 {result}, {result}, %q0;", 3 << n)),
            _ => p.line(format!("@!%z{n} mad.lo.u32 {result}, {result}, 3, {n};")),
        }
    }
    p.line("}");
}

/// More live predicates than the machine has, some of them from before a loop, some made anew by
/// each iteration.
fn predicates_across_a_loop(p: &mut Pattern<'_>) {
    let (id, outside, inside) = (p.id, 2 + p.rng.below(6), 6 + p.rng.below(8));
    p.line(format!("{{ .reg .pred %x<{outside}>, %z<{inside}>, %y; .reg .b32 %q<2>;"));
    p.trips("%q0");
    p.line("mov.u32 %q1, 0;");
    let set = |p: &mut Pattern<'_>, name: String| {
        let (a, b) = (p.r(), p.source());
        let compare = *p.rng.pick(&["lt.s32", "ge.u32", "eq.s32", "hi.u32"]);
        p.line(format!("setp.{compare} {name}, {a}, {b};"));
    };
    (0..outside).for_each(|n| set(p, format!("%x{n}")));
    p.line(format!("AGAIN{id}:"));
    (0..inside).for_each(|n| set(p, format!("%z{n}")));
    let result = p.r();
    for n in (0..inside).rev() {
        p.line(format!("@%z{n} mad.lo.u32 {result}, {result}, 3, {};", 1 << n));
    }
    let guard = p.rng.below(outside);
    p.line(format!("@%x{guard} add.u32 {result}, {result}, 7;"));
    p.line(format!("add.s32 %q1, %q1, 1;\n    setp.lt.s32 %y, %q1, %q0;\n    @%y bra AGAIN{id};"));
    for n in 0..outside {
        p.line(format!("@%x{n} mad.lo.u32 {result}, {result}, 5, {n};"));
    }
    p.line("}");
}

/// An expression on one path, or on both, and after the join.
fn redundant(p: &mut Pattern<'_>) {
    let (id, a, b) = (p.id, p.source(), p.r());
    let op = *p.rng.pick(BINARY);
    let again = |p: &mut Pattern<'_>, d: &str| p.line(format!("{op} {d}, {a}, {b};"));
    let (result, other) = (p.r(), p.r());
    let predicate = p.p();
    p.line("{ .reg .b32 %q<4>; mov.u32 %q0, 1; mov.u32 %q1, 2;");
    if p.rng.chance(1, 3) {
        again(p, "%q1");
    }
    p.line(format!("@{predicate} bra ONE{id};"));
    again(p, "%q0");
    // An obstacle to reuse: a changed source.
    if p.rng.chance(1, 3) {
        p.line(format!("add.u32 {b}, {b}, 1;"));
    }
    p.line(format!("bra BOTH{id};\nONE{id}:"));
    if p.rng.chance(1, 2) {
        again(p, "%q1");
    }
    if p.rng.chance(1, 3) {
        p.line(format!("ld.global.b32 {other}, [%ag+8];"));
    }
    p.line(format!("BOTH{id}:"));
    again(p, "%q2");
    p.line("mad.lo.u32 %q0, %q0, 5, %q1;");
    p.line(format!("mad.lo.u32 {result}, %q0, 3, %q2;"));
    p.line("}");
}

/// Registers that each iteration of a loop exchanges: leaving SSA form gives a cycle of moves.
fn exchanged_values(p: &mut Pattern<'_>) {
    let id = p.id;
    let sources: Vec<String> = (0..2 + p.rng.below(3)).map(|_| p.source()).collect();
    let wide = p.rng.chance(1, 4);
    p.line("{ .reg .b32 %q<3>, %v<5>; .reg .b64 %w<5>; .reg .pred %z;");
    p.trips("%q0");
    p.line("mov.u32 %q1, 0;");
    for (n, source) in sources.iter().enumerate() {
        p.line(format!("mov.b32 %v{n}, {source};"));
        if wide {
            p.line(format!("mov.b64 %w{n}, {{%v{n}, {source}}};"));
        }
    }
    let (bank, ty) = if wide { ("%w", "b64") } else { ("%v", "b32") };
    p.line(format!("ROUND{id}:\n    mov.{ty} {bank}4, {bank}0;"));
    for n in 1..sources.len() {
        p.line(format!("mov.{ty} {bank}{}, {bank}{n};", n - 1));
    }
    let guard = p.guard();
    p.line(format!("mov.{ty} {bank}{}, {bank}4;", sources.len() - 1));
    p.line(format!("{guard}xor.{ty} {bank}0, {bank}0, {bank}1;"));
    p.line(format!("add.s32 %q1, %q1, 1;\n    setp.lt.s32 %z, %q1, %q0;\n    @%z bra ROUND{id};"));
    for n in 0..sources.len() {
        let result = p.r();
        if wide {
            p.line(format!("mov.b64 {{%v{n}, %q2}}, %w{n};\n    add.u32 %v{n}, %v{n}, %q2;"));
        }
        p.line(format!("mad.lo.u32 {result}, {result}, 5, %v{n};"));
    }
    p.line("}");
}

/// A loop with loop-invariant values, and with sums that vary.
fn invariant_loop(p: &mut Pattern<'_>) {
    let (id, down, bottom) = (p.id, p.rng.chance(1, 4), p.rng.chance(1, 2));
    let (a, b, sum) = (p.source(), p.r(), p.r());
    p.line("{ .reg .b32 %q<6>; .reg .b64 %w<2>; .reg .pred %z;");
    p.trips("%q0");
    let step = *p.rng.pick(&[1, 1, 1, 2, 3]);
    p.line(format!("mov.u32 %q1, {};", if down { "%q0" } else { "0" }));
    // Downwards: from the bound to zero in steps of one.
    let (test, advance) = match down {
        true => ("setp.le.s32 %z, %q1, 0;".to_owned(), "add.s32 %q1, %q1, -1;".to_owned()),
        false => ("setp.ge.s32 %z, %q1, %q0;".to_owned(), format!("add.s32 %q1, %q1, {step};")),
    };
    p.line(format!("ROUND{id}:"));
    if !bottom {
        p.line(format!("{test}\n    @%z bra DONE{id};"));
    }
    p.binary("%q2", &a, &b);
    for _ in 0..p.rng.below(4) {
        let at = 4 * p.rng.below(8);
        match p.rng.below(6) {
            0 => p.line("ld.const.b32 %q3, [%ac+12]; add.u32 %q2, %q2, %q3;"),
            1 => p.line("ld.global.b32 %q3, [%ag+16]; xor.b32 %q2, %q2, %q3;"),
            2 => p.line(format!("st.global.b32 [%ag+{at}], {sum};")),
            3 => p.line("mul.lo.u32 %q3, %q1, 12; add.u32 %q2, %q2, %q3;"),
            4 => p.line("mul.wide.u32 %w0, %q1, 5; cvt.u32.u64 %q3, %w0; sub.u32 %q2, %q2, %q3;"),
            _ => {
                let predicate = p.p();
                let word = if p.rng.chance(1, 2) { "DONE" } else { "AGAIN" };
                p.line(format!("@{predicate} bra {word}{id};"));
            }
        }
    }
    p.line(format!("mad.lo.u32 {sum}, {sum}, 3, %q2;"));
    p.line(format!("AGAIN{id}:\n    {advance}"));
    match bottom {
        true => p.line(format!("{test}\n    @!%z bra ROUND{id};")),
        false => p.line(format!("bra ROUND{id};")),
    }
    p.line(format!("DONE{id}:\n    }}"));
}

/// Values that a loop computes for its next iteration, from one that changes: they have none before the loop.
fn last_iteration(p: &mut Pattern<'_>) {
    let (id, count, start, result) = (p.id, 3 + p.rng.below(8), p.source(), p.r());
    p.line("{ .reg .b32 %q<3>, %v<11>; .reg .pred %z<2>;");
    p.trips("%q0");
    p.line(format!("mov.u32 %q1, 0;\nROUND{id}:"));
    p.line("setp.eq.u32 %z0, %q1, 0;");
    p.binary("%q2", &start, "%q1");
    p.line(format!("@%z0 bra FIRST{id};"));
    for n in 0..count {
        p.line(format!("mad.lo.u32 {result}, {result}, 3, %v{n};"));
    }
    p.line(format!("FIRST{id}:"));
    for n in 0..count {
        let by = literal(Ty::U32, p.rng).unwrap_or_else(|| "5".to_owned());
        p.binary(&format!("%v{n}"), "%q2", &by);
    }
    p.line(format!("add.u32 %q1, %q1, 1;\n    setp.lt.u32 %z1, %q1, %q0;\n    @%z1 bra ROUND{id};"));
    for n in 0..count {
        p.line(format!("xor.b32 {result}, {result}, %v{n};"));
    }
    p.line("}");
}

/// Instructions under a predicate and its opposite.
fn guarded_group(p: &mut Pattern<'_>) {
    let predicate = p.p();
    let (space, bases) = *p.rng.pick(PLACES);
    let base = *p.rng.pick(bases);
    for _ in 0..3 + p.rng.below(5) {
        let guard = if p.rng.chance(1, 2) { format!("@{predicate} ") } else { format!("@!{predicate} ") };
        let (d, a, b, at) = (p.r(), p.source(), p.r(), 4 * p.rng.below(16));
        match p.rng.below(5) {
            0 => p.line(format!("{guard}ld{space}.b32 {d}, [{base}+{at}];")),
            1 => p.line(format!("{guard}st{space}.b32 [{base}+{at}], {b};")),
            2 => p.line(format!("{guard}mov.b32 {d}, {a};")),
            3 => p.line(format!("{guard}mad.lo.u32 {d}, {a}, {b}, {d};")),
            _ => {
                let op = *p.rng.pick(BINARY);
                p.line(format!("{guard}{op} {d}, {a}, {b};"));
            }
        }
    }
}

/// Quotients and remainders by literals.
fn constant_division(p: &mut Pattern<'_>) {
    for _ in 0..1 + p.rng.below(3) {
        let (bank, ty, name) = *p.rng.pick(&[
            (Bank::R, Ty::U32, "u32"),
            (Bank::R, Ty::S32, "s32"),
            (Bank::L, Ty::U64, "u64"),
            (Bank::L, Ty::S64, "s64"),
            (Bank::H, Ty::U16, "u16"),
            (Bank::H, Ty::S16, "s16"),
        ]);
        let (op, d, a) = (*p.rng.pick(&["div", "rem"]), p.draw(bank), p.draw(bank));
        let small = *p.rng.pick(&["1", "2", "3", "5", "7", "8", "10", "100", "641", "1024", "32767"]);
        let by = literal(ty, p.rng).filter(|_| p.rng.chance(1, 2)).unwrap_or_else(|| small.to_owned());
        let zero = by.trim_start_matches("0x").trim_start_matches('0').is_empty();
        p.line(format!("{op}.{name} {d}, {a}, {};", if zero { small } else { &by }));
    }
}

/// One value compared with several constants, each with a different branch.
fn comparison_chain(p: &mut Pattern<'_>) {
    let (id, value, result) = (p.id, p.source(), p.r());
    let count = 2 + p.rng.below(4);
    p.line("{ .reg .b32 %q; .reg .pred %z;");
    p.line(format!("and.b32 %q, {value}, 7;"));
    for n in 0..count {
        let constant = p.rng.below(8);
        p.line(format!("setp.eq.u32 %z, %q, {constant};\n    @%z bra CASE{id}_{n};"));
    }
    p.line(format!("bra LAST{id};"));
    for n in 0..count {
        let source = p.source();
        p.line(format!("CASE{id}_{n}:"));
        p.binary(&result, &result, &source);
        if p.rng.chance(2, 3) {
            p.line(format!("bra LAST{id};"));
        }
    }
    p.line(format!("LAST{id}:\n    }}"));
}

/// Uniform values: sums, a branch, an index.
fn uniform_values(p: &mut Pattern<'_>) {
    let (id, result) = (p.id, p.r());
    p.line("{ .reg .b32 %q<4>; .reg .b64 %w<2>; .reg .pred %z; mov.u32 %q0, %ctaid.x;");
    let constant = p.rng.below(100);
    p.line(format!("mad.lo.u32 %q1, %q0, {constant}, %flags;"));
    for _ in 0..p.rng.below(3) {
        let b = if p.rng.chance(1, 2) { "%flags".to_owned() } else { p.rng.below(31).to_string() };
        p.binary("%q1", "%q1", &b);
    }
    p.line("and.b32 %q2, %q1, 15;\n    mul.wide.u32 %w0, %q2, 4;");
    match p.rng.below(3) {
        0 => p.line(format!("add.s64 %w1, %ac, %w0; ld.const.b32 {result}, [%w1];")),
        1 => p.line(format!("add.s64 %w1, %ag, %w0; ld.global.b32 {result}, [%w1];")),
        _ => p.line(format!("xor.b32 {result}, {result}, %q2;")),
    }
    p.line(format!("setp.lt.u32 %z, %q2, 7;\n    @%z bra SAME{id};"));
    let register = p.r();
    p.binary(&register, &register, "%q1");
    p.line(format!("SAME{id}:"));
    p.line(format!("add.u32 {result}, {result}, %q1;\n    }}"));
}
