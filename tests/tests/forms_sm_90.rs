//! Rare spellings of sm_90: our machine code and that of ptxas give in the simulator what the
//! interpreter computes of the PTX, at all levels, with ordinary memory and with multicast memory.

use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{AllocId, Memory};
use raddle_tests::compile::{How, cubin};
use raddle_tests::ptxas::Assembler;
use raddle_tests::simulator;

/// Threads of the one block.
const THREADS: u32 = 64;
/// Bytes of each thread in either buffer.
const STRIDE: u32 = 64;
const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// A kernel with this body: `%a` points to 64 bytes of the thread in the first buffer, `%o` in the
/// second; `%f` holds small whole numbers.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .shared .align 16 .b8 s[1024];\n.reg .b64 %a, %o, %g, %d<20>;\n.reg .b32 %t, %r<20>;\n.reg .b16 %h<20>;\n.reg .f32 %f<9>;\n\
         .reg .f64 %e<5>;\n.reg .b128 %q<5>;\n.reg .pred %p<9>;\nld.param.u64 %a, [in];\nld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\n\
         mul.wide.u32 %d0, %t, {STRIDE};\nadd.u64 %a, %a, %d0;\nadd.u64 %o, %o, %d0;\ncvta.global.u64 %g, %o;\n\
         cvt.rn.f32.u32 %f1, %t;\nadd.f32 %f2, %f1, 0f3f800000;\nadd.f32 %f3, %f1, 0fc0000000;\nadd.f32 %f4, %f1, 0f40400000;\n\
         {body}\nret;\n}}\n"
    )
}

/// Numbers of 16 bits that are finite in either format and not too far apart.
fn input(devices: u32) -> Vec<u8> {
    let words = (0..THREADS * STRIDE / 4 * devices).map(|n| {
        let n = n.wrapping_mul(0x9e37_79b9);
        n & 0x83ff_83ff | 0x3c00_4000 | (n >> 7 & 0x0400)
    });
    words.flat_map(u32::to_le_bytes).collect()
}

/// A launch with the memory of this many devices, and the two buffers that it may change.
fn launch(memory: &mut Memory, devices: u32) -> (Launch, [AllocId; 2]) {
    let of_devices = memory.add("in", input(devices), true);
    let out = memory.add("out", vec![0; (THREADS * STRIDE) as usize], true);
    let given = if devices == 1 { of_devices } else { memory.add_multicast("group", of_devices, devices) };
    let mut launch = Launch::new("k");
    launch.block = Dim3::new(THREADS, 1, 1);
    launch.args.extend([Arg::Buffer(given), Arg::Buffer(out)]);
    (launch, [of_devices, out])
}

fn check_on(body: &str, devices: &[u32]) {
    let text = kernel(body);
    let ptxas = oracle::require("ptxas");
    let assembler = ptxas.as_ref().map(|ptxas| Assembler::new(ptxas).unwrap());
    let mut codes: Vec<(String, Vec<u8>)> = LEVELS
        .map(|opt| {
            let how = How { arch: "sm_90", opt, jobs: 1, chaos: None };
            (format!("{opt:?}"), cubin(&text, how).unwrap_or_else(|e| panic!("{e:#}\n{text}")))
        })
        .into();
    if let Some(assembler) = &assembler {
        codes.push(("ptxas".into(), assembler.assemble(&text, "sm_90").unwrap()));
    }
    for &devices in devices {
        let mut memory = Memory::new();
        let (l, buffers) = launch(&mut memory, devices);
        interp::run(&text, &l, &mut memory).unwrap_or_else(|e| panic!("{devices} devices: {e}\n{text}"));
        let want = buffers.map(|id| memory.read_back(id).unwrap().to_vec());
        assert!(want[0] != input(devices) || want[1].iter().any(|&b| b != 0), "nothing is written: {text}");
        for (name, code) in &codes {
            let mut memory = Memory::new();
            let (l, buffers) = launch(&mut memory, devices);
            simulator::run(code, &l, &mut memory).unwrap_or_else(|e| panic!("{name}, {devices} devices: {e}\n{text}"));
            let got = buffers.map(|id| memory.read_back(id).unwrap().to_vec());
            assert!(got == want, "{name}, {devices} devices: {text}");
        }
    }
}

