//! What `--verbose` writes to the info log: memory of the module, resources of each kernel and
//! function (ptxas 13.0.88 output).

use crate::log::Log;
use raddle_cubin::Cubin;
use raddle_cubin::raw::Raw;
use raddle_driver::report::{Report, UnitReport};

/// Sections of global memory: zeroed and initialised.
const GLOBAL: [&str; 2] = [".nv.global", ".nv.global.init"];

/// Writes the lines for a module and its cubin.
pub(crate) fn write(report: &Report, cubin: &[u8], log: &mut Log) {
    let sizes = Sizes::of(cubin);
    let target = report.target.map_or("?", |target| target.name);
    log.line(&format!("ptxas info    : {}", sizes.module()));
    for unit in report.units().filter(|unit| unit.compiled) {
        let UnitReport { name, registers, barriers, spill_bytes: (stores, loads), frame, shared, .. } = unit;
        if !unit.function {
            log.line(&format!("ptxas info    : Compiling entry function '{name}' for '{target}'"));
        }
        log.line(&format!("ptxas info    : Function properties for {name}"));
        let frames = format!("{frame} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads");
        log.line(&format!("ptxas         .     {frames}"));
        if unit.function {
            continue;
        }
        let mut used = format!("Used {registers} registers, used {barriers} barriers");
        let stack = sizes.stack(name);
        if stack > 0 {
            used += &format!(", {stack} bytes cumulative stack size");
        }
        if *shared > 0 {
            used += &format!(", {shared} bytes smem");
        }
        log.line(&format!("ptxas info    : {used}{}", sizes.banks(Some(name))));
        log.line(&format!("ptxas info    : Compile time = {:.3} ms", unit.wall.as_secs_f64() * 1e3));
    }
}

/// The sizes of sections of memory, in bytes.
pub(crate) struct Sizes<'a> {
    sections: Vec<(&'a str, u64)>,
    /// The stack of each kernel and function, with all that it calls.
    stacks: Vec<(String, u32)>,
}

impl<'a> Sizes<'a> {
    /// The sections of a cubin; none if it cannot be read.
    pub(crate) fn of(cubin: &'a [u8]) -> Sizes<'a> {
        let sections = Raw::parse(cubin).map_or(Vec::new(), |raw| {
            raw.sections.iter().filter(|section| section.name.starts_with(".nv.")).map(|s| (s.name, s.size)).collect()
        });
        let stacks = Cubin::parse(cubin).map_or(Vec::new(), |cubin| {
            cubin.kernels().iter().map(|kernel| (kernel.name.to_owned(), kernel.stack_size)).collect()
        });
        Sizes { sections, stacks }
    }

    fn stack(&self, name: &str) -> u32 {
        self.stacks.iter().find(|row| row.0 == name).map_or(0, |row| row.1)
    }

    fn size(&self, name: &str) -> u64 {
        self.sections.iter().filter(|section| section.0 == name).map(|section| section.1).sum()
    }

    /// The memory of a module: global memory and constant banks of its own.
    pub(crate) fn module(&self) -> String {
        let global: u64 = GLOBAL.iter().map(|name| self.size(name)).sum();
        format!("{global} bytes gmem{}", self.banks(None))
    }

    /// The constant banks of a kernel, or of the module.
    pub(crate) fn banks(&self, kernel: Option<&str>) -> String {
        let mut banks: Vec<(u8, u64)> = self
            .sections
            .iter()
            .filter_map(|&(name, size)| {
                let (bank, owner) = raddle_cubin::view::constant_section(name)?;
                (owner == kernel).then_some((bank, size))
            })
            .collect();
        banks.sort_unstable();
        banks.iter().map(|(bank, size)| format!(", {size} bytes cmem[{bank}]")).collect()
    }
}
