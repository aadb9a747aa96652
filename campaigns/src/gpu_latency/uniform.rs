//! Writers and readers of uniform registers and predicates.

use raddle_sass::SlotRole::{Addr, Imm, Imm2, Misc, Pd, Pe, Pp, Pq, Pr, Ra, Rb, Rc, Rd, Target};
use raddle_sass::row::File;
use raddle_sass::{Inst, Kind, Mod, Op, Operand, RZ, SlotRole, URZ};

use super::forms::{Given, INTO, Reader, Seen, TRUE, UTRUE, UZERO, Value, Writer, ZERO, at, imm, inst, p, r, u, ulop3};

/// Registers read, where the result is seen, the instruction, the slot of the passed register, the other operands.
type Plain = (u8, Seen, Op, &'static [Mod], SlotRole, Vec<Given>);

/// The writers of uniform registers and predicates.
pub fn writers() -> Vec<Writer> {
    use Mod::{And, Any, Eq, L, N64, Ne, U32, Wide};
    let mut out: Vec<Writer> = Vec::new();
    let mut add = |main, width, copies, make| out.push(Writer { file: File::Ugpr, width, make, copies, main });
    add(true, 1, true, |d, s| inst(Op::Umov, &[], &[(Rd, u(d)), (Rb, u(s))]));
    add(true, 1, true, |d, s| inst(Op::Uiadd3, &[], &[(Rd, u(d)), (Ra, u(s)), (Rb, UZERO)]));
    add(false, 1, true, |d, s| inst(Op::Uimad, &[], &[(Rd, u(d)), (Ra, UZERO), (Rb, UZERO), (Rc, u(s))]));
    add(false, 1, true, |d, s| inst(Op::Ushf, &[L, U32], &[(Rd, u(d)), (Ra, u(s)), (Rb, UZERO), (Rc, UZERO)]));
    add(false, 1, true, |d, s| ulop3(d, u(s), UZERO, UZERO, 0xf0));
    add(false, 1, true, |d, s| inst(Op::Usel, &[], &[(Rd, u(d)), (Ra, u(s)), (Rb, UZERO), (Pp, UTRUE)]));
    add(true, 2, true, |d, s| inst(Op::Uimad, &[Wide], &[(Rd, u(d)), (Ra, UZERO), (Rb, UZERO), (Rc, u(s))]));
    // A parameter: two words of zero.
    add(true, 1, false, |d, _| inst(Op::Uldc, &[], &[(Rd, u(d)), (Misc, Operand::cbank(0, 0x238))]));
    add(true, 2, false, |d, _| inst(Op::Uldc, &[N64], &[(Rd, u(d)), (Misc, Operand::cbank(0, 0x238))]));
    add(true, 1, true, |d, s| inst(Op::R2ur, &[], &[(Rd, u(d)), (Ra, r(s + 12))]));
    add(true, 1, false, |d, _| inst(Op::Voteu, &[Any], &[(Rd, u(d)), (Pd, UTRUE), (Pp, Operand::not_pt())]));
    let mut add = |main, make| out.push(Writer { file: File::Upred, width: 1, make, copies: true, main });
    add(true, |d, v| {
        let cmp = if v == 1 { Eq } else { Ne };
        inst(Op::Uisetp, &[cmp, And], &[(Pd, Operand::upred(d)), (Ra, u(24)), (Rb, u(24))])
    });
    add(false, |d, v| {
        let a = if v == 1 { u(26) } else { UZERO };
        inst(Op::Uiadd3, &[], &[(Rd, UZERO), (Pd, Operand::upred(d)), (Ra, a), (Rb, u(26))])
    });
    add(true, |d, v| {
        let from = if v == 1 { TRUE } else { Operand::not_pt() };
        inst(Op::Voteu, &[Any], &[(Pd, Operand::upred(d)), (Pp, from)])
    });
    out
}

/// The readers of uniform registers and predicates.
pub fn readers() -> Vec<Reader> {
    use Mod::{And, E, Ex, Lut, U32, Wide, X};
    let mut out: Vec<Reader> = Vec::new();
    let mut add = |width, high, value, seen, make: Box<dyn Fn(u8, [u8; 2]) -> Inst>| {
        out.push(Reader { file: File::Ugpr, width, high, value, seen, make });
    };
    let plain: Vec<Plain> = vec![
        (1, Seen::Reg(1), Op::Mov, &[], Rb, INTO.to_vec()),
        (1, Seen::Reg(1), Op::Iadd3, &[], Rb, vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33))]),
        (
            1,
            Seen::Reg(1),
            Op::Imad,
            &[],
            Rb,
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rc, Operand::reg(36))],
        ),
        (1, Seen::Reg(1), Op::Imad, &[U32], Rc, vec![(Rd, Operand::reg(8)), (Ra, ZERO), (Rb, ZERO)]),
        (1, Seen::Reg(1), Op::Fadd, &[], Rb, vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33))]),
        (
            1,
            Seen::Reg(1),
            Op::Ffma,
            &[],
            Rb,
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rc, Operand::reg(36))],
        ),
        (
            1,
            Seen::Reg(2),
            Op::Imad,
            &[Wide],
            Rb,
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rc, Operand::reg(36))],
        ),
        (
            2,
            Seen::Reg(2),
            Op::Imad,
            &[Wide],
            Rc,
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rb, Operand::reg(36))],
        ),
        (1, Seen::Reg(1), Op::Viadd, &[], Rb, vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33))]),
        (1, Seen::Reg(1), Op::Hadd2, &[], Rb, vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(33))]),
        (2, Seen::Reg(2), Op::Dmul, &[], Rb, vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(34))]),
        (
            2,
            Seen::Reg(2),
            Op::Dfma,
            &[],
            Rc,
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(34)), (Rb, Operand::reg(36))],
        ),
        (1, Seen::Reg(1), Op::Popc, &[], Rb, INTO.to_vec()),
        (1, Seen::Reg(1), Op::I2f, &[], Rb, INTO.to_vec()),
        (1, Seen::Ureg, Op::Umov, &[], Rb, vec![(Rd, Operand::ureg(20))]),
        (1, Seen::Ureg, Op::Uiadd3, &[], Ra, vec![(Rd, Operand::ureg(20)), (Rb, Operand::ureg(24))]),
        (1, Seen::Ureg, Op::Uiadd3, &[], Rb, vec![(Rd, Operand::ureg(20)), (Ra, Operand::ureg(24))]),
        (
            1,
            Seen::Ureg,
            Op::Uiadd3,
            &[],
            Rc,
            vec![(Rd, Operand::ureg(20)), (Ra, Operand::ureg(24)), (Rb, Operand::ureg(25))],
        ),
        (
            1,
            Seen::Ureg,
            Op::Uimad,
            &[],
            Ra,
            vec![(Rd, Operand::ureg(20)), (Rb, Operand::ureg(24)), (Rc, Operand::ureg(25))],
        ),
        (
            2,
            Seen::Ureg,
            Op::Uimad,
            &[Wide],
            Rc,
            vec![(Rd, Operand::ureg(20)), (Ra, Operand::ureg(24)), (Rb, Operand::ureg(25))],
        ),
    ];
    for (width, seen, op, tokens, role, ops) in plain {
        for high in [false, true] {
            if width == 2 || !high {
                let ops = ops.clone();
                let make = move |v, _: [u8; 2]| inst(op, tokens, &[&ops[..], &[(role, u(v))]].concat());
                add(width, high, Value::Plain, seen, Box::new(make));
            }
        }
    }
    add(
        1,
        false,
        Value::Small,
        Seen::Reg(1),
        Box::new(|v, _| inst(Op::Lds, &[], &[(Rd, r(8)), (Addr, at(RZ, v, URZ, 0x400))])),
    );
    add(
        1,
        false,
        Value::Small,
        Seen::Shared,
        Box::new(|v, _| inst(Op::Sts, &[], &[(Addr, at(14, v, URZ, 0)), (Rb, r(34))])),
    );
    // The upper register of the pair stays zero.
    add(
        2,
        false,
        Value::Small,
        Seen::Reg(1),
        Box::new(|v, _| inst(Op::Ldg, &[E], &[(Rd, r(8)), (Addr, at(50, v, URZ, 0))])),
    );
    let mut add = |seen, make: Box<dyn Fn(u8, [u8; 2]) -> Inst>| {
        out.push(Reader { file: File::Upred, width: 1, high: false, value: Value::Plain, seen, make });
    };
    let up = Operand::upred;
    add(Seen::Ureg, Box::new(move |v, _| inst(Op::Usel, &[], &[(Rd, u(20)), (Ra, u(24)), (Rb, u(25)), (Pp, up(v))])));
    add(
        Seen::Ureg,
        Box::new(move |v, _| inst(Op::Uiadd3, &[X], &[(Rd, u(20)), (Ra, u(24)), (Rb, u(25)), (Pp, up(v))])),
    );
    add(
        Seen::Ureg,
        Box::new(move |v, _| inst(Op::Uiadd3, &[X], &[(Rd, u(20)), (Ra, u(24)), (Rb, u(25)), (Pq, up(v))])),
    );
    add(
        Seen::Upred,
        Box::new(move |v, _| {
            inst(Op::Uisetp, &[Mod::Ge, And, Ex], &[(Pd, up(1)), (Ra, u(24)), (Rb, u(24)), (Pr, up(v))])
        }),
    );
    add(Seen::Ureg, Box::new(|v, _| inst(Op::Umov, &[], &[(Rd, u(20)), (Rb, u(24))]).guarded(v, false)));
    add(Seen::Ureg, Box::new(|v, _| inst(Op::Uiadd3, &[], &[(Rd, u(20)), (Ra, u(24)), (Rb, u(25))]).guarded(v, false)));
    add(
        Seen::Ureg,
        Box::new(|v, _| inst(Op::Uldc, &[], &[(Rd, u(20)), (Misc, Operand::cbank(0, 0x218))]).guarded(v, false)),
    );
    add(
        Seen::Pred,
        Box::new(move |v, _| {
            let ops = [(Pd, p(1)), (Pe, TRUE), (Pp, TRUE), (Pq, TRUE), (Pr, up(v)), (Imm, imm(0x80)), (Imm2, imm(0))];
            inst(Op::Plop3, &[Lut], &ops)
        }),
    );
    add(
        Seen::Skip,
        Box::new(move |v, _| inst(Op::Bra, &[Mod::U], &[(Pq, up(v)), (Target, Operand::new(Kind::Rel(16)))])),
    );
    out
}
