//! gpuocelot's test of instructions: some four hundred small kernels with inputs by type, and
//! results of a reference in C++.
//!
//! The cases are C++ code that builds PTX and computes the reference, so they are not parsed but
//! compiled: by g++, unchanged, against our own stand-ins for the headers of the file
//! (`ocelot_shim`; the PTX operations that its references call are implemented there from the
//! manual of PTX). The program writes each case as text: `case NAME`, `ptx BYTES` followed by the
//! PTX, `launch BLOCKS THREADS`, `epsilons LOG2`, `outputs TYPE...`, and `run INPUT OUTPUT` in
//! hexadecimal for each input; `end COUNT` is last.
//!
//! A kernel `test` has the parameters output and input, each the address of a block of values; the
//! output is initially zero. Integers are compared bit by bit. Floating-point numbers are compared
//! as in the project ([`Close`]), within `2^LOG2` epsilons, but exactly if it allows one epsilon
//! and no instruction is approximate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use raddle_filetest::oracle;
use raddle_sim::launch::Dim3;

use super::program::{Close, Expected, Program, Run, Runs, Value};
use super::sources::Files;

/// The kernel of every case.
const KERNEL: &str = "test";
/// Inputs of each case, made by the project's generator.
const INPUTS: usize = 16;
/// The path before the names of files in `#include`.
const FOLDER: &str = "ocelot/";
/// The files of the checkout that are compiled.
const FILES: [&str; 2] = ["ocelot/ocelot/ir/test/TestPTXAssembly.cpp", "ocelot/ocelot/ir/test/TestPTXAssembly.h"];
/// Projects whose headers the file includes: those missing in the checkout are empty.
const PROJECTS: [&str; 2] = ["ocelot/", "hydrazine/"];
/// Modifiers of approximate instructions.
const APPROXIMATE: [&str; 2] = [".approx", ".full"];
/// The stand-ins.
const SHIM: [(&str, &str); 4] = [
    ("cuda.h", include_str!("ocelot_shim/cuda.h")),
    ("hydrazine.h", include_str!("ocelot_shim/hydrazine.h")),
    ("ir.h", include_str!("ocelot_shim/ir.h")),
    ("main.cpp", include_str!("ocelot_shim/main.cpp")),
];
/// No optimisation: the references change the rounding mode of the host, and convert values for
/// which C++ is undefined before they clamp them.
const OPTIONS: &str = "-std=c++17 -O0 -w -fno-access-control -frounding-math -ffp-contract=off -fwrapv -fsigned-char -I. -o cases main.cpp";

/// Whether a file of the checkout is read.
pub fn wanted(path: &str) -> bool {
    FILES.contains(&path)
}

/// Returns the programs.
///
/// # Errors
/// A missing g++, its errors, and output that cannot be parsed.
pub fn programs(files: &Files) -> Result<Vec<Program>> {
    read(&made(files, INPUTS)?)
}

/// The output of the compiled cases.
fn made(files: &Files, inputs: usize) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let write = |name: &str, bytes: &[u8]| -> Result<()> {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        Ok(fs::write(path, bytes)?)
    };
    let inside = |name: &str| name.strip_prefix(FOLDER).unwrap_or(name).to_owned();
    for name in files.0.keys() {
        for header in included(&files.text(name)?) {
            write(&header, b"")?;
        }
    }
    for (name, bytes) in &files.0 {
        write(&inside(name), bytes)?;
    }
    for (name, text) in SHIM {
        write(name, text.as_bytes())?;
    }
    let gxx = oracle::require("g++").context("g++ is missing")?;
    output("g++", gxx.command().args(OPTIONS.split(' ')).current_dir(folder.path()))?;
    let cases = folder.path().join("cases");
    output("the cases", Command::new(&cases).arg(inputs.to_string()).current_dir(folder.path()))
}

