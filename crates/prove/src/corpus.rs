//! Kernels to prove passes on: PTX lowered, and the functions before and after each pass.

use raddle_diag::{Diags, FileId};
use raddle_entity::FxHashMap;
use raddle_ir::{Cx, Function, Stop};
use raddle_opt::Pass;

/// Lowers the kernels of a module, those that are supported.
pub fn kernels(source: &str, cx: &Cx<'_>) -> Vec<Function> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(source, FileId::FIRST, &mut diags);
    let functions = outline.funcs.iter().filter(|(_, f)| !f.entry && f.body.is_some());
    let bodies: FxHashMap<_, _> = functions
        .map(|(id, _)| (id, raddle_ptx::parse_body(source, FileId::FIRST, &outline, id, &mut diags)))
        .collect();
    let mut out = Vec::new();
    for (func, _) in outline.kernels() {
        let body = raddle_ptx::parse_body(source, FileId::FIRST, &outline, func, &mut diags);
        if diags.has_errors() {
            break;
        }
        let input = raddle_lower::Input {
            outline: &outline,
            func,
            body: &body,
            bodies: &bodies,
            out_of_line: None,
            src: source,
            line: &|_| 0,
            lines: None,
            serial_products: None,
        };
        out.extend(raddle_lower::lower(cx, &input));
    }
    out
}

/// Whether two functions are the same but for instructions and values that nothing reaches.
pub fn is_same(a: &Function, b: &Function) -> bool {
    raddle_ir::text::print(a) == raddle_ir::text::print(b)
}

/// Runs the passes of the context's level on a lowered kernel and shows each run that changed
/// something: its name, the function before, the function after.
///
/// # Errors
/// Those of the passes.
pub fn steps(
    cx: &Cx<'_>,
    f: &mut Function,
    seen: &mut dyn FnMut(&'static str, &Function, &Function),
) -> Result<(), Stop> {
    let run = |list: &[Pass], f: &mut Function, seen: &mut dyn FnMut(&'static str, &Function, &Function)| {
        for pass in list.iter().filter(|p| cx.options.opt >= p.level) {
            let before = f.clone();
            (pass.run)(cx, f)?;
            if !is_same(&before, f) {
                seen(pass.name, &before, f);
            }
        }
        Ok(())
    };
    run(raddle_opt::PASSES, f, seen)?;
    raddle_codegen::expand::run(cx, f);
    run(raddle_opt::LATE, f, seen)
}
