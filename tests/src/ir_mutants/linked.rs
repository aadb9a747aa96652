//! What a link makes of damaged files.

use std::fs;

use anyhow::{Context, Result};
use raddle_diag::{Class, Diagnostic, Policy};
use raddle_driver::link::diagnostic;
use raddle_driver::link_inputs::{Files, Found, load};
use raddle_driver::link_options::CommandLineOptions;
use raddle_driver::link_ptx::assemble;
use raddle_driver::options::{IrOptions, RunOptions};
use raddle_entity::Serial;
use raddle_fatbin::{FatbinError, container, members};
use raddle_link::objects::{Input, LinkOptions, link};
use raddle_target::Target;

use super::judge::{Judge, Tally, guarded, names};
use super::mutate::Mutant;

impl Judge {
    /// Reads a mutant as `raddle link` does, from a file.
    ///
    /// # Errors
    /// Trouble with files.
    pub fn load(&self, mutant: &Mutant, tally: &mut Tally) -> Result<()> {
        let name = mutant.name();
        let found = self.found(mutant)?;
        let damaged = || {
            let files = container::archive(&mutant.bytes).ok().flatten().unwrap_or_default();
            files.iter().any(|(_, contents)| members(contents).is_err_and(|error| error != FatbinError::Unknown))
        };
        match found {
            Err(fault) => tally.faults.push(fault),
            Ok(Err(errors)) => tally.faults.extend(wrong(&errors, &name)),
            Ok(Ok(_)) if damaged() => tally.faults.push(format!("{name}: a link leaves a damaged member out")),
            Ok(Ok(_)) => {}
        }
        Ok(())
    }

    /// Links a mutant.
    ///
    /// # Errors
    /// Trouble with files.
    pub fn link(&self, mutant: &Mutant, tally: &mut Tally) -> Result<()> {
        let name = mutant.name();
        let mut found = match self.found(mutant)? {
            Ok(Ok(found)) => found,
            Ok(Err(errors)) => {
                tally.faults.extend(wrong(&errors, &name));
                return Ok(());
            }
            Err(fault) => {
                tally.faults.push(fault);
                return Ok(());
            }
        };
        tally.linked.0 += 1;
        let ir = IrOptions { llvm: Some(self.llvm.clone()), worker: Some(self.worker.clone()), ..IrOptions::default() };
        let given = CommandLineOptions { target: Target::by_name("sm_90"), ir, ..CommandLineOptions::default() };
        let run = RunOptions { jobs: 1, keep_going: true, kernel_timeout: Some(self.limit), ..RunOptions::default() };
        let linked = guarded(mutant, || {
            let report = assemble(&mut found.inputs, &given, found.sm, run, Policy::default(), &mut ());
            if let Some(report) = report.filter(|report| report.diags.has_errors()) {
                let errors: Vec<&Diagnostic> = report.diags.iter().filter(|d| d.is_error()).collect();
                let nameless = errors.iter().find(|error| names(error, &report, &name).is_none());
                return nameless
                    .map_or(Ok(false), |error| Err(format!("{} names nothing: {}", error.code, error.message)));
            }
            let inputs: Vec<Input<'_>> = found.inputs.iter().map(|file| file.input()).collect();
            let options = LinkOptions { target: given.target, ..LinkOptions::default() };
            match link(&inputs, &options, &Serial) {
                Ok(_) => Ok(true),
                Err(problems) => {
                    let errors = problems.into_iter().map(|problem| diagnostic(problem, &|name| name.to_owned()));
                    match errors.filter(|error| error.class() == Class::Internal).map(|error| error.message).next() {
                        Some(message) => Err(message),
                        None => Ok(false),
                    }
                }
            }
        });
        match linked {
            Ok(Ok(whole)) => tally.linked.1 += usize::from(whole),
            Ok(Err(fault)) => tally.faults.push(format!("{name}: link: {fault}")),
            Err(fault) => tally.faults.push(fault),
        }
        Ok(())
    }

    /// The inputs in a file.
    fn found(&self, mutant: &Mutant) -> Result<Result<Result<Found, Vec<Diagnostic>>, String>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(mutant.name());
        fs::write(&path, &mutant.bytes)?;
        let paths = [path.to_str().context("a path that is no text")?.to_owned()];
        let files = Files {
            paths: &paths,
            library_paths: &[],
            libraries: &[],
            wanted: Target::by_name("sm_90").into(),
            as_nvlink: false,
        };
        Ok(guarded(mutant, || load(files, &Serial)))
    }
}

/// The errors that do not name the file.
fn wrong(errors: &[Diagnostic], name: &str) -> Vec<String> {
    let wrong = errors.iter().filter(|error| !error.message.contains(name) || error.class() == Class::Internal);
    wrong.map(|error| format!("{name}: link: {}: {}", error.code, error.message)).collect()
}
