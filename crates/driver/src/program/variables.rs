//! Objects of variables, which belong to no kernel.

use super::{Module, Program};
use crate::codes;
use raddle_cubin::unit::{Definition, UnitObject};
use raddle_diag::{Diagnostic, Diags, Span};
use std::collections::BTreeSet;

/// One object per module with the variables visible to the host, whether a kernel uses them or not.
pub fn visible(program: &Program, diags: &mut Diags) -> Vec<UnitObject> {
    let mut objects = Vec::new();
    for (index, module) in program.modules.iter().enumerate() {
        match raddle_lower::visible(&module.text, &module.outline) {
            Ok(data) if data.is_empty() => {}
            Ok(data) => objects.push(object(index, module, &data)),
            Err(refused) => diags.extend(refused.into_iter().map(|item| {
                let at = Span::point(module.file, item.offset as u32);
                Diagnostic::error(codes::E0033, format!("variable '{}'", item.name)).at(at, item.why)
            })),
        }
    }
    objects
}

/// An object of variables.
pub fn object(index: usize, module: &Module, data: &[raddle_ir::unit::Data]) -> UnitObject {
    let mut object = UnitObject { module: index as u32, ..UnitObject::default() };
    raddle_codegen::add_data(&mut object, data);
    for r in data.iter().flat_map(|d| &d.relocs) {
        if let Some(text) = raddle_lower::function_type(&module.outline, &r.symbol) {
            let name = object.symbols.intern(&r.symbol);
            object.types.push((name, text));
        }
    }
    object
}

/// One object per module with the variables that its objects define, in the order of the text: an
/// object stores variables in the order of their first definition, which must not depend on which
/// kernel comes first.
pub fn in_order_of_text(program: &Program, objects: &[UnitObject]) -> Vec<UnitObject> {
    let mut out = Vec::new();
    for (index, module) in program.modules.iter().enumerate() {
        let own = objects.iter().filter(|object| object.module as usize == index);
        let defined = own.flat_map(|object| {
            let data = object.data.iter().filter(|d| !matches!(d.definition, Definition::Extern(_)));
            data.filter_map(|d| object.symbols.name(d.name))
        });
        let defined: BTreeSet<&str> = defined.collect();
        let names = module.outline.globals.values().map(|global| &*global.var.name);
        let names: Vec<&str> = names.filter(|name| defined.contains(name)).collect();
        // They have been described before: otherwise they would not be in the objects.
        if let Ok(data) = raddle_lower::named(&module.text, &module.outline, &names, false)
            && !data.is_empty()
        {
            out.push(object(index, module, &data));
        }
    }
    out
}
