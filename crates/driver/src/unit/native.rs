//! Our code generation: compiles a parsed body to an object, the only path to machine code (D5).
//!
//! ```text
//! tree ─ coverage, lower ─► SSA ─ opt ─► SSA ─ codegen ─► UnitObject
//! ```

use super::context::Context;
use super::findings::{self, in_ptx};
use super::result::Compiled;
use super::stages::{Compile, Job};
use super::watch::Watch;
use crate::program::Module;
use raddle_cubin::unit::UnitObject;
use raddle_ir::{Cx, Stop, Unsupported};
use raddle_jobs::Task;
use raddle_ptx::FuncId;
use std::ops::Range;

/// Our own code generation.
pub struct Native<'a> {
    /// The context of all units.
    pub cx: &'a Context<'a>,
    /// Observes the passes.
    pub watch: &'a Watch<'a>,
}

impl Compile for Native<'_> {
    fn compile(&self, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) -> Result<Option<UnitObject>, Stop> {
        match self.attempt(job, None, task, compiled) {
            Err(Stop::InFlight(why)) => self.attempt(job, Some(&why), task, compiled),
            done => done,
        }
    }
}

impl Native<'_> {
    /// Compiles a unit; its products of a warpgroup run one after another for the reason
    /// `serial_products`, or for one in its text.
    fn attempt(
        &self,
        job: &Job<'_>,
        serial_products: Option<&Unsupported>,
        task: &mut Task,
        compiled: &mut Compiled,
    ) -> Result<Option<UnitObject>, Stop> {
        let &Job { index, unit, body, options } = job;
        let (shared, watch) = (self.cx, self.watch);
        let module = shared.module(unit);
        let cancel = task.cancel().flag();
        let mut cx = Cx::new(shared.texts.target, options);
        cx.cancel = Some(&cancel);
        cx.fuel.set(shared.settings.steps);
        cx.observer = watch;

        let func = &module.outline.funcs[unit.func];
        let lines = Lines::of(shared, module, func.text.clone());
        let line_of = |id: FuncId, offset: u32| {
            let at = module.outline.funcs[id].text.start + offset as usize;
            shared.texts.sources.get(module.file).map_or(0, |file| file.line(at) as u32)
        };
        let strings = shared.texts.strings.get(unit.module);
        let string_of = |label: &str, offset: u64| strings?.get(label, offset).map(str::to_owned);
        let input = raddle_lower::Input {
            outline: &module.outline,
            func: unit.func,
            body,
            bodies: &module.bodies,
            out_of_line: module.out_of_line.as_ref().filter(|_| unit.relocatable),
            src: &module.text,
            line: &|offset| lines.line(offset),
            lines: options.lineinfo.then_some(raddle_lower::LineInfo { line: &line_of, string: &string_of }),
            serial_products,
        };
        let (function, mut unsupported) = task.phase("lower", |_| raddle_lower::coverage(&cx, &input))?;
        let data = match task.phase("variables", |_| raddle_lower::variables(&input, &function)) {
            Ok(data) => data,
            Err(Stop::Unsupported(list)) => {
                unsupported.extend(list);
                Vec::new()
            }
            Err(stop) => return Err(stop),
        };
        if let Some(fault) = shared.settings.fault {
            unsupported.extend(fault.unsupported(&unit.name, body, &|offset| lines.line(offset)));
        }
        if shared.settings.checks_only || shared.is_late(index) || !unsupported.is_empty() {
            // Lists everything that is unsupported before any compilation: what lowering refuses
            // and what has no machine code.
            unsupported.extend(task.phase("coverage", |_| raddle_codegen::coverage(&cx, &function))?);
            return if unsupported.is_empty() { Ok(None) } else { Err(Stop::Unsupported(in_ptx(unsupported, body))) };
        }
        if let Some(why) = &function.serial_products {
            compiled.diags.push(findings::serial_products(why.clone(), module, unit, body));
        }
        compiled.beyond_check = true;
        let mut lowered = raddle_lower::unit_with(&cx, &input, function, data);
        if let Some(fault) = shared.settings.fault {
            task.phase("fault", |task| fault.strike(&unit.name, task.cancel()))?;
        }
        task.phase("opt", |_| raddle_opt::run(&cx, &mut lowered.function))?;
        watch.ir(&lowered.function);
        // The expansions of division and roots are then folded, shared and hoisted like other code.
        task.phase("expand", |_| raddle_codegen::expand::run(&cx, &mut lowered.function));
        task.phase("late", |_| raddle_opt::late(&cx, &mut lowered.function))?;
        let mut object = task.phase("codegen", |_| match raddle_codegen::compile_unit(&cx, &lowered) {
            Err(Stop::Unsupported(list)) => Err(Stop::Unsupported(in_ptx(list, body))),
            other => other,
        })?;
        object.module = unit.module as u32;
        Ok(Some(object))
    }
}

/// Maps offsets in a function to line numbers, by bisection.
struct Lines {
    /// The line of the start of its text.
    first: u32,
    /// Offsets of its newlines, relative to its start.
    newlines: Vec<u32>,
}

impl Lines {
    fn of(cx: &Context<'_>, module: &Module, text: Range<usize>) -> Lines {
        let first = cx.texts.sources.get(module.file).map_or(1, |file| file.line(text.start));
        let newlines = memchr::memchr_iter(b'\n', &module.text.as_bytes()[text]).map(|i| i as u32);
        Lines { first: first as u32, newlines: newlines.collect() }
    }

    fn line(&self, offset: u32) -> u32 {
        self.first + self.newlines.partition_point(|&newline| newline < offset) as u32
    }
}
