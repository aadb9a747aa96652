//! Numeric operations of our machine code on every 65,537th operand, on all special ones and on
//! those with hard-to-round results. `cargo campaign exhaustive` tests all 2^32.

use std::collections::BTreeSet;

use raddle_driver::options::OptLevel;
use raddle_sim::float::{F32, F64};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::machine::{Image, run_lockstep};
use raddle_sim::mem::{Memory, Segment};
use raddle_sim::mufu::{ErrorSetting, Mufu};
use raddle_target::Isa;
use raddle_tests::compile::{How, cubin};
use raddle_tests::exhaustive::ops::{self, Op};
use raddle_tests::exhaustive::{Compiled, Operands, PIECE, SETTINGS, judge, results};
use raddle_tests::level::Level;
use raddle_tests::rng::Rng;

const STRIDED: Operands<'static> = Operands::Strided { start: 0x1234, stride: 65_537, count: 65_536 };

/// Checks an operation; failures are added to the list.
fn check(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    (setting, checked): (ErrorSetting, bool),
    complaints: &mut Vec<String>,
) {
    match judge(op, compiled, operands, setting, checked) {
        Ok((0, _)) => {}
        Ok((wrong, first)) => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            complaints.push(format!("{} under {setting:?}: {wrong} differ: {}", op.name, first.join("; ")));
        }
        Err(error) => complaints.push(format!("{error:#}")),
    }
}

