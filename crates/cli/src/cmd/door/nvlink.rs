//! `raddle` under the name `nvlink`: `raddle link` with the options and messages of nvlink.

use super::other::Other;
use super::wording::{self, Row, last, row};
use super::{FAILED, first_line, note_passed_on, say, settings, version};
use crate::args::{Cli, Command, Global, Jobserver, Link, quick};
use crate::cmd::link;
use crate::ui::{Held, Shown, Ui};
use crate::{Failure, print};
use raddle_diag::{Class, Code, Diagnostic, Severity, SourceMap};
use raddle_driver::codes;
use raddle_dropin::Meaning::{NotSupported, Same};
use raddle_dropin::line::{self, Line, System};
use raddle_dropin::number::integer;
use raddle_dropin::{Takes, nvlink::NVLINK};
use raddle_fatbin::FatbinError;
use raddle_fatbin::container::{ModuleId, module_id};
use raddle_target::Target;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// The name at the start of messages.
const TOOL: &str = "nvlink";
/// The exit code after a message that ends the link at once; [`FAILED`] follows the others.
const FATAL: u8 = 1;

/// The messages of nvlink (13.0.88 output); symbols have their mangled names.
const ROWS: &[Row] = &[
    row(
        codes::E0065,
        "^undefined symbol (?:.* \\((\\S+)\\)|(\\S+)), used by .* in '(.*)'$",
        "Undefined reference to '$1$2' in '$3'",
    ),
    row(
        codes::E0064,
        "^(?:.* \\((\\S+)\\)|(\\S+)) is defined in '(.*)' and again in '(.*)'$",
        "Multiple definition of '$1$2' in '$4', first defined in '$3'",
    ),
    last(
        codes::E0062,
        "^'(.*)' is for sm_\\d+, the link is for (\\S+)$",
        "Input file '$1' arch does not match target '$2'",
    ),
    row(codes::E0069, "^'(.*)' has no cubin for (sm_\\d+);", "SM Arch ('$2') not found in '$1'"),
    last(codes::E0001, "^cannot read '(.*)': ", "Could not open input file '$1'"),
    last(codes::E0005, "^'(.*)' is not a cubin, PTX", "Could not open input file '$1'"),
    last(codes::E0010, "^cannot write '(.*)': ", "Could not open output file '$1'"),
    row(
        codes::E0068,
        "^the stack size of kernel (?:.* \\((\\S+)\\)|(\\S+)) is unknown: ",
        "Stack size for entry function '$1$2' cannot be statically determined",
    ),
];

/// Warnings that nvlink does not give: of options without effect, and of whole programs among objects.
/// The first is that of the stack, which an option switches off.
const WITHOUT: &[Code] = &[codes::E0068, codes::E0019, codes::E0089];

/// How a call ends that cannot be answered.
enum End {
    /// A last message.
    Fatal(String),
    /// It needs another nvlink, for this reason.
    Elsewhere(String),
}

/// Runs the tool and returns the exit code.
pub(super) fn run(words: Vec<String>) -> u8 {
    let line = match line::read(&NVLINK, &words, &System) {
        Ok(line) => line,
        Err(error) => {
            say(TOOL, "fatal", &error.to_string());
            return FATAL;
        }
    };
    line.warnings.iter().for_each(|warning| say(TOOL, "warning", warning));
    let shown = if line.has(&NVLINK, "help") {
        Some(NVLINK.help())
    } else if line.has(&NVLINK, "version") {
        Some(version(TOOL, "NVIDIA's Cuda linker", &Other::find(TOOL)))
    } else {
        None
    };
    if let Some(text) = shown {
        return if print(&text).is_ok() { 0 } else { FAILED };
    }
    match linked(&line) {
        Ok(code) => code,
        Err(End::Fatal(message)) => {
            say(TOOL, "fatal", &message);
            FATAL
        }
        Err(End::Elsewhere(why)) => {
            let other = Other::find(TOOL);
            note_passed_on(TOOL, &why, &other, &words);
            let missing = other.take_over(&words, None);
            say(TOOL, "fatal", &format!("{why}; there is no other nvlink to pass the call to: {missing}"));
            FATAL
        }
    }
}

