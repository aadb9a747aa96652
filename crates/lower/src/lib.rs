//! PTX tree to SSA: coverage check first, then lowering.
//!
//! Problem: PTX is a list of instructions on mutable registers with guards, free labels and
//! operands that are registers, literals or names; `ir` has blocks, values and branches. Strategy:
//! [`flow`] cuts the body into blocks and turns guards of instructions with effects into branches;
//! [`ssa`] decides where values of different paths meet; then one walk of the dominator tree lowers
//! each instruction in the file of its family ([`int`], [`float`], [`cvt`], [`memory`], [`sync`],
//! [`data`]), and guards of pure instructions become selects.
//!
//! Direct calls are inlined ([`call`]). Invariants: the lowering code alone decides what is
//! supported: [`coverage`] continues after an unsupported instruction, so that the list is complete.
//! No step recurses on the input.
#![forbid(unsafe_code)]

mod asynchrony;
mod atomic;
mod build;
mod call;
mod callees;
mod cells;
mod cluster;
mod contract;
mod convention;
mod cvt;
mod cvt_composed;
mod data;
mod float;
mod flow;
mod globals;
mod handles;
mod in_memory;
mod int;
mod lines;
mod loops;
mod memory;
mod mma;
mod mma_quads;
mod multimem;
mod out_of_line;
mod packed;
mod param_accesses;
mod pending;
mod places;
mod policy;
mod reason;
mod ssa;
mod stack;
mod sync;
mod tensormap;
mod texture;
mod texture_gradient;
mod video;
mod vmad;
mod wgmma;
mod wmma;

use build::{Contraction, Lower};
use callees::{Callee, Callees};
pub use convention::{OutOfLine, function_type, indirect_types};
use flow::Flow;
pub use globals::{Refused, linkage, named, visible};
use in_memory::InMemory;
pub use lines::LineInfo;
use raddle_entity::FxHashMap;
use raddle_ir::unit::{Data, DebugNames, RegisterName};
use raddle_ir::{Cx, Function, Stop, Unit, Unsupported};
use raddle_ptx::{Body, FuncId, InstId, Outline, Reg, Space, VarId, Variable};
use reason::Reason;

/// A kernel, or a function that is not inlined, to be lowered.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// Its module.
    pub outline: &'a Outline,
    /// The kernel or function.
    pub func: FuncId,
    /// Its body.
    pub body: &'a Body,
    /// Bodies of the device functions that it reaches by direct calls, for inlining.
    pub bodies: &'a FxHashMap<FuncId, Body>,
    /// The functions that are called; `None`: every call is inlined or unsupported.
    pub out_of_line: Option<&'a OutOfLine>,
    /// The text of the module, with the initial values.
    pub src: &'a str,
    /// Maps a byte offset from the start of the function to a line of the PTX text, from 1; 0 =
    /// unknown.
    pub line: &'a dyn Fn(u32) -> u32,
    /// Source of line information, if requested.
    pub lines: Option<LineInfo<'a>>,
    /// The reason for products of a warpgroup to run one after another, if code generation has found
    /// one; others are found here.
    pub serial_products: Option<&'a Unsupported>,
}

impl Input<'_> {
    fn name(&self) -> &str {
        &self.outline.funcs[self.func].name
    }

    fn unsupported(&self, inst: InstId, reason: Reason) -> Unsupported {
        let offset = self.body.insts[inst].offset;
        Unsupported {
            kernel: self.name().to_owned(),
            line: (self.line)(offset),
            offset,
            what: self.body.dotted(inst).to_owned(),
            why: reason.0,
        }
    }
}

/// An unsupported kernel or function as a whole.
fn header(input: &Input<'_>, reason: Reason) -> Unsupported {
    let what = if input.outline.funcs[input.func].entry { ".entry" } else { ".func" };
    of_header(input, what, reason)
}

/// An unsupported directive between header and body.
fn of_header(input: &Input<'_>, what: &str, reason: Reason) -> Unsupported {
    Unsupported { kernel: input.name().to_owned(), line: 0, offset: 0, what: what.into(), why: reason.0 }
}

/// Lowers what can be lowered: returns the function, and everything unsupported, in order. The
/// results of an unsupported instruction keep their old values, so that the rest can still be
/// checked; the function is valid only if the list is empty.
///
/// # Errors
/// [`Stop::Unsupported`] for a kernel that is unsupported as a whole, [`Stop::Fuel`] and
/// [`Stop::Cancelled`] from `cx`.
pub fn coverage(cx: &Cx<'_>, input: &Input<'_>) -> Result<(Function, Vec<Unsupported>), Stop> {
    let callees = call::callees(cx, input)?;
    let plain = input.body.to_explicit_form(input.outline, input.func);
    let input = &Input { body: plain.as_ref().unwrap_or(input.body), ..*input };
    let refused = |reason| Stop::Unsupported(vec![header(input, reason)]);
    let is_kernel = input.outline.funcs[input.func].entry;
    if !is_kernel {
        let perf = &input.outline.funcs[input.func].perf;
        if let Some(directive) = convention::own_convention(perf.abi_preserve, perf.abi_preserve_control) {
            let why = Reason(format!("function '{}' is not inlined", input.name()));
            return Err(Stop::Unsupported(vec![of_header(input, directive, why)]));
        }
    }
    let (lower, unsupported) = body(cx, input, &callees, !is_kernel)?.map_err(refused)?;
    let function = if is_kernel { lower.f } else { lower.into_called().map_err(refused)? };
    Ok((function, unsupported))
}

