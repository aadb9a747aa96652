//! Checks which products and sums become one `fma`: those that ptxas 13.0.88 contracts, and no
//! others.

use raddle_diag::{Diags, SourceMap};
use raddle_ir::{CodegenOptions, Cx, OptLevel, text};
use raddle_lower::{Input, lower};
use raddle_ptx::{outline, parse_body};
use raddle_target::Target;

/// Returns the floating-point operations that these instructions are lowered to, in order, by name.
fn ops(insts: &str, options: &CodegenOptions) -> Vec<String> {
    let source = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .f32 %f<9>;\n.reg .f64 %d<9>;\n.reg .b64 \
         %r;\n.reg .b16 %h<9>;\n.reg .pred %p;\nld.param.u64 %r, [p];\nld.global.f32 %f0, [%r];\nld.global.f32 %f1, [%r+4];\nld.global.f32 \
         %f2, [%r+8];\nld.global.f64 %d0, [%r+16];\nld.global.b16 %h0, [%r+24];\nsetp.gt.f32 %p, %f0, %f1;\n{insts}\nret;\n}}\n"
    );
    let mut map = SourceMap::new();
    let file = map.add("k.ptx".to_owned(), source.as_str()).unwrap();
    let mut diags = Diags::new();
    let outline = outline(&source, file, &mut diags);
    let (func, _) = outline.kernels().next().unwrap();
    let body = parse_body(&source, file, &outline, func, &mut diags);
    assert!(!diags.has_errors(), "{source}");
    let (bodies, line) = (Default::default(), |_| 0);
    let input = Input {
        outline: &outline,
        func,
        body: &body,
        bodies: &bodies,
        out_of_line: None,
        src: &source,
        line: &line,
        lines: None,
        serial_products: None,
    };
    let target = Target::by_name("sm_90").unwrap();
    let printed = text::print(&lower(&Cx::new(target, options), &input).unwrap());
    let name = |word: &str| word.split('.').next().unwrap_or_default().to_owned();
    let float = |op: &String| ["fadd", "fmul", "ffma"].contains(&op.as_str());
    printed.split_whitespace().map(name).filter(float).collect()
}

fn check(insts: &str, want: &[&str]) {
    let options = CodegenOptions { opt: OptLevel::O1, fmad: true, ..CodegenOptions::default() };
    assert_eq!(ops(insts, &options), want, "{insts}");
    let apart = CodegenOptions { fmad: false, ..options.clone() };
    assert!(!ops(insts, &apart).contains(&"ffma".to_owned()), "--fmad=false: {insts}");
    let plain = CodegenOptions { opt: OptLevel::O0, ..options };
    assert!(!ops(insts, &plain).contains(&"ffma".to_owned()), "-O0: {insts}");
}

#[test]
fn open_sums_take_open_products() {
    check("mul.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2;", &["fmul", "ffma"]);
    check("mul.f32 %f3, %f0, %f1; sub.f32 %f4, %f3, %f2;", &["fmul", "ffma"]);
    check("mul.f32 %f3, %f0, %f1; sub.f32 %f4, %f2, %f3;", &["fmul", "ffma"]);
    check("mul.f32 %f3, %f0, %f1; add.sat.f32 %f4, %f3, %f2;", &["fmul", "ffma"]);
    check("mul.f64 %d3, %d0, %d0; add.f64 %d4, %d3, %d0;", &["fmul", "ffma"]);
    check("mul.f16 %h3, %h0, %h0; add.f16 %h4, %h3, %h0;", &["fmul", "ffma"]);
    check("mul.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2; add.f32 %f5, %f3, %f1;", &["fmul", "ffma", "ffma"]);
}

#[test]
fn rounding_flushing_clamping_and_guards_keep_them_apart() {
    check("mul.rn.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2;", &["fmul", "fadd"]);
    check("mul.f32 %f3, %f0, %f1; add.rn.f32 %f4, %f3, %f2;", &["fmul", "fadd"]);
    check("mul.ftz.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2;", &["fmul", "fadd"]);
    check("mul.sat.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2;", &["fmul", "fadd"]);
    check("mov.f32 %f3, %f0; @%p mul.f32 %f3, %f0, %f1; add.f32 %f4, %f3, %f2;", &["fmul", "fadd"]);
}
