//! From SSA to machine code: selection, convergence barriers, allocation, scheduling, emission.
//!
//! The steps, and what holds after each:
//! - [`expand`]: every operation has a machine instruction or a short selection sequence;
//! - [`select`]: rows of the SASS table over virtual registers in SSA form;
//! - [`dce`], [`combine`] (from `-O1`), `dce` again: every instruction is needed;
//! - [`predicate`] (from `-O2`): short sides that pass no values on are guarded instructions;
//! - [`converge`]: convergence barriers are in place; control flow no longer changes, but for edges
//!   that are split for moves;
//! - [`promote`] (from `-O2`): values that are uniform over a warp are computed in uniform
//!   registers, where that pays;
//! - [`constants`] (from `-O2`): constants in registers are shared;
//! - [`schedule::pre`] (from `-O2`): loads are placed early, as far as registers allow;
//! - [`destruct`]: no block parameters, and every register list can be allocated;
//! - [`coalesce`]: moves between registers that do not interfere are gone;
//! - [`alloc`] and [`spill`]: every register has a number, and no two live ones have the same;
//! - [`ifconv`] (from `-O2`): short branches are guarded instructions;
//! - [`balance`] (from `-O2`): work is balanced between the integer and the multiply pipes;
//! - [`code`]: machine instructions with branches and prologue;
//! - [`schedule`]: control fields prevent all hazards;
//! - [`emit`]: encoded words, relocations, resource facts.
#![forbid(unsafe_code)]

pub use bounds::{can_hold, register_budget};
pub use emit::{add_data, linkage};

pub mod abi;
pub mod alloc;
pub mod balance;
mod bounds;
pub mod breaks;
pub mod callees;
pub mod coalesce;
pub mod code;
pub mod combine;
pub mod constants;
mod convention;
pub mod converge;
pub mod dce;
mod debug;
pub mod destruct;
pub mod emit;
pub mod expand;
mod graph;
pub mod ifconv;
mod lines;
pub mod live;
pub mod mir;
mod mop;
pub mod predicate;
pub mod pressure;
pub mod promote;
pub mod reloc;
mod sass;
pub mod schedule;
pub mod select;
pub mod spill;
#[cfg(test)]
mod testing;
pub mod uniform;
pub mod verify;

use raddle_cubin::unit::UnitObject;
use raddle_entity::SecondaryMap;
use raddle_ir::{Cx, Function, OptLevel, Stop, Unit, Unsupported};
use raddle_sass::row::File;
use raddle_target::{Limits, Native};

/// Registers that spilling leaves free so that groups find places, one attempt after the other.
const SLACK: [usize; 6] = [0, 1, 2, 4, 8, 16];
/// Spilling leaves more registers than this: single instructions need them.
const LEAST: usize = 3;
/// A step of occupancy is tried if it is at most one in this many registers away.
const NEAR: u32 = 5;
/// The step may cost one more instruction in this many.
const WORTH: u64 = 30;
/// Most rounds of spilling everywhere before allocation fails.
const SPILL_ROUNDS: usize = 12;

/// Compiles one lowered unit, expanded by [`expand::run`], to relocatable machine code.
///
/// # Errors
/// [`Stop::Unsupported`] with all operations that instruction selection lacks for the target; [`Stop::Resources`] when
/// register bounds cannot be met; [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn compile_unit(cx: &Cx<'_>, unit: &Unit) -> Result<UnitObject, Stop> {
    let Some(native) = cx.target.native.as_ref() else {
        let what = format!("no machine code for {} yet", cx.target.name);
        return Err(Stop::Resources { kernel: unit.function.name.clone(), what });
    };
    let f = &unit.function;
    cx.observer.before("select");
    let mut m = selected(cx, native, f, false)?;
    cx.observer.before("converge");
    let mut converged = converge::run(&mut m, native.isa)?;
    if converged.apart {
        m = selected(cx, native, f, true)?;
        converged = converge::run(&mut m, native.isa)?;
    }
    verified(&m, "converge")?;
    if cx.options.opt >= OptLevel::O2 {
        cx.observer.before("promote");
        if promote::run(&mut m, native.isa, &converged.joined) {
            verified(&m, "promote")?;
            dce::run(&mut m);
        }
        cx.observer.before("constants");
        constants::run(&mut m, &native.limits, pressure::warps_of_cta(f), register_limit(cx, native, f));
        verified(&m, "constants")?;
        cx.observer.before("early loads");
        schedule::pre::run(&mut m, native.isa, register_limit(cx, native, f), native.limits.warps_per_sm);
        verified(&m, "schedule")?;
    }
    cx.step(m.vregs.len() as u64)?;
    let assignment = allocate(cx, native, f, &mut m)?;
    if cx.options.opt >= OptLevel::O2 {
        cx.observer.before("ifconv");
        ifconv::run(&mut m, &assignment);
        cx.observer.before("balance");
        balance::run(&mut m, native.isa);
    }
    cx.observer.before("code");
    let mut blocks = code::number(&mut m, &assignment, native)?;
    cx.observer.before("schedule");
    let schedule_level = if cx.options.serial { OptLevel::O0 } else { cx.options.opt };
    schedule::run(&mut blocks, native.isa, schedule_level)?;
    cx.observer.before("emit");
    emit::resolve(&mut blocks)?;
    cx.observer.after("sass", &|| emit::text(&blocks));
    // R1, the stack pointer, always counts.
    let registers = assignment.registers.max(if m.called || convention::calls(&m) { convention::REGISTERS } else { 2 });
    let mut object = emit::object(unit, &m, &blocks, registers, native.isa, converged.used, cx.options)?;
    // A linker of objects restricts a kernel's callees to the kernel's budget, launch bounds
    // included (ptxas 13.0.88 output).
    let entry = object.functions.first_mut().and_then(|f| f.entry.as_mut()).filter(|_| cx.options.relocatable);
    if let (Some(entry), limit @ ..Limits::REGISTERS_PER_THREAD) = (entry, register_limit(cx, native, f)) {
        entry.max_registers = Some(limit.max(convention::REGISTERS.into()) as u16);
    }
    Ok(object)
}

