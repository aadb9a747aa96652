//! Writers and readers of predicates.

use raddle_sass::SlotRole::{Addr, Imm, Imm2, Misc, Pd, Pe, Pp, Pq, Pr, Ra, Rb, Rc, Rd, Target};
use raddle_sass::row::File;
use raddle_sass::{Inst, Kind, Mod, Op, Operand, RZ, SlotRole, URZ};

use super::forms::{Given, ONES, Reader, Seen, TRUE, UTRUE, Value, Writer, ZERO, at, imm, inst, p, r, u};

/// The writers of predicates: the second argument is the value that is written to `P0`, 0 or 1.
pub fn writers() -> Vec<Writer> {
    use Mod::{And, Any, Eq, Hi, Lut, Ne, Neu, U32, Wide};
    let mut out: Vec<Writer> = Vec::new();
    let mut add = |main, make| out.push(Writer { file: File::Pred, width: 1, make, copies: true, main });
    fn cmp(v: u8, no: Mod) -> Mod {
        if v == 1 { Eq } else { no }
    }
    fn ones(v: u8) -> Operand {
        if v == 1 { r(ONES) } else { ZERO }
    }
    add(true, |d, v| inst(Op::Isetp, &[cmp(v, Ne), And], &[(Pd, p(d)), (Ra, r(36)), (Rb, r(36))]));
    add(false, |d, v| inst(Op::Fsetp, &[cmp(v, Neu), And], &[(Pd, p(d)), (Ra, r(36)), (Rb, r(36))]));
    add(false, |d, v| {
        let ops = [(Pd, p(d)), (Pp, TRUE), (Pq, TRUE), (Pr, TRUE), (Imm, imm(255 * i64::from(v))), (Imm2, imm(0))];
        inst(Op::Plop3, &[Lut], &ops)
    });
    add(false, |d, v| inst(Op::R2p, &[], &[(Misc, Operand::new(Kind::PredFile)), (Ra, ones(v)), (Imm, imm(1 << d))]));
    add(false, |d, v| inst(Op::Iadd3, &[], &[(Rd, ZERO), (Pd, p(d)), (Ra, ones(v)), (Rb, r(ONES))]));
    add(false, |d, v| {
        inst(Op::Lop3, &[Lut], &[(Pd, p(d)), (Rd, ZERO), (Ra, ones(v)), (Rb, ZERO), (Rc, ZERO), (Imm, imm(0xf0))])
    });
    add(true, |d, v| inst(Op::Dsetp, &[cmp(v, Neu), And], &[(Pd, p(d)), (Ra, r(36)), (Rb, r(36))]));
    add(true, |d, v| inst(Op::Hsetp2, &[cmp(v, Neu), And], &[(Pd, p(d)), (Ra, r(36)), (Rb, r(36))]));
    add(true, |d, v| {
        inst(Op::Imad, &[Wide, U32], &[(Rd, r(60)), (Pd, p(d)), (Ra, ones(v)), (Rb, r(ONES)), (Rc, r(ONES))])
    });
    add(true, |d, v| {
        inst(Op::Imad, &[Hi, U32], &[(Rd, r(60)), (Pd, p(d)), (Ra, ones(v)), (Rb, r(ONES)), (Rc, r(ONES))])
    });
    add(true, |d, v| {
        let from = if v == 1 { TRUE } else { Operand::not_pt() };
        inst(Op::Vote, &[Any], &[(Pd, p(d)), (Pp, from)])
    });
    out
}

