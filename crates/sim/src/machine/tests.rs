//! Hand-written machine code: what the hazard tracker must detect and what it must not.

use super::{Completion, Image, Outcome, Setup, run_image};
use crate::failure::{Failure, FailureKind, Hazard};
use crate::launch::{Dim3, Launch, OnFinding};
use crate::mem::Memory;
use raddle_sass::SlotRole::{Addr, Bar, Imm, Misc, Pd, Pp, Ra, Rb, Rc, Rd, Target};
use raddle_sass::{Ctrl, Inst, Isa, Kind, Mod, Op, Operand, SlotRole, build};

const ISA: Isa = Isa::Sm90;

fn r(n: u8) -> Operand {
    Operand::reg(n)
}

const RZ: Operand = Operand::reg(255);

fn inst(op: Op, tokens: &[Mod], operands: &[(SlotRole, Operand)]) -> Inst {
    build(ISA, op, tokens, operands).expect("an instruction of the table")
}

/// `IADD3 d, a, b, RZ` with a stall.
fn add(d: u8, a: u8, b: Operand, stall: u8) -> Inst {
    inst(Op::Iadd3, &[], &[(Rd, r(d)), (Ra, r(a)), (Rb, b)]).with_ctrl(Ctrl { stall, ..Ctrl::default() })
}

/// `MOV d, value` with a stall.
fn mov(d: u8, value: i64, stall: u8) -> Inst {
    inst(Op::Mov, &[], &[(Rd, r(d)), (Rb, Operand::imm(value))]).with_ctrl(Ctrl { stall, ..Ctrl::default() })
}

/// `LDS d, [a]` that sets scoreboard 0.
fn lds(d: u8, a: u8) -> Inst {
    let ctrl = Ctrl { stall: 2, wr_bar: Some(0), ..Ctrl::default() };
    inst(Op::Lds, &[], &[(Rd, r(d)), (Addr, Operand::addr(a, 0))]).with_ctrl(ctrl)
}

/// `STS [a], v` that sets scoreboard 1 until its sources are read.
fn sts(a: u8, v: u8) -> Inst {
    let ctrl = Ctrl { stall: 2, rd_bar: Some(1), ..Ctrl::default() };
    inst(Op::Sts, &[], &[(Addr, Operand::addr(a, 0)), (Rb, r(v))]).with_ctrl(ctrl)
}

fn waiting(inst: Inst, mask: u8) -> Inst {
    let ctrl = Ctrl { wait_mask: mask, ..inst.ctrl };
    inst.with_ctrl(ctrl)
}

fn exit() -> Inst {
    inst(Op::Exit, &[], &[]).with_ctrl(Ctrl { stall: 5, ..Ctrl::default() })
}

fn run_with_threads(code: &[Inst], threads: u32) -> Result<Outcome, Failure> {
    run_as(code, threads, OnFinding::Error, Completion::Early)
}

fn run_as(code: &[Inst], threads: u32, hazards: OnFinding, completion: Completion) -> Result<Outcome, Failure> {
    let mut launch = Launch::new("k");
    launch.hazards = hazards;
    launch.block = Dim3::from(threads);
    launch.races = OnFinding::Off;
    let mut code = code.to_vec();
    code.push(exit());
    run_image(&Image::of_code(ISA, &code), &launch, &mut Memory::new(), Setup { completion, ..Setup::default() })
}

fn hazard(code: &[Inst]) -> Option<Hazard> {
    match run_with_threads(code, 32) {
        Ok(_) => None,
        Err(f) => match *f.kind {
            FailureKind::Hazard(h) => Some(h),
            other => panic!("another failure: {other}"),
        },
    }
}

#[test]
fn a_result_read_too_early_is_seen_wherever_its_producer_stands() {
    let code = |stall| [mov(0, 1, stall), add(1, 0, r(0), 5)];
    assert!(matches!(hazard(&code(1)), Some(Hazard::ReadTooEarly { early: 3, .. })));
    assert_eq!(hazard(&code(4)), None);
    // The producer is before a branch target, the consumer after it.
    let branch = |stall| {
        let bra =
            inst(Op::Bra, &[], &[(Target, Operand::new(Kind::Rel(0)))]).with_ctrl(Ctrl { stall, ..Ctrl::default() });
        [mov(0, 1, 1), bra, add(1, 0, r(0), 5)]
    };
    assert!(matches!(hazard(&branch(2)), Some(Hazard::ReadTooEarly { early: 1, .. })));
    assert_eq!(hazard(&branch(5)), None);
}

