//! Checkouts of other projects: identifies them and compares them with those that rows and figures
//! refer to.
//!
//! No file of a suite is stored in this repository. A run names a checkout (`--sources DIR`); the
//! commit, if `DIR` is a git work tree, and a hash over the files that are read are compared with
//! the row below. Another checkout is no error: it is reported, and the rows of known differences
//! are not enforced, because they refer to other files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The checkout of a suite that rows and figures refer to.
#[derive(Clone, Copy, Debug)]
pub struct Pin {
    /// The suite, as named for `cargo campaign suites`.
    pub suite: &'static str,
    /// Owner and name of the project.
    pub project: &'static str,
    /// Licence of the files that are read (SPDX).
    pub licence: &'static str,
    /// Commit.
    pub commit: &'static str,
    /// [`Files::hash`] of the files that are read.
    pub hash: &'static str,
}

/// The suites.
pub const PINS: [Pin; 7] = [
    Pin {
        suite: "fuzzx",
        project: "SemiAnalysisAI/FuzzX",
        licence: "Apache-2.0",
        commit: "231179d4221afbb03234ba8b846da3c61eed75b9",
        hash: "863a13ad47d338b0b2bc1e280f428cf1",
    },
    Pin {
        suite: "zluda",
        project: "vosen/ZLUDA",
        licence: "Apache-2.0 OR MIT",
        commit: "8a7931be87d758835776f54ea2e33d30621c74ce",
        hash: "c2a19234def0303bb6abe0251290cc72",
    },
    Pin {
        suite: "ocelot",
        project: "gtcasl/gpuocelot",
        licence: "BSD-3-Clause",
        commit: "fa63920ee7c5f9a86e264cd8acd4264657cbd190",
        hash: "0164715f9189212384eeb930f676487e",
    },
    Pin {
        suite: "ocelot-cases",
        project: "gtcasl/gpuocelot",
        licence: "BSD-3-Clause",
        commit: "fa63920ee7c5f9a86e264cd8acd4264657cbd190",
        hash: "4ecd82daec0d6934a209df914c0b06f8",
    },
    Pin {
        suite: "litmus",
        project: "hernanponcedeleon/Dat3M",
        licence: "MIT",
        commit: "30640123b88d4fc5ca01403f936d45c54d83a9c1",
        hash: "ed0ca49de4f7ea5190af09245d5ac160",
    },
    Pin {
        suite: "tensor-vectors",
        project: "north-numerical-computing/MATLAB-tensor-core",
        licence: "BSD-2-Clause",
        commit: "b12b5a700957655375a1b0c1d0c26e76065da015",
        hash: "d549a813a9acafef0d1bf57a6079b587",
    },
    Pin {
        suite: "cutlass",
        project: "NVIDIA/cutlass",
        licence: "BSD-3-Clause",
        commit: "7107b05535f8977f5ecb9d01ee203205b1fd9bc4",
        hash: "d44315cfea0e65364e0ace2f538531c3",
    },
];

/// The row of a suite.
///
/// # Errors
/// An unknown name.
pub fn pin(suite: &str) -> Result<Pin> {
    PINS.into_iter().find(|pin| pin.suite == suite).with_context(|| format!("no suite {suite}"))
}

/// Files by their path in the checkout, with `/`.
#[derive(Clone, Debug, Default)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// Reads the files below a folder whose path `wanted` accepts. Folders whose name begins with a
    /// dot are skipped.
    ///
    /// # Errors
    /// Unreadable files and folders, or no file at all.
    pub fn read(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Self> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(below) = folders.pop() {
            for entry in fs::read_dir(&below).with_context(|| below.display().to_string())? {
                let path = entry?.path();
                if path.is_dir() {
                    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                    folders.extend((!hidden).then_some(path));
                    continue;
                }
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                if wanted(&name) {
                    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
                    files.insert(name, bytes);
                }
            }
        }
        ensure!(!files.is_empty(), "no file of the suite below {}", folder.display());
        Ok(Self(files))
    }

    /// A file as text.
    ///
    /// # Errors
    /// A missing file.
    pub fn text(&self, name: &str) -> Result<String> {
        let bytes = self.0.get(name).with_context(|| format!("no file {name}"))?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// BLAKE3 over names and contents, in the order of names.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (name, bytes) in &self.0 {
            hasher.update(format!("{name}\0{}\0", bytes.len()).as_bytes());
            hasher.update(bytes);
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// Checks that a checkout is the pinned one.
///
/// # Errors
/// The difference, to be reported.
pub fn check(pin: &Pin, folder: &Path, files: &Files) -> Result<()> {
    let hash = files.hash();
    let commit = match folder.join(".git").exists() {
        true => commit(folder).unwrap_or_else(|| "unknown".to_owned()),
        false => "unknown".to_owned(),
    };
    let same = hash == pin.hash;
    ensure!(
        same,
        "{}: the {} files that are read hash to {hash} (commit {commit}), those of commit {} to {}; known differences are not enforced",
        pin.project,
        files.0.len(),
        pin.commit,
        pin.hash
    );
    Ok(())
}

fn commit(folder: &Path) -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_another_hash() {
        let one = Files(BTreeMap::from([("a".to_owned(), b"x".to_vec()), ("b".to_owned(), Vec::new())]));
        let two = Files(BTreeMap::from([("a".to_owned(), Vec::new()), ("b".to_owned(), b"x".to_vec())]));
        assert_ne!(one.hash(), two.hash());
        assert_eq!(one.hash(), one.clone().hash());
    }

    #[test]
    fn another_checkout_is_announced() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("k.ptx"), "")?;
        let files = Files::read(folder.path(), |name| name.ends_with(".ptx"))?;
        let error = check(&pin("fuzzx")?, folder.path(), &files).unwrap_err().to_string();
        assert!(error.contains("known differences are not enforced"), "{error}");
        let same = Pin { hash: Box::leak(files.hash().into_boxed_str()), ..pin("fuzzx")? };
        check(&same, folder.path(), &files)
    }
}
