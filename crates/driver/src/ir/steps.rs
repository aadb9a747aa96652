//! The steps of a build of LLVM IR.

use super::blame;
use super::parts::{Parts, what};
use super::program::Program;
use super::tasks::{Job, Question};
use super::watched::Watched;
use super::workers::CallError;
use super::{Build, Module, Ready, beside};
use crate::ahead;
use crate::codes;
use crate::early::{EarlyObject, EarlyObjects};
use crate::input::{Content, Input};
use crate::key::Key;
use crate::llvm;
use crate::report::IrStepKind;
use raddle_diag::Diagnostic;
use raddle_frontend::canonical::canonical;
use raddle_frontend::plan::{Part, Plan};
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::Said;
use raddle_frontend::summary::Summary;
use raddle_jobs::Task;
use raddle_target::Target;
use std::sync::Arc;

impl Build<'_> {
    /// The architecture that the inputs name; they must agree.
    pub(super) fn target(
        &self,
        modules: &[Module],
        others: &[Input],
        report: &mut Watched<'_>,
    ) -> Option<&'static Target> {
        let questions = questions(of(modules), "read", |name| Request::Inspect { name });
        let named = self.all(IrStepKind::Read, &questions, |question, task| self.answer(question, task), report)?;
        let mut found: Vec<(&str, &'static Target)> = Vec::new();
        found.extend(self.request.ir.beside.iter().map(|(name, target)| (name.as_str(), *target)));
        let named_by = |other: &Input| beside::target(other.content.text()?);
        found.extend(others.iter().filter_map(|other| Some((other.name.as_str(), named_by(other)?))));
        for (module, (response, _)) in modules.iter().zip(named) {
            let Response::Inspected { arch: Some(arch) } = response else { continue };
            match Target::by_name(&arch) {
                Some(target) => found.push((&module.name, target)),
                None => {
                    let message = format!("'{}' is for {arch}, which is not known here", module.name);
                    report.diags.push(Diagnostic::error(codes::E0023, message));
                }
            }
        }
        let Some(&(name, target)) = found.first() else {
            let message = "the LLVM IR names no architecture";
            report.diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
            return None;
        };
        if let Some((other, theirs)) = found.iter().find(|(_, theirs)| theirs.name != target.name) {
            let message = format!("'{name}' is for {}, but '{other}' is for {}", target.name, theirs.name);
            report.diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
        }
        (!report.diags.has_errors()).then_some(target)
    }

    /// Phase 0. Returns names and bitcode, in an order that does not depend on the order of inputs.
    pub(super) fn simplify(
        &self,
        modules: &[Module],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Vec<(String, Vec<u8>)>> {
        // The message for a missing library is the worker's, which knows whether it is needed.
        let libdevice = llvm::libdevice(&self.request.ir).ok();
        let ask = |name| Request::Simplify { settings: settings.clone(), name, libdevice: libdevice.clone() };
        let library = self.cache.device_library(libdevice.as_deref());
        let simplify = |question: &Question<'_>, task: &mut Task| {
            let contents = [question.job.what.as_bytes(), question.contents[0], &library];
            let found = Response::Simplified { order: String::new(), said: Said::default() };
            self.cache.of("input", settings, &contents, found, || {
                let (response, bitcode) = self.answer(question, task)?;
                let Response::Simplified { order, .. } = &response else { return Ok((response, bitcode)) };
                let kept = Ordered { order: order.clone(), bitcode }.to_bytes();
                Ok((response, kept))
            })
        };
        let mut out = Vec::new();
        let questions = questions(of(modules), "simplify", ask);
        for (module, (_, kept)) in modules.iter().zip(self.all(IrStepKind::Simplify, &questions, simplify, report)?) {
            let Ordered { order, bitcode } = Ordered::of(kept);
            let stem = super::temps::stem(&module.name, modules.iter().map(|module| module.name.as_str()));
            self.temps.keep(&format!("{stem}.simplified.bc"), &bitcode, report);
            out.push((order, (module.name.clone(), bitcode)));
        }
        // By what an edit of a body keeps, so that it does not change the order of all parts; then by
        // content, as names are those of the command line.
        out.sort_by_cached_key(|(order, (name, bitcode))| {
            (order.clone(), *blake3::hash(bitcode).as_bytes(), name.clone())
        });
        Some(out.into_iter().map(|(_, module)| module).collect())
    }

    /// Phase I.
    pub(super) fn link(
        &self,
        simplified: &[(String, Vec<u8>)],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<(Vec<u8>, Summary)> {
        let names = simplified.iter().map(|(name, _)| name.clone()).collect();
        let question = Question {
            job: Job {
                name: "link".into(),
                what: "the linked program".to_owned(),
                priority: 0,
                cost: simplified.iter().map(|(_, bitcode)| bitcode.len() as u64).sum(),
                functions: 0,
            },
            request: Request::Link { settings: settings.clone(), names },
            contents: simplified.iter().map(|(_, bitcode)| bitcode.as_slice()).collect(),
        };
        let answer = |question: &Question<'_>, task: &mut Task| self.answer(question, task);
        let (response, bitcode) = self.all(IrStepKind::Link, &[question], answer, report)?.into_iter().next()?;
        let Response::Linked { summary, .. } = response else { return None };
        self.temps.keep("linked.bc", &bitcode, report);
        Some((bitcode, summary))
    }

    /// Phase II.
    pub(super) fn parts(
        &self,
        summary: &Summary,
        plan: &Plan,
        program: &Program,
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Ready> {
        let parts = Parts::new(summary, plan, program, settings);
        // Sorted, as symbols are by name.
        let promoted = plan.promoted.iter().map(|&symbol| summary.symbols[symbol as usize].name.clone());
        report.locals = promoted.collect();
        let jobs: Vec<(Job, &Part)> = plan.parts.iter().map(|part| (parts.job(part), part)).collect();
        let make = |(job, part): &(Job, &Part), task: &mut Task| self.part(&parts, job, part, task);
        let (mut out, mut early) = (Vec::new(), EarlyObjects::default());
        let mut died = Vec::new();
        for (number, made) in
            self.run_each(IrStepKind::Parts, &jobs, |(job, _)| job, make, report)?.into_iter().enumerate()
        {
            match made {
                Ok(made) => {
                    early.extend(made.objects);
                    self.warn(&what(&plan.parts[number]), &made.response, report);
                    self.temps.keep(&format!("part{number}.ptx"), made.text.as_bytes(), report);
                    let name = name(plan, number);
                    out.push(Input { name, content: Content::Text(made.text) });
                }
                Err(error) => died.push((number, error)),
            }
        }
        if plan.parts.is_empty() {
            out.push(Input { name: name(plan, 0), content: Content::Text(empty(settings)) });
        }
        if !died.is_empty() {
            blame::report(self, &parts, plan, died, report);
        }
        let early = (!early.is_empty()).then(|| Arc::new(early));
        (!report.diags.has_errors()).then_some(Ready { inputs: out, early })
    }

    /// The task of a part: its bitcode, its PTX, and the objects of its kernels.
    fn part(&self, parts: &Parts<'_>, job: &Job, part: &Part, task: &mut Task) -> Result<Made, CallError> {
        let (_, bitcode) = self.ask("extract", &parts.extract(part), &[], task)?;
        self.made(&part.name, &bitcode, parts.settings, job, task)
    }

    /// Compiles the bitcode of a part or an input, and the kernels of its PTX.
    pub(super) fn made(
        &self,
        name: &str,
        bitcode: &[u8],
        settings: &Settings,
        job: &Job,
        task: &mut Task,
    ) -> Result<Made, CallError> {
        let settings = settings.for_part();
        let request = Request::Part { settings: settings.clone(), name: name.to_owned() };
        let contents = [name.as_bytes(), bitcode];
        let (response, ptx) =
            self.cache.of("part", &settings, &contents, Response::Part { said: Said::default() }, || {
                let (response, ptx) = self.ask("LLVM", &request, &[bitcode], task)?;
                Ok((response, task.phase("canonical", |_| canonical(&String::from_utf8_lossy(&ptx))).into_bytes()))
            })?;
        let text = String::from_utf8_lossy(&ptx).into_owned();
        let possible = self.compile_early && ahead::is_possible(self.request);
        let objects = if possible { ahead::compile(self.request, &job.name, &text, task) } else { Vec::new() };
        Ok(Made { response, text, objects })
    }
}

/// A simplified input as the cache keeps it.
struct Ordered {
    /// What inputs are ordered by ([`raddle_frontend::steps::Simplified::order`]).
    order: String,
    bitcode: Vec<u8>,
}

impl Ordered {
    fn to_bytes(&self) -> Vec<u8> {
        [&(self.order.len() as u64).to_le_bytes(), self.order.as_bytes(), &self.bitcode].concat()
    }

    /// The inverse of [`Ordered::to_bytes`].
    fn of(bytes: Vec<u8>) -> Ordered {
        let taken = bytes.split_first_chunk::<8>().and_then(|(length, rest)| {
            let (order, bitcode) = rest.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)?;
            Some((String::from_utf8(order.to_vec()).ok()?, bitcode.to_vec()))
        });
        let (order, bitcode) = taken.unwrap_or((String::new(), bytes));
        Ordered { order, bitcode }
    }
}

