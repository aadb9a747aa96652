//! Entry point for the cubin reader and everything that looks at what it read.

use raddle_cubin::Cubin;
use raddle_cubin::lines::{LineTable, Lines};

/// Reads `data` as a cubin and takes every view of it. Any outcome but a panic is right.
pub fn run(data: &[u8]) {
    let Ok(cubin) = Cubin::parse(data) else { return };
    let functions = cubin.functions();
    for f in &functions {
        std::hint::black_box((f.code.len(), f.params.len(), f.const_banks.len()));
    }
    std::hint::black_box(cubin.variables().len());
    std::hint::black_box(cubin.write().is_ok());
    for index in 0..cubin.sections.len().min(64) as u32 {
        for lines in [Lines::Source, Lines::Ptx] {
            std::hint::black_box(LineTable::read(&cubin, index, lines).is_ok());
        }
    }
    std::hint::black_box(raddle_cubin::report::Report::new(&cubin));
    let mut placement = raddle_cubin::load::Placement::default();
    let reserved: u64 = cubin.needs().iter().map(|n| n.size).fold(0, u64::saturating_add);
    placement.functions.insert("vprintf".into(), 1);
    if reserved < 1 << 20 {
        std::hint::black_box(cubin.load(&placement).is_ok());
    }
    for (index, section) in cubin.sections.iter().enumerate() {
        std::hint::black_box((section.size(), cubin.relocations(index as u32).count()));
    }
}