#[test]
fn a_guarded_write_does_not_hide_the_one_before_it() {
    // P0 is false in all lanes: only the first write counts.
    let setp = inst(Op::Isetp, &[Mod::Ne, Mod::And], &[(Pd, Operand::pred(0)), (Ra, RZ), (Rb, RZ)])
        .with_ctrl(Ctrl { stall: 11, ..Ctrl::default() });
    let pause = mov(9, 0, 5);
    let code = |stall| {
        let hidden = mov(0, 2, 1).guarded(0, false);
        [setp.clone(), pause.clone(), mov(0, 1, stall), hidden, add(1, 0, r(0), 5)]
    };
    assert!(matches!(hazard(&code(1)), Some(Hazard::ReadTooEarly { .. })));
    assert_eq!(hazard(&code(4)), None);
}

#[test]
fn variable_latency_results_and_sources_need_their_scoreboards() {
    let address = mov(2, 0x400, 6);
    let stored = [address.clone(), mov(3, 7, 6), waiting(sts(2, 3), 0)];
    let load = |waits: u8| {
        let mut code = stored.to_vec();
        code.extend([lds(4, 2), waiting(add(5, 4, r(4), 5), waits)]);
        code
    };
    assert!(matches!(hazard(&load(0)), Some(Hazard::NotWaited { used: "read", .. })));
    assert_eq!(hazard(&load(1)), None);
    let overwrite = |waits: u8| {
        let mut code = stored.to_vec();
        code.push(waiting(mov(3, 8, 5), waits));
        code
    };
    assert!(matches!(hazard(&overwrite(0)), Some(Hazard::Overwritten { .. })));
    assert_eq!(hazard(&overwrite(2)), None);
}

#[test]
fn what_cannot_go_wrong_is_not_watched() {
    let code: Vec<Inst> = [mov(0, 1, 4), add(1, 0, r(0), 4), add(2, 1, r(0), 1), add(3, 2, r(1), 5), exit()].to_vec();
    let p = Image::of_code(ISA, &code).program;
    let watched: Vec<usize> = p.code.iter().map(|u| p.watches_of(u).len()).collect();
    assert_eq!(watched, [0, 0, 0, 1, 0], "only R2 one cycle behind its writer");
    assert_eq!(p.marks_of(&p.code[2]).len(), 1);
    assert_eq!(p.marks_of(&p.code[0]).len(), 0);
}

#[test]
fn lanes_meet_at_different_warpsyncs() {
    // Lanes 0 to 15 wait at one WARPSYNC, the others at another one after the branch: both
    // continue.
    let tid = inst(Op::S2r, &[], &[(Rd, r(0)), (Misc, Operand::new(Kind::Special(0)))]).with_ctrl(Ctrl {
        stall: 2,
        wr_bar: Some(0),
        ..Ctrl::default()
    });
    let low = inst(Op::Isetp, &[Mod::Lt, Mod::And], &[(Pd, Operand::pred(0)), (Ra, r(0)), (Rb, Operand::imm(16))])
        .with_ctrl(Ctrl { stall: 11, wait_mask: 1, ..Ctrl::default() });
    let flow = |i: Inst| i.with_ctrl(Ctrl { stall: 5, ..Ctrl::default() });
    let pause = mov(9, 0, 5);
    let sync = || flow(inst(Op::Warpsync, &[Mod::All], &[]));
    let bra = flow(inst(Op::Bra, &[], &[(Target, Operand::new(Kind::Rel(32)))]).guarded(0, false));
    let code = [tid, low, pause, bra, sync(), flow(inst(Op::Exit, &[], &[])), sync(), mov(1, 1, 1)];
    let outcome = run_with_threads(&code, 32).expect("no warp waits for ever");
    // Seven by both halves except on the branch's sides: 4 together, 2 by one half, 3 by the other.
    assert_eq!((outcome.stats.warp_insts, outcome.stats.divergent_branches), (9, 1));
}

