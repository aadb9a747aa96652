//! NVIDIA's LTO-IR among the inputs: nvJitLink makes one PTX module of it.
//!
//! LTO-IR has no public definition. Its inputs are optimised together, in one step that nothing can
//! look into. Kernels and variables stay; a function that no kernel of them calls does not.

use super::cached::StepCache;
use super::tasks::{Job, Question};
use super::watched::Watched;
use super::workers::Workers;
use super::{Build, beside, settings};
use crate::codes;
use crate::input::{Content, Input};
use crate::nvjitlink;
use crate::options::CodegenOptions;
use crate::report::IrStepKind;
use crate::request::Request;
use raddle_diag::Diagnostic;
use raddle_frontend::canonical::canonical;
use raddle_frontend::protocol::{Request as Ask, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::Said;
use raddle_frontend::worker::Library;
use raddle_jobs::Task;
use raddle_target::Target;

/// The PTX of these inputs, which are LTO-IR; `None` after an error, which is in the report. The
/// other inputs may name the architecture.
pub(super) fn to_ptx(
    request: &Request,
    inputs: Vec<Input>,
    others: &[Input],
    report: &mut Watched<'_>,
) -> Option<Input> {
    let library = match nvjitlink::find(&request.ir) {
        Some(Ok(library)) => library,
        Some(Err(missing)) => {
            report.diags.push(*missing);
            return None;
        }
        None => {
            report.diags.extend(inputs.iter().map(|input| nvjitlink::not_given(&input.name)));
            return None;
        }
    };
    let Some(target) = request.selection.arch.or_else(|| target(others)) else {
        let message = format!("'{}' is LTO-IR: its architecture is not known", inputs.first()?.name);
        report.diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
        return None;
    };
    let cache = StepCache::new(request.run.cache.clone(), || nvjitlink::identity(&library));
    let workers = Workers::new(request.ir.worker.clone(), Library::NvJitLink, library, Vec::new());
    let build = Build::with(request, false, workers, cache);
    let settings = settings(request, false, target);
    build.link_lto_ir(&inputs, &settings, report)
}

/// The architecture that PTX names.
fn target(others: &[Input]) -> Option<&'static Target> {
    others.iter().find_map(|input| beside::target(input.content.text()?))
}

impl Build<'_> {
    fn link_lto_ir(&self, inputs: &[Input], settings: &Settings, report: &mut Watched<'_>) -> Option<Input> {
        let mut inputs: Vec<(String, &[u8])> = inputs.iter().filter_map(named).collect();
        // The output does not depend on the order of the command line.
        inputs.sort_by_cached_key(|(name, bytes)| (*blake3::hash(bytes).as_bytes(), name.clone()));
        let (names, contents): (Vec<String>, Vec<&[u8]>) = inputs.into_iter().unzip();
        let options = options(settings, &self.request.codegen);
        let question = Question {
            job: Job {
                name: "nvJitLink".into(),
                what: match &names[..] {
                    [one] => format!("'{one}'"),
                    several => format!("the {} inputs of LTO-IR", several.len()),
                },
                priority: 0,
                cost: contents.iter().map(|bytes| bytes.len() as u64).sum(),
                functions: 0,
            },
            request: Ask::LinkLtoIr { options: options.clone(), names },
            contents,
        };
        let words = options.join(" ");
        let link = |question: &Question<'_>, task: &mut Task| {
            let contents: Vec<&[u8]> =
                std::iter::once(words.as_bytes()).chain(question.contents.iter().copied()).collect();
            self.cache.of("lto-ir", settings, &contents, Response::Part { said: Said::default() }, || {
                let (response, ptx) = self.answer(question, task)?;
                Ok((response, canonical(&String::from_utf8_lossy(&ptx)).into_bytes()))
            })
        };
        let (_, ptx) = self.all(IrStepKind::NvJitLink, &[question], link, report)?.into_iter().next()?;
        self.temps.keep("lto-ir.ptx", &ptx, report);
        let text = String::from_utf8_lossy(&ptx).into_owned();
        Some(Input { name: "<LTO-IR>".to_owned(), content: Content::Text(text) })
    }
}

/// The name and the bytes of an input.
fn named(input: &Input) -> Option<(String, &[u8])> {
    match &input.content {
        Content::LtoIr(bytes) => Some((input.name.clone(), bytes)),
        _ => None,
    }
}

/// Options of nvJitLink. It has two levels of optimisation, 0 and 3 (nvJitLink manual 13.0).
fn options(settings: &Settings, codegen: &CodegenOptions) -> Vec<String> {
    let arch = format!("-arch={}", settings.arch);
    let switches = [
        ("-O0", settings.level == 0),
        ("-ftz=1", settings.ftz == Some(true)),
        ("-prec-div=0", !settings.prec_div),
        ("-prec-sqrt=0", !settings.prec_sqrt),
        ("-fma=0", !settings.fmad),
        ("-g", codegen.debug),
        ("-lineinfo", codegen.lineinfo),
    ];
    let on = switches.iter().filter(|(_, on)| *on).map(|(word, _)| (*word).to_owned());
    std::iter::once(arch).chain(on).collect()
}
