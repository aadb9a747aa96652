//! Pairs of PTX instructions that the machine does in one: each row of the table fails when its
//! rule is broken.

#[expect(dead_code, reason = "shared with tests that need all of it")]
#[path = "common/mod.rs"]
mod common;

use std::cell::RefCell;

use raddle_ir::{Observer, OptLevel};

/// Keeps the output of the last pass.
struct Keep(RefCell<String>);

impl Observer for Keep {
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        if pass == "sass" {
            *self.0.borrow_mut() = text();
        }
    }
}

/// Compiles a kernel with `a`, `b`, `c` from memory in `%r1` to `%r3`, a parameter `n` in `%r4`, 64
/// bits of `%tid.x` in `%rd2` and pointers `p` and `q` in `%rd1` and `%rd3`; `%r9` is stored.
fn sass(body: &str, arch: &str, opt: OptLevel) -> String {
    let src = format!(
        ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<20>;\n.reg .f64 %fd<9>;\nld.param.u64 %rd1, [p];\n\
         ld.param.u64 %rd3, [q];\nld.param.u32 %r4, [n];\nmov.u32 %r8, %tid.x;\nmad.wide.u32 %rd2, %r8, 4, %rd1;\n\
         ld.volatile.global.u32 %r1, [%rd2];\nld.volatile.global.u32 %r2, [%rd2+64];\nld.volatile.global.u32 %r3, [%rd2+128];\n\
         {body}\nst.global.u32 [%rd2], %r9;\nret;\n}}\n"
    );
    let keep = Keep(RefCell::default());
    common::compile(&src, arch, opt, &keep).unwrap();
    keep.0.into_inner()
}

/// Returns the lines with this mnemonic, operands included, registers replaced by `R`.
fn lines(text: &str, mnemonic: &str) -> Vec<String> {
    let plain = |line: &str| {
        let code = line.split("*/").nth(1).unwrap_or("").trim().trim_end_matches(';').to_owned();
        let mut out = String::new();
        let mut chars = code.chars().peekable();
        while let Some(c) = chars.next() {
            let inside = out.ends_with(|c: char| c.is_ascii_alphanumeric());
            out.push(c);
            if !inside && matches!(c, 'R' | 'P') {
                while chars.next_if(char::is_ascii_digit).is_some() {}
            }
        }
        out
    };
    let hit = |line: &String| line.trim_start_matches(['@', '!', 'P']).trim_start().starts_with(mnemonic);
    text.lines().map(plain).filter(hit).collect()
}