#[test]
fn words_are_right_on_a_subset() {
    let (specials, close) = ([ops::specials(&F32)], [ops::close()]);
    assert!(close[0].len() > 4000, "{} operands are close", close[0].len());
    let mut complaints = Vec::new();
    for (n, op) in ops::words().iter().enumerate() {
        let arch = ["sm_80", "sm_90"][n % 2];
        let compiled = Compiled::new(op, arch, Level::O3).unwrap();
        for &setting in if op.mufu { &SETTINGS[..] } else { &SETTINGS[..1] } {
            check(op, &compiled, Operands::Listed(&specials), (setting, true), &mut complaints);
            check(op, &compiled, STRIDED, (setting, false), &mut complaints);
            if op.mufu {
                check(op, &compiled, Operands::Listed(&close), (setting, false), &mut complaints);
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A run with the warps of a block together gives the same result for every operand as a run with
/// all checks.
#[test]
fn runs_without_checks_make_the_same() {
    let mut rng = Rng::new(5, 64);
    let mut random = |count: usize| (0..count).map(|_| rng.next()).collect::<Vec<u64>>();
    for (n, op) in ops::words().iter().chain(&ops::doubles()).enumerate() {
        // One of each kind, and all with a slow path.
        if !op.mufu && n % 7 != 0 {
            continue;
        }
        let compiled = Compiled::new(op, ["sm_90", "sm_86"][n % 2], Level::O3).unwrap();
        let mut lists: Vec<Vec<u64>> = (0..op.operands).map(|_| random(PIECE as usize)).collect();
        let specials = ops::specials(if op.input == 64 { &F64 } else { &F32 });
        // The operands of one warp take different paths.
        lists[0].iter_mut().step_by(3).zip(specials.iter().step_by(7)).for_each(|(x, &special)| *x = special);
        let setting = SETTINGS[n % 3];
        let run = |checked| results(op, &compiled, Operands::Listed(&lists), setting, checked).unwrap();
        assert!(run(true) == run(false), "{}", op.name);
    }
}

/// Lanes with different numbers of iterations, and a divergent branch in the loop.
const COLLATZ: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n\
    .reg .pred %p<3>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\n\
    mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd0, %rd0, %rd1;\nadd.u32 %r1, %r0, 1;\nmov.u32 %r2, 0;\n\
    next:\nsetp.eq.u32 %p0, %r1, 1;\n@%p0 bra done;\nadd.u32 %r2, %r2, 1;\nand.b32 %r3, %r1, 1;\n\
    setp.ne.u32 %p1, %r3, 0;\n@%p1 bra odd;\nshr.u32 %r1, %r1, 1;\nbra next;\n\
    odd:\nmad.lo.u32 %r1, %r1, 3, 1;\nbra next;\n\
    done:\nst.global.u32 [%rd0], %r2;\nret;\n}\n";

#[test]
fn divergent_loops_run_without_checks() {
    for opt in [OptLevel::O0, OptLevel::O3] {
        let code = cubin(COLLATZ, How { arch: "sm_90", opt, jobs: 1, chaos: None }).unwrap();
        let mut memory = Memory::new();
        let mut launch = Launch::new("k");
        launch.block = Dim3::new(200, 1, 1);
        let out = memory.add_segment("results", Segment::undefined(800), true);
        launch.args.push(Arg::Buffer(out));
        let image = Image::load(&code, &launch, &mut memory).unwrap();
        run_lockstep(&image, &launch, &mut memory, Mufu::default()).unwrap();
        let steps = |n: u32| std::iter::successors(Some(n), |n| Some(if n % 2 == 0 { n / 2 } else { 3 * n + 1 }));
        let want: Vec<u8> =
            (1..=200).flat_map(|n| (steps(n).take_while(|&n| n != 1).count() as u32).to_le_bytes()).collect();
        assert_eq!(memory.read_back(out).unwrap(), want);
    }
}

/// Quotients just below the normal range that were once rounded twice.
const JUST_SUBNORMAL: &[(u64, u64)] = &[
    (0x20_0000_0002, 0x3f0f_ffff_ffff_fffe),
    (0x01f0_0000_0000_0001, 0xc1df_ffff_ffff_fffd),
    (0x7fd8_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (0x7fdf_ffff_ffff_fffe, 0x3ff0_0000_0000_0000),
];

#[test]
fn doubles_are_right_on_a_sample() {
    let specials: Vec<u64> = ops::specials(&F64).into_iter().step_by(13).collect();
    let mut rng = Rng::new(3, 64);
    let mut complaints = Vec::new();
    let nearest = ops::doubles();
    for (n, op) in nearest.iter().chain(&ops::directed_doubles()).enumerate() {
        let compiled = Compiled::new(op, ["sm_90", "sm_80"][n % 2], Level::O3).unwrap();
        let mut pairs: Vec<(u64, u64)> =
            specials.iter().map(|&x| (x, specials[rng.next() as usize % specials.len()])).collect();
        // Directed rounding is a short correction of the result, independent of the unit's error.
        let (count, settings) =
            if n < nearest.len() { (20_000, &SETTINGS[..]) } else { (6_000, &SETTINGS[n % 3..][..1]) };
        pairs.extend((0..count).map(|_| (ops::random_double(&mut rng), ops::random_double(&mut rng))));
        pairs.extend(JUST_SUBNORMAL);
        let mut lists: Vec<Vec<u64>> = vec![pairs.iter().map(|p| p.0).collect(), pairs.iter().map(|p| p.1).collect()];
        lists.truncate(op.operands);
        for &setting in settings {
            check(op, &compiled, Operands::Listed(&lists), (setting, false), &mut complaints);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The references in the host's arithmetic agree with the soft float.
#[test]
fn the_references_agree_with_the_soft_float() {
    let specials = ops::specials(&F32);
    for op in ops::words() {
        let strided = (0..0x1_0000u64).map(|n| n.wrapping_mul(65_521) & 0xffff_ffff);
        for x in specials.iter().copied().chain(strided) {
            let (fast, soft) = (op.reference.of(x, 0), op.soft.of(x, 0));
            assert!(fast == soft, "{} of {x:#x}: {fast:#x}, soft float {soft:#x}", op.name);
        }
    }
    let mut rng = Rng::new(4, 64);
    for op in ops::doubles() {
        for _ in 0..20_000 {
            let (x, y) = (ops::random_double(&mut rng), ops::random_double(&mut rng));
            let (fast, soft) = (op.reference.of(x, y), op.soft.of(x, y));
            assert!(fast == soft, "{} of {x:#x}, {y:#x}: {fast:#x}, soft float {soft:#x}", op.name);
        }
    }
}

/// The hash of straight-line code is the same after another schedule, and different for other code.
#[test]
fn schedules_keep_the_number_of_straight_code() {
    let mut numbers = Vec::new();
    for op in ops::words().iter().filter(|op| !op.mufu && op.name.ends_with("32.f32")) {
        let [one, other] = [Level::O3, Level::Serial].map(|level| Compiled::new(op, "sm_90", level).unwrap());
        // The choice of equal instructions for the other pipe depends on their order: that is
        // different code.
        if one.mnemonics(Isa::Sm90).unwrap() == other.mnemonics(Isa::Sm90).unwrap() {
            assert_eq!(one.hash(), other.hash(), "{}", op.name);
            numbers.push(one.hash());
        }
    }
    let different: BTreeSet<u64> = numbers.iter().copied().collect();
    assert!(numbers.len() > 5 && different.len() == numbers.len(), "{} of {}", different.len(), numbers.len());
}