/// Selects a function and runs the passes before its control flow is final.
fn selected(cx: &Cx<'_>, native: &'static Native, f: &Function, apart: bool) -> Result<mir::MFunction, Stop> {
    let mut m = select::run(cx, native, f, apart)?;
    verified(&m, "select")?;
    dce::run(&mut m);
    verified(&m, "dce")?;
    if cx.options.opt > OptLevel::O0 {
        cx.observer.before("combine");
        combine::run(&mut m, native.isa);
        verified(&m, "combine")?;
        dce::run(&mut m);
    }
    if cx.options.opt >= OptLevel::O2 {
        cx.observer.before("predicate");
        predicate::run(&mut m);
        verified(&m, "predicate")?;
    }
    Ok(m)
}

/// Lists all operations of a function without machine code on the target, before anything is
/// compiled.
///
/// # Errors
/// [`Stop::Fuel`] and [`Stop::Cancelled`]; an error for a target without native code.
pub fn coverage(cx: &Cx<'_>, f: &Function) -> Result<Vec<Unsupported>, Stop> {
    let Some(native) = cx.target.native.as_ref() else { return Ok(Vec::new()) };
    let mut expanded = f.clone();
    expand::run(&mut expanded);
    match select::run(cx, native, &expanded, false) {
        Ok(_) => Ok(Vec::new()),
        Err(Stop::Unsupported(list)) => Ok(list),
        Err(stop) => Err(stop),
    }
}

/// Verifies machine code where debug assertions are on, as they are in tests.
fn verified(m: &mir::MFunction, pass: &'static str) -> Result<(), Stop> {
    if cfg!(debug_assertions) { verify::check(m, pass) } else { Ok(()) }
}

fn allocate(
    cx: &Cx<'_>,
    native: &'static Native,
    f: &Function,
    m: &mut mir::MFunction,
) -> Result<alloc::Assignment, Stop> {
    cx.observer.before("destruct");
    let groups = destruct::run(m, native.isa)?;
    verified(m, "destruct")?;
    cx.observer.before("coalesce");
    let mut groups = coalesce::run(m, &groups);
    verified(m, "coalesce")?;
    cx.observer.before("alloc");
    let least = if m.called || convention::calls(m) { convention::REGISTERS } else { 0 };
    let limit = (register_limit(cx, native, f) as usize).max(least.into());
    let mut facts = alloc::Facts::of(m);
    let mut assignment = alloc::Assignment::default();
    // Spilled predicates need general registers, and so do spilled uniform registers.
    for file in [File::Upred, File::Ugpr, File::Pred, File::Gpr] {
        cx.step(m.vregs.len() as u64)?;
        let before = assignment;
        assignment = file_numbers(cx, native, m, &mut groups, &mut facts, file, limit, &before)?.ok_or_else(|| {
            Stop::Resources { kernel: f.name.clone(), what: format!("does not fit into {limit} registers") }
        })?;
        if file == File::Gpr && cx.options.opt >= OptLevel::O2 {
            let cta = pressure::warps_of_cta(f);
            if let Some(fewer) = for_more_warps(native, m, &mut groups, &facts, cta, &before, &assignment)? {
                assignment = fewer;
            }
        }
    }
    verified(m, "spill")?;
    alloc::check(m, &assignment)?;
    alloc::drop_moves(m, &assignment);
    Ok(assignment)
}

