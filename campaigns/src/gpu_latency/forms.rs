//! The instructions whose distances are measured: what writes a register, and what reads it.
//!
//! One line is one form. Registers: `R8` to `R11` take results, `R16` on is passed from writer to reader, `R24` on holds its new
//! value and `R28` on its old one, `R32` to `R55` are other sources, `R14` points to the thread's place in shared memory and
//! `R12:R13` to that in global memory; `P0` and `UP0` are passed, `P1` and `UP1` are results; `UR8` on is passed, `UR12` on is
//! new, `UR16` on old, `UR20` on a result, `UR24` on other sources.

use raddle_sass::SlotRole::{Addr, Imm, Imm2, Misc, Pd, Pp, Ra, Rb, Rc, Rd};
use raddle_sass::row::File;
use raddle_sass::{Inst, Isa, Kind, Mod, Op, Operand, RZ, SlotRole, URZ, build};

/// Where the result of a reader is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// In this many registers from `R8`.
    Reg(u8),
    /// In `P1`.
    Pred,
    /// In `UR20`.
    Ureg,
    /// In `UP1`.
    Upred,
    /// At the thread's place in shared memory.
    Shared,
    /// At its place in global memory.
    Global,
    /// By whether the instruction after it, which it may skip, ran.
    Skip,
}

/// What the passed register may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Any bits: a number in every format.
    Plain,
    /// An offset in shared memory, the index of a constant, or the number of a lane.
    Small,
    /// The lower half of a global address.
    Low,
    /// The upper half of a global address.
    High,
}

/// A writer: its first result register and that of its source give the instruction.
pub struct Writer {
    pub file: File,
    /// Registers written.
    pub width: u8,
    pub make: fn(u8, u8) -> Inst,
    /// Whether the values it can pass are those of its source (zero otherwise), even addresses.
    pub copies: bool,
    /// Whether it stands for its class, and is tried with every reader.
    pub main: bool,
}

/// A reader: the passed register and two other sources give the instruction.
pub struct Reader {
    pub file: File,
    /// Registers read.
    pub width: u8,
    /// Whether the passed register is the second of them.
    pub high: bool,
    pub value: Value,
    pub seen: Seen,
    pub make: Box<dyn Fn(u8, [u8; 2]) -> Inst>,
}

pub type Given = (SlotRole, Operand);

/// Builds an instruction of sm_90.
pub fn inst(op: Op, tokens: &[Mod], operands: &[Given]) -> Inst {
    build(Isa::Sm90, op, tokens, operands).unwrap_or_else(|e| panic!("{e}"))
}

pub fn r(n: u8) -> Operand {
    Operand::reg(n)
}

pub fn u(n: u8) -> Operand {
    Operand::ureg(n)
}

pub fn p(n: u8) -> Operand {
    Operand::pred(n)
}

pub const ZERO: Operand = Operand::reg(RZ);
pub const UZERO: Operand = Operand::ureg(URZ);
pub const TRUE: Operand = Operand::pred(7);
pub const UTRUE: Operand = Operand::upred(7);
/// A register of which all bits are ones.
pub const ONES: u8 = 42;

pub fn imm(v: i64) -> Operand {
    Operand::imm(v)
}

pub fn at(base: u8, ubase: u8, desc: u8, offset: i32) -> Operand {
    Operand::new(Kind::Addr { base, ubase, desc, offset })
}

/// `a ^ b ^ c` or, with 0xf0, `a`.
fn lop3(d: u8, a: Operand, b: Operand, c: Operand, table: i64) -> Inst {
    inst(Op::Lop3, &[Mod::Lut], &[(Rd, r(d)), (Ra, a), (Rb, b), (Rc, c), (Imm, imm(table))])
}

pub fn ulop3(d: u8, a: Operand, b: Operand, c: Operand, table: i64) -> Inst {
    inst(Op::Ulop3, &[Mod::Lut], &[(Rd, u(d)), (Ra, a), (Rb, b), (Rc, c), (Imm, imm(table))])
}

