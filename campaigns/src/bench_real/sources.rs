//! PTX of real programs: nvcc on the CUDA files of checkouts, one file per folder.
//!
//! Of each folder the file with the most kernels is taken (of several the first by name). What nvcc does not compile for
//! lack of a library is left out. Results stay in `target/real`, so that the next run starts where this one ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::parallel;

use xtask::figures::root;

/// The architecture that nvcc writes PTX for: the oldest that we have code for.
const ARCH: &str = "-arch=compute_80";
/// Folders with headers that programs share, beside any folder above a file.
const HEADERS: [&str; 5] = ["include", "inc", "common", "Common", "utils"];

/// A module: the path of its source below the folder of checkouts, and the file of its PTX.
pub struct Module {
    pub name: String,
    pub file: PathBuf,
}

/// All CUDA files below a folder, as paths relative to it, with how many kernels each defines.
fn cuda_files(sources: &Path) -> Result<Vec<(PathBuf, usize)>> {
    let mut out = Vec::new();
    let mut folders = vec![sources.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|x| x == "cu") {
                let kernels = String::from_utf8_lossy(&fs::read(&path)?).matches("__global__").count();
                out.push((path.strip_prefix(sources)?.to_owned(), kernels));
            }
        }
    }
    Ok(out)
}

/// The file with the most kernels of each folder, in the order of their paths.
fn chosen(mut files: Vec<(PathBuf, usize)>) -> Vec<PathBuf> {
    files.sort();
    let mut best: BTreeMap<PathBuf, (PathBuf, usize)> = BTreeMap::new();
    for (file, kernels) in files.into_iter().filter(|f| f.1 > 0) {
        let folder = file.parent().unwrap_or(&file).to_owned();
        let old = best.entry(folder).or_insert_with(|| (file.clone(), 0));
        if kernels > old.1 {
            *old = (file, kernels);
        }
    }
    best.into_values().map(|(file, _)| file).collect()
}

/// The folders in which nvcc looks for headers of a file.
fn headers(sources: &Path, file: &Path) -> Vec<PathBuf> {
    let folder = sources.join(file.parent().unwrap_or(file));
    let mut out = vec![folder.clone()];
    for above in folder.ancestors().take_while(|above| above.starts_with(sources)) {
        out.extend(HEADERS.iter().map(|name| above.join(name)).filter(|path| path.is_dir()));
    }
    out
}

/// Makes the PTX of a file unless it was tried before: an empty file says that nvcc does not compile it.
fn make(nvcc: &Oracle, sources: &Path, file: &Path, out: &Path) -> Result<()> {
    if out.exists() {
        return Ok(());
    }
    let shown = |path: &Path| path.display().to_string();
    let partial = out.with_extension("partial");
    let mut args =
        vec!["-O3".to_owned(), "-ptx".into(), "-std=c++17".into(), ARCH.into(), "-o".into(), shown(&partial)];
    let libraries = oracle::toolkit().map(|toolkit| toolkit.join("include/cccl"));
    for folder in headers(sources, file).into_iter().chain(libraries) {
        args.extend(["-I".to_owned(), shown(&folder)]);
    }
    args.push(shown(&sources.join(file)));
    if !nvcc.output(&args)?.status.success() {
        fs::write(&partial, "")?;
    }
    Ok(fs::rename(&partial, out)?)
}

/// The modules of the CUDA files below a folder, made by nvcc where they are not there yet.
///
/// # Errors
/// No nvcc, and files that cannot be read or written.
pub fn modules(sources: &Path, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<Vec<Module>> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let folder = root().join("target/real");
    fs::create_dir_all(&folder)?;
    let mut files = chosen(cuda_files(sources)?);
    files.retain(|file| wanted(&file.display().to_string()));
    let one = |file: &PathBuf| -> Result<Module> {
        let name = file.display().to_string();
        let out = folder.join(format!("{}.ptx", name.replace('/', "__")));
        make(&nvcc, sources, file, &out)?;
        Ok(Module { name, file: out })
    };
    let mut modules: Vec<Module> = parallel::map(&files, one).into_iter().collect::<Result<_>>()?;
    modules.retain(|module| fs::read_to_string(&module.file).is_ok_and(|text| text.contains(".entry")));
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_per_folder_and_headers_of_the_folders_above() {
        let sources = tempfile::tempdir().unwrap();
        let at = sources.path();
        for (file, text) in [
            ("p/a/one.cu", "__global__ void k()"),
            ("p/a/two.cu", "__global__ void k() {} __global__ void l()"),
            ("p/a/more.cu", "__global__ void k() {} __global__ void l()"),
            ("p/host.cu", "int main()"),
            ("p/include/h.cuh", "__global__"),
        ] {
            let path = at.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let files = chosen(cuda_files(at).unwrap());
        assert_eq!(files, [PathBuf::from("p/a/more.cu")]);
        assert_eq!(headers(at, &files[0]), [at.join("p/a"), at.join("p/include")]);
    }
}
