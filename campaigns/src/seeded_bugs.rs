//! `cargo campaign seeded-bugs [--check] [NAME]...`: faults planted in our own compiler, and whether the tests notice.
//!
//! Problem: tests that pass say little unless it is known what they would have caught. Strategy: `campaigns/seeded-bugs.toml` lists
//! faults as changes of the source: a text that occurs once in a file, and the text that takes its place, in which `SEEDED` is the
//! condition that this fault is on. All of them are written into one copy of the tree at once, so that it is built once; an
//! environment variable says which one a run has. The copy never leaves `target/seeded`. Each fault is put before random kernels, then
//! before those of the corpus, until the first finds something (`raddle_tests::smoke`), on one architecture after the other.
//! A text that is not there, or not once, is an error that names its fault: the list has to follow the source.
//!
//! `--check` only looks whether all texts are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_tests::judge::ARCHS;
use serde::Deserialize;

use raddle_tests::parallel;
use xtask::figures;

/// The variable that says which fault is on, in the copy only.
const VARIABLE: &str = "RADDLE_SEEDED";
/// The parts whose faults the figure does not count: its 30 are in code generation.
const OTHERS: &[&str] = &["opt", "order"];
/// Longest that one architecture may take: a compiler or kernel that does not end is found, too.
const PATIENCE: Duration = Duration::from_secs(1200);

/// A fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bug {
    /// Its name.
    name: String,
    /// The part of the compiler it is in.
    part: String,
    /// The file, from the root.
    file: String,
    /// Text that occurs there once.
    find: String,
    /// What takes its place; `SEEDED` is the condition that the fault is on.
    replace: String,
}

#[derive(Deserialize)]
struct List {
    bug: Vec<Bug>,
}

/// How a fault was met.
enum Verdict {
    /// By random kernels or those of the corpus, and the first thing that was said.
    Found(&'static str, String),
    Survived,
}

#[derive(clap::Args)]
pub struct Options {
    /// Only look whether the text of each fault is in the source once
    #[arg(long)]
    check: bool,
    /// Faults [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// Faults whose text is not in the source once, a copy that does not build, tests that fail without any fault.
pub fn run(Options { check, names }: Options) -> Result<()> {
    let root = figures::root();
    let bugs = list(&root)?;
    let sources = planted(&root, &bugs)?;
    println!("{} faults apply", bugs.len());
    if check {
        return Ok(());
    }
    let copy = root.join("target/seeded");
    write_copy(&root, &copy, &sources)?;
    let smoke = build(&root, &copy)?;
    ensure!(matches!(judge(&copy, &smoke, None)?, Verdict::Survived), "tests fail without a fault");
    println!("no fault: all pass");
    let wanted = |bug: &Bug| names.is_empty() || names.contains(&bug.name);
    let (mut found, mut in_codegen, mut survivors) = (BTreeMap::<&str, usize>::new(), 0, Vec::new());
    let chosen: Vec<(usize, &Bug)> = bugs.iter().enumerate().filter(|(_, bug)| wanted(bug)).collect();
    let verdicts = parallel::map(&chosen, |&(number, bug)| {
        let verdict = judge(&copy, &smoke, Some(number));
        match &verdict {
            Ok(Verdict::Found(test, what)) => println!("{} ({}): found by {test}: {what}", bug.name, bug.part),
            Ok(Verdict::Survived) => println!("{} ({}): NOT FOUND", bug.name, bug.part),
            Err(error) => println!("{} ({}): {error:#}", bug.name, bug.part),
        }
        verdict
    });
    for ((_, bug), verdict) in chosen.iter().zip(verdicts) {
        match verdict? {
            Verdict::Found(test, _) => {
                *found.entry(test).or_default() += 1;
                in_codegen += usize::from(!OTHERS.contains(&bug.part.as_str()));
            }
            Verdict::Survived => survivors.push(bug.name.as_str()),
        }
    }
    let count: usize = found.values().sum();
    let by: Vec<String> = found.iter().map(|(test, n)| format!("{n} by {test}")).collect();
    let missed = if survivors.is_empty() { "none".to_owned() } else { survivors.join(", ") };
    let there = chosen.iter().filter(|(_, bug)| !OTHERS.contains(&bug.part.as_str())).count();
    let note = format!(
        "{in_codegen} of {there} in allocation, spilling, convergence and scheduling, {} of {} in the optimiser and the order of memory; {}; not found: {missed}",
        count - in_codegen,
        chosen.len() - there,
        by.join(", ")
    );
    println!("{note}");
    if names.is_empty() {
        figures::record("codegen.seeded", in_codegen as f64, "make campaign-seeded", &note)?;
    }
    Ok(())
}

fn list(root: &Path) -> Result<Vec<Bug>> {
    let text = fs::read_to_string(root.join("campaigns/seeded-bugs.toml"))?;
    let List { bug } = toml::from_str(&text).context("campaigns/seeded-bugs.toml")?;
    Ok(bug)
}

/// The changed files: path and text with all faults in it.
fn planted(root: &Path, bugs: &[Bug]) -> Result<BTreeMap<String, String>> {
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, bug) in bugs.iter().enumerate() {
        let text = match sources.get(&bug.file) {
            Some(text) => text.clone(),
            None => fs::read_to_string(root.join(&bug.file)).with_context(|| format!("{}: {}", bug.name, bug.file))?,
        };
        let times = text.matches(bug.find.trim_end()).count();
        if times != 1 || !bug.replace.contains("SEEDED") {
            wrong.push(format!("{}: its text is {times} times in {}", bug.name, bug.file));
            continue;
        }
        let by = bug.replace.trim_end().replace("SEEDED", &format!("crate::seeded({number})"));
        sources.insert(bug.file.clone(), text.replacen(bug.find.trim_end(), &by, 1));
    }
    ensure!(wrong.is_empty(), "{} faults do not apply:\n{}", wrong.len(), wrong.join("\n"));
    let crates: Vec<String> =
        sources.keys().filter_map(|f| Some(format!("{}src/lib.rs", f.split_once("src/")?.0))).collect();
    for file in crates {
        let text = match sources.get(&file) {
            Some(text) => text.clone(),
            None => fs::read_to_string(root.join(&file))?,
        };
        if !text.contains("fn seeded(") {
            sources.insert(file, text + SWITCH);
        }
    }
    Ok(sources)
}

/// What is added to a crate with faults: whether fault number `n` is on.
const SWITCH: &str = r#"
fn seeded(n: usize) -> bool {
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("RADDLE_SEEDED").ok()?.parse().ok()) == Some(n)
}
"#;

