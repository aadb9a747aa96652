//! Writes the tables as Rust: names, values of fields, rows.
//!
//! Items that rows share are written once and named in the order of their first use ([`Pool`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};

use crate::slot::SlotT;
use crate::table::{self, FieldT, PartT, RowT, Table, bits_expr};
use crate::units::Units;
use crate::{constants, ident};

/// The first line of every file.
const HEAD: &str = "// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.\n";

/// All files, by path relative to the repository.
pub fn files(table: &Table, special: &[(u8, String)], units: &Units) -> Result<Vec<(String, String)>> {
    let names = AllNames::of(table)?;
    // Rows of one mnemonic stand together, in the order of the files.
    let mut sorted: Vec<&RowT> = table.rows.iter().collect();
    sorted.sort_by_key(|r| ident(&r.op));
    let mut rows = Rows::default();
    for row in &sorted {
        rows.add(row, units)?;
    }
    let module = "pub(crate) mod latency;\nmod names;\nmod rows;\nmod values;\n\npub use names::{Class, Field, Mod, Op, SPECIAL};\n\
                  pub use rows::ROWS;\npub(crate) use rows::{INDEX, OP_ROWS, ORDER};\n";
    let module = format!("{HEAD}\n//! Tables written by `cargo xtask gen` from `isa/*.txt`.\n\n{module}");
    let path = |name: &str| format!("crates/sass/src/gen/{name}.rs");
    Ok(vec![
        (path("names"), names.file(special)),
        (path("values"), rows.values_file(table)),
        (path("rows"), rows.file(&names, &sorted)?),
        (path("mod"), module),
    ])
}

/// Collects an enum's members; two tokens with one identifier are an error.
#[derive(Default)]
struct Names {
    map: BTreeMap<String, String>,
}

impl Names {
    fn add(&mut self, token: &str) -> Result<String> {
        let id = ident(token);
        if let Some(old) = self.map.get(&id) {
            ensure!(old == token, "tokens {old} and {token} have the same name {id}");
        }
        self.map.insert(id.clone(), token.to_owned());
        Ok(id)
    }

    fn emit(&self, out: &mut String, name: &str, doc: &str, repr: &str) {
        let _ = writeln!(
            out,
            "/// {doc}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr({repr})]\npub enum {name} {{"
        );
        for id in self.map.keys() {
            let _ = writeln!(out, "    {id},");
        }
        let _ = writeln!(out, "}}\n\nimpl {name} {{\n    /// All members.\n    pub const ALL: &[Self] = &[");
        for id in self.map.keys() {
            let _ = writeln!(out, "Self::{id},");
        }
        let _ = writeln!(
            out,
            "];\n\n    /// The token as it is printed.\n    #[must_use]\n    pub fn text(self) -> &'static str {{\n        const TEXT: &[&str] = &["
        );
        for text in self.map.values() {
            let _ = writeln!(out, "{text:?},");
        }
        let _ = writeln!(out, "];\n        TEXT[self as usize]\n    }}\n}}\n");
    }
}

/// Distinct static items, named in order of first use.
#[derive(Default)]
struct Pool {
    map: BTreeMap<String, usize>,
    list: Vec<String>,
}

