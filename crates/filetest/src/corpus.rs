//! Access to the corpus of the project (`tests/corpus`) for the tests of every crate, and
//! assembling it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::oracle::{Oracle, PTXAS12};

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// All PTX files below these folders of the corpus, sorted.
///
/// # Panics
/// If a folder cannot be read, or there is no file: a test without input must not pass.
pub fn ptx(folders: &[&str]) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = folders.iter().map(|name| folder().join(name)).collect();
    let mut out = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                out.push(path);
            }
        }
    }
    assert!(!out.is_empty(), "no PTX below {folders:?}");
    out.sort();
    out
}

/// The newest PTX version that the assembler of CUDA 12.9 reads.
const NEWEST_OF_12: &str = "8.8";

/// Adapts PTX to `assembler` and `target`: replaces the directive `.target`, and a version newer
/// than the assembler's. `None` for text without these directives.
pub fn retargeted(text: &str, target: &str, assembler: &Oracle) -> Option<String> {
    let line_of = |directive: &str| text.lines().find(|line| line.starts_with(directive));
    let out = text.replacen(line_of(".target")?, &format!(".target {target}"), 1);
    let version = line_of(".version")?;
    let newest = if assembler.name() == PTXAS12 { NEWEST_OF_12 } else { return Some(out) };
    // Versions have one digit before and one after the point.
    let is_newer = version.trim_start_matches(".version").trim() > newest;
    Some(if is_newer { out.replacen(version, &format!(".version {newest}"), 1) } else { out })
}

/// Assembles a source to `out.cubin` in `folder`; `None` if the assembler refuses it.
///
/// # Panics
/// If files cannot be read or written, or the tool cannot be run.
pub fn assemble(assembler: &Oracle, folder: &Path, source: &Path, target: &str, options: &[&str]) -> Option<Vec<u8>> {
    let text = fs::read_to_string(source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    let (input, output) = (folder.join("in.ptx"), folder.join("out.cubin"));
    fs::write(&input, retargeted(&text, target, assembler)?).unwrap_or_else(|e| panic!("{}: {e}", input.display()));
    let mut command = assembler.command();
    command.arg(format!("-arch={target}")).args(options).arg(&input).arg("-o").arg(&output);
    let ran = command.output().unwrap_or_else(|e| panic!("{}: {e}", assembler.name()));
    ran.status.success().then(|| fs::read(&output).unwrap_or_else(|e| panic!("{}: {e}", output.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;

    #[test]
    fn the_corpus_is_found_in_order() {
        let kernels = ptx(&["kernels"]);
        assert!(kernels.len() > 80 && kernels.is_sorted());
        assert!(kernels.iter().any(|path| path.ends_with("kernels/saxpy/nvcc.ptx")));
        assert!(ptx(&["kernels", "snippets"]).len() > kernels.len() + 300);
        assert!(std::panic::catch_unwind(|| ptx(&["nosuch"])).is_err());
    }

    #[test]
    fn sources_are_made_for_their_assembler() {
        let (Some(new), Some(old)) = (oracle::require("ptxas"), oracle::require(PTXAS12)) else { return };
        let text = "// a\n.version 9.0\n.target sm_80\n.address_size 64\n";
        assert_eq!(retargeted(text, "sm_90", &new).unwrap(), "// a\n.version 9.0\n.target sm_90\n.address_size 64\n");
        assert_eq!(retargeted(text, "sm_90", &old).unwrap(), "// a\n.version 8.8\n.target sm_90\n.address_size 64\n");
        let older = text.replace("9.0", "7.5");
        assert_eq!(retargeted(&older, "sm_80", &old).unwrap(), older);
        assert!(retargeted(".version 9.0\n", "sm_90", &new).is_none());
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("k.ptx");
        fs::write(&source, text).unwrap();
        for assembler in [&new, &old] {
            assert!(assemble(assembler, folder.path(), &source, "sm_90", &["-c"]).unwrap().starts_with(b"\x7fELF"));
            assert!(assemble(assembler, folder.path(), &source, "sm_0", &[]).is_none());
        }
    }
}
