//! `raddle disasm`: machine code as text.

use super::{json, read_cubin};
use crate::args::{Disasm, MessageFormat};
use crate::demangle::demangle;
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_cubin::Cubin;
use raddle_cubin::view::Kernel;
use raddle_diag::render::json::SCHEMA;
use raddle_driver::codes;
use raddle_driver::program::no_kernel;
use raddle_sass::{Ctrl, Isa, decode};
use raddle_target::Target;
use std::fmt::Write as _;

/// Columns besides the text of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) hex: bool,
    pub(crate) control: bool,
}

pub(crate) fn run(args: &Disasm, ui: &Ui) -> Done {
    let cubin = read_cubin(&args.file)?;
    if ui.format() == MessageFormat::Json {
        return print(&lines(&cubin, args.kernel.as_deref())?);
    }
    let columns = Columns { hex: args.hex, control: args.control };
    print(&listing(&cubin, args.kernel.as_deref(), columns)?)
}

/// Lists one or all functions of a cubin.
pub(crate) fn listing(cubin: &Cubin, only: Option<&str>, columns: Columns) -> Result<String, Failure> {
    let (isa, functions) = chosen(cubin, only)?;
    let mut out = String::new();
    for function in &functions {
        one(&mut out, function, isa, columns);
    }
    Ok(out)
}

/// One or all functions of a cubin, and the instruction tables for them.
fn chosen<'a>(cubin: &'a Cubin, only: Option<&str>) -> Result<(Isa, Vec<Kernel<'a>>), Failure> {
    let sm = cubin.header.sm();
    let isa = isa(sm).ok_or_else(|| Failure::new(codes::E0023, format!("no machine code tables for sm_{sm} yet")))?;
    let mut functions = cubin.functions();
    if let Some(name) = only {
        if functions.iter().all(|function| function.name != name) {
            return Err(Failure::Say(Box::new(no_kernel(name, functions.iter().map(|function| function.name)))));
        }
        functions.retain(|function| function.name == name);
    }
    Ok((isa, functions))
}

/// As JSON lines: one per function, then one per instruction.
fn lines(cubin: &Cubin, only: Option<&str>) -> Result<String, Failure> {
    let (isa, functions) = chosen(cubin, only)?;
    let mut out = String::new();
    for function in &functions {
        out += &json(&serde_json::json!({
            "schema": SCHEMA, "kind": "function", "name": function.name, "entry": function.is_entry,
            "registers": function.registers, "barriers": function.barriers, "stack": function.stack_size,
            "shared": function.shared_size, "code": function.code.len(),
        }))?;
        for (i, word) in function.code.chunks(16).enumerate() {
            let pc = i as u64 * 16;
            let decoded = number(word).and_then(|word| decode(isa, word).ok());
            let ctrl = decoded.as_ref().map(|inst| inst.ctrl);
            out += &json(&serde_json::json!({
                "schema": SCHEMA, "kind": "instruction", "function": function.name, "pc": pc,
                "word": number(word).map(|word| format!("{word:032x}")),
                "text": decoded.map(|inst| raddle_sass::print(&inst, pc)),
                "stall": ctrl.map(|ctrl| ctrl.stall), "yield": ctrl.map(|ctrl| ctrl.yield_),
                "wait": ctrl.map(|ctrl| ctrl.wait_mask), "write_barrier": ctrl.and_then(|ctrl| ctrl.wr_bar),
                "read_barrier": ctrl.and_then(|ctrl| ctrl.rd_bar),
            }))?;
        }
    }
    Ok(out)
}

/// The instruction tables of an architecture; those of sm_90a contain sm_90's, and the file does
/// not distinguish them.
pub(crate) fn isa(sm: u16) -> Option<Isa> {
    let suffixed = Target::by_name(&format!("sm_{sm}a"));
    let target = suffixed.filter(|t| t.native.is_some()).or_else(|| Target::by_name(&format!("sm_{sm}")))?;
    Some(target.native?.isa)
}

fn one(out: &mut String, function: &Kernel<'_>, isa: Isa, columns: Columns) {
    let kind = if function.is_entry { "kernel" } else { "function" };
    let _ = writeln!(out, "// {kind} {}", demangle(function.name));
    let _ = writeln!(
        out,
        "// {} registers, {} barriers, {} bytes of stack, {} bytes of shared memory",
        function.registers, function.barriers, function.stack_size, function.shared_size
    );
    let _ = writeln!(out, "{}:", function.name);
    for (i, word) in function.code.chunks(16).enumerate() {
        let pc = i as u64 * 16;
        let _ = write!(out, "  {pc:06x}  ");
        if columns.hex
            && let Some(word) = number(word)
        {
            let _ = write!(out, "{word:032x}  ");
        }
        if columns.control
            && let Some(inst) = number(word).and_then(|word| decode(isa, word).ok())
        {
            let _ = write!(out, "{}  ", control(inst.ctrl));
        }
        let _ = writeln!(out, "{}", text(isa, word, pc));
    }
    out.push('\n');
}

/// An instruction word; `None` for an incomplete one.
fn number(word: &[u8]) -> Option<u128> {
    Some(u128::from_le_bytes(word.try_into().ok()?))
}

/// The text of the instruction at `pc`; a comment if it cannot be decoded.
pub(crate) fn text(isa: Isa, word: &[u8], pc: u64) -> String {
    let Some(word) = number(word) else {
        return format!("// {} bytes after the last complete instruction", word.len());
    };
    match decode(isa, word) {
        Ok(inst) => format!("{} ;", raddle_sass::print(&inst, pc)),
        Err(error) => format!("// {word:#034x}: {error}"),
    }
}

/// Formats the control field: wait mask, write barrier, read barrier, yield, stall.
fn control(ctrl: Ctrl) -> String {
    let barrier = |b: Option<u8>| b.map_or("-".to_string(), |b| b.to_string());
    let hint = if ctrl.yield_ { 'y' } else { '-' };
    format!("{:06b} W{} R{} {hint} {:2}", ctrl.wait_mask, barrier(ctrl.wr_bar), barrier(ctrl.rd_bar), ctrl.stall)
}
