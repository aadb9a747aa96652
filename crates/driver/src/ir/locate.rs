//! Where the PTX of LLVM IR comes from: the instruction of the input, for an error in the PTX.
//!
//! Problem: PTX that this compiler lacks comes from an intrinsic or from inline assembly of some
//! input, and users know the input, not the PTX. Strategy: only after such an error, the IR is
//! compiled to PTX once more, with instructions numbered in place of source lines; the PTX is the
//! same but for `.loc`, which has the numbers. So is what LLVM says before it ends its process for
//! an instruction that the architecture lacks, but for the place of the instruction.

use super::tasks::{Job, Question};
use super::watched::Watched;
use super::{Build, Module};
use crate::codes;
use crate::input::Content;
use crate::report::{IrStepKind, Report};
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_frontend::protocol::{Request as Ask, Response};
use raddle_frontend::steps::{Place, file_of};
use raddle_jobs::Task;
use std::collections::{BTreeMap, BTreeSet};

/// Adds to errors in PTX that was made here, and to LLVM's fatal errors, the instructions of the
/// inputs that they come from.
pub(crate) fn locate(report: &mut Report) {
    let Some(mut origin) = report.origin.take() else { return };
    if !report.diags.iter().any(|diagnostic| is_located(diagnostic) || is_fatal(diagnostic)) {
        return;
    }
    let inputs = std::mem::take(&mut origin.request.inputs);
    let modules: Vec<Module> = inputs.into_iter().filter_map(Module::of).collect();
    let mut again = Report::new(report.diags.policy());
    let watched = &mut Watched { report: &mut again, progress: &mut () };
    let Some(build) = Build::new(&origin.request, origin.keep_all, watched) else { return };
    let build = Build { compile_early: false, ..build };
    let ready = build.run(&modules, &[], watched);
    let numbered: BTreeMap<String, String> = ready
        .into_iter()
        .flat_map(|ready| ready.inputs)
        .filter_map(|input| match input.content {
            Content::Text(text) => Some((input.name, text)),
            _ => None,
        })
        .collect();
    let files = modules.iter().map(|module| (file_of(&module.name), module.name.clone())).collect();
    let mut found = numbers(&report.diags, &report.sources, &numbered, &files);
    found.extend(fatal(&report.diags, &watched.diags, &files));
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (name, number) in found.values().flatten() {
        wanted.entry(name.clone()).or_default().insert(*number);
    }
    if wanted.is_empty() {
        return;
    }
    // Errors of the second compilation are those of the first.
    watched.diags = Diags::with_policy(watched.diags.policy());
    let Some(places) = build.places(&modules, &wanted, watched) else { return };
    for (index, diagnostic) in report.diags.iter_mut().enumerate() {
        for key @ (name, _) in found.get(&index).into_iter().flatten() {
            let Some(place) = places.get(key) else { continue };
            let module = modules.iter().find(|module| module.name == *name);
            let line =
                module.and_then(|module| line(&module.bytes, place)).map_or(String::new(), |n| format!(", line {n}"));
            let Place { function, text } = place;
            diagnostic.notes.push(format!("{ORIGIN}'{name}'{line}, function {function}: {}", text.trim()));
        }
    }
}

/// An instruction of an input: the input, and its number in it.
type Numbered = (String, u32);

/// Whether LLVM ended its process with a reason, or an intrinsic is known to be the reason: then it
/// may name the instruction.
fn is_fatal(diagnostic: &Diagnostic) -> bool {
    let has_reason = |note: &String| note.contains("LLVM ERROR") || note.contains(super::culprit::WITHOUT);
    diagnostic.code == codes::E0093 && diagnostic.notes.iter().any(has_reason)
}

/// For fatal errors by index: the instructions that LLVM names in that of `again` with the same
/// message. `files` has the inputs by the names of their files.
fn fatal(diags: &Diags, again: &Diags, files: &BTreeMap<String, String>) -> BTreeMap<usize, Vec<Numbered>> {
    let named = |diagnostic: &Diagnostic| {
        let same = again.iter().find(|other| is_fatal(other) && other.message == diagnostic.message);
        let lines = same.into_iter().flat_map(|other| &other.notes);
        let mut places: Vec<Numbered> = lines.filter_map(|line| place_in(line, files)).collect();
        places.dedup();
        places
    };
    let fatal = diags.iter().enumerate().filter(|(_, diagnostic)| is_fatal(diagnostic)).take(MOST);
    fatal.map(|(index, diagnostic)| (index, named(diagnostic))).collect()
}

/// The first instruction that a line of LLVM's names, as a file and a line of it.
fn place_in(line: &str, files: &BTreeMap<String, String>) -> Option<Numbered> {
    files.iter().find_map(|(file, name)| {
        let rest = line.split_once(&format!("{file}:"))?.1;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        Some((name.clone(), rest[..digits].parse().ok()?))
    })
}

/// The start of the note that names the instruction of an input.
pub(crate) const ORIGIN: &str = "it comes from ";

/// Whether a diagnostic is an error in a statement.
fn is_located(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() && !diagnostic.labels.is_empty() && diagnostic.function.is_some()
}

