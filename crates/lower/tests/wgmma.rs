//! Matrix products of a warpgroup: what each wait completes, and registers that are used too early.

use raddle_diag::{Diags, SourceMap};
use raddle_ir::{CodegenOptions, Cx, Stop, text};
use raddle_lower::{Input, lower};
use raddle_ptx::{outline, parse_body};
use raddle_target::Target;

const FIRST: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %d0, %d0, 1, 1, 1, 0, 0;\n";
const SECOND: &str =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4,%f5,%f6,%f7}, {%r0,%r1,%r2,%r3}, %d0, 1, 1, 1, 0;\n";
const COMMIT: &str = "wgmma.commit_group.sync.aligned;\n";

/// Lowers a body; returns the operations, or the reasons why it is unsupported.
fn lowered(insts: &str) -> Result<Vec<String>, Vec<String>> {
    let source = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .f32 %f<9>; .reg .b32 %r<4>; \
         .reg .b64 %d<2>; .reg .pred %p;\nld.param.u64 %d0, [p]; ld.global.v4.b32 {{%r0,%r1,%r2,%r3}}, [%d0]; \
         ld.global.v4.f32 {{%f0,%f1,%f2,%f3}}, [%d0]; ld.global.v4.f32 {{%f4,%f5,%f6,%f7}}, [%d0]; \
         setp.eq.u32 %p, %r0, 0;\n{insts}\nret;\n}}\n"
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
        Ok(f) => Ok(text::print(&f).lines().map(str::to_owned).collect()),
        Err(Stop::Unsupported(list)) => Err(list.into_iter().map(|u| u.why).collect()),
        Err(other) => panic!("{other:?}"),
    }
}

/// The waits of a body: groups, results, and operands that are no results.
fn waits(insts: &str) -> Vec<(u8, u16, usize)> {
    let lines = lowered(insts).unwrap_or_else(|why| panic!("{why:?}"));
    let wait = |line: &String| {
        let (_, rest) = line.split_once("wgmmawait.")?;
        let (numbers, args) = rest.split_once(' ').unwrap_or((rest, ""));
        let (groups, results) = numbers.split_once('.')?;
        let results: u16 = results.parse().ok()?;
        let count = args.split(',').filter(|arg| arg.trim().starts_with('v')).count();
        Some((groups.parse().ok()?, results, count - usize::from(results)))
    };
    lines.iter().filter_map(wait).collect()
}

#[test]
fn a_wait_completes_the_groups_that_are_old_enough() {
    let wait = |n: u32| format!("wgmma.wait_group.sync.aligned {n};\n");
    // Of two groups the first, then the other one with its registers of A.
    let text = [FIRST, COMMIT, SECOND, COMMIT, &wait(1), &wait(0)].concat();
    assert_eq!(waits(&text), [(1, 4, 0), (0, 4, 4)]);
    // What is in no group is not waited for.
    let text = [FIRST, COMMIT, SECOND, &wait(0), COMMIT, &wait(0)].concat();
    assert_eq!(waits(&text), [(0, 4, 0), (0, 4, 4)]);
}

#[test]
fn a_loop_that_leaves_a_group_pending_is_waited_for_after_it() {
    let text =
        ["L:\n", FIRST, COMMIT, "wgmma.wait_group.sync.aligned 1;\n@%p bra L;\nwgmma.wait_group.sync.aligned 0;\n"];
    assert_eq!(waits(&text.concat()), [(1, 0, 0), (0, 4, 0)]);
}

#[test]
fn products_are_waited_for_at_once_where_a_register_in_flight_is_used() {
    let text = [FIRST, COMMIT, "add.f32 %f8, %f1, %f1;\nwgmma.wait_group.sync.aligned 0;\n"].concat();
    assert_eq!(waits(&text), [(0, 4, 0), (0, 4, 0)]);
    let text = [SECOND, COMMIT, "mov.b32 %r2, 0;\nwgmma.wait_group.sync.aligned 0;\n"].concat();
    assert_eq!(waits(&text), [(0, 4, 4), (0, 4, 4)]);
}
