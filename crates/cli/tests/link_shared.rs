//! `raddle link`: the shared memory of kernels.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::oracle;

/// Two kernels and a function. `wide` uses all variables, `narrow` one of those that the kernels
/// name themselves; both call `count`, which has a variable of its own.
const SHARED: &str = "\
.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .b8 large[4096];
.shared .align 4 .b32 word;
.shared .align 4 .b8 counts[512];
.visible .func (.param .b32 r) count(.param .b32 at)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [at];
  mov.b32 %r2, counts;
  add.s32 %r2, %r2, %r1;
  ld.volatile.shared.b32 %r3, [%r2];
  add.s32 %r3, %r3, 1;
  st.volatile.shared.b32 [%r2], %r3;
  st.param.b32 [r], %r3;
  ret;
}
.visible .entry wide(.param .u64 p)
{
  .reg .b32 %r<6>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
  st.volatile.shared.b32 [word], 40;
  st.volatile.shared.b32 [large+4092], 500;
  st.volatile.shared.b32 [counts+8], 6000;
  { .param .b32 at; .param .b32 r; st.param.b32 [at], 8; call.uni (r), count, (at); ld.param.b32 %r1, [r]; }
  ld.volatile.shared.b32 %r2, [word];
  ld.volatile.shared.b32 %r3, [large+4092];
  add.s32 %r1, %r1, %r2;
  add.s32 %r1, %r1, %r3;
  st.global.u32 [%d1], %r1;
  ret;
}
.visible .entry narrow(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
  st.volatile.shared.b32 [word], 70;
  st.volatile.shared.b32 [counts+8], 800;
  { .param .b32 at; .param .b32 r; st.param.b32 [at], 8; call.uni (r), count, (at); ld.param.b32 %r1, [r]; }
  ld.volatile.shared.b32 %r2, [word];
  add.s32 %r1, %r1, %r2;
  st.global.u32 [%d1], %r1;
  ret;
}
";

#[test]
fn a_kernel_has_the_shared_memory_of_its_own_variables_and_of_its_functions() {
    let bench = Bench::new();
    let (text, object, out) = (bench.file("shared.ptx", SHARED), bench.path("shared.o"), bench.path("out.cubin"));
    let done = |ran: Ran| assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    done(raddle(&["compile", "-c", &text, "-o", &object]));
    if let Some(ptxas) = oracle::require("ptxas") {
        let theirs = bench.path("theirs.o");
        ptxas.run(&["-c", "-arch=sm_90", &text, "-o", &theirs]).unwrap();
        done(raddle(&["link", &theirs, "-o", &out]));
        check(&bench, &out);
    }
    done(raddle(&["link", &object, "-o", &out]));
    check(&bench, &out);

    /// Sizes and results.
    fn check(bench: &Bench, cubin: &str) {
        let parsed = raddle_cubin::Cubin::parse(&std::fs::read(cubin).unwrap()).unwrap();
        // `counts`, which a function uses, is at the start in both; sm_90 keeps 1,024 bytes.
        for (name, size, want) in [("wide", 512 + 4 + 4096, 6001 + 40 + 500), ("narrow", 512 + 4, 801 + 70)] {
            let kernels = parsed.kernels();
            let kernel = kernels.iter().find(|kernel| kernel.name == name).unwrap();
            assert_eq!(kernel.shared_size, 1024 + size, "{name} in {cubin}");
            let buffer = bench.file("buffer", [0; 4]);
            let ran = raddle(&["run", cubin, "--kernel", name, "--arg", &format!("inout:{buffer}")]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(u32::from_le_bytes(std::fs::read(&buffer).unwrap().try_into().unwrap()), want, "{name}");
        }
    }
}
