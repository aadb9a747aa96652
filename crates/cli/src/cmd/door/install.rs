//! `raddle install`: puts Raddle into a folder under the names of the tools, or into a toolkit made of
//! links.

use super::names;
use crate::args::Install;
use crate::{Done, Failure, print};
use raddle_driver::codes;
use raddle_driver::key::is_this_program;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The folder with the tools that Raddle replaces in a toolkit, beside its `bin`.
pub(super) const FALLBACKS: &str = "raddle-fallback";

/// The tools that are replaced in a toolkit: those that compile.
const COMPILERS: &[&str] = &["ptxas", "nvlink", "fatbinary"];

/// Makes a link or a copy for each tool.
pub(crate) fn run(args: &Install) -> Done {
    let program = std::env::current_exe().map_err(|error| fail(Path::new("/proc/self/exe"), &error))?;
    let (folder, tools): (PathBuf, Vec<&str>) = match &args.toolkit {
        Some(_) => (args.into.join("bin"), COMPILERS.to_vec()),
        None => (args.into.clone(), names().collect()),
    };
    let files: Vec<PathBuf> = tools.iter().map(|name| folder.join(name)).collect();
    // All or nothing: a folder with half of the tools calls two compilers.
    if let Some(other) = files.iter().find(|file| !args.force && !replaceable(file)) {
        let message = format!("'{}' is not Raddle; --force replaces it", other.display());
        return Err(Failure::new(codes::E0010, message));
    }
    if let Some(toolkit) = &args.toolkit {
        mirror(toolkit, &args.into)?;
    }
    fs::create_dir_all(&folder).map_err(|error| fail(&folder, &error))?;
    let mut said = String::new();
    for file in &files {
        place(file, |new| match args.copy {
            true => fs::copy(&program, new).map(drop),
            false => symlink(&program, new),
        })?;
        said += &format!("{}\n", file.display());
    }
    print(&said)
}

/// Links to everything in a toolkit: its folders, the programs in `bin` one by one, and those that
/// are replaced in a folder of their own.
fn mirror(toolkit: &Path, into: &Path) -> Done {
    let toolkit = fs::canonicalize(toolkit)
        .map_err(|error| Failure::new(codes::E0001, format!("cannot read '{}': {error}", toolkit.display())))?;
    let bin = toolkit.join("bin");
    if let Some(missing) = COMPILERS.iter().find(|name| !bin.join(name).is_file()) {
        let message = format!("'{}' is no CUDA toolkit: it has no bin/{missing}", toolkit.display());
        return Err(Failure::new(codes::E0001, message));
    }
    for (from, to) in [(&toolkit, into.to_path_buf()), (&bin, into.join("bin"))] {
        fs::create_dir_all(&to).map_err(|error| fail(&to, &error))?;
        let entries = fs::read_dir(from).map_err(|error| fail(from, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| fail(from, &error))?;
            let name = entry.file_name();
            let is_own = |own: &&str| name == *own;
            if *from == toolkit && name == "bin" || *from == bin && COMPILERS.iter().any(is_own) {
                continue;
            }
            place(&to.join(&name), |new| symlink(entry.path(), new))?;
        }
    }
    let fallbacks = into.join(FALLBACKS);
    fs::create_dir_all(&fallbacks).map_err(|error| fail(&fallbacks, &error))?;
    COMPILERS.iter().try_for_each(|name| place(&fallbacks.join(name), |new| symlink(bin.join(name), new)))
}

/// Puts a file in its place, under another name first: a tool that is running, or started meanwhile,
/// stays whole.
fn place(file: &Path, make: impl Fn(&Path) -> io::Result<()>) -> Done {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".raddle-new");
    let new = file.with_file_name(name);
    // One that an earlier installation left.
    let _ = fs::remove_file(&new);
    make(&new).and_then(|()| fs::rename(&new, file)).map_err(|error| {
        // The first error is reported.
        let _ = fs::remove_file(&new);
        fail(file, &error)
    })
}

fn fail(path: &Path, error: &io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
}

/// Whether nothing is lost where a file is replaced: there is none, or it is this program, or a
/// link that leads nowhere.
fn replaceable(file: &Path) -> bool {
    match file.symlink_metadata() {
        Err(_) => true,
        Ok(meta) => is_this_program(file) || meta.is_symlink() && !file.exists(),
    }
}