fn output(what: &str, command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("{what} cannot be run"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let first: Vec<&str> = errors.lines().filter(|line| line.contains("error")).take(3).collect();
    ensure!(output.status.success(), "{what}: {} {}", output.status, first.join("; "));
    Ok(output.stdout)
}

/// The project's own headers that a source includes.
fn included(source: &str) -> Vec<String> {
    let one = |line: &str| {
        let name = line.trim().strip_prefix("#include <")?.split('>').next()?;
        (PROJECTS.iter().any(|project| name.starts_with(project)) && Path::new(name).components().count() > 1)
            .then(|| name.to_owned())
    };
    source.lines().filter_map(one).collect()
}

/// A case without its launches.
#[derive(Default)]
struct Case {
    name: String,
    launch: (u32, u32),
    close: Vec<Close>,
    /// Bytes of the output.
    size: usize,
    epsilons: f64,
    text: String,
    runs: Vec<Run>,
}

/// Parses the cases; a second case of the same name is `NAME/2`.
fn read(written: &[u8]) -> Result<Vec<Program>> {
    let text = std::str::from_utf8(written).context("the cases")?;
    let (mut rest, mut cases, mut ended) = (text, Vec::<Case>::new(), None);
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let (word, values) = line.split_once(' ').with_context(|| format!("a line `{line}`"))?;
        if word == "case" {
            cases.push(Case { name: values.to_owned(), ..Case::default() });
            continue;
        }
        if word == "end" {
            ended = Some(values.parse()?);
            break;
        }
        let case = cases.last_mut().with_context(|| format!("`{word}` before the first case"))?;
        if word == "ptx" {
            let size: usize = values.parse()?;
            case.text = rest.get(..size).context("PTX that has no end")?.to_owned();
            rest = rest[size..].strip_prefix('\n').context("PTX that goes on behind its end")?;
            continue;
        }
        case.line(word, values).with_context(|| format!("{}: `{line}`", case.name))?;
    }
    ensure!(ended == Some(cases.len()), "{} cases, the last line says {ended:?}", cases.len());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    Ok(cases.into_iter().map(|case| case.program(&mut seen)).collect())
}

impl Case {
    fn line(&mut self, word: &str, values: &str) -> Result<()> {
        let two = || values.split_once(' ').context("two values");
        match word {
            "launch" => {
                let (blocks, threads) = two()?;
                self.launch = (blocks.parse()?, threads.parse()?);
            }
            "epsilons" => {
                let log: i32 = values.parse()?;
                let exact = log == 0 && !APPROXIMATE.iter().any(|word| self.text.contains(word));
                self.epsilons = if exact { 0.0 } else { f64::from(log).exp2() };
            }
            "outputs" => values.split(' ').try_for_each(|ty| self.output(ty))?,
            "run" => {
                let (input, output) = two()?;
                let (input, output) = (bytes(input)?, bytes(output)?);
                ensure!(output.len() == self.size, "{} bytes of output, its types have {}", output.len(), self.size);
                let values = vec![Value::Buffer(vec![0; output.len()]), Value::Buffer(input)];
                let name = format!("input {}", self.runs.len());
                let expected = Some(Expected { buffer: 0, bytes: output, close: self.close.clone() });
                let (grid, block) = (Dim3::from(self.launch.0), Dim3::from(self.launch.1));
                self.runs.push(Run { name, kernel: KERNEL.to_owned(), grid, block, shared: 0, values, expected });
            }
            _ => bail!("no such line"),
        }
        Ok(())
    }

    fn output(&mut self, ty: &str) -> Result<()> {
        let (size, float) = match ty {
            "i8" => (1, false),
            "i16" => (2, false),
            "i32" => (4, false),
            "i64" => (8, false),
            "f32" => (4, true),
            "f64" => (8, true),
            _ => bail!("no type {ty}"),
        };
        let at = self.size.next_multiple_of(size);
        self.size = at + size;
        self.close.extend(float.then_some(Close { at, double: size == 8, epsilons: self.epsilons }));
        Ok(())
    }

    fn program(self, seen: &mut BTreeMap<String, usize>) -> Program {
        let count = seen.entry(self.name.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { self.name } else { format!("{}/{count}", self.name) };
        Program { name, text: self.text, runs: Runs::Specified(self.runs) }
    }
}

/// Parses hexadecimal digits.
fn bytes(digits: &str) -> Result<Vec<u8>> {
    let one = |n: usize| {
        let pair = digits.get(2 * n..2 * n + 2).context("half a byte")?;
        Ok(u8::from_str_radix(pair, 16)?)
    };
    (0..digits.len().div_ceil(2)).map(one).collect()
}

#[cfg(test)]
#[path = "ocelot_cases_tests.rs"]
mod tests;
