//! `raddle info`: what is in a cubin or a PTX module.

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

/// The number in the JSON object's `schema` field.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Contents {
    schema: u32,
    kind: &'static str,
    target: String,
    /// Of the file: PTX version, or ELF ABI and flags.
    version: String,
    kernels: Vec<Kernel>,
    variables: Vec<Variable>,
}

#[derive(Serialize)]
struct Kernel {
    name: String,
    demangled: String,
    entry: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<Resources>,
    params: Vec<Param>,
}

#[derive(Serialize)]
struct Resources {
    registers: u32,
    barriers: u32,
    frame: u32,
    stack: u32,
    shared: u64,
    code: usize,
}

#[derive(Serialize)]
struct Param {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u16>,
    size: u64,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    space: String,
    size: u64,
}

pub(crate) fn run(args: &Info, ui: &Ui) -> Done {
    let input = input::read(&args.file)?;
    let contents = match input.content {
        Content::Elf(bytes) => {
            let cubin = parse_cubin(&input.name, &bytes)?;
            if args.resource_usage {
                return print(&Report::new(&cubin).resource_usage());
            }
            if args.json {
                return print(&json(&Report::new(&cubin))?);
            }
            of_cubin(&cubin)
        }
        Content::Text(_) if args.resource_usage => {
            return Err(Failure::new(codes::E0005, format!("'{}' is text, not a cubin", input.name)));
        }
        Content::Text(text) => of_ptx(input.name, text, ui)?,
    };
    if args.json {
        return print(&json(&contents)?);
    }
    print(&people(&contents))
}

fn of_cubin(cubin: &Cubin) -> Contents {
    let header = &cubin.header;
    let kernel = |k: raddle_cubin::view::Kernel<'_>| Kernel {
        name: k.name.to_string(),
        demangled: demangle(k.name),
        entry: k.is_entry,
        resources: Some(Resources {
            registers: k.registers,
            barriers: k.barriers,
            frame: k.frame_size,
            stack: k.stack_size,
            shared: k.shared_size,
            code: k.code.len(),
        }),
        params: k.params.iter().map(|p| Param { offset: Some(p.offset), size: p.size.into() }).collect(),
    };
    let variables = cubin.variables().into_iter().map(|v| Variable {
        name: v.name.to_string(),
        space: format!("{:?}", v.space).to_lowercase(),
        size: v.size,
    });
    Contents {
        schema: SCHEMA,
        kind: "cubin",
        target: format!("sm_{}", header.sm()),
        version: format!("ABI {:#x}/{}, flags {:#010x}", header.os_abi, header.abi_version, header.flags),
        kernels: cubin.functions().into_iter().map(kernel).collect(),
        variables: variables.collect(),
    }
}

fn of_ptx(name: String, text: String, ui: &Ui) -> Result<Contents, Failure> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text).map_err(|e| Failure::new(codes::E0004, e.to_string()))?;
    let mut diags = Diags::with_policy(ui.policy());
    let text = sources.get(file).map_or("", |file| file.text());
    let outline = raddle_ptx::outline(text, file, &mut diags);
    ui.show(&diags, &sources);
    if let Some(class) = diags.worst() {
        return Err(Failure::from(class));
    }
    let kernels = outline.funcs.values().filter(|f| f.body.is_some()).map(|f| Kernel {
        name: f.name.to_string(),
        demangled: demangle(&f.name),
        entry: f.entry,
        resources: None,
        params: f.params.iter().map(|p| Param { offset: None, size: p.size().unwrap_or(0) }).collect(),
    });
    let variables = outline.globals.values().map(|g| Variable {
        name: g.var.name.to_string(),
        space: format!("{:?}", g.var.space).to_lowercase(),
        size: g.var.size().unwrap_or(0),
    });
    Ok(Contents {
        schema: SCHEMA,
        kind: "ptx",
        target: outline.target.map_or("?", |target| target.name).to_string(),
        version: outline.version.map_or("?".to_string(), |version| format!("PTX {version}")),
        kernels: kernels.collect(),
        variables: variables.collect(),
    })
}

fn people(contents: &Contents) -> String {
    let mut out = format!("{} for {}, {}\n", contents.kind, contents.target, contents.version);
    let mut table = Table::new(&["regs", "barriers", "stack", "shared", "code", "params", "kernel"]);
    for kernel in &contents.kernels {
        let params: Vec<String> = kernel.params.iter().map(|p| p.size.to_string()).collect();
        let number =
            |get: fn(&Resources) -> u64| kernel.resources.as_ref().map_or("-".to_string(), |r| get(r).to_string());
        let function = if kernel.entry { "" } else { " (function)" };
        table.row([
            number(|r| r.registers.into()),
            number(|r| r.barriers.into()),
            number(|r| r.stack.into()),
            number(|r| r.shared),
            number(|r| r.code as u64),
            if params.is_empty() { "-".to_string() } else { params.join("+") },
            format!("{}{function}", kernel.demangled),
        ]);
    }
    out.push_str(&table.to_string());
    if !contents.variables.is_empty() {
        let mut table = Table::new(&["bytes", "space", "variable"]);
        for variable in &contents.variables {
            table.row([variable.size.to_string(), variable.space.clone(), demangle(&variable.name)]);
        }
        out.push_str(&table.to_string());
    }
    out
}
