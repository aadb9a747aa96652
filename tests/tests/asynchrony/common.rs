//! Kernels of one body, and their results under several seeds.

use std::fmt::Display;

use raddle_filetest::oracle;
use raddle_sim::failure::{Failure, FailureKind};
use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::machine::{self, Completion};
use raddle_sim::mem::Memory;
use raddle_target::Target;
use raddle_tests::compile;
use raddle_tests::level::Level;
use raddle_tests::ptxas::Assembler;
use raddle_tests::simulator;

/// Wraps a body in a kernel for sm_90 with one pointer `p` in `%p`, the thread number in `%t`, the
/// block number in `%c`, and `%p + 4 (block size %c + %t)` in `%q`. Shared memory: objects `m0` and
/// `m1`, and `s`, 4 KiB. `init(object, count)` etc. are the text that tests write out.
pub fn kernel(body: &str) -> String {
    kernel_with("", body)
}

/// [`kernel`] with directives.
pub fn kernel_with(directives: &str, body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{directives}\n{{\n\
         .reg .b32 %r<32>; .reg .b32 %t; .reg .b32 %c; .reg .b64 %p; .reg .b64 %q; .reg .b64 %d<16>; .reg .pred %b<16>;\n\
         .shared .align 8 .b64 m0; .shared .align 8 .b64 m1; .shared .align 128 .b8 s[4096];\n\
         ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x;\n\
         mov.u32 %r31, %ntid.x; mad.lo.u32 %r31, %c, %r31, %t; mul.wide.u32 %q, %r31, 4; add.u64 %q, %q, %p;\n\
         {body}\nret;\n}}\n"
    )
}

/// Initialises `m0` for this many arrivals, seen by all threads of the block.
pub fn with_object(count: u32, body: &str) -> String {
    format!("setp.eq.u32 %b15, %t, 0; @%b15 mbarrier.init.shared.b64 [m0], {count}; bar.sync 0;\n{body}")
}

/// A loop that waits for the phase of this parity of an object; `n` makes its label unique.
pub fn wait(object: &str, parity: u32, n: u32) -> String {
    format!("W{n}: mbarrier.try_wait.parity.shared.b64 %b14, [{object}], {parity}; @!%b14 bra W{n};\n")
}

fn shape(grid: u32, block: u32, seed: u64) -> Launch {
    let mut launch = Launch::new("k");
    launch.grid = Dim3::from(grid);
    launch.block = Dim3::from(block);
    launch.seed = seed;
    launch
}

/// Runs with this many blocks and threads on a buffer in which word i holds i.
pub fn launch(text: &str, grid: u32, block: u32, words: usize, seed: u64) -> Result<Vec<u32>, Box<FailureKind>> {
    run(text, shape(grid, block, seed), words)
}

/// Runs a launch on such a buffer.
pub fn run(text: &str, launch: Launch, words: usize) -> Result<Vec<u32>, Box<FailureKind>> {
    on_buffer(launch, words, |launch, mem| interp::run(text, launch, mem).map(drop))
}

fn on_buffer(
    mut launch: Launch,
    words: usize,
    run: impl FnOnce(&Launch, &mut Memory) -> Result<(), Failure>,
) -> Result<Vec<u32>, Box<FailureKind>> {
    let mut mem = Memory::new();
    let bytes = (0..words as u32).flat_map(u32::to_le_bytes).collect();
    let buffer = mem.add("buffer", bytes, true);
    launch.args = vec![Arg::Buffer(buffer)];
    launch.max_steps = 5_000_000;
    run(&launch, &mut mem).map_err(|failure| failure.kind)?;
    let bytes = mem.read_back(buffer).map_err(Box::new)?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
}

