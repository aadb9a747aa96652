//! Finds nvJitLink, the library of the CUDA toolkit that compiles LTO-IR.
//!
//! It is used only where the user names it: its PTX depends on its version.

use crate::codes;
use crate::llvm::{entries, examine, hash, name};
use crate::options::IrOptions;
use raddle_diag::Diagnostic;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of a toolkit with its libraries.
const FOLDERS: &[&str] = &["", "lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"];

/// The library that the options name; `None` if they name none.
///
/// # Errors
/// There is none at that path.
pub fn find(options: &IrOptions) -> Option<Result<PathBuf, Box<Diagnostic>>> {
    let given = options.nvjitlink.as_ref()?;
    let is_library = |path: &PathBuf| name(path).starts_with("libnvJitLink.so");
    let found = match given.is_file() {
        true => Some(given.clone()),
        // The last of several has the highest version.
        false => FOLDERS.iter().find_map(|folder| entries(&given.join(folder)).into_iter().rfind(is_library)),
    };
    Some(match found.and_then(|path| fs::canonicalize(path).ok()) {
        Some(path) => match examine(&path, "nvJitLinkCreate") {
            Ok((_, true)) => Ok(path),
            Ok((_, false)) => Err(unusable(given, Some("it has no function nvJitLinkCreate".to_owned()))),
            Err(why) => Err(unusable(given, Some(why))),
        },
        None => Err(unusable(given, None)),
    })
}

/// The error for a path without a library that can be used.
fn unusable(given: &Path, why: Option<String>) -> Box<Diagnostic> {
    let mut error = Diagnostic::fatal(codes::E0091, format!("no usable libnvJitLink.so at '{}'", given.display()));
    error.notes.extend(why);
    Box::new(error.help("it is part of the CUDA toolkit, in lib64"))
}

/// The error for LTO-IR without the library.
pub(crate) fn not_given(input: &str) -> Diagnostic {
    let message = format!("'{input}' is NVIDIA's LTO-IR, which only NVIDIA's libraries read");
    Diagnostic::fatal(codes::E0069, message)
        .help("name the toolkit's libnvJitLink.so with --nvjitlink")
        .help("or compile the source without -dlto, or to LLVM bitcode with clang")
}

/// What identifies a library: its build identifier, or a hash of the file.
pub(crate) fn identity(path: &Path) -> String {
    let build = examine(path, "").ok().and_then(|(build, _)| build);
    format!("nvJitLink {}", build.unwrap_or_else(|| hash(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_by_file_and_in_a_toolkit() {
        let of = |path: &Path| find(&IrOptions { nvjitlink: Some(path.to_owned()), ..IrOptions::default() }).unwrap();
        assert!(find(&IrOptions::default()).is_none());
        let toolkit = tempfile::tempdir().unwrap();
        let error = of(toolkit.path()).unwrap_err();
        assert!(error.message.contains(toolkit.path().to_str().unwrap()), "{error:?}");
        let folder = toolkit.path().join("lib64");
        fs::create_dir(&folder).unwrap();
        for name in ["libnvJitLink.so.12", "libnvJitLink.so.13", "libnvJitLink_static.a"] {
            fs::write(folder.join(name), "").unwrap();
        }
        // None of them is a library.
        let newest = folder.join("libnvJitLink.so.13");
        for path in [toolkit.path(), &newest] {
            let error = of(path).unwrap_err();
            assert!(error.message.starts_with("no usable") && !error.notes.is_empty(), "{error:?}");
        }
        let Some(real) = raddle_filetest::oracle::require_nvjitlink() else { return };
        fs::remove_file(&newest).unwrap();
        std::os::unix::fs::symlink(&real, &newest).unwrap();
        for path in [toolkit.path(), &newest, &real] {
            assert_eq!(of(path).unwrap(), fs::canonicalize(&real).unwrap());
        }
    }
}