impl Pool {
    /// Whether some item refers to this value table.
    fn uses(&self, values: &str) -> bool {
        let name = format!("V_{}", values.to_uppercase());
        self.list.iter().any(|x| {
            x.match_indices(&name)
                .any(|(i, _)| !x[i + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
        })
    }

    fn add(&mut self, expr: String) -> usize {
        if let Some(&i) = self.map.get(&expr) {
            return i;
        }
        self.map.insert(expr.clone(), self.list.len());
        self.list.push(expr);
        self.list.len() - 1
    }
}

/// Every name of the table, by enum.
#[derive(Default)]
struct AllNames {
    ops: Names,
    mods: Names,
    fields: Names,
    classes: Names,
}

impl AllNames {
    fn of(table: &Table) -> Result<AllNames> {
        let mut all = AllNames::default();
        all.mods.add("")?;
        for (_, token, _) in table.enums.values().flat_map(|e| &e.list) {
            all.mods.add(token)?;
        }
        all.fields.add("sel")?;
        for slot in table.rows.iter().flat_map(|r| &r.slots) {
            all.mods.add(&slot.suffix)?;
        }
        for row in &table.rows {
            all.ops.add(&row.op)?;
            all.classes.add(&row.class)?;
            for field in &row.fields {
                all.fields.add(&field.name)?;
            }
            for part in &row.parts {
                let tokens = match part {
                    PartT::Fixed(token) => std::slice::from_ref(token),
                    PartT::Alias(_) => &["MOV", "IADD", "SHL"].map(str::to_owned),
                    PartT::Field(_) => &[],
                };
                tokens.iter().try_for_each(|token| all.mods.add(token).map(drop))?;
            }
        }
        Ok(all)
    }

    /// `names.rs`.
    fn file(&self, special: &[(u8, String)]) -> String {
        let mut out = format!(
            "{HEAD}\n//! Names used by the table: mnemonics, tokens, fields, classes, special registers.\n#![allow(missing_docs, reason = \"members are spelt as NVIDIA spells the tokens\")]\n\n"
        );
        self.ops.emit(&mut out, "Op", "Base mnemonics.", "u16");
        let tokens = "Every token of a mnemonic and every named value of a field; `None` is the empty token.";
        self.mods.emit(&mut out, "Mod", tokens, "u16");
        self.fields.emit(&mut out, "Field", "Modifier fields.", "u8");
        self.classes.emit(&mut out, "Class", "Latency classes.", "u8");
        out += "/// Names of special registers by number; the empty string where none is known.\npub static SPECIAL: [&str; 256] = [\n";
        for n in 0..=255u8 {
            let name = special.iter().find(|e| e.0 == n).map_or("", |e| e.1.as_str());
            let _ = writeln!(out, "{name:?},");
        }
        out + "];\n"
    }
}

/// The rows and the items that they share.
#[derive(Default)]
struct Rows {
    text: String,
    count: usize,
    slots: Pool,
    slot_lists: Pool,
    field_lists: Pool,
    part_lists: Pool,
    fixed_lists: Pool,
    effects: Pool,
    /// Numbers of the rows by their low 12 bits.
    index: BTreeMap<u16, Vec<usize>>,
}

impl Rows {
    fn add(&mut self, r: &RowT, units: &Units) -> Result<()> {
        let (mask, bits) = constants(r).with_context(|| format!("{}: {}", r.place, r.op))?;
        self.index.entry(r.opcode).or_default().push(self.count);
        self.count += 1;
        let slots: Vec<String> = r.slots.iter().map(|s| format!("S{}", self.slots.add(slot_expr(s)))).collect();
        let slots = self.slot_lists.add(list(&slots));
        let fields = self.field_lists.add(list(&r.fields.iter().map(field_expr).collect::<Vec<_>>()));
        let (mut parts, mut fixed) = (Vec::new(), Vec::new());
        for part in &r.parts {
            match part {
                PartT::Fixed(t) => {
                    parts.push(format!("Part::Fixed(Mod::{})", ident(t)));
                    fixed.push(format!("Mod::{}", ident(t)));
                }
                PartT::Field(i) => parts.push(format!("Part::Field({i})")),
                PartT::Alias(a) => parts.push(alias_expr(r, a)?),
            }
        }
        let parts = self.part_lists.add(list(&parts));
        let fixed = self.fixed_lists.add(list(&fixed));
        let effects = self.effects.add(effects_expr(r, units)?);
        let _ = writeln!(
            self.text,
            "    Row {{ op: Op::{}, isas: IsaSet({}), mask: {mask:#x}, bits: {bits:#x}, mnemonic: &P{parts}, fixed: &X{fixed}, slots: &L{slots}, fields: &F{fields}, class: Class::{}, effects: E{effects}, uniform_guard: {} }},",
            ident(&r.op),
            r.isas,
            ident(&r.class),
            r.uniform_guard
        );
        Ok(())
    }

    /// `values.rs`: the value tables that some row uses.
    fn values_file(&self, table: &Table) -> String {
        let mut out =
            format!("{HEAD}\n//! Value tables of fields.\nuse super::names::Mod;\nuse crate::row::Values;\n\n");
        let used = |name: &String| self.slots.uses(name) || self.field_lists.uses(name);
        for (name, e) in table.enums.iter().filter(|(name, _)| used(name)) {
            let _ = writeln!(
                out,
                "pub(crate) static V_{}: Values = Values {{ name: {name:?}, legal: {:#x}, list: &[",
                name.to_uppercase(),
                e.list.iter().filter(|v| v.0 < 64).fold(0u64, |m, v| m | 1 << v.0)
            );
            for (v, t, _) in &e.list {
                let _ = writeln!(out, "({v}, Mod::{}),", ident(t));
            }
            out += "] };\n";
        }
        out
    }

    /// `rows.rs`.
    fn file(&self, names: &AllNames, sorted: &[&RowT]) -> Result<String> {
        let mut out = format!(
            "{HEAD}\n//! The rows.\nuse super::names::{{Class, Field, Mod, Op}};\nuse super::values::*;\nuse crate::row::*;\nuse crate::units::{{Pipe, Queue}};\n\n"
        );
        self.shared_items(&mut out);
        let _ = writeln!(
            out,
            "/// All rows.\n#[rustfmt::skip]\npub static ROWS: [Row; {}] = [\n{}];\n",
            self.count, self.text
        );
        let mut op_rows = Vec::new();
        for id in names.ops.map.keys() {
            let first = sorted.iter().position(|r| ident(&r.op) == *id).context("op without a row")?;
            let n = sorted.iter().filter(|r| ident(&r.op) == *id).count();
            op_rows.push((first as u16, n as u16));
        }
        let _ = writeln!(
            out,
            "/// `(first, count)` of the rows of each mnemonic.\n#[rustfmt::skip]\npub(crate) static OP_ROWS: [(u16, u16); {}] = {op_rows:?};\n",
            op_rows.len()
        );
        self.by_opcode(&mut out)?;
        Ok(out)
    }

    /// The items that rows refer to.
    fn shared_items(&self, out: &mut String) {
        for (prefix, ty, pool) in [("S", "Slot", &self.slots), ("E", "Effects", &self.effects)] {
            for (i, x) in pool.list.iter().enumerate() {
                let _ = writeln!(out, "#[rustfmt::skip]\nconst {prefix}{i}: {ty} = {x};");
            }
        }
        for (prefix, ty, pool) in [
            ("L", "Slot", &self.slot_lists),
            ("F", "FieldSpec", &self.field_lists),
            ("P", "Part", &self.part_lists),
            ("X", "Mod", &self.fixed_lists),
        ] {
            for (i, x) in pool.list.iter().enumerate() {
                let _ = writeln!(out, "#[rustfmt::skip]\nstatic {prefix}{i}: [{ty}; {}] = {x};", count(x));
            }
        }
    }

    /// The tables that find rows by their low 12 bits.
    fn by_opcode(&self, out: &mut String) -> Result<()> {
        let mut order = Vec::new();
        let mut starts = vec![(0u16, 0u8); 4096];
        for (op, list) in &self.index {
            starts[usize::from(*op)] = (order.len() as u16, u8::try_from(list.len())?);
            order.extend(list.iter().copied());
        }
        let _ = writeln!(
            out,
            "/// `(first, count)` in [`ORDER`] of the rows with these low 12 bits.\n#[rustfmt::skip]\npub(crate) static INDEX: [(u16, u8); 4096] = {starts:?};\n"
        );
        let _ = writeln!(
            out,
            "/// Row numbers grouped by opcode.\n#[rustfmt::skip]\npub(crate) static ORDER: [u16; {}] = {order:?};",
            order.len()
        );
        Ok(())
    }
}

/// `[a, b, c]`.
fn list(items: &[String]) -> String {
    format!("[{}]", items.join(", "))
}

/// Number of elements of `[a, b, c]` at the top level.
fn count(list: &str) -> usize {
    let (mut depth, mut n, mut any) = (0, 1, false);
    for c in list[1..list.len() - 1].chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => n += 1,
            _ => {}
        }
        any = true;
    }
    if any { n } else { 0 }
}

