//! `raddle doctor --remote URL`: compiles a small kernel with an engine and here, and compares.

use super::remote;
use crate::args::{Doctor, MessageFormat};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::Class;
use raddle_diag::render::json;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::key;
use raddle_driver::options::{RemoteLimits, RunOptions};
use raddle_driver::remote::RemoteRun;
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use std::time::{Duration, Instant};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The kernel: a loop over an array.
const KERNEL: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry raddle_doctor(.param .u64 array, .param .u32 count)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [array];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %tid.x;
LOOP:
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    mad.lo.u32 %r4, %r3, 3, %r2;
    st.global.u32 [%rd3], %r4;
    add.u32 %r2, %r2, 32;
    bra LOOP;
DONE:
    ret;
}
";

/// Tries the engine. The command fails if it does not work.
pub(super) fn run(args: &Doctor, ui: &Ui) -> Done {
    let options = args.engine();
    let engine = remote::open(&options, ui)?;
    let limits = RemoteLimits { jobs: 1, least: 0, patience: PATIENCE, failures: 1 };
    let name = engine.as_ref().map_or(String::new(), |engine| engine.name());
    let begun = Instant::now();
    let there = attempt(RunOptions { engine, remote: limits, ..RunOptions::default() });
    let wall = begun.elapsed();
    let here = attempt(RunOptions::default());
    let run = there.kernels.first().and_then(|kernel| kernel.remote.clone());
    let wrong = problem(&there, &here, run.as_ref());
    let program = options.remote_program.is_none().then(key::needs_loader);
    let linked = match program {
        None => "another one, by --remote-program".to_owned(),
        Some(Ok(false)) => "static: runs on any Linux of this architecture".to_owned(),
        Some(Ok(true)) => "dynamic: workers need the same loader and C library; a static program of \
                           this version, by --remote-program, does not"
            .to_owned(),
        Some(Err(error)) => format!("unknown: {error}"),
    };
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    let mut facts = vec![("engine", name), ("program", linked), ("build", seconds(wall))];
    if let Some(run) = run.as_ref().filter(|run| run.outcome.is_remote()) {
        let worker = if run.worker.is_empty() { "not named".to_owned() } else { run.worker.clone() };
        facts.extend([
            ("outcome", run.outcome.name().to_owned()),
            ("queue", seconds(run.queued)),
            ("execution", seconds(run.ran)),
            ("worker", worker),
            ("sent", format!("{} bytes", run.sent)),
            ("received", format!("{} bytes", run.received)),
        ]);
    }
    facts.push(("result", wrong.clone().unwrap_or_else(|| "works: the same bytes as here".to_owned())));
    match ui.format() {
        MessageFormat::Json => {
            let facts: serde_json::Map<String, serde_json::Value> =
                facts.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            let works = wrong.is_none();
            let object = serde_json::json!({
                "schema": json::SCHEMA, "kind": "doctor", "works": works, "facts": facts,
            });
            print(&format!("{object}\n"))?;
        }
        _ => print(&facts.into_iter().map(|(name, value)| format!("{name:14} {value}\n")).collect::<String>())?,
    }
    if wrong.is_some() { Err(Failure::from(Class::Input)) } else { Ok(()) }
}

/// Compiles the kernel.
fn attempt(run: RunOptions) -> Report {
    let input = Input { name: "doctor.ptx".to_owned(), content: Content::Text(KERNEL.to_owned()) };
    compile(Request { inputs: vec![input], run, ..Request::default() }, &mut ())
}

/// What is wrong with the engine.
fn problem(there: &Report, here: &Report, run: Option<&RemoteRun>) -> Option<String> {
    let Some(run) = run else { return Some("the kernel was not given to the engine".to_owned()) };
    if run.outcome.is_remote() {
        let same = here.cubin.is_some() && there.cubin == here.cubin;
        return (!same).then(|| "does not work: the bytes differ from those that are made here".to_owned());
    }
    let failure = there.remote.as_ref().and_then(|used| used.failure.clone());
    let seconds = PATIENCE.as_secs();
    Some(format!("does not work: {}", failure.unwrap_or_else(|| format!("no answer within {seconds} s"))))
}
