//! ptxas as a judge of PTX: verdicts by line, and machine code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use raddle_diag::{Diags, SourceMap};
use raddle_filetest::oracle::{self, Oracle};
use raddle_ptx::{Body, Func, Outline, Scratch, outline, parse_body_with, parse_init, print_module};

/// ptxas with a folder for its files.
pub struct Ptxas {
    oracle: Oracle,
    folder: PathBuf,
}

/// What a judge said of a module: messages by line; line 0 for those without.
pub type Verdict = BTreeMap<usize, Vec<String>>;

impl Ptxas {
    /// Finds ptxas and makes a folder for one campaign.
    pub fn new(name: &str) -> Result<Ptxas> {
        let oracle = oracle::find("ptxas").context("ptxas is not installed: run `make oracles`")?;
        let folder = std::env::temp_dir().join(format!("raddle-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Ptxas { oracle, folder })
    }

    /// Runs ptxas; the messages by line, and the output where there was no error. `arch` is `compute_90` or `sm_90`.
    pub fn run(&self, text: &str, arch: &str) -> Result<(Verdict, Option<Vec<u8>>)> {
        let input = self.folder.join("in.ptx");
        let output = self.folder.join("out.cubin");
        let _ = std::fs::remove_file(&output);
        std::fs::write(&input, text)?;
        let mut command = self.oracle.command();
        command.arg(format!("-arch={arch}")).arg(&input).arg("-o").arg(&output);
        if !arch.starts_with("compute") {
            command.arg("-c");
        }
        let done = command.output()?;
        let mut verdict = Verdict::new();
        for line in String::from_utf8_lossy(&done.stderr).lines() {
            let (number, message) = match line.split_once(", line ").and_then(|(_, rest)| rest.split_once("; ")) {
                Some((number, message)) => (number.parse().unwrap_or(0), message),
                None => (0, line),
            };
            let is_error = ["error", "fatal"].iter().any(|w| message.contains(w));
            if is_error && !message.contains("aborted due to errors") {
                verdict.entry(number).or_default().push(message.to_owned());
            }
        }
        let code = if done.status.success() { std::fs::read(&output).ok() } else { None };
        if verdict.is_empty() && !done.status.success() {
            // Some malformed modules kill ptxas 13.0.88: it does not take them.
            let what =
                format!("fatal   : ptxas died ({}): {}", done.status, String::from_utf8_lossy(&done.stderr).trim());
            verdict.insert(0, vec![what]);
        }
        Ok((verdict, code))
    }
}

impl Drop for Ptxas {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Our messages by line.
pub fn ours(text: &str) -> (Outline, Verdict) {
    let mut map = SourceMap::new();
    let mut verdict = Verdict::new();
    let Ok(file) = map.add("in.ptx", text) else { return (Outline::default(), verdict) };
    let mut diags = Diags::new();
    let out = outline(text, file, &mut diags);
    for id in out.globals.keys() {
        if let Err(error) = parse_init(text, &out, id) {
            let line = map.get(file).map_or(0, |source| source.line(error.offset));
            verdict.entry(line).or_default().push(format!("{} {}", error.code, error.message));
        }
    }
    let mut scratch = Scratch::new();
    for id in out.funcs.keys() {
        parse_body_with(&mut scratch, text, file, &out, id, &mut diags);
    }
    for d in diags.iter().filter(|d| d.is_error()) {
        let line = d.span().and_then(|s| Some(map.get(s.file)?.line(s.start as usize))).unwrap_or(0);
        verdict.entry(line).or_default().push(format!("{} {}", d.code, d.message));
    }
    (out, verdict)
}

/// A module with all its bodies.
fn parsed(text: &str) -> Result<(Outline, Vec<Body>)> {
    let mut map = SourceMap::new();
    let file = map.add("in.ptx", text)?;
    let mut diags = Diags::new();
    let out = outline(text, file, &mut diags);
    let mut scratch = Scratch::new();
    let bodies = out.funcs.keys().map(|id| parse_body_with(&mut scratch, text, file, &out, id, &mut diags)).collect();
    Ok((out, bodies))
}

/// The canonical text of a module.
pub fn printed(text: &str) -> Result<String> {
    let (out, bodies) = parsed(text)?;
    Ok(print_module(text, &out, |id| bodies[id.as_u32() as usize].clone()))
}

/// What differs between a module and its printed text read back; `None` where nothing does: the declarations, the
/// bodies but for places, and the text printed again.
pub fn read_back_differs(text: &str) -> Result<Option<String>> {
    let (first, bodies) = parsed(text)?;
    let printed = print_module(text, &first, |id| bodies[id.as_u32() as usize].clone());
    let (second, again) = parsed(&printed)?;
    if first.funcs.len() != second.funcs.len() || first.globals.len() != second.globals.len() {
        return Ok(Some(String::from("other functions or variables")));
    }
    for ((id, a), (x, y)) in first.funcs.iter().zip(bodies.into_iter().zip(again)) {
        let b = &second.funcs[id];
        let header = |f: &Func| (f.name.clone(), f.entry, f.linkage, f.rets.clone(), f.params.clone(), f.perf.clone());
        if header(a) != header(b) || x.without_places() != y.without_places() {
            return Ok(Some(a.name.to_string()));
        }
    }
    for (a, b) in first.globals.values().zip(second.globals.values()) {
        if (&a.var, a.linkage, a.managed, a.unified) != (&b.var, b.linkage, b.managed, b.unified) {
            return Ok(Some(a.var.name.to_string()));
        }
    }
    let twice = {
        let (out, bodies) = parsed(&printed)?;
        print_module(&printed, &out, |id| bodies[id.as_u32() as usize].clone())
    };
    Ok((twice != printed).then(|| String::from("the text printed again")))
}

/// Sections of machine code and constants of a cubin, by name.
pub fn code_sections(cubin: &[u8]) -> Result<BTreeMap<String, Vec<u8>>> {
    let word = |at: usize, n: usize| -> Result<usize> {
        let bytes = cubin.get(at..at + n).context("a truncated cubin")?;
        Ok(bytes.iter().rev().fold(0, |acc, &b| acc << 8 | usize::from(b)))
    };
    let (table, size, count, names) = (word(0x28, 8)?, word(0x3a, 2)?, word(0x3c, 2)?, word(0x3e, 2)?);
    let names_at = word(table + names * size + 0x18, 8)?;
    let mut found = BTreeMap::new();
    for i in 0..count {
        let at = table + i * size;
        let name: Vec<u8> = cubin[names_at + word(at, 4)?..].iter().copied().take_while(|&b| b != 0).collect();
        let name = String::from_utf8_lossy(&name).into_owned();
        if (name.starts_with(".text") || name.starts_with(".nv.constant")) && word(at + 4, 4)? != 8 {
            let (start, len) = (word(at + 0x18, 8)?, word(at + 0x20, 8)?);
            found.insert(name, cubin.get(start..start + len).context("a section past the end")?.to_vec());
        }
    }
    Ok(found)
}

/// Every `.ptx` of snippets, producers and kernels, sorted.
pub fn corpus() -> Result<Vec<PathBuf>> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has a parent folder")?.join("tests/corpus");
    let mut found = BTreeSet::new();
    let mut folders: Vec<PathBuf> = ["kernels", "snippets", "producers"].iter().map(|name| root.join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|x| x == "ptx") {
                found.insert(path);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// A module as ptxas 13.0.88 can read it: at most PTX 9.0, and sm_75 or later; and the `-arch` to compile it for.
pub fn for_ptxas(text: &str) -> (String, String) {
    let mut out = String::with_capacity(text.len());
    let mut arch = String::from("sm_75");
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(version) = trimmed.strip_prefix(".version")
            && version.trim().parse::<f32>().is_ok_and(|v| v > 9.0)
        {
            out.push_str(".version 9.0\n");
            continue;
        }
        if let Some(target) = trimmed.strip_prefix(".target") {
            let name = target.trim().split([',', ' ']).next().unwrap_or("");
            let number: u32 = name.trim_start_matches("sm_").trim_end_matches(['a', 'f']).parse().unwrap_or(0);
            arch = if number < 75 { "sm_75".to_owned() } else { name.to_owned() };
        }
        out.push_str(line);
    }
    (out, arch)
}
