//! A thousand units on a real engine whose workers fail, and what a build with an engine takes.
//!
//! A measurement prints lines `figure ID VALUE NOTE`, which `cargo campaign remote-faults` and
//! `cargo campaign bench-remote` record.

use super::common::tokens::Make;
use super::common::{corpus, small};
use raddle_driver::compile::compile_units;
use raddle_driver::engine::{Cancel, Engine as Elsewhere, OnAnswer, RemoteUnit};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RemoteLimits, RunOptions};
use raddle_driver::remote::RemoteOutcome;
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use raddle_filetest::engine::Engine;
use raddle_remote::execution::{Options, open};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A client that takes any number of units; those under way at once are fewer.
#[derive(Debug)]
struct Wide(Box<dyn Elsewhere>);

impl Elsewhere for Wide {
    fn start(&self, unit: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel> {
        self.0.start(unit, done)
    }
    fn slots(&self) -> usize {
        usize::MAX
    }
    fn name(&self) -> String {
        self.0.name()
    }
}

/// A client whose workers run `program`.
pub fn client(url: &str, slots: usize, program: &str) -> Arc<dyn Elsewhere> {
    let program = Some(program.into());
    let opened = open(url, Options { program, slots, ..Options::default() });
    Arc::new(Wide(opened.unwrap()))
}

const OWN: &str = env!("CARGO_BIN_EXE_raddle");

/// Every unit is given to the engine and waited for, whatever it costs.
pub const WAITS: RemoteLimits =
    RemoteLimits { jobs: 0, least: 0, patience: Duration::from_secs(3600), failures: u32::MAX };

/// What a build took.
pub struct Took {
    pub report: Report,
    wall: Duration,
    /// CPU time of this process.
    cpu: Duration,
}

fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

pub fn build(texts: &[String], run: RunOptions) -> Took {
    let input = |text: &String| Input { name: "module.ptx".to_owned(), content: Content::Text(text.clone()) };
    let codegen = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let request = Request { inputs: texts.iter().map(input).collect(), run, codegen, ..Request::default() };
    let (begun, before) = (Instant::now(), cpu());
    let (report, _) = compile_units(request, &mut ());
    Took { report, wall: begun.elapsed(), cpu: cpu() - before }
}

/// Units on an engine whose workers fail in `percent` % of the actions: checks that all is well, and says what
/// it counts.
fn with_faults(count: usize, percent: u32) {
    let Some(engine) = Engine::start_failing(3, percent) else { return };
    let texts = [small(count)];
    let local = build(&texts, RunOptions::default());
    let make = Make::new(b"abc");
    let run = RunOptions {
        jobs: 2,
        jobserver: Some(Arc::clone(&make.client)),
        engine: Some(client(&engine.url, 64, OWN)),
        remote: WAITS,
        ..RunOptions::default()
    };
    let there = build(&texts, run);
    let used = there.report.remote.as_ref().unwrap();
    let finished = there.report.kernels.iter().filter(|kernel| kernel.compiled).count();
    let differ = usize::from(local.report.cubin.is_none() || local.report.cubin != there.report.cubin);
    let runs: Vec<_> = there.report.kernels.iter().filter_map(|kernel| kernel.remote.as_ref()).collect();
    let lost = used.started.abs_diff(count) + used.started.abs_diff(runs.len());
    let kept = 3 - make.there();
    let mut outcomes = BTreeMap::new();
    for run in &runs {
        *outcomes.entry(run.outcome.name()).or_insert(0) += 1;
    }
    let log = std::fs::read_to_string(engine.folder.join("log")).unwrap();
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    for (_, fault) in log.lines().filter_map(|line| line.split_once(": fault ")) {
        *faults.entry(fault.to_owned()).or_default() += 1;
    }
    let all: usize = faults.values().sum();
    let seconds = there.wall.as_secs_f64();
    let note = format!("BuildGrid, three workers, {all} faults {faults:?}, outcomes {outcomes:?}, {seconds:.0} s");
    println!("figure remote.finished {finished} {note}");
    println!(
        "figure remote.differ {differ} outputs of the {count} units, linked, compared with those of a build without an engine"
    );
    println!("figure remote.lost {lost} of {} that were given to the engine, each once", used.started);
    println!(
        "figure remote.tokens {kept} of three, {} held at most",
        there.report.tokens.iter().map(|it| it.held).max().unwrap_or(0)
    );
    assert_eq!((finished, differ, lost, kept), (count, 0, 0, 0), "{note}");
    // A worker that dies, or fails, is repaired by the engine or the client; what is damaged is compiled here.
    let made = runs.iter().filter(|run| run.outcome.is_remote()).count();
    let failed = runs.iter().filter(|run| run.outcome == RemoteOutcome::Failed).count();
    assert!(made + failed == count && made > count / 2 && failed > count * percent as usize / 800, "{note}");
    assert!(all * 100 > count * percent as usize / 2 && faults.len() >= 5, "{note}");
}

#[test]
fn units_on_workers_that_fail_give_the_same_bytes() {
    with_faults(80, 40);
}

#[test]
#[ignore = "a thousand units take minutes: cargo campaign remote-faults"]
fn measure_a_thousand_units_on_workers_that_fail() {
    with_faults(1000, 30);
}

/// A module of kernels that take a few milliseconds each.
fn medium(kernels: usize) -> String {
    let kernel = |n: usize| {
        let step = |at: usize| {
            let (a, b) = (1 + at % 24, 1 + (at * 7 + n) % 24);
            format!(
                "mad.lo.u32 %r{a}, %r{b}, %r{a}, {};\nxor.b32 %r{b}, %r{a}, %r{b};\nld.global.u32 %r{a}, [%rd1+{}];\n\
                 st.global.u32 [%rd1+{}], %r{b};\n",
                at + n,
                4 * at,
                4000 + 4 * at
            )
        };
        let steps: String = (0..120).map(step).collect();
        format!(
            ".visible .entry m{n}(.param .u64 p)\n{{\n.reg .b32 %r<25>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n\
             mov.u32 %r1, %tid.x;\n{}{steps}ret;\n}}\n",
            (2..25).map(|r| format!("mov.u32 %r{r}, {r};\n")).collect::<String>()
        )
    };
    let kernels: String = (0..kernels).map(kernel).collect();
    format!(".version 8.0\n.target sm_90\n.address_size 64\n{kernels}")
}

#[test]
#[ignore = "a measurement: cargo campaign bench-remote"]
fn measure_what_a_unit_costs_here() {
    let Some(engine) = Engine::start(2) else { return };
    let count = 200;
    let texts = [medium(count)];
    let mut shares = Vec::new();
    for round in 0..5 {
        // Another edition of all kernels: nothing is in the action cache.
        let texts = [texts[0].replace("mov.u32 %r2, 2;", &format!("mov.u32 %r2, {};", round + 100))];
        let local = build(&texts, RunOptions { jobs: 1, ..RunOptions::default() });
        let run =
            RunOptions { jobs: 1, engine: Some(client(&engine.url, 64, OWN)), remote: WAITS, ..RunOptions::default() };
        let there = build(&texts, run);
        assert!(local.report.cubin.is_some() && local.report.cubin == there.report.cubin, "the bytes differ");
        let made = there.report.kernels.iter().filter(|k| k.remote.as_ref().is_some_and(|run| run.outcome.is_remote()));
        assert_eq!(made.count(), count);
        let each = |took: &Took| took.cpu.as_secs_f64() * 1e3 / count as f64;
        println!("{:.3} ms here, {:.3} ms for one elsewhere", each(&local), each(&there));
        shares.push((each(&there) / each(&local) * 100.0, each(&there), each(&local)));
    }
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (share, there, here) = shares[shares.len() / 2];
    println!(
        "figure remote.client {share:.1} {there:.2} ms of CPU time of the client for a kernel that takes {here:.2} ms here; \
         with reading, sending, receiving, checking, linking; {count} kernels, median of five builds"
    );
}

#[test]
#[ignore = "a measurement: cargo campaign bench-remote"]
fn measure_a_build_elsewhere_and_here() {
    let Some(engine) = Engine::start(2) else { return };
    let folder = corpus().join("producers/triton390");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("sm80_"));
    paths.sort();
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    // Kernels of one name cannot be in one program: the numbers tell them apart.
    let rename = |(at, text): (usize, String)| {
        let (_, rest) = text.split_once(".entry ").unwrap();
        let name = rest.split(['(', '\n', ' ']).next().unwrap().to_owned();
        text.replace(&name, &format!("{name}_{at}"))
    };
    let texts: Vec<String> = paths.iter().map(read).enumerate().map(rename).collect();
    let mut ratios = Vec::new();
    for round in 0..5 {
        let local = build(&texts, RunOptions { jobs: 2, ..RunOptions::default() });
        assert!(
            local.report.cubin.is_some(),
            "{:?}",
            local.report.diags.iter().map(|d| &d.message).collect::<Vec<_>>()
        );
        // A name of its own makes each action new, so that nothing is found.
        let platform = vec![("note".to_owned(), format!("round {round}"))];
        let program = Some(env!("CARGO_BIN_EXE_raddle").into());
        let opened = open(&engine.url, Options { program, platform, slots: 64, ..Options::default() }).unwrap();
        let engine: Option<Arc<dyn Elsewhere>> = Some(Arc::new(Wide(opened)));
        let there = build(&texts, RunOptions { jobs: 2, engine, remote: WAITS, ..RunOptions::default() });
        assert!(local.report.cubin == there.report.cubin, "the bytes differ");
        let runs = || there.report.kernels.iter().filter_map(|kernel| kernel.remote.as_ref());
        let all = runs().filter(|run| run.outcome == RemoteOutcome::Made).count();
        assert_eq!(all, there.report.kernels.len(), "all are made there");
        let queued: Duration = runs().map(|run| run.queued).sum();
        println!(
            "{:.3} s here, {:.3} s elsewhere, {queued:.3?} in queues",
            local.wall.as_secs_f64(),
            there.wall.as_secs_f64()
        );
        ratios.push((there.wall.as_secs_f64() / local.wall.as_secs_f64(), there.wall, local.wall, all));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, there, here, count) = ratios[ratios.len() / 2];
    let each = there.as_secs_f64() / count as f64;
    println!(
        "figure remote.wall {each:.2} {ratio:.1} times as long as without an engine: {count} kernels of Triton, all by BuildGrid with two workers on this machine: {:.2} s, \
         and {:.2} s by two threads; median of five builds",
        there.as_secs_f64(),
        here.as_secs_f64()
    );
}
