//! `raddle __unit`: compiles one kernel for another raddle process; reads the module from standard
//! input.

use super::request;
use crate::args::Unit;
use crate::{Done, Failure, alloc};
use raddle_diag::Class;
use raddle_driver::codes;
use raddle_driver::input;
use raddle_driver::options::{CodegenOptions, Meter, RunOptions, Selection};
use raddle_driver::request::{Output, Request};
use raddle_driver::serve::serve;

pub(crate) fn run(args: &Unit) -> Done {
    let own = env!("CARGO_PKG_VERSION");
    if let Some(other) = args.caller.as_ref().filter(|caller| *caller != own) {
        return Err(Failure::new(codes::E0019, format!("this is Raddle {own}, the library is of {other}")));
    }
    let request = Request {
        inputs: vec![input::read("-")?],
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
    match serve(request, args.parent) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::from(Class::Internal)),
        Err(error) => Err(Failure::new(codes::E0010, format!("cannot write to standard output: {error}"))),
    }
}