/// The readers of predicates.
pub fn readers() -> Vec<Reader> {
    use Mod::{And, E, Ex, F32, Gt, Hi, Lut, Mma, N1688, U32, Wide, X};
    const AB: &[Given] = &[(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rb, Operand::reg(34))];
    const ABC: &[Given] =
        &[(Rd, Operand::reg(8)), (Ra, Operand::reg(33)), (Rb, Operand::reg(34)), (Rc, Operand::reg(36))];
    const ONE: &[Given] = &[(Rd, Operand::reg(8)), (Rb, Operand::reg(34))];
    let mut out: Vec<Reader> = Vec::new();
    let mut add = |seen, make: Box<dyn Fn(u8, [u8; 2]) -> Inst>| {
        out.push(Reader { file: File::Pred, width: 1, high: false, value: Value::Plain, seen, make });
    };
    let guards: Vec<(Seen, Op, &'static [Mod], Vec<Given>)> = vec![
        (Seen::Reg(1), Op::Mov, &[], ONE.to_vec()),
        (Seen::Reg(1), Op::Iadd3, &[], ABC.to_vec()),
        (Seen::Reg(1), Op::Imad, &[], ABC.to_vec()),
        (Seen::Reg(1), Op::Fadd, &[], AB.to_vec()),
        (Seen::Reg(1), Op::Viadd, &[], AB.to_vec()),
        (Seen::Reg(2), Op::Imad, &[Wide], ABC.to_vec()),
        (Seen::Reg(1), Op::Imad, &[Hi], ABC.to_vec()),
        (Seen::Reg(1), Op::Hadd2, &[], AB.to_vec()),
        (Seen::Reg(1), Op::Hfma2, &[Mma], ABC.to_vec()),
        (Seen::Reg(2), Op::Dmul, &[], vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(34)), (Rb, Operand::reg(36))]),
        (Seen::Reg(1), Op::Mufu, &[Mod::Rcp], ONE.to_vec()),
        (Seen::Reg(1), Op::Popc, &[], ONE.to_vec()),
        (Seen::Reg(1), Op::Ldc, &[], vec![(Rd, Operand::reg(8)), (Misc, Operand::cbank(0, 0x218))]),
        (Seen::Reg(1), Op::Lds, &[], vec![(Rd, Operand::reg(8)), (Addr, Operand::addr(14, 16))]),
        (Seen::Shared, Op::Sts, &[], vec![(Rb, Operand::reg(34)), (Addr, Operand::addr(14, 0))]),
        (
            Seen::Pred,
            Op::Isetp,
            &[Gt, And],
            vec![(Pd, Operand::pred(1)), (Ra, Operand::reg(34)), (Rb, Operand::reg(RZ))],
        ),
        (Seen::Ureg, Op::R2ur, &[], vec![(Rd, Operand::ureg(20)), (Ra, Operand::reg(34))]),
        (
            Seen::Reg(1),
            Op::Vote,
            &[Mod::Any],
            vec![(Rd, Operand::reg(8)), (Pd, Operand::pred(7)), (Pp, Operand::pred(7))],
        ),
        (
            Seen::Reg(4),
            Op::Hmma,
            &[N1688, F32],
            vec![(Rd, Operand::reg(8)), (Ra, Operand::reg(44)), (Rb, Operand::reg(48)), (Rc, Operand::reg(52))],
        ),
    ];
    for (seen, op, tokens, ops) in guards {
        add(seen, Box::new(move |v, _| inst(op, tokens, &ops).guarded(v, false)));
    }
    add(
        Seen::Global,
        Box::new(|v, _| inst(Op::Stg, &[E], &[(Addr, at(12, URZ, 4, 0)), (Rb, r(34))]).guarded(v, false)),
    );
    add(
        Seen::Reg(1),
        Box::new(|v, _| inst(Op::Ldg, &[E], &[(Rd, r(8)), (Addr, at(50, URZ, 4, 0x100))]).guarded(v, false)),
    );
    add(
        Seen::Reg(1),
        Box::new(|v, _| {
            // Lanes: R8 was zero, so the guard shows by anything that is written.
            inst(Op::Shfl, &[Mod::Idx], &[(Rd, r(8)), (Pd, TRUE), (Ra, r(36)), (Imm, imm(3)), (Imm2, imm(0x1f))])
                .guarded(v, false)
        }),
    );
    let skip = || Operand::new(Kind::Rel(16));
    add(Seen::Skip, Box::new(move |v, _| inst(Op::Bra, &[], &[(Target, skip())]).guarded(v, false)));
    add(Seen::Skip, Box::new(move |v, _| inst(Op::Bra, &[], &[(Pp, p(v)), (Target, skip())])));
    let with =
        |ops: &'static [Given], role: SlotRole, op: Op, tokens: &'static [Mod]| -> Box<dyn Fn(u8, [u8; 2]) -> Inst> {
            Box::new(move |v, _| inst(op, tokens, &[ops, &[(role, p(v))]].concat()))
        };
    add(Seen::Reg(1), with(AB, Pp, Op::Sel, &[]));
    add(Seen::Reg(1), with(AB, Pp, Op::Fsel, &[]));
    add(Seen::Reg(1), with(AB, Pp, Op::Vimnmx, &[]));
    add(Seen::Reg(1), with(AB, Pp, Op::Iadd3, &[X]));
    add(Seen::Reg(1), with(AB, Pq, Op::Iadd3, &[X]));
    add(Seen::Reg(1), with(ABC, Pp, Op::Imad, &[X]));
    add(Seen::Reg(2), with(ABC, Pp, Op::Imad, &[Wide, U32, X]));
    const SET: &[Given] = &[(Pd, Operand::pred(1)), (Ra, Operand::reg(34)), (Rb, Operand::reg(34))];
    add(Seen::Pred, with(SET, Pp, Op::Isetp, &[Mod::Eq, And]));
    add(Seen::Pred, with(SET, Pr, Op::Isetp, &[Mod::Ge, And, Ex]));
    for role in [Pp, Pq, Pr] {
        add(
            Seen::Pred,
            Box::new(move |v, _| {
                let mut ops =
                    vec![(Pd, p(1)), (Pe, TRUE), (Pp, TRUE), (Pq, TRUE), (Pr, TRUE), (Imm, imm(0x80)), (Imm2, imm(0))];
                ops.iter_mut().filter(|o| o.0 == role).for_each(|o| o.1 = p(v));
                inst(Op::Plop3, &[Lut], &ops)
            }),
        );
    }
    add(
        Seen::Reg(1),
        Box::new(|v, _| {
            inst(Op::P2r, &[], &[(Rd, r(8)), (Misc, Operand::new(Kind::PredFile)), (Ra, ZERO), (Imm, imm(1 << v))])
        }),
    );
    add(Seen::Reg(1), Box::new(|v, _| inst(Op::Vote, &[Mod::Any], &[(Rd, r(8)), (Pd, TRUE), (Pp, p(v))])));
    add(Seen::Ureg, Box::new(|v, _| inst(Op::Voteu, &[Mod::Any], &[(Rd, u(20)), (Pd, UTRUE), (Pp, p(v))])));
    out
}
