//! `cargo campaign ir-scale`: a program of many functions in many modules of LLVM IR, to one cubin
//! with little memory.
//!
//! Every kernel has functions of its own, spread over all modules, and all kernels share some: calls
//! cross modules everywhere. One function in four is not inlined.
//!
//! | figure | |
//! |---|---|
//! | `ir.large` | functions of a program that is compiled under the limit |
//! | `ir.large.memory` | memory of all processes together over the limit |
//! | `ir.large.partial` | the same with `--lto partial`, which links the whole program in one task |

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use raddle_cubin::Cubin;
use xtask::figures::{self, root};

use crate::arguments::at_least_one;
use crate::process_tree;

const COMMAND: &str = "cargo campaign ir-scale";
const MODULES: usize = 100;
/// Functions that a kernel has to itself, and those that all kernels may call.
const OWN: usize = 99;
const SHARED: usize = 2000;
/// The limit of `--max-memory`, in bytes.
const LIMIT: f64 = 4.0 * 1024.0 * 1024.0 * 1024.0;

#[derive(clap::Args)]
pub struct Options {
    /// Kernels; each brings a hundred functions
    #[arg(long, value_name = "N", default_value = "2000", value_parser = at_least_one)]
    kernels: usize,
    /// What is optimised together: partial or thin [default: by the size of the program]
    #[arg(long, value_name = "MODE")]
    lto: Option<String>,
    /// The raddle to measure [default: the release build of this tree]
    #[arg(long, value_name = "PATH")]
    raddle: Option<PathBuf>,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

/// Runs the command.
///
/// # Errors
/// A build that fails or lacks kernels, and trouble with files.
pub fn run(options: Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let inputs = write(folder.path(), options.kernels)?;
    if options.raddle.is_none() {
        let built = Command::new(env!("CARGO")).args(["build", "--release", "--package", "raddle-cli"]).status()?;
        ensure!(built.success(), "the release build failed");
    }
    let raddle = options.raddle.unwrap_or_else(|| root().join("target/release/raddle"));
    let out = folder.path().join("out.cubin");
    let mut command = Command::new(raddle);
    command.args(["compile", "--arch", "sm_90", "-j2", "--max-memory", "4G", "--history", "off", "--explain", "-o"]);
    command.arg(&out).args(&inputs);
    command.args(options.lto.iter().map(|mode| format!("--lto={mode}")));
    let run = process_tree::finish(&mut command)?;
    let kernels = Cubin::parse(&fs::read(&out)?)?.kernels().len();
    ensure!(kernels == options.kernels, "{kernels} of {} kernels are in the cubin", options.kernels);
    let functions = options.kernels * (OWN + 1) + SHARED;
    let note = format!(
        "{} kernels in {MODULES} modules: {:.0} s, {:.0} s of processor time, {:.2} GiB",
        options.kernels,
        run.seconds,
        run.cpu,
        run.memory / (1u64 << 30) as f64
    );
    println!("{functions} functions, {note}");
    if options.no_record {
        return Ok(());
    }
    let share = (run.memory / LIMIT * 100.0).round() / 100.0;
    match options.lto.as_deref() {
        Some("partial") => {
            let command = format!("{COMMAND} --lto partial --kernels {}", options.kernels);
            figures::record("ir.large.partial", share, &command, &format!("{functions} functions, {note}"))
        }
        // The figures are those of the mode that the compiler chooses.
        Some(_) => Ok(()),
        None => {
            figures::record("ir.large", functions as f64, COMMAND, &note)?;
            figures::record("ir.large.memory", share, COMMAND, &note)
        }
    }
}

/// Writes the modules; returns their paths.
pub(crate) fn write(folder: &Path, kernels: usize) -> Result<Vec<PathBuf>> {
    let mut modules: Vec<Module> = (0..MODULES).map(|_| Module::default()).collect();
    for shared in 0..SHARED {
        modules[shared % MODULES].function(&shared_name(shared), shared, &[])?;
    }
    for kernel in 0..kernels {
        for number in 0..OWN {
            // A binary tree, and a shared function at each leaf.
            let mut callees: Vec<String> =
                [2 * number + 1, 2 * number + 2].into_iter().filter(|&n| n < OWN).map(|n| own(kernel, n)).collect();
            if callees.is_empty() {
                callees.push(shared_name((kernel * 31 + number * 17) % SHARED));
            }
            modules[(kernel + number) % MODULES].function(&own(kernel, number), kernel + number, &callees)?;
        }
        modules[kernel % MODULES].kernel(kernel)?;
    }
    let mut paths = Vec::new();
    for (number, module) in modules.into_iter().enumerate() {
        let path = folder.join(format!("module{number}.ll"));
        fs::write(&path, module.text(number))?;
        paths.push(path);
    }
    Ok(paths)
}

fn own(kernel: usize, number: usize) -> String {
    format!("f{kernel}_{number}")
}

fn shared_name(number: usize) -> String {
    format!("shared{number}")
}

/// A module that is being written.
#[derive(Default)]
struct Module {
    text: String,
    called: std::collections::BTreeSet<String>,
    defined: std::collections::BTreeSet<String>,
}

impl Module {
    /// A function of some arithmetic that calls others.
    fn function(&mut self, name: &str, seed: usize, callees: &[String]) -> Result<()> {
        let attributes = if seed.is_multiple_of(4) { " noinline" } else { "" };
        writeln!(self.text, "define i32 @{name}(i32 %x0){attributes} {{")?;
        let mut last = 0;
        for step in 0..8 {
            let operation = ["add", "xor", "mul", "or", "sub"][(seed + step) % 5];
            writeln!(self.text, "  %x{} = {operation} i32 %x{last}, {}", last + 1, seed * 7 + step + 3)?;
            last += 1;
        }
        for callee in callees {
            writeln!(self.text, "  %c{last} = call i32 @{callee}(i32 %x{last})")?;
            writeln!(self.text, "  %x{} = add i32 %x{last}, %c{last}", last + 1)?;
            last += 1;
        }
        writeln!(self.text, "  ret i32 %x{last}\n}}")?;
        self.called.extend(callees.iter().cloned());
        self.defined.insert(name.to_owned());
        Ok(())
    }

    fn kernel(&mut self, kernel: usize) -> Result<()> {
        let root = own(kernel, 0);
        writeln!(
            self.text,
            "define ptx_kernel void @kernel{kernel}(ptr addrspace(1) %p) {{
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @{root}(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}}"
        )?;
        self.called.insert(root);
        Ok(())
    }

    fn text(&self, number: usize) -> String {
        let head = format!("source_filename = \"module{number}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n");
        let declared = self.called.difference(&self.defined).map(|name| format!("declare i32 @{name}(i32)\n"));
        [head, declared.collect(), self.text.clone()].concat()
    }
}
