//! LLVM IR in seeded disorder: the same bytes with random delays, another order of tasks and several
//! workers.

use std::fs;

use anyhow::{Context, Result};
use raddle_driver::compile::compile;
use raddle_driver::host::Chaos;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{IrOptions, Lto, RunOptions, Selection};
use raddle_driver::request::Request;
use raddle_target::Target;

use crate::random_c::linked::Tools;
use crate::random_c::tree::Program;
use crate::random_c::units::{Bitcode, bitcode};

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Compilations in disorder.
    pub compilations: usize,
    /// What is different.
    pub differences: Vec<String>,
}

/// Compiles programs of three units as one, with every seed and library, split by size and into
/// many parts.
///
/// # Errors
/// What clang or the compiler refuse without disorder.
pub fn compare(tools: &Tools, programs: &[Program], seeds: u64) -> Result<Compared> {
    let folder = tempfile::tempdir()?;
    let read = |path| Ok::<_, anyhow::Error>(Content::Bitcode(fs::read(path)?));
    let files = bitcode(&tools.clang, programs, 3, Bitcode::O2, folder.path())?;
    let contents = files.into_iter().map(read).collect::<Result<Vec<Content>>>()?;
    let inputs: Vec<Input> =
        (0..).zip(contents).map(|(n, content)| Input { name: format!("unit{n}.bc"), content }).collect();
    let bytes = |llvm: usize, (partitions, lto): (Option<usize>, Option<Lto>), run| {
        let request = Request {
            inputs: inputs.clone(),
            selection: Selection { arch: Target::by_name("sm_90"), ..Selection::default() },
            run,
            ir: IrOptions {
                llvm: Some(tools.llvm[llvm].clone()),
                libdevice: Some(tools.libdevice.clone()),
                worker: Some(tools.worker.clone()),
                partitions,
                lto,
                ..IrOptions::default()
            },
            ..Request::default()
        };
        compile(request, &mut ()).cubin
    };
    let mut out = Compared::default();
    let shapes = [(None, None), (Some(100), None), (Some(100), Some(Lto::Thin))];
    for (llvm, shape) in (0..tools.llvm.len()).flat_map(|llvm| shapes.map(|shape| (llvm, shape))) {
        let plain = bytes(llvm, shape, RunOptions { jobs: 1, ..RunOptions::default() });
        let plain = plain.with_context(|| format!("seed {} is not compiled", programs[0].seed))?;
        for seed in 0..seeds {
            let run = RunOptions { jobs: 4, chaos: Some(Chaos::new(seed)), ..RunOptions::default() };
            out.compilations += 1;
            if bytes(llvm, shape, run).as_ref() != Some(&plain) {
                let first = programs[0].seed;
                out.differences.push(format!("programs from {first}, chaos {seed}, library {llvm}, {shape:?}"));
            }
        }
    }
    Ok(out)
}
