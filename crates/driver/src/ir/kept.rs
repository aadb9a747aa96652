//! `--reproduce`: what LLVM failed at, in files, with the command that repeats the failure.

use super::Build;
use super::tasks::Question;
use super::watched::Watched;
use super::workers::CallError;
use crate::arguments;
use crate::codes;
use crate::llvm;
use crate::options::Lto;
use crate::output::Dest;
use crate::reproduce::{file_stem, quoted};
use raddle_diag::Diagnostic;
use raddle_frontend::protocol::Request;
use raddle_frontend::settings::Settings;
use raddle_ir::CodegenOptions;

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A kernel with what it needs.
    Kernel,
    /// A function with what it needs, which no kernel calls.
    Function,
    /// What is compiled together, with the linkage that it has in the program.
    Part,
    /// Inputs of a step.
    Inputs,
}

/// IR that LLVM failed at.
pub(super) struct Kept<'a> {
    /// Names and contents.
    pub files: &'a [(&'a str, &'a [u8])],
    pub form: Form,
    pub settings: &'a Settings,
}

impl Build<'_> {
    /// Writes IR to the folder for failures, if one was given. Returns the command that repeats the
    /// failure.
    pub(super) fn keep(&self, kept: &Kept<'_>, report: &mut Watched<'_>) -> Option<String> {
        let Some(folder) = self.request.reproduce.as_deref() else {
            return Some("--reproduce DIR keeps its bitcode".to_owned());
        };
        let mut files = Vec::new();
        for (name, bytes) in kept.files {
            let ending = if crate::input::is_ir(bytes) { "ll" } else { "bc" };
            let path = folder.join(format!("{}.{ending}", file_stem(name)));
            let written = std::fs::create_dir_all(folder).and_then(|()| Dest::Path(path.clone()).write(bytes));
            if let Err(error) = written {
                let message = format!("cannot write '{}': {error}", path.display());
                report.diags.push(Diagnostic::error(codes::E0010, message));
                return None;
            }
            files.push(quoted(&path.display().to_string()));
        }
        let llvm = report.llvm.as_ref()?.path.display().to_string();
        Some(format!("to repeat it: {}", self.command(kept, &files, &llvm)))
    }

    /// Keeps the inputs of a question that ended LLVM's process, as [`Build::keep`] does. What LLVM
    /// refuses in words is in the inputs that the user has.
    pub(super) fn keep_inputs(
        &self,
        question: &Question<'_>,
        error: &CallError,
        report: &mut Watched<'_>,
    ) -> Option<String> {
        if !matches!(error, CallError::Ended { .. }) {
            return None;
        }
        let (settings, names) = match &question.request {
            Request::Simplify { settings, name, .. } => (settings, std::slice::from_ref(name)),
            Request::Link { settings, names } => (settings, &names[..]),
            _ => return None,
        };
        let contents = question.contents.iter().copied();
        let files: Vec<(&str, &[u8])> = names.iter().map(String::as_str).zip(contents).collect();
        self.keep(&Kept { files: &files, form: Form::Inputs, settings }, report)
    }

    fn command(&self, kept: &Kept<'_>, files: &[String], llvm: &str) -> String {
        let request = self.request;
        let mut words = vec!["raddle".to_owned(), "compile".to_owned()];
        words.extend_from_slice(files);
        words.extend(["--llvm".to_owned(), quoted(llvm)]);
        if let Some(path) = request.ir.libdevice.as_ref().and_then(|_| llvm::libdevice(&request.ir).ok()) {
            words.extend(["--libdevice".to_owned(), quoted(&path.display().to_string())]);
        }
        // What nothing calls is part of an object only.
        let relocatable = matches!(kept.form, Form::Function | Form::Part) || kept.settings.relocatable;
        let codegen = CodegenOptions { relocatable, ..request.codegen.clone() };
        let options = arguments::options(&codegen, &kept.settings.arch).into_iter().chain(arguments::ir(&request.ir));
        words.extend(options.map(|word| quoted(&word)));
        let lto = if kept.form == Form::Part { Some(Lto::Whole) } else { request.ir.lto };
        words.extend(lto.map(|lto| format!("--lto={}", lto.word())));
        words.extend(["-j1", "-o", "/dev/null"].map(str::to_owned));
        words.join(" ")
    }
}
