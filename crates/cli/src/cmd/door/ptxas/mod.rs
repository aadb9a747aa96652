//! `raddle` under the name `ptxas`.
//!
//! ```text
//! words ─ line ─► plan ─ inputs ─► request ─ compile ─► messages in the words of ptxas, cubin
//!                  └─ what cannot be done here ─► another ptxas, or a message with the reason
//! ```

mod build;
mod inputs;
mod plan;
mod remarks;
mod wording;

use super::other::Other;
use super::{FAILED, say, version};
use crate::print;
use plan::Plan;
use raddle_dropin::asked::Refusal;
use raddle_dropin::line::{self, System};
use raddle_dropin::{PTX_VERSIONS, ptxas::PTXAS};
use std::fs::File;

/// The name at the start of messages.
const TOOL: &str = "ptxas";

/// The last message after errors.
const ABORTED: &str = "Ptx assembly aborted due to errors";

/// How a call ends that does not end with a cubin.
enum End {
    /// Everything has been printed.
    Failed,
    /// A last message, by itself.
    Fatal(String),
    /// It needs another ptxas, for this reason.
    Elsewhere(String, Option<File>),
}

/// Runs the tool and returns the exit code.
pub(super) fn run(words: Vec<String>) -> u8 {
    let line = match line::read(&PTXAS, &words, &System) {
        Ok(line) => line,
        Err(error) => {
            say(TOOL, "fatal", &error.to_string());
            return FAILED;
        }
    };
    line.warnings.iter().for_each(|warning| say(TOOL, "warning", warning));
    let shown = if line.has(&PTXAS, "help") {
        Some(PTXAS.help())
    } else if line.has(&PTXAS, "version") {
        Some(version(TOOL, "NVIDIA's Ptx optimizing assembler", &Other::find(TOOL)))
    } else if line.has(&PTXAS, "list-version") {
        Some(PTX_VERSIONS.join("\n") + "\n")
    } else if line.inputs.is_empty() && !line.has(&PTXAS, "input-as-string") {
        Some(PTXAS.help())
    } else {
        None
    };
    if let Some(text) = shown {
        return if print(&text).is_ok() { 0 } else { FAILED };
    }
    let ended = match Plan::of(&line, super::settings(TOOL)) {
        Ok(plan) => build::run(&plan),
        Err(Refusal::Fatal(message)) => Err(End::Fatal(message)),
        Err(Refusal::Error(message)) => {
            say(TOOL, "error", &message);
            Err(End::Fatal(ABORTED.to_owned()))
        }
        Err(Refusal::NotHere(why)) => Err(End::Elsewhere(why, None)),
    };
    match ended {
        Ok(()) => return 0,
        Err(End::Failed) => {}
        Err(End::Fatal(message)) => say(TOOL, "fatal", &message),
        Err(End::Elsewhere(why, stdin)) => {
            let other = Other::find(TOOL);
            if line.has(&PTXAS, "verbose")
                && let Some(path) = other.path()
            {
                say(TOOL, "info", &format!("the whole call is passed to '{}': {why}", path.display()));
            }
            super::note_passed_on(TOOL, &why, &other, &words);
            let missing = other.take_over(&words, stdin);
            say(TOOL, "fatal", &format!("{why}; there is no other ptxas to pass the call to: {missing}"));
        }
    }
    FAILED
}
