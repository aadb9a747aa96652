//! `raddle disasm`: machine code as text.

use super::read_cubin;
use crate::args::Disasm;
use crate::demangle::demangle;
use crate::{Done, Failure, print};
use raddle_cubin::Cubin;
use raddle_cubin::view::Kernel;
use raddle_driver::codes;
use raddle_sass::{Isa, decode};
use raddle_target::Target;
use std::fmt::Write as _;

/// What stands beside the text of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) hex: bool,
    pub(crate) control: bool,
}

pub(crate) fn run(args: &Disasm) -> Done {
    let cubin = read_cubin(&args.file)?;
    let columns = Columns { hex: args.hex, control: args.control };
    print(&listing(&cubin, args.kernel.as_deref(), columns)?)
}

/// Every function of a cubin, or one.
pub(crate) fn listing(cubin: &Cubin, only: Option<&str>, columns: Columns) -> Result<String, Failure> {
    let sm = cubin.header.sm();
    let isa = isa(sm).ok_or_else(|| Failure::new(codes::E0023, format!("no machine code tables for sm_{sm} yet")))?;
    let mut functions = cubin.functions();
    if let Some(name) = only {
        functions.retain(|function| function.name == name);
        if functions.is_empty() {
            return Err(Failure::new(codes::E0020, format!("no kernel {}", raddle_diag::quote(name))));
        }
    }
    let mut out = String::new();
    for function in &functions {
        one(&mut out, function, isa, columns);
    }
    Ok(out)
}

/// The tables of an architecture; those of sm_90a contain sm_90's, and the file does not tell them apart.
fn isa(sm: u16) -> Option<Isa> {
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
        let Ok(bytes) = <[u8; 16]>::try_from(word) else {
            let _ = writeln!(out, "  {pc:06x}  // {} bytes behind the last whole instruction", word.len());
            return;
        };
        let word = u128::from_le_bytes(bytes);
        let decoded = decode(isa, word);
        let _ = write!(out, "  {pc:06x}  ");
        if columns.hex {
            let _ = write!(out, "{word:032x}  ");
        }
        match decoded {
            Ok(inst) => {
                if columns.control {
                    let ctrl = &inst.ctrl;
                    let barrier = |b: Option<u8>| b.map_or("-".to_string(), |b| b.to_string());
                    let _ = write!(
                        out,
                        "{:06b} W{} R{} {} {:2}  ",
                        ctrl.wait_mask,
                        barrier(ctrl.wr_bar),
                        barrier(ctrl.rd_bar),
                        if ctrl.yield_ { 'y' } else { '-' },
                        ctrl.stall
                    );
                }
                let _ = writeln!(out, "{} ;", raddle_sass::print(&inst, pc));
            }
            Err(error) => {
                let _ = writeln!(out, "// {word:#034x}: {error}");
            }
        }
    }
    out.push('\n');
}
