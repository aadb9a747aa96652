//! Compiles a program of `tests/corpus/cutlass` with nvcc: PTX of its kernels, and what its host part launches.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::Oracle;

/// What nvcc made of a program.
pub struct Built {
    /// Its kernels.
    pub ptx: String,
    /// What its host part did, in the words of `runtime.cpp`, twice: with buffers at these addresses and at others.
    pub scripts: [String; 2],
}

/// The first address of the buffers in each run: no two bytes of them that an address has are the same.
const FIRST: [&str; 2] = ["7e5700005a5a0000", "6d4800003b3b4400"];

/// Compiles `NAME.cu` of `own` against the headers in `cutlass` and runs its host part; both in `folder`.
///
/// # Errors
/// Sources that nvcc refuses, and arguments that CUTLASS refuses.
pub fn build(nvcc: &Oracle, cutlass: &Path, own: &Path, name: &str, machine: &str, folder: &Path) -> Result<Built> {
    let shown = |path: &Path| path.display().to_string();
    let program = folder.join("program");
    let mut args = vec!["-std=c++20".to_owned(), "-O3".into(), "-w".into(), "-DNDEBUG".into()];
    args.push("-DCUTLASS_ENABLE_DIRECT_CUDA_DRIVER_CALL".into());
    args.extend(["--expt-relaxed-constexpr".into(), "-cudart=none".into()]);
    args.push(format!("-I{}", shown(&cutlass.join("include"))));
    args.push(format!("-gencode=arch=compute_{machine},code=compute_{machine}"));
    args.extend(["--keep".into(), "--keep-dir".into(), shown(folder), "-o".into(), shown(&program)]);
    args.extend([format!("{name}.cu"), "runtime.cpp".into()].map(|file| shown(&own.join(file))));
    nvcc.run(&args).with_context(|| format!("{name}.cu"))?;
    let ptx = fs::read_to_string(folder.join(format!("{name}.ptx")))?;
    let sizes = folder.join("parameters");
    fs::write(&sizes, parameters(&ptx)?)?;
    let run = |first: &str| -> Result<String> {
        let output = Command::new(&program).env("PARAMETERS", &sizes).env("FIRST", first).output()?;
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "{name}: {}", error.trim());
        Ok(String::from_utf8(output.stdout)?)
    };
    Ok(Built { ptx, scripts: [run(FIRST[0])?, run(FIRST[1])?] })
}

/// One line for each kernel: its name and the sizes of its parameters.
fn parameters(ptx: &str) -> Result<String> {
    let mut out = String::new();
    for entry in ptx.split(".entry ").skip(1) {
        let (name, rest) = entry.split_once('(').context("a kernel without parameters")?;
        let (list, _) = rest.split_once(')').context("parameters without an end")?;
        out.push_str(name.trim());
        for parameter in list.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let size = match parameter.split_once('[') {
                Some((_, count)) => count.trim_end_matches(']').parse().context("the size of a parameter")?,
                None => scalar(parameter).with_context(|| format!("the size of `{parameter}`"))?,
            };
            write!(out, " {size}")?;
        }
        out.push('\n');
    }
    Ok(out)
}

/// Bytes of a parameter of a scalar type: `.param .u64 .ptr .align 1 NAME`.
fn scalar(parameter: &str) -> Option<u32> {
    let bits = |word: &str| word.strip_prefix(['u', 's', 'b', 'f'])?.parse::<u32>().ok();
    parameter.split_whitespace().find_map(|word| bits(word.strip_prefix('.')?)).map(|bits| bits / 8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_of_parameters_are_read() {
        let ptx = ".visible .entry f(\n\t.param .align 8 .b8 f_param_0[368]\n)\n.maxntid 128\n{\n}\n\
                   .visible .entry g(\n\t.param .u64 .ptr .align 1 g_param_0,\n\t.param .f32 g_param_1\n)\n{\n}\n\
                   .entry h()\n{\n}\n";
        assert!(super::parameters(".entry k").is_err());
        assert_eq!(super::parameters(ptx).unwrap(), "f 368\ng 8 4\nh\n");
    }
}
