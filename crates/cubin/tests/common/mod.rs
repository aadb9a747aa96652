//! What tests with ptxas share.

use std::fs;
use std::path::{Path, PathBuf};

use raddle_filetest::oracle::Oracle;

/// Architectures that machine code is made for.
pub const TARGETS: [&str; 5] = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"];

/// PTX files of the corpus below `folder`, sorted, every `step`th.
pub fn sources(folder: &str, step: usize) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(folder)];
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ptx") {
                out.push(path);
            }
        }
    }
    out.sort();
    out.into_iter().step_by(step).collect()
}

/// ptxas' output for a source, `None` when it refuses it.
pub fn assemble(ptxas: &Oracle, folder: &Path, source: &Path, target: &str, options: &[&str]) -> Option<Vec<u8>> {
    let text = fs::read_to_string(source).unwrap();
    let line = text.lines().find(|l| l.starts_with(".target"))?;
    let input = folder.join("in.ptx");
    fs::write(&input, text.replacen(line, &format!(".target {target}"), 1)).unwrap();
    let output = folder.join("out.cubin");
    let mut command = ptxas.command();
    let done =
        command.arg(format!("-arch={target}")).args(options).arg(&input).arg("-o").arg(&output).output().unwrap();
    done.status.success().then(|| fs::read(&output).unwrap())
}
