//! Cubins of ptxas, stored as text in `corpus/cubins`, to test the simulator without ptxas.
//!
//! A file `KERNEL.ARCH.txt` has the size of the cubin in its first line and then lines `OFFSET
//! HEX`, 32 bytes each, without those that are all zero. `cargo campaign cubins` writes them from
//! nvcc's PTX of the corpus kernels.

use std::fmt::Write as _;
use std::fs;

use crate::simulator;
use anyhow::{Context, Result, ensure};

use crate::exceptions::Case;
use crate::kernel::{self, corpus};
use crate::run;
use crate::simulate::{ARCHES, Judged};

/// Bytes of a line.
const LINE: usize = 32;

/// The stored kernels, each for one architecture in turn: every memory, barriers, atomics,
/// shuffles, votes, divergence, calls, slow paths of divisions, f64, halves, and indexed constants.
const KERNELS: &[&str] = &[
    "saxpy",
    "matmul",
    "reduce_shared",
    "reduce_shuffle",
    "transpose",
    "histogram",
    "collatz",
    "scan",
    "call",
    "divide_f32",
    "divide_f64",
    "half2_axpy",
    "compact",
    "early_exit",
    "filter",
    "sha256",
    "local_sort",
    "bitonic",
    "softmax",
    "mix64",
];

/// The stored kernels with their architectures.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    KERNELS.iter().zip(ARCHES.iter().cycle()).map(|(kernel, arch)| (*kernel, *arch))
}

/// The path of the file of one of them.
pub fn file(kernel: &str, arch: &str) -> std::path::PathBuf {
    corpus().join(format!("cubins/{kernel}.{arch}.txt"))
}

/// Converts bytes to text.
pub fn to_text(bytes: &[u8]) -> String {
    let mut text = format!("{}\n", bytes.len());
    for (n, line) in bytes.chunks(LINE).enumerate().filter(|(_, line)| line.iter().any(|byte| *byte != 0)) {
        let _ = write!(text, "{:x} ", n * LINE);
        for byte in line {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    text
}

/// Converts such a text to bytes.
///
/// # Errors
/// Malformed text.
pub fn from_text(text: &str) -> Result<Vec<u8>> {
    let mut lines = text.lines();
    let size: usize = lines.next().context("no size")?.parse().context("size")?;
    ensure!(size < 1 << 24, "a cubin of {size} bytes");
    let mut bytes = vec![0; size];
    for line in lines {
        let (offset, hex) = line.split_once(' ').context("OFFSET HEX")?;
        let offset = usize::from_str_radix(offset, 16)?;
        ensure!(hex.is_ascii() && hex.len() % 2 == 0 && hex.len() <= 2 * LINE, "line {line}");
        for (i, pair) in hex.as_bytes().chunks(2).enumerate() {
            let byte = u8::from_str_radix(std::str::from_utf8(pair)?, 16)?;
            *bytes.get_mut(offset + i).context("a byte behind the end")? = byte;
        }
    }
    Ok(bytes)
}

/// Runs all of them against their references.
///
/// # Errors
/// Unreadable corpus files. The failure of a case is in its result.
pub fn judge() -> Result<Vec<Judged>> {
    let kernels = kernel::all()?;
    let mut results = Vec::new();
    for (name, arch) in all() {
        let kernel = kernels.iter().find(|k| k.name == name).with_context(|| format!("no kernel {name}"))?;
        let launches = || -> Result<()> {
            let path = file(name, arch);
            let cubin = from_text(&fs::read_to_string(&path).with_context(|| path.display().to_string())?)?;
            for launch in &kernel.launches {
                let mut setup = run::setup(&kernel.entry, launch);
                simulator::run(&cubin, &setup.launch, &mut setup.memory)?;
                setup.results(launch)?.compare(&kernel.reference(launch)?)?;
            }
            Ok(())
        };
        results.push((Case::new(name, "ptxas", arch), launches()));
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_gives_the_bytes_back() {
        let mut bytes = vec![0u8; 100];
        (bytes[0], bytes[40], bytes[99]) = (1, 0xfe, 7);
        let text = to_text(&bytes);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert_eq!(from_text(&text).unwrap(), bytes);
        assert!(from_text("4\n0 0102030405\n").is_err());
    }
}
