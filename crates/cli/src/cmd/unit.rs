//! `raddle __unit`: compiles one kernel for another raddle process; reads the module from standard
//! input and writes the result to standard output, or uses files, as an engine of remote execution wants.

use super::request;
use crate::args::Unit;
use crate::{Done, Failure, alloc};
use raddle_diag::Class;
use raddle_driver::codes;
use raddle_driver::input;
use raddle_driver::options::{CodegenOptions, Meter, RunOptions, Selection};
use raddle_driver::request::{Output, Request};
use raddle_driver::serve::serve;
use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) fn run(args: &Unit) -> Done {
    let own = env!("CARGO_PKG_VERSION");
    if let Some(other) = args.caller.as_ref().filter(|caller| *caller != own) {
        return Err(Failure::new(codes::E0019, format!("this is Raddle {own}, the library is of {other}")));
    }
    let request = Request {
        inputs: vec![input::read(&args.input)?],
        selection: Selection { function: args.function.clone(), ..request::selection(&args.select) },
        codegen: CodegenOptions { debug: args.device_debug, ..args.codegen.options() },
        run: RunOptions {
            fault: request::fault()?,
            kernel_steps: args.kernel_steps,
            meter: Some(Meter { reset: alloc::reset, peak: alloc::peak, held: alloc::held }),
            ..RunOptions::default()
        },
        output: Output::Unit { relocatable: args.relocatable },
        ..Request::default()
    };
    let place = args.output.as_ref().map_or("standard output".into(), |path| path.to_string_lossy());
    let done = args.output.as_deref().map_or(Ok(()), write_to).and_then(|()| serve(request, args.parent));
    match done {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::from(Class::Internal)),
        Err(error) => Err(Failure::new(codes::E0010, format!("cannot write to {place}: {error}"))),
    }
}

/// Makes a file the standard output of this process.
fn write_to(path: &Path) -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdout(File::create(path)?)?)
}
