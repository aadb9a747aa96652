//! The output of a unit's process: frames of a tag, a length and a payload.
//!
//! **Invariant.** Reading never panics, and allocates no more than the bytes can fill.

use crate::cache::{self, wire::Wire};
use crate::codes;
use crate::key::Key;
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
    Size(Size),
    /// What the process was asked for ([`crate::key::of_request`]).
    Request(Key),
    /// Something was said while the unit was compiled that is no error: only a compilation in the
    /// process of the whole program places it.
    Remarks,
}

/// The size of a compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// Instructions of its PTX text.
    pub instructions: u64,
    /// The peak of memory, in bytes.
    pub peak: u64,
    /// CPU time in microseconds.
    pub cpu: u64,
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
            Frame::Size(Size { instructions, peak, cpu }) => {
                ((*instructions, *peak), *cpu).put(&mut payload);
                b'n'
            }
            Frame::Request(key) => {
                payload = key.as_bytes().to_vec();
                b'q'
            }
            Frame::Remarks => b'r',
        };
        let mut bytes = vec![tag];
        (payload.len() as u64).put(&mut bytes);
        bytes.extend(payload);
        bytes
    }

    /// Takes the next complete and valid frame from the front of `bytes`; `None` if there is none.
    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Frame> {
        loop {
            let (tag, mut payload) = split(bytes)?;
            let frame = Frame::of(tag, &mut payload);
            if frame.is_some() {
                return frame;
            }
        }
    }

    /// Passes all frames of a process that has ended to `take`, one after another; `None` if anything
    /// else is among them, or `take` has refused one.
    pub(crate) fn each(mut bytes: &[u8], mut take: impl FnMut(Frame) -> Option<()>) -> Option<()> {
        while !bytes.is_empty() {
            let (tag, mut payload) = split(&mut bytes)?;
            take(Frame::of(tag, &mut payload).filter(|_| payload.is_empty())?)?;
        }
        Some(())
    }

    fn of(tag: u8, payload: &mut &[u8]) -> Option<Frame> {
        match tag {
            b's' => String::get(payload).map(Frame::Step),
            b'o' => cache::decode(std::mem::take(payload)).map(|object| Frame::Object(Box::new(object))),
            b'f' => Finding::get(payload).map(Frame::Finding),
            b'n' => {
                let ((instructions, peak), cpu) = Wire::get(payload)?;
                Some(Frame::Size(Size { instructions, peak, cpu }))
            }
            b'q' => {
                let (key, rest) = payload.split_first_chunk()?;
                *payload = rest;
                Some(Frame::Request(Key::of_bytes(*key)))
            }
            b'r' => Some(Frame::Remarks),
            _ => None,
        }
    }
}

/// Takes tag and payload of a frame from the front of `bytes`; `None` if it is not complete.
fn split<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let mut rest = *bytes;
    let tag = u8::get(&mut rest)?;
    let length = usize::try_from(u64::get(&mut rest)?).ok()?;
    let (payload, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    Some((tag, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Option<Vec<Frame>> {
        let mut frames = Vec::new();
        let taken = Frame::each(bytes, |frame| {
            frames.push(frame);
            Some(())
        });
        taken.map(|()| frames)
    }

    #[test]
    fn frames_come_back_whole_or_not_at_all() {
        let finding = Finding::of(&Diagnostic::error(codes::E0031, "too much").help("less"), Some("ret;".into()));
        let frames = [
            Frame::Step("opt".into()),
            Frame::Size(Size { instructions: 7, peak: 1 << 40, cpu: 3 }),
            Frame::Request(Key::of_bytes([7; 32])),
            Frame::Remarks,
            Frame::Finding(finding.clone()),
            Frame::Object(Box::default()),
        ];
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        let mut rest = &bytes[..];
        let read: Vec<Frame> = std::iter::from_fn(|| Frame::take(&mut rest)).collect();
        assert_eq!((&read[..], rest.len()), (&frames[..], 0));
        assert_eq!(all(&bytes).as_deref(), Some(&frames[..]));
        let mut ends = frames.iter().scan(0, |end, frame| {
            *end += frame.bytes().len();
            Some(*end)
        });
        let mut end = Some(0);
        for cut in 0..bytes.len() {
            if end == Some(cut) {
                end = ends.next();
                assert!(all(&bytes[..cut]).is_some());
            } else {
                assert_eq!(all(&bytes[..cut]), None, "cut at {cut}");
            }
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
        assert_eq!(all(&bytes), None, "but not where everything has to be right");
        assert_eq!(all(&[b'r', 1, 0, 0, 0, 0, 0, 0, 0, 7]), None, "a payload that is too long");
        assert_eq!(Frame::take(&mut &[b'o', 255, 255, 255, 255, 255, 255, 255, 255, 0][..]), None);
    }
}
