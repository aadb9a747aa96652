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
    let Some(frames) = Frame::all(&answer.output) else {
        return failed("the answer is damaged".to_owned());
    };
    let (mut object, mut size, mut requests, mut findings) = (None, Size::default(), Vec::new(), false);
    for frame in frames {
        match frame {
            Frame::Step(_) => {}
            Frame::Object(it) if object.is_none() => object = Some(it),
            Frame::Object(_) => return failed("the answer has two objects".to_owned()),
            Frame::Size(it) => size = it,
            Frame::Request(key) => requests.push(key),
            Frame::Finding(_) | Frame::Remarks => findings = true,
        }
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
