//! Links our unit objects to one cubin, an executable or a relocatable object.
//!
//! | step | file | result |
//! |---|---|---|
//! | resolve | `resolve.rs` | every symbol has one definition or may be undefined |
//! | build | `executable/` or `relocatable/` | an [`image::Image`], without numbers |
//! | number | `sections.rs`, `symbols.rs` | sections and symbols in the order of ptxas 13.0.88 |
//! | write | `cubin.rs`, `attributes.rs` | a [`raddle_cubin::Cubin`] |
//!
//! Both kinds of output are made from the same image by the same code; they differ in its content,
//! and in the types of a few sections.
//!
//! Invariants: the bytes depend only on the units' contents and order (the caller orders them), not
//! on a clock, a path or the order of a hash map. A user error is a [`LinkError`] that names the
//! symbol and both places.

mod attributes;
mod cubin;
mod executable;
mod frame;
mod image;
mod lines;
mod relocatable;
mod resolve;
mod sections;
mod symbols;
mod text;

use raddle_cubin::unit::UnitObject;
use raddle_entity::{Executor, map};
use raddle_target::Native;

use crate::LinkError;
use crate::options::{FinalizeOptions, format};
use resolve::Program;

/// Links `units` into one executable cubin.
///
/// Units are used in the given order; functions and variables are placed in that order (variables
/// by alignment first). The executor does not affect the result.
///
/// # Errors
/// A [`LinkError`] that names the symbol and its module.
pub fn finalize(
    units: &[UnitObject],
    options: &FinalizeOptions<'_>,
    executor: &dyn Executor,
) -> Result<Vec<u8>, LinkError> {
    let (program, native) = program(units, options, executor)?;
    let format = format(options, native);
    let image = executable::image(&program, options, &format, native, executor)?;
    Ok(cubin::write(image, options, &format, native, executor)?.write_on(executor)?)
}

/// Combines `units` into one relocatable object.
///
/// # Errors
/// [`LinkError`] for duplicate definitions and for inconsistent units.
pub fn relocatable(
    units: &[UnitObject],
    options: &FinalizeOptions<'_>,
    executor: &dyn Executor,
) -> Result<Vec<u8>, LinkError> {
    object(units, options, false, executor)
}

/// Like [`relocatable()`], for a mix of units for objects and kernels for executables, which only
/// [`crate::objects::link`] can link.
///
/// # Errors
/// As [`relocatable()`].
pub fn with_executable_kernels(
    units: &[UnitObject],
    options: &FinalizeOptions<'_>,
    executor: &dyn Executor,
) -> Result<Vec<u8>, LinkError> {
    object(units, options, true, executor)
}

fn object(
    units: &[UnitObject],
    options: &FinalizeOptions<'_>,
    mixed: bool,
    executor: &dyn Executor,
) -> Result<Vec<u8>, LinkError> {
    let (program, native) = program(units, options, executor)?;
    let format = format(options, native);
    let image = relocatable::image(&program, options, native, mixed)?;
    Ok(cubin::write(image, options, &format, native, executor)?.write_on(executor)?)
}

fn program<'u>(
    units: &'u [UnitObject],
    options: &FinalizeOptions<'_>,
    executor: &dyn Executor,
) -> Result<(Program<'u>, &'static Native), LinkError> {
    let native = options.target.native.as_ref().ok_or(LinkError::Target(options.target.name))?;
    map(units.len(), executor, |n| units[n].verify()).into_iter().collect::<Result<(), _>>()?;
    let mut program = resolve::run(units)?;
    program.make_local(options.locals);
    Ok((program, native))
}
