//! Single statements of matrices, asynchronous operations and textures that ptxas 13.0.88 accepts
//! or refuses.

use raddle_diag::{Diags, FileId};
use raddle_ptx::{outline, parse_body};

mod common;

use common::{error_for, hold_after};

const HEAD: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n.func none() { ret; }\n\
    .visible .entry k(.param .u64 pi, .param .u32 n) {\n\
    .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n";

/// Checks rows: `None` is accepted, `Some` a part of the error.
fn hold(rows: &[(&str, Option<&str>)]) {
    hold_after(HEAD, rows);
}

#[test]
fn fragments_have_the_registers_of_their_format() {
    let tf32 = "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3},";
    let sum = "{%f0,%f1,%f2,%f3}";
    let left = "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1,%r2},";
    let s8 = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4},{%r1,%r2},";
    let sparse = "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    hold(&[
        (&format!("{tf32} {{%f4,%r1}},{{%r2}},{sum};"), None),
        (&format!("{tf32} {{%f4,%f5}},{{%r2}},{sum};"), Some("registers of this fragment are .b32")),
        (&format!("{tf32} {{1,2}},{{%r2}},{sum};"), Some("a fragment of constants needs one register")),
        (&format!("{tf32} {{1,%laneid}},{{%r2}},{sum};"), None),
        (&format!("{s8} {{%f1}},{{0,0,0,0}};"), None),
        (&format!("{s8} {{5}},{{0,0,0,0}};"), Some("a fragment of constants")),
        (&format!("{s8} %r5,{{0,0,0,0}};"), Some("expected a vector in braces, found '%r5'")),
        (&format!("{left} {{%r5,%r5,%laneid,5}},%rd1,0,1,1,0;"), None),
        (&format!("{left} {{5,5,5,5}},%rd1,0,1,1,0;"), Some("a fragment of constants")),
        (&format!("{sparse} {sum},{{%r1,%r2,%r3,%r4}},{{%r1,%r2,%r3,%r4}},{sum},5,0;"), Some("found '5'")),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1,[%r2];", Some("expected a vector in braces")),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 _,[%r2];", Some("expected a vector in braces")),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2],%r1;", Some("expected a vector in braces")),
        ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2],{5,5};", Some("a fragment of constants")),
        ("movmatrix.sync.aligned.m8n8.trans.b16 %r1,5;", Some("expected a register")),
        ("movmatrix.sync.aligned.m8n8.trans.b16 {%r1},%r2;", Some("expected a register")),
        ("movmatrix.sync.aligned.m8n8.trans.b16 %f1,%r2;", None),
        (
            "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0,%f1,%f2,%f3},%rd1,%rd2,7,0,1,1,1,0,0;",
            Some("expected a register of type .b32, found '7'"),
        ),
        ("elect.sync %r1|%p1,-1; elect.sync _|%p1,-1;", None),
        ("elect.sync %r1,-1;", Some("expected a register and a predicate, d|p, found '%r1'")),
        ("elect.sync %r1|_,-1;", Some("expected a register and a predicate")),
    ]);
}

#[test]
fn tensors_have_a_map_and_as_many_coordinates_as_dimensions() {
    let load = |at: &str| {
        format!("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0],[{at}],[%r1];")
    };
    let im2col = |offsets: &str| {
        format!(
            "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes \
             [%r0],[%rd1,{{%r1,%r2,%r3}}],[%r1],{offsets};"
        )
    };
    hold(&[
        (&load("%rd1,{%r1,5}"), None),
        (&load("%rd1,{%f1,%r1}"), None),
        (&load("%r1,{%r1,%r1}"), None),
        (&load("%rd1,{%r1,%r2,%r3}"), Some("takes 2 coordinates, found 3")),
        (&load("%rd1,%r1"), Some("expected a vector of 2 coordinates, found '%r1'")),
        (&load("%rd1,{%rd1,%rd2}"), Some("coordinates of a tensor are .s32")),
        (&load("%rd1,{%f1,%f2}"), Some("coordinates of a tensor are .s32")),
        (&load("%rd1"), Some("expected a tensor map and a vector of coordinates")),
        (&load("pi,{%r1,%r2}"), Some("a tensor map is named in .global")),
        (&load("%rd1+64,{%r1,%r2}"), Some("has no offset here")),
        (&im2col("{3}"), None),
        (&im2col("{%h1}"), None),
        (&im2col("{%r1}"), Some("expected .u16, found '%r1'")),
        (&im2col("%h1"), Some("offsets of im2col mode are a vector")),
        ("cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1,%r1];", Some("expected a vector of 1 coordinates")),
        ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%rd1,{%f1}],[%r1];", Some("are .s32")),
    ]);
}