/// Returns the results under several seeds, which must be the same, also those of ptxas' code and
/// ours in the simulator.
pub fn results(text: &str, grid: u32, block: u32, words: usize) -> Vec<u32> {
    let first = launch(text, grid, block, words, 0).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for seed in 1..16 {
        let again = launch(text, grid, block, words, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(first, again, "seed {seed}");
    }
    simulated(text, &shape(grid, block, 0), words, &first);
    first
}

/// Fails unless ptxas' code and ours compute this in the simulator, at all levels, under several
/// seeds.
pub fn simulated(text: &str, launch: &Launch, words: usize, expected: &[u32]) {
    compute(codes(text), text, launch, words, expected);
}

/// [`results`] without the code of ptxas.
pub fn our_results(text: &str, grid: u32, block: u32, words: usize) -> Vec<u32> {
    let first = launch(text, grid, block, words, 0).unwrap_or_else(|e| panic!("{e}\n{text}"));
    compute(ours(text), text, &shape(grid, block, 0), words, &first);
    first
}

/// Fails unless these codes compute this in the simulator, under several seeds.
fn compute(codes: Vec<(String, Vec<u8>)>, text: &str, launch: &Launch, words: usize, expected: &[u32]) {
    for (level, cubin) in codes {
        for seed in 0..SEEDS {
            let found = simulate(&cubin, launch, words, seed);
            let found = found.unwrap_or_else(|e| panic!("{level}, seed {seed}: {e}\n{text}"));
            assert!(found == expected, "{level}, seed {seed}: {found:?} for {expected:?}\n{text}");
        }
    }
}

/// Seeds of the simulator: half of them with late completion.
const SEEDS: u64 = 8;

/// Runs a cubin in the simulator.
pub fn simulate(cubin: &[u8], launch: &Launch, words: usize, seed: u64) -> Result<Vec<u32>, Box<FailureKind>> {
    let launch = Launch { seed, ..launch.clone() };
    let completion = if (seed / 4).is_multiple_of(2) { Completion::Early } else { Completion::Late };
    let setup = machine::Setup { completion, ..machine::Setup::default() };
    on_buffer(launch, words, |launch, mem| simulator::run_with(cubin, launch, mem, setup).map(drop))
}

/// What runs a launch.
pub type Run<'a> = &'a dyn Fn(&Launch, &mut Memory) -> Result<(), Failure>;

/// Runs this many blocks and threads on a buffer in which word i holds i; returns the buffer.
pub fn read_words(run: Run<'_>, grid: u32, block: u32, words: usize) -> Result<Vec<u32>, Box<FailureKind>> {
    on_buffer(shape(grid, block, 0), words, run)
}

/// Calls `check` with the name of what runs a module, and that: the interpreter, and ptxas' code and
/// ours for sm_90a in the simulator, all under several seeds.
pub fn everywhere(text: &str, seeds: u64, check: impl Fn(&str, Run<'_>)) {
    for seed in 0..seeds {
        // The machine decides how matrices are multiplied.
        let setup = || interp::Setup { sm: Some(90), ..Default::default() };
        check(&format!("interpreter, seed {seed}"), &|launch, mem| {
            let launch = Launch { seed, ..launch.clone() };
            interp::run_with(text, &launch, mem, setup()).map(drop)
        });
    }
    for (level, cubin) in codes(&text.replace(".target sm_120a", ".target sm_90a")) {
        for seed in 0..2 * seeds {
            let completion = if seed < seeds { Completion::Early } else { Completion::Late };
            check(&format!("{level}, seed {seed}"), &|launch, mem| {
                let launch = Launch { seed, ..launch.clone() };
                let setup = machine::Setup { completion, ..machine::Setup::default() };
                simulator::run_with(&cubin, &launch, mem, setup).map(drop)
            });
        }
    }
}

/// The code of ptxas and ours, at all levels.
pub fn codes(text: &str) -> Vec<(String, Vec<u8>)> {
    assembled(text).into_iter().map(|(level, cubin)| (level.to_string(), cubin)).chain(ours(text)).collect()
}

/// Our code at all levels.
fn ours(text: &str) -> Vec<(String, Vec<u8>)> {
    let at = |level| compile::cubin_at(text, target(text), level).unwrap_or_else(|e| panic!("{level}: {e}\n{text}"));
    Level::ALL.map(|level| (format!("ours, {level}"), at(level))).into()
}

/// The architecture of a module.
fn target(text: &str) -> &'static str {
    let (_, target) = text.split_once(".target ").unwrap();
    let name = target.split_whitespace().next().unwrap().trim_end_matches(',');
    Target::by_name(name).unwrap().name
}

/// The code of ptxas at its levels; none without ptxas.
pub fn assembled(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let Some(ptxas) = oracle::require("ptxas") else { return Vec::new() };
    let assembler = Assembler::new(&ptxas).unwrap();
    let code =
        |level| (level, assembler.assemble_at(text, target(text), level).unwrap_or_else(|e| panic!("{e}\n{text}")));
    ["-O0", "-O1", "-O2", "-O3"].map(code).into()
}

/// Returns the failure of seed 0; every other seed must fail as well, and so must ptxas' code and ours
/// in the simulator.
pub fn failure(text: &str, grid: u32, block: u32) -> FailureKind {
    failure_of(codes(text), text, grid, block)
}

/// [`failure`] with these codes.
pub fn failure_of<L: Display>(codes: Vec<(L, Vec<u8>)>, text: &str, grid: u32, block: u32) -> FailureKind {
    for (level, cubin) in codes {
        for seed in 0..SEEDS {
            let found = simulate(&cubin, &shape(grid, block, seed), 1024, seed);
            assert!(found.is_err(), "no failure of {level} with seed {seed}\n{text}");
        }
    }
    failure_of_ptx(text, grid, block)
}

/// [`failure`] of the interpreter only: what is wrong does not show in machine code.
pub fn failure_of_ptx(text: &str, grid: u32, block: u32) -> FailureKind {
    for seed in 1..8 {
        assert!(launch(text, grid, block, 1024, seed).is_err(), "no failure with seed {seed}\n{text}");
    }
    *launch(text, grid, block, 1024, 0).expect_err("a failure")
}

/// Fails unless ptxas' code and ours of a body of one block end in a finding with these texts in the
/// simulator.
pub fn finds_in_code(body: &str, block: u32, texts: &[&str]) {
    let text = kernel(body);
    for (level, cubin) in codes(&text) {
        for seed in 0..SEEDS {
            let found = simulate(&cubin, &shape(1, block, seed), 1024, seed);
            let found = found.expect_err(&level).to_string();
            assert!(texts.iter().all(|t| found.contains(t)), "{level}, seed {seed}: {found}\n{text}");
        }
    }
}

/// Fails unless a body of one block ends in a finding with these texts.
pub fn finds(body: &str, block: u32, texts: &[&str]) {
    let found = failure(&kernel(body), 1, block);
    let FailureKind::Asynchrony(text) = &found else { panic!("{found:?}\n{body}") };
    assert!(texts.iter().all(|t| text.contains(t)), "{text}");
}
