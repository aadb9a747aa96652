//! What a build with an engine says and leaves is what a build here says and leaves.

use crate::common::{Bench, UNSUPPORTED, corpus};
use crate::fake::{Deed, Fake};
use crate::faults::{ALL, small};
use raddle_diag::render::json;
use raddle_driver::cache::{Cache, Folder};
use raddle_driver::compile::compile_units;
use raddle_driver::host::Running;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, RemoteLimits, RunOptions};
use raddle_driver::program::Unit;
use raddle_driver::program::history::History;
use raddle_driver::progress::Progress;
use raddle_driver::remote::RemoteOutcome;
use raddle_driver::report::Report;
use raddle_driver::request::{Functions, Output, Request};
use std::sync::Arc;
use std::time::Duration;

/// A build, with its messages.
pub struct Built {
    pub report: Report,
    pub messages: String,
}

pub fn request(text: &str, run: RunOptions) -> Request {
    let inputs = vec![Input { name: "module.ptx".to_owned(), content: Content::Text(text.to_owned()) }];
    let codegen = CodegenOptions { opt: raddle_driver::options::OptLevel::O3, ..CodegenOptions::default() };
    Request { inputs, run, codegen, ..Request::default() }
}

pub fn build(text: &str, run: RunOptions) -> Built {
    built(request(text, run))
}

pub fn built(request: Request) -> Built {
    let (report, _) = compile_units(request, &mut ());
    let messages = report.diags.iter().map(|found| json::render(found, &report.sources).unwrap() + "\n").collect();
    Built { report, messages }
}

/// Output and messages are the same, and each kernel has been compiled.
pub fn same(local: &Built, other: &Built, what: &str) {
    assert_eq!(local.messages, other.messages, "{what}");
    assert!(local.report.cubin == other.report.cubin, "{what}: the bytes differ");
    assert_eq!(local.report.objects, other.report.objects, "{what}");
    let facts = |built: &Built| -> Vec<_> {
        let fact = |unit: &raddle_driver::report::UnitReport| {
            (unit.name.to_string(), unit.compiled, unit.registers, unit.code, unit.instructions)
        };
        built.report.units().map(fact).collect()
    };
    assert_eq!(facts(local), facts(other), "{what}");
}

/// An engine without faults, which gets everything, and is waited for.
pub fn remote() -> (Arc<Fake>, RunOptions) {
    let engine = Arc::new(Fake::new(64, |_| Deed::Run));
    let remote = RemoteLimits { patience: Duration::from_secs(60), ..ALL };
    (engine.clone(), RunOptions { jobs: 2, engine: Some(engine), remote, keep_going: true, ..RunOptions::default() })
}

pub fn local() -> RunOptions {
    RunOptions { jobs: 2, keep_going: true, ..RunOptions::default() }
}

#[test]
fn modules_of_the_corpus_give_the_same_bytes_and_messages() {
    let (mut there, mut said) = (0, 0);
    let paths = raddle_filetest::corpus::ptx(&["modules", "calls", "regressions", "producers"]);
    let every = std::env::var("RADDLE_TEST_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    for path in paths.into_iter().step_by(every) {
        let text = std::fs::read_to_string(&path).unwrap();
        for output in [Output::Executable, Output::Object(Functions::Exported), Output::Object(Functions::Reachable)] {
            let of = |run| built(Request { output, ..request(&text, run) });
            let (_, run) = remote();
            let (here, elsewhere) = (of(local()), of(run));
            same(&here, &elsewhere, &format!("{} {output:?}", path.display()));
            let runs = || elsewhere.report.units().filter_map(|unit| unit.remote.as_ref());
            there += runs().filter(|run| run.outcome.is_remote()).count();
            said += runs().filter(|run| run.outcome == RemoteOutcome::Said).count();
            let failed = runs().find(|run| run.outcome == RemoteOutcome::Failed);
            let why = elsewhere.report.remote.as_ref().and_then(|used| used.failure.clone());
            assert!(failed.is_none(), "{}: {failed:?} {why:?}", path.display());
        }
    }
    println!("corpus: {there} kernels made there, {said} with findings");
    assert!(there > 30, "{there}");
}

