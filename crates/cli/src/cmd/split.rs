//! `raddle split`: a PTX module to a folder of modules, with a list of what is where.

use super::request;
use crate::args::Split;
use crate::ui::{Table, Ui};
use crate::{Done, Failure};
use raddle_diag::{Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::input::Content;
use raddle_driver::output::Dest;
use raddle_driver::split::{self, Unit};
use std::collections::BTreeSet;
use std::path::Path;

/// The list of units.
const MANIFEST: &str = "manifest.json";

/// Of the list's form.
const SCHEMA: u32 = 1;

pub(crate) fn run(args: &Split, ui: &Ui) -> Done {
    let mut inputs = request::read(std::slice::from_ref(&args.file), args.arch)?;
    if inputs.len() != 1 {
        let message = format!("'{}' has {} modules", args.file, inputs.len());
        return Err(Failure::new(codes::E0019, message));
    }
    let input = inputs.remove(0);
    let Content::Text(text) = input.content else {
        return Err(Failure::new(codes::E0005, format!("'{}' is a cubin, not a PTX module", input.name)));
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

/// Writes the units, then the list; what an earlier list names and this one does not is removed.
fn write(folder: &Path, units: &[Unit], manifest: &str) -> Done {
    let unwritable = |path: &Path, error: &std::io::Error| {
        Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let files: BTreeSet<&str> = units.iter().map(|unit| unit.file.as_str()).collect();
    for old in listed(&folder.join(MANIFEST)).iter().filter(|old| !files.contains(old.as_str())) {
        // What is not there any more need not be removed.
        let _ = std::fs::remove_file(folder.join(old));
    }
    let texts = units.iter().map(|unit| (unit.file.as_str(), unit.text.as_str()));
    for (file, text) in texts.chain([(MANIFEST, manifest)]) {
        let path = folder.join(file);
        Dest::new(&path).write(text.as_bytes()).map_err(|error| unwritable(&path, &error))?;
    }
    Ok(())
}

/// Files that a list in the folder names, if there is one; none that lie elsewhere.
fn listed(manifest: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let Ok(list) = serde_json::from_str::<serde_json::Value>(&text) else { return Vec::new() };
    let units = list["units"].as_array().cloned().unwrap_or_default();
    let names = units.iter().filter_map(|unit| unit["file"].as_str());
    names.filter(|name| name.ends_with(".ptx") && !name.contains(['/', '\\'])).map(str::to_owned).collect()
}

/// A table of units, for people.
fn show(units: &[Unit], ui: &Ui) {
    let mut table = Table::new(&["unit", "kernels", "kept", "copied", "owns", "uses", "bytes"]);
    for unit in units {
        let [kernels, kept, copied, owns, uses] =
            [&unit.kernels, &unit.kept, &unit.copied, &unit.owns, &unit.uses].map(|list| list.len().to_string());
        table.row([unit.file.clone(), kernels, kept, copied, owns, uses, unit.text.len().to_string()]);
    }
    ui.note(table.to_string().trim_end());
}
