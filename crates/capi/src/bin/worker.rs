//! What tests use in place of `raddle`: the process that runs LLVM or NVIDIA's library (`__llvm`), and
//! the one that compiles a kernel (`__unit`). It takes the options that tests need.
#![forbid(unsafe_code)]

use raddle_driver::input;
use raddle_driver::ir::{self, Library};
use raddle_driver::key::BUILD;
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::request::{Output, Request};
use raddle_driver::serve;
use raddle_target::Target;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some("__llvm") => llvm(&words[1..]),
        Some("__unit") => unit(&words[1..]),
        // What every program `raddle` says of itself.
        _ => Err(format!("{BUILD}{}", env!("CARGO_PKG_VERSION"))),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn llvm(words: &[String]) -> Result<bool, String> {
    let (mut kind, mut library, mut options, mut parent) = (Library::Llvm, None, Vec::new(), None);
    for word in words {
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
    let library = library.ok_or("no library")?;
    ir::serve(kind, Path::new(library), &options, parent).map(|()| true).map_err(|error| error.to_string())
}

fn unit(words: &[String]) -> Result<bool, String> {
    let mut codegen = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let (mut selection, mut relocatable, mut parent) = (Selection::default(), false, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().cloned().ok_or_else(|| format!("nothing follows {word}"));
        match word.split_once('=').unwrap_or((word, "")) {
            ("--arch", _) => selection.arch = Target::by_name(&next()?),
            ("-e", _) => selection.names = vec![next()?],
            ("--function", _) => selection.function = Some(next()?),
            ("-c", _) => relocatable = true,
            ("-O0", _) => codegen.opt = OptLevel::O0,
            ("--lineinfo", _) => codegen.lineinfo = true,
            ("--fmad", "false") => codegen.fmad = false,
            ("--maxrregcount", count) => codegen.maxrregcount = count.parse().ok(),
            ("--parent", number) => parent = number.parse().ok(),
            ("--caller", env!("CARGO_PKG_VERSION")) => {}
            _ => return Err(format!("{word} is not understood")),
        }
    }
    let fault = std::env::var("RADDLE_FAULT").ok().and_then(|text| text.parse().ok());
    let request = Request {
        inputs: vec![input::read("-").map_err(|error| error.message.clone())?],
        selection,
        codegen,
        run: RunOptions { fault, ..RunOptions::default() },
        output: Output::Unit { relocatable },
        ..Request::default()
    };
    serve::serve(request, parent).map_err(|error| error.to_string())
}
