//! The passes of the code generator, in order.
//!
//! [`SELECTION`] converts a function to machine instructions in SSA form, [`GENERATION`] those to
//! encoded words. Each pass reads and writes [`Work`]; where debug assertions are on, the
//! invariants of machine code are checked after each pass up to allocation ([`crate::verify`]).

use OptLevel::{O0, O1, O2};
use raddle_cubin::unit::UnitObject;
use raddle_ir::{Cx, Function, OptLevel, Stop, Unit};
use raddle_target::{Limits, Native};

use crate::converge::Converged;
use crate::mir::MFunction;
use crate::schedule::early_loads::Orders;
use crate::{
    alloc, allocate, balance, bounds, budget_check, budgets, coalesce, code, combine, constants, convention, converge,
    dce, destruct, emit, expand, guarded, ifconv, leaf, leaf_code, predicate, pressure, schedule, select, spill,
    uniform_constants, uniformize, verify, warpgroup, zeros,
};

/// A pass.
struct Pass {
    /// Its name in timelines and error messages.
    name: &'static str,
    /// The lowest level at which it runs.
    level: OptLevel,
    run: fn(&mut Work<'_>) -> Result<(), Stop>,
}

const fn pass(name: &'static str, level: OptLevel, run: fn(&mut Work<'_>) -> Result<(), Stop>) -> Pass {
    Pass { name, level, run }
}

/// The passes to machine instructions in SSA form. They run again with [`Work::unjoined`] set if
/// [`crate::converge`] requires it.
const SELECTION: &[Pass] = &[
    pass("select", O0, |w| {
        w.m = select::run(w.cx, w.native, w.f, w.unjoined)?;
        w.m.entry_registers = w.entry.map(|n| n as u16);
        budgets::split(&mut w.m);
        Ok(())
    }),
    pass("dce", O0, dce),
    pass("combine", O1, |w| {
        combine::run(&mut w.m, w.native.isa);
        Ok(())
    }),
    pass("dce", O1, dce),
    pass("predicate", O2, |w| predicate::run(&mut w.m, w.native.isa)),
];

/// The passes from there to the object.
const GENERATION: &[Pass] = &[
    pass("converge", O0, converge),
    pass("uniformize", O2, |w| {
        if uniformize::run(&mut w.m, w.native.isa, &w.converged.joined) {
            dce(w)?;
        }
        Ok(())
    }),
    pass("uniform constants", O2, |w| {
        if uniform_constants::run(&mut w.m, w.native.isa, &w.converged.joined) {
            dce(w)?;
        }
        Ok(())
    }),
    pass("constants", O2, |w| {
        constants::run(&mut w.m, &w.native.limits, pressure::warps_of_cta(w.f), w.limit);
        Ok(())
    }),
    pass("early loads", O2, |w| {
        if w.m.is_leaf {
            // Its registers matter more than its time.
            schedule::early_loads::dense(&mut w.m, w.native.isa);
        } else {
            let orders = schedule::early_loads::run(&mut w.m, w.native.isa, w.limit, w.native.limits.warps_per_sm);
            // Calls of leaves take registers, too.
            let tight = |orders: &Orders| !w.m.leaves.is_empty() || may_be_too_many(w, orders.most() + GROUPED);
            let tight = orders.filter(tight);
            w.tight = tight.map(|orders| (w.m.clone(), orders));
        }
        Ok(())
    }),
    pass("uniform homes", O2, |w| {
        if w.tight.is_some() {
            w.m.alike = spill::uniform::candidates(&w.m, &w.converged.joined);
        }
        Ok(())
    }),
    pass("destruct", O0, |w| {
        w.groups = destruct::run(&mut w.m, w.native.isa)?;
        Ok(())
    }),
    pass("coalesce", O0, |w| {
        let ties = if w.cx.options.opt >= O2 { guarded::ties(&w.m, w.native.isa) } else { Vec::new() };
        w.groups = coalesce::run(&mut w.m, &w.groups, &ties);
        Ok(())
    }),
    pass("leaves", O1, leaves),
    pass("alloc", O0, |w| {
        w.assignment = allocate::run(w.cx, w.native, w.f, &mut w.m, &mut w.groups, w.limit)?;
        w.crowded = w.assignment.is_none();
        Ok(())
    }),
    pass("occupancy", O2, occupancy),
    pass("ifconv", O2, |w| {
        ifconv::run(&mut w.m, w.assignment.as_ref().ok_or_else(unallocated)?);
        Ok(())
    }),
    pass("guarded", O2, |w| {
        guarded::run(&mut w.m, w.native.isa, w.assignment.as_ref().ok_or_else(unallocated)?);
        Ok(())
    }),
    pass("zeros", O2, |w| {
        zeros::run(&mut w.m, w.native.isa, w.assignment.as_ref().ok_or_else(unallocated)?);
        Ok(())
    }),
    pass("balance", O2, |w| {
        balance::run(&mut w.m, w.native.isa);
        Ok(())
    }),
    pass("code", O0, |w| {
        w.blocks = code::number(&mut w.m, w.assignment.as_ref().ok_or_else(unallocated)?, w.native)?;
        Ok(())
    }),
    pass("warpgroup", O0, |w| warpgroup::place(w.f, &mut w.blocks, w.native.isa)),
    pass("budgets", O0, |w| budget_check::run(&w.blocks, w.m.entry_registers)),
    pass("schedule", O0, |w| {
        let level = if w.cx.options.serial { O0 } else { w.cx.options.opt };
        schedule::run(&mut w.blocks, w.native.isa, level)
    }),
];

