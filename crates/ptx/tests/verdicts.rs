//! Single statements that ptxas 13.0.88 accepts or refuses: calls, immediates, orders of modifiers,
//! special registers.

use raddle_diag::{Diags, FileId};
use raddle_ptx::{outline, parse_body, print_module};

mod common;

use common::{error_for, hold_after};

const HEAD: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n\
    .func (.param .b32 r) f(.param .b32 a, .param .b64 b) { st.param.b32 [r], 0; ret; }\n\
    .func (.reg .u32 r) g(.reg .u32 a, .reg .f32 b) { mov.u32 r, a; ret; }\n\
    .func (.param .align 8 .b8 r[8]) h(.param .align 4 .b8 a[12]) { ret; }\n\
    .func none() { ret; }\n\
    .visible .entry k(.param .u64 pi, .param .u32 n) {\n\
    .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>; .reg .s32 %s<9>;\n\
    .param .b32 p32; .param .b64 p64; .param .b32 pr; .param .align 4 .b8 s12[12]; .param .align 8 .b8 s8[8];\n\
    .param .align 8 .b8 t12[12]; .reg .u32 x;\n";

/// The first error in a kernel with these statements.
fn error(statements: &str) -> Option<String> {
    error_for(HEAD, statements)
}

/// Checks rows: `None` is accepted, `Some` a part of the error.
fn hold(rows: &[(&str, Option<&str>)]) {
    hold_after(HEAD, rows);
}

#[test]
fn indices_count_elements_of_arrays() {
    hold(&[
        (
            "ld.param.b8 %h1, s12[3]; st.param.b8 s12[11], %h1; .local .u32 l[4]; ld.local.u32 %r1, l[2]; mov.u64 %rd1, l[-1];",
            None,
        ),
        (".local .u32 l[4]; ld.local.u32 %r1, [l[2]];", Some("expected")),
        (".local .u32 l[4]; ld.local.u32 %r1, l[2]+4;", Some("expected")),
        (".local .u32 l[4]; ld.local.u32 %r1, l;", Some("expected an address in brackets")),
        (".global .u32 g[4]; atom.global.add.u32 %r1, g[2], 1;", Some("expected an address in brackets")),
        (".global .u32 g[4]; st.global.u32 g[2], %r1; ldu.global.u32 %r1, g[0]; cvta.global.u64 %rd1, g[1];", None),
        (".local .u32 l[2][2]; ld.local.u32 %r1, l[1][1];", Some("expected")),
        (".local .u32 one; ld.local.u32 %r1, one[0];", Some("E0123 'one' has an index and is no array")),
        ("mov.u64 %rd1, none[1];", Some("expected")),
        ("mov.u32 %r1, n[0];", Some("E0123 'n' has an index and is no array")),
    ]);
}

#[test]
fn arguments_of_calls_fit_their_parameters() {
    hold(&[
        ("call (pr), f, (p32, p64);", None),
        ("call (%f1), f, (%r1, %rd1);", None),
        ("call (_), f, (1, -2);", None),
        ("call (pr), f, (p32, 1.0);", None),
        ("call (pr), f, (p32);", Some("E0126 'f' has 2 arguments, the call 1")),
        ("call f, (p32, p64);", Some("E0126 'f' has 1 results, the call 0")),
        ("call (pr), f, (p64, p32);", Some("'p64' does not fit the parameter: .b32, alignment 4")),
        ("call (pr), f, (%h1, p64);", Some("does not fit")),
        ("call (pr), f, (%p1, p64);", Some("does not fit")),
        ("call (pr), f, (n, p64);", Some("'n' is a parameter of this function")),
        ("call (pr), k, (p32, p64);", Some("is a kernel")),
        ("call (x), g, (%r1, %f1);", None),
        ("call (x), g, (%f1, %f1);", Some("'%f1' of type .f32 does not fit the parameter: .u32 in a register")),
        ("call (x), g, (1, 1);", Some("does not fit")),
        ("call (s8), h, (s12);", None),
        ("call (s8), h, (t12);", Some("does not fit the parameter: 12 bytes, alignment 4")),
        ("call (s8), h, (s8);", Some("does not fit")),
        ("call none;", None),
        ("call none, ();", None),
    ]);
}

#[test]
fn indirect_calls_fit_a_prototype_that_is_declared_before() {
    let proto = "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n";
    let with = |call: &str| error(&format!("{proto}{call}"));
    assert_eq!(with("call (pr), %rd1, (p32, p64), P;"), None);
    assert!(with("call (pr), %rd1, (p32), P;").unwrap().contains("'%rd1' has 2 arguments"));
    assert!(with("call (pr), %f1, (p32, p64), P;").unwrap().contains("an address is in a 32 or 64-bit register"));
    assert!(with("call (pr), f, (p32, p64), P;").unwrap().contains("names a register"));
    hold(&[
        ("call (pr), %rd1, (p32, p64);", Some("needs a prototype")),
        ("call (pr), %rd1, (p32, p64), Q; Q: .callprototype _ ();", Some("E0112 unknown prototype 'Q'")),
        ("T: .calltargets f; call (pr), %rd1, (p32, p64), T;", None),
        ("brx.idx %r1, T; T: .branchtargets L; L:", Some("E0112 unknown list of targets 'T'")),
        ("T: .branchtargets L; brx.idx %r1, T; L:", None),
    ]);
}

#[test]
fn immediates_are_in_range() {
    hold(&[
        ("bar.sync 15;", None),
        ("bar.sync 16;", Some("E0127 'bar.sync' takes 0 to 15 here, not 16")),
        ("bar.red.popc.u32 %r1, 16, %p1;", Some("E0127")),
        ("bar.sync 0, 33;", Some("a multiple of 32")),
        ("setmaxnreg.inc.sync.aligned.u32 24;", None),
        ("setmaxnreg.inc.sync.aligned.u32 30;", Some("E0127")),
        ("setmaxnreg.inc.sync.aligned.u32 264;", Some("E0127")),
        ("cp.async.ca.shared.global [%rd1], [%rd2], 8;", None),
        ("cp.async.cg.shared.global [%rd1], [%rd2], 8;", Some("takes 16 here, not 8")),
        ("cp.async.ca.shared.global [%rd1], [%rd2], 4, 8;", Some("0 to 4")),
        ("bfe.u32 %r1, %r2, 256, 1;", Some("0 to 255")),
        ("wgmma.wait_group.sync.aligned -1;", Some("0 or more")),
        ("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 4, %r1;", None),
        ("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r1;", Some("0 to 4")),
        ("tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 13;", Some("0 to 12")),
        ("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd1], 4;", Some("0 to 3")),
    ]);
    let product = |rest: &str| {
        error(&format!("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0,%f1,%f2,%f3}}, %rd1, %rd1, {rest};"))
    };
    assert_eq!(product("%p1, -1, 1, 0, 1"), None);
    for (rest, why) in [("2, 1, 1, 0, 0", "0 to 1"), ("1, 0, 1, 0, 0", "-1, 1"), ("1, 1, 1, 2, 0", "0 to 1")] {
        assert!(product(rest).is_some_and(|error| error.contains(why)), "{rest}");
    }
    let sparse = |rest: &str| {
        let sizes = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16";
        error(&format!("{sizes} {{%f0,%f1,%f2,%f3}}, %rd1, %rd1, %r1, {rest};"))
    };
    assert_eq!(sparse("1, 1, 1, -1, 0, 1"), None);
    for (rest, why) in [("2, 1, 1, 1, 0, 0", "0 to 1"), ("1, 1, 2, 1, 0, 0", "-1, 1"), ("1, 1, 1, 1, 0, 3", "0 to 1")] {
        assert!(sparse(rest).is_some_and(|error| error.contains(why)), "{rest}");
    }
}

#[test]
fn selectors_of_metadata_are_in_range() {
    // A type and a shape, registers of A and of B, and the highest selector.
    let table = [
        ("f16", "m16n8k32", 4, 3),
        ("bf16", "m16n8k16", 2, 3),
        ("bf16", "m16n8k32", 4, 1),
        ("tf32", "m16n8k8", 2, 3),
        ("tf32", "m16n8k16", 4, 1),
        ("s8", "m16n8k32", 2, 1),
        ("u8", "m16n8k64", 4, 0),
        ("u4", "m16n8k64", 2, 1),
        ("s4", "m16n8k128", 4, 0),
        ("e4m3", "m16n8k64", 4, 0),
    ];
    for (ty, shape, count, most) in table {
        let integers = ty.starts_with(['s', 'u']);
        let (sum, d) = if integers { ("s32", "{%r1,%r2,%r3,%r4}") } else { ("f32", "{%f1,%f2,%f3,%f4}") };
        let a = if count == 2 { "{%r1,%r2}" } else { "{%r1,%r2,%r3,%r4}" };
        for sp in ["sp", "sp::ordered_metadata"] {
            let of = |n: i32| {
                let types = format!("{sum}.{ty}.{ty}.{sum}");
                error(&format!("mma.{sp}.sync.aligned.{shape}.row.col.{types} {d}, {a}, {a}, {d}, %r5, {n};"))
            };
            assert_eq!(of(most), None, "{sp} {ty} {shape}");
            assert!(
                of(most + 1).is_some_and(|e| e.contains(&format!("takes 0 to {most} as its selector"))),
                "{ty} {shape}"
            );
        }
    }
}

#[test]
fn fragments_take_constants_special_registers_and_sinks() {
    let f16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let s8 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
    hold(&[
        (&format!("{f16} {{%f0,_,%f2,_}}, {{%r1,0,%laneid,0f3f800000}}, {{%r1,2}}, {{%f0,0f00000000,%f2,%f3}};"), None),
        (&format!("{f16} {{%f0,%f1,%f2,%f3}}, {{%r1,%r2,%r3,%f4}}, {{%r1,%r2}}, {{%f0,%f1,%f2,%f3}};"), Some("E0123")),
        (&format!("{f16} {{%f0,%f1,%f2,%f3}}, {{%r1,%r2,%r3,%r4}}, {{%r1,%r2}}, {{%f0,0,%f2,%f3}};"), Some("E0123")),
        (&format!("{f16} {{_,_,_,_}}, {{%r1,%r2,%r3,%r4}}, {{%r1,%r2}}, {{%f0,%f1,%f2,%f3}};"), Some("one register")),
        (&format!("{s8} {{%r1,_,%r2,%r3}}, {{%r1,-1,%tid.x,%r4}}, {{0,%r2}}, {{%r1,5,%r2,%r3}};"), None),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,_}, {0d0000000000000000}, {%fd2}, {%fd3,%fd4};", None),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1,_}, [%r2];", None),
        ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r1,5};", None),
        ("suld.b.2d.v2.b32.trap {%r1,_}, [%rd1, {%r2,%r3}];", None),
        ("sust.p.a1d.wt.b32.trap [%rd1, {%r2,%r3}], {%r1};", None),
        ("tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}], {1,%r2};", None),
        ("tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}], {0f3f800000,%f1}, {%f2,%f3};", None),
    ]);
}

