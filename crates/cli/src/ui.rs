//! All printed output: diagnostics, tables, progress. No other crate prints.

use crate::args::{Global, MessageFormat, When};
use crate::demangle::demangle;
use raddle_diag::render::{human, json, ptxas_lines};
use raddle_diag::{Code, Diagnostic, Diags, Policy, Severity, SourceMap};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The style of the output.
#[derive(Clone, Debug)]
pub struct Ui {
    format: MessageFormat,
    style: human::Style,
    ptxas_lines: ptxas_lines::Style,
    progress: bool,
    policy: Policy,
    /// Errors and warnings that were shown but not yet included in a count.
    uncounted: Arc<[AtomicUsize; 2]>,
    /// What is shown later, or never, where this process stands in for another tool.
    held: Option<Held>,
}

/// Output that is held back.
#[derive(Clone, Debug)]
pub struct Held {
    /// The words of the tool for a diagnostic.
    pub words: fn(&Diagnostic, &SourceMap) -> Diagnostic,
    /// What was held back.
    pub shown: Arc<Mutex<Shown>>,
}

/// Text that was held back.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// Severity and code of each diagnostic in it.
    pub found: Vec<(Severity, Code)>,
}

impl Ui {
    /// Creates it from the command line and the terminal.
    pub fn new(global: &Global) -> Ui {
        let terminal = io::stderr().is_terminal();
        let variable = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = match global.color {
            When::Auto => terminal && !dumb && !variable("NO_COLOR"),
            When::Always => true,
            When::Never => false,
        };
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Ui {
            format: global.message_format,
            style: human::Style { colour, width },
            ptxas_lines: ptxas_lines::Style {
                tool: global.tool_name.clone(),
                tags: global.severity_tags,
                suffix: global.message_suffix.clone(),
            },
            progress: terminal && !dumb && global.message_format == MessageFormat::Human,
            policy: Policy {
                infos: !global.no_infos,
                warnings: !global.no_warnings,
                warnings_as_errors: global.warnings_as_errors,
                ..Policy::default()
            },
            uncounted: Arc::default(),
            held: None,
        }
    }

    /// The same output, held back, without warnings of these codes.
    pub fn held(self, held: Held, without: &'static [Code]) -> Ui {
        Ui { held: Some(held), policy: Policy { without, ..self.policy }, ..self }
    }

    /// The rules for keeping diagnostics.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Whether messages are in human format.
    pub fn human(&self) -> bool {
        self.format == MessageFormat::Human
    }

    /// The format of messages.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// Shows all diagnostics on standard error, and the number of omitted ones.
    pub fn show(&self, diags: &Diags, sources: &SourceMap) {
        let counts = diags.counts();
        self.count(counts.errors + counts.fatals, counts.warnings);
        diags.iter().for_each(|diagnostic| self.put(&self.text(diagnostic, sources)));
        if diags.omitted() > 0 && self.human() {
            self.put(&format!("... and {} more\n", diags.omitted()));
        }
    }

    /// Shows one diagnostic on standard error.
    pub fn show_one(&self, diagnostic: &Diagnostic, sources: &SourceMap) {
        self.count(usize::from(diagnostic.is_error()), usize::from(diagnostic.severity == Severity::Warning));
        self.put(&self.text(diagnostic, sources));
    }

    /// Writes to standard error, now or later.
    fn put(&self, text: &str) {
        match &self.held {
            Some(held) => held.shown.lock().unwrap_or_else(PoisonError::into_inner).text += text,
            // A failure to write to standard error cannot be reported.
            None => drop(io::stderr().lock().write_all(text.as_bytes())),
        }
    }

    fn text(&self, diagnostic: &Diagnostic, sources: &SourceMap) -> String {
        let made;
        let diagnostic = match &self.held {
            Some(held) => {
                made = (held.words)(diagnostic, sources);
                held.shown.lock().unwrap_or_else(PoisonError::into_inner).found.push((made.severity, made.code));
                &made
            }
            None => diagnostic,
        };
        match self.format {
            MessageFormat::Human => human::render(diagnostic, sources, self.style, &demangle),
            MessageFormat::Ptxas => ptxas_lines::render(diagnostic, sources, &self.ptxas_lines),
            MessageFormat::Json => json::render(diagnostic, sources).unwrap_or_else(|error| {
                format!("{{\"schema\":{},\"kind\":\"failure\",\"message\":\"{error}\"}}\n", json::SCHEMA)
            }),
        }
    }

    fn count(&self, errors: usize, warnings: usize) {
        for (number, more) in self.uncounted.iter().zip([errors, warnings]) {
            number.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// The numbers of errors and warnings shown since the last call, in words; `None` if there were
    /// none.
    pub fn counts(&self) -> Option<String> {
        let [errors, warnings] = [0, 1].map(|n: usize| self.uncounted[n].swap(0, Ordering::Relaxed));
        let words = [(errors, "error"), (warnings, "warning")].map(|(n, what)| match n {
            0 => None,
            1 => Some(format!("1 {what}")),
            n => Some(format!("{n} {what}s")),
        });
        let words: Vec<String> = words.into_iter().flatten().collect();
        if words.is_empty() { None } else { Some(words.join(", ")) }
    }

    /// Reports the numbers of errors and warnings, in human format, unless they were reported
    /// already; then `more`.
    pub fn end(&self, more: &str) {
        if let Some(counts) = self.counts().filter(|_| self.human()) {
            self.note(&format!("{counts}{more}"));
        }
    }

    /// The name at the start of lines in the format of ptxas.
    pub fn tool(&self) -> &str {
        &self.ptxas_lines.tool
    }

    /// Whether a bar may be drawn.
    pub fn terminal(&self) -> bool {
        self.progress
    }

    /// Prints a note on standard error, in human format.
    pub fn note(&self, text: &str) {
        self.put(&format!("{text}\n"));
    }
}

/// A table with right-aligned numbers, as lines.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these headings.
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_string()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let last = row.len().saturating_sub(1);
            for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // The last column is text of any length: the kernel's name.
                if i == last {
                    writeln!(f, "  {cell}")?;
                } else {
                    write!(f, "  {cell:>width$}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_align_numbers_and_leave_names_free() {
        let mut table = Table::new(&["regs", "kernel"]);
        table.row(["7".to_string(), "a".to_string()]);
        table.row(["12345".to_string(), "long name".to_string()]);
        assert_eq!(table.to_string(), "   regs  kernel\n      7  a\n  12345  long name\n");
    }
}
