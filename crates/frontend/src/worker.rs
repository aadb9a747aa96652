//! The loop of a worker process.

use crate::llvm::{Llvm, LoadError};
use crate::nvjitlink::NvJitLink;
use crate::protocol::{Message, Request, Response};
use crate::steps::{self, Said, StepError};
use std::io::{self, Read, Write};
use std::path::Path;

/// Why a worker process ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The library cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Input or output failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The library that a worker loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// LLVM.
    Llvm,
    /// NVIDIA's nvJitLink.
    NvJitLink,
}

/// Loads a library and answers requests until the input ends. `options` are process-wide options of
/// LLVM.
///
/// # Errors
/// [`WorkerError`].
pub fn serve(
    kind: Library,
    path: &Path,
    options: &[String],
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<(), WorkerError> {
    let answer: &dyn Fn(&Message<Request>) -> Answer = match kind {
        Library::Llvm => {
            let llvm = Llvm::load(path, options)?;
            &move |request| with_llvm(llvm, request)
        }
        Library::NvJitLink => {
            let library = NvJitLink::load(path)?;
            &move |request| with_nvjitlink(&library, request)
        }
    };
    while let Some(request) = Message::<Request>::read(input)? {
        let (response, content) = answer(&request).unwrap_or_else(|error| (Response::Failed(error), Vec::new()));
        Message::write(&response, &[&content], output)?;
    }
    Ok(())
}

type Answer = Result<(Response, Vec<u8>), StepError>;

/// The contents of a message with their names.
fn named<'a>(names: &'a [String], message: &'a Message<Request>) -> Vec<(&'a str, &'a [u8])> {
    names.iter().map(String::as_str).zip(message.contents.iter().map(Vec::as_slice)).collect()
}

/// The error for a request that needs another library.
fn other_library() -> Answer {
    Err(StepError::Refused("this worker has another library".to_owned()))
}

/// Answers a request with nvJitLink.
fn with_nvjitlink(library: &NvJitLink, message: &Message<Request>) -> Answer {
    match &message.head {
        Request::LinkLtoIr { options, names } => {
            let linked = library.link(options, &named(names, message));
            linked.map(|(ptx, said)| (Response::Part { said }, ptx.into_bytes()))
        }
        _ => other_library(),
    }
}

/// Runs the step of a request.
fn with_llvm(llvm: &'static Llvm, message: &Message<Request>) -> Answer {
    let input = message.contents.first().map_or(&[][..], Vec::as_slice);
    match &message.head {
        Request::Start => Ok((Response::Started, Vec::new())),
        Request::Owned { name } => {
            let names = steps::owned(llvm, name, input)?;
            Ok((Response::Owned { said: Said::default() }, names.join("\n").into_bytes()))
        }
        Request::Inspect { name } => {
            steps::inspect(llvm, name, input).map(|arch| (Response::Inspected { arch }, Vec::new()))
        }
        Request::Simplify { settings, name, libdevice } => {
            let made = steps::simplify(llvm, settings, (name, input), libdevice.as_deref());
            made.map(|made| (Response::Simplified { order: made.order, said: made.said }, made.bitcode))
        }
        Request::Link { settings, names } => {
            let linked = steps::link(llvm, settings, &named(names, message));
            linked.map(|made| (Response::Linked { summary: made.summary, said: made.said }, made.bitcode))
        }
        Request::Part { settings, name } => {
            steps::part(llvm, settings, name, input).map(|(ptx, said)| (Response::Part { said }, ptx.into_bytes()))
        }
        Request::Whole { settings, name, libdevice } => {
            let made = steps::whole(llvm, settings, (name, input), libdevice.as_deref());
            made.map(|made| match made {
                Some((ptx, said)) => (Response::Part { said }, ptx.into_bytes()),
                None => (Response::NotOneFunction, Vec::new()),
            })
        }
        Request::Print { name } => steps::print(llvm, name, input).map(|text| (Response::Printed, text.into_bytes())),
        Request::Describe { settings, name } => {
            let described = steps::describe(llvm, settings, name, input);
            described.map(|(summary, flags)| (Response::Described { summary, flags }, Vec::new()))
        }
        Request::Places { name, numbers } => {
            steps::places(llvm, name, input, numbers).map(|places| (Response::Places { places }, Vec::new()))
        }
        Request::Intrinsics { name } => {
            steps::intrinsics(llvm, name, input).map(|lines| (Response::Lines { lines }, Vec::new()))
        }
        Request::Without { settings, name, intrinsics } => {
            let calls = steps::without(llvm, settings, name, input, intrinsics);
            calls.map(|lines| (Response::Lines { lines }, Vec::new()))
        }
        Request::Extract { source, name, symbols, assembly } => {
            steps::extract(llvm, source, name, symbols, *assembly).map(|bitcode| (Response::Extracted, bitcode))
        }
        Request::LinkLtoIr { .. } => other_library(),
    }
}