/// Lowers one body. `called`: a function that is called and not inlined.
fn body<'a>(
    cx: &Cx<'_>,
    input: &'a Input<'a>,
    callees: &'a Callees,
    called: bool,
) -> Result<Result<(Lower<'a>, Vec<Unsupported>), Reason>, Stop> {
    let entry = input.outline.funcs[input.func].entry;
    let flow = Flow::of(input.body, entry);
    cx.step(input.body.insts.len() as u64)?;
    let in_memory = InMemory::of(input, callees, called);
    if in_memory.any_own() && !called {
        return Ok(Err(Reason("a parameter whose address is taken, in an inlined function".into())));
    }
    let mut lower = match Lower::new(input, callees, in_memory, cx.target.native.as_ref().map(|n| &n.cbank)) {
        Ok(lower) => lower,
        Err(reason) => return Ok(Err(reason)),
    };
    lower.contraction = Contraction::new(cx);
    lower.serial_products = input.serial_products.cloned().or_else(|| lower.early_use(&flow.pending));
    lower.pending = flow.pending.clone();
    lower.caches = [cx.options.loads, cx.options.stores];
    lower.relocatable = cx.options.relocatable;
    lower.quads = cx.target.native.as_ref().is_none_or(|native| native.quads);
    // An inlined function's registers are not its caller's.
    lower.written = (cx.options.debug && (entry || called)).then(Vec::new);
    let plan = ssa::Plan::new(input.body, &flow, &lower.cells, entry);
    let unsupported = ssa::rename(cx, &mut lower, &flow, &plan)?;
    lower.f.serial_products = lower.serial_products.take().or(lower.f.serial_products.take());
    Ok(Ok((lower, unsupported)))
}

/// Lowers a device function for inlining; a text says why it is unsupported.
fn function(cx: &Cx<'_>, input: &Input<'_>, callees: &Callees) -> Result<Result<Callee, String>, Stop> {
    let plain = input.body.to_explicit_form(input.outline, input.func);
    let input = &Input { body: plain.as_ref().unwrap_or(input.body), ..*input };
    Ok(match body(cx, input, callees, false)? {
        Err(reason) => Err(reason.0),
        Ok((lower, unsupported)) => match unsupported.first() {
            Some(first) => Err(format!("{} {}", first.what, first.why).trim_end().to_owned()),
            None => Ok(lower.into_callee()),
        },
    })
}

/// Lowers a kernel.
///
/// # Errors
/// [`Stop::Unsupported`] with all unsupported instructions; those of [`coverage`].
pub fn lower(cx: &Cx<'_>, input: &Input<'_>) -> Result<Function, Stop> {
    let (function, unsupported) = coverage(cx, input)?;
    if unsupported.is_empty() { Ok(function) } else { Err(Stop::Unsupported(unsupported)) }
}

/// Returns the PTX instruction at a byte offset from the start of the function, without its
/// operands; `None` if there is none. Code generation knows only places: this gives its messages
/// the PTX name.
pub fn instruction_at(body: &Body, offset: u32) -> Option<String> {
    let at = body.insts.values().as_slice().partition_point(|i| i.offset < offset);
    let inst = InstId::from_u32(at as u32);
    body.insts.get(inst).filter(|i| i.offset == offset).map(|_| body.dotted(inst).to_owned())
}

/// Describes the variables that a lowered kernel refers to.
///
/// # Errors
/// [`Stop::Unsupported`] for variables whose contents are invalid or cannot be described.
pub fn variables(input: &Input<'_>, function: &Function) -> Result<Vec<Data>, Stop> {
    globals::collect(input, function)
}

/// Combines a lowered kernel and its [`variables`] for code generation.
///
/// # Errors
/// Those of [`variables`].
pub fn unit(cx: &Cx<'_>, input: &Input<'_>, function: Function) -> Result<Unit, Stop> {
    let data = variables(input, &function)?;
    Ok(unit_with(cx, input, function, data))
}

/// [`unit()`] with given variables.
pub fn unit_with(cx: &Cx<'_>, input: &Input<'_>, function: Function, data: Vec<Data>) -> Unit {
    cx.observer.after("lower", &|| raddle_ir::text::print(&function));
    let linkage = globals::linkage(input.outline.funcs[input.func].linkage);
    let (types, indirect) = convention::types(input, &function, &data);
    let aliases = match function.kind {
        raddle_ir::Kind::Called => input.outline.aliases_of(input.func).map(str::to_owned).collect(),
        raddle_ir::Kind::Kernel => Vec::new(),
    };
    let debug = cx.options.debug.then(|| debug_names(input));
    Unit { function, linkage, data, types, indirect, aliases, debug }
}

/// Returns the names of a function for debug sections.
fn debug_names(input: &Input<'_>) -> DebugNames {
    let body = input.body;
    let labels = body.labels.values().map(|l| (l.name.to_string(), body.insts.get(l.at).map(|inst| inst.offset)));
    let slot = |(id, var): (VarId, &Variable)| match var.space {
        Space::Local => (var.name.to_string(), var.name.to_string()),
        _ => (var.name.to_string(), globals::local_name(input.name(), var, id)),
    };
    let places = body.vars.iter().filter(|(_, var)| var.space != Space::Param);
    DebugNames { labels: labels.collect(), variables: places.map(slot).collect(), registers: register_names(body) }
}

/// Returns the names of a body's registers, with those of a vector one after the other: as they are
/// numbered in explicit form, which may have more registers after them.
fn register_names(body: &Body) -> Vec<RegisterName> {
    let mut out = Vec::new();
    for reg in (0..body.reg_count()).map(Reg::from_u32) {
        let group = body.reg_group(reg);
        let (name, ty, width) = (body.reg_name(reg), group.ty.name(), group.width);
        out.extend((0..width).map(|component| RegisterName { name: name.clone(), ty, width, component }));
    }
    out
}
