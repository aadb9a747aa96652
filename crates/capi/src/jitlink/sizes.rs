//! The memory of a cubin, as nvJitLink shows it (libnvJitLink.so 13.0.88).

use raddle_cubin::raw::Raw;

/// Sections of global memory: zeroed and initialised.
const GLOBAL: [&str; 2] = [".nv.global", ".nv.global.init"];

/// The sizes of sections of memory, in bytes.
pub(crate) struct Sizes<'a> {
    sections: Vec<(&'a str, u64)>,
}

impl<'a> Sizes<'a> {
    /// The sections of a cubin; none if it cannot be read.
    pub(crate) fn of(cubin: &'a [u8]) -> Sizes<'a> {
        let sections = Raw::parse(cubin).map_or(Vec::new(), |raw| {
            raw.sections.iter().filter(|section| section.name.starts_with(".nv.")).map(|s| (s.name, s.size)).collect()
        });
        Sizes { sections }
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
