//! The tool of the same name that does what Raddle cannot do: the one that a variable names, that of
//! the toolkit that Raddle was installed into, or the first in `PATH` that is not Raddle.

use super::install::FALLBACKS;
use raddle_driver::key::is_this_program;
use raddle_driver::ptxas::WITHIN;
use std::fmt;
use std::fs::File;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another tool of the same name, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// Its path.
    Found(PathBuf),
    /// There is none, for this reason.
    None(String),
}

/// What is written into a variable so that no other tool is used.
const OFF: &str = "off";

impl Other {
    /// Looks for another tool.
    pub(super) fn find(tool: &str) -> Other {
        if std::env::var_os(WITHIN).is_some() {
            return Other::None(format!("this {tool} was started by another Raddle"));
        }
        let variable = format!("RADDLE_{}", tool.to_uppercase());
        match std::env::var_os(&variable).filter(|path| !path.is_empty()) {
            Some(path) if path == OFF => return Other::None(format!("{variable} is '{OFF}'")),
            Some(path) => return named(&variable, Path::new(&path)),
            None => {}
        }
        let theirs = own_folder(tool).map(|folder| folder.join("..").join(FALLBACKS).join(tool));
        if let Some(theirs) = theirs.filter(|file| is_other(file)) {
            return Other::Found(theirs);
        }
        let found = in_path(tool).find(|file| is_other(file));
        found.map_or_else(
            || Other::None(format!("{variable} names none, and no {tool} in PATH is another program")),
            Other::Found,
        )
    }

    /// Its path, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Other::Found(path) => Some(path),
            Other::None(_) => None,
        }
    }

    /// Replaces this process by the other tool, for these words and this standard input. Returns
    /// only if that fails, with the reason.
    pub(super) fn take_over(&self, words: &[String], stdin: Option<File>) -> String {
        let path = match self {
            Other::Found(path) => path,
            Other::None(why) => return why.clone(),
        };
        let mut command = Command::new(path);
        command.args(words).env(WITHIN, "1");
        if let Some(stdin) = stdin {
            command.stdin(stdin);
        }
        let error = command.exec();
        format!("'{}' cannot be started: {error}", path.display())
    }
}

impl fmt::Display for Other {
    /// What tells it apart from another version: callers use the text as the key of a cache.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Other::Found(path) => match path.metadata() {
                Ok(meta) => write!(f, "{}, {} bytes of {}", path.display(), meta.len(), meta.mtime()),
                Err(_) => write!(f, "{}", path.display()),
            },
            Other::None(why) => write!(f, "no other: {why}"),
        }
    }
}

/// The files in `PATH` that a tool may be.
fn in_path(tool: &str) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.into_iter().map(move |folder| folder.join(tool))
}

/// The folder of the link by which this process was started: by a path, or by a name in `PATH`.
fn own_folder(tool: &str) -> Option<PathBuf> {
    let first = std::env::args_os().next()?;
    let path = Path::new(&first);
    let link = match path.components().count() {
        1 => in_path(tool).find(|file| is_program(file)).filter(|file| is_this_program(file))?,
        _ => path.to_owned(),
    };
    link.parent().map(Path::to_owned)
}

/// The tool that a variable names.
fn named(variable: &str, path: &Path) -> Other {
    if !is_program(path) {
        return Other::None(format!("{variable}={} is not a program", path.display()));
    }
    if is_this_program(path) {
        return Other::None(format!("{variable}={} is Raddle itself", path.display()));
    }
    Other::Found(path.to_owned())
}

fn is_other(path: &Path) -> bool {
    is_program(path) && !is_this_program(path)
}

/// Whether a path is that of a file that can be started.
pub(super) fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
