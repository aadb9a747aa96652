//! Loads under a predicate with a value for the other lanes, as Triton writes them.

#[expect(dead_code, reason = "shared with tests that need all of it")]
#[path = "common/mod.rs"]
mod common;

use std::fmt::Write as _;

use raddle_ir::{OptLevel, cx::NullObserver};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Inst, Kind, Op};
use raddle_sim::hazard_check::instructions;

/// Loads of the kernel.
const COUNT: usize = 12;

/// A kernel of [`COUNT`] loads of halves, each under a predicate of its own, and their sum.
fn kernel() -> Vec<Inst> {
    let mut body = String::new();
    for n in 0..COUNT {
        writeln!(
            body,
            "add.u32 %r1, %r0, {n};\nsetp.lt.s32 %p1, %r1, %r9;\nmad.wide.u32 %rd2, %r1, %r9, %rd1;\n\
             mov.b16 %h{n}, 0;\n@%p1 ld.global.b16 %h{n}, [%rd2];"
        )
        .unwrap();
    }
    body.push_str("mov.b16 %h99, 0;\n");
    (0..COUNT).for_each(|n| writeln!(body, "xor.b16 %h99, %h99, %h{n};\nadd.u16 %h99, %h99, {n};").unwrap());
    let src = format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %h<100>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n\
         ld.param.u32 %r9, [n];\nmov.u32 %r0, %tid.x;\n{body}st.global.b16 [%rd1], %h99;\nret;\n}}\n"
    );
    let isa = raddle_target::Target::by_name("sm_90").unwrap().native.unwrap().isa;
    let unit = common::compile(&src, "sm_90", OptLevel::O3, &NullObserver).unwrap();
    instructions(isa, &unit.functions[0].code).unwrap()
}

#[test]
fn all_loads_are_under_way_before_the_first_is_waited_for() {
    let code = kernel();
    let loads: Vec<usize> = (0..code.len()).filter(|&n| code[n].op() == Op::Ldg).collect();
    assert_eq!(loads.len(), COUNT);
    assert!(loads.iter().all(|&n| !code[n].guard.is_always()), "loads without a branch");
    let last = *loads.last().unwrap();
    for &n in &loads {
        let Some(Kind::Reg(result)) = code[n].slot(SlotRole::Rd).map(|o| o.kind) else { panic!("no result") };
        let touches = |i: &Inst| {
            let hit =
                |a: &raddle_sass::effects::RegAccess| (a.first..a.first.saturating_add(a.count)).contains(&result);
            i.accesses().iter().any(|a| a.file == File::Gpr && hit(a))
        };
        let next = code[..last].iter().skip(n + 1).position(touches);
        assert_eq!(next, None, "the result of instruction {n} is touched before the last load");
    }
}

#[test]
fn an_address_is_written_again_without_a_wait_for_the_load() {
    let code = kernel();
    let loads: Vec<usize> = (0..code.len()).filter(|&n| code[n].op() == Op::Ldg).collect();
    let (first, last) = (loads[0], *loads.last().unwrap());
    let mut pending = [false; 6];
    for i in &code[first..last] {
        for (board, pending) in pending.iter_mut().enumerate() {
            if i.ctrl.wait_mask >> board & 1 == 1 {
                assert!(!*pending, "waits for the results of loads: {i:?}");
            }
            *pending |= i.op() == Op::Ldg && i.ctrl.wr_bar == Some(board as u8);
        }
    }
}
