//! The loop of a worker process.

use crate::llvm::{Llvm, LoadError};
use crate::protocol::{Message, Request, Response};
use crate::steps;
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

/// Loads a library and answers requests until the input ends. `options` are process-wide options of
/// LLVM.
///
/// # Errors
/// [`WorkerError`].
pub fn serve(
    library: &Path,
    options: &[String],
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<(), WorkerError> {
    let llvm = Llvm::load(library, options)?;
    while let Some(request) = Message::<Request>::read(input)? {
        let (response, content) = answer(llvm, &request);
        Message::write(&response, &[&content], output)?;
    }
    Ok(())
}

/// Runs the step of a request.
fn answer(llvm: &'static Llvm, message: &Message<Request>) -> (Response, Vec<u8>) {
    let input = message.contents.first().map_or(&[][..], Vec::as_slice);
    let result = match &message.head {
        Request::Inspect { name } => {
            steps::inspect(llvm, name, input).map(|arch| (Response::Inspected { arch }, Vec::new()))
        }
        Request::Simplify { settings, name, libdevice } => {
            let made = steps::simplify(llvm, settings, (name, input), libdevice.as_deref());
            made.map(|made| (Response::Simplified { said: made.said }, made.bitcode))
        }
        Request::Link { settings, names } => {
            let contents = message.contents.iter().map(Vec::as_slice);
            let inputs: Vec<(&str, &[u8])> = names.iter().map(String::as_str).zip(contents).collect();
            let linked = steps::link(llvm, settings, &inputs);
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
        Request::Extract { program, name, symbols } => {
            steps::extract(llvm, program, name, symbols).map(|bitcode| (Response::Extracted, bitcode))
        }
    };
    result.unwrap_or_else(|error| (Response::Failed(error), Vec::new()))
}
