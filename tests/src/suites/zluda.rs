//! ZLUDA's `spirv_run`: small kernels with an input, and the output that its tests expect of CUDA
//! hardware.
//!
//! The table is Rust source: `test_ptx!(name, [input], [output])` runs `name.ptx` with one thread,
//! `test_ptx_warp!(name, [output])` with 64, `test_ptx!(name)` only compiles. A small parser reads
//! it ([`super::literal`] reads the arrays). A kernel `name` has the parameters `input` and
//! `output`, both the output's address if there is no input; it gets 1,024 bytes of dynamic shared
//! memory, and its output is initially zero. The 32-bit versions in `32/` are not read: ptxas 13
//! has no 32-bit addresses.

use anyhow::{Context, Result, ensure};
use raddle_sim::launch::Dim3;

use super::literal::array;
use super::program::{Expected, Program, Run, Runs, Value};
use super::sources::Files;

/// The folder of table and programs.
const FOLDER: &str = "ptx/src/test/spirv_run/";
/// Bytes of dynamic shared memory.
const SHARED: u32 = 1024;
/// Threads of `test_ptx_warp!`.
const WARPS: u32 = 64;

/// Whether a file of the checkout is read.
pub fn wanted(path: &str) -> bool {
    let Some(name) = path.strip_prefix(FOLDER) else { return false };
    !name.contains('/') && (name.ends_with(".ptx") || name == "mod.rs")
}

/// Returns the programs.
///
/// # Errors
/// A table that cannot be parsed, or a row without its file.
pub fn programs(files: &Files) -> Result<Vec<Program>> {
    let table = files.text(&format!("{FOLDER}mod.rs"))?;
    rows(&table)?.into_iter().map(|row| program(row, files)).collect()
}

fn program(row: Row, files: &Files) -> Result<Program> {
    let text = files.text(&format!("{FOLDER}{}.ptx", row.name))?;
    let Some(output) = row.output else {
        return Ok(Program { name: row.name, text, runs: Runs::Tried });
    };
    let zeroed = Value::Buffer(vec![0; output.len()]);
    let (values, buffer) = match row.input {
        Some(input) => (vec![Value::Buffer(input), zeroed], 1),
        None => {
            // Kernels that need one address have one parameter or two.
            let parameters = text.split_once('{').map_or("", |(head, _)| head).matches(".param").count();
            (std::iter::once(zeroed).chain((1..parameters).map(|_| Value::Again(0))).collect(), 0)
        }
    };
    let threads = if row.warps { WARPS } else { 1 };
    let (grid, block) = (Dim3::from(1), Dim3::from(threads));
    let expected = Some(Expected { buffer, bytes: output, close: Vec::new() });
    let (name, kernel) = ("as its test".to_owned(), row.name.clone());
    let run = Run { name, kernel, grid, block, shared: SHARED, values, expected };
    Ok(Program { name: row.name, text, runs: Runs::Specified(vec![run]) })
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    input: Option<Vec<u8>>,
    output: Option<Vec<u8>>,
    warps: bool,
}

/// All rows, in order.
fn rows(source: &str) -> Result<Vec<Row>> {
    let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let source = lines.collect::<Vec<_>>().join("\n");
    let mut rows = Vec::new();
    for part in source.split("\ntest_ptx").skip(1) {
        let (kind, rest) = part.split_once("!(").context("a macro without arguments")?;
        let arguments = arguments(rest)?;
        let name = arguments.first().context("a row without a name")?.trim().to_owned();
        let of = |n: usize| arguments.get(n).map(|text| array(text).with_context(|| name.clone())).transpose();
        let row = match kind {
            "" | "_with_32" => Row { input: of(1)?, output: of(2)?, name, warps: false },
            "_warp" => Row { input: None, output: of(1)?, name, warps: true },
            other => {
                ensure!(false, "a macro test_ptx{other}");
                continue;
            }
        };
        rows.push(row);
    }
    Ok(rows)
}

/// The arguments of a call up to its closing parenthesis.
fn arguments(text: &str) -> Result<Vec<&str>> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                found.extend(Some(&text[from..at]).filter(|last| !last.trim().is_empty()));
                return Ok(found);
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    ensure!(false, "a call without an end");
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let source = "use x;\ntest_ptx!(one, [1u8], [2u16, 3]);\n// test_ptx!(none, [1u8], [1u8]);\ntest_ptx!(only);\n\
                      test_ptx_warp!(\n    many,\n    [7u8, 8u8,]\n);\ntest_ptx_with_32!(two, [f32::from_bits(5)], [0u8]);\n";
        let row = |name: &str, input: Option<&[u8]>, output: Option<&[u8]>, warps| Row {
            name: name.to_owned(),
            input: input.map(<[u8]>::to_vec),
            output: output.map(<[u8]>::to_vec),
            warps,
        };
        let want = vec![
            row("one", Some(&[1]), Some(&[2, 0, 3, 0]), false),
            row("only", None, None, false),
            row("many", None, Some(&[7, 8]), true),
            row("two", Some(&[5, 0, 0, 0]), Some(&[0]), false),
        ];
        assert_eq!(rows(source).unwrap(), want);
    }

    #[test]
    fn a_call_has_an_end() {
        assert!(arguments("a, [b]").is_err());
    }
}
