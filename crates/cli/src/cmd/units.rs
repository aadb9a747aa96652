//! `compile --emit-units` and `--units`: kernels that something else compiles, through a folder.

use super::remote;
use crate::args::Units;
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_diag::render::json;
use raddle_driver::codes;
use raddle_driver::collected;
use raddle_driver::emitted::{EmittedUnit, UnitFolder};
use raddle_driver::key::Key;
use raddle_driver::options::{EarlyObjects, RunOptions};
use raddle_driver::output::Dest;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// The list of units in a folder.
const LIST: &str = "units.json";
/// The commands that compile them, one a line.
const COMMANDS: &str = "commands";

/// The number of outputs that cannot be used and are named.
const NAMED: usize = 3;

/// The list of units.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    schema: u32,
    kind: String,
    version: String,
    units: Vec<Row>,
}

/// A unit of the list.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    number: usize,
    name: String,
    function: bool,
    file: String,
    output: String,
    arguments: Vec<String>,
    key: String,
    request: String,
    cost: u64,
}

/// Adds the folder to the options of a run, if one is given: one to write to, or objects from one.
pub(super) fn options(args: &Units, ui: &Ui, run: RunOptions) -> Result<RunOptions, Failure> {
    if let Some(path) = &args.emit_units {
        let folder = UnitFolder::create(path).map_err(|error| unwritable(path, &error))?;
        return Ok(RunOptions { emit: Some(Arc::new(folder)), ..run });
    }
    match &args.units {
        Some(path) => Ok(RunOptions { early: Some(Arc::new(collect(path, ui)?)), ..run }),
        None => Ok(run),
    }
}

/// Reads the objects of a folder. Those that are missing or cannot be used are a warning.
fn collect(path: &Path, ui: &Ui) -> Result<EarlyObjects, Failure> {
    let file = path.join(LIST);
    let shown = file.display();
    let text = std::fs::read(&file).map_err(|error| Failure::new(codes::E0001, format!("'{shown}': {error}")))?;
    let wrong = |why: String| Failure::new(codes::E0005, format!("'{shown}' is no list of units: {why}"));
    let list: List = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    if list.version != env!("CARGO_PKG_VERSION") {
        return Err(wrong(format!("it is of version {}", list.version)));
    }
    let units: Option<Vec<EmittedUnit>> = list.units.into_iter().map(Row::unit).collect();
    let units = units.ok_or_else(|| wrong("a key is malformed".to_owned()))?;
    let (mut objects, mut problems) = (Vec::new(), Vec::new());
    for unit in &units {
        match collected::object(path, unit) {
            Ok(object) => objects.push((unit.key, object)),
            Err(why) => problems.push(why),
        }
    }
    if !problems.is_empty() {
        let more = if problems.len() > NAMED { ", ..." } else { "" };
        let named = problems.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let (count, all) = (problems.len(), units.len());
        remote::tell(format!("{count} of {all} kernels of --units are compiled here: {named}{more}"), ui);
    }
    let mut early = EarlyObjects::default();
    early.extend(objects);
    Ok(early)
}

/// Writes the list of the units and the commands that compile them.
pub(super) fn finish(path: &Path, folder: &UnitFolder, ui: &Ui) -> Done {
    let units = folder.units();
    let commands: String = units.iter().map(command).collect();
    let list = List {
        schema: json::SCHEMA,
        kind: "units".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        units: units.iter().map(Row::of).collect(),
    };
    for (name, text) in [(COMMANDS, commands), (LIST, super::json(&list)?)] {
        let file = path.join(name);
        Dest::new(&file).write(text.as_bytes()).map_err(|error| unwritable(&file, &error))?;
    }
    ui.note(&format!("{} kernels in '{}'", units.len(), path.display()));
    Ok(())
}

/// The line that compiles a unit, for a shell in the folder. Its output is there only when it is
/// complete.
fn command(unit: &EmittedUnit) -> String {
    let words: Vec<String> = unit.arguments.iter().map(|word| quoted(word)).collect();
    let (words, EmittedUnit { file, output, .. }) = (words.join(" "), unit);
    format!("${{RADDLE:-raddle}} __unit {words} < {file} > {output}.part; mv {output}.part {output}\n")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
}

impl Row {
    fn of(unit: &EmittedUnit) -> Row {
        let EmittedUnit { number, name, function, file, output, arguments, key, request, cost } = unit.clone();
        let (key, request) = (key.to_string(), request.to_string());
        Row { number, name, function, file, output, arguments, key, request, cost }
    }

    fn unit(self) -> Option<EmittedUnit> {
        let Row { number, name, function, file, output, arguments, key, request, cost } = self;
        let (key, request) = (Key::parse(&key)?, Key::parse(&request)?);
        Some(EmittedUnit { number, name, function, file, output, arguments, key, request, cost })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--arch"), "--arch");
        assert_eq!(quoted("$odd"), "'$odd'");
        assert_eq!(quoted("a'b"), "'a'\\''b'");
        assert_eq!(quoted(""), "''");
    }
}