/// The writers of general registers.
pub fn writers() -> Vec<Writer> {
    use Mod::{F32, Hi, L, Mma, N32, N1688, N8816, N16816, N16832, PackAb, S8, U32, Wide};
    let mut out: Vec<Writer> = Vec::new();
    let mut add = |main, width, copies, make| out.push(Writer { file: File::Gpr, width, make, copies, main });
    add(true, 1, true, |d, s| inst(Op::Mov, &[], &[(Rd, r(d)), (Rb, r(s))]));
    add(false, 1, true, |d, s| inst(Op::Iadd3, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO)]));
    add(false, 1, true, |d, s| lop3(d, r(s), ZERO, ZERO, 0xf0));
    add(false, 1, true, |d, s| inst(Op::Shf, &[L, U32], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO), (Rc, ZERO)]));
    add(false, 1, true, |d, s| inst(Op::Sel, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO)]));
    add(false, 1, true, |d, s| inst(Op::Prmt, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, imm(0x3210)), (Rc, ZERO)]));
    add(false, 1, true, |d, s| inst(Op::Lea, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO), (Imm, imm(0))]));
    add(false, 1, true, |d, s| inst(Op::Vimnmx, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s)), (Pp, TRUE)]));
    add(false, 1, false, |d, s| inst(Op::Fmnmx, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s)), (Pp, TRUE)]));
    add(false, 1, false, |d, s| inst(Op::F2fp, &[Mod::F16, F32, PackAb], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s))]));
    add(false, 1, false, |d, s| inst(Op::I2fp, &[F32, Mod::S32], &[(Rd, r(d)), (Rb, r(s))]));
    add(true, 1, true, |d, s| inst(Op::Imad, &[], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    add(false, 1, false, |d, s| inst(Op::Fadd, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO)]));
    add(false, 1, false, |d, s| inst(Op::Fmul, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s))]));
    add(false, 1, false, |d, s| inst(Op::Ffma, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s)), (Rc, r(s))]));
    add(true, 2, true, |d, s| inst(Op::Imad, &[Wide], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    // The upper half of the addend.
    add(true, 1, false, |d, s| inst(Op::Imad, &[Hi], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s & !1))]));
    add(true, 1, true, |d, s| inst(Op::Viadd, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, imm(0))]));
    add(true, 1, false, |d, s| inst(Op::Hadd2, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, ZERO.neg())]));
    add(false, 1, false, |d, s| inst(Op::Hfma2, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s)), (Rc, r(s))]));
    add(true, 1, false, |d, s| inst(Op::Hfma2, &[Mma], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    add(true, 2, true, |d, s| inst(Op::Dadd, &[], &[(Rd, r(d)), (Ra, r(s)), (Rc, ZERO.neg())]));
    add(false, 2, false, |d, s| inst(Op::Dmul, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s))]));
    add(false, 2, false, |d, s| inst(Op::Dfma, &[], &[(Rd, r(d)), (Ra, r(s)), (Rb, r(s)), (Rc, r(s))]));
    add(true, 1, false, |d, _| inst(Op::Cs2r, &[N32], &[(Rd, r(d)), (Misc, Operand::new(Kind::Special(255)))]));
    add(false, 2, false, |d, _| inst(Op::Cs2r, &[], &[(Rd, r(d)), (Misc, Operand::new(Kind::Special(255)))]));
    add(true, 1, false, |d, _| inst(Op::Vote, &[Mod::Any], &[(Rd, r(d)), (Pd, TRUE), (Pp, Operand::not_pt())]));
    add(true, 4, false, |d, s| inst(Op::Hmma, &[N1688, F32], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    add(true, 4, false, |d, s| inst(Op::Hmma, &[N16816, F32], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    add(true, 2, false, |d, s| inst(Op::Imma, &[N8816, S8, S8], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    add(true, 4, false, |d, s| inst(Op::Imma, &[N16832, S8, S8], &[(Rd, r(d)), (Ra, ZERO), (Rb, ZERO), (Rc, r(s))]));
    out
}

/// A reader with the passed register at `role` and the others at the remaining `roles`.
fn sources(
    op: Op,
    tokens: &'static [Mod],
    roles: &'static [SlotRole],
    role: SlotRole,
    fixed: impl Into<Vec<Given>>,
) -> Box<dyn Fn(u8, [u8; 2]) -> Inst> {
    let fixed = fixed.into();
    Box::new(move |v, others| {
        let mut others = others.into_iter();
        let mut ops = fixed.clone();
        for &slot in roles {
            ops.push((slot, if slot == role { r(v) } else { r(others.next().unwrap_or(36)) }));
        }
        inst(op, tokens, &ops)
    })
}

pub const INTO: &[Given] = &[(Rd, Operand::reg(8))];

/// The readers of general registers.
pub fn readers() -> Vec<Reader> {
    use Mod::{Add, And, E, F32, Gt, Hi, L, Lut, Mma, N64, N1688, N8816, N16816, N16832, PackAb, S8, U32, Wide};
    const TABLE: &[Given] = &[(Rd, Operand::reg(8)), (Imm, Operand::imm(0x96))];
    const TEST: &[Given] = &[(Pd, Operand::pred(1)), (Rb, Operand::imm(0x3fc0_0000))];
    const FTEST: &[Given] = &[(Pd, Operand::pred(1)), (Rb, Operand::new(Kind::F32(0x3fc0_0000)))];
    const CHOICE: &[Given] = &[(Rd, Operand::reg(8)), (Pp, Operand::pred(7))];
    const AB: &[SlotRole] = &[Ra, Rb];
    const ABC: &[SlotRole] = &[Ra, Rb, Rc];
    let mut out: Vec<Reader> = Vec::new();
    let mut add = |width, high, seen, make| {
        out.push(Reader { file: File::Gpr, width, high, value: Value::Plain, seen, make });
    };
    for role in [Ra, Rb, Rc] {
        add(1, false, Seen::Reg(1), sources(Op::Iadd3, &[], ABC, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Lop3, &[Lut], ABC, role, TABLE));
        add(1, false, Seen::Reg(1), sources(Op::Imad, &[], ABC, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Ffma, &[], ABC, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Hfma2, &[], ABC, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Hfma2, &[Mma], ABC, role, INTO));
        for high in [false, true] {
            if role == Rc || !high {
                let width = if role == Rc { 2 } else { 1 };
                add(width, high, Seen::Reg(2), sources(Op::Imad, &[Wide], ABC, role, INTO));
                // The lower half of its addend shows in a carry at most.
                if role != Rc || high {
                    add(width, high, Seen::Reg(1), sources(Op::Imad, &[Hi], ABC, role, INTO));
                }
            }
            add(2, high, Seen::Reg(2), sources(Op::Dfma, &[], ABC, role, INTO));
            let width = if role == Rb { 2 } else { 4 };
            add(width, high, Seen::Reg(4), matrix(Op::Hmma, &[N16816, F32], role));
            add(width, high, Seen::Reg(4), matrix(Op::Imma, &[N16832, S8, S8], role));
            if role != Rb || !high {
                let width = [2, 1, 4][role as usize - Ra as usize];
                add(width, high, Seen::Reg(4), matrix(Op::Hmma, &[N1688, F32], role));
            }
            if role == Rc || !high {
                let width = if role == Rc { 2 } else { 1 };
                add(width, high, Seen::Reg(2), matrix(Op::Imma, &[N8816, S8, S8], role));
            }
            let width = if role == Rc { 4 } else { 2 };
            add(width, high, Seen::Reg(4), matrix(Op::Dmma, &[Mod::N8x8x4], role));
        }
    }
    for role in [Ra, Rb] {
        add(1, false, Seen::Reg(1), sources(Op::Fadd, &[], AB, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Fmul, &[], AB, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Viadd, &[], AB, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Hadd2, &[], AB, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::F2fp, &[Mod::F16, F32, PackAb], AB, role, INTO));
        add(1, false, Seen::Reg(1), sources(Op::Vimnmx, &[], AB, role, CHOICE));
        for high in [false, true] {
            add(2, high, Seen::Reg(2), sources(Op::Dmul, &[], AB, role, INTO));
            let (roles, role): (&[SlotRole], _) = (&[Ra, Rc], if role == Rb { Rc } else { Ra });
            add(2, high, Seen::Reg(2), sources(Op::Dadd, &[], roles, role, INTO));
        }
    }
    add(1, false, Seen::Reg(1), sources(Op::Mov, &[], &[Rb], Rb, INTO));
    add(
        1,
        false,
        Seen::Reg(1),
        sources(
            Op::Shf,
            &[L, Mod::W, U32],
            &[Ra],
            Ra,
            [(Rd, Operand::reg(8)), (Rb, Operand::imm(5)), (Rc, Operand::reg(36))],
        ),
    );
    add(1, false, Seen::Pred, sources(Op::Isetp, &[Gt, And], &[Ra], Ra, TEST));
    add(1, false, Seen::Pred, sources(Op::Fsetp, &[Gt, And], &[Ra], Ra, FTEST));
    add(1, false, Seen::Reg(1), sources(Op::I2fp, &[F32, Mod::S32], &[Rb], Rb, INTO));
    // Variable latency: the scheduler of memory, and the units beside it.
    add(1, false, Seen::Reg(1), sources(Op::Mufu, &[Mod::Rcp], &[Rb], Rb, INTO));
    add(1, false, Seen::Reg(1), sources(Op::Popc, &[], &[Rb], Rb, INTO));
    add(1, false, Seen::Reg(1), sources(Op::Brev, &[], &[Rb], Rb, INTO));
    add(1, false, Seen::Reg(1), sources(Op::I2f, &[], &[Rb], Rb, INTO));
    add(1, false, Seen::Reg(1), sources(Op::F2i, &[U32], &[Rb], Rb, INTO));
    for high in [false, true] {
        add(2, high, Seen::Global, Box::new(|v, _| inst(Op::Stg, &[E, N64], &[(Addr, at(12, URZ, 4, 0)), (Rb, r(v))])));
        add(2, high, Seen::Shared, Box::new(|v, _| inst(Op::Sts, &[N64], &[(Addr, at(14, URZ, URZ, 0)), (Rb, r(v))])));
    }
    add(2, true, Seen::Reg(1), sources(Op::F2f, &[F32, Mod::F64], &[Rb], Rb, INTO));
    add(1, false, Seen::Ureg, Box::new(|v, _| inst(Op::R2ur, &[], &[(Rd, u(20)), (Ra, r(v))])));
    add(1, false, Seen::Global, Box::new(|v, _| inst(Op::Stg, &[E], &[(Addr, at(12, URZ, 4, 0)), (Rb, r(v))])));
    add(1, false, Seen::Shared, Box::new(|v, _| inst(Op::Sts, &[], &[(Addr, at(14, URZ, URZ, 0)), (Rb, r(v))])));
    add(
        1,
        false,
        Seen::Shared,
        Box::new(|v, _| inst(Op::Atoms, &[Add], &[(Rd, r(8)), (Addr, at(14, URZ, URZ, 0)), (Rb, r(v))])),
    );
    add(
        1,
        false,
        Seen::Reg(1),
        Box::new(|v, _| {
            inst(Op::Shfl, &[Mod::Idx], &[(Rd, r(8)), (Pd, TRUE), (Ra, r(v)), (Imm, imm(3)), (Imm2, imm(0x1f))])
        }),
    );
    let mut small =
        |seen, value, width, high, make| out.push(Reader { file: File::Gpr, width, high, value, seen, make });
    small(
        Seen::Reg(1),
        Value::Small,
        1,
        false,
        Box::new(|v, _| inst(Op::Lds, &[], &[(Rd, r(8)), (Addr, at(v, URZ, URZ, 0x400))])),
    );
    small(
        Seen::Reg(1),
        Value::Small,
        1,
        false,
        Box::new(|v, _| inst(Op::Ldsm, &[Mod::N16, Mod::M88], &[(Rd, r(8)), (Addr, at(v, URZ, URZ, 0x400))])),
    );
    small(
        Seen::Reg(1),
        Value::Small,
        1,
        false,
        Box::new(|v, _| {
            inst(Op::Shfl, &[Mod::Idx], &[(Rd, r(8)), (Pd, TRUE), (Ra, r(62)), (Rb, r(v)), (Imm, imm(0x1f))])
        }),
    );
    small(
        Seen::Reg(1),
        Value::Small,
        1,
        false,
        Box::new(|v, _| {
            inst(
                Op::Ldc,
                &[],
                &[(Rd, r(8)), (Misc, Operand::new(Kind::CBank { bank: 0, base: v, handle: URZ, offset: 0x230 }))],
            )
        }),
    );
    small(
        Seen::Reg(1),
        Value::Low,
        2,
        false,
        Box::new(|v, _| inst(Op::Ldg, &[E], &[(Rd, r(8)), (Addr, at(v, URZ, 4, 0))])),
    );
    small(
        Seen::Reg(1),
        Value::High,
        2,
        true,
        Box::new(|v, _| inst(Op::Ldg, &[E], &[(Rd, r(8)), (Addr, at(v, URZ, 4, 0))])),
    );
    out
}

/// A product of `R44`, `R48` and `R52`, one of which is the passed register.
fn matrix(op: Op, tokens: &'static [Mod], role: SlotRole) -> Box<dyn Fn(u8, [u8; 2]) -> Inst> {
    Box::new(move |v, _| {
        let of = |slot, other| (slot, r(if slot == role { v } else { other }));
        inst(op, tokens, &[(Rd, r(8)), of(Ra, 44), of(Rb, 48), of(Rc, 52)])
    })
}
