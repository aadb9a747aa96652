//! Optimisation passes over the SSA form, one pass a file.
//!
//! [`PASSES`] lists the passes in the order they run, each with the lowest level that runs it:
//! `-O0` runs none, `-O1` the cheap linear ones, `-O2` everything that does not make code longer,
//! `-O3` everything. Every pass preserves [`raddle_ir::verify`] (checked after each pass where
//! debug assertions are on), is deterministic, and takes time about linear in the function.
//!
//! Every pass preserves results bit by bit: floating-point operations are never reordered or
//! contracted. Convergent operations, whose result depends on the lanes that execute them together,
//! are never moved or made conditional (D4).
#![forbid(unsafe_code)]

pub mod address;
pub mod alias;
pub mod bits;
pub mod counted;
pub mod dce;
pub mod divide;
pub mod edit;
pub mod elements;
pub mod eval;
pub mod facts;
pub mod fold;
pub mod gvn;
pub mod hoist;
pub mod late_loads;
pub mod late_values;
pub mod licm;
pub mod loads;
pub mod locations;
pub mod mem2reg;
pub mod pre;
pub mod promote;
pub mod repack;
pub mod rotate;
pub mod share;
pub mod simplify_cfg;
mod sink;
mod size;
pub mod stores;
pub mod thread;
pub mod unroll;
pub mod vectorize;

use raddle_ir::{Cx, Function, OptLevel, Stop};

/// One run of a pass.
pub struct Pass {
    /// The pass's name, for `--print-after`; all runs of one pass have the same name.
    pub name: &'static str,
    /// The lowest level at which this run takes place.
    pub level: OptLevel,
    /// The pass.
    pub run: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>,
}

const fn pass(name: &'static str, level: OptLevel, run: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>) -> Pass {
    Pass { name, level, run }
}

use OptLevel::{O1, O2, O3};

/// The passes, in the order they run.
pub const PASSES: &[Pass] = &[
    pass("simplify_cfg", O1, simplify_cfg::run),
    pass("fold", O1, fold::run),
    pass("mem2reg", O1, mem2reg::run),
    pass("gvn", O1, gvn::run),
    pass("dce", O1, dce::run),
    pass("repack", O2, repack::run),
    pass("divide", O2, divide::run),
    pass("thread", O2, thread::run),
    // Branches that folding and threading have decided.
    pass("simplify_cfg", O2, simplify_cfg::run),
    // Loops that test at the bottom. `loads` moves loads into the preheaders that this leaves.
    pass("rotate", O3, rotate::run),
    pass("fold", O2, fold::run),
    pass("gvn", O2, gvn::run),
    pass("loads", O2, loads::run),
    pass("stores", O2, stores::run),
    pass("fold", O2, fold::run),
    pass("gvn", O2, gvn::run),
    pass("pre", O2, pre::run),
    pass("hoist", O2, hoist::run),
    pass("dce", O2, dce::run),
    pass("thread", O2, thread::run),
    // Copies of loop bodies, and the simplifications they enable.
    pass("unroll", O3, unroll::run),
    pass("simplify_cfg", O3, simplify_cfg::run),
    pass("fold", O3, fold::run),
    pass("elements", O3, elements::run),
    pass("mem2reg", O3, mem2reg::run),
    pass("gvn", O3, gvn::run),
    pass("loads", O3, loads::run),
    pass("stores", O3, stores::run),
    pass("fold", O3, fold::run),
    pass("vectorize", O3, vectorize::run),
    pass("share", O2, share::run),
    pass("dce", O2, dce::run),
    pass("licm", O2, licm::run),
    pass("sink", O2, sink::run),
    pass("late values", O2, late_values::run),
    // Removes preheaders that nothing was moved to.
    pass("simplify_cfg", O2, simplify_cfg::run),
];

/// The passes that run after operations without a machine instruction have been expanded.
pub const LATE: &[Pass] = &[
    pass("fold", O1, fold::run),
    pass("gvn", O2, gvn::run),
    pass("licm", O2, licm::late),
    pass("dce", O1, dce::run),
    pass("simplify_cfg", O2, simplify_cfg::run),
];

/// Runs the passes of the context's level.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`]; [`Stop::Internal`] if a pass left invalid IR, where debug
/// assertions are on.
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    run_list(PASSES, cx, f)
}

/// Runs the passes of [`LATE`].
///
/// # Errors
/// Those of [`run`].
pub fn late(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    run_list(LATE, cx, f)
}

fn run_list(list: &[Pass], cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    for pass in list.iter().filter(|p| cx.options.opt >= p.level) {
        cx.step(f.insts.len() as u64)?;
        cx.observer.before(pass.name);
        (pass.run)(cx, f)?;
        if cfg!(debug_assertions)
            && let Err(errors) = raddle_ir::verify::verify(f)
        {
            return Err(Stop::Internal { pass: pass.name, what: errors.join("; ") });
        }
        cx.observer.after(pass.name, &|| raddle_ir::text::print(f));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use raddle_ir::{CodegenOptions, Cx, Function, Stop};

    /// Runs one pass on a function and verifies the result.
    pub(crate) fn apply(pass: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>, f: &mut Function) {
        let options = CodegenOptions::default();
        let target = raddle_target::Target::by_name("sm_90").unwrap();
        pass(&Cx::new(target, &options), f).unwrap();
        raddle_ir::verify::verify(f).unwrap();
    }
}