#[test]
fn modifiers_stand_where_and_as_often_as_they_may() {
    hold(&[
        ("add.s32.sat.sat %r1, %r2, %r3;", None),
        ("barrier.aligned.sync 0;", None),
        ("mul.s32.lo %r1, %r2, %r3;", Some("'.lo' does not fit 'mul' here")),
        ("mul.lo.lo.s32 %r1, %r2, %r3;", Some("'.lo' does not fit")),
        ("mad.cc.lo.u32 %r1, %r2, %r3, %r4;", Some("'.lo' does not fit")),
        ("cvta.to.u64.global %rd1, %rd2;", None),
        ("cvta.global.to.u64 %rd1, %rd2;", Some("'.to' does not fit")),
        ("ld.relaxed.relaxed.gpu.u32 %r1, [%rd1];", Some("'.relaxed' does not fit")),
        ("cp.async.ca.global.shared [%rd1], [%rd2], 4;", Some("E0122")),
    ]);
}

#[test]
fn special_registers_are_integers_of_their_size() {
    hold(&[
        ("mov.b32 %f1, %tid.x;", None),
        ("mov.u16 %h1, %tid.x;", None),
        ("mov.b64 %rd1, {%laneid, %r1};", None),
        ("cvt.u64.u32 %rd1, %tid.x;", None),
        ("mov.f32 %f1, %tid.x;", Some("'%tid.x' is no .f32")),
        ("mov.u64 %rd1, %tid.x;", Some("is no .u64")),
        ("mov.u16 %h1, %laneid;", Some("is no .u16")),
        ("cvt.rn.f32.u32 %f1, %tid.x;", Some("converted to integers only")),
        ("mov.b32 %r1, %r2.x;", Some("has no such component")),
    ]);
}

