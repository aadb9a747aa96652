//! A kernel that measures one pair of instructions.
//!
//! Problem: a hazard shows only where the second instruction issues exactly `d` cycles after the first, and not always then.
//! Strategy: for each distance a loop of its own, so short that its code stays in the instruction cache: everything is set up and
//! awaited with long pauses, then the pair runs with the distance in its stall field, then its result is awaited and compared.
//! What the right and the wrong result are is not computed, but observed before: with a long distance, and with the
//! order that a hazard would amount to. The thread counts both; the counts are added up in memory.

use raddle_sass::SlotRole::{Addr, Imm, Misc, Pd, Pp, Ra, Rb, Rc, Rd, Target};
use raddle_sass::row::File;
use raddle_sass::{Ctrl, Inst, Isa, Kind, Mod, Op, Operand, RZ, URZ, encode};

use super::forms::{Given, ONES, Reader, Seen, Value, Writer, imm, inst, p, r, u};

/// Most distances of one kernel: each has two counters in registers, R64 to R125.
pub const MOST: usize = 31;
/// Byte offsets of the constants in shared memory, and of the places of threads.
const SHARED: i32 = 0x400;
const PLACES: i64 = 0x1000;
/// Bytes of shared memory: constants, and a place for each of 512 threads.
pub const SHARED_BYTES: u32 = 0x5000;
/// Stall of every instruction that is not measured.
const LONG: u8 = 11;

/// A pair of instructions.
pub struct Pair {
    /// The instructions in question.
    pub first: Inst,
    pub second: Inst,
    /// Where the result is seen; `None` is in the general or uniform register that both write.
    pub seen: Option<Seen>,
    pub passed: Passed,
    pub value: Value,
    /// The order that a hazard amounts to.
    pub wrong: Wrong,
    /// Distances: 1 to this.
    pub distances: u8,
    /// What the table demands; 0 is a scoreboard.
    pub table: u8,
    pub name: String,
}

/// What is passed: its file, first register and count.
#[derive(Clone, Copy)]
pub struct Passed {
    pub file: File,
    pub first: u8,
    pub count: u8,
    /// The value of a predicate before.
    pub before: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// The first has not run: a read too early.
    SecondAlone,
    /// The second has not run: its result was overwritten.
    FirstAlone,
    /// The second ran before the first: a source was overwritten.
    Swapped,
}

/// Code under construction.
#[derive(Default)]
struct Code(Vec<Inst>);

impl Code {
    fn put(&mut self, i: Inst, stall: u8, wait_mask: u8) {
        let effects = &i.row().effects;
        let variable = effects.variable.contains(Isa::Sm90);
        let results = i.accesses().iter().any(|a| a.written);
        let wr_bar = (variable && results && effects.write_barrier).then_some(0);
        let stall = if i.op() == Op::Bra || i.op() == Op::Exit { stall.max(5) } else { stall };
        let ctrl = Ctrl { stall, wait_mask: if effects.waits { wait_mask } else { 0 }, wr_bar, ..Ctrl::default() };
        self.0.push(i.with_ctrl(ctrl));
    }

    fn pause(&mut self, cycles: u32, wait_mask: u8) {
        let mut left = cycles;
        while left > 0 {
            let stall = left.min(u32::from(LONG));
            self.put(inst(Op::Nop, &[], &[]), stall as u8, wait_mask);
            left -= stall;
        }
    }

    /// An instruction with its sources read and its results written before the next.
    fn safe(&mut self, i: Inst) {
        let reads = i.row().effects.read_barrier && i.row().effects.variable.contains(Isa::Sm90);
        self.put(i, LONG, 0);
        if let Some(last) = self.0.last_mut().filter(|_| reads) {
            last.ctrl.rd_bar = Some(1);
        }
        self.pause(LONG.into(), 3);
    }

    fn op(&mut self, op: Op, tokens: &[Mod], ops: &[Given]) {
        self.safe(inst(op, tokens, ops));
    }

