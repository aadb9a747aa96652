//! An engine of remote execution on this machine, for tests: BuildGrid with workers, or
//! buildbox-casd, started by `scripts/test-engine.py`.

use crate::oracle;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running engine. It ends when it is dropped.
#[derive(Debug)]
pub struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The URL of its instance.
    pub url: String,
    /// The folder of its files: `blobs` has those that it keeps, `log` what its processes say.
    pub folder: PathBuf,
}

impl Engine {
    /// Starts BuildGrid with a number of workers, for a test that requires it, like
    /// [`oracle::require`].
    ///
    /// # Panics
    /// Like [`oracle::require`], and if it does not start.
    pub fn start(workers: usize) -> Option<Engine> {
        oracle::require("pg_ctlcluster")?;
        Engine::with(&["--workers", &workers.to_string()])
    }

    /// The same, with workers whose actions see nothing but their input root.
    ///
    /// # Panics
    /// Like [`oracle::require`], and if it does not start.
    pub fn start_bare(workers: usize) -> Option<Engine> {
        oracle::require("pg_ctlcluster")?;
        oracle::require("bwrap")?;
        Engine::with(&["--bare", "--workers", &workers.to_string()])
    }

    /// The same, with workers that fail at random, in `percent` % of the actions.
    ///
    /// # Panics
    /// Like [`oracle::require`], and if it does not start.
    pub fn start_failing(workers: usize, percent: u32) -> Option<Engine> {
        oracle::require("pg_ctlcluster")?;
        Engine::with(&["--faults", &percent.to_string(), "--workers", &workers.to_string()])
    }

    /// Starts buildbox-casd, for a test that requires it, like [`oracle::require`]. It has no separate
    /// workers.
    ///
    /// # Panics
    /// Like [`oracle::require`], and if it does not start.
    pub fn start_casd() -> Option<Engine> {
        oracle::require("bwrap")?;
        Engine::with(&["--casd"])
    }

    fn with(arguments: &[&str]) -> Option<Engine> {
        let python = oracle::require(oracle::ENGINES)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/test-engine.py");
        let mut command = Command::new(python.path());
        command.arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("Python starts");
        let input = process.stdin.take();
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        let read = output.read_line(&mut line);
        let place = line.trim_end().split_once(' ');
        let (url, folder) = place.unwrap_or_else(|| panic!("the engine does not start: {read:?}"));
        let (url, folder) = (url.to_owned(), PathBuf::from(folder));
        Some(Engine { process, input, output, url, folder })
    }

    /// Does something with a process of it: `stop server`, `start server`, `pause server`,
    /// `continue server`, `stop worker N`, `start worker`.
    ///
    /// # Panics
    /// If it does not work.
    pub fn tell(&mut self, order: &str) {
        let input = self.input.as_mut().expect("it runs");
        let written = writeln!(input, "{order}").and_then(|()| input.flush());
        let mut answer = String::new();
        let read = self.output.read_line(&mut answer);
        assert_eq!(answer.trim_end(), "ok", "{order}: {written:?} {read:?}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.input.take());
        let _ = self.process.wait();
    }
}
