//! The text and the key of a unit (D9).

use crate::key::{Key, of_text};
use crate::program::Module;
use raddle_diag::Diags;
use raddle_ir::CodegenOptions;
use raddle_ptx::FuncId;
use raddle_target::Target;

/// The key of a kernel of a module, or of a function that is not inlined.
pub fn key(module: &Module, func: FuncId, options: &CodegenOptions, target: &Target) -> Key {
    let key = match module.out_of_line.as_ref().filter(|_| options.relocatable) {
        Some(out_of_line) => {
            let stays = |id: FuncId| out_of_line.called.contains(&id);
            let (text, outline) = (&module.text, &module.outline);
            let own = raddle_ptx::extract_out_of_line(text, module.file, outline, func, &stays, &mut Diags::new());
            let key = of_text(&own, options, target);
            // What such code depends on and is not in that text: whether it is for another linker, and the
            // other names of a function.
            let names: Vec<&str> = outline.aliases_of(func).collect();
            match (out_of_line.external, &names[..]) {
                (false, []) => key,
                (external, names) => key.with_text(&format!("{external} {names:?}")),
            }
        }
        None => of_text(&text(module, func), options, target),
    };
    if !options.lineinfo {
        return key;
    }
    // Line tables refer to lines of the whole text, which is then part of the key.
    key.with_text(&module.text)
}

/// The text of a unit. Errors in the bodies are reported elsewhere.
pub fn text(module: &Module, func: FuncId) -> String {
    raddle_ptx::extract(&module.text, module.file, &module.outline, func, &mut Diags::new())
}