#[test]
fn registers_hide_each_other_as_their_blocks_do() {
    hold(&[
        (".reg .b64 %q0; .reg .b64 %q<4>; add.u64 %q0, %q0, %q1;", None),
        (".reg .b64 %q1; .reg .b64 %q<4>;", Some("E0110")),
        (".reg .b64 %q<4>; .reg .b64 %q0;", Some("E0110")),
        (".reg .b64 %q<4>; { .reg .b32 %q0; add.u32 %q0, %q0, %q0; } add.u64 %q0, %q0, %q0;", None),
        (".reg .b32 %q0; { .reg .b64 %q<4>; add.u64 %q0, %q0, %q1; } add.u32 %q0, %q0, %q0;", None),
        ("{ .reg .b32 %y; } .reg .b32 %y; { .reg .b64 %y; } .reg .b32 %y;", Some("E0110")),
    ]);
}

#[test]
fn kernels_have_the_registers_of_their_module() {
    let old = HEAD.replacen(".version 9.0\n.target sm_90a", ".version 2.3\n.target sm_20", 1);
    let head = old.replacen(".func", ".reg .u32 %m<3>, %one; .reg .pred %c;\n.func", 1);
    let error = |statements: &str| error_for(&head, statements);
    assert_eq!(error("@%c mov.u32 %m2, %one;"), None);
    assert_eq!(error(".reg .f32 %m<2>; mov.f32 %m1, 0f00000000; { .reg .u64 %one; mov.u64 %one, 1; }"), None);
    assert!(error("mov.u32 %m3, 1;").unwrap().contains("unknown"));
    let shared = head.replacen("mov.u32 r, a;", "mov.u32 %m1, a;", 1);
    assert!(error_for(&shared, "").unwrap().contains("E0115 a function shares registers of the module"));
    let declared = |text: &str| error_for(&old.replacen(".func", &format!("{text}\n.func"), 1), "");
    assert_eq!(declared(".reg .u32;"), None);
    assert!(error_for(&HEAD.replacen(".func", ".reg .u32 m;\n.func", 1), "").unwrap().contains("since PTX 3.0"));
    for wrong in [".reg .u32 %m<3>", ".visible .reg .u32 m;", ".reg m;", ".reg .u32 m[2];", ".tex .u64 t;"] {
        assert!(declared(wrong).is_some(), "{wrong}");
    }
}

