//! Turns `isa/*.txt` into the static tables of `crates/sass/src/gen/`.
//!
//! Every row is checked here: no bit may belong to two things, every bit outside operands, fields, guard and
//! control becomes a checked constant. With `--check` nothing is written; differing files are an error.
#![forbid(unsafe_code)]

mod latency;
mod table;
mod units;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use table::{FieldT, PartT, RowT, SlotT, Table, bits_expr};
use units::Units;

/// Repository root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the tables; with `check` only compares.
pub fn run(check: bool) -> Result<()> {
    for (path, text) in generate()? {
        let full = root().join(&path);
        if check {
            let old = std::fs::read_to_string(&full).with_context(|| path.clone())?;
            ensure!(old == text, "{path} is stale: run `cargo xtask gen`");
        } else {
            std::fs::create_dir_all(full.parent().context("no parent")?)?;
            std::fs::write(&full, text)?;
        }
    }
    Ok(())
}

/// All generated files, by path relative to the repository.
fn generate() -> Result<Vec<(String, String)>> {
    let mut table = Table::default();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join("isa"))?.map(|e| e.map(|e| e.path())).collect::<std::io::Result<_>>()?;
    files.retain(|p| p.extension().is_some_and(|x| x == "txt"));
    files.sort();
    let name = |p: &PathBuf| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut special = Vec::new();
    let mut units = Units::default();
    for enums in [true, false] {
        for p in &files {
            let text = std::fs::read_to_string(p)?;
            match name(p).as_str() {
                "special.txt" => special = read_special(&text)?,
                "units.txt" => units = Units::read(&text)?,
                n if n.starts_with("latency") => {}
                n => table.read(n, &text, enums)?,
            }
        }
    }
    let mut out = Vec::new();
    units.check(&table.rows)?;
    emit(&table, &special, &units, &mut out)?;
    let classes: std::collections::BTreeSet<String> = table.rows.iter().map(|r| r.class.clone()).collect();
    out.push(("crates/sass/src/gen/latency.rs".to_owned(), latency::emit(&root().join("isa"), &classes)?));
    for (_, text) in &mut out {
        *text = format_rust(text)?;
    }
    Ok(out)
}

/// `special.txt`: `NUMBER NAME` lines.
fn read_special(text: &str) -> Result<Vec<(u8, String)>> {
    let mut out = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let (n, s) = line.split_once(' ').context("special.txt: NUMBER NAME")?;
        out.push((n.parse()?, s.to_owned()));
    }
    Ok(out)
}

/// Formats with rustfmt, so that the checked-in file is a fixed point of `cargo fmt`.
fn format_rust(text: &str) -> Result<String> {
    use std::io::Write as _;
    let mut child = std::process::Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .context("rustfmt")?;
    let mut stdin = child.stdin.take().context("stdin")?;
    let owned = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(owned.as_bytes()));
    let out = child.wait_with_output()?;
    writer.join().ok().context("writer")??;
    ensure!(out.status.success(), "rustfmt failed");
    Ok(String::from_utf8(out.stdout)?)
}