/// Writes the tracked files of the tree, changed ones with their faults; files that are the same stay untouched, so that they
/// need not be built again.
fn write_copy(root: &Path, copy: &Path, sources: &BTreeMap<String, String>) -> Result<()> {
    let listed = Command::new("git").current_dir(root).args(["ls-files", "-z"]).output()?;
    ensure!(listed.status.success(), "git ls-files failed");
    for name in String::from_utf8(listed.stdout)?.split('\0').filter(|name| !name.is_empty()) {
        let path = root.join(name);
        if !path.is_file() {
            continue;
        }
        let bytes = sources.get(name).map(|text| Ok(text.as_bytes().to_vec())).unwrap_or_else(|| fs::read(&path))?;
        let to = copy.join(name);
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file in a folder")?)?;
        fs::write(&to, bytes)?;
    }
    Ok(())
}

/// Builds the program that judges the copy.
fn build(root: &Path, copy: &Path) -> Result<PathBuf> {
    let started = Instant::now();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let built = Command::new(cargo)
        .current_dir(copy)
        // Not that of the tree: cargo takes crates of both for the same, and would go on with those of the copy.
        .env("CARGO_TARGET_DIR", root.join("target/seeded-build"))
        .args(["build", "-p", "raddle-tests", "--bin", "smoke", "--message-format=json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(built.status.success(), "the copy with the faults does not build");
    let text = String::from_utf8(built.stdout)?;
    let mut messages = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let program = messages.find(|m| m["target"]["name"] == "smoke" && m["executable"].is_string());
    let program = program.as_ref().and_then(|m| m["executable"].as_str()).context("no program")?;
    println!("built in {:.0} s", started.elapsed().as_secs_f64());
    Ok(PathBuf::from(program))
}

/// Puts a fault before the tests, or no fault: on one architecture after the other, which one is first depends on the fault.
fn judge(copy: &Path, smoke: &Path, bug: Option<usize>) -> Result<Verdict> {
    for n in 0..ARCHS.len() {
        let arch = ARCHS[(n + bug.unwrap_or_default()) % ARCHS.len()];
        let log = copy.join(bug.map_or("run.log".to_owned(), |bug| format!("run.{bug}.log")));
        let output = fs::File::create(&log)?;
        let mut command = Command::new(smoke);
        command.arg(arch).current_dir(copy.join("tests")).env_remove(VARIABLE);
        command.stdout(output.try_clone()?).stderr(output);
        if let Some(bug) = bug {
            command.env(VARIABLE, bug.to_string());
        }
        let Some(status) = wait(&mut command.spawn()?)? else {
            return Ok(Verdict::Found("time", format!("{arch}: it does not end")));
        };
        if status.success() {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        let said = text.lines().find_map(|line| {
            let finders = [("Random: ", "random kernels"), ("Kernels: ", "kernels of the corpus")];
            finders.into_iter().find_map(|(start, by)| Some((by, line.strip_prefix(start)?)))
        });
        let last = || ("a crash", text.lines().last().unwrap_or_default());
        let (by, what) = said.unwrap_or_else(last);
        return Ok(Verdict::Found(by, format!("{arch}, {}", what.chars().take(200).collect::<String>())));
    }
    Ok(Verdict::Survived)
}

/// Waits for a program as long as is reasonable; `None`: longer.
fn wait(child: &mut Child) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_the_list_applies() {
        let root = figures::root();
        let bugs = list(&root).unwrap();
        assert!(bugs.len() >= 30);
        planted(&root, &bugs).unwrap();
    }

    #[test]
    fn a_text_that_is_not_there_is_named() {
        let bug = Bug {
            name: "nothing".into(),
            part: "main".into(),
            file: "xtask/src/main.rs".into(),
            find: "no such text".repeat(2),
            replace: "SEEDED".into(),
        };
        let error = planted(&figures::root(), &[bug]).unwrap_err().to_string();
        assert!(error.contains("nothing: its text is 0 times"), "{error}");
    }
}
