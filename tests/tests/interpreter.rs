//! The PTX interpreter on the corpus: kernels by two compilers against references on the CPU, snippets.
#![forbid(unsafe_code)]

use raddle_sim::interp;
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::snippet::{self, Snippet};
use raddle_tests::{kernel, run};

#[test]
fn kernels_equal_their_references() {
    let mut results = Vec::new();
    for kernel in kernel::all().unwrap() {
        for producer in kernel::PRODUCERS {
            let ptx = kernel.ptx(producer).unwrap();
            let all_launches = || -> anyhow::Result<()> {
                for launch in &kernel.launches {
                    let mut setup = run::setup(&kernel.entry, launch);
                    interp::run(&ptx, &setup.launch, &mut setup.memory)?;
                    setup.results(launch)?.compare(&kernel.reference(launch)?)?;
                }
                Ok(())
            };
            results.push((Case::new(&kernel.name, producer, ""), all_launches()));
        }
    }
    let outcome = settle("interpreter", &results).unwrap();
    assert!(outcome.passed >= 84, "only {} kernels", outcome.passed);
}

/// Threads of a block in which a snippet runs, each on a row of its own.
const THREADS: usize = 64;

fn run_snippet(snippet: &Snippet) -> anyhow::Result<Vec<u8>> {
    let text = snippet.per_thread(&snippet.entry.target).unwrap_or_else(|| snippet.text.clone());
    let mut memory = Memory::new();
    let places: Vec<u8> = (0..THREADS * snippet::PLACE).map(|i| (i * 37) as u8).collect();
    let places = memory.add("places", places, true);
    let input = memory.add("input", snippet.inputs(THREADS, 1, memory.base(places)), true);
    let output = memory.add("output", vec![0; THREADS * snippet::OUT_ROW], true);
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(THREADS as u32);
    launch.dyn_shared = (THREADS * snippet::SHARED_PLACE) as u32;
    launch.args = vec![Arg::Buffer(input), Arg::Buffer(output), Arg::Value(vec![0; 128])];
    interp::run(&text, &launch, &mut memory)?;
    Ok(memory.read_back(output)?.to_vec())
}

#[test]
fn snippets_run() {
    let results: Vec<_> = snippet::all()
        .unwrap()
        .iter()
        .map(|s| (Case::new(s.entry.file.trim_end_matches(".ptx"), "", ""), run_snippet(s).map(|_| ())))
        .collect();
    let outcome = settle("interpreter snippets", &results).unwrap();
    assert!(outcome.passed >= 310, "only {} snippets", outcome.passed);
}
