//! `raddle split`: splits a PTX module into a folder of modules with a manifest; and the output of
//! `--verify-split`.

use super::request;
use crate::args::{MessageFormat, Split, SplitCompile};
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use crate::{Done, Failure};
use raddle_cubin::diff::{Difference, FunctionDifference, Side};
use raddle_diag::render::json;
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::input::Content;
use raddle_driver::link_options::threads;
use raddle_driver::output::Dest;
use raddle_driver::request::Request;
use raddle_driver::split::{self, Unit};
use std::collections::BTreeSet;
use std::path::Path;

/// The file name of the manifest.
const MANIFEST: &str = "manifest.json";

/// The reason why an object cannot be verified.
pub(super) const NO_EXECUTABLE: &str = "--verify-split compares executables, but a relocatable object is requested";

/// The schema number of the manifest.
const SCHEMA: u32 = 1;

pub(crate) fn run(args: &Split, ui: &Ui) -> Done {
    let mut inputs = request::read(std::slice::from_ref(&args.file), args.arch.into())?;
    if inputs.len() != 1 {
        let message = format!("'{}' has {} modules", args.file, inputs.len());
        return Err(Failure::new(codes::E0019, message));
    }
    let input = inputs.remove(0);
    let text = match input.content {
        Content::Text(text) => text,
        Content::Elf(_) => {
            return Err(Failure::new(codes::E0005, format!("'{}' is a cubin, not a PTX module", input.name)));
        }
        Content::Bitcode(_) | Content::Ir(_) | Content::LtoIr(_) => {
            return Err(super::is_ir(&input, "not a PTX module"));
        }
    };
    let (mut sources, mut diags) = (SourceMap::new(), Diags::with_policy(ui.policy()));
    sources.add(input.name, text).map_err(|error| Failure::new(codes::E0004, error.to_string()))?;
    let found = split::read(&sources, &mut diags);
    ui.show(&diags, &sources);
    if let Some(class) = diags.worst() {
        return Err(class.into());
    }
    let Some((split, target)) = found else { return Err(Failure::new(codes::E0041, "no errors and no result")) };
    let source = Path::new(&args.file).file_name().map_or("-".into(), |name| name.to_string_lossy());
    let manifest = serde_json::json!({
        "schema": SCHEMA, "source": source, "target": target.name, "units": split.units, "private": split.private,
    });
    let manifest = serde_json::to_string_pretty(&manifest).map_err(|e| Failure::new(codes::E0041, e.to_string()))?;
    write(&args.output, &split.units, &manifest)?;
    if args.verbose {
        show(&split.units, ui);
    }
    Ok(())
}