#[test]
fn asynchronous_operations_have_sizes_parities_and_counts() {
    hold(&[
        ("cp.async.bulk.prefetch.L2.global [%rd1],16;", None),
        ("cp.async.bulk.prefetch.L2.global [%rd1],15;", Some("a multiple of 16 from 0 to 1048560 here, not 15")),
        ("cp.async.bulk.global.shared::cta.bulk_group [%rd1],[%r0],17;", Some("a multiple of 16")),
        ("cp.async.bulk.global.shared::cta.bulk_group [%rd1],[%r0],1048576;", Some("a multiple of 16")),
        ("mbarrier.test_wait.parity.shared.b64 %p1,[%r0],2;", Some("takes 0 to 1 here, not 2")),
        ("mbarrier.try_wait.shared.b64 _,[%r0],%rd1;", Some("expected a predicate register, found '_'")),
        ("cp.async.wait_group 64; cp.async.wait_group -1; cp.async.bulk.wait_group.read 64;", None),
        ("st.async.shared::cta.mbarrier::complete_tx::bytes.b32 [%r0],%r2,[%r1];", None),
        ("mapa.shared::cluster.s32 %r1,%r2,%r3; mapa.s64 %rd1,%rd2,%r3; getctarank.s64 %r1,%rd2;", None),
        ("mbarrier.arrive.shared.b64 %rd1,[%r0],2;", None),
    ]);
    let old = HEAD.replace("sm_90a", "sm_80");
    let error = error_for(&old, "mbarrier.arrive.shared.b64 %rd1,[%r0],2;").unwrap();
    assert!(error.contains("E0125 'mbarrier.arrive.shared.b64' with these operands is not supported on sm_80"));
    assert_eq!(error_for(&old, "mbarrier.arrive.shared.b64 %rd1,[%r0];"), None);
}

#[test]
fn textures_samplers_and_surfaces_are_what_their_instructions_take() {
    let head = HEAD.replacen(".func", ".global .texref tex; .global .surfref surf; .global .u32 word;\n.func", 1);
    let lookup = |dim: &str, at: &str, rest: &str| format!("tex.{dim} {{%f0,%f1,%f2,%f3}},[{at}]{rest};");
    let (d1, d2, d3) = ("1d.v4.f32.f32", "2d.v4.f32.f32", "3d.v4.f32.f32");
    let (cube, four) = ("cube.v4.f32.f32", "tex,{%f1,%f2,%f3,%f4}");
    for (text, want) in [
        (lookup(d1, "tex,%f1", ",5"), None),
        (lookup(d1, "tex,{%f1}", ",{5},%f2"), None),
        (lookup(d2, "tex,{%f1,%f2}", ",5"), Some("offsets of 'tex.2d.v4.f32.f32' are a vector")),
        (lookup(d2, "surf,{%f1,%f2}", ""), Some("'surf' is a .surfref, 'tex' takes a .texref")),
        (lookup(d2, "word,{%f1,%f2}", ""), Some("'word' is no .texref")),
        (lookup(d2, "tex+4,{%f1,%f2}", ""), Some("named without an offset")),
        (lookup(d2, "tex,{%f1,%f2,%f3}", ""), Some("expected a vector of 2 coordinates, found one of 3")),
        (lookup(d3, four, ",%f1"), Some("a texture of three dimensions has no comparison")),
        (lookup("2d.v4.f32.s32", "tex,{%r1,%r2}", ",%f1"), Some("at whole numbers has no comparison")),
        (lookup(cube, four, ",%f1"), None),
        (lookup(cube, "%rd1,%rd2,{%f1,%f2,%f3,%f4}", ""), Some("'.target texmode_independent' only")),
        (lookup("grad.2d.v4.f32.s32", "tex,{%r1,%r2}", ",{%f1,%f2},{%f1,%f2}"), None),
        (lookup("grad.1d.v4.f32.f32", "tex,{%f1}", ",%f1,%f2"), Some("derivatives are vectors")),
        ("tex.a2dms.v2.f16x2.s32 {%r1,%r2},[tex,{%r1,%r2,%r3,%r4}];".to_owned(), None),
        ("txq.memory_layout.b32 %r1,[tex];".to_owned(), None),
        ("suq.width.b32 %r1,[tex];".to_owned(), Some("'tex' is a .texref, 'suq' takes a .surfref")),
        ("txq.width.b32 %r1,[surf];".to_owned(), Some("'surf' is a .surfref, 'txq' takes a .texref")),
        ("txq.width.b32 %r1,[%rd1,%rd2];".to_owned(), Some("takes one name or register")),
        ("sured.b.add.3d.u32.trap [surf,{%r1,%r2,%r3}],%r4;".to_owned(), Some("found one of 3")),
        ("mov.u64 %rd1,tex;".to_owned(), None),
        ("mov.b32 %r1,tex;".to_owned(), Some("'tex' is a .texref, whose value is read as .u64 only")),
        ("ld.global.b32 %r1,[tex];".to_owned(), Some("'tex' is a .texref, no memory")),
        ("st.b32 [surf],%r1;".to_owned(), Some("'surf' is a .surfref, no memory")),
    ] {
        let found = error_for(&head, &text);
        let fine = found.as_deref().map_or(want.is_none(), |found| want.is_some_and(|want| found.contains(want)));
        assert!(fine, "{text}: {found:?}, not {want:?}");
    }
}

