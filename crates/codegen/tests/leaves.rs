//! Slow paths that a kernel contains several times: one subroutine for each operation.

#[expect(dead_code, reason = "shared with tests that need all of it")]
#[path = "common/mod.rs"]
mod common;

use std::cell::RefCell;

use raddle_cubin::unit::UnitObject;
use raddle_ir::{CodegenOptions, Observer, OptLevel};

/// Keeps the output of the last pass.
struct Keep(RefCell<String>);

impl Observer for Keep {
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        if pass == "sass" {
            *self.0.borrow_mut() = text();
        }
    }
}

const ARCHS: [&str; 4] = ["sm_80", "sm_86", "sm_89", "sm_90"];

/// Compiles a kernel with values of memory in `%d1` to `%d3` and `%f1` to `%f3`, whose results `%d9`
/// and `%f9` it stores.
fn kernel(body: &str, arch: &str, options: &CodegenOptions) -> (String, UnitObject) {
    let loads: String = (1..4)
        .map(|n| format!("ld.global.f64 %d{n}, [%rd1+{}];\nld.global.f32 %f{n}, [%rd1+{}];\n", 8 * n, 64 + 4 * n))
        .collect();
    let src = format!(
        ".version 8.5\n.target {arch}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n\
         .reg .f64 %d<20>;\n.reg .f32 %f<20>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 128, %rd1;\n\
         mov.f64 %d9, 0d0000000000000000;\nmov.f32 %f9, 0f00000000;\n{loads}{body}\nst.global.f64 [%rd1], %d9;\nst.global.f32 \
         [%rd1+64], %f9;\nret;\n}}\n"
    );
    let keep = Keep(RefCell::default());
    let object = common::compile_with(&src, arch, options, &keep).unwrap();
    (keep.0.into_inner(), object)
}

fn at(opt: OptLevel) -> CodegenOptions {
    CodegenOptions { opt, ..CodegenOptions::default() }
}

fn lines<'t>(text: &'t str, what: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.contains(what)).collect()
}

const TWO: &str = "div.rn.f64 %d4, %d1, %d2;\nadd.f64 %d5, %d4, %d3;\ndiv.rn.f64 %d9, %d5, %d1;";

/// The offset that an instruction names, in hexadecimal.
fn operand(line: &str) -> u32 {
    let text = line.rsplit("0x").next().unwrap_or_default().trim_end_matches([';', ' ', ')', '`']);
    u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{line}"))
}

#[test]
fn two_quotients_call_one_leaf_that_returns_behind_the_call() {
    for (arch, opt) in ARCHS.into_iter().flat_map(|a| [OptLevel::O1, OptLevel::O3].map(|o| (a, o))) {
        let (text, object) = kernel(TWO, arch, &at(opt));
        let (calls, returns) = (lines(&text, "CALL.REL.NOINC"), lines(&text, "RET.REL.NODEC R2 0x0"));
        assert_eq!((calls.len(), returns.len()), (2, 1), "{arch}: {text}");
        let address = |line: &str| operand(line.trim_start().strip_prefix("/*").unwrap().split("*/").next().unwrap());
        let targets: Vec<u32> = calls.iter().map(|call| operand(call)).collect();
        assert_eq!(targets[0], targets[1], "{arch}: {text}");
        assert!(address(returns[0]) > targets[0] && address(calls[1]) < targets[0], "{arch}: {text}");
        // Each call is behind a move of the address of what follows it.
        for call in &calls {
            let to = format!("MOV R2, {:#x};", address(call) + 16);
            assert_eq!(lines(&text, &to).len(), 1, "{arch}: no {to} in {text}");
        }
        let f = &object.functions[0];
        assert_eq!((f.frame_size, f.relocations.len(), object.functions.len()), (0, 0, 1), "{arch}");
        assert!(f.registers <= 36, "{arch}: {} registers", f.registers);
    }
}

#[test]
fn reciprocals_share_the_leaf_of_quotients_and_roots_have_their_own() {
    let body = "div.rn.f32 %f4, %f1, %f2;\nrcp.rn.f32 %f5, %f3;\nsqrt.rn.f32 %f6, %f4;\nsqrt.rn.f32 %f7, %f5;\n\
                div.rn.f32 %f8, %f6, %f7;\nsqrt.rn.f32 %f9, %f8;";
    let (text, _) = kernel(body, "sm_90", &at(OptLevel::O3));
    assert_eq!((lines(&text, "CALL.REL").len(), lines(&text, "RET.REL").len()), (6, 2), "{text}");
    // Flushed operands are another operation; two quotients of f32 are too few.
    let (text, _) = kernel(&body.replace("rcp.rn.f32", "rcp.rn.ftz.f32"), "sm_90", &at(OptLevel::O3));
    assert_eq!((lines(&text, "CALL.REL").len(), lines(&text, "RET.REL").len()), (3, 1), "{text}");
}

#[test]
fn one_quotient_has_its_slow_path_in_place() {
    let (text, _) = kernel("div.rn.f64 %d9, %d1, %d2;", "sm_90", &at(OptLevel::O3));
    assert_eq!(lines(&text, "CALL").len(), 0, "{text}");
}

#[test]
fn without_optimisation_there_is_no_leaf() {
    let (text, _) = kernel(TWO, "sm_90", &at(OptLevel::O0));
    assert_eq!(lines(&text, "CALL").len(), 0, "{text}");
}

#[test]
fn a_kernel_with_few_registers_has_the_sequences_in_place() {
    let options = CodegenOptions { maxrregcount: Some(20), ..at(OptLevel::O3) };
    let (text, object) = kernel(TWO, "sm_90", &options);
    assert_eq!(lines(&text, "CALL").len(), 0, "{text}");
    assert!(object.functions[0].registers <= 24, "{}", object.functions[0].registers);
    // With what leaf and values need, there are calls.
    let options = CodegenOptions { maxrregcount: Some(40), ..at(OptLevel::O3) };
    let (text, object) = kernel(TWO, "sm_90", &options);
    assert_eq!(lines(&text, "CALL").len(), 2, "{text}");
    assert!(object.functions[0].registers <= 40);
}

#[test]
fn three_integer_quotients_have_a_fast_path_for_32_bits_each() {
    let three = "mov.b64 %rd2, %d1;\nmov.b64 %rd3, %d2;\ndiv.s64 %rd4, %rd2, %rd3;\nadd.s64 %rd4, %rd4, 3;\ndiv.s64 %rd5, %rd3, %rd4;\n\
                 div.s64 %rd5, %rd4, %rd5;\nmov.b64 %d9, %rd5;";
    let (text, _) = kernel(three, "sm_90", &at(OptLevel::O3));
    assert_eq!((lines(&text, "CALL.REL").len(), lines(&text, "RET.REL").len()), (3, 1), "{text}");
    // Two stay as they are: a fast path would only add code.
    let (text, _) = kernel(&three.replace("div.s64 %rd4", "rem.s64 %rd4"), "sm_90", &at(OptLevel::O3));
    assert_eq!((lines(&text, "CALL").len(), lines(&text, "BRA").len()), (0, 0), "{text}");
}
