//! What tests use in place of `raddle __llvm`: the process that runs LLVM or NVIDIA's library.
#![forbid(unsafe_code)]

use raddle_driver::ir::{Library, serve};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut kind, mut library, mut options, mut parent) = (Library::Llvm, None, Vec::new(), None);
    for word in std::env::args().skip(2) {
        if let Some(option) = word.strip_prefix("--option=") {
            options.push(option.to_owned());
        } else if let Some(number) = word.strip_prefix("--parent=") {
            parent = number.parse().ok();
        } else if word == "--nvjitlink" {
            kind = Library::NvJitLink;
        } else {
            library = Some(word);
        }
    }
    let Some(library) = library else { return ExitCode::FAILURE };
    match serve(kind, Path::new(&library), &options, parent) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