#[test]
fn registers_of_the_module_and_those_that_hide_them_are_printed_apart() {
    let text = ".version 2.3\n.target sm_20\n.address_size 64\n.reg .f32 %m<3>;\n.entry k()\n{\n\
        .reg .u32 %m<2>;\nmov.u32 %m1, 7;\nexit;\n}\n";
    let printed = |text: &str| {
        let mut diags = Diags::new();
        let module = outline(text, FileId::FIRST, &mut diags);
        let again = print_module(text, &module, |func| parse_body(text, FileId::FIRST, &module, func, &mut diags));
        (again, diags.iter().map(|d| d.message.clone()).collect::<Vec<_>>())
    };
    let (once, errors) = printed(text);
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(printed(&once), (once, errors));
}

#[test]
fn coordinates_of_textures_have_their_type() {
    hold(&[
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];", None),
        ("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];", None),
        ("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}];", Some("coordinates are .s32")),
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %fd1}];", Some("registers of 32 bits")),
        ("tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f1}];", Some("the index of an array")),
        ("suld.b.1d.b32.trap %r1, [%fd1, {%r1}];", Some("64-bit register")),
    ]);
}

#[test]
fn constants_are_added_to_registers_where_integers_are_read() {
    hold(&[
        ("st.global.u32 [%rd1], %r1+1;", None),
        ("add.u32 %r1, %r2 + 4 + -9, %r3+0x10;", None),
        ("add.u64 %rd1, %rd2+1, %rd3;", None),
        ("setp.eq.u16 %p1, %h1+1, %h2;", None),
        ("cvt.u64.u32 %rd1, %r1+1;", None),
        ("mov.u32 %r1+1, %r2;", Some("expected")),
        ("add.f32 %f1, %f2+1, %f3;", Some("a constant is added to integers only, not to '%f2+1'")),
        ("mov.pred %p1, %p2+1;", Some("a constant is added to integers only")),
        ("st.global.v2.u32 [%rd1], {%r1+1, %r2};", Some("E0101")),
        ("mov.u32 %r1, %tid.x+1;", Some("E0101")),
        ("mov.u32 %r1, %r2-1;", Some("E0101")),
        ("add.u32 %r1, %r2+1.5, %r3;", Some("E01")),
    ]);
}

