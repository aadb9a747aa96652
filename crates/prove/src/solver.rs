//! A solver as a process that is asked over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::smt;
use crate::term::{Bank, Term};

/// What a solver says of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The conditions cannot all hold.
    Never,
    /// They hold for these values, by name.
    For(Vec<(String, String)>),
    /// Not found out in time.
    Unknown,
}

/// Why a solver cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// It cannot be started, or has ended.
    #[error("{}: {source}", .path.display())]
    Process {
        /// The program.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// It does not understand a question: our bug.
    #[error("the solver says: {0}")]
    Refused(String),
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// A running z3.
pub struct Solver {
    path: PathBuf,
    limit: Duration,
    running: Option<Running>,
    /// The questions asked.
    pub asked: usize,
}

/// The line by which an answer ends.
const END: &str = "raddle-end";

impl Solver {
    /// Uses the program at `path`, each question for at most `limit`.
    pub fn new(path: &Path, limit: Duration) -> Solver {
        Solver { path: path.to_owned(), limit, running: None, asked: 0 }
    }

    /// The time for a question.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    fn start(&self) -> Result<Running, SolverError> {
        let failed = |source| SolverError::Process { path: self.path.clone(), source };
        let mut command = Command::new(&self.path);
        command.args(["-in", "-smt2", "-memory:2000"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let broken = || failed(std::io::ErrorKind::BrokenPipe.into());
        let input = child.stdin.take().ok_or_else(broken)?;
        let output = child.stdout.take().ok_or_else(broken)?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Running { child, input, lines })
    }

    /// Asks whether these conditions can all hold.
    ///
    /// # Errors
    /// See [`SolverError`].
    pub fn ask(&mut self, bank: &Bank, conditions: &[Term]) -> Result<Answer, SolverError> {
        let (script, variables) = smt::script(bank, conditions);
        let values =
            if variables.is_empty() { String::new() } else { format!("(get-value ({}))\n", variables.join(" ")) };
        self.ask_text(&script, &values)
    }

    fn ask_text(&mut self, script: &str, values: &str) -> Result<Answer, SolverError> {
        self.asked += 1;
        let first = self.exchange(&format!(
            "(reset)\n(set-option :timeout {})\n(set-option :model.completion true)\n{script}(check-sat)\n",
            self.limit.as_millis()
        ))?;
        let Some(lines) = first else { return Ok(Answer::Unknown) };
        match lines.iter().map(String::as_str).find(|line| !line.is_empty()) {
            Some("unsat") => Ok(Answer::Never),
            Some("sat") => {
                let model = if values.is_empty() { Some(Vec::new()) } else { self.exchange(values)? };
                Ok(Answer::For(model.map_or_else(Vec::new, |lines| values_of(&lines.join(" ")))))
            }
            Some("unknown" | "timeout") => Ok(Answer::Unknown),
            _ => Err(SolverError::Refused(lines.join(" ").chars().take(300).collect())),
        }
    }

    /// Sends text; returns the lines of the answer, or nothing after the limit.
    fn exchange(&mut self, text: &str) -> Result<Option<Vec<String>>, SolverError> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let failed = |source| SolverError::Process { path: self.path.clone(), source };
        let sent = writeln!(running.input, "{text}(echo \"{END}\")").and_then(|()| running.input.flush());
        sent.map_err(failed)?;
        let mut out = Vec::new();
        let patience = self.limit * 2 + Duration::from_secs(5);
        loop {
            match running.lines.recv_timeout(patience) {
                Ok(line) if line == END => break,
                Ok(line) => out.push(line),
                Err(RecvTimeoutError::Timeout) => {
                    end(&mut running);
                    return Ok(None);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    end(&mut running);
                    // Out of memory: the next question starts another.
                    return Ok(None);
                }
            }
        }
        self.running = Some(running);
        Ok(Some(out))
    }
}

fn end(running: &mut Running) {
    // It may have ended by itself.
    let _ = running.child.kill();
    let _ = running.child.wait();
}

impl Drop for Solver {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            end(running);
        }
    }
}

/// The pairs of a `get-value`: `((|name| #x00) ...)`.
fn values_of(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find("(|") {
        rest = &rest[from + 2..];
        let Some(to) = rest.find('|') else { break };
        let (name, after) = rest.split_at(to);
        let Some(end) = after.find(')') else { break };
        out.push((name.to_owned(), after[1..end].trim().to_owned()));
        rest = &after[end..];
    }
    out
}