    fn mov(&mut self, d: u8, from: Operand) {
        self.op(Op::Mov, &[], &[(Rd, r(d)), (Rb, from)]);
    }

    fn umov(&mut self, d: u8, from: Operand) {
        self.op(Op::Umov, &[], &[(Rd, u(d)), (if matches!(from.kind, Kind::Imm(_)) { Imm } else { Rb }, from)]);
    }
}

fn special(n: u8) -> Operand {
    Operand::new(Kind::Special(n))
}

fn global(base: u8, offset: i32) -> Operand {
    Operand::new(Kind::Addr { base, ubase: URZ, desc: 4, offset })
}

/// Old and new value.
fn values(value: Value) -> (u32, u32) {
    match value {
        // 1.1 and 2.2; as halves too.
        Value::Plain => (0x3f8c_cccd, 0x400c_cccd),
        _ => (16, 0),
    }
}

/// Reads the parameters ([`super::PARAMS`]) and fills registers and shared memory.
fn prologue(c: &mut Code, pair: &Pair) {
    let param = |offset: i32| Operand::cbank(0, 0x210 + offset);
    for (n, offset) in [(2, 0), (3, 4), (5, 8), (50, 0x10), (51, 0x14), (40, 0x18), (41, 0x1c)] {
        c.mov(n, param(offset));
    }
    c.op(Op::Uldc, &[Mod::N64], &[(Rd, u(4)), (Misc, Operand::cbank(0, 0x208))]);
    c.op(Op::S2r, &[], &[(Rd, r(0)), (Misc, special(33))]);
    c.op(Op::S2r, &[], &[(Rd, r(62)), (Misc, special(0))]);
    c.op(Op::S2r, &[], &[(Rd, r(15)), (Misc, special(37))]);
    c.op(Op::Imad, &[], &[(Rd, r(15)), (Ra, r(15)), (Rb, Operand::cbank(0, 0)), (Rc, r(0))]);
    // Places: 32 bytes for a thread, 4,096 bytes of constants before them.
    c.op(Op::Imad, &[Mod::Wide, Mod::U32], &[(Rd, r(12)), (Ra, r(15)), (Rb, imm(32)), (Rc, r(50))]);
    c.op(Op::Iadd3, &[], &[(Rd, r(12)), (Pd, p(3)), (Ra, r(12)), (Rb, imm(4096))]);
    c.op(Op::Iadd3, &[Mod::X], &[(Rd, r(13)), (Ra, r(13)), (Rb, r(RZ)), (Pp, p(3))]);
    c.op(Op::Imad, &[], &[(Rd, r(14)), (Ra, r(0)), (Rb, imm(32)), (Rc, r(RZ))]);
    c.op(Op::Iadd3, &[], &[(Rd, r(14)), (Ra, r(14)), (Rb, imm(PLACES))]);
    for n in (32..40).chain(44..50).chain(52..60) {
        c.mov(n, imm(0x4046_6667 + 0x1_1013 * i64::from(n - 32)));
    }
    c.mov(ONES, imm(0xffff_ffff));
    c.mov(43, imm(0xffff_ffff));
    for at in (0..0x60).step_by(4) {
        c.mov(0, imm(0x1234_5679 + 0x0101_0107 * at));
        c.op(
            Op::Sts,
            &[],
            &[
                (Addr, Operand::new(Kind::Addr { base: RZ, ubase: URZ, desc: URZ, offset: SHARED + at as i32 })),
                (Rb, r(0)),
            ],
        );
    }
    c.mov(0, imm(0x5151_5151));
    c.op(Op::Sts, &[], &[(Addr, Operand::addr(14, 16)), (Rb, r(0))]);
    let (old, new) = values(pair.value);
    for n in 0..4 {
        c.mov(28 + n, imm(old.into()));
        c.mov(24 + n, imm(new.into()));
        if pair.passed.file == File::Ugpr {
            c.umov(16 + n, imm(old.into()));
            c.umov(12 + n, imm(new.into()));
            c.umov(24 + n, imm(0x1357_9bdf + i64::from(n)));
        }
    }
    if pair.passed.file == File::Upred {
        for n in 0..2 {
            c.umov(24 + n, imm(0x1357_9bdf + i64::from(n)));
        }
    }
    c.umov(26, imm(0xffff_ffff));
    if pair.passed.file == File::Ugpr && pair.value == Value::Small {
        for n in [13, 17] {
            c.umov(n, imm(0));
        }
    }
    match pair.value {
        // Two words of the buffer of constants; the upper halves are those of the address.
        Value::Low => {
            for (at, offset) in [(24, 16), (28, 4)] {
                c.op(Op::Iadd3, &[], &[(Rd, r(at)), (Ra, r(50)), (Rb, imm(offset))]);
                c.mov(at + 1, r(51));
            }
        }
        // The larger buffer, and the address 4 GiB before.
        Value::High => {
            for (at, offset) in [(24, 0), (28, -1)] {
                c.mov(at, r(40));
                c.op(Op::Iadd3, &[], &[(Rd, r(at + 1)), (Ra, r(41)), (Rb, imm(offset))]);
            }
        }
        Value::Plain | Value::Small => {}
    }
    for n in 0..2 * MOST as u8 {
        c.mov(64 + n, r(RZ));
    }
}