/// Body, mnemonic, and all expected instructions with that mnemonic.
const TABLE: &[(&str, &str, &[&str])] = &[
    // A parameter is read directly by its user, as either operand.
    ("add.u32 %r9, %r1, %r4;", "IADD3", &["IADD3 R, R, c[0x0][0x220], RZ"]),
    ("sub.u32 %r9, %r4, %r1;", "IADD3", &["IADD3 R, -R, c[0x0][0x220], RZ"]),
    ("xor.b32 %r9, %r4, %r1;", "LOP3", &["LOP3.LUT R, R, c[0x0][0x220], RZ, 0x3c, !PT"]),
    ("mad.lo.u32 %r9, %r4, %r1, %r2;", "IMAD R", &["IMAD R, R, c[0x0][0x220], R"]),
    ("mad.lo.u32 %r9, %r1, %r2, %r4;", "IMAD R", &["IMAD R, R, R, c[0x0][0x220]"]),
    (
        "setp.lt.u32 %p1, %r4, %r1;\nselp.b32 %r9, %r1, %r2, %p1;",
        "ISETP",
        &["ISETP.GT.U32.AND P, PT, R, c[0x0][0x220], PT"],
    ),
    ("selp.b32 %r9, %r4, %r1, %p1;", "MOV R, c[0x0][0x220]", &[]),
    // A uniform register that two instructions write is not read after the second.
    (
        "redux.sync.add.s32 %r5, %r1, -1;\nredux.sync.add.s32 %r6, %r2, -1;\nxor.b32 %r9, %r5, %r6;",
        "LOP3",
        &["LOP3.LUT R, R, R, RZ, 0x3c, !PT"],
    ),
    // A constant-bank pair is the addend of a wide product.
    (
        "mul.wide.s32 %rd4, %r1, 8;\nadd.s64 %rd5, %rd3, %rd4;\nst.global.u32 [%rd5], %r2;\nmov.u32 %r9, 0;",
        "IMAD.WIDE R",
        &["IMAD.WIDE R, R, R, c[0x0][0x218]"],
    ),
    (
        "cvt.s64.s32 %rd4, %r1;\nshl.b64 %rd4, %rd4, 3;\nadd.s64 %rd5, %rd4, %rd3;\nst.global.u32 [%rd5], %r2;\nmov.u32 %r9, 0;",
        "IMAD.WIDE R",
        &["IMAD.WIDE R, R, R, c[0x0][0x218]"],
    ),
    // One half of a wide product.
    (
        "mul.wide.u32 %rd4, %r1, %r2;\nadd.s64 %rd5, %rd4, %rd3;\nmov.b64 {%r5, %r9}, %rd5;",
        "IMAD.HI",
        &["IMAD.HI.U32 R, R, R, c[0x0][0x218]"],
    ),
    (
        "mul.wide.s32 %rd4, %r1, %r2;\nadd.s64 %rd5, %rd4, %rd2;\nmov.b64 {%r5, %r9}, %rd5;",
        "IMAD.HI",
        &["IMAD.HI R, R, R, R"],
    ),
    ("mad.wide.u32 %rd4, %r1, %r2, %rd2;\nmov.b64 {%r9, %r5}, %rd4;", "IMAD R", &["IMAD R, R, R, R"]),
    // A shifted 64-bit addend.
    (
        "mul.wide.s32 %rd4, %r1, %r2;\nshl.b64 %rd4, %rd4, 2;\nadd.s64 %rd5, %rd3, %rd4;\nst.global.u32 [%rd5], %r2;\nmov.u32 %r9, 0;",
        "LEA",
        &["LEA R, P, R, c[0x0][0x218], 0x2", "LEA.HI.X R, R, c[0x0][0x21c], R, 0x2, P"],
    ),
    // Sums of three terms.
    ("add.u32 %r5, %r1, %r2;\nadd.u32 %r9, %r5, %r3;", "IADD3", &["IADD3 R, R, R, R"]),
    ("sub.u32 %r5, %r1, %r2;\nadd.u32 %r9, %r3, %r5;", "IADD3", &["IADD3 R, -R, R, R"]),
    ("sub.u32 %r5, %r1, %r2;\nsub.u32 %r9, %r3, %r5;", "IADD3", &["IADD3 R, -R, R, R"]),
    ("add.u32 %r5, %r1, 5;\nadd.u32 %r9, %r5, 7;", "IADD3", &["IADD3 R, R, 0xc, RZ"]),
    // An inner sum with two uses stays.
    (
        "add.u32 %r5, %r1, %r2;\nadd.u32 %r6, %r5, %r3;\nxor.b32 %r9, %r5, %r6;",
        "IADD3",
        &["IADD3 R, R, R, RZ", "IADD3 R, R, R, RZ"],
    ),
    ("mul.lo.u32 %r5, %r1, %r2;\nadd.u32 %r9, %r3, %r5;", "IMAD R", &["IMAD R, R, R, R"]),
    ("mul.lo.u32 %r5, %r1, %r2;\nsub.u32 %r9, %r5, %r3;", "IMAD R", &["IMAD R, R, R, -R"]),
    ("shl.b32 %r5, %r1, 4;\nadd.u32 %r9, %r5, %r2;", "LEA", &["LEA R, R, R, 0x4"]),
    ("shr.s32 %r5, %r1, 31;\nshr.u32 %r5, %r5, 28;\nadd.u32 %r9, %r1, %r5;", "LEA", &["LEA.HI R, R, R, RZ, 0x4"]),
    // Logic of three inputs.
    ("and.b32 %r5, %r1, %r2;\nor.b32 %r9, %r5, %r3;", "LOP3", &["LOP3.LUT R, R, R, R, 0xea, !PT"]),
    ("not.b32 %r5, %r1;\nand.b32 %r9, %r5, %r2;", "LOP3", &["LOP3.LUT R, R, R, RZ, 0xc, !PT"]),
    (
        "xor.b32 %r5, %r1, %r2;\nxor.b32 %r6, %r5, %r3;\nand.b32 %r9, %r6, %r1;",
        "LOP3",
        &["LOP3.LUT R, R, R, R, 0x90, !PT"],
    ),
    ("and.b32 %r5, %r1, 240;\nor.b32 %r9, %r5, %r2;", "LOP3", &["LOP3.LUT R, R, 0xf0, R, 0xea, !PT"]),
    // Logic whose result is only tested.
    (
        "and.b32 %r5, %r1, 1;\nsetp.ne.u32 %p1, %r5, 0;\nselp.b32 %r9, %r2, %r3, %p1;",
        "LOP3",
        &["LOP3.LUT P, RZ, R, 0x1, RZ, 0xc0, !PT"],
    ),
    ("and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\nselp.b32 %r9, %r2, %r3, %p1;", "SEL", &["SEL R, R, R, !P"]),
    // Bits of one value where a mask is one, of another where it is zero.
    (
        "mov.b32 %f2, %r1;\nmov.b32 %f3, %r2;\ncopysign.f32 %f1, %f2, %f3;\nmov.b32 %r9, %f1;",
        "LOP3",
        &["LOP3.LUT R, R, 0x80000000, R, 0xe2, !PT"],
    ),
    (
        "and.b32 %r5, %r1, 0xfff0;\nand.b32 %r6, %r2, 0xffff000f;\nor.b32 %r9, %r5, %r6;",
        "LOP3",
        &["LOP3.LUT R, R, 0xfff0, R, 0xe2, !PT"],
    ),
    (
        "and.b32 %r5, %r1, 0xfff0;\nand.b32 %r6, %r2, 0xffff001f;\nor.b32 %r9, %r5, %r6;",
        "LOP3",
        &["LOP3.LUT R, R, 0xffff001f, RZ, 0xc0, !PT", "LOP3.LUT R, R, 0xfff0, R, 0xea, !PT"],
    ),
    // A sign is chosen with the value, where it is not seen whether a NaN has it.
    (
        "setp.lt.s32 %p1, %r2, %r3;\nmov.b32 %f1, %r1;\nneg.f32 %f2, %f1;\nselp.f32 %f3, %f2, %f1, %p1;\n\
         fma.rn.f32 %f4, %f3, %f1, %f3;\nmov.b32 %r9, %f4;",
        "FSEL",
        &["FSEL R, -R, R, P"],
    ),
    (
        "setp.lt.s32 %p1, %r2, %r3;\nmov.b32 %f1, %r1;\nabs.f32 %f2, %f1;\nselp.f32 %f3, 0f3F000000, %f2, %p1;\n\
         add.f32 %f4, %f3, %f1;\nmov.b32 %r9, %f4;",
        "FSEL",
        &["FSEL R, |R|, 0.5, !P"],
    ),
    (
        "setp.lt.s32 %p1, %r2, %r3;\nmov.b32 %f1, %r1;\nneg.f32 %f2, %f1;\nselp.f32 %f3, %f2, %f1, %p1;\nmov.b32 %r9, %f3;",
        "FSEL",
        &[],
    ),
    // One where a comparison of floats holds.
    (
        "mov.b32 %f1, %r1;\nmov.b32 %f2, %r2;\nset.lt.f32.f32 %f3, %f1, %f2;\nmov.b32 %r9, %f3;",
        "FSET",
        &["FSET.BF.LT.AND R, R, R, PT"],
    ),
    (
        "mov.b32 %f1, %r1;\nmov.b32 %f2, %r2;\nsetp.lt.f32 %p1, %f1, %f2;\nselp.f32 %f3, 0f00000000, 0f3F800000, %p1;\n\
         mov.b32 %r9, %f3;",
        "FSET",
        &["FSET.BF.GEU.AND R, R, R, PT"],
    ),
    (
        "{ .reg .b16 %h<5>;\nmov.b32 {%h1, %h2}, %r1;\nset.eq.f16.f16 %h3, %h1, %h2;\nmov.b32 %r9, {%h3, %h3}; }",
        "HSET2",
        &["HSET2.BF.EQ.AND R, R.H0_H0, R.H0_H0, PT"],
    ),
    // Comparisons absorb a conjunction.
    (
        "setp.lt.s32 %p1, %r1, %r2;\nsetp.gt.s32 %p2, %r3, 9;\nand.pred %p3, %p1, %p2;\nselp.b32 %r9, %r1, %r2, %p3;",
        "ISETP",
        &["ISETP.GT.AND P, PT, R, 0x9, PT", "ISETP.LT.AND P, PT, R, R, P"],
    ),
    (
        "setp.lt.s32 %p1, %r1, %r2;\nsetp.gt.s32 %p2, %r3, 9;\nor.pred %p3, %p2, %p1;\nselp.b32 %r9, %r1, %r2, %p3;",
        "PLOP3",
        &[],
    ),
    (
        "setp.lt.s32 %p1, %r1, %r2;\nsetp.gt.s32 %p2, %r3, 9;\nnot.pred %p4, %p2;\nxor.pred %p3, %p4, %p1;\nselp.b32 %r9, %r1, %r2, %p3;",
        "PLOP3",
        &[],
    ),
];

