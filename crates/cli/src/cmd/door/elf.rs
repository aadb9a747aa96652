//! Sections and symbols of a cubin as `cuobjdump -elf` and `-symbols` print them (13.4 output), and the words of
//! constant banks. Other contents are left out: `raddle info --all` has them.

use raddle_cubin::Cubin;
use raddle_cubin::elf::st;
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

/// The list of `cuobjdump -symbols`: all but those of sections (13.4 output).
pub(super) fn symbols(cubin: &Cubin) -> String {
    let mut out = "\nsymbols:\n".to_owned();
    for symbol in cubin.symbols.iter().skip(1).filter(|symbol| symbol.kind != st::SECTION) {
        let kind = match symbol.kind {
            0 => "NOTYPE",
            1 => "OBJECT",
            2 => "FUNC",
            4 => "FILE",
            10 => "CUDA_TEXTURE",
            11 => "CUDA_SAMPLER",
            12 => "CUDA_SURFACE",
            13 => "CUDA_OBJECT",
            _ => "?",
        };
        let binding = ["LOCAL", "GLOBAL", "WEAK"].get(usize::from(symbol.binding)).copied().unwrap_or("?");
        let other = match symbol.other {
            0 => "STV_DEFAULT",
            1 => "STV_INTERNAL",
            2 => "STV_HIDDEN",
            3 => "STV_PROTECTED",
            0x10 => "STO_ENTRY",
            0x20 => "STO_GLOBAL",
            0x40 => "STO_SHARED",
            0x60 => "STO_LOCAL",
            0x80 => "STO_CONSTANT",
            0xa0 => "STO_RESERVED_SHARED",
            _ => "STO_?",
        };
        let undefined = if symbol.place == SymbolPlace::Undefined { 'U' } else { ' ' };
        let (kind, binding) = (format!("STT_{kind}"), format!("STB_{binding}"));
        let _ = writeln!(out, "{kind:<16} {binding:<10} {other:<12} {undefined} {}", symbol.name);
    }
    out
}