/// Rust identifier of a token: `STRONG.GPU` is `StrongGpu`, `16816` is `N16816`.
pub fn ident(token: &str) -> String {
    let mut s = String::new();
    for piece in token.split(['.', '_']) {
        let mut chars = piece.chars();
        if let Some(c) = chars.next() {
            s.push(c.to_ascii_uppercase());
            s.extend(chars.map(|c| c.to_ascii_lowercase()));
        }
    }
    if s.is_empty() {
        return "None".to_owned();
    }
    if s.starts_with(|c: char| c.is_ascii_digit()) {
        s.insert(0, 'N');
    }
    s
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

fn emit(table: &Table, special: &[(u8, String)], units: &Units, files: &mut Vec<(String, String)>) -> Result<()> {
    let head = "// Written by `cargo xtask gen` from `isa/*.txt`. Do not edit.\n";
    let (mut ops, mut mods, mut fields, mut classes) =
        (Names::default(), Names::default(), Names::default(), Names::default());
    mods.add("")?;
    for e in table.enums.values() {
        for (_, t, _) in &e.list {
            mods.add(t)?;
        }
    }
    fields.add("sel")?;
    for s in table.rows.iter().flat_map(|r| &r.slots) {
        mods.add(&s.suffix)?;
    }
    for r in &table.rows {
        ops.add(&r.op)?;
        classes.add(&r.class)?;
        for f in &r.fields {
            fields.add(&f.name)?;
        }
        for p in &r.parts {
            match p {
                PartT::Fixed(t) => {
                    mods.add(t)?;
                }
                PartT::Alias(_) => {
                    for t in ["MOV", "IADD", "SHL"] {
                        mods.add(t)?;
                    }
                }
                PartT::Field(_) => {}
            }
        }
    }

    let mut rows_text = String::new();
    let (mut slots, mut slot_lists, mut field_lists, mut part_lists, mut fixed_lists) =
        (Pool::default(), Pool::default(), Pool::default(), Pool::default(), Pool::default());
    let mut effects = Pool::default();
    let mut index: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    // Rows of one mnemonic stand together, in the order of the files.
    let mut sorted: Vec<&RowT> = table.rows.iter().collect();
    sorted.sort_by_key(|r| ident(&r.op));
    for (n, r) in sorted.iter().enumerate() {
        let (mask, bits) = constants(r).with_context(|| format!("{}: {}", r.place, r.op))?;
        index.entry(r.opcode).or_default().push(n);
        let slot_ids: Vec<String> = r.slots.iter().map(|s| format!("S{}", slots.add(slot_expr(s)))).collect();
        let sl = slot_lists.add(format!("[{}]", slot_ids.join(", ")));
        let fl = field_lists.add(format!("[{}]", r.fields.iter().map(field_expr).collect::<Vec<_>>().join(", ")));
        let mut parts = Vec::new();
        let mut fixed = Vec::new();
        for p in &r.parts {
            match p {
                PartT::Fixed(t) => {
                    parts.push(format!("Part::Fixed(Mod::{})", ident(t)));
                    fixed.push(format!("Mod::{}", ident(t)));
                }
                PartT::Field(i) => parts.push(format!("Part::Field({i})")),
                PartT::Alias(a) => parts.push(alias_expr(r, a)?),
            }
        }
        let pl = part_lists.add(format!("[{}]", parts.join(", ")));
        let xl = fixed_lists.add(format!("[{}]", fixed.join(", ")));
        let ef = effects.add(effects_expr(r, units)?);
        let _ = writeln!(
            rows_text,
            "    Row {{ op: Op::{}, isas: IsaSet({}), mask: {mask:#x}, bits: {bits:#x}, mnemonic: &P{pl}, fixed: &X{xl}, slots: &L{sl}, fields: &F{fl}, class: Class::{}, effects: E{ef}, uniform_guard: {} }},",
            ident(&r.op),
            r.isas,
            ident(&r.class),
            r.uniform_guard
        );
    }

    let mut names = format!(
        "{head}\n//! Names used by the table: mnemonics, tokens, fields, classes, special registers.\n#![allow(missing_docs, reason = \"members are spelt as NVIDIA spells the tokens\")]\n\n"
    );
    ops.emit(&mut names, "Op", "Base mnemonics.", "u16");
    mods.emit(
        &mut names,
        "Mod",
        "Every token of a mnemonic and every named value of a field; `None` is the empty token.",
        "u16",
    );
    fields.emit(&mut names, "Field", "Modifier fields.", "u8");
    classes.emit(&mut names, "Class", "Latency classes.", "u8");
    let _ = writeln!(
        names,
        "/// Names of special registers by number; the empty string where none is known.\npub static SPECIAL: [&str; 256] = ["
    );
    for n in 0..=255u8 {
        let s = special.iter().find(|e| e.0 == n).map_or("", |e| e.1.as_str());
        let _ = writeln!(names, "{s:?},");
    }
    let _ = writeln!(names, "];");
    files.push(("crates/sass/src/gen/names.rs".to_owned(), names));

    let mut values =
        format!("{head}\n//! Value tables of fields.\nuse super::names::Mod;\nuse crate::row::Values;\n\n");
    for (name, e) in &table.enums {
        if !slots.uses(name) && !field_lists.uses(name) {
            continue;
        }
        let _ = writeln!(
            values,
            "pub(crate) static V_{}: Values = Values {{ name: {name:?}, legal: {:#x}, list: &[",
            name.to_uppercase(),
            e.list.iter().filter(|v| v.0 < 64).fold(0u64, |m, v| m | 1 << v.0)
        );
        for (v, t, _) in &e.list {
            let _ = writeln!(values, "({v}, Mod::{}),", ident(t));
        }
        let _ = writeln!(values, "] }};");
    }
    files.push(("crates/sass/src/gen/values.rs".to_owned(), values));

    let mut rows = format!(
        "{head}\n//! The rows.\nuse super::names::{{Class, Field, Mod, Op}};\nuse super::values::*;\nuse crate::row::*;\nuse crate::units::{{Pipe, Queue}};\n\n"
    );
    for (prefix, ty, pool) in [("S", "Slot", &slots), ("E", "Effects", &effects)] {
        for (i, x) in pool.list.iter().enumerate() {
            let _ = writeln!(rows, "#[rustfmt::skip]\nconst {prefix}{i}: {ty} = {x};");
        }
    }
    for (prefix, ty, pool) in [
        ("L", "Slot", &slot_lists),
        ("F", "FieldSpec", &field_lists),
        ("P", "Part", &part_lists),
        ("X", "Mod", &fixed_lists),
    ] {
        for (i, x) in pool.list.iter().enumerate() {
            let _ = writeln!(rows, "#[rustfmt::skip]\nstatic {prefix}{i}: [{ty}; {}] = {x};", count(x));
        }
    }
    let _ = writeln!(
        rows,
        "/// All rows.\n#[rustfmt::skip]\npub static ROWS: [Row; {}] = [\n{rows_text}];\n",
        table.rows.len()
    );
    let mut op_rows = Vec::new();
    for id in ops.map.keys() {
        let first = sorted.iter().position(|r| ident(&r.op) == *id).context("op without a row")?;
        let n = sorted.iter().filter(|r| ident(&r.op) == *id).count();
        op_rows.push((first as u16, n as u16));
    }
    let _ = writeln!(
        rows,
        "/// `(first, count)` of the rows of each mnemonic.\n#[rustfmt::skip]\npub(crate) static OP_ROWS: [(u16, u16); {}] = {op_rows:?};\n",
        op_rows.len()
    );
    let mut order = Vec::new();
    let mut starts = vec![(0u16, 0u8); 4096];
    for (op, list) in &index {
        starts[usize::from(*op)] = (order.len() as u16, u8::try_from(list.len())?);
        order.extend(list.iter().copied());
    }
    let _ = writeln!(
        rows,
        "/// `(first, count)` in [`ORDER`] of the rows with these low 12 bits.\n#[rustfmt::skip]\npub(crate) static INDEX: [(u16, u8); 4096] = {starts:?};\n"
    );
    let _ = writeln!(
        rows,
        "/// Row numbers grouped by opcode.\n#[rustfmt::skip]\npub(crate) static ORDER: [u16; {}] = {order:?};",
        order.len()
    );
    files.push(("crates/sass/src/gen/rows.rs".to_owned(), rows));

    files.push((
        "crates/sass/src/gen/mod.rs".to_owned(),
        format!("{head}\n//! Tables written by `cargo xtask gen` from `isa/*.txt`.\n\npub(crate) mod latency;\nmod names;\nmod rows;\nmod values;\n\npub use names::{{Class, Field, Mod, Op, SPECIAL}};\npub use rows::ROWS;\npub(crate) use rows::{{INDEX, OP_ROWS, ORDER}};\n"),
    ));
    Ok(())
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

/// Constant mask and bits of a row; fails when two things claim a bit.
fn constants(r: &RowT) -> Result<(u128, u128)> {
    let mut used = 0xfu128 << 12 | ((1u128 << 21) - 1) << 105;
    let mut take = |bits: &[(u8, u8)], what: &str| -> Result<()> {
        for &(lo, w) in bits {
            let m = ((1u128 << w) - 1) << lo;
            ensure!(used & m == 0, "{what} overlaps at bits {lo}..{}", lo + w);
            used |= m;
        }
        Ok(())
    };
    for f in &r.fields {
        take(&f.bits, &f.name)?;
    }
    for s in &r.slots {
        take(&s.bits, &s.role)?;
        for b in [s.neg, s.abs, s.not] {
            if b != 255 {
                take(&[(b, 1)], &format!("modifier of {}", s.role))?;
            }
        }
        if let Some(f) = &s.sel {
            take(&f.bits, "selector")?;
        }
    }
    let mut bits = u128::from(r.opcode);
    for &b in &r.ones {
        ensure!(used >> b & 1 == 0, "constant one at used bit {b}");
        bits |= 1 << b;
    }
    let mask = !used;
    ensure!(mask & 0xfff == 0xfff, "an opcode bit is used");
    Ok((mask, bits))
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
    let kind = |i: usize| r.slots[i].kind.as_str();
    let uniform = r.slots.iter().any(|s| s.kind.starts_with("SlotKind::UReg"));
    if uniform {
        return Ok("Part::Alias(&[])".to_owned());
    }
    let cond = |list: &[String], m: &str| format!("(&[Cond::Field({x}, 0), {}], Mod::{m})", list.join(", "));
    let mut alts = vec![cond(&[format!("Cond::IsZero({a})")], "Mov")];
    if !kind(b).contains("CBank") {
        alts.push(cond(&[format!("Cond::IsZero({b})")], "Mov"));
    }
    if kind(b).contains("Imm") {
        alts.push(cond(&[format!("Cond::IsOne({b})"), format!("Cond::IsZero({c})")], "Mov"));
        alts.push(cond(&[format!("Cond::IsOne({b})")], "Iadd"));
        alts.push(cond(&[format!("Cond::IsPowerOfTwo({b})"), format!("Cond::IsZero({c})")], "Shl"));
    }
    Ok(format!("Part::Alias(&[{}])", alts.join(", ")))
}

/// Names that must stay unique; used by the freshness test too.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_fresh() {
        run(true).unwrap();
    }

    #[test]
    fn identifiers() {
        assert_eq!(ident("STRONG.GPU"), "StrongGpu");
        assert_eq!(ident("16816"), "N16816");
        assert_eq!(ident("H0_H0"), "H0H0");
        assert_eq!(ident(""), "None");
    }

    #[test]
    fn no_bit_twice() {
        let mut t = Table::default();
        let e =
            t.read("x", "evidence test\nFOO 200 | .{sat:16} | Rd | class=alu\n", false).map(|()| constants(&t.rows[0]));
        assert!(e.unwrap().is_err());
    }
}
