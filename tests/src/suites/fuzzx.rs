//! FuzzX: reduced programs of a fuzzer of ptxas, each of which some ptxas miscompiled or crashed
//! on.
//!
//! The `reduced*.ptx` below `ptx/known-miscompiles` are read, with their inputs if there are any.
//! Every kernel has at most an input pointer, an output pointer and 32-bit numbers; the harness of
//! the project launches 32 threads, its notes also one. Inputs of our own are added, because many
//! programs do not read theirs and others differ for few values only.

use anyhow::{Result, ensure};
use raddle_diag::{Diags, FileId};
use raddle_sim::launch::Dim3;

use super::program::{Program, Run, Runs, Value};
use super::sources::Files;
use crate::rng::Rng;

/// The folder of the programs.
const FOLDER: &str = "ptx/known-miscompiles/";
/// Bytes of the input buffer: the harness has 128.
const INPUT: usize = 4096;
/// Bytes of the output buffer.
const OUTPUT: usize = 1 << 14;
/// Numbers for 32-bit parameters: those of the harness, and others.
const NUMBERS: [u32; 3] = [32, 1, 0x8000_0005];
/// Threads of the block.
const THREADS: [u32; 2] = [1, 32];

/// Launches of a program written by its generator ([`generated`]): name of the input and number.
const GENERATED: [(&str, u32); 2] = [("random", 32), ("small", 0x8000_0005)];

/// Whether a file of the checkout is read.
pub fn wanted(path: &str) -> bool {
    let Some(path) = path.strip_prefix(FOLDER) else { return false };
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("reduced") && name.ends_with(".ptx") || name == "input.bin"
}

/// Returns the programs.
///
/// # Errors
/// A program with errors.
pub fn programs(files: &Files) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for path in files.0.keys().filter(|path| path.ends_with(".ptx")) {
        let text = files.text(path)?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let given = files.0.get(&format!("{folder}/input.bin")).filter(|bytes| !bytes.is_empty());
        let runs = Runs::Made(runs(&text, given.map(Vec::as_slice))?);
        let name = path[FOLDER.len()..].trim_end_matches(".ptx").trim_end_matches("/reduced").to_owned();
        programs.push(Program { name, text, runs });
    }
    Ok(programs)
}

/// A program written by the project's generator, with two launches of 32 threads.
///
/// # Errors
/// A program with errors.
pub fn generated(name: &str, text: String) -> Result<Program> {
    let mut made = runs(&text, None)?;
    made.retain(|run| GENERATED.iter().any(|(input, n)| run.name == format!("{input} input, n = {n}, 32 threads")));
    Ok(Program { name: name.to_owned(), text, runs: Runs::Made(made) })
}

/// The launches of a module with one kernel.
fn runs(text: &str, given: Option<&[u8]>) -> Result<Vec<Run>> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut diags);
    let Some((_, kernel)) = outline.kernels().next().filter(|_| !diags.has_errors()) else {
        ensure!(false, "a module without a kernel, or with errors");
        return Ok(Vec::new());
    };
    let mut inputs = vec![("random", random()), ("small", small())];
    inputs.extend(given.map(|bytes| ("given", padded(bytes))));
    let mut runs = Vec::new();
    for (what, input) in inputs {
        for (number, threads) in NUMBERS.into_iter().flat_map(|n| THREADS.map(|t| (n, t))) {
            let mut values = Vec::new();
            for param in &kernel.params {
                let reads = ["in", "dummy", "unused"].iter().any(|part| param.name.starts_with(part));
                values.push(match (param.size(), reads) {
                    (Some(8), true) => Value::Buffer(input.clone()),
                    (Some(8), false) => Value::Buffer(vec![0; OUTPUT]),
                    _ => Value::Bytes(number.to_le_bytes().to_vec()),
                });
            }
            let name = format!("{what} input, n = {number}, {threads} threads");
            let (grid, block) = (Dim3::from(1), Dim3::from(threads));
            let kernel = kernel.name.to_string();
            runs.push(Run { name, kernel, grid, block, shared: 0, values, expected: None });
        }
    }
    Ok(runs)
}

fn random() -> Vec<u8> {
    let mut rng = Rng::new(15, 1);
    (0..INPUT).map(|_| rng.next() as u8).collect()
}

fn small() -> Vec<u8> {
    (0..INPUT as u32 / 4).flat_map(|i| (i % 19).wrapping_sub(3).to_le_bytes()).collect()
}

fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(INPUT.max(bytes.len()), 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_gets_buffers_and_numbers_by_name() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 in_ptr, .param .u64 out_ptr, \
                    .param .u32 in_n) { ret; }\n";
        let runs = runs(text, Some(&[7; 128])).unwrap();
        assert_eq!(runs.len(), 3 * NUMBERS.len() * THREADS.len());
        let Value::Buffer(input) = &runs.last().unwrap().values[0] else { panic!("no buffer") };
        assert_eq!((input[127], input[128], input.len()), (7, 0, INPUT));
        assert!(matches!(&runs[0].values[2], Value::Bytes(bytes) if bytes[..] == 32u32.to_le_bytes()));
    }

    #[test]
    fn a_generated_program_has_two_launches() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 in_ptr, .param .u64 out_ptr, \
                    .param .u32 in_n) { ret; }\n";
        let Runs::Made(runs) = generated("p", text.to_owned()).unwrap().runs else { panic!("made") };
        assert_eq!(runs.len(), GENERATED.len());
    }

    #[test]
    fn reduced_programs_and_their_inputs_are_read() {
        assert!(wanted("ptx/known-miscompiles/m1/reduced.ptx") && wanted("ptx/known-miscompiles/m1/input.bin"));
        assert!(!wanted("ptx/known-miscompiles/m1/original.ptx") && !wanted("ptx/README.md"));
    }
}