#[test]
fn late_results_are_undefined_until_they_are_waited_for() {
    // An address is stored and loaded, then used: with or without waiting for the load.
    let code = |waits: u8| {
        let stored = [mov(2, 0x400, 6), mov(3, 0x404, 6), sts(2, 3), lds(4, 2)];
        let mut code = stored.to_vec();
        code.extend([waiting(add(6, 4, RZ, 6), waits), sts(6, 3)]);
        code
    };
    let kind =
        |waits, completion| run_as(&code(waits), 32, OnFinding::Off, completion).map(|_| ()).map_err(|f| *f.kind);
    assert_eq!(kind(0, Completion::Early), Ok(()));
    assert_eq!(kind(1, Completion::Late), Ok(()));
    assert_eq!(kind(0, Completion::Late), Err(FailureKind::UndefinedAddress));
}

#[test]
fn an_older_result_must_not_arrive_last() {
    // An address may be read 7 cycles after HFMA2.MMA and 5 after MOV: the former arrives 2 cycles
    // later.
    let code = |stall| {
        let slow = inst(Op::Hfma2, &[Mod::Mma], &[(Rd, r(3)), (Ra, RZ), (Rb, RZ), (Rc, RZ)]);
        let slow = slow.with_ctrl(Ctrl { stall, ..Ctrl::default() });
        [mov(9, 0, 1), slow, mov(3, 1, 5), add(4, 3, RZ, 5)]
    };
    assert!(matches!(hazard(&code(1)), Some(Hazard::WrittenTooEarly { early: 2, .. })));
    assert_eq!(hazard(&code(3)), None);
}

#[test]
fn lanes_that_have_read_stay_so_when_others_run_the_instruction_again() {
    // Lanes 0 to 15 load, wait until the address is read, and overwrite it while lanes 16 to 31
    // load by the same instruction.
    let compare = |p: u8, op: Mod, a: u8, b: i64, wait_mask: u8| {
        let operands = [(Pd, Operand::pred(p)), (Ra, r(a)), (Rb, Operand::imm(b))];
        inst(Op::Isetp, &[op, Mod::And], &operands).with_ctrl(Ctrl {
            stall: 13,
            yield_: true,
            wait_mask,
            ..Ctrl::default()
        })
    };
    let code = |wait_mask: u8| {
        let tid = inst(Op::S2r, &[], &[(Rd, r(0)), (Misc, Operand::new(Kind::Special(0)))]);
        let load = inst(Op::Lds, &[], &[(Rd, r(3)), (Addr, Operand::addr(2, 0))]).guarded(0, false);
        let again = inst(Op::Bra, &[], &[(Target, Operand::new(Kind::Rel(-96)))]).guarded(1, false);
        [
            tid.with_ctrl(Ctrl { stall: 2, wr_bar: Some(0), ..Ctrl::default() }),
            compare(0, Mod::Lt, 0, 16, 1),
            mov(2, 0x400, 6),
            mov(5, 0, 6),
            load.with_ctrl(Ctrl { stall: 2, wr_bar: Some(1), rd_bar: Some(2), ..Ctrl::default() }),
            mov(2, 0x404, 6).guarded(0, true),
            compare(0, Mod::Ge, 0, 16, wait_mask),
            add(5, 5, Operand::imm(1), 6),
            compare(1, Mod::Lt, 5, 2, 0),
            again.with_ctrl(Ctrl { stall: 5, ..Ctrl::default() }),
        ]
    };
    assert_eq!(hazard(&code(0b100)), None);
    assert!(matches!(hazard(&code(0)), Some(Hazard::Overwritten { .. })));
}

