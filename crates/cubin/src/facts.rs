//! The facts about an executable that matter to a loader, as sorted lines of text: two files with
//! the same lines are loaded alike.
//!
//! Section numbers, symbol numbers, string tables, all orders, notes and debug information are not
//! included. Symbol numbers in attributes and relocations are replaced by names; code and constants
//! are given by size and a hash.

use crate::elf::{shf, st};
use crate::info::{ParamInfo, Value, code, name};
use crate::model::{Cubin, Payload, Section, SymbolPlace};
use crate::view::constant_section;

/// FNV-1a, 64 bits: a short digest of bytes for the lines.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn binding(binding: u8) -> &'static str {
    match binding {
        st::LOCAL => "local",
        st::GLOBAL => "global",
        st::WEAK => "weak",
        _ => "other",
    }
}

fn symbol(cubin: &Cubin, index: u32) -> &str {
    match cubin.symbols.get(index as usize) {
        Some(s) if !s.name.is_empty() => &s.name,
        Some(s) => match s.place {
            SymbolPlace::Section(n) => cubin.sections.get(n as usize).map_or("?", |s| &s.name),
            _ => "?",
        },
        None => "?",
    }
}

/// Returns the facts, sorted.
pub fn lines(cubin: &Cubin) -> Vec<String> {
    let mut out = vec![format!("sm {}", cubin.header.sm())];
    functions(cubin, &mut out);
    variables(cubin, &mut out);
    for section in &cubin.sections {
        match &section.payload {
            Payload::Relocations(list) => {
                let Some(target) = cubin.sections.get(section.info as usize) else { continue };
                if target.flags & shf::ALLOC == 0 {
                    continue;
                }
                for r in list {
                    let to = symbol(cubin, r.symbol);
                    out.push(format!("relocation {}+{:#x} {} {to}+{:#x}", target.name, r.offset, r.number, r.addend));
                }
            }
            Payload::Attributes(list) => attributes(cubin, section, list, &mut out),
            Payload::Bytes(bytes) if constant_section(&section.name).is_some() => {
                out.push(format!("bank {} {:#x} bytes {:016x}", section.name, bytes.len(), hash(bytes)));
            }
            Payload::Bytes(bytes) if section.flags & shf::WRITE != 0 => {
                out.push(format!("memory {} {:#x} bytes {:016x}", section.name, bytes.len(), hash(bytes)));
            }
            Payload::Reserve(size) if section.flags & shf::ALLOC != 0 && *size > 0 => {
                out.push(format!("memory {} {size:#x} bytes align {}", section.name, section.align));
            }
            _ => {}
        }
    }
    out.sort();
    out
}

fn functions(cubin: &Cubin, out: &mut Vec<String>) {
    for f in cubin.functions() {
        let s = &cubin.symbols[f.symbol as usize];
        let kind = if f.is_entry { "kernel" } else { "function" };
        out.push(format!("{kind} {} {} {:#x} bytes", f.name, binding(s.binding), s.size));
        out.push(format!("code {} {:#x} bytes {:016x}", f.name, f.code.len(), hash(f.code)));
        out.push(format!("registers {} {}", f.name, f.registers));
        out.push(format!("frame {} {}", f.name, f.frame_size));
        if f.is_entry {
            out.push(format!("stack {} {:#x}", f.name, f.stack_size));
        }
    }
}

fn variables(cubin: &Cubin, out: &mut Vec<String>) {
    for s in cubin.symbols.iter().filter(|s| !s.name.is_empty()) {
        match (s.place, s.kind) {
            (SymbolPlace::Undefined, st::FUNC | st::OBJECT | st::CUDA_OBJECT) => {
                out.push(format!("undefined {} {}", s.name, binding(s.binding)));
            }
            (SymbolPlace::Section(n), st::OBJECT | st::CUDA_OBJECT) => {
                let section = &cubin.sections[n as usize].name;
                let b = binding(s.binding);
                out.push(format!("variable {} {b} {section}+{:#x} {:#x} bytes", s.name, s.value, s.size));
            }
            _ => {}
        }
    }
}

fn attributes(cubin: &Cubin, section: &Section, list: &[crate::info::Attribute], out: &mut Vec<String>) {
    let Some(owner) = section.name.strip_prefix(".nv.info") else { return };
    for a in list {
        let value = match &a.value {
            // These are listed with the functions.
            Value::SymbolWord { .. } if matches!(a.code, code::REGCOUNT | code::FRAME_SIZE | code::MIN_STACK_SIZE) => {
                continue;
            }
            Value::SymbolWord { symbol: s, value } => format!("{} {value:#x}", symbol(cubin, *s)),
            Value::Symbols(list) => {
                let mut names: Vec<&str> = list.iter().map(|&s| symbol(cubin, s)).collect();
                names.sort_unstable();
                names.join(" ")
            }
            Value::ParamBank { symbol: s, offset, size } => format!("{} {offset:#x} {size:#x}", symbol(cubin, *s)),
            // A texture: the number of its symbol.
            Value::Param(info) if info.index != 0 => {
                format!("{} {:?}", symbol(cubin, info.index), ParamInfo { index: 0, ..*info })
            }
            other => format!("{other:?}"),
        };
        // Each object may state an attribute of the whole program.
        let code = name(a.code).map_or_else(|| format!("{:#x}", a.code), str::to_owned);
        let line = format!("attribute {} {code} {value}", owner.strip_prefix('.').unwrap_or("program"));
        if !owner.is_empty() || !out.contains(&line) {
            out.push(line);
        }
    }
}
