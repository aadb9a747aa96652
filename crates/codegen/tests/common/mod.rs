//! Compiles PTX of the corpus, for the tests of this crate.

use std::path::PathBuf;

use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diags, FileId};
use raddle_ir::{CodegenOptions, Cx, Observer, OptLevel, Stop};
use raddle_target::Target;

/// The path of the corpus.
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// Lowers, optimises and compiles the first kernel of a module.
pub fn compile(src: &str, arch: &str, opt: OptLevel, observer: &dyn Observer) -> Result<UnitObject, Stop> {
    let options = CodegenOptions { opt, ..CodegenOptions::default() };
    compile_with(src, arch, &options, observer)
}

/// The same with options.
pub fn compile_with(
    src: &str,
    arch: &str,
    options: &CodegenOptions,
    observer: &dyn Observer,
) -> Result<UnitObject, Stop> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(src, FileId::FIRST, &mut diags);
    let (func, _) = outline.kernels().next().expect("a kernel");
    let body = raddle_ptx::parse_body(src, FileId::FIRST, &outline, func, &mut diags);
    assert!(!diags.has_errors(), "the input has errors");
    // The kernels of these tests contain no calls.
    let bodies = Default::default();
    let input = raddle_lower::Input {
        outline: &outline,
        func,
        body: &body,
        bodies: &bodies,
        out_of_line: None,
        src,
        line: &|_| 0,
        lines: None,
        serial_products: None,
    };
    let target = Target::by_name(arch).expect("a target");
    let cx = Cx { observer, ..Cx::new(target, options) };
    let function = raddle_lower::lower(&cx, &input)?;
    let mut unit = raddle_lower::unit(&cx, &input, function)?;
    raddle_opt::run(&cx, &mut unit.function)?;
    raddle_codegen::expand::run(&cx, &mut unit.function);
    raddle_opt::late(&cx, &mut unit.function)?;
    raddle_codegen::compile_unit(&cx, &unit)
}
