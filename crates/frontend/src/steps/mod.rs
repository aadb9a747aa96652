//! The steps from IR to PTX, each a function of bytes and settings.
//!
//! | step | runs | result |
//! |---|---|---|
//! | [`inspect()`] | per input | the architecture that it names |
//! | [`owned`] | per input that has such names | the functions of the device library that it defines itself |
//! | [`simplify()`] | per input (phase 0) | bitcode with unique local names |
//! | [`describe`] | per input, where they are not linked | its summary |
//! | [`link()`] | once (phase I) | one module of bitcode, and its summary |
//! | [`extract()`] | per part | its bitcode |
//! | [`part()`] | per part (phase II) | PTX |
//! | [`places()`] | after an error in PTX | instructions of an input |
//! | [`intrinsics`], [`mod@without`] | after a fatal error of LLVM | the intrinsic that it comes from |
//! | [`print()`] | on request | bitcode as text |
//! | [`whole()`] | instead of all, for a program of one function | PTX |

mod aliases;
mod bounds;
mod extract;
mod floats;
mod inspect;
mod library;
mod link;
pub(crate) mod names;
mod part;
mod places;
mod print;
mod refuse;
mod simplify;
mod summarize;
mod whole;
mod without;

pub use extract::{Source, Treatment, Wanted, extract};
pub use inspect::inspect;
pub use library::{DEVICE_LIBRARY, owned};
pub use link::{Linked, link};
pub use part::part;
pub use places::{Place, file_of, places};
pub use print::print;
pub use simplify::{Simplified, simplify};
pub use summarize::describe;
pub use whole::whole;
pub use without::{intrinsics, without};

use crate::llvm::{Context, Llvm, Machine, MachineOptions, Severity};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};

/// Why a step has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum StepError {
    /// LLVM or a step refuses the input, for this reason.
    #[error("{0}")]
    Refused(String),
    /// The input calls functions of libdevice, and there is none.
    #[error("it calls functions of libdevice")]
    NeedsDeviceLibrary,
}

impl From<String> for StepError {
    fn from(text: String) -> StepError {
        StepError::Refused(text)
    }
}

/// Creates the target machine for these settings.
fn machine(llvm: &'static Llvm, settings: &Settings) -> Result<Machine, StepError> {
    let ptx = Settings::ptx(llvm.version.0);
    let options = MachineOptions { arch: settings.arch.clone(), ptx, level: settings.level };
    Ok(Machine::new(llvm, &options)?)
}

/// What LLVM reported about an input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Warnings.
    pub warnings: Vec<String>,
    /// Remarks of passes, with places in the sources where they are known; only with the
    /// process-wide options that ask for them ([`Settings::REMARKS`]).
    pub remarks: Vec<String>,
}

/// Returns what LLVM reported, or its first error.
fn reported(cx: &Context) -> Result<Said, StepError> {
    let reports = cx.take_reports();
    if let Some(error) = reports.iter().find(|report| report.severity == Severity::Error) {
        return Err(StepError::Refused(error.message.clone()));
    }
    let of = |severity| reports.iter().filter(move |report| report.severity == severity);
    let texts = |severity| of(severity).map(|report| report.message.clone()).collect();
    Ok(Said { warnings: texts(Severity::Warning), remarks: texts(Severity::Remark) })
}
