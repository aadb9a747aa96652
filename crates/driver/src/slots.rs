//! Diagnostics about the parent make: it has no jobserver, its jobserver cannot be used, or it
//! failed during the build (JOB-5).
//!
//! Each state has its own message, which gives the value of `MAKEFLAGS`, the consequence for the
//! build, and a remedy. Only `--jobserver=require` makes it an error.

use crate::codes;
use raddle_diag::Diagnostic;
use raddle_jobs::jobserver::{Absent, Broken, Client, JobserverError};

/// The error for a missing jobserver where one is required; `makeflags` is the value of the
/// variable.
pub fn required(absent: Absent, makeflags: &str) -> Diagnostic {
    let message = match absent {
        Absent::NoMake => format!("--jobserver=require: {absent}"),
        _ => format!("--jobserver=require: MAKEFLAGS='{makeflags}': {absent}"),
    };
    Diagnostic::fatal(codes::E0046, message).help(match absent {
        Absent::NoMake => "start the command from a recipe of `make -jN`",
        Absent::Unnamed => "run make with -jN, and put a `+` in front of the line in the recipe",
        Absent::OneSlot => "run make with -jN and N of at least 2",
        Absent::Off => "put a `+` in front of the line in the recipe",
    })
}

/// The diagnostic for an unusable jobserver: an error where one is required, else a warning. `jobs`
/// is the value of `-j`, 0 if there is none.
pub fn broken(broken: &Broken, makeflags: &str, jobs: usize, is_required: bool) -> Diagnostic {
    let message = format!("MAKEFLAGS='{makeflags}': {broken}");
    let help = help(broken, is_required);
    if is_required {
        return Diagnostic::fatal(codes::E0047, message).help(help);
    }
    let said = Diagnostic::warning(codes::E0047, message);
    match jobs {
        0 => said.note("kernels are compiled one at a time; -j N sets another limit").help(help),
        _ => said.note(format!("the limit is -j {jobs}")).help(help),
    }
}

/// The remedy where the jobserver of `MAKEFLAGS` is gone.
const WITHOUT: &str = "unset MAKEFLAGS if no make is running, or use --jobserver=off";
/// The same where one is required.
const ANEW: &str = "start the command from a recipe of a make that is running";

/// The remedy for each reason.
fn help(broken: &Broken, is_required: bool) -> String {
    let gone = if is_required { ANEW } else { WITHOUT };
    let text = match broken {
        Broken::Malformed(_) if is_required => "pass MAKEFLAGS on unchanged",
        Broken::Malformed(_) => "pass MAKEFLAGS on unchanged, or use --jobserver=off",
        Broken::Closed(_) => "put a `+` in front of the line in the recipe: without it make closes the descriptors",
        Broken::Stale(_) => {
            "put a `+` in front of the line in the recipe: without it make closes the descriptors, and other files get their numbers"
        }
        Broken::Abandoned(_) => gone,
        Broken::NotAServer(_) => return format!("the path of make's fifo is now another file: {gone}"),
        Broken::Open { error, .. } => match error.kind() {
            std::io::ErrorKind::NotFound => {
                return format!("make removes its fifo when it ends, and in a container it may not exist: {gone}");
            }
            std::io::ErrorKind::PermissionDenied => "run the command as the user that started make",
            _ => gone,
        },
    };
    text.to_owned()
}

/// The diagnostic for a jobserver that failed while it was used, if it did: an error where one is
/// required and it never gave a slot, else a warning.
pub fn trouble(client: &Client, is_required: bool) -> Option<Diagnostic> {
    let trouble = client.trouble()?;
    let message = format!("the jobserver of the parent make (--jobserver-auth={}) failed: {trouble}", client.auth());
    let gives = matches!(trouble, JobserverError::Write(_));
    if is_required && !gives && !client.has_served() {
        return Some(Diagnostic::fatal(codes::E0047, message).help(ANEW));
    }
    let said = Diagnostic::warning(codes::E0047, message);
    Some(match gives {
        true => said.note("the other commands of this make have one slot less"),
        false if client.has_served() => said.note("after that only slots already held were used"),
        false => said.note("kernels were compiled one at a time, on the implicit slot").help(WITHOUT),
    })
}