/// The passes after those, but for a leaf.
const EMISSION: &[Pass] = &[pass("emit", O0, emit)];

/// The estimated time that an order may take for more warps, as a ratio.
const SLOWER: (u64, u64) = (13, 12);

/// Registers beside those that are live at once, which allocation may need for groups.
const GROUPED: u32 = 8;

/// The state of a function between the passes.
struct Work<'a> {
    cx: &'a Cx<'a>,
    native: &'static Native,
    unit: &'a Unit,
    f: &'a Function,
    /// The most registers that options and launch bounds allow a thread (PTX ISA 9.0, 11.4).
    limit: u32,
    /// The registers at entry, if the kernel passes some on: then `limit` is the most that it ever has.
    entry: Option<u32>,
    /// Lanes may diverge without a barrier that joins them again; see [`select::run`].
    unjoined: bool,
    m: MFunction,
    /// If there may be too few registers, the function after instructions were ordered, and what is known of
    /// the order.
    tight: Option<(MFunction, Orders)>,
    converged: Converged,
    groups: destruct::Groups,
    /// From allocation on.
    assignment: Option<alloc::Assignment>,
    /// There are too few registers for calls of leaves.
    crowded: bool,
    blocks: Vec<code::CodeBlock>,
    /// The code of the leaves.
    leaf_code: Vec<Vec<code::CodeBlock>>,
    object: Option<UnitObject>,
}

impl<'a> Work<'a> {
    fn new(cx: &'a Cx<'a>, native: &'static Native, unit: &'a Unit, f: &'a Function, limit: u32) -> Self {
        let entry = budgets::at_entry(f, cx.options.maxrregcount, &native.limits);
        Work {
            cx,
            native,
            unit,
            f,
            limit: entry.map_or(limit, |entry| budgets::greatest(f, entry) - Limits::RESERVED_REGISTERS),
            entry,
            unjoined: false,
            m: MFunction::default(),
            tight: None,
            converged: Converged::default(),
            groups: destruct::Groups::default(),
            assignment: None,
            crowded: false,
            blocks: Vec::new(),
            leaf_code: Vec::new(),
            object: None,
        }
    }

    fn run(&mut self, passes: &[Pass]) -> Result<(), Stop> {
        for pass in passes.iter().filter(|pass| self.cx.options.opt >= pass.level) {
            self.cx.observer.before(pass.name);
            (pass.run)(self)?;
            if self.crowded {
                return Ok(());
            }
            if self.assignment.is_none() {
                verify::checked(&self.m, pass.name)?;
            }
        }
        Ok(())
    }
}

/// Generates code for a unit; see [`crate::compile_unit`].
pub(crate) fn run(cx: &Cx<'_>, native: &'static Native, unit: &Unit) -> Result<UnitObject, Stop> {
    let f = &unit.function;
    let count = bounds::register_budget(&f.bounds, cx.options.maxrregcount, &native.limits);
    let limit = count - Limits::RESERVED_REGISTERS;
    let mut work = Work::new(cx, native, unit, f, limit);
    if let Some(entry) = work.entry {
        budgets::check(f, entry)?;
    }
    for passes in [SELECTION, GENERATION, EMISSION] {
        if !work.crowded {
            work.run(passes)?;
        }
    }
    if !work.crowded {
        return work.object.ok_or_else(|| internal("no object was made"));
    }
    let mut whole = f.clone();
    expand::inline(&mut whole);
    let mut work = Work::new(cx, native, unit, &whole, limit);
    for passes in [SELECTION, GENERATION, EMISSION] {
        work.run(passes)?;
    }
    work.object.ok_or_else(|| internal("no object was made"))
}