#[test]
fn loads_combine_what_all_devices_have() {
    let loads = |forms: &[&str]| check_on(&forms.join("\n"), &[1, 3]);
    loads(&[
        "multimem.ld_reduce.add.u32 %r1, [%a];",
        "multimem.ld_reduce.global.min.u32 %r2, [%a+4];",
        "multimem.ld_reduce.weak.global.max.s32 %r3, [%a+8];",
        "multimem.ld_reduce.relaxed.gpu.global.min.s32 %r4, [%a+12];",
        "multimem.ld_reduce.acquire.sys.global.and.b32 %r5, [%a+16];",
        "multimem.ld_reduce.acquire.cta.global.or.b32 %r6, [%a+20];",
        "multimem.ld_reduce.global.xor.b32 %r7, [%a+24];",
        "multimem.ld_reduce.global.add.s32 %r8, [%a+28];",
        "st.global.v4.b32 [%o], {%r1, %r2, %r3, %r4};\nst.global.v4.b32 [%o+16], {%r5, %r6, %r7, %r8};",
    ]);
    loads(&[
        "multimem.ld_reduce.global.add.u64 %d1, [%a];",
        "multimem.ld_reduce.relaxed.cluster.global.min.s64 %d2, [%a+8];",
        "multimem.ld_reduce.global.max.u64 %d3, [%a+16];",
        "multimem.ld_reduce.global.xor.b64 %d4, [%a+24];",
        "multimem.ld_reduce.global.add.f64 %e1, [%a+32];",
        "st.global.v2.b64 [%o], {%d1, %d2};\nst.global.v2.b64 [%o+16], {%d3, %d4};\nst.global.f64 [%o+32], %e1;",
    ]);
    loads(&[
        "multimem.ld_reduce.global.add.f32 %f1, [%a];",
        "multimem.ld_reduce.global.add.v2.f32 {%f2, %f3}, [%a+8];",
        "multimem.ld_reduce.global.add.v4.f32 {%f5, %f6, %f7, %f8}, [%a+16];",
        "st.global.v2.f32 [%o], {%f1, %f2};\nst.global.f32 [%o+8], %f3;\nst.global.v4.f32 [%o+16], {%f5, %f6, %f7, %f8};",
    ]);
    for ty in ["f16", "bf16"] {
        loads(&[
            &format!("multimem.ld_reduce.global.add.{ty}x2 %r1, [%a];"),
            &format!("multimem.ld_reduce.global.add.acc::f32.{ty}x2 %r2, [%a+4];"),
            &format!("multimem.ld_reduce.global.min.v2.{ty}x2 {{%r3, %r4}}, [%a+8];"),
            &format!("multimem.ld_reduce.relaxed.sys.global.max.v4.{ty}x2 {{%r5, %r6, %r7, %r8}}, [%a+16];"),
            &format!("multimem.ld_reduce.global.add.acc::f32.v2.{ty} {{%h1, %h2}}, [%a+32];"),
            &format!("multimem.ld_reduce.global.add.v4.{ty} {{%h3, %h4, %h5, %h6}}, [%a+40];"),
            &format!("multimem.ld_reduce.global.max.v8.{ty} {{%h7, %h8, %h9, %h10, %h11, %h12, %h13, %h14}}, [%a+48];"),
            "st.global.v4.b32 [%o], {%r1, %r2, %r3, %r4};\nst.global.v4.b32 [%o+16], {%r5, %r6, %r7, %r8};",
            "st.global.v2.b16 [%o+32], {%h1, %h2};\nst.global.v4.b16 [%o+40], {%h3, %h4, %h5, %h6};",
            "st.global.v4.b16 [%o+48], {%h7, %h8, %h9, %h10};\nst.global.v4.b16 [%o+56], {%h11, %h12, %h13, %h14};",
        ]);
    }
}

#[test]
fn stores_and_reductions_reach_all_devices() {
    check_on(
        "mov.b64 %d1, {%t, %t}; cvt.f64.f32 %e1, %f2; cvt.rn.f16x2.f32 %r1, %f1, %f2; cvt.rn.f16x2.f32 %r2, %f3, %f4;\n\
         mov.b32 {%h1, %h2}, %r1;\n\
         multimem.st.global.u32 [%a], %t;\nmultimem.st.weak.b32 [%a+4], %r1;\nmultimem.st.relaxed.sys.global.s64 [%a+8], %d1;\n\
         multimem.st.release.gpu.global.v4.f32 [%a+16], {%f1, %f2, %f3, %f4};\nmultimem.st.global.v2.f16 [%a+32], {%h1, %h2};\n\
         multimem.st.global.f64 [%a+40], %e1;\nmultimem.st.global.v4.bf16x2 [%a+48], {%r1, %r2, %r1, %r2};",
        &[1, 3],
    );
    check_on(
        "mov.b64 %d1, {%t, %t}; cvt.rn.f16x2.f32 %r1, %f1, %f2; cvt.rn.f16x2.f32 %r2, %f3, %f4;\n\
         multimem.red.global.add.u32 [%a], %t;\nmultimem.red.relaxed.sys.global.min.s32 [%a+4], %r1;\n\
         multimem.red.release.gpu.global.xor.b64 [%a+8], %d1;\nmultimem.red.global.add.v4.f32 [%a+16], {%f1, %f2, %f3, %f4};\n\
         multimem.red.add.f32 [%a+32], %f4;\nmultimem.red.global.or.b32 [%a+36], %r2;\nmultimem.red.relaxed.cta.global.max.u64 [%a+40], %d1;\n\
         multimem.red.global.add.f16x2 [%a+48], %r1;\nmultimem.red.relaxed.sys.global.max.v2.f16x2 [%a+56], {%r1, %r2};",
        &[1, 3],
    );
    check_on(
        "cvt.rn.bf16x2.f32 %r1, %f1, %f2; mov.b32 {%h1, %h2}, %r1; cvt.f64.f32 %e1, %f2;\n\
         multimem.red.global.add.v8.bf16 [%a], {%h1, %h2, %h2, %h1, %h1, %h1, %h2, %h2};\n\
         multimem.red.global.min.v4.bf16 [%a+16], {%h1, %h2, %h2, %h1};\nmultimem.red.global.add.f64 [%a+24], %e1;\n\
         multimem.red.global.add.bf16x2 [%a+32], %r1;\nmultimem.red.global.add.v2.bf16x2 [%a+40], {%r1, %r1};",
        &[1, 3],
    );
}