/// Sets everything up that a round changes.
fn reset(c: &mut Code, pair: &Pair) {
    for n in 8..12 {
        c.put(inst(Op::Mov, &[], &[(Rd, r(n)), (Rb, r(RZ))]), 4, 0);
    }
    let never = |n: u8| inst(Op::Isetp, &[Mod::Ne, Mod::And], &[(Pd, p(n)), (Ra, r(RZ)), (Rb, r(RZ))]);
    let always = |n: u8| inst(Op::Isetp, &[Mod::Eq, Mod::And], &[(Pd, p(n)), (Ra, r(RZ)), (Rb, r(RZ))]);
    let uset = |n: u8, m| inst(Op::Uisetp, &[m, Mod::And], &[(Pd, Operand::upred(n)), (Ra, u(URZ)), (Rb, u(URZ))]);
    let (first, count) = (pair.passed.first, pair.passed.count);
    match pair.passed.file {
        // R17 is passed as the second of a pair.
        File::Gpr => {
            for n in first..first + count {
                c.put(inst(Op::Mov, &[], &[(Rd, r(n)), (Rb, r(28 + n % 4))]), 4, 0);
            }
        }
        File::Ugpr => {
            for n in first..first + count {
                c.put(inst(Op::Umov, &[], &[(Rd, u(n)), (Rb, u(16 + n % 4))]), 4, 0);
            }
        }
        File::Pred => c.put(if pair.passed.before { always(first) } else { never(first) }, 4, 0),
        _ => c.put(uset(first, if pair.passed.before { Mod::Eq } else { Mod::Ne }), 4, 0),
    }
    match pair.seen {
        Some(Seen::Pred) => c.put(never(1), 4, 0),
        Some(Seen::Upred) => c.put(uset(1, Mod::Ne), 4, 0),
        Some(Seen::Ureg) => {
            for n in [20, 21] {
                c.put(inst(Op::Umov, &[], &[(Rd, u(n)), (Rb, u(URZ))]), 4, 0);
            }
        }
        Some(Seen::Shared) => c.op(Op::Sts, &[Mod::N64], &[(Addr, Operand::addr(14, 0)), (Rb, r(10))]),
        Some(Seen::Global) => c.op(Op::Stg, &[Mod::E, Mod::N64], &[(Addr, global(12, 0)), (Rb, r(10))]),
        Some(Seen::Reg(_) | Seen::Skip) | None => {}
    }
}