#[test]
fn modules_that_share_functions_give_the_same_bytes() {
    let function = |linkage: &str, factor: u32| {
        format!(
            "{linkage} .func (.param .b32 r) f(.param .b32 a)\n{{ .reg .u32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r1, \
             %r1, {factor}; st.param.b32 [r], %r1; ret; }}\n"
        )
    };
    let kernel = |name: &str| {
        format!(
            ".visible .entry {name}(.param .u64 p)\n{{ .reg .b64 %rd<2>; .reg .u32 %r<2>; ld.param.u64 %rd1, [p];\n\
             {{ .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call (y), f, (x); ld.param.b32 %r1, [y]; }}\n\
             st.u32 [%rd1], %r1; ret; }}\n"
        )
    };
    let declared = ".extern .func (.param .b32 r) f(.param .b32 a);\n".to_owned();
    let head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (first, second) in [
        (function(".weak", 3), function(".weak", 3)),
        (function(".visible", 3), declared.clone()),
        (function(".func", 3).replace(".func .func", ".func"), function(".func", 4).replace(".func .func", ".func")),
    ] {
        for output in [Output::Executable, Output::Object(Functions::Exported), Output::Objects(Functions::Exported)] {
            let text = |function: &str, name: &str| Input {
                name: format!("{name}.ptx"),
                content: Content::Text(format!("{head}{function}{}", kernel(name))),
            };
            let inputs = vec![text(&first, "one"), text(&second, "two")];
            let of = |run| built(Request { inputs: inputs.clone(), output, ..request("", run) });
            let (_, run) = remote();
            same(&of(local()), &of(run), &format!("{output:?} {first} {second}"));
        }
    }
}

#[test]
fn options_reach_the_process() {
    let text = std::fs::read_to_string(corpus().join("kernels/saxpy/nvcc.ptx")).unwrap();
    let calls = std::fs::read_to_string(corpus().join("modules/eight/nvcc.ptx")).unwrap();
    let plain = CodegenOptions { opt: raddle_driver::options::OptLevel::O3, ..CodegenOptions::default() };
    for codegen in [
        CodegenOptions { fmad: false, maxrregcount: Some(40), ..plain.clone() },
        CodegenOptions { lineinfo: true, ..plain.clone() },
        CodegenOptions { debug: true, lineinfo: true, opt: raddle_driver::options::OptLevel::O0, ..plain.clone() },
        CodegenOptions { serial: true, ..plain.clone() },
    ] {
        for output in [Output::Executable, Output::Object(Functions::Exported)] {
            for text in [&text, &calls] {
                let of = |run| built(Request { codegen: codegen.clone(), output, ..request(text, run) });
                let (_, run) = remote();
                let (here, there) = (of(local()), of(run));
                same(&here, &there, &format!("{codegen:?} {output:?}"));
                let why = there.report.remote.as_ref().and_then(|used| used.failure.clone());
                let made = there.report.units().filter_map(|unit| unit.remote.as_ref());
                let made = made.filter(|run| run.outcome.is_remote()).count();
                assert!(made > 0, "{codegen:?} {output:?}: {why:?}");
            }
        }
    }
}

#[test]
fn errors_and_warnings_are_those_of_a_build_here() {
    let kernel = |name: &str, body: &str| format!(".visible .entry {name}() {{ {body} }}\n");
    let head = ".version 8.0\n.target sm_90a\n.address_size 64\n";
    let texts = [
        // An instruction that is no PTX, in the second of three.
        [kernel("a", "ret;"), kernel("b", "frob;"), kernel("c", "ret;")].concat(),
        // A pragma without effect, and setmaxnreg without one.
        [kernel("a", ".pragma \"frob\"; ret;"), kernel("b", "setmaxnreg.inc.sync.aligned.u32 64; ret;")].concat(),
        [kernel("a", UNSUPPORTED), kernel("b", "ret;"), kernel("c", UNSUPPORTED)].concat(),
    ];
    for text in texts {
        for keep_going in [true, false] {
            let text = format!("{head}{text}");
            let (_, run) = remote();
            let with = |run| RunOptions { keep_going, ..run };
            let (here, there) = (build(&text, with(local())), build(&text, with(run)));
            assert_eq!(here.messages, there.messages, "{text}");
            assert!(here.report.cubin == there.report.cubin);
        }
    }
}

#[test]
fn what_is_said_while_a_kernel_is_compiled_is_said_here() {
    // Products of a warpgroup that run one after another are a message of the compilation itself.
    let text = ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 a)\n{\n\
        .reg .f32 %f<5>; .reg .b64 %d<3>;\nld.param.u64 %d0, [p]; ld.param.u64 %d1, [a];\n\
        mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\nwgmma.fence.sync.aligned;\n\
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %d1, %d1, 1, 1, 1, 0, 0;\n\
        wgmma.commit_group.sync.aligned;\nadd.f32 %f4, %f1, %f1;\nwgmma.wait_group.sync.aligned 0;\n\
        st.global.f32 [%d0], %f0;\nret;\n}\n";
    let here = build(text, local());
    assert!(here.messages.contains("E0096"), "{}", here.messages);
    let (_, run) = remote();
    let there = build(text, run);
    same(&here, &there, "E0096");
    let outcomes: Vec<_> =
        there.report.units().filter_map(|unit| unit.remote.as_ref()).map(|run| run.outcome).collect();
    assert_eq!(outcomes, [RemoteOutcome::Said]);
}

