//! Compiles the kernels of a module before the program that it belongs to is complete
//! ([`EarlyObjects`](crate::early::EarlyObjects)).
//!
//! Only objects without diagnostics are kept: the program's units make the others again, and with
//! them their diagnostics, at the right places. A run that follows a crash compiles nothing early,
//! so that a crash is always that of a unit of the program.

use crate::early::EarlyObject;
use crate::fault::Fault;
use crate::key::Key;
use crate::program::{self, Program, functions};
use crate::request::{Dump, Output, Request};
use crate::resume::Isolated;
use crate::unit;
use crate::unit::context::{Context, Services, Settings, Texts};
use crate::unit::result::Compiled;
use raddle_diag::{Diags, SourceMap};
use raddle_entity::Serial;
use raddle_ir::CodegenOptions;
use raddle_jobs::{Task, TaskResult};
use raddle_ptx::DebugStrings;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// Whether units may be compiled early.
pub(crate) fn is_possible(request: &Request) -> bool {
    let run = &request.run;
    let first_run =
        run.isolated == Isolated::default() && !run.fault.as_ref().is_some_and(Fault::strikes) && run.chaos.is_none();
    first_run && run.emit.is_none() && request.dump == Dump::None && request.output != Output::Check
}

/// Compiles the kernels of a module, as part of a task. Returns the objects that the program can
/// use.
pub(crate) fn compile(request: &Request, name: &str, text: &str, task: &mut Task) -> Vec<(Key, EarlyObject)> {
    let mut sources = SourceMap::new();
    let mut diags = Diags::new();
    if sources.add(name.to_owned(), text.to_owned()).is_err() {
        return Vec::new();
    }
    let read = task.phase("outline", |_| program::read(&sources, &request.selection, &mut diags, &Serial));
    let Some(mut program) = read.filter(|program| program.target.native.is_some() && !diags.has_errors()) else {
        return Vec::new();
    };
    let strings = match request.codegen.lineinfo {
        true => program.modules.iter().map(|module| DebugStrings::of(&module.text, &module.outline)).collect(),
        false => Vec::new(),
    };
    let early = Early {
        request,
        sources,
        strings,
        relocatable: CodegenOptions { relocatable: true, ..request.codegen.clone() },
        failed: AtomicUsize::new(usize::MAX),
        isolated: Isolated::default(),
    };
    let bodies: Vec<usize> = early.numbers(&program, false);
    for index in bodies {
        let Some(Compiled { body: Some(body), .. }) = early.unit(&program, index, task) else { return Vec::new() };
        let unit = &program.units[index];
        program.modules[unit.module].bodies.insert(unit.func, body);
    }
    functions::decide(&mut program, request.output, &request.codegen, &mut diags);
    let mut out = Vec::new();
    for index in early.numbers(&program, true) {
        let (begun, cpu) = (Instant::now(), raddle_jobs::timeline::thread_cpu());
        let Some(compiled) = early.unit(&program, index, task) else { return out };
        if let (Some(object), Some(key), true) = (compiled.object, compiled.key, compiled.diags.is_empty()) {
            let (wall, cpu) = (begun.elapsed(), raddle_jobs::timeline::thread_cpu().saturating_sub(cpu));
            out.push((key, EarlyObject { object, cached: compiled.cached, wall, cpu, peak: compiled.peak }));
        }
    }
    out
}

/// What the units of one module share.
struct Early<'a> {
    request: &'a Request,
    sources: SourceMap,
    strings: Vec<DebugStrings>,
    relocatable: CodegenOptions,
    failed: AtomicUsize,
    isolated: Isolated,
}

impl Early<'_> {
    fn numbers(&self, program: &Program, objects: bool) -> Vec<usize> {
        (0..program.units.len()).filter(|&index| program.units[index].makes_object() == objects).collect()
    }

    /// Compiles a unit; `None` if it was given up, or needs what only the program's task has.
    fn unit(&self, program: &Program, index: usize, task: &mut Task) -> Option<Compiled> {
        let (request, run) = (self.request, &self.request.run);
        let cx = Context {
            texts: Texts {
                sources: &self.sources,
                modules: &program.modules,
                strings: &self.strings,
                target: program.target,
            },
            settings: Settings {
                codegen: &request.codegen,
                relocatable: &self.relocatable,
                dump: &request.dump,
                checks_only: false,
                policy: request.policy,
                keep_going: true,
                steps: run.kernel_steps,
                time_limit: run.kernel_timeout,
                isolated: &self.isolated,
                fault: None,
                keys: true,
                warn_on: request.warn_on,
            },
            services: Services {
                first_failed: &self.failed,
                fallback: None,
                worker: run.worker.as_deref(),
                server: None,
                meter: run.meter,
                cache: run.cache.as_deref(),
                known: None,
                early: None,
                emit: None,
                remote: None,
            },
        };
        match unit::compile(&cx, index, &program.units[index], task) {
            TaskResult::Done(compiled) if !task.expired() => Some(compiled),
            _ => None,
        }
    }
}