/// Brings the result to `R8`.
fn observe(c: &mut Code, pair: &Pair) {
    let chosen = |c: &mut Code, n: u8| {
        c.op(Op::Sel, &[], &[(Rd, r(8)), (Ra, r(ONES)), (Rb, imm(0x77)), (Pp, p(n))]);
    };
    let uchosen = |c: &mut Code, n: u8| {
        c.op(Op::Usel, &[], &[(Rd, u(20)), (Ra, u(26)), (Rb, u(URZ)), (Pp, Operand::upred(n))]);
        c.mov(8, u(20));
    };
    match pair.seen {
        Some(Seen::Reg(n)) => {
            for other in 9..8 + n {
                let ops = [(Rd, r(8)), (Ra, r(8)), (Rb, imm(5)), (Rc, r(other))];
                c.op(Op::Imad, &[], &ops);
            }
        }
        Some(Seen::Pred) => chosen(c, 1),
        Some(Seen::Ureg) => {
            c.mov(8, u(20));
            c.mov(9, u(21));
            c.op(Op::Imad, &[], &[(Rd, r(8)), (Ra, r(8)), (Rb, imm(5)), (Rc, r(9))]);
        }
        Some(Seen::Upred) => uchosen(c, 1),
        Some(Seen::Shared) => {
            c.op(Op::Lds, &[Mod::N64], &[(Rd, r(8)), (Addr, Operand::addr(14, 0))]);
            c.op(Op::Imad, &[], &[(Rd, r(8)), (Ra, r(8)), (Rb, imm(5)), (Rc, r(9))]);
        }
        Some(Seen::Global) => {
            c.op(Op::Ldg, &[Mod::E, Mod::N64], &[(Rd, r(8)), (Addr, global(12, 0))]);
            c.op(Op::Imad, &[], &[(Rd, r(8)), (Ra, r(8)), (Rb, imm(5)), (Rc, r(9))]);
        }
        Some(Seen::Skip) => {}
        None => match pair.passed.file {
            File::Gpr => c.mov(8, r(pair.passed.first)),
            File::Ugpr => c.mov(8, u(pair.passed.first)),
            File::Pred => chosen(c, pair.passed.first),
            _ => uchosen(c, pair.passed.first),
        },
    }
}

/// One round: `order` are the instructions, with the cycles from each to the next.
fn round(c: &mut Code, pair: &Pair, order: &[(&Inst, u32)]) {
    reset(c, pair);
    c.pause(4 * u32::from(LONG), 0x3f);
    for (i, cycles) in order {
        let stall = (*cycles).min(u32::from(LONG)) as u8;
        c.put((*i).clone(), stall, 0);
        if i.op() == Op::Bra {
            c.put(inst(Op::Mov, &[], &[(Rd, r(8)), (Rb, r(ONES))]), LONG, 0);
        } else {
            c.pause(cycles - u32::from(stall), 0);
        }
    }
    c.pause(2 * u32::from(LONG), 0);
    c.pause(4 * u32::from(LONG), 0x3f);
    observe(c, pair);
    c.pause(2 * u32::from(LONG), 0x3f);
}

