//! Compiles a unit in a process of another program, for a library whose host must not end with the
//! compiler.
//!
//! Strategy: the process makes the object, or crashes, which is an error of the unit. If it ends with
//! findings, the unit is compiled here once more, up to the same findings, whose places are then
//! known; so it is if the program cannot be used at all.

use super::context::Context;
use super::isolated::{self, Attempt};
use super::result::Compiled;
use super::stages::{Compile, Job};
use crate::request::Dump;
use raddle_cubin::unit::UnitObject;
use raddle_ir::Stop;
use raddle_jobs::Task;

/// Compiles in a process, if a program is given for it.
pub struct Separate<'a, C> {
    /// The context with the program.
    pub cx: &'a Context<'a>,
    /// The stage that compiles on this thread.
    pub inner: C,
}

impl<C: Compile> Compile for Separate<'_, C> {
    fn compile(&self, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) -> Result<Option<UnitObject>, Stop> {
        let cx = self.cx;
        let only_object = !cx.settings.checks_only && !cx.is_late(job.index) && *cx.settings.dump == Dump::None;
        let Some(program) = cx.services.worker.filter(|_| only_object) else {
            return self.inner.compile(job, task, compiled);
        };
        match isolated::attempt(cx, job.unit, program, task) {
            Attempt::Made(object, peak) => {
                (compiled.beyond_check, compiled.peak) = (true, peak);
                Ok(Some(*object))
            }
            Attempt::Crashed(diagnostic) => {
                compiled.beyond_check = true;
                compiled.diags.push(diagnostic);
                Ok(None)
            }
            Attempt::Cancelled => Err(Stop::Cancelled),
            Attempt::Refused => self.inner.compile(job, task, compiled),
        }
    }
}
