//! The output of `compile -v` for each kernel and each function that is not inlined: a table, a
//! JSON object, or the lines of ptxas.

use super::remote_table;
use crate::args::MessageFormat;
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use raddle_diag::render::json;
use raddle_driver::cache::{RemoteUsed, Used};
use raddle_driver::host;
use raddle_driver::report::{Report, UnitReport};
use std::time::Instant;

pub(crate) fn show(report: &Report, ui: &Ui, begun: Instant) {
    match ui.format() {
        MessageFormat::Human => table(report, ui, begun),
        MessageFormat::Json => {
            report.units().for_each(|unit| ui.note(&facts(unit).to_string()));
            if report.remote.is_some() {
                ui.note(&remote_table::of_build(report).to_string());
            }
        }
        MessageFormat::Ptxas => {
            let target = report.target.map_or("?", |target| target.name);
            let compiled = report.units().filter(|unit| unit.compiled);
            compiled.for_each(|unit| ui.note(&properties(unit, target, ui.tool())));
        }
    }
    super::explain_build::show_concurrency(report, ui);
}

/// A kernel or a function as one JSON object.
pub(super) fn facts(kernel: &UnitReport) -> serde_json::Value {
    serde_json::json!({
        "schema": json::SCHEMA,
        "kind": if kernel.function { "function" } else { "kernel" },
        "name": &*kernel.name,
        "key": kernel.key.map(|key| key.to_string()),
        "compiled": kernel.compiled,
        "cached": kernel.cached,
        "fallback": kernel.fallback,
        "remote": kernel.remote.as_ref().map(remote_table::of_unit),
        "registers": kernel.registers,
        "barriers": kernel.barriers,
        "spill_stores": kernel.spill_bytes.0,
        "spill_loads": kernel.spill_bytes.1,
        "stack": kernel.frame,
        "shared": kernel.shared,
        "code": kernel.code,
        "instructions": kernel.instructions,
        "sass_instructions": kernel.code / 16,
        "peak_bytes": kernel.peak,
        "kept_bytes": kernel.kept,
        "wall_ms": kernel.wall.as_secs_f64() * 1e3,
        "cpu_ms": kernel.cpu.as_secs_f64() * 1e3,
    })
}

/// A kernel or a function in the format of `ptxas -v` (ptxas 13.0.88 output).
fn properties(kernel: &UnitReport, target: &str, tool: &str) -> String {
    let UnitReport { name, registers, barriers, spill_bytes: (stores, loads), frame, shared, .. } = kernel;
    let smem = if *shared > 0 { format!(", {shared} bytes smem") } else { String::new() };
    if kernel.function {
        return format!(
            "{tool} info    : Function properties for {name}\n    \
             {frame} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads"
        );
    }
    format!(
        "{tool} info    : Compiling entry function '{name}' for '{target}'\n\
         {tool} info    : Function properties for {name}\n    \
         {frame} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads\n\
         {tool} info    : Used {registers} registers, used {barriers} barriers{smem}"
    )
}

fn table(report: &Report, ui: &Ui, begun: Instant) {
    for (units, what) in [(&report.kernels, "kernel"), (&report.functions, "function")] {
        if !units.is_empty() {
            rows(units, what, ui);
        }
    }
    // The sum of no numbers is -0.0.
    let cpu = report.units().fold(0.0, |sum, unit| sum + unit.cpu.as_secs_f64());
    let functions = match report.functions.len() {
        0 => String::new(),
        n => format!(" and {}", count(n, "function")),
    };
    ui.note(&format!(
        "{}{functions} for {} on {}: {:.1} ms, {:.1} ms of CPU in kernels, {} MiB at most",
        count(report.kernels.len(), "kernel"),
        report.target.map_or("?", |target| target.name),
        count(report.workers, "worker"),
        begun.elapsed().as_secs_f64() * 1e3,
        cpu * 1e3,
        host::peak_resident().div_ceil(1 << 20),
    ));
    if let Some(used) = &report.remote {
        ui.note(&remote_table::line(report, used));
    }
}