/// Writes the units, then the manifest; files that only an earlier manifest names are removed.
fn write(folder: &Path, units: &[Unit], manifest: &str) -> Done {
    let unwritable = |path: &Path, error: &std::io::Error| {
        Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let files: BTreeSet<&str> = units.iter().map(|unit| unit.file.as_str()).collect();
    for old in listed(&folder.join(MANIFEST)).iter().filter(|old| !files.contains(old.as_str())) {
        // The file may have been removed already.
        let _ = std::fs::remove_file(folder.join(old));
    }
    let texts = units.iter().map(|unit| (unit.file.as_str(), unit.text.as_str()));
    for (file, text) in texts.chain([(MANIFEST, manifest)]) {
        let path = folder.join(file);
        Dest::new(&path).write(text.as_bytes()).map_err(|error| unwritable(&path, &error))?;
    }
    Ok(())
}

/// The files that an existing manifest in the folder names, except those in other folders.
fn listed(manifest: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let Ok(list) = serde_json::from_str::<serde_json::Value>(&text) else { return Vec::new() };
    let units = list["units"].as_array().cloned().unwrap_or_default();
    let names = units.iter().filter_map(|unit| unit["file"].as_str());
    names.filter(|name| name.ends_with(".ptx") && !name.contains(['/', '\\'])).map(str::to_owned).collect()
}

/// Shows a table of units, in human format.
fn show(units: &[Unit], ui: &Ui) {
    let mut table = Table::new(&["unit", "kernels", "kept", "copied", "owns", "uses", "bytes"]);
    for unit in units {
        let [kernels, kept, copied, owns, uses] =
            [&unit.kernels, &unit.kept, &unit.copied, &unit.owns, &unit.uses].map(|list| list.len().to_string());
        table.row([unit.file.clone(), kernels, kept, copied, owns, uses, unit.text.len().to_string()]);
    }
    ui.note(table.to_string().trim_end());
}

/// The number of kernels at once, if given, and whether to compile through units.
pub(super) fn wanted(args: &SplitCompile, ui: &Ui) -> Result<(Option<usize>, bool), Failure> {
    let mut diags = Diags::new();
    let wanted = threads(args.split_compile, args.split_compile_extended, &mut diags);
    diags.iter().try_for_each(|warning| request::warn(Diagnostic::clone(warning), ui))?;
    Ok(wanted)
}

/// Compiles as a whole and in units, and compares both.
pub(super) fn verify(request: &Request, ui: &Ui) -> Done {
    match split::verify(request) {
        Ok(found) => verified(found.units, &found.cubins[0], &found.cubins[1], ui),
        Err(report) => {
            ui.show(&report.diags, &report.sources);
            Err(report.diags.worst().map_or(Failure::Told(4), Failure::from))
        }
    }
}

/// Shows the differences between the executable of the whole and that of the units; fails if there
/// are any.
pub(super) fn verified(units: usize, whole: &[u8], split: &[u8], ui: &Ui) -> Done {
    let (whole, split) = (super::parse_cubin("<whole>", whole)?, super::parse_cubin("<units>", split)?);
    let difference = Difference::new(&whole, &split);
    if ui.format() == MessageFormat::Json {
        let object = serde_json::json!({
            "schema": json::SCHEMA, "kind": "split", "units": units, "difference": difference,
        });
        ui.note(&object.to_string());
    } else if ui.human() {
        differences(&difference, ui);
        ui.note(&format!("{units} objects: {} functions equal, {} not", difference.equal, difference.functions.len()));
    }
    if difference.is_empty() {
        return Ok(());
    }
    let message = format!("{} functions differ between the whole and its units", difference.functions.len());
    ui.show_one(&Diagnostic::error(codes::E0076, message), &SourceMap::new());
    Err(Failure::Told(1))
}

/// Shows a table of differences, in human format: the whole first.
fn differences(difference: &Difference, ui: &Ui) {
    if difference.functions.is_empty() {
        return;
    }
    let mut table = Table::new(&["function", "what", "whole", "units"]);
    for function in &difference.functions {
        let name = demangle(&function.name);
        for [what, whole, units] in rows(function) {
            table.row([name.clone(), what, whole, units]);
        }
    }
    ui.note(table.to_string().trim_end());
}

/// The differences in one function.
fn rows(function: &FunctionDifference) -> Vec<[String; 3]> {
    let text = |text: &str| text.to_owned();
    match function.only_in {
        Some(Side::A) => return vec![[text("function"), text("there"), text("missing")]],
        Some(Side::B) => return vec![[text("function"), text("missing"), text("there")]],
        None => {}
    }
    let facts = function.facts.iter().map(|fact| [text(fact.fact), fact.a.to_string(), fact.b.to_string()]);
    let banks = function.banks.iter().map(|bank| [format!("constant bank {bank}"), text("differs"), text("differs")]);
    let count = |side: fn(&raddle_cubin::diff::Change) -> (usize, usize)| -> usize {
        function.changes.iter().map(side).map(|(start, end)| end - start).sum()
    };
    let changed = [count(|change| change.a), count(|change| change.b)];
    let code = (!function.changes.is_empty())
        .then(|| [text("instructions that differ"), changed[0].to_string(), changed[1].to_string()]);
    facts.chain(banks).chain(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_cubin::diff::{Change, FactDifference};

    #[test]
    fn every_kind_of_difference_has_a_row() {
        let mut function = FunctionDifference {
            name: "k".into(),
            only_in: None,
            facts: vec![FactDifference { fact: "registers", a: 24, b: 32 }],
            banks: vec![3],
            changes: vec![Change { a: (0, 2), b: (0, 5) }],
            instructions: (8, 8),
        };
        let shown: Vec<String> = rows(&function).iter().map(|row| row.join(" ")).collect();
        assert_eq!(shown, ["registers 24 32", "constant bank 3 differs differs", "instructions that differ 2 5"]);
        function.only_in = Some(Side::B);
        assert_eq!(rows(&function), [["function", "missing", "there"].map(str::to_owned)]);
    }
}
