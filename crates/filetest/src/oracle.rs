//! Finds the outside tools that tests compare with.
//!
//! NVIDIA's tools are in the folder that `make oracles` fills: `$RADDLE_ORACLES`, else
//! `~/.cache/raddle/oracles`, with the programs in `site/nvidia/cu13/bin` (cicc in
//! `site/nvidia/cu13/nvvm/bin`) and `site/bin` (ninja), and one of CUDA 12 in
//! `site/nvidia/cuda_nvcc/bin`. A tool of the same name on `PATH` is never used: its version would
//! be unknown. Host tools (clang, g++, node, a browser) are found on `PATH`.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::skip;

/// Host tools: searched on `PATH` instead of the oracle folder.
const HOST_TOOLS: &[&str] = &[
    "bazel",
    "bwrap",
    "clang-19",
    "clang-linker-wrapper-19",
    "clang-nvlink-wrapper-19",
    "cmake",
    "g++",
    "mlir-opt-19",
    "nginx",
    "node",
    "python3",
    "redis-server",
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "openssl",
    "pg_ctlcluster",
    "readelf",
    "rustc",
];

/// The name of the assembler of CUDA 12.9, whose files are in the older container.
pub const PTXAS12: &str = "ptxas12";

/// The path of [`PTXAS12`] in the folder of tools.
const PTXAS12_PATH: &str = "nvidia/cuda_nvcc/bin/ptxas";

/// The Python that has Triton, which `make callers` installs.
pub const TRITON: &str = "triton";

/// The Python that has the larger callers, which only a campaign uses: `scripts/callers.sh more`.
pub const MORE_CALLERS: &str = "more callers";

/// The Python that has PyTorch, which only a campaign uses: `scripts/callers.sh torch`.
pub const TORCH: &str = "torch";

/// The Python that has moto, a server of S3: `scripts/callers.sh remote`.
pub const MOTO: &str = "moto";

/// The Python that has engines of remote execution: `scripts/callers.sh engine`.
pub const ENGINES: &str = "BuildGrid and BuildStream";

/// The folders of the environments of Python, in the folder that `make oracles` fills.
const ENVIRONMENTS: [(&str, &str); 5] = [
    (TRITON, "callers"),
    (MORE_CALLERS, "callers-more"),
    (TORCH, "callers-torch"),
    (MOTO, "callers-remote"),
    (ENGINES, "callers-engine"),
];

/// The reason why an oracle failed.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The program could not be started, or its output could not be read.
    #[error("{tool} could not be run: {source}")]
    Run {
        /// Name of the tool.
        tool: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program ended with an error.
    #[error("{tool} failed ({status}): {stderr}")]
    Failed {
        /// Name of the tool.
        tool: String,
        /// Exit status as text.
        status: String,
        /// Its standard error.
        stderr: String,
    },
}

/// An outside tool that exists on this machine.
#[derive(Clone, Debug)]
pub struct Oracle {
    name: String,
    path: PathBuf,
}

impl Oracle {
    /// The name by which it was requested, such as `nvdisasm`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A command for the program, without arguments.
    pub fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// Runs the tool and returns its output, whatever its exit status.
    ///
    /// # Errors
    /// [`OracleError::Run`] if the program cannot be started.
    pub fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Output, OracleError> {
        self.command().args(args).output().map_err(|source| OracleError::Run { tool: self.name.clone(), source })
    }