#[test]
fn multicast_memory_takes_no_other_accesses() {
    let text = kernel("ld.global.b32 %r1, [%a]; st.global.b32 [%o], %r1;");
    let how = How { arch: "sm_90", opt: OptLevel::O3, jobs: 1, chaos: None };
    let code = cubin(&text, how).unwrap();
    for devices in [1, 2] {
        let mut memory = Memory::new();
        let (l, _) = launch(&mut memory, devices);
        let interpreted = interp::run(&text, &l, &mut memory).map(|_| ()).map_err(|e| e.to_string());
        let simulated = simulator::run(&code, &l, &mut memory).map(|_| ()).map_err(|e| e.to_string());
        for found in [interpreted, simulated] {
            let refused = found.is_err_and(|e| e.contains("the multicast buffer group"));
            assert_eq!(refused, devices == 2);
        }
    }
}

#[test]
fn vector_atomics_at_generic_addresses() {
    check_on(
        "st.v2.f32 [%g], {%f1, %f2};\natom.add.v2.f32 {%f5, %f6}, [%g], {%f3, %f4};\nred.relaxed.gpu.add.v4.f32 [%g+16], {%f1, %f2, %f3, %f4};\n\
         st.v2.f32 [%g+8], {%f5, %f6};\ncvt.rn.f16x2.f32 %r1, %f1, %f2; mov.b32 {%h1, %h2}, %r1;\n\
         atom.acq_rel.sys.add.noftz.v2.f16 {%h3, %h4}, [%g+32], {%h1, %h2};\natom.max.noftz.v4.bf16x2 {%r2, %r3, %r4, %r5}, [%g+48], {%r1, %r1, %r1, %r1};\n\
         red.add.noftz.v2.f16x2 [%g+40], {%r1, %r1};",
        &[1],
    );
}

#[test]
fn atomics_of_128_bits_in_shared_memory() {
    check_on(
        "setp.gt.u32 %p1, %t, 15; shl.b32 %r1, %t, 4; and.b32 %r1, %r1, 240; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\n\
         ld.global.v2.b64 {%d1, %d2}, [%a]; mov.b128 %q1, {%d1, %d2}; mov.b128 %q2, {%d2, %d1};\n\
         @!%p1 st.shared.v2.b64 [%r1], {%d1, %d2};\nbar.sync 0;\n\
         @!%p1 atom.shared.cas.b128 %q3, [%r1], %q1, %q2;\n@!%p1 atom.shared::cta.exch.b128 %q4, [%r1], %q1;\n\
         @!%p1 mov.b128 {%d3, %d4}, %q3;\n@!%p1 mov.b128 {%d5, %d6}, %q4;\n\
         @!%p1 st.global.v2.b64 [%o], {%d3, %d4};\n@!%p1 st.global.v2.b64 [%o+16], {%d5, %d6};",
        &[1],
    );
}

#[test]
fn unified_addresses_of_a_program_without_unified_variables() {
    check_on(
        "ld.global.b32 %r1, [%a].unified;\nld.v2.b32 {%r2, %r3}, [%a+8].unified;\nld.relaxed.gpu.global.b64 %d1, [%a+16].unified;\n\
         st.global.v2.b32 [%o], {%r1, %r2};\nst.global.b32 [%o+8], %r3;\nst.global.b64 [%o+16], %d1;",
        &[1],
    );
}

#[test]
fn windows_of_short_addresses() {
    check_on(
        "mov.u32 %r1, s;\nisspacep.shared::cluster %p1, %r1;\nisspacep.shared %p2, %r1;\nselp.u32 %r2, 1, 2, %p1;\nselp.u32 %r3, 4, 8, %p2;\n\
         add.u32 %r2, %r2, %r3;\nst.global.u32 [%o], %r2;",
        &[1],
    );
}
