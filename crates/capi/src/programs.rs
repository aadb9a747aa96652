//! The programs that a compilation in a library may start: `raddle`, in whose processes kernels are
//! compiled, and another ptxas for what Raddle does not support.

use raddle_driver::key::{is_raddle, own_path};
use raddle_driver::ptxas::Fallback;
use std::env;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What is written into a variable so that no program is started.
const OFF: &str = "off";

/// The variable that names the program `raddle`.
pub(crate) const PROGRAM: &str = "RADDLE_PROGRAM";

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// The program in whose processes kernels are compiled: the one that `RADDLE_PROGRAM` names, or
/// `raddle` beside the library, or in a folder `bin` beside that of the library or above it.
pub(crate) fn worker() -> Option<PathBuf> {
    if let Some(named) = variable(PROGRAM) {
        return Some(PathBuf::from(named)).filter(|path| *path != Path::new(OFF) && is_program(path));
    }
    let own = own_path().ok()?;
    let folder = own.parent()?;
    let places = ["raddle", "../bin/raddle", "../../bin/raddle"];
    places.into_iter().map(|place| folder.join(place)).find(|path| is_program(path))
}

/// The assembler for kernels that Raddle does not support: the one that `RADDLE_PTXAS` names, or
/// `RADDLE_FALLBACK` as the option `--fallback` does.
///
/// # Errors
/// The reason why the one that is named is not used.
pub(crate) fn fallback() -> Result<Option<Fallback>, String> {
    let (name, value) = match (variable("RADDLE_PTXAS"), variable("RADDLE_FALLBACK")) {
        (Some(path), _) => ("RADDLE_PTXAS", path.to_string_lossy().into_owned()),
        (None, Some(text)) => ("RADDLE_FALLBACK", text.to_string_lossy().into_owned()),
        (None, None) => return Ok(None),
    };
    if value == OFF {
        return Ok(None);
    }
    let text = if name == "RADDLE_PTXAS" { format!("ptxas:{value}") } else { value.clone() };
    let mut fallback: Fallback = text.parse().map_err(|why| format!("{name}={value}: {why}"))?;
    fallback.ptxas = found(&fallback.ptxas).ok_or_else(|| format!("{name}={value} is not a program"))?;
    match is_raddle(&fallback.ptxas) {
        true => Err(format!("{name}={value} is Raddle itself")),
        false => Ok(Some(fallback)),
    }
}

/// The file of a program: a path, or a name in `PATH`.
fn found(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|path| is_program(path));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
