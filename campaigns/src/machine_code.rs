//! ptxas' machine code for the corpus: compiled once into `target/words/`, read as code sections.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_filetest::oracle;
use raddle_sass::Isa;

/// One code section of one cubin.
pub struct Code {
    /// File name of the cubin: the path of the PTX below the corpus with `+` for `/`, the level, `cubin`.
    pub cubin: String,
    /// The instructions, 16 bytes each.
    pub words: Vec<u128>,
}

/// Repository root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every PTX file below a folder of the corpus, sorted.
fn ptx_files(dir: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    let mut stack = vec![dir.to_owned()];
    while let Some(dir) = stack.pop() {
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|x| x == "ptx") {
                out.push(path);
            }
        }
    }
    Ok(())
}

/// The modules to compile for a machine: PTX files with the name of their cubins. Snippets come twice: as they stand, and
/// as every thread runs them on rows of its own.
fn modules(isa: Isa, out: &Path) -> Result<Vec<(PathBuf, String)>> {
    let corpus = root().join("tests/corpus");
    let mut files = Vec::new();
    for dir in ["snippets", "producers", "kernels"] {
        ptx_files(&corpus.join(dir), &mut files)?;
    }
    files.sort();
    let name = |file: PathBuf| {
        let relative = file.strip_prefix(&corpus).unwrap_or(&file);
        let stem = relative.with_extension("").display().to_string().replace('/', "+");
        (file, stem)
    };
    let mut modules: Vec<(PathBuf, String)> = files.into_iter().map(name).collect();
    for snippet in raddle_tests::snippet::all()? {
        let Some(text) = snippet.per_thread(isa.name()) else { continue };
        let stem = format!("rows+{}", snippet.name());
        let file = out.join(format!("{stem}.ptx"));
        if !std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
            std::fs::write(&file, text)?;
        }
        modules.push((file, stem));
    }
    Ok(modules)
}

/// Compiles snippets, producers and kernels with ptxas at these levels (`O3`, ...); what it refuses for this machine
/// is retried with the machine as `.target`, and left out if that is refused too. What is newer than its PTX is kept.
/// Returns the folder of the cubins.
pub fn compile(isa: Isa, levels: &[String]) -> Result<PathBuf> {
    let ptxas = oracle::find("ptxas").context("ptxas is not installed: make oracles")?;
    let out = root().join("target/words").join(isa.name());
    std::fs::create_dir_all(&out)?;
    for (file, stem) in &modules(isa, &out)? {
        let written = std::fs::metadata(file)?.modified()?;
        let fresh = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).is_ok_and(|time| time >= written);
        for level in levels {
            let cubin = out.join(format!("{stem}.{level}.cubin"));
            let refused = out.join(format!("{stem}.{level}.refused"));
            if fresh(&cubin) || fresh(&refused) {
                continue;
            }
            let run = |source: &Path| -> Result<bool> {
                let level = format!("-{level}");
                let args = ["-arch", isa.name(), &level, "-o"];
                let output = ptxas.command().args(args).arg(&cubin).arg(source).output()?;
                Ok(output.status.success())
            };
            if run(file)? {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
            let retargeted = out.join("retargeted.ptx");
            std::fs::write(&retargeted, retarget(&text, isa.name()))?;
            if !run(&retargeted)? {
                std::fs::write(&refused, "")?;
            }
        }
    }
    Ok(out)
}

/// The module with another `.target`.
fn retarget(text: &str, arch: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.trim_start().starts_with(".target") {
            out.push_str(&format!(".target {arch}\n"));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// All code sections of the cubins in a folder, sorted by name.
pub fn sections(dir: &Path, filter: &str) -> Result<Vec<Code>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir)
        .with_context(|| dir.display().to_string())?
        .map(|e| e.map(|e| e.path()))
        .collect::<std::io::Result<_>>()?;
    paths.retain(|p| p.extension().is_some_and(|x| x == "cubin") && p.to_string_lossy().contains(filter));
    paths.sort();
    let mut out = Vec::new();
    for path in &paths {
        let cubin = Cubin::parse(&std::fs::read(path)?).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for s in cubin.sections.iter().filter(|s| s.name.starts_with(".text.")) {
            let words = s.bytes().as_chunks::<16>().0.iter().map(|b| u128::from_le_bytes(*b)).collect();
            out.push(Code { cubin: name.clone(), words });
        }
    }
    ensure!(!out.is_empty(), "no code in {}", dir.display());
    Ok(out)
}

/// nvdisasm's name of a machine.
fn nvdisasm_name(isa: Isa) -> String {
    isa.name().replace("sm_", "SM")
}

/// nvdisasm's text of words, placed one after the other from address 0; `None` for a word it calls illegal.
pub fn disassemble(isa: Isa, words: &[u128]) -> Result<Vec<Option<String>>> {
    const NOP: u128 = 0x000f_c000_0000_0000_0000_0000_0000_7918;
    let nvdisasm = oracle::find("nvdisasm").context("nvdisasm is not installed: make oracles")?;
    let dir = root().join("target/words");
    std::fs::create_dir_all(&dir)?;
    let path = dir.join(format!("words.{}.{}.bin", std::process::id(), isa.name()));
    let mut words = words.to_vec();
    let mut legal = vec![true; words.len()];
    let mut text = String::new();
    for _ in 0..8 {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        std::fs::write(&path, bytes)?;
        let output = nvdisasm.command().args(["-b", &nvdisasm_name(isa), "-ndf", "-raw"]).arg(&path).output()?;
        if output.status.success() {
            text = String::from_utf8_lossy(&output.stdout).into_owned();
            break;
        }
        let err = String::from_utf8_lossy(&output.stderr);
        let mut any = false;
        for at in err.split("at address 0x").skip(1) {
            let hex: String = at.chars().take_while(char::is_ascii_hexdigit).collect();
            let i = usize::from_str_radix(&hex, 16)? / 16;
            ensure!(i < words.len(), "nvdisasm names address {hex}");
            words[i] = NOP;
            legal[i] = false;
            any = true;
        }
        ensure!(any, "nvdisasm: {}", err.lines().next().unwrap_or(""));
    }
    std::fs::remove_file(&path)?;
    let mut lines: BTreeMap<u64, String> = BTreeMap::new();
    for line in text.lines() {
        if let Some((pc, t)) = line.trim_start().strip_prefix("/*").and_then(|l| l.split_once("*/"))
            && let Ok(pc) = u64::from_str_radix(pc, 16)
        {
            lines.insert(pc, t.trim_start().trim_end_matches([';', ' ']).to_owned());
        }
    }
    // A word without a line of its own prints something that is not one instruction: not legal for us.
    Ok((0..words.len()).map(|i| lines.remove(&(i as u64 * 16)).filter(|_| legal[i])).collect())
}
