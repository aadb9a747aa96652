//! PTX tree to SSA: coverage check first, then lowering.
//!
//! Problem: PTX is a list of instructions on mutable registers with guards, free labels and operands that are registers,
//! literals or names; `ir` wants blocks, values and branches. Strategy: [`flow`] cuts the body into blocks and turns guards of
//! anything with an effect into branches; [`ssa`] decides where values of different paths meet; then the dominator tree
//! is walked once and each instruction is lowered by the file of its family ([`int`], [`float`], [`cvt`], [`memory`], [`sync`],
//! [`data`]), with guards of pure instructions becoming selects.
//!
//! Invariants: what can be lowered is decided in one place, the lowering code itself: [`coverage`] is that code run over a
//! scratch function, so it cannot disagree with [`lower`]. No step recurses on the input.
#![forbid(unsafe_code)]

mod build;
mod cvt;
mod data;
mod float;
mod flow;
mod globals;
mod int;
mod memory;
mod mma;
mod ssa;
mod sync;

use build::{Lower, No};
use flow::Flow;
use raddle_ir::{Cx, Function, Op, Stop, Unit, Unsupported};
use raddle_ptx::{Body, FuncId, InstId, Outline};

/// A kernel to be lowered.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The module around it.
    pub outline: &'a Outline,
    /// The kernel.
    pub func: FuncId,
    /// Its body.
    pub body: &'a Body,
    /// Line in the PTX text, from 1, of a byte offset from the start of the function; 0 where unknown.
    pub line: &'a dyn Fn(u32) -> u32,
}

impl Input<'_> {
    fn name(&self) -> &str {
        &self.outline.funcs[self.func].name
    }

    fn unsupported(&self, inst: InstId, no: No) -> Unsupported {
        let offset = self.body.insts[inst].offset;
        Unsupported {
            kernel: self.name().to_owned(),
            line: (self.line)(offset),
            offset,
            what: self.body.dotted(inst),
            why: no.0,
        }
    }
}

/// Lists every instruction of a kernel that cannot be compiled yet, in order.
///
/// `native` is the code generator's word on an operation: `Some(reason)` where it has no machine code for it.
pub fn coverage(input: &Input<'_>, native: &dyn Fn(&Op) -> Option<String>) -> Vec<Unsupported> {
    let mut out = Vec::new();
    let mut lower = match Lower::new(input) {
        Ok(lower) => lower,
        Err(no) => {
            let kernel = input.name().to_owned();
            return vec![Unsupported { kernel, line: 0, offset: 0, what: ".entry".into(), why: no.0 }];
        }
    };
    for inst in input.body.insts.keys() {
        let before = lower.f.insts.len();
        let result = match flow::terminator(input.body, inst) {
            Some(_) => flow::check_terminator(input.body, inst),
            None => lower.inst(inst, true),
        };
        let result = result.and_then(|()| {
            let made = lower.f.insts.values().skip(before);
            made.filter_map(|i| native(&i.op)).next().map_or(Ok(()), |why| Err(No(why)))
        });
        if let Err(no) = result {
            out.push(input.unsupported(inst, no));
        }
    }
    out
}

/// Lowers a kernel.
///
/// # Errors
/// [`Stop::Unsupported`] with every instruction that is not supported, [`Stop::Fuel`] and [`Stop::Cancelled`] as `cx` says.
pub fn lower(cx: &Cx<'_>, input: &Input<'_>) -> Result<Function, Stop> {
    let stop = |no: No| {
        let kernel = input.name().to_owned();
        Stop::Unsupported(vec![Unsupported { kernel, line: 0, offset: 0, what: ".entry".into(), why: no.0 }])
    };
    let flow = Flow::of(input.body);
    cx.step(input.body.insts.len() as u64)?;
    let plan = ssa::Plan::new(input.body, &flow);
    let mut lower = Lower::new(input).map_err(stop)?;
    let unsupported = ssa::rename(cx, &mut lower, &flow, &plan)?;
    if !unsupported.is_empty() {
        return Err(Stop::Unsupported(unsupported));
    }
    Ok(lower.f)
}

/// Lowers a kernel and describes the variables it refers to: what code generation takes.
///
/// # Errors
/// As [`lower`]; also for variables whose contents cannot be described.
pub fn unit(cx: &Cx<'_>, input: &Input<'_>) -> Result<Unit, Stop> {
    let function = lower(cx, input)?;
    cx.observer.after("lower", &|| raddle_ir::text::print(&function));
    let data = globals::collect(input, &function)?;
    let linkage = globals::linkage(input.outline.funcs[input.func].linkage);
    Ok(Unit { function, linkage, data })
}