/// The code of a kernel that tries the distances from `from` on.
pub fn code(pair: &Pair, from: u8) -> Vec<u8> {
    let mut c = Code::default();
    prologue(&mut c, pair);
    let (first, second) = (&pair.first, &pair.second);
    let wrong: Vec<(&Inst, u32)> = match pair.wrong {
        Wrong::SecondAlone => vec![(second, 99)],
        Wrong::FirstAlone => vec![(first, 99)],
        Wrong::Swapped => vec![(second, 99), (first, 99)],
    };
    for (to, order) in [(7, &wrong), (6, &vec![(first, 99), (second, 99)])] {
        for _ in 0..2 {
            round(&mut c, pair, order);
            c.mov(to, r(8));
        }
    }
    for (n, from) in [(0, 6), (4, 7)] {
        c.op(Op::Stg, &[Mod::E], &[(Addr, global(2, 8 * MOST as i32 + n)), (Rb, r(from))]);
    }
    for d in from.max(1)..=pair.distances {
        c.mov(4, r(5));
        let start = c.0.len() as i64;
        round(&mut c, pair, &[(first, d.into()), (second, LONG.into())]);
        for (reference, counter) in [(6, 63 + d), (7, 63 + MOST as u8 + d)] {
            c.op(Op::Isetp, &[Mod::Eq, Mod::And], &[(Pd, p(3)), (Ra, r(8)), (Rb, r(reference))]);
            c.safe(inst(Op::Iadd3, &[], &[(Rd, r(counter)), (Ra, r(counter)), (Rb, imm(1))]).guarded(3, false));
        }
        c.op(Op::Iadd3, &[], &[(Rd, r(4)), (Ra, r(4)), (Rb, imm(-1))]);
        c.op(Op::Isetp, &[Mod::Ne, Mod::And], &[(Pd, p(3)), (Ra, r(4)), (Rb, r(RZ))]);
        let back = (start - c.0.len() as i64 - 1) * 16;
        c.put(inst(Op::Bra, &[], &[(Target, Operand::new(Kind::Rel(back)))]).guarded(3, false), LONG, 0);
    }
    for d in 0..pair.distances {
        for half in [0, MOST as u8] {
            let at = 4 * i32::from(half + d);
            c.op(Op::Redg, &[Mod::E, Mod::Add, Mod::StrongGpu], &[(Addr, global(2, at)), (Rb, r(64 + half + d))]);
        }
    }
    c.put(inst(Op::Exit, &[], &[]), LONG, 0);
    let word = |i: &Inst| encode(Isa::Sm90, i).unwrap_or_else(|e| panic!("{}: {i}: {e}", pair.name)).to_le_bytes();
    c.0.iter().flat_map(word).collect()
}

/// The registers that an instruction writes and that the other reads or writes, as named by `other`.
pub fn shared(first: &Inst, second: &Inst, reads: bool) -> Vec<(usize, usize, u8)> {
    let mut out = Vec::new();
    let (a, b) = (first.accesses(), second.accesses());
    for (x, one) in a.iter().enumerate().filter(|(_, a)| a.written) {
        for (y, two) in
            b.iter().enumerate().filter(|(_, b)| if reads { b.read } else { b.written } && b.file == one.file)
        {
            let from = one.first.max(two.first);
            let to = (u16::from(one.first) + u16::from(one.count)).min(u16::from(two.first) + u16::from(two.count));
            out.extend((u16::from(from)..to).map(|n| (x, y, n as u8)));
        }
    }
    out
}

/// Whether a row writes its passed registers, for names.
pub fn role(i: &Inst, first: u8, file: File, written: bool) -> String {
    let row = i.row();
    let access = i.accesses().into_iter().find(|a| {
        a.file == file && (if written { a.written } else { a.read }) && (a.first..a.first + a.count).contains(&first)
    });
    let name = match access {
        Some(a) if a.slot == raddle_sass::GUARD_SLOT => "guard".to_owned(),
        Some(a) => row.slots.get(usize::from(a.slot)).map_or_else(String::new, |s| {
            let half = if first > a.first { ".h" } else { "" };
            format!("{:?}{half}", s.role)
        }),
        None => "?".to_owned(),
    };
    format!("{:?} {name}", row.class).to_lowercase()
}

/// What a writer and a reader pass, and how the two name it.
pub fn placed(w: &Writer, rd: &Reader, base: u8) -> (u8, u8, u8) {
    let high = u8::from(rd.high);
    match (w.width, rd.width) {
        // The writer's first register, the reader's, and the count to reset.
        (1, n) => (base + high, base, n),
        (n, 1) => (base, base, n),
        (n, m) => (base, base, n.max(m)),
    }
}
