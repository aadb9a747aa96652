//! What ptxas accepts and makes something of its own of: counts beyond the machine's, addresses of
//! 32 bits, and forms without a meaning, which are unsupported with their reason.

use raddle_diag::{Diags, SourceMap};
use raddle_ir::{CodegenOptions, Cx, Stop, text};
use raddle_lower::{Input, lower};
use raddle_ptx::{outline, parse_body};
use raddle_target::Target;

/// Lowers a body; returns operations without their places, or the reasons why it is unsupported.
fn lowered(insts: &str) -> Result<String, Vec<String>> {
    let source = format!(
        ".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n.global .texref t = {{width=4}};\n\
         .global .samplerref plain = {{}};\n.global .samplerref s = {{filter_mode=linear}};\n\
         .visible .entry k(.param .u64 p)\n{{\n.reg .f32 %f<9>; .reg .b32 %r<4>; .reg .b64 %d<2>;\n\
         ld.param.u64 %d0, [p]; cvt.u32.u64 %r0, %d0; mov.b32 %f0, %r0;\n{insts}\nret;\n}}\n"
    );
    let mut map = SourceMap::new();
    let file = map.add("k.ptx".to_owned(), source.as_str()).unwrap();
    let mut diags = Diags::new();
    let outline = outline(&source, file, &mut diags);
    let (func, _) = outline.kernels().next().unwrap();
    let body = parse_body(&source, file, &outline, func, &mut diags);
    assert!(!diags.has_errors(), "{source}");
    let (bodies, line) = (Default::default(), |_| 7);
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
    let (target, options) = (Target::by_name("sm_90a").unwrap(), CodegenOptions::default());
    match lower(&Cx::new(target, &options), &input) {
        Ok(f) => {
            Ok(text::print(&f).lines().map(|line| format!("{}\n", line.split(" @").next().unwrap_or(""))).collect())
        }
        Err(Stop::Unsupported(list)) => Err(list.into_iter().map(|u| u.why).collect()),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn waits_leave_as_many_groups_as_the_machine_counts() {
    let same = |wait: &str, counts: [&str; 2]| {
        let [one, other] = counts.map(|count| lowered(&format!("{wait} {count};")));
        assert!(one.is_ok());
        assert_eq!(one, other, "{wait} {counts:?}");
    };
    for wait in ["cp.async.wait_group", "cp.async.bulk.wait_group", "cp.async.bulk.wait_group.read"] {
        same(wait, ["64", "63"]);
        same(wait, ["-1", "63"]);
        same(wait, ["4294967296", "0"]);
    }
    assert_ne!(lowered("cp.async.wait_group 62;"), lowered("cp.async.wait_group 63;"));
}

#[test]
fn forms_without_a_meaning_have_a_reason() {
    let lookup = "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}";
    for (text, why) in [
        ("tensormap.replace.tile.global_stride.global.b1024.b64 [%d0], 4, %d0;", "four strides"),
        ("txq.memory_layout.b32 %r1, [t];", "no memory layout"),
        ("tex.grad.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t,{%r0,%r0}], {%f0,%f0}, {%f0,%f0};", "whole numbers"),
        (&format!("{lookup}, [t,s,{{%f0,%f0}}];"), "the initial value of the sampler s"),
    ] {
        let found = lowered(text).unwrap_err();
        assert!(found.iter().any(|reason| reason.contains(why)), "{text}: {found:?}");
    }
    assert!(lowered(&format!("{lookup}, [t,plain,{{%f0,%f0}}];")).is_ok());
}

#[test]
fn an_address_of_32_bits_has_zeros_above() {
    for text in ["fence.proxy.tensormap::generic.acquire.cta [%r0], 128;", "prefetch.tensormap [%r0];"] {
        assert!(lowered(text).unwrap().contains("zext"), "{text}: {:?}", lowered(text));
    }
}

#[test]
fn a_signed_address_maps_as_another() {
    let of = |ty: &str| lowered(&format!("mapa.shared::cluster.{ty}32 %r1, %r0, 3; st.global.b32 [%d0], %r1;"));
    assert!(of("u").is_ok());
    assert_eq!(of("s"), of("u"));
}
