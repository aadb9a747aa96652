//! `raddle cache`: shows or reduces the content of a folder of `compile --cache`.

use crate::args::{Cache, MessageFormat};
use crate::ui::Ui;
use crate::{Done, Failure, print};
use raddle_diag::render::json;
use raddle_driver::cache::{self, Contents};
use raddle_driver::codes;
use raddle_driver::program::history::{History, Summary};
use std::path::Path;

pub(crate) fn run(args: &Cache, ui: &Ui) -> Done {
    match args {
        Cache::Stats { dir } => {
            let contents = open(dir)?.contents().map_err(|error| unusable(dir, &error))?;
            say("stats", contents, "", ui)?;
            history(dir, ui)
        }
        Cache::Prune { dir, max_size } => {
            let removed = open(dir)?.prune(*max_size).map_err(|error| unusable(dir, &error))?;
            say("pruned", removed, " removed", ui)
        }
    }
}

/// Opens the cache in an existing folder; does not create one.
fn open(dir: &Path) -> Result<cache::Cache, Failure> {
    std::fs::read_dir(dir).and_then(|_| cache::Cache::open(dir)).map_err(|error| unusable(dir, &error))
}

fn unusable(dir: &Path, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0018, format!("'{}': {error}", dir.display()))
}

/// Shows the recorded costs of kernels in a cache folder.
fn history(dir: &Path, ui: &Ui) -> Done {
    let Some(path) = History::default_path(Some(dir)).filter(|path| path.exists()) else { return Ok(()) };
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
