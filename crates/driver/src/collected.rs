//! Objects that something else made of units in a folder ([`crate::emitted`]).
//!
//! **Invariant.** An object is taken only for the unit that it was made for, by a compiler of this
//! version; whatever else is in the folder, the output is that of a build without it.

use crate::emitted::EmittedUnit;
use crate::options::EarlyObject;
use crate::unit::is_of;
use crate::unit::isolated::frames::{Frame, Size};
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
    let bytes = fs::read(&path).map_err(said)?;
    let (mut objects, mut requests, mut cost, mut has_messages) = (Vec::new(), Vec::new(), Size::default(), false);
    let read = Frame::each(&bytes, |frame| {
        match frame {
            Frame::Step(_) => {}
            Frame::Object(object) if objects.is_empty() => objects.push(object),
            Frame::Request(key) if requests.is_empty() => requests.push(key),
            Frame::Object(_) | Frame::Request(_) => return None,
            Frame::Size(size) => cost = size,
            Frame::Finding(_) | Frame::Remarks => has_messages = true,
        }
        Some(())
    });
    read.ok_or_else(|| format!("'{}' is damaged", path.display()))?;
    if requests != [unit.request] {
        return Err(format!("'{}' is the output of another request", path.display()));
    }
    if has_messages {
        return Err(format!("'{}' has messages, which only a compilation here places", path.display()));
    }
    match objects.pop() {
        Some(object) if is_of(&object, &unit.name, unit.function) => {
            let cpu = Duration::from_micros(cost.cpu);
            Ok(EarlyObject { object: *object, cached: false, wall: cpu, cpu, peak: cost.peak })
        }
        _ => Err(format!("'{}' has no object of '{}'", path.display(), unit.name)),
    }
}
