//! The stages that make a unit's object, one inside the other.
//!
//! ```text
//! body ─► Cached ─ a miss ─► Separate ─ without a program ─► Native ─► UnitObject
//!            │                  └─ in its process ────────────────────► UnitObject
//!            └─ a hit ─────────────────────────────────────────────────► UnitObject
//! ```
//!
//! A unit that is compiled elsewhere is looked up first ([`look_up`]), and kept when it arrives
//! ([`keep`]).

use super::cached;
use super::context::Context;
use super::result::Compiled;
use super::text;
use crate::program::Unit;
use raddle_cubin::unit::UnitObject;
use raddle_ir::{CodegenOptions, Stop};
use raddle_jobs::Task;
use raddle_ptx::Body;

/// A unit whose body has been read.
pub struct Job<'a> {
    /// Its number in the program.
    pub index: usize,
    /// The unit.
    pub unit: &'a Unit,
    /// Its body.
    pub body: &'a Body,
    /// Options that affect its code.
    pub options: &'a CodegenOptions,
}

/// A stage that makes a unit's object.
pub trait Compile {
    /// Returns the object, `None` if only a check was wanted. Diagnostics that do not stop it go to
    /// `compiled`.
    ///
    /// # Errors
    /// The reason that stopped it.
    fn compile(&self, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) -> Result<Option<UnitObject>, Stop>;
}

/// Takes the object from those made early or from the cache, or makes and stores it.
pub struct Cached<'a, C> {
    /// The context with the cache.
    pub cx: &'a Context<'a>,
    /// The stage that makes missing objects.
    pub inner: C,
}

/// Looks up the object of a unit among those made early and in the cache, unless that has been done.
pub fn look_up(cx: &Context<'_>, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) -> Option<UnitObject> {
    let unit = job.unit;
    // A key that is known has been looked up.
    if !cx.settings.keys || compiled.key.is_some() {
        return None;
    }
    let key = task.phase("key", |_| text::key(cx.module(unit), unit.func, job.options, cx.texts.target));
    (compiled.key, compiled.said_before_key) = (Some(key), compiled.diags.counts());
    if let Some(early) = cx.services.early.and_then(|early| early.get(&key, unit.module as u32)) {
        compiled.cached = early.cached;
        compiled.beyond_check = true;
        compiled.peak = early.peak;
        (compiled.other_wall, compiled.other_cpu) = (early.wall, early.cpu);
        return Some(early.object);
    }
    let object = cached::get(cx, unit, compiled, None, task);
    compiled.cached = object.is_some();
    object
}

/// Stores an object that was made. A build that takes it from the cache would not repeat diagnostics
/// made after the key.
pub fn keep(cx: &Context<'_>, unit: &Unit, object: &UnitObject, task: &mut Task, compiled: &Compiled) {
    if compiled.diags.counts() == compiled.said_before_key {
        cached::put(cx, unit, compiled, None, object, task);
    }
}

impl<C: Compile> Compile for Cached<'_, C> {
    fn compile(&self, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) -> Result<Option<UnitObject>, Stop> {
        if let Some(object) = look_up(self.cx, job, task, compiled) {
            return Ok(Some(object));
        }
        let object = self.inner.compile(job, task, compiled)?;
        if let Some(object) = &object {
            keep(self.cx, job.unit, object, task, compiled);
        }
        Ok(object)
    }
}
