//! Optimisation passes over the SSA form, one pass a file.
//!
//! `-O1` runs what is cheap and safe: [`fold`] (constants, copies, identities), [`gvn`] (equal pure operations), [`dce`].
//! `-O0` runs nothing. Every pass keeps [`raddle_ir::verify`] true.
#![forbid(unsafe_code)]

pub mod dce;
pub mod fold;
pub mod gvn;

use raddle_ir::{Cx, Function, OptLevel, Stop};

/// Runs the passes of the context's level.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    if cx.options.opt == OptLevel::O0 {
        return Ok(());
    }
    for (name, pass) in PASSES {
        cx.step(f.insts.len() as u64)?;
        pass(f);
        cx.observer.after(name, &|| raddle_ir::text::print(f));
    }
    Ok(())
}

/// A pass and its name.
type Pass = (&'static str, fn(&mut Function));

const PASSES: &[Pass] = &[("fold", fold::run), ("gvn", gvn::run), ("dce", dce::run)];