/// A number of things.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A table of kernels or of functions.
fn rows(units: &[UnitReport], what: &str, ui: &Ui) {
    let made = units.iter().any(|unit| unit.remote.is_some()).then_some("made");
    let first = ["regs", "spill st", "spill ld", "stack", "shared", "code", "PTX", "KiB peak", "ms", "CPU", "key"];
    let columns: Vec<&str> = first.into_iter().chain(made).chain([what]).collect();
    let mut table = Table::new(&columns);
    for kernel in units {
        let number = |n: usize| if kernel.compiled { n.to_string() } else { "-".to_string() };
        let cells = [
            number(kernel.registers.into()),
            number(kernel.spill_bytes.0 as usize),
            number(kernel.spill_bytes.1 as usize),
            number(kernel.frame as usize),
            number(kernel.shared as usize),
            number(kernel.code),
            kernel.instructions.to_string(),
            kernel.peak.div_ceil(1024).to_string(),
            format!("{:.1}", kernel.wall.as_secs_f64() * 1e3),
            format!("{:.1}", kernel.cpu.as_secs_f64() * 1e3),
            kernel.key.map_or("-".to_string(), |key| key.to_string()[..8].to_string()),
        ];
        let made = made.map(|_| remote_table::cell(kernel));
        table.row(cells.into_iter().chain(made).chain([demangle(&kernel.name)]));
    }
    ui.note(table.to_string().trim_end());
}

/// Reports the use of the cache: always if it could not be written, otherwise with `-v`. `functions`:
/// whether any of the objects is that of a function.
pub(crate) fn cache(used: Used, functions: bool, ui: &Ui, verbose: bool) {
    let Used { hits, misses, step_hits, step_misses, outcomes, known, unwritten, remote } = used;
    match ui.format() {
        MessageFormat::Json => {
            let mut object = serde_json::json!({
                "schema": json::SCHEMA, "kind": "cache", "hits": hits, "misses": misses,
                "llvm_hits": step_hits, "llvm_misses": step_misses, "outcomes": outcomes, "known": known,
                "unwritten": unwritten,
            });
            if let Some(remote) = remote {
                object["remote"] = remote_json(&remote);
            }
            ui.note(&object.to_string());
        }
        MessageFormat::Human if verbose || unwritten > 0 => {
            let unwritten = if unwritten > 0 { format!(", {unwritten} could not be written") } else { String::new() };
            let steps = step_hits + step_misses;
            let llvm = if steps > 0 { format!(", {step_hits} of {steps} steps of LLVM") } else { String::new() };
            let what = match (hits + misses, functions) {
                (_, true) => "kernels and functions",
                (1, false) => "kernel",
                (_, false) => "kernels",
            };
            ui.note(&format!("cache: {hits} of {} {what}{llvm} found{unwritten}", hits + misses));
            if let Some(remote) = remote {
                ui.note(&remote_line(&remote));
            }
        }
        MessageFormat::Human | MessageFormat::Ptxas => {}
    }
}

/// The uses of a remote cache as a value of JSON.
fn remote_json(used: &RemoteUsed) -> serde_json::Value {
    serde_json::json!({
        "hits": used.hits, "misses": used.misses, "refused": used.refused, "failed": used.failed,
        "read_bytes": used.read_bytes, "written": used.written, "written_bytes": used.written_bytes,
        "unwritten": used.unwritten, "waited_ms": used.waited.as_secs_f64() * 1e3,
    })
}

/// The uses of a remote cache as a line.
fn remote_line(used: &RemoteUsed) -> String {
    let RemoteUsed { hits, misses, refused, failed, read_bytes, written, written_bytes, unwritten, waited } = used;
    let waited = waited.as_secs_f64();
    let mut line = format!("remote cache: {hits} of {} found, {read_bytes} bytes", hits + misses + refused + failed);
    for (count, what) in [(refused, "damaged or not signed"), (failed, "failed")] {
        if *count > 0 {
            line += &format!(", {count} {what}");
        }
    }
    line += &format!("; waited {waited:.3} s; {written} written, {written_bytes} bytes");
    if *unwritten > 0 {
        line += &format!(", {unwritten} not written");
    }
    line
}
