//! Reads what an engine returns for a unit. Nothing of it is trusted: it is read as bytes of anybody,
//! within bounds, and only an object for this very request is taken.

use crate::engine::{Answer, EngineError};
use crate::key::Key;
use crate::program::Unit;
use crate::remote::plain;
use crate::unit::is_of;
use crate::unit::isolated::frames::{Frame, Size};
use raddle_cubin::unit::UnitObject;

/// The most bytes of an answer that are read.
const MOST: usize = 256 << 20;

/// What an answer contains.
#[derive(Debug, PartialEq)]
pub enum Received {
    /// The object of the unit, and nothing to say about it.
    Object(Box<UnitObject>, Size),
    /// The compiler ran, and has something to say.
    Findings,
    /// Nothing that can be used, and the failure that this is.
    Nothing(EngineError),
}

/// Reads the answer to the request with the key `asked`.
pub fn receive(answer: &Result<Answer, EngineError>, asked: &Key, unit: &Unit) -> Received {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Received::Nothing(error.clone()),
    };
    let failed = |why: String| Received::Nothing(EngineError::Failed(why));
    if answer.output.len() > MOST {
        return failed("the answer is too large".to_owned());
    }
    let (mut object, mut size, mut requests, mut findings) = (None, Size::default(), Vec::new(), false);
    let read = Frame::each(&answer.output, |frame| {
        match frame {
            Frame::Step(_) => {}
            Frame::Object(it) if object.is_none() => object = Some(it),
            Frame::Request(key) if requests.is_empty() => requests.push(key),
            Frame::Object(_) | Frame::Request(_) => return None,
            Frame::Size(it) => size = it,
            Frame::Finding(_) | Frame::Remarks => findings = true,
        }
        Some(())
    });
    if read.is_none() {
        return failed("the answer is damaged".to_owned());
    }
    if requests != [*asked] {
        // A program that does not start says nothing else.
        let said = answer.said.lines().rev().find(|line| !line.trim().is_empty()).map_or(String::new(), plain);
        let status = answer.status;
        return failed(match requests.is_empty() {
            true => format!("`raddle __unit` did not run there: exit status {status}: {said}"),
            false => "the answer is to another request".to_owned(),
        });
    }
    match object {
        _ if findings => Received::Findings,
        Some(object) if answer.status == 0 && is_of(&object, &unit.name, unit.is_function()) => {
            Received::Object(object, size)
        }
        Some(_) if answer.status == 0 => failed("the answer is the object of another unit".to_owned()),
        _ => failed(format!("the process ended with status {} without an object", answer.status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Role;
    use crate::unit::isolated::frames::Finding;
    use raddle_cubin::unit::{Entry, Function, Linkage};
    use raddle_diag::Diagnostic;
    use raddle_entity::EntityRef;
    use raddle_ptx::FuncId;

    fn unit(role: Role) -> Unit {
        Unit {
            module: 0,
            func: FuncId::new(0),
            role,
            relocatable: false,
            name: "k".into(),
            cost: 1,
            bytes: 1,
            measured: false,
            registers: None,
        }
    }

    fn object(name: &str, entry: bool) -> Frame {
        let mut object = UnitObject::default();
        let name = object.symbols.intern(name);
        object.functions = vec![Function::new(name, Linkage::Visible, entry.then(Entry::default), vec![0; 32])];
        Frame::Object(Box::new(object))
    }

    fn read(frames: &[Frame], status: i32) -> Received {
        let output = frames.iter().flat_map(Frame::bytes).collect();
        receive(&Ok(Answer { output, status, ..Answer::default() }), &key(1), &unit(Role::Kernel))
    }

    fn key(n: u8) -> Key {
        Key::of_bytes([n; 32])
    }

    /// Whether nothing was taken, for this reason.
    fn is_refused(received: &Received, why: &str) -> bool {
        matches!(received, Received::Nothing(EngineError::Failed(text)) if text.contains(why))
    }

    #[test]
    fn only_the_object_of_this_very_request_is_taken() {
        let (step, size) = (Frame::Step("opt".to_owned()), Size { instructions: 1, peak: 2, cpu: 3 });
        let frames = [Frame::Request(key(1)), step.clone(), Frame::Size(size), object("k", true)];
        assert!(matches!(read(&frames, 0), Received::Object(_, taken) if taken == size));
        assert!(is_refused(&read(&frames, 1), "ended with status 1"));
        for (frames, why) in [
            (vec![Frame::Request(key(2)), object("k", true)], "another request"),
            (vec![object("k", true)], "did not run there"),
            (vec![Frame::Request(key(1)), object("other", true)], "another unit"),
            (vec![Frame::Request(key(1)), object("k", false)], "another unit"),
            (vec![Frame::Request(key(1)), Frame::Object(Box::default())], "another unit"),
            (vec![Frame::Request(key(1)), object("k", true), object("k", true)], "damaged"),
            (vec![Frame::Request(key(1)), Frame::Request(key(1)), object("k", true)], "damaged"),
            (vec![Frame::Request(key(1)), step], "without an object"),
            (vec![], "did not run there"),
        ] {
            assert!(is_refused(&read(&frames, 0), why), "{why}: {:?}", read(&frames, 0));
        }
        let finding = Frame::Finding(Finding::of(&Diagnostic::error(crate::codes::E0031, "too much"), None));
        assert_eq!(read(&[Frame::Request(key(1)), finding], 1), Received::Findings);
        assert_eq!(read(&[Frame::Request(key(1)), Frame::Remarks, object("k", true)], 0), Received::Findings);
        let function = receive(
            &Ok(Answer {
                output: [Frame::Request(key(1)), object("k", false)].iter().flat_map(Frame::bytes).collect(),
                ..Answer::default()
            }),
            &key(1),
            &unit(Role::Function),
        );
        assert!(matches!(function, Received::Object(..)));
    }

    #[test]
    fn damage_is_never_an_object_and_never_a_panic() {
        let frames = [Frame::Request(key(1)), Frame::Size(Size::default()), object("k", true)];
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        let whole =
            |output: Vec<u8>| receive(&Ok(Answer { output, ..Answer::default() }), &key(1), &unit(Role::Kernel));
        assert!(matches!(whole(bytes.clone()), Received::Object(..)));
        let start = frames[..2].iter().map(|frame| frame.bytes().len()).sum::<usize>();
        for at in 0..bytes.len() {
            assert!(!matches!(whole(bytes[..at].to_vec()), Received::Object(..)), "cut at {at}");
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x41;
            // Sizes are only shown.
            let taken = matches!(whole(flipped), Received::Object(..));
            assert!(!taken || at < start, "byte {at}");
        }
        let huge = [&b"o"[..], &u64::MAX.to_le_bytes(), b"x"].concat();
        assert!(is_refused(&whole(huge), "damaged"));
    }
}