/// Links.
fn linked(line: &Line) -> Result<u8, End> {
    let (mut args, global) = arguments(line)?;
    args.jobs.jobserver = Jobserver::Silent;
    let stack = usize::from(!line.has(&NVLINK, "suppress-stack-size-warning"));
    let without = &WITHOUT[stack..];
    let held = Held { words, shown: Arc::default() };
    let ui = Ui::new(&global).held(held.clone(), without);
    let done = link::run(&args, &ui);
    let class = match &done {
        Ok(()) => None,
        Err(Failure::Say(diagnostic)) => {
            ui.show_one(diagnostic, &SourceMap::new());
            Some(diagnostic.class())
        }
        Err(Failure::Told(code)) => [Class::Input, Class::Usage, Class::Unsupported, Class::Internal]
            .into_iter()
            .find(|c| c.exit_code() == *code),
        Err(Failure::Pipe) => Some(Class::Input),
    };
    let Shown { text, found } = held.shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if matches!(class, Some(Class::Unsupported | Class::Internal)) && Other::find(TOOL).path().is_some() {
        return Err(End::Elsewhere(text.lines().next().unwrap_or("an error").to_owned()));
    }
    // After a fatal message nvlink says nothing.
    let fatal = format!("{TOOL} fatal ");
    let end = text.find(&fatal).and_then(|at| Some(at + text[at..].find('\n')? + 1));
    let target = Some(line.value(&NVLINK, "arch").unwrap_or("")).filter(|_| line.has(&NVLINK, "report-arch"));
    let target = target.map_or_else(String::new, |arch| format!(" (target: {arch})"));
    let text = text[..end.unwrap_or(text.len())].replace('\n', &format!("{target}\n"));
    // A failure to write to standard error cannot be reported.
    let _ = std::io::Write::write_all(&mut std::io::stderr().lock(), text.as_bytes());
    if class.is_none() {
        return Ok(0);
    }
    let error = |(severity, code): &(Severity, Code)| (*severity >= Severity::Error).then_some(*code);
    let codes: Vec<Code> = found.iter().filter_map(error).collect();
    if codes.iter().all(|code| [codes::E0065, codes::E0068, codes::E0069].contains(code)) && !codes.is_empty() {
        return Ok(FAILED);
    }
    if codes.contains(&codes::E0064) {
        say(TOOL, "fatal", &format!("merge_elf failed{target}"));
    } else if found.iter().all(|(severity, _)| *severity < Severity::Fatal) {
        say(TOOL, "fatal", &format!("elfLink fatbinary error{target}"));
    }
    Ok(FATAL)
}

/// The words of nvlink for a diagnostic.
fn words(diagnostic: &Diagnostic, sources: &SourceMap) -> Diagnostic {
    wording::worded(ROWS, diagnostic, sources).map_or_else(|| diagnostic.clone(), |(_, made)| made)
}

/// The options of `raddle link`.
fn arguments(line: &Line) -> Result<(Box<Link>, Global), End> {
    let arch = line.value(&NVLINK, "arch").ok_or_else(|| End::Fatal("Unknown arch name '(null)'".to_owned()))?;
    if arch.starts_with("lto_") {
        return Err(End::Fatal(format!(
            "Link target of '{arch}' is virtual target that is not JIT-able; use 'sm_' target instead"
        )));
    }
    let output = line
        .value(&NVLINK, "output-file")
        .ok_or_else(|| End::Fatal("Must specify output file with -o option".to_owned()))?;
    if line.has(&NVLINK, "use-host-info") && line.has(&NVLINK, "ignore-host-info") {
        return Err(End::Fatal("Conflicting options '-use-host-info' and '-ignore-host-info'".to_owned()));
    }
    if line.inputs.is_empty() {
        return Err(End::Fatal("No input files specified; use option --help for more information".to_owned()));
    }
    let lto = line.has(&NVLINK, "dlto") || line.has(&NVLINK, "link-time-opt");
    if line.value(&NVLINK, "Ofast-compile").is_some_and(|level| level != "0") && !lto {
        return Err(End::Fatal("Conflicting options '--Ofast-compile' and 'no -dlto'".to_owned()));
    }
    let mut out = settings(TOOL);
    out.push("--message-format=ptxas".to_owned());
    out.push(format!("--tool-name={TOOL}"));
    out.extend(["--no-info", "--as-nvlink"].map(str::to_owned));
    for (index, row) in NVLINK.options.iter().enumerate() {
        let values = || line.options.iter().filter(move |given| given.index == index).map(|given| given.value.as_str());
        let Some(value) = values().next_back() else { continue };
        match row.under_name() {
            Same(ours) if row.takes == Takes::List => out.extend(values().map(|value| format!("--{ours}={value}"))),
            Same(ours) if row.takes_value() => out.push(format!("--{ours}={value}")),
            Same(ours) => out.push(format!("--{ours}")),
            NotSupported(_) if ["dlto", "link-time-opt"].contains(&row.long) && reads_lto_ir() => {}
            NotSupported(why) => {
                return Err(End::Elsewhere(format!("option '--{}' is not supported by Raddle: {why}", row.long)));
            }
            _ => {}
        }
    }
    let native = Target::by_name(arch).is_some_and(|target| target.native.is_some());
    if !native {
        return Err(End::Elsewhere(format!("Raddle links no objects for '{arch}' yet")));
    }
    out.push(format!("--arch={arch}"));
    out.push(format!("--output={}", if output == "-" { "./-" } else { output }));
    if line.has(&NVLINK, "verbose") {
        out.push("--verbose".to_owned());
    }
    if let Some(file) = line.value(&NVLINK, "register-link-binaries") {
        out.push(format!("--register-link-binaries={file}"));
    }
    out.push(format!("--jobs={}", jobs(line)?));
    out.extend(libraries(line).map(|name| format!("--library={name}")));
    let files = line.inputs.iter().filter(|path| !is_of_the_host(Path::new(path)));
    out.extend(files.map(|path| if path.starts_with('-') { format!("./{path}") } else { path.clone() }));
    match quick::parse(["raddle", "link"].into_iter().map(str::to_owned).chain(out)) {
        Ok(Cli { global, command: Command::Link(args) }) => Ok((args, global)),
        Ok(_) => Err(End::Fatal("internal error of Raddle: not a link".to_owned())),
        Err(error) => Err(End::Fatal(first_line(&error))),
    }
}

