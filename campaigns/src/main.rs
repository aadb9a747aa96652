//! Campaigns: everything that runs the compiler, the simulator or outside tools for longer than a test may, measures them,
//! or writes data and pages from what they do. `cargo campaign list` shows them with what they need.
//!
//! A campaign is a file with its options and a function, a variant of [`Command`], and a row of [`table::CAMPAIGNS`].
#![forbid(unsafe_code)]

mod arguments;
mod bench_cache;
mod bench_code;
mod bench_compile;
mod bench_ir;
mod bench_link;
mod bench_matrix;
mod bench_module;
mod bench_real;
mod bench_remote;
mod bench_start;
mod callers;
mod callers_times;
mod campaign_link;
mod chaos;
mod code_cost;
mod corpus;
mod cubins;
mod cutlass;
mod exhaustive;
mod files;
mod fit_costs;
mod foreign_ir;
mod forms;
mod fuzz;
mod fuzzx_generated;
mod gpu;
mod gpu_latency;
mod gpu_matrix;
mod gpu_probes;
mod gpu_recorded;
mod gpu_replay;
mod interp_speed;
mod ir_chaos;
mod ir_scale;
mod ir_storm;
mod jobserver_table;
mod litmus;
mod loom;
mod machine_code;
mod matrix;
mod memory_storm;
mod mine;
mod mutants;
mod mutate_ir;
mod mutate_ptx;
mod native;
mod native_figures;
mod native_snippets;
mod objects;
mod peak;
mod probe_ptx;
mod probe_sass;
mod process_tree;
mod producers;
mod producers_fallback;
mod prove;
mod prove_rules;
mod ptx_oracle;
mod ptx_roundtrip;
mod ptx_scale;
mod ptxas_page;
mod random_c;
mod random_folds;
mod random_ir;
mod random_ptx;
mod random_state;
mod sass_campaign;
mod sass_sample;
mod scale_units;
mod seeded_bugs;
mod signal_storm;
mod sim_figures;
mod simulate_schedule;
mod status;
mod suites;
mod table;
mod tensor_vectors;
mod words;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "campaigns", bin_name = "cargo campaign")]
#[command(about = "Measurements, comparisons with other tools, and stress tests of Raddle")]
#[command(after_help = "`cargo campaign list` groups them, with what each needs and how long it takes.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One variant per campaign; the text is its line in the lists.
#[derive(Subcommand)]
enum Command {
    /// List the campaigns by group: what each shows, what it needs, how long it takes
    List(table::Options),
    /// Compare our machine code with that of ptxas over the corpus: cycles, instructions, registers
    BenchCode(bench_code::Options),
    /// Compare our code of real modules that use tensor cores with that of ptxas: cycles, spills, time of compilation
    BenchMatrix(bench_matrix::Options),
    /// Compare our machine code of real programs with that of ptxas: instructions, registers, stack
    BenchReal(bench_real::Options),
    /// Compile 321 kernels beside ptxas: time, speed-up, memory
    BenchCompile(bench_compile::Options),
    /// Compile 320 kernels with a cache, where nothing or one kernel has changed: time
    BenchCache(bench_cache::Options),
    /// Give 1,000 units to an engine of remote execution whose workers fail
    RemoteFaults,
    /// Measure builds with an engine of remote execution
    BenchRemote,
    /// Record the units of that module for the simulation of docs/scale.md
    ScaleUnits(scale_units::Options),
    /// Compile 64 kernels in 9 units from LLVM IR beside nvlink -lto and clang: time, memory, code
    BenchIr(bench_ir::Options),
    /// Compile 200,000 functions of LLVM IR in 100 modules with 4 GiB
    IrScale(ir_scale::Options),
    /// Link generated objects beside nvlink: time and memory
    BenchLink(bench_link::Options),
    /// Start the release executable many times, beside ptxas: version, an empty kernel
    BenchStart(bench_start::Options),
    /// Compile the corpus through nvcc, and kernels of Triton, with Raddle in the place of NVIDIA's tools
    Callers(callers::Options),
    /// Link the corpus beside nvlink and write docs/link.md
    CampaignLink,
    /// Compile the corpus in seeded disorder and compare the bytes
    Chaos(chaos::Options),
    /// Make nvcc.ptx and clang.ptx of the corpus kernels from their CUDA sources
    Corpus(corpus::Options),
    /// Write the cubins of ptxas that the corpus keeps as text
    Cubins,
    /// Check kernels of CUTLASS on interpreter, simulator and ptxas
    Cutlass(cutlass::Options),
    /// Check numeric operations of our machine code on all their operands
    Exhaustive(exhaustive::Options),
    /// Fit the weights of the cost estimate to the compile times of corpus kernels
    FitCosts,
    /// List the PTX forms that ptxas accepts and our code generator does not
    Forms(forms::Options),
    /// Mutate the corpus and give it to every reader
    Fuzz(fuzz::Options),
    /// Check programs of FuzzX' generator on interpreter, simulator and ptxas
    FuzzxGenerated(fuzzx_generated::Options),
    /// Build the folder that checks the corpus on a GPU
    GpuCheck(gpu::Folder),
    /// Sum up the results of that folder
    GpuCollect(gpu::Results),
    /// Run the launches of such a folder in the simulator, and compare with what a GPU left of them
    GpuReplay(gpu_replay::Options),
    /// Build the folder that measures issue distances on a GPU
    GpuLatency(gpu_latency::Folder),
    /// Compare what it measured with the table
    GpuLatencyCollect(gpu_latency::Results),
    /// Measure the PTX interpreter on the corpus kernels
    InterpSpeed,
    /// Compile random programs of LLVM IR in seeded disorder and compare the bytes
    IrChaos(ir_chaos::Options),
    /// Send signals to builds of LLVM IR and to their workers at random times
    IrStorm(ir_storm::Options),
    /// Try raddle and ptxas under the same jobservers and write docs/jobserver.md
    JobserverTable(jobserver_table::Options),
    /// Compare the model of tensor cores with published results of eight machines
    TensorVectors(tensor_vectors::Options),
    /// Decide litmus tests of the memory model and check which accesses may be reordered
    Litmus(litmus::Options),
    /// Explore the interleavings of the task queue
    Loom,
    /// Check the code of every matrix instruction, by ptxas and by us, in the simulator
    Matrix(matrix::Options),
    /// Run 48 builds at once under a memory limit, beside ptxas
    MemoryStorm(memory_storm::Options),
    /// Mine issue distances in the code of ptxas into isa/latency_sm_*.txt
    Mine(mine::Options),
    /// Weaken control fields in the code of ptxas and count what the simulator notices
    Mutants(mutants::Options),
    /// Compile damaged LLVM IR and files that contain it
    MutateIr(mutate_ir::Options),
    /// Compare the verdicts of ptxas and ours on one-token mutations of the corpus
    MutatePtx(mutate_ptx::Options),
    /// Check our machine code of the corpus kernels in the simulator
    Native(native::Options),
    /// Check our machine code of the corpus kernels at every level and write docs/status.md
    NativeFigures,
    /// Check our machine code of every snippet
    NativeSnippets(native_snippets::Options),
    /// Read cubins of ptxas and nvlink over the corpus and write them back byte for byte
    Objects(objects::Options),
    /// Compare every form of the PTX table with ptxas
    ProbePtx(probe_ptx::Options),
    /// Flip every bit of a word and show how nvdisasm reads it
    ProbeSass(probe_sass::Options),
    /// Compile the modules of real producers and write docs/status.md
    Producers,
    /// Compile the modules of real producers with ptxas as fallback
    ProducersFallback,
    /// Prove that passes keep the meaning of the corpus kernels and write docs/proofs.md
    Prove(prove::Options),
    /// Prove the algebraic rules of fold and the range facts, and write docs/rules.md
    ProveRules(prove_rules::Options),
    /// Compare the machine code of printed PTX with that of the original
    PtxRoundtrip(ptx_roundtrip::Options),
    /// Measure time and memory of the PTX front end, beside ptxas, up to 360 MB
    PtxScale(ptx_scale::Options),
    /// Write docs/ptxas.md: programs on which the code of ptxas differs from PTX
    PtxasPage(ptxas_page::Options),
    /// Check random C programs: gcc for the host against nvcc for PTX
    RandomC(random_c::Options),
    /// Check short random kernels in which optimisers fold, beside ptxas
    RandomFolds(random_folds::Options),
    /// LLVM IR of other projects: compiled, refused, and by whom
    ForeignIr(foreign_ir::Options),
    /// Check random C programs of several units: gcc for the host against our link of clang's bitcode
    RandomIr(random_ir::Options),
    /// Check random PTX kernels on interpreter and simulator, and minimise what fails
    RandomPtx(random_ptx::Options),
    /// Compare generated words of every instruction form with nvdisasm
    SassCampaign(sass_campaign::Options),
    /// Plant faults in a copy of the compiler and count those that the tests notice
    SeededBugs(seeded_bugs::Options),
    /// Run the parts of the task pool under random schedules
    Shuttle,
    /// Send signals to builds at random moments and count the tokens
    SignalStorm(signal_storm::Options),
    /// Check ptxas' code of kernels and snippets in the simulator
    SimFigures,
    /// Measure the simulator on the corpus kernels
    SimSpeed,
    /// Replay unit times for 1 to 256 workers and compare with the bound
    SimulateSchedule(simulate_schedule::Options),
    /// Check the programs of other projects on interpreter, simulator and ptxas
    Suites(suites::Options),
    /// Decode the words of ptxas, encode them again, compare with the text of nvdisasm
    Words(words::Options),
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::List(options) => {
            print!("{}", table::list(&Cli::command(), &options));
            Ok(())
        }
        Command::BenchCode(options) => bench_code::run(options),
        Command::BenchMatrix(options) => bench_matrix::run(options),
        Command::BenchReal(options) => bench_real::run(options),
        Command::BenchCache(options) => bench_cache::run(&options),
        Command::RemoteFaults => bench_remote::faults(),
        Command::BenchRemote => bench_remote::times(),
        Command::BenchCompile(options) => bench_compile::run(options),
        Command::ScaleUnits(options) => scale_units::run(&options),
        Command::BenchIr(options) => bench_ir::run(options),
        Command::IrScale(options) => ir_scale::run(options),
        Command::BenchLink(options) => bench_link::run(options),
        Command::BenchStart(options) => bench_start::run(&options),
        Command::Callers(options) => callers::run(options),
        Command::CampaignLink => campaign_link::run(),
        Command::Chaos(options) => chaos::run(options),
        Command::Corpus(options) => corpus::run(options),
        Command::Cubins => cubins::run(),
        Command::Cutlass(options) => cutlass::run(options),
        Command::Exhaustive(options) => exhaustive::run(options),
        Command::FitCosts => fit_costs::run(),
        Command::Forms(options) => forms::run(options),
        Command::Fuzz(options) => fuzz::run(options),
        Command::FuzzxGenerated(options) => fuzzx_generated::run(options),
        Command::GpuCheck(options) => gpu::build(options),
        Command::GpuCollect(options) => gpu::collect(options),
        Command::GpuReplay(options) => gpu_replay::run(options),
        Command::GpuLatency(options) => gpu_latency::build(options),
        Command::GpuLatencyCollect(options) => gpu_latency::collect(options),
        Command::InterpSpeed => interp_speed::run(),
        Command::IrChaos(options) => ir_chaos::run(options),
        Command::IrStorm(options) => ir_storm::run(options),
        Command::JobserverTable(options) => jobserver_table::run(options),
        Command::TensorVectors(options) => tensor_vectors::run(options),
        Command::Litmus(options) => litmus::run(options),
        Command::Loom => loom::run(),
        Command::Matrix(options) => matrix::run(options),
        Command::MemoryStorm(options) => memory_storm::run(options),
        Command::Mine(options) => mine::run(options),
        Command::Mutants(options) => mutants::run(options),
        Command::MutateIr(options) => mutate_ir::run(options),
        Command::MutatePtx(options) => mutate_ptx::run(options),
        Command::Native(options) => native::run(options),
        Command::NativeFigures => native_figures::run(),
        Command::NativeSnippets(options) => native_snippets::run(options),
        Command::Objects(options) => objects::run(options),
        Command::ProbePtx(options) => probe_ptx::run(options),
        Command::ProbeSass(options) => probe_sass::run(options),
        Command::Producers => producers::run(),
        Command::ProducersFallback => producers_fallback::run(),
        Command::Prove(options) => prove::run(options),
        Command::ProveRules(options) => prove_rules::run(options),
        Command::PtxRoundtrip(options) => ptx_roundtrip::run(options),
        Command::PtxScale(options) => ptx_scale::run(options),
        Command::PtxasPage(options) => ptxas_page::run(options),
        Command::RandomC(options) => random_c::run(options),
        Command::RandomFolds(options) => random_folds::run(options),
        Command::ForeignIr(options) => foreign_ir::run(options),
        Command::RandomIr(options) => random_ir::run(options),
        Command::RandomPtx(options) => random_ptx::run(options),
        Command::SassCampaign(options) => sass_campaign::run(options),
        Command::SeededBugs(options) => seeded_bugs::run(options),
        Command::Shuttle => loom::shuttle(),
        Command::SignalStorm(options) => signal_storm::run(options),
        Command::SimFigures => sim_figures::run(),
        Command::SimSpeed => sim_figures::speed(),
        Command::SimulateSchedule(options) => simulate_schedule::run(options),
        Command::Suites(options) => suites::run(options),
        Command::Words(options) => words::run(options),
    }
}

fn main() -> ExitCode {
    // The program of a worker process that compiles LLVM IR is this one.
    let worker = std::env::args().nth(1).is_some_and(|name| name == "__llvm");
    let done = match worker {
        true => raddle_tests::llvm_worker::serve(std::env::args().skip(1)),
        false => run(Cli::parse().command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
