//! Code generation from PTX: output of passes, facts of objects, launch bounds, errors.

#[path = "common/mod.rs"]
mod common;

use std::cell::RefCell;

use raddle_ir::{CodegenOptions, Observer, OptLevel, Stop, cx::NullObserver};

/// Keeps the output of one pass.
struct Keep(&'static str, RefCell<String>);

impl Observer for Keep {
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        if pass == self.0 {
            *self.1.borrow_mut() = text();
        }
    }
}

fn kernel(params: &str, body: &str) -> String {
    format!(
        ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k({params})\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<99>;\n\
         .reg .b64 %rd<20>;\n.reg .f32 %f<20>;\n{body}\nret;\n}}\n"
    )
}

fn sass(src: &str, arch: &str, opt: OptLevel) -> String {
    let keep = Keep("sass", RefCell::default());
    common::compile(src, arch, opt, &keep).unwrap();
    keep.1.into_inner()
}

#[test]
fn a_guarded_store_becomes_a_branch_around_it() {
    let src = kernel(
        ".param .u64 p",
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 st.global.u32 [%rd1+16], %r1;\n\
         bar.sync 0;\nst.global.u32 [%rd1], %r1;",
    );
    let text = sass(&src, "sm_90", OptLevel::O1);
    for want in [
        "S2R R",
        "ISETP.LT.U32.AND P0, PT, R",
        "BSSY B0",
        "BSYNC B0",
        "desc[UR4]",
        "+0x10]",
        "BAR.SYNC.DEFER_BLOCKING 0x0",
    ] {
        assert!(text.contains(want), "no {want} in\n{text}");
    }
}

#[test]
fn a_loop_sets_its_barrier_before_it() {
    let src = kernel(
        ".param .u64 p",
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 3;\nsetp.lt.u32 %p1, %r2, %r1;\n\
         @%p1 bra L;\nst.global.u32 [%rd1], %r2;",
    );
    let text = sass(&src, "sm_80", OptLevel::O1);
    let (set, back, meet) = (text.find("BSSY"), text.find("BRA"), text.find("BSYNC"));
    assert!(set.is_some() && set < back && back < meet, "{text}");
}

#[test]
fn objects_carry_their_facts() {
    let src = kernel(
        ".param .u64 p, .param .u32 n",
        ".shared .align 16 .b8 tile[512];\n.local .align 8 .b8 buf[40];\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\n\
         st.local.u32 [buf+4], %r1;\nld.local.u32 %r2, [buf+4];\nst.shared.u32 [tile+8], %r2;\nbar.sync 3;\n\
         ld.shared.u32 %r3, [tile+8];\nst.global.u32 [%rd1], %r3;",
    );
    // Optimisation would remove the local variable.
    let unit = common::compile(&src, "sm_90", OptLevel::O0, &NullObserver).unwrap();
    let f = &unit.functions[0];
    let entry = f.entry.as_ref().unwrap();
    assert_eq!(entry.params.iter().map(|p| (p.offset, p.size)).collect::<Vec<_>>(), [(0, 8), (8, 4)]);
    assert_eq!((f.shared.size, f.shared.align, f.barriers, f.frame_size), (512, 16, 4, 48));
    assert_eq!((f.marks.exits.len(), f.marks.s2r_ctaid.len()), (1, 1));
    assert!(f.registers >= 4 && f.code.len().is_multiple_of(16));
}

/// A sum of more loaded values than there are registers, all loaded before the first is used.
fn pressure() -> String {
    let mut body = String::from("ld.param.u64 %rd1, [p];\n");
    (1..60).for_each(|n| body.push_str(&format!("ld.global.u32 %r{n}, [%rd1+{}];\n", 4 * n)));
    body.push_str("bar.sync 0;\nmov.u32 %r60, 0;\n");
    (1..60).for_each(|n| body.push_str(&format!("xor.b32 %r60, %r60, %r{n};\n")));
    body.push_str("st.global.u32 [%rd1], %r60;");
    kernel(".param .u64 p", &body)
}

#[test]
fn bounds_on_registers_are_obeyed_by_spilling() {
    let free = common::compile(&pressure(), "sm_90", OptLevel::O1, &NullObserver).unwrap();
    assert!(free.functions[0].registers > 60 && free.functions[0].spill_bytes == (0, 0));
    let options = CodegenOptions { maxrregcount: Some(32), ..CodegenOptions::default() };
    let bound = common::compile_with(&pressure(), "sm_90", &options, &NullObserver).unwrap();
    let f = &bound.functions[0];
    assert!(f.registers <= 32, "{} registers", f.registers);
    assert!(f.spill_bytes.0 > 0 && f.spill_bytes.1 >= f.spill_bytes.0 && f.frame_size > 0);
    let src = pressure().replace("(.param .u64 p)", "(.param .u64 p)\n.maxntid 1024, 1, 1\n.minnctapersm 2");
    let launch = common::compile(&src, "sm_90", OptLevel::O1, &NullObserver).unwrap();
    assert!(launch.functions[0].registers <= 32, "{} registers", launch.functions[0].registers);
}

