//! Link-time optimisation: the LLVM IR and the LTO-IR among the inputs of a link become PTX before
//! the link.
//!
//! Strategy: LTO-IR is first, as its PTX shows what it refers to. What the other inputs refer to
//! stays visible in LLVM IR; all else is local to it, as in a whole program. Members of archives are
//! linked whether they are needed or not.

use crate::input::{Content, Input};
use crate::ir;
use crate::link_inputs::{Loaded, LoadedKind};
use crate::link_options::{CommandLineOptions, ResolvedOptions};
use crate::options::{CodegenOptions, IrOptions, RunOptions, Selection};
use crate::progress::Progress;
use crate::report::Report;
use crate::request::{Functions, Output, Request};
use raddle_cubin::raw::Raw;
use raddle_target::Target;
use std::collections::BTreeSet;

/// Replaces the inputs of LLVM IR by PTX, in the place of the first, and those of LTO-IR likewise.
/// Returns whether there were no errors; they are in the report.
pub(crate) fn to_ptx(
    loaded: &mut Vec<Loaded>,
    given: &CommandLineOptions,
    sm: Option<u32>,
    (options, run): (&ResolvedOptions, &mut RunOptions),
    report: &mut Report,
    progress: &mut dyn Progress,
) -> bool {
    let kinds: [fn(&Loaded) -> bool; 2] = [|file| file.kind.is_lto_ir(), |file| file.kind == LoadedKind::Ir];
    for is_wanted in kinds {
        let Some(first) = loaded.iter().position(is_wanted) else { continue };
        let keep: Vec<String> = shared(loaded).into_iter().collect();
        let (ir, others): (Vec<Loaded>, Vec<Loaded>) = std::mem::take(loaded).into_iter().partition(is_wanted);
        let inputs = ir.iter().map(|file| Input { name: file.name.clone(), content: content(file) }).collect();
        let request = Request {
            selection: Selection { arch: given.target.or_else(|| by_number(sm)), ..Selection::default() },
            codegen: CodegenOptions { relocatable: true, ..options.codegen.clone() },
            run: run.clone(),
            reproduce: given.reproduce.clone(),
            output: Output::Objects(Functions::Exported),
            ir: IrOptions { keep, beside: named_by_ptx(&others), ..options.ir.clone() },
            ..Request::default()
        };
        let Some(made) = ir::to_ptx(&request, given.relocatable, inputs, report, progress) else { return false };
        run.early = made.early.or(run.early.take());
        let ptx = |input: Input| match input.content {
            Content::Text(text) => Some(Loaded {
                name: input.name,
                bytes: text.into_bytes().into(),
                library: false,
                inside: true,
                runtime: false,
                kind: LoadedKind::Ptx { options: String::new() },
            }),
            _ => None,
        };
        *loaded = others;
        loaded.splice(first..first, made.inputs.into_iter().filter_map(ptx));
    }
    true
}

fn content(file: &Loaded) -> Content {
    let bytes = &file.bytes;
    match String::from_utf8(bytes.to_vec()) {
        _ if file.kind.is_lto_ir() => Content::LtoIr(bytes.to_vec()),
        Ok(text) if crate::input::is_ir_named(&file.name, bytes) => Content::Ir(text),
        _ => Content::Bitcode(bytes.to_vec()),
    }
}

fn by_number(sm: Option<u32>) -> Option<&'static Target> {
    Target::by_name(&format!("sm_{}", sm?))
}

/// The architectures that PTX of the link names, with its names.
fn named_by_ptx(loaded: &[Loaded]) -> Vec<(String, &'static Target)> {
    let of = |file: &Loaded| match file.kind {
        LoadedKind::Ptx { .. } => {
            Some((file.name.clone(), ir::beside::target(std::str::from_utf8(&file.bytes).ok()?)?))
        }
        _ => None,
    };
    loaded.iter().filter_map(of).collect()
}

/// Symbols that PTX and cubins refer to, or define for others.
fn shared(loaded: &[Loaded]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for file in loaded {
        match &file.kind {
            LoadedKind::Ptx { .. } => {
                let text = String::from_utf8_lossy(&file.bytes);
                out.extend(ir::beside::shared(&text));
            }
            LoadedKind::Cubin => {
                if let Ok(raw) = Raw::parse(&file.bytes) {
                    out.extend(raw.shared());
                }
            }
            LoadedKind::Ir | LoadedKind::LtoIr { .. } => {}
        }
    }
    out
}
