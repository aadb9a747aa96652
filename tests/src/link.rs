//! The corpus of programs of several objects (`tests/corpus/link`), linked by our linker and by
//! nvlink.
//!
//! Each folder is a program: PTX modules, and per architecture their relocatable cubins of ptxas
//! 13.0.88 and, as text, the facts of the executable that nvlink 13.0.88 makes of those, in the
//! object order of `raddle link`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raddle_cubin::{Cubin, facts};
use raddle_entity::Serial;
use raddle_filetest::oracle::Oracle;
use raddle_link::objects::{Input, LinkOptions, Problem, link};

/// Architectures of the corpus.
pub const ARCHES: &[&str] = &["sm_80", "sm_90"];

/// A program for one architecture.
#[derive(Clone, Debug)]
pub struct Program {
    /// Folder.
    pub name: String,
    /// Architecture.
    pub arch: &'static str,
    /// Objects with their names, by name.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// The result of our linker for a program.
#[derive(Clone, Debug)]
pub struct Ours {
    /// The executable.
    pub bytes: Vec<u8>,
    /// The objects' names in the order of the output.
    pub order: Vec<String>,
    /// Warnings as text.
    pub warnings: Vec<String>,
}

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/link")
}

/// All programs for one architecture, by name.
///
/// # Errors
/// Unreadable files.
pub fn programs(arch: &'static str) -> Result<Vec<Program>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder())?.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    folders.sort();
    folders.into_iter().filter(|f| f.is_dir()).map(|folder| program(&folder, arch)).collect()
}

fn program(folder: &Path, arch: &'static str) -> Result<Program> {
    let mut objects = Vec::new();
    for entry in fs::read_dir(folder.join(arch))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "cubin") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            objects.push((name, fs::read(&path)?));
        }
    }
    objects.sort();
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Program { name, arch, objects })
}

/// Links with our linker.
///
/// # Errors
/// The problems that it reports.
pub fn ours(program: &Program) -> Result<Ours, Vec<Problem>> {
    let inputs: Vec<Input<'_>> =
        program.objects.iter().map(|(name, bytes)| Input { name, bytes, library: false }).collect();
    let linked = link(&inputs, &LinkOptions::default(), &Serial)?;
    Ok(Ours {
        bytes: linked.bytes(&Serial),
        order: linked.objects().into_iter().map(str::to_owned).collect(),
        warnings: linked.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// Links with nvlink, the objects in this order. The inner `Err` is nvlink's error.
///
/// # Errors
/// Files that cannot be written or read.
pub fn nvlink(oracle: &Oracle, program: &Program, order: &[String]) -> Result<Result<Vec<u8>, String>> {
    nvlink_with(oracle, program, order, &[])
}

/// Like [`nvlink`], with further options.
///
/// # Errors
/// Files that cannot be written or read.
pub fn nvlink_with(
    oracle: &Oracle,
    program: &Program,
    order: &[String],
    options: &[&str],
) -> Result<Result<Vec<u8>, String>> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.cubin");
    let mut args = vec![format!("-arch={}", program.arch), "-o".into(), out.display().to_string()];
    args.extend(options.iter().map(|&o| o.to_owned()));
    for name in order {
        let (_, bytes) = program.objects.iter().find(|o| o.0 == *name).context("an object of the program")?;
        let path = folder.path().join(name);
        fs::write(&path, bytes)?;
        args.push(path.display().to_string());
    }
    let output = oracle.output(&args)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Ok(Err(said));
    }
    Ok(Ok(fs::read(out)?))
}

/// The facts of an executable.
///
/// # Errors
/// One that cannot be read.
pub fn facts_of(bytes: &[u8]) -> Result<Vec<String>> {
    Ok(facts::lines(&Cubin::parse(bytes)?))
}

/// Reads the stored facts of nvlink's output for a program; `None` if nvlink fails.
///
/// # Errors
/// A file that cannot be read.
pub fn stored(program: &Program) -> Result<Option<Vec<String>>> {
    let path = stored_path(program);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.lines().map(str::to_owned).collect())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => bail!("{}: {error}", path.display()),
    }
}

/// The path of the file for [`stored`].
pub fn stored_path(program: &Program) -> PathBuf {
    folder().join(&program.name).join(program.arch).join("nvlink.txt")
}

/// Lines that are in only one of the lists. Both are sorted.
pub fn differences(ours: &[String], theirs: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let (mut a, mut b) = (ours.iter().peekable(), theirs.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
            }
            (Some(x), y) if y.is_none_or(|y| x < y) => {
                out.push(format!("+ {x}"));
                a.next();
            }
            (_, Some(y)) => {
                out.push(format!("- {y}"));
                b.next();
            }
            (_, None) => return out,
        }
    }
}