#[test]
fn pairs_become_one() {
    let mut wrong = String::new();
    for (body, mnemonic, want) in TABLE {
        let text = sass(body, "sm_90", OptLevel::O1);
        let got = lines(&text, mnemonic);
        if got != *want {
            wrong.push_str(&format!("{body}\n{got:?}, not {want:?}\n{text}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// An operation on the floats of `a` and `b`; `%p1` is known long before, `%p2` after `c` is.
const CHOSEN: &str = "mov.b32 %f1, %r1;\nmov.b32 %f2, %r2;\nsetp.lt.s32 %p1, %r8, 5;\nsetp.lt.s32 %p2, %r3, 0;\nmul.f32 %f3, %f1, %f2;\n";

#[test]
fn an_operation_with_a_select_is_guarded() {
    // Body after that, level, and the expected instructions of both kinds.
    let table: &[(&str, OptLevel, &[&str], usize)] = &[
        ("selp.f32 %f4, %f3, %f1, %p1;\nmov.b32 %r9, %f4;", OptLevel::O2, &["@P FMUL R, R, R"], 0),
        ("selp.f32 %f4, %f1, %f3, %p1;\nmov.b32 %r9, %f4;", OptLevel::O2, &["@!P FMUL R, R, R"], 0),
        ("selp.f32 %f4, %f3, %f1, %p1;\nmov.b32 %r9, %f4;", OptLevel::O1, &["FMUL R, R, R"], 1),
        // The value that is kept, or the product, has another use.
        ("selp.f32 %f4, %f3, %f1, %p1;\nadd.f32 %f5, %f4, %f1;\nmov.b32 %r9, %f5;", OptLevel::O2, &["FMUL R, R, R"], 1),
        ("selp.f32 %f4, %f3, %f1, %p1;\nadd.f32 %f5, %f4, %f3;\nmov.b32 %r9, %f5;", OptLevel::O2, &["FMUL R, R, R"], 1),
        // A guard waits longer for the comparison than a select.
        ("selp.f32 %f4, %f3, %f1, %p2;\nmov.b32 %r9, %f4;", OptLevel::O2, &["FMUL R, R, R"], 1),
        // Functions of the multi-function unit are not guarded.
        ("ex2.approx.ftz.f32 %f4, %f1;\nselp.f32 %f5, %f4, %f1, %p1;\nmov.b32 %r9, %f5;", OptLevel::O2, &[], 1),
    ];
    for (body, opt, products, selects) in table {
        let text = sass(&format!("{CHOSEN}{body}"), "sm_80", *opt);
        let all = lines(&text, "SEL").len() + lines(&text, "FSEL").len();
        assert_eq!(
            (lines(&text, "FMUL"), all),
            (products.iter().map(|&s| s.to_owned()).collect(), *selects),
            "{body}\n{text}"
        );
    }
}

#[test]
fn nothing_is_combined_without_optimisation() {
    let text = sass("add.u32 %r5, %r1, %r2;\nadd.u32 %r9, %r5, %r3;", "sm_80", OptLevel::O0);
    assert_eq!(lines(&text, "IADD3").len(), 2, "{text}");
}