#[test]
fn vector_registers_are_packed_and_unpacked() {
    const REGISTERS: &str = ".reg .v2 .u32 v2, w2; .reg .v4 .b16 v4; .reg .v2 .f32 f2; .reg .v4 .b32 large; .reg .v2 .b64 d2; .reg .b128 %q;\n";
    let with = |text: &str| error(&format!("{REGISTERS}{text}"));
    for fine in [
        "mov.b64 %rd1, v2;",
        "mov.b64 v2, %rd1;",
        "mov.b64 v4, %rd1;",
        "mov.b64 f2, %rd1;",
        "mov.b64 v2, 5;",
        "mov.b128 d2, %q;",
    ] {
        assert_eq!(with(fine), None, "{fine}");
    }
    for (wrong, why) in [
        ("mov.u64 v2, %rd1;", "vectors are packed and unpacked as .b16 to .b128"),
        ("mov.b64 large, %rd1;", "does not make a .b64"),
        ("mov.b64 d2, %rd1;", "does not make a .b64"),
        ("mov.b64 v2, w2;", "not both"),
        ("mov.b64 {%r1, %r2}, v2;", "not both"),
        ("mov.b64 v2, {%r1, %r2};", "not both"),
        ("add.u64 %rd1, %rd2, v2;", "E0123"),
    ] {
        assert!(with(wrong).is_some_and(|found| found.contains(why)), "{wrong}: {:?}", with(wrong));
    }
}

#[test]
fn the_members_of_a_vector_have_one_type() {
    const REGISTERS: &str =
        ".reg .b32 %b<4>; .reg .f16x2 %x<4>; .reg .f16 %k<4>; .reg .u16 %u<4>; .reg .v2 .b32 v2; .reg .b128 %q;\n";
    let with = |text: &str| error(&format!("{REGISTERS}{text}"));
    // Verdicts of ptxas 13.0.88: each member is compared with the next one that is no sink.
    for fine in [
        "mov.b64 {%f1,%b2}, %rd1;",
        "mov.b64 {%x1,%b2}, %rd1;",
        "mov.b64 {%x1,%x2}, %rd1;",
        "mov.b64 {_,%f2}, %rd1;",
        "mov.b64 {%u1,%h1,%k1,_}, %rd1;",
        "mov.b64 %rd1, {1,-2};",
        "mov.b64 %rd1, {1,%s2};",
        "mov.b64 %rd1, {1.0,%f2};",
        "mov.b64 %rd1, {1.0,%b2};",
        "mov.b64 %rd1, {0f3f800000,0f3f800000};",
        "mov.b64 %rd1, {%tid.x,%f2};",
        "mov.b64 %rd1, {%laneid,1};",
        "mov.b128 %q, {1.0,2.0};",
    ] {
        assert_eq!(with(fine), None, "{fine}");
    }
    for (wrong, why) in [
        (
            "mov.b64 {%f1,%s2}, %rd1;",
            "the members of a vector have one type, not '%f1' of type .f32 and '%s2' of type .s32 in 'mov.b64'",
        ),
        ("mov.b64 %rd1, {%s1,%f2};", "have one type"),
        ("mov.b64 {%s1,%x1}, %rd1;", "have one type"),
        ("mov.b64 %rd1, {%f1,%x1};", "have one type"),
        ("mov.b64 {%u1,_,%k1,%h1}, %rd1;", "have one type"),
        ("mov.b64 {_,_}, %rd1;", "at least"),
        ("mov.b64 {_,_,_,_}, %rd1;", "at least"),
        ("mov.b64 %rd1, {1,%f2};", "have one type"),
        ("mov.b64 %rd1, {1.0,%s2};", "have one type"),
        ("mov.b64 %rd1, {1.0,%x2};", "have one type"),
        ("mov.b64 %rd1, {1.0,2};", "have one type"),
        ("mov.b64 %rd1, {1.0,2.0};", "has not 32 bits"),
        ("mov.b32 %r1, {1.0,2.0};", "has not 16 bits"),
        ("mov.b64 %rd1, {%tid.x,1};", "no constant beside it"),
        ("mov.b64 %rd1, {1,v2.x};", "no constant beside it"),
    ] {
        assert!(with(wrong).is_some_and(|found| found.contains(why)), "{wrong}: {:?}", with(wrong));
    }
}

