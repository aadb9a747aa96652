//! Reads our cubins with NVIDIA's tools.

use std::fs;

use anyhow::{Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_filetest::oracle::Oracle;

/// The lines from the first about usage on; the header has the name of the file.
fn usage(text: &str) -> Vec<&str> {
    text.lines().skip_while(|l| !l.starts_with("Resource usage")).map(str::trim_end).filter(|l| !l.is_empty()).collect()
}

/// Checks that `cuobjdump -res-usage` and `raddle info --resource-usage` print the same for a
/// cubin.
///
/// # Errors
/// The tool's failure, or both texts.
pub fn usage_agrees(cuobjdump: &Oracle, cubin: &[u8]) -> Result<()> {
    let file = tempfile::Builder::new().suffix(".cubin").tempfile()?;
    fs::write(&file, cubin)?;
    let theirs = String::from_utf8(cuobjdump.run(&["-res-usage".as_ref(), file.path().as_os_str()])?)?;
    let ours = Report::new(&Cubin::parse(cubin)?).resource_usage();
    ensure!(usage(&theirs).iter().any(|l| l.contains("REG:")), "no usage: {theirs}");
    ensure!(usage(&ours) == usage(&theirs), "usage: ours\n{ours}\ncuobjdump's\n{theirs}");
    Ok(())
}

/// Checks that nvdisasm reads all instructions of a cubin: it prints as many lines as there are
/// words.
///
/// # Errors
/// The tool's failure, or both numbers.
pub fn disassembles(nvdisasm: &Oracle, cubin: &[u8]) -> Result<()> {
    let file = tempfile::Builder::new().suffix(".cubin").tempfile()?;
    fs::write(&file, cubin)?;
    let text = String::from_utf8(nvdisasm.run(&["-c".as_ref(), file.path().as_os_str()])?)?;
    let lines = text.lines().filter(|l| l.trim_start().starts_with("/*") && l.contains(';')).count();
    let words: usize = Cubin::parse(cubin)?.functions().iter().map(|f| f.code.len() / 16).sum();
    ensure!(lines == words, "nvdisasm shows {lines} instructions of {words}");
    Ok(())
}
