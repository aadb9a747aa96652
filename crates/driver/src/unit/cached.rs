//! Access to the cached objects of units, made by us or by another assembler.

use super::context::Context;
use super::result::Compiled;
use crate::cache::Cache;
use crate::key::Key;
use crate::program::Unit;
use crate::ptxas::Fallback;
use crate::request::Dump;
use raddle_cubin::unit::UnitObject;
use raddle_jobs::Task;

/// Looks up the object of a unit, made by `tool` if that is another assembler.
pub fn get(
    cx: &Context<'_>,
    unit: &Unit,
    compiled: &Compiled,
    tool: Option<&Fallback>,
    task: &mut Task,
) -> Option<UnitObject> {
    let (cache, key) = place(cx, unit, compiled, tool)?;
    let module = unit.module as u32;
    let mut found = task.phase("cache", |_| cache.near(&key, module));
    if found.is_none() && cache.has_remote() {
        found = task.phase("remote cache", |_| cache.far(&key, module));
    }
    match tool {
        None => cache.count(found.is_some()),
        Some(_) => cache.count_second(found.is_some()),
    }
    found
}

/// Stores an object.
pub fn put(
    cx: &Context<'_>,
    unit: &Unit,
    compiled: &Compiled,
    tool: Option<&Fallback>,
    object: &UnitObject,
    task: &mut Task,
) {
    if let Some((cache, key)) = place(cx, unit, compiled, tool) {
        task.phase("cache", |_| cache.put(&key, object));
    }
}

/// Cache and key, if only an object is wanted of the unit and no fault is injected into it.
fn place<'a>(cx: &Context<'a>, unit: &Unit, compiled: &Compiled, tool: Option<&Fallback>) -> Option<(&'a Cache, Key)> {
    let only_object = !cx.settings.checks_only && *cx.settings.dump == Dump::None;
    let is_for_it = cx.settings.fault.is_some_and(|fault| fault.is_for(&unit.name));
    let (cache, key) = (cx.services.cache.filter(|_| only_object && !is_for_it)?, compiled.key?);
    // The key of a library says nothing of the program that compiles for it.
    match tool.map(|tool| &*tool.ptxas).or(cx.services.worker) {
        None => Some((cache, key)),
        Some(program) => Some((cache, key.with_tool(&cache.tool(program)?))),
    }
}
