//! `raddle doctor`: shows what a build would use on this machine, and why.

use crate::args::{Doctor, MessageFormat};
use crate::ui::Ui;
use crate::{Done, print};
use raddle_diag::render::json;
use raddle_driver::cache::{Place, shown};
use raddle_driver::host::{self, jobserver::Found};
use raddle_driver::llvm::{self, LlvmError};
use raddle_driver::nvjitlink;
use raddle_driver::options::IrOptions;
use std::io::IsTerminal;

/// The version of this program and the library of LLVM that a build would use: together they decide
/// the bytes of its output.
pub(crate) fn version() -> String {
    let given = std::env::var_os("RADDLE_LLVM").filter(|path| !path.is_empty()).map(Into::into);
    let library = llvm::find(&IrOptions { llvm: given, ..IrOptions::default() });
    let llvm = library.map_or("no LLVM (see `raddle doctor`)".to_owned(), |found| found.identity().to_owned());
    format!("{}\n{llvm}", env!("CARGO_PKG_VERSION"))
}

pub(crate) fn run(args: &Doctor, ui: &Ui) -> Done {
    if args.remote.is_some() {
        return super::remote_check::run(args, ui);
    }
    let mut facts: Vec<(&str, String)> = Vec::new();
    let mut line = |name: &'static str, value: String| facts.push((name, value));
    line("version", format!("raddle {} ({})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH));
    let cpus = host::cpus::available();
    line("workers", format!("{cpus} by default: the CPUs available to this process (affinity and cgroup quota)"));
    line("stack", format!("{} MiB per worker", host::Config::default().stack >> 20));
    let native: Vec<&str> = raddle_target::TARGETS.iter().filter(|t| t.native.is_some()).map(|t| t.name).collect();
    let read: Vec<&str> = raddle_target::TARGETS.iter().filter(|t| t.native.is_none()).map(|t| t.name).collect();
    line("compiles for", native.join(" "));
    line("reads only", read.join(" "));
    line("newest PTX", format!("{}", raddle_target::NEWEST_PTX));
    for (name, meaning) in [
        ("NO_COLOR", "no colours in messages"),
        ("TERM", "kind of terminal; `dumb` has no colours and no progress"),
        ("MAKEFLAGS", "a parent make"),
        ("RADDLE_LLVM", "default of --llvm"),
        ("RADDLE_JOBS", "default of -j; 1 is one kernel at a time"),
        ("RADDLE_PTXAS", "another ptxas, for what Raddle cannot compile under that name; `off` is none"),
        ("RADDLE_CACHE", "cache, a folder or a URL, under the names of other tools"),
        ("RADDLE_REMOTE_CACHE", "URL of a remote cache beside that folder"),
        ("RADDLE_REMOTE", "default of --remote, the URL of an engine of remote execution"),
        ("RADDLE_REPORT", "folder for a report of each call under those names"),
        ("RADDLE_CHAOS", "seed of random delays and order, for tests"),
        ("RADDLE_FAULT", "KIND:KERNEL, a failure on demand, or unsupported:INSTRUCTION; for tests"),
    ] {
        let value = std::env::var(name).map_or("not set".to_string(), |value| match Place::of(value.as_ref()) {
            // Without credentials.
            Place::Url(url) => raddle_diag::quote(&shown(&url)),
            Place::Folder(_) => raddle_diag::quote(&value),
        });
        line(name, format!("{value} ({meaning})"));
    }
    let makeflags = std::env::var_os("MAKEFLAGS");
    let server = match host::jobserver::connect(makeflags.as_deref()) {
        Found::Absent(why) if why.is_one_slot() => format!("{why}; one kernel at a time without -j N"),
        Found::Absent(why) => format!("none: {why}; as many kernels at once as workers"),
        Found::Client(_) => "shared: each kernel beyond the first takes a slot of make".to_string(),
        Found::Broken(reason) => format!("broken: {reason}; one kernel at a time without -j N"),
    };
    line("jobserver", server);
    let terminal = |yes: bool| if yes { "a terminal: progress and colours" } else { "not a terminal: plain lines" };
    line("messages", terminal(std::io::stderr().is_terminal()).to_string());
    let options = args.libraries.options();
    line(
        "LLVM",
        llvm::find(&options).map_or_else(missing, |found| format!("{} ({})", found.path.display(), found.identity())),
    );
    let nvjitlink = nvjitlink::find(&options).map_or("none named; it compiles LTO-IR".to_owned(), |found| {
        found.map_or_else(|error| error.message, |path| path.display().to_string())
    });
    line("nvJitLink", nvjitlink);
    line("libdevice", llvm::libdevice(&options).map_or_else(missing, |path| path.display().to_string()));
    for (name, value) in super::door::facts() {
        line(name, value);
    }
    line("GPU", "not needed and not used; `raddle run` has an interpreter and a simulator".to_string());
    if ui.format() == MessageFormat::Json {
        let facts: serde_json::Map<String, serde_json::Value> =
            facts.into_iter().map(|(name, value)| (name.to_string(), value.into())).collect();
        let object = serde_json::json!({ "schema": json::SCHEMA, "kind": "doctor", "facts": facts });
        return print(&format!("{object}\n"));
    }
    print(&facts.into_iter().map(|(name, value)| format!("{name:14} {value}\n")).collect::<String>())
}

/// What is missing, where it was looked for, and what to do.
fn missing(error: LlvmError) -> String {
    let diagnostic = error.diagnostic();
    let mut parts = vec![format!("none: {}", diagnostic.message)];
    parts.extend(diagnostic.notes);
    parts.extend(diagnostic.helps);
    parts.join("; ")
}