/// Windows are read as ptxas 13.0.88 reads them.
#[test]
fn generic_addresses_of_banks_come_from_the_driver() {
    let src = kernel(
        ".param .u64 p, .param .u32 q",
        "ld.param.u64 %rd1, [p];\nmov.b64 %rd2, q;\ncvta.param.u64 %rd2, %rd2;\ncvta.const.u64 %rd3, 0;\n\
         st.global.u64 [%rd1], %rd2;\nst.global.u64 [%rd1+8], %rd3;",
    );
    for (arch, param, constant) in
        [("sm_80", "c[0x0][0x40]", "c[0x0][0x50]"), ("sm_90", "c[0x0][0x198]", "c[0x0][0xd0]")]
    {
        let unit = common::compile(&src, arch, OptLevel::O1, &NullObserver).unwrap();
        let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
        let text: Vec<String> = raddle_sim::hazard_check::instructions(isa, &unit.functions[0].code)
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        let text = text.join("\n");
        assert!(text.contains(param) && text.contains(constant), "{arch}:\n{text}");
    }
}

/// The forms of ptxas 13.0.88 for barrier numbers and counts in registers.
#[test]
fn barriers_take_registers() {
    let src = kernel(
        ".param .u64 p",
        "ld.param.u64 %rd1, [p];\nld.global.v2.u32 {%r3, %r4}, [%rd1];\nmov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n\
         barrier.sync %r3, %r4;\nbarrier.sync 3, %r4;\nbarrier.sync %r3, 64;\nbarrier.sync %r3;\nbar.arrive 2, %r4;\n\
         barrier.red.popc.u32 %r5, %r3, %r4, %p1;\nbar.red.and.pred %p2, %r3, 64, !%p1;\nbar.red.or.pred %p3, 5, %r4, %p1;\n\
         @%p2 add.u32 %r5, %r5, 1;\n@%p3 add.u32 %r5, %r5, 2;\nst.global.u32 [%rd1], %r5;",
    );
    let text = sass(&src, "sm_90", OptLevel::O1);
    let bars: Vec<&str> = text.lines().filter_map(|l| l.split_once("BAR.")).map(|l| l.1).collect();
    let register = |s: &str| s.starts_with('R') && s[1..].chars().all(|c| c.is_ascii_digit());
    let shapes: Vec<String> = bars
        .iter()
        .map(|b| {
            let (name, operands) = b.trim_end_matches(';').split_once(' ').unwrap();
            let operands = operands.split(", ").map(|o| if register(o) { "R" } else { o.trim_start_matches('!') });
            let operands: Vec<&str> = operands.map(|o| if o.starts_with('P') { "P" } else { o }).collect();
            format!("{} {}", name.split('.').next().unwrap(), operands.join(", "))
        })
        .collect();
    let want = [
        "SYNC R, R",
        "SYNC 0x3, R",
        "SYNC R, 0x40",
        "SYNC R",
        "ARV 0x2, R",
        "RED R, R, P",
        "RED R, 0x40, P",
        "RED 0x5, R, P",
    ];
    assert_eq!(shapes, want, "{text}");
}

