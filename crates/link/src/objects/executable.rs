//! Plans an executable of the objects: what kernels reach, with shared memory and banks placed (as
//! `nvlink` does).

use std::borrow::Cow;

use raddle_cubin::model::Kind;
use raddle_entity::Executor;
use raddle_target::{Isa, Native};

use super::banks;
use super::graph::{self, Graph, Usage};
use super::output_sections;
use super::plan::{Plan, Tables};
use super::problem::Problem;
use super::read::NONE;
use super::resolve::Program;
use super::tables;

/// Plans everything but relocations. `keep_all` also keeps what no kernel reaches; with
/// `preplaced_shared`, kernels' own shared memory is placed already.
///
/// # Errors
/// Memory limits that are exceeded, and kernels limited to fewer registers than their callees need.
pub(crate) fn plan<'a>(
    program: &Program<'a>,
    native: &Native,
    keep_all: bool,
    preplaced_shared: bool,
    executor: &dyn Executor,
) -> Result<Plan<'a>, Vec<Problem>> {
    let graph = graph::build(program, keep_all, executor)?;
    let (usage, warnings) = graph.usage(program);
    let limits = register_limits(program, &graph, &usage);
    if !limits.is_empty() {
        return Err(limits);
    }
    let banks = banks::run(program, &graph, native, preplaced_shared)?;
    let sections = output_sections::run(program, &graph, &banks, native.isa >= Isa::Sm90, native.shared_base.into())?;
    Ok(Plan {
        kind: Kind::Executable,
        graph,
        usage,
        banks,
        sections,
        decide: |context, object, section, r| context.resolve(object, section, r),
        warnings,
    })
}

/// Makes the tables; `names` are the names of the sections.
///
/// # Errors
/// Attributes that cannot be read.
pub(crate) fn tables<'a>(
    program: &Program<'a>,
    plan: &Plan<'a>,
    names: &'a [Cow<'a, str>],
) -> Result<Tables<'a>, Problem> {
    let Plan { graph, usage, banks, sections, .. } = plan;
    let mut symbols = tables::symbols(program, graph, (sections, banks), names);
    let (callgraph, prototypes) = tables::callgraph(program, graph, &mut symbols);
    let info = tables::info(program, graph, &symbols, usage)?;
    let externs = tables::externs(program, graph, banks)?;
    Ok(Tables { symbols, callgraph, prototypes, info, externs })
}

/// The kernels that are limited to fewer registers than their callees need.
fn register_limits(program: &Program<'_>, graph: &Graph<'_>, usage: &[Usage]) -> Vec<Problem> {
    let mut out = Vec::new();
    for f in (0..program.functions.len() as u32).filter(|&f| graph.live[f as usize]) {
        let (function, needs) = (program.function(f), usage[f as usize]);
        if let Some(limit) = function.limit.filter(|&limit| function.is_entry && needs.registers > limit)
            && needs.heaviest != NONE
            && needs.heaviest != f
        {
            out.push(Problem::Registers {
                kernel: program.function_name(f).to_owned(),
                function: program.function_name(needs.heaviest).to_owned(),
                limit,
                needs: needs.registers,
            });
        }
    }
    out
}
