//! The output of a unit's process: frames of a tag, a length and a payload.

use crate::cache::{self, wire::Wire};
use crate::codes;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Severity};

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    /// The start of a step.
    Step(String),
    /// The object, after a compilation without findings.
    Object(Box<UnitObject>),
    /// A diagnostic.
    Finding(Finding),
    /// The size of the compilation.
    Size {
        /// Instructions of its PTX text.
        instructions: u64,
        /// The peak of memory, in bytes.
        peak: u64,
    },
}

/// A diagnostic without its place, which would refer to the unit's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    code: String,
    message: String,
    notes: Vec<String>,
    helps: Vec<String>,
}

impl Finding {
    pub(crate) fn of(diagnostic: &Diagnostic, line: Option<String>) -> Finding {
        let mut notes = diagnostic.notes.clone();
        notes.extend(diagnostic.labels.iter().map(|label| label.text.clone()).filter(|text| !text.is_empty()));
        notes.extend(line.map(|line| format!("at `{line}`")));
        Finding {
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            notes,
            helps: diagnostic.helps.clone(),
        }
    }

    /// Converts it to an error.
    pub(crate) fn diagnostic(self) -> Diagnostic {
        let registry = codes::registry().ok();
        let code = registry.as_ref().and_then(|codes| codes.find(&self.code)).map_or(codes::E0041, |row| row.code);
        let mut diagnostic = Diagnostic::new(Severity::Error, code, self.message);
        (diagnostic.notes, diagnostic.helps) = (self.notes, self.helps);
        diagnostic
    }
}

impl Wire for Finding {
    fn put(&self, out: &mut Vec<u8>) {
        let Finding { code, message, notes, helps } = self;
        code.put(out);
        message.put(out);
        notes.put(out);
        helps.put(out);
    }

    fn get(bytes: &mut &[u8]) -> Option<Finding> {
        Some(Finding {
            code: Wire::get(bytes)?,
            message: Wire::get(bytes)?,
            notes: Wire::get(bytes)?,
            helps: Wire::get(bytes)?,
        })
    }
}

impl Frame {
    /// Encodes it: tag, length, payload.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        let tag = match self {
            Frame::Step(step) => {
                step.put(&mut payload);
                b's'
            }
            Frame::Object(object) => {
                payload = cache::encode(object);
                b'o'
            }
            Frame::Finding(finding) => {
                finding.put(&mut payload);
                b'f'
            }
            Frame::Size { instructions, peak } => {
                (*instructions, *peak).put(&mut payload);
                b'n'
            }
        };
        let mut bytes = vec![tag];
        (payload.len() as u64).put(&mut bytes);
        bytes.extend(payload);
        bytes
    }

    /// Takes the next complete and valid frame from the front of `bytes`; `None` if there is none.
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Frame> {
        loop {
            let mut rest = *bytes;
            let tag = u8::get(&mut rest)?;
            let length = usize::try_from(u64::get(&mut rest)?).ok()?;
            let (mut payload, rest) = rest.split_at_checked(length)?;
            *bytes = rest;
            let frame = match tag {
                b's' => String::get(&mut payload).map(Frame::Step),
                b'o' => cache::decode(payload).map(|object| Frame::Object(Box::new(object))),
                b'f' => Finding::get(&mut payload).map(Frame::Finding),
                b'n' => <(u64, u64)>::get(&mut payload).map(|(instructions, peak)| Frame::Size { instructions, peak }),
                _ => None,
            };
            if frame.is_some() {
                return frame;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_whole_or_not_at_all() {
        let finding = Finding::of(&Diagnostic::error(codes::E0031, "too much").help("less"), Some("ret;".into()));
        let frames = [
            Frame::Step("opt".into()),
            Frame::Size { instructions: 7, peak: 1 << 40 },
            Frame::Finding(finding.clone()),
            Frame::Object(Box::default()),
        ];
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        let mut rest = &bytes[..];
        let read: Vec<Frame> = std::iter::from_fn(|| Frame::take(&mut rest)).collect();
        assert_eq!((&read[..], rest.len()), (&frames[..], 0));
        for cut in 0..bytes.len() {
            let mut rest = &bytes[..cut];
            let read = std::iter::from_fn(|| Frame::take(&mut rest)).count();
            assert!(read < frames.len() && frames[..read].iter().map(|f| f.bytes().len()).sum::<usize>() <= cut);
        }
        let back = finding.diagnostic();
        assert_eq!((back.code, back.notes, back.helps), (codes::E0031, vec!["at `ret;`".into()], vec!["less".into()]));
    }

    #[test]
    fn nonsense_is_passed_over() {
        let mut bytes = vec![b'?', 2, 0, 0, 0, 0, 0, 0, 0, 1, 1];
        bytes.extend(Frame::Step("opt".into()).bytes());
        assert_eq!(Frame::take(&mut &bytes[..]), Some(Frame::Step("opt".into())));
        assert_eq!(Frame::take(&mut &[b'o', 255, 255, 255, 255, 255, 255, 255, 255, 0][..]), None);
    }
}