/// Allocates the registers of a file: without spilling, then with ever fewer registers live at
/// once, then with every register in the way spilled everywhere. Returns `None` if all of that
/// fails.
#[expect(clippy::too_many_arguments, reason = "what allocation carries from file to file")]
fn file_numbers(
    cx: &Cx<'_>,
    native: &'static Native,
    m: &mut mir::MFunction,
    groups: &mut destruct::Groups,
    facts: &mut alloc::Facts,
    file: File,
    limit: usize,
    before: &alloc::Assignment,
) -> Result<Option<alloc::Assignment>, Stop> {
    let mut fixed = SecondaryMap::new();
    let mut failed = match alloc::place(m, groups, facts, file, limit, &fixed, before) {
        Ok(a) => return Ok(Some(a)),
        Err(failed) => failed,
    };
    let whole = (m.clone(), groups.clone());
    let survey = spill::Survey::of(m, file);
    let room = alloc::room(facts, file, limit);
    // Calls preserve no registers of other files: where calls are the reason, fewer live registers
    // do not help.
    let fewer = file == File::Gpr || !facts.calls();
    for slack in SLACK.into_iter().filter(|s| fewer && room > s + LEAST) {
        cx.step(m.vregs.len() as u64)?;
        (*m, *groups) = whole.clone();
        *groups = spill::run(m, groups, native.isa, &survey, room - slack)?;
        verified(m, "spill")?;
        *facts = alloc::Facts::of(m);
        match alloc::place(m, groups, facts, file, limit, &fixed, before) {
            Ok(a) => return Ok(Some(a)),
            Err(f) => failed = f,
        }
    }
    for _ in 0..SPILL_ROUNDS {
        let spill: Vec<mir::V> = failed.spill.into_iter().filter(|v| !fixed[*v]).collect();
        if spill.is_empty() {
            return Ok(None);
        }
        spill::everywhere::run(m, groups, native.isa, &spill, &mut fixed)?;
        cx.step(m.vregs.len() as u64)?;
        *facts = alloc::Facts::of(m);
        failed = match alloc::place(m, groups, facts, file, limit, &fixed, before) {
            Ok(a) => return Ok(Some(a)),
            Err(failed) => failed,
        };
    }
    Ok(None)
}

/// Allocates within the next step of occupancy if that is near: by another placement or by
/// rematerialisation, but never by spilling to memory, and not if it adds more moves than [`WORTH`]
/// allows.
fn for_more_warps(
    native: &'static Native,
    m: &mut mir::MFunction,
    groups: &mut destruct::Groups,
    facts: &alloc::Facts,
    cta: u32,
    before: &alloc::Assignment,
    now: &alloc::Assignment,
) -> Result<Option<alloc::Assignment>, Stop> {
    let registers = u32::from(now.registers);
    let Some(less) = pressure::below(&native.limits, cta, registers) else { return Ok(None) };
    if registers - less > registers / NEAR {
        return Ok(None);
    }
    let less = less as usize;
    if let Some(a) = alloc::fit(m, groups, facts, less, before) {
        return Ok(Some(a));
    }
    let weight = |m: &mir::MFunction| {
        let often = graph::frequency(m);
        m.layout.iter().map(|&b| often[b] * m.blocks[b].insts.len() as u64).sum::<u64>()
    };
    let most = weight(m) * (WORTH + 1);
    let survey = spill::Survey::of(m, File::Gpr);
    let room = alloc::room(facts, File::Gpr, less);
    for slack in SLACK.into_iter().filter(|s| room > s + LEAST).take(3) {
        let mut tried = m.clone();
        let Some(tried_groups) = spill::without_memory(&mut tried, groups, native.isa, &survey, room - slack)? else {
            return Ok(None);
        };
        if weight(&tried) * WORTH > most {
            return Ok(None);
        }
        let facts = alloc::Facts::of(&tried);
        if let Some(a) = alloc::fit(&tried, &tried_groups, &facts, less, before) {
            (*m, *groups) = (tried, tried_groups);
            return Ok(Some(a));
        }
    }
    Ok(None)
}

/// The most registers that options and launch bounds allow a thread (PTX ISA 9.0, 11.4).
fn register_limit(cx: &Cx<'_>, native: &Native, f: &Function) -> u32 {
    register_budget(&f.bounds, cx.options.maxrregcount, &native.limits)
}