/// Whether NVIDIA's library for LTO-IR is named.
fn reads_lto_ir() -> bool {
    std::env::var_os("RADDLE_NVJITLINK").is_some_and(|path| !path.is_empty())
}

/// Threads of the link: as many as were asked for, those of make, or one.
fn jobs(line: &Line) -> Result<usize, End> {
    if let Some(text) = line.value(&NVLINK, "split-compile-extended") {
        let wrong = || End::Fatal(format!("Invalid value '{text}' for option '--split-compile-extended'"));
        // nvlink takes a negative number for one thread.
        return integer(text).map(|jobs| usize::try_from(jobs).unwrap_or(1)).ok_or_else(wrong);
    }
    let wanted = std::env::var("RADDLE_JOBS").ok().and_then(|text| text.parse().ok());
    let make = std::env::var("MAKEFLAGS").is_ok_and(|flags| flags.contains("--jobserver"));
    Ok(wanted.unwrap_or(if make { 0 } else { 1 }))
}

/// Libraries that exist: nvlink leaves those that do not to the linker of the host.
fn libraries(line: &Line) -> impl Iterator<Item = &str> {
    let folders: Vec<PathBuf> = line.values(&NVLINK, "library-path").map(PathBuf::from).collect();
    let found = move |name: &&str| {
        let files = folders.iter().map(|folder| folder.join(format!("lib{name}.a")));
        files.into_iter().any(|file| file.is_file() && !is_of_the_host(&file))
    };
    line.values(&NVLINK, "library").filter(found)
}

/// Whether a file is a host object, an archive or a library without device code for a link: it has
/// none, or whole programs. So is an empty file.
fn is_of_the_host(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return false };
    if bytes.is_empty() || module_id(&bytes) == ModuleId::Whole {
        return true;
    }
    let is_cubin = bytes.get(18..20) == Some(&[190, 0]);
    let of_the_host = raddle_fatbin::container::is_container(&bytes) && !is_cubin;
    of_the_host && matches!(raddle_fatbin::members(&bytes), Err(FatbinError::Unknown)) && !has_cubins(&bytes)
}

/// Whether an archive has cubins or PTX as members.
fn has_cubins(bytes: &[u8]) -> bool {
    let members = raddle_fatbin::container::archive(bytes).ok().flatten().unwrap_or_default();
    members.iter().any(|(_, member)| {
        let is_cubin = member.starts_with(b"\x7fELF") && member.get(18..20) == Some(&[190, 0]);
        is_cubin || member.windows(8).take(4096).any(|word| word == b".version")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_words_of_nvlink() {
        assert!(wording::patterns_are_sound(ROWS));
        let said = |diagnostic: Diagnostic| words(&diagnostic, &SourceMap::new()).message;
        let undefined = Diagnostic::error(codes::E0065, "undefined symbol sq(int) (_Z2sqi), used by k (k) in 'x.o'");
        assert_eq!(said(undefined), "Undefined reference to '_Z2sqi' in 'x.o'");
        let undefined = Diagnostic::error(codes::E0065, "undefined symbol f, used by k in 'a.o'");
        assert_eq!(said(undefined), "Undefined reference to 'f' in 'a.o'");
        let twice = Diagnostic::error(codes::E0064, "f is defined in 'a.o' and again in 'b.o'");
        assert_eq!(said(twice), "Multiple definition of 'f' in 'b.o', first defined in 'a.o'");
    }
}