/// Errors beyond this number are not located: each takes a search of the text.
const MOST: usize = 100;

/// For diagnostics by index: the input, and the number of the instruction in it. `files` has the
/// inputs by the names in `.file`.
fn numbers(
    diags: &Diags,
    sources: &SourceMap,
    numbered: &BTreeMap<String, String>,
    files: &BTreeMap<String, String>,
) -> BTreeMap<usize, Vec<Numbered>> {
    let mut out = BTreeMap::new();
    for (index, diagnostic) in diags.iter().enumerate().filter(|(_, diagnostic)| is_located(diagnostic)).take(MOST) {
        let Some(label) = diagnostic.labels.first() else { continue };
        let Some(source) = sources.get(label.span.file) else { continue };
        let Some(text) = numbered.get(source.name()) else { continue };
        let Some(function) = diagnostic.function.as_deref() else { continue };
        let start = label.span.start as usize;
        let statement = source.text()[source.line_range(start)].trim();
        // The same statement of the same function in the other text.
        let before = Statements::new(&source.text()[..source.line_range(start).start], function, statement).count();
        let found = Statements::new(text, function, statement).nth(before).flatten();
        out.extend(
            found.and_then(|(file, number)| Some((index, vec![(files.get(file_name(text, file)?)?.clone(), number)]))),
        );
    }
    out
}

/// The statements of a text that are equal to one, in the definition of a function: for each, the
/// file and the line that its `.loc` names.
struct Statements<'t> {
    lines: std::str::Lines<'t>,
    function: &'t str,
    statement: &'t str,
    inside: bool,
    place: Option<(&'t str, u32)>,
}

impl<'t> Statements<'t> {
    fn new(text: &'t str, function: &'t str, statement: &'t str) -> Statements<'t> {
        Statements { lines: text.lines(), function, statement, inside: false, place: None }
    }
}

impl<'t> Iterator for Statements<'t> {
    type Item = Option<(&'t str, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        for line in self.lines.by_ref() {
            if line.contains(".entry ") || line.contains(".func ") {
                let named = |word: &str| word.split('(').next() == Some(self.function);
                self.inside = line.split_whitespace().any(named);
            }
            if let [".loc", file, number, ..] = line.split_whitespace().collect::<Vec<&str>>()[..] {
                self.place = number.parse().ok().map(|number| (file, number));
            } else if self.inside && line.trim() == self.statement {
                return Some(self.place);
            }
        }
        None
    }
}

/// The name of a file by its number, from `.file`.
fn file_name<'t>(text: &'t str, number: &str) -> Option<&'t str> {
    let row = text.lines().find(|line| line.split_whitespace().take(2).eq([".file", number]))?;
    row.split('"').rev().nth(1)
}

/// The line of a textual input with an instruction, from 1, if there is exactly one in its function.
fn line(bytes: &[u8], place: &Place) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let head = format!("@{}(", place.function);
    let quoted = format!("@\"{}\"(", place.function);
    let is_head = |line: &str| line.starts_with("define") && (line.contains(&head) || line.contains(&quoted));
    // Metadata at the end is numbered anew by LLVM.
    let plain = |line: &str| {
        line.split(", !").next().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_owned()
    };
    let wanted = plain(&place.text);
    let lines = text.lines().enumerate().skip_while(|(_, line)| !is_head(line)).take_while(|(_, line)| *line != "}");
    let mut same = lines.filter(|(_, line)| plain(line) == wanted).map(|(number, _)| number + 1);
    let first = same.next()?;
    same.next().is_none().then_some(first)
}

impl Build<'_> {
    /// The instructions of inputs with these numbers.
    fn places(
        &self,
        modules: &[Module],
        wanted: &BTreeMap<String, BTreeSet<u32>>,
        report: &mut Watched<'_>,
    ) -> Option<BTreeMap<Numbered, Place>> {
        let question = |module: &'_ Module| {
            let numbers = wanted.get(&module.name)?.iter().copied().collect();
            let job = Job {
                name: "places".into(),
                what: format!("'{}'", module.name),
                priority: 0,
                cost: module.bytes.len() as u64,
                functions: 0,
            };
            Some((job, Ask::Places { name: module.name.clone(), numbers }))
        };
        let asked: Vec<&Module> = modules.iter().filter(|module| wanted.contains_key(&module.name)).collect();
        let questions: Vec<Question<'_>> = asked
            .iter()
            .filter_map(|module| {
                let (job, request) = question(module)?;
                Some(Question { job, request, contents: vec![&module.bytes] })
            })
            .collect();
        let answer = |question: &Question<'_>, task: &mut Task| self.answer(question, task);
        let answers = self.all(IrStepKind::Other, &questions, answer, report)?;
        let mut out = BTreeMap::new();
        for (module, (response, _)) in asked.iter().zip(answers) {
            let Response::Places { places } = response else { continue };
            out.extend(places.into_iter().map(|(number, place)| ((module.name.clone(), number), place)));
        }
        Some(out)
    }
}
