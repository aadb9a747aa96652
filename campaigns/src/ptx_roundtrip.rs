//! `ptx-roundtrip`: printed PTX is read back as the same tree, and gives the machine code that the original gives, on the
//! whole corpus.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Result, bail, ensure};

use crate::ptx_oracle::{Ptxas, code_sections, corpus, for_ptxas, printed, read_back_differs};
use xtask::figures;

/// What was found out about the modules.
#[derive(Default)]
struct Findings {
    /// Modules whose printed text is read back as the same tree.
    identical: u32,
    /// Modules whose printed text gives the same machine code.
    same_code: u32,
    /// Modules that ptxas does not take.
    skipped: u32,
    other_tree: Vec<String>,
    other_code: Vec<String>,
}

#[derive(clap::Args)]
pub struct Options {
    /// Only modules whose file name contains this
    #[arg(value_name = "PART")]
    part: Option<String>,
    /// Only print and read back; without ptxas
    #[arg(long)]
    identity: bool,
}

/// Runs the command.
///
/// # Errors
/// No ptxas, unreadable files, and a module that does not come back.
pub fn run(Options { part, identity }: Options) -> Result<()> {
    let code = !identity;
    let wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        part.as_ref().is_none_or(|part| name.contains(part))
    };
    let paths: Vec<PathBuf> = corpus()?.into_iter().filter(wanted).collect();
    let found = Mutex::new(Findings::default());
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let worker = |job: usize| compare(paths.iter().skip(job).step_by(jobs), job, code, &found);
        let workers: Vec<_> = (0..jobs).map(|job| scope.spawn(move || worker(job))).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| bail!("a worker died")))
    })?;
    let Findings { identical, same_code, skipped, mut other_tree, mut other_code } =
        found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    other_tree.sort();
    other_code.sort();
    println!("{identical} modules read back as the same tree, {} as another", other_tree.len());
    let share =
        |good: u32, bad: &[String]| (f64::from(good) * 10_000.0 / (f64::from(good) + bad.len() as f64)).floor() / 100.0;
    let note = |good: u32, bad: &[String]| {
        let list = bad.join(", ");
        format!("{good} modules{}{list}", if bad.is_empty() { "" } else { "; not " })
    };
    if part.is_none() {
        let command = "cargo campaign ptx-roundtrip --identity";
        figures::record(
            "ptx.roundtrip.identity",
            share(identical, &other_tree),
            command,
            &note(identical, &other_tree),
        )?;
    }
    if code {
        println!(
            "{same_code} with the same machine code, {} with other, {skipped} not taken by ptxas",
            other_code.len()
        );
        if part.is_none() {
            let command = "cargo campaign ptx-roundtrip";
            figures::record(
                "ptx.roundtrip.code",
                share(same_code, &other_code),
                command,
                &note(same_code, &other_code),
            )?;
        }
    }
    ensure!(other_tree.is_empty(), "another tree:\n{}", other_tree.join("\n"));
    ensure!(other_code.is_empty(), "other machine code:\n{}", other_code.join("\n"));
    Ok(())
}

fn compare<'a>(
    paths: impl Iterator<Item = &'a PathBuf>,
    job: usize,
    code: bool,
    found: &Mutex<Findings>,
) -> Result<()> {
    let ptxas = if code { Some(Ptxas::new(&format!("roundtrip{job}"))?) } else { None };
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let original = std::fs::read_to_string(path)?;
        let tree = read_back_differs(&original)?;
        let code = ptxas.as_ref().map(|ptxas| other_code(ptxas, &original)).transpose()?;
        let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match tree {
            None => found.identical += 1,
            Some(what) => found.other_tree.push(format!("{name}: {what}")),
        }
        match code {
            Some(Code::Same) => found.same_code += 1,
            Some(Code::Other(what)) => found.other_code.push(format!("{name}: {what}")),
            Some(Code::NotTaken) => {
                found.skipped += 1;
                eprintln!("{name}: ptxas does not take it");
            }
            None => {}
        }
    }
    Ok(())
}

/// The machine code of a module's printed text, beside that of its own.
enum Code {
    Same,
    Other(String),
    NotTaken,
}

fn other_code(ptxas: &Ptxas, original: &str) -> Result<Code> {
    let (text, arch) = for_ptxas(original);
    let (_, Some(before)) = ptxas.run(&text, &arch)? else { return Ok(Code::NotTaken) };
    let (verdict, after) = ptxas.run(&printed(&text)?, &arch)?;
    let Some(after) = after else { return Ok(Code::Other(format!("{verdict:?}"))) };
    let (before, after) = (code_sections(&before)?, code_sections(&after)?);
    if before == after {
        return Ok(Code::Same);
    }
    let other: Vec<&str> = before
        .iter()
        .filter(|(name, bytes)| after.get(*name) != Some(*bytes))
        .map(|(name, _)| name.as_str())
        .chain(after.keys().filter(|name| !before.contains_key(*name)).map(String::as_str))
        .collect();
    Ok(Code::Other(other.join(" ")))
}