#[test]
fn objects_from_elsewhere_are_kept_in_the_cache_and_asked_for_there_first() {
    let bench = Bench::new();
    let text = small(12);
    let cache = || Some(Arc::new(Cache::of(Some(Folder::open(bench.dir.path()).unwrap()), None)));
    let here = build(&text, local());
    for (round, wanted) in [(0, 12), (1, 0)] {
        let (engine, run) = remote();
        let there = build(&text, RunOptions { cache: cache(), ..run });
        same(&here, &there, "cache");
        assert_eq!(engine.started(), wanted, "round {round}");
        assert_eq!(there.report.kernels.iter().filter(|kernel| kernel.cached).count(), 12 - wanted);
    }
}

#[test]
fn the_history_has_what_the_process_took_and_not_the_wait() {
    let bench = Bench::new();
    let path = bench.dir.path().join("history");
    let engine = Arc::new(Fake::new(4, |_| Deed::Late));
    let (_, run) = remote();
    let begun = std::time::Instant::now();
    let run = RunOptions { engine: Some(engine), history: Some(path.clone()), ..run };
    let built = build(&small(4), run);
    assert!(begun.elapsed() > Duration::from_millis(400) && built.report.cubin.is_some());
    let summary = History::read(&path).summary();
    assert_eq!(summary.kernels, 4);
    assert!(summary.cpu > Duration::ZERO && summary.cpu < Duration::from_millis(300), "{:?}", summary.cpu);
    assert!(summary.peak > 1000, "the peak of the process: {}", summary.peak);
}

/// What a build says of units that an engine has.
#[derive(Default)]
struct Watched {
    elsewhere: Vec<usize>,
    ended: usize,
}

impl Progress for Watched {
    fn planned(&mut self, _: usize, _: u64) {}
    fn ended(&mut self, _: &Unit, _: Duration, _: bool) {
        self.ended += 1;
    }
    fn elsewhere(&mut self, units: usize) {
        self.elsewhere.push(units);
    }
    fn running(&mut self, _: &[Arc<Running>]) {}
}

#[test]
fn progress_says_how_many_units_an_engine_has() {
    let mut watched = Watched::default();
    // Each answer comes after nearly half a second.
    let engine = Arc::new(Fake::new(6, |_| Deed::Late));
    let (_, run) = remote();
    let tick = Some(Duration::from_millis(5));
    let run = RunOptions { engine: Some(engine), jobs: 1, tick, ..run };
    let (report, _) = compile_units(request(&small(6), run), &mut watched);
    assert!(report.cubin.is_some() && watched.ended == 6);
    assert_eq!(watched.elsewhere.iter().max(), Some(&6), "{:?}", watched.elsewhere);
    let mut watched = Watched::default();
    compile_units(request(&small(6), RunOptions { tick, ..local() }), &mut watched);
    assert_eq!((&watched.elsewhere[..], watched.ended), (&[][..], 6), "without an engine it says nothing");
}

#[test]
fn small_units_and_checks_stay_here() {
    let text = small(3);
    let (engine, run) = remote();
    build(&text, RunOptions { remote: RemoteLimits::default(), ..run });
    assert_eq!(engine.started(), 0, "too small");
    let (engine, run) = remote();
    built(Request { output: Output::Check, ..request(&text, run) });
    assert_eq!(engine.started(), 0, "a check");
    let (engine, run) = remote();
    let fault = Some("unsupported:pmevent".parse().unwrap());
    build(&text, RunOptions { fault, ..run });
    assert_eq!(engine.started(), 0, "a fault");
    let (engine, run) = remote();
    build(&text, run);
    let units = engine.units();
    assert_eq!(units.len(), 3);
    let version = format!("--caller={}", env!("CARGO_PKG_VERSION"));
    assert!(units.iter().all(|unit| unit.arguments.contains(&version) && !unit.text.contains("k9")), "{units:?}");
    assert!(units.iter().all(|unit| unit.text.matches(".entry").count() == 1));
}