/// Lanes 0 to 15 diverge from the others; the counter of a loop that both run is in UR4. With
/// `meets` they converge before the end of the loop's body.
fn counter_of_a_loop(meets: bool) -> Vec<Inst> {
    let flow = |i: Inst| i.with_ctrl(Ctrl { stall: 5, ..Ctrl::default() });
    let rel = |words: i64| Operand::new(Kind::Rel(16 * words));
    let barrier = Operand::new(Kind::Barrier(0));
    let tid = inst(Op::S2r, &[], &[(Rd, r(0)), (Misc, Operand::new(Kind::Special(0)))]);
    let compare = |p: u8, op: Mod, a: Operand, b: Operand, wait_mask: u8| {
        inst(Op::Isetp, &[op, Mod::And], &[(Pd, Operand::pred(p)), (Ra, a), (Rb, b)]).with_ctrl(Ctrl {
            stall: 13,
            wait_mask,
            ..Ctrl::default()
        })
    };
    let ureg = |n: u8| Operand::new(Kind::UReg(n));
    let uniform = |i: Inst| i.with_ctrl(Ctrl { stall: 13, ..Ctrl::default() });
    let nothing = || flow(inst(Op::Nop, &[], &[]));
    vec![
        tid.with_ctrl(Ctrl { stall: 2, wr_bar: Some(0), ..Ctrl::default() }),
        compare(0, Mod::Lt, r(0), Operand::imm(16), 1),
        uniform(inst(Op::Umov, &[], &[(Rd, ureg(4)), (Imm, Operand::imm(0))])),
        // The body: the halves take different sides.
        if meets { flow(inst(Op::Bssy, &[], &[(Bar, barrier), (Target, rel(3))])) } else { nothing() },
        uniform(inst(Op::Uiadd3, &[], &[(Rd, ureg(4)), (Ra, ureg(4)), (Rb, Operand::imm(1))])),
        flow(inst(Op::Bra, &[], &[(Target, rel(1))]).guarded(0, false)),
        mov(1, 1, 5),
        if meets { flow(inst(Op::Bsync, &[], &[(Bar, barrier)])) } else { nothing() },
        compare(1, Mod::Lt, RZ, ureg(4), 0),
        mov(2, 8, 13),
        compare(1, Mod::Gt, r(2), ureg(4), 0),
        flow(inst(Op::Bra, &[], &[(Target, rel(-9))]).guarded(1, false)),
    ]
}