#[test]
fn samplers_of_their_own_are_asked_for_what_they_have() {
    let head = HEAD.replacen("sm_90a", "sm_90a, texmode_independent", 1);
    let head = head.replacen(".func", ".global .texref tex; .global .samplerref smp;\n.func", 1);
    for (text, want) in [
        ("txq.filter_mode.b32 %r1,[smp]; txq.width.b32 %r1,[tex]; txq.filter_mode.b32 %r1,[%rd1];", None),
        ("txq.filter_mode.b32 %r1,[tex];", Some("'tex' is a .texref, 'txq' takes a .samplerref")),
        ("txq.width.b32 %r1,[smp];", Some("'smp' is a .samplerref, 'txq' takes a .texref")),
        ("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[tex,smp,{%f1,%f2}];", None),
        ("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3},[tex,tex,{%f1,%f2}];", Some("takes a .samplerref")),
        ("tex.cube.v4.f32.f32 {%f0,%f1,%f2,%f3},[tex,smp,{%f1,%f2,%f3,%f4}];", None),
    ] {
        let found = error_for(&head, text);
        let fine = found.as_deref().map_or(want.is_none(), |found| want.is_some_and(|want| found.contains(want)));
        assert!(fine, "{text}: {found:?}, not {want:?}");
    }
}

#[test]
fn a_scalar_offset_is_a_vector_of_one() {
    let module = |offset: &str| {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.global .texref t;\n.entry k() {{ .reg .f32 %f<5>; .reg .s32 %s;\n\
             tex.1d.v4.f32.f32 {{%f0,%f1,%f2,%f3}}, [t,{{%f4}}], {offset}; ret; }}\n"
        );
        let mut diags = Diags::new();
        let module = outline(&text, FileId::FIRST, &mut diags);
        let (func, _) = module.kernels().next().unwrap();
        let body = parse_body(&text, FileId::FIRST, &module, func, &mut diags);
        assert!(!diags.has_errors());
        body.print_inst(body.insts.keys().next().unwrap())
    };
    assert_eq!(module("5"), module("{5}"));
    assert_eq!(module("%s"), module("{%s}"));
    assert!(!module("%f0").contains("{%f0}"));
}

#[test]
fn clusters_and_opaque_variables_are_declared_where_they_may() {
    let declared = |target: &str, text: &str| {
        let text = format!(".version 9.0\n.target {target}\n.address_size 64\n{text}\n");
        let mut diags = Diags::new();
        outline(&text, FileId::FIRST, &mut diags);
        diags.iter().find(|d| d.is_error()).map(|d| format!("{} {}", d.code, d.message))
    };
    let kernel = |target: &str, directives: &str| declared(target, &format!(".entry k() {directives} {{ ret; }}"));
    for fine in [".reqnctapercluster 0", ".reqnctapercluster 2", ".reqntid 32 .reqnctapercluster 2 .blocksareclusters"]
    {
        assert_eq!(kernel("sm_90", fine), None, "{fine}");
    }
    for (target, directives, why) in [
        ("sm_80", ".reqnctapercluster 2", "E0125 '.reqnctapercluster' is not supported on sm_80: it needs sm_90"),
        ("sm_80", ".maxclusterrank 2", "'.maxclusterrank' is not supported"),
        ("sm_80", ".explicitcluster", "'.explicitcluster' is not supported"),
        ("sm_80", ".blocksareclusters", "'.blocksareclusters' is not supported"),
        ("sm_90", ".blocksareclusters", "needs '.reqntid' and '.reqnctapercluster'"),
        ("sm_90", ".reqnctapercluster 2 .maxclusterrank 4", "E0117 '.reqnctapercluster' and '.maxclusterrank'"),
        ("sm_90", ".reqntid 0", "1 or more"),
    ] {
        assert!(kernel(target, directives).is_some_and(|e| e.contains(why)), "{directives}");
    }
    for (text, why) in [
        (".const .texref x;", "a .texref is declared in .global, not in .const"),
        (".shared .surfref x;", "a .surfref is declared in .global"),
        (".func f(.param .texref x) { ret; }", "a .texref is a parameter of kernels only"),
    ] {
        assert!(declared("sm_90", text).is_some_and(|e| e.contains(why)), "{text}");
    }
    assert_eq!(declared("sm_90", ".entry k(.param .texref x) { ret; }"), None);
}
