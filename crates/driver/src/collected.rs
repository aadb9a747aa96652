//! Objects that something else made of units in a folder ([`crate::emitted`]).
//!
//! **Invariant.** An object is taken only for the unit that it was made for, by a compiler of this
//! version; whatever else is in the folder, the output is that of a build without it.

use crate::emitted::EmittedUnit;
use crate::options::EarlyObject;
use crate::unit::is_of;
use crate::unit::isolated::frames::Frame;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The most bytes of an output that are read.
const MOST: u64 = 256 << 20;

/// Reads the object of a unit from the output of its process in `folder`.
///
/// # Errors
/// The reason why there is none that can be used.
pub fn object(folder: &Path, unit: &EmittedUnit) -> Result<EarlyObject, String> {
    // A list says nothing of other folders.
    if unit.output.contains('/') {
        return Err(format!("'{}' is no name of a file", unit.output));
    }
    let path = folder.join(&unit.output);
    let said = |error: io::Error| format!("'{}': {error}", path.display());
    let length = fs::metadata(&path).map_err(said)?.len();
    if length > MOST {
        return Err(format!("'{}' is too large", path.display()));
    }
    let frames = Frame::all(&fs::read(&path).map_err(said)?);
    let mut frames = frames.ok_or_else(|| format!("'{}' is damaged", path.display()))?;
    if !frames.contains(&Frame::Request(unit.request)) {
        return Err(format!("'{}' is the output of another request", path.display()));
    }
    if frames.iter().any(|frame| matches!(frame, Frame::Finding(_) | Frame::Remarks)) {
        return Err(format!("'{}' has messages, which only a compilation here places", path.display()));
    }
    let cost = frames.iter().find_map(|frame| if let Frame::Size(size) = frame { Some(*size) } else { None });
    let cost = cost.unwrap_or_default();
    let at = frames.iter().position(|frame| matches!(frame, Frame::Object(_)));
    match at.map(|at| frames.swap_remove(at)) {
        Some(Frame::Object(object)) if is_of(&object, &unit.name, unit.function) => {
            let cpu = Duration::from_micros(cost.cpu);
            Ok(EarlyObject { object: *object, cached: false, wall: cpu, cpu, peak: cost.peak })
        }
        _ => Err(format!("'{}' has no object of '{}'", path.display(), unit.name)),
    }
}
