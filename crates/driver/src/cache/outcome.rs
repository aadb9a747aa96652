//! What is kept of a whole build: output files and diagnostics.
//!
//! **Invariant.** What is read is what was written, or `None`; sizes in it never make more memory than
//! its bytes.

use super::wire::Wire;
use crate::codes;
use raddle_diag::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use raddle_target::Target;
use std::borrow::Cow;

/// The outcome of a build without errors.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome<'r> {
    /// The architecture.
    pub target: &'static Target,
    /// Its diagnostics, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The cubin, if that is the output.
    pub cubin: Option<Cow<'r, [u8]>>,
    /// The objects of the inputs, if they are the output.
    pub objects: Cow<'r, [Vec<u8>]>,
}

/// The severities, in the order of their numbers.
const SEVERITIES: [Severity; 4] = [Severity::Info, Severity::Warning, Severity::Error, Severity::Fatal];

impl Outcome<'_> {
    /// Its bytes before those of the output files.
    pub fn head(&self) -> Vec<u8> {
        let Outcome { target, diagnostics, cubin, objects: _ } = self;
        let mut out = Vec::new();
        target.name.to_owned().put(&mut out);
        (diagnostics.len() as u64).put(&mut out);
        diagnostics.iter().for_each(|diagnostic| put(diagnostic, &mut out));
        cubin.is_some().put(&mut out);
        self.files().map(|file| file.len() as u64).collect::<Vec<u64>>().put(&mut out);
        out
    }

    /// The output files.
    pub fn files(&self) -> impl Iterator<Item = &[u8]> {
        self.cubin.as_deref().into_iter().chain(self.objects.iter().map(Vec::as_slice))
    }

    /// Reads the outcome of a build with this many inputs.
    pub fn decode(mut bytes: &[u8], inputs: usize) -> Option<Outcome<'static>> {
        let bytes = &mut bytes;
        let target = Target::by_name(&String::get(bytes)?)?;
        let files = files(inputs);
        let mut diagnostics = Vec::new();
        for _ in 0..u64::get(bytes)? {
            diagnostics.push(get(bytes, &files)?);
        }
        let has_cubin = bool::get(bytes)?;
        let mut objects = Vec::new();
        for length in Vec::<u64>::get(bytes)? {
            objects.push(bytes.split_off(..usize::try_from(length).ok()?)?.to_vec());
        }
        if !bytes.is_empty() || has_cubin && objects.is_empty() {
            return None;
        }
        let cubin = has_cubin.then(|| Cow::Owned(objects.remove(0)));
        Some(Outcome { target, diagnostics, cubin, objects: Cow::Owned(objects) })
    }
}

/// Writes a diagnostic.
fn put(diagnostic: &Diagnostic, out: &mut Vec<u8>) {
    let Diagnostic { severity, code, message, labels, notes, helps, function } = diagnostic;
    let severity = SEVERITIES.iter().position(|one| one == severity).unwrap_or(usize::MAX) as u8;
    (severity, u32::from(code.number())).put(out);
    message.put(out);
    (labels.len() as u64).put(out);
    for Label { span: Span { file, start, end }, text } in labels {
        (file.index() as u32, (*start, *end)).put(out);
        text.put(out);
    }
    notes.put(out);
    helps.put(out);
    function.put(out);
}

/// The numbers of this many inputs.
fn files(inputs: usize) -> Vec<FileId> {
    let mut map = SourceMap::new();
    (0..inputs).filter_map(|_| map.add("", "").ok()).collect()
}

/// Reads a diagnostic with places in these inputs.
fn get(bytes: &mut &[u8], files: &[FileId]) -> Option<Diagnostic> {
    let (severity, number) = <(u8, u32)>::get(bytes)?;
    let severity = *SEVERITIES.get(usize::from(severity))?;
    let code = codes::registry().ok()?.find(&number.to_string())?.code;
    let message = String::get(bytes)?;
    let mut labels = Vec::new();
    for _ in 0..u64::get(bytes)? {
        let (file, (start, end)) = <(u32, (u32, u32))>::get(bytes)?;
        let file = *files.get(file as usize)?;
        labels.push(Label { span: Span::new(file, start, end), text: String::get(bytes)? });
    }
    let (notes, helps) = (Vec::get(bytes)?, Vec::get(bytes)?);
    Some(Diagnostic { severity, code, message, labels, notes, helps, function: Option::get(bytes)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome<'static> {
        let span = Span::new(files(2)[1], 3, 5);
        let warning = Diagnostic::warning(codes::E0084, "a warning").at(span, "hére").at(span, "").note("n").help("h");
        Outcome {
            target: Target::by_name("sm_90a").unwrap(),
            diagnostics: vec![warning.in_function("k"), Diagnostic::info(codes::E0086, "more")],
            cubin: Some(Cow::Owned(vec![1, 2, 3])),
            objects: Cow::Owned(vec![vec![], vec![4]]),
        }
    }

    fn encoded(outcome: &Outcome<'_>) -> Vec<u8> {
        [outcome.head()].into_iter().chain(outcome.files().map(<[u8]>::to_vec)).collect::<Vec<_>>().concat()
    }

    #[test]
    fn outcomes_come_back_as_they_were() {
        let with = outcome();
        let without = Outcome { cubin: None, objects: Cow::default(), diagnostics: Vec::new(), ..outcome() };
        for outcome in [with, without] {
            assert_eq!(Outcome::decode(&encoded(&outcome), 2), Some(outcome));
        }
    }

    /// Entries are sealed; but even what is sealed must not make a panic or a huge allocation.
    #[test]
    fn damage_is_not_taken_for_an_outcome() {
        let whole = encoded(&outcome());
        assert_eq!(Outcome::decode(&whole, 1), None, "a place in an input that the build does not have");
        for at in 0..whole.len() {
            assert_eq!(Outcome::decode(&whole[..at], 2), None, "cut at {at}");
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                std::hint::black_box(Outcome::decode(&damaged, 2));
            }
        }
        assert_eq!(Outcome::decode(&[&whole[..], &[0]].concat(), 2), None);
    }
}
