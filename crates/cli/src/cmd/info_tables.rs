//! `raddle info --all`: every section, symbol, relocation, attribute, call graph pair and program
//! header of a cubin, as tables.

use crate::ui::Table;
use raddle_cubin::report::Report;

/// The tables of everything in [`Report`] except functions and variables.
pub(super) fn tables(report: &Report) -> String {
    let mut out = String::new();
    for table in [sections(report), symbols(report), relocations(report), attributes(report), pairs(report)] {
        out += "\n";
        out += &table.to_string();
    }
    if !report.segments.is_empty() {
        out += "\n";
        out += &segments(report).to_string();
    }
    out
}

fn hex(value: impl std::fmt::LowerHex) -> String {
    format!("{value:#x}")
}

fn sections(report: &Report) -> Table {
    let head = ["index", "offset", "size", "entry", "align", "type", "contents", "flags", "link", "info", "section"];
    let mut table = Table::new(&head);
    for (index, s) in (1..).zip(&report.sections) {
        table.row([
            format!("{index}"),
            hex(s.offset),
            hex(s.size),
            hex(s.entry_size),
            hex(s.align),
            s.kind.clone(),
            s.contents.to_owned(),
            hex(s.flags),
            hex(s.link),
            hex(s.info),
            s.name.clone(),
        ]);
    }
    table
}

fn symbols(report: &Report) -> Table {
    let mut table = Table::new(&["index", "value", "size", "binding", "type", "other", "section", "symbol"]);
    for s in &report.symbols {
        table.row([
            s.index.to_string(),
            hex(s.value),
            hex(s.size),
            s.binding.clone(),
            s.kind.clone(),
            hex(s.other),
            s.place.clone(),
            s.name.clone(),
        ]);
    }
    table
}

fn relocations(report: &Report) -> Table {
    let mut table = Table::new(&["offset", "addend", "type", "section", "relocation of"]);
    for r in &report.relocations {
        table.row([hex(r.offset), r.addend.to_string(), r.kind.clone(), r.section.clone(), r.symbol.clone()]);
    }
    table
}

fn attributes(report: &Report) -> Table {
    let mut table = Table::new(&["code", "attribute", "section", "value"]);
    for a in &report.attributes {
        table.row([hex(a.code), a.name.unwrap_or("?").to_owned(), a.section.clone(), a.value.clone()]);
    }
    table
}

fn pairs(report: &Report) -> Table {
    let named = |word: u32| {
        let symbol = (word as usize).checked_sub(1).and_then(|at| report.symbols.get(at));
        symbol.map_or_else(|| (word as i32).to_string(), |s| s.name.clone())
    };
    let mut table = Table::new(&["section", "pair"]);
    for p in &report.pairs {
        // The second word of a prototype is an offset in the string table.
        let second = if p.section == ".nv.callgraph" { named(p.words[1]) } else { hex(p.words[1]) };
        table.row([p.section.clone(), format!("{} {second}", named(p.words[0]))]);
    }
    table
}

fn segments(report: &Report) -> Table {
    let mut table = Table::new(&["type", "flags", "offset", "in file", "in memory", "align"]);
    for s in &report.segments {
        let cells = [s.kind.into(), s.flags.into(), s.offset, s.file_size, s.memory_size, s.align];
        table.row(cells.map(hex));
    }
    table
}
