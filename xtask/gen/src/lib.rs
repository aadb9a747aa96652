//! Turns `isa/*.txt` into the static tables of `crates/sass/src/gen/`.
//!
//! Every row is checked here: no bit may belong to two things, every bit outside operands, fields, guard and
//! control becomes a checked constant. With `--check` nothing is written; differing files are an error.
#![forbid(unsafe_code)]

mod address;
mod emit;
mod latency;
mod operand;
mod slot;
mod table;
mod units;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use slot::NO_BIT;
use table::{RowT, Table};
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
    out.extend(emit::files(&table, &special, &units)?);
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
            if b != NO_BIT {
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
