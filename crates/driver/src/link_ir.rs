//! Link-time optimisation: the LLVM IR among the inputs of a link becomes PTX before the link.
//!
//! Strategy: what the other inputs refer to stays visible; all else is local to the IR, as in a
//! whole program. Members of archives are linked whether they are needed or not.

use crate::input::{Content, Input};
use crate::ir;
use crate::link::Loaded;
use crate::link_options::CommandLineOptions;
use crate::options::{CodegenOptions, IrOptions, RunOptions, Selection};
use crate::progress::Progress;
use crate::report::Report;
use crate::request::{Functions, Output, Request};
use raddle_cubin::raw::Raw;
use raddle_diag::{Diags, FileId};
use raddle_target::Target;
use std::collections::BTreeSet;

/// Replaces the inputs of LLVM IR by PTX, in the place of the first. Returns whether there were no
/// errors; they are in the report.
pub(crate) fn to_ptx(
    loaded: &mut Vec<Loaded>,
    given: &CommandLineOptions,
    sm: Option<u32>,
    (codegen, run): (&CodegenOptions, &mut RunOptions),
    report: &mut Report,
    progress: &mut dyn Progress,
) -> bool {
    let Some(first) = loaded.iter().position(|file| file.ir) else { return true };
    let keep: Vec<String> = wanted(loaded).into_iter().collect();
    let (ir, others): (Vec<Loaded>, Vec<Loaded>) = std::mem::take(loaded).into_iter().partition(|file| file.ir);
    let inputs = ir.iter().map(|file| Input { name: file.name.clone(), content: content(&file.bytes) }).collect();
    let request = Request {
        selection: Selection { arch: given.target.or_else(|| by_number(sm)), ..Selection::default() },
        codegen: CodegenOptions { relocatable: true, ..codegen.clone() },
        run: run.clone(),
        reproduce: given.reproduce.clone(),
        output: Output::Objects(Functions::Exported),
        ir: IrOptions { keep, ..given.ir.clone() },
        ..Request::default()
    };
    let Some(made) = ir::to_ptx(&request, given.relocatable, inputs, report, progress) else { return false };
    run.early = made.early;
    let ptx = |input: Input| match input.content {
        Content::Text(text) => Some(Loaded {
            name: input.name,
            bytes: text.into_bytes().into(),
            library: false,
            inside: true,
            runtime: false,
            ptx: Some(String::new()),
            ir: false,
        }),
        _ => None,
    };
    *loaded = others;
    loaded.splice(first..first, made.inputs.into_iter().filter_map(ptx));
    true
}

fn content(bytes: &[u8]) -> Content {
    match String::from_utf8(bytes.to_vec()) {
        Ok(text) if crate::input::is_ir(bytes) => Content::Ir(text),
        _ => Content::Bitcode(bytes.to_vec()),
    }
}

fn by_number(sm: Option<u32>) -> Option<&'static Target> {
    Target::by_name(&format!("sm_{}", sm?))
}

/// Symbols that inputs other than IR refer to and do not define.
fn wanted(loaded: &[Loaded]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for file in loaded.iter().filter(|file| !file.ir) {
        if file.ptx.is_some() {
            let text = String::from_utf8_lossy(&file.bytes);
            let outline = raddle_ptx::outline(&text, FileId::FIRST, &mut Diags::new());
            let functions = outline.funcs.values().filter(|f| f.body.is_none()).map(|f| f.name.to_string());
            let external = |g: &&raddle_ptx::Global| g.linkage == raddle_ptx::Linkage::Extern;
            let variables = outline.globals.values().filter(external).map(|g| g.var.name.to_string());
            out.extend(functions.chain(variables));
        } else if let Ok(raw) = Raw::parse(&file.bytes) {
            out.extend(raw.undefined());
        }
    }
    out
}
