//! `raddle doctor`: what would be used on this machine, and why.

use crate::{Done, print};
use std::fmt::Write as _;
use std::io::IsTerminal;

pub(crate) fn run() -> Done {
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{name:14} {value}");
    };
    line("version", format!("raddle {} ({})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH));
    let cpus = raddle_driver::host::cpus::available();
    line("workers", format!("{cpus} by default: the CPUs available to this process (affinity and cgroup quota)"));
    line("stack", format!("{} MiB per worker", raddle_driver::host::Config::default().stack >> 20));
    let native: Vec<&str> = raddle_target::TARGETS.iter().filter(|t| t.native.is_some()).map(|t| t.name).collect();
    let read: Vec<&str> = raddle_target::TARGETS.iter().filter(|t| t.native.is_none()).map(|t| t.name).collect();
    line("compiles for", native.join(" "));
    line("reads only", read.join(" "));
    line("newest PTX", format!("{}", raddle_target::NEWEST_PTX));
    for (name, meaning) in [
        ("NO_COLOR", "no colours in messages"),
        ("TERM", "kind of terminal; `dumb` has no colours and no progress"),
        ("MAKEFLAGS", "a make above us"),
        ("RADDLE_CHAOS", "seed of random delays and order, for tests"),
    ] {
        let value = std::env::var(name).map_or("not set".to_string(), |value| raddle_diag::quote(&value));
        line(name, format!("{value} ({meaning})"));
    }
    let terminal = |yes: bool| if yes { "a terminal: progress and colours" } else { "not a terminal: plain lines" };
    line("messages", terminal(std::io::stderr().is_terminal()).to_string());
    line("GPU", "not needed and not used; `raddle run` has an interpreter and a simulator".to_string());
    print(&out)
}
