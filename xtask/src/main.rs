//! Repository chores: table generation, mining, probing, figures. `cargo xtask` lists them.
#![forbid(unsafe_code)]

mod bench_code;
mod bench_compile;
mod bench_link;
mod bench_module;
mod campaign_link;
mod chaos;
mod chart;
mod corpus;
mod cubins;
mod exhaustive;
mod figures;
mod files;
mod fit_costs;
mod forms;
mod fuzz;
mod fuzzx_generated;
mod r#gen;
mod gen_ptx;
mod gpu;
mod gpu_matrix;
mod interp_speed;
mod jobserver_table;
mod litmus;
mod loom;
mod machine_code;
mod memory_storm;
mod mine;
mod mutants;
mod mutate_ptx;
mod native;
mod native_figures;
mod native_snippets;
mod objects;
mod peak;
mod probe_ptx;
mod probe_sass;
mod producers;
mod producers_fallback;
mod ptx_oracle;
mod ptx_roundtrip;
mod ptx_scale;
mod ptxas_page;
mod random_c;
mod random_folds;
mod random_ptx;
mod random_state;
mod sass_campaign;
mod sass_sample;
mod seeded_bugs;
mod signal_storm;
mod sim_figures;
mod simulate_schedule;
mod status;
mod suites;
mod words;

use std::process::ExitCode;

use anyhow::Result;

/// A command: its name, what it does, and the function that does it.
type Command = (&'static str, &'static str, fn(&[String]) -> Result<()>);

/// One line per command; each lives in a file of its name.
const COMMANDS: &[Command] = &[
    (
        "bench-code",
        "compare our machine code with ptxas' over the corpus: cycles, instructions, registers",
        bench_code::run,
    ),
    ("bench-link", "link made-up objects beside nvlink: time and memory", bench_link::run),
    ("bench-compile", "compile 320 kernels beside ptxas: time, speed-up, memory", bench_compile::run),
    ("campaign-link", "link the corpus beside nvlink, write docs/link.md, record the figure", campaign_link::run),
    ("corpus", "make nvcc.ptx and clang.ptx of the corpus kernels", corpus::run),
    ("cubins", "write the cubins by ptxas that the corpus keeps as text", cubins::run),
    ("exhaustive", "judge numeric operations of our machine code on all their operands", exhaustive::run),
    ("figures", "write docs/figures.md from the records of docs/figures", figures::run),
    ("fit-costs", "fit the first guess of costs to what kernels of the corpus take", fit_costs::run),
    ("forms", "list the PTX forms that ptxas takes and we have no machine code for", forms::run),
    ("fuzz", "mutate the corpus and give it to every reader", fuzz::run),
    ("gen", "write the instruction tables of crates/sass/src/gen from isa/*.txt (--check: only compare)", r#gen::run),
    ("gen-ptx", "write crates/ptx/src/table from isa/ptx (--check: only compare)", gen_ptx::run),
    ("chaos", "compile the corpus under seeded disorder, compare the bytes", chaos::run),
    ("memory-storm", "48 builds at once under a limit of memory, beside ptxas", memory_storm::run),
    ("gpu-check", "build the folder that checks the corpus on a GPU", gpu::build),
    ("gpu-collect", "sum up the results of that folder", gpu::collect),
    ("interp-speed", "measure the PTX interpreter on the corpus kernels", interp_speed::run),
    ("jobserver-table", "raddle and ptxas under the same jobservers: write docs/jobserver.md", jobserver_table::run),
    ("litmus", "decide litmus tests of the memory model, judge what may change places", litmus::run),
    ("loom", "explore the interleavings of the task queue", loom::run),
    ("measured", "record a figure that a script measured", figures::measured),
    ("mine", "mine issue distances in ptxas output into isa/latency_sm_*.txt", mine::run),
    ("mutants", "weaken control fields of ptxas' code, see what the simulator notices", mutants::run),
    ("native", "run our own machine code in the simulator against interpreter and references", native::run),
    ("native-snippets", "judge our own code of every snippet, record the share that is right", native_snippets::run),
    ("native-figures", "judge our own code of the corpus kernels, record the figures", native_figures::run),
    ("objects", "write cubins of ptxas back byte for byte over the corpus", objects::run),
    ("probe-ptx", "compare every form of the PTX table with ptxas", probe_ptx::run),
    ("producers", "say which modules of real producers compile whole, write docs/status.md", producers::run),
    ("producers-fallback", "compile the modules of real producers with ptxas behind us", producers_fallback::run),
    ("ptx-roundtrip", "compare the machine code of printed PTX with that of the original", ptx_roundtrip::run),
    ("ptxas-page", "write docs/ptxas.md: programs on which the code of ptxas differs from PTX", ptxas_page::run),
    ("random-c", "random C programs by gcc for the host and nvcc for PTX, held against each other", random_c::run),
    ("random-folds", "short random kernels in which optimisers fold, beside ptxas", random_folds::run),
    ("random-ptx", "compile random PTX, run it in simulator and interpreter, minimise what fails", random_ptx::run),
    ("seeded-bugs", "plant faults in a copy of our compiler, see which tests notice", seeded_bugs::run),
    ("signal-storm", "strike builds with signals at random moments, count the tokens", signal_storm::run),
    ("sim-figures", "judge ptxas-made kernels and snippets in the simulator, record the figures", sim_figures::run),
    ("simulate-schedule", "replay unit times for 1 to 256 workers, compare with the bound", simulate_schedule::run),
    (
        "fuzzx-generated",
        "hold programs that FuzzX' generator wrote against every machine there is",
        fuzzx_generated::run,
    ),
    ("suites", "hold the programs of other projects against every machine there is", suites::run),
    ("shuttle", "run the pool's parts under random schedules", loom::shuttle),
    ("sim-speed", "measure the simulator on the corpus kernels", sim_figures::speed),
    ("probe-sass", "flip every bit of a word and show how nvdisasm reads it", probe_sass::run),
    ("sass-campaign", "compare generated words of every form with nvdisasm", sass_campaign::run),
    ("unverified", "write the forms that compile and cannot be run into docs/status.md", status::unverified),
    ("words", "decode ptxas' words, encode them again, compare with nvdisasm's text", words::run),
    ("mutate-ptx", "one-token mutations of the corpus: the verdict of ptxas and ours", mutate_ptx::run),
    ("ptx-scale", "time and memory of the PTX front end, beside ptxas, up to 360 MB", ptx_scale::run),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((_, _, run)) = args.first().and_then(|name| COMMANDS.iter().find(|command| command.0 == name)) else {
        eprintln!("usage: cargo xtask COMMAND [ARG]...");
        for (name, what, _) in COMMANDS {
            eprintln!("  {name:16} {what}");
        }
        return ExitCode::from(2);
    };
    match run(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
