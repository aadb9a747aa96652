//! Sections and symbols of a cubin as `cuobjdump -elf` prints them (13.4 output), and the words of
//! constant banks. Other contents are left out: `raddle info --all` has them.

use raddle_cubin::Cubin;
use raddle_cubin::model::{Kind, SymbolPlace};
use raddle_cubin::report::Report;
use raddle_cubin::view::constant_section;
use std::fmt::Write as _;

/// Words in a line.
const WORDS: usize = 4;

/// The text for a cubin.
pub(super) fn text(cubin: &Cubin, arch: &str) -> String {
    let header = &cubin.header;
    let kind = if header.kind == Kind::Executable { "ET_EXEC" } else { "ET_REL" };
    let mut out = format!(
        "\n64-bit ELF: type={kind}, ABI={}, sm={}, toolkit=13.0, flags={:#x}\nSections:\n\
         Index Offset   Size ES Align                      Type    Flags Link     Info Name\n",
        header.abi_version,
        arch.trim_start_matches("sm_"),
        header.flags
    );
    for (index, s) in (1..).zip(&Report::new(cubin).sections) {
        let _ = writeln!(
            out,
            "{index:>5x} {:>6x} {:>6x} {:>2x} {:>2x} {:>28} {:>8x} {:>4x} {:>8x} {}",
            s.offset, s.size, s.entry_size, s.align, s.kind, s.flags, s.link, s.info, s.name
        );
    }
    out += "\n.section .strtab\n\n.section .shstrtab\n\n.section .symtab\n index           value           size      info    \
            other  shndx    name  \n";
    for (index, symbol) in cubin.symbols.iter().enumerate() {
        let hex = |number: u64| if number == 0 { "0".to_owned() } else { format!("{number:#x}") };
        let place = match symbol.place {
            SymbolPlace::Section(section) => section.into(),
            SymbolPlace::Undefined => 0,
            SymbolPlace::Reserved(number) => number.into(),
        };
        let name = if symbol.name.is_empty() { "(null)" } else { &symbol.name };
        let info = u64::from(symbol.binding) << 4 | u64::from(symbol.kind);
        let _ = writeln!(
            out,
            "{:>4}{:>16}{:>16}{:>9}{:>9}{:>7}     {name}",
            hex(index as u64),
            hex(symbol.value),
            hex(symbol.size),
            hex(info),
            hex(symbol.other.into()),
            hex(place)
        );
    }
    for section in cubin.sections.iter().filter(|section| constant_section(&section.name).is_some()) {
        let _ = write!(out, "\n\n{}\n", section.name);
        for line in section.bytes().chunks(4 * WORDS) {
            let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
            line.chunks(4).for_each(|bytes| out += &format!("{:#010x} ", word(bytes)));
            out.truncate(out.trim_end_matches(' ').len() + usize::from(line.len() < 4 * WORDS));
            out.push('\n');
        }
    }
    out + "\n\n"
}