#[test]
fn scales_of_products_are_chosen_by_registers_or_constants() {
    let product = |selectors: [&str; 2]| {
        let text = format!(
            ".version 8.8\n.target sm_120a\n.address_size 64\n.visible .entry k() {{\n.reg .b16 %h<4>; .reg .b32 %r<9>; .reg .f32 %f<9>;\n\
             mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 \
             {{%f1,%f2,%f3,%f4}}, {{%r1,%r2,%r3,%r4}}, {{%r5,%r6}}, {{%f1,%f2,%f3,%f4}}, %r7, {}, %r8, {};\nret;\n}}\n",
            selectors[0], selectors[1]
        );
        let mut diags = Diags::new();
        let module = outline(&text, FileId::FIRST, &mut diags);
        for func in module.funcs.keys() {
            parse_body(&text, FileId::FIRST, &module, func, &mut diags);
        }
        diags.iter().find(|d| d.is_error()).map(|d| d.message.clone())
    };
    assert_eq!(product(["{0, 1}", "{%h1, 0}"]), None);
    assert_eq!(product(["{%h1, %h2}", "{%h3, %h1}"]), None);
    assert!(product(["{%r1, 0}", "{0, 0}"]).unwrap().contains("expected .u16"));
    assert!(product(["{0}", "{0, 0}"]).unwrap().contains("vector of 2"));
}

#[test]
fn special_registers_need_a_version_and_an_architecture() {
    let cluster = "mov.pred %p1, %is_explicit_cluster; mov.u32 %r1, %cluster_ctaid.x;";
    let with = |version: &str, target: &str, statements: &str| {
        let head = HEAD.replace("9.0", version).replace("sm_90a", target);
        error_for(&head, statements).unwrap_or_default()
    };
    assert_eq!(with("9.0", "sm_90a", cluster), "");
    assert!(
        with("9.0", "sm_89", cluster)
            .contains("E0125 '%is_explicit_cluster' is not supported on sm_89: it needs sm_90")
    );
    assert!(with("7.7", "sm_80", "mov.u32 %r1, %cluster_ctaid.x;").contains("E0124"));
    assert!(with("9.0", "sm_75", "mov.b32 %r1, %reserved_smem_offset_begin;").contains("it needs sm_80"));
    assert_eq!(with("7.8", "sm_80", "mov.b32 %r1, %reserved_smem_offset_begin;"), "");
    assert!(with("8.0", "sm_90", "mov.u32 %r1, %aggr_smem_size;").contains("needs PTX version 8.1"));
    assert!(with("7.8", "sm_80", "mov.u64 %rd1, %current_graph_exec;").contains("needs PTX version 8.0"));
    assert_eq!(with("8.0", "sm_75", "mov.u64 %rd1, %current_graph_exec;"), "");
}
