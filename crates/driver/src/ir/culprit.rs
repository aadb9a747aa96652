//! The intrinsic of a part because of which LLVM ended its process.
//!
//! Most often LLVM names it. Otherwise intrinsics are left out one by one, each time in a worker
//! that is lost if LLVM ends its process again ([`raddle_frontend::steps::without`]).

use super::Build;
use super::workers::CallError;
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::settings::Settings;
use raddle_jobs::Task;

/// More intrinsics than this are not tried.
const MOST: usize = 40;

/// What is said of an intrinsic that is to blame.
pub(super) const WITHOUT: &str = "LLVM does not fail without";

impl Build<'_> {
    /// Adds to a fatal error in a part the intrinsic that it comes from, if one alone is to blame.
    pub(super) fn with_culprit(
        &self,
        error: CallError,
        settings: &Settings,
        (name, bitcode): (&str, &[u8]),
        task: &mut Task,
    ) -> CallError {
        let CallError::Ended { library, how, success, mut said } = error else { return error };
        let is_named = |line: &String| line.contains("llvm.nvvm.");
        if !said.iter().any(is_named) {
            said.extend(self.culprit(settings, (name, bitcode), task));
        }
        CallError::Ended { library, how, success, said }
    }

    /// The intrinsic without which LLVM compiles a part, and its calls.
    fn culprit(&self, settings: &Settings, (name, bitcode): (&str, &[u8]), task: &mut Task) -> Vec<String> {
        let mut ask = |request: Request| match self.ask("LLVM", &request, &[bitcode], task) {
            Ok((Response::Lines { lines }, _)) => Some(lines),
            _ => None,
        };
        let all = ask(Request::Intrinsics { name: name.to_owned() }).unwrap_or_default();
        for n in 1..=all.len().min(MOST) {
            let intrinsics = all[..n].to_vec();
            let settings = settings.for_part();
            let Some(calls) = ask(Request::Without { settings, name: name.to_owned(), intrinsics }) else { continue };
            if calls.is_empty() {
                break;
            }
            let mut lines = vec![format!("{WITHOUT} {}", all[n - 1])];
            lines.extend(calls);
            return lines;
        }
        Vec::new()
    }
}