fn field_expr(f: &FieldT) -> String {
    format!(
        "FieldSpec {{ field: Field::{}, bits: {}, values: &V_{} }}",
        ident(&f.name),
        bits_expr(&f.bits),
        f.values.to_uppercase()
    )
}

fn slot_expr(s: &SlotT) -> String {
    let sel = s.sel.as_ref().map_or("None".to_owned(), |f| format!("Some({})", field_expr(f)));
    let tilde = s.tilde.map_or("None".to_owned(), |i| format!("Some({i})"));
    format!(
        "Slot {{ role: SlotRole::{}, kind: {}, neg: {}, abs: {}, not: {}, tilde: {tilde}, reuse: {}, sel: {sel}, suffix: Mod::{}, nonzero: {}, show: {}, access: Access::{}, width: {}, sep: {:?} }}",
        s.role,
        s.kind,
        s.neg,
        s.abs,
        s.not,
        s.reuse,
        ident(&s.suffix),
        s.nonzero,
        s.show,
        s.access,
        s.width,
        if s.space_sep { " " } else { ", " }
    )
}

fn effects_expr(r: &RowT, units: &Units) -> Result<String> {
    let space = |k: &str| -> Result<String> {
        Ok(match r.effects.get(k).map(String::as_str) {
            None => "None".to_owned(),
            Some(s) => {
                ensure!(
                    ["global", "generic", "shared", "local", "const", "texture", "surface"].contains(&s),
                    "space {s}"
                );
                format!("Some(Space::{})", ident(s))
            }
        })
    };
    let flag = |k: &str| r.effects.contains_key(k);
    let sb = r.effects.get("sb").map_or("wr", String::as_str);
    ensure!(["wr", "w", "r", "-", "x"].contains(&sb), "sb={sb}");
    let variable = match r.effects.get("var").map(String::as_str) {
        None => 0,
        Some("") => 31,
        Some(list) => table::read_isas(list)?,
    };
    Ok(format!(
        "Effects {{ reads: {}, writes: {}, atomic: {}, convergent: {}, barrier: {}, branch: {}, variable: IsaSet({variable}), write_barrier: {}, read_barrier: {}, waits: {}, {} }}",
        space("reads")?,
        space("writes")?,
        flag("atomic"),
        flag("conv"),
        flag("barrier"),
        flag("branch"),
        matches!(sb, "wr" | "w"),
        matches!(sb, "wr" | "r"),
        sb != "x",
        units.fields(r)
    ))
}

