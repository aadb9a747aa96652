//! The cache of a command line: a folder, a remote cache, or both.

use super::request::warn;
use crate::args::Caching;
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_diag::{Diagnostic, Policy};
use raddle_driver::cache::{Cache, Folder, Place, RemoteOptions, Shelf, Store, shown};
use raddle_driver::codes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The secret that entries of remote caches are signed with.
const SECRET: &str = "RADDLE_CACHE_KEY";

/// The time limit of a request of `raddle cache`, which keeps no build waiting.
const UPKEEP: Duration = Duration::from_secs(60);

/// A remote store, and whether its URL says that it is only read.
struct Remote {
    store: Box<dyn Store>,
    read_only: bool,
}

/// The cache, if one is given and can be used. A folder that cannot be used is a warning; a URL that
/// means nothing is an error.
pub(super) fn open(args: &Caching, ui: &Ui) -> Result<Option<Arc<Cache>>, Failure> {
    let (mut folder, mut remote) = (None, None);
    for argument in &args.cache {
        match Place::of(argument.as_os_str()) {
            Place::Folder(path) if folder.is_none() => folder = Some(path),
            Place::Url(url) if remote.is_none() => remote = Some(connect(&url)?),
            _ => return Err(Failure::new(codes::E0019, "--cache: at most one folder and one URL")),
        }
    }
    let options = RemoteOptions {
        timeout: args.cache_timeout,
        max_wait: args.cache_max_wait,
        read_only: args.cache_read_only || remote.as_ref().is_some_and(|remote| remote.read_only),
        secret: secret(),
    };
    let folder = match folder.map(|path| Folder::open(&path).map_err(|error| (path, error))) {
        Some(Err((path, error))) => {
            warn(Diagnostic::warning(codes::E0018, format!("'{}': {error}", path.display())), ui)?;
            None
        }
        Some(Ok(folder)) => Some(folder),
        None => None,
    };
    if folder.is_none() && remote.is_none() {
        return Ok(None);
    }
    let remote = remote.map(|remote| (Arc::from(remote.store), &options));
    Ok(Some(Arc::new(Cache::of(folder, remote))))
}

/// The first folder among the caches.
pub(super) fn folder(args: &Caching) -> Option<PathBuf> {
    args.cache.iter().find_map(|argument| match Place::of(argument.as_os_str()) {
        Place::Folder(path) => Some(path),
        Place::Url(_) => None,
    })
}

/// Writes what waits to be written, and warns of a remote cache that failed. That is never an error,
/// even where warnings are.
pub(super) fn finish(cache: &Cache, ui: &Ui) -> Done {
    cache.finish();
    let Some(message) = cache.warning() else { return Ok(()) };
    let mut diags = raddle_diag::Diags::with_policy(Policy { warnings_as_errors: false, ..ui.policy() });
    diags.push(Diagnostic::warning(codes::E0018, message));
    ui.show(&diags, &raddle_diag::SourceMap::new());
    Ok(())
}

/// An existing folder or a remote cache, for `raddle cache`. `create`: the folder need not exist.
pub(super) fn shelf(argument: &Path, create: bool) -> Result<Shelf, Failure> {
    match Place::of(argument.as_os_str()) {
        Place::Url(url) => Ok(Shelf::remote(connect(&url)?.store, &secret(), UPKEEP)),
        Place::Folder(path) => {
            let is_there = if create { Ok(()) } else { std::fs::read_dir(&path).map(drop) };
            let folder = is_there.and_then(|()| Folder::open(&path));
            let unusable = |error| Failure::new(codes::E0018, format!("'{}': {error}", path.display()));
            Ok(Shelf::plain(Box::new(folder.map_err(unusable)?)))
        }
    }
}

fn secret() -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt;
    std::env::var_os(SECRET).map(OsStringExt::into_vec).unwrap_or_default()
}

/// Opens the remote cache of a URL. Nothing is sent.
#[cfg(feature = "remote")]
fn connect(url: &str) -> Result<Remote, Failure> {
    let opened = raddle_remote::open(url);
    let raddle_remote::Opened { store, read_only } =
        opened.map_err(|error| Failure::new(codes::E0019, format!("--cache '{}': {error}", shown(url))))?;
    Ok(Remote { store, read_only })
}

/// Without engines a URL is an error.
#[cfg(not(feature = "remote"))]
fn connect(url: &str) -> Result<Remote, Failure> {
    let diagnostic =
        Diagnostic::fatal(codes::E0019, format!("'{}': this program has no remote caches", shown(url)))
            .help("build it with them: `cargo install raddle-cli --features remote`, or in a checkout `cargo build --release -p raddle-cli --features remote`")
            .help("a folder with such a name is `dir:NAME`");
    Err(Failure::Say(Box::new(diagnostic)))
}
