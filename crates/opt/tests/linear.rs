//! Passes take steps about linear in the size of the function: four times the instructions, or
//! blocks, take less than five times the steps. Steps are counted by the context's fuel, not by a
//! clock.
#![forbid(unsafe_code)]

use std::fmt::Write as _;

use raddle_ir::{CodegenOptions, Cx, OptLevel, text};
use raddle_target::Target;

/// Returns the steps that all passes take on a function.
fn steps(source: &str) -> u64 {
    let mut f = text::parse(source).unwrap().remove(0);
    raddle_ir::verify::verify(&f).unwrap();
    let options = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let cx = Cx::new(Target::by_name("sm_90").unwrap(), &options);
    const FUEL: u64 = 1 << 40;
    cx.fuel.set(Some(FUEL));
    raddle_opt::run(&cx, &mut f).unwrap();
    FUEL - cx.fuel.get().unwrap_or(0)
}

/// Returns a function of one block with `n` instructions on a few values.
fn straight(n: usize) -> String {
    let mut s = String::from("kernel k\nb0:\n  v0: b32 = special.smid\n  v1: b32 = special.clock\n");
    let ops = ["add", "mul", "xor", "and", "sub", "or"];
    for k in 2..n {
        let _ = writeln!(s, "  v{k}: b32 = {} v{}, v{}", ops[k % 6], k - 1, k - 2 + (k * 7 % 2) - (k % 5).min(k - 2));
    }
    let _ = write!(s, "  warpsync v{}\n  exit\nend\n", n - 1);
    s
}

/// Returns a function of `n` groups in sequence: a branch, one side of it, and a loop of one block.
fn ladder(n: usize) -> String {
    let mut s = String::from("kernel k\nb0:\n  v0: b32 = special.smid\n  v1: b32 = special.tid_x\n  jump b1(v0)\n");
    let mut v = 2;
    for k in 0..n {
        let (b, x) = (1 + 3 * k, v);
        let _ = write!(
            s,
            "b{b}(v{x}: b32):\n  v{}: b32 = mul v{x}, v1\n  v{}: p = icmp.lt.u v{}, v0\n  branch v{}, b{}, b{}(v{x})\n",
            v + 1,
            v + 2,
            v + 1,
            v + 2,
            b + 1,
            b + 2
        );
        let _ = write!(s, "b{}:\n  v{}: b32 = add v{}, v0\n  jump b{}(v{})\n", b + 1, v + 3, v + 1, b + 2, v + 3);
        let _ = write!(
            s,
            "b{}(v{}: b32):\n  v{}: b32 = mul v0, v1\n  v{}: b32 = add v{}, v{}\n  v{}: p = icmp.lt.u v{}, v0\n  branch v{}, b{}(v{}), b{}(v{})\n",
            b + 2,
            v + 4,
            v + 5,
            v + 6,
            v + 4,
            v + 5,
            v + 7,
            v + 6,
            v + 7,
            b + 2,
            v + 6,
            b + 3,
            v + 6
        );
        v += 8;
    }
    let _ = write!(s, "b{}(v{v}: b32):\n  warpsync v{v}\n  exit\nend\n", 1 + 3 * n);
    s
}

#[test]
fn steps_are_linear_in_instructions() {
    let (few, many) = (steps(&straight(12_500)), steps(&straight(50_000)));
    assert!(many < 5 * few, "{few} steps became {many}");
}

#[test]
fn steps_are_linear_in_blocks() {
    let (few, many) = (steps(&ladder(420)), steps(&ladder(1_680)));
    assert!(many < 5 * few, "{few} steps became {many}");
}
