//! `.approx` and `.full` operations of our machine code, under every error of the multi-function
//! unit that PTX allows.
//!
//! PTX leaves the last bits open, so there is no exact reference: the interpreter defines each
//! operation as an expansion around the unit, and our code must give the same for every operand and
//! every result of the unit. Operands: all exponents with the neighbourhood of powers of two and of
//! the midpoints between them, zeros, infinities, NaNs, and a random sample.

use raddle_sim::float::F32;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::{Memory, Segment};
use raddle_sim::mufu::Mufu;
use raddle_sim::{interp, machine};
use raddle_tests::compile::cubin_at;
use raddle_tests::exhaustive::{SETTINGS, ops};
use raddle_tests::level::Level;
use raddle_tests::simulator;

/// Operations of one operand with and without `.ftz`; division gets a second operand.
const OPERATIONS: &[&str] = &["rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "div", "div.full"];

/// The instruction, from `%x` and `%z` to `%y`; `None` for a form that PTX does not have.
fn instruction(operation: &str, ftz: &str) -> Option<String> {
    Some(match operation {
        "tanh" if !ftz.is_empty() => return None,
        "div" => format!("div.approx{ftz}.f32 %y, %x, %z;"),
        "div.full" => format!("div.full{ftz}.f32 %y, %x, %z;"),
        _ => format!("{operation}.approx{ftz}.f32 %y, %x;"),
    })
}

fn kernel(instruction: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u64 in, .param .u64 by)\n{{\n\
         .reg .b32 %r<3>;\n.reg .f32 %x, %y, %z;\n.reg .b64 %rd<4>;\n\
         ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [by];\n\
         mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r0, %r1, %r2, %r0;\n\
         mul.wide.u32 %rd3, %r0, 4;\nadd.u64 %rd0, %rd0, %rd3;\nadd.u64 %rd1, %rd1, %rd3;\nadd.u64 %rd2, %rd2, %rd3;\n\
         ld.global.f32 %x, [%rd1];\nld.global.f32 %z, [%rd2];\n{instruction}\nst.global.f32 [%rd0], %y;\nret;\n}}\n"
    )
}

const THREADS: usize = 256;

/// The results for the operands in interpreter or simulator.
fn run(operands: [&[u32]; 2], mufu: Mufu, machine: impl FnOnce(&Launch, &mut Memory)) -> Vec<u8> {
    let mut memory = Memory::new();
    let mut launch = Launch::new("k");
    launch.mufu = mufu;
    launch.grid = Dim3::new((operands[0].len() / THREADS) as u32, 1, 1);
    launch.block = Dim3::new(THREADS as u32, 1, 1);
    let out = memory.add_segment("results", Segment::undefined(4 * operands[0].len()), true);
    launch.args.push(Arg::Buffer(out));
    for list in operands {
        let bytes = list.iter().flat_map(|x| x.to_le_bytes()).collect();
        launch.args.push(Arg::Buffer(memory.add("operands", bytes, false)));
    }
    machine(&launch, &mut memory);
    memory.read_back(out).unwrap().to_vec()
}

#[test]
fn every_error_of_the_unit_gives_what_the_interpreter_gives() {
    let mut x: Vec<u32> = ops::specials(&F32).into_iter().map(|x| x as u32).collect();
    x.extend((0..4096u32).map(|n| n.wrapping_mul(0x9e37_79b9)));
    x.resize(x.len().next_multiple_of(THREADS), 0);
    // Every exponent is combined with many others.
    let by: Vec<u32> = (0..x.len()).map(|n| x[n * 4099 % x.len()]).collect();
    let mut judged = 0;
    for (n, (operation, ftz)) in OPERATIONS.iter().flat_map(|op| ["", ".ftz"].map(|ftz| (op, ftz))).enumerate() {
        let Some(instruction) = instruction(operation, ftz) else { continue };
        let text = kernel(&instruction);
        let arch = ["sm_80", "sm_90"][n % 2];
        for level in [Level::O0, Level::O3] {
            let code = cubin_at(&text, arch, level).unwrap();
            for error in SETTINGS {
                let mufu = Mufu { error };
                let want = run([&x, &by], mufu, |launch, memory| {
                    interp::run(&text, launch, memory).unwrap();
                });
                let setup = || machine::Setup { mufu, ..machine::Setup::default() };
                let got = run([&x, &by], mufu, |launch, memory| {
                    drop(simulator::run_with(&code, launch, memory, setup()).unwrap());
                });
                let differs = got.chunks(4).zip(want.chunks(4)).position(|(got, want)| got != want);
                if let Some(at) = differs {
                    let word = |bytes: &[u8]| u32::from_le_bytes(bytes[4 * at..][..4].try_into().unwrap());
                    let (x, by, got, want) = (x[at], by[at], word(&got), word(&want));
                    panic!("{instruction} under {error:?}, {level:?}: {x:#x}, {by:#x} gives {got:#x}, not {want:#x}");
                }
                judged += 1;
            }
        }
    }
    assert_eq!(judged, (2 * OPERATIONS.len() - 1) * 2 * SETTINGS.len());
}
