//! The image of an executable: what kernels reach, with every field filled in that is known.
//!
//! | step | file | result |
//! |---|---|---|
//! | lay out | `layout.rs` | places of live variables, shared memory, address slots |
//! | patch | `patch.rs` | kernels contain their callees; all known fields are filled in |
//! | here | `mod.rs`, `symbols.rs`, `stack.rs` | the [`Image`] |

mod layout;
mod patch;
mod stack;
mod symbols;

use std::collections::BTreeMap;

use raddle_cubin::elf::st;
use raddle_cubin::info::code;
use raddle_cubin::model::Kind;
use raddle_cubin::unit::Function;
use raddle_entity::Executor;
use raddle_target::{Isa, Native};

use super::image::{Callee, Data, Image, Patchable, Pending, Sym, Text};
use super::resolve::{Body, DefId, Program, opaque_parameters};
use super::{frame, lines};
use crate::options::{Debug, FinalizeOptions, Format};
use crate::{LinkError, indexed};
use layout::{KernelLayout, Layout};
use patch::{KernelText, Patched};

/// Lays out and patches a program.
///
/// # Errors
/// A [`LinkError`] that names the symbol and its module.
pub(super) fn image<'a>(
    program: &Program<'a>,
    options: &FinalizeOptions<'_>,
    format: &Format,
    native: &Native,
    executor: &dyn Executor,
) -> Result<Image<'a>, LinkError> {
    let layout = layout::run(program, native, executor)?;
    let mut patched = patch::run(program, &layout, native, executor)?;
    let texts: Vec<Text<'a>> =
        layout.kernels.iter().zip(&mut patched.kernels).map(|(k, text)| of_kernel(program, k, text, format)).collect();
    let lines = (options.debug != Debug::None).then(|| {
        let texts = texts.iter().map(|text| {
            let rows = |&(f, offset): &(&'a Function, u32)| Some((f.lines.as_ref()?, u64::from(offset)));
            let functions = text.functions.iter().filter_map(rows).collect();
            lines::Text { module: 0, functions, end: text.code.len() as u64 }
        });
        lines::run(texts, &[])
    });
    let described = texts.iter().map(|t| {
        let frame = t.functions.first().map_or(0, |(f, _)| f.frame_size);
        frame::Described { code: t.code.len() as u64, frame, steps: None }
    });
    let frame = frame::run(described, false);
    let (locals, globals) = symbols::plan(program, &layout, &patched, &texts, format);
    let address = |k: usize, offset: u64| Pending { offset, number: 2, symbol: Sym::Def(texts[k].def), addend: 0 };
    let mut relocations: BTreeMap<Patchable, Vec<Pending<'a>>> = BTreeMap::new();
    for (k, text) in patched.kernels.iter_mut().enumerate() {
        relocations.insert(Patchable::Text(k), std::mem::take(&mut text.pending));
    }
    let sm = if native.isa >= Isa::Sm90 { 90 } else { 80 };
    for (k, kernel) in layout.kernels.iter().enumerate() {
        let words = kernel.words.iter().enumerate().filter_map(|(n, &id)| {
            let number = match program.def(id).body {
                Body::Bound(st::CUDA_SAMPLER, _) => indexed::sampler(sm),
                Body::Bound(_, number) => number,
                _ => return None,
            };
            let offset = patch::word_offset(program, kernel.def, native, n);
            Some(Pending { offset, number, symbol: Sym::Def(id), addend: 0 })
        });
        relocations.insert(Patchable::Params(k), words.collect());
    }
    let Patched { global_init, constant, slots, .. } = patched;
    relocations.insert(Patchable::Slots, slots);
    relocations.insert(Patchable::GlobalInit, global_init.1);
    relocations.insert(Patchable::Const, constant.1);
    for (section, table) in lines.iter().flat_map(|l| [(Patchable::Line, &l.source), (Patchable::PtxLine, &l.ptx)]) {
        relocations.insert(section, table.addresses.iter().map(|&(k, offset)| address(k, offset)).collect());
    }
    let frames = frame.addresses.iter().enumerate().map(|(k, &offset)| address(k, offset));
    relocations.insert(Patchable::Frame, frames.collect());
    let calls = texts
        .iter()
        .flat_map(|text| text.externals.iter().map(|&external| (Sym::Def(text.def), Callee::Function(external))));
    Ok(Image {
        kind: Kind::Executable,
        data: Data {
            global_init: (global_init.0, layout.global_init.align),
            constant: (constant.0, layout.constant.align),
            global: (layout.global.size, layout.global.align),
            shared: (0, 1),
        },
        slots: layout.slots.len(),
        relocations,
        frame,
        lines,
        debug: Vec::new(),
        locals,
        globals,
        facts: facts(program, &layout, &texts),
        calls: [calls.collect(), Vec::new(), Vec::new(), Vec::new()],
        prototypes: None,
        types: Vec::new(),
        texts,
    })
}

/// A kernel's section of code, with its contents moved out of `patched`.
fn of_kernel<'a>(
    program: &Program<'a>,
    layout: &KernelLayout,
    patched: &mut KernelText<'a>,
    format: &Format,
) -> Text<'a> {
    let shared = &layout.shared;
    let words = layout.words.iter().filter_map(|&id| match program.def(id).body {
        Body::Bound(kind, _) => Some(kind),
        _ => None,
    });
    let functions = patched.copies.iter().filter_map(|c| Some((function(program, c.def)?, c.offset as u32)));
    Text {
        def: layout.def,
        name: program.def(layout.def).name,
        functions: functions.collect(),
        code: std::mem::take(&mut patched.code),
        pool: std::mem::take(&mut patched.constants),
        shared: shared.used.then(|| (shared.size + u64::from(format.shared_base), shared.align)),
        externals: externals(program, patched),
        words: words.collect(),
        opaque: opaque_parameters(program, layout.def),
    }
}

fn function<'a>(program: &Program<'a>, id: DefId) -> Option<&'a Function> {
    if let Body::Function(f) = program.def(id).body { Some(f) } else { None }
}

/// The functions of the driver that a kernel refers to.
fn externals<'a>(program: &Program<'a>, text: &KernelText<'a>) -> Vec<Sym<'a>> {
    let mut out = Vec::new();
    for copy in &text.copies {
        let (Some(f), unit) = (function(program, copy.def), program.def(copy.def).unit) else { continue };
        for r in &f.relocations {
            if let Some(id) = program.lookup(unit, r.symbol)
                && matches!(program.def(id).body, Body::External)
                && !out.contains(&Sym::Def(id))
            {
                out.push(Sym::Def(id));
            }
        }
    }
    out
}

/// `.nv.info`: registers and frames of each kernel with its copies, then the stack sizes of
/// kernels.
fn facts<'a>(program: &Program<'a>, layout: &Layout, texts: &[Text<'a>]) -> Vec<(u8, Sym<'a>, u32)> {
    let mut out = Vec::new();
    for (k, text) in texts.iter().enumerate() {
        out.push((code::REGCOUNT, Sym::Def(text.def), text.registers().into()));
        for (c, (f, _)) in text.functions.iter().enumerate() {
            let parts = f.parts.iter().enumerate();
            out.extend(parts.map(|(p, part)| (code::FRAME_SIZE, Sym::Part(k, c, p), part.frame_size)));
            let symbol = if c == 0 { Sym::Def(text.def) } else { Sym::Copy(k, c) };
            out.push((code::FRAME_SIZE, symbol, f.frame_size));
        }
    }
    for kernel in &layout.kernels {
        out.push((code::MIN_STACK_SIZE, Sym::Def(kernel.def), stack::size(program, kernel)));
    }
    out
}
