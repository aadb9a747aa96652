//! Finds the addresses of labels in code that ptxas made, for debug sections of the module
//! (DRV-19).
//!
//! Debug sections belong to no kernel, so ptxas gets none of them with a kernel. Instead the
//! kernel's module has a `.debug_loc` that contains only the address of each label; it is read back
//! and then dropped. It must be this section: in others ptxas 13.0.88 for sm_90 writes addresses of
//! an earlier state of the code. ptxas does not reveal where it keeps variables of the frame: they
//! have no location.

use crate::program::Module;
use raddle_cubin::Cubin;
use raddle_cubin::elf::sht;
use raddle_cubin::registers;
use raddle_cubin::unit::{DebugPlaces, RegisterRange};
use raddle_diag::Diags;
use raddle_ptx::FuncId;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The name of the section.
const SECTION: &str = ".debug_loc";

/// The labels of a function.
pub(super) struct Names {
    labels: Vec<String>,
    variables: Vec<String>,
}

impl Names {
    pub(super) fn of(module: &Module, id: FuncId) -> Names {
        let read = || raddle_ptx::parse_body(&module.text, module.file, &module.outline, id, &mut Diags::new());
        let body = module.bodies.get(&id).map_or_else(|| Cow::Owned(read()), Cow::Borrowed);
        let labels = body.labels.values().map(|label| label.name.to_string());
        Names { labels: labels.collect(), variables: body.vars.values().map(|var| var.name.to_string()).collect() }
    }

    /// The section with the addresses of the labels, in order.
    pub(super) fn section(&self) -> String {
        let mut out = String::new();
        if !self.labels.is_empty() {
            let _ = writeln!(out, ".section {SECTION}\n{{");
            for label in &self.labels {
                let _ = writeln!(out, ".b64 {label}");
            }
            out.push_str("}\n");
        }
        out
    }

    /// Reads the addresses, and the registers of the function, from a cubin of ptxas; `code` is the size
    /// of the function's code in bytes. Labels without an address are omitted.
    pub(super) fn places(self, cubin: &Cubin, function: &str, code: usize) -> DebugPlaces {
        let mut labels = Vec::new();
        if let Some(index) = cubin.section_index(SECTION) {
            let bytes = cubin.sections[index as usize].bytes();
            let addends = cubin.sections.iter().any(|s| s.kind == sht::RELA && s.info == index);
            let mut relocs: Vec<_> = cubin.relocations(index).collect();
            relocs.sort_by_key(|r| r.offset);
            for r in relocs {
                let at = r.offset as usize;
                let inside = bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| i64::from_le_bytes(*b));
                let offset = if addends { r.addend } else { inside };
                let name = self.labels.get(at / 8).filter(|_| at.is_multiple_of(8));
                let offset = u32::try_from(offset).ok().filter(|&offset| offset as usize <= code);
                labels.extend(name.cloned().zip(offset));
            }
        }
        let symbols = self.variables.into_iter().map(|name| (name.clone(), name)).collect();
        DebugPlaces { labels, locals: Vec::new(), symbols, registers: registers(cubin, function, code) }
    }
}

/// What ptxas says about the registers of a function; nothing if it says nothing, or what cannot be.
fn registers(cubin: &Cubin, function: &str, code: usize) -> Vec<RegisterRange> {
    let section = |name| cubin.section(name).map_or(&[][..], |section| section.bytes());
    let functions = registers::read(section(registers::PLACES), section(registers::TYPES)).unwrap_or_default();
    let own = functions.into_iter().find(|f| f.function == function);
    let mut ranges = own.map_or(Vec::new(), |own| own.ranges);
    ranges.retain(|range| range.from <= range.to && range.to as usize <= code);
    ranges
}
