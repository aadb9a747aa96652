//! The outcome of an earlier build of the same texts with the same options.
//!
//! Problem: a build in which nothing has changed reads every body, finds every object and links them,
//! only to write the bytes that it has written before. Strategy: output and diagnostics of a build are
//! kept under the hash of all that they depend on: names and texts of the inputs, options, this program.
//! They are looked up before anything is parsed.
//!
//! **Invariant.** Output, diagnostics and source texts of a report from here are those that the build
//! would give. A build whose report is used for more, or whose outcome depends on more (another program,
//! an injected fault, a crash before), is neither looked up nor kept.

use crate::cache::{Cache, Outcome};
use crate::key::{self, Key};
use crate::options::RunOptions;
use crate::report::Report;
use crate::request::{Dump, Output, Request};
use crate::texts::register;
use std::borrow::Cow;
use std::sync::Arc;

/// Where the outcome of a request is kept.
pub(crate) struct Place {
    cache: Arc<Cache>,
    key: Key,
}

impl Place {
    /// The place for a request, if its outcome may be kept.
    pub fn of(request: &Request) -> Option<Place> {
        let cache = request.run.cache.as_ref().filter(|cache| cache.has_folder())?;
        // All fields are named, so that a new one must be decided on. Options of LLVM mean nothing to PTX, and
        // reproducers are written after errors, which are not kept.
        let Request {
            inputs,
            selection,
            codegen,
            run,
            dump,
            policy,
            keys,
            reproduce: _,
            fallback,
            output,
            warn_on,
            ir: _,
        } = request;
        // Options of the run affect no output, but for faults, crashes and other programs.
        let RunOptions { only_output, fault, isolated, worker, fine, early, emit, kernel_steps, .. } = run;
        let is_read = !only_output || *keys || *fine || *dump != Dump::None;
        let others = fallback.is_some() || worker.is_some() || early.is_some() || emit.is_some();
        let is_pure = !others && fault.is_none() && isolated.is_empty();
        if is_read || !is_pure || matches!(output, Output::Check | Output::Unit { .. }) {
            return None;
        }
        // Derived `Debug` shows all fields, also those that will be added.
        let settings = format!("{selection:?} {codegen:?} {policy:?} {output:?} {warn_on:?} {kernel_steps:?}");
        let mut parts = vec![&b"outcome"[..], settings.as_bytes()];
        for input in inputs {
            parts.extend([input.name.as_bytes(), input.content.text()?.as_bytes()]);
        }
        Some(Place { cache: Arc::clone(cache), key: key::of_step(parts.into_iter()) })
    }

    /// The report of an earlier build, which takes the inputs of the request.
    pub fn look_up(&self, request: &mut Request) -> Option<Report> {
        let found = self.cache.outcome(&self.key, request.inputs.len());
        let Outcome { target, diagnostics, cubin, objects } = found?;
        let mut report = Report::new(request.policy);
        register(std::mem::take(&mut request.inputs), &mut report);
        report.diags.extend(diagnostics);
        (report.target, report.cubin, report.objects) =
            (Some(target), cubin.map(Cow::into_owned), objects.into_owned());
        Some(report)
    }

    /// Makes this the place where [`Report::keeping`] keeps the outcome.
    pub fn give_to(self, report: &mut Report) {
        report.used.place = Some((self.cache, self.key));
    }
}

impl Report {
    /// Does what `write` does with the report, and keeps its outcome in the cache for later builds of
    /// the same texts, if it may be kept: on another thread, unless the build had to do with one.
    pub fn keeping<T>(&self, write: impl FnOnce() -> T) -> T {
        let keep = || self.used.place.iter().for_each(|(cache, key)| keep(self, cache, key));
        if self.used.place.is_none() || self.workers < 2 {
            let done = write();
            keep();
            return done;
        }
        std::thread::scope(|scope| {
            // A cache that is not written to costs time later, and nothing else.
            drop(std::thread::Builder::new().spawn_scoped(scope, keep));
            write()
        })
    }
}

/// Keeps what a report says, if the same build would say it again.
fn keep(report: &Report, cache: &Cache, key: &Key) {
    let is_complete = !report.diags.has_errors() && report.diags.omitted() == 0 && !report.is_about_this_run;
    let (Some(target), true) = (report.target, is_complete) else { return };
    let diagnostics = report.diags.iter().cloned().collect();
    let (cubin, objects) = (report.cubin.as_deref().map(Cow::Borrowed), Cow::Borrowed(&report.objects[..]));
    cache.keep_outcome(key, &Outcome { target, diagnostics, cubin, objects });
}