    /// Runs the tool and returns its standard output.
    ///
    /// # Errors
    /// [`OracleError::Run`] if the program cannot be started, [`OracleError::Failed`] if its exit
    /// status is not 0.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>, OracleError> {
        let output = self.output(args)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(OracleError::Failed {
            tool: self.name.clone(),
            status: output.status.to_string(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

/// The folder that `make oracles` fills. `None` if neither `RADDLE_ORACLES` nor `HOME` is set.
pub fn root() -> Option<PathBuf> {
    if let Some(root) = env::var_os("RADDLE_ORACLES").filter(|v| !v.is_empty()) {
        return Some(PathBuf::from(root));
    }
    env::var_os("HOME").map(|home| Path::new(&home).join(".cache/raddle/oracles"))
}

/// The toolkit folder inside the oracle folder: contains `bin`, `include`, `nvvm`.
pub fn toolkit() -> Option<PathBuf> {
    root().map(|root| root.join("site/nvidia/cu13")).filter(|path| path.is_dir())
}

/// The bitcode of NVIDIA's device library, which clang links into the kernels of the corpus.
pub fn libdevice() -> Option<PathBuf> {
    toolkit().map(|path| path.join("nvvm/libdevice/libdevice.10.bc")).filter(|path| path.is_file())
}

/// [`libdevice`] for a test that requires it, like [`require`].
///
/// # Panics
/// Like [`require`].
pub fn require_libdevice() -> Option<PathBuf> {
    let found = libdevice();
    if found.is_none() {
        skip::record("libdevice.10.bc is not installed (make oracles)");
    }
    found
}

/// NVIDIA's library that compiles LTO-IR, for a test that requires it, like [`require`].
///
/// # Panics
/// Like [`require`].
pub fn require_nvjitlink() -> Option<PathBuf> {
    require_file("lib/libnvJitLink.so.13")
}

/// A file of the toolkit folder, for a test that requires it, like [`require`].
///
/// # Panics
/// Like [`require`].
pub fn require_file(path: &str) -> Option<PathBuf> {
    let found = toolkit().map(|toolkit| toolkit.join(path)).filter(|path| path.is_file());
    if found.is_none() {
        skip::record(&format!("{path} is not installed (make oracles)"));
    }
    found
}

/// The file that a variable of the environment names, for a test that requires it, like [`require`].
/// `made_by`: what makes the file and sets the variable.
///
/// # Panics
/// Like [`require`].
pub fn require_variable(name: &str, made_by: &str) -> Option<PathBuf> {
    let found = env::var_os(name).map(PathBuf::from).filter(|path| path.is_file());
    if found.is_none() {
        skip::record(&format!("{name} names no file ({made_by})"));
    }
    found
}

/// Finds a tool: `ptxas`, `nvcc`, `nvlink`, `cuobjdump`, `nvdisasm`, `cicc`, `ninja`, [`PTXAS12`],
/// [`TRITON`], [`MORE_CALLERS`], [`TORCH`], [`MOTO`], [`ENGINES`], or a host tool. Records nothing.
pub fn find(name: &str) -> Option<Oracle> {
    let paths: Vec<PathBuf> = if HOST_TOOLS.contains(&name) {
        env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).collect()
    } else if name == PTXAS12 {
        vec![root()?.join("site").join(PTXAS12_PATH)]
    } else if let Some((_, folder)) = ENVIRONMENTS.iter().find(|(environment, _)| *environment == name) {
        // Whole only with its stamp.
        let folder = root()?.join(folder);
        vec![Some(folder).filter(|folder| folder.join("stamp").is_file())?.join("bin/python")]
    } else {
        let site = root()?.join("site");
        ["nvidia/cu13/bin", "nvidia/cu13/nvvm/bin", "bin"].map(|folder| site.join(folder).join(name)).to_vec()
    };
    let path = paths.into_iter().find(|path| path.is_file())?;
    Some(Oracle { name: name.to_owned(), path })
}

/// Finds a tool that the calling test requires. If it is missing, the skip is recorded under the
/// name of the test, and the caller returns:
///
/// ```no_run
/// # use raddle_filetest::oracle;
/// # fn test() {
/// let Some(nvdisasm) = oracle::require("nvdisasm") else { return };
/// # }
/// ```
///
/// # Panics
/// If the tool is missing and `REQUIRE_ALL=1` is set: then no test may be skipped.
pub fn require(name: &str) -> Option<Oracle> {
    let found = find(name);
    if found.is_none() {
        let target = if name == TRITON { "callers" } else { "oracles" };
        skip::record(&format!("{name} is not installed (make {target})"));
    }
    found
}

/// Like [`require`], for the first of several equivalent tools.
///
/// # Panics
/// Like [`require`].
pub fn require_any(names: &[&str]) -> Option<Oracle> {
    let found = names.iter().find_map(|name| find(name));
    if found.is_none() {
        skip::record(&format!("none of {} is installed", names.join(", ")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_is_not_found() {
        assert!(find("no-such-tool").is_none());
    }

    #[test]
    fn a_failing_tool_reports_its_standard_error() {
        let shell = Oracle { name: "sh".into(), path: "/bin/sh".into() };
        let error = shell.run(&["-c", "echo broken >&2; exit 3"]).unwrap_err();
        assert!(matches!(&error, OracleError::Failed { stderr, .. } if stderr.trim() == "broken"), "{error}");
        assert_eq!(shell.run(&["-c", "printf fine"]).unwrap(), b"fine");
    }

    #[test]
    fn assemblers_are_the_versions_of_the_lock_file() {
        for (name, version) in [("ptxas", "V13.0.88"), (PTXAS12, "V12.9.86")] {
            let Some(ptxas) = require(name) else { continue };
            let text = String::from_utf8(ptxas.run(&["--version"]).unwrap()).unwrap();
            assert!(text.contains(version), "{text}");
        }
    }
}
