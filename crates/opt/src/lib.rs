//! Optimisation passes over the SSA form, one pass a file.
//!
//! [`PASSES`] lists them in the order they run, each with the level from which it does: `-O0` runs nothing, `-O1` what is cheap
//! and linear, `-O2` everything that does not make code longer, `-O3` everything. Every pass keeps [`raddle_ir::verify`] true
//! (checked after each where debug assertions are on), is deterministic, and takes time about linear in the function.
//!
//! Bits are sacred: what a pass leaves computes what PTX says, bit by bit; floating-point operations are never reordered or
//! contracted. Convergent operations, whose result depends on the lanes that execute them together, stay where they are (D4).
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
pub mod licm;
pub mod loads;
pub mod locations;
pub mod mem2reg;
pub mod pre;
pub mod promote;
pub mod rotate;
pub mod share;
pub mod simplify_cfg;
pub mod sink;
pub mod stores;
pub mod thread;
pub mod unroll;
pub mod vectorize;

use raddle_ir::{Cx, Function, OptLevel, Stop};

/// One run of a pass.
pub struct Pass {
    /// Its name, for `--print-after`; a pass that runs twice has one name.
    pub name: &'static str,
    /// The lowest level that runs it here.
    pub level: OptLevel,
    /// The pass.
    pub run: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>,
}

const fn pass(name: &'static str, level: OptLevel, run: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>) -> Pass {
    Pass { name, level, run }
}

use OptLevel::{O1, O2, O3};

/// The passes in order.
pub const PASSES: &[Pass] = &[
    pass("simplify_cfg", O1, simplify_cfg::run),
    pass("fold", O1, fold::run),
    pass("mem2reg", O1, mem2reg::run),
    pass("gvn", O1, gvn::run),
    pass("dce", O1, dce::run),
    pass("divide", O2, divide::run),
    pass("thread", O2, thread::run),
    // What folding and threading have made known about branches.
    pass("simplify_cfg", O2, simplify_cfg::run),
    // Loops that test at the bottom: the doors that it leaves are for what `loads` takes out of them.
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
    // Copies of loop bodies, and what they make known.
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
    // Doors of loops that nothing was moved to.
    pass("simplify_cfg", O2, simplify_cfg::run),
];

/// The passes behind the expansion of what the machine has no instruction for.
pub const LATE: &[Pass] = &[
    pass("fold", O1, fold::run),
    pass("gvn", O2, gvn::run),
    pass("licm", O2, licm::run),
    pass("dce", O1, dce::run),
    pass("simplify_cfg", O2, simplify_cfg::run),
];

/// Runs the passes of the context's level.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`]; [`Stop::Internal`] if a pass broke the function, where debug assertions are on.
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    run_list(PASSES, cx, f)
}

/// Runs the passes of [`LATE`].
///
/// # Errors
/// As [`run`].
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

    /// Runs one pass on a function and verifies what it leaves.
    pub(crate) fn apply(pass: fn(&Cx<'_>, &mut Function) -> Result<(), Stop>, f: &mut Function) {
        let options = CodegenOptions::default();
        let target = raddle_target::Target::by_name("sm_90").unwrap();
        pass(&Cx::new(target, &options), f).unwrap();
        raddle_ir::verify::verify(f).unwrap();
    }
}