#[test]
fn all_that_is_not_supported_is_listed() {
    let src = kernel(
        ".param .u64 p",
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ntxq.memory_layout.b32 %r1, [%rd1];\ntxq.memory_layout.b32 %r2, [%rd1];\nst.global.u32 [%rd1], %r1;",
    );
    match common::compile(&src, "sm_80", OptLevel::O1, &NullObserver) {
        Err(Stop::Unsupported(list)) => {
            let what: Vec<&str> = list.iter().map(|u| u.what.as_str()).collect();
            assert_eq!(what.len(), 2, "{what:?}");
            assert!(list.iter().all(|u| u.kernel == "k"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytes_are_the_same_every_time() {
    let src = std::fs::read_to_string(common::corpus().join("kernels/scan/nvcc.ptx")).unwrap();
    let once = common::compile(&src, "sm_90", OptLevel::O1, &NullObserver).unwrap();
    for _ in 0..3 {
        assert_eq!(common::compile(&src, "sm_90", OptLevel::O1, &NullObserver).unwrap(), once);
    }
}

/// A `brx.idx` with many targets jumps through a table as in ptxas output: code offsets in constant
/// bank 2, and the facts that tools need.
#[test]
fn a_branch_by_an_index_has_a_table() {
    let labels: Vec<String> = (0..12).map(|n| format!("L{n}")).collect();
    let mut body = format!(
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 7;\nT: .branchtargets {};\nbrx.idx %r1, T;\n",
        labels.join(", ")
    );
    for l in &labels {
        body.push_str(&format!("{l}: st.global.u32 [%rd1], {};\nbra E;\n", &l[1..]));
    }
    body.push_str("E: st.global.u32 [%rd1+4], %r1;");
    let src = kernel(".param .u64 p", &body);
    for (arch, opt) in [("sm_80", OptLevel::O0), ("sm_90", OptLevel::O1)] {
        let unit = common::compile(&src, arch, opt, &NullObserver).unwrap();
        let f = &unit.functions[0];
        let [branch] = &f.marks.indirect_branches[..] else { panic!("{:?}", f.marks.indirect_branches) };
        assert_eq!((branch.targets.len(), f.constants.bytes.len(), f.constants.relocations.len()), (12, 48, 12));
        let isa = raddle_target::Target::by_name(arch).unwrap().native.unwrap().isa;
        let code = raddle_sim::hazard_check::instructions(isa, &f.code).unwrap();
        let text = code[branch.offset as usize / 16].to_string();
        assert!(text.starts_with("BRX R") && text.ends_with(&format!("-{:#x}", branch.offset + 16)), "{text}");
        for (target, r) in branch.targets.iter().zip(&f.constants.relocations) {
            assert_eq!(i64::from(*target), r.addend);
            assert!(*target % 16 == 0 && *target < f.code.len() as u32);
        }
        assert!(code.iter().any(|i| i.to_string().starts_with("BSSY")), "the threads meet again");
    }
}

/// Offsets of parameters as ptxas 13.0.88 writes them to EIATTR_KPARAM_INFO: they are aligned
/// within the constant bank, where parameters begin at 0x160 or 0x210.
#[test]
fn parameters_are_aligned_in_their_bank() {
    let cases: [(&str, &[u16], &[u16]); 6] = [
        (".param .align 64 .b8 a[128]", &[0x20], &[0x30]),
        (".param .u32 x, .param .align 64 .b8 a[128]", &[0, 0x20], &[0, 0x30]),
        (".param .align 128 .b8 a[4], .param .u32 b", &[0x20, 0x24], &[0x70, 0x74]),
        (".param .u32 x, .param .align 32 .b8 d[32]", &[0, 0x20], &[0, 0x10]),
        (
            ".param .u32 x, .param .align 16 .b8 a[16], .param .u8 c, .param .align 32 .b8 d[32], .param .u64 e",
            &[0, 0x10, 0x20, 0x40, 0x60],
            &[0, 0x10, 0x20, 0x30, 0x50],
        ),
        (
            ".param .u8 a, .param .u16 b, .param .u8 c, .param .align 4 .b8 d[3], .param .u8 e",
            &[0, 2, 4, 8, 11],
            &[0, 2, 4, 8, 11],
        ),
    ];
    for (params, ampere, hopper) in cases {
        for (arch, want) in [("sm_80", ampere), ("sm_89", ampere), ("sm_90", hopper)] {
            let unit = common::compile(&kernel(params, ""), arch, OptLevel::O1, &NullObserver).unwrap();
            let entry = unit.functions[0].entry.as_ref().unwrap();
            assert_eq!(entry.params.iter().map(|p| p.offset).collect::<Vec<_>>(), want, "{arch}: {params}");
        }
    }
}

/// Counts the copies of a loop body that runs eight times and shifts once; `{at}` are places for
/// pragmas.
fn copies(at: [&str; 6], opt: OptLevel) -> usize {
    let [module, header, before, label, body, tail] = at;
    let src = format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n{module}\n.visible .entry k(.param .u64 p) {header}\n{{\n.reg .pred %p<2>;\n\
         .reg .b32 %r<3>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r2, [%rd1];\n{before}\nmov.u32 %r1, 0;\n\
         {label}\nL:\n{body}\nshf.l.wrap.b32 %r2, %r2, %r2, %r1;\nxor.b32 %r2, %r2, 1234567;\nmul.lo.s32 %r2, %r2, 77;\n{tail}\n\
         add.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 8;\n@%p1 bra L;\nst.global.u32 [%rd1], %r2;\nret;\n}}\n"
    );
    sass(&src, "sm_90", opt).matches("SHF.L").count()
}

#[test]
fn a_loop_stays_rolled_where_ptx_says_so() {
    let pragma = ".pragma \"nounroll\";";
    // The places, and whether ptxas 13.0.88 obeys the pragma there.
    let heeded = [true, true, false, false, true, true];
    for (place, heeded) in heeded.into_iter().enumerate() {
        let mut at = [""; 6];
        at[place] = pragma;
        let unrolled = copies(at, OptLevel::O3);
        assert_eq!(unrolled == 1, heeded, "place {place}: {unrolled} copies");
    }
    assert!(copies([""; 6], OptLevel::O3) >= 7);
    // ptxas reports this as unsupported and ignores it.
    assert!(copies(["", "", "", "", ".pragma \"unroll 1\";", ""], OptLevel::O3) >= 7);
    for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O2] {
        assert_eq!(copies(["", "", "", "", pragma, ""], opt), 1);
    }
}
