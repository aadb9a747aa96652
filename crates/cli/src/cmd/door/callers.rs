//! Who would call what: the tools that callers find on this machine, for `raddle doctor`.

use super::names;
use super::other::{Other, is_program};
use raddle_driver::key::is_this_program;
use std::path::{Path, PathBuf};

/// Variables that name a tool.
const NAMED: &[(&str, &str)] =
    &[("TRITON_PTXAS_PATH", "Triton"), ("TRITON_PTXAS_BLACKWELL_PATH", "Triton, from compute capability 9.0 on")];

/// Variables that name a toolkit, whose programs are in `bin`.
const TOOLKITS: &[&str] = &["CUDA_HOME", "CUDA_PATH"];

/// Names and what they lead to.
pub(crate) fn facts() -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for name in names() {
        let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_program(file));
        let value = found.as_deref().map_or_else(|| "none in PATH".to_owned(), shown);
        let fallback = match Other::find(name) {
            Other::Found(path) => format!("; fallback: {}", path.display()),
            Other::None(_) => String::new(),
        };
        out.push((name, value + &fallback));
    }
    for (variable, caller) in NAMED {
        let value = named(variable).map_or_else(|| "not set".to_owned(), |path| shown(&path));
        out.push((variable, format!("{value} ({caller})")));
    }
    for variable in TOOLKITS {
        let value = named(variable).map_or_else(
            || "not set".to_owned(),
            |folder| {
                let tools = names().map(|name| folder.join("bin").join(name)).filter(|file| is_program(file));
                let tools: Vec<String> = tools.map(|file| shown(&file)).collect();
                if tools.is_empty() { format!("{}: no tools in its bin", folder.display()) } else { tools.join(", ") }
            },
        );
        out.push((variable, value));
    }
    out
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// A path, and whether it is this program.
fn shown(path: &Path) -> String {
    let what = match (is_program(path), is_this_program(path)) {
        (false, _) => "not a program",
        (true, true) => "this Raddle",
        (true, false) => "another program",
    };
    format!("{}: {what}", path.display())
}
