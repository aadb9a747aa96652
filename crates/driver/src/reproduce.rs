//! Reproduces failures: the command that repeats one, and with `--reproduce DIR` a file with the
//! kernel alone.

use crate::arguments;
use crate::codes;
use crate::output::Dest;
use crate::program::{Program, Unit};
use crate::request::Request;
use crate::unit::result::Compiled;
use crate::unit::text;
use raddle_diag::{Class, Diagnostic, SourceMap};
use std::path::Path;

/// The longest part of a kernel's name that is used in the name of its file.
const NAME: usize = 80;

/// Adds to a failed unit's first error the command that repeats it, and writes its text to the
/// folder for failures, if one was given. Errors in the input need no reproduction.
pub(crate) fn advise(request: &Request, program: &Program, unit: &Unit, compiled: &mut Compiled, sources: &SourceMap) {
    let ours =
        |d: &Diagnostic| d.is_error() && (matches!(d.class(), Class::Unsupported | Class::Internal) || gave_up(d));
    let Some(at) = compiled.diags.iter().position(ours) else { return };
    let module = &program.modules[unit.module];
    let mut complaint = None;
    let kept = request.reproduce.as_deref().and_then(|folder| {
        // The panic may have come from the front end.
        let source = match unit.is_function() {
            // Alone, without a caller, the function would not be compiled.
            true => module.text.as_ref().clone(),
            false => raddle_jobs::panics::catch(|| text::text(module, unit.func)).ok()?,
        };
        let path = folder.join(file_name(&unit.name));
        let written = std::fs::create_dir_all(folder).and_then(|()| Dest::Path(path.clone()).write(source.as_bytes()));
        if let Err(error) = written {
            complaint = Some(Diagnostic::error(codes::E0010, format!("cannot write '{}': {error}", path.display())));
            return None;
        }
        Some(path)
    });
    let original = sources.get(module.file).map_or("", |file| file.name());
    let command = command(request, program, unit, kept.as_deref().unwrap_or(Path::new(original)), kept.is_none());
    let internal = compiled.diags.iter().any(|d| ours(d) && d.class() == Class::Internal);
    if let Some(first) = compiled.diags.iter_mut().nth(at)
        && (internal || kept.is_some() || gave_up(first))
    {
        first.helps.push(format!("to repeat it: {command}"));
    }
    compiled.diags.extend(complaint);
}

/// Whether the compilation of a kernel ended at a limit.
fn gave_up(diagnostic: &Diagnostic) -> bool {
    [codes::E0044, codes::E0049].contains(&diagnostic.code)
}

/// The command line that compiles this kernel as it was compiled.
fn command(request: &Request, program: &Program, unit: &Unit, path: &Path, select: bool) -> String {
    let mut words = vec!["raddle".to_string(), "compile".to_string(), quoted(&path.display().to_string())];
    if select && !unit.is_function() {
        words.extend(["-e".to_string(), quoted(&unit.name)]);
    }
    words.extend(arguments::options(&request.codegen, program.target.name));
    words.extend(arguments::limits(request.run.kernel_steps));
    words.extend(["-j1", "-o", "/dev/null"].map(str::to_string));
    words.join(" ")
}

/// A word quoted for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A file name for a kernel: readable, of bounded length, and distinct for distinct names.
pub(crate) fn file_name(kernel: &str) -> String {
    format!("{}.ptx", file_stem(kernel))
}

/// The same without `.ptx`.
pub(crate) fn file_stem(kernel: &str) -> String {
    let safe: String =
        kernel.chars().take(NAME).map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    if safe == kernel { safe } else { format!("{safe}-{}", &blake3::hash(kernel.as_bytes()).to_hex()[..8]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_names_survive_shells_and_file_systems() {
        assert_eq!(quoted("a/b.ptx"), "a/b.ptx");
        assert_eq!(quoted("it's $x"), "'it'\\''s $x'");
        assert_eq!(file_name("saxpy"), "saxpy.ptx");
        let (a, b) = (file_name("$k"), file_name("-k"));
        assert!(a != b && a.starts_with("-k-"), "{a} {b}");
        assert!(file_name(&"n".repeat(3000)).len() < 100);
    }
}
