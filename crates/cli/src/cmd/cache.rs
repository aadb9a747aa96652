//! `raddle cache`: shows, checks, reduces and copies what `compile --cache` has kept, in a folder or a
//! remote cache.

use super::caching;
use crate::args::{Cache, MessageFormat};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::render::json;
use raddle_driver::cache::{Checked, Contents, Folder, Place, Shelf, StoreError};
use raddle_driver::codes;
use raddle_driver::program::history::{History, Summary};
use std::path::Path;

pub(crate) fn run(args: &Cache, ui: &Ui) -> Done {
    match args {
        Cache::Stats { place } => {
            let contents = match folder(place)? {
                Some(folder) => folder.contents().map_err(|error| unusable(&place.display().to_string(), &error))?,
                None => of_shelf(&caching::shelf(place, false)?, Shelf::contents)?,
            };
            say("stats", contents, "", ui)?;
            history(place, ui)
        }
        Cache::Verify { place } => verify(&caching::shelf(place, false)?, ui),
        Cache::Prune { place, max_size } => {
            let removed = match folder(place)? {
                // Also what killed processes left.
                Some(folder) => {
                    folder.prune(*max_size).map_err(|error| unusable(&place.display().to_string(), &error))?
                }
                None => of_shelf(&caching::shelf(place, false)?, |shelf| shelf.prune(*max_size))?,
            };
            say("pruned", removed, " removed", ui)
        }
        Cache::Warm { from, to } => {
            let (from, to) = (caching::shelf(from, false)?, caching::shelf(to, true)?);
            let both = format!("{}' to '{}", from.name(), to.name());
            let copied = from.copy(&to).map_err(|error| unusable(&both, &error))?;
            say("warmed", copied, " copied", ui)
        }
    }
}

/// Opens an existing folder; does not create one. `None` for a URL.
fn folder(place: &Path) -> Result<Option<Folder>, Failure> {
    let Place::Folder(path) = Place::of(place.as_os_str()) else { return Ok(None) };
    let folder = std::fs::read_dir(&path).and_then(|_| Folder::open(&path));
    folder.map(Some).map_err(|error| unusable(&path.display().to_string(), &error))
}

fn of_shelf<T>(shelf: &Shelf, act: impl FnOnce(&Shelf) -> Result<T, StoreError>) -> Result<T, Failure> {
    act(shelf).map_err(|error| unusable(&shelf.name(), &error))
}

fn unusable(name: &str, error: &dyn std::error::Error) -> Failure {
    Failure::new(codes::E0018, format!("'{name}': {error}"))
}

/// Checks all entries; damaged ones are an error.
fn verify(shelf: &Shelf, ui: &Ui) -> Done {
    let Checked { whole, damaged } = of_shelf(shelf, Shelf::verify)?;
    if ui.format() == MessageFormat::Json {
        let object =
            serde_json::json!({ "schema": json::SCHEMA, "kind": "verified", "objects": whole, "damaged": damaged });
        print(&format!("{object}\n"))?;
    } else {
        print(&format!("{whole} objects are as they were written, {damaged} are not\n"))?;
    }
    if damaged == 0 {
        return Ok(());
    }
    let message = format!("'{}': {damaged} objects are damaged, or without the right signature", shelf.name());
    Err(Failure::new(codes::E0018, message))
}

/// Shows the recorded costs of kernels in a cache folder.
fn history(place: &Path, ui: &Ui) -> Done {
    let Place::Folder(dir) = Place::of(place.as_os_str()) else { return Ok(()) };
    let Some(path) = History::default_path(Some(&dir)).filter(|path| path.exists()) else { return Ok(()) };
    let Summary { kernels, cpu, peak } = History::read(&path).summary();
    let ms = cpu.as_secs_f64() * 1e3;
    if ui.format() == MessageFormat::Json {
        let object = serde_json::json!({
            "schema": json::SCHEMA, "kind": "history", "kernels": kernels, "cpu_ms": ms, "peak_bytes": peak,
        });
        return print(&format!("{object}\n"));
    }
    print(&format!("history: {kernels} kernels, {ms:.1} ms of CPU in total, peak {} KiB\n", peak.div_ceil(1024)))
}

fn say(kind: &str, contents: Contents, what: &str, ui: &Ui) -> Done {
    let Contents { entries, bytes } = contents;
    if ui.format() == MessageFormat::Json {
        let object = serde_json::json!({ "schema": json::SCHEMA, "kind": kind, "objects": entries, "bytes": bytes });
        return print(&format!("{object}\n"));
    }
    print(&format!("{entries} objects, {bytes} bytes{what}\n"))
}