/// Compiles the leaves of a function.
fn leaves(w: &mut Work<'_>) -> Result<(), Stop> {
    let mut leaves = std::mem::take(&mut w.m.leaves);
    for leaf in &mut leaves {
        let f = expand::leaf_function(leaf.op);
        let mut work = Work::new(w.cx, w.native, w.unit, &f, Limits::NAMED_REGISTERS);
        work.run(SELECTION)?;
        work.m.is_leaf = true;
        work.run(GENERATION)?;
        let registers = work.assignment.as_ref().ok_or_else(unallocated)?.registers;
        leaf_code::describe(leaf, &work.blocks, registers.max(u16::from(leaf::RETURN) + 2))?;
        w.leaf_code.push(work.blocks);
    }
    w.m.leaves = leaves;
    Ok(())
}

/// Whether a function with this many registers has more than a thread may have or than the most warps allow.
fn may_be_too_many(w: &Work<'_>, registers: u32) -> bool {
    registers > w.limit || pressure::below(&w.native.limits, pressure::warps_of_cta(w.f), registers).is_some()
}

/// Orders instructions anew for the next step of occupancy where allocation has missed it by little.
fn occupancy(w: &mut Work<'_>) -> Result<(), Stop> {
    if w.entry.is_some() {
        return Ok(());
    }
    let Some((ordered, orders)) = w.tight.take() else { return Ok(()) };
    while let Some(now) = &w.assignment
        && let Some(less) = allocate::step_below(w.native, w.f, &w.m, now)
        && reordered(w, &ordered, &orders, less)?
    {}
    Ok(())
}

/// Orders instructions for fewer registers than `less`, and takes the result if allocation succeeds with `less`.
fn reordered(w: &mut Work<'_>, ordered: &MFunction, orders: &Orders, less: u32) -> Result<bool, Stop> {
    for room in allocate::ORDER {
        w.cx.step(ordered.vregs.len() as u64)?;
        let registers = less.saturating_sub(room);
        let Some(mut m) = orders.within(ordered, w.native.isa, registers, less, SLOWER) else { return Ok(false) };
        m.leaves.clone_from(&w.m.leaves);
        let groups = destruct::run(&mut m, w.native.isa)?;
        let ties = guarded::ties(&m, w.native.isa);
        let mut groups = coalesce::run(&mut m, &groups, &ties);
        let (weight, step) = (allocate::weight(&w.m), less as usize);
        if let Some(placed) = allocate::within(w.cx, w.native, &mut m, &mut groups, step, weight)? {
            (w.m, w.groups, w.assignment) = (m, groups, Some(placed));
            return Ok(true);
        }
    }
    Ok(false)
}

fn internal(what: &str) -> Stop {
    Stop::Internal { pass: "codegen", what: what.to_owned() }
}

fn unallocated() -> Stop {
    internal("registers have no numbers yet")
}

fn dce(w: &mut Work<'_>) -> Result<(), Stop> {
    dce::run(&mut w.m);
    Ok(())
}

fn converge(w: &mut Work<'_>) -> Result<(), Stop> {
    w.converged = converge::run(&mut w.m, w.native.isa)?;
    if w.converged.unjoined {
        w.unjoined = true;
        w.run(SELECTION)?;
        w.converged = converge::run(&mut w.m, w.native.isa)?;
    }
    Ok(())
}

fn emit(w: &mut Work<'_>) -> Result<(), Stop> {
    leaf_code::append(&w.m, &w.leaf_code, &mut w.blocks);
    emit::resolve(&mut w.blocks)?;
    w.cx.observer.after("sass", &|| emit::text(&w.blocks));
    // R1, the stack pointer, always counts.
    let named = w.assignment.as_ref().ok_or_else(unallocated)?.registers.max(w.m.quad_registers).max(2);
    let least = if w.m.called || convention::calls(&w.m) { convention::REGISTERS } else { 0 };
    let count = (named + Limits::RESERVED_REGISTERS as u16).max(least);
    let registers = w.m.entry_registers.unwrap_or(count);
    let (isa, used) = (w.native.isa, w.converged.used);
    let mut object = emit::object(w.unit, &w.m, &w.blocks, registers, isa, used, w.cx.options)?;
    // A linker of objects restricts a kernel's callees to the kernel's budget, launch bounds
    // included (ptxas 13.0.88 output).
    let entry = object.functions.first_mut().and_then(|f| f.entry.as_mut()).filter(|_| w.cx.options.relocatable);
    if let (Some(entry), limit @ ..Limits::NAMED_REGISTERS) = (entry, w.limit) {
        let count = limit + Limits::RESERVED_REGISTERS;
        entry.max_registers = Some(count.max(convention::REGISTERS.into()) as u16);
    }
    if let (Some(entry), Some(count)) = (object.functions.first_mut().and_then(|f| f.entry.as_mut()), w.entry) {
        entry.max_registers = Some(count as u16);
    }
    w.object = Some(object);
    Ok(())
}