/// Names and bytes of modules.
fn of(modules: &[Module]) -> impl Iterator<Item = (&str, &[u8])> {
    modules.iter().map(|module| (module.name.as_str(), module.bytes.as_slice()))
}

/// A question about each of these inputs.
pub(super) fn questions<'m>(
    inputs: impl Iterator<Item = (&'m str, &'m [u8])>,
    step: &str,
    ask: impl Fn(String) -> Request,
) -> Vec<Question<'m>> {
    let question = |(name, bytes): (&str, &'m [u8])| Question {
        job: Job {
            name: format!("{step} {name}").into(),
            what: format!("'{name}'"),
            priority: 0,
            cost: bytes.len() as u64,
            functions: 0,
        },
        request: ask(name.to_owned()),
        contents: vec![bytes],
    };
    inputs.map(question).collect()
}

/// What the task of a part makes.
pub(super) struct Made {
    pub response: Response,
    /// Its PTX.
    pub text: String,
    /// The objects of its kernels.
    pub objects: Vec<(Key, EarlyObject)>,
}

/// PTX of a program that defines nothing.
fn empty(settings: &Settings) -> String {
    format!(".version 8.0\n.target {}\n.address_size 64\n", settings.arch)
}

/// The name of a part as an input.
fn name(plan: &Plan, number: usize) -> String {
    match plan.is_split() {
        true => format!("<LLVM IR: {}>", plan.parts[number].name),
        false => "<LLVM IR>".to_owned(),
    }
}
