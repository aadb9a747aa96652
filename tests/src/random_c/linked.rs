//! Programs of several translation units, linked as LLVM IR: what our compiler makes of clang's
//! bitcode computes what gcc's code computes on the host.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, IrOptions, Lto, OptLevel, RunOptions, Selection};
use raddle_driver::request::Request;
use raddle_filetest::oracle::Oracle;
use raddle_target::Target;

use super::make::{outputs, run};
use super::tree::Program;
use super::units::{Bitcode, bitcode};
use crate::judge::static_hazards;

/// The tools.
#[derive(Clone, Debug)]
pub struct Tools {
    /// clang 19.
    pub clang: Oracle,
    /// LLVM libraries.
    pub llvm: Vec<PathBuf>,
    /// The device library.
    pub libdevice: PathBuf,
    /// The program of worker processes.
    pub worker: PathBuf,
}

/// One way from the sources to a cubin.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Number of translation units.
    pub units: usize,
    /// What clang does.
    pub bitcode: Bitcode,
    /// Our level.
    pub opt: OptLevel,
    /// Parts of phase II; by default by size.
    pub partitions: Option<usize>,
    /// Whether inputs are not linked before (`--lto=thin`).
    pub thin: bool,
    /// Index of the LLVM library, modulo their number.
    pub llvm: usize,
    /// The architecture.
    pub arch: &'static str,
}

/// The variants to judge programs with; all of them over a few turns.
pub fn variants(turn: usize) -> Vec<Variant> {
    let mut out = Vec::new();
    for (n, opt) in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3].into_iter().enumerate() {
        let thin = [Some(8), Some(1000), None][(turn + n) % 3];
        let shapes = [Some(1), Some(8), Some(1000), None].map(|partitions| (partitions, false));
        for (m, (partitions, thin)) in shapes.into_iter().chain([(thin, true)]).enumerate() {
            let at = turn + n + m;
            let bitcode = Bitcode::ALL[at % 3];
            let arch = ["sm_80", "sm_90"][(at / 2) % 2];
            out.push(Variant { units: 1 + (turn + m) % 4, bitcode, opt, partitions, thin, llvm: turn + n, arch });
        }
    }
    out
}

/// What a program's code does wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The seed; the first one for what is about all.
    pub seed: u64,
    /// The variant.
    pub variant: Variant,
    /// What is wrong.
    pub what: String,
}

/// The outputs of programs on the host.
///
/// # Errors
/// gcc refuses a program.
pub fn expected(programs: &[Program]) -> Result<Vec<Vec<u8>>> {
    outputs(programs, tempfile::tempdir()?.path())
}

impl Tools {
    /// Compiles programs in all of these ways and runs them. Returns the number of runs that agree
    /// with the host's outputs ([`expected`]), and those that do not.
    ///
    /// # Errors
    /// clang refuses the program.
    pub fn judge(
        &self,
        programs: &[Program],
        expected: &[Vec<u8>],
        variants: &[Variant],
    ) -> Result<(usize, Vec<Wrong>)> {
        let (mut right, mut wrong) = (0, Vec::new());
        // Variants have the same bitcode if they differ only in what our compiler does.
        let mut made: Vec<((usize, Bitcode), Vec<Input>)> = Vec::new();
        for &variant in variants {
            let about = |seed, what| Wrong { seed, variant, what };
            let key = (variant.units, variant.bitcode);
            let inputs = match made.iter().find(|made| made.0 == key) {
                Some((_, inputs)) => inputs.clone(),
                None => {
                    made.push((key, self.inputs(programs, variant)?));
                    made[made.len() - 1].1.clone()
                }
            };
            let cubin = match self.cubin(inputs, variant)? {
                Ok(cubin) => cubin,
                Err(what) => {
                    wrong.push(about(programs[0].seed, what));
                    continue;
                }
            };
            if let Err(hazard) = static_hazards(&cubin, variant.arch) {
                wrong.push(about(programs[0].seed, format!("{hazard:#}")));
            }
            for (program, output) in programs.iter().zip(expected) {
                let run = run(program.seed, output.clone());
                let ran = run.simulate(&cubin).map_err(|failure| failure.to_string());
                let same = |left| run.expected.as_ref().map_or(Ok(()), |expected| expected.check(&left));
                match ran.and_then(|left| same(left).map_err(|error| format!("{error:#}"))) {
                    Ok(()) => right += 1,
                    Err(what) => wrong.push(about(program.seed, what)),
                }
            }
        }
        Ok((right, wrong))
    }

    /// The bitcode of programs for a variant.
    fn inputs(&self, programs: &[Program], variant: Variant) -> Result<Vec<Input>> {
        let folder = tempfile::tempdir()?;
        let mut inputs = Vec::new();
        for path in bitcode(&self.clang, programs, variant.units, variant.bitcode, folder.path())? {
            let name = path.display().to_string();
            inputs.push(Input { name, content: Content::Bitcode(fs::read(path)?) });
        }
        Ok(inputs)
    }

    /// Compiles bitcode in one way; the inner error is our compiler's.
    fn cubin(&self, inputs: Vec<Input>, variant: Variant) -> Result<Result<Vec<u8>, String>> {
        let Some(target) = Target::by_name(variant.arch) else { bail!("no architecture {}", variant.arch) };
        let request = Request {
            inputs,
            selection: Selection { arch: Some(target), ..Selection::default() },
            codegen: CodegenOptions { opt: variant.opt, fmad: false, ..CodegenOptions::default() },
            run: RunOptions { jobs: 2, ..RunOptions::default() },
            ir: IrOptions {
                llvm: Some(self.llvm[variant.llvm % self.llvm.len()].clone()),
                libdevice: Some(self.libdevice.clone()),
                partitions: variant.partitions,
                lto: variant.thin.then_some(Lto::Thin),
                worker: Some(self.worker.clone()),
                ..IrOptions::default()
            },
            ..Request::default()
        };
        let report = compile(request, &mut ());
        // The inputs have been linked after all.
        let linked = report.diags.iter().find(|diagnostic| variant.thin && diagnostic.code == codes::E0094);
        if let Some(diagnostic) = linked {
            return Ok(Err(diagnostic.message.clone()));
        }
        let first = report.diags.iter().find(|diagnostic| diagnostic.is_error());
        let error = || first.map_or("no output".to_owned(), |diagnostic| diagnostic.message.clone());
        Ok(report.cubin.ok_or_else(error))
    }
}
