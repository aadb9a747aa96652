//! Combines the objects of units into the requested output: an executable, an object, or an object
//! for each input.

use crate::codes;
use crate::key;
use crate::link::{diagnostic, warnings};
use crate::options::CodegenOptions;
use crate::program::{Module, Program};
use crate::request::Output;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags};
use raddle_entity::Executor;
use raddle_link::objects::{Input, LinkOptions};
use raddle_link::{Debug, DebugModule, FinalizeOptions, LinkError};

/// The output files of a program.
#[derive(Default)]
pub(crate) struct Made {
    /// The cubin.
    pub cubin: Option<Vec<u8>>,
    /// The objects, one for each input.
    pub objects: Vec<Vec<u8>>,
}

/// The objects of a program, before they are linked.
pub(crate) struct Parts<'a> {
    /// The program that they belong to.
    pub program: &'a Program,
    /// The objects of variables, then those of units in input order.
    pub objects: &'a mut [UnitObject],
    /// Options that affect the generated code.
    pub codegen: &'a CodegenOptions,
    /// Debug sections of each module.
    pub debug: &'a [DebugModule],
    /// Symbols that are visible between modules and local in the output, sorted.
    pub locals: &'a [String],
    /// The threads that combine them.
    pub executor: &'a dyn Executor,
}

impl Parts<'_> {
    /// Makes the requested output; none after an error.
    pub fn finish(self, output: Output, diags: &mut Diags) -> Made {
        let first = self.options(self.program.modules.first(), self.debug);
        let all = FinalizeOptions { locals: self.locals, ..first };
        let cubin = match output {
            Output::Check | Output::Unit { .. } => return Made::default(),
            Output::Objects(_) => return Made { objects: self.objects_of_inputs(diags), cubin: None },
            Output::Object(_) => object_of(self.objects, &all, self.executor, diags),
            Output::Executable => {
                let made = raddle_link::finalize(self.objects, &all, self.executor);
                made.map_err(|error| diags.push(unlinked(&error))).ok()
            }
            Output::LinkedExecutable => {
                let object = raddle_link::with_executable_kernels(self.objects, &all, self.executor)
                    .map_err(|error| diags.push(unlinked(&error)));
                object.ok().and_then(|object| self.link(&object, diags))
            }
        };
        Made { cubin, objects: Vec::new() }
    }

    /// The linker options for a module.
    fn options<'m>(&self, module: Option<&Module>, debug: &'m [DebugModule]) -> FinalizeOptions<'m> {
        let mut options = FinalizeOptions::new(self.program.target);
        options.virtual_sm = module.and_then(|module| module.outline.target).map(|target| target.sm);
        options.modules = debug;
        options.tool = Some(key::tool_note());
        options.debug = if self.codegen.lineinfo { Debug::Lines } else { Debug::None };
        options
    }

    /// Makes a relocatable object of each input, in input order; none after an error.
    fn objects_of_inputs(self, diags: &mut Diags) -> Vec<Vec<u8>> {
        let executor = self.executor;
        // The order within a module is kept: variables, kernels, functions.
        self.objects.sort_by_key(|object| object.module);
        let mut out = Vec::new();
        for (index, module) in self.program.modules.iter().enumerate() {
            let first = self.objects.partition_point(|object| (object.module as usize) < index);
            let end = self.objects.partition_point(|object| object.module as usize <= index);
            let debug = self.debug.get(index).map_or(&[][..], std::slice::from_ref);
            out.extend(object_of(&self.objects[first..end], &self.options(Some(module), debug), executor, diags));
        }
        if diags.has_errors() { Vec::new() } else { out }
    }

    /// Links a single object into an executable. With `-g` it keeps functions without callers
    /// (ptxas 13.0.88 output).
    fn link(&self, object: &[u8], diags: &mut Diags) -> Option<Vec<u8>> {
        let input = Input { name: "<result>", bytes: object, library: false };
        let (target, keep_all) = (Some(self.program.target), self.codegen.debug);
        let locals = self.locals;
        let tool = key::tool_note();
        let options = LinkOptions { target, preplaced_shared: true, keep_all, locals, tool, ..LinkOptions::default() };
        match raddle_link::objects::link(&[input], &options, self.executor) {
            Ok(linked) => {
                diags.extend(warnings(&linked.warnings, &str::to_owned));
                Some(linked.bytes(self.executor))
            }
            Err(problems) => {
                problems.into_iter().for_each(|problem| diags.push(diagnostic(problem, &str::to_owned)));
                if !diags.has_errors() {
                    diags.push(Diagnostic::fatal(codes::E0041, "the linker returned neither a result nor an error"));
                }
                None
            }
        }
    }
}

/// Combines the objects of units into one relocatable object.
fn object_of(
    objects: &[UnitObject],
    options: &FinalizeOptions<'_>,
    executor: &dyn Executor,
    diags: &mut Diags,
) -> Option<Vec<u8>> {
    raddle_link::relocatable(objects, options, executor).map_err(|error| diags.push(unlinked(&error))).ok()
}

fn unlinked(error: &LinkError) -> Diagnostic {
    let code = match error {
        LinkError::TooMuch { .. } => codes::E0031,
        LinkError::Target(_) => codes::E0023,
        LinkError::Duplicate { .. } | LinkError::Undefined { .. } => codes::E0045,
        _ => codes::E0041,
    };
    Diagnostic::fatal(code, error.to_string())
}