#[test]
fn a_counter_in_a_uniform_register_needs_lanes_that_are_proven_together() {
    let mut code = counter_of_a_loop(false);
    code.push(exit());
    for seed in 0..8 {
        let run = |code: &[Inst]| {
            let mut launch = Launch::new("k");
            (launch.seed, launch.block, launch.races) = (seed, Dim3::from(32), OnFinding::Off);
            run_image(&Image::of_code(ISA, code), &launch, &mut Memory::new(), Setup::default())
        };
        let failure = run(&code).expect_err("lanes of two iterations share a counter");
        let FailureKind::Hazard(Hazard::OtherSubset { what, lanes }) = *failure.kind else { panic!("{failure}") };
        assert_eq!(what, crate::failure::Resource::UReg(4), "seed {seed}");
        assert!(lanes == 0xffff || lanes == 0xffff_0000, "seed {seed}: {lanes:#x}");
        let mut proven = counter_of_a_loop(true);
        proven.push(exit());
        run(&proven).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

#[test]
fn a_subset_keeps_uniform_registers_until_it_waits_or_gives_way() {
    // Both sides of a branch write their own value to UR4 and read it, with a wait for a scoreboard
    // between; then with a YIELD there.
    let flow = |i: Inst| i.with_ctrl(Ctrl { stall: 5, ..Ctrl::default() });
    let ureg = |n: u8| Operand::new(Kind::UReg(n));
    let tid = || inst(Op::S2r, &[], &[(Rd, r(0)), (Misc, Operand::new(Kind::Special(0)))]);
    let load = || tid().with_ctrl(Ctrl { stall: 2, wr_bar: Some(0), ..Ctrl::default() });
    let low = [(Pd, Operand::pred(0)), (Ra, r(0)), (Rb, Operand::imm(16))];
    let low = inst(Op::Isetp, &[Mod::Lt, Mod::And], &low);
    let side = |value: i64, yields: bool| {
        let set = inst(Op::Umov, &[], &[(Rd, ureg(4)), (Imm, Operand::imm(value))])
            .with_ctrl(Ctrl { stall: 13, ..Ctrl::default() });
        let gap = if yields { Op::Yield } else { Op::Nop };
        let read = inst(Op::Iadd3, &[], &[(Rd, r(2)), (Ra, r(0)), (Rb, ureg(4))]);
        [
            set,
            load(),
            flow(inst(gap, &[], &[])),
            waiting(read.with_ctrl(Ctrl { stall: 5, ..Ctrl::default() }), 1),
            exit(),
        ]
    };
    let code = |yields: bool| {
        let mut code = vec![load(), waiting(low.clone().with_ctrl(Ctrl { stall: 13, ..Ctrl::default() }), 1)];
        code.push(flow(inst(Op::Bra, &[], &[(Target, Operand::new(Kind::Rel(80)))]).guarded(0, false)));
        code.extend(side(1, yields));
        code.extend(side(2, yields));
        code
    };
    let run = |yields: bool, seed: u64| {
        let mut launch = Launch::new("k");
        (launch.seed, launch.block, launch.races) = (seed, Dim3::from(32), OnFinding::Off);
        run_image(&Image::of_code(ISA, &code(yields)), &launch, &mut Memory::new(), Setup::default())
    };
    for seed in 0..16 {
        run(false, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    let seen = |seed: u64| {
        matches!(run(true, seed).map_err(|f| *f.kind), Err(FailureKind::Hazard(Hazard::OtherSubset { .. })))
    };
    assert!((0..4).any(seen), "a switch where a subset gives way");
}

/// `HMMA.1688.F32 R4, R2, R0, RZ`.
fn product() -> Inst {
    let operands = [(Rd, r(4)), (Ra, r(2)), (Rb, r(0)), (Rc, RZ)];
    inst(Op::Hmma, &[Mod::N1688, Mod::F32], &operands).with_ctrl(Ctrl { stall: 15, ..Ctrl::default() })
}

#[test]
fn a_matrix_product_needs_the_whole_warp() {
    let code = [mov(2, 0, 15), mov(3, 0, 15), mov(0, 0, 15), product(), exit()];
    assert!(run_with_threads(&code, 32).is_ok());
    let failure = run_with_threads(&code, 24).unwrap_err();
    assert!(matches!(*failure.kind, FailureKind::Convergence(_)), "{failure}");
}

#[test]
fn a_matrix_product_is_ready_after_its_cycles() {
    let stalled = |stall| Ctrl { stall, ..Ctrl::default() };
    let code = |rest: u8| {
        let mut code = vec![mov(2, 0, 15), mov(3, 0, 15), mov(0, 0, 15), product().with_ctrl(stalled(10))];
        code.extend([inst(Op::Nop, &[], &[]).with_ctrl(stalled(rest)), add(8, 4, r(5), 5), exit()]);
        code
    };
    assert!(run_with_threads(&code(6), 32).is_ok());
    let failure = run_with_threads(&code(1), 32).unwrap_err();
    assert!(matches!(*failure.kind, FailureKind::Hazard(Hazard::ReadTooEarly { .. })), "{failure}");
}

#[test]
fn uniform_registers_of_asynchronous_operations_are_held_until_they_are_read() {
    // `UBLKPF.L2 [UR4], UR6`, then a write of UR4, or of UR5.
    let ureg = |n: u8| Operand::new(Kind::UReg(n));
    let code = |written: u8, wait_mask: u8, base: u64| {
        let set = |n: u8, value: u64| {
            let operands = [(Rd, ureg(n)), (Imm, Operand::imm(i64::from(value as u32 as i32)))];
            inst(Op::Umov, &[], &operands).with_ctrl(Ctrl { stall: 15, ..Ctrl::default() })
        };
        let address = Operand::new(Kind::Addr { base: 255, ubase: 4, desc: 63, offset: 0 });
        let prefetch = inst(Op::Ublkpf, &[Mod::L2], &[(Addr, address), (Rc, ureg(6))]).with_ctrl(Ctrl {
            stall: 2,
            rd_bar: Some(0),
            ..Ctrl::default()
        });
        [set(4, base), set(5, base >> 32), set(6, 1), prefetch, waiting(set(written, 0), wait_mask), exit()]
    };
    let run = |written: u8, wait_mask: u8| {
        let mut mem = Memory::new();
        let id = mem.add("bytes", vec![0; 64], true);
        let mut launch = Launch::new("k");
        launch.block = Dim3::from(32);
        let image = Image::of_code(ISA, &code(written, wait_mask, mem.base(id)));
        run_image(&image, &launch, &mut mem, Setup::default()).map_err(|failure| *failure.kind)
    };
    for written in [4, 5] {
        assert!(run(written, 1).is_ok());
        let found = run(written, 0).unwrap_err();
        assert!(matches!(found, FailureKind::Hazard(Hazard::Overwritten { .. })), "UR{written}: {found}");
    }
    assert!(run(7, 0).is_ok());
}

#[test]
fn lanes_of_a_call_by_address_come_back_together_only_if_that_is_asked_for() {
    // Each lane calls a function of its own, which only returns; then the lanes vote.
    let flow = |i: Inst| i.with_ctrl(Ctrl { stall: 15, ..Ctrl::default() });
    let always = Operand::pred(7);
    let (functions, back) = (11, 7);
    let lane = inst(Op::S2r, &[], &[(Rd, r(0)), (Misc, Operand::new(Kind::Special(0)))]).with_ctrl(Ctrl {
        stall: 2,
        wr_bar: Some(0),
        ..Ctrl::default()
    });
    let target = inst(Op::Imad, &[], &[(Rd, r(2)), (Ra, r(0)), (Rb, Operand::imm(16)), (Rc, r(1))]);
    let ballot = inst(Op::Vote, &[Mod::Any], &[(Rd, r(6)), (Pd, always), (Pp, always)]);
    let few = inst(Op::Isetp, &[Mod::Ne, Mod::And], &[(Pd, Operand::pred(0)), (Ra, r(6)), (Rb, Operand::imm(-1))]);
    let mut code = vec![lane, mov(1, 16 * functions, 15), waiting(flow(target), 1)];
    code.extend([mov(3, 0, 15), mov(4, 16 * back, 15), mov(5, 0, 15)]);
    code.push(flow(inst(Op::Call, &[Mod::Abs], &[(Ra, r(2))])));
    assert_eq!(code.len() as i64, back);
    code.extend([flow(ballot), flow(few), flow(inst(Op::Bpt, &[Mod::Trap], &[])).guarded(0, false), exit()]);
    assert_eq!(code.len() as i64, functions);
    let ret = flow(inst(Op::Ret, &[Mod::Abs], &[(Ra, r(4)), (Target, Operand::new(Kind::Rel(0)))]));
    code.extend(vec![ret; 32]);
    let run = |calls_converge: bool, seed: u64| {
        let mut launch = Launch::new("k");
        (launch.seed, launch.block, launch.races) = (seed, Dim3::from(32), OnFinding::Off);
        let setup = Setup { calls_converge, ..Setup::default() };
        run_image(&Image::of_code(ISA, &code), &launch, &mut Memory::new(), setup).map_err(|failure| *failure.kind)
    };
    for seed in 0..16 {
        assert_eq!(run(false, seed).err(), Some(FailureKind::Trap), "seed {seed}");
        run(true, seed).unwrap_or_else(|kind| panic!("seed {seed}: {kind}"));
    }
}

#[test]
fn a_shifted_difference_carries_when_nothing_is_subtracted() {
    // LEA R2, P0, R0, -R1, 1: the carry of (R0 << 1) + ~R1 + 1.
    let minus = Operand { neg: true, ..r(1) };
    let operands = [(Rd, r(2)), (Pd, Operand::pred(0)), (Ra, r(0)), (Rb, minus), (Imm, Operand::imm(1))];
    let lea = inst(Op::Lea, &[], &operands).with_ctrl(Ctrl { stall: 13, ..Ctrl::default() });
    let trap = inst(Op::Bpt, &[Mod::Trap], &[]).with_ctrl(Ctrl { stall: 15, ..Ctrl::default() });
    for (a, b, carries) in [(5, 0, true), (0, 0, true), (5, 10, true), (5, 11, false)] {
        let code = [mov(0, a, 15), mov(1, b, 15), lea.clone(), trap.clone().guarded(0, carries)];
        run_with_threads(&code, 32).unwrap_or_else(|failure| panic!("{a} << 1 - {b}: {failure}"));
    }
}

#[test]
fn a_count_of_pending_results_covers_the_earlier_ones() {
    // Two loads of one scoreboard, of which one may remain pending.
    let address = mov(2, 0x400, 15);
    let count = [(Misc, Operand::new(Kind::Scoreboard(0))), (Imm, Operand::imm(1))];
    let wait = inst(Op::Depbar, &[Mod::Le], &count).with_ctrl(Ctrl { stall: 4, ..Ctrl::default() });
    let code = |read: u8| {
        let stored = [address.clone(), mov(3, 7, 15), waiting(sts(2, 3), 0)];
        let loads = [waiting(lds(4, 2), 2), lds(5, 2), wait.clone(), add(6, read, r(2), 5)];
        stored.into_iter().chain(loads).collect::<Vec<_>>()
    };
    assert_eq!(hazard(&code(4)), None);
    assert!(matches!(hazard(&code(5)), Some(Hazard::NotWaited { .. })), "{:?}", hazard(&code(5)));
}