/// The tokens nvdisasm inserts for special cases of `IMAD` (found by probing all combinations of zero, one and
/// powers of two).
fn alias_expr(r: &RowT, name: &str) -> Result<String> {
    ensure!(name == "imad", "unknown alias {name}");
    let pos = |role: &str| r.slots.iter().position(|s| s.role == role);
    let (Some(a), Some(b), Some(c)) = (pos("Ra"), pos("Rb"), pos("Rc")) else { bail!("imad alias needs Ra, Rb, Rc") };
    let x = r.fields.iter().position(|f| f.name == "x").context("imad alias needs field x")?;
    if r.slots.iter().any(|s| s.kind.is_uniform_register()) {
        return Ok("Part::Alias(&[])".to_owned());
    }
    let cond = |list: &[String], m: &str| format!("(&[Cond::Field({x}, 0), {}], Mod::{m})", list.join(", "));
    let mut alts = vec![cond(&[format!("Cond::IsZero({a})")], "Mov")];
    if !r.slots[b].kind.is_constant_bank() {
        alts.push(cond(&[format!("Cond::IsZero({b})")], "Mov"));
    }
    if r.slots[b].kind.is_integer() {
        alts.push(cond(&[format!("Cond::IsOne({b})"), format!("Cond::IsZero({c})")], "Mov"));
        alts.push(cond(&[format!("Cond::IsOne({b})")], "Iadd"));
        alts.push(cond(&[format!("Cond::IsPowerOfTwo({b})"), format!("Cond::IsZero({c})")], "Shl"));
    }
    Ok(format!("Part::Alias(&[{}])", alts.join(", ")))
}
