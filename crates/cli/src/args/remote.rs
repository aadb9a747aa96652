//! Options for kernels that are compiled elsewhere, and `raddle doctor`.

use super::IrLibraries;
use clap::{Args, ValueHint};
use raddle_driver::options::RemoteLimits;
use std::path::PathBuf;

/// Options for remote execution.
#[derive(Debug, Args)]
pub struct Remote {
    /// Engine of remote execution that compiles kernels on other machines:
    /// `grpc://HOST:PORT[/INSTANCE]` (the Remote Execution API; `grpcs://` with TLS; in programs with the
    /// feature `remote`), or `exec:PROGRAM`, which starts the program for each kernel with the arguments of `raddle __unit`.
    /// Kernels that it does not compile, or too slowly, are compiled here; the output is the same with
    /// and without it.
    #[arg(long, value_name = "URL", env = "RADDLE_REMOTE", hide_env_values = true)]
    pub remote: Option<String>,
    /// Maximum number of kernels to compile remotely at once, besides those that -j allows here; 0
    /// means as many as the engine allows.
    #[arg(long, value_name = "N", default_value_t = RemoteLimits::default().jobs)]
    pub remote_jobs: usize,
    /// Property of the machines that compile, as the engine names it; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = property)]
    pub remote_property: Vec<(String, String)>,
    /// Program `raddle` of this version that the engine sends to these machines; by default this one.
    /// A program that is not linked statically needs the same loader and C library there.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub remote_program: Option<PathBuf>,
}

/// Options for kernels that something else compiles.
#[derive(Debug, Args)]
pub struct Units {
    /// Write each kernel that would be compiled to this folder as a module of its own, with a list of
    /// the commands that compile them, instead of compiling. See `docs/remote.md`.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["units", "verify_split"])]
    pub emit_units: Option<PathBuf>,
    /// Take the objects that these commands made from this folder. Kernels without one are compiled
    /// here; the output is the same.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub units: Option<PathBuf>,
}

/// `raddle doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Libraries for LLVM IR.
    #[command(flatten)]
    pub libraries: IrLibraries,
    /// Try this engine of remote execution: compile a small kernel with it and here, and compare. Exit
    /// code 1 if it does not work.
    #[arg(long, value_name = "URL")]
    pub remote: Option<String>,
    /// Property of the machines that compile; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = property, requires = "remote")]
    pub remote_property: Vec<(String, String)>,
    /// Program `raddle` that the engine sends to these machines; by default this one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "remote")]
    pub remote_program: Option<PathBuf>,
}

impl Doctor {
    /// The options for the engine to try.
    pub fn engine(&self) -> Remote {
        Remote {
            remote: self.remote.clone(),
            remote_jobs: 1,
            remote_property: self.remote_property.clone(),
            remote_program: self.remote_program.clone(),
        }
    }
}

/// Parses a property.
fn property(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| "expected KEY=VALUE".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_a_name() {
        assert_eq!(property("os=linux").unwrap(), ("os".to_owned(), "linux".to_owned()));
        assert_eq!(property("flags=a=b").unwrap().1, "a=b");
        assert!(property("=x").is_err() && property("os").is_err());
    }
}
