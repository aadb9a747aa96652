//! `raddle info`: shows the content of a cubin or a PTX module. For a cubin, text and JSON are made
//! from the same description, [`Report`].

use super::{json, parse_cubin};
use crate::args::Info;
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use crate::{Done, Failure, print};
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_diag::{Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::input::{self, Content};
use serde::Serialize;

/// The number in the `schema` field of a module's JSON object.
const SCHEMA: u32 = 1;

/// A PTX module.
#[derive(Serialize)]
struct Module {
    schema: u32,
    kind: &'static str,
    target: String,
    version: String,
    kernels: Vec<Function>,
    variables: Vec<Variable>,
}

#[derive(Serialize)]
struct Function {
    name: String,
    demangled: String,
    entry: bool,
    params: Vec<Param>,
}

#[derive(Serialize)]
struct Param {
    size: u64,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    space: String,
    size: u64,
}

pub(crate) fn run(args: &Info, ui: &Ui) -> Done {
    if !args.resource_usage
        && let Some(done) = super::fatbin::list(&args.file, args.json)
    {
        return done;
    }
    let input = input::read(&args.file)?;
    match input.content {
        Content::Elf(bytes) => {
            let cubin = parse_cubin(&input.name, &bytes)?;
            let report = Report::new(&cubin);
            if args.resource_usage {
                return print(&report.resource_usage());
            }
            if args.json {
                return print(&json(&report)?);
            }
            let rest = if args.all { super::info_tables::tables(&report) } else { String::new() };
            print(&(cubin_for_people(&report, &cubin) + &rest))
        }
        Content::Bitcode(_) | Content::Ir(_) | Content::LtoIr(_) => {
            Err(super::is_ir(&input, "neither a cubin nor PTX"))
        }
        Content::Text(_) if args.resource_usage || args.all => {
            Err(Failure::new(codes::E0005, format!("'{}' is text, not a cubin", input.name)))
        }
        Content::Text(text) => {
            let module = module(input.name, text, ui)?;
            print(&if args.json { json(&module)? } else { module_for_people(&module) })
        }
    }
}

fn module(name: String, text: String, ui: &Ui) -> Result<Module, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text).map_err(|e| Failure::new(codes::E0004, e.to_string()))?;
    let mut diags = Diags::with_policy(ui.policy());
    let text = sources.get(file).map_or("", |file| file.text());
    let outline = raddle_ptx::outline(text, file, &mut diags);
    ui.show(&diags, &sources);
    if let Some(class) = diags.worst() {
        return Err(Failure::from(class));
    }
    let kernels = outline.funcs.values().filter(|f| f.body.is_some()).map(|f| Function {
        name: f.name.to_string(),
        demangled: demangle(&f.name),
        entry: f.entry,
        params: f.params.iter().map(|p| Param { size: p.size().unwrap_or(0) }).collect(),
    });
    let variables = outline.globals.values().map(|g| Variable {
        name: g.var.name.to_string(),
        space: format!("{:?}", g.var.space).to_lowercase(),
        size: g.var.size().unwrap_or(0),
    });
    Ok(Module {
        schema: SCHEMA,
        kind: "ptx",
        target: outline.target.map_or("?", |target| target.name).to_string(),
        version: outline.version.map_or("?".to_string(), |version| version.to_string()),
        kernels: kernels.collect(),
        variables: variables.collect(),
    })
}

/// The name of a function in human format.
fn named(name: &str, entry: bool) -> String {
    demangle(name) + if entry { "" } else { " (function)" }
}

/// Sizes of parameters.
fn sizes(sizes: impl Iterator<Item = u64>) -> String {
    let sizes: Vec<String> = sizes.map(|size| size.to_string()).collect();
    if sizes.is_empty() { "-".to_string() } else { sizes.join("+") }
}

fn cubin_for_people(report: &Report, cubin: &Cubin) -> String {
    let Report { kind, sm, os_abi, abi_version, flags, .. } = report;
    let mut out = format!("{kind} cubin for sm_{sm}, ABI {os_abi:#x}/{abi_version}, flags {flags:#010x}\n");
    let mut table = Table::new(&["regs", "barriers", "stack", "shared", "code", "params", "kernel"]);
    for f in &report.functions {
        table.row([
            f.registers.to_string(),
            f.barriers.to_string(),
            f.stack.to_string(),
            f.shared.to_string(),
            f.code.to_string(),
            sizes(f.params.iter().map(|&(_, size)| size.into())),
            named(&f.name, f.entry),
        ]);
    }
    out.push_str(&table.to_string());
    let variables = cubin.variables();
    let rows = variables.iter().map(|v| (v.size, format!("{:?}", v.space).to_lowercase(), v.name));
    out += &variable_table(rows);
    let mut table = Table::new(&["bytes", "section for the driver's finalizer, copied unchanged"]);
    for s in report.finalizer() {
        table.row([s.size.to_string(), s.name.clone()]);
    }
    if report.finalizer().next().is_some() {
        out += &table.to_string();
    }
    out
}

fn module_for_people(module: &Module) -> String {
    let mut out = format!("{} for {}, PTX {}\n", module.kind, module.target, module.version);
    let mut table = Table::new(&["params", "kernel"]);
    for f in &module.kernels {
        table.row([sizes(f.params.iter().map(|p| p.size)), named(&f.name, f.entry)]);
    }
    out.push_str(&table.to_string());
    out + &variable_table(module.variables.iter().map(|v| (v.size, v.space.clone(), &*v.name)))
}

/// A table of variables; empty if there are none.
fn variable_table<'a>(variables: impl Iterator<Item = (u64, String, &'a str)>) -> String {
    let mut table = Table::new(&["bytes", "space", "variable"]);
    let mut any = false;
    for (size, space, name) in variables {
        any = true;
        table.row([size.to_string(), space, demangle(name)]);
    }
    if any { table.to_string() } else { String::new() }
}
