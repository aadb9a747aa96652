//! `raddle install`: puts Raddle into a folder under the names of the tools.

use super::names;
use crate::args::Install;
use crate::{Done, Failure, print};
use raddle_driver::codes;
use raddle_driver::key::is_this_program;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Makes a link or a copy for each tool.
pub(crate) fn run(args: &Install) -> Done {
    let fail = |path: &Path, error: io::Error| {
        Failure::new(codes::E0010, format!("cannot write '{}': {error}", path.display()))
    };
    let program = std::env::current_exe().map_err(|error| fail(Path::new("/proc/self/exe"), error))?;
    fs::create_dir_all(&args.into).map_err(|error| fail(&args.into, error))?;
    let files: Vec<PathBuf> = names().map(|name| args.into.join(name)).collect();
    // All or nothing: a folder with half of the tools calls two compilers.
    if let Some(other) = files.iter().find(|file| !args.force && !replaceable(file)) {
        let message = format!("'{}' is not Raddle; --force replaces it", other.display());
        return Err(Failure::new(codes::E0010, message));
    }
    let mut said = String::new();
    for file in &files {
        // Under another name first: a tool that is running, or started meanwhile, stays whole.
        let new = file.with_extension("raddle-new");
        let made = match args.copy {
            true => fs::copy(&program, &new).map(drop),
            false => symlink(&program, &new),
        };
        let placed = made.and_then(|()| fs::rename(&new, file));
        placed.map_err(|error| {
            // The first error is reported.
            let _ = fs::remove_file(&new);
            fail(file, error)
        })?;
        said += &format!("{}\n", file.display());
    }
    print(&said)
}

/// Whether nothing is lost where a file is replaced: there is none, or it is this program, or a
/// link that leads nowhere.
fn replaceable(file: &Path) -> bool {
    match file.symlink_metadata() {
        Err(_) => true,
        Ok(meta) => is_this_program(file) || meta.is_symlink() && !file.exists(),
    }
}
