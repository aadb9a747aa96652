//! Who would call what: the tools that callers find on this machine, for `raddle doctor`.

use super::names;
use super::other::{Other, is_program};
use raddle_driver::key::{is_raddle, is_this_program};
use std::path::{Path, PathBuf};

/// Variables that name a tool.
const NAMED: &[(&str, &str)] = &[
    ("TRITON_PTXAS_PATH", "Triton"),
    ("TRITON_PTXAS_BLACKWELL_PATH", "Triton, from compute capability 9.0 on"),
    ("MODULAR_NVPTX_COMPILER_PATH", "Mojo"),
];

/// Variables that name a toolkit, whose programs are in `bin`.
const TOOLKITS: &[&str] = &["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"];

/// The flags of XLA in the environment, and the one of a toolkit.
const XLA: (&str, &str) = ("XLA_FLAGS", "--xla_gpu_cuda_data_dir=");

/// The library for callers of nvJitLink, by the name that they load it by.
const NVJITLINK: &str = "libnvJitLink.so.13";

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
        out.push((variable, named(variable).map_or_else(|| "not set".to_owned(), |folder| toolkit(&folder))));
    }
    let flags = std::env::var(XLA.0).unwrap_or_default();
    // The last one counts.
    let data = flags.split_whitespace().filter_map(|flag| flag.strip_prefix(XLA.1)).next_back();
    let value = data.map_or_else(|| format!("no {}", XLA.1), |folder| toolkit(Path::new(folder)));
    out.push((XLA.0, format!("{value} (XLA, JAX)")));
    out.push((NVJITLINK, library(NVJITLINK)));
    out
}

/// The tools of a toolkit.
fn toolkit(folder: &Path) -> String {
    let tools = names().map(|name| folder.join("bin").join(name)).filter(|file| is_program(file));
    let tools: Vec<String> = tools.map(|file| shown(&file)).collect();
    if tools.is_empty() { format!("{}: no tools in its bin", folder.display()) } else { tools.join(", ") }
}

/// The library that the dynamic linker finds first: in `LD_LIBRARY_PATH`, which is before what the
/// system knows.
fn library(name: &str) -> String {
    let folders = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    let Some(file) = found else {
        return "none in LD_LIBRARY_PATH; callers take that of the system or of their packages".to_owned();
    };
    let is_ours = is_raddle(&file);
    format!("{}: {}", file.display(), if is_ours { "of Raddle" } else { "another library" })
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
