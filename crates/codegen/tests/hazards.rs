//! Checks scheduled code with the simulator's static check; the last test breaks control fields and
//! expects findings.

#[path = "common/mod.rs"]
mod common;

use raddle_ir::{CodegenOptions, OptLevel, cx::NullObserver};
use raddle_sass::{Ctrl, Inst, Isa, Op};
use raddle_sim::hazard_check::{check, instructions};

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// The kernels of the corpus that compile.
fn kernels(arch: &str, opt: OptLevel) -> Vec<(String, Vec<Inst>)> {
    let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
    let mut out = Vec::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(common::corpus().join("kernels")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let read = |producer: &str| std::fs::read_to_string(folder.join(producer));
        let src = read("nvcc.ptx").or_else(|_| read("hand.ptx")).unwrap();
        if let Ok(unit) = common::compile(&src, arch, opt, &NullObserver) {
            out.push((
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                instructions(isa, &unit.functions[0].code).unwrap(),
            ));
        }
    }
    assert!(out.len() >= 30, "{arch}: only {} kernels compile", out.len());
    out
}

#[test]
fn scheduled_kernels_have_no_hazard() {
    for arch in ARCHS {
        let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
        for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
            for (name, code) in kernels(arch, opt) {
                let wrong = check(isa, &code);
                assert!(wrong.is_empty(), "{name} for {arch} at {opt:?}:\n{}", wrong.join("\n"));
            }
        }
    }
}

#[test]
fn in_order_schedule_is_shorter_than_the_serial_one() {
    let cycles =
        |opt| -> u64 { kernels("sm_90", opt).iter().flat_map(|(_, code)| code).map(|i| u64::from(i.ctrl.stall)).sum() };
    let (serial, in_order) = (cycles(OptLevel::O0), cycles(OptLevel::O1));
    assert!(in_order * 2 < serial, "{in_order} cycles of stalls in order, {serial} serially");
}

#[test]
fn serial_scheduling_changes_control_fields_alone_and_has_no_hazard() {
    let isa = Isa::Sm90;
    let src = std::fs::read_to_string(common::corpus().join("kernels/scan/nvcc.ptx")).unwrap();
    let code = |serial| {
        let options = CodegenOptions { serial, ..CodegenOptions::default() };
        let unit = common::compile_with(&src, "sm_90", &options, &NullObserver).unwrap();
        instructions(isa, &unit.functions[0].code).unwrap()
    };
    let (serial, in_order) = (code(true), code(false));
    assert!(check(isa, &serial).is_empty());
    // Only `NOP`s, for pauses longer than a stall, differ.
    let operations = |code: &[Inst]| code.iter().map(Inst::op).filter(|op| *op != Op::Nop).collect::<Vec<Op>>();
    assert_eq!(operations(&serial), operations(&in_order));
    let cycles = |code: &[Inst]| code.iter().map(|i| u64::from(i.ctrl.stall)).sum::<u64>();
    assert!(cycles(&serial) > 2 * cycles(&in_order));
}

#[test]
fn broken_control_fields_are_found() {
    let isa = Isa::Sm90;
    let (mut waits, mut bars, mut found_waits, mut found_bars) = (0, 0, 0, 0);
    for (_, code) in kernels("sm_90", OptLevel::O1).iter().take(12) {
        for at in 0..code.len() {
            let c = code[at].ctrl;
            for (mutant, count, found) in [
                (Ctrl { wait_mask: 0, ..c }, &mut waits, &mut found_waits),
                (Ctrl { wr_bar: None, ..c }, &mut bars, &mut found_bars),
            ] {
                if mutant == c {
                    continue;
                }
                let mut broken = code.clone();
                broken[at].ctrl = mutant;
                *count += 1;
                *found += usize::from(!check(isa, &broken).is_empty());
            }
        }
    }
    assert!(waits > 100 && bars > 100, "{waits} waits, {bars} scoreboards");
    // A wait at the end of a loop, or for an unused result, may be unnecessary.
    assert!(found_waits * 10 >= waits * 8, "{found_waits} of {waits} dropped waits found");
    assert!(found_bars * 10 >= bars * 9, "{found_bars} of {bars} dropped scoreboards found");
}
